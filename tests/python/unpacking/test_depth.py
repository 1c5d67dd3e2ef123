"""Nesting: 1,024 containers are read, one more is refused, ten million do no harm."""

import pytest
import vectors
from comparing import assert_same
from small_stacks import outcome_in_thread

KINDS = {
    "array": b"\x91",
    "array 16": b"\xdc\0\1",
    "array 32": b"\xdd\0\0\0\1",
    "map": b"\x81\xa1k",
    "map 16": b"\xde\0\1\xa1k",
}
kinds = pytest.mark.parametrize("head", KINDS.values(), ids=KINDS.keys())


def stream(codec, data, **options):
    unpacker = codec.Unpacker(**options)
    unpacker.feed(data)
    return unpacker.unpack()


def skip(codec, data, **options):
    unpacker = codec.Unpacker()
    unpacker.feed(data)
    return unpacker.skip()


ways = pytest.mark.parametrize(
    "unpack",
    [lambda codec, data, **options: codec.unpackb(data, **options), stream],
    ids=["unpackb", "unpack"],
)


@kinds
@ways
@pytest.mark.parametrize("inner", [b"\x01", b"\x90", b"\x80"], ids=bytes.hex)
def test_1024_pass_and_1025_fail(codec, head, unpack, inner):
    room = 1024 if inner == b"\x01" else 1023
    unpack(codec, head * room + inner)
    with pytest.raises(codec.StackError) as caught:
        unpack(codec, head * (room + 1) + inner)
    assert str(caught.value) == ""


@kinds
def test_skip_has_the_same_limit(codec, head):
    skip(codec, head * 1024 + b"\x01")
    for inner in (b"\x01", b"\x90", b"\x80"):
        with pytest.raises(codec.StackError):
            skip(codec, head * (1025 if inner == b"\x01" else 1024) + inner)


@kinds
@ways
def test_too_deep_is_found_before_the_end_is_missed(codec, head, unpack):
    with pytest.raises(codec.StackError):
        unpack(codec, head * 3000)


@kinds
@pytest.mark.parametrize(
    "unpack",
    [lambda codec, data: codec.unpackb(data), stream, skip],
    ids=["unpackb", "unpack", "skip"],
)
def test_ten_million(codec, head, unpack):
    if not codec.is_compiled and len(head) > 1:
        pytest.skip("once is enough in pure Python")
    with pytest.raises(codec.StackError):
        unpack(codec, head * (10_000_000 // len(head)))


def test_values_of_1024_levels_come_out_right(codec):
    value = codec.unpackb(b"\x92\x07" * 1023 + b"\x90")
    for _ in range(1023):
        seven, value = value
        assert seven == 7
    assert value == []
    value = codec.unpackb(b"\x81\xa1k" * 1024 + b"\x01", object_pairs_hook=vectors.Pairs)
    for _ in range(1024):
        ((key, value),) = value.pairs
        assert key == "k"
    assert value == 1


def test_hooks_see_the_innermost_first_at_any_depth(codec):
    depths = []

    def hook(value):
        depths.append(1 + (depths[-1] if depths else 0))
        return depths[-1]

    assert codec.unpackb(b"\x91" * 1024 + b"\x01", list_hook=hook) == 1024
    assert depths == list(range(1, 1025))


def test_siblings_do_not_add_up(codec):
    data = b"\xdc\x10\x00" + b"\x91\x91\x91\x01" * 4096
    assert codec.unpackb(data) == [[[[1]]]] * 4096


def test_the_unpacker_counts_anew_for_each_object(codec):
    unpacker = codec.Unpacker()
    data = b"\x91" * 1000 + b"\x01"
    for _ in range(5):
        unpacker.feed(data)
        assert_same(unpacker.unpack(), codec.unpackb(data))


def test_deep_input_from_a_thread_with_a_small_stack(codec):
    if not codec.is_compiled:
        pytest.skip("recursion in pure Python is the interpreter's")

    def work():
        for head in KINDS.values():
            codec.unpackb(head * 1024 + b"\x01")
            with pytest.raises(codec.StackError):
                codec.unpackb(head * 100_000)
        return "done"

    assert outcome_in_thread(work) == "done"
