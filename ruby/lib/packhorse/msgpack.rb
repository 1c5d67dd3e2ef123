# frozen_string_literal: true

# The module under the name that programs written for the msgpack gem use. When nothing has loaded
# packhorse before, MessagePack is its first name, so that classes are called MessagePack::Factory in
# messages and in marshalled data, as those programs expect.
if defined?(MessagePack)
  unless defined?(Packhorse) && MessagePack.equal?(Packhorse)
    raise LoadError, "packhorse/msgpack: MessagePack is already defined, probably by the msgpack gem"
  end
elsif defined?(Packhorse)
  # The same module.
  MessagePack = Packhorse
else
  # {Packhorse}, under the name that programs written for the msgpack gem use.
  module MessagePack
  end
  Packhorse = MessagePack
end

require "packhorse"
