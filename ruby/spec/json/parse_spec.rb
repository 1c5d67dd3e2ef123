# frozen_string_literal: true

require_relative "../spec_helper"
require "packhorse/json"
require "bigdecimal"

RSpec.describe "Packhorse::JSON.parse" do
  def parse(...)
    Packhorse::JSON.parse(...)
  end

  {
    "null" => nil, "true" => true, " false " => false, "0" => 0, "-1" => -1, "1.5" => 1.5, "-0.0" => -0.0, "1e2" => 100.0, "1E-2" => 0.01,
    "18446744073709551616" => 2**64, "-9223372036854775809" => -(2**63) - 1, '""' => "", '"a"' => "a",
    '"\\u00e9\\n\\t\\"\\\\\\/\\b\\f\\r"' => "é\n\t\"\\/\b\f\r", '"\\ud83d\\ude00"' => "\u{1F600}", "[]" => [], "{}" => {}, "[ 1 , [ ] ]" => [1, []],
    '{"a":{"b":[1,{"c":null}]}}' => { "a" => { "b" => [1, { "c" => nil }] } }, "\t[\r\n1]\n" => [1], '{"\\u0061":1}' => { "a" => 1 }
  }.each do |text, value|
    it "of #{text.inspect} is #{value.inspect}" do
      expect(parse(text)).to eql(value)
      expect(parse(text, freeze: true)).to eql(value)
    end
  end

  it "gives UTF-8 Strings, and no value of which is frozen" do
    value = parse('["a", "é", {"k": "v"}]')
    expect(value.flatten.grep(String).map(&:encoding).uniq).to eq([Encoding::UTF_8])
    expect(value[0]).not_to be_frozen
    expect(value[0].ascii_only?).to be(true)
    expect(value[1].ascii_only?).to be(false)
    expect(value[2].keys[0]).to equal(-"k")
  end

  it "takes text of any encoding" do
    expect(parse('["é"]'.encode("UTF-16LE"))).to eq(["é"])
    expect(parse('["é"]'.encode("ISO-8859-1"))).to eq(["é"])
    expect(parse('["é"]'.b)).to eq(["é"])
    expect { parse(nil) }.to raise_error(TypeError)
  end

  it "lets invalid UTF-8 pass, as the json gem does" do
    expect(parse("[\"\xFF\"]")[0].valid_encoding?).to be(false)
  end

  describe "of text that is none" do
    {
      "" => [1, 1, "$"], "[1,\n2,x]" => [2, 3, "$[2]"], '{"a":' => [1, 6, "$.a"], "[1,]" => [1, 4, "$[1]"], "[1 2]" => [1, 4, "$[1]"],
      '{"a":1,}' => [1, 8, "$[key 1]"], "{1:2}" => [1, 2, "$[key 0]"], "[01]" => [1, nil, "$[0]"], "[+1]" => [1, 2, "$[0]"], "[1.]" => [1, nil, "$[0]"],
      '["a' => [1, nil, "$[0]"], "[\"a\nb\"]" => [1, 4, "$[0]"], '["\\q"]' => [1, nil, "$[0]"], '["\\ud800"]' => [1, nil, "$[0]"],
      "[NaN]" => [1, 2, "$[0]"], "[-Infinity]" => [1, nil, "$[0]"], "[1] 2" => [1, 5, nil], "[1 /* c */]" => [1, 4, "$[1]"], "tru" => [1, nil, "$"]
    }.each do |text, (line, column, path)|
      it "#{text.inspect} raises ParserError with the place" do
        error = raised { parse(text) }
        expect(error).to be_an_instance_of(Packhorse::JSON::ParserError)
        expect(error.line).to eq(line)
        expect(error.column).to eq(column) if column
        expect(error.path).to eq(path) if path
        expect(error.offset).to be_between(0, text.bytesize)
        expect(error.message).to include("line #{error.line} column #{error.column}", "byte #{error.offset}")
      end
    end

    it "shows the text, whatever it holds" do
      expect(raised { parse("[\xFF\x00\xFF]") }.message).to be_valid_encoding
      expect(raised { parse("[x\0y]") }.message).to start_with("unexpected character: 'x")
    end
  end

  describe "max_nesting" do
    it "is 100 unless set" do
      expect { parse("[" * 100 + "]" * 100) }.not_to raise_error
      error = raised { parse("[" * 101 + "]" * 101) }
      expect(error).to be_an_instance_of(Packhorse::JSON::NestingError)
      expect(error).to be_a(Packhorse::JSON::ParserError)
      expect(error.message).to start_with("nesting of 101 is too deep")
      expect { parse("[[1]]", max_nesting: 1) }.to raise_error(Packhorse::JSON::NestingError)
    end

    it "can be switched off" do
      [false, nil, 0].each { |none| expect { parse("[" * 50_000 + "]" * 50_000, max_nesting: none) }.not_to raise_error }
    end
  end

  it "symbolize_names" do
    expect(parse('{"a":[{"b":1}],"é":2}', symbolize_names: true)).to eq(a: [{ b: 1 }], é: 2)
    expect { parse("{\"\xFF\":1}", symbolize_names: true) }.to raise_error(Packhorse::JSON::ParserError)
  end

  it "freeze gives a tree that Ractors can share, of interned Strings" do
    read_the_same_again
    value = parse('{"a":["text",{},1.5,123456789012345678901234567890]}', freeze: true)
    expect(Ractor.shareable?(value)).to be(true)
    expect(value["a"][0]).to equal(-"text")
    expect(parse('["esc\\n"]', freeze: true)[0]).to equal(-"esc\n")
  end

  it "allow_nan" do
    value = parse("[NaN,Infinity,-Infinity, 1e999]", allow_nan: true)
    expect(value[0]).to be_nan
    expect(value[1..]).to eq([Float::INFINITY, -Float::INFINITY, Float::INFINITY])
    ["[Nan]", "[-NaN]", "[Inf]", '{"a":NaNa}'].each { |text| expect { parse(text, allow_nan: true) }.to raise_error(Packhorse::JSON::ParserError) }
    error = raised { parse("[1, -Infinitely]", allow_nan: true) }
    expect([error.offset, error.path]).to eq([12, "$[1]"])
    expect(parse("[NaN, 1.5]", allow_nan: true, decimal_class: Float)[0]).to be_nan
    expect(parse("[-Infinity, /* a */]", allow_nan: true, allow_trailing_comma: true)).to eq([-Float::INFINITY])
  end

  it "allow_duplicate_key" do
    error = raised { parse('[{"a":1,"b":2,"a":3}]') }
    expect(error).to be_a(Packhorse::JSON::ParserError)
    expect(error.message).to start_with('duplicate key "a"')
    expect([error.path, error.offset]).to eq(["$[0]", 1])
    expect(raised { parse('[1,{"b":{"a":[{}],"a":[{}]}}]') }.offset).to eq(8)
    expect(parse('{"a":1,"b":2,"a":3}', allow_duplicate_key: true)).to eq("a" => 3, "b" => 2)
  end

  it "allow_trailing_comma and allow_comments" do
    expect(parse('[1,{"a":1,},]', allow_trailing_comma: true)).to eq([1, { "a" => 1 }])
    expect(parse("[1 /* c */, // d\n 2]", allow_comments: true)).to eq([1, 2])
  end

  it "object_class, array_class and decimal_class" do
    hash = Class.new(Hash)
    array = Class.new(Array)
    value = parse('{"a":[1.50]}', object_class: hash, array_class: array, decimal_class: BigDecimal)
    expect(value).to be_an_instance_of(hash)
    expect(value["a"]).to be_an_instance_of(array)
    expect(value["a"][0]).to eq(BigDecimal("1.50"))
    expect(value["a"][0]).to be_a(BigDecimal)
    expect(parse("[1.5]", decimal_class: Float)).to eq([1.5])
  end

  it "on_load is called with each value, the innermost first" do
    seen = []
    value = parse('{"a":[1,2]}', on_load: ->(element) { seen << element; element.is_a?(Integer) ? element * 10 : element })
    expect(value).to eq("a" => [10, 20])
    expect(seen).to eq([1, 2, [10, 20], { "a" => [10, 20] }])
  end

  it "survives procs that change the text or run the collector" do
    text = +'[1.5,"abc",{"k":2.5}]'
    expect(parse(text, on_load: ->(element) { text.replace("x" * 1000); GC.start; element })).to eq([1.5, "abc", { "k" => 2.5 }])
  end

  it "refuses options that nobody knows" do
    expect { parse("[]", foo: 1) }.to raise_error(ArgumentError, /foo/)
    expect { parse("[]", create_additions: true) }.to raise_error(ArgumentError)
    expect { parse("[]", quirks_mode: true, create_additions: false) }.not_to raise_error
  end

  it "key_cache: false gives the same" do
    text = '[{"a":1,"b":2},{"a":1,"b":2},{"b":1,"a":2}]'
    expect(parse(text, key_cache: false)).to eq(parse(text))
  end

  it "is called parse!, load, load_file and [] too" do
    json = Packhorse::JSON
    expect(json.parse!("[NaN]")[0]).to be_nan
    expect([json.load(nil), json.load(""), json.load(" \n")]).to eq([nil, nil, nil])
    expect(json.load("[1]")).to eq([1])
    expect(json.load(StringIO.new("[1]"))).to eq([1])
    seen = []
    json.load('[1,{"a":2}]', ->(value) { seen << value })
    expect(seen).to eq([1, "a", 2, { "a" => 2 }, [1, { "a" => 2 }]])
    Tempfile.create("json") do |file|
      file.write('{"é":1}')
      file.flush
      expect(json.load_file(file.path)).to eq("é" => 1)
      expect(json.load_file(file.path, symbolize_names: true)).to eq(é: 1)
    end
    expect(json["[1]"]).to eq([1])
    expect(json[[1]]).to eq("[1]")
  end

  it "gives what the json gem gives, for random documents" do
    random = Random.new(6)
    make = lambda do |depth|
      case random.rand(depth > 4 ? 6 : 8)
      when 0 then nil
      when 1 then [true, false].sample(random: random)
      when 2 then random.rand(-(2**70)..2**70) >> random.rand(70)
      when 3 then random.rand * 10**random.rand(-20..20)
      when 4, 5 then Array.new(random.rand(20)) { [*"a".."z", "é", "\u{1F600}", "\n", "\"", "\\", "\u0001", "/"].sample(random: random) }.join
      when 6 then Array.new(random.rand(6)) { make.call(depth + 1) }
      else Array.new(random.rand(12)) { |i| ["key#{i}", make.call(depth + 1)] }.to_h
      end
    end
    300.times do
      document = make.call(0)
      text = random.rand(2).zero? ? JSON.generate(document) : JSON.pretty_generate(document)
      expect(parse(text)).to eq(JSON.parse(text))
      expect(parse(text, symbolize_names: true, freeze: true)).to eq(JSON.parse(text, symbolize_names: true))
      expect(JSON.parse(Packhorse::JSON.generate(document))).to eq(document)
    end
  end

  it "damaged text raises ParserError or gives a value, nothing else" do
    text = '{"a":[1,-2.5e3,"x\\u00e9\\ud83d\\ude00",null,true,{"b":[],"c":"' + "long " * 20 + '"}],"d":123456789012345678901}'
    attempt = lambda do |input|
      [{}, { freeze: true }, { symbolize_names: true }, { allow_nan: true, allow_trailing_comma: true }].each { |options| parse(input, options) }
    rescue Packhorse::JSON::ParserError
      nil
    end
    text.bytesize.times do |at|
      expect { parse(text[0, at]) }.to raise_error(Packhorse::JSON::ParserError)
      [0, 34, 44, 92, 93, 125, 255].each { |byte| attempt.call(text.b.tap { |copy| copy.setbyte(at, byte) }) }
    end
  end
end
