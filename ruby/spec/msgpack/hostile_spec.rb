# frozen_string_literal: true

require_relative "../spec_helper"

# Inputs that once hurt somebody: each comes from an issue of a MessagePack library.
RSpec.describe "inputs that once hurt" do
  it "a 6-byte header 20,000 times over" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Set, packer: nil, unpacker: ->(reader) { reader.read }, recursive: true)
    input = bytes("c9 00000006 01") * 20_000
    expect(raised { factory.load(input) }).to be_a(EOFError).or be_a(MessagePack::UnpackError)
    expect(raised { factory.unpacker.feed(input).each { nil } }).to be_a(EOFError).or be_a(MessagePack::UnpackError)
  end

  it "an empty Symbol, an empty String that is frozen, an empty ext" do
    factory = MessagePack::Factory.new
    factory.register_type(0, Symbol, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext, optimized_symbols_parsing: true)
    expect(factory.load(bytes("c7 00 00"))).to eq(:"")
    expect(MessagePack.unpack("\xA0", freeze: true)).to eq("")
  end

  it "an ext payload of 255 bytes with a 16-bit length" do
    unpacker = MessagePack::Unpacker.new
    unpacker.register_type(1) { |payload| MessagePack.unpack(payload) }
    expect(unpacker.feed(bytes("c8 00ff 01 d9 fd 61*253")).read).to eq("a" * 253)
  end

  it "a premature end before the last byte" do
    unpacker = MessagePack::Unpacker.new
    unpacker.feed(bytes("81 a3 666974"))
    expect { unpacker.read }.to raise_error(EOFError)
    expect(unpacker.feed("\xC3").read).to eq("fit" => true)
  end

  it "unknown ext types in a batch, kept when asked for" do
    unpacker = MessagePack::Unpacker.new(allow_unknown_ext: true)
    expect(unpacker.feed(bytes("92 d7 00 00000001 00000002 05")).read[0]).to eq(MessagePack::ExtensionValue.new(0, bytes("00000001 00000002")))
  end

  it "tags with invalid bytes" do
    expect(MessagePack.unpack(bytes("a8 6693a7666c6f7765")).valid_encoding?).to be(false)
    expect(MessagePack.unpack(bytes("81 a8 6693a7666c6f7765 01")).keys[0].b).to eq(bytes("6693a7666c6f7765"))
  end

  it "a stream that is cut at any byte gives the whole objects before the cut" do
    data = MessagePack.pack([1, "two"]) * 3
    data.bytesize.times do |cut|
      unpacker = MessagePack::Unpacker.new
      found = unpacker.feed(data[0, cut]).each.to_a
      expect(found.size).to eq(cut / 6)
      expect(found + unpacker.feed(data[cut..]).each.to_a).to eq([[1, "two"]] * 3)
    end
  end

  it "300,000 keys in 20 MB, with recursive ext types and the collector at work" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Set, packer: ->(set, packer) { packer.write(set.to_a) }, unpacker: ->(reader) { Set.new(reader.read) },
                                  recursive: true)
    document = Array.new(300) { |row| Array.new(1000) { |i| ["key_#{row}_#{i}", i % 100 == 0 ? Set["x" * 500, i] : "y" * 50] }.to_h }
    data = factory.dump(document)
    expect(data.bytesize).to be > 19_000_000
    threads = Array.new(2) { Thread.new { factory.load(data) == document } }
    20.times { GC.start(full_mark: false) }
    expect(threads.map(&:value)).to eq([true, true])
  end

  it "every first byte" do
    256.times do |byte|
      input = [byte].pack("C") + "\x00".b * 70_000
      raised { MessagePack.unpack(input, allow_unknown_ext: true) }
      raised { MessagePack.unpack(input[0, 3], allow_unknown_ext: true) }
    end
  end

  it "assigning something else to the default factory" do
    code = 'MessagePack.send(:remove_const, :DefaultFactory); MessagePack::DefaultFactory = nil; p MessagePack.unpack(MessagePack.pack(1))'
    output = IO.popen([RbConfig.ruby, "-I#{File.join(SpecTools::ROOT, 'ruby/lib')}", "-rpackhorse/msgpack", "-e", code], &:read)
    expect(output).to eq("1\n")
  end

  it "objects that were never initialized" do
    [MessagePack::Packer, MessagePack::Unpacker, MessagePack::Buffer, MessagePack::Factory].each do |klass|
      object = klass.allocate
      GC.start
      raised { object.write([1]) }
      raised { object.feed("\x91\x01").read }
      raised { object.dump([1]) }
    end
  end
end
