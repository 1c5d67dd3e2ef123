# frozen_string_literal: true

module Packhorse
  class Factory
    # Packers and unpackers that are used again. Thread safe.
    class Pool
      # At most `size` idle members; more are made when all are in use.
      class MemberPool # :nodoc:
        def initialize(size, &new_member)
          @size = size
          @new_member = new_member
          @idle = []
        end

        # Array#pop and Array#push are atomic under the lock of MRI.
        def with
          member = @idle.pop || @new_member.call
          begin
            yield member
          ensure
            member.reset
            @idle.push(member) if @idle.size < @size
          end
        end
      end

      def initialize(factory, size, options = nil)
        options = nil if options && options.empty?
        @factory = factory
        @options = options
        @packers = MemberPool.new(size) { factory.packer(options).freeze }
        @unpackers = MemberPool.new(size) { factory.unpacker(options).freeze }
      end

      # One object from a String. Needs no member of the pool: a whole call makes no unpacker.
      def load(data)
        @factory.load(data, @options)
      end

      # The bytes of one object.
      def dump(object)
        @factory.dump(object, nil, @options)
      end

      # Yields an Unpacker, which is reset afterwards.
      def unpacker(&block)
        @unpackers.with(&block)
      end

      # Yields a Packer, which is reset afterwards.
      def packer(&block)
        @packers.with(&block)
      end
    end
  end
end
