"""Objects and hooks that change what is being packed, call back, raise, or let go of things: an error or the right bytes, never
a header that does not match, never memory that is gone."""

import gc
import sys

import pytest


class Trigger:
    """Unsupported, so that `default` runs while its neighbours are being packed."""


def packed_or_error(codec, value, default, **options):
    """The decoded result, or None when packing was refused. Either is fine; broken bytes are not."""
    try:
        data = codec.packb(value, default=default, **options)
    except (RuntimeError, ValueError, TypeError):
        return None
    return codec.unpackb(data, strict_map_key=False)


CHANGES = {
    "clear": lambda items: items.clear(),
    "pop": lambda items: items.pop(),
    "grow": lambda items: items.extend(range(1000)),
    "replace by slice": lambda items: items.__setitem__(slice(None), []),
    "delete the first": lambda items: items.__delitem__(0),
}


@pytest.mark.ours
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@pytest.mark.parametrize("neighbours", [0, 1, 5, 50])
def test_a_list_that_changes_size_is_an_error(codec, change, neighbours):
    items = (
        [b"x" * 10 for _ in range(neighbours)]
        + [Trigger()]
        + [b"y" * 10 for _ in range(neighbours)]
    )

    def default(value):
        change(items)
        gc.collect()
        return "changed"

    with pytest.raises(RuntimeError):
        codec.packb([1, items, 2], default=default)


@pytest.mark.ours
def test_a_list_whose_items_are_replaced_packs_what_is_there(codec):
    items = [Trigger(), b"old" * 10, b"old" * 10]

    def default(value):
        items[1] = items[2] = "new"
        gc.collect()
        return "x"

    assert codec.unpackb(codec.packb(items, default=default)) == ["x", "new", "new"]


DICT_CHANGES = {
    "clear": lambda table: table.clear(),
    "pop": lambda table: table.popitem(),
    "grow": lambda table: table.update((f"new{i}", i) for i in range(1000)),
}


@pytest.mark.parametrize("change", DICT_CHANGES.values(), ids=DICT_CHANGES.keys())
@pytest.mark.parametrize("neighbours", [1, 5, 50])
def test_a_dict_that_changes_size_is_an_error(codec, change, neighbours):
    table = {f"k{i}": b"x" * 10 for i in range(neighbours)}
    table["trigger"] = Trigger()
    table.update({f"l{i}": b"y" * 10 for i in range(neighbours)})

    def default(value):
        change(table)
        gc.collect()
        return "changed"

    with pytest.raises(RuntimeError):
        codec.packb([1, table, 2], default=default)


@pytest.mark.ours
@pytest.mark.parametrize("order", [None, "sorted"])
def test_a_dict_whose_keys_are_exchanged_never_gives_broken_bytes(codec, order):
    table = {"a": Trigger(), "b": b"old" * 100, "c": b"old" * 100}

    def default(value):
        del table["b"]
        table["d"] = "new"
        gc.collect()
        return "x"

    options = {"order": order} if order else {}
    result = packed_or_error(codec, table, default, **options)
    assert result is None or len(result) == 3


@pytest.mark.ours
def test_a_dict_whose_values_are_replaced(codec):
    table = {"a": Trigger(), "b": b"old" * 100}

    def default(value):
        table["b"] = "new"
        gc.collect()
        return "x"

    result = packed_or_error(codec, table, default)
    assert result in (None, {"a": "x", "b": "new"})


@pytest.mark.ours
@pytest.mark.parametrize("claimed", [0, 1, 3, 100])
def test_a_dict_subclass_with_a_wrong_length_is_an_error(codec, claimed):
    class Liar(dict):
        def __len__(self):
            return claimed

    with pytest.raises((RuntimeError, ValueError)):
        codec.packb(Liar(a=1, b=2))


@pytest.mark.ours
def test_a_list_subclass_with_a_wrong_iterator_is_an_error(codec):
    class Liar(list):
        def __iter__(self):
            return iter([1])

    with pytest.raises((RuntimeError, ValueError)):
        codec.packb(Liar([1, 2, 3]))


@pytest.mark.ours
def test_pairs_with_a_wrong_length_are_an_error(codec):
    class Liar:
        def __len__(self):
            return 3

        def __iter__(self):
            return iter([("a", 1)])

    packer = codec.Packer()
    with pytest.raises((RuntimeError, ValueError)):
        packer.pack_map_pairs(Liar())
    assert packer.pack(1) == b"\x01"


@pytest.mark.ours
def test_items_that_are_not_pairs(codec):
    class Odd(dict):
        def items(self):
            return [1, 2]

    with pytest.raises((TypeError, ValueError)):
        codec.packb(Odd(a=1, b=2))


@pytest.mark.ours
def test_packing_with_the_same_packer_inside_default(codec):
    """Either the inner call has a buffer of its own or it is refused; the outer result is right in both cases."""
    inner = []

    def default(value):
        try:
            inner.append(packer.pack(["inner"]))
        except RuntimeError:
            inner.append(None)
        return "outer"

    packer = codec.Packer(default=default)
    assert packer.pack([1, Trigger(), 2]) == b"\x93\x01\xa5outer\x02"
    assert inner in ([None], [b"\x91\xa5inner"])
    assert packer.pack(1) == b"\x01"


@pytest.mark.ours
@pytest.mark.parametrize("method", ["reset", "__init__", "bytes", "getbuffer"])
def test_other_methods_inside_default_do_no_harm(codec, method):
    kept = []

    def default(value):
        try:
            kept.append(getattr(packer, method)())
        except (RuntimeError, BufferError):
            pass
        return b"z" * 100_000

    packer = codec.Packer(default=default, autoreset=False, buf_size=16)
    try:
        packer.pack([1, Trigger(), 2])
    except (RuntimeError, BufferError):
        kept.clear()
        gc.collect()
        packer.reset()
        assert packer.bytes() == b""
    else:
        data = packer.bytes()
        assert codec.unpackb(data) == [1, b"z" * 100_000, 2]
    for view in kept:
        if isinstance(view, memoryview):
            bytes(view)


def test_default_that_drops_the_value_it_was_given(codec):
    items = [Trigger() for _ in range(50)]

    def default(value):
        items[items.index(value)] = None
        return ["replacement"]

    data = codec.packb(items, default=default)
    assert codec.unpackb(data) == [["replacement"]] * 50


def test_a_hash_or_comparison_that_raises_does_not_matter(codec):
    class Key(str):
        __hash__ = str.__hash__

        def __eq__(self, other):
            raise RuntimeError("compared")

    assert codec.packb({Key("a"): 1}) == b"\x81\xa1a\x01"


def test_a_class_attribute_that_lies_about_its_type(codec):
    class Fake:
        @property
        def __class__(self):
            return dict

    text = "(?m)^can not serialize 'Fake' object$" if codec.is_compiled else ""
    with pytest.raises(TypeError, match=text):
        codec.packb(Fake())


@pytest.mark.counts_references
def test_references_are_given_back(codec):
    value = {"key": ["text", b"bytes", 12345678901234567890, 1.5, None, {"inner": (1, 2)}]}
    marker = "a marker text"
    value["key"].append(marker)
    before = sys.getrefcount(marker), sys.getrefcount(value), sys.getrefcount(value["key"])
    for _ in range(100):
        codec.packb(value)
        with pytest.raises(TypeError):
            codec.packb([value, marker, Trigger()])
    gc.collect()
    assert (
        sys.getrefcount(marker),
        sys.getrefcount(value),
        sys.getrefcount(value["key"]),
    ) == before


@pytest.mark.ours
@pytest.mark.skipif(sys.version_info < (3, 12), reason="no __buffer__ in Python classes")
@pytest.mark.parametrize("method", ["__buffer__", "__release_buffer__"])
def test_a_bytearray_with_a_buffer_method_that_empties_the_list(codec, method):
    class Emptying(bytearray):
        pass

    def emptying(self, argument):
        items.clear()
        gc.collect()
        filling.extend([object()] * 50 for _ in range(1000))
        return getattr(bytearray, method)(self, argument)

    filling = []
    setattr(Emptying, method, emptying)
    items = [Emptying(b"x"), *([f"text {i}"] for i in range(49))]
    if codec.is_compiled:
        with pytest.raises(RuntimeError, match="changed size"):
            codec.packb(items)
    else:
        packed_or_error(codec, items, None)


@pytest.mark.ours
def test_an_interrupt_while_a_mapping_is_asked_for_its_items(codec):
    class Interrupted(dict):
        asked = 0

        @property
        def items(self):
            Interrupted.asked += 1
            if Interrupted.asked == 1:
                raise KeyboardInterrupt
            return lambda: [("a", 1)]

    with pytest.raises(KeyboardInterrupt):
        codec.packb([Interrupted(a=1)])
    assert codec.packb([Interrupted(a=1)]) == b"\x91\x81\xa1a\x01"
