"""Threads with little stack: deep values are packed, or refused with an exception; nothing crashes.

The collector is held off, because CPython 3.13 itself runs out of stack when it frees deep values there.
"""

import collections
import gc
import os
import threading

import pytest

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


def outcome_in_thread(work, stack):
    outcomes = []

    def guarded():
        try:
            outcomes.append(work())
        except Exception as error:
            outcomes.append(error)

    gc.collect()
    gc.disable()
    previous = threading.stack_size(stack)
    try:
        thread = threading.Thread(target=guarded)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(previous)
        gc.enable()
    return outcomes[0]


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
