# frozen_string_literal: true

# For programs that say require "msgpack": they get Packhorse under that name.
require "packhorse/msgpack"
