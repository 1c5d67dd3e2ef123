"""read_array_header, read_map_header, skip, read_bytes, tell."""

import io

import pytest


def fed(codec, data, **options):
    unpacker = codec.Unpacker(**options)
    unpacker.feed(data)
    return unpacker


@pytest.mark.parametrize(
    "data, count",
    [
        (b"\x90", 0),
        (b"\x9f", 15),
        (b"\xdc\0\x10", 16),
        (b"\xdd\0\1\0\0", 65536),
        (b"\xdd\xff\xff\xff\xff", 2**32 - 1),
    ],
)
def test_array_headers(codec, data, count):
    unpacker = fed(codec, data)
    assert unpacker.read_array_header() == count
    assert unpacker.tell() == len(data)


@pytest.mark.parametrize(
    "data, count",
    [
        (b"\x80", 0),
        (b"\x8f", 15),
        (b"\xde\0\x10", 16),
        (b"\xdf\0\1\0\0", 65536),
        (b"\xdf\xff\xff\xff\xff", 2**32 - 1),
    ],
)
def test_map_headers(codec, data, count):
    unpacker = fed(codec, data)
    assert unpacker.read_map_header() == count
    assert unpacker.tell() == len(data)


def test_headers_mind_no_limits(codec):
    assert fed(codec, b"\x95", max_array_len=1).read_array_header() == 5
    assert fed(codec, b"\x85", max_map_len=1).read_map_header() == 5


WRONG = [b"\x01", b"\xc0", b"\xa1a", b"\xcb" + bytes(8), b"\xd4\x05a", b"\xc4\x01a", b"\xff"]


@pytest.mark.parametrize(
    "name, others",
    [("read_array_header", [*WRONG, b"\x81\xa1k\x01"]), ("read_map_header", [*WRONG, b"\x91\x01"])],
)
def test_another_type_is_refused_and_stays_unread(codec, name, others):
    text = (
        r"(?m)^Unexpected type header on stream$"
        if codec.is_compiled
        else r"(?m)^(Unexpected type header on stream|Expected (array|map))$"
    )
    for data in others:
        unpacker = fed(codec, data)
        for _ in range(2):
            with pytest.raises(ValueError, match=text):
                getattr(unpacker, name)()
            assert unpacker.tell() == 0
        assert unpacker.unpack() == codec.unpackb(data)


def test_another_type_from_a_file(codec):
    unpacker = codec.Unpacker(io.BytesIO(b"\xa3abc\x91\x05"), read_size=1)
    with pytest.raises(ValueError):
        unpacker.read_array_header()
    assert unpacker.tell() == 0
    assert unpacker.unpack() == "abc"
    assert unpacker.read_array_header() == 1
    assert unpacker.tell() == 5


def test_a_document_read_by_its_headers(codec):
    unpacker = fed(codec, codec.packb({"list": [1, 2, {"x": None}], "end": True}))
    assert unpacker.read_map_header() == 2
    assert unpacker.unpack() == "list"
    assert unpacker.read_array_header() == 3
    assert [unpacker.unpack() for _ in range(3)] == [1, 2, {"x": None}]
    assert unpacker.unpack() == "end"
    assert unpacker.unpack() is True
    with pytest.raises(codec.OutOfData):
        unpacker.unpack()


def test_headers_at_the_end_of_data(codec):
    for name in ("read_array_header", "read_map_header"):
        with pytest.raises(codec.OutOfData):
            getattr(codec.Unpacker(), name)()


def test_skip_passes_one_object_and_returns_none(codec):
    values = [
        1,
        "text",
        [1, [2, {"k": b"v"}]],
        {"a": {"b": []}},
        1.5,
        None,
        codec.ExtType(5, b"xyz"),
        codec.Timestamp(5, 5),
    ]
    for value in values:
        unpacker = fed(codec, codec.packb(value) + b"\x2a")
        assert unpacker.skip() is None
        assert unpacker.unpack() == 42


def test_skip_checks_neither_text_nor_keys_nor_timestamps(codec):
    for data in (b"\xa1\xff", b"\x81\x01\x02", b"\x81\x90\x02", b"\xd4\xff\x00", b"\xd4\x80\x00"):
        unpacker = fed(codec, data + b"\x2a")
        unpacker.skip()
        assert unpacker.unpack() == 42


def test_skip_calls_no_hooks(codec):
    def hook(*arguments):
        raise AssertionError

    options = {"object_hook": hook, "list_hook": hook, "ext_hook": hook}
    unpacker = fed(codec, b"\x92\x81\xa1k\x90\xd4\x05x\x2a", **options)
    unpacker.skip()
    assert unpacker.unpack() == 42


def test_skip_over_the_reserved_byte_is_an_error(codec):
    with pytest.raises(codec.FormatError):
        fed(codec, b"\x92\x01\xc1").skip()


def test_skip_at_the_end_and_in_pieces(codec):
    unpacker = codec.Unpacker()
    with pytest.raises(codec.OutOfData):
        unpacker.skip()
    for byte in b"\x93\xa2ab\xc4\x01":
        unpacker.feed(bytes([byte]))
        with pytest.raises(codec.OutOfData):
            unpacker.skip()
    unpacker.feed(b"x\x05\x06")
    unpacker.skip()
    assert unpacker.unpack() == 6


@pytest.mark.parametrize(
    "data", ["df40000000", "df80000000", "dfffffffff", "ddffffffff", "dd80000000"]
)
def test_skip_waits_for_a_large_claim(codec, data):
    unpacker = fed(codec, bytes.fromhex(data) + b"\x01" * 100, max_buffer_size=0)
    with pytest.raises(codec.OutOfData):
        unpacker.skip()


def test_read_bytes_gives_up_to_n(codec):
    unpacker = fed(codec, b"abcdef")
    assert unpacker.read_bytes(2) == b"ab"
    assert unpacker.read_bytes(0) == b""
    assert unpacker.read_bytes(100) == b"cdef"
    assert unpacker.read_bytes(1) == b""
    assert type(unpacker.read_bytes(1)) is bytes


def test_read_bytes_between_objects(codec):
    unpacker = fed(codec, b"\xa3header"[:4] + b"RAW" + b"\x91\x01")
    assert unpacker.unpack() == "hea"
    assert unpacker.read_bytes(3) == b"RAW"
    assert unpacker.unpack() == [1]


def test_read_bytes_from_a_file_counts_in_tell(codec):
    unpacker = codec.Unpacker(io.BytesIO(b"abcdefg"), read_size=2)
    assert unpacker.read_bytes(2) == b"ab"
    assert unpacker.tell() == 2
    unpacker = codec.Unpacker(io.BytesIO(b"abcdefg"))
    assert unpacker.read_bytes(5) == b"abcde"
    assert unpacker.tell() == 5
    assert unpacker.read_bytes(5) == b"fg"
    assert unpacker.tell() == 7


@pytest.mark.ours
@pytest.mark.parametrize("size", [-1, -100, -(2**63)])
def test_read_bytes_refuses_negative_sizes_with_the_state_intact(codec, size):
    """SystemError in msgpack."""
    unpacker = fed(codec, b"\x01\x02")
    with pytest.raises((ValueError, OverflowError)):
        unpacker.read_bytes(size)
    assert unpacker.tell() == 0
    assert list(unpacker) == [1, 2]


@pytest.mark.parametrize("size", ["1", None, [], b"1"], ids=repr)
def test_read_bytes_needs_a_number(codec, size):
    with pytest.raises(TypeError):
        fed(codec, b"\x01").read_bytes(size)


def test_tell_counts_what_was_taken(codec):
    unpacker = codec.Unpacker()
    assert unpacker.tell() == 0
    unpacker.feed(b"\x01\xa2ab\x91\x05\x81\xa1k\x01zz")
    positions = []
    for take in (
        unpacker.unpack,
        unpacker.unpack,
        unpacker.read_array_header,
        unpacker.unpack,
        unpacker.skip,
    ):
        take()
        positions.append(unpacker.tell())
    assert positions == [1, 4, 5, 6, 10]
    unpacker.read_bytes(1)
    assert unpacker.tell() == 11


def test_tell_goes_on_over_many_feeds(codec):
    unpacker = codec.Unpacker(max_buffer_size=100)
    for number in range(1000):
        unpacker.feed(b"\x93\x01\x02\x03")
        unpacker.unpack()
        assert unpacker.tell() == 4 * (number + 1)


def test_tell_while_iterating(codec):
    unpacker = fed(codec, b"\x01\xa1a\xcd\x01\x00")
    assert [(value, unpacker.tell()) for value in unpacker] == [(1, 1), ("a", 3), (256, 6)]


def test_tell_after_an_incomplete_object(codec):
    """C counts the bytes it has understood, the pure-Python version stays at the start: never beyond what was fed."""
    unpacker = fed(codec, b"\x01\x92\x01")
    unpacker.unpack()
    with pytest.raises(codec.OutOfData):
        unpacker.unpack()
    assert unpacker.tell() in (1, 3)
    if codec.is_compiled:
        assert unpacker.tell() == 3
    unpacker.feed(b"\x02")
    unpacker.unpack()
    assert unpacker.tell() == 4


@pytest.mark.parametrize(
    "name", ["feed", "unpack", "skip", "read_array_header", "read_map_header", "read_bytes", "tell"]
)
def test_arguments_are_checked(codec, name):
    with pytest.raises(TypeError):
        getattr(codec.Unpacker(), name)(1, 2, 3)
