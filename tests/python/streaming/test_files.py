"""Reading from file objects: short, long, empty, wrong and raising reads."""

import io

import pytest


class Reader:
    """A file whose reads are scripted: bytes to return, or an exception to raise; then b"" for ever."""

    def __init__(self, *script):
        self.script = list(script)
        self.sizes = []

    def read(self, size):
        self.sizes.append(size)
        if not self.script:
            return b""
        step = self.script.pop(0)
        if isinstance(step, BaseException):
            raise step
        return step


VALUES = [1, "two", [3], {"four": 4}, b"5" * 100]


@pytest.fixture
def data(codec):
    return b"".join(map(codec.packb, VALUES))


@pytest.mark.parametrize("read_size", [0, 1, 2, 3, 7, 100, 1000])
def test_iteration(codec, data, read_size):
    assert list(codec.Unpacker(io.BytesIO(data), read_size=read_size)) == VALUES


def test_unpack_until_out_of_data(codec, data):
    unpacker = codec.Unpacker(io.BytesIO(data))
    assert [unpacker.unpack() for _ in VALUES] == VALUES
    with pytest.raises(codec.OutOfData):
        unpacker.unpack()


@pytest.mark.parametrize("size", [1, 2, 3, 5, 11])
def test_short_reads_are_normal(codec, data, size):
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    assert list(codec.Unpacker(Reader(*pieces))) == VALUES


def test_reads_ask_for_read_size(codec):
    reader = Reader(b"\x01")
    unpacker = codec.Unpacker(reader, read_size=77)
    assert unpacker.unpack() == 1
    assert set(reader.sizes) == {77}


def test_no_more_is_read_than_needed(codec):
    reader = Reader(b"\x01\x02", b"\x03")
    unpacker = codec.Unpacker(reader)
    assert unpacker.unpack() == 1
    assert unpacker.unpack() == 2
    assert len(reader.sizes) == 1


@pytest.mark.parametrize("end", [b"", None])
def test_a_falsy_read_is_the_end(codec, end):
    assert list(codec.Unpacker(Reader(b"\x01", end))) == [1]


def test_the_end_is_for_good(codec):
    if not codec.is_compiled:
        pytest.skip("the pure-Python version of msgpack reads again")
    unpacker = codec.Unpacker(Reader(b"\x01", b"", b"\x02"))
    assert list(unpacker) == [1]
    assert list(unpacker) == []


def test_more_than_asked_for_is_accepted(codec):
    """io.RawIOBase promises not to; some readers do."""
    unpacker = codec.Unpacker(Reader(b"\x01\x02\x03\x04"), read_size=2)
    assert list(unpacker) == [1, 2, 3, 4]


def test_more_than_the_buffer_may_hold_is_refused(codec):
    unpacker = codec.Unpacker(Reader(b"\xc4\x32" + b"x" * 50), read_size=10, max_buffer_size=10)
    with pytest.raises((codec.BufferFull, ValueError)):
        unpacker.unpack()


@pytest.mark.parametrize(
    "wrong",
    ["text", bytearray(b"\x01"), memoryview(b"\x01"), 5, [1], object()],
    ids=lambda wrong: type(wrong).__name__,
)
def test_reads_must_give_bytes(codec, wrong):
    if not codec.is_compiled and isinstance(wrong, (bytearray, memoryview)):
        pytest.skip("any buffer will do in pure Python")
    with pytest.raises(TypeError):
        codec.Unpacker(Reader(wrong)).unpack()


@pytest.mark.parametrize(
    "error", [OSError("disk"), ValueError("closed"), KeyboardInterrupt(), StopIteration()], ids=repr
)
def test_exceptions_of_read_come_through(codec, error):
    unpacker = codec.Unpacker(Reader(b"\x01\x92\x02", error))
    assert unpacker.unpack() == 1
    with pytest.raises(type(error)) as caught:
        unpacker.unpack()
    assert caught.value is error


def test_a_read_that_failed_can_be_repeated(codec):
    unpacker = codec.Unpacker(Reader(b"\x92\x01", BlockingIOError(), b"\x02"))
    with pytest.raises(BlockingIOError):
        unpacker.unpack()
    assert unpacker.unpack() == [1, 2]


@pytest.mark.parametrize(
    "file", [object(), 5, "name", b"data"], ids=lambda file: type(file).__name__
)
def test_files_must_have_read(codec, file):
    with pytest.raises(AttributeError, match="read"):
        codec.Unpacker(file)


def test_read_must_be_callable(codec):
    class Odd:
        read = 5

    with pytest.raises(TypeError):
        codec.Unpacker(Odd())


@pytest.mark.ours
def test_a_file_that_is_falsy_is_still_a_file(codec):
    class Sized(io.BytesIO):
        def __len__(self):
            return 0

    assert list(codec.Unpacker(Sized(b"\x01\x02"))) == [1, 2]


@pytest.mark.parametrize("cut", [1, 2, 5])
def test_a_truncated_tail_ends_iteration(codec, data, cut):
    assert list(codec.Unpacker(io.BytesIO(data[:-cut]))) == VALUES[:-1]


def test_an_object_larger_than_the_buffer_is_an_error_not_the_end(codec):
    data = b"\xc6\0\0\0\x0b" + b"x" * 11
    for take in (list, lambda unpacker: unpacker.unpack()):
        with pytest.raises((ValueError, codec.BufferFull)):
            take(codec.Unpacker(io.BytesIO(data), max_buffer_size=10))


def test_a_stream_much_larger_than_the_buffer(codec):
    value = [b"z" * 60, "text" * 10]
    data = codec.packb(value) * 5000
    unpacker = codec.Unpacker(io.BytesIO(data), read_size=128, max_buffer_size=256)
    count = 0
    for one in unpacker:
        assert one == value
        count += 1
    assert count == 5000
    assert unpacker.tell() == len(data)


def test_the_file_is_kept_alive_and_let_go(codec):
    import gc
    import weakref

    file = Reader(b"\x01\x02")
    alive = weakref.ref(file)
    unpacker = codec.Unpacker(file)
    del file
    assert list(unpacker) == [1, 2]
    del unpacker
    gc.collect()
    assert alive() is None


def test_real_files_pipes_and_compressed_files(codec, tmp_path, data):
    import gzip
    import os

    path = tmp_path / "file"
    path.write_bytes(data)
    with open(path, "rb") as file:
        assert list(codec.Unpacker(file)) == VALUES
    with open(path, "rb", buffering=0) as file:
        assert list(codec.Unpacker(file)) == VALUES
    with gzip.open(tmp_path / "packed.gz", "wb") as file:
        for value in VALUES:
            codec.package.pack(value, file)
    with gzip.open(tmp_path / "packed.gz") as file:
        assert list(codec.Unpacker(file)) == VALUES
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        assert list(codec.Unpacker(file)) == VALUES


def test_array_header_then_items_from_a_file(codec):
    unpacker = codec.Unpacker(io.BytesIO(b"\x94\x01\x02\x03\x04"), read_size=1)
    assert unpacker.read_array_header() == 4
    assert [unpacker.unpack() for _ in range(4)] == [1, 2, 3, 4]
