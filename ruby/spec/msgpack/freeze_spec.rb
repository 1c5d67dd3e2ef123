# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe "freeze: true" do
  let(:object) do
    [nil, true, 1, 2**40, 2**64 - 1, 1.5, 1e300, "text", "text" * 100, "b".b, [], [[]], {}, { "key" => { "inner" => ["text"] } }, :symbol]
  end

  def all_objects(value, found = [])
    found << value
    case value
    when Array then value.each { |element| all_objects(element, found) }
    when Hash then value.each { |pair| all_objects(pair[0], found) && all_objects(pair[1], found) }
    end
    found
  end

  # Every way to read: whole, from an unpacker, byte by byte, from an IO.
  def readings(data)
    streamed = MessagePack::Unpacker.new(freeze: true)
    data.each_char { |byte| streamed.feed(byte) }
    {
      "whole" => MessagePack.unpack(data, freeze: true),
      "unpacker" => MessagePack::Unpacker.new(freeze: true).feed(data).read,
      "streamed" => streamed.read,
      "io" => MessagePack.unpack(StringIO.new(data), freeze: true),
      "pool" => MessagePack::DefaultFactory.pool(1, freeze: true).load(data),
      "no cache" => MessagePack.unpack(data, freeze: true, key_cache: false)
    }
  end

  it "freezes everything and changes nothing" do
    data = MessagePack.pack(object)
    readings(data).each do |way, value|
      expect(value).to eq(MessagePack.unpack(data)), way
      expect(all_objects(value)).to all(be_frozen), way
    end
  end

  it "gives each text as the interned String of the program, long, binary and streamed ones too" do
    read_the_same_again
    readings(MessagePack.pack(["text", "text" * 100, "b".b, { "key" => "text" }])).each do |way, value|
      expect(value[0]).to equal(-"text"), way
      expect(value[1]).to equal(-("text" * 100)), way
      expect(value[2]).to equal(-"b".b), way
      expect(value[3].keys[0]).to equal(-"key"), way
      expect(value[3]["key"]).to equal(value[0]), way
    end
  end

  describe "of Strings that are new" do
    def texts(name, count = 100_000)
      Array.new(count) { |i| "#{name} #{i}" }
    end

    { "short" => ->(text) { text }, "long" => ->(text) { text * 20 }, "binary" => ->(text) { text.b } }.each do |kind, make|
      it "stops interning #{kind} ones, freezes them, and interns again when they come again" do
        read_the_same_again
        known = texts(kind).map { |text| -make.call(text) }
        value = MessagePack.unpack(MessagePack.pack(known), freeze: true)
        expect(value).to eq(known)
        expect(value).to all(be_frozen)
        expect(value.map(&:encoding).uniq).to eq([known[0].encoding])
        expect(Ractor.shareable?(value)).to be(true)
        expect(value.first(100).zip(known)).to all(satisfy { |mine, program| mine.equal?(program) })
        same = value.zip(known).count { |mine, program| mine.equal?(program) }
        expect(same).to be < known.size / 20
        read_the_same_again
        expect(MessagePack.unpack(MessagePack.pack(known.last(300)), freeze: true).last).to equal(known.last)
      end
    end

    it "interns all of them without the key cache" do
      known = texts("uncached", 5_000).map(&:-@)
      value = MessagePack.unpack(MessagePack.pack(known), freeze: true, key_cache: false)
      expect(value.zip(known)).to all(satisfy { |mine, program| mine.equal?(program) })
    end

    it "finds those that come again among many that do not" do
      texts = texts("mixed", 20_000).each_with_index.map { |text, i| i % 4 == 0 ? "one of a few" : text }
      value = MessagePack.unpack(MessagePack.pack(texts), freeze: true)
      found = value.select { |text| text == "one of a few" }
      expect(found.uniq(&:object_id).size).to be < found.size / 100
      expect(found.last).to equal(-"one of a few")
    end
  end

  it "makes trees that Ractors can share" do
    readings(MessagePack.pack(object)).each { |way, value| expect(Ractor.shareable?(value)).to be(true), way }
  end

  it "keeps encodings apart" do
    value = MessagePack.unpack(MessagePack.pack(["same", "same".b]), freeze: true)
    expect(value.map(&:encoding)).to eq([Encoding::UTF_8, Encoding::BINARY])
  end

  it "freezes what procs return" do
    unpacker = MessagePack::Unpacker.new(freeze: true)
    unpacker.register_type(1) { |payload| [payload] }
    expect(unpacker.feed("\xD4\x01a").read).to be_frozen
    unpacker.register_type(1) { 5 }
    expect(unpacker.feed("\xD4\x01a").read).to eq(5)
  end

  it "leaves plain reading alone" do
    value = MessagePack.unpack(MessagePack.pack(["text", [], {}]))
    expect(value.map(&:frozen?)).to eq([false, false, false])
    expect(value).not_to be_frozen
  end
end
