# frozen_string_literal: true

require "packhorse/msgpack"
