"""Hooks and files that call back into the Unpacker that called them: a clear error, and no harm."""

import gc

import pytest

RECURSIVE = "(?m)^Unpacker cannot be called recursively while unpacking is in progress$"
CALLS = {
    "unpack": (lambda unpacker: unpacker.unpack(), RECURSIVE),
    "next": (lambda unpacker: next(unpacker), RECURSIVE),
    "skip": (lambda unpacker: unpacker.skip(), RECURSIVE),
    "read_array_header": (lambda unpacker: unpacker.read_array_header(), RECURSIVE),
    "read_map_header": (lambda unpacker: unpacker.read_map_header(), RECURSIVE),
    "feed": (
        lambda unpacker: unpacker.feed(b"\x01" * 8_000_000),
        r"(?m)^Unpacker\.feed\(\) cannot be called while unpacking is in progress$",
    ),
    "read_bytes": (
        lambda unpacker: unpacker.read_bytes(1),
        r"(?m)^Unpacker\.read_bytes\(\) cannot be called while unpacking is in progress$",
    ),
    "init": (
        lambda unpacker: unpacker.__init__(),
        r"(?m)^Unpacker\.__init__\(\) cannot be called while unpacking is in progress$",
    ),
}
HOOKS = {
    "list_hook": b"\x93\x90\x01\x02",
    "object_hook": b"\x93\x80\x01\x02",
    "object_pairs_hook": b"\x93\x80\x01\x02",
    "ext_hook": b"\x93\xd4\x05A\x01\x02",
}
calls = pytest.mark.parametrize("call, text", CALLS.values(), ids=CALLS.keys())


@calls
@pytest.mark.parametrize("name, data", HOOKS.items())
def test_from_a_hook(codec, call, text, name, data):
    if not codec.is_compiled:
        pytest.skip("msgpack's pure-Python version has no guard: see the next test")
    refused = []

    def hook(*arguments):
        if not refused:
            with pytest.raises(RuntimeError, match=text):
                call(unpacker)
            refused.append(unpacker.tell())
        return "hooked"

    unpacker = codec.Unpacker(**{name: hook})
    unpacker.feed(data)
    result = unpacker.unpack()
    assert len(refused) == 1
    assert result in (["hooked", 1, 2], "hooked")


@pytest.mark.ours
@calls
@pytest.mark.parametrize("name, data", HOOKS.items())
def test_whatever_a_hook_calls_the_result_is_right_or_an_error(codec, call, text, name, data):
    def hook(*arguments):
        try:
            call(unpacker)
        except (RuntimeError, ValueError, codec.OutOfData, StopIteration):
            pass
        gc.collect()
        return "hooked"

    unpacker = codec.Unpacker(**{name: hook})
    unpacker.feed(data)
    try:
        result = unpacker.unpack()
    except (RuntimeError, ValueError, codec.OutOfData):
        return
    assert result in (["hooked", 1, 2], "hooked")


@calls
def test_an_exception_of_the_guard_can_end_the_call(codec, call, text):
    if not codec.is_compiled:
        pytest.skip("msgpack's pure-Python version has no guard")
    unpacker = codec.Unpacker(list_hook=lambda value: call(unpacker))
    unpacker.feed(b"\x92\x90\x01")
    with pytest.raises(RuntimeError, match=text):
        unpacker.unpack()


@calls
def test_from_the_files_read(codec, call, text):
    if not codec.is_compiled:
        pytest.skip("msgpack's pure-Python version has no guard")

    class Reader:
        def __init__(self):
            self.pieces = [b"\x92\x01", b"\x02"]

        def read(self, size):
            if "feed" not in text:
                with pytest.raises(RuntimeError, match=text):
                    call(unpacker)
            return self.pieces.pop(0) if self.pieces else b""

    unpacker = codec.Unpacker(Reader())
    assert unpacker.unpack() == [1, 2]


def test_a_long_array_whose_hook_feeds(codec):
    """200 elements, the first an ext whose hook feeds eight megabytes: the buffer must not move under the parser."""
    data = bytes.fromhex("dc00c8d40541") + b"\x2a" * 199

    def hook(code, content):
        try:
            unpacker.feed(b"\xc1" * 8_000_000)
        except (RuntimeError, codec.BufferFull):
            pass
        return "fed"

    unpacker = codec.Unpacker(ext_hook=hook)
    unpacker.feed(data)
    assert unpacker.unpack() == ["fed"] + [42] * 199


def test_dropping_the_unpacker_inside_its_hook(codec):
    holder = []

    def hook(value):
        holder.clear()
        gc.collect()
        return value

    unpacker = codec.Unpacker(list_hook=hook)
    holder.append(unpacker)
    unpacker.feed(b"\x92\x91\xa3abc\x02")
    unpack = unpacker.unpack
    del unpacker
    assert unpack() == [["abc"], 2]


def test_another_unpacker_inside_a_hook_is_fine(codec):
    def hook(code, data):
        inner = codec.Unpacker(ext_hook=hook)
        inner.feed(data)
        return list(inner)

    unpacker = codec.Unpacker(ext_hook=hook)
    unpacker.feed(
        codec.packb(
            [codec.ExtType(1, codec.packb(1) + codec.packb(codec.ExtType(2, b"\x05\x06"))), 3]
        )
    )
    assert unpacker.unpack() == [[1, [5, 6]], 3]


def test_getbuffer_inside_default_keeps_its_memory(codec):
    views = []

    def default(value):
        try:
            views.append(packer.getbuffer())
        except (RuntimeError, BufferError):
            pass
        return b"z" * 1_000_000

    if codec.is_reference:
        pytest.skip("use after free there")
    packer = codec.Packer(default=default, autoreset=False, buf_size=16)
    try:
        packer.pack([1, object(), 2])
    except (BufferError, RuntimeError):
        pass
    for view in views:
        assert len(bytes(view)) == len(view)
