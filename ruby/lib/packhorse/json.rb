# frozen_string_literal: true

# Packhorse::JSON: what the extension does not define of the json gem's interface.
require "packhorse"
require "packhorse/json/state"
require "packhorse/json/core_ext"
require "packhorse/json/stream"

module Packhorse
  # JSON over the core, with the interface of the json gem:
  #
  #   Packhorse::JSON.parse('{"a": [1, 2.5]}')     # => {"a"=>[1, 2.5]}
  #   Packhorse::JSON.generate({ "a" => [1, nil] }) # => '{"a":[1,null]}'
  #
  # parse takes symbolize_names, freeze, max_nesting, allow_nan, allow_trailing_comma, allow_comments,
  # allow_duplicate_key, object_class, array_class, decimal_class, on_load and key_cache; generate takes
  # indent, space, space_before, object_nl, array_nl, allow_nan, max_nesting, strict, as_json, ascii_only,
  # script_safe, sort_keys, allow_duplicate_key and depth. ParserError tells line, column, offset and path.
  module JSON
    # The value of the word NaN.
    NaN = Float::NAN
    # The value of the word Infinity.
    Infinity = Float::INFINITY
    # The value of the word -Infinity.
    MinusInfinity = -Float::INFINITY

    LENIENT = { allow_nan: true, max_nesting: false, allow_duplicate_key: true }.freeze
    private_constant :LENIENT

    class << self
      # Parses a String, generates from everything else.
      def [](object, **options)
        object.respond_to?(:to_str) ? parse(object.to_str, options) : generate(object, options)
      end

      # parse for text from a trusted source: any nesting, NaN and infinities.
      def parse!(source, options = nil)
        parse(source, { max_nesting: false, allow_nan: true }.merge(options || {}))
      end

      # Parses a String or what an IO holds; nil and blank text give nil. The proc is called with each
      # value, the innermost first, its result is ignored.
      def load(source, proc = nil, options = nil, allow_blank: true, **keywords)
        proc, options = nil, proc if options.nil? && proc.is_a?(Hash)
        text = text_of(source)
        return nil if allow_blank && (text.nil? || text.strip.empty?)

        value = parse(text, LENIENT.merge(options || {}, keywords))
        visit(value, proc) if proc
        value
      end

      # Parses a file.
      def load_file(path, options = nil)
        parse(File.read(path, encoding: Encoding::UTF_8), options)
      end

      # load_file, accepting NaN and any nesting.
      def load_file!(path, options = nil)
        parse!(File.read(path, encoding: Encoding::UTF_8), options)
      end

      # generate with NaN and any nesting, into an IO if one is given, which is then returned. limit is
      # the nesting that is allowed (ArgumentError beyond).
      def dump(object, io = nil, limit = nil, **options)
        io, limit = nil, io if limit.nil? && io.is_a?(Integer)
        options = { max_nesting: limit || false, allow_nan: true }.merge(options)
        return generate(object, options) if io.nil?

        write(object, io, options)
        io
      rescue NestingError
        raise ArgumentError, "exceed depth limit"
      end

      # Hashes with their keys in the order of the texts that they are written as.
      def sort_keys(hash)
        hash.sort_by { |key, _| key.is_a?(Symbol) ? key.name : key.to_s }.to_h
      end

      private

      def text_of(source)
        if source.respond_to?(:to_str) then source.to_str
        elsif source.respond_to?(:to_io) then source.to_io.read
        elsif source.respond_to?(:read) then source.read
        else source
        end
      end

      def visit(value, proc)
        case value
        when Array then value.each { |element| visit(element, proc) }
        when Hash
          value.each do |key, element|
            visit(key, proc)
            visit(element, proc)
          end
        end
        proc.call(value)
      end
    end
  end
end
