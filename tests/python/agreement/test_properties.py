"""Properties over generated objects and options, shrunk by hypothesis when one fails."""

import datetime
import itertools
import math
import os
import struct

import pytest

pytest.importorskip("hypothesis")

from agreement_checks import check_against_slow, check_between
from comparing import difference, outcome
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

thorough = settings(
    max_examples=60 if os.environ.get("PACKHORSE_SANITIZED") else 300,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

integers = st.one_of(
    st.integers(-(2**63), 2**64 - 1),
    st.integers(-200, 300),
    st.builds(lambda power, step: (1 << power) + step, st.integers(0, 63), st.integers(-2, 2)),
)
floats = st.floats(allow_nan=False)
texts = st.one_of(
    st.text(max_size=40), st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=300)
)
datas = st.binary(max_size=300)
scalars = st.one_of(st.none(), st.booleans(), integers, floats, texts, datas)
keys = st.one_of(texts, datas)
any_keys = st.one_of(texts, datas, integers, st.booleans(), st.none())


def trees(key_strategy):
    return st.recursive(
        scalars,
        lambda inner: st.one_of(
            st.lists(inner, max_size=20),
            st.dictionaries(key_strategy, inner, max_size=20),
            st.lists(
                st.dictionaries(
                    st.sampled_from(["id", "name", "value", "\xe9t\xe9"]), inner, max_size=4
                ),
                max_size=8,
            ),
        ),
        max_leaves=30,
    )


@thorough
@given(value=trees(keys))
def test_round_trip(codec, value):
    data = codec.packb(value)
    assert difference(codec.unpackb(data), value) is None
    unpacker = codec.Unpacker()
    unpacker.feed(data)
    assert difference(unpacker.unpack(), value) is None


@thorough
@given(value=trees(any_keys))
def test_round_trip_with_keys_of_any_kind(codec, value):
    """Equal keys (1, 1.0 and True) may come from different types: the dict decides, as it did when the value was made."""
    assert codec.unpackb(codec.packb(value), strict_map_key=False) == value


pack_options = st.fixed_dictionaries(
    {},
    optional={
        "use_single_float": st.booleans(),
        "use_bin_type": st.booleans(),
        "strict_types": st.booleans(),
        "unicode_errors": st.sampled_from(
            [
                None,
                "strict",
                "ignore",
                "replace",
                "surrogateescape",
                "surrogatepass",
                "backslashreplace",
            ]
        ),
        "datetime": st.booleans(),
        "buf_size": st.integers(0, 300),
        "default": st.sampled_from([None, str, lambda value: [1, "d"], lambda value: {"x": None}]),
    },
)


class Subclass(dict):
    pass


def foreign(codec):
    """Values that not every option set packs."""
    aware = st.datetimes(timezones=st.just(datetime.UTC))
    return st.one_of(
        scalars,
        st.text(st.characters(), max_size=5),
        st.builds(lambda text: text + "\ud800", texts),
        st.builds(tuple, st.lists(scalars, max_size=4)),
        st.builds(Subclass, st.dictionaries(texts, scalars, max_size=3)),
        st.builds(bytearray, datas),
        st.builds(memoryview, datas),
        st.just(2**64),
        st.just(1j),
        aware,
        st.builds(lambda code, data: ("ext", code, data), st.integers(0, 127), datas),
        st.builds(
            lambda seconds, ns: ("timestamp", seconds, ns),
            st.integers(-(2**63), 2**63 - 1),
            st.integers(0, 999999999),
        ),
    )


def localised(value, codec):
    """Each package packs its own ExtType and Timestamp."""
    if isinstance(value, tuple) and value[:1] == ("ext",) and len(value) == 3:
        return codec.ExtType(*value[1:])
    if isinstance(value, tuple) and value[:1] == ("timestamp",) and len(value) == 3:
        return codec.Timestamp(*value[1:])
    if type(value) is list:
        return [localised(item, codec) for item in value]
    if type(value) is dict:
        return {key: localised(item, codec) for key, item in value.items()}
    return value


@thorough
@given(value=st.lists(foreign(None), max_size=6), options=pack_options, nested=st.booleans())
def test_all_implementations_write_the_same_bytes(codecs, value, options, nested):
    if nested:
        value = {"values": value, "again": [value]}
    first, *others = codecs
    expected = outcome(first.packb, localised(value, first), **options)
    for other in others:
        actual = outcome(other.packb, localised(value, other), **options)
        if "error" in (actual[0], expected[0]):
            assert actual[:2] == expected[:2], f"{other.name} {actual}, {first.name} {expected}"
        else:
            assert actual == expected, f"{other.name} and {first.name}"


@thorough
@given(value=trees(any_keys))
def test_all_implementations_read_the_same(codecs, value):
    data = codecs[0].packb(value)
    for options in (
        {},
        {"strict_map_key": False},
        {"raw": True, "strict_map_key": False},
        {"use_list": False},
        {"object_pairs_hook": list},
    ):
        check_between(codecs, data, options)


@thorough
@given(data=st.binary(max_size=60))
def test_random_bytes(codec, data):
    check_against_slow(codec, data)


tokens = st.one_of(
    st.integers(0, 255).map(lambda byte: bytes([byte])),
    st.sampled_from([bytes.fromhex(text) for text in (
        "dc0003", "dd00000002", "de0002", "df00000001", "d90161", "da000161", "db0000000161", "c40161", "c5000161", "c60000000161",
        "c7010561", "d4ff00", "d6ff00000000", "d7ff0000000000000001", "c70cff000000010000000000000000", "a161", "a1ff", "92", "82",
        "cb7ff8000000000000", "ca7fc00000", "cf8000000000000000", "d38000000000000000", "a16b", "c1",
    )]),
)  # fmt: skip


@settings(max_examples=1000, deadline=None)
@given(parts=st.lists(tokens, max_size=25))
def test_random_sequences_of_headers(codec, parts):
    check_against_slow(codec, b"".join(parts))


@thorough
@given(values=st.lists(trees(keys), max_size=5), cuts=st.lists(st.integers(0, 2000), max_size=10))
def test_any_splitting_of_a_stream(codec, values, cuts):
    data = b"".join(map(codec.packb, values))
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    unpacker = codec.Unpacker()
    results = []
    for start, end in itertools.pairwise(edges):
        unpacker.feed(data[start:end])
        results.extend(unpacker)
    assert difference(results, values) is None


@thorough
@given(number=st.floats(width=64))
def test_floats_keep_their_bits(codec, number):
    again = codec.unpackb(codec.packb(number))
    assert struct.pack(">d", again) == struct.pack(">d", number)


@thorough
@given(number=st.floats(allow_nan=False))
def test_single_floats_are_rounded_as_the_machine_rounds(codec, number):
    try:
        expected = b"\xca" + struct.pack(">f", number)
    except OverflowError:
        with pytest.raises(OverflowError):
            codec.packb(number, use_single_float=True)
    else:
        assert codec.packb(number, use_single_float=True) == expected


@thorough
@given(moment=st.datetimes(timezones=st.timezones() if hasattr(st, "timezones") else st.none()))
def test_datetimes(codec, moment):
    try:
        data = codec.packb(moment, datetime=True)
    except (ValueError, OverflowError):
        return  # beyond the years of datetime once in UTC
    value = codec.unpackb(data)
    offset = moment.utcoffset()
    since = moment.replace(tzinfo=None) - datetime.datetime(1970, 1, 1) - offset
    assert value.to_unix_nano() == since // datetime.timedelta(microseconds=1) * 1000


@thorough
@given(seconds=st.integers(-(2**63), 2**63 - 1), nanoseconds=st.integers(0, 999999999))
def test_timestamps(codec, seconds, nanoseconds):
    value = codec.Timestamp(seconds, nanoseconds)
    data = codec.packb(value)
    assert codec.unpackb(data) == value
    assert codec.unpackb(data, timestamp=2) == seconds * 10**9 + nanoseconds
    assert math.isclose(codec.unpackb(data, timestamp=1), seconds + nanoseconds / 1e9)
    expected = (
        6 if nanoseconds == 0 and 0 <= seconds < 2**32 else 10 if 0 <= seconds < 2**34 else 15
    )
    assert len(data) == expected
