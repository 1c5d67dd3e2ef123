# frozen_string_literal: true

require_relative "../spec_helper"

# The exact header at both sides of each boundary.
RSpec.describe "formats" do
  def head(object, count = 5)
    hex(MessagePack.pack(object)[0, count])
  end

  {
    0 => "00", 127 => "7f", 128 => "cc80", 255 => "ccff", 256 => "cd0100", 65_535 => "cdffff",
    65_536 => "ce00010000", 4_294_967_295 => "ceffffffff", 4_294_967_296 => "cf0000000100000000",
    (2**64) - 1 => "cfffffffffffffffff", -1 => "ff", -32 => "e0", -33 => "d0df", -128 => "d080", -129 => "d1ff7f",
    -32_768 => "d18000", -32_769 => "d2ffff7fff", -(2**31) => "d280000000", -(2**31) - 1 => "d3ffffffff7fffffff",
    -(2**63) => "d38000000000000000", nil => "c0", true => "c3", false => "c2",
    1.0 => "cb3ff0000000000000", -0.0 => "cb8000000000000000", Float::INFINITY => "cb7ff0000000000000"
  }.each do |object, expected|
    it "packs #{object.inspect} as #{expected}" do
      expect(hex(MessagePack.pack(object))).to eq(expected)
      expect(MessagePack.unpack(MessagePack.pack(object))).to eql(object)
    end
  end

  { 0 => "a0", 31 => "bf", 32 => "d920", 255 => "d9ff", 256 => "da0100", 65_535 => "daffff",
    65_536 => "db00010000" }.each do |length, expected|
    it "heads a text of #{length} bytes with #{expected}" do
      expect(head("x" * length)).to start_with(expected)
    end
  end

  { 0 => "c400", 255 => "c4ff", 256 => "c50100", 65_535 => "c5ffff", 65_536 => "c600010000" }.each do |length, expected|
    it "heads #{length} binary bytes with #{expected}" do
      expect(head(("x" * length).b)).to start_with(expected)
    end
  end

  { 0 => "90", 15 => "9f", 16 => "dc0010", 65_535 => "dcffff", 65_536 => "dd00010000" }.each do |length, expected|
    it "heads an Array of #{length} with #{expected}" do
      expect(head([nil] * length)).to start_with(expected)
    end
  end

  { 0 => "80", 15 => "8f", 16 => "de0010", 65_535 => "deffff", 65_536 => "df00010000" }.each do |length, expected|
    it "heads a Hash of #{length} with #{expected}" do
      expect(head(Array.new(length) { |i| [i, nil] }.to_h)).to start_with(expected)
    end
  end

  { 0 => "c70005", 1 => "d405", 2 => "d505", 3 => "c70305", 4 => "d605", 8 => "d705", 16 => "d805", 17 => "c71105",
    255 => "c7ff05", 256 => "c8010005", 65_535 => "c8ffff05", 65_536 => "c90001000005" }.each do |length, expected|
    it "heads an ext payload of #{length} bytes with #{expected}" do
      packed = MessagePack.pack(MessagePack::ExtensionValue.new(5, "x" * length))
      expect(hex(packed)).to start_with(expected)
      expect(MessagePack.unpack(packed, allow_unknown_ext: true).payload.bytesize).to eq(length)
    end
  end
end
