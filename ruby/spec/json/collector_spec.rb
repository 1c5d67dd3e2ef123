# frozen_string_literal: true

require_relative "../spec_helper"
require "packhorse/json"

RSpec.describe "Packhorse::JSON and the collector" do
  let(:text) { '{"a":[1,2.5,123456789012345678901,"text","esc\\n",null,{"b":{}}],"' + "k" * 300 + '\\t":"' + "v" * 600 + '\\u00e9"}' }

  it "may run at every allocation" do
    expected = JSON.parse(text)
    cut = text[0..-2]
    Packhorse::JSON::State.new
    results = []
    with_gc_stress do
      results << Packhorse::JSON.parse(text) << Packhorse::JSON.parse(text, freeze: true)
      Packhorse::JSON.parse(text, symbolize_names: true)
      results << Packhorse::JSON.generate(expected)
      begin
        Packhorse::JSON.parse(cut)
      rescue Packhorse::JSON::ParserError => e
        results << e
      end
    end
    expect(results[0, 2]).to eq([expected, expected])
    expect(JSON.parse(results[2])).to eq(expected)
    expect(results[3].offset).to eq(cut.bytesize)
  end

  it "gets everything back: memory stays flat" do
    skip "no /proc" unless File.exist?("/proc/self/statm")
    object = Packhorse::JSON.parse(text)
    exercise = proc do
      Packhorse::JSON.parse(text)
      Packhorse::JSON.parse(text, freeze: true, symbolize_names: true)
      Packhorse::JSON.generate(object)
      Packhorse::JSON.pretty_generate([object] * 10)
      Packhorse::JSON.each_value(StringIO.new(text * 3)).to_a
      raised { Packhorse::JSON.parse(text[0..-2]) }
      raised { Packhorse::JSON.generate([object, Float::NAN]) }
      raised { Packhorse::JSON.parse("[" * 200) }
    end
    resident = -> { File.read("/proc/self/statm").split[1].to_i * 4096 }
    # The heap wavers by megabytes, so single figures say little; but something lost in each round
    # would make every stretch grow.
    300.times(&exercise)
    growth = Array.new(5) do
      GC.start
      before = resident.call
      1000.times(&exercise)
      GC.start
      resident.call - before
    end
    expect(growth.min).to be < 1_000_000
  end

  it "is shared by Ractors" do
    lib = File.join(SpecTools::ROOT, "ruby/lib")
    code = <<~RUBY
      require "packhorse/json"
      ractors = Array.new(3) do
        Ractor.new { 500.times.all? { Packhorse::JSON.parse(Packhorse::JSON.generate({ "a" => [1, 2.5, nil] })) == { "a" => [1, 2.5, nil] } } }
      end
      print ractors.all? { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }
    RUBY
    expect(IO.popen([RbConfig.ruby, "-W0", "-I#{lib}", "-e", code], &:read)).to eq("true")
  end
end
