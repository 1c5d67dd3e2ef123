# frozen_string_literal: true

require_relative "../spec_helper"
require "packhorse/json"

RSpec.describe "Packhorse::JSON.each_value" do
  def trickle(text, piece)
    Object.new.tap do |io|
      rest = text.b
      io.define_singleton_method(:read) { |_length| rest.slice!(0, piece) unless rest.empty? }
    end
  end

  let(:text) { %({"a":[1,2.5]}\n{"b":"é\\n"} [3]45 -6.5e3 null"text"\n[]) }
  let(:values) { [{ "a" => [1, 2.5] }, { "b" => "é\n" }, [3], 45, -6500.0, nil, "text", []] }

  [1, 2, 3, 7, 1000].each do |piece|
    it "reads values that arrive #{piece} bytes at a time" do
      expect(Packhorse::JSON.each_value(trickle(text, piece)).to_a).to eq(values)
    end
  end

  it "waits for the rest of a word that allow_nan accepts" do
    expect(Packhorse::JSON.each_value(trickle("[-Infinity] Infinity [1]", 1), allow_nan: true).to_a)
      .to eq([[-Float::INFINITY], Float::INFINITY, [1]])
  end

  it "reads from pipes and files, with options, and gives an Enumerator" do
    reader, writer = IO.pipe
    writer.write(text)
    writer.close
    found = []
    Packhorse::JSON.each_value(reader, symbolize_names: true) { |value| found << value }
    expect(found.first).to eq(a: [1, 2.5])
    expect(Packhorse::JSON.each_value(StringIO.new(text)).lazy.map(&:class).first(2)).to eq([Hash, Hash])
    expect(Packhorse::JSON.each_value(StringIO.new("")).to_a).to eq([])
    expect(Packhorse::JSON.each_value(StringIO.new(" \n ")).to_a).to eq([])
  end

  it "says where in the stream it failed" do
    stream = Packhorse::JSON::Stream.new(StringIO.new("[1]\n" * 20_000 + "[1,x]"), piece: 100)
    count = 0
    error = raised { stream.each { count += 1 } }
    expect(error).to be_a(Packhorse::JSON::ParserError)
    expect(error.offset).to eq(80_003)
    expect(error.path).to eq("$[1]")
    expect(count).to eq(20_000)
    expect { Packhorse::JSON.each_value(StringIO.new("[1] [2,")).to_a }.to raise_error(Packhorse::JSON::ParserError, /end of input/)
  end

  it "keeps no more than a value" do
    stream = Packhorse::JSON::Stream.new(trickle("[\"#{'x' * 1000}\"]\n" * 2000, 4096))
    largest = 0
    stream.each { largest = [largest, stream.instance_variable_get(:@buffer).bytesize].max }
    expect(largest).to be < 20_000
  end

  it "reads one long value in time proportional to its length" do
    long = "[#{(['12345'] * 200_000).join(',')}]"
    expect(Packhorse::JSON.each_value(trickle(long, 4096)).first.size).to eq(200_000)
  end
end
