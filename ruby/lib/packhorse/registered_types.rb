# frozen_string_literal: true

module Packhorse
  # Lists of registered ext types.
  # @private
  module RegisteredTypes
    module_function

    # By class, as Packers keep them.
    def packers(found)
      found.map { |klass, (type, packer)| { type: type, class: klass, packer: packer } }
    end

    # By type, as Unpackers keep them.
    def unpackers(found)
      found.map { |type, (klass, unpacker)| { type: type, class: klass, unpacker: unpacker } }
    end

    def sort(list)
      list.sort_by { |entry| entry[:type] }
    end

    # Whether a class (or its ancestor) or an ext type id is in the list.
    def include?(list, class_or_type)
      case class_or_type
      when Class
        list.any? { |entry| entry[:class] && class_or_type <= entry[:class] }
      when Integer
        list.any? { |entry| entry[:type] == class_or_type }
      else
        raise ArgumentError, "expected a class or an ext type id, got: #{class_or_type.inspect}"
      end
    end
  end
  private_constant :RegisteredTypes
end
