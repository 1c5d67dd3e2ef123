"""gc=False: lists and dicts that hold only atoms are hidden from the garbage collector."""

import gc

import pytest

pytestmark = pytest.mark.ours

DATA = {"list": [1, "a", 2.5, None], "dict": {"k": b"v"}, "nested": [[1], {"a": {}}, []]}


@pytest.fixture
def decode(codec):
    return lambda value, **options: codec.unpackb(codec.packb(value), **options)


def test_the_value_is_the_same(decode):
    assert decode(DATA, gc=False) == decode(DATA, gc=True) == decode(DATA) == DATA


def test_the_same_from_a_stream(codec):
    unpacker = codec.Unpacker(gc=False)
    unpacker.feed(codec.packb(DATA) * 2)
    assert list(unpacker) == [DATA, DATA]


def test_leaves_can_be_changed(decode):
    value = decode(DATA, gc=False)
    value["list"].append(value)
    value["dict"]["more"] = {}
    assert value["list"][-1] is value
    assert value["dict"] == {"k": b"v", "more": {}}
    value["list"].clear()


def test_any_truth_value_is_taken(decode):
    assert decode([1], gc=0) == decode([1], gc="yes") == [1]

    class Undecided:
        def __bool__(self):
            raise KeyError

    with pytest.raises(KeyError):
        decode([1], gc=Undecided())


@pytest.fixture
def tracked(codec):
    if codec.name != "c" or not hasattr(gc, "is_tracked"):
        pytest.skip("only the extension can hide objects from the collector")
    return gc.is_tracked


def test_leaves_are_hidden_on_request(decode, tracked):
    for _ in range(3):  # unknown, seen before, and of a known shape
        value = decode(DATA, gc=False)
        assert not tracked(value["list"])
        assert not tracked(value["dict"])
        assert not tracked(value["nested"][0])
        assert not tracked(value["nested"][2])
        assert not tracked(value["nested"][1]["a"])
        assert tracked(value)
        assert tracked(value["nested"])


def test_lists_are_tracked_otherwise(decode, tracked):
    value = decode(DATA)
    assert tracked(value["list"])
    assert tracked(value["nested"][2])


def test_what_a_hook_makes_is_its_own(decode, tracked):
    class Found(dict):
        pass

    assert tracked(decode({"a": 1}, gc=False, object_hook=Found))
    assert tracked(decode([1], gc=False, list_hook=list))


def test_leaves_below_a_hundred_levels(decode, tracked):
    value = [1]
    for _ in range(150):
        value = [value]
    value = decode(value, gc=False)
    for _ in range(150):
        assert tracked(value)
        value = value[0]
    assert not tracked(value)


def test_tuples_of_atoms_are_always_hidden(decode, tracked):
    value = decode([[1, "a"], [{}]], use_list=False)
    assert not tracked(value[0])
    assert tracked(value[1])
    assert tracked(value)
