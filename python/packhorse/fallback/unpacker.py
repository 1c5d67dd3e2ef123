"""Unpacker: objects from a stream that is fed, read from a file, or awaited."""

from ..exceptions import BufferFull, FormatError, OutOfData, StackError, StreamStateError
from ..location import locate
from .byte_queue import ByteQueue, bytes_of
from .decoder import INCOMPLETE, Decoder, missing_bytes, read_length
from .key_cache import KeyCache
from .options import DecodeOptions, check_names, size_option
from .skipping import Skipper, next_plausible
from .sources import checked_chunk, next_chunk, reader_of

_DEFAULT_READ_SIZE = 1024 * 1024
_DEFAULT_MAX_BUFFER_SIZE = 100 * 1024 * 1024


class Unpacker:
    """Reads one object after the other from bytes that come in pieces.

    Unpacker(file_like=None, *, read_size=0, max_buffer_size=104857600, **options)

    file_like: an object whose read(n) returns bytes, an asyncio.StreamReader or an asynchronous
        iterable of bytes (both for `async for` only); None when feed() is used.
    read_size: how much to read from it at a time (0: up to 1 MiB).
    max_buffer_size: how many bytes may wait here to be unpacked (0: 2 GiB), else BufferFull.
    use_list: arrays become lists, otherwise tuples.
    raw: text becomes bytes.
    timestamp: ext type -1 becomes 0 a Timestamp, 1 a float of seconds, 2 an int of nanoseconds,
        3 an aware datetime in UTC.
    strict_map_key: keys must be str or bytes.
    tuple_keys: arrays that are keys, or in keys, become tuples, which strict_map_key lets pass.
    gc: False hides lists and dicts that hold no other containers from the garbage collector, which
        then has less to do; a cycle that is later made through one of them is never freed.
    object_hook, object_pairs_hook, list_hook: called with each dict, list of pairs, list or tuple;
        the result takes its place.
    ext_hook: called with the code and the bytes of each ext value but timestamps.
    unicode_errors: codec error handler for text.
    max_str_len, max_bin_len, max_array_len, max_map_len, max_ext_len: largest length of one value;
        -1: max_buffer_size (half of it for maps).

    After an error in the data every further read raises StreamStateError until resync() or skip()
    has gone on behind the object at fault.  After an exception of a hook the same call calls the
    hook again, and skip() leaves the object out.
    """

    __module__ = "packhorse.fallback"

    __slots__ = (
        "_busy",
        "_decoder",
        "_dropping",
        "_failed",
        "_fault_offset",
        "_in_container",
        "_iterator",
        "_kept",
        "_max_buffer_size",
        "_missing",
        "_object_start",
        "_partial",
        "_partial_header",
        "_queue",
        "_read",
        "_read_size",
        "_skipper",
        "_source",
    )

    def __new__(cls, *arguments, **options):
        self = super().__new__(cls)
        self._busy = False
        if cls.__init__ is not Unpacker.__init__:
            Unpacker.__init__(self)  # for a subclass whose own does not call it
        return self

    def __init__(
        self,
        file_like=None,
        *,
        read_size=0,
        max_buffer_size=_DEFAULT_MAX_BUFFER_SIZE,
        **options,
    ):
        if self._busy:
            raise RuntimeError(
                "Unpacker.__init__() cannot be called while unpacking is in progress"
            )
        check_names(options, "__init__")
        max_buffer_size = size_option(max_buffer_size)
        read_size = size_option(read_size)
        if max_buffer_size == 0:
            max_buffer_size = (1 << 31) - 1
        if read_size == 0:
            read_size = min(max_buffer_size, _DEFAULT_READ_SIZE)
        if read_size > max_buffer_size or max_buffer_size < 0:
            raise ValueError("read_size should be less or equal to max_buffer_size")
        if read_size < 0:
            raise MemoryError("Unable to allocate internal buffer.")
        read, source = reader_of(file_like)
        checked = DecodeOptions(**options)
        checked.limits_for(max_buffer_size)
        self._read = read
        self._source = source
        self._iterator = None  # of a source without read(), once it is needed
        self._read_size = read_size
        self._max_buffer_size = max_buffer_size
        self._queue = ByteQueue()
        self._decoder = Decoder(checked, KeyCache())
        self._skipper = None  # of the object that skip() or unpack_raw() has begun
        self._kept = 0  # bytes of it that unpack_raw() has looked at and not consumed
        self._dropping = None  # passes over the rest of an object that was given up
        self._missing = 0  # bytes that must be there before another attempt makes sense
        self._partial = None  # the method that began the incomplete object
        self._partial_header = 0  # bytes that tell() adds for it
        self._object_start = 0  # offset in the stream of the object that is being read
        self._failed = None  # "format", "value" or "hook": what stopped the last call
        self._fault_offset = 0  # what tell() says until then
        self._in_container = False  # whether that was inside an array or a map

    def __reduce__(self):
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    def feed(self, next_bytes):
        """Add the bytes of a bytes-like object to what is to be unpacked."""
        if self._read is not None or self._source is not None:
            raise AssertionError("unpacker.feed() is not be able to use with `file_like`.")
        if self._busy:
            raise RuntimeError("Unpacker.feed() cannot be called while unpacking is in progress")
        self._append(bytes_of(next_bytes))

    def unpack(self):
        """The next object; OutOfData when its bytes have not all come."""
        return self._next("unpack", self._decode)

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return self._next("unpack", self._decode)
        except OutOfData:
            raise StopIteration from None

    def skip(self):
        """Pass over the next object without building it or checking limits, keys and text.

        After an error it passes over the object at fault: what has not come of it yet is left out
        when it comes.
        """
        if self._failed is not None and not self._busy:
            self.resync()
        else:
            self._next("skip", self._pass_over)

    def unpack_raw(self):
        """The bytes of the next object: it is not built, and limits, keys and text are not checked."""
        return self._next("unpack_raw", self._copy)

    def read_array_header(self):
        """The number of elements of the array that begins here; they are the next objects."""
        return self._next("read_array_header", self._array_header)

    def read_map_header(self):
        """The number of entries of the map that begins here; key and value are the next objects."""
        return self._next("read_map_header", self._map_header)

    def read_bytes(self, nbytes):
        """Up to `nbytes` bytes as they are; fewer at the end of what was fed or of the file."""
        if self._busy:
            raise RuntimeError(
                "Unpacker.read_bytes() cannot be called while unpacking is in progress"
            )
        nbytes = size_option(nbytes)
        self._check_state("read_bytes")
        if nbytes < 0:
            raise ValueError("number of bytes must be non-negative")
        queue = self._queue
        if len(queue) < nbytes and self._read is not None:
            self._busy = True
            try:
                chunk = self._read(nbytes - len(queue))
                queue.append(checked_chunk(chunk) if chunk else b"")
            finally:
                self._busy = False
        queue.join()
        raw = queue.data[queue.at : queue.at + nbytes]
        queue.consume_to(queue.at + len(raw))
        return raw

    def tell(self):
        """How many bytes of the stream have been consumed.

        After OutOfData this is inside the partial object, after an error in the data at the value at
        fault, after an exception of a hook or other code of the user where the object begins.
        """
        if self._failed is not None:
            return self._fault_offset
        if self._busy:
            return self._queue.base + self._decoder.position
        return self._queue.offset + self._partial_header

    def resync(self):
        """Give up the object that could not be read, or is incomplete, and go on behind it.

        Where its end is known that is its end, which may still have to come.  Where it is not (a
        byte that begins no value, too deep nesting, an incomplete object), it is the next byte that
        could begin an object: one in an array or a map must be followed by another array or map.
        Returns how many bytes were passed over; 0 when nothing was wrong.
        """
        if self._busy:
            raise RuntimeError(
                "Unpacker cannot be called recursively while unpacking is in progress"
            )
        if self._failed is None and self._partial is None:
            return 0
        queue = self._queue
        queue.join()
        before = self._object_start
        if self._failed in ("value", "hook"):
            self._dropping = Skipper(self._decoder.values_owed)
        else:
            begun = self._failed == "format" or queue.available > 0
            self._search(queue.at + begun, self._in_container or self._decoder.is_open)
        self._decoder.abandon()
        self._skipper = None
        self._kept = 0
        self._missing = 0
        self._partial_header = 0
        self._partial = None
        self._failed = None
        if self._dropping is not None:
            self._drop()
        return queue.offset - before

    def __aiter__(self):
        return self

    async def __anext__(self):
        while True:
            try:
                return self._next("unpack", self._decode, wait=True)
            except OutOfData:
                pass
            self._busy = True
            try:
                room = self._room()
                if self._source is not None and self._iterator is None:
                    self._iterator = self._source.__aiter__()
                chunk = await next_chunk(self._read, self._iterator, min(self._read_size, room))
                if chunk is None:
                    self._read = self._source = self._iterator = None
                else:
                    self._receive(chunk)
            finally:
                self._busy = False
            if chunk is None:
                if self._partial is not None:
                    raise OutOfData("the source ended inside an object")
                raise StopAsyncIteration

    # What the methods above have in common.

    def _append(self, piece):
        if len(self._queue) + len(piece) > self._max_buffer_size:
            raise BufferFull
        self._queue.append(piece)

    def _receive(self, chunk):
        """Append what a source has given; what can not be kept is lost, and the stream has failed."""
        try:
            self._append(chunk)
        except BufferFull:
            # What comes behind these bytes is not to be taken for the whole stream.
            self._failed = "format"
            self._fault_offset = self._queue.offset
            self._partial = None
            raise

    def _room(self):
        room = self._max_buffer_size - len(self._queue)
        if room <= 0:
            raise BufferFull
        return room

    def _read_more(self):
        """Read once from the file; False at its end, for good, or without a file."""
        if self._read is None:
            if self._source is not None:
                raise TypeError("this source is asynchronous: use `async for`")
            return False
        chunk = self._read(min(self._read_size, self._room()))
        if not chunk:
            self._read = None
            return False
        chunk = checked_chunk(chunk)
        self._receive(chunk)
        return True

    def _check_state(self, method):
        if self._failed == "format" or self._failed == "value":
            raise StreamStateError(
                f"the object at byte {self._object_start} of the stream could not be read:"
                " resync() goes on behind it"
            )
        if self._partial is not None and self._partial != method:
            raise ValueError("Cannot switch unpacking methods while an object is incomplete")

    def _next(self, method, step, wait=False):
        """Call `step` until it gives something but INCOMPLETE, with more bytes each time.

        With `wait` the bytes that are there must do.
        """
        if self._busy:
            raise RuntimeError(
                "Unpacker cannot be called recursively while unpacking is in progress"
            )
        self._check_state(method)
        queue = self._queue
        self._busy = True
        try:
            while True:
                if len(queue) >= self._missing:
                    queue.join()
                    if self._dropping is None or self._drop():
                        if self._partial is None:
                            self._object_start = queue.base + queue.at
                        result = step()
                        if result is not INCOMPLETE:
                            self._partial = None
                            self._partial_header = 0
                            self._missing = 0
                            return result
                        self._suspend(method)
                if wait or not self._read_more():
                    raise OutOfData("No more data to unpack.")
        finally:
            self._busy = False

    def _suspend(self, method):
        """Note what is known of the object that is incomplete."""
        queue = self._queue
        start = queue.at + self._kept
        header, missing = missing_bytes(queue.data, start)
        self._missing = self._kept + missing
        is_header = method == "read_array_header" or method == "read_map_header"
        self._partial_header = self._kept + (0 if is_header else header)
        opened = self._decoder.is_open or (self._skipper is not None and self._skipper.is_open)
        if opened or len(queue.data) > start:
            self._partial = method

    def _decode(self):
        queue = self._queue
        decoder = self._decoder
        decoder.base = queue.base
        try:
            value = decoder.decode(queue.data, queue.at)
        except BaseException as error:
            queue.at = decoder.position
            self._in_container = decoder.is_open
            self._missing = 0
            self._partial_header = 0
            self._partial = None
            if decoder.is_own_error:
                is_format = isinstance(error, (FormatError, StackError))
                self._failed = "format" if is_format else "value"
                self._fault_offset = error.offset
            else:
                self._failed = "hook"
                self._partial = "unpack"
                self._fault_offset = self._object_start
            raise
        self._failed = None
        queue.consume_to(decoder.position)
        return value

    def _pass_over(self):
        done = self._skip_on(self._queue.at)
        self._queue.consume_to(self._skipper.position)
        if not done:
            return INCOMPLETE
        self._skipper = None
        return None

    def _copy(self):
        queue = self._queue
        start = queue.at
        done = self._skip_on(start + self._kept)
        stop = self._skipper.position
        if not done:
            self._kept = stop - start
            return INCOMPLETE
        raw = queue.data[start:stop]
        self._skipper = None
        self._kept = 0
        queue.consume_to(stop)
        return raw

    def _skip_on(self, position):
        if self._skipper is None:
            self._skipper = Skipper()
        skipper = self._skipper
        try:
            return skipper.skip(self._queue.data, position)
        except (FormatError, StackError) as error:
            queue = self._queue
            queue.at = skipper.position
            self._failed = "format"
            self._fault_offset = queue.offset
            self._in_container = skipper.is_open
            self._partial = None
            self._skipper = None
            self._kept = 0
            raise locate(error, [], queue.offset) from None

    def _array_header(self):
        return self._header(0x90, 0x9F, 0xDC)

    def _map_header(self):
        return self._header(0x80, 0x8F, 0xDE)

    def _header(self, fixed_first, fixed_last, sized_first):
        queue = self._queue
        if queue.available == 0:
            return INCOMPLETE
        data = queue.data
        byte = data[queue.at]
        if fixed_first <= byte <= fixed_last:
            count = byte & 0x0F
            stop = queue.at + 1
        elif byte == sized_first or byte == sized_first + 1:
            size = 2 if byte == sized_first else 4
            stop = queue.at + 1 + size
            if stop > len(data):
                return INCOMPLETE
            count = read_length(data, queue.at + 1, size)
        else:
            raise locate(ValueError("Unexpected type header on stream"), [], queue.offset)
        queue.consume_to(stop)
        return count

    def _drop(self):
        """Pass over the rest of an object that was given up; False when it has not all come."""
        queue = self._queue
        skipper = self._dropping
        try:
            done = skipper.skip(queue.data, queue.at)
        except (FormatError, StackError):
            self._search(skipper.position + 1, True)
            return True
        queue.consume_to(skipper.position)
        if done:
            self._dropping = None
        return done

    def _search(self, position, containers_only):
        """Go to the next plausible object from `position` of the data on."""
        self._dropping = None
        queue = self._queue
        position = min(position, len(queue.data))  # behind all bytes, when others were lost
        queue.consume_to(next_plausible(queue.data, position, containers_only))
