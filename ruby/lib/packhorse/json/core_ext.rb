# frozen_string_literal: true

module Packhorse
  module JSON
    # to_json for the classes that JSON has a form for, and the text of other objects. Classes that have
    # one already (of the json gem, or of their own) keep it.
    module CoreExt
      # JSON.generate of the object; state: the options, or what answers to_h with them.
      def to_json(state = nil, *)
        options = state.respond_to?(:to_h) ? JSON::State.from_state(state).to_h : nil
        JSON.generate(self, options)
      end
    end

    # For every other object: the text that to_s gives.
    module ObjectExt
      # The text of to_s as a JSON string.
      def to_json(state = nil, *)
        to_s.to_json(state)
      end
    end
  end
end

[Hash, Array, String, Symbol, Integer, Float, NilClass, TrueClass, FalseClass].each do |klass|
  klass.include(Packhorse::JSON::CoreExt) unless klass.method_defined?(:to_json)
end
[Object].each { |klass| klass.include(Packhorse::JSON::ObjectExt) unless klass.method_defined?(:to_json) }
