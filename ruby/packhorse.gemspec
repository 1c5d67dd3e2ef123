# frozen_string_literal: true

require_relative "lib/packhorse/version"

Gem::Specification.new do |spec|
  spec.name = "packhorse"
  spec.version = Packhorse::RELEASE
  spec.summary = "MessagePack and JSON over one C core"
  spec.description = "Reads and writes MessagePack with the interface of the msgpack gem, and JSON with that of " \
                     "the json gem, over a C core that is shared with other languages."
  spec.license = "MIT"
  spec.authors = ["The Packhorse authors"]
  spec.required_ruby_version = ">= 3.1"
  spec.extensions = ["ext/packhorse/extconf.rb"]
  spec.require_paths = ["lib"]
  # ext/packhorse/core is the copy of the core that package.sh makes; it is never committed.
  spec.files = Dir.chdir(__dir__) do
    Dir["lib/**/*.rb", "sig/**/*.rbs", "ext/packhorse/extconf.rb", "ext/packhorse/**/*.{c,h}", "README.md", "LICENSE"]
  end
  spec.extra_rdoc_files = ["README.md"]
  spec.metadata = { "rubygems_mfa_required" => "true" }
end
