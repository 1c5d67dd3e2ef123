"""Packer: packed values in a buffer of its own, written all at once or header by header."""

from operator import index

from .encoder import Encoder
from .headers import ext_header, length_header

_EXPORTED = "Existing exports of data: Packer cannot be changed"
_DEFAULT_BUFFER_SIZE = 256 * 1024


_default_encoder = Encoder()


def _number(value):
    """An int from an object with __index__."""
    try:
        return index(value)
    except TypeError:
        raise TypeError("an integer is required") from None


class Packer:
    """Packs one object after the other.

    Packer(*, default=None, use_single_float=False, autoreset=True, use_bin_type=True,
           strict_types=False, datetime=False, unicode_errors=None, buf_size=262144, order=None)

    default: called with each object that can not be packed; its result is packed instead.
    use_single_float: floats take 4 bytes, and lose precision.
    autoreset: every method returns its bytes; otherwise they gather until reset().
    use_bin_type: bytes are of the bin family; otherwise of the str family, as in the old format.
    strict_types: subclasses and tuples are not packed but given to `default`.
    datetime: aware datetimes become timestamps.
    unicode_errors: codec error handler for text.
    buf_size: size of the first buffer; means nothing here.
    order: "sorted" writes the entries of dicts in the order of their keys: text keys by code
        points, behind keys of other types by their packed bytes.

    A call that fails leaves the Packer as it was.  A call inside `default` has bytes of its own.
    """

    __module__ = "packhorse.fallback"

    __slots__ = ("_autoreset", "_buffer", "_encoder", "_exported")

    def __new__(cls, *arguments, **options):
        self = super().__new__(cls)
        self._buffer = bytearray()
        self._exported = False
        self._encoder = _default_encoder
        self._autoreset = True
        return self

    def __init__(
        self,
        *,
        default=None,
        use_single_float=False,
        autoreset=True,
        use_bin_type=True,
        strict_types=False,
        datetime=False,
        unicode_errors=None,
        buf_size=_DEFAULT_BUFFER_SIZE,
        order=None,
    ):
        size = _number(buf_size)
        if not 0 <= size < 1 << 64:
            raise OverflowError(
                "can't convert negative value to size_t"
                if size < 0
                else "Python int too large to convert to C unsigned long"
            )
        self._encoder = Encoder(
            default=default,
            use_single_float=use_single_float,
            use_bin_type=use_bin_type,
            strict_types=strict_types,
            datetime=datetime,
            unicode_errors=unicode_errors,
            order=order,
        )
        self._autoreset = bool(autoreset)

    def __reduce__(self):
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    def pack(self, obj):
        """Pack one object."""
        self._check_unexported()
        autoreset = self._autoreset  # `default` may call __init__
        return self._emit(self._encoder.encode(obj), autoreset)

    def pack_array_header(self, size):
        """Begin an array of `size` elements, which are packed next."""
        self._check_unexported()
        number = _checked_size(size, "array", "array too large")
        return self._emit(length_header(number, 0x90, 0xDC), self._autoreset)

    def pack_map_header(self, size):
        """Begin a map of `size` entries, whose keys and values are packed next in turn."""
        self._check_unexported()
        number = _checked_size(size, "map", "map too large")
        return self._emit(length_header(number, 0x80, 0xDE), self._autoreset)

    def pack_map_pairs(self, pairs):
        """Pack a map from something with a length that gives (key, value) pairs."""
        self._check_unexported()
        autoreset = self._autoreset
        return self._emit(self._encoder.encode_pairs(pairs), autoreset)

    def pack_ext_type(self, typecode, data):
        """Pack an ext value: a code from -128 to 127 and its bytes."""
        self._check_unexported()
        code = _number(typecode)
        if not -128 <= code <= 127:
            raise OverflowError("value too large to convert to char")
        if isinstance(data, str):
            data = data.encode()
        elif not isinstance(data, (bytes, bytearray)):
            len(data)
            raise TypeError(f"expected bytes, {type(data).__name__} found")
        return self._emit(ext_header(code, len(data)) + bytes(data), self._autoreset)

    def bytes(self):
        """A copy of what has been packed since the last reset."""
        return bytes(self._buffer)

    def reset(self):
        """Drop what has been packed."""
        self._check_unexported()
        self._buffer.clear()

    def getbuffer(self):
        """A read-only memoryview of what has been packed; while it lives, nothing can be added."""
        self._exported = True
        return memoryview(self._buffer).toreadonly()

    def __bytes__(self):
        return bytes(self._buffer)

    def __buffer__(self, flags):
        return self.getbuffer()

    def _check_unexported(self):
        if self._exported:
            try:  # only a change of size tells whether a view is still alive
                self._buffer.append(0)
                self._buffer.pop()
            except BufferError:
                raise BufferError(_EXPORTED) from None
            self._exported = False

    def _emit(self, packed, autoreset):
        """Return or keep the bytes of a call that has succeeded."""
        if autoreset and not self._buffer:
            return packed
        self._check_unexported()
        self._buffer += packed
        if not autoreset:
            return None
        packed = bytes(self._buffer)
        self._buffer.clear()
        return packed


def _checked_size(size, kind, too_large):
    number = _number(size)
    if number < 0:
        raise ValueError(f"{kind} size must be non-negative")
    if number > 0xFFFF_FFFF:
        raise ValueError(too_large)
    return number


def packb(o, **options):
    """The bytes of one packed object; takes the options of Packer."""
    if options:
        return Packer(**options).pack(o)
    return _default_encoder.encode(o)
