"""Decoding without the extension: the scanner of the standard library where it agrees with JSON as we
read it, and otherwise a walk of our own, which also finds what is wrong and where.
"""

import json
import re
import typing

from ...exceptions import DecodeError
from ...location import FAILED_KEY, locate
from . import tokens
from .tokens import Fault

LEVELS_MAX = 1024

# What a standard scanner takes and we do not, or takes for something else: constants, lone surrogates,
# escapes that are not four digits, numbers that may be infinite or too long. Where any of that may be,
# our own walk decides.
_OUR_OWN = re.compile(
    r"NaN|Infinity|\\u(?:[dD][89a-fA-F]|(?![0-9a-fA-F]{4}))|[0-9][eE]\+?[0-9]|[0-9]{300}"
).search
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_ROUNDS_MAX = 64

_standard = json.JSONDecoder().decode


def _is_shallow(data):
    """True when nesting is certainly within the limit: what is empty is taken away, level for level."""
    brackets = data.translate(None, _NO_BRACKETS)
    for _ in range(_ROUNDS_MAX):
        if len(brackets) <= LEVELS_MAX:
            return True
        fewer = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if len(fewer) == len(brackets):
            return False
        brackets = fewer
    return False


class _Open:
    """A container that is being filled."""

    __slots__ = ("container", "is_map", "key", "keys_seen", "start")

    def __init__(self, is_map, start):
        self.is_map = is_map
        self.container = {} if is_map else []
        self.start = start
        self.key = FAILED_KEY
        self.keys_seen = 0

    def segment(self):
        return self.key if self.is_map else len(self.container)


class _Walk:
    """One text, from its first byte to the last of one value."""

    def __init__(self, data, options, numbers_as_text=False):
        self.data = data
        self.numbers_as_text = numbers_as_text
        self.float_hook = options.float_hook
        self.relaxed = options.allow is not None
        self.unique_keys = options.duplicate_keys == "error"
        self.skip_space = tokens.skip_space_and_comments if self.relaxed else tokens.skip_space
        self.open = []

    def value_start(self, position):
        position = self.skip_space(self.data, position)
        if position == len(self.data):
            raise tokens.truncated(position)
        return position

    def key(self, position):
        """The key that begins at `position`, and the position behind its colon."""
        data = self.data
        if data[position] != 0x22:
            raise tokens.bad_key(position)
        end, escaped = tokens.string_end(data, position + 1)
        colon = self.value_start(end + 1)
        if data[colon] != 0x3A:
            raise tokens.no_colon(colon)
        return tokens.string_value(data, position + 1, end, escaped), colon + 1

    def scalar(self, position):
        """The scalar that begins at `position`, and where it ends."""
        data = self.data
        first = data[position]
        if first == 0x22:
            end, escaped = tokens.string_end(data, position + 1)
            return tokens.string_value(data, position + 1, end, escaped), end + 1
        if first == 0x2D or 0x30 <= first <= 0x39:
            return tokens.number_value(data, position, self.float_hook, self.numbers_as_text)
        if data.startswith(b"null", position):
            return None, position + 4
        if data.startswith(b"true", position):
            return True, position + 4
        if data.startswith(b"false", position):
            return False, position + 5
        raise tokens.word_fault(data, position)

    def next_item(self, inner, position):
        """To the next value of the innermost container: its position, or None and where it closes."""
        data = self.data
        closing = 0x7D if inner.is_map else 0x5D
        inner.key = FAILED_KEY
        begun = inner.keys_seen > 0
        position = self.value_start(position)
        after_comma = begun and data[position] == 0x2C
        if after_comma:
            position = self.value_start(position + 1)
        elif begun and data[position] != closing:
            raise (tokens.no_map_comma if inner.is_map else tokens.no_array_comma)(position)
        if data[position] == closing:
            if after_comma and not self.relaxed:
                trailing = tokens.trailing_in_map if inner.is_map else tokens.trailing_in_array
                raise trailing(position)
            return None, position + 1
        inner.keys_seen += 1
        if inner.is_map:
            inner.key, position = self.key(position)
            position = self.value_start(position)
        return position, position

    def close(self, inner):
        if self.unique_keys and inner.is_map and len(inner.container) != inner.keys_seen:
            raise tokens.duplicate_key(inner.start)
        return inner.container

    def value(self, position):
        """The value at `position` and where it ends; faults leave the open containers as they are."""
        position = self.value_start(position)
        while True:
            first = self.data[position]
            if first == 0x5B or first == 0x7B:
                if len(self.open) == LEVELS_MAX:
                    raise tokens.too_deep(position)
                self.open.append(_Open(first == 0x7B, position))
                position += 1
            else:
                value, position = self.scalar(position)
                if not self.open:
                    return value, position
                self._add(value)
            while True:
                start, position = self.next_item(self.open[-1], position)
                if start is not None:
                    break
                value = self.close(self.open[-1])
                self.open.pop()
                if not self.open:
                    return value, position
                self._add(value)

    def _add(self, value):
        inner = self.open[-1]
        if inner.is_map:
            inner.container[inner.key] = value
        else:
            inner.container.append(value)

    def segments(self):
        return [inner.segment() for inner in self.open]


def _raise(fault, walk, base_offset, first_segments=()):
    offset = base_offset + fault.position
    text = fault.text % offset if "%d" in fault.text else fault.text
    raise locate(DecodeError(text), [*first_segments, *walk.segments()], offset) from None


def _decode_alone(data, options, base_offset, numbers_as_text=False):
    walk = _Walk(data, options, numbers_as_text)
    try:
        value, position = walk.value(0)
        position = walk.skip_space(data, position)
        if position != len(data):
            raise tokens.extra_data(position)
    except Fault as fault:
        _raise(fault, walk, base_offset)
    return value


def bytes_of(text):
    if type(text) is bytes:
        return text
    if isinstance(text, str):
        return text.encode()
    try:
        view = memoryview(text)
    except TypeError:
        raise TypeError(f"a bytes-like object is required, not '{type(text).__name__}'") from None
    with view:
        if view.itemsize != 1:
            raise BufferError("cannot unpack from multi-byte object")
        return view.tobytes()


def check(data):
    """Raise what decoding would raise, except that numbers may have any size."""
    _decode_alone(data, _DEFAULT, 0, numbers_as_text=True)


class _Options:
    """What a Decoder was made with."""

    __slots__ = ("allow", "dec_hook", "duplicate_keys", "float_hook", "strict", "type")

    def __init__(self, type, strict, dec_hook, float_hook, allow, duplicate_keys):
        if type is not typing.Any and type is not object:
            raise TypeError(
                "this version of packhorse decodes to plain Python objects only:"
                f" type must be typing.Any, not {type!r}"
            )
        for name, hook in (("dec_hook", dec_hook), ("float_hook", float_hook)):
            if hook is not None and not callable(hook):
                raise TypeError(f"{name} must be callable")
        if allow is not None and allow != "jsonc":
            raise ValueError(f"`allow` must be None or 'jsonc', got {allow!r}")
        if not isinstance(duplicate_keys, str) or duplicate_keys not in ("last", "error"):
            raise ValueError(f"`duplicate_keys` must be 'last' or 'error', got {duplicate_keys!r}")
        self.type = type
        self.strict = bool(strict)
        self.dec_hook = dec_hook
        self.float_hook = float_hook
        self.allow = allow
        self.duplicate_keys = duplicate_keys


_DEFAULT = _Options(typing.Any, True, None, None, None, "last")


def _decode(text, options, base_offset):
    data = bytes_of(text)
    if options is not _DEFAULT and (
        options.float_hook is not None
        or options.allow is not None
        or options.duplicate_keys != "last"
    ):
        return _decode_alone(data, options, base_offset)
    try:
        known_text = data.decode()
        if _OUR_OWN(known_text) is None and _is_shallow(data):
            return _standard(known_text)
    except (ValueError, RecursionError):
        pass
    return _decode_alone(data, options, base_offset)


def decode(*args, **kwargs):
    """Return the object of a JSON text in bytes, another buffer or a str.

    ``allow="jsonc"`` accepts comments and trailing commas, ``duplicate_keys="error"`` refuses objects
    that have a key twice. What is wrong raises DecodeError, whose ``offset`` counts bytes.
    """
    if len(args) != 1:
        raise TypeError(
            "Extra positional arguments provided" if args else "Missing 1 required arguments"
        )
    if not kwargs:
        return _decode(args[0], _DEFAULT, 0)
    return _decode(args[0], _options_of_call(**kwargs), 0)


def _options_of_call(
    *, type=typing.Any, strict=True, dec_hook=None, allow=None, duplicate_keys="last", **others
):
    if others:
        raise TypeError("Extra keyword arguments provided")
    return _Options(type, strict, dec_hook, None, allow, duplicate_keys)


@typing.final
class Decoder:
    """Decodes JSON texts, with the same options for all of them.

    ``float_hook`` is called with the text of each number that has a fraction or exponent.
    """

    __slots__ = ("_options",)

    def __init__(
        self,
        type=typing.Any,
        *,
        strict=True,
        dec_hook=None,
        float_hook=None,
        allow=None,
        duplicate_keys="last",
    ):
        self._options = _Options(type, strict, dec_hook, float_hook, allow, duplicate_keys)

    def __init_subclass__(cls):
        raise TypeError("type 'packhorse.json.Decoder' is not an acceptable base type")

    def __class_getitem__(cls, item):
        from types import GenericAlias

        return GenericAlias(cls, item)

    def __repr__(self):
        return f"packhorse.json.Decoder({self._options.type!r})"

    def decode(self, buf, /):
        """Return the object of a JSON text in bytes, another buffer or a str."""
        return _decode(buf, self._options, 0)

    def decode_lines(self, buf, /):
        """Return a list of the objects of a text that holds one JSON value a line, or any number of
        values with white space between them.
        """
        data = bytes_of(buf)
        walk = _Walk(data, self._options)
        values = []
        try:
            position = walk.skip_space(data, 0)
            while position != len(data):
                value, position = walk.value(position)
                values.append(value)
                position = walk.skip_space(data, position)
        except Fault as fault:
            _raise(fault, walk, 0, [len(values)])
        return values

    def _decode_at(self, buf, offset, /):
        return _decode(buf, self._options, offset)


def _reader(name):
    return property(lambda self: getattr(self._options, name))


for _name in _Options.__slots__:
    setattr(Decoder, _name, _reader(_name))


def loads(obj, /):
    """Return the object of a JSON text; what is wrong raises JSONDecodeError."""
    try:
        return _decode(obj, _DEFAULT, 0)
    except Exception as error:
        from ..errors import loads_error

        raise loads_error(obj, error) from None
