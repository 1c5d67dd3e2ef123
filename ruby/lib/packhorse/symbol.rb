# frozen_string_literal: true

# Symbols as an ext type.
class Symbol
  # The payload of a Symbol registered as an ext type: its name.
  alias_method :to_msgpack_ext, :name unless method_defined?(:to_msgpack_ext)

  unless respond_to?(:from_msgpack_ext)
    # The Symbol of a payload: UTF-8 if it is that, otherwise binary.
    def self.from_msgpack_ext(data)
      name = data.dup.force_encoding(Encoding::UTF_8)
      name.force_encoding(Encoding::BINARY) unless name.valid_encoding?
      name.to_sym
    end
  end
end
