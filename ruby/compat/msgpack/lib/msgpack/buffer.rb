# frozen_string_literal: true

# For programs that say require "msgpack/buffer": they get Packhorse under that name.
require "msgpack"
