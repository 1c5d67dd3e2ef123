# frozen_string_literal: true

require_relative "../spec_helper"

RSpec.describe MessagePack::Buffer do
  let(:buffer) { described_class.new }

  it "is first in, first out" do
    expect(buffer << "abc").to equal(buffer)
    expect(buffer.write("def")).to eq(3)
    expect(buffer.size).to eq(6)
    expect(buffer.read(2)).to eq("ab")
    expect(buffer.read).to eq("cdef")
    expect(buffer).to be_empty
    expect(buffer.read).to eq("")
    expect(buffer.read(1)).to be_nil
    expect(buffer.read(0)).to eq("")
  end

  it "reads short, and read_all and skip_all do not" do
    buffer << "abc"
    expect { buffer.read_all(4) }.to raise_error(EOFError)
    expect { buffer.skip_all(4) }.to raise_error(EOFError)
    expect(buffer.size).to eq(3)
    expect(buffer.skip(1)).to eq(1)
    expect(buffer.skip_all(1)).to equal(buffer)
    expect(buffer.read_all(1)).to eq("c")
    expect(buffer.skip(5)).to eq(0)
    expect(buffer.read_all(0)).to eq("")
    expect { buffer.read(-1) }.to raise_error(ArgumentError)
    expect { buffer.skip(-1) }.to raise_error(ArgumentError)
  end

  it "fills a String that it is given" do
    out = +"something longer"
    buffer << "abcdef"
    expect(buffer.read(3, out)).to equal(out)
    expect(out).to eq("abc")
    buffer.read_all(3, out)
    expect(out).to eq("def")
  end

  it "shows its bytes without taking them" do
    buffer << "abc" << "x" * 2000
    expect(buffer.to_s).to eq("abc" + "x" * 2000)
    expect(buffer.to_str).to eq(buffer.to_s)
    expect(buffer.to_a.join).to eq(buffer.to_s)
    expect(buffer.size).to eq(2003)
  end

  it "forgets with clear, and gives nothing of it to others" do
    buffer << "secret" * 1000
    buffer.clear
    expect(buffer).to be_empty
    others = Array.new(50) { described_class.new << "a" }
    expect(others.map(&:to_s).uniq).to eq(["a"])
  end

  it "keeps many buffers apart while they grow and shift" do
    all = Array.new(30) { [described_class.new, +""] }
    random = Random.new(1)
    2000.times do
      queue, expected = all[random.rand(30)]
      piece = random.bytes(random.rand(3000))
      queue << piece
      expected << piece
      count = random.rand(3000)
      expect(queue.read(count).to_s).to eq(expected.slice!(0, count))
    end
    all.each { |queue, expected| expect(queue.to_s).to eq(expected) }
  end

  it "does not change Strings that were written to it, nor follows their changes" do
    long = +"a" * 5000
    buffer << long
    long << "b"
    buffer << "c"
    expect(buffer.read).to eq("a" * 5000 + "c")
    expect(long).to eq("a" * 5000 + "b")
  end

  it "answers memsize_of" do
    empty = ObjectSpace.memsize_of(buffer)
    buffer << "a" * 5000 << "b" * 5000
    expect(ObjectSpace.memsize_of(buffer)).to be > empty + 9000
    buffer.clear
    expect(ObjectSpace.memsize_of(buffer)).to eq(empty)
  end

  it "can not be duplicated" do
    expect(buffer).not_to respond_to(:dup)
    expect(buffer).not_to respond_to(:clone)
  end
end
