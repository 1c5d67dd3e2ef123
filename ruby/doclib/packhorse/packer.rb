# frozen_string_literal: true

module Packhorse
  # Packs one object after another into a buffer, or to an IO.
  class Packer
    # @param io [#write, #<<, nil] written to by {#flush}, and when 32 KiB wait
    # @param options [Hash] `compatibility_mode`, `io_buffer_size`
    def initialize(io = nil, options = nil); end

    # @return [Boolean]
    def compatibility_mode?; end

    # @return [Buffer] the bytes that were written; changes to it are changes to the packer
    def buffer; end

    # Packs any object; see {Packhorse.pack}.
    # @return [self]
    def write(object); end
    alias pack write

    # @return [self]
    def write_nil; end

    # @return [self]
    def write_true; end

    # @return [self]
    def write_false; end

    # As a float 64.
    # @param number [Numeric]
    # @return [self]
    def write_float(number); end

    # As a float 32: what it can not hold is rounded.
    # @param number [Numeric]
    # @return [self]
    # @raise [ArgumentError] for other objects
    def write_float32(number); end

    # @param string [String] binary ones become bin, others str in UTF-8
    # @return [self]
    def write_string(string); end

    # As bin. Strings that are not binary are transcoded, which fails beyond ASCII.
    # @param string [String]
    # @return [self]
    def write_bin(string); end

    # @param array [Array]
    # @return [self]
    def write_array(array); end

    # @param hash [Hash]
    # @return [self]
    def write_hash(hash); end

    # As its name, whatever is registered for Symbol.
    # @param symbol [Symbol]
    # @return [self]
    def write_symbol(symbol); end

    # @param integer [Integer]
    # @return [self]
    def write_int(integer); end

    # @param value [ExtensionValue]
    # @return [self]
    def write_extension(value); end

    # @param type [Integer] -128 to 127
    # @param payload [String]
    # @return [self]
    def write_ext(type, payload); end

    # The header of an Array; as many values have to follow.
    # @param count [Integer] 0 to 2^32 - 1
    # @return [self]
    # @raise [RangeError]
    def write_array_header(count); end

    # The header of a Hash; as many keys and values have to follow, alternating.
    # @param count [Integer] pairs
    # @return [self]
    # @raise [RangeError]
    def write_map_header(count); end

    # The header of a bin; as many bytes have to follow, through {#buffer}.
    # @param count [Integer]
    # @return [self]
    # @raise [RangeError]
    def write_bin_header(count); end

    # Writes what waits to the IO.
    # @return [self]
    def flush; end

    # Forgets what was written.
    # @return [nil]
    def reset; end
    alias clear reset

    # @return [Integer] bytes that wait
    def size; end

    # @return [Boolean]
    def empty?; end

    # @return [String] the bytes that wait, which stay
    def to_s; end
    alias to_str to_s

    # @return [Array<String>] the same in pieces
    def to_a; end

    # Moves the bytes to an IO.
    # @return [Integer] how many
    def write_to(io); end

    # The bytes, which are then forgotten; with an IO: {#flush}.
    # @return [String, nil]
    def full_pack; end
  end
end
