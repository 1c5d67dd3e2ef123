"""order="sorted": the same bytes for equal dicts, whatever order they were filled in."""

import itertools

import pytest

pytestmark = pytest.mark.ours


def test_text_keys_are_in_order(codec):
    assert (
        codec.packb({"b": 1, "a": 2, "c": 3}, order="sorted") == b"\x83\xa1a\x02\xa1b\x01\xa1c\x03"
    )


def test_every_permutation_gives_the_same_bytes(codec):
    keys = ["", "a", "aa", "b", "\xe9", "\u3042", "\U0001f40e"]
    results = {
        codec.packb({key: key for key in order}, order="sorted")
        for order in itertools.permutations(keys)
    }
    assert len(results) == 1


def test_nested_dicts_are_sorted_too(codec):
    value = {"z": [{"b": 1, "a": {"d": 1, "c": 2}}], "y": ({"f": 1, "e": 2},)}
    again = {"y": ({"e": 2, "f": 1},), "z": [{"a": {"c": 2, "d": 1}, "b": 1}]}
    assert codec.packb(value, order="sorted") == codec.packb(again, order="sorted")
    assert list(codec.unpackb(codec.packb(value, order="sorted"))) == ["y", "z"]


def test_keys_of_several_types_have_one_order(codec):
    items = [("a", 1), (b"a", 2), (1, 3), (-1, 4), (2**40, 5), (1.5, 6), (None, 7), (True, 8)]
    items = [item for item in items if item[0] is not True]
    results = {
        codec.packb(dict(order), order="sorted")
        for order in itertools.islice(itertools.permutations(items), 500)
    }
    assert len(results) == 1
    assert codec.unpackb(results.pop(), strict_map_key=False) == dict(items)


def test_large_dicts(codec):
    keys = [f"key {number * 7919 % 5000}" for number in range(5000)]
    value = codec.unpackb(codec.packb(dict.fromkeys(keys), order="sorted"))
    assert list(value) == sorted(keys)


def test_packer_and_packb_agree(codec):
    value = {"b": {"d": 1, "c": 2}, "a": 3}
    assert codec.Packer(order="sorted").pack(value) == codec.packb(value, order="sorted")


def test_the_default_keeps_the_dicts_order(codec):
    assert (
        codec.packb({"b": 1, "a": 2})
        == codec.packb({"b": 1, "a": 2}, order=None)
        == b"\x82\xa1b\x01\xa1a\x02"
    )


@pytest.mark.parametrize("order", ["random", "", 5, True, b"sorted"], ids=repr)
def test_other_orders_are_refused(codec, order):
    with pytest.raises((ValueError, TypeError)):
        codec.packb({}, order=order)
    with pytest.raises((ValueError, TypeError)):
        codec.Packer(order=order)


def test_dict_subclasses_are_sorted_too(codec):
    import collections

    value = collections.OrderedDict([("b", 1), ("a", 2)])
    assert codec.packb(value, order="sorted") == b"\x82\xa1a\x02\xa1b\x01"


def test_default_may_change_the_dict_while_it_is_sorted(codec):
    table = {"b": 1j, "a": b"x" * 100}

    def default(value):
        table.clear()
        return 1

    try:
        data = codec.packb(table, order="sorted", default=default)
    except RuntimeError:
        return
    assert codec.unpackb(data) == {"a": b"x" * 100, "b": 1}
