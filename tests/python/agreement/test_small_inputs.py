"""Every input of one and of two bytes (of three: `make exhaustive`): all implementations and the slow decoder agree.

The outcome is the value with its types, or the exception's type, and for ours the offset of the error.
"""

import itertools

import pytest
from agreement_checks import OPTION_SETS, check_against_slow, check_between
from comparing import outcome, same_outcome


def inputs(length):
    return map(bytes, itertools.product(range(256), repeat=length))


@pytest.mark.parametrize("length", [0, 1, 2])
def test_all_inputs_against_the_slow_decoder(codec, length):
    for data in inputs(length):
        check_against_slow(codec, data)


@pytest.mark.parametrize("options", OPTION_SETS.values(), ids=OPTION_SETS.keys())
@pytest.mark.parametrize("length", [0, 1, 2])
def test_all_inputs_between_implementations(codecs, options, length):
    for data in inputs(length):
        check_between(codecs, data, options)


@pytest.mark.parametrize("length", [1, 2])
def test_all_inputs_through_the_stream(codec, length):
    """A stream of the input gives what unpackb gives: the value, then the rest; waiting is being cut short."""
    for data in inputs(length):
        unpacker = codec.Unpacker(**OPTION_SETS["lossless"])
        unpacker.feed(data)
        streamed = outcome(unpacker.unpack)
        whole = outcome(codec.unpackb, data, **OPTION_SETS["lossless"])
        if streamed[0] == "value":
            position = unpacker.tell()
            assert (
                same_outcome(
                    streamed, outcome(codec.unpackb, data[:position], **OPTION_SETS["lossless"])
                )
                is None
            )
            assert (position == len(data)) == (whole[0] == "value")
        elif streamed[1] == "OutOfData":
            assert whole[1] == "ValueError", data.hex()
        else:
            assert whole[1:] == streamed[1:] or "exceeds max_" in whole[2], data.hex()


def interesting_third_bytes():
    """Every second byte matters little for most first bytes; these reach every format's edges."""
    return [
        0x00,
        0x01,
        0x7F,
        0x80,
        0x81,
        0x8F,
        0x90,
        0x91,
        0xA0,
        0xA1,
        0xBF,
        *range(0xC0, 0xE0),
        0xE0,
        0xFF,
    ]


def test_a_sample_of_three_bytes_against_the_slow_decoder(codec):
    if not codec.is_compiled:
        pytest.skip("compared with the compiled one below")
    third = interesting_third_bytes()
    for first in range(256):
        for second in third:
            for last in third:
                check_against_slow(codec, bytes((first, second, last)))


def test_a_sample_of_three_bytes_between_implementations(codecs):
    third = interesting_third_bytes()
    for first in (0x01, 0x81, 0x82, 0x91, 0x92, 0x93, 0xA1, 0xA2, *range(0xC0, 0xE0), 0xE0):
        for second in third:
            for last in third:
                check_between(codecs, bytes((first, second, last)), {"strict_map_key": False})


@pytest.mark.exhaustive
def test_all_inputs_of_three_bytes(codecs):
    """16.8 million inputs, several at a time: accept or refuse, value, type and text."""
    for data in inputs(3):
        check_between(codecs, data, {"strict_map_key": False})
