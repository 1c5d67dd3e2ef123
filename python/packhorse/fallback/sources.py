"""What an Unpacker reads from: file objects, asyncio streams, asynchronous iterables."""

from .byte_queue import bytes_of


def reader_of(file_like):
    """(read method, asynchronous iterable) of what was given as file_like; None where not there."""
    if file_like is None:
        return None, None
    if not hasattr(file_like, "read") and hasattr(file_like, "__aiter__"):
        return None, file_like
    read = file_like.read
    if not callable(read):
        raise TypeError("`file_like.read` must be a callable.")
    return read, None


def checked_chunk(chunk):
    """What read() returned, if it is bytes."""
    if isinstance(chunk, bytes):
        return bytes(chunk)
    if hasattr(chunk, "__await__"):
        if hasattr(chunk, "close"):
            chunk.close()
        raise TypeError("read() gave an awaitable: use `async for` with this source")
    raise TypeError(f"expected bytes, {type(chunk).__name__} found")


async def next_chunk(read, iterator, size):
    """The next bytes of an asynchronous source, None at its end; its read() may be synchronous."""
    if read is not None:
        chunk = read(size)
        if hasattr(chunk, "__await__"):
            chunk = await chunk
        return checked_chunk(chunk) if chunk else None
    while iterator is not None:
        try:
            chunk = bytes_of(await iterator.__anext__())
        except StopAsyncIteration:
            return None
        if chunk:
            return chunk
    return None
