"""States and sources that msgpack leaves undefined or treats as accidents: what docs/decisions.md says of them."""

import pytest

pytestmark = pytest.mark.ours


class Reader:
    def __init__(self, *pieces):
        self.pieces = list(pieces)

    def read(self, size):
        return self.pieces.pop(0) if self.pieces else b""


def failing_once(codec, **options):
    calls = []

    def hook(value):
        calls.append(value)
        if len(calls) == 1:
            raise KeyError("not yet")
        return value

    unpacker = codec.Unpacker(list_hook=hook, **options)
    unpacker.feed(b"\x92\x91\x01\x02\x05")
    with pytest.raises(KeyError):
        unpacker.unpack()
    return unpacker


def test_an_object_whose_hook_raised_can_be_taken_again(codec):
    unpacker = failing_once(codec)
    assert unpacker.unpack() == [[1], 2]
    assert unpacker.unpack() == 5
    assert unpacker.tell() == 5


def test_an_object_whose_hook_raised_can_be_left_out(codec):
    unpacker = failing_once(codec)
    assert unpacker.skip() is None
    assert unpacker.unpack() == 5
    unpacker = failing_once(codec)
    assert unpacker.resync() == 4
    assert unpacker.unpack() == 5


def test_tell_after_an_error_is_the_offset_of_the_error(codec):
    if not codec.is_compiled:
        pytest.skip("the pure-Python version stays at the start of the object")
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x01\x93\x02\xa1\xff\x03")
    unpacker.unpack()
    with pytest.raises(UnicodeDecodeError) as caught:
        unpacker.unpack()
    assert unpacker.tell() == caught.value.offset == 3


def test_bytes_that_a_read_gave_beyond_what_was_asked_for_stay_unread(codec):
    if not codec.is_compiled and codec.Unpacker(Reader(b"abcdef")).read_bytes(2) != b"ab":
        pytest.skip("all of it is returned")
    unpacker = codec.Unpacker(Reader(b"abc\x01\x02"))
    assert unpacker.read_bytes(3) == b"abc"
    assert unpacker.tell() == 3
    assert list(unpacker) == [1, 2]


def test_init_that_fails_changes_nothing(codec):
    unpacker = codec.Unpacker(use_list=False)
    unpacker.feed(b"\x91\x01\x91\x02")
    assert unpacker.unpack() == (1,)
    for wrong in (
        {"timestamp": 9},
        {"unknown": 1},
        {"list_hook": 5},
        {"read_size": 2, "max_buffer_size": 1},
    ):
        with pytest.raises((TypeError, ValueError)):
            unpacker.__init__(**wrong)
    assert unpacker.unpack() == (2,)
    assert unpacker.tell() == 4


@pytest.mark.parametrize("size", [-2, -100])
def test_limits_below_minus_one_are_zero(codec, size):
    unpacker = codec.Unpacker(max_str_len=size)
    unpacker.feed(b"\xa1a")
    with pytest.raises(ValueError, match="max_str_len"):
        unpacker.unpack()


def test_a_subclass_that_never_calls_init(codec):
    if not codec.is_compiled:
        pytest.skip("needs its attributes")

    class Quiet(codec.Unpacker):
        def __init__(self):
            pass

    unpacker = Quiet()
    unpacker.feed(b"\x91\x01")
    assert unpacker.unpack() == [1]


@pytest.mark.parametrize("step", [1, 7, 1000, 4096, 65536])
def test_sizes_that_jump_up_and_down(codec, step):
    """What is decoded before it is known to be whole is decoded again, not lost and not doubled."""
    values = []
    for number in range(60):
        values.append({"n": number, "body": ["x" * 40] * (900 if number % 7 == 0 else number % 3)})
    data = b"".join(map(codec.packb, values))
    unpacker = codec.Unpacker()
    taken = []
    for start in range(0, len(data), step):
        unpacker.feed(data[start : start + step])
        taken.extend(unpacker)
    assert taken == values
    assert unpacker.tell() == len(data)


def test_truncated_objects_give_no_false_errors(codec):
    """What follows a container that is whole must not be taken for its pairs when the outer one is not."""
    data = codec.packb([{"a": 1}, 2, {"b": [3, {"c": 4}]}, 5] * 3)
    for cut in range(1, len(data)):
        unpacker = codec.Unpacker()
        unpacker.feed(data[:cut])
        with pytest.raises(codec.OutOfData):
            unpacker.unpack()
        with pytest.raises(ValueError, match="incomplete input"):
            codec.unpackb(data[:cut], max_array_len=100)
        unpacker.feed(data[cut:])
        assert unpacker.unpack() == [{"a": 1}, 2, {"b": [3, {"c": 4}]}, 5] * 3
