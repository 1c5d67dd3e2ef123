"""Bytes to values: one loop over an explicit stack, so depth does not depend on the interpreter.

Frames of open containers are tuples (kind, items, left, key); the innermost one is kept in local
variables.  When the bytes end inside an object, the frames stay, and the loop goes on from there:
nothing is read twice.  Nothing is allocated for a length that a header claims, lists grow as their
elements come.

The loop reads `bytes` by index, tests format bytes in the order of their frequency and makes no
object that is not part of the result, which is what a tracing JIT compiles well.
"""

from struct import Struct

from ..exceptions import ExtraData, FormatError, StackError
from ..ext import ExtType, Timestamp
from ..instants import datetime_of, timestamp_parts
from ..location import FAILED_KEY, locate
from .key_cache import intern_key, shared_key_cache
from .options import SHORT_TEXT_MAX, DecodeOptions, check_names

DEFAULT_RECURSE_LIMIT = 1024

# What the next value becomes: an element of an array, of one that tuple_keys makes a tuple, a key; the
# value of a key from the cache, of one that enters the cache when its value is there (an attacker can not leave keys behind without values), of one that is neither str nor bytes; the
# whole object.
ELEMENT, KEY_ELEMENT, KEY, VALUE, VALUE_OF_NEW_KEY, VALUE_OF_ODD_KEY, ROOT = range(7)

# Who would have raised an exception that comes now: the decoder itself, or a hook, an error handler or
# a method of a key, all of which can be called again.
_DECODER, _USER_CODE = range(2)

# Keys of these types can always be hashed.
_HASHABLE_TYPES = frozenset([str, bytes, int, bool, float, type(None), ExtType, Timestamp])


class _Incomplete:
    """The type of INCOMPLETE."""

    def __repr__(self):
        return "INCOMPLETE"


# Stands for a value whose bytes have not all come.
INCOMPLETE = _Incomplete()

_NOTHING_OPEN = (ROOT, None, 1, None)

_uint16 = Struct(">H").unpack_from
_uint32 = Struct(">I").unpack_from
_uint64 = Struct(">Q").unpack_from
_int16 = Struct(">h").unpack_from
_int32 = Struct(">i").unpack_from
_int64 = Struct(">q").unpack_from
_float32 = Struct(">f").unpack_from
_float64 = Struct(">d").unpack_from

# Bytes of the whole value, for numbers; of the length, for what has one; of the payload, for fixext.
NUMBER_SIZES = {
    0xCA: 5, 0xCB: 9, 0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9, 0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9,
}  # fmt: skip
LENGTH_SIZES = {
    0xC4: 1, 0xC5: 2, 0xC6: 4, 0xC7: 1, 0xC8: 2, 0xC9: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4,
    0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4,
}  # fmt: skip
FIXEXT_SIZES = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}


def _number(data, position, byte):
    """The number of the format `byte` whose first byte is at `position`; all of it is there."""
    if byte == 0xCC:
        return data[position]
    if byte == 0xCD:
        return _uint16(data, position)[0]
    if byte == 0xCE:
        return _uint32(data, position)[0]
    if byte == 0xD2:
        return _int32(data, position)[0]
    if byte == 0xD1:
        return _int16(data, position)[0]
    if byte == 0xD0:
        return data[position] - 0x100 if data[position] >= 0x80 else data[position]
    if byte == 0xCF:
        return _uint64(data, position)[0]
    if byte == 0xD3:
        return _int64(data, position)[0]
    if byte == 0xCA:
        return _float32(data, position)[0]
    return _float64(data, position)[0]


def read_length(data, position, size):
    """The unsigned number of `size` (1, 2 or 4) bytes at `position`, all of which are there."""
    if size == 1:
        return data[position]
    if size == 2:
        return _uint16(data, position)[0]
    return _uint32(data, position)[0]


def _is_unhashable(key):
    """Whether the key is a list or dict, or holds one before anything that a hook made.

    Then hashing it fails for a reason that we explain; no code of the user's has run.
    """
    pending = [key]
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind is list or kind is dict:
            return True
        if kind is tuple:
            pending.extend(reversed(item))
        elif kind not in _HASHABLE_TYPES:
            return False
    return False


def missing_bytes(data, position):
    """For a value that is cut off: (bytes of its header that are there, bytes of it in all).

    As long as the length itself is cut off, the second number is that of the header.
    """
    available = len(data) - position
    if available <= 0:
        return 0, 1
    byte = data[position]
    if 0xA0 <= byte < 0xC0:
        return 1, 1 + (byte & 0x1F)
    if byte in NUMBER_SIZES:
        return 1, NUMBER_SIZES[byte]
    if byte in FIXEXT_SIZES:
        return 1, 2 + FIXEXT_SIZES[byte]
    size = LENGTH_SIZES[byte]
    if available < 1 + size:
        return 1, 1 + size
    length = read_length(data, position + 1, size)
    return 1 + size, 1 + size + length + (0xC7 <= byte <= 0xC9)


class Decoder:
    """Decodes one object after the other; after INCOMPLETE it goes on when more bytes are there."""

    __slots__ = (
        "base",
        "frame",
        "key_cache",
        "options",
        "position",
        "raised_by",
        "stack",
        "unplaced",
    )

    def __init__(self, options, key_cache):
        """`options` must have their limits filled in; `key_cache` is used for exact text only."""
        self.options = options
        self.key_cache = key_cache
        self.stack = []
        self.frame = _NOTHING_OPEN
        self.base = 0  # offset in the stream of the first byte of `data`
        self.position = 0  # where decoding stopped, from the start of `data`
        self.raised_by = _DECODER
        self.unplaced = None  # a pair whose key the user's code did not let into its dict

    @property
    def is_open(self):
        """Whether a part of an object has been read."""
        return len(self.stack) > 0

    @property
    def is_own_error(self):
        """After an exception: whether it is about the data, and says where.

        All others leave the decoder able to do the same again.
        """
        return self.raised_by == _DECODER

    @property
    def values_owed(self):
        """How many values are missing from the containers that are open."""
        owed = _values_owed(self.frame)
        for frame in self.stack[1:]:
            owed += _values_owed(frame) - 1  # the container inside is paid for with its contents
        return owed

    def abandon(self):
        """Forget a part of an object."""
        self.stack.clear()
        self.frame = _NOTHING_OPEN
        self.unplaced = None

    def decode(self, data, position):
        """The object at `position` of `data`, or INCOMPLETE; `self.position` is where it stopped.

        Exceptions of user code pass unchanged, and the next call calls the same again.  All others
        leave the decoder where the value at fault begins; `abandon` must be called before it is
        used again.
        """
        options = self.options
        list_hook = options.list_hook
        use_list = options.use_list
        pairs_hook = options.object_pairs_hook
        has_pairs_hook = pairs_hook is not None
        object_hook = options.object_hook
        tuple_keys = options.tuple_keys
        exact_text = (
            not options.raw
            and options.unicode_errors is None
            and options.max_str_len >= SHORT_TEXT_MAX
        )
        cache = self.key_cache
        keys = cache.entries if exact_text and cache.open else None
        hits = 0
        base = self.base
        end = len(data)
        stack = self.stack
        kind, items, left, key = self.frame
        if self.unplaced is not None:
            self.place_again(items)
        key_depth = self.key_depth() if tuple_keys else 0
        self.raised_by = _DECODER
        fault = -1
        try:
            while True:
                if left == 0:
                    self.position = position
                    if kind == KEY:
                        if has_pairs_hook:
                            self.raised_by = _USER_CODE
                            value = pairs_hook(items)
                            self.raised_by = _DECODER
                        elif object_hook is not None:
                            self.raised_by = _USER_CODE
                            value = object_hook(items)
                            self.raised_by = _DECODER
                        else:
                            value = items
                    else:
                        value = items if use_list and kind == ELEMENT else tuple(items)
                        if list_hook is not None and kind == ELEMENT:
                            self.raised_by = _USER_CODE
                            value = list_hook(value)
                            self.raised_by = _DECODER
                    kind, items, left, key = stack.pop()
                else:
                    if position >= end:
                        break
                    byte = data[position]
                    if kind == KEY:
                        start = 0
                        if keys is not None:
                            if 0xA0 <= byte < 0xC0:
                                start = position + 1
                                stop = position + byte - 0x9F
                            elif (
                                byte == 0xD9
                                and position + 1 < end
                                and data[position + 1] <= SHORT_TEXT_MAX
                            ):
                                start = position + 2
                                stop = start + data[position + 1]
                        if start:
                            if stop > end:
                                break
                            raw = data[start:stop]
                            key = keys.get(raw)
                            if key is None:
                                key = (raw, raw.decode(), hits)
                                hits = 0
                                kind = VALUE_OF_NEW_KEY
                            else:
                                hits += 1
                                kind = VALUE
                            position = stop
                            if position >= end:
                                break
                            byte = data[position]
                        else:
                            key = base + position
                    if byte < 0x80:
                        if kind <= KEY_ELEMENT:
                            stop = min(position + left, end)
                            left += position
                            while True:
                                items.append(byte)
                                position += 1
                                if position >= stop:
                                    break
                                byte = data[position]
                                if byte >= 0x80:
                                    break
                            left -= position
                            continue
                        value = byte
                        position += 1
                    elif 0xA0 <= byte < 0xC0:
                        stop = position + byte - 0x9F
                        if stop > end:
                            break
                        if exact_text:
                            value = data[position + 1 : stop].decode()
                        else:
                            value = self.text(data[position + 1 : stop])
                        position = stop
                    elif byte >= 0xE0:
                        value = byte - 0x100
                        position += 1
                    elif byte == 0xC0:
                        value = None
                        position += 1
                    elif byte == 0xC2:
                        value = False
                        position += 1
                    elif byte == 0xC3:
                        value = True
                        position += 1
                    elif byte == 0xCB:
                        if position + 9 > end:
                            break
                        value = _float64(data, position + 1)[0]
                        position += 9
                    elif byte < 0xA0 or 0xDC <= byte <= 0xDF:
                        if byte < 0xA0:
                            is_map = byte < 0x90
                            count = byte & 0x0F
                            stop = position + 1
                        else:
                            is_map = byte >= 0xDE
                            stop = position + (5 if byte & 1 else 3)
                            if stop > end:
                                break
                            count = (_uint32 if byte & 1 else _uint16)(data, position + 1)[0]
                        if len(stack) >= DEFAULT_RECURSE_LIMIT:
                            raise StackError
                        if is_map:
                            if count > options.max_map_len:
                                raise ValueError(
                                    f"{count} exceeds max_map_len({options.max_map_len})"
                                )
                            stack.append((kind, items, left, key))
                            if kind == KEY and tuple_keys and not key_depth:
                                key_depth = len(stack)
                            kind = KEY
                            items = [] if has_pairs_hook else {}
                            if keys is None and exact_text and cache.passed(count):
                                keys = cache.entries
                        else:
                            if count > options.max_array_len:
                                raise ValueError(
                                    f"{count} exceeds max_array_len({options.max_array_len})"
                                )
                            stack.append((kind, items, left, key))
                            if kind == KEY and tuple_keys and not key_depth:
                                key_depth = len(stack)
                            kind = KEY_ELEMENT if key_depth else ELEMENT
                            items = []
                        left = count
                        position = stop
                        continue
                    elif byte <= 0xC3:
                        raise FormatError
                    elif byte in NUMBER_SIZES:
                        stop = position + NUMBER_SIZES[byte]
                        if stop > end:
                            break
                        value = _number(data, position + 1, byte)
                        position = stop
                    else:
                        self.position = position
                        value = self.sized(data, position, byte)
                        if value is INCOMPLETE:
                            break
                        position = self.position

                if kind <= KEY_ELEMENT:
                    items.append(value)
                    left -= 1
                elif VALUE <= kind <= VALUE_OF_NEW_KEY:
                    if kind == VALUE_OF_NEW_KEY:
                        raw, text, found = key
                        key = cache.add(raw, text, found)
                        if not cache.open:
                            keys = None
                    if has_pairs_hook:
                        items.append((key, value))
                    else:
                        try:
                            items[key] = value
                        except BaseException:  # __eq__ of a key that a hook made
                            self.raised_by = _USER_CODE
                            self.unplaced = key, value
                            raise
                    left -= 1
                    kind = KEY
                elif kind == KEY:
                    if key_depth > len(stack):
                        key_depth = 0
                    if type(value) is str:
                        key = intern_key(value)
                        kind = VALUE
                    elif type(value) is bytes:
                        key = value
                        kind = VALUE
                    else:
                        key = (value, key)
                        kind = VALUE_OF_ODD_KEY
                elif kind == VALUE_OF_ODD_KEY:
                    odd_key, fault = key
                    if options.strict_map_key and not (tuple_keys and type(odd_key) is tuple):
                        raise ValueError(
                            f"{type(odd_key).__name__} is not allowed for map key"
                            " when strict_map_key=True"
                        )
                    if has_pairs_hook:
                        items.append((odd_key, value))
                    else:
                        try:
                            items[odd_key] = value
                        except BaseException as error:
                            if type(error) is not TypeError or not _is_unhashable(odd_key):
                                self.raised_by = _USER_CODE
                                self.unplaced = odd_key, value
                            raise
                    fault = -1
                    left -= 1
                    kind = KEY
                else:
                    self.frame = _NOTHING_OPEN
                    self.position = position
                    return value
        except BaseException as error:
            if fault >= 0 or self.unplaced is not None:  # a pair that is complete, but not allowed
                kind = KEY
                left -= 1
            self.frame = (kind, items, left, key)
            self.position = position
            if self.raised_by == _DECODER:
                locate(error, self.segments(), base + position if fault < 0 else fault)
            raise
        self.frame = (kind, items, left, key)
        self.position = position
        return INCOMPLETE

    def place_again(self, items):
        """Put the pair into its dict that could not be put there before."""
        self.raised_by = _USER_CODE
        key, value = self.unplaced
        items[key] = value
        self.unplaced = None

    def text(self, raw):
        """What a string of the given bytes becomes when it is limited, raw or not decoded exactly."""
        options = self.options
        if len(raw) > options.max_str_len:
            raise ValueError(f"{len(raw)} exceeds max_str_len({options.max_str_len})")
        if options.raw:
            return raw
        if options.unicode_errors is None:
            return raw.decode()
        try:
            return raw.decode("utf-8", options.unicode_errors)
        except BaseException:  # of the error handler
            self.raised_by = _USER_CODE
            raise

    def sized(self, data, position, byte):
        """A value with a length of its own: text, bin or ext; sets `self.position` behind it.

        Returns INCOMPLETE when it is cut off.  Limits are checked when all bytes are there.
        """
        if byte in FIXEXT_SIZES:
            length = FIXEXT_SIZES[byte]
            start = position + 1
        else:
            size = LENGTH_SIZES[byte]
            start = position + 1 + size
            if start > len(data):
                return INCOMPLETE
            length = read_length(data, position + 1, size)
        is_ext = byte <= 0xD8 and byte >= 0xC7
        stop = start + length + is_ext
        if stop > len(data):
            return INCOMPLETE
        if is_ext:
            value = self.ext(data[start], data[start + 1 : stop])
        elif byte >= 0xD9:
            value = self.text(data[start:stop])
        else:
            if length > self.options.max_bin_len:
                raise ValueError(f"{length} exceeds max_bin_len({self.options.max_bin_len})")
            value = data[start:stop]
        self.position = stop
        return value

    def ext(self, code, payload):
        """The value of an ext type; `code` is its byte, not yet signed."""
        options = self.options
        if len(payload) > options.max_ext_len:
            raise ValueError(f"{len(payload)} exceeds max_ext_len({options.max_ext_len})")
        if code >= 0x80:
            code -= 0x100
        if code == -1:
            return self.timestamp(payload)
        if options.ext_hook is ExtType:
            return ExtType(code, payload)
        self.raised_by = _USER_CODE
        value = options.ext_hook(code, payload)
        self.raised_by = _DECODER
        return value

    def timestamp(self, payload):
        """What ext type -1 becomes, by the option `timestamp`."""
        if len(payload) not in (4, 8, 12):
            raise ValueError(f"invalid timestamp data (length {len(payload)})")
        seconds, nanoseconds = timestamp_parts(payload)
        if nanoseconds > 999_999_999:
            raise ValueError(
                "nanoseconds must be a non-negative integer not greater than 999999999."
            )
        mode = self.options.timestamp
        if mode == 0:
            return Timestamp(seconds, nanoseconds)
        if mode == 1:
            return seconds + nanoseconds / 1e9
        if mode == 2:
            return seconds * 1_000_000_000 + nanoseconds
        days = seconds // 86_400 if seconds >= 0 else -(-seconds // 86_400)
        if not -(1 << 31) <= days < 1 << 31:
            raise OverflowError(f"days={days}; too large to convert to C int")
        return datetime_of(seconds, nanoseconds)

    def key_depth(self):
        """How many containers are open up to the outermost that is a key; 0 outside of keys."""
        for depth, frame in enumerate(self.stack, 1):
            if frame[0] == KEY:
                return depth
        return 0

    def segments(self):
        """The keys and indexes that lead to the value at which decoding stopped."""
        segments = []
        for kind, items, _, key in [*self.stack[1:], self.frame]:
            if kind <= KEY_ELEMENT:
                segments.append(len(items))
            elif kind == VALUE:
                segments.append(key)
            elif kind == VALUE_OF_NEW_KEY:
                segments.append(key[1])
            elif kind == VALUE_OF_ODD_KEY:
                segments.append(key[0])
            elif kind != ROOT:
                segments.append(FAILED_KEY)
        return segments


def _values_owed(frame):
    kind, _, left, _ = frame
    if kind == KEY:
        return 2 * left
    if VALUE <= kind <= VALUE_OF_ODD_KEY:
        return 2 * left - 1
    return left


def input_view(data):
    """A memoryview of what is to be read: any object with a buffer of single bytes."""
    try:
        view = memoryview(data)
    except TypeError:
        name = type(data).__name__
        raise TypeError(f"a bytes-like object is required, not '{name}'") from None
    if view.itemsize != 1:
        view.release()
        raise BufferError("cannot unpack from multi-byte object")
    return view


def unpackb(packed, **options):
    """The one object that the bytes-like object `packed` holds.

    Takes the options of Unpacker but those for buffering and files.  Raises ValueError when bytes are
    missing, ExtraData when there are more, FormatError and StackError for bytes that are not
    MessagePack, ValueError, UnicodeDecodeError, OverflowError or TypeError for values that the
    options do not allow, and whatever a hook raises.
    """
    check_names(options, "unpackb")
    checked = DecodeOptions(**options)
    if type(packed) is bytes:
        return _unpack_bytes(packed, checked)
    with input_view(packed) as view:  # nobody resizes the input while hooks run
        return _unpack_bytes(view.tobytes(), checked)


def _unpack_bytes(data, options):
    options.limits_for(len(data))
    decoder = Decoder(options, shared_key_cache())
    value = decoder.decode(data, 0)
    position = decoder.position
    if value is INCOMPLETE:
        raise locate(ValueError("Unpack failed: incomplete input"), decoder.segments(), position)
    if position != len(data):
        raise locate(ExtraData(value, data[position:]), [], position)
    return value
