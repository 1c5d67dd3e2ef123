# frozen_string_literal: true

module Packhorse
  # to_msgpack for the classes that pack natively.
  module CoreExt
    # The bytes as a String; with a Packer: writes to it and returns it; with an IO: writes to it and
    # returns nil.
    def to_msgpack(packer_or_io = nil)
      if packer_or_io.nil?
        Packhorse.pack(self)
      elsif packer_or_io.respond_to?(:write_map_header)
        to_msgpack_with_packer(packer_or_io)
      else
        Packhorse.pack(self, packer_or_io)
      end
    end
  end
end

{
  NilClass => :write_nil, TrueClass => :write_true, FalseClass => :write_false, Integer => :write_int,
  Float => :write_float, String => :write_string, Symbol => :write_symbol, Array => :write_array,
  Hash => :write_hash, Packhorse::ExtensionValue => :write_extension
}.each do |klass, writer|
  klass.class_eval do
    include Packhorse::CoreExt

    if %i[write_nil write_true write_false].include?(writer)
      class_eval("def to_msgpack_with_packer(packer) = (packer.#{writer}; packer)", __FILE__, __LINE__)
    else
      class_eval("def to_msgpack_with_packer(packer) = (packer.#{writer}(self); packer)", __FILE__, __LINE__)
    end
    private :to_msgpack_with_packer
  end
end
