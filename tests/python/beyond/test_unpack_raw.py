"""unpack_raw(): the bytes of the next object, unread."""

import io

import pytest
import vectors

pytestmark = pytest.mark.ours


@pytest.mark.parametrize(
    "vector",
    [v for v in vectors.VALID if len(v.data) < 2000 and v.topic not in ("ints", "strings")],
    ids=repr,
)
def test_exactly_the_bytes_of_one_object(codec, vector):
    unpacker = codec.Unpacker()
    unpacker.feed(vector.data + b"\x2a")
    raw = unpacker.unpack_raw()
    assert type(raw) is bytes
    assert raw == vector.data
    assert unpacker.unpack() == 42


def test_it_can_be_decoded_later(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(codec.packb({"a": [1, 2]}) * 3)
    assert [codec.unpackb(unpacker.unpack_raw()) for _ in range(3)] == [{"a": [1, 2]}] * 3
    with pytest.raises(codec.OutOfData):
        unpacker.unpack_raw()


def test_it_checks_neither_text_nor_keys(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x81\x01\xa1\xff")
    assert unpacker.unpack_raw() == b"\x81\x01\xa1\xff"


def test_the_reserved_byte_is_an_error(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x92\x01\xc1")
    with pytest.raises(codec.FormatError):
        unpacker.unpack_raw()


def test_depth_is_bounded(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x91" * 1025 + b"\x01")
    with pytest.raises(codec.StackError):
        unpacker.unpack_raw()


def test_in_pieces(codec):
    data = codec.packb({"key": ["text", b"b" * 50, {"x": 1.5}]})
    unpacker = codec.Unpacker()
    for byte in data[:-1]:
        unpacker.feed(bytes([byte]))
        with pytest.raises(codec.OutOfData):
            unpacker.unpack_raw()
    unpacker.feed(data[-1:])
    assert unpacker.unpack_raw() == data


def test_from_files_and_between_headers(codec):
    unpacker = codec.Unpacker(io.BytesIO(codec.packb([{"a": 1}, "two", 3])), read_size=2)
    assert unpacker.read_array_header() == 3
    assert unpacker.unpack_raw() == codec.packb({"a": 1})
    assert unpacker.unpack() == "two"
    assert unpacker.unpack_raw() == b"\x03"
    assert unpacker.tell() == len(codec.packb([{"a": 1}, "two", 3]))


def test_the_bytes_are_a_copy(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\xa3abc\xa3def")
    raw = unpacker.unpack_raw()
    for _ in range(100):
        unpacker.feed(b"\xc4\x40" + b"\xee" * 64)
    assert raw == b"\xa3abc"


def test_methods_do_not_switch_inside_an_object(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x92\x01")
    with pytest.raises(codec.OutOfData):
        unpacker.unpack_raw()
    with pytest.raises(
        ValueError, match="(?m)^Cannot switch unpacking methods while an object is incomplete$"
    ):
        unpacker.unpack()
    unpacker.feed(b"\x02")
    assert unpacker.unpack_raw() == b"\x92\x01\x02"
