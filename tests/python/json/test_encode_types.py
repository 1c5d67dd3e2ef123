"""What encode writes for each type: the forms of msgspec."""

import collections
import dataclasses
import datetime
import decimal
import enum
import math
import uuid
from typing import ClassVar

import pytest

UTC = datetime.UTC


def zone(**offset):
    return datetime.timezone(datetime.timedelta(**offset))


class Color(enum.Enum):
    RED = "red"
    ONE = 1
    PAIR = (1, "two")


class Number(enum.IntEnum):
    SEVEN = 7


class Flags(enum.IntFlag):
    A = 1
    B = 2


class Text(enum.StrEnum):
    LEFT = "left"


class IntOfItsOwn(int, enum.Enum):
    """Its int is not its value: it is written as the int that it is."""

    FIVE = "five"

    def __new__(cls, value):
        member = int.__new__(cls, 5)
        member._value_ = value
        return member


class TextOfItsOwn(str, enum.Enum):  # noqa: UP042  (StrEnum wants the text as the value)
    ONE = 1

    def __new__(cls, value):
        member = str.__new__(cls, "one")
        member._value_ = value
        return member


class FloatOfItsOwn(float, enum.Enum):
    HALF = "half"

    def __new__(cls, value):
        member = float.__new__(cls, 0.5)
        member._value_ = value
        return member


class OwnMeta(enum.EnumMeta):
    pass


class WithOwnMeta(enum.Enum, metaclass=OwnMeta):
    X = (1,)


@dataclasses.dataclass
class Point:
    x: int
    _y: int = 2
    z: int = dataclasses.field(default=3, init=False)
    name: dataclasses.InitVar[str] = "unused"


@dataclasses.dataclass(slots=True, frozen=True)
class Slotted:
    b: int
    a: object


class Pair(collections.namedtuple("Pair", "first second")):
    pass


class ListSub(list):
    pass


class DictSub(dict):
    pass


class UuidSub(uuid.UUID):
    pass


CASES = [
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (12, "12"),
    (1.5, "1.5"),
    ("", '""'),
    ('q"\\\n\x01\x7f\u2028', '"q\\"\\\\\\n\\u0001\x7f\u2028"'),
    (b"", '""'),
    (b"\x00\xff", '"AP8="'),
    (bytes(range(6)), '"AAECAwQF"'),
    (bytearray(b"abcd"), '"YWJjZA=="'),
    (memoryview(b"abcde")[1:3], '"YmM="'),
    ([], "[]"),
    ((), "[]"),
    ({}, "{}"),
    ([1, "a", None, [2]], '[1,"a",null,[2]]'),
    ((1, (2, 3)), "[1,[2,3]]"),
    ({"a": 1, "b": {"c": []}}, '{"a":1,"b":{"c":[]}}'),
    (
        {
            1,
        },
        "[1]",
    ),
    (frozenset(["x"]), '["x"]'),
    (set(), "[]"),
    (Pair(1, "b"), '[1,"b"]'),
    (ListSub([1, 2]), "[1,2]"),
    (DictSub(a=1), '{"a":1}'),
    (collections.OrderedDict([("b", 1), ("a", 2)]), '{"b":1,"a":2}'),
    (collections.defaultdict(list, a=[1]), '{"a":[1]}'),
    (collections.Counter("aab"), '{"a":2,"b":1}'),
    (datetime.datetime(2021, 2, 3, 4, 5, 6), '"2021-02-03T04:05:06"'),
    (datetime.datetime(2021, 2, 3, 4, 5, 6, 70), '"2021-02-03T04:05:06.000070"'),
    (datetime.datetime(1, 1, 1), '"0001-01-01T00:00:00"'),
    (datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC), '"9999-12-31T23:59:59.999999Z"'),
    (datetime.datetime(2021, 2, 3, tzinfo=UTC), '"2021-02-03T00:00:00Z"'),
    (
        datetime.datetime(2021, 2, 3, tzinfo=zone(hours=5, minutes=30)),
        '"2021-02-03T00:00:00+05:30"',
    ),
    (datetime.datetime(2021, 2, 3, tzinfo=zone(hours=-8)), '"2021-02-03T00:00:00-08:00"'),
    (datetime.datetime(2021, 2, 3, tzinfo=zone(seconds=31)), '"2021-02-03T00:00:00+00:01"'),
    (
        datetime.datetime(2021, 2, 3, tzinfo=zone(hours=23, minutes=59, seconds=45)),
        '"2021-02-03T00:00:00+23:59"',
    ),
    (
        datetime.datetime(2021, 2, 3, tzinfo=zone(hours=-23, minutes=-59, seconds=-45)),
        '"2021-02-03T00:00:00-23:59"',
    ),
    (datetime.date(2021, 2, 3), '"2021-02-03"'),
    (datetime.date(1, 1, 1), '"0001-01-01"'),
    (datetime.time(1, 2, 3), '"01:02:03"'),
    (datetime.time(1, 2, 3, 4), '"01:02:03.000004"'),
    (datetime.time(1, 2, 3, tzinfo=UTC), '"01:02:03Z"'),
    (datetime.time(1, 2, 3, tzinfo=zone(hours=2)), '"01:02:03+02:00"'),
    (datetime.timedelta(0), '"P0D"'),
    (datetime.timedelta(days=1), '"P1D"'),
    (datetime.timedelta(seconds=1), '"PT1S"'),
    (datetime.timedelta(seconds=-1), '"-PT1S"'),
    (datetime.timedelta(days=1, seconds=30, microseconds=123), '"P1DT30.000123S"'),
    (datetime.timedelta(days=-1, microseconds=-500000), '"-P1DT0.5S"'),
    (datetime.timedelta(microseconds=-1), '"-PT0.000001S"'),
    (datetime.timedelta.max, '"P999999999DT86399.999999S"'),
    (datetime.timedelta.min, '"-P999999999D"'),
    (uuid.UUID(int=0x0123456789ABCDEF0123456789ABCDEF), '"01234567-89ab-cdef-0123-456789abcdef"'),
    (uuid.UUID(int=0), '"00000000-0000-0000-0000-000000000000"'),
    (UuidSub(int=1), '"00000000-0000-0000-0000-000000000001"'),
    (decimal.Decimal("1.50"), '"1.50"'),
    (decimal.Decimal("-1E+5"), '"-1E+5"'),
    (decimal.Decimal("NaN"), '"NaN"'),
    (Color.RED, '"red"'),
    (Color.ONE, "1"),
    (Color.PAIR, '[1,"two"]'),
    (Number.SEVEN, "7"),
    (Flags.A | Flags.B, "3"),
    (Text.LEFT, '"left"'),
    (WithOwnMeta.X, "[1]"),
    (Point(1), '{"x":1,"_y":2}'),
    (Slotted(1, [Point(2)]), '{"b":1,"a":[{"x":2,"_y":2}]}'),
]


@pytest.mark.parametrize(("value", "text"), CASES, ids=[repr(row[0])[:70] for row in CASES])
def test_forms(api, value, text):
    expected = text.encode()
    assert api.encode(value) == expected
    assert api.Encoder().encode(value) == expected
    assert api.encode([value, {"k": value}]) == b"[" + expected + b',{"k":' + expected + b"}]"
    assert api.encode([value] * 20) == b"[" + b",".join([expected] * 20) + b"]"


def test_members_of_enums_that_are_int_or_text_of_their_own(api):
    for member, value, key in (
        (IntOfItsOwn.FIVE, b"5", b'"5"'),
        (TextOfItsOwn.ONE, b'"one"', b'"one"'),
        (FloatOfItsOwn.HALF, b'"half"', b'"half"'),
    ):
        for write in (api.encode, api.Encoder().encode, api.dumps):
            assert write([member]) == b"[" + value + b"]"
        assert api.encode({member: 1}) == b"{" + key + b":1}"
        assert api.dumps({member: 1}, option=api.OPT_NON_STR_KEYS) == b"{" + key + b":1}"


IN_PAIRS = [1.1, -65.61361699999998, 0.0, -0.0, 1.0, 5e-324, 1e300, math.nan, -math.inf, 7, None]


@pytest.mark.parametrize("first", IN_PAIRS, ids=repr)
def test_pairs(api, first):
    for second in IN_PAIRS:
        expected = b"[" + api.encode(first) + b"," + api.encode(second) + b"]"
        assert api.encode([[first, second]] * 3) == b"[" + b",".join([expected] * 3) + b"]"


KEYS = [
    ("a", "a"),
    ("\u00e9\n", "\u00e9\\n"),
    (type("S", (str,), {})("sub"), "sub"),
    (1, "1"),
    (-(10**30), "-" + "1" + "0" * 30),
    (1.5, "1.5"),
    (1e300, "1e300"),
    (float("nan"), "nan"),
    (float("-inf"), "-inf"),
    (b"\x00\xff", "AP8="),
    (Color.RED, "red"),
    (Color.ONE, "1"),
    (Number.SEVEN, "7"),
    (Text.LEFT, "left"),
    (datetime.datetime(2021, 2, 3, tzinfo=UTC), "2021-02-03T00:00:00Z"),
    (datetime.date(2021, 2, 3), "2021-02-03"),
    (datetime.time(1, 2), "01:02:00"),
    (datetime.timedelta(1), "P1D"),
    (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (decimal.Decimal("1.5"), "1.5"),
]


@pytest.mark.parametrize(("key", "text"), KEYS, ids=[repr(row[0]) for row in KEYS])
def test_keys(api, key, text):
    assert api.encode({key: 1}) == f'{{"{text}":1}}'.encode()
    assert api.encode({"a": 1, key: [2], "b": 3}) in (
        f'{{"a":1,"{text}":[2],"b":3}}'.encode(),
        b'{"a":[2],"b":3}',
    )


@pytest.mark.parametrize("key", [True, None, (1, 2), frozenset(), Point], ids=repr)
def test_keys_that_are_refused(api, key):
    text = "Only dicts with str-like or number-like keys are supported"
    with pytest.raises(TypeError, match=text) as caught:
        api.encode([{"a": 1, key: 2}])
    assert caught.value.path == "$[0].<key>"


@pytest.mark.parametrize(
    "value",
    [
        object(),
        1j,
        range(3),
        iter([]),
        Point,
        Color,
        int,
        Ellipsis,
        type("I", (int,), {})(1),
        type("F", (float,), {})(1.0),
        type("B", (bytes,), {})(b""),
        len,
    ],
    ids=repr,
)
def test_values_that_are_refused(api, value):
    text = f"Encoding objects of type {type(value).__name__} is unsupported"
    with pytest.raises(TypeError) as caught:
        api.encode([{"a": value}])
    assert str(caught.value) == text
    assert caught.value.path == "$[0].a"
    assert caught.value.__notes__ == ["at $[0].a"]


def test_attrs(api):
    attrs = pytest.importorskip("attrs")

    @attrs.define
    class Slots:
        x: int
        _hidden: int = 1

    @attrs.define(slots=False)
    class Dict:
        x: int
        more: object = None

    @attrs.define
    class Sub(Slots):
        y: int = 5

    assert api.encode(Slots(1)) == b'{"x":1}'
    assert api.encode(Dict(1, [Slots(2)])) == b'{"x":1,"more":[{"x":2}]}'

    @attrs.define(slots=False)
    class Both(Sub):
        b: int = 6
        a: int = 7

    @attrs.define
    class Unsorted(Slots):
        z: int = 2
        a: int = 3

    assert api.encode(Sub(1)) == b'{"y":5,"x":1}'
    both = Both(1)
    assert api.encode(both) == b'{"b":6,"a":7,"y":5,"x":1}'
    assert vars(both) == {"b": 6, "a": 7}
    both._more = 8
    assert api.encode(both) == b'{"b":6,"a":7,"y":5,"x":1}'
    assert api.encode(Unsorted(1)) == b'{"a":3,"z":2,"x":1}'
    assert api.encode(Unsorted(1), order="sorted") == b'{"a":3,"x":1,"z":2}'
    slots = ["value"]
    kept = type("Kept", (), {"__slots__": slots, "__attrs_attrs__": ()})()
    kept.value = 1
    assert api.encode(kept) == b'{"value":1}'
    slots[:] = ["value", 5]
    with pytest.raises(TypeError, match="not supported between"):
        api.encode(kept)


def test_frozendict(api):
    import builtins

    frozen = getattr(builtins, "frozendict", None)
    if frozen is None:
        pytest.skip("this Python has no frozendict")
    assert api.encode(frozen(a=1, b=frozen())) == b'{"a":1,"b":{}}'


def test_fields_of_a_dataclass_that_are_not_there_are_left_out(api):
    point = Point(1)
    del point.x
    assert api.encode(point) == b'{"_y":2}'
    point.z, point.name = 4, "here"
    assert api.encode(point) == b'{"_y":2,"z":4,"name":"here"}'
    assert api.encode(point, order="sorted") == b'{"_y":2,"name":"here","z":4}'

    @dataclasses.dataclass
    class Failing:
        x: int = 1

        def __getattribute__(self, name):
            if name == "x":
                raise RuntimeError("mine")
            return super().__getattribute__(name)

    with pytest.raises(RuntimeError, match="mine"):
        api.encode(Failing())


class Kept:
    """A data descriptor, as a field: the values are in a dict of its own."""

    def __init__(self):
        self.values = {}

    def __get__(self, instance, owner):
        return 5 if instance is None else self.values[id(instance)]

    def __set__(self, instance, value):
        self.values[id(instance)] = value


@dataclasses.dataclass
class Mixed:
    y: int
    x: int = 1
    kept: int = Kept()
    shared: ClassVar[int] = 9
    given: dataclasses.InitVar[int] = 7

    def __post_init__(self, given):
        self.more = 0


@dataclasses.dataclass
class Passing:
    """Takes what is given to it, as objects of some databases do, which are no dataclasses."""

    a: int
    b: int


class Quacking:
    __dataclass_fields__: ClassVar = {}

    def __init__(self, **held):
        self.held = held
        self.__dataclass_fields__ = Passing.__dataclass_fields__

    def __getattr__(self, name):
        return self.held[name]


class Quiet:
    @property
    def __dataclass_fields__(self):
        return Passing.__dataclass_fields__


def test_fields_are_what_the_instance_has(api):
    mixed = Mixed(2)
    assert api.encode(mixed) == b'{"y":2,"x":1,"kept":5}'
    mixed.kept = "k"
    mixed.shared = 8
    assert api.encode(mixed) == b'{"y":2,"x":1,"kept":"k","shared":8}'
    vars(mixed)["kept"] = "dict"
    vars(mixed).update(x=vars(mixed).pop("x"))
    assert api.encode(mixed) == b'{"y":2,"x":1,"kept":"dict","shared":8}'
    del vars(mixed)["kept"]
    vars(Mixed)["kept"].values.clear()
    assert api.encode(mixed) == b'{"y":2,"x":1,"shared":8}'


def test_what_only_says_that_it_is_a_dataclass(api):
    for held in ({"a": 0, "b": 1}, {"a": 0}, {"b": 1}, {}):
        assert api.encode(Quacking(**held)) == api.encode(held)

    @dataclasses.dataclass
    class Searching(Point):
        shared: ClassVar[int] = 9

        def __getattr__(self, name):
            return "found" if name == "more" else self.missing(name)

        def missing(self, name):
            raise AttributeError(name)

    assert api.encode(Searching(1)) == b'{"x":1,"_y":2,"z":3}'
    quiet = Quiet()
    assert api.encode(quiet) == b"{}"
    quiet.b, quiet.a = 2, 1
    assert api.encode(quiet) == b'{"a":1,"b":2}'
    never = type("Never", (), {"__getattr__": lambda self, name: Passing.__dataclass_fields__})()
    with pytest.raises(TypeError, match="Never is unsupported"):
        api.encode(never)
    wrong = type("Wrong", (), {"__dataclass_fields__": ("a",)})()
    with pytest.raises(TypeError, match="Wrong is unsupported"):
        api.encode(wrong)
    assert api.encode(wrong, enc_hook=lambda value: "hook") == b'"hook"'


def test_a_hook_may_change_the_instance_that_is_written(api):
    passing = Passing(1j, 2)

    def hook(value):
        passing.more = passing.b = "changed"
        return str(value)

    assert api.encode(passing, enc_hook=hook) == b'{"a":"1j","b":2}'
    assert api.encode(passing, enc_hook=hook) == b'{"a":"1j","b":"changed"}'
    del passing.more
    passing.b = 2
    assert api.dumps(passing, default=hook) == b'{"a":"1j","b":2}'
    assert api.dumps(passing, default=hook) == b'{"a":"1j","b":"changed","more":"changed"}'


def test_non_contiguous_buffers(api):
    for value in (memoryview(b"abcdef")[::2], memoryview(b"abcdef")[::-1]):
        with pytest.raises(BufferError):
            api.encode(value)


def test_base64_of_every_length(api):
    import base64

    for size in range(200):
        data = bytes((at * 37 + size) % 256 for at in range(size))
        assert api.encode(data) == b'"' + base64.b64encode(data) + b'"'


def test_many_datetimes(api):
    import random

    chosen = random.Random(1)
    for _ in range(2000):
        offset = chosen.choice([None, UTC, zone(minutes=chosen.randrange(-1439, 1440))])
        value = datetime.datetime(
            *(
                chosen.randrange(low, high)
                for low, high in ((1, 9999), (1, 13), (1, 29), (0, 24), (0, 60), (0, 60))
            ),
            microsecond=chosen.choice([0, chosen.randrange(10**6)]),
            tzinfo=offset,
        )
        expected = value.isoformat().removesuffix("+00:00")
        if value.utcoffset() == datetime.timedelta(0):
            expected += "Z"
        assert api.decode(api.encode(value)) == expected
        assert api.decode(api.encode(value.date())) == value.date().isoformat()
