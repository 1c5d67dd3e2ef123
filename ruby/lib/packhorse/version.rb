# frozen_string_literal: true

module Packhorse
  # The release of this gem.
  RELEASE = "0.1.0"

  # The version of the msgpack gem whose interface this is.
  MSGPACK_VERSION = "1.8.5"

  # What programs compare: as MessagePack they ask for a version of the msgpack gem.
  VERSION = name == "MessagePack" ? MSGPACK_VERSION : RELEASE
end
