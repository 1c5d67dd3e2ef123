# frozen_string_literal: true

require_relative "../spec_helper"

# Ext types whose payload is MessagePack again: the procs get the packer and an unpacker.
RSpec.describe "recursive ext types" do
  let(:factory) { MessagePack::Factory.new }

  def register(id, klass, factory = self.factory, unpacker: ->(reader) { klass.new(reader.read) })
    factory.register_type(id, klass, packer: ->(object, packer) { packer.write(object.to_a) },
                                     unpacker: unpacker, recursive: true)
  end

  before { register(2, Set) }

  it "nest" do
    set = Set[1, Set[2, Set[3]]]
    expect(hex(factory.dump(set))).to eq("c70b029201" \
                                         "c706029202d5029103")
    expect(factory.load(factory.dump([1, set, { set => set }]))).to eq([1, set, { set => set }])
    expect(factory.unpacker.feed(factory.dump([set])).read).to eq([set])
  end

  it "write the right length" do
    set = Set[*0..5000]
    expect(MessagePack.unpack(factory.dump([1, set, 3]), allow_unknown_ext: true)[1].payload).to eq(MessagePack.pack((0..5000).to_a))
    expect(factory.load(factory.dump([1, set, 3]))).to eq([1, set, 3])
  end

  it "keep options while reading" do
    data = factory.dump([Set[{ "k" => "v" }]])
    expect(factory.load(data, symbolize_keys: true)[0].first).to eq(k: "v")
    read_the_same_again
    frozen = factory.load(data, freeze: true)[0]
    expect(frozen).to be_frozen
    expect(frozen.first).to be_frozen
    expect(frozen.first["k"]).to equal(-"v")
  end

  it "may skip, read headers, take all or leave the rest" do
    klass = stub_const("Thing", Class.new)
    readers = {
      ->(reader) { reader.skip } => nil,
      ->(reader) { [reader.read_array_header, reader.read, reader.read] } => [2, 7, 8],
      ->(reader) { reader.read_array_header && reader.read } => 7,
      ->(reader) { reader.each.to_a } => [[7, 8]],
      ->(reader) { reader.full_unpack } => [7, 8],
      ->(_reader) { :nothing } => :nothing
    }
    readers.each do |reader, expected|
      made = MessagePack::Factory.new
      register(2, klass, made, unpacker: reader)
      ["c7 03 02 92 07 08 ", "91 c7 03 02 92 07 08 "].each do |data|
        value = made.load(bytes(data))
        expect(value).to eq(data.start_with?("91") ? [expected] : expected)
      end
      stream = made.unpacker
      bytes("93 01 c7 03 02 92 07 08 05").each_char { |byte| stream.feed(byte) }
      expect(stream.read).to eq([1, expected, 5])
    end
  end

  it "can not read beyond their payload" do
    klass = stub_const("Thing", Class.new)
    register(3, klass, unpacker: ->(reader) { [reader.read, reader.read] })
    expect { factory.load(bytes("92 d4 03 01 07")) }.to raise_error(EOFError)
  end

  it "skip works inside a container, where the gem's fails" do
    klass = stub_const("Thing", Class.new)
    register(2, klass, unpacker: ->(reader) { (reader.skip; :skipped) })
    expect(factory.load(bytes("91 d4 02 05"))).to eq([:skipped])
  end

  it "are refused with StackError when they nest without end" do
    register(1, stub_const("Nest", Class.new))
    header = bytes("c9 00ffffff 01")
    deep = header * 20_000
    expect { factory.load(deep) }.to raise_error(EOFError)
    whole = 300.times.inject("\xC0".b) { |inner, _| MessagePack.pack(MessagePack::ExtensionValue.new(2, inner)) }
    expect { factory.load(whole) }.to raise_error(MessagePack::StackError)
    expect { factory.unpacker.feed(whole).read }.to raise_error(MessagePack::StackError)
    looped = Set.new
    looped.add([looped])
    expect { factory.dump(looped) }.to raise_error(MessagePack::StackError)
  end

  it "may use their own packer and unpacker again, and keep them" do
    kept = []
    made = MessagePack::Factory.new
    made.register_type(4, Set,
                       packer: ->(set, packer) { kept << packer; packer.write(set.map { |element| made.dump(element) }) },
                       unpacker: ->(reader) { kept << reader; Set.new(reader.read.map { |data| made.load(data) }) },
                       recursive: true)
    set = Set[1, Set[2, Set["three"]]]
    expect(made.load(made.dump([set, set]))).to eq([set, set])
    kept.grep(MessagePack::Packer).each { |packer| packer.write("late") }
    expect(made.load(made.dump(set))).to eq(set)
  end

  it "give what the packer wrote, not what its proc returned" do
    factory.register_type(6, Range, packer: ->(range, packer) { packer.write(range.begin).write(range.end) && "ignored" },
                                    unpacker: ->(reader) { reader.read..reader.read }, recursive: true)
    expect(factory.load(factory.dump([1..5]))).to eq([1..5])
  end

  it "pass exceptions on, and go on afterwards" do
    packer = factory.packer
    expect { packer.write(Set[Object.new]) }.to raise_error(NoMethodError)
    packer.reset
    expect(packer.write(Set[1]).full_pack).to eq(factory.dump(Set[1]))
    unpacker = factory.unpacker
    expect { unpacker.feed(bytes("d4 02 c1 07")).read }.to raise_error(MessagePack::MalformedFormatError)
    expect(unpacker.read).to eq(7)
  end
end
