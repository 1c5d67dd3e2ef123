# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe MessagePack::Unpacker do
  let(:unpacker) { described_class.new }
  let(:object) { [1024, { ["a"] => "b", "key" => [1.5, nil] }, "text" * 20, "\xFF".b, { "key" => 70_000 }] }

  it "tells its options" do
    plain = described_class.new
    expect([plain.symbolize_keys?, plain.freeze?, plain.allow_unknown_ext?]).to eq([false, false, false])
    set = described_class.new(symbolize_keys: true, freeze: true, allow_unknown_ext: true)
    expect([set.symbolize_keys?, set.freeze?, set.allow_unknown_ext?]).to eq([true, true, true])
  end

  it "feeds and reads" do
    expect(unpacker.feed("\x01\x02")).to equal(unpacker)
    expect(unpacker.read).to eq(1)
    expect(unpacker.unpack).to eq(2)
    expect { unpacker.read }.to raise_error(EOFError, "end of buffer reached")
    expect(unpacker.feed_reference("\x03").read).to eq(3)
  end

  it "does not mind that fed Strings change" do
    long = MessagePack.pack(["a" * 2000])
    unpacker.feed(long)
    long.clear
    expect(unpacker.read).to eq(["a" * 2000])
    short = "\xA3abc".dup
    unpacker.feed(short)
    short.replace("\xA3xyz")
    expect(unpacker.read).to eq("abc")
  end

  describe "streams" do
    it "read resumes in the middle of everything, byte by byte" do
      data = MessagePack.pack(object)
      data.each_char do |byte|
        expect { unpacker.read }.to raise_error(EOFError)
        unpacker.feed(byte)
      end
      expect(unpacker.read).to eq(object)
    end

    it "read resumes after the end in the middle of a container" do
      unpacker.feed("\x93\x01")
      expect { unpacker.read }.to raise_error(EOFError)
      unpacker.feed("\x02\x03")
      expect(unpacker.read).to eq([1, 2, 3])
    end

    it "skip resumes, too" do
      unpacker.feed("\x93\x01")
      expect { unpacker.skip }.to raise_error(EOFError)
      unpacker.feed("\x02\x03\x07")
      expect(unpacker.skip).to be_nil
      expect(unpacker.read).to eq(7)
    end

    it "each and feed_each give what is whole" do
      found = []
      (MessagePack.pack(object) * 3).each_char { |byte| unpacker.feed_each(byte) { |value| found << value } }
      expect(found).to eq([object] * 3)
      expect(unpacker.feed("\x01\x02\x92\x01").each { |value| found << value }).to be_nil
      expect(found.last(2)).to eq([1, 2])
      expect(unpacker.feed("\x05").each.to_a).to eq([[1, 5]])
    end

    it "each can be left and entered again, and read inside" do
      unpacker.feed("\x01\x02\x03\x04")
      expect(unpacker.each { |value| break value }).to eq(1)
      seen = []
      unpacker.each { |value| seen << [value, unpacker.read] if value == 2 }
      expect(seen).to eq([[2, 3]])
    end

    it "gives enumerators without a block" do
      expect(unpacker.feed_each("\x01\x02").to_a).to eq([1, 2])
      expect(unpacker.feed("\x01").each).to be_a(Enumerator)
    end

    it "takes empty input for what it is" do
      expect(unpacker.feed("").feed("\x91").feed("").feed("\x01").feed("").read).to eq([1])
    end
  end

  describe "from an IO" do
    # Answers only read, in pieces.
    def trickle(data, piece)
      Object.new.tap do |io|
        io.define_singleton_method(:read) { |_length, _buffer = nil| data.slice!(0, piece) if data.bytesize.positive? }
      end
    end

    [1, 2, 7, 1000].each do |piece|
      it "reads #{piece} bytes at a time" do
        stream = described_class.new(trickle((MessagePack.pack(object) * 4).dup, piece))
        expect(stream.each.to_a).to eq([object] * 4)
      end
    end

    it "uses readpartial where there is one, and stops at its EOFError" do
      reader, writer = IO.pipe
      writer.write(MessagePack.pack(object) * 2)
      writer.close
      expect(described_class.new(reader).each.to_a).to eq([object] * 2)
    end

    it "waits for what a pipe has not sent yet" do
      reader, writer = IO.pipe
      thread = Thread.new { described_class.new(reader).read }
      MessagePack.pack(object).each_char { |byte| writer.write(byte) }
      expect(thread.value).to eq(object)
    end

    it "resumes an IO that ended too early" do
      io = StringIO.new("\x92\x01".b)
      stream = described_class.new(io)
      expect { stream.read }.to raise_error(EOFError)
      io.string << "\x02"
      expect(stream.read).to eq([1, 2])
    end

    it "raises what the IO raises, and goes on afterwards" do
      answers = ["\x92\x01".b, IOError.new("later"), "\x02".b]
      io = Object.new
      io.define_singleton_method(:read) { |_length| (answer = answers.shift).is_a?(Exception) ? raise(answer) : answer }
      stream = described_class.new(io)
      expect { stream.read }.to raise_error(IOError, "later")
      expect(stream.read).to eq([1, 2])
    end
  end

  describe "headers" do
    it "are read without their elements" do
      unpacker.feed("\x92\x01\xA1a\x81\x02\x03")
      expect(unpacker.read_array_header).to eq(2)
      expect(unpacker.read).to eq(1)
      expect(unpacker.read).to eq("a")
      expect(unpacker.read_map_header).to eq(1)
      expect([unpacker.read, unpacker.read]).to eq([2, 3])
    end

    it "stay where they are when they are of another type" do
      unpacker.feed("\x81\x01\x02")
      2.times { expect { unpacker.read_array_header }.to raise_error(MessagePack::UnexpectedTypeError) }
      expect { unpacker.read_array_header }.to raise_error(MessagePack::TypeError)
      expect(unpacker.read).to eq(1 => 2)
    end

    it "wait for their bytes" do
      unpacker.feed("\xDC\x00")
      expect { unpacker.read_array_header }.to raise_error(EOFError)
      expect(unpacker.feed("\x10").read_array_header).to eq(16)
    end
  end

  describe "skip and skip_nil" do
    it "step over values of every kind" do
      unpacker.feed(MessagePack.pack(object) + "\x07")
      unpacker.skip
      expect(unpacker.read).to eq(7)
    end

    it "skip_nil takes a nil and nothing else" do
      unpacker.feed("\xC0\x01")
      expect(unpacker.skip_nil).to be(true)
      expect(unpacker.skip_nil).to be(false)
      expect(unpacker.read).to eq(1)
      expect { unpacker.skip_nil }.to raise_error(EOFError)
    end

    it "refuse what is too deep or no MessagePack" do
      expect { unpacker.feed("\x91" * 1025 + "\xC0").skip }.to raise_error(MessagePack::StackError)
      expect { described_class.new.feed("\xC1").skip }.to raise_error(MessagePack::MalformedFormatError)
    end

    it "skip ext types that nobody registered" do
      unpacker.feed(bytes("91 d4 05 00 07"))
      unpacker.skip
      expect(unpacker.read).to eq(7)
    end
  end

  describe "full_unpack and reset" do
    it "takes one value and nothing behind it" do
      expect(unpacker.feed("\x01").full_unpack).to eq(1)
      expect(unpacker.feed("\x02").full_unpack).to eq(2)
      expect { unpacker.feed("\x01\x02").full_unpack }
        .to raise_error(MessagePack::MalformedFormatError, "1 extra bytes after the deserialized object")
    end

    it "forgets bytes and what was begun" do
      unpacker.feed("\x92\x01")
      expect(unpacker.each.to_a).to eq([])
      unpacker.reset
      expect(unpacker.feed("\x05").read).to eq(5)
    end

    it "notices that its buffer was changed under it" do
      unpacker.feed("\x92\x01")
      expect(unpacker.each.to_a).to eq([])
      unpacker.buffer.clear
      expect(unpacker.feed("\x05").read).to eq(5)
      unpacker.feed("\x92\x01")
      expect(unpacker.each.to_a).to eq([])
      unpacker.buffer.skip(1)
      expect(unpacker.read).to eq(1)
    end
  end

  it "can not be duplicated" do
    expect(unpacker).not_to respond_to(:dup)
    expect(unpacker).not_to respond_to(:clone)
  end

  describe "register_type" do
    it "takes a block or a class and a method" do
      unpacker.register_type(1) { |payload| payload.upcase }
      expect(unpacker.feed("\xD4\x01a").read).to eq("A")
      klass = Class.new { def self.parse(payload) = [self, payload] }
      unpacker.register_type(2, klass, :parse)
      expect(unpacker.feed("\xD4\x02b").read).to eq([klass, "b"])
      expect(unpacker.registered_types.map { |entry| entry.values_at(:type, :class) }).to eq([[1, nil], [2, klass]])
      expect(unpacker.type_registered?(1)).to be(true)
      expect(unpacker.type_registered?(klass)).to be(true)
      expect(unpacker.type_registered?(3)).to be(false)
      expect { unpacker.register_type(3) }.to raise_error(ArgumentError)
      expect { unpacker.register_type(128) { nil } }.to raise_error(RangeError)
    end

    it "gives a mutable binary payload" do
      unpacker.register_type(1) { |payload| payload << "!" }
      value = unpacker.feed("\xD4\x01a").read
      expect(value).to eq("a!")
      expect(value.encoding).to eq(Encoding::BINARY)
    end

    it "refuses a frozen unpacker, which still unpacks" do
      unpacker.freeze
      expect { unpacker.register_type(1) { nil } }
        .to raise_error(FrozenError, "can't modify frozen MessagePack::Unpacker")
      expect(unpacker.feed("\x01").read).to eq(1)
    end
  end

  it "gives unknown ext types as ExtensionValue when asked to" do
    expect { unpacker.feed("\xD4\x05x").read }.to raise_error(MessagePack::UnknownExtTypeError)
    lenient = described_class.new(allow_unknown_ext: true)
    expect(lenient.feed("\xD4\xFFx".b).read).to eq(MessagePack::ExtensionValue.new(-1, "x"))
  end
end
