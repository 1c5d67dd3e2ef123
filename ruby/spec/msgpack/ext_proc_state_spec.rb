# frozen_string_literal: true

require_relative "../spec_helper"

# Where an unpacker stands after a proc has raised, or done something unexpected.
RSpec.describe "ext procs" do
  let(:unpacker) { MessagePack::Unpacker.new }

  it "that raise leave the next value next" do
    unpacker.register_type(1) { |payload| payload == "!" ? raise(IOError, "bad") : payload }
    unpacker.feed(bytes("93 01 d4 01 21 02 d4 01 61 07"))
    expect { unpacker.read }.to raise_error(IOError, "bad")
    expect(unpacker.read).to eq("a")
    expect(unpacker.read).to eq(7)
  end

  it "run once for each value, however it arrives" do
    calls = 0
    unpacker.register_type(1) { calls += 1 }
    data = bytes("93 d4 01 61 d4 01 62 d9 20 78*32")
    data.each_char { |byte| unpacker.feed(byte); unpacker.each { |value| expect(value).to eq([1, 2, "x" * 32]) } }
    expect(calls).to eq(2)
  end

  it "do not run before the value is whole" do
    unpacker.register_type(1) { raise "too early" }
    unpacker.feed(bytes("92 d4 01 61"))
    expect { unpacker.read }.to raise_error(EOFError)
  end

  it "may read from the unpacker that called them: what follows the value" do
    unpacker.register_type(1) { unpacker.read }
    expect(unpacker.feed(bytes("91 d4 01 61 a4 6e657874 07")).read).to eq(["next"])
    expect(unpacker.read).to eq(7)
  end

  it "may feed, reset and register on it" do
    unpacker.register_type(1) { unpacker.feed("\x08" * 5000); 1 }
    expect(unpacker.feed(bytes("92 d4 01 61 a3 616263")).read).to eq([1, "abc"])
    expect(unpacker.read).to eq(8)
    other = MessagePack::Unpacker.new
    other.register_type(1) { other.reset; other.feed("\x09" * 600); other.register_type(1) { 2 }; GC.start; 1 }
    expect(other.feed(bytes("93 d4 01 61 a3 616263 d4 01 61")).read).to eq([1, "abc", 1])
    expect(other.read).to eq(9)
  end

  it "may change the String that is read" do
    source = bytes("93 d4 01 61 a3 616263 d4 01 61")
    factory = MessagePack::Factory.new
    factory.register_type(1, Object, packer: nil, unpacker: ->(_) { source.replace("x" * 10_000); GC.start; 1 })
    expect(factory.load(source)).to eq([1, "abc", 1])
  end

  it "may leave by throw and go on in another thread or fiber" do
    unpacker.register_type(1) { throw :out, :thrown }
    expect(catch(:out) { unpacker.feed(bytes("92 d4 01 61 02 07")).read }).to eq(:thrown)
    expect(unpacker.read).to eq(7)
    lazy = MessagePack::Unpacker.new
    lazy.register_type(1) { Fiber.yield(:paused) }
    fiber = Fiber.new { lazy.feed(bytes("92 d4 01 61 a3 616263")).read }
    expect(fiber.resume).to eq(:paused)
    lazy.feed("\x05" * 3000)
    expect(lazy.read).to eq(5)
    GC.start
    expect(fiber.resume(:resumed)).to eq([:resumed, "abc"])
  end

  it "for unknown types the value counts as read" do
    unpacker.feed(bytes("92 d4 05 61 02 07"))
    expect { unpacker.read }.to raise_error(MessagePack::UnknownExtTypeError)
    expect(unpacker.read).to eq(7)
  end

  describe "while packing" do
    let(:klass) { stub_const("Thing", Class.new) }

    def packed_during(container)
      factory = MessagePack::Factory.new
      factory.register_type(1, klass, packer: lambda { |_| yield(container); "p" })
      factory.dump(container)
    end

    it "may shrink the Array: what is missing is nil" do
      data = packed_during([klass.new, 1, 2, 3]) { |array| array.clear; GC.start }
      expect(data).to eq(bytes("94 d4 01 70 c0 c0 c0"))
    end

    it "may grow the Array: what is new is left out" do
      expect(packed_during([klass.new, 1]) { |array| array.concat([0] * 1000) }).to eq(bytes("92 d4 01 70 01"))
    end

    it "may change Strings that come later" do
      array = [klass.new, "a".dup]
      expect(packed_during(array) { |all| all[1] << "b" * 100_000 }.bytesize).to eq(1 + 3 + 5 + 100_001)
      hash = { klass.new => "a".dup }
      expect(packed_during(hash) { |all| all.values[0] << "b" * 100_000 }.bytesize).to eq(1 + 3 + 5 + 100_001)
    end

    it "may not add to nor take from the Hash" do
      expect { packed_during({ 1 => klass.new }) { |hash| hash[2] = 3 } }.to raise_error(RuntimeError)
      expect { packed_during({ 1 => klass.new, 2 => 3 }) { |hash| hash.delete(2) } }.to raise_error(RuntimeError)
    end

    it "may use the packer for something else in between" do
      packer = MessagePack::Packer.new
      packer.register_type(1, klass) { packer.write([1, 2]); packer.to_s; "p" }
      expect { packer.write([klass.new, 3]).full_pack }.not_to raise_error
      packer.register_type(1, klass) { packer.reset; GC.start; "p" }
      expect { packer.write([klass.new, "x" * 100_000]).full_pack }.not_to raise_error
    end

    it "may run while the collector runs, with long binary Strings about" do
      factory = MessagePack::Factory.new
      factory.register_type(1, klass, packer: ->(_, packer) { GC.start; packer.write(["b".b * 600_000]) },
                                      unpacker: ->(reader) { reader.read }, recursive: true)
      expect(factory.load(factory.dump([klass.new, klass.new]))).to eq([["b".b * 600_000]] * 2)
    end
  end
end
