# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe MessagePack::Timestamp do
  {
    [0, 0] => "00000000", [2**32 - 1, 0] => "ffffffff", [2**32, 0] => "0000000100000000", [1, 1] => "0000000400000001",
    [2**34 - 1, 999_999_999] => "ee6b27ffffffffff", [2**34, 0] => "000000000000000400000000",
    [-1, 0] => "00000000ffffffffffffffff", [-1, 500_000_000] => "1dcd6500ffffffffffffffff",
    [2**32 + 1, 1] => "0000000500000001", [-(2**63), 0] => "000000008000000000000000"
  }.each do |(seconds, nanoseconds), payload|
    it "of #{seconds} s and #{nanoseconds} ns is #{payload}" do
      timestamp = described_class.new(seconds, nanoseconds)
      expect(hex(timestamp.to_msgpack_ext)).to eq(payload)
      expect(hex(described_class.to_msgpack_ext(seconds, nanoseconds))).to eq(payload)
      read = described_class.from_msgpack_ext([payload].pack("H*"))
      expect(read).to eq(timestamp)
      expect([read.sec, read.nsec]).to eq([seconds, nanoseconds])
    end
  end

  it "has 4, 8 or 12 bytes and nanoseconds in range" do
    expect(described_class::TYPE).to eq(-1)
    ["", "123", "12345"].each do |payload|
      expect { described_class.from_msgpack_ext(payload) }.to raise_error(MessagePack::MalformedFormatError)
    end
    expect { described_class.from_msgpack_ext(bytes("3b9aca00 0000000000000000")) }
      .to raise_error(MessagePack::MalformedFormatError, /nanoseconds/)
    expect { described_class.to_msgpack_ext(0, 1_000_000_000) }.to raise_error(RangeError)
    expect { described_class.to_msgpack_ext(0, -1) }.to raise_error(RangeError)
  end

  it "compares by class and content" do
    expect(described_class.new(1, 2)).to eq(described_class.new(1, 2))
    expect(described_class.new(1, 2)).not_to eq(described_class.new(1, 3))
    expect(described_class.new(1, 2)).not_to eq(Class.new(described_class).new(1, 2))
  end

  it "is not read until it is registered" do
    expect { MessagePack.unpack(bytes("d6 ff 00000000")) }.to raise_error(MessagePack::UnknownExtTypeError)
    factory = MessagePack::Factory.new
    factory.register_type(described_class::TYPE, described_class)
    expect(factory.load(factory.dump(described_class.new(5, 6)))).to eq(described_class.new(5, 6))
  end

  it "can be Time instead" do
    factory = MessagePack::Factory.new
    factory.register_type(-1, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)
    [Time.at(0), Time.at(1_700_000_000, 123_456_789, :nanosecond), Time.at(-1, 500_000_000, :nanosecond), Time.utc(2600)].each do |time|
      expect(factory.load(factory.dump(time))).to eq(time)
    end
    expect(factory.dump(Time.utc(1969, 12, 31, 23, 59, 59.5r))).to eq(bytes("c7 0c ff 1dcd6500 ffffffffffffffff"))
  end
end
