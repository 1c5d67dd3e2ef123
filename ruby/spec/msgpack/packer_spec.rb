# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe MessagePack::Packer do
  let(:packer) { described_class.new }

  it "takes IO and options in every arrangement" do
    expect { [described_class.new, described_class.new(nil), described_class.new({}), described_class.new(StringIO.new),
              described_class.new(StringIO.new, {}), described_class.new(nil, nil), described_class.new(other: 1)] }
      .not_to raise_error
  end

  it "returns itself from every write method" do
    packer.write(1).write_nil.write_true.write_false.write_float(1).write_float32(1).write_string("a").write_bin("b")
          .write_array([1]).write_hash({ 1 => 2 }).write_symbol(:c).write_int(2)
          .write_extension(MessagePack::ExtensionValue.new(1, "d")).write_ext(2, "e")
          .write_array_header(1).write_map_header(1).write_bin_header(1).pack(3)
    expect(hex(packer.to_s)).to eq("01c0c3c2cb3ff0000000000000ca3f800000a161c4016291018101" \
                                   "02a16302d40164d4026591" "81c40103")
  end

  it "refuses values of another type" do
    { write_string: 1, write_bin: 1, write_array: {}, write_hash: [], write_symbol: "a", write_int: 1.0,
      write_float: "1", write_extension: "x" }.each do |method, value|
      expect { packer.public_send(method, value) }.to raise_error(TypeError)
    end
    expect { packer.write_float32("1") }.to raise_error(ArgumentError, "Expected numeric")
    expect(packer).to be_empty
  end

  it "refuses counts that no header can hold, negative ones too" do
    %i[write_array_header write_map_header write_bin_header].each do |method|
      [-1, 2**32, -(2**70), 2**70].each { |count| expect { packer.public_send(method, count) }.to raise_error(RangeError) }
    end
    expect(packer.write_array_header((2**32) - 1).to_s).to eq("\xDD\xFF\xFF\xFF\xFF".b)
  end

  it "refuses ext types beyond a signed byte" do
    [-129, 128, 65_540, 2**40, -(2**70)].each do |type|
      expect { packer.write_ext(type, "a") }.to raise_error(RangeError)
      expect { packer.write_extension(MessagePack::ExtensionValue.new(type, "a")) }.to raise_error(RangeError)
    end
  end

  it "transcodes in write_bin, which is what the gem does" do
    expect(packer.write_bin("abc").to_s).to eq("\xC4\x03abc".b)
    expect { packer.write_bin("ä") }.to raise_error(Encoding::UndefinedConversionError)
  end

  it "keeps its bytes until they are taken" do
    packer.write([1, 2])
    expect(packer.size).to eq(3)
    expect(packer).not_to be_empty
    expect(packer.to_s).to eq(packer.to_str)
    expect(packer.to_a.join).to eq("\x92\x01\x02".b)
    expect(packer.full_pack).to eq("\x92\x01\x02".b)
    expect(packer).to be_empty
    expect(packer.full_pack).to eq("")
  end

  it "forgets with reset and clear" do
    packer.write(1).reset
    expect(packer.to_s).to eq("")
    packer.write(1).clear
    expect(packer.to_s).to eq("")
  end

  it "moves its bytes with write_to" do
    io = StringIO.new
    packer.write("abc")
    expect(packer.write_to(io)).to eq(4)
    expect(io.string.b).to eq("\xA3abc".b)
    expect(packer).to be_empty
  end

  it "never changes what it has given away" do
    small = packer.write([1]).full_pack
    big = packer.write(["x" * 100_000]).full_pack
    copies = [small.dup, big.dup]
    packer.write(["y" * 100_000, 5]).full_pack
    expect([small, big]).to eq(copies)
  end

  it "has a buffer that is the same bytes" do
    packer.write(1)
    expect(packer.buffer).to be_a(MessagePack::Buffer)
    packer.buffer << "\x02"
    expect(packer.to_s).to eq("\x01\x02")
    packer.buffer.clear
    expect(packer).to be_empty
  end

  it "can not be duplicated" do
    expect(packer).not_to respond_to(:dup)
    expect(packer).not_to respond_to(:clone)
  end

  describe "with an IO" do
    let(:io) { StringIO.new }
    let(:packer) { described_class.new(io) }

    it "writes on flush" do
      packer.write(1)
      expect(packer.flush).to equal(packer)
      expect(io.string).to eq("\x01")
      expect(packer).to be_empty
    end

    it "writes on full_pack, and returns nil" do
      expect(packer.write(1).full_pack).to be_nil
      expect(io.string).to eq("\x01")
    end

    it "uses << where there is no write" do
      sink = []
      described_class.new(sink).write(1).flush
      expect(sink).to eq(["\x01"])
    end

    it "keeps memory bounded while a big object is packed" do
      sizes = []
      sink = Object.new
      sink.define_singleton_method(:write) { |data| sizes << data.bytesize }
      described_class.new(sink).write(Array.new(500_000) { |i| i }).flush
      expect(sizes.sum).to eq(MessagePack.pack(Array.new(500_000) { |i| i }).bytesize)
      expect(sizes.max).to be < 70_000
    end
  end

  describe "compatibility_mode" do
    let(:packer) { described_class.new(compatibility_mode: true) }

    it "knows no bin and no str 8" do
      expect(packer.compatibility_mode?).to be(true)
      expect(described_class.new.compatibility_mode?).to be(false)
      expect(packer.write("a".b).to_s).to eq("\xA1a".b)
      packer.reset
      expect(packer.write("a" * 32).to_s).to start_with("\xDA\x00\x20".b)
      packer.reset
      expect(packer.write_bin("a" * 32).to_s).to start_with("\xDA\x00\x20".b)
    end
  end

  describe "register_type" do
    before do
      stub_const("Thing", Class.new do
        def payload
          "thing"
        end
      end)
    end

    it "takes a method name, a block, or a proc" do
      packer.register_type(1, Thing, :payload)
      expect(packer.write(Thing.new).full_pack).to eq("\xC7\x05\x01thing".b)
      packer.register_type(2, Thing) { |thing| thing.payload.upcase }
      expect(packer.write(Thing.new).full_pack).to eq("\xC7\x05\x02THING".b)
      packer.register_type(3, Thing, &:payload)
      expect(packer.write(Thing.new).full_pack).to eq("\xC7\x05\x03thing".b)
      expect(packer.registered_types).to match([{ type: 3, class: Thing, packer: an_instance_of(Proc) }])
    end

    it "answers type_registered?" do
      packer.register_type(1, Thing, :payload)
      expect(packer.type_registered?(1)).to be(true)
      expect(packer.type_registered?(Class.new(Thing))).to be(true)
      expect(packer.type_registered?(2)).to be(false)
      expect { packer.type_registered?("x") }.to raise_error(ArgumentError)
    end

    it "is used for subclasses: the nearest registered ancestor" do
      child = Class.new(Thing)
      packer.register_type(1, Thing) { "a" }
      expect(packer.write(Class.new(child).new).full_pack).to eq("\xD4\x01a".b)
      packer.register_type(2, child) { "b" }
      expect(packer.write(Class.new(child).new).full_pack).to eq("\xD4\x02b".b)
      expect(packer.write(Thing.new).full_pack).to eq("\xD4\x01a".b)
    end

    it "is used for modules, included or extended" do
      mod = Module.new
      packer.register_type(1, mod) { "m" }
      expect(packer.write(Class.new { include mod }.new).full_pack).to eq("\xD4\x01m".b)
      expect(packer.write(Object.new.extend(mod)).full_pack).to eq("\xD4\x01m".b)
    end

    it "is used for subclasses of native types, but not for those themselves" do
      packer.register_type(1, Hash) { "h" }
      packer.register_type(2, String) { "s" }
      expect(packer.write({}).full_pack).to eq("\x80".b)
      expect(packer.write("a").full_pack).to eq("\xA1a".b)
      expect(packer.write(Class.new(Hash).new).full_pack).to eq("\xD4\x01h".b)
      expect(packer.write(Class.new(String).new("a")).full_pack).to eq("\xD4\x02s".b)
    end

    it "packs subclasses of native types as those when they are not registered" do
      expect(packer.write(Class.new(Array).new([1])).full_pack).to eq("\x91\x01".b)
    end

    it "refuses a frozen packer, which still packs" do
      packer.freeze
      expect { packer.register_type(1, Thing, :payload) }.to raise_error(FrozenError, "can't modify frozen MessagePack::Packer")
      expect(packer.write(1).full_pack).to eq("\x01")
    end

    it "raises what the proc raises, and TypeError unless it gives a String" do
      packer.register_type(1, Thing) { raise IOError, "no" }
      expect { packer.write(Thing.new) }.to raise_error(IOError, "no")
      packer.register_type(1, Thing) { 5 }
      expect { packer.write(Thing.new) }.to raise_error(TypeError)
    end
  end

  describe "depth" do
    def nested(depth)
      depth.times.inject(nil) { |inner, _| [inner] }
    end

    it "allows 1,024 containers and refuses one more with StackError" do
      expect(packer.write(nested(1024)).full_pack.bytesize).to eq(1025)
      expect { packer.write(nested(1025)) }.to raise_error(MessagePack::StackError)
      hash = 1024.times.inject(nil) { |inner, _| { 1 => inner } }
      expect { described_class.new.write(hash) }.not_to raise_error
      expect { described_class.new.write({ 1 => hash }) }.to raise_error(MessagePack::StackError)
    end

    it "refuses what contains itself" do
      array = []
      array << array
      hash = {}
      hash[:self] = hash
      [array, hash].each { |loop| expect { MessagePack.pack(loop) }.to raise_error(MessagePack::StackError) }
    end

    it "counts through to_msgpack" do
      klass = Class.new do
        def to_msgpack(packer)
          packer.write([self])
        end
      end
      expect { MessagePack.pack(klass.new) }.to raise_error(MessagePack::StackError)
      expect { packer.write(klass.new) }.to raise_error(MessagePack::StackError)
      packer.reset
      expect(packer.write(nested(1024)).size).to eq(1025)
    end

    it "holds in threads and fibers, whose stacks are small" do
      hash = 1024.times.inject(nil) { |inner, _| { 1 => inner } }
      attempt = -> { raised { MessagePack.pack(hash) } }
      expect([nil, MessagePack::StackError]).to include(Thread.new(&attempt).value&.class)
      expect([nil, MessagePack::StackError]).to include(Fiber.new(&attempt).resume&.class)
    end
  end
end
