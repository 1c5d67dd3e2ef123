"""Which Python types pack, and as what."""

import array
import collections
import datetime
import decimal
import enum
import fractions
import pathlib
import sys
import uuid

import pytest

Point = collections.namedtuple("Point", "x y")


class Color(enum.IntEnum):
    RED = 1


class Number(int):
    pass


class Real(float):
    pass


class Text(str):
    pass


class Data(bytes):
    pass


class Buffer(bytearray):
    pass


class Items(list):
    pass


class Frozen(tuple):
    pass


class Table(dict):
    pass


@pytest.mark.parametrize(
    "value, data",
    [
        (None, "c0"),
        (True, "c3"),
        (False, "c2"),
        (1, "01"),
        (1.5, "cb3ff8000000000000"),
        ("a", "a161"),
        (b"a", "c40161"),
        (bytearray(b"a"), "c40161"),
        (memoryview(b"a"), "c40161"),
        ([1], "9101"),
        ((1,), "9101"),
        ({"a": 1}, "81a16101"),
    ],
    ids=repr,
)
def test_builtin_types(codec, value, data):
    assert codec.packb(value).hex() == data


@pytest.mark.parametrize(
    "value, plain",
    [
        (Number(300), 300),
        (Color.RED, 1),
        (Real(1.5), 1.5),
        (Text("abc"), "abc"),
        (Data(b"abc"), b"abc"),
        (Buffer(b"abc"), b"abc"),
        (Items([1, 2]), [1, 2]),
        (Frozen((1, 2)), [1, 2]),
        (Point(1, 2), [1, 2]),
        (Table(a=1), {"a": 1}),
        (collections.OrderedDict([("b", 1), ("a", 2)]), {"b": 1, "a": 2}),
        (collections.defaultdict(int, a=1), {"a": 1}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
    ],
    ids=repr,
)
def test_subclasses_pack_as_their_base(codec, value, plain):
    assert codec.packb(value) == codec.packb(plain)
    assert codec.packb([value]) == codec.packb([plain])


def test_subclasses_pack_as_map_keys(codec):
    assert codec.packb({Text("a"): 1}) == codec.packb({"a": 1})
    assert codec.packb({Number(1): 1}) == codec.packb({1: 1})
    assert codec.packb({(1, 2): 1}) == b"\x81\x92\x01\x02\x01"


@pytest.mark.parametrize(
    "value, name",
    [
        ({1}, "set"),
        (frozenset([1]), "frozenset"),
        (range(3), "range"),
        (iter([]), "list_iterator"),
        ((x for x in []), "generator"),
        (array.array("b", [1]), "array.array"),
        (decimal.Decimal(1), "decimal.Decimal"),
        (fractions.Fraction(1), "Fraction"),
        (uuid.UUID(int=0), "UUID"),
        (datetime.date(2020, 1, 1), "datetime.date"),
        (datetime.datetime(2020, 1, 1), "datetime.datetime"),
        (datetime.timedelta(1), "datetime.timedelta"),
        (1j, "complex"),
        (object(), "object"),
        (object, "type"),
        (len, "builtin_function_or_method"),
        (collections.deque(), "collections.deque"),
        (pathlib.PurePosixPath("/"), "PurePosixPath"),
        (enum.Enum("Plain", "A").A, "Plain"),
        ({}.keys(), "dict_keys"),
        (Ellipsis, "ellipsis"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_types_are_refused_by_name(codec, value, name):
    with pytest.raises(TypeError) as caught:
        codec.packb(value)
    assert str(caught.value) == f"can not serialize '{name}' object" or not codec.is_compiled
    with pytest.raises(TypeError):
        codec.packb({"a": [value]})


def test_dict_subclasses_are_read_through_items(codec):
    class Doubled(dict):
        def items(self):
            return [(key, value * 2) for key, value in super().items()]

    assert codec.packb(Doubled(a=1)) == codec.packb({"a": 2})


def test_list_subclasses_are_read_by_iteration(codec):
    class Doubled(list):
        def __iter__(self):
            return (item * 2 for item in super().__iter__())

    assert codec.packb(Doubled([1, 2])) == codec.packb([2, 4])


def test_int_subclasses_do_not_run_their_own_methods(codec):
    class Odd(int):
        def __index__(self):
            raise AssertionError

        def __int__(self):
            raise AssertionError

    assert codec.packb(Odd(5)) == b"\x05"


@pytest.mark.skipif(sys.version_info < (3, 15), reason="frozendict is new in 3.15")
def test_frozendict(codec):
    value = frozendict(a=1)  # noqa: F821
    assert codec.packb(value) == codec.packb({"a": 1})
    assert codec.packb(value, strict_types=True) == codec.packb({"a": 1})


def test_dict_order_is_kept(codec):
    assert codec.packb({"b": 1, "a": 2}) == b"\x82\xa1b\x01\xa1a\x02"


@pytest.mark.parametrize("shape", [(6,), (2, 3), (3, 2), (1, 6)])
def test_memoryviews_pack_as_their_bytes(codec, shape):
    """Any item size and any number of dimensions, in C order."""
    view = memoryview(array.array("i", range(6))).cast("B").cast("i", shape)
    assert codec.packb(view) == codec.packb(bytes(view))


@pytest.mark.parametrize("code", "bBhHiIlLqQfd")
def test_memoryviews_of_every_item_type(codec, code):
    values = array.array(code, [1, 2, 3])
    assert codec.packb(memoryview(values)) == codec.packb(values.tobytes())


@pytest.mark.parametrize("length", [0, 1, 255, 256, 65535, 65536])
def test_memoryview_headers(codec, length):
    assert codec.packb(memoryview(bytes(length))) == codec.packb(bytes(length))


def test_a_memoryview_that_is_not_contiguous_is_refused(codec):
    with pytest.raises(BufferError):
        codec.packb(memoryview(b"abcdef")[::2])


def test_a_released_memoryview_is_refused(codec):
    view = memoryview(b"abc")
    view.release()
    with pytest.raises(ValueError):
        codec.packb(view)


def test_packing_leaves_no_export_behind(codec):
    data = bytearray(b"abc")
    with memoryview(data) as view:
        codec.packb(view)
    data.append(1)
    codec.packb(data)
    data.append(1)


def test_numpy_scalars_that_are_python_subclasses(codec):
    numpy = pytest.importorskip("numpy")
    assert codec.packb(numpy.float64(1.5)) == codec.packb(1.5)
    assert codec.packb(numpy.str_("a")) == codec.packb("a")
    assert codec.packb(numpy.bytes_(b"a")) == codec.packb(b"a")
    for value in (numpy.float32(1), numpy.int64(1), numpy.bool_(True), numpy.zeros(2)):
        with pytest.raises(TypeError):
            codec.packb([value])


@pytest.mark.parametrize("single", [False, True])
def test_pairs_of_floats(codec, single):
    values = [1.1, -0.0, float("inf"), float("nan"), 7, None]
    for first in values:
        for second in values:
            parts = [codec.packb(part, use_single_float=single) for part in (first, second)]
            packed = codec.packb([[first, second]] * 3, use_single_float=single)
            assert packed == b"\x93" + (b"\x92" + b"".join(parts)) * 3
