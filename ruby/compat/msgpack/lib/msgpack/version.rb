# frozen_string_literal: true

# For programs that say require "msgpack/version": they get Packhorse under that name.
require "msgpack"
