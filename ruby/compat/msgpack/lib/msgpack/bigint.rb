# frozen_string_literal: true

# For programs that say require "msgpack/bigint": they get Packhorse under that name.
require "msgpack"
require "packhorse/bigint"
