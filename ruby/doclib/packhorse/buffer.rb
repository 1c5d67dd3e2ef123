# frozen_string_literal: true

module Packhorse
  # Bytes, first in, first out, with an optional IO that is read from and written to.
  class Buffer
    # @param io [Object, nil]
    # @param options [Hash] `io_buffer_size`
    def initialize(io = nil, options = nil); end

    # Forgets all bytes.
    # @return [nil]
    def clear; end

    # @return [Integer]
    def size; end

    # @return [Boolean]
    def empty?; end

    # @param bytes [String]
    # @return [Integer] how many
    def write(bytes); end

    # @param bytes [String]
    # @return [self]
    def <<(bytes); end

    # Takes up to `count` bytes, or all.
    # @param out [String, nil] what to put them into
    # @return [String, nil] nil at the end
    def read(count = nil, out = nil); end

    # Takes `count` bytes, or all.
    # @return [String]
    # @raise [EOFError] when there are fewer; they stay
    def read_all(count = nil, out = nil); end

    # Drops up to `count` bytes.
    # @return [Integer] how many
    def skip(count); end

    # Drops `count` bytes.
    # @return [self]
    # @raise [EOFError] when there are fewer; they stay
    def skip_all(count); end

    # @return [Object, nil]
    def io; end

    # Writes all bytes to the IO.
    # @return [self]
    def flush; end

    # Closes the IO.
    def close; end

    # Moves all bytes to another IO.
    # @return [Integer] how many
    def write_to(io); end

    # @return [String] all bytes, which stay
    def to_s; end
    alias to_str to_s

    # @return [Array<String>] the same in pieces
    def to_a; end
  end
end
