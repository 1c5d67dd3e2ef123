# frozen_string_literal: true

require_relative "../spec_helper"
require "packhorse/json"

# The generator copies a key that it has written before: it must be that key, with that layout.
RSpec.describe "keys that come again while generating" do
  layouts = [{}, { indent: "  ", space: " ", object_nl: "\n", array_nl: "\n" }, { indent: "\t", object_nl: "\n", space_before: " " },
             { ascii_only: true }, { script_safe: true, space: "  " }]

  # By hand, as the json gem does it.
  def expected(value, options, depth = 0)
    open, close, parts =
      case value
      when Hash
        ["{", "}", value.map { |key, item| "#{text(key.to_s, options)}#{options[:space_before]}:#{options[:space]}#{expected(item, options, depth + 1)}" }]
      when Array then ["[", "]", value.map { |item| expected(item, options, depth + 1) }]
      else return text(value, options)
      end
    return open + close if parts.empty?

    line = value.is_a?(Hash) ? options[:object_nl] : options[:array_nl]
    before = ->(level) { line ? line + options[:indent].to_s * level : "" }
    open + parts.map { |part| before.call(depth + 1) + part }.join(",") + before.call(depth) + close
  end

  def text(value, options)
    Packhorse::JSON.generate(value, options.slice(:ascii_only, :script_safe))
  end

  let(:keys) { ["a", "long key " * 3, "x" * 61, "x" * 62, "x" * 63, "y" * 300, "ünïcödé", "with \"quotes\"\n", "sl/ash", :symbol, :"odd symbol/", 5, nil, 1.5] }

  layouts.each do |options|
    it "are written right with #{options}" do
      seed = Random.new(7)
      rows = Array.new(200) do |i|
        names = i % 3 == 0 ? keys : keys.sample(seed.rand(1..10), random: seed)
        row = names.to_h { |key| [key, [1, "text", nil, 1.5, [], ["é"], { "a" => 1, :symbol => [] }].sample(random: seed)] }
        i % 5 == 0 ? { "nested" => [row] } : row
      end
      expect(Packhorse::JSON.generate(rows, options.merge(allow_duplicate_key: true))).to eq(expected(rows, options))
      io = StringIO.new
      Packhorse::JSON.write(rows * 20, io, options.merge(allow_duplicate_key: true))
      expect(io.string).to eq(expected(rows * 20, options))
    end
  end

  it "may be Strings that change" do
    key = +"first"
    hash = {}.compare_by_identity
    hash[key] = 1
    other = Class.new { define_method(:to_json) { |*| key.replace("second") && "0" } }
    expect(Packhorse::JSON.generate([hash, other.new, hash])).to eq('[{"first":1},0,{"second":1}]')
  end

  it "may change the value when they are asked for their text" do
    value = +"short"
    key = Object.new
    key.define_singleton_method(:to_s) { value.replace("long " * 10_000) && "key" }
    expect(Packhorse::JSON.generate([{ key => value }])).to eq(%([{"key":"#{value}"}]))
  end

  it "may be dropped while others take their place in memory" do
    maker = Class.new do
      define_method(:to_json) do |*|
        GC.start
        Packhorse::JSON.generate(Array.new(50) { { "k#{rand(1 << 60)}" => 1 } })
      end
    end
    rows = Class.new do
      include Enumerable
      define_method(:to_json) { |*| Packhorse::JSON.generate([{ "key number #{rand(1 << 60)}" => 0 }, maker.new, { "other #{rand(9)}" => 1 }]) }
    end
    text = Packhorse::JSON.generate(Array.new(10) { rows.new })
    expect(JSON.parse(text).map { |row| [row[0].keys[0][0, 10], row[1].size, row[2].keys[0][0, 5]] }).to eq([["key number", 50, "other"]] * 10)
  end
end
