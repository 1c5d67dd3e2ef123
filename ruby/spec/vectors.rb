# frozen_string_literal: true

# The shared vectors of tests/vectors (see its README) as Ruby objects.
module Vectors
  FOLDER = File.join(SpecTools::ROOT, "tests/vectors")

  # A value that compares exactly: by type, floats by their bits, maps with duplicates.
  Float32 = Struct.new(:number)
  Pairs = Struct.new(:pairs)

  module_function

  def files
    Dir[File.join(FOLDER, "*.json")].sort
  end

  def load(file)
    JSON.parse(File.read(file))["vectors"]
  end

  def bytes(hex)
    hex.split.map do |word|
      digits, times = word.split("*")
      [digits].pack("H*") * (times || 1).to_i
    end.join.b
  end


  # The Ruby object of a value of the vectors.
  def object(value)
    times = value.fetch("times", 1)
    tag, content = value.first
    case tag
    when "nil" then nil
    when "bool" then content
    when "int" then Integer(content)
    when "float32" then Float32.new([content].pack("H*").unpack1("g"))
    when "float64" then [content].pack("H*").unpack1("G")
    when "str" then content * times
    when "bin" then bytes(content)
    when "array" then content.map { |element| object(element) } * times
    when "map" then Pairs.new(content.map { |key, element| [object(key), object(element)] } * times)
    when "ext" then Packhorse::ExtensionValue.new(content, bytes(value["data"]))
    when "timestamp" then Packhorse::Timestamp.new(Integer(content[0]), content[1])
    when "array_depth" then nest(content, value["inner"], [], &:itself)
    when "map_depth" then nest(content, value["inner"], Pairs.new([])) { |(inner)| Pairs.new([["k", inner]]) }
    else raise "unknown tag #{tag}"
    end
  end

  def nest(depth, inner, empty)
    nested = inner ? object(inner) : empty
    (inner ? depth : depth - 1).times { nested = yield([nested]) }
    nested
  end

  # Whether what was read is the value: types and bits included. Not recursive: values are deep.
  def same?(expected, actual)
    work = [[expected, actual]]
    until work.empty?
      left, right = work.pop
      case left
      when Float32 then return false unless same_float?(left.number, right)
      when Float then return false unless same_float?(left, right)
      when Pairs
        return false unless right.is_a?(Hash)

        last = {}
        left.pairs.each { |key, element| last[key_of(key)] = element }
        return false unless last.size == right.size

        right_by_key = right.to_h { |key, element| [key_of(key), element] }
        last.each do |key, element|
          return false unless right_by_key.key?(key)

          work.push([element, right_by_key[key]])
        end
      when Array
        return false unless right.is_a?(Array) && left.size == right.size

        left.each_with_index { |element, index| work.push([element, right[index]]) }
      when String
        return false unless right.is_a?(String) && right.encoding == left.encoding && right.b == left.b
      else
        return false unless left.class == right.class && left == right
      end
    end
    true
  end

  def same_float?(expected, actual)
    return false unless actual.is_a?(Float)

    expected.nan? ? actual.nan? : [expected].pack("G") == [actual].pack("G")
  end

  def key_of(key)
    case key
    when Pairs then key.pairs.to_h { |inner, element| [key_of(inner), key_of(element)] }
    when Hash then key.to_h { |inner, element| [key_of(inner), key_of(element)] }
    when Array then key.map { |element| key_of(element) }
    when Float32 then key.number
    else key
    end
  end

  # Writes a value with a packer; float32 and maps with duplicates need its parts.
  def write(packer, value)
    case value
    when Float32 then packer.write_float32(value.number)
    when Pairs
      packer.write_map_header(value.pairs.size)
      value.pairs.each { |key, element| write(packer, key) && write(packer, element) }
    when Array
      packer.write_array_header(value.size)
      value.each { |element| write(packer, element) }
    else packer.write(value)
    end
    packer
  end
end
