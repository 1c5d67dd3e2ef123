# frozen_string_literal: true

# What every spec needs. GC_STRESS=1 runs the collector at every allocation of the examples: slow, for
# single files.
require "json"
require "objspace"
require "set"
require "stringio"
require "tempfile"

require "packhorse/msgpack"
require "packhorse/bigint"

# Moves objects about, so that a reference that is neither marked nor updated is found.
begin
  GC.verify_compaction_references(expand_heap: true, toward: :empty)
rescue ArgumentError
  GC.verify_compaction_references(double_heap: true, toward: :empty)
rescue NotImplementedError
  nil
end
begin
  GC.auto_compact = true
rescue NotImplementedError
  nil
end

module SpecTools
  ROOT = File.expand_path("../..", __dir__)

  # "93 01*3" => bytes: words of hexadecimal digits, each with an optional repetition.
  def bytes(hex)
    hex.split.map do |word|
      digits, times = word.split("*")
      [digits].pack("H*") * (times || 1).to_i
    end.join.b
  end

  def hex(string)
    string.unpack1("H*")
  end

  # Runs the block with the collector at every allocation, not compacting each time: that is slow.
  def with_gc_stress
    stress = GC.stress
    compact = GC.respond_to?(:auto_compact) && GC.auto_compact
    GC.auto_compact = false if compact
    GC.stress = true
    yield
  ensure
    GC.stress = stress
    GC.auto_compact = true if compact
  end

  # Whether Strings of frozen trees are interned depends on what was read before. Afterwards they are.
  def read_the_same_again
    data = MessagePack.pack(["again", "again" * 100, "again".b] * 70_000)
    MessagePack.unpack(data, freeze: true)
  end

  # The exception that the block raises.
  def raised
    yield
    nil
  rescue StandardError => e
    e
  end
end

RSpec.configure do |config|
  config.include SpecTools
  config.around { |example| with_gc_stress { example.run } } if ENV["GC_STRESS"]
  config.disable_monkey_patching!
  config.expect_with(:rspec) { |expectations| expectations.syntax = :expect }
end
