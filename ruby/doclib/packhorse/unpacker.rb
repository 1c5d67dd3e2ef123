# frozen_string_literal: true

module Packhorse
  # Unpacks one value after another, from what is fed or from an IO. Where the bytes end in the middle of
  # a value, every method goes on there once there are more.
  class Unpacker
    # @param io [#readpartial, #read, nil]
    # @param options [Hash]
    # @option options [Boolean] :symbolize_keys text and binary keys become Symbols
    # @option options [Boolean] :freeze everything is frozen, Strings that come again are interned
    # @option options [Boolean] :allow_unknown_ext unregistered ext types become {ExtensionValue}
    # @option options [Boolean] :key_cache (true)
    # @option options [Hash] :limits depth, string_bytes, binary_bytes, array_elements, map_entries, ext_bytes,
    #   buffered_bytes; nil is no limit
    # @option options [Integer] :io_buffer_size (32768) bytes asked of the IO at once
    def initialize(io = nil, options = nil); end

    # @return [Boolean]
    def symbolize_keys?; end

    # @return [Boolean]
    def freeze?; end

    # @return [Boolean]
    def allow_unknown_ext?; end

    # @return [Buffer] the bytes that have not been read
    def buffer; end

    # Appends bytes. Long Strings are kept by reference; changing them afterwards does no harm.
    # @param bytes [String]
    # @return [self]
    def feed(bytes); end
    alias feed_reference feed

    # The next value.
    # @raise [EOFError] when it is not whole yet
    def read; end
    alias unpack read

    # Steps over the next value without making it.
    # @return [nil]
    # @raise [EOFError] when it is not whole yet
    def skip; end

    # Takes a nil.
    # @return [Boolean] whether there was one
    def skip_nil; end

    # Takes the header of an Array; its elements are the next values.
    # @return [Integer] how many
    # @raise [UnexpectedTypeError] for another header, which stays
    def read_array_header; end

    # Takes the header of a Hash; its keys and values are the next values.
    # @return [Integer] how many pairs
    # @raise [UnexpectedTypeError] for another header, which stays
    def read_map_header; end

    # Each value that is whole.
    # @yieldparam value [Object]
    # @return [nil, Enumerator]
    def each; end

    # {#feed} and {#each}.
    # @yieldparam value [Object]
    # @return [nil, Enumerator]
    def feed_each(bytes); end

    # One value; then the unpacker is reset.
    # @raise [MalformedFormatError] when something follows it
    def full_unpack; end

    # Forgets bytes and what was begun.
    # @return [nil]
    def reset; end
  end
end
