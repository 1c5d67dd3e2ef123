"""The max_*_len options, the automatic limits, and sizes around the internal thresholds."""

import pytest

OVER = {
    "max_str_len": (b"\xa5abcde", 5, "5 exceeds max_str_len(4)"),
    "max_bin_len": (b"\xc4\x05abcde", 5, "5 exceeds max_bin_len(4)"),
    "max_array_len": (b"\x95\x01\x02\x03\x04\x05", 5, "5 exceeds max_array_len(4)"),
    "max_map_len": (
        b"\x85" + b"".join(b"\xa1%c\x01" % byte for byte in b"abcde"),
        5,
        "5 exceeds max_map_len(4)",
    ),
    "max_ext_len": (b"\xc7\x05\x05abcde", 5, "5 exceeds max_ext_len(4)"),
}
options = pytest.mark.parametrize(
    "option, data, size, text", [(name, *rest) for name, rest in OVER.items()]
)


def stream(codec, data, **settings):
    unpacker = codec.Unpacker(**settings)
    unpacker.feed(data)
    return unpacker.unpack()


@options
def test_at_the_limit_it_passes_one_more_fails(codec, option, data, size, text):
    expected = codec.unpackb(data)
    assert codec.unpackb(data, **{option: size}) == expected
    assert stream(codec, data, **{option: size}) == expected
    for unpack in (codec.unpackb, lambda data, **settings: stream(codec, data, **settings)):
        with pytest.raises(ValueError) as caught:
            unpack(data, **{option: size - 1})
        assert type(caught.value) is ValueError
        if option == "max_ext_len" and str(caught.value) != text:
            text = text.replace("5", "6", 1)  # msgpack's text counts the type byte too
        assert str(caught.value) == text


@options
def test_a_limit_does_not_touch_the_other_kinds(codec, option, data, size, text):
    for other, (other_data, *_) in OVER.items():
        if other != option and not (option == "max_str_len" and other == "max_map_len"):
            codec.unpackb(other_data, **{option: 0})


@options
def test_a_limit_of_zero_allows_the_empty_one(codec, option, data, size, text):
    empty = {
        "max_str_len": b"\xa0",
        "max_bin_len": b"\xc4\0",
        "max_array_len": b"\x90",
        "max_map_len": b"\x80",
    }
    codec.unpackb(empty.get(option, b"\xc7\0\x05"), **{option: 0})


@options
def test_nested_values_are_limited_too(codec, option, data, size, text):
    for wrapped in (b"\x91" + data, b"\x81\xa1k" + data):
        with pytest.raises(ValueError, match=option):
            codec.unpackb(wrapped, **{option: size - 1})


@options
def test_skip_minds_no_limits(codec, option, data, size, text):
    unpacker = codec.Unpacker(**{option: 0})
    unpacker.feed(data + b"\x2a")
    unpacker.skip()
    assert unpacker.unpack() == 42


def test_raw_text_is_limited_by_max_str_len(codec):
    with pytest.raises(ValueError, match=r"(?m)^5 exceeds max_str_len\(4\)$"):
        codec.unpackb(b"\xa5abcde", raw=True, max_str_len=4)


def test_timestamps_are_limited_by_max_ext_len(codec):
    with pytest.raises(ValueError, match=r"(?m)^1[23] exceeds max_ext_len\(11\)$"):
        codec.unpackb(b"\xc7\x0c\xff" + bytes(12), max_ext_len=11)


@pytest.mark.parametrize(
    "data", [b"\xdd\x00\x00\x01\x00", b"\x92\x01"[:1] + b"", b"\xdc\xff\xff\x01"], ids=bytes.hex
)
def test_an_array_claim_beyond_the_input_is_refused_at_once(codec, data):
    with pytest.raises(ValueError, match=rf"(?m)^\d+ exceeds max_array_len\({len(data)}\)$"):
        codec.unpackb(data)


def test_a_map_claim_is_limited_by_half_the_input(codec):
    with pytest.raises(ValueError, match=r"(?m)^4 exceeds max_map_len\(3\)$"):
        codec.unpackb(b"\x84\xa1a\x01\xa1b\x01"[:7])
    with pytest.raises(ValueError, match=r"(?m)^65535 exceeds max_map_len\(1\)$"):
        codec.unpackb(b"\xde\xff\xff")


def test_explicit_limits_may_exceed_the_input(codec):
    with pytest.raises(ValueError, match="(?m)^Unpack failed: incomplete input$"):
        codec.unpackb(b"\xdd\x00\x00\x01\x00", max_array_len=1000)
    with pytest.raises(ValueError, match="(?m)^Unpack failed: incomplete input$"):
        codec.unpackb(b"\xdd\xff\xff\xff\xff", max_array_len=2**32 - 1)
    with pytest.raises(ValueError, match="(?m)^Unpack failed: incomplete input$"):
        codec.unpackb(b"\xdf\xff\xff\xff\xff", max_map_len=2**32 - 1, use_list=False)


def test_limits_of_an_unpacker_follow_max_buffer_size(codec):
    with pytest.raises(ValueError, match=r"(?m)^101 exceeds max_array_len\(100\)$"):
        stream(codec, b"\xdc\x00\x65", max_buffer_size=100)
    with pytest.raises(ValueError, match=r"(?m)^51 exceeds max_map_len\(50\)$"):
        stream(codec, b"\xde\x00\x33", max_buffer_size=100)
    unpacker = codec.Unpacker(max_buffer_size=100)
    unpacker.feed(b"\xdc\x00\x64")
    with pytest.raises(codec.OutOfData):
        unpacker.unpack()


def test_nothing_legitimate_is_refused_by_default(codec):
    """Sizes that the small limits of msgpack 0.6 refused."""
    for value in (
        b"b" * 1_398_490,
        "s" * 1_048_606,
        {str(key): None for key in range(40_000)},
        [None] * 200_000,
    ):
        assert codec.unpackb(codec.packb(value)) == value
        assert stream(codec, codec.packb(value)) == value


SIZES = [
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    15,
    16,
    17,
    31,
    32,
    33,
    63,
    64,
    255,
    256,
    1023,
    1024,
    4095,
    4096,
    9999,
    10000,
    10001,
    20001,
    65535,
    65536,
]


@pytest.mark.parametrize("size", SIZES)
def test_arrays_and_maps_of_every_size(codec, size):
    numbers = list(range(size))
    data = codec.packb(numbers)
    assert codec.unpackb(data) == numbers
    assert codec.unpackb(data, use_list=False) == tuple(numbers)
    assert stream(codec, data) == numbers
    table = {number: str(number) for number in numbers}
    data = codec.packb(table)
    assert codec.unpackb(data, strict_map_key=False) == table
    assert codec.unpackb(data, strict_map_key=False, object_pairs_hook=list) == list(table.items())


@pytest.mark.parametrize("size", [10, 9999, 10001, 20001])
@pytest.mark.parametrize("use_list", [True, False])
def test_large_arrays_suspended_before_the_last_byte(codec, size, use_list):
    data = codec.packb(list(range(size)))
    unpacker = codec.Unpacker(use_list=use_list)
    unpacker.feed(data[:-1])
    with pytest.raises(codec.OutOfData):
        unpacker.unpack()
    unpacker.feed(data[-1:])
    assert list(unpacker.unpack()) == list(range(size))
