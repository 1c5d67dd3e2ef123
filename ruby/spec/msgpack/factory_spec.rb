# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe MessagePack::Factory do
  let(:factory) { described_class.new }

  before do
    stub_const("Point", Struct.new(:x, :y) do
      def to_msgpack_ext
        [x, y].pack("CC")
      end

      def self.from_msgpack_ext(payload)
        new(*payload.unpack("CC"))
      end
    end)
  end

  it "makes packers and unpackers" do
    expect(factory.packer).to be_a(MessagePack::Packer)
    expect(factory.packer).not_to equal(factory.packer)
    expect(factory.unpacker(symbolize_keys: true).feed("\x81\xA1a\x01").read).to eq(a: 1)
    expect(factory.unpacker(StringIO.new("\x05")).read).to eq(5)
    expect(factory.packer(compatibility_mode: true).compatibility_mode?).to be(true)
  end

  it "dumps and loads" do
    factory.register_type(1, Point)
    expect(factory.load(factory.dump([Point.new(1, 2)]))).to eq([Point.new(1, 2)])
    expect(factory.unpack(factory.pack(Point.new(1, 2)))).to eq(Point.new(1, 2))
    io = StringIO.new
    expect(factory.dump(Point.new(3, 4), io)).to be_nil
    io.rewind
    expect(factory.load(io)).to eq(Point.new(3, 4))
    expect(factory.load("\x81\xA1a\x01", symbolize_keys: true)).to eq(a: 1)
  end

  describe "register_type" do
    it "uses to_msgpack_ext and from_msgpack_ext unless told otherwise" do
      factory.register_type(5, Point)
      expect(hex(factory.dump(Point.new(1, 2)))).to eq("d5050102")
    end

    it "takes names, procs, methods and whatever answers call" do
      callable = Class.new { def call(argument) = argument.is_a?(String) ? [:called, argument] : "c" }.new
      {
        "to_msgpack_ext" => :from_msgpack_ext, :to_msgpack_ext => "from_msgpack_ext",
        ->(point) { point.to_msgpack_ext } => ->(payload) { Point.from_msgpack_ext(payload) },
        :to_msgpack_ext.to_proc => Point.method(:from_msgpack_ext)
      }.each do |packer, unpacker|
        made = described_class.new
        made.register_type(5, Point, packer: packer, unpacker: unpacker)
        expect(made.load(made.dump(Point.new(1, 2)))).to eq(Point.new(1, 2))
      end
      factory.register_type(6, Point, packer: callable, unpacker: callable)
      expect(factory.load(factory.dump(Point.new(1, 2)))).to eq([:called, "c"])
      expect { factory.register_type(7, Point, packer: 5) }.to raise_error(TypeError)
    end

    it "refuses ids beyond a signed byte, what is no class, and a frozen factory" do
      [-129, 128, 2**70].each { |id| expect { factory.register_type(id, Point) }.to raise_error(RangeError) }
      expect { factory.register_type(1, "Point") }.to raise_error(ArgumentError)
      factory.freeze
      expect(factory).to be_frozen
      expect { factory.register_type(1, Point) }.to raise_error(FrozenError, "can't modify frozen MessagePack::Factory")
    end

    it "leaves packers and unpackers as they were made" do
      factory.register_type(1, Point)
      packer = factory.packer
      unpacker = factory.unpacker
      factory.register_type(1, Point, packer: ->(_) { "x" }, unpacker: ->(_) { :other })
      expect(unpacker.feed(packer.write(Point.new(1, 2)).to_s).read).to eq(Point.new(1, 2))
      expect(factory.load(factory.dump(Point.new(1, 2)))).to eq(:other)
      unpacker.register_type(9) { nil }
      expect(factory.type_registered?(9)).to be(false)
    end

    it "keeps several ids of a class for reading, and writes the last" do
      factory.register_type(1, Point, packer: ->(_) { "a" }, unpacker: ->(_) { :first })
      factory.register_type(2, Point, packer: ->(_) { "b" }, unpacker: ->(_) { :second })
      expect(hex(factory.dump(Point.new(1, 2)))).to eq("d40262")
      expect(factory.load(bytes("92 d40161 d40262"))).to eq(%i[first second])
    end

    it "can register for reading or writing only" do
      factory.register_type(1, Symbol, packer: nil, unpacker: :from_msgpack_ext)
      expect(factory.dump(:a)).to eq("\xA1a".b)
      expect(factory.load("\xD4\x01a".b)).to eq(:a)
      factory.register_type(2, Point, packer: :to_msgpack_ext)
      expect { factory.load(factory.dump(Point.new(1, 2))) }.to raise_error(MessagePack::UnknownExtTypeError)
      expect { factory.register_type(3, Symbol, nil) }.not_to raise_error
    end
  end

  it "lists what is registered" do
    factory.register_type(0x21, Point, packer: :to_msgpack_ext)
    factory.register_type(0x20, Symbol)
    factory.register_type(0x19, Time, unpacker: ->(_) { nil })
    expect(factory.registered_types.map { |entry| [entry[:type], entry[:class], entry[:packer].class, entry[:unpacker].class] })
      .to eq([[0x19, Time, NilClass, Proc], [0x20, Symbol, Proc, Proc], [0x21, Point, Proc, NilClass]])
    expect(factory.registered_types(:packer).map(&:keys).uniq).to eq([%i[type class packer]])
    expect(factory.registered_types(:unpacker).map { |entry| entry[:type] }).to eq([0x19, 0x20])
    expect { factory.registered_types(:other) }.to raise_error(ArgumentError)
    expect(factory.type_registered?(0x21)).to be(true)
    expect(factory.type_registered?(0x21, :unpacker)).to be(false)
    expect(factory.type_registered?(Class.new(Point))).to be(true)
    expect(factory.type_registered?(Integer)).to be(false)
  end

  it "is copied with its types and flags" do
    factory.register_type(1, Integer, packer: :to_s, unpacker: method(:Integer), oversized_integer_extension: true)
    factory.register_type(2, Symbol, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext, optimized_symbols_parsing: true)
    copy = factory.dup
    copy.register_type(3, Point)
    expect(copy.load(copy.dump([2**80, :a, Point.new(1, 2)]))).to eq([2**80, :a, Point.new(1, 2)])
    expect(factory.type_registered?(3)).to be(false)
    expect(factory.pool.load(factory.pool.dump(2**80))).to eq(2**80)
  end

  describe "Symbols" do
    it "survive with an ext type, as keys, frozen, empty and in any encoding" do
      [{}, { optimized_symbols_parsing: true }].each do |extra|
        made = described_class.new
        made.register_type(0, Symbol, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext, **extra)
        symbols = [:a, :"", :ä, { b: 1 }]
        expect(made.load(made.dump(symbols))).to eq(symbols)
        expect(made.load(made.dump(symbols), freeze: true)).to eq(symbols)
        expect(made.load(made.dump(:a)).encoding).to eq(Encoding::US_ASCII)
        expect(made.load(made.dump("\xE4".dup.force_encoding("ISO-8859-1").to_sym)).encoding).to eq(Encoding::BINARY)
      end
    end

    it "use the registered unpacker unless told otherwise, and any id" do
      factory.register_type(7, Symbol, packer: ->(symbol) { symbol.to_s.reverse }, unpacker: ->(payload) { payload.reverse.to_sym })
      expect(factory.load(factory.dump(:abc))).to eq(:abc)
    end

    it "do not disturb another type on ext 0" do
      factory.register_type(0, Point)
      factory.register_type(3, Symbol, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext, optimized_symbols_parsing: true)
      expect(factory.load(factory.dump([Point.new(1, 2), :s]))).to eq([Point.new(1, 2), :s])
    end

    it "registered with a packer of nil are text" do
      factory.register_type(0, Symbol, packer: nil)
      expect(factory.load(factory.dump(:a))).to eq("a")
    end
  end

  describe "oversized_integer_extension" do
    before do
      factory.register_type(1, Integer, packer: MessagePack::Bigint.method(:to_msgpack_ext),
                                        unpacker: MessagePack::Bigint.method(:from_msgpack_ext),
                                        oversized_integer_extension: true)
    end

    it "is for what 64 bits can not hold" do
      [2**64, -(2**63) - 1, 10**150, -(10**150)].each do |integer|
        expect(hex(factory.dump(integer))).not_to start_with("cf", "d3")
        expect(factory.load(factory.dump(integer))).to eq(integer)
      end
      [0, 2**63, 2**64 - 1, -(2**63) + 1].each { |integer| expect(factory.dump(integer)).to eq(MessagePack.dump(integer)) }
    end

    it "takes -2^63 as well, although 64 bits hold it: the bytes are those of the gem" do
      expect(hex(factory.dump(-(2**63)))).to eq("c70901010000000080000000")
    end

    it "is for Integer only, and has to be asked for" do
      expect { factory.register_type(2, Point, oversized_integer_extension: true) }.to raise_error(ArgumentError)
      plain = described_class.new
      plain.register_type(1, Integer, packer: :to_s, unpacker: method(:Integer))
      expect { plain.dump(2**64) }.to raise_error(RangeError)
    end
  end

  describe "pool" do
    it "serializes, and lends packers and unpackers" do
      factory.register_type(1, Point)
      pool = factory.pool(2)
      expect(pool.load(pool.dump([Point.new(1, 2)]))).to eq([Point.new(1, 2)])
      data = pool.packer { |packer| packer.write(1).write(2).full_pack }
      expect(pool.unpacker { |unpacker| unpacker.feed_reference(data) && [unpacker.read, unpacker.full_unpack] }).to eq([1, 2])
    end

    it "does not see types that are registered later, nor lets them be" do
      pool = factory.pool
      factory.register_type(1, Point)
      expect { pool.dump(Point.new(1, 2)) }.to raise_error(NoMethodError)
      expect { pool.load("\xD5\x01ab".b) }.to raise_error(MessagePack::UnknownExtTypeError)
      expect { pool.packer { |packer| packer.register_type(1, Point, :to_msgpack_ext) } }
        .to raise_error(FrozenError, "can't modify frozen MessagePack::Packer")
      expect { pool.unpacker { |unpacker| unpacker.register_type(1) { nil } } }
        .to raise_error(FrozenError, "can't modify frozen MessagePack::Unpacker")
    end

    it "passes options on" do
      expect(factory.pool(1, symbolize_keys: true).load("\x81\xA1a\x01")).to eq(a: 1)
      expect(factory.pool(1, freeze: true).load("\xA1a")).to be_frozen
    end

    it "resets what comes back, after an exception too" do
      pool = factory.pool
      expect { pool.unpacker { |unpacker| unpacker.feed("\x92\x01") && raise(IOError) } }.to raise_error(IOError)
      expect { pool.packer { |packer| packer.write(1) && raise(IOError) } }.to raise_error(IOError)
      expect(pool.load(pool.dump(5))).to eq(5)
    end

    it "is thread safe and can be entered again" do
      pool = factory.pool(2)
      results = Array.new(8) { |n| Thread.new { Array.new(200) { |i| pool.load(pool.dump([n, i])) } } }.map(&:value)
      expect(results).to eq(Array.new(8) { |n| Array.new(200) { |i| [n, i] } })
      expect(pool.packer { |outer| pool.packer { |inner| [inner.write(1).full_pack, outer.write(2).full_pack] } }).to eq(%W[\x01 \x02])
    end
  end

  it "is what MessagePack.pack and unpack use by default" do
    expect(MessagePack::DefaultFactory).to be_a(described_class)
    klass = stub_const("Registered", Class.new { def to_msgpack_ext = "r" })
    MessagePack::DefaultFactory.register_type(101, klass, packer: :to_msgpack_ext, unpacker: ->(_) { :registered })
    expect(MessagePack.unpack(MessagePack.pack([klass.new]))).to eq([:registered])
  end
end
