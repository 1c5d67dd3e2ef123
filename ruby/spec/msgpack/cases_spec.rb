# frozen_string_literal: true

require_relative "../spec_helper"

# The same values in their shortest and in longer forms.
RSpec.describe "equal values in different forms" do
  {
    0 => %w[00 cc00 cd0000 ce00000000 cf0000000000000000 d000 d10000 d200000000 d30000000000000000],
    -1 => %w[ff d0ff d1ffff d2ffffffff d3ffffffffffffffff],
    127 => %w[7f cc7f cd007f ce0000007f cf000000000000007f d07f d1007f],
    1.0 => %w[cb3ff0000000000000 ca3f800000],
    "" => %w[a0 d900 da0000 db00000000], "a" => %w[a161 d90161 da000161 db0000000161],
    [0] => %w[9100 dc000100 dd0000000100], [] => %w[90 dc0000 dd00000000],
    {} => %w[80 de0000 df00000000], { "a" => 97 } => %w[81a16161 de0001a16161 df00000001a16161],
    [[]] => %w[9190], [[], []] => %w[929090 dc00029090]
  }.each do |value, forms|
    forms.each do |form|
      it "#{form} is #{value.inspect}" do
        expect(MessagePack.unpack([form].pack("H*"))).to eql(value)
      end
    end
  end
end
