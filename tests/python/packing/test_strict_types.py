"""strict_types: exact types only; everything else goes to `default` or is refused."""

import collections
import enum

import pytest

Point = collections.namedtuple("Point", "x y")


class Number(int):
    pass


class Real(float):
    pass


class Text(str):
    pass


class Items(list):
    pass


class Table(dict):
    pass


class Color(enum.IntEnum):
    RED = 1


SUBCLASSED = [
    Number(1),
    Real(1.0),
    Text("a"),
    Items(),
    Table(),
    Color.RED,
    collections.OrderedDict(),
]


@pytest.mark.parametrize(
    "value",
    [None, True, 1, 1.5, "a", [1], {"a": 1}, b"b", bytearray(b"c"), memoryview(b"d")],
    ids=repr,
)
def test_exact_types_pack(codec, value):
    assert codec.packb(value, strict_types=True) == codec.packb(value)


@pytest.mark.parametrize("value", [*SUBCLASSED, (), (1,), Point(1, 2)], ids=repr)
def test_subclasses_and_tuples_are_refused(codec, value):
    with pytest.raises(TypeError, match="(?m)^can not serialize '.*' object$"):
        codec.packb([value], strict_types=True)


@pytest.mark.parametrize("value", [*SUBCLASSED, (), (1,), Point(1, 2)], ids=repr)
def test_subclasses_and_tuples_go_to_default(codec, value):
    data = codec.packb([value], strict_types=True, default=lambda value: type(value).__name__)
    assert codec.unpackb(data) == [type(value).__name__]


def test_tuples_can_be_told_from_lists(codec):
    def default(value):
        return {"tuple": list(value)} if isinstance(value, tuple) else value

    data = codec.packb([1, (2, [3])], strict_types=True, default=default)
    assert codec.unpackb(data) == [1, {"tuple": [2, [3]]}]


def test_ext_type_must_be_exact(codec):
    class Special(codec.ExtType):
        pass

    assert codec.packb(codec.ExtType(1, b"a"), strict_types=True) == b"\xd4\x01a"
    assert codec.packb(Special(1, b"a")) == b"\xd4\x01a"
    with pytest.raises(TypeError):
        codec.packb(Special(1, b"a"), strict_types=True)


def test_timestamp_packs(codec):
    assert codec.packb(codec.Timestamp(1), strict_types=True) == b"\xd6\xff\0\0\0\x01"
