# frozen_string_literal: true

require_relative "../../lib/packhorse/version"

# Satisfies `gem "msgpack"` with Packhorse: for programs whose own code, or whose gems, require msgpack.
# Not published: put its folder into the Gemfile (gem "msgpack", path: "..."), or its lib on the load path.
# The version is above that of the gem it stands for, so that it is chosen where both are installed.
Gem::Specification.new do |spec|
  spec.name = "msgpack"
  spec.version = "#{Packhorse::MSGPACK_VERSION}.1"
  spec.summary = "Loads packhorse where msgpack is required"
  spec.license = "MIT"
  spec.authors = ["The Packhorse authors"]
  spec.required_ruby_version = ">= 3.1"
  spec.require_paths = ["lib"]
  spec.files = Dir.chdir(__dir__) { Dir["lib/**/*.rb"] }
  spec.add_dependency "packhorse", ">= 0.1.0"
end
