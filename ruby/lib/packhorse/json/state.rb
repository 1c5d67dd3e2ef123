# frozen_string_literal: true

module Packhorse
  module JSON
    # The options of a generation, as to_json methods get them: pass it on to generate what is inside.
    class State
      FIELDS = %i[indent space space_before object_nl array_nl max_nesting depth allow_nan ascii_only script_safe
                  strict as_json sort_keys allow_duplicate_key].freeze
      private_constant :FIELDS

      # @!attribute [rw] indent
      #   @return [String, nil] of one level
      # @!attribute [rw] space
      #   @return [String, nil] behind a colon
      # @!attribute [rw] space_before
      #   @return [String, nil] in front of a colon
      # @!attribute [rw] object_nl
      #   @return [String, nil] in front of each key, and of the brace that closes
      # @!attribute [rw] array_nl
      #   @return [String, nil] in front of each element, and of the bracket that closes
      # @!attribute [rw] max_nesting
      #   @return [Integer, nil] containers that may be inside each other; 0: no limit
      # @!attribute [rw] depth
      #   @return [Integer] containers that are open
      # @!attribute [rw] allow_nan
      #   @return [Boolean, nil] whether NaN and the infinities are written as words
      # @!attribute [rw] ascii_only
      #   @return [Boolean, nil] whether all but ASCII is escaped
      # @!attribute [rw] script_safe
      #   @return [Boolean, nil] whether slashes and U+2028, U+2029 are escaped
      # @!attribute [rw] strict
      #   @return [Boolean, nil] whether only what JSON has a form for is accepted
      # @!attribute [rw] as_json
      #   @return [Proc, nil] called, when strict, for what JSON has no form for
      # @!attribute [rw] sort_keys
      #   @return [Boolean, nil] whether keys are sorted
      # @!attribute [rw] allow_duplicate_key
      #   @return [Boolean, nil] whether keys may have the same text
      FIELDS.each { |field| attr_accessor field }

      # The State in `options`, or one of them.
      def self.from_state(options)
        options.is_a?(self) ? options : new(options.respond_to?(:to_h) ? options.to_h : nil)
      end

      def initialize(options = nil)
        @depth = 0
        configure(options) if options
      end

      # Sets options from a Hash or what has to_h.
      def configure(options)
        options.to_h.each { |name, value| public_send(:"#{name}=", value) if FIELDS.include?(name.to_sym) }
        self
      end
      alias merge configure

      # The text of an object, or its text written to io.
      def generate(object, io = nil)
        io ? JSON.write(object, io, to_h) : JSON.generate(object, to_h)
      end

      # Only what was set.
      def to_h
        FIELDS.each_with_object({}) do |name, hash|
          value = public_send(name)
          hash[name] = value unless value.nil?
        end
      end
      alias to_hash to_h

      # The option called name.
      def [](name)
        public_send(name)
      end

      # Sets the option called name.
      def []=(name, value)
        public_send(:"#{name}=", value)
      end

      alias allow_nan? allow_nan
      alias ascii_only? ascii_only
      alias script_safe? script_safe
      alias strict? strict
    end
  end
end
