# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe MessagePack do
  it "answers pack and dump, unpack and load alike" do
    expect(MessagePack.dump([1])).to eq(MessagePack.pack([1]))
    expect(MessagePack.load("\x91\x01")).to eq(MessagePack.unpack("\x91\x01"))
  end

  it "is Packhorse, under the name that came first" do
    expect(Packhorse).to equal(MessagePack)
    expect(MessagePack::Factory.name).to eq("MessagePack::Factory")
    expect(Gem::Version.new(MessagePack::VERSION)).to be >= Gem::Version.new("1.7.0")
  end

  it "gives a binary String" do
    expect(MessagePack.pack("text").encoding).to eq(Encoding::BINARY)
  end

  it "writes to an IO and returns nil" do
    io = StringIO.new
    expect(MessagePack.pack({ "a" => 1 }, io)).to be_nil
    expect(io.string.b).to eq(MessagePack.pack({ "a" => 1 }))
  end

  it "takes options in place of the IO" do
    expect(MessagePack.pack("x".b, compatibility_mode: true)).to eq("\xA1x".b)
    expect(MessagePack.pack("x".b, nil, compatibility_mode: true)).to eq("\xA1x".b)
  end

  it "reads from an IO" do
    expect(MessagePack.unpack(StringIO.new("\x91\x01"))).to eq([1])
    expect(MessagePack.unpack(StringIO.new("\xA4test"))).to eq("test")
  end

  it "reads from what only answers read" do
    source = Object.new
    def source.read(_length, _buffer = nil)
      @read ? nil : (@read = true) && "\x91\x07".b
    end
    expect(MessagePack.unpack(source)).to eq([7])
  end

  it "refuses what is neither a String nor an IO" do
    lookalike = Object.new
    def lookalike.to_str
      "\x01"
    end
    expect { MessagePack.unpack(lookalike) }.to raise_error(NoMethodError)
    expect { MessagePack.unpack(nil) }.to raise_error(EOFError)
  end

  it "reads Strings of any class and encoding" do
    expect(MessagePack.unpack(Class.new(String).new("\x01"))).to eq(1)
    expect(MessagePack.unpack("\x91\x01".dup.force_encoding("UTF-16LE"))).to eq([1])
  end

  it "refuses bytes behind the value, and says how many" do
    error = raised { MessagePack.unpack("\x01\x02\x03") }
    expect(error).to be_a(MessagePack::MalformedFormatError)
    expect(error.message).to eq("2 extra bytes after the deserialized object")
    expect(error.offset).to eq(1)
  end

  it "refuses too little" do
    ["", "\x92\x01", "\xA5abc", "\xCD\x01"].each do |input|
      expect { MessagePack.unpack(input) }.to raise_error(EOFError)
    end
  end

  it "round-trips every native type" do
    object = [nil, true, false, 0, -1, 2**64 - 1, -(2**63), 1.5, "", "text", "b\xFF".b, [], {}, [[]], { "a" => { 1 => [] } }]
    expect(MessagePack.unpack(MessagePack.pack(object))).to eq(object)
  end

  it "packs Symbols as their names" do
    expect(MessagePack.unpack(MessagePack.pack(a: :b))).to eq("a" => "b")
  end

  it "keeps the last of equal keys" do
    expect(MessagePack.unpack(bytes("82 a161 01 a161 02"))).to eq("a" => 2)
  end

  it "takes anything as a key" do
    hash = { [1] => 1, { "k" => 1 } => 2, nil => 3, 1.5 => 4, "b".b => 5, false => 6 }
    expect(MessagePack.unpack(MessagePack.pack(hash))).to eq(hash)
  end

  it "refuses Integers beyond 64 bits" do
    expect { MessagePack.pack(2**64) }.to raise_error(RangeError)
    expect { MessagePack.pack(-(2**63) - 1) }.to raise_error(RangeError)
  end

  it "says NoMethodError for what it can not pack, as bootsnap expects" do
    [Object.new, Time.now, 1r, Struct.new(:a).new(1)].each do |object|
      expect { MessagePack.pack(object) }.to raise_error(NoMethodError, /to_msgpack/)
    end
  end

  it "calls to_msgpack with a packer" do
    point = Struct.new(:x, :y) do
      def to_msgpack(packer)
        packer.write_map_header(2)
        packer.write("x").write(x).write("y").write(y)
      end
    end
    expect(MessagePack.unpack(MessagePack.pack([point.new(1, [2]), 3]))).to eq([{ "x" => 1, "y" => [2] }, 3])
    expect(MessagePack.unpack(MessagePack.pack(point.new(point.new(1, 2), 3)))).to eq("x" => { "x" => 1, "y" => 2 }, "y" => 3)
  end

  describe "symbolize_keys" do
    it "converts keys at every level, binary ones too, and nothing else" do
      data = MessagePack.pack("a" => [{ "b" => "c" }], "d".b => "e", 1 => 2)
      expect(MessagePack.unpack(data, symbolize_keys: true)).to eq(a: [{ b: "c" }], d: "e", 1 => 2)
    end

    it "gives the Symbols that a program writes" do
      keys = MessagePack.unpack(MessagePack.pack("plain" => 1, "schön" => 2), symbolize_keys: true).keys
      expect(keys).to eq(%i[plain schön])
      expect(keys.map(&:encoding)).to eq([Encoding::US_ASCII, Encoding::UTF_8])
    end

    it "refuses keys that are no UTF-8" do
      expect { MessagePack.unpack(bytes("81 a1ff 01"), symbolize_keys: true) }.to raise_error(EncodingError)
    end
  end

  it "gives keys interned and values not" do
    value = MessagePack.unpack(MessagePack.pack([{ "key" => "value" }, { "key" => "value" }]))
    expect(value[0].keys[0]).to equal(value[1].keys[0])
    expect(value[0].keys[0]).to equal(-"key")
    expect(value[0]["key"]).not_to be_frozen
    expect(value[0]["key"]).not_to equal(value[1]["key"])
  end

  describe "encodings" do
    it "packs UTF-8, US-ASCII and 7-bit text as it is" do
      expect(hex(MessagePack.pack("ä"))).to eq("a2c3a4")
      expect(hex(MessagePack.pack("a".encode("US-ASCII")))).to eq("a161")
      expect(hex(MessagePack.pack("a".encode("ISO-8859-1")))).to eq("a161")
    end

    it "transcodes the rest to UTF-8" do
      expect(hex(MessagePack.pack("ä".encode("ISO-8859-1")))).to eq("a2c3a4")
      expect(hex(MessagePack.pack("ä".encode("UTF-16LE")))).to eq("a2c3a4")
      expect { MessagePack.pack("\xFF\xFF".dup.force_encoding("EUC-JP")) }.to raise_error(EncodingError)
    end

    it "lets invalid UTF-8 pass" do
      expect(hex(MessagePack.pack("\xFF"))).to eq("a1ff")
      expect(MessagePack.unpack("\xA1\xFF".b)).to eq("\xFF")
    end

    it "packs binary Strings and Symbols as bin" do
      expect(hex(MessagePack.pack("a".b))).to eq("c40161")
      expect(hex(MessagePack.pack("\xFF".b.to_sym))).to eq("c401ff")
    end

    it "gives UTF-8 for str and binary for bin" do
      expect(MessagePack.unpack("\xA1a".b).encoding).to eq(Encoding::UTF_8)
      expect(MessagePack.unpack("\xC4\x01a".b).encoding).to eq(Encoding::BINARY)
    end
  end

  describe "to_msgpack" do
    [nil, true, false, 1, 1.5, "a", :a, [1], { 1 => 2 }].each do |object|
      it "of #{object.inspect} gives bytes, writes to packers and IOs" do
        expect(object.to_msgpack).to eq(MessagePack.pack(object))
        packer = MessagePack::Packer.new
        expect(object.to_msgpack(packer)).to equal(packer)
        expect(packer.to_s).to eq(MessagePack.pack(object))
        io = StringIO.new
        expect(object.to_msgpack(io)).to be_nil
        expect(io.string.b).to eq(MessagePack.pack(object))
      end
    end
  end
end
