# frozen_string_literal: true

# Packhorse::Bigint is part of the extension; this file is what programs require for it:
#
#   factory.register_type(1, Integer, packer: Packhorse::Bigint.method(:to_msgpack_ext),
#                         unpacker: Packhorse::Bigint.method(:from_msgpack_ext),
#                         oversized_integer_extension: true)
require "packhorse"
