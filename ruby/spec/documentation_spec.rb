# frozen_string_literal: true

require_relative "spec_helper"
require "packhorse/json"

# The comments in lib/ and doclib/: every public method has one.
RSpec.describe "the documentation" do
  def documented
    files = Dir[File.join(SpecTools::ROOT, "ruby/{lib,doclib}/packhorse/**/*.rb")]
    files.flat_map { |file| File.read(file).scan(/^\s*(?:def (?:self\.)?|alias |attr_(?:reader|accessor) :)([^\s(;,]+)/).flatten }
  end

  it "covers the classes that the extension defines" do
    names = documented
    [Packhorse::Packer, Packhorse::Unpacker, Packhorse::Buffer, Packhorse::Factory, Packhorse::Timestamp, Packhorse::Located,
     Packhorse::LocatedObject, Packhorse::ExtensionValue].each do |klass|
      missing = klass.public_instance_methods(false).map(&:to_s) - names - %w[initialize_copy freeze type= payload= pretty_print]
      expect(missing).to be_empty, "#{klass}: #{missing.join(', ')}"
    end
    missing = (Packhorse::JSON.singleton_methods(false) - %i[dump load]).map(&:to_s) - names
    expect(missing).to be_empty
  end

  it "speaks of no method that is not there" do
    { "packer" => Packhorse::Packer, "unpacker" => Packhorse::Unpacker, "buffer" => Packhorse::Buffer, "factory" => Packhorse::Factory }
      .each do |file, klass|
      text = File.read(File.join(SpecTools::ROOT, "ruby/doclib/packhorse/#{file}.rb"))
      names = text.scan(/^    (?:def|alias) ([^\s(;]+)/).flatten - ["initialize"]
      expect(names - klass.public_instance_methods(false).map(&:to_s)).to be_empty
    end
  end
end
