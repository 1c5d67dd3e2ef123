# frozen_string_literal: true

require_relative "../spec_helper"

# Everything once with the collector at each allocation, and with objects moved about.
RSpec.describe "the collector" do
  let(:factory) do
    MessagePack::Factory.new.tap do |made|
      made.register_type(0, Symbol)
      made.register_type(1, Set, packer: ->(set, packer) { packer.write(set.to_a) }, unpacker: ->(reader) { reader.read.to_set },
                                 recursive: true)
      made.register_type(2, Integer, packer: MessagePack::Bigint.method(:to_msgpack_ext),
                                     unpacker: MessagePack::Bigint.method(:from_msgpack_ext), oversized_integer_extension: true)
      made.register_type(-1, MessagePack::Timestamp)
    end
  end
  let(:object) do
    [1, 2**64 - 1, 1e300, "text", "x" * 2000, "b".b, [[], {}], { "key" => { "other" => [nil] } }, :symbol, Set[1, Set["a", :b]], 2**100,
     MessagePack::Timestamp.new(1, 2), Array.new(5) { { "a" => 1, "b" => "v", "c" => [] } }]
  end

  it "may run at every allocation" do
    factory
    object
    expected = factory.dump(object)
    results = []
    with_gc_stress do
      data = factory.dump(object)
      factory.load(data, freeze: true)
      factory.load(data, symbolize_keys: true)
      unpacker = factory.unpacker
      data.scan(/.{1,900}/mn) { |piece| unpacker.feed_each(piece) { |value| results << value } }
      results << factory.load(data) << factory.load(StringIO.new(data))
      results << factory.packer.write(object).to_s
      begin
        factory.load(data[0, 200])
      rescue EOFError => e
        results << e
      end
    end
    expect(results[0, 3]).to eq([object] * 3)
    expect(results[3]).to eq(expected)
    expect(results[4]).to be_a(EOFError)
  end

  it "may run while objects are made" do
    kept = []
    with_gc_stress do
      kept << (MessagePack::Buffer.new << "x" * 600)
      kept << (MessagePack::Packer.new({}).buffer << "y")
      kept << MessagePack::Unpacker.new(StringIO.new(""), {}).buffer
      MessagePack::Factory.new.pool(1).packer(&:itself)
    end
    expect(kept.map(&:size)).to eq([600, 1, 0])
  end

  it "may move everything" do
    packer = factory.packer
    unpacker = factory.unpacker
    buffer = MessagePack::Buffer.new(StringIO.new("io"))
    data = factory.dump(object)
    packer.write(object)
    unpacker.feed(data[0, 100])
    unpacker.each { nil }
    kept = unpacker.buffer
    begin
      GC.compact
      GC.verify_compaction_references(toward: :empty)
    rescue NotImplementedError, ArgumentError
      nil
    end
    expect(packer.full_pack).to eq(data)
    expect(unpacker.feed(data[100..]).read).to eq(object)
    expect(kept).to be_empty
    expect(buffer.read).to eq("io")
    packer.write(["x" * 100_000])
    expect(packer.full_pack.bytesize).to eq(100_006)
  end

  it "is told the size of what is kept" do
    base = ObjectSpace.memsize_of(MessagePack::Factory.new)
    expect(ObjectSpace.memsize_of(factory)).to be > base
    packer = MessagePack::Packer.new
    empty = ObjectSpace.memsize_of(packer)
    packer.write("x" * 100_000)
    expect(ObjectSpace.memsize_of(packer)).to be > empty + 100_000
    packer.full_pack
    expect(ObjectSpace.memsize_of(packer)).to eq(empty)
    unpacker = MessagePack::Unpacker.new
    empty = ObjectSpace.memsize_of(unpacker)
    unpacker.feed("\xC1" + "x" * 5000)
    expect { unpacker.read }.to raise_error(MessagePack::MalformedFormatError)
    unpacker.reset
    expect(ObjectSpace.memsize_of(unpacker)).to eq(empty)
  end

  it "gets everything back: memory stays flat" do
    skip "no /proc" unless File.exist?("/proc/self/statm")
    data = factory.dump(object)
    exercise = proc do
      factory.load(data)
      factory.load(data, freeze: true)
      factory.dump(object)
      unpacker = factory.unpacker
      data.scan(/.{1,700}/mn) { |piece| unpacker.feed_each(piece) { nil } }
      packer = factory.packer
      packer.write(object)
      packer.buffer.read(10)
      raised { factory.load(data[0..-2]) }
      raised { factory.load(data + "\xC1".b) }
      raised { factory.dump([object, Object.new]) }
      raised { MessagePack.unpack("\x91" * 2000) }
    end
    resident = -> { File.read("/proc/self/statm").split[1].to_i * 4096 }
    # The heap wavers by megabytes, so single figures say little; but something lost in each round
    # would make every stretch grow.
    300.times(&exercise)
    growth = Array.new(5) do
      GC.start
      before = resident.call
      1000.times(&exercise)
      GC.start
      resident.call - before
    end
    expect(growth.min).to be < 1_000_000
  end
end
