"""JSON that comes in pieces: lines of records, or one document, from iterators of chunks.

Chunks are bytes, other buffers or str, cut anywhere. No more is kept than the chunk at hand and the
beginning of one record.
"""

from ..exceptions import BufferFull, DecodeError

BUFFER_MAX = 100 * 1024 * 1024


def _bytes_of(chunk):
    if type(chunk) is bytes:
        return chunk
    if isinstance(chunk, str):
        return chunk.encode()
    with memoryview(chunk) as view:
        return view.tobytes()


def _decoder_or_new(decoder):
    if decoder is None:
        from . import Decoder

        return Decoder()
    return decoder


class _Records:
    """Cuts chunks into lines and decodes those that are whole."""

    def __init__(self, decoder, max_buffer_size):
        self.decoder = _decoder_or_new(decoder)
        self.max_buffer_size = max_buffer_size
        self.begun = []  # the pieces of a line whose end has not come
        self.held = 0  # their bytes
        self.offset = 0  # where in the stream that line begins
        self.line = 1

    def _hold(self, piece):
        if self.held + len(piece) > self.max_buffer_size:
            raise BufferFull(f"line {self.line} is longer than max_buffer_size")
        if piece:
            self.begun.append(piece)
            self.held += len(piece)

    def _record(self):
        """The object of the line that is held, in a list; an empty list for a blank line."""
        text = self.begun[0] if len(self.begun) == 1 else b"".join(self.begun)
        offset = self.offset
        self.begun.clear()
        self.offset += self.held + 1
        self.held = 0
        try:
            return [] if text.isspace() or not text else [self.decoder._decode_at(text, offset)]
        except DecodeError as error:
            error.line = self.line
            error.add_note(f"in line {self.line}")
            raise
        finally:
            self.line += 1

    def feed(self, chunk):
        """The objects of the lines that end in this chunk, one after the other."""
        chunk = _bytes_of(chunk)
        start = 0
        while True:
            end = chunk.find(b"\n", start)
            if end < 0:
                self._hold(chunk[start:])
                return
            self._hold(chunk[start:end])
            start = end + 1
            yield from self._record()

    def end(self):
        """The object of a last line without a line feed."""
        return self._record()


def iter_lines(chunks, *, decoder=None, max_buffer_size=BUFFER_MAX):
    """Give the objects of a stream with one JSON value a line, in chunks cut anywhere.

    decoder
        a Decoder whose options hold; default: Decoder().
    max_buffer_size
        bytes that one line may have; more raises BufferFull.

    Blank lines count for nothing, the last line needs no line feed. DecodeError has ``offset`` in the
    stream and ``line``; what came before has been given by then.
    """
    records = _Records(decoder, max_buffer_size)
    for chunk in chunks:
        yield from records.feed(chunk)
    yield from records.end()


async def aiter_lines(chunks, *, decoder=None, max_buffer_size=BUFFER_MAX):
    """As iter_lines, from an async iterator of chunks."""
    records = _Records(decoder, max_buffer_size)
    async for chunk in chunks:
        for record in records.feed(chunk):
            yield record
    for record in records.end():
        yield record


class _Document:
    """Gathers the chunks of one text."""

    def __init__(self, decoder, max_buffer_size):
        self.decoder = _decoder_or_new(decoder)
        self.max_buffer_size = max_buffer_size
        self.bytes = bytearray()

    def feed(self, chunk):
        chunk = _bytes_of(chunk)
        if len(self.bytes) + len(chunk) > self.max_buffer_size:
            raise BufferFull("the document is longer than max_buffer_size")
        self.bytes += chunk

    def end(self):
        return self.decoder.decode(self.bytes)


def decode_chunks(chunks, *, decoder=None, max_buffer_size=BUFFER_MAX):
    """Return the object of one JSON text that comes in chunks cut anywhere; options as for iter_lines."""
    document = _Document(decoder, max_buffer_size)
    for chunk in chunks:
        document.feed(chunk)
    return document.end()


async def adecode_chunks(chunks, *, decoder=None, max_buffer_size=BUFFER_MAX):
    """As decode_chunks, from an async iterator of chunks."""
    document = _Document(decoder, max_buffer_size)
    async for chunk in chunks:
        document.feed(chunk)
    return document.end()
