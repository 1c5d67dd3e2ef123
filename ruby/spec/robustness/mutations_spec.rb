# frozen_string_literal: true

require_relative "../spec_helper"

# Truncated, corrupted and split inputs: an exception of ours or a value, never anything else.
RSpec.describe "damaged MessagePack" do
  let(:factory) do
    MessagePack::Factory.new.tap do |made|
      made.register_type(0, Symbol)
      made.register_type(1, Set, packer: ->(set, packer) { packer.write(set.to_a) }, unpacker: ->(reader) { Set.new([reader.read]) },
                                 recursive: true)
      made.register_type(-1, MessagePack::Timestamp)
    end
  end
  let(:data) do
    factory.dump([nil, true, 5, -5, 1000, 2**40, 1.5, "text", "long" * 20, "b".b, [1, [2, []]], { "k" => { "l" => 1 }, 2 => "x" },
                  :sym, Set[1, Set[2]], MessagePack::Timestamp.new(1, 2), { "k" => { "l" => 1 }, 3 => "y" }])
  end
  let(:option_sets) { [{}, { freeze: true }, { symbolize_keys: true }, { allow_unknown_ext: true }, { key_cache: false }] }

  # Raises what is not to be raised.
  def attempt
    yield
  rescue EOFError, MessagePack::UnpackError, EncodingError, RangeError, FloatDomainError
    nil
  end

  def try_everything(input)
    option_sets.each { |options| attempt { factory.load(input, options) } }
    attempt { factory.load(StringIO.new(input)) }
    stream = factory.unpacker
    attempt { input.scan(/.{1,7}/mn) { |piece| stream.feed_each(piece) { nil } } }
    attempt { factory.unpacker.feed(input).skip }
    attempt { MessagePack::Unpacker.new(allow_unknown_ext: true).feed(input).each { nil } }
  end

  it "cut at every byte" do
    data.bytesize.times do |cut|
      expect { factory.load(data[0, cut]) }.to raise_error(EOFError)
      unpacker = factory.unpacker
      unpacker.feed(data[0, cut])
      expect { unpacker.read }.to raise_error(EOFError)
      expect(unpacker.feed(data[cut..]).read).to eq(factory.load(data))
      try_everything(data[cut..])
    end
  end

  it "with each byte replaced" do
    random = Random.new(3)
    data.bytesize.times do |at|
      [0x00, 0x7F, 0x91, 0x81, 0xC1, 0xC7, 0xC9, 0xDD, 0xDF, 0xFF, random.rand(256)].each do |byte|
        damaged = data.dup
        damaged.setbyte(at, byte)
        try_everything(damaged)
      end
    end
  end

  it "of random bytes" do
    random = Random.new(4)
    1500.times { try_everything(random.bytes(random.rand(60))) }
  end

  it "split in random places" do
    random = Random.new(5)
    stream = data * 5
    expected = factory.load(data)
    100.times do
      unpacker = factory.unpacker
      found = []
      rest = stream.dup
      unpacker.feed_each(rest.slice!(0, random.rand(1..200))) { |value| found << value } until rest.empty?
      expect(found).to eq([expected] * 5)
    end
  end
end
