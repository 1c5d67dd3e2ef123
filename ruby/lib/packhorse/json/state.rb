# frozen_string_literal: true

module Packhorse
  module JSON
    # The options of a generation, as to_json methods get them: pass it on to generate what is inside.
    class State
      FIELDS = %i[indent space space_before object_nl array_nl max_nesting depth allow_nan ascii_only script_safe
                  strict as_json sort_keys allow_duplicate_key].freeze
      private_constant :FIELDS

      attr_accessor(*FIELDS)

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

      def [](name)
        public_send(name)
      end

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
