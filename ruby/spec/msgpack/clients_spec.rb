# frozen_string_literal: true

require_relative "../spec_helper"

# How well-known programs use the gem.
RSpec.describe "the call patterns of" do
  it "bootsnap: Symbols on ext 0, frozen trees, errors that choose its fallback" do
    factory = MessagePack::Factory.new
    factory.register_type(0x00, Symbol)
    data = factory.dump(name: :value, "list" => [1, 2.5, nil, { deep: "text" }])
    tree = factory.load(data, symbolize_keys: true, freeze: true)
    expect(tree).to eq(name: :value, list: [1, 2.5, nil, { deep: "text" }])
    expect(tree[:list]).to be_frozen
    expect { factory.dump(Object.new) }.to raise_error(NoMethodError)
    expect { factory.dump(2**70) }.to raise_error(RangeError)
  end

  it "Rails: a frozen factory, a pool, Method objects, a Hash subclass and a catch-all for Object" do
    indifferent = stub_const("Indifferent", Class.new(Hash))
    extensions = Module.new do
      module_function

      def write_range(range, packer) = packer.write(range.begin).write(range.end)
      def read_range(reader) = reader.read..reader.read
      def write_object(object, packer) = packer.write(object.class.name).write(object.to_msgpack_hash)
      def read_object(reader) = [reader.read, reader.read]
    end
    thing = stub_const("Thing", Class.new { def to_msgpack_hash = { "state" => :fine } })
    factory = MessagePack::Factory.new
    factory.register_type(0, Symbol, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext, optimized_symbols_parsing: true)
    factory.register_type(1, Integer, packer: MessagePack::Bigint.method(:to_msgpack_ext),
                                      unpacker: MessagePack::Bigint.method(:from_msgpack_ext), oversized_integer_extension: true)
    factory.register_type(5, Range, packer: extensions.method(:write_range), unpacker: extensions.method(:read_range), recursive: true)
    factory.register_type(17, indifferent, packer: ->(hash, packer) { packer.write(hash.to_h) },
                                           unpacker: ->(reader) { indifferent[reader.read] }, recursive: true)
    factory.register_type(127, Object, packer: extensions.method(:write_object), unpacker: extensions.method(:read_object), recursive: true)
    factory.freeze
    pool = factory.pool(5)
    object = [:a, 2**70, 1..3, indifferent["k", 1], { "plain" => [1] }]
    data = pool.packer { |packer| packer.write(object) && packer.full_pack }
    read = pool.unpacker { |unpacker| unpacker.feed_reference(data) && unpacker.full_unpack }
    expect(read).to eq(object)
    expect(read[3]).to be_a(indifferent)
    expect(read[4]).to be_an_instance_of(Hash)
    expect(pool.load(pool.dump(thing.new))).to eq(["Thing", { "state" => :fine }])
    stream = pool.packer { |packer| packer.write("version").write([1]).full_pack }
    expect(pool.unpacker { |unpacker| unpacker.feed_reference(stream) && [unpacker.read, unpacker.full_unpack] }).to eq(["version", [1]])
  end

  it "fluentd: EventTime on ext 0, reset packers, events that arrive in pieces" do
    event_time = stub_const("EventTime", Struct.new(:sec, :nsec) do
      def to_msgpack_ext = [sec, nsec].pack("NN")
      def self.from_msgpack_ext(payload) = new(*payload.unpack("NN"))
    end)
    factory = MessagePack::Factory.new
    factory.register_type(0, event_time)
    factory.register_type(-1, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)
    packer = factory.packer
    unpacker = factory.unpacker
    events = Array.new(20) { |i| ["tag.#{i}", event_time.new(1_700_000_000 + i, i), { "message" => "line #{i}" }] }
    data = events.map do |event|
      packer.reset
      packer.write(event).to_s
    end.join
    seen = []
    data.scan(/.{1,11}/mn) { |piece| unpacker.feed_each(piece) { |event| seen << event } }
    expect(seen).to eq(events)
  end

  it "dd-trace: to_msgpack with a header and many small writes" do
    span = Class.new do
      def to_msgpack(packer = nil)
        packer ||= MessagePack::Packer.new
        packer.write_map_header(3)
        packer.write("name").write("GET /").write("duration").write(125_000).write("meta").write({ "k" => "v" })
        packer
      end
    end
    packed = MessagePack.pack([[span.new, span.new]])
    expect(MessagePack.unpack(packed)).to eq([[{ "name" => "GET /", "duration" => 125_000, "meta" => { "k" => "v" } }] * 2])
  end

  it "programs that require msgpack: the shim gem" do
    folder = File.join(SpecTools::ROOT, "ruby")
    code = 'require "msgpack"; require "msgpack/bigint"; require "msgpack/version"; ' \
           'print MessagePack.unpack([1].to_msgpack), MessagePack.equal?(Packhorse), MessagePack::Bigint.name'
    output = IO.popen([RbConfig.ruby, "-I#{folder}/compat/msgpack/lib", "-I#{folder}/lib", "-e", code], &:read)
    expect(output).to eq("[1]trueMessagePack::Bigint")
  end

  it "programs that keep the msgpack gem beside this one" do
    code = 'require "packhorse"; module MessagePack; end; begin; require "packhorse/msgpack"; rescue LoadError => e; print e.message; end'
    output = IO.popen([RbConfig.ruby, "-I#{File.join(SpecTools::ROOT, 'ruby/lib')}", "-e", code], &:read)
    expect(output).to include("already defined")
  end
end
