"""User code that changes what is being encoded, drops it, calls back, or lies: never a crash, never half a value.

Each kind of defect that is known of msgspec has its test here.
"""

import gc
import os
import subprocess
import sys
import weakref

import pytest


class Thing:
    pass


def outcome(function):
    """The result, which must be JSON, or the exception."""
    try:
        return function()
    except (RuntimeError, TypeError, ValueError) as error:
        return error


def test_a_hook_that_clears_the_list(api):
    for size in (1, 2, 5, 100):
        value = [Thing() for _ in range(size)] + [1] * 3

        def hook(thing):
            value.clear()  # noqa: B023
            return 1

        with pytest.raises(RuntimeError, match="list changed size during iteration"):
            api.encode(value, enc_hook=hook)


def nested_alone(value, levels):
    """Lists that hold nothing but the next one, from the outermost on; the last one holds the value."""
    lists = [[value]]
    for _ in range(levels - 1):
        lists.insert(0, [lists[0]])
    return lists


@pytest.mark.parametrize("levels", [2, 3, 17, 40])
def test_a_hook_that_changes_lists_in_each_other(api, levels):
    for changed in range(levels):
        for change in ("clear", "grow", "replace", "drop all"):
            lists = nested_alone(Thing(), levels)
            value = lists[0]

            def hook(thing):
                if change == "clear":  # noqa: B023
                    lists[changed].clear()  # noqa: B023
                elif change == "grow":  # noqa: B023
                    lists[changed].append(1)  # noqa: B023
                elif change == "replace":  # noqa: B023
                    lists[changed][0] = 7  # noqa: B023
                    del lists[changed + 1 :]  # noqa: B023
                else:
                    lists[0].clear()  # noqa: B023
                    lists.clear()  # noqa: B023
                gc.collect()
                return 1

            if change == "replace":
                assert api.encode(value, enc_hook=hook) == b"[" * levels + b"1" + b"]" * levels
            else:
                with pytest.raises(RuntimeError, match="list changed size during iteration"):
                    api.encode(value, enc_hook=hook)


def test_errors_in_lists_in_each_other_have_their_path(api):
    for levels in (1, 2, 3, 16, 17, 18, 40):
        with pytest.raises(TypeError) as caught:
            api.encode({"a": nested_alone(Thing(), levels)[0]})
        assert caught.value.path == "$.a" + "[0]" * levels


def test_a_hook_that_grows_the_list(api):
    value = [Thing(), 1]

    def hook(thing):
        value.extend(range(1000))
        return 1

    with pytest.raises(RuntimeError, match="list changed size during iteration"):
        api.encode(value, enc_hook=hook)


def test_a_hook_that_replaces_elements(api):
    value = [Thing(), [2], [3], "four"]

    def hook(thing):
        value[1:] = ["two", "three", "5"]
        gc.collect()
        return 1

    assert api.encode(value, enc_hook=hook) == b'[1,"two","three","5"]'


@pytest.mark.parametrize("order", [None, "deterministic", "sorted"])
@pytest.mark.parametrize("change", ["clear", "shrink", "grow"])
def test_a_hook_that_changes_the_dict(api, order, change):
    value = {"a": Thing(), "b": 1, "c": 2, "d": [3]}

    def hook(thing):
        if change == "clear":
            value.clear()
        elif change == "shrink":
            del value["d"]
        else:
            value.update({str(at): at for at in range(100)})
        return 1

    with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
        api.encode(value, enc_hook=hook, order=order)


def test_a_hook_that_drops_the_container(api):
    inner = {"list": [Thing(), "x" * 50, ["y" * 50]]}
    outer = {"inner": inner["list"], "rest": 1}

    def hook(thing):
        outer["inner"] = None
        inner.clear()
        gc.collect()
        return "hook"

    expected = b'{"inner":["hook","' + b"x" * 50 + b'",["' + b"y" * 50 + b'"]],"rest":1}'
    assert api.encode(outer, enc_hook=hook) == expected


def test_a_hook_that_drops_the_value_of_a_dict(api):
    outer = {"a": {"b": {"c": Thing(), "d": "e" * 100}}}

    def hook(thing):
        outer["a"] = None
        gc.collect()
        return "hook"

    assert api.encode(outer, enc_hook=hook) == b'{"a":{"b":{"c":"hook","d":"' + b"e" * 100 + b'"}}}'


def test_a_set_that_changes(api):
    value = {1, 2, 3}
    thing = Thing()
    value.add(thing)

    def hook(found):
        value.clear()
        return 0

    result = outcome(lambda: api.encode(value, enc_hook=hook))
    assert isinstance(result, RuntimeError) or sorted(api.decode(result)) == [0, 1, 2, 3]


def test_set_subclasses_that_iterate_otherwise(api):
    class Odd(set):
        def __iter__(self):
            return iter([7, 8, 9])

    class Failing(frozenset):
        def __iter__(self):
            raise KeyError("mine")

    class FailsLate(set):
        def __iter__(self):
            yield 1
            raise KeyError("late")

    assert api.encode(Odd([1])) == b"[7,8,9]"
    for kind in (Failing, FailsLate):
        with pytest.raises(KeyError):
            api.encode([kind([1, 2])])


def test_list_subclasses_that_iterate_otherwise(api):
    class Longer(list):
        def __iter__(self):
            return iter([1, 2, 3, 4, 5])

    class Failing(list):
        def __iter__(self):
            raise KeyError("mine")

    result = outcome(lambda: api.encode(Longer([1])))
    assert isinstance(result, RuntimeError) or api.decode(result) == [1, 2, 3, 4, 5]
    with pytest.raises(KeyError):
        api.encode({"a": Failing([1])})


def test_dict_subclasses_that_lie(api):
    class Wrong(dict):
        def items(self):
            return [("a", 1), ("b", 2)]

    class NoPairs(dict):
        def items(self):
            return [1]

    class Failing(dict):
        def items(self):
            raise KeyError("mine")

    assert isinstance(outcome(lambda: api.encode(Wrong())), RuntimeError)
    assert api.encode(Wrong(x=1, y=2)) == b'{"a":1,"b":2}'
    assert isinstance(outcome(lambda: api.encode(NoPairs(a=1))), (TypeError, ValueError))
    with pytest.raises(KeyError):
        api.encode([Failing(a=1)])


def test_a_hook_may_encode_and_decode(api):
    encoder = api.Encoder(enc_hook=lambda thing: api.decode(encoder.encode([1, {"a": 2}])))
    assert encoder.encode([Thing(), {"b": Thing()}]) == b'[[1,{"a":2}],{"b":[1,{"a":2}]}]'


def test_a_hook_may_drop_its_encoder(api):
    kept = []

    def hook(thing):
        kept.clear()
        gc.collect()
        return 1

    kept.append(api.Encoder(enc_hook=hook, order="sorted"))
    assert kept[0].encode({"b": Thing(), "a": Thing()}) == b'{"a":1,"b":1}'


def test_an_enum_is_what_it_stores(api):
    import enum

    class Misleading(enum.Enum):
        A = 1

        @property
        def value(self):
            return self

    assert api.encode(Misleading.A) == b"1"
    with pytest.raises(TypeError, match="[Rr]ecursion"):
        api.dumps(Misleading.A)


def test_dumps_asks_an_enum_for_its_value(api):
    import enum

    class Named(enum.Enum):
        A = 1

        @property
        def value(self):
            return "named"

    class Number(int, enum.Enum):
        A = 1

        def __new__(cls, number):
            member = int.__new__(cls, number * 10)
            member._value_ = number
            return member

        @property
        def value(self):
            return "named"

    class Text(enum.StrEnum):
        A = "a"

        @property
        def value(self):
            return "named"

    class Failing(enum.Enum):
        A = 1

        @property
        def value(self):
            raise KeyError("mine")

    package = api.package
    keys = package.OPT_NON_STR_KEYS
    for member, as_subclass, stored in (
        (Named.A, b'"named"', b"1"),
        (Number.A, b"10", b"10"),
        (Text.A, b'"a"', b'"a"'),
    ):
        assert api.encode(member) == stored
        assert api.dumps(member) == as_subclass
        assert api.dumps(member, option=package.OPT_PASSTHROUGH_SUBCLASS) == b'"named"'
        written = b'"' + as_subclass.strip(b'"') + b'"'
        assert api.dumps({member: 1}, option=keys) == b"{" + written + b":1}"
    with pytest.raises(KeyError, match="mine"):
        api.dumps([Failing.A])
    with pytest.raises(KeyError, match="mine"):
        api.dumps({Failing.A: 1}, option=keys)


def test_an_enum_that_contains_itself(api):
    import enum

    class Loop(enum.Enum):
        A = 1

    Loop.A._value_ = [Loop.A]
    for write in (api.encode, api.dumps):
        with pytest.raises((RecursionError, TypeError), match="[Rr]ecursion"):
            write(Loop.A)
    with pytest.raises((RecursionError, TypeError)):
        api.encode({Loop.A: 1})
    Loop.A._value_ = Loop.A
    with pytest.raises((RecursionError, TypeError), match="[Rr]ecursion"):
        api.encode({Loop.A: 1})


def test_a_timezone_that_misbehaves(api):
    import datetime

    class Failing(datetime.tzinfo):
        def utcoffset(self, when):
            raise KeyError("mine")

    class Silent(datetime.tzinfo):
        def utcoffset(self, when):
            return None

    class Wrong(datetime.tzinfo):
        def utcoffset(self, when):
            return 5

    moment = datetime.datetime(2021, 1, 1)
    with pytest.raises(KeyError):
        api.encode([moment.replace(tzinfo=Failing())])
    with pytest.raises(TypeError):
        api.encode([moment.replace(tzinfo=Wrong())])
    assert api.encode(moment.replace(tzinfo=Silent())) == b'"2021-01-01T00:00:00"'


def test_a_uuid_without_a_proper_number(api):
    import uuid

    for number in ("text", None, 1.5):
        value = uuid.UUID(int=1)
        object.__setattr__(value, "int", number)
        with pytest.raises(TypeError):
            api.encode([value])


def test_a_decimal_whose_text_is_odd(api):
    import decimal

    class Odd(decimal.Decimal):
        def __str__(self):
            return 'x"'

    with pytest.raises(TypeError):
        api.encode(Odd(1))


def test_a_broken_dataclass(api):
    Fake = type("Fake", (), {"__dataclass_fields__": {"x": None, 5: None}, "x": 1})
    Fake2 = type("Fake2", (), {"__dataclass_fields__": ["x"]})
    assert isinstance(outcome(lambda: api.encode(Fake())), (bytes, TypeError))
    assert isinstance(outcome(lambda: api.encode(Fake2())), TypeError)


def test_a_key_whose_comparison_changes_the_dict(api):
    value = {}

    class Key(str):
        __hash__ = str.__hash__

        def __lt__(self, other):
            value.clear()
            return str.__lt__(self, other)

        def __eq__(self, other):
            return str.__eq__(self, other)

    value.update({Key("b"): 1, Key("a"): 2, "c": 3})
    result = outcome(lambda: api.encode(value, order="deterministic"))
    assert isinstance(result, RuntimeError) or isinstance(api.decode(result), dict)


def test_encoders_and_decoders_are_collected(api):
    class Owner:
        pass

    owner = Owner()
    owner.encoder = api.Encoder(enc_hook=lambda thing, kept=owner: kept)
    owner.decoder = api.Decoder(float_hook=lambda text, kept=owner: kept)
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is None


def test_decoding_while_the_buffer_is_shared(api):
    buffer = bytearray(b"[1.5,2.5,3.5]" + b" " * 2000)

    def hook(text):
        buffer[1:12] = b'"x",[1],{}]'
        return text

    result = outcome(lambda: api.Decoder(float_hook=hook).decode(buffer))
    assert isinstance(result, (list, ValueError))


LAZY_MODULE = """
import gc, sys, types
from packhorse._core import json_encode as encode

class Lazy(types.ModuleType):
    def __getattr__(self, name):
        value.clear()
        gc.collect()
        filling.extend([object()] * 50 for _ in range(1000))
        raise AttributeError(name)

filling = []
sys.modules["uuid"] = Lazy("uuid")
value = {number + 0.5: [f"text {number}"] for number in range(50)}
try:
    encode(value)
except RuntimeError as error:
    print(error)
"""


def test_a_module_that_changes_the_dict_when_it_is_asked_for_a_class(api):
    """In a process of its own: classes that were found are not asked for again."""
    if not api.is_compiled:
        pytest.skip("the fallback imports what it needs")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", LAZY_MODULE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "dictionary changed size during iteration\n"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_in_a_default_hook_of_dumps_stays_one(api, error):
    def default(value):
        raise error

    with pytest.raises(error):
        api.dumps(Thing(), default)


LOOKUPS = ["__dataclass_fields__", "__attrs_attrs__"]
NOT_TO_BE_LOST = [KeyboardInterrupt, SystemExit, MemoryError, ZeroDivisionError]


@pytest.mark.parametrize("lookup", LOOKUPS)
@pytest.mark.parametrize("exception", NOT_TO_BE_LOST)
def test_what_a_metaclass_raises_when_it_is_asked_is_not_lost(api, lookup, exception):
    class Meta(type):
        def __getattr__(cls, name):
            if name == lookup:
                raise exception
            raise AttributeError(name)

    class Odd(metaclass=Meta):
        pass

    if lookup == "__dataclass_fields__":
        for options in (0, api.OPT_SERIALIZE_NUMPY):
            with pytest.raises(exception):
                api.dumps([Odd()], option=options)
        assert api.encode([Odd()], enc_hook=lambda value: "not asked") == b'["not asked"]'
    else:
        with pytest.raises(exception):
            api.encode([Odd()])


@pytest.mark.parametrize("exception", NOT_TO_BE_LOST)
def test_what_a_class_raises_when_it_is_asked_for_its_fields_is_not_lost(api, exception):
    class Odd:
        @property
        def __dataclass_fields__(self):
            raise exception

    with pytest.raises(exception):
        api.encode([Odd()])

    class Fields(dict):
        def keys(self):
            raise exception

        items = keys

    odd = type("Odd", (), {"__dataclass_fields__": Fields(x=1), "x": property(lambda odd: 2)})()
    assert api.encode(odd) == b'{"x":2}'


# Classes are looked for in modules that somebody has imported, which may answer with code of their own.
ASKED_FIRST = """
import sys
from {module} import {function} as encode

class Module(type(sys)):
    def __getattr__(self, name):
        raise {exception}

class Thing: ...

for name, options in (
    ("uuid", {{}}),
    ("decimal", {{}}),
    ("numpy", {{}}),
    ("packhorse.json.fragments", {{"enc_hook": str}}),
):
    kept = sys.modules.pop(name, None)
    sys.modules[name] = Module(name)
    try:
        encode([Thing()], **options)
    except {exception}:
        pass
    else:
        sys.exit("lost in " + name)
    del sys.modules[name]
    if kept:
        sys.modules[name] = kept
"""


@pytest.mark.parametrize("exception", ["KeyboardInterrupt", "MemoryError", "ValueError"])
def test_what_a_module_raises_when_it_is_asked_is_not_lost(api, exception):
    module = "packhorse._core" if api.is_compiled else "packhorse.json.fallback"
    function = "json_encode" if api.is_compiled else "encode"
    program = ASKED_FIRST.format(exception=exception, module=module, function=function)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
