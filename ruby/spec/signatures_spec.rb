# frozen_string_literal: true

require_relative "spec_helper"
require "packhorse/json"
require "open3"

RSpec.describe "the signatures in sig/" do
  before do
    require "rbs"
    skip "rbs is older than 3, which first knew names for modules" if Gem::Version.new(RBS::VERSION) < Gem::Version.new("3.0")
  rescue LoadError
    skip "rbs is not installed"
  end

  let(:folder) { File.join(SpecTools::ROOT, "ruby/sig") }

  it "are valid RBS" do
    script = 'require "rbs"; require "rbs/cli"; RBS::CLI.new(stdout: $stdout, stderr: $stderr).run(ARGV)'
    output, status = Open3.capture2e(RbConfig.ruby, "-W0", "-e", script, "--", "-I", folder, "validate", "--silent")
    expect(status).to be_success, output
  end

  # Every public method that the library defines is in them, and none that it does not define.
  it "name the methods that there are" do
    loader = RBS::EnvironmentLoader.new
    loader.add(path: Pathname(folder))
    builder = RBS::DefinitionBuilder.new(env: RBS::Environment.from_loader(loader).resolve_type_names)
    {
      Packhorse::Packer => "Packer", Packhorse::Unpacker => "Unpacker", Packhorse::Buffer => "Buffer", Packhorse::Factory => "Factory",
      Packhorse::Factory::Pool => "Factory::Pool", Packhorse::Timestamp => "Timestamp", Packhorse::JSON::State => "JSON::State",
      Packhorse::JSON::Stream => "JSON::Stream", Packhorse::JSON::ParserError => "JSON::ParserError"
    }.each do |klass, name|
      namespace = RBS::Namespace.parse("::Packhorse::#{name}".sub(/[^:]+\z/, ""))
      type = RBS::TypeName.new(name: name.split("::").last.to_sym, namespace: namespace)
      declared = builder.build_instance(type).methods.select { |_, method| method.defined_in == type && method.public? }.keys - [:initialize]
      defined = klass.public_instance_methods(false) - %i[initialize_copy freeze pretty_print]
      expect(declared.sort).to eq(defined.sort), "#{klass}: #{(declared - defined) | (defined - declared)}"
    end
  end
end
