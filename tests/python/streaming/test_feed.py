"""feed() and the ways of taking objects out again."""

import pytest


def test_objects_come_out_in_order(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x01\x02")
    assert unpacker.unpack() == 1
    unpacker.feed(b"\x03")
    assert unpacker.unpack() == 2
    assert unpacker.unpack() == 3
    with pytest.raises(codec.OutOfData):
        unpacker.unpack()
    unpacker.feed(b"\x04")
    assert unpacker.unpack() == 4


def test_out_of_data_has_a_text(codec):
    with pytest.raises(codec.OutOfData, match=r"(?m)^No more data to unpack\.$"):
        codec.Unpacker().unpack()


def test_iteration_ends_and_goes_on_after_more_data(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x01\x02\x92\x01")
    assert list(unpacker) == [1, 2]
    assert list(unpacker) == []
    unpacker.feed(b"\x02\x03")
    assert list(unpacker) == [[1, 2], 3]


def test_an_unpacker_is_its_own_iterator(codec):
    unpacker = codec.Unpacker()
    assert iter(unpacker) is unpacker
    unpacker.feed(b"\x07")
    assert next(unpacker) == 7
    with pytest.raises(StopIteration):
        next(unpacker)


def test_feed_returns_none(codec):
    assert codec.Unpacker().feed(b"\x01") is None


def test_a_value_in_many_pieces(codec):
    value = {"key": ["text" * 50, b"b" * 4406, 2**40, -1.5, None]}
    data = codec.packb(value)
    for size in (1, 2, 3, 5, 7, 64, 1000):
        unpacker = codec.Unpacker()
        results = []
        for start in range(0, len(data), size):
            unpacker.feed(data[start : start + size])
            results.extend(unpacker)
        assert results == [value]


def test_many_objects_in_chunks_of_every_size(codec):
    values = [
        {"number": number, "text": "x" * (number % 40), "list": list(range(number % 5))}
        for number in range(60)
    ]
    data = b"".join(map(codec.packb, values))
    for size in range(1, 80):
        unpacker = codec.Unpacker()
        results = []
        for start in range(0, len(data), size):
            unpacker.feed(data[start : start + size])
            results.extend(unpacker)
        assert results == values, size


def test_a_small_map_and_then_a_large_one_in_twelve_pieces(codec):
    small = {"a": 1}
    large = {"one": 1, "two": "2", "three": [3], "four": None, "body": b"\x36" * 4406}
    data = codec.packb(large)
    unpacker = codec.Unpacker()
    unpacker.feed(codec.packb(small))
    assert unpacker.unpack() == small
    step = len(data) // 12 + 1
    results = []
    for start in range(0, len(data), step):
        unpacker.feed(data[start : start + step])
        results.extend(unpacker)
    assert results == [large]


def test_feeding_nothing(codec):
    unpacker = codec.Unpacker()
    for _ in range(10):
        unpacker.feed(b"")
    unpacker.feed(b"\x92\x01")
    unpacker.feed(b"")
    unpacker.feed(b"\x02")
    assert unpacker.unpack() == [1, 2]


def test_buffer_full(codec):
    unpacker = codec.Unpacker(max_buffer_size=10)
    unpacker.feed(b"\xc4\x09" + b"x" * 8)
    with pytest.raises(codec.BufferFull):
        unpacker.feed(b"x")
    assert issubclass(codec.BufferFull, codec.UnpackException)


def test_the_buffer_counts_unread_bytes_only(codec):
    unpacker = codec.Unpacker(max_buffer_size=5)
    for _ in range(100):
        unpacker.feed(b"\x93\x01\x02\x03")
        assert unpacker.unpack() == [1, 2, 3]
    unpacker.feed(b"\x01\x02\x03\x04\x05")
    with pytest.raises(codec.BufferFull):
        unpacker.feed(b"\x06")
    assert list(unpacker) == [1, 2, 3, 4, 5]
    unpacker.feed(b"\x06\x07")
    assert list(unpacker) == [6, 7]


def test_a_refused_feed_changes_nothing(codec):
    unpacker = codec.Unpacker(max_buffer_size=5)
    unpacker.feed(b"\x01\x02\x03")
    with pytest.raises(codec.BufferFull):
        unpacker.feed(b"\x04\x05\x06")
    assert list(unpacker) == [1, 2, 3]


def test_a_message_of_exactly_the_buffer_size(codec):
    """wslink makes an Unpacker of exactly the size for each message."""
    data = codec.packb({"payload": b"p" * 1000})
    unpacker = codec.Unpacker(max_buffer_size=len(data))
    unpacker.feed(data)
    assert unpacker.unpack() == {"payload": b"p" * 1000}


def test_max_buffer_size_zero_means_no_practical_limit(codec):
    unpacker = codec.Unpacker(max_buffer_size=0)
    data = codec.packb(b"x" * 5_000_000)
    unpacker.feed(data)
    assert len(unpacker.unpack()) == 5_000_000


@pytest.mark.parametrize("size", [-1, "1", None, 1.5], ids=repr)
def test_max_buffer_size_must_be_a_size(codec, size):
    if not codec.is_compiled and size in (None, 1.5):
        pytest.skip("any number will do in pure Python")
    with pytest.raises((TypeError, ValueError, OverflowError)):
        codec.Unpacker(max_buffer_size=size)


def test_read_size_must_not_exceed_max_buffer_size(codec):
    with pytest.raises(ValueError):
        codec.Unpacker(read_size=11, max_buffer_size=10)
    codec.Unpacker(read_size=10, max_buffer_size=10)


def test_feed_is_for_unpackers_without_a_file(codec):
    import io

    unpacker = codec.Unpacker(io.BytesIO(b"\x01"))
    with pytest.raises(AssertionError):
        unpacker.feed(b"\x02")


def test_values_do_not_change_when_the_buffer_moves_on(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(codec.packb([b"first" * 100, "text" * 100, codec.ExtType(1, b"ext" * 100)]))
    value = unpacker.unpack()
    for _ in range(50):
        unpacker.feed(b"\xc4\xff" + b"\xee" * 255)
        unpacker.unpack()
    assert value == [b"first" * 100, "text" * 100, codec.ExtType(1, b"ext" * 100)]


def test_init_again_starts_over(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x92\x01")
    with pytest.raises(codec.OutOfData):
        unpacker.unpack()
    unpacker.__init__(use_list=False)
    assert unpacker.tell() == 0
    unpacker.feed(b"\x92\x01\x02")
    assert unpacker.unpack() == (1, 2)
