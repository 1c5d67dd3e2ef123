# frozen_string_literal: true

require_relative "../spec_helper"
require "open3"

# In processes of their own: Ractors warn, and stay.
RSpec.describe "Ractors" do
  def ruby(code)
    lib = File.join(SpecTools::ROOT, "ruby/lib")
    output, status = Open3.capture2e(RbConfig.ruby, "-W0", "-I#{lib}", "-rpackhorse/msgpack", "-e", <<~RUBY)
      def value_of(ractor) = ractor.respond_to?(:value) ? ractor.value : ractor.take
      #{code}
    RUBY
    expect(status).to be_success, output
    output
  end

  it "pack and unpack, all at once" do
    expect(ruby(<<~RUBY)).to eq("ok")
      object = Ractor.make_shareable([1, "text", { "key" => [1.5, nil], "other" => "x" * 300 }, 2**64 - 1])
      ractors = Array.new(4) do
        Ractor.new(object) do |given|
          2000.times.all? do
            data = MessagePack.pack(given)
            MessagePack.unpack(data) == given && MessagePack.unpack(data, freeze: true) == given &&
              MessagePack.unpack(data, symbolize_keys: true)[2][:key] == [1.5, nil]
          end
        end
      end
      raise "different" unless ractors.all? { |ractor| value_of(ractor) }
      print "ok"
    RUBY
  end

  it "use packers, unpackers, factories and pools of their own" do
    expect(ruby(<<~RUBY)).to eq("ok")
      result = value_of(Ractor.new do
        factory = MessagePack::Factory.new
        factory.register_type(0, Symbol)
        unpacker = factory.unpacker
        unpacker.feed(factory.packer.write([:a, { b: 1 }]).to_s)
        pool = factory.pool
        [unpacker.read, pool.load(pool.dump(:c)), [1].to_msgpack, factory.load(factory.dump(:d))]
      end)
      raise result.inspect unless result == [[:a, { b: 1 }], :c, "\\x91\\x01".b, :d]
      print "ok"
    RUBY
  end

  it "share a factory that was made shareable" do
    expect(ruby(<<~RUBY)).to eq("ok")
      factory = MessagePack::Factory.new
      factory.register_type(0, Symbol, packer: :name, unpacker: :from_msgpack_ext, optimized_symbols_parsing: true)
      FACTORY = Ractor.make_shareable(factory)
      raise "not shareable" unless Ractor.shareable?(FACTORY)
      results = Array.new(3) { Ractor.new { Array.new(500) { FACTORY.load(FACTORY.dump([:a, 1])) }.uniq } }
      raise "different" unless results.all? { |ractor| value_of(ractor) == [[:a, 1]] }
      print "ok"
    RUBY
  end

  it "are told when a proc can not be called in them" do
    expect(ruby(<<~RUBY)).to eq("ok")
      state = []
      MessagePack::DefaultFactory.register_type(5, Time, packer: ->(_) { state << 1; "x" }, unpacker: ->(_) { state << 1 })
      error = value_of(Ractor.new do
        MessagePack.unpack("\\xD4\\x05x".b)
      rescue => e
        e.class.name
      end)
      raise error.inspect unless error == "Ractor::IsolationError"
      print "ok"
    RUBY
  end
end
