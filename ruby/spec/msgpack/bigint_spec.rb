# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe MessagePack::Bigint do
  { 0 => "00", 1 => "0000000001", -1 => "0100000001", 2**32 => "000000000000000001",
    2**64 - 1 => "00ffffffffffffffff", -(2**64) => "01000000000000000000000001" }.each do |integer, payload|
    it "writes #{integer} as #{payload}: sign, then words of 32 bits, the lowest first" do
      expect(hex(described_class.to_msgpack_ext(integer))).to eq(payload)
      expect(described_class.from_msgpack_ext([payload].pack("H*"))).to eq(integer)
    end
  end

  it "round-trips any size" do
    [10**1000, -(3**500), 2**63, -(2**63)].each do |integer|
      expect(described_class.from_msgpack_ext(described_class.to_msgpack_ext(integer))).to eq(integer)
    end
  end

  it "refuses payloads that are none" do
    ["", "\x00\x01", "\x00" * 4].each do |payload|
      expect { described_class.from_msgpack_ext(payload) }.to raise_error(MessagePack::MalformedFormatError)
    end
  end
end
