# frozen_string_literal: true

require "packhorse/registered_types"

module Packhorse
  # What Ruby adds to Packer of the extension: registering ext types, and what is registered.
  class Packer
    undef_method :dup
    undef_method :clone

    # Registers an ext type for a class or module; the block, or the method called method_name on the
    # object, gives the payload.
    def register_type(type, klass, method_name = nil, &block)
      raise ArgumentError, "expected Module/Class got: #{klass.inspect}" unless klass.is_a?(Module)
      unless block || method_name
        raise ArgumentError, "register_type takes either a method name or a block"
      end

      register_type_internal(type, klass, block || method_name.to_proc)
    end

    # Hashes with type, class and packer, sorted by type.
    def registered_types
      RegisteredTypes.sort(RegisteredTypes.packers(registered_types_internal))
    end

    # Whether a class (or its ancestor) or an ext type id is registered.
    def type_registered?(klass_or_type)
      RegisteredTypes.include?(registered_types, klass_or_type)
    end
  end
end
