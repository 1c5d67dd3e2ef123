# frozen_string_literal: true

module Packhorse
  module JSON
    # What all exceptions of this module have above them.
    class JSONError < StandardError; end

    # Text that is no JSON.
    class ParserError < JSONError
      include Located

      # @return [Integer] from 1
      attr_reader :line
      # @return [Integer] from 1, in code points
      attr_reader :column
    end

    # More containers inside each other than `max_nesting`.
    class NestingError < ParserError; end

    # What JSON has no form for.
    class GeneratorError < JSONError
      # @return [Object]
      attr_reader :invalid_object
    end

    # @param source [String]
    # @param options [Hash]
    # @option options [Boolean] :symbolize_names
    # @option options [Boolean] :freeze everything is frozen, Strings that come again are interned
    # @option options [Integer, false] :max_nesting (100)
    # @option options [Boolean] :allow_nan NaN, Infinity and -Infinity
    # @option options [Boolean] :allow_trailing_comma also allows comments, as does :allow_comments
    # @option options [Boolean] :allow_duplicate_key the last of equal keys wins
    # @option options [Class] :object_class made with new, filled with []=
    # @option options [Class] :array_class made with new, filled with <<
    # @option options [Class] :decimal_class for numbers with a point or an exponent
    # @option options [#call] :on_load called with each value, its result takes the value's place
    # @option options [Boolean] :key_cache (true)
    # @raise [ParserError, NestingError]
    def self.parse(source, options = nil); end

    # @param object [Object]
    # @param options [Hash, State, nil]
    # @option options [String] :indent
    # @option options [String] :space behind colons
    # @option options [String] :space_before before colons
    # @option options [String] :object_nl
    # @option options [String] :array_nl
    # @option options [Integer, false] :max_nesting (100)
    # @option options [Boolean] :allow_nan
    # @option options [Boolean] :strict no to_json, no to_s
    # @option options [#call] :as_json with strict: gives a form for objects that have none
    # @option options [Boolean] :ascii_only
    # @option options [Boolean] :script_safe
    # @option options [Boolean] :sort_keys
    # @option options [Boolean] :allow_duplicate_key
    # @return [String] UTF-8
    # @raise [GeneratorError, NestingError]
    def self.generate(object, options = nil); end

    # {.generate} with line breaks, and two spaces for each level.
    # @return [String]
    def self.pretty_generate(object, options = nil); end

    # {.generate} into an IO, keeping no more than a piece of the text.
    # @return [nil]
    def self.write(object, io, options = nil); end
  end
end
