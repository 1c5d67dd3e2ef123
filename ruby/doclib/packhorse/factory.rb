# frozen_string_literal: true

module Packhorse
  # Ext types, and packers and unpackers that know them.
  class Factory
    # @return [Packer] see {Packer#initialize}
    def packer(io = nil, options = nil); end

    # @return [Unpacker] see {Unpacker#initialize}
    def unpacker(io = nil, options = nil); end

    # {Packhorse.pack} with these types.
    # @return [String, nil]
    def dump(object, io = nil, options = nil); end
    alias pack dump

    # {Packhorse.unpack} with these types.
    def load(source, options = nil); end
    alias unpack load
  end
end
