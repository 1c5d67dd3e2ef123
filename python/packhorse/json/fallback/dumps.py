"""dumps, with the types, texts and options of orjson."""

import math
from datetime import timedelta

from ...location import FAILED_KEY
from .. import options as opt
from ..numpy_values import refusal
from . import values
from .layout import laid_out
from .options import dumps_bits
from .walk import Refused, Walk, array_frame, stand_in

_STRICT_MAX = (1 << 53) - 1


def _offset(value):
    """A zone of pytz is asked by way of normalize: as a tzinfo it has the offset of its oldest time."""
    normalize = getattr(value.tzinfo, "normalize", None)
    if normalize is not None:
        value = normalize(value)
    return None if value.tzinfo is None else value.utcoffset()


class _DumpsWalk(Walk):
    def __init__(self, default, bits):
        super().__init__()
        self.default = default
        self.bits = bits
        self.sorts_keys = bool(bits & opt.OPT_SORT_KEYS)

    def unencodable(self, error):
        return TypeError("str is not valid UTF-8: surrogates not allowed")

    def too_deep(self):
        return TypeError("Recursion limit reached")

    def integer(self, value):
        if self.bits & opt.OPT_STRICT_INTEGER and not -_STRICT_MAX <= value <= _STRICT_MAX:
            raise Refused(TypeError("Integer exceeds 53-bit range"))
        if not -(1 << 63) <= value < 1 << 64:
            raise Refused(TypeError("Integer exceeds 64-bit range"))
        return int.__repr__(value)

    def real(self, value):
        return values.float_text(value, True) if math.isfinite(value) else "null"

    def in_order(self, pairs):
        if all(type(key) is str for key, _ in pairs):
            return sorted(pairs, key=lambda pair: pair[0])
        return sorted(pairs, key=self.written_key)

    def written_key(self, pair):
        """The key of a pair as it will stand there, to sort by."""
        try:
            return self.key(pair[0]).encode()
        except Refused as refused:
            refused.inner = [FAILED_KEY]
            raise

    def other(self, write, value):
        text = self.text_form(value, bool(self.bits & opt.OPT_PASSTHROUGH_DATETIME))
        if text is not None:
            write(text)
            return None
        if not self.bits & opt.OPT_PASSTHROUGH_SUBCLASS:
            if isinstance(value, str):
                write(self.text(value))
                return None
            if isinstance(value, int):
                write(self.integer(value))
                return None
            if isinstance(value, list):
                return array_frame(value)
            if isinstance(value, dict):
                return self.dict_frame(value)
        if values.is_enum_member(value):
            return stand_in(value.value)
        if not self.bits & opt.OPT_PASSTHROUGH_DATACLASS and values.is_dataclass(value):
            return self.fields_frame(values.dataclass_attributes(value), False)
        return self.unusual(write, value)

    def unusual(self, write, value):
        if values.is_fragment(value):
            write(self.fragment(value))
            return None
        is_numpy = self.bits & opt.OPT_SERIALIZE_NUMPY and values.is_numpy(value)
        if is_numpy:
            plain = values.plain_of_numpy(value, like_orjson=True)
            if plain is not None:
                return stand_in(plain[0])
        if self.default is None:
            reason = refusal(value) if is_numpy else None
            raise Refused(TypeError(reason) if reason else _unsupported(value))
        if self.levels_left() == 0:
            raise Refused(TypeError("default serializer exceeds recursion limit"))
        try:
            result = self.default(value)
        except Exception as error:
            raise Refused(_unsupported(value), error) from None
        return stand_in(result)

    def text_form(self, value, passes_datetimes):
        kind = type(value)
        if not passes_datetimes:
            if kind is values.imported("datetime", "datetime"):
                return f'"{values.date_text(value)}T{self.time(value)}"'
            if kind is values.imported("datetime", "date"):
                return f'"{values.date_text(value)}"'
            if kind is values.imported("datetime", "time"):
                if value.tzinfo is not None:
                    raise Refused(TypeError("datetime.time must not have tzinfo set"))
                return f'"{self.time(value)}"'
        if kind is values.imported("uuid", "UUID"):
            return f'"{value}"'
        return None

    def time(self, value):
        offset = _offset(value)
        is_datetime = hasattr(value, "year")
        if offset is None and is_datetime and self.bits & opt.OPT_NAIVE_UTC:
            offset = timedelta(0)
        return values.time_text(
            value,
            offset,
            bool(self.bits & opt.OPT_UTC_Z),
            not self.bits & opt.OPT_OMIT_MICROSECONDS,
        )

    def key(self, key):
        """The text of a key that is no exact str."""
        if type(key) is str:
            return self.text(key)
        if not self.bits & opt.OPT_NON_STR_KEYS:
            raise Refused(TypeError("Dict key must be str"))
        if isinstance(key, str):
            return self.text(key)
        kind = type(key)
        if isinstance(key, int) and kind is not bool:
            number = int.__add__(key, 0)  # whatever a subclass says of itself
            if not -(1 << 63) <= number < 1 << 64:
                raise Refused(TypeError("Dict integer key must be within 64-bit range"))
            return f'"{number}"'
        if values.is_enum_member(key):
            return self.key(key.value)
        text = self.text_form(key, False)
        if text is not None:
            return text
        if kind is float:
            return f'"{self.real(key)}"'
        if kind is bool or key is None:
            return {True: '"true"', False: '"false"', None: '"null"'}[key]
        raise Refused(TypeError("Dict key must a type serializable with OPT_NON_STR_KEYS"))


def _unsupported(value):
    return TypeError(f"Type is not JSON serializable: {type(value).__name__}")


def dumps(obj, /, default=None, option=None):
    """Return obj as JSON, in bytes, with the types and options of orjson."""
    bits = dumps_bits(option)
    text = _DumpsWalk(default, bits).run(obj)
    if bits & opt.OPT_INDENT_2:
        text = laid_out(text.encode(), 2)
    else:
        text = text.encode()
    return text + b"\n" if bits & opt.OPT_APPEND_NEWLINE else text
