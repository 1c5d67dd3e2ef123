# frozen_string_literal: true

require_relative "../spec_helper"
require "packhorse/json"

# Errors of packing say which object they are about; those of user code pass as they are.
RSpec.describe "errors of packing" do
  let(:stranger) { Class.new { def inspect = "#<Stranger>" } }

  def writer(&block)
    Class.new { define_method(:to_msgpack, &block) }.new
  end

  # By the module functions, a Packer, a Packer with an IO, and a pool.
  def raised_each_way(object, factory = MessagePack::DefaultFactory)
    ways = [-> { factory.dump(object) }, -> { factory.packer.write(object) }, -> { factory.dump(object, StringIO.new) },
            -> { factory.pool(1).dump(object) }]
    ways.map { |way| raised(&way) }
  end

  def expect_failure(object, klass, path, text, factory = MessagePack::DefaultFactory)
    raised_each_way(object, factory).each do |error|
      expect(error).to be_a(klass)
      expect(error).to be_a(MessagePack::Located)
      expect(error.path).to eq(path)
      expect(error.offset).to be_nil
      expect(error.message).to start_with(text)
      expect(error.message).to include("(at #{path})")
    end
  end

  it "locate objects of unknown classes" do
    missing = /\Aundefined method [`']to_msgpack'/
    { { "users" => [0, 1, 2, { "photo" => stranger.new }] } => "$.users[3].photo", stranger.new => "$", [[], [[stranger.new]]] => "$[1][0][0]",
      { a: { 5 => stranger.new } } => "$.a[5]", { 1 => 2, stranger.new => 3 } => "$[key 1]",
      { [1] => { stranger.new => 3 } } => "$[Array][key 0]", { "a b" => stranger.new } => '$["a b"]' }.each do |object, path|
      raised_each_way(object).each do |error|
        expect(error).to be_an_instance_of(NoMethodError)
        expect([error.path, error.name]).to eq([path, :to_msgpack])
        expect(error.message).to match(missing).and include("(at #{path})")
      end
    end
  end

  it "locate numbers out of range" do
    expect_failure([1, { "n" => 2**64 }], RangeError, "$[1].n", "bignum too big to convert into")
    expect_failure([[-2**63 - 1]], RangeError, "$[0][0]", "bignum too big to convert into")
    expect(raised { MessagePack::Packer.new.write_int(2**64) }.path).to eq("$")
    expect(raised { MessagePack::Packer.new.write_map_header(-1) }.path).to eq("$")
    [2**64 - 1, 2**63, -2**63, -2**62 - 1].each { |number| expect(MessagePack.unpack(MessagePack.pack(number))).to eq(number) }
  end

  it "locate what is nested too deep" do
    loop = []
    loop << { "again" => loop }
    error = raised { MessagePack.pack(["first", loop]) }
    expect(error).to be_a(MessagePack::StackError)
    expect(error.path).to start_with("$[1][0].again[0].again").and include("...")
    expect(error.path.length).to be < 300
    expect(error.message).to start_with("stack level too deep")
  end

  it "locate texts that have no form in UTF-8" do
    expect_failure({ "a" => ["\xA0".dup.force_encoding("EUC-JP")] }, EncodingError, "$.a[0]", '"\xA0"')
    expect(raised { MessagePack::Packer.new.write_bin("é") }.path).to eq("$")
  end

  it "go on through to_msgpack methods and ext types that come back to the library" do
    inner = { "in" => [1, stranger.new] }
    [writer { |packer| packer.write(inner) }, writer { |packer| packer.write_map_header(1).write("k").write(inner) },
     writer { |_packer| MessagePack.pack(inner) }].each do |object|
      raised_each_way({ "out" => [object] }).each { |error| expect(error.path).to eq("$.out[0].in[1]") }
    end
    factory = MessagePack::Factory.new
    holder = Struct.new(:held)
    factory.register_type(1, holder, packer: ->(value, packer) { packer.write(value.held) }, unpacker: ->(reader) { reader.read }, recursive: true)
    raised_each_way([holder.new(holder.new([stranger.new]))], factory).each { |error| expect(error.path).to eq("$[0][0]") }
    factory.register_type(1, holder, packer: ->(value) { MessagePack.pack(value.held) }, unpacker: nil)
    raised_each_way([holder.new(inner)], factory).each { |error| expect(error.path).to eq("$[0].in[1]") }
  end

  it "locate ext types whose proc returns no String" do
    factory = MessagePack::Factory.new
    factory.register_type(1, stranger, packer: ->(_) { 5 }, unpacker: nil)
    expect_failure({ "s" => stranger.new }, TypeError, "$.s", "no implicit conversion of Integer into String", factory)
  end

  it "leave exceptions of user code alone" do
    own = ArgumentError.new("of the user").freeze
    missing = writer { |_packer| Object.new.nothing_like_it }
    factory = MessagePack::Factory.new
    factory.register_type(1, stranger, packer: ->(_) { raise own }, unpacker: nil)
    raised_each_way([[writer { |_packer| raise own }]]).each { |error| expect(error).to equal(own) }
    raised_each_way([stranger.new], factory).each { |error| expect(error).to equal(own) }
    raised_each_way([missing]).each { |error| expect(error).not_to respond_to(:path) }
    expect(raised { MessagePack.pack([writer { |_packer| raise MessagePack::UnpackError, "own" }]) }.message).to eq("own")
    expect(catch(:done) { MessagePack.pack([writer { |_packer| throw :done, 7 }]) }).to eq(7)
    expect(Thread.new { MessagePack.pack([writer { |_packer| Thread.exit }]) }.value).to be_nil
  end

  it "leave a packer usable, whatever was rescued inside" do
    inner = { "in" => stranger.new }
    object = writer do |packer|
      packer.write(inner)
    rescue NoMethodError => e
      packer.write(e.path)
    end
    packer = MessagePack::Packer.new
    expect(MessagePack.unpack(packer.write(object).to_s.then { |bytes| bytes.byteslice(bytes.index("\xA4$.in".b)..) })).to eq("$.in")
    packer.reset
    expect(raised { packer.write([1, stranger.new]) }.path).to eq("$[1]")
    packer.reset
    expect(packer.write([1]).full_pack).to eq("\x91\x01".b)
  end

  it "of long paths are cut, also where they go through user code" do
    object = stranger.new
    200.times do |i|
      held = { "level_with_a_long_name_#{i}" => object }
      object = writer { |packer| packer.write(held) }
    end
    expect(raised { MessagePack.pack(object) }.path.length).to be < 5_000
  end

  it "survive the collector" do
    objects = Array.new(3) { |i| [i, { "key" => [stranger.new] }] }
    paths = with_gc_stress { objects.map { |object| raised { MessagePack.pack([object]) }.path } }
    expect(paths).to eq(["$[0][1].key[0]"] * 3)
  end
end

RSpec.describe "errors of JSON generation" do
  def expect_failure(object, klass, path, text, **options)
    %i[generate pretty_generate].each do |name|
      error = raised { Packhorse::JSON.public_send(name, object, options) }
      expect(error).to be_a(klass)
      expect(error.path).to eq(path)
      expect(error.message).to start_with(text).and end_with("(at #{path})")
    end
  end

  it "say which object they are about" do
    error = Packhorse::JSON::GeneratorError
    expect_failure({ "a" => [1, { b: Float::NAN }] }, error, "$.a[1].b", "NaN not allowed in JSON")
    expect_failure([[], ["\xFF".b]], error, "$[1][0]", "a binary string")
    expect_failure({ "a" => { 1 => 2, "\xFF" => 1 } }, error, "$.a[key 1]", "source sequence is illegal/malformed utf-8")
    expect_failure({ a: [Object.new] }, error, "$.a[0]", "Object not allowed in JSON", strict: true)
    expect_failure([{ :a => 1, "a" => 2 }], error, "$[0]", 'detected duplicate key "a"', allow_duplicate_key: false)
    expect_failure(["\xA0".dup.force_encoding("EUC-JP")], EncodingError, "$[0]", '"\xA0"')
    loop = []
    loop << { "a" => loop }
    nesting = raised { Packhorse::JSON.generate(loop) }
    expect(nesting).to be_a(Packhorse::JSON::NestingError)
    expect(nesting.path).to start_with("$[0].a[0]")
  end

  it "go on through to_json methods, whose own errors pass as they are" do
    holder = Struct.new(:held) { def to_json(*state) = held.to_json(*state) }
    object = { "out" => [holder.new([{ "in" => Float::INFINITY }])] }
    expect_failure(object, Packhorse::JSON::GeneratorError, "$.out[0][0].in", "Infinity not allowed in JSON") if Array.instance_method(:to_json).owner.name.start_with?("Packhorse")
    through = Struct.new(:held) { def to_json(*) = Packhorse::JSON.generate(held) }
    expect_failure([through.new([Float::NAN])], Packhorse::JSON::GeneratorError, "$[0][0]", "NaN not allowed in JSON")
    own = ArgumentError.new("of the user").freeze
    raising = Class.new { define_method(:to_json) { |*| raise own } }
    expect(raised { Packhorse::JSON.generate([raising.new]) }).to equal(own)
  end
end
