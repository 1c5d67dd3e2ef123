# frozen_string_literal: true

module Packhorse
  module JSON
    # The JSON values of an IO one after another, with or without white space between them (lines of
    # JSON, for instance). Keeps no more than the value that is being read, and what was read with it.
    class Stream
      include Enumerable

      # io answers readpartial or read; options are those of parse.
      def initialize(io, options = nil, piece: 32_768)
        @io = io
        @options = options
        @piece = piece
        @buffer = String.new(encoding: Encoding::BINARY)
        @offset = 0
        @dropped = 0
        @ended = false
      end

      # Yields each value. ParserError when one is malformed, or cut off by the end.
      def each
        return enum_for(:each) unless block_given?

        while skip_space
          yield next_value
        end
        self
      end

      private

      # Whether there is a value.
      def skip_space
        loop do
          at = @buffer.index(/[^ \t\r\n]/n, @offset)
          if at
            @offset = at
            return true
          end
          @offset = @buffer.bytesize
          return false unless read_more
        end
      end

      # Tries again when the text has doubled, so that a long value costs no more than twice its size.
      def next_value
        wanted = 0
        loop do
          if @buffer.bytesize - @offset >= wanted || @ended
            value, behind = JSON.send(:parse_next, @buffer, @offset, @ended, @dropped, @options)
            if behind
              @offset = behind
              return value
            end
            wanted = 2 * (@buffer.bytesize - @offset)
          end
          read_more
        end
      end

      def read_more
        return false if @ended

        piece = @io.respond_to?(:readpartial) ? @io.readpartial(@piece) : @io.read(@piece)
        @ended = piece.nil? || piece.empty?
        drop_what_was_read
        @buffer << piece.dup.force_encoding(Encoding::BINARY) unless @ended
        !@ended
      rescue EOFError
        @ended = true
        false
      end

      def drop_what_was_read
        return if @offset.zero?

        @buffer = @buffer.byteslice(@offset..)
        @dropped += @offset
        @offset = 0
      end
    end

    # Yields each JSON value of an IO; without a block an Enumerator.
    def self.each_value(io, options = nil, &block)
      stream = Stream.new(io, options)
      block ? stream.each(&block) : stream.each
    end
  end
end
