# frozen_string_literal: true

# Runs the copied specs of the msgpack gem in the current folder and compares the failures with the
# listed exceptions. Arguments: the folder ruby/, options for rspec.
require "json"
require "rbconfig"
require "shellwords"

ruby_folder, options = ARGV
listed = File.readlines(File.join(ruby_folder, "spec/peers/exceptions.txt"), chomp: true)
             .reject { |line| line.empty? || line.start_with?("#") }
             .to_h { |line| line.split("  # ", 2) }

files = Dir["spec/**/*_spec.rb"].sort
command = [RbConfig.ruby, "-I#{ruby_folder}/compat/msgpack/lib", "-I#{ruby_folder}/lib", "-Ispec",
           "-rrspec/core", "-e", "exit RSpec::Core::Runner.run(ARGV)", "--",
           "--format", "json", "--out", "result.json", "--format", "progress", "--order", "defined",
           *Shellwords.split(options.to_s), *files]
system(*command)
abort "peers: rspec did not finish" unless File.file?("result.json")

examples = JSON.parse(File.read("result.json"))["examples"]
abort "peers: no examples were run" if examples.empty?
failed = examples.select { |example| example["status"] == "failed" }.map { |example| example["full_description"] }
unexpected = failed.reject { |name| listed.key?(name) }
outdated = listed.keys.select do |name|
  examples.any? { |example| example["full_description"] == name && example["status"] == "passed" }
end

puts "peers: #{examples.size} examples, #{failed.size} failed, #{(failed - unexpected).size} of them listed"
unexpected.each { |name| puts "  unexpected: #{name}" }
outdated.each { |name| puts "  listed, but passes: #{name}" }
exit(unexpected.empty? && outdated.empty?)
