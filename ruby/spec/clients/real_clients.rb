# frozen_string_literal: true

# The programs themselves on this library: bootsnap's compile cache, and Rails' MessagePack serializer and
# cache store. Run by ruby/clients.sh where their gems are installed; says which are not.
require "tmpdir"
require "fileutils"

abort "clients: msgpack is not Packhorse" unless require("msgpack") && MessagePack.equal?(Packhorse)

def check(label)
  raise "clients: #{label} failed" unless yield

  puts "ok: #{label}"
end

def have?(feature)
  require feature
  true
rescue LoadError => e
  puts "not installed: #{feature} (#{e.message})"
  false
end

def bootsnap
  require "bootsnap/compile_cache"
  require "bootsnap/compile_cache/yaml"
  has_json = have?("bootsnap/compile_cache/json")
  Dir.mktmpdir do |folder|
    yaml = File.join(folder, "config.yml")
    File.write(yaml, "a: 1\nb: [x, 2.5, null, true]\nc: {d: \":sym\", e: text}\n")
    Bootsnap::CompileCache.setup(cache_dir: File.join(folder, "cache"), iseq: false, yaml: true, readonly: false, revalidation: false,
                                 **(has_json ? { json: true } : {}))
    expected = { "a" => 1, "b" => ["x", 2.5, nil, true], "c" => { "d" => ":sym", "e" => "text" } }
    2.times { |i| check("bootsnap YAML, #{i.zero? ? 'filling' : 'using'} its cache") { YAML.unsafe_load_file(yaml) == expected } }
    check("bootsnap YAML, frozen and symbolized") do
      tree = YAML.unsafe_load_file(yaml, symbolize_names: true, freeze: true)
      tree[:b].frozen? && tree[:c][:e].equal?(-"text")
    end
    if has_json
      json = File.join(folder, "config.json")
      File.write(json, '{"a":[1,{"b":"text"}]}')
      2.times { |i| check("bootsnap JSON, #{i.zero? ? 'filling' : 'using'} its cache") { JSON.load_file(json) == { "a" => [1, { "b" => "text" }] } } }
    end
    cached = Dir[File.join(folder, "cache*", "**", "*")].select { |path| File.file?(path) }
    check("bootsnap wrote its cache") { cached.any? }
  end
end

def rails
  require "active_support/all"
  require "active_support/message_pack"
  serializer = ActiveSupport::MessagePack
  object = { "a" => [1, :sym, 2**80, 1.5, "text", nil], b: Set[1, 2], "time" => Time.utc(2024, 1, 2, 3, 4, 5.5r), "date" => Date.new(2024, 5, 6),
             "range" => 1..9, "big" => BigDecimal("1.25"), "rational" => 1/3r, "complex" => Complex(1, 2), "duration" => 3.hours,
             "hash" => ActiveSupport::HashWithIndifferentAccess.new("k" => { "l" => 1 }), "uri" => URI("http://example.com/"),
             "path" => Pathname.new("/tmp"), "zone" => ActiveSupport::TimeZone["UTC"] }
  check("ActiveSupport::MessagePack round trip") { serializer.load(serializer.dump(object)) == object }
  check("ActiveSupport::MessagePack.signature?") { serializer.signature?(serializer.dump([1])) }
  check("ActiveSupport::MessagePack refuses the unserializable") do
    serializer.dump(Object.new)
    false
  rescue ActiveSupport::MessagePack::UnserializableObjectError
    true
  end
  Dir.mktmpdir do |folder|
    store = ActiveSupport::Cache::FileStore.new(folder, serializer: :message_pack)
    store.write("key", object)
    check("cache store with the message_pack serializer") { store.read("key") == object }
    check("cache store, fetch and multi") do
      store.fetch("other") { [1, "two"] } && store.read_multi("key", "other") == { "key" => object, "other" => [1, "two"] }
    end
  end
  verifier = ActiveSupport::MessageVerifier.new("secret", serializer: :message_pack)
  check("message verifier with the message_pack serializer") { verifier.verify(verifier.generate(object)) == object }
end

bootsnap if have?("bootsnap")
rails if have?("active_support")
