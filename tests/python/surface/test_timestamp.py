"""Timestamp: seconds and nanoseconds since 1970, its conversions and its three encodings."""

import datetime
import pickle

import pytest

UTC = datetime.UTC
EDGES = [
    (0, 0, "00000000"),
    (1, 0, "00000001"),
    (2**32 - 1, 0, "ffffffff"),
    (0, 1, "0000000400000000"),
    (2**32, 0, "0000000100000000"),
    (2**34 - 1, 999999999, "ee6b27ffffffffff"),
    (2**34, 0, "000000000000000400000000"),
    (-1, 0, "00000000ffffffffffffffff"),
    (-1, 500000000, "1dcd6500ffffffffffffffff"),
    (2**63 - 1, 999999999, "3b9ac9ff7fffffffffffffff"),
    (-(2**63), 0, "000000008000000000000000"),
]


def test_fields_and_defaults(codec):
    value = codec.Timestamp(5)
    assert (value.seconds, value.nanoseconds) == (5, 0)
    assert codec.Timestamp(seconds=1, nanoseconds=2) == codec.Timestamp(1, 2)


@pytest.mark.parametrize("seconds", [1.5, "1", None])
def test_seconds_must_be_an_int(codec, seconds):
    with pytest.raises(TypeError, match="(?m)^seconds must be an integer$"):
        codec.Timestamp(seconds)


@pytest.mark.parametrize("nanoseconds", [1.5, "1", None])
def test_nanoseconds_must_be_an_int(codec, nanoseconds):
    with pytest.raises(TypeError, match="(?m)^nanoseconds must be an integer$"):
        codec.Timestamp(0, nanoseconds)


@pytest.mark.parametrize("nanoseconds", [-1, 10**9, 2**40])
def test_nanoseconds_have_a_range(codec, nanoseconds):
    with pytest.raises(
        ValueError,
        match="(?m)^nanoseconds must be a non-negative integer (less|not greater) than 999999999.$",
    ):
        codec.Timestamp(0, nanoseconds)


@pytest.mark.parametrize("seconds, nanoseconds, data", EDGES)
def test_to_bytes_is_the_shortest_form(codec, seconds, nanoseconds, data):
    assert codec.Timestamp(seconds, nanoseconds).to_bytes().hex() == data


@pytest.mark.parametrize("seconds, nanoseconds, data", EDGES)
def test_from_bytes(codec, seconds, nanoseconds, data):
    assert codec.Timestamp.from_bytes(bytes.fromhex(data)) == codec.Timestamp(seconds, nanoseconds)


@pytest.mark.parametrize("length", [0, 1, 3, 5, 7, 9, 11, 13, 100])
def test_from_bytes_needs_4_8_or_12(codec, length):
    with pytest.raises(ValueError):
        codec.Timestamp.from_bytes(b"\0" * length)


def test_unix_conversions(codec):
    assert codec.Timestamp.from_unix(1.5) == codec.Timestamp(1, 500000000)
    assert codec.Timestamp.from_unix(-0.5) == codec.Timestamp(-1, 500000000)
    assert codec.Timestamp.from_unix(7) == codec.Timestamp(7, 0)
    assert codec.Timestamp(1, 500000000).to_unix() == 1.5
    assert codec.Timestamp.from_unix_nano(-1) == codec.Timestamp(-1, 999999999)
    assert codec.Timestamp.from_unix_nano(1713256989_420317001) == codec.Timestamp(
        1713256989, 420317001
    )
    assert codec.Timestamp(-1, 999999999).to_unix_nano() == -1
    assert codec.Timestamp(2**62, 1).to_unix_nano() == 2**62 * 10**9 + 1


@pytest.mark.parametrize(
    "moment",
    [
        datetime.datetime(1970, 1, 1, tzinfo=UTC),
        datetime.datetime(1969, 12, 31, 23, 59, 59, 500000, tzinfo=UTC),
        datetime.datetime(2024, 4, 16, 8, 43, 9, 420317, tzinfo=UTC),
        datetime.datetime(1, 1, 1, tzinfo=UTC),
        datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    ],
    ids=str,
)
def test_datetime_conversions_are_exact(codec, moment):
    value = codec.Timestamp.from_datetime(moment)
    assert value.nanoseconds == moment.microsecond * 1000
    assert value.to_datetime() == moment
    assert value.to_datetime().tzinfo is UTC


def test_from_datetime_minds_the_zone(codec):
    east = datetime.timezone(datetime.timedelta(hours=9))
    assert codec.Timestamp.from_datetime(
        datetime.datetime(1970, 1, 1, 9, tzinfo=east)
    ) == codec.Timestamp(0)


def test_a_naive_datetime_is_local_time(codec):
    moment = datetime.datetime(2020, 1, 1, 12)
    assert codec.Timestamp.from_datetime(moment).seconds == int(moment.timestamp())


@pytest.mark.parametrize("seconds", [2**40, -(2**40), 2**63 - 1, -(2**63)])
def test_to_datetime_overflows_clearly(codec, seconds):
    with pytest.raises(OverflowError):
        codec.Timestamp(seconds).to_datetime()


def test_nanoseconds_are_cut_to_microseconds_in_a_datetime(codec):
    assert codec.Timestamp(0, 1999).to_datetime().microsecond == 1


def test_equality_hash_and_repr(codec):
    assert codec.Timestamp(1, 2) == codec.Timestamp(1, 2)
    assert codec.Timestamp(1, 2) != codec.Timestamp(1, 3)
    assert codec.Timestamp(1, 2) != (1, 2)
    assert hash(codec.Timestamp(1, 2)) == hash(codec.Timestamp(1, 2))
    assert repr(codec.Timestamp(1, 2)) == "Timestamp(seconds=1, nanoseconds=2)"


def test_there_is_no_order(codec):
    with pytest.raises(TypeError):
        assert codec.Timestamp(1) < codec.Timestamp(2)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_it_can_be_pickled(codec, protocol):
    if protocol < 2 and codec.is_reference:
        pytest.skip("msgpack's class with slots needs protocol 2")
    value = codec.Timestamp(1, 2)
    assert pickle.loads(pickle.dumps(value, protocol)) == value


def test_it_packs_and_unpacks(codec):
    for seconds, nanoseconds, _ in EDGES:
        value = codec.Timestamp(seconds, nanoseconds)
        again = codec.unpackb(codec.packb(value))
        assert again == value and type(again) is codec.Timestamp


@pytest.mark.parametrize("seconds", [2**63, -(2**63) - 1, 2**100])
def test_seconds_beyond_64_bits_do_not_pack(codec, seconds):
    with pytest.raises(OverflowError):
        codec.packb(codec.Timestamp(seconds))


def test_a_subclass_does_not_pack(codec):
    class Special(codec.Timestamp):
        pass

    with pytest.raises(TypeError, match="(?m)^can not serialize 'Special' object$"):
        codec.packb(Special(1))
