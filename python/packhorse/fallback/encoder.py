"""Values to bytes: one loop over an explicit stack of iterators.

A container that changes size while it is packed (by `default`, say) is a RuntimeError: what has been
written would not match its header.
"""

import builtins
from itertools import chain, islice
from operator import length_hint
from struct import Struct

from ..ext import ExtType, Timestamp, datetime_parts, timestamp_payload
from ..location import FAILED_KEY, locate
from .decoder import DEFAULT_RECURSE_LIMIT
from .options import error_handler_option

_byte_uint8 = Struct(">BB").pack
_byte_uint16 = Struct(">BH").pack
_byte_uint32 = Struct(">BI").pack
_byte_uint64 = Struct(">BQ").pack
_byte_int8 = Struct(">Bb").pack
_byte_int16 = Struct(">Bh").pack
_byte_int32 = Struct(">Bi").pack
_byte_int64 = Struct(">Bq").pack
_byte_float32 = Struct(">Bf").pack
_byte_float64 = Struct(">Bd").pack

_FIXEXT = {1: 0xD4, 2: 0xD5, 4: 0xD6, 8: 0xD7, 16: 0xD8}

# Forms of an open container: what its iterator gives.
# The one object asked for; elements; keys and values of an exact dict, in turn; the same from a
# list; the same from a list in which keys are packed already.
_ROOT, _ELEMENTS, _ENTRIES, _PAIRS, _SORTED = range(5)

_dict_types = (dict, builtins.frozendict) if hasattr(builtins, "frozendict") else (dict,)


class _Fault(Exception):
    """Carries an exception of ours to where its path is known."""

    def __init__(self, error):
        self.error = error


class _Packed(bytes):
    """A key that is packed already."""

    __slots__ = ()


def length_header(length, fixed, sized):
    """The header of an array or a map; `sized` is the format byte of the 16-bit form."""
    if length < 16:
        return bytes((fixed | length,))
    if length < 0x1_0000:
        return _byte_uint16(sized, length)
    if length <= 0xFFFF_FFFF:
        return _byte_uint32(sized + 1, length)
    raise _Fault(ValueError("array too large" if fixed == 0x90 else "map too large"))


def _payload_header(length, first):
    """The header of a bin; `first` is the format byte of the form with an 8-bit length."""
    if length < 0x100:
        return _byte_uint8(first, length)
    if length < 0x1_0000:
        return _byte_uint16(first + 1, length)
    if length <= 0xFFFF_FFFF:
        return _byte_uint32(first + 2, length)
    raise _Fault(ValueError(f"{length} bytes are too many for one value"))


def ext_header(code, length):
    """The header of an ext value; `code` is signed."""
    if length in _FIXEXT:
        return bytes((_FIXEXT[length], code & 0xFF))
    return _payload_header(length, 0xC7) + bytes((code & 0xFF,))


def _write_int(out, value):
    """Write an exact int; False when it is out of range."""
    if value >= 0:
        if value < 0x80:
            out.append(value)
        elif value < 0x100:
            out += _byte_uint8(0xCC, value)
        elif value < 0x1_0000:
            out += _byte_uint16(0xCD, value)
        elif value < 0x1_0000_0000:
            out += _byte_uint32(0xCE, value)
        elif value < 0x1_0000_0000_0000_0000:
            out += _byte_uint64(0xCF, value)
        else:
            return False
    elif value >= -0x20:
        out.append(value + 0x100)
    elif value >= -0x80:
        out += _byte_int8(0xD0, value)
    elif value >= -0x8000:
        out += _byte_int16(0xD1, value)
    elif value >= -0x8000_0000:
        out += _byte_int32(0xD2, value)
    elif value >= -0x8000_0000_0000_0000:
        out += _byte_int64(0xD3, value)
    else:
        return False
    return True


class Encoder:
    """Packs objects by one set of options; keeps nothing from one call to the next."""

    __slots__ = (
        "datetime",
        "default",
        "sorted",
        "strict_types",
        "unicode_errors",
        "use_bin_type",
        "use_single_float",
    )

    def __init__(
        self,
        *,
        default=None,
        use_single_float=False,
        use_bin_type=True,
        strict_types=False,
        datetime=False,
        unicode_errors=None,
        order=None,
    ):
        if default is not None and not callable(default):
            raise TypeError("default must be a callable.")
        if order is not None and order != "sorted":
            raise ValueError('order must be None or "sorted"')
        self.default = default
        self.use_single_float = bool(use_single_float)
        self.use_bin_type = bool(use_bin_type)
        self.strict_types = bool(strict_types)
        self.unicode_errors = error_handler_option(unicode_errors)
        self.sorted = order is not None
        self.datetime = None
        if datetime:
            from datetime import datetime as datetime_class

            self.datetime = datetime_class

    def encode(self, out, obj):
        """Append the packed form of `obj` to the bytearray `out`; after an error it is unspecified."""
        self._encode_frame(out, (iter((obj,)), None, 1, None, _ROOT, None), 0)

    def encode_pairs(self, out, pairs):
        """Append a map of the (key, value) pairs that `pairs` gives; it must have a length."""
        size = len(pairs)
        flat = []
        for key, value in pairs:
            flat += (key, value)
        if len(flat) != 2 * size:
            raise RuntimeError("pairs changed size while being packed")
        out += length_header(size, 0x80, 0xDE)
        source = iter(flat)
        self._encode_frame(out, (source, flat, len(flat), source, _PAIRS, None), 1)

    def _encode_frame(self, out, frame, depth):
        """Pack what the iterator of a frame gives; `depth` containers are open already."""
        stack = []
        try:
            self._loop(out, frame, stack, DEFAULT_RECURSE_LIMIT - depth)
            return
        except _Fault as fault:
            error = fault.error
        try:
            raise locate(error, _segments(stack))
        finally:
            del error  # its traceback holds this frame

    def _loop(self, out, frame, stack, room):
        """Pack the items of a frame and of all that are opened in it, at most `room` deep.

        A frame is (items to pack, container, its size, iterator to count them by, form, item being
        packed).  After an exception `stack` holds all of them, the innermost last.
        """
        exact_text = self.unicode_errors is None
        str8 = self.use_bin_type
        double = not self.use_single_float
        items, container, size, counted, form, value = frame
        try:
            while True:
                for value in items:
                    kind = type(value)
                    if kind is str and exact_text:
                        try:
                            raw = value.encode()
                        except UnicodeEncodeError as error:
                            raise _Fault(error) from None
                        length = len(raw)
                        if length < 32:
                            out.append(0xA0 | length)
                        else:
                            out += _long_text_header(length, str8)
                        out += raw
                    elif kind is int and 0 <= value < 0x80:
                        out.append(value)
                    elif value is None:
                        out.append(0xC0)
                    elif kind is bool:
                        out.append(0xC3 if value else 0xC2)
                    elif kind is float and double:
                        out += _byte_float64(0xCB, value)
                    elif kind is _Packed:
                        out += value
                    elif kind is not int or not _write_int(out, value):
                        opened = self._write_other(out, value)
                        if opened is not None:
                            break
                else:
                    if form != _ROOT and form != _PAIRS and len(container) != size:
                        name = type(container).__name__
                        raise _Fault(RuntimeError(f"{name} changed size while it was packed"))
                    if not stack:
                        return
                    items, container, size, counted, form, value = stack.pop()
                    continue
                if len(stack) >= room:
                    raise _Fault(ValueError("recursion limit exceeded."))
                stack.append((items, container, size, counted, form, value))
                items, container, size, counted, form, value = opened
        except BaseException:
            stack.append((items, container, size, counted, form, value))
            raise

    def _write_other(self, out, value):
        """Write what the loop does not: the header of a container, whose frame is returned, or a value.

        What is of no type that can be packed is replaced once by what `default` makes of it.
        """
        strict = self.strict_types
        default = self.default
        while True:
            kind = type(value)
            problem = None
            if kind is list or (kind is tuple and not strict):
                return self._open_elements(out, value, len(value), value)
            if kind in _dict_types:
                return self._open_entries(out, value)
            if value is None or kind is bool:
                out.append(0xC0 if value is None else 0xC3 if value else 0xC2)
                return None
            if kind is int or (not strict and issubclass(kind, int)):
                if _write_int(out, int.__int__(value)):
                    return None
                problem = OverflowError("Integer value out of range")
            elif kind is float or (not strict and issubclass(kind, float)):
                self._write_float(out, float.__float__(value))
                return None
            elif kind in _BYTES_TYPES or (not strict and issubclass(kind, _BYTES_TYPES)):
                self._write_bytes(out, value)
                return None
            elif kind is str or (not strict and issubclass(kind, str)):
                self._write_text(out, value)
                return None
            elif not strict and issubclass(kind, _dict_types):
                return self._open_subclass_entries(out, value)
            elif kind is ExtType or (not strict and issubclass(kind, ExtType)):
                self._write_ext(out, value)
                return None
            elif kind is Timestamp:
                self._write_timestamp(out, value.seconds, value.nanoseconds)
                return None
            elif not strict and issubclass(kind, list):
                return self._open_elements(out, value, list.__len__(value), list(iter(value)))
            elif not strict and issubclass(kind, tuple):
                return self._open_elements(out, value, tuple.__len__(value), list(iter(value)))
            elif kind is memoryview:
                if not value.c_contiguous:
                    text = "memoryview: underlying buffer is not C-contiguous"
                    raise _Fault(BufferError(text))
                self._write_bytes(out, value.tobytes())
                return None
            elif kind is self.datetime:
                if value.tzinfo is not None:
                    self._write_timestamp(out, *datetime_parts(value))
                    return None
                text = "can not serialize 'datetime.datetime' object where tzinfo=None"
                problem = ValueError(text)
            if default is None:
                break
            value = default(value)
            default = None
        if problem is None:
            problem = TypeError(f"can not serialize '{kind.__name__}' object")
        raise _Fault(problem)

    def _write_float(self, out, value):
        if not self.use_single_float:
            out += _byte_float64(0xCB, value)
            return
        try:
            out += _byte_float32(0xCA, value)
        except OverflowError as error:
            raise _Fault(error) from None

    def _write_text(self, out, value):
        handler = self.unicode_errors
        try:
            raw = str.encode(value) if handler is None else str.encode(value, "utf-8", handler)
        except (UnicodeEncodeError, LookupError) as error:
            raise _Fault(error) from None
        if len(raw) < 32:
            out.append(0xA0 | len(raw))
        else:
            out += _long_text_header(len(raw), self.use_bin_type)
        out += raw

    def _write_bytes(self, out, value):
        raw = value if type(value) is bytes else memoryview(value).tobytes()
        if self.use_bin_type:
            out += _payload_header(len(raw), 0xC4)
        elif len(raw) < 32:
            out.append(0xA0 | len(raw))
        else:
            out += _long_text_header(len(raw), False)
        out += raw

    def _write_ext(self, out, value):
        code, data = value
        if isinstance(data, str):
            data = data.encode()
        if not -0x80 <= code < 0x100:
            raise _Fault(OverflowError("value too large to convert to char"))
        out += ext_header(code, len(data))
        out += data

    def _write_timestamp(self, out, seconds, nanoseconds):
        try:
            payload = timestamp_payload(seconds, nanoseconds)
        except OverflowError as error:
            raise _Fault(error) from None
        out += ext_header(-1, len(payload))
        out += payload

    def _open_elements(self, out, value, size, elements):
        """The frame of an array; `elements` are what iterating `value` gives."""
        if len(elements) != size:
            name = type(value).__name__
            raise _Fault(RuntimeError(f"{name} gives another number of items than its length"))
        out += length_header(size, 0x90, 0xDC)
        counted = iter(elements)
        return islice(counted, size), elements, size, counted, _ELEMENTS, None

    def _open_entries(self, out, value):
        """The frame of a map for an exact dict."""
        if self.sorted:
            return self._open_sorted(out, value, value.items())
        size = len(value)
        out += length_header(size, 0x80, 0xDE)
        counted = iter(value.items())
        return islice(chain.from_iterable(counted), 2 * size), value, size, counted, _ENTRIES, None

    def _open_subclass_entries(self, out, value):
        """The frame of a map for a dict subclass, of which only `items` and the length are asked."""
        size = len(value)
        entries = [(key, item) for key, item in value.items()]
        if len(entries) != size:
            name = type(value).__name__
            raise _Fault(RuntimeError(f"{name} gives another number of items than its length"))
        if self.sorted:
            return self._open_sorted(out, value, entries)
        out += length_header(size, 0x80, 0xDE)
        flat = [part for entry in entries for part in entry]
        counted = iter(flat)
        return counted, flat, len(flat), counted, _PAIRS, None

    def _open_sorted(self, out, value, entries):
        """The frame of a map whose keys are in order: other keys by their bytes, then text."""
        size = len(value)
        packed = []
        for key, item in list(entries):
            raw = bytearray()
            self._loop(raw, (iter((key,)), None, 1, None, _ROOT, None), [], DEFAULT_RECURSE_LIMIT)
            packed.append((_sort_key(raw), _Packed(raw), key, item))
        if len(value) != size:
            name = type(value).__name__
            raise _Fault(RuntimeError(f"{name} changed size while it was packed"))
        packed.sort(key=_first)
        out += length_header(size, 0x80, 0xDE)
        flat = []
        for _, raw, _, item in packed:
            flat += (raw, item)
        counted = iter(flat)
        keys = [key for _, _, key, _ in packed]
        return counted, keys, size, counted, _SORTED, None


_BYTES_TYPES = (bytes, bytearray)


def _first(entry):
    return entry[0]


def _sort_key(raw):
    """What a packed key is sorted by: keys that are not text by their bytes, then text by UTF-8."""
    first = raw[0]
    if 0xA0 <= first < 0xC0:
        return True, bytes(raw[1:])
    if 0xD9 <= first <= 0xDB:
        return True, bytes(raw[1 + (1 << first - 0xD9) :])
    return False, bytes(raw)


def _long_text_header(length, str8):
    """The header of text of 32 bytes and more; the old format has no form with an 8-bit length."""
    if length < 0x100 and str8:
        return _byte_uint8(0xD9, length)
    if length < 0x1_0000:
        return _byte_uint16(0xDA, length)
    if length <= 0xFFFF_FFFF:
        return _byte_uint32(0xDB, length)
    raise _Fault(ValueError(f"{length} bytes are too many for one value"))


def _segments(stack):
    """The path to the item that is being packed in the innermost frame."""
    segments = []
    for _, container, size, counted, form, item in stack:
        if form == _ROOT:
            continue
        total = 2 * size if form == _SORTED else size
        index = total - length_hint(counted) - 1
        if form == _ELEMENTS:
            segments.append(index)
        elif form == _ENTRIES:
            key = next(islice(container, index, None), None)
            segments.append(FAILED_KEY if item is key else key)
        elif index % 2 == 0:
            segments.append(FAILED_KEY)
        else:
            segments.append(container[index - 1] if form == _PAIRS else container[index // 2])
    return segments
