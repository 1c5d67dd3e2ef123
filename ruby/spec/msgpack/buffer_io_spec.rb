# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe MessagePack::Buffer, "with an IO" do
  let(:data) { Random.new(2).bytes(300_000) }
  let(:io) { StringIO.new(data.dup) }
  let(:buffer) { described_class.new(io) }

  it "knows it and closes it" do
    expect(buffer.io).to equal(io)
    buffer.close
    expect(io).to be_closed
    expect(described_class.new.io).to be_nil
    expect { described_class.new.close }.not_to raise_error
  end

  it "reads all, or piece by piece, or both" do
    expect(buffer.read).to eq(data)
    expect(buffer.read).to eq("")
    mixed = described_class.new(StringIO.new(data))
    expect(mixed.read(10) + mixed.read_all(100_000) + mixed.read).to eq(data)
    expect(mixed.read(1)).to be_nil
    expect { mixed.read_all(1) }.to raise_error(EOFError)
  end

  it "skips" do
    expect(buffer.skip(200_000)).to eq(200_000)
    buffer.skip_all(10)
    expect(buffer.read).to eq(data[200_010..])
    expect(buffer.skip(1)).to eq(0)
    expect { buffer.skip_all(1) }.to raise_error(EOFError)
  end

  it "writes on flush" do
    sink = StringIO.new
    queue = described_class.new(sink)
    queue << "a" << "b" * 100_000
    queue.flush
    expect(sink.string).to eq("a" + "b" * 100_000)
    expect(queue).to be_empty
    queue.flush
    expect(sink.string.bytesize).to eq(100_001)
  end

  it "moves to another IO with write_to" do
    sink = StringIO.new
    queue = described_class.new
    queue << "abc"
    expect(queue.write_to(sink)).to eq(3)
    expect(sink.string).to eq("abc")
    expect(queue.write_to(sink)).to eq(0)
  end
end
