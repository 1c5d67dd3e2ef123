# frozen_string_literal: true

# The documents and calls that are measured. Each case is a name and, for each contender, a lambda;
# `target` is how many times the throughput of the msgpack gem (or of the json gem) is asked for.
module Cases
  Case = Struct.new(:name, :target, :ours, :theirs)

  IMMEDIATES = ([*0..127, *(-30..0), nil, true, false, *0..438]).first(600).freeze
  INTEGERS = Array.new(10_000) { |i| (i * 7919) % 70_000 }.freeze
  FLOATS = Array.new(10_000) { |i| (i - 5_000) * 1.37 }.freeze
  WIDE_INTEGERS = Array.new(1_000) { |i| (1 << 40) + i }.freeze
  STRINGS = Array.new(1_000) { |i| "short string #{i}" }.freeze
  EMPTY_ARRAYS = Array.new(1_000) { [] }.freeze
  SMALL = { "id" => 1, "ok" => true, "n" => nil }.freeze

  def self.hashes(count, keys)
    names = Array.new(keys) { |i| "field_number_#{i}" }
    values = [1, "text", nil, true, 1.5, 300, "another text", -7, 70_000, false]
    Array.new(count) { |row| names.each_with_index.to_h { |name, i| [name, values[(row + i) % values.size]] } }
  end

  def self.unique_keys(count)
    Array.new(count / 35) { |row| Array.new(35) { |i| ["unique_#{row}_#{i}", i] }.to_h }
  end

  # What a web service answers.
  def self.document
    { "users" => Array.new(100) do |i|
      { "id" => 1_000 + i, "name" => "User Name #{i}", "email" => "user#{i}@example.com", "admin" => i % 10 == 0,
        "score" => i * 1.25, "tags" => %w[alpha beta gamma], "bio" => "A line of text with \"quotes\" and ünïcödé.",
        "address" => { "street" => "#{i} Main Street", "city" => "Springfield", "zip" => "12345" },
        "friends" => [i, i + 1, i + 2], "last_login" => nil }
    end }
  end

  module_function

  def reused_unpack(name, target, object, ours, theirs, **options)
    data = theirs.pack(object)
    mine = ours::Unpacker.new(**options)
    gem = theirs::Unpacker.new(**options)
    Case.new(name, target, -> { mine.feed(data).read }, -> { gem.feed(data).read })
  end

  def reused_pack(name, target, object, ours, theirs)
    mine = ours::Packer.new
    gem = theirs::Packer.new
    Case.new(name, target, -> { mine.write(object).full_pack }, -> { gem.write(object).full_pack })
  end

  def unpack_hashes(name, target, hashes, ours, theirs, ours_options, theirs_options)
    data = theirs.pack(hashes)
    mine = ours::Unpacker.new(**ours_options)
    gem = theirs::Unpacker.new(**theirs_options)
    Case.new(name, target, -> { mine.feed(data).read }, -> { gem.feed(data).read })
  end

  def msgpack(ours, theirs)
    wide = hashes(300, 350)
    narrow = hashes(300, 35)
    small = theirs.pack(SMALL)
    [
      reused_unpack("unpack 600 immediates", 2.6, IMMEDIATES, ours, theirs),
      reused_unpack("unpack 600 immediates, freeze", 2.8, IMMEDIATES, ours, theirs, freeze: true),
      reused_unpack("unpack 10,000 ints", 3.2, INTEGERS, ours, theirs),
      reused_unpack("unpack 10,000 floats", 3.4, FLOATS, ours, theirs),
      reused_unpack("unpack 10,000 floats, freeze", 3.7, FLOATS, ours, theirs, freeze: true),
      unpack_hashes("unpack 300 x 350 keys", 1.4, wide, ours, theirs, {}, {}),
      unpack_hashes("unpack 300 x 350 keys, freeze", 1.6, wide, ours, theirs,
                    { freeze: true }, { freeze: true, key_cache: true }),
      unpack_hashes("unpack 300 x 35 keys", 1.7, narrow, ours, theirs, {}, {}),
      unpack_hashes("unpack 300 x 35 keys, their key cache", 1.0, narrow, ours, theirs, {}, { key_cache: true }),
      unpack_hashes("unpack 300 x 35 keys, symbols", 1.0, narrow, ours, theirs,
                    { symbolize_keys: true }, { symbolize_keys: true, key_cache: true }),
      unpack_hashes("unpack 10,500 unique keys", 1.0, unique_keys(10_500), ours, theirs, {}, {}),
      reused_unpack("unpack 1,000 short strings", 1.2, STRINGS, ours, theirs),
      reused_unpack("unpack 1,000 short strings, freeze", 1.3, STRINGS, ours, theirs, freeze: true),
      Case.new("unpack 3-key map, one-shot", 2.3, -> { ours.unpack(small) }, -> { theirs.unpack(small) }),
      reused_unpack("unpack a document", 1.0, document, ours, theirs),
      reused_pack("pack 600 immediates", 1.7, IMMEDIATES, ours, theirs),
      reused_pack("pack 10,000 ints", 2.0, INTEGERS, ours, theirs),
      reused_pack("pack 10,000 floats", 1.8, FLOATS, ours, theirs),
      reused_pack("pack 1,000 short strings", 1.0, STRINGS, ours, theirs),
      reused_pack("pack 300 x 350 keys", 1.1, wide, ours, theirs),
      reused_pack("pack 300 x 35 keys", 1.1, narrow, ours, theirs),
      Case.new("pack 3-key map, one-shot", 3.0, -> { ours.pack(SMALL) }, -> { theirs.pack(SMALL) }),
      reused_pack("pack a document", 1.0, document, ours, theirs)
    ]
  end
end
