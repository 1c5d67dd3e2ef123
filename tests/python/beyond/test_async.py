"""async for over an asyncio.StreamReader or any asynchronous iterable of bytes."""

import asyncio
import threading

import pytest

pytestmark = pytest.mark.ours
VALUES = [1, "two", [3, {"four": b"5" * 300}], None, {"k": "v"}]


class Chunks:
    """An asynchronous iterable of the given pieces; an exception among them is raised."""

    def __init__(self, *pieces):
        self.pieces = pieces

    async def __aiter__(self):
        for piece in self.pieces:
            await asyncio.sleep(0)
            if isinstance(piece, BaseException):
                raise piece
            yield piece


async def collect(unpacker):
    return [value async for value in unpacker]


@pytest.fixture
def data(codec):
    return b"".join(map(codec.packb, VALUES))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_any_asynchronous_iterable(codec, data, size):
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    assert asyncio.run(collect(codec.Unpacker(Chunks(*pieces)))) == VALUES


@pytest.mark.parametrize("size", [1, 5, 10_000])
def test_a_stream_reader(codec, data, size):
    async def main():
        reader = asyncio.StreamReader()

        async def write():
            for start in range(0, len(data), size):
                reader.feed_data(data[start : start + size])
                await asyncio.sleep(0)
            reader.feed_eof()

        writing = asyncio.ensure_future(write())
        values = await collect(codec.Unpacker(reader))
        await writing
        return values

    assert asyncio.run(main()) == VALUES


def test_values_arrive_as_soon_as_they_are_whole(codec):
    async def main():
        reader = asyncio.StreamReader()
        unpacker = codec.Unpacker(reader)
        reader.feed_data(b"\x01\x92\x02")
        iterator = unpacker.__aiter__()
        assert await asyncio.wait_for(iterator.__anext__(), 5) == 1
        waiting = asyncio.ensure_future(iterator.__anext__())
        await asyncio.sleep(0.01)
        assert not waiting.done()
        reader.feed_data(b"\x03")
        assert await asyncio.wait_for(waiting, 5) == [2, 3]
        reader.feed_eof()
        with pytest.raises(StopAsyncIteration):
            await iterator.__anext__()

    asyncio.run(main())


def test_breaking_off_and_going_on(codec, data):
    async def main():
        unpacker = codec.Unpacker(Chunks(data))
        async for value in unpacker:
            if value == "two":
                break
        return [value async for value in unpacker]

    assert asyncio.run(main()) == VALUES[2:]


def test_options_apply(codec):
    unpacker = codec.Unpacker(
        Chunks(b"\x81\x01", b"\x91\x02"), use_list=False, strict_map_key=False
    )
    assert asyncio.run(collect(unpacker)) == [{1: (2,)}]


def test_errors_in_the_data(codec):
    with pytest.raises(codec.FormatError):
        asyncio.run(collect(codec.Unpacker(Chunks(b"\x01", b"\xc1"))))


def test_exceptions_of_the_source_come_through(codec):
    error = OSError("connection lost")
    with pytest.raises(OSError) as caught:
        asyncio.run(collect(codec.Unpacker(Chunks(b"\x01\x92", error))))
    assert caught.value is error


@pytest.mark.parametrize("wrong", ["text", 5, None, [1]], ids=repr)
def test_sources_must_give_bytes(codec, wrong):
    with pytest.raises(TypeError):
        asyncio.run(collect(codec.Unpacker(Chunks(b"\x01", wrong))))


def test_cancelling_leaves_it_usable(codec):
    async def main():
        reader = asyncio.StreamReader()
        unpacker = codec.Unpacker(reader)
        waiting = asyncio.ensure_future(unpacker.__aiter__().__anext__())
        await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        reader.feed_data(b"\x07")
        reader.feed_eof()
        return await collect(unpacker)

    assert asyncio.run(main()) == [7]


def test_an_asynchronous_source_can_not_be_read_synchronously(codec):
    with pytest.raises(TypeError):
        codec.Unpacker(Chunks(b"\x01")).unpack()


def test_the_source_and_the_unpacker_are_let_go(codec):
    import gc
    import weakref

    source = Chunks(b"\x01")
    alive = weakref.ref(source)
    assert asyncio.run(collect(codec.Unpacker(source))) == [1]
    del source
    gc.collect()
    assert alive() is None


def test_a_source_that_is_no_longer_iterable(codec):
    class Source:
        def __aiter__(self):
            return self

        async def __anext__(self):
            return b"\x01"

    unpacker = codec.Unpacker(Source())
    del Source.__aiter__
    with pytest.raises((TypeError, AttributeError)):
        asyncio.run(collect(unpacker))


def test_another_thread_takes_a_value_while_bytes_are_accepted(codec):
    """What arrives must not move the bytes that the other thread is reading."""
    if not codec.is_compiled:
        pytest.skip("the fallback holds no addresses")
    in_hook, finish = threading.Event(), threading.Event()
    taken = []

    class Slow(bytes):
        def __bool__(self):
            other.start()
            assert in_hook.wait(10)
            return True

    class Source:
        calls = 0

        def read(self, size):
            self.calls += 1
            return self.give() if self.calls == 1 else b"\x92\x80\xa4text"

        async def give(self):
            return Slow(b"\x01" * 100_000)

    def object_hook(value):
        in_hook.set()
        assert finish.wait(10)
        return value

    unpacker = codec.Unpacker(Source(), object_hook=object_hook)
    other = threading.Thread(target=lambda: taken.append(unpacker.unpack()))
    try:
        with pytest.raises(RuntimeError, match="while unpacking is in progress"):
            asyncio.run(collect(unpacker))
    finally:
        finish.set()
        other.join()
    assert taken == [[{}, "text"]]
