# frozen_string_literal: true

module Packhorse
  # Procs to register ::Time as a timestamp; the UTC offset is not kept:
  #
  #   factory.register_type(-1, Time, packer: Packhorse::Time::Packer, unpacker: Packhorse::Time::Unpacker)
  module Time
    # The Time of a payload.
    Unpacker = lambda do |payload|
      timestamp = Packhorse::Timestamp.from_msgpack_ext(payload)
      ::Time.at(timestamp.sec, timestamp.nsec, :nanosecond)
    end

    # The payload of a Time.
    Packer = lambda do |time|
      Packhorse::Timestamp.to_msgpack_ext(time.tv_sec, time.tv_nsec)
    end
  end
end
