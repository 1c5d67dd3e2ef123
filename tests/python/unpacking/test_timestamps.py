"""The four timestamp modes, and bytes that are no timestamp."""

import datetime

import pytest

UTC = datetime.UTC
CASES = [
    ("d6ff00000000", 0, 0),
    ("d6fff486654c", 0xF486654C, 0),
    ("d7ff0000000400000000", 0, 1),
    ("d7ffee6b27ffffffffff", 2**34 - 1, 999999999),
    ("c70cff00000000ffffffffffffffff", -1, 0),
    ("c70cff1dcd6500ffffffffffffffff", -1, 500000000),
    ("c70cff0000000000000003ffffffff", 2**34 - 1, 0),
    ("c70cff3b9ac9fffffffff1886e0900", -62135596800, 999999999),
]
cases = pytest.mark.parametrize("data, seconds, nanoseconds", CASES)


@cases
def test_mode_0_gives_timestamp(codec, data, seconds, nanoseconds):
    value = codec.unpackb(bytes.fromhex(data))
    assert type(value) is codec.Timestamp
    assert value == codec.Timestamp(seconds, nanoseconds)
    assert codec.unpackb(bytes.fromhex(data), timestamp=0) == value


@cases
def test_mode_1_gives_float_seconds(codec, data, seconds, nanoseconds):
    value = codec.unpackb(bytes.fromhex(data), timestamp=1)
    assert type(value) is float
    assert value == seconds + nanoseconds / 1e9


@cases
def test_mode_2_gives_int_nanoseconds(codec, data, seconds, nanoseconds):
    value = codec.unpackb(bytes.fromhex(data), timestamp=2)
    assert type(value) is int
    assert value == seconds * 10**9 + nanoseconds


@cases
def test_mode_3_gives_utc_datetime(codec, data, seconds, nanoseconds):
    value = codec.unpackb(bytes.fromhex(data), timestamp=3)
    expected = datetime.datetime(1970, 1, 1, tzinfo=UTC) + datetime.timedelta(
        seconds=seconds, microseconds=nanoseconds // 1000
    )
    assert type(value) is datetime.datetime
    assert value == expected
    assert value.tzinfo is UTC


def test_mode_2_at_the_ends_of_64_bits(codec):
    assert (
        codec.unpackb(bytes.fromhex("c70cff3b9ac9ff7fffffffffffffff"), timestamp=2)
        == (2**63 - 1) * 10**9 + 999999999
    )
    assert (
        codec.unpackb(bytes.fromhex("c70cff000000008000000000000000"), timestamp=2)
        == -(2**63) * 10**9
    )


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
@pytest.mark.parametrize("length", [0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 16, 100])
def test_bad_lengths(codec, mode, length):
    with pytest.raises(ValueError, match=rf"(?m)^invalid timestamp data \(length {length}\)$"):
        codec.unpackb(b"\xc7" + bytes([length]) + b"\xff" + b"\0" * length, timestamp=mode)


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "data",
    ["d7ffee6b280000000000", "c70cff3b9aca000000000000000000", "c70cffffffffff0000000000000000"],
)
def test_nanoseconds_out_of_range(codec, mode, data):
    text = r"(?m)^nanoseconds must be a non-negative integer not greater than 999999999\.$"
    if not codec.is_compiled:
        text = "^nanoseconds must be a non-negative integer"
    with pytest.raises(ValueError, match=text):
        codec.unpackb(bytes.fromhex(data), timestamp=mode)


@pytest.mark.parametrize(
    "seconds",
    [253402300800, -62135596801, 2**62, -(2**62), 2**63 - 1, -(2**63), 0x40_0000_0000_0000],
)
def test_a_datetime_out_of_range_is_an_overflow(codec, seconds):
    data = b"\xc7\x0c\xff\0\0\0\0" + seconds.to_bytes(8, "big", signed=True)
    with pytest.raises(OverflowError):
        codec.unpackb(data, timestamp=3)
    assert codec.unpackb(data).seconds == seconds


def test_the_first_and_the_last_datetime(codec):
    last = b"\xc7\x0c\xff" + (999999999).to_bytes(4, "big") + (253402300799).to_bytes(8, "big")
    assert codec.unpackb(last, timestamp=3) == datetime.datetime.max.replace(tzinfo=UTC)
    first = b"\xc7\x0c\xff\0\0\0\0" + (-62135596800).to_bytes(8, "big", signed=True)
    assert codec.unpackb(first, timestamp=3) == datetime.datetime.min.replace(tzinfo=UTC)


def test_timestamps_as_map_keys(codec):
    data = b"\x81\xd6\xff\0\0\0\x01\xa1v"
    assert codec.unpackb(data, strict_map_key=False) == {codec.Timestamp(1): "v"}
    assert codec.unpackb(data, strict_map_key=False, timestamp=2) == {10**9: "v"}


def test_other_threads_find_nothing_half_made_while_datetimes_are_made(codec, monkeypatch):
    """Making a datetime runs Python code, so the list around it must be hidden and the collector at work."""
    if codec.name != "c":
        pytest.skip("Python lists have no holes")
    import gc

    seen = []

    def to_datetime(self):
        seen.append(gc.isenabled())
        seen.append(any(type(one) is list and len(one) == 777 for one in gc.get_objects()))

    monkeypatch.setattr(codec.Timestamp, "to_datetime", to_datetime)
    codec.unpackb(codec.packb([codec.Timestamp(1, 0)] + ["text"] * 776), timestamp=3)
    assert seen == [True, False]
