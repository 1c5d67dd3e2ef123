# frozen_string_literal: true

require_relative "spec_helper"
require_relative "vectors"

# Every host reads and writes the same vectors.
RSpec.describe "the shared vectors" do
  let(:factory) do
    MessagePack::Factory.new.tap { |made| made.register_type(-1, MessagePack::Timestamp) }
  end

  def options
    { allow_unknown_ext: true }
  end

  # What the gem's interface calls each code.
  ERRORS = {
    "TRUNCATED" => EOFError, "EXTRA_DATA" => MessagePack::MalformedFormatError,
    "RESERVED_BYTE" => MessagePack::MalformedFormatError, "DEPTH_LIMIT" => MessagePack::StackError,
    "TIMESTAMP_LENGTH" => MessagePack::MalformedFormatError,
    "TIMESTAMP_NANOSECONDS" => MessagePack::MalformedFormatError
  }.freeze

  it "are there" do
    expect(Vectors.files).not_to be_empty
  end

  Vectors.files.each do |file|
    topic = File.basename(file, ".json")
    Vectors.load(file).each do |vector|
      input = Vectors.bytes(vector["hex"])

      if vector["value"]
        expected = Vectors.object(vector["value"])

        it "#{topic}: reads #{vector['name']}" do
          expect(Vectors.same?(expected, factory.load(input, options))).to be(true)
          expect(Vectors.same?(expected, factory.unpacker(options).feed(input).read)).to be(true)
          expect(Vectors.same?(expected, factory.load(StringIO.new(input), options))).to be(true)
        end

        it "#{topic}: reads #{vector['name']} frozen" do
          expect(Vectors.same?(expected, factory.load(input, options.merge(freeze: true)))).to be(true)
        end

        if vector["canonical"]
          it "#{topic}: writes #{vector['name']}" do
            written = Vectors.write(factory.packer, expected).to_s
            expect(written == input).to be(true), "#{written.unpack1('H*')[0, 200]} is not #{vector['hex'][0, 200]}"
          end
        end
      elsif topic == "strings_invalid"
        # Ruby's strings may hold invalid text, so the gem reads it as it is: the policy of `raw`.
        it "#{topic}: reads #{vector['name']} without checking it" do
          expect { factory.load(input, options) }.not_to raise_error
        end
      else
        it "#{topic}: refuses #{vector['name']}" do
          error = raised { factory.load(input, options) }
          expect(error).to be_a(ERRORS.fetch(vector["error"]["code"]))
          expect(error.offset).to eq(vector["error"]["offset"]) if error.offset
        end

        next if vector["error"]["code"] == "EXTRA_DATA"

        it "#{topic}: refuses #{vector['name']} in a stream" do
          unpacker = factory.unpacker(options)
          error = raised do
            input.each_char { |byte| unpacker.feed(byte) }
            unpacker.read
          end
          expect(error).to be_a(ERRORS.fetch(vector["error"]["code"]))
        end
      end
    end
  end
end
