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
  NEW_STRINGS = Array.new(100) { |document| Array.new(1_000) { |i| "short string #{document} #{i}" } }.freeze
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

  # Where JSON's strings and numbers weigh most.
  def self.tweets
    { "statuses" => Array.new(100) do |i|
      { "created_at" => "Sun Aug 31 00:29:15 +0000 2014", "id" => 505_874_924_095_815_681 + i, "id_str" => "505874924095815681",
        "text" => "@aym0566x \n\n名前:前田あゆみ\n第一印象:なんか怖っ!\n今の印象:とりあえずキモい。噛み合わない", "truncated" => false,
        "entities" => { "hashtags" => [], "urls" => [{ "url" => "http://t.co/#{i}", "indices" => [1, 20] }] },
        "user" => { "name" => "AYUMI", "followers_count" => 262, "location" => "", "verified" => false, "utc_offset" => nil } }
    end }
  end

  def self.coordinates
    { "type" => "Polygon", "coordinates" => Array.new(2_000) { |i| [-65.613616999999977 + i / 1e3, 43.420273000000009 - i / 7e3] } }
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

  # Documents that are read in turn: of their strings none comes again soon.
  def unpack_in_turn(documents, unpacker)
    data = documents.map { |document| Packhorse.pack(document) }.cycle
    -> { unpacker.feed(data.next).read }
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
    our_pool = ours::Factory.new.pool(2)
    their_pool = theirs::Factory.new.pool(2)
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
      Case.new("unpack 1,000 new strings, freeze", 1.3, unpack_in_turn(NEW_STRINGS, ours::Unpacker.new(freeze: true)),
               unpack_in_turn(NEW_STRINGS, theirs::Unpacker.new(freeze: true))),
      Case.new("unpack 3-key map, one-shot", 2.3, -> { ours.unpack(small) }, -> { theirs.unpack(small) }),
      Case.new("unpack 3-key map, pool", 1.0, -> { our_pool.load(small) }, -> { their_pool.load(small) }),
      reused_unpack("unpack a document", 1.0, document, ours, theirs),
      reused_pack("pack 600 immediates", 1.7, IMMEDIATES, ours, theirs),
      reused_pack("pack 10,000 ints", 2.0, INTEGERS, ours, theirs),
      reused_pack("pack 10,000 floats", 1.8, FLOATS, ours, theirs),
      reused_pack("pack 1,000 short strings", 1.0, STRINGS, ours, theirs),
      reused_pack("pack 300 x 350 keys", 1.1, wide, ours, theirs),
      reused_pack("pack 300 x 35 keys", 1.1, narrow, ours, theirs),
      Case.new("pack 3-key map, one-shot", 3.0, -> { ours.pack(SMALL) }, -> { theirs.pack(SMALL) }),
      Case.new("pack 3-key map, pool", 1.0, -> { our_pool.dump(SMALL) }, -> { their_pool.dump(SMALL) }),
      reused_pack("pack a document", 1.0, document, ours, theirs)
    ]
  end

  # The json gem's calls that programs make; a Coder or a State kept between calls is not faster.
  def json(ours, theirs)
    documents = { "a document" => [document, 1.2], "tweets" => [tweets, 1.2], "coordinates" => [coordinates, 1.0],
                  "10,000 ints" => [INTEGERS, 1.0], "10,000 floats" => [FLOATS, 1.0], "1,000 short strings" => [STRINGS, 1.0],
                  "300 x 35 keys" => [hashes(300, 35), 1.2], "a 3-key map" => [SMALL, 1.0] }
    documents.flat_map do |name, (object, target)|
      text = theirs.generate(object)
      pretty = theirs.pretty_generate(object)
      [
        Case.new("JSON parse #{name}", target, -> { ours.parse(text) }, -> { theirs.parse(text) }),
        Case.new("JSON parse #{name}, symbols", target, -> { ours.parse(text, symbolize_names: true) },
                 -> { theirs.parse(text, symbolize_names: true) }),
        Case.new("JSON parse #{name}, freeze", target, -> { ours.parse(text, freeze: true) }, -> { theirs.parse(text, freeze: true) }),
        Case.new("JSON parse #{name}, indented", target, -> { ours.parse(pretty) }, -> { theirs.parse(pretty) }),
        Case.new("JSON generate #{name}", target, -> { ours.generate(object) }, -> { theirs.generate(object) }),
        Case.new("JSON pretty #{name}", 1.0, -> { ours.pretty_generate(object) }, -> { theirs.pretty_generate(object) })
      ]
    end
  end
end
