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


def test_iterating_again_behind_the_end(codec):
    async def main(unpacker):
        for _ in range(3):
            assert await collect(unpacker) == []

    unpacker = codec.Unpacker(Chunks(b"\x01"))
    assert asyncio.run(collect(unpacker)) == [1]
    asyncio.run(main(unpacker))
    asyncio.run(main(codec.Unpacker()))


def take_in_another_thread(unpacker):
    """What unpack() gives or raises in a thread of its own."""
    outcome = []

    def take():
        try:
            outcome.append(unpacker.unpack())
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    return outcome[0]


@pytest.mark.parametrize("synchronous", [True, False])
@pytest.mark.parametrize("where", ["read", "truth", "close"])
def test_no_bytes_are_lost_when_another_thread_wants_a_value_meanwhile(codec, where, synchronous):
    """It is refused as long as what has arrived is not in the buffer."""
    refused = []

    def intrude():
        refused.append(take_in_another_thread(unpacker))

    class Slow(bytes):
        def __bool__(self):
            if where == "truth":
                intrude()
            return len(self) > 0

    pieces = [codec.packb(value) for value in VALUES] + [b""]

    class Source:
        def read(self, size):
            if where == "read":
                intrude()
            return Slow(pieces.pop(0)) if synchronous else Answer(pieces.pop(0))

    class Answer:
        """What is awaited, and lets go of when it was."""

        def __init__(self, piece):
            self.piece = piece

        def __await__(self):
            return Steps(self.piece)

    class Steps:
        def __init__(self, piece):
            self.piece = piece

        def __next__(self):
            raise StopIteration(Slow(self.piece))

        def __iter__(self):
            return self

        def __del__(self):
            if where == "close":
                intrude()

    unpacker = codec.Unpacker(Source())
    assert asyncio.run(collect(unpacker)) == VALUES
    if where == "close" and (synchronous or not codec.is_compiled):
        return
    assert len(refused) == len(VALUES) + 1
    for error in refused:
        assert isinstance(error, RuntimeError)
        assert "while unpacking is in progress" in str(error)


def test_a_value_that_another_thread_takes_keeps_the_source_out(codec):
    """A hook runs in the other thread: its Unpacker can not be asked for more."""
    in_hook, finish = threading.Event(), threading.Event()
    taken = []

    pieces = [b"\x80\x01", b"\x02", b""]

    class Source:
        async def read(self, size):
            return pieces.pop(0)

    def object_hook(value):
        in_hook.set()
        assert finish.wait(10)
        return "hooked"

    async def main():
        unpacker = codec.Unpacker(Source(), object_hook=object_hook)
        other = threading.Thread(target=lambda: taken.append(asyncio.run(unpacker.__anext__())))
        other.start()
        assert in_hook.wait(10)
        with pytest.raises(RuntimeError, match="while unpacking is in progress"):
            await unpacker.__anext__()
        finish.set()
        other.join()
        return await collect(unpacker)

    assert asyncio.run(main()) == [1, 2]
    assert taken == ["hooked"]


@pytest.mark.parametrize("has_read", [True, False])
def test_a_source_that_gives_more_than_the_buffer_may_hold_has_failed(codec, has_read):
    pieces = [b"\x01\x02", b"\xc4\x64" + b"x" * 100, b"\x03", b""]

    class Reader:
        async def read(self, size):
            return pieces.pop(0)

    source = Reader() if has_read else Chunks(*pieces)

    async def main():
        unpacker = codec.Unpacker(source, max_buffer_size=10)
        assert [await unpacker.__anext__(), await unpacker.__anext__()] == [1, 2]
        with pytest.raises(codec.BufferFull):
            await unpacker.__anext__()
        with pytest.raises(codec.package.exceptions.StreamStateError):
            await unpacker.__anext__()
        unpacker.resync()
        assert await unpacker.__anext__() == 3

    asyncio.run(main())


def test_what_is_running_can_not_be_closed(codec):
    if not codec.is_compiled:
        pytest.skip("coroutines are the interpreter's there")
    errors = []

    class Source:
        async def read(self, size):
            for call in (
                waiting.close,
                lambda: waiting.send(None),
                lambda: waiting.throw(OSError()),
            ):
                with pytest.raises(ValueError, match="already executing"):
                    call()
                errors.append(call)
            return b"\x01"

    async def main():
        nonlocal waiting
        unpacker = codec.Unpacker(Source())
        waiting = unpacker.__anext__()
        assert await waiting == 1

    waiting = None
    asyncio.run(main())
    assert len(errors) == 3
