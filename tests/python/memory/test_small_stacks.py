"""Threads with little stack: deep values are packed, or refused with an exception; nothing crashes."""

import collections
import decimal
import os

import pytest
from small_stacks import outcome_in_thread

if os.environ.get("PACKHORSE_SANITIZED"):
    pytest.skip("instrumented code has frames too large for these stacks", allow_module_level=True)


class List(list):
    def __iter__(self):
        return list.__iter__(self)


class Dict(dict):
    def items(self):
        return list(dict.items(self))


NEST = {
    "list": lambda value: [value],
    "tuple": lambda value: (value,),
    "dict": lambda value: {"key": value},
    "dict with int keys": lambda value: {1: value},
    "list that iterates": lambda value: List([value]),
    "dict with items": lambda value: Dict(key=value),
    "OrderedDict": lambda value: collections.OrderedDict(key=value),
}
kinds = pytest.mark.parametrize("nest", NEST.values(), ids=NEST.keys())
stacks = pytest.mark.parametrize("stack", [128 * 1024, 256 * 1024], ids=["128 KiB", "256 KiB"])


def nested(nest, levels):
    value = 1
    for _ in range(levels):
        value = nest(value)
    return value


@pytest.mark.ours
@kinds
@stacks
@pytest.mark.parametrize("order", [None, "sorted"])
def test_packing_1024_levels(codec, nest, stack, order):
    if not codec.is_compiled:
        pytest.skip("recursion in pure Python is the interpreter's")
    value = nested(nest, 1024)
    outcome = outcome_in_thread(lambda: codec.packb(value, order=order), stack)
    if isinstance(outcome, RecursionError):
        assert str(outcome) == "the stack of this thread is too small"
        assert outcome.path
    else:
        assert outcome == codec.packb(value)


@pytest.mark.ours
@kinds
def test_packing_150_levels_needs_128_kib(codec, nest):
    if not codec.is_compiled:
        pytest.skip("recursion in pure Python is the interpreter's")
    value = nested(nest, 150)
    assert outcome_in_thread(lambda: codec.packb(value), 128 * 1024) == codec.packb(value)


@pytest.mark.ours
def test_packing_1024_plain_levels_needs_256_kib(codec):
    if not codec.is_compiled:
        pytest.skip("recursion in pure Python is the interpreter's")
    value = nested(NEST["list"], 1024)
    assert outcome_in_thread(lambda: codec.packb(value), 256 * 1024) == codec.packb(value)


@stacks
@pytest.mark.parametrize("head", [b"\x91", b"\x81\xa1k"], ids=["array", "map"])
def test_unpacking_1024_levels(codec, head, stack):
    if not codec.is_compiled:
        pytest.skip("recursion in pure Python is the interpreter's")
    data = head * 1024 + b"\x01"
    value = outcome_in_thread(lambda: codec.unpackb(data), stack)
    assert codec.packb(value) == data


class Thing:
    pass


def packing_again(codec):
    """Functions that run user code that packs again, without end."""

    def by_default(value):
        return codec.ExtType(1, codec.packb(Thing(), default=by_default))

    class Iterates(list):
        def __iter__(self):
            return iter([codec.packb(Iterates([1]))])

    class Items(dict):
        def items(self):
            return [(codec.packb(Items(key=1)), 1)]

    class Pairs:
        def __len__(self):
            return 1

        def __iter__(self):
            codec.Packer().pack_map_pairs(Pairs())
            return iter([(1, 2)])

    def by_sorted_key(value):
        return codec.packb({Thing(): 1}, default=by_sorted_key, order="sorted")

    return {
        "default": lambda: codec.packb(Thing(), default=by_default),
        "Packer": lambda: codec.Packer(default=by_default).pack([Thing()]),
        "list subclass": lambda: codec.packb([Iterates([1])]),
        "dict subclass": lambda: codec.packb([Items(key=1)]),
        "pairs": lambda: codec.Packer().pack_map_pairs(Pairs()),
        "sorted key": lambda: codec.packb({Thing(): 1}, default=by_sorted_key, order="sorted"),
    }


@pytest.mark.ours
@stacks
@pytest.mark.parametrize(
    "name", ["default", "Packer", "list subclass", "dict subclass", "pairs", "sorted key"]
)
def test_user_code_that_packs_again(codec, stack, name):
    if not codec.is_compiled:
        pytest.skip("recursion in pure Python is the interpreter's")
    outcome = outcome_in_thread(packing_again(codec)[name], stack)
    assert isinstance(outcome, RecursionError)


@pytest.mark.ours
@stacks
@pytest.mark.parametrize("levels", [10, 100, 400, 900])
@pytest.mark.parametrize("before", [b"", b"\x91" * 90, b"\x91" * 200])
@pytest.mark.parametrize("kind", ["list_hook", "object_hook", "object_pairs_hook", "ext_hook"])
def test_hooks_that_unpack_again(codec, stack, levels, before, kind):
    """Ext types in ext types are nested as deep as the input says."""
    if not codec.is_compiled:
        pytest.skip("recursion in pure Python is the interpreter's")
    left = [levels]
    data = before + (
        b"\xd4\x05x" if kind == "ext_hook" else b"\x90" if kind == "list_hook" else b"\x80"
    )

    def hook(*arguments):
        left[0] -= 1
        return codec.unpackb(data, **{kind: hook}) if left[0] > 0 else "end"

    outcome = outcome_in_thread(lambda: codec.unpackb(data, **{kind: hook}), stack)
    if isinstance(outcome, Exception):
        assert isinstance(outcome, RecursionError)
        assert levels > 10 or before
    else:
        assert left[0] <= 0


@pytest.mark.ours
@stacks
@pytest.mark.parametrize("order", [None, "sorted"])
def test_maps_as_keys_of_maps(codec, stack, order):
    """What default gives for a key may be a map again, as deep as it likes."""
    if not codec.is_compiled:
        pytest.skip("recursion in pure Python is the interpreter's")
    outcome = outcome_in_thread(
        lambda: codec.packb(Thing(), default=lambda value: {Thing(): 1}, order=order), stack
    )
    assert isinstance(outcome, (RecursionError, ValueError))
    outcome = outcome_in_thread(
        lambda: codec.packb(nested(lambda value: {(value,): 1}, 500), order=order), stack
    )
    assert isinstance(outcome, TypeError)
    values = nested(lambda value: {(value, 1): value} if value == 1 else {("key", 1): value}, 100)
    assert outcome_in_thread(lambda: codec.packb(values, order=order), stack) == codec.packb(values)


@stacks
@pytest.mark.parametrize("function", ["encode", "dumps", "decimal", "decode"])
def test_hooks_of_json_that_call_again(codec, stack, function):
    if not codec.is_compiled or codec.is_reference:
        pytest.skip("recursion in pure Python is the interpreter's")
    from packhorse import _core as core

    def enc_hook(value):
        return core.json_encode(Thing(), enc_hook=enc_hook).decode()

    def default(value):
        return core.json_dumps(Thing(), default=default).decode()

    def decimal_hook(value):
        return core.JsonEncoder(decimal_format=decimal_hook).encode(value)

    def float_hook(text):
        return core.JsonDecoder(float_hook=float_hook).decode(text)

    calls = {
        "encode": lambda: core.json_encode(Thing(), enc_hook=enc_hook),
        "dumps": lambda: core.json_dumps(Thing(), default=default),
        "decimal": lambda: core.JsonEncoder(decimal_format=decimal_hook).encode(decimal.Decimal(1)),
        "decode": lambda: core.JsonDecoder(float_hook=float_hook).decode("1.5"),
    }
    outcome = outcome_in_thread(calls[function], stack)
    assert isinstance(outcome, TypeError if function == "dumps" else RecursionError)
