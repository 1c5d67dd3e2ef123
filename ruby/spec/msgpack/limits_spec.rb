# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe "limits" do
  def read(hex, **limits)
    MessagePack.unpack(bytes(hex), limits: limits, allow_unknown_ext: true)
  end

  it "of depth: 1,024 containers unless set otherwise" do
    expect { MessagePack.unpack("\x91" * 1024 + "\xC0") }.not_to raise_error
    expect { MessagePack.unpack("\x91" * 1025 + "\xC0") }.to raise_error(MessagePack::StackError)
    expect { MessagePack.unpack("\x91" * 1024 + "\x90") }.to raise_error(MessagePack::StackError)
    expect(read("91 90", depth: 2)).to eq([[]])
    expect { read("91 91 90", depth: 2) }.to raise_error(MessagePack::StackError)
    expect { MessagePack.unpack("\x91" * 20_000 + "\xC0", limits: { depth: 30_000 }) }.not_to raise_error
  end

  it "of depth hold in streams that never end" do
    unpacker = MessagePack::Unpacker.new
    error = raised { 3000.times { unpacker.feed("\x91").each { nil } } }
    expect(error).to be_a(MessagePack::StackError)
  end

  { string_bytes: "a3 616263", binary_bytes: "c4 03 616263", array_elements: "93 01 02 03",
    map_entries: "83 01 01 02 02 03 03", ext_bytes: "c7 03 05 616263" }.each do |name, input|
    it "of #{name}" do
      expect { read(input, name => 3) }.not_to raise_error
      error = raised { read("91 #{input}", name => 2) }
      expect(error).to be_a(MessagePack::LimitError)
      expect(error.offset).to eq(1)
      stream = MessagePack::Unpacker.new(limits: { name => 2 })
      expect { bytes(input).each_char { |byte| stream.feed(byte).each { nil } } }.to raise_error(MessagePack::LimitError)
    end
  end

  it "of buffered bytes" do
    stream = MessagePack::Unpacker.new(limits: { buffered_bytes: 1000 })
    data = MessagePack.pack("x" * 2000)
    error = raised { data.each_char { |byte| stream.feed(byte).each { nil } } }
    expect(error).to be_a(MessagePack::LimitError)
    expect(MessagePack::Unpacker.new(limits: { buffered_bytes: nil }).feed(data).read.size).to eq(2000)
  end

  it "nothing is allocated because a header claims it" do
    claims = ["dd ffffffff", "df ffffffff", "df 80000000", "df 20000000", "db ffffffff", "c6 ffffffff", "c9 ffffffff 05",
              "dd 7fffffff dd 7fffffff dd 7fffffff"]
    before = File.read("/proc/self/statm").split[1].to_i if File.exist?("/proc/self/statm")
    claims.each do |claim|
      expect { MessagePack.unpack(bytes(claim)) }.to raise_error(EOFError)
      stream = MessagePack::Unpacker.new.feed(bytes(claim))
      expect { stream.read }.to raise_error(EOFError)
      expect { stream.skip }.to raise_error(EOFError)
    end
    next unless before

    grown = (File.read("/proc/self/statm").split[1].to_i - before) * 4096
    expect(grown).to be < 50_000_000
  end
end
