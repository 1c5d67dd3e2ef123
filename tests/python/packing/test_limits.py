"""How deep objects may nest, and what happens to objects that hold themselves."""

import os

import pytest
from small_stacks import outcome_in_thread


def nested_list(depth, inner):
    for _ in range(depth):
        inner = [inner]
    return inner


def nested_dict(depth, inner):
    for _ in range(depth):
        inner = {"k": inner}
    return inner


@pytest.fixture
def compiled(codec):
    if not codec.is_compiled:
        pytest.skip("the pure-Python packer may reach the interpreter's recursion limit first")
    return codec


@pytest.mark.parametrize("depth", [1, 100, 511, 512, 1000, 1023, 1024])
def test_up_to_1024_containers_around_a_value(compiled, depth):
    assert compiled.packb(nested_list(depth, 1)) == b"\x91" * depth + b"\x01"
    assert compiled.packb(nested_dict(depth, 1)) == b"\x81\xa1k" * depth + b"\x01"
    assert compiled.unpackb(compiled.packb(nested_list(depth, 1))) is not None


@pytest.mark.parametrize("depth", [1025, 1026, 2000, 100_000])
def test_more_containers_are_refused(compiled, depth):
    for build in (nested_list, nested_dict):
        value = build(depth, 1)
        with pytest.raises(ValueError, match=r"(?m)^recursion limit exceeded\.$"):
            compiled.packb(value)
        while value and value != 1:  # taken apart by hand: freeing it would recurse
            value = value.pop() if isinstance(value, list) else value.pop("k")


@pytest.mark.ours
def test_whatever_packs_can_be_unpacked(codec):
    """msgpack packs 1,025 containers when the innermost is empty and refuses to read them."""
    for depth in range(1020, 1030):
        for inner in ([], {}, 1):
            try:
                data = codec.packb(nested_list(depth, inner))
            except (ValueError, RecursionError):
                continue
            codec.unpackb(data)


@pytest.mark.ours
@pytest.mark.parametrize("empty", [[], {}, ()], ids=repr)
def test_an_empty_container_is_a_level(compiled, empty):
    """It is written without being entered, wherever it stands."""
    end = b"\x80" if empty == {} else b"\x90"
    assert compiled.packb(nested_list(1023, empty)) == b"\x91" * 1023 + end
    assert compiled.packb(nested_dict(1023, empty)) == b"\x81\xa1k" * 1023 + end
    assert compiled.packb([empty, {1: empty, "k": empty}]) == (
        b"\x92" + end + b"\x82\x01" + end + b"\xa1k" + end
    )
    for value in (nested_list(1024, empty), nested_dict(1024, empty)):
        with pytest.raises(ValueError, match=r"(?m)^recursion limit exceeded\.$"):
            compiled.packb(value)


def test_tuples_subclasses_and_pairs_count_too(compiled):
    class Items(list):
        pass

    class Table(dict):
        pass

    for wrap in (lambda x: (x,), lambda x: Items([x]), lambda x: Table(k=x)):
        value = 1
        for _ in range(1025):
            value = wrap(value)
        with pytest.raises(ValueError, match=r"(?m)^recursion limit exceeded\.$"):
            compiled.packb(value)
    assert compiled.Packer().pack_map_pairs([("k", nested_list(1000, 1))])


def test_objects_that_hold_themselves_are_refused(codec):
    items = []
    items.append(items)
    table = {}
    table["self"] = table
    pair = ([],)
    pair[0].append(pair)
    for value in (items, table, pair):
        with pytest.raises((ValueError, RecursionError)):
            codec.packb(value)
    items.clear()
    table.clear()
    pair[0].clear()


def test_the_packer_works_after_a_refusal(codec):
    packer = codec.Packer()
    for _ in range(3):
        with pytest.raises((ValueError, RecursionError)):
            packer.pack(nested_list(3000, 1))
        assert packer.pack([1]) == b"\x91\x01"


@pytest.mark.skipif(
    bool(os.environ.get("PACKHORSE_SANITIZED")),
    reason="instrumented code has frames too large for this stack",
)
@pytest.mark.ours
def test_from_a_thread_with_a_small_stack(compiled):
    """msgpack overflows it."""

    def work():
        compiled.unpackb(compiled.packb(nested_list(1024, 1)))
        for depth in (1025, 5000):
            with pytest.raises(ValueError):
                compiled.packb(nested_list(depth, 1))
        return "done"

    assert outcome_in_thread(work) == "done"
