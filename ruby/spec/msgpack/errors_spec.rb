# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe "errors" do
  it "are the classes of the gem" do
    expect(MessagePack::UnpackError.superclass).to eq(StandardError)
    [MessagePack::MalformedFormatError, MessagePack::StackError, MessagePack::UnexpectedTypeError,
     MessagePack::UnknownExtTypeError].each { |error| expect(error.superclass).to eq(MessagePack::UnpackError) }
    expect(MessagePack::UnexpectedTypeError.include?(MessagePack::TypeError)).to be(true)
    expect(MessagePack::TypeError).to be_a(Module)
  end

  {
    "c1" => [MessagePack::MalformedFormatError, 0, "$"],
    "93 01 02 c1" => [MessagePack::MalformedFormatError, 3, "$[2]"],
    "82 a161 01 a162 91 c1" => [MessagePack::MalformedFormatError, 7, "$.b[0]"],
    "81 a3612062 c1" => [MessagePack::MalformedFormatError, 5, '$["a b"]'],
    "81 05 c1" => [MessagePack::MalformedFormatError, 2, "$[5]"],
    "81 c1" => [MessagePack::MalformedFormatError, 1, "$[key 0]"],
    "82 01 02 91 c1 05" => [MessagePack::MalformedFormatError, 4, "$[key 1][0]"],
    "92 01" => [EOFError, 2, "$[1]"],
    "81 a161 a5 6162" => [EOFError, 3, "$.a"],
    "92 01 d4 05 00" => [MessagePack::UnknownExtTypeError, 2, "$[1]"]
  }.each do |input, (klass, offset, path)|
    it "say where in #{input}" do
      error = raised { MessagePack.unpack(bytes(input)) }
      expect(error).to be_a(klass)
      expect([error.offset, error.path]).to eq([offset, path])
      expect(error.message).to include("byte #{offset}", path) unless error.is_a?(EOFError)
    end
  end

  it "count offsets from the start of a stream" do
    unpacker = MessagePack::Unpacker.new
    unpacker.feed("\x01" * 10)
    10.times { unpacker.read }
    unpacker.feed("\x91\xC1")
    expect(raised { unpacker.read }.offset).to eq(11)
    other = MessagePack::Unpacker.new(StringIO.new("\xA3abc" * 20_000 + "\xC1"))
    expect(raised { other.each.to_a }.offset).to eq(80_000)
  end

  it "locate failures inside recursive ext types in the stream" do
    factory = MessagePack::Factory.new
    factory.register_type(2, Set, packer: nil, unpacker: ->(reader) { reader.read }, recursive: true)
    expect(raised { factory.load(bytes("92 01 d5 02 91 c1")) }.offset).to eq(5)
  end

  it "cut paths that are long or deep" do
    error = raised { MessagePack.unpack("\x91".b * 500 + "\xC1".b) }
    expect(error.path.length).to be < 200
    expect(error.path).to include("...")
    error = raised { MessagePack.unpack(MessagePack.pack("k" * 10_000 => 1)[0..-2] + "\xC1".b) }
    expect(error.path.length).to be < 200
  end

  it "leave an unpacker at the value that is malformed" do
    unpacker = MessagePack::Unpacker.new
    unpacker.feed("\x01\x91\xC1")
    expect(unpacker.read).to eq(1)
    2.times { expect { unpacker.read }.to raise_error(MessagePack::MalformedFormatError) }
    unpacker.reset
    expect(unpacker.feed("\x05").read).to eq(5)
  end
end
