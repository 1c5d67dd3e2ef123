"""loads and dumps, as users of orjson know them."""

import dataclasses
import datetime
import enum
import json
import re
import uuid

import pytest

UTC = datetime.UTC
NAIVE = datetime.datetime(2021, 2, 3, 4, 5, 6, 789)
AWARE = NAIVE.replace(tzinfo=UTC)


class Color(enum.Enum):
    RED = "red"
    SEVEN = 7


@dataclasses.dataclass
class Point:
    x: int
    _hidden: int = 2

    def __post_init__(self):
        self.more = "attribute"


@dataclasses.dataclass(slots=True)
class Slotted:
    a: int
    _b: int = 2


class Sub(str):
    pass


class IntSub(int):
    pass


class ListSub(list):
    pass


class DictSub(dict):
    pass


def test_constants(api):
    package = api.package
    assert package.OPT_INDENT_2 == 1
    values = {name: getattr(package, name) for name in package.__all__ if name.startswith("OPT_")}
    assert len(values) == 14
    assert sum(values.values()) == (1 << 12) - 1
    assert package.OPT_SERIALIZE_DATACLASS == package.OPT_SERIALIZE_UUID == 0


DUMPED = [
    (None, "null"),
    ([True, False, 1, -1, 1.5, "a\u00e9"], '[true,false,1,-1,1.5,"a\u00e9"]'),
    ({"b": (), "a": {}}, '{"b":[],"a":{}}'),
    (NAIVE, '"2021-02-03T04:05:06.000789"'),
    (AWARE, '"2021-02-03T04:05:06.000789+00:00"'),
    (NAIVE.date(), '"2021-02-03"'),
    (NAIVE.time(), '"04:05:06.000789"'),
    (uuid.UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
    (Color.RED, '"red"'),
    (Color.SEVEN, "7"),
    (Sub("x"), '"x"'),
    (IntSub(5), "5"),
    (ListSub([1]), "[1]"),
    (DictSub(a=1), '{"a":1}'),
    (Point(1), '{"x":1,"more":"attribute"}'),
    (Slotted(1), '{"a":1}'),
    (2**64 - 1, "18446744073709551615"),
    (-(2**63), "-9223372036854775808"),
]


@pytest.mark.parametrize(("value", "text"), DUMPED, ids=[repr(row[0])[:60] for row in DUMPED])
def test_dumps(api, value, text):
    assert api.dumps(value) == text.encode()
    assert api.dumps([value, {"k": value}]) == f'[{text},{{"k":{text}}}]'.encode()


@pytest.mark.parametrize(
    "value",
    [
        object(),
        b"",
        bytearray(),
        {1, 2},
        1j,
        datetime.timedelta(1),
        type("T", (tuple,), {})(),
        type("F", (float,), {})(1.0),
        Point,
        range(2),
    ],
    ids=repr,
)
def test_what_dumps_does_not_know(api, value):
    with pytest.raises(api.JSONEncodeError) as caught:
        api.dumps([value])
    said = str(caught.value).removeprefix("Type is not JSON serializable: ")
    assert said.removeprefix("datetime.") == type(value).__name__
    assert caught.value.path == "$[0]"
    assert api.dumps([value], default=lambda value: "known") == b'["known"]'
    assert api.dumps([value], lambda value: None, api.package.OPT_INDENT_2) == b"[\n  null\n]"


def test_errors_of_dumps(api):
    package = api.package
    for wrong, text in [
        (lambda: api.dumps("\ud800"), "str is not valid UTF-8: surrogates not allowed"),
        (lambda: api.dumps({1: 2}), "Dict key must be str"),
        (lambda: api.dumps(2**64), "Integer exceeds 64-bit range"),
        (
            lambda: api.dumps(2**53, option=package.OPT_STRICT_INTEGER),
            "Integer exceeds 53-bit range",
        ),
        (lambda: api.dumps(1, option=1 << 12), "Invalid opts"),
        (lambda: api.dumps(1, option=-1), "Invalid opts"),
        (lambda: api.dumps(1, option="1"), "Invalid opts"),
        (lambda: api.dumps(datetime.time(1, tzinfo=UTC)), "datetime.time must not have tzinfo set"),
        (
            lambda: api.dumps({(): 1}, option=package.OPT_NON_STR_KEYS),
            "Dict key must a type serializable with OPT_NON_STR_KEYS",
        ),
        (
            lambda: api.dumps({2**64: 1}, option=package.OPT_NON_STR_KEYS),
            "Dict integer key must be within 64-bit range",
        ),
    ]:
        with pytest.raises(api.JSONEncodeError) as caught:
            wrong()
        assert str(caught.value) == text
    for wrong in (
        lambda: api.dumps(),
        lambda: api.dumps(1, None, None, None),
        lambda: api.dumps(1, other=1),
        lambda: api.dumps(1, None, default=None),
    ):
        with pytest.raises(TypeError):
            wrong()


def test_an_exception_of_default_is_the_cause(api):
    raised = KeyError("mine")

    def default(value):
        raise raised

    with pytest.raises(
        api.JSONEncodeError, match="Type is not JSON serializable: object"
    ) as caught:
        api.dumps({"a": object()}, default=default)
    assert caught.value.__cause__ is raised
    assert caught.value.path == "$.a"


def test_options(api):
    p = api.package
    for value, option, text in [
        ([{"b": 1, "a": [2]}], p.OPT_SORT_KEYS, '[{"a":[2],"b":1}]'),
        (
            [{"b": [], "a": [2]}],
            p.OPT_INDENT_2,
            '[\n  {\n    "b": [],\n    "a": [\n      2\n    ]\n  }\n]',
        ),
        ([1], p.OPT_APPEND_NEWLINE, "[1]\n"),
        (
            {"b": 1, "a": 2},
            p.OPT_INDENT_2 | p.OPT_SORT_KEYS | p.OPT_APPEND_NEWLINE,
            '{\n  "a": 2,\n  "b": 1\n}\n',
        ),
        (
            [NAIVE, AWARE],
            p.OPT_NAIVE_UTC,
            '["2021-02-03T04:05:06.000789+00:00","2021-02-03T04:05:06.000789+00:00"]',
        ),
        (
            [NAIVE, AWARE],
            p.OPT_UTC_Z,
            '["2021-02-03T04:05:06.000789","2021-02-03T04:05:06.000789Z"]',
        ),
        ([NAIVE, NAIVE.time()], p.OPT_OMIT_MICROSECONDS, '["2021-02-03T04:05:06","04:05:06"]'),
        (
            [NAIVE],
            p.OPT_NAIVE_UTC | p.OPT_UTC_Z | p.OPT_OMIT_MICROSECONDS,
            '["2021-02-03T04:05:06Z"]',
        ),
        ([2**53 - 1, -(2**53) + 1], p.OPT_STRICT_INTEGER, "[9007199254740991,-9007199254740991]"),
        (
            [Point(1), uuid.UUID(int=0)],
            p.OPT_SERIALIZE_DATACLASS | p.OPT_SERIALIZE_UUID,
            '[{"x":1,"more":"attribute"},"00000000-0000-0000-0000-000000000000"]',
        ),
    ]:
        assert api.dumps(value, option=option) == text.encode()


def test_passing_types_by(api):
    p = api.package
    for option, values in [
        (p.OPT_PASSTHROUGH_SUBCLASS, [Sub("x"), IntSub(1), ListSub([1]), DictSub(a=1)]),
        (p.OPT_PASSTHROUGH_DATETIME, [NAIVE, NAIVE.date(), NAIVE.time()]),
        (p.OPT_PASSTHROUGH_DATACLASS, [Point(1), Slotted(1)]),
    ]:
        for value in values:
            with pytest.raises(api.JSONEncodeError):
                api.dumps(value, option=option)
            name = type(value).__name__.encode()
            result = api.dumps(value, lambda value: type(value).__name__, option)
            assert result == b'"' + name + b'"'


def test_keys_of_other_types(api):
    p = api.package
    keys = {
        10: "10",
        -5: "-5",
        1.5: "1.5",
        1e16: "1e+16",
        float("nan"): "null",
        True: "true",
        None: "null",
        NAIVE: "2021-02-03T04:05:06.000789",
        NAIVE.date(): "2021-02-03",
        uuid.UUID(int=1): "00000000-0000-0000-0000-000000000001",
        Color.RED: "red",
        Color.SEVEN: "7",
        Sub("s"): "s",
        "plain": "plain",
    }
    for key, text in keys.items():
        assert api.dumps({key: 1}, option=p.OPT_NON_STR_KEYS) == f'{{"{text}":1}}'.encode()
    both = api.dumps({2: 1, "1": 2, "a": 0}, option=p.OPT_NON_STR_KEYS | p.OPT_SORT_KEYS)
    assert both == b'{"1":2,"2":1,"a":0}'


def test_fragments(api):
    Fragment = api.Fragment
    assert (
        api.dumps([Fragment(b'{"a": 1}'), Fragment('"\u00e9"')]) == '[{"a": 1},"\u00e9"]'.encode()
    )
    assert api.dumps({"a": Fragment(b"[]")}, option=api.package.OPT_INDENT_2) == b'{\n  "a": []\n}'
    assert repr(Fragment(b"1")) == "Fragment(b'1')"
    assert api.encode({"a": Fragment(b"[1, 2]")}, order="sorted", enc_hook=repr) == b'{"a":[1, 2]}'
    for wrong in (1, None, bytearray(b"1"), b"\xff", "\ud800"):
        with pytest.raises(api.JSONEncodeError):
            api.dumps([Fragment(wrong)])
        with pytest.raises((TypeError, UnicodeEncodeError)):
            api.encode(Fragment(wrong))


def test_loads(api):
    assert api.loads(b'{"a":[1,2.5,null]}') == {"a": [1, 2.5, None]}
    assert api.loads("[1]") == [1]
    for wrong in (lambda: api.loads(), lambda: api.loads(obj=b"1"), lambda: api.loads(b"1", b"2")):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.parametrize(
    ("data", "message", "line", "column", "position"),
    [
        (b"[1,\n x]", "invalid character", 2, 2, 5),
        ('["\u20ac",\n x]', "invalid character", 2, 2, 7),
        (b'{"a":1,}', "trailing comma in object", 1, 8, 7),
        (b"[1", "Input data was truncated", 1, 3, 2),
        (b"", "Input is a zero-length, empty document", 1, 1, 0),
        ("", "Input is a zero-length, empty document", 1, 1, 0),
        (b'["\xff"]', "Invalid UTF-8 encoded string", 1, 3, 2),
        (b"1e999", "number out of range", 1, 1, 0),
        (b"[" * 2000, "containers are nested too deeply", 1, 1025, 1024),
        ("\ud800", "str is not valid UTF-8: surrogates not allowed", 1, 1, 0),
        (1, "Input must be bytes, bytearray, memoryview, or str", 1, 1, 0),
        (None, "Input must be bytes, bytearray, memoryview, or str", 1, 1, 0),
    ],
)
def test_errors_of_loads_are_those_of_the_json_module(api, data, message, line, column, position):
    with pytest.raises(api.JSONDecodeError) as caught:
        api.loads(data)
    error = caught.value
    assert isinstance(error, json.JSONDecodeError)
    assert isinstance(error, api.DecodeError)
    assert (error.msg, error.lineno, error.colno, error.pos) == (message, line, column, position)
    assert str(error) == f"{message}: line {line} column {column} (char {position})"
    if isinstance(data, (str, bytes)) and data and "\ud800" not in str(data):
        assert error.doc == (data if isinstance(data, str) else data.decode("utf-8", "replace"))
        assert error.offset >= error.pos
        assert error.path.startswith("$")


def test_numpy(api):
    numpy = pytest.importorskip("numpy")
    option = api.package.OPT_SERIALIZE_NUMPY
    for array in [
        numpy.array([1, 2, 3], dtype=numpy.int64),
        numpy.array([[1, 2], [3, 4]], dtype=numpy.uint8),
        numpy.array([-1, 2], dtype=numpy.int16),
        numpy.array([True, False]),
        numpy.array([[[1.5, -2.25]], [[0.0, 1e300]]]),
        numpy.array([], dtype=numpy.float64),
        numpy.zeros((2, 0)),
    ]:
        assert api.decode(api.dumps(array, option=option)) == array.tolist()
        assert api.decode(api.dumps({"a": [array]}, option=option)) == {"a": [array.tolist()]}
        with pytest.raises(api.JSONEncodeError):
            api.dumps(array)
        assert api.decode(api.encode([array])) == [array.tolist()]
        assert api.encode([array], enc_hook=lambda array: "hook") == b'["hook"]'
    narrow = numpy.array([0.1, 1.1], dtype=numpy.float32)
    assert api.dumps(narrow, option=option) == b"[0.1,1.1]"
    assert api.dumps(numpy.array([numpy.nan, numpy.inf]), option=option) == b"[null,null]"
    scalars = [
        numpy.int8(-5),
        numpy.uint64(2**64 - 1),
        numpy.float64(1.5),
        numpy.float32(0.1),
        numpy.bool_(True),
    ]
    assert api.dumps(scalars, option=option) == b"[-5,18446744073709551615,1.5,0.1,true]"
    for refused in (
        numpy.array([1j]),
        numpy.array(["a"]),
        numpy.array([object()]),
        numpy.arange(6).reshape(2, 3).T,
    ):
        with pytest.raises(api.JSONEncodeError):
            api.dumps(refused, option=option)
        assert api.dumps(refused, lambda array: "hook", option) == b'"hook"'


def test_zones_that_normalize(api):
    """pytz's zones, as the tzinfo of a datetime, have the offset of their oldest time; normalize gives the right one."""

    class Oldest(datetime.tzinfo):
        def utcoffset(self, when):
            return datetime.timedelta(hours=8, minutes=6)

        def dst(self, when):
            return None

    class Zone(Oldest):
        def normalize(self, when):
            return when.replace(tzinfo=datetime.timezone(datetime.timedelta(hours=8)))

    class Broken(Oldest):
        result = None

        def normalize(self, when):
            return self.result

    when = datetime.datetime(2018, 1, 1, 2, 3, 4, tzinfo=Zone())
    assert api.dumps(when) == b'"2018-01-01T02:03:04+08:00"'
    assert api.dumps({when: 1}, option=api.OPT_NON_STR_KEYS) == b'{"2018-01-01T02:03:04+08:00":1}'
    assert api.encode(when) == b'"2018-01-01T02:03:04+08:06"'
    assert api.dumps(when.replace(tzinfo=Oldest())) == b'"2018-01-01T02:03:04+08:06"'
    for Broken.result in (None, 5, api):
        with pytest.raises((AttributeError, TypeError)):
            api.dumps([when.replace(tzinfo=Broken())])


def test_numpy_times(api):
    numpy = pytest.importorskip("numpy")
    option = api.package.OPT_SERIALIZE_NUMPY
    time = numpy.datetime64
    for value, text in (
        (time("2021-01-01T00:00:00.567891234"), b'"2021-01-01T00:00:00.567891"'),
        (time("2021", "Y"), b'"2021-01-01T00:00:00"'),
        (numpy.array([[time("1970-01-01T00:00:01")]]), b'[["1970-01-01T00:00:01"]]'),
        (numpy.array([], dtype="M8[ps]"), None),
        (time(10**12, "ps"), None),
        (time("NaT", "s"), None),
        (time(10**6, "M"), None),
        (numpy.array(["NaT", "2020-01-01"], dtype="M8[s]"), None),
        (numpy.array([2**62, 0], dtype="M8[s]"), None),
    ):
        if text is not None:
            assert api.dumps(value, option=option) == text
            continue
        with pytest.raises(
            api.JSONEncodeError, match=r"^un(supported|representable) numpy\.datetime64"
        ):
            api.dumps(value, option=option)
        assert api.dumps(value, lambda refused: "hook", option) == b'"hook"'
    assert (
        api.encode(numpy.array(["NaT", "2020-01-01"], dtype="M8[s]"))
        == b'[null,"2020-01-01T00:00:00"]'
    )
    assert api.encode(time(10**12, "ps")) == b'"1970-01-01T00:00:01"'


def test_why_an_array_of_numpy_is_refused(api):
    numpy = pytest.importorskip("numpy")
    for value, reason in (
        (
            numpy.arange(6).reshape(2, 3).T,
            "numpy array is not C contiguous; use ndarray.tolist() in default",
        ),
        (numpy.array([1, 2], dtype=">i4"), "numpy array is not native-endianness"),
        (numpy.array([1j]), "unsupported datatype in numpy array"),
        (numpy.array(5), "unsupported datatype in numpy array"),
    ):
        with pytest.raises(api.JSONEncodeError, match=re.escape(reason)):
            api.dumps([value], option=api.package.OPT_SERIALIZE_NUMPY)
        with pytest.raises(
            api.JSONEncodeError, match=r"Type is not JSON serializable: (numpy\.)?ndarray"
        ):
            api.dumps([value])


def test_half_floats_of_numpy_have_the_text_of_single_ones(api):
    numpy = pytest.importorskip("numpy")
    value = numpy.array([0.0009765625, 65504, 3.14, numpy.nan], dtype=numpy.float16)
    text = b"[0.0009765625,65504.0,3.140625,null]"
    assert api.dumps(value, option=api.package.OPT_SERIALIZE_NUMPY) == text


def test_a_dataclass_with_slots_whose_base_has_a_dict(api):
    class Base:
        pass

    @dataclasses.dataclass
    class Slotted(Base):
        __slots__ = ("x",)
        x: float

    assert api.dumps(Slotted(1.5)) == api.encode(Slotted(1.5)) == b'{"x":1.5}'

    @dataclasses.dataclass
    class More(Slotted):
        y: int = 2

    more = More(1.5)
    more.z = 3
    # Without slots of its own orjson takes what __dict__ holds.
    assert api.dumps(more) == b'{"y":2,"z":3}'
    assert api.encode(more) == b'{"x":1.5,"y":2}'


def test_a_fragment_can_not_be_changed(api):
    fragment = api.Fragment(b"1")
    for change in (
        lambda: setattr(fragment, "contents", b"2"),
        lambda: delattr(fragment, "contents"),
        lambda: setattr(fragment, "other", 1),
    ):
        with pytest.raises(AttributeError):
            change()
    assert fragment.contents == b"1"
    assert api.dumps(fragment) == b"1"


def test_a_key_that_can_not_be_sorted_is_named_in_the_path(api):
    for option in (0, api.OPT_SORT_KEYS, api.OPT_SORT_KEYS | api.OPT_NON_STR_KEYS):
        with pytest.raises(TypeError) as caught:
            api.dumps([{"a": {(): 1, "b": 2}}], option=option)
        assert caught.value.path == "$[0].a.<key>"


class Knowing(datetime.tzinfo):
    def __init__(self, seconds):
        self.seconds = seconds

    def utcoffset(self, when):
        return None if self.seconds is None else datetime.timedelta(seconds=self.seconds)


def test_times_that_orjson_writes_wrongly(api):
    assert api.dumps(datetime.time(17, 32, 51, 52086)) == b'"17:32:51.052086"'
    for seconds, plain, with_z in (
        (3599, b"+01:00", b"+01:00"),
        (-3599, b"-01:00", b"-01:00"),
        (29, b"+00:00", b"Z"),
        (-29, b"+00:00", b"Z"),
        (None, b"", b""),
    ):
        value = datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=Knowing(seconds))
        assert api.dumps(value) == b'"2024-01-02T03:04:05' + plain + b'"'
        assert api.dumps(value, option=api.OPT_UTC_Z) == b'"2024-01-02T03:04:05' + with_z + b'"'
    value = datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=Knowing(None))
    assert api.dumps(value, option=api.OPT_NAIVE_UTC) == b'"2024-01-02T03:04:05+00:00"'
