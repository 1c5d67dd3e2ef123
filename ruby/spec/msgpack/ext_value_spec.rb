# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe MessagePack::ExtensionValue do
  let(:value) { described_class.new(1, "data") }

  it "is a Struct of type and payload" do
    expect(described_class.ancestors).to include(Struct)
    expect([value.type, value.payload]).to eq([1, "data"])
    value.type = 2
    value.payload = "other"
    expect(value.to_a).to eq([2, "other"])
  end

  it "compares by content" do
    expect(value).to eq(described_class.new(1, "data"))
    expect(value).to eql(described_class.new(1, "data"))
    expect(value.hash).to eq(described_class.new(1, "data").hash)
    expect(value).not_to eq(described_class.new(2, "data"))
    copy = value.dup
    copy.type = 5
    expect(value.type).to eq(1)
  end

  it "packs itself" do
    expect(value.to_msgpack).to eq("\xD6\x01data".b)
    packer = MessagePack::Packer.new
    expect(value.to_msgpack(packer)).to equal(packer)
    expect(packer.to_s).to eq("\xD6\x01data".b)
    expect(MessagePack.pack([value])).to eq("\x91\xD6\x01data".b)
  end

  it "comes back frozen with a payload that is not, when everything is frozen" do
    read = MessagePack.unpack("\xD4\x05x".b, allow_unknown_ext: true, freeze: true)
    expect(read).to be_frozen
    expect(read.payload).to eq("x")
  end
end
