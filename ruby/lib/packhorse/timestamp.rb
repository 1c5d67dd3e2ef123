# frozen_string_literal: true

module Packhorse
  # Seconds and nanoseconds since 1970: ext type -1. Register it to read and write it:
  #
  #   factory.register_type(Packhorse::Timestamp::TYPE, Packhorse::Timestamp)
  class Timestamp
    # The last second that fits in 4 bytes.
    TIMESTAMP32_MAX_SEC = (1 << 32) - 1
    # The last second that fits in 8 bytes together with nanoseconds.
    TIMESTAMP64_MAX_SEC = (1 << 34) - 1

    # Seconds since 1970, leap seconds not counted.
    attr_reader :sec
    # Nanoseconds, added to them.
    attr_reader :nsec

    def initialize(sec, nsec)
      @sec = sec
      @nsec = nsec
    end

    # Whether the other is a Timestamp of the same nanosecond.
    def ==(other)
      other.class == self.class && sec == other.sec && nsec == other.nsec
    end
  end
end
