"""The options of unpackb and Unpacker: checked once, kept in the form that the decoder reads."""

from operator import index

from ..ext import ExtType

# Bytes of text up to which keys are cached and limits of text are checked once for all.
SHORT_TEXT_MAX = 64

_SSIZE_MAX = (1 << 63) - 1


def size_option(value):
    """An int from any object with __index__, in the range of sizes."""
    number = index(value)
    if not -_SSIZE_MAX - 1 <= number <= _SSIZE_MAX:
        raise OverflowError("Python int too large to convert to C ssize_t")
    return number


def _limit_option(value):
    """-1: not given; other negative numbers allow nothing but empty values."""
    limit = size_option(value)
    return limit if limit >= -1 else 0


def integer_option(value):
    """An int from any number."""
    if isinstance(value, (str, bytes, bytearray)) or not (
        hasattr(value, "__int__") or hasattr(value, "__index__")
    ):
        raise TypeError("an integer is required")
    return int(value)


def error_handler_option(value):
    """The name of a codec error handler; None stands for "strict"."""
    if value is None:
        return None
    if isinstance(value, (bytes, bytearray)):
        value = value.decode("ascii")
    elif not isinstance(value, str):
        raise TypeError(f"expected bytes, {type(value).__name__} found")
    return None if value == "strict" else str(value)


class DecodeOptions:
    """What a decoder needs to know; `limits_for` fills in the limits that were not given."""

    __slots__ = (
        "ext_hook",
        "gc",
        "list_hook",
        "max_array_len",
        "max_bin_len",
        "max_ext_len",
        "max_map_len",
        "max_str_len",
        "object_hook",
        "object_pairs_hook",
        "raw",
        "strict_map_key",
        "timestamp",
        "tuple_keys",
        "unicode_errors",
        "use_list",
    )

    def __init__(
        self,
        *,
        object_hook=None,
        list_hook=None,
        use_list=True,
        raw=False,
        timestamp=0,
        strict_map_key=True,
        unicode_errors=None,
        object_pairs_hook=None,
        ext_hook=ExtType,
        max_str_len=-1,
        max_bin_len=-1,
        max_array_len=-1,
        max_map_len=-1,
        max_ext_len=-1,
        tuple_keys=False,
        gc=True,
    ):
        self.use_list = bool(use_list)
        self.raw = bool(raw)
        self.strict_map_key = bool(strict_map_key)
        self.tuple_keys = bool(tuple_keys)
        self.gc = bool(gc)  # only the extension can hide objects from the collector
        self.timestamp = integer_option(timestamp)
        if not 0 <= self.timestamp <= 3:
            raise ValueError("timestamp must be 0..3")
        self.unicode_errors = error_handler_option(unicode_errors)
        self.max_str_len = _limit_option(max_str_len)
        self.max_bin_len = _limit_option(max_bin_len)
        self.max_array_len = _limit_option(max_array_len)
        self.max_map_len = _limit_option(max_map_len)
        self.max_ext_len = _limit_option(max_ext_len)
        if object_hook is not None and object_pairs_hook is not None:
            raise TypeError("object_pairs_hook and object_hook are mutually exclusive.")
        if object_hook is not None and not callable(object_hook):
            raise TypeError("object_hook must be a callable.")
        if object_pairs_hook is not None and not callable(object_pairs_hook):
            raise TypeError("object_pairs_hook must be a callable.")
        if list_hook is not None and not callable(list_hook):
            raise TypeError("list_hook must be a callable.")
        if ext_hook is None:
            ext_hook = ExtType
        if not callable(ext_hook):
            raise TypeError("ext_hook must be a callable.")
        self.object_hook = object_hook
        self.object_pairs_hook = object_pairs_hook
        self.list_hook = list_hook
        self.ext_hook = ext_hook

    def limits_for(self, size):
        """Derive the limits that were not given from the size of the input or buffer."""
        if self.max_str_len == -1:
            # A whole string is never longer than what holds it: this only keeps short text, which
            # is not compared with the limit one by one, on the fast way.
            self.max_str_len = max(size, SHORT_TEXT_MAX)
        if self.max_bin_len == -1:
            self.max_bin_len = size
        if self.max_array_len == -1:
            self.max_array_len = size
        if self.max_map_len == -1:
            self.max_map_len = size // 2
        if self.max_ext_len == -1:
            self.max_ext_len = size


_NAMES = frozenset(DecodeOptions.__slots__)


def check_names(options, function):
    """Refuse keywords that are no options of reading."""
    for name in options:
        if name not in _NAMES:
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'")
