"""What can be unpacked from: anything with a buffer of bytes, whole or strided."""

import array
import mmap
import sysconfig

import pytest

DATA = b"\x93\x01\xa3abc\xc4\x02xy"
VALUE = [1, "abc", b"xy"]
KINDS = {
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview": memoryview,
    "view of a bytearray": lambda data: memoryview(bytearray(data)),
    "slice of a view": lambda data: memoryview(b"junk" + data + b"junk")[4:-4],
    "read-only view": lambda data: memoryview(bytearray(data)).toreadonly(),
    "array of unsigned bytes": lambda data: array.array("B", data),
    "array of signed bytes": lambda data: (
        array.array("b", bytes(data)) if max(data) < 128 else array.array("B", data)
    ),
    "view cast to signed": lambda data: memoryview(data).cast("b"),
    "view cast to chars": lambda data: memoryview(data).cast("c"),
    "every second byte": lambda data: memoryview(
        bytes(byte for pair in zip(data, data[::-1], strict=True) for byte in pair)
    )[::2],
    "backwards": lambda data: memoryview(bytes(data)[::-1])[::-1],
}
kinds = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())


@kinds
def test_unpackb_accepts(codec, kind):
    assert codec.unpackb(kind(DATA)) == VALUE


@kinds
def test_feed_accepts(codec, kind):
    unpacker = codec.Unpacker()
    unpacker.feed(kind(DATA))
    unpacker.feed(kind(DATA))
    assert list(unpacker) == [VALUE, VALUE]


@kinds
def test_errors_are_the_same(codec, kind):
    with pytest.raises(ValueError, match="(?m)^Unpack failed: incomplete input$"):
        codec.unpackb(kind(DATA[:-1]))
    with pytest.raises(codec.ExtraData) as caught:
        codec.unpackb(kind(DATA + b"\x05\x06"))
    assert caught.value.unpacked == VALUE
    assert caught.value.extra == b"\x05\x06"


def test_a_strided_view_of_a_wide_integer(codec):
    data = bytes.fromhex("cf0000000100000000")
    spread = bytearray(b"\xaa" * (2 * len(data)))
    spread[::2] = data
    assert codec.unpackb(memoryview(spread)[::2]) == 2**32
    unpacker = codec.Unpacker()
    unpacker.feed(memoryview(spread)[::2])
    assert unpacker.unpack() == 2**32


def test_mapped_files(codec, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(DATA)
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert codec.unpackb(mapped) == VALUE


def test_numpy_buffers(codec):
    numpy = pytest.importorskip("numpy")
    assert codec.unpackb(numpy.frombuffer(DATA, dtype="u1")) == VALUE


@pytest.mark.parametrize("value", ["text", None, 5, 1.5, [1], {}, object()], ids=repr)
def test_other_objects_are_refused(codec, value):
    with pytest.raises(TypeError, match="a bytes-like object is required"):
        codec.unpackb(value)
    with pytest.raises(TypeError):
        codec.Unpacker().feed(value)


def test_items_of_more_than_a_byte_are_refused(codec):
    values = array.array("i", [1, 2])
    error = BufferError if codec.is_compiled else (BufferError, ValueError)
    with pytest.raises(error, match="(?m)^cannot unpack from multi-byte object$"):
        codec.unpackb(values)
    with pytest.raises(error, match="(?m)^cannot unpack from multi-byte object$"):
        codec.Unpacker().feed(values)


def test_a_released_view_is_refused(codec):
    view = memoryview(DATA)
    view.release()
    with pytest.raises(ValueError):
        codec.unpackb(view)


def test_no_export_is_left_behind(codec):
    data = bytearray(DATA)
    codec.unpackb(data)
    data.append(1)
    with pytest.raises(codec.ExtraData):
        codec.unpackb(data)
    data.append(1)
    with pytest.raises(codec.FormatError):
        codec.unpackb(memoryview(bytearray(b"\xc1")))
    unpacker = codec.Unpacker()
    unpacker.feed(data)
    data.append(1)
    with pytest.raises(RuntimeError):
        codec.unpackb(data, object_hook=None, list_hook=raise_runtime_error)
    data.append(1)


def raise_runtime_error(value):
    raise RuntimeError


def test_hooks_can_not_resize_the_input(codec):
    data = bytearray(b"\x93\x90\xa3abc\x01")

    def hook(value):
        try:
            data.clear()
        except BufferError:
            refused.append(True)
        return value

    refused = []
    assert codec.unpackb(data, list_hook=hook) == [[], "abc", 1]
    if codec.is_compiled:
        # Without a GIL what can be written is copied: another thread might write.
        assert refused == ([] if sysconfig.get_config_var("Py_GIL_DISABLED") else [True, True])


def test_hooks_may_change_the_bytes_but_never_reach_foreign_memory(codec):
    data = bytearray(b"\x93\x90\xa3abc\xa3abc")

    def hook(value):
        data[:] = b"\xdb" * len(data)
        return value

    try:
        codec.unpackb(data, list_hook=hook)
    except (ValueError, RuntimeError):
        pass


def test_fed_bytes_are_copied(codec):
    unpacker = codec.Unpacker()
    data = bytearray(b"\xa3abc")
    unpacker.feed(data)
    data[:] = b"\xc1\xc1\xc1\xc1"
    assert unpacker.unpack() == "abc"


def test_results_do_not_share_memory_with_the_input(codec):
    data = bytearray(b"\xc4\x03abc")
    value = codec.unpackb(data)
    data[2:] = b"zzz"
    assert value == b"abc"


def test_empty_inputs(codec):
    for empty in (b"", bytearray(), memoryview(b""), memoryview(b"abc")[3:]):
        with pytest.raises(ValueError, match="(?m)^Unpack failed: incomplete input$"):
            codec.unpackb(empty)
        unpacker = codec.Unpacker()
        unpacker.feed(empty)
        with pytest.raises(codec.OutOfData):
            unpacker.unpack()
