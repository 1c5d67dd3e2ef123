"""Maps whose sequence of keys was seen before: cut, damaged or continued otherwise at any pair, they
are what they would be if it had not been seen."""

import sys

import pytest

# Around the number of pairs beyond which dicts are laid out otherwise (30), and small ones.
SIZES = [1, 2, 3, 7, 8, 9, 29, 30, 31, 40]


def record(size):
    return {f"key number {i}": [f"value {i}", i * 1000] for i in range(size)}


def warm(codec, size):
    for _ in range(3):
        assert codec.unpackb(codec.packb(record(size))) == record(size)


@pytest.mark.parametrize("size", SIZES)
def test_cut_anywhere(codec, size):
    warm(codec, size)
    packed = codec.packb(record(size))
    for end in range(len(packed)):
        with pytest.raises(ValueError):
            codec.unpackb(packed[:end])
    assert codec.unpackb(packed) == record(size)


@pytest.mark.parametrize("size", SIZES)
def test_a_reserved_byte_as_any_value(codec, size):
    warm(codec, size)
    for position in range(size):
        pairs = list(record(size).items())
        before = b"".join(codec.packb(k) + codec.packb(v) for k, v in pairs[:position])
        header = codec.packb(record(size))[: 1 if size < 16 else 3]
        damaged = header + before + codec.packb(pairs[position][0]) + b"\xc1" + bytes(2 * size)
        with pytest.raises(codec.FormatError):
            codec.unpackb(damaged)
    assert codec.unpackb(codec.packb(record(size))) == record(size)


@pytest.mark.parametrize("size", SIZES)
def test_another_key_in_any_place(codec, size):
    warm(codec, size)
    for position in range(size):
        pairs = list(record(size).items())
        pairs[position] = (f"another at {position}", None)
        # Once, so that it is a new sequence, and again, when it is a known one.
        for _ in range(3):
            made = codec.unpackb(codec.packb(dict(pairs)))
            assert list(made.items()) == pairs


@pytest.mark.parametrize("size", SIZES)
def test_a_key_that_comes_twice(codec, size):
    if size == 1:
        return
    warm(codec, size)
    pairs = list(record(size).items())
    pairs[-1] = (pairs[0][0], "last")
    header = codec.packb(record(size))[: 1 if size < 16 else 3]
    packed = header + b"".join(codec.packb(k) + codec.packb(v) for k, v in pairs)
    assert codec.unpackb(packed) == dict(pairs)


@pytest.mark.parametrize("size", SIZES)
def test_hooks_that_raise_leave_nothing_behind(codec, size):
    warm(codec, size)
    value = record(size)
    value[f"key number {size - 1}"] = {}
    packed = codec.packb(value)

    def hook(found):
        raise KeyError(len(found))

    with pytest.raises(KeyError):
        codec.unpackb(packed, object_hook=hook)
    if hasattr(sys, "getrefcount"):
        marker = object()
        before = sys.getrefcount(marker)
        with pytest.raises(KeyError):
            codec.unpackb(packed, list_hook=lambda found: marker, object_hook=hook)
        assert sys.getrefcount(marker) == before
