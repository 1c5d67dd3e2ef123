# frozen_string_literal: true

require_relative "../spec_helper"
require "packhorse/json"

RSpec.describe "Packhorse::JSON.generate" do
  def generate(...)
    Packhorse::JSON.generate(...)
  end

  {
    nil => "null", true => "true", false => "false", 0 => "0", -5 => "-5", 2**62 => "4611686018427387904", -(2**70) => "-1180591620717411303424",
    1.5 => "1.5", -0.0 => "-0.0", 100.0 => "100.0", 1e14 => "100000000000000.0", 1e15 => "1e+15", 1.25e16 => "1.25e+16", 1e-5 => "0.00001",
    1e-9 => "0.000000001", 1e-10 => "1e-10", 0.1 => "0.1", 1234567890123456.7 => "1234567890123456.8", 5e-324 => "5e-324",
    1.7976931348623157e308 => "1.7976931348623157e+308", 123456789.123 => "123456789.123", "" => '""', "a\"\\/\n\t\u0001é\u{1F600}\x7F" => "\"a\\\"\\\\/\\n\\t\\u0001é\u{1F600}\x7F\"",
    :sym => '"sym"', [] => "[]", {} => "{}", [1, [nil, { "a" => [] }]] => '[1,[null,{"a":[]}]]', { a: 1, "b" => 2 } => '{"a":1,"b":2}',
    { nil => 1, 2 => 3, 1.5 => 4 } => '{"":1,"2":3,"1.5":4}'
  }.each do |object, text|
    it "of #{object.inspect} is #{text}" do
      expect(generate(object)).to eq(text)
      expect(generate([object, object])).to eq("[#{text},#{text}]")
      expect(generate("k" => object)).to eq("{\"k\":#{text}}")
    end
  end

  it "gives UTF-8" do
    expect(generate("a").encoding).to eq(Encoding::UTF_8)
    expect(generate(["é" * 10_000]).encoding).to eq(Encoding::UTF_8)
    expect(generate(["é" * 10_000])).to be_valid_encoding
  end

  it "writes floats that read back the same" do
    random = Random.new(7)
    3000.times do
      number = [random.rand(2**64)].pack("Q").unpack1("D")
      next unless number.finite?

      expect(Float(generate(number))).to eql(number)
    end
  end

  it "refuses what JSON can not hold" do
    [Float::NAN, Float::INFINITY, -Float::INFINITY].each do |number|
      error = raised { generate([number]) }
      expect(error).to be_a(Packhorse::JSON::GeneratorError)
      expect(error.message).to eq("#{number} not allowed in JSON (at $[0])")
      expect(error.invalid_object.to_s).to eq(number.to_s)
    end
    expect { generate(["\xFF"]) }.to raise_error(Packhorse::JSON::GeneratorError, "source sequence is illegal/malformed utf-8 (at $[0])")
    expect { generate(["\xFF".b]) }.to raise_error(Packhorse::JSON::GeneratorError)
    expect(generate([Float::NAN, -Float::INFINITY], allow_nan: true)).to eq("[NaN,-Infinity]")
    expect(generate(["abc".b, "é".encode("ISO-8859-1"), "é".encode("UTF-16LE")])).to eq('["abc","é","é"]')
  end

  describe "max_nesting" do
    def nested(depth)
      depth.times.inject(nil) { |inner, _| [inner] }
    end

    it "is 100 unless set" do
      expect { generate(nested(100)) }.not_to raise_error
      expect { generate(nested(101)) }.to raise_error(Packhorse::JSON::NestingError, /nesting of 101 is too deep/)
      expect { generate(nested(500), max_nesting: 0) }.not_to raise_error
      expect { generate([[1]], max_nesting: 1) }.to raise_error(Packhorse::JSON::NestingError)
    end

    it "stops what contains itself" do
      array = []
      array << array
      hash = {}
      hash["self"] = hash
      [array, hash].each { |object| expect { generate(object) }.to raise_error(Packhorse::JSON::NestingError) }
    end
  end

  describe "layout" do
    let(:object) { [1, { "a" => [], "b" => {}, "c" => [1, { "x" => nil }] }] }

    it "pretty_generate" do
      expect(Packhorse::JSON.pretty_generate(object)).to eq(<<~TEXT.chomp)
        [
          1,
          {
            "a": [],
            "b": {},
            "c": [
              1,
              {
                "x": null
              }
            ]
          }
        ]
      TEXT
      expect(Packhorse::JSON.pretty_generate([])).to eq("[]")
      expect(Packhorse::JSON.pretty_generate([1], indent: "\t")).to eq("[\n\t1\n]")
      expect(Packhorse::JSON.pretty_generate([1], Packhorse::JSON::State.new(indent: "    "))).to eq("[\n    1\n]")
    end

    it "takes each part by itself" do
      expect(generate({ "a" => [1, 2] }, indent: "\t", space: " ", space_before: "_", object_nl: "\n", array_nl: "\r\n"))
        .to eq("{\n\t\"a\"_: [\r\n\t\t1,\r\n\t\t2\r\n\t]\n}")
      expect(generate([1, [2]], array_nl: "\n")).to eq("[\n1,\n[\n2\n]\n]")
      expect(generate({ "a" => 1 }, space: " ")).to eq('{"a": 1}')
    end
  end

  it "ascii_only and script_safe" do
    expect(generate(["é\u{1F600}\n"], ascii_only: true)).to eq('["\\u00e9\\ud83d\\ude00\\n"]')
    expect(generate(["</script>\u2028\u2029"], script_safe: true)).to eq('["<\\/script>\\u2028\\u2029"]')
    expect(generate({ "é/" => "a" }, ascii_only: true, script_safe: true)).to eq('{"\\u00e9\\/":"a"}')
  end

  it "sort_keys" do
    expect(generate({ "b" => 1, a: { "d" => 1, "c" => 2 } }, sort_keys: true)).to eq('{"a":{"c":2,"d":1},"b":1}')
  end

  it "allow_duplicate_key" do
    expect { generate({ "a" => 1, a: 2 }) }.to raise_error(Packhorse::JSON::GeneratorError, /duplicate key "a"/)
    expect { generate({ 1 => 1, "1" => 2 }) }.to raise_error(Packhorse::JSON::GeneratorError)
    expect(generate({ "a" => 1, a: 2 }, allow_duplicate_key: true)).to eq('{"a":1,"a":2}')
    expect(generate({ "a" => 1, b: 2, 3 => 4 })).to eq('{"a":1,"b":2,"3":4}')
  end

  describe "objects" do
    it "are asked for to_json, with a State" do
      states = []
      klass = Class.new do
        define_method(:to_json) { |state = nil, *| states << state; '"own"' }
      end
      expect(generate([klass.new, { "k" => klass.new }])).to eq('["own",{"k":"own"}]')
      expect(states).to all(be_a(Packhorse::JSON::State))
      expect { generate(Class.new { def to_json(*) = 5 }.new) }.to raise_error(TypeError)
    end

    it "may generate what is inside with that State" do
      klass = Struct.new(:inner) do
        def to_json(state = nil, *)
          state.generate(inner)
        end
      end
      expect(generate([klass.new([1, klass.new({ "a" => nil })])])).to eq('[[1,{"a":null}]]')
      expect(Packhorse::JSON.pretty_generate([klass.new([1])])).to eq("[\n  [\n    1\n  ]\n]")
    end

    it "are their text otherwise" do
      expect(generate([Class.new { def to_s = "te\"xt" }.new, 1r, Time.at(0).utc])).to eq('["te\"xt","1/1","1970-01-01 00:00:00 UTC"]')
    end

    it "of subclasses are what their bases are, unless they have a to_json of their own" do
      expect(generate([Class.new(String).new("a"), Class.new(Array)[1], Class.new(Hash)["a", 1]])).to eq('["a",[1],{"a":1}]')
      own = Class.new(Hash) { def to_json(*) = "0" }
      expect(generate([own["a", 1]])).to eq("[0]")
    end

    it "are refused when strict, unless as_json knows a form" do
      expect { generate([Object.new], strict: true) }.to raise_error(Packhorse::JSON::GeneratorError, "Object not allowed in JSON (at $[0])")
      expect(generate([:a, { b: 1 }], strict: true)).to eq('["a",{"b":1}]')
      expect(generate([Time.at(0).utc], strict: true, as_json: ->(time) { { "at" => time.to_i } })).to eq('[{"at":0}]')
      expect { generate([1r], strict: true, as_json: ->(object) { object }) }.to raise_error(Packhorse::JSON::GeneratorError)
    end

    it "may change what is generated" do
      array = [nil, 1, 2, 3]
      array[0] = Class.new { define_method(:to_json) { |*| array.clear; GC.start; "0" } }.new
      expect(generate(array)).to eq("[0]")
      hash = {}
      hash["a"] = Class.new { define_method(:to_json) { |*| hash["new"] = 1; "0" } }.new
      expect { generate(hash) }.to raise_error(RuntimeError)
      strings = ["x"]
      strings.unshift(Class.new { define_method(:to_json) { |*| strings[1].replace("y" * 10_000); "0" } }.new)
      strings[1] = +"x"
      expect(generate(strings).bytesize).to eq(10_006)
    end
  end

  it "to_json of native objects" do
    code = 'require "packhorse/json"; print [1, "a", nil].to_json, {a: 1.5}.to_json, Object.new.to_json.class, :b.to_json'
    output = IO.popen([RbConfig.ruby, "--disable-gems", "-I#{File.join(SpecTools::ROOT, 'ruby/lib')}", "-e", code], &:read)
    expect(output).to eq('[1,"a",null]{"a":1.5}String"b"')
  end

  it "refuses options that nobody knows" do
    expect { generate([], foo: 1) }.to raise_error(ArgumentError)
    expect { generate([], "indent" => " ") }.to raise_error(ArgumentError)
  end

  describe "dump and write" do
    it "dump allows NaN and any nesting, and writes to an IO" do
      expect(Packhorse::JSON.dump([Float::NAN])).to eq("[NaN]")
      io = StringIO.new
      expect(Packhorse::JSON.dump([1], io)).to equal(io)
      expect(io.string).to eq("[1]")
      expect { Packhorse::JSON.dump([[[1]]], 2) }.to raise_error(ArgumentError, "exceed depth limit")
    end

    it "write keeps memory bounded" do
      sizes = []
      sink = Object.new
      sink.define_singleton_method(:write) { |text| sizes << text.bytesize }
      big = Array.new(300_000) { |i| i }
      expect(Packhorse::JSON.write({ "a" => big, "b" => big.to_h { |i| [i.to_s, i] } }, sink)).to be_nil
      expect(sizes.max).to be < 70_000
      expect(sizes.sum).to be > 4_000_000
    end
  end
end
