"""Values to bytes: one loop over an explicit stack of iterators.

A container that changes size while it is packed (by `default`, say) is a RuntimeError: what has been
written would not match its header.
"""

import builtins
import sys

from ..ext import ExtType, Timestamp
from ..instants import datetime_parts, timestamp_payload
from ..location import FAILED_KEY, locate
from .decoder import DEFAULT_RECURSE_LIMIT
from .headers import (
    BYTE,
    Fault,
    byte_float32,
    byte_float64,
    ext_header,
    length_header,
    packed_int,
    payload_header,
    text_header,
)
from .options import error_handler_option

# What an iterator gives at its end.
_END = object()

_NIL = b"\xc0"
_FALSE = b"\xc2"
_TRUE = b"\xc3"

_dict_types = (dict, builtins.frozendict) if hasattr(builtins, "frozendict") else (dict,)


if sys.implementation.name == "pypy":
    from importlib import import_module

    _BytesBuilder = import_module("__pypy__.builders").BytesBuilder

    def _new_sink():
        """Two functions: one that takes bytes, one that gives all of them."""
        builder = _BytesBuilder()
        return builder.append, builder.build

else:
    from io import BytesIO

    def _new_sink():
        """Two functions: one that takes bytes, one that gives all of them."""
        sink = BytesIO()
        return sink.write, sink.getvalue


class _PackedKey:
    """A key that is packed already."""

    __slots__ = ("key", "raw")

    def __init__(self, raw, key):
        self.raw = raw
        self.key = key


class _Frame:
    """An open container: what is still to be packed of it, and at which item it is."""

    __slots__ = ("container", "is_map", "items", "key", "left", "pending", "size")

    def __init__(self, items, container, is_map):
        """`items` are elements or (key, value) pairs; `container` must keep their number."""
        self.items = iter(items)
        self.size = len(items)
        self.left = self.size
        self.container = container
        self.is_map = is_map
        self.key = None  # the last key that was begun
        self.pending = _END  # its value, as long as the key itself is not written


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
            raise ValueError("order must be None or 'sorted'")
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

    def encode(self, obj):
        """The bytes of one object."""
        write, result = _new_sink()
        self._encode(write, _Frame((obj,), None, False), 0)
        return result()

    def encode_pairs(self, pairs):
        """The bytes of a map of the (key, value) pairs that `pairs` gives; it must have a length."""
        size = len(pairs)
        entries = [(key, value) for key, value in pairs]
        if len(entries) != size:
            raise RuntimeError("pairs changed size during iteration")
        write, result = _new_sink()
        write(length_header(size, 0x80, 0xDE))
        self._encode(write, _Frame(entries, None, True), 1)
        return result()

    def _encode(self, write, frame, depth):
        """Pack what a frame gives; `depth` containers are open already."""
        stack = []
        try:
            self._loop(write, frame, stack, DEFAULT_RECURSE_LIMIT - depth)
            return
        except Fault as fault:
            error = fault.error
        try:
            raise locate(error, _segments(stack, depth))
        finally:
            del error  # its traceback holds this frame

    def _loop(self, write, frame, stack, room):
        """Pack the items of a frame and of all that are opened in it, at most `room` deep.

        After an exception `stack` holds all open frames, the innermost last.
        """
        exact_text = self.unicode_errors is None
        str8 = self.use_bin_type
        double = not self.use_single_float
        is_map = frame.is_map
        items = frame.items
        left = frame.size
        key = None
        pending = _END
        try:
            while True:
                if pending is not _END:
                    value = pending
                    pending = _END
                elif left == 0:
                    if frame.container is not None and len(frame.container) != frame.size:
                        raise Fault(_wrong_number(frame.container))
                    if not stack:
                        return
                    frame = stack.pop()
                    is_map = frame.is_map
                    items = frame.items
                    left = frame.left
                    key = frame.key
                    pending = frame.pending
                    continue
                elif is_map:
                    left -= 1
                    entry = next(items, _END)
                    if entry is _END:
                        raise Fault(_wrong_number(frame.container))
                    key, value = entry
                    if type(key) is str and exact_text:
                        try:
                            raw = key.encode()
                        except UnicodeEncodeError as error:
                            pending = value
                            raise Fault(error) from None
                        length = len(raw)
                        write(BYTE[0xA0 | length] if length < 32 else text_header(length, str8))
                        write(raw)
                    else:
                        # Packed like a value, with its own value put off.
                        pending = value
                        value = key
                else:
                    left -= 1
                    value = next(items, _END)
                    if value is _END:
                        raise Fault(_wrong_number(frame.container))

                kind = type(value)
                if kind is str and exact_text:
                    try:
                        raw = value.encode()
                    except UnicodeEncodeError as error:
                        raise Fault(error) from None
                    length = len(raw)
                    write(BYTE[0xA0 | length] if length < 32 else text_header(length, str8))
                    write(raw)
                    continue
                if kind is int:
                    packed = BYTE[value] if 0 <= value < 0x80 else packed_int(value)
                    if packed is not None:
                        write(packed)
                        continue
                elif kind is float and double:
                    write(byte_float64(0xCB, value))
                    continue
                elif value is None:
                    write(_NIL)
                    continue
                elif kind is bool:
                    write(_TRUE if value else _FALSE)
                    continue
                opened = self._write_other(write, value)
                if opened is not None:
                    if len(stack) >= room:
                        raise Fault(ValueError("recursion limit exceeded."))
                    frame.left = left
                    frame.key = key
                    frame.pending = pending
                    stack.append(frame)
                    frame = opened
                    is_map = frame.is_map
                    items = frame.items
                    left = frame.size
                    key = None
                    pending = _END
        except BaseException:
            frame.left = left
            frame.key = key
            frame.pending = pending
            stack.append(frame)
            raise

    def _write_other(self, write, value):
        """Write what the loop does not: the header of a container, whose frame is returned, or a value.

        What is of no type that can be packed is replaced once by what `default` makes of it.
        """
        strict = self.strict_types
        default = self.default
        while True:
            kind = type(value)
            problem = None
            if kind is list or (kind is tuple and not strict):
                write(length_header(len(value), 0x90, 0xDC))
                return _Frame(value, value, False)
            if kind in _dict_types:
                return self._open_dict(write, value)
            if value is None or kind is bool:
                write(_NIL if value is None else _TRUE if value else _FALSE)
                return None
            if kind is int or (not strict and issubclass(kind, int)):
                packed = packed_int(int.__add__(value, 0))
                if packed is not None:
                    write(packed)
                    return None
                problem = OverflowError("Integer value out of range")
            elif kind is float or (not strict and issubclass(kind, float)):
                self._write_float(write, float.__pos__(value))
                return None
            elif kind in BYTES_TYPES or (not strict and issubclass(kind, BYTES_TYPES)):
                self._write_bytes(write, value)
                return None
            elif kind is str or (not strict and issubclass(kind, str)):
                self._write_text(write, value)
                return None
            elif not strict and issubclass(kind, _dict_types):
                return self._open_dict_subclass(write, value)
            elif kind is ExtType or (not strict and issubclass(kind, ExtType)):
                self._write_ext(write, value)
                return None
            elif kind is Timestamp:
                self._write_timestamp(write, value.seconds, value.nanoseconds)
                return None
            elif not strict and issubclass(kind, list):
                return _open_sequence(write, value, list.__len__(value))
            elif not strict and issubclass(kind, tuple):
                return _open_sequence(write, value, tuple.__len__(value))
            elif kind is memoryview:
                if not value.c_contiguous:
                    text = "memoryview: underlying buffer is not C-contiguous"
                    raise Fault(BufferError(text))
                self._write_bytes(write, value.tobytes())
                return None
            elif kind is self.datetime:
                if value.tzinfo is not None:
                    self._write_timestamp(write, *datetime_parts(value))
                    return None
                text = "can not serialize 'datetime.datetime' object where tzinfo=None"
                problem = ValueError(text)
            elif kind is _PackedKey:
                write(value.raw)
                return None
            if default is None:
                break
            value = default(value)
            default = None
        if problem is None:
            problem = TypeError(f"can not serialize '{kind.__name__}' object")
        raise Fault(problem)

    def _write_float(self, write, value):
        if not self.use_single_float:
            write(byte_float64(0xCB, value))
            return
        try:
            write(byte_float32(0xCA, value))
        except OverflowError:
            text = "float too large to pack with f format"
            raise Fault(OverflowError(text)) from None

    def _write_text(self, write, value):
        handler = self.unicode_errors
        try:
            raw = str.encode(value) if handler is None else str.encode(value, "utf-8", handler)
        except (UnicodeEncodeError, LookupError) as error:
            raise Fault(error) from None
        if len(raw) < 32:
            write(BYTE[0xA0 | len(raw)])
        else:
            write(text_header(len(raw), self.use_bin_type))
        write(raw)

    def _write_bytes(self, write, value):
        if type(value) is bytes:
            raw = value
        else:
            with memoryview(value) as view:
                raw = view.tobytes()
        if self.use_bin_type:
            write(payload_header(len(raw), 0xC4))
        elif len(raw) < 32:
            write(BYTE[0xA0 | len(raw)])
        else:
            write(text_header(len(raw), False))
        write(raw)

    def _write_ext(self, write, value):
        code, data = value
        if isinstance(data, str):
            data = data.encode()
        if not -0x80 <= code < 0x100:
            raise Fault(OverflowError("value too large to convert to char"))
        write(ext_header(code, len(data)))
        write(data)

    def _write_timestamp(self, write, seconds, nanoseconds):
        try:
            payload = timestamp_payload(seconds, nanoseconds)
        except OverflowError as error:
            raise Fault(error) from None
        write(ext_header(-1, len(payload)))
        write(payload)

    def _open_dict(self, write, value):
        """Write the header of an exact dict; its frame."""
        if self.sorted:
            return self._open_sorted(write, value, value.items())
        write(length_header(len(value), 0x80, 0xDE))
        return _Frame(value.items(), value, True)

    def _open_dict_subclass(self, write, value):
        """Write the header of a dict subclass, of which only `items` and the length are asked."""
        size = len(value)
        entries = [(key, item) for key, item in value.items()]
        if len(entries) != size:
            raise Fault(_wrong_number(value))
        if self.sorted:
            return self._open_sorted(write, value, entries)
        write(length_header(size, 0x80, 0xDE))
        return _Frame(entries, None, True)

    def _open_sorted(self, write, value, entries):
        """Write the header of a dict whose keys are to be in order, and pack the keys; its frame."""
        size = len(value)
        packed = []
        for key, item in list(entries):
            write_key, result = _new_sink()
            self._loop(write_key, _Frame((key,), None, False), [], DEFAULT_RECURSE_LIMIT)
            raw = result()
            packed.append((_sort_key(raw), _PackedKey(raw, key), item))
        if len(value) != size:
            raise Fault(_wrong_number(value))
        packed.sort(key=_first)
        write(length_header(size, 0x80, 0xDE))
        return _Frame([(key, item) for _, key, item in packed], value, True)


def _wrong_number(container):
    name = type(container).__name__
    return RuntimeError(f"{name} changed size during iteration")


def _open_sequence(write, value, size):
    """Write the header of a list or tuple subclass, whose elements are what iterating gives."""
    elements = list(iter(value))
    if len(elements) != size:
        raise Fault(_wrong_number(value))
    write(length_header(size, 0x90, 0xDC))
    return _Frame(elements, None, False)


BYTES_TYPES = (bytes, bytearray)


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


def _segments(stack, depth):
    """The path to the item that is being packed; `depth` is 0 when the first frame is the root."""
    segments = []
    for frame in stack if depth else stack[1:]:
        if not frame.is_map:
            segments.append(frame.size - frame.left - 1)
        elif frame.pending is not _END:
            segments.append(FAILED_KEY)
        else:
            key = frame.key
            segments.append(key.key if type(key) is _PackedKey else key)
    return segments
