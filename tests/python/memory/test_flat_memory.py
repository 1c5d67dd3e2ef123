"""Every error path, many thousand times, with flat memory."""

import gc
import io
import os
import sys

import pytest

tracemalloc = pytest.importorskip("tracemalloc")

ROUNDS_PURE = 3_000
# Under a sanitizer each path runs to be watched; the counting of blocks needs the interpreter's own allocator.
ROUNDS = ROUNDS_PURE if os.environ.get("PACKHORSE_SANITIZED") else 100_000
TOLERANCE = 32 * 1024
"""Bytes: far below one object a round, above what free lists and caches may keep."""


def rounds(codec):
    return ROUNDS if codec.is_compiled else ROUNDS_PURE


def assert_flat(call, count):
    """`call` runs count times; what the interpreter has allocated afterwards is what it had after a warm-up."""
    for _ in range(min(count, 2000)):
        call()
    gc.collect()
    if count > ROUNDS_PURE:
        blocks = sys.getallocatedblocks()
        for _ in range(count):
            call()
        gc.collect()
        grown = sys.getallocatedblocks() - blocks
        assert grown < count // 50, f"{grown} blocks more after {count} rounds"
        count = 2000
    tracemalloc.start()
    try:
        for _ in range(100):
            call()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(count):
            call()
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < TOLERANCE, f"{grown} bytes more after {count} rounds"


def raise_key_error(*arguments):
    raise KeyError


UNPACK_ERRORS = {
    "truncated map": (b"\x82\xa1a\x93\x01\xa3xyz\x02\xa1b", {}),
    "truncated inside a key": (b"\x82\xa1a\x93\x01\xa3xyz\x02\xa5ab", {}),
    "truncated string": (b"\x92\xa3abc\xd9\x20abc", {}),
    "empty input": (b"", {}),
    "extra data": (b"\x91\xa3abc\x01", {}),
    "reserved byte": (b"\x93\xa3abc\x81\xa1k\x90\xc1", {}),
    "reserved byte as key": (b"\x93\xa3abc\x81\xa1k\x90\x81\xc1", {}),
    "bad text": (b"\x92\xa3abc\xa2\xff\xff", {}),
    "bad text as key": (b"\x92\xa3abc\x81\xa2\xff\xff\x01", {}),
    "key not allowed": (b"\x82\xa1a\xa3abc\xcd\x03\xe8\xa3def", {}),
    "key not allowed, pairs": (b"\x82\xa1a\xa3abc\xcd\x03\xe8\xa3def", {"object_pairs_hook": list}),
    "unhashable key": (b"\x82\xa1a\xa3abc\x92\xa3xyz\x01\xa3def", {"strict_map_key": False}),
    "unhashable map key": (b"\x82\xa1a\xa3abc\x81\xa3xyz\x01\xa3def", {"strict_map_key": False}),
    "too deep": (b"\x91" * 1025, {}),
    "array claim": (b"\x92\xa3abc\xdd\xff\xff\xff\xff", {}),
    "map claim": (b"\x92\xa3abc\xdf\xff\xff\xff\xff", {}),
    "array claim without a limit": (
        b"\x92\xa3abc\xdd\x00\x0f\xff\xff\x01",
        {"max_array_len": 2**32 - 1},
    ),
    "tuple claim without a limit": (
        b"\x92\xa3abc\xdd\x00\x0f\xff\xff\x01",
        {"max_array_len": 2**32 - 1, "use_list": False},
    ),
    "map claim without a limit": (
        b"\x92\xa3abc\xdf\x00\x0f\xff\xff\xa1a\x01",
        {"max_map_len": 2**32 - 1},
    ),
    "string limit": (b"\x92\xa3abc\xa5abcde", {"max_str_len": 4}),
    "bin limit": (b"\x92\xa3abc\xc4\x05abcde", {"max_bin_len": 4}),
    "ext limit": (b"\x92\xa3abc\xc7\x05\x05abcde", {"max_ext_len": 4}),
    "timestamp length": (b"\x92\xa3abc\xd4\xff\x00", {}),
    "timestamp nanoseconds": (b"\x92\xa3abc\xc7\x0c\xff\xff\xff\xff\xff" + bytes(8), {}),
    "timestamp beyond datetime": (
        b"\x92\xa3abc\xc7\x0c\xff\0\0\0\0\x7f" + bytes(7),
        {"timestamp": 3},
    ),
    "ext code": (b"\x92\xa3abc\xd4\x80x", {}),
    "list hook raises": (b"\x82\xa1a\xa3abc\xa1b\x91\xa3def", {"list_hook": raise_key_error}),
    "list hook raises on empty": (b"\x82\xa1a\xa3abc\xa1b\x90", {"list_hook": raise_key_error}),
    "object hook raises": (b"\x92\xa3abc\x81\xa1b\xa3def", {"object_hook": raise_key_error}),
    "object hook raises on empty": (b"\x92\xa3abc\x80", {"object_hook": raise_key_error}),
    "pairs hook raises": (b"\x92\xa3abc\x81\xa1b\xa3def", {"object_pairs_hook": raise_key_error}),
    "pairs hook raises on empty": (b"\x92\xa3abc\x80", {"object_pairs_hook": raise_key_error}),
    "ext hook raises": (b"\x92\xa3abc\xd4\x05x", {"ext_hook": raise_key_error}),
    "unknown error handler": (b"\x92\xa3abc\xa1\xff", {"unicode_errors": "nonsense"}),
    "wrong option": (b"\x90", {"timestamp": 9}),
    "unknown option": (b"\x90", {"nonsense": 9}),
    "hook not callable": (b"\x90", {"list_hook": 9}),
}
unpack_errors = pytest.mark.parametrize(
    "data, options", UNPACK_ERRORS.values(), ids=UNPACK_ERRORS.keys()
)


@unpack_errors
def test_unpackb(codec, data, options):
    def call():
        try:
            codec.unpackb(data, **options)
        except Exception:
            return
        raise AssertionError("accepted")

    assert_flat(call, rounds(codec) if len(data) < 1000 else rounds(codec) // 100)


@unpack_errors
def test_unpacker(codec, data, options):
    def call():
        try:
            unpacker = codec.Unpacker(read_size=64, **options)
            unpacker.feed(data)
            unpacker.unpack()
            unpacker.unpack()
        except Exception:
            return

    assert_flat(call, rounds(codec) // (20 if len(data) < 1000 else 500))


class Failing(dict):
    def items(self):
        yield "a", "some text"
        raise RuntimeError

    def __len__(self):
        return 2


def nested():
    value = 1
    for _ in range(1100):
        value = [value]
    return value


DEEP = nested()
UNSUPPORTED = object()
PACK_ERRORS = {
    "unsupported": ([1, "abc", UNSUPPORTED], {}),
    "unsupported in a map": ({"a": "abc", "b": UNSUPPORTED}, {}),
    "default raises": (["abc", UNSUPPORTED], {"default": raise_key_error}),
    "default gives the same": (["abc", UNSUPPORTED], {"default": lambda value: value}),
    "integer out of range": (["abc", 2**70], {}),
    "float out of range": (["abc", 1e300], {"use_single_float": True}),
    "lone surrogate": (["abc", "\ud800"], {}),
    "items raise": (["abc", Failing()], {}),
    "strict tuple": (["abc", (1, 2)], {"strict_types": True}),
    "too deep": (DEEP, {}),
    "strided memoryview": (["abc", memoryview(b"abcdef")[::2]], {}),
    "wrong option": ([], {"default": 5}),
    "unknown option": ([], {"nonsense": 5}),
    "unknown error handler": (["\ud800"], {"unicode_errors": "nonsense"}),
}


@pytest.mark.parametrize("value, options", PACK_ERRORS.values(), ids=PACK_ERRORS.keys())
def test_packb_and_packer(codec, value, options):
    def call():
        try:
            codec.packb(value, **options)
        except Exception:
            return
        raise AssertionError("accepted")

    assert_flat(call, rounds(codec) // (4 if value is not DEEP else 200))
    if "nonsense" in options or options.get("default") == 5:
        return
    packer = codec.Packer(buf_size=64, **options)

    def call_packer():
        try:
            packer.pack(value)
        except Exception:
            return
        raise AssertionError("accepted")

    assert_flat(call_packer, rounds(codec) // (4 if value is not DEEP else 200))


VALUES = [
    None,
    12345,
    2**63,
    1.5,
    "text",
    "\u3042" * 20,
    b"bytes",
    [1, ["a"]],
    (1, 2),
    {"a": {"b": [1]}},
    {1: 2},
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_success_is_flat_too(codec, value):
    data = codec.packb(value)

    def call():
        codec.unpackb(codec.packb(value), strict_map_key=False)
        codec.unpackb(data, strict_map_key=False, use_list=False, raw=True)
        codec.unpackb(data, strict_map_key=False, object_pairs_hook=list, list_hook=tuple)

    assert_flat(call, rounds(codec) // 10)


def test_timestamps_and_ext_types(codec):
    value = [codec.Timestamp(1, 2), codec.ExtType(5, b"abc"), codec.Timestamp(1)]

    def call():
        data = codec.packb(value)
        for mode in range(4):
            codec.unpackb(data, timestamp=mode, ext_hook=lambda code, content: content)

    assert_flat(call, rounds(codec) // 20)


def test_one_unpacker_for_ever(codec):
    unpacker = codec.Unpacker()
    data = codec.packb({"key": ["text", 1.5, {"inner": b"x" * 50}]})

    def call():
        unpacker.feed(data)
        unpacker.unpack()

    assert_flat(call, rounds(codec) // 4)


def test_iterating_files(codec):
    data = codec.packb(5) * 100

    def call():
        for _ in codec.Unpacker(io.BytesIO(data)):
            pass

    assert_flat(call, rounds(codec) // 50)


def test_calling_init_again(codec):
    packer = codec.Packer(default=repr)
    unpacker = codec.Unpacker(object_hook=repr)

    def call():
        packer.__init__(default=str, buf_size=4096)
        unpacker.__init__(object_hook=str, read_size=4096)
        unpacker.feed(b"\x92\x01")

    assert_flat(call, rounds(codec) // 10)


def test_suspended_objects_that_are_thrown_away(codec):
    def call():
        unpacker = codec.Unpacker(read_size=64)
        unpacker.feed(b"\x93\x81\xa3abc\x92\xa3def")
        try:
            unpacker.unpack()
        except codec.OutOfData:
            pass

    assert_flat(call, rounds(codec) // 20)


def test_headers_skip_and_read_bytes(codec):
    def call():
        unpacker = codec.Unpacker(read_size=64)
        unpacker.feed(b"\x91\x81\xa3abc\x92\xa3def\x01raw")
        unpacker.read_array_header()
        unpacker.skip()
        unpacker.read_bytes(3)
        try:
            unpacker.read_map_header()
        except codec.OutOfData:
            pass

    assert_flat(call, rounds(codec) // 20)


def test_iteration_that_breaks_off(codec):
    class Reader:
        def __init__(self):
            self.pieces = [b"\x01\x92\x01", KeyError]

        def read(self, size):
            piece = self.pieces.pop(0)
            if piece is KeyError:
                raise KeyError
            return piece

    def call():
        try:
            list(codec.Unpacker(Reader(), read_size=64))
        except KeyError:
            return
        raise AssertionError

    assert_flat(call, rounds(codec) // 20)


@pytest.mark.ours
def test_the_beyond_options(codec):
    data = codec.packb({"b": 1, "a": [(1, 2)]})
    array_keys = b"\x82\x92\x01\x02\xa1v\xa1a\x01"

    def call():
        codec.packb({"b": 1, "a": {"d": 1, "c": 2}}, order="sorted")
        codec.unpackb(array_keys, tuple_keys=True, strict_map_key=False)
        unpacker = codec.Unpacker(read_size=64)
        unpacker.feed(data + b"\xc1\x01")
        unpacker.unpack_raw()
        try:
            unpacker.unpack()
        except ValueError:
            unpacker.resync()
        try:
            codec.packb({"b": 1, 5: 2}, order="sorted", default=raise_key_error)
            codec.packb({"b": UNSUPPORTED}, order="sorted")
        except (TypeError, KeyError):
            pass

    assert_flat(call, rounds(codec) // 20)
