# frozen_string_literal: true

require "packhorse/registered_types"

module Packhorse
  # What Ruby adds to Factory of the extension: registering ext types, and what is registered.
  class Factory
    DEFAULT_METHODS = { packer: :to_msgpack_ext, unpacker: :from_msgpack_ext }.freeze
    private_constant :DEFAULT_METHODS

    # Registers an ext type id (-128 to 127) for a class or module.
    #
    # packer:: a method name, or what answers call: object to payload; nil for reading only
    # unpacker:: a method name of the class, or what answers call: payload to object; nil for writing only
    # recursive:: the packer is also given the Packer to write its payload to, the unpacker an Unpacker
    #             over the payload
    # oversized_integer_extension:: for Integer: used for what does not fit in 64 bits
    # optimized_symbols_parsing:: for Symbol: the payload is the name, no unpacker is called
    def register_type(type, klass, options = DEFAULT_METHODS)
      raise FrozenError, "can't modify frozen #{self.class}" if frozen?
      raise ArgumentError, "expected Module/Class but found #{klass.class}" unless klass.is_a?(Module)

      options ||= {}
      if options[:oversized_integer_extension] && klass != Integer
        raise ArgumentError, "oversized_integer_extension: true is only for Integer class"
      end

      flags = 0
      flags |= RECURSIVE if options[:recursive]
      flags |= OVERSIZED_INTEGER if options[:oversized_integer_extension]
      flags |= SYMBOL if options[:optimized_symbols_parsing]
      register_type_internal(type, klass, packer_proc(options[:packer]),
                             unpacker_proc(options[:unpacker], klass), flags)
    end

    # Hashes with type, class, packer and unpacker, sorted by type. selector: :both, :packer, :unpacker.
    def registered_types(selector = :both)
      packers, unpackers = registered_types_internal
      list =
        case selector
        when :both then both_types(packers, unpackers)
        when :packer then RegisteredTypes.packers(packers)
        when :unpacker then RegisteredTypes.unpackers(unpackers)
        else raise ArgumentError, "invalid selector #{selector}"
        end
      RegisteredTypes.sort(list)
    end

    # Whether a class (or its ancestor) or an ext type id is registered.
    def type_registered?(klass_or_type, selector = :both)
      RegisteredTypes.include?(registered_types(selector), klass_or_type)
    end

    # A Pool of packers and unpackers with the types registered so far.
    def pool(size = 1, **options)
      Pool.new(frozen? ? self : dup.freeze, size, options.empty? ? nil : options)
    end

    private

    def packer_proc(packer)
      case packer
      when nil, Proc then packer
      when String, Symbol then packer.to_sym.to_proc
      else callable_proc(packer, :packer)
      end
    end

    def unpacker_proc(unpacker, klass)
      case unpacker
      when nil, Proc then unpacker
      when String, Symbol then klass.method(unpacker).to_proc
      else callable_proc(unpacker, :unpacker)
      end
    end

    def callable_proc(callable, name)
      return callable.to_proc if callable.is_a?(Method)
      return callable.method(:call).to_proc if callable.respond_to?(:call)

      raise ::TypeError, "expected :#{name} argument to be a callable object, got: #{callable.inspect}"
    end

    def both_types(packers, unpackers)
      list = packers.map do |klass, (type, packer)|
        unpacker = unpackers.delete(type)
        { type: type, class: klass, packer: packer, unpacker: unpacker && unpacker[1] }
      end
      list + RegisteredTypes.unpackers(unpackers).map { |entry| { packer: nil, **entry } }
    end
  end
end

require "packhorse/pool"
