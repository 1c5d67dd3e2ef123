# frozen_string_literal: true

require_relative "../spec_helper"

# The cache must not be seen: these compare with readers that have none.
RSpec.describe "the key cache" do
  def both(object_or_data, **options)
    data = object_or_data.is_a?(String) ? object_or_data : MessagePack.pack(object_or_data)
    [MessagePack.unpack(data, options), MessagePack.unpack(data, options.merge(key_cache: false))]
  end

  def expect_the_same(object, **options)
    3.times do
      with, without = both(object, **options)
      expect(with).to eq(without)
      expect(with.inspect).to eq(without.inspect)
    end
  end

  it "gives the same keys as a reader without it: the same objects" do
    keys = ["", "a", "ab", "abc", "abcd", "x" * 63, "x" * 64, "x" * 65, "x" * 300, "ä", "\u{1F600}"]
    [{}, { symbolize_keys: true }, { freeze: true }].each do |options|
      3.times do
        with, without = both(keys.to_h { |key| [key, 1] }, **options)
        expect(with.keys.zip(without.keys)).to all(satisfy { |a, b| a.equal?(b) })
      end
    end
  end

  it "takes more keys than it holds" do
    expect_the_same(Array.new(100) { |row| Array.new(100) { |i| ["key_#{row}_#{i}", i] }.to_h })
    expect_the_same(Array.new(100) { |row| Array.new(100) { |i| ["key_#{row}_#{i}", i] }.to_h }, symbolize_keys: true)
  end

  it "takes keys that repeat in another order, number, or twice in a map" do
    rows = Array.new(50) { |i| %w[a b c d e f g h i j].rotate(i).first(1 + i % 10).to_h { |key| [key, i] } }
    expect_the_same(rows)
    expect_the_same(rows, symbolize_keys: true)
    expect_the_same(bytes("9f" + " 83 a161 01 a162 02 a161 03" * 15))
  end

  it "takes maps of the same keys whose values change, of every size" do
    [1, 2, 3, 8, 9, 16, 17, 200, 1024, 1025].each do |size|
      names = Array.new(size) { |i| "name#{i}" }
      rows = Array.new(6) { |row| names.each_with_index.to_h { |name, i| [name, [row, i]] } }
      expect_the_same(rows)
      rows.zip(MessagePack.unpack(MessagePack.pack(rows))).each do |expected, actual|
        expect(actual.to_a).to eq(expected.to_a)
        expect(actual[names.last]).to eq(expected[names.last])
      end
    end
  end

  it "gives Hashes that are nobody else's" do
    rows = MessagePack.unpack(MessagePack.pack(Array.new(8) { |i| { "a" => i, "b" => i, "c" => [i] } }))
    rows[5]["a"] = :changed
    rows[5]["new"] = 1
    rows[6].delete("b")
    rows[7].clear
    expect(rows[4]).to eq("a" => 4, "b" => 4, "c" => [4])
    expect(MessagePack.unpack(MessagePack.pack([{ "a" => 1, "b" => 2, "c" => 3 }]))).to eq([{ "a" => 1, "b" => 2, "c" => 3 }])
    expect(rows[6]).to eq("a" => 6, "c" => [6])
    expect(rows[5].default).to be_nil
  end

  it "holds for keys that are no text" do
    expect_the_same(Array.new(10) { |i| { 1 => i, nil => i, true => i, 1.5 => i, "b".b => i, [1] => i } })
    expect_the_same(Array.new(10) { |i| { 1 => i, nil => i, true => i } })
  end

  it "survives errors, and does not keep the keys of messages that failed" do
    200.times do |i|
      data = MessagePack.pack({ "failed_#{i}" => 1, "other_#{i}" => 2 })
      expect { MessagePack.unpack(data[0..-2]) }.to raise_error(EOFError)
      expect { MessagePack.unpack(data[0..-2] + "\xC1".b) }.to raise_error(MessagePack::MalformedFormatError)
    end
    GC.start
    expect_the_same({ "after" => 1 })
  end

  it "survives the collector, compaction and keys that nobody else holds" do
    50.times do |i|
      GC.start if i % 10 == 0
      begin
        GC.compact if i % 25 == 0
      rescue NotImplementedError
        nil
      end
      expect_the_same(Array.new(5) { { "gc_key_#{i % 3}" => 1, "gc_other_#{i}" => 2, "z" => 3 } })
      expect_the_same(Array.new(5) { { "gc_key_#{i % 3}" => 1, "gc_other_#{i}" => 2, "z" => 3 } }, symbolize_keys: true)
    end
  end

  it "is nobody's business in threads" do
    data = MessagePack.pack(Array.new(50) { |i| { "thread_key_#{i % 7}" => i, "k" => i } })
    expected = MessagePack.unpack(data, key_cache: false)
    results = Array.new(6) { Thread.new { Array.new(50) { MessagePack.unpack(data) } } }.flat_map(&:value)
    expect(results).to all(eq(expected))
  end
end
