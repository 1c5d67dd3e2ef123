"""Containers that were decoded are the collector's like any others: watched, counted, and collected."""

import gc
import sys
import weakref

import pytest

RECORDS = [{"id": i, "tags": [i, "a"], "more": {"none": None}, "empty": []} for i in range(2000)]


@pytest.fixture
def decode(codec):
    packed = codec.packb(RECORDS)
    assert codec.unpackb(packed) == RECORDS  # shapes are known from now on
    return lambda: codec.unpackb(packed)


@pytest.fixture
def counted(decode):
    """The collector counts what is created (PyPy's does not, and without a GIL each thread counts for itself)."""
    if not hasattr(gc, "get_count") or hasattr(sys, "pypy_version_info"):
        pytest.skip("this interpreter's collector does not count objects")
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        pytest.skip("each thread counts for itself")
    gc.collect()
    gc.disable()
    yield decode
    gc.enable()


def containers(value):
    yield value
    for child in value.values() if isinstance(value, dict) else value:
        if isinstance(child, (dict, list)):
            yield from containers(child)


class Witness:
    """An object whose end can be seen."""


def make_cycle(value):
    witness = Witness()
    value[-1]["witness"] = witness
    value[0]["tags"].append(value)
    value[1]["empty"].append(value)
    value[2]["more"]["up"] = value
    return weakref.ref(witness)


def test_all_are_watched(decode):
    if not hasattr(gc, "is_tracked"):
        pytest.skip("no collector that watches objects")
    value = decode()
    lists = [one for one in containers(value) if isinstance(one, list)]
    assert all(map(gc.is_tracked, lists))
    known = set(map(id, gc.get_objects()))
    assert all(id(one) in known for one in lists)


def test_each_counts_as_created(counted):
    before = gc.get_count()[0]
    value = counted()
    made = sum(1 for _ in containers(value))
    created = gc.get_count()[0] - before
    # Some come from what the interpreter keeps for reuse, which it does not count.
    assert made - 300 < created < made + 300
    del value
    assert gc.get_count()[0] < before + 300


def test_cycles_are_collected(decode):
    for _ in range(3):
        witness = make_cycle(decode())
        gc.collect()
        assert witness() is None


def test_cycles_are_collected_without_being_asked_for(decode):
    witnesses = []
    for _ in range(60):
        witnesses.append(make_cycle(decode()))
    assert any(one() is None for one in witnesses)


def test_collections_between_decodings(decode):
    kept = []
    for i in range(12):
        kept.append(decode())
        gc.collect(i % 3)
        kept[-1][0]["tags"].append(kept)
    assert all(one[1:] == RECORDS[1:] for one in kept)
    kept.clear()
    gc.collect()


def test_the_collector_is_left_as_it_was(decode):
    gc.disable()
    try:
        decode()
        assert not gc.isenabled()
    finally:
        gc.enable()
    decode()
    assert gc.isenabled()


def test_numbers_of_a_field_are_those_of_the_document(codec):
    """A field may share equal ints between records; never unequal ones."""
    numbers = [*range(250, 262), *(i << 20 for i in range(1, 700)), 2**32, 2**63, 2**64 - 1]
    for order in (numbers, numbers[::-1], numbers * 3):
        records = [{"number": n, "negative": -(n >> 1)} for n in order]
        assert codec.unpackb(codec.packb(records)) == records
