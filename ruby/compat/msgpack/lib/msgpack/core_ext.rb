# frozen_string_literal: true

# For programs that say require "msgpack/core_ext": they get Packhorse under that name.
require "msgpack"
