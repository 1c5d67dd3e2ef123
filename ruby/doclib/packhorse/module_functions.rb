# frozen_string_literal: true

module Packhorse
  # The bytes of one object.
  # @param object [Object] nil, true, false, Integer, Float, String, Symbol, Array, Hash, what a registered ext
  #   type packs, or what answers `to_msgpack(packer)`
  # @param io [#write, nil] where to write instead
  # @param options [Hash] `compatibility_mode`: no bin and no str 8, as in the format of 2012
  # @return [String, nil] binary; nil with io
  # @raise [NoMethodError] for objects that can not be packed: a {LocatedObject}, as the next two
  # @raise [RangeError] for Integers beyond 64 bits
  # @raise [StackError] for more than 1,024 containers inside each other
  def self.pack(object, io = nil, options = nil); end

  # The object of some bytes; nothing may follow it.
  # @param source [String, #readpartial, #read]
  # @param options [Hash] those of {Unpacker#initialize}
  # @raise [EOFError] when the bytes end too early: a {TruncatedError}
  # @raise [MalformedFormatError, StackError, UnknownExtTypeError, LimitError] all with `offset` and `path`
  def self.unpack(source, options = nil); end

  # Where it failed: part of every exception of this library. Exceptions of ext procs and other user code
  # pass as they are.
  module Located
    # @return [Integer, nil] bytes from the start of the input, or of the stream, to the value that failed;
    #   nil where an object could not be packed
    def offset; end

    # @return [String, nil] "$" for the value itself, "$[2]" for an element, "$.name" for the value of a key
    def path; end
  end

  # Part of exceptions about an object that could not be packed, or generated as JSON: a NoMethodError,
  # RangeError, EncodingError, StackError, JSON::GeneratorError ...
  module LocatedObject
    include Located

    # @return [String] the message, and then the path: "... (at $.users[3].photo)"
    def to_s; end
  end

  # What all exceptions of reading have above them, but the end of the data.
  class UnpackError < StandardError; include Located; end
  # Bytes that are no MessagePack, or more than one value where one is expected.
  class MalformedFormatError < UnpackError; end
  # More containers, or recursive ext types, inside each other than allowed.
  class StackError < UnpackError; end
  # A value beyond one of the limits that were set.
  class LimitError < UnpackError; end
  # A header of another type than asked for; the bytes stay where they are.
  class UnexpectedTypeError < UnpackError; include TypeError; end
  # An ext type that nobody registered.
  class UnknownExtTypeError < UnpackError; end
  # Too few bytes: more may make a value of them.
  class TruncatedError < EOFError; include Located; end
  # What {UnexpectedTypeError} includes, for programs of old.
  module TypeError; end

  # An ext type as it stands: a Struct of type (-128 to 127) and payload.
  class ExtensionValue < Struct
    # @return [Integer]
    attr_accessor :type
    # @return [String]
    attr_accessor :payload
  end

  # Integers of any size as an ext type: a sign byte, then words of 32 bits, the lowest first.
  module Bigint
    # @param integer [Integer]
    # @return [String]
    def self.to_msgpack_ext(integer); end

    # @param payload [String]
    # @return [Integer]
    # @raise [MalformedFormatError]
    def self.from_msgpack_ext(payload); end
  end

  class Timestamp
    # @param payload [String] of 4, 8 or 12 bytes
    # @return [Timestamp]
    # @raise [MalformedFormatError] for another length, or nanoseconds out of range
    def self.from_msgpack_ext(payload); end

    # The shortest payload.
    # @param sec [Integer] seconds since 1970
    # @param nsec [Integer] 0 to 999,999,999
    # @return [String]
    # @raise [RangeError]
    def self.to_msgpack_ext(sec, nsec); end

    # @return [String] the shortest payload
    def to_msgpack_ext; end
  end
end
