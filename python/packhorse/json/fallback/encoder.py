"""encode and Encoder, with the types and forms of msgspec."""

import binascii
import math
import sys
from operator import index
from typing import final

from ...location import FAILED_KEY
from . import values
from .options import EncodeOptions
from .walk import Frame, Refused, Walk, array_frame, stand_in

_BUFFERS = (bytes, bytearray, memoryview)
_OF_DECIMAL_HOOK = "what decimal_format returned"


class _EncodeWalk(Walk):
    def __init__(self, options):
        super().__init__()
        self.options = options
        self.sorts_keys = options.order is not None

    def unencodable(self, error):
        return error

    def too_deep(self):
        return RecursionError("recursion limit exceeded.")

    def integer(self, value):
        try:
            return int.__repr__(value)
        except ValueError as error:  # more digits than the interpreter allows
            raise Refused(error) from None

    def enum(self, write, member):
        """By its value, but as the int or str that it is itself if it is one."""
        if isinstance(member, int):
            write(self.integer(member))
        elif isinstance(member, str):
            write(self.text(str.__str__(member)))
        else:
            return stand_in(member._value_)
        return None

    def real(self, value):
        return values.float_text(value, False) if math.isfinite(value) else "null"

    def in_order(self, pairs):
        for key, _ in pairs:
            if not isinstance(key, str):
                text = "Only dicts with str keys are supported when `order` is not `None`"
                raise Refused(TypeError(text), inner=[FAILED_KEY])
        return sorted(pairs, key=_first)

    def other(self, write, value):
        kind = type(value)
        if kind in _BUFFERS:
            write(_base64(value))
        elif isinstance(value, (list, tuple)):
            return array_frame(value)
        elif isinstance(value, dict) or values.imported("builtins", "frozendict") is kind:
            return self.dict_frame(value)
        elif isinstance(value, (set, frozenset)):
            items = sorted(value) if self.sorts_keys else list(value)
            return Frame("[]", iter(items), len(items))
        elif values.is_enum_member(value):
            return self.enum(write, value)
        else:
            text = self.text_form(value)
            if text is None:
                return self.unusual(write, value)
            write(text)
        return None

    def text_form(self, value):
        """The text, in quotes, of what has one; None for all other values."""
        kind = type(value)
        if kind is values.imported("datetime", "datetime"):
            return f'"{values.date_text(value)}T{values.time_text(value, _offset(value))}"'
        if kind is values.imported("datetime", "date"):
            return f'"{values.date_text(value)}"'
        if kind is values.imported("datetime", "time"):
            return f'"{values.time_text(value, _offset(value))}"'
        if kind is values.imported("datetime", "timedelta"):
            return f'"{values.duration_text(value)}"'
        uuid = values.imported("uuid", "UUID")
        if uuid is not None and isinstance(value, uuid):
            digits = f"{index(value.int):032x}"
            if self.options.uuid_format == "hex":
                return f'"{digits}"'
            parts = digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]
            return '"' + "-".join(parts) + '"'
        return None

    def unusual(self, write, value):
        if type(value) is values.imported("decimal", "Decimal"):
            return self.decimal(write, value)
        fields = values.dataclass_fields(value)
        if fields is not None:
            return self.fields_frame(fields, self.options.order == "sorted")
        if values.is_attrs(value):
            return self.fields_frame(values.attrs_fields(value), self.options.order == "sorted")
        if values.is_fragment(value):
            write(self.fragment(value))
            return None
        hook = self.options.enc_hook
        if hook is None:
            if values.is_numpy(value):
                plain = values.plain_of_numpy(value, like_orjson=False)
                if plain is not None:
                    return stand_in(plain[0])
            raise Refused(_unsupported(value))
        if self.levels_left() == 0:
            raise Refused(self.too_deep())
        return stand_in(hook(value))

    def decimal(self, write, value):
        form = self.options.decimal_format
        if callable(form):
            return Frame("", iter((self.of_decimal_hook(value),)), 1, name=_OF_DECIMAL_HOOK)
        text = str(value)
        if form == "number":
            if not text.lstrip("-")[:1].isdigit():
                raise Refused(ValueError(f"non-finite Decimal {text} can not be a JSON number"))
            write(text)
        else:
            write(f'"{text}"')
        return None

    def of_decimal_hook(self, value):
        """What decimal_format makes of a Decimal, which must not be within what it made of another."""
        if any(frame.name == _OF_DECIMAL_HOOK for frame in self.stack):
            raise Refused(_decimal_again())
        return self.options.decimal_format(value)

    def key(self, key):
        """The text of a key that is no exact str."""
        of_decimal_hook = False
        for _ in range(self.levels_left()):
            if isinstance(key, str):
                return self.text(key)
            if values.is_enum_member(key):
                key = int.__int__(key) if isinstance(key, int) else key._value_
                continue
            text = self.text_form(key) or self.number_key(key)
            if text is not None:
                return text
            if type(key) is values.imported("decimal", "Decimal"):
                if of_decimal_hook:
                    raise Refused(_decimal_again())
                key = self.of_decimal_hook(key)
                of_decimal_hook = True
                continue
            hook = self.options.enc_hook
            if hook is None:
                raise Refused(
                    TypeError("Only dicts with str-like or number-like keys are supported")
                )
            key = hook(key)
        raise Refused(self.too_deep())

    def number_key(self, key):
        """The text, in quotes, of numbers and bytes; None for all other keys."""
        kind = type(key)
        if kind is int:
            return f'"{self.integer(key)}"'
        if kind is float:
            return f'"{self.real(key)}"' if math.isfinite(key) else f'"{key!r}"'
        if kind is bytes:
            return _base64(key)
        if kind is values.imported("decimal", "Decimal"):
            return None if callable(self.options.decimal_format) else f'"{key}"'
        return None


def _first(pair):
    return pair[0]


def _unsupported(value):
    return TypeError(f"Encoding objects of type {type(value).__name__} is unsupported")


def _decimal_again():
    return TypeError("callable returned a value containing a Decimal")


def _offset(value):
    return None if value.tzinfo is None else value.utcoffset()


def _base64(value):
    with memoryview(value) as view:
        if not view.contiguous:
            raise Refused(BufferError("memoryview: underlying buffer is not C-contiguous"))
        return '"' + binascii.b2a_base64(view.tobytes(), newline=False).decode() + '"'


_DEFAULT = EncodeOptions()


def _encode(obj, options):
    return _EncodeWalk(options).run(obj).encode()


def encode(*args, **kwargs):
    """Return obj as JSON, in bytes."""
    if len(args) != 1:
        raise TypeError(
            "Extra positional arguments provided" if args else "Missing 1 required arguments"
        )
    if not kwargs:
        return _encode(args[0], _DEFAULT)
    return _encode(args[0], _options_of_call(**kwargs))


def _options_of_call(*, enc_hook=None, order=None, **others):
    if others:
        raise TypeError("Extra keyword arguments provided")
    return EncodeOptions(enc_hook, order=order)


@final
class Encoder:
    """Encodes objects as JSON, with the same options for all of them."""

    __slots__ = ("_options",)

    def __init__(
        self, *, enc_hook=None, decimal_format="string", uuid_format="canonical", order=None
    ):
        self._options = EncodeOptions(enc_hook, decimal_format, uuid_format, order)

    def __init_subclass__(cls):
        raise TypeError("type 'packhorse.json.Encoder' is not an acceptable base type")

    def encode(self, obj, /):
        """Return obj as JSON, in bytes."""
        return _encode(obj, self._options)

    def encode_into(self, obj, buffer, offset=0, /):
        """Write obj as JSON into a bytearray from offset on, -1 for its end; what was behind the
        offset is gone. When it fails the buffer is as it was.
        """
        if type(buffer) is not bytearray:
            raise TypeError("buffer must be a `bytearray`")
        try:
            offset = index(offset)
        except TypeError:
            raise TypeError("an integer is required") from None
        if not -sys.maxsize - 1 <= offset <= sys.maxsize:
            raise OverflowError("offset does not fit into an index")
        if offset < -1:
            raise ValueError("offset must be >= -1")
        encoded = _encode(obj, self._options)
        if offset == -1:
            offset = len(buffer)
        gap = offset - len(buffer)
        buffer[offset:] = bytes(max(gap, 0)) + encoded

    def encode_lines(self, items, /):
        """Return each of the items as JSON with a line feed behind it, in bytes."""
        lines = [
            _EncodeWalk(self._options).run(obj, [position]) for position, obj in enumerate(items)
        ]
        return "".join(f"{line}\n" for line in lines).encode()


def _reader(name):
    return property(lambda self: getattr(self._options, name))


for _name in EncodeOptions.__slots__:
    setattr(Encoder, _name, _reader(_name))
