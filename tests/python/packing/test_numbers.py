"""Integers and floats at every edge."""

import math
import struct

import pytest


def shortest(number):
    for form, code, low, high in (
        (">B", "", 0, 127), (">b", "", -32, -1), (">B", "cc", 0, 2**8 - 1), (">H", "cd", 0, 2**16 - 1),
        (">I", "ce", 0, 2**32 - 1), (">Q", "cf", 0, 2**64 - 1), (">b", "d0", -(2**7), -1), (">h", "d1", -(2**15), -1),
        (">i", "d2", -(2**31), -1), (">q", "d3", -(2**63), -1),
    ):  # fmt: skip
        if low <= number <= high:
            return bytes.fromhex(code) + struct.pack(form, number)
    raise AssertionError(number)


EDGES = sorted(
    {
        sign * 2**power + step
        for power in range(64)
        for step in (-2, -1, 0, 1, 2)
        for sign in (1, -1)
    }
)
IN_RANGE = [number for number in [*EDGES, 2**64 - 2, 2**64 - 1] if -(2**63) <= number < 2**64]


def test_integers_around_every_power_of_two(codec):
    for number in IN_RANGE:
        assert codec.packb(number) == shortest(number), number
        assert codec.unpackb(codec.packb(number)) == number


def test_integers_inside_lists_and_maps(codec):
    data = codec.packb(IN_RANGE)
    assert data == b"\xdc" + struct.pack(">H", len(IN_RANGE)) + b"".join(map(shortest, IN_RANGE))
    assert codec.unpackb(data) == IN_RANGE
    table = {number: number for number in IN_RANGE}
    assert codec.unpackb(codec.packb(table), strict_map_key=False) == table


def test_every_integer_of_17_bits(codec):
    numbers = list(range(-70000, 70001))
    data = codec.packb(numbers)
    assert data == b"\xdd" + struct.pack(">I", len(numbers)) + b"".join(map(shortest, numbers))
    assert codec.unpackb(data) == numbers


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 2**64 + 1, 10**30, -(10**30), 1 << 1000])
def test_integers_beyond_64_bits_are_refused(codec, number):
    for value in (number, [number], {"a": number}):
        with pytest.raises(OverflowError, match="(?m)^Integer value out of range$"):
            codec.packb(value)


def test_integers_beyond_64_bits_go_to_default(codec):
    assert codec.packb(2**64, default=str) == codec.packb(str(2**64))
    assert codec.packb([-(2**70)], default=str) == codec.packb([str(-(2**70))])


FLOATS = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    math.pi,
    1e300,
    -1e300,
    5e-324,
    1.7976931348623157e308,
    2.2250738585072014e-308,
    math.inf,
    -math.inf,
]


@pytest.mark.parametrize("number", FLOATS)
def test_floats_are_doubles(codec, number):
    assert codec.packb(number) == b"\xcb" + struct.pack(">d", number)
    assert struct.pack(">d", codec.unpackb(codec.packb(number))) == struct.pack(">d", number)


def test_nan_keeps_its_bits(codec):
    for bits in ("7ff8000000000000", "fff8000000000000", "7ff8000000000123"):
        number = struct.unpack(">d", bytes.fromhex(bits))[0]
        assert codec.packb(number).hex() == "cb" + bits


def test_whole_floats_stay_floats(codec):
    assert codec.packb(1.0) == b"\xcb\x3f\xf0\0\0\0\0\0\0"


@pytest.mark.parametrize(
    "number",
    [
        0.0,
        -0.0,
        1.5,
        0.1,
        3.4028234663852886e38,
        -3.4028234663852886e38,
        1e-45,
        math.inf,
        -math.inf,
    ],
)
def test_single_floats(codec, number):
    assert codec.packb(number, use_single_float=True) == b"\xca" + struct.pack(">f", number)
    assert codec.packb([number], use_single_float=True) == b"\x91\xca" + struct.pack(">f", number)


def test_single_floats_round_to_nearest_even(codec):
    assert codec.packb(1 + 2**-24, use_single_float=True) == b"\xca\x3f\x80\0\0"
    assert codec.packb(1 + 3 * 2**-24, use_single_float=True) == b"\xca\x3f\x80\0\x02"
    assert codec.packb(1e-60, use_single_float=True) == b"\xca\0\0\0\0"
    assert codec.packb(3.4028235677973362e38, use_single_float=True) == b"\xca\x7f\x7f\xff\xff"


def test_single_nan(codec):
    data = codec.packb(math.nan, use_single_float=True)
    assert data[:1] == b"\xca"
    assert math.isnan(codec.unpackb(data))


@pytest.mark.parametrize("number", [1e300, -1e300, 3.4028236e38, 3.4028235677973366e38])
def test_floats_beyond_single_are_refused_without_asking_default(codec, number):
    with pytest.raises(OverflowError, match="(?m)^float too large to pack with f format$"):
        codec.packb([number], use_single_float=True, default=lambda value: 0)


def test_long_runs_of_one_type_keep_every_value(codec):
    """Writers with a loop for runs must leave it at the first other value."""
    for run in ([1] * 40, [1.5] * 40, ["a"] * 40, [2**33] * 40, [-5] * 40):
        for other in (None, 1, 2**40, -1, 2.5, "x", b"y", [], {}, True, 2**64 - 1):
            for at in (0, 1, 7, 8, 15, 16, 17, 31, 39, 40):
                value = [*run[:at], other, *run[at:]]
                data = codec.packb(value)
                assert data == b"\xdc\0\x29" + b"".join(codec.packb(item) for item in value)
                assert codec.unpackb(data) == value
