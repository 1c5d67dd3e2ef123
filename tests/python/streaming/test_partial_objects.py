"""Objects that are not complete: who may go on with them, and what tell() says."""

import pytest

METHODS = {
    "unpack": lambda unpacker: unpacker.unpack(),
    "next": lambda unpacker: next(unpacker),
    "skip": lambda unpacker: unpacker.skip(),
    "read_array_header": lambda unpacker: unpacker.read_array_header(),
    "read_map_header": lambda unpacker: unpacker.read_map_header(),
    "read_bytes": lambda unpacker: unpacker.read_bytes(1),
    "read_bytes 0": lambda unpacker: unpacker.read_bytes(0),
}
BEGINNINGS = {
    "unpack": (b"\x92\x01", b"\x02", [1, 2]),
    "next": (b"\x92\x01", b"\x02", [1, 2]),
    "skip": (b"\x92\x01", b"\x02", None),
    "read_array_header": (b"\xdc\x01", b"\x00", 256),
    "read_map_header": (b"\xde\x01", b"\x00", 256),
}
FAMILY = {"unpack": "unpack", "next": "unpack"}


def start(codec, method):
    unpacker = codec.Unpacker()
    beginning, *_ = BEGINNINGS[method]
    unpacker.feed(beginning)
    with pytest.raises((codec.OutOfData, StopIteration)):
        METHODS[method](unpacker)
    return unpacker


@pytest.mark.parametrize("method", BEGINNINGS)
def test_the_method_that_began_can_go_on(codec, method):
    unpacker = start(codec, method)
    _, rest, expected = BEGINNINGS[method]
    unpacker.feed(rest)
    assert METHODS[method](unpacker) == expected


@pytest.mark.parametrize("begun", BEGINNINGS)
@pytest.mark.parametrize("other", METHODS)
def test_other_methods_are_refused_and_the_object_stays(codec, begun, other):
    if not codec.is_compiled:
        pytest.skip("the pure-Python version starts the object over and may switch")
    if FAMILY.get(begun, begun) == FAMILY.get(other, other):
        pytest.skip("the same method")
    unpacker = start(codec, begun)
    with pytest.raises(
        ValueError, match="(?m)^Cannot switch unpacking methods while an object is incomplete$"
    ):
        METHODS[other](unpacker)
    _, rest, expected = BEGINNINGS[begun]
    unpacker.feed(rest)
    assert METHODS[begun](unpacker) == expected


@pytest.mark.parametrize("method", METHODS)
def test_after_the_object_any_method_may_follow(codec, method):
    unpacker = start(codec, "unpack")
    unpacker.feed(b"\x02\x93")
    assert unpacker.unpack() == [1, 2]
    METHODS["read_array_header"](unpacker)
    unpacker.feed(b"\x92\x00\x00" if method != "read_map_header" else b"\x81")
    METHODS[method](unpacker)


def test_before_any_byte_any_method_may_follow(codec):
    unpacker = codec.Unpacker()
    for method in ("unpack", "skip", "read_array_header", "read_map_header"):
        with pytest.raises(codec.OutOfData):
            METHODS[method](unpacker)
    assert unpacker.read_bytes(5) == b""
    unpacker.feed(b"\x01")
    assert unpacker.unpack() == 1


def test_skip_after_a_partial_unpack_and_the_reverse(codec):
    """Crashed or leaked in older versions."""
    for first, second in (("unpack", "skip"), ("skip", "unpack")):
        for _ in range(20):
            unpacker = codec.Unpacker()
            unpacker.feed(b"\x93\xa3abc\x81\xa1k")
            with pytest.raises(codec.OutOfData):
                METHODS[first](unpacker)
            try:
                METHODS[second](unpacker)
            except (ValueError, codec.OutOfData):
                pass
            unpacker.feed(b"\x01\x02")
            METHODS[first](unpacker)


@pytest.mark.counts_references
def test_an_unpacker_can_die_with_a_partial_object(codec):
    import sys

    marker = "marker"
    before = sys.getrefcount(marker)
    for _ in range(20):
        unpacker = codec.Unpacker(list_hook=lambda value: marker)
        unpacker.feed(b"\x93\x90\x90")
        with pytest.raises(codec.OutOfData):
            unpacker.unpack()
        del unpacker
    assert sys.getrefcount(marker) == before


@pytest.mark.parametrize("cut", range(1, 19))
def test_every_cut_of_a_nested_object(codec, cut):
    data = b"\x82\xa1a\x93\x01\xa2xy\xc4\x01z\xa1b\x81\xa1c\xcd\x01\x00"
    unpacker = codec.Unpacker()
    unpacker.feed(data[:cut])
    for _ in range(3):
        with pytest.raises(codec.OutOfData):
            unpacker.unpack()
    unpacker.feed(data[cut:])
    assert unpacker.unpack() == {"a": [1, "xy", b"z"], "b": {"c": 256}}


def test_hooks_run_once_for_each_container_however_it_arrives(codec):
    calls = []
    unpacker = codec.Unpacker(list_hook=lambda value: calls.append(value) or value)
    if not codec.is_compiled and codec.is_reference:
        pytest.skip("starts over")
    for byte in b"\x92\x91\x01\x91\x02":
        unpacker.feed(bytes([byte]))
        try:
            result = unpacker.unpack()
        except codec.OutOfData:
            pass
    assert result == [[1], [2]]
    assert calls == [[1], [2], [[1], [2]]]


@pytest.mark.parametrize("piece", [1, 10, 1000])
def test_large_objects_in_small_pieces_take_linear_time(codec, piece):
    """Counted in calls, not seconds: 200,000 pieces must not rescan what was there before."""
    count = 20_000 if codec.is_compiled else 500
    payload = b"\x01" * (count * piece)
    data = b"\xdd" + len(payload).to_bytes(4, "big") + payload
    unpacker = codec.Unpacker()
    for start in range(0, len(data), piece):
        unpacker.feed(data[start : start + piece])
        try:
            result = unpacker.unpack()
        except codec.OutOfData:
            continue
    assert len(result) == len(payload)
