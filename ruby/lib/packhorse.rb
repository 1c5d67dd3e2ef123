# frozen_string_literal: true

require "packhorse/version"

# The extension for this version of Ruby: built in place, or by the installed gem.
begin
  require "packhorse/#{RUBY_VERSION[/\A\d+\.\d+/]}/packhorse"
rescue LoadError
  require "packhorse/packhorse"
end

require "packhorse/buffer"
require "packhorse/packer"
require "packhorse/unpacker"
require "packhorse/factory"
require "packhorse/symbol"
require "packhorse/timestamp"
require "packhorse/time"
require "packhorse/core_ext"

# MessagePack (and JSON, see packhorse/json) over one C core. The interface is that of the msgpack gem:
#
#   Packhorse.unpack(Packhorse.pack({ "answer" => 42 })) # => {"answer"=>42}
#
# require "packhorse/msgpack" to have it under the name MessagePack.
module Packhorse
end
