# frozen_string_literal: true

require "packhorse/registered_types"

module Packhorse
  # What Ruby adds to Unpacker of the extension: registering ext types, and what is registered.
  class Unpacker
    undef_method :dup
    undef_method :clone

    # Registers an ext type: register_type(id) { |payload| ... } or register_type(id, class, :method).
    def register_type(type, klass = nil, method_name = nil, &block)
      if klass && method_name
        block = klass.method(method_name).to_proc
      elsif block.nil?
        raise ArgumentError, "register_type takes either 3 arguments or a block"
      end
      register_type_internal(type, klass, block)
    end

    # Hashes with type, class and unpacker, sorted by type.
    def registered_types
      RegisteredTypes.sort(RegisteredTypes.unpackers(registered_types_internal))
    end

    # Whether a class (or its ancestor) or an ext type id is registered.
    def type_registered?(klass_or_type)
      RegisteredTypes.include?(registered_types, klass_or_type)
    end
  end
end
