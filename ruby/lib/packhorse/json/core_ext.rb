# frozen_string_literal: true

module Packhorse
  module JSON
    # to_json for the classes that JSON has a form for, and the text of other objects. Classes that have
    # one already (of the json gem, or of their own) keep it.
    module CoreExt
      def to_json(state = nil, *)
        options = state.respond_to?(:to_h) ? JSON::State.from_state(state).to_h : nil
        JSON.generate(self, options)
      end
    end

    # For every other object: the text that to_s gives.
    module ObjectExt
      def to_json(state = nil, *)
        to_s.to_json(state)
      end
    end
  end
end

[Hash, Array, String, Symbol, Integer, Float, NilClass, TrueClass, FalseClass].each do |klass|
  klass.include(Packhorse::JSON::CoreExt) unless klass.method_defined?(:to_json)
end
Object.include(Packhorse::JSON::ObjectExt) unless Object.method_defined?(:to_json)
