"""Application-defined values (ExtType) and instants (Timestamp).

Both the extension and the pure-Python package make and read these two classes.
"""

from collections import namedtuple
from struct import Struct

__all__ = ["ExtType", "Timestamp"]

_UINT32 = Struct(">I")
_UINT64 = Struct(">Q")
_NANOSECONDS_SECONDS = Struct(">Iq")

_NANOSECONDS_PER_SECOND = 1_000_000_000


class ExtType(namedtuple("ExtType", "code data")):
    """A value of an application's own type: a code from 0 to 127 and its bytes."""

    __slots__ = ()

    def __new__(cls, code, data):
        if not isinstance(code, int):
            raise TypeError("code must be int")
        if not isinstance(data, bytes):
            raise TypeError("data must be bytes")
        if not 0 <= code <= 127:
            raise ValueError("code must be 0~127")
        return super().__new__(cls, code, data)


def timestamp_parts(data):
    """The (seconds, nanoseconds) that the payload of ext type -1 holds, in any of its three sizes.

    Raises ValueError for other sizes.  Nanoseconds are returned as they are written, so a value from
    the wire may be out of range.
    """
    size = len(data)
    if size == 4:
        return _UINT32.unpack(data)[0], 0
    if size == 8:
        both = _UINT64.unpack(data)[0]
        return both & 0x3_FFFF_FFFF, both >> 34
    if size == 12:
        nanoseconds, seconds = _NANOSECONDS_SECONDS.unpack(data)
        return seconds, nanoseconds
    raise ValueError("Timestamp type can only be created from 32, 64, or 96-bit byte objects")


def timestamp_payload(seconds, nanoseconds):
    """The shortest payload of ext type -1; OverflowError when seconds do not fit 64 bits."""
    if seconds >> 34 == 0:
        both = nanoseconds << 34 | seconds
        return _UINT64.pack(both) if both >> 32 else _UINT32.pack(both)
    if not -(1 << 63) <= seconds < 1 << 63:
        raise OverflowError("Timestamp seconds do not fit 64 bits")
    return _NANOSECONDS_SECONDS.pack(nanoseconds, seconds)


def datetime_parts(moment):
    """The (seconds, nanoseconds) since 1970 of an aware datetime, in exact integer arithmetic."""
    import datetime

    since = moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    return since.days * 86_400 + since.seconds, since.microseconds * 1000


def datetime_of(seconds, nanoseconds):
    """The aware UTC datetime of an instant, cut to microseconds; OverflowError outside years 1-9999."""
    import datetime

    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    days, seconds_of_day = divmod(seconds, 86_400)
    return epoch + datetime.timedelta(days, seconds_of_day, nanoseconds // 1000)


class Timestamp:
    """An instant: whole seconds since 1970-01-01T00:00:00 UTC (negative before) and nanoseconds.

    It is packed as ext type -1 in the smallest of the three forms that hold it.
    """

    __slots__ = ("nanoseconds", "seconds")

    def __init__(self, seconds, nanoseconds=0):
        if not isinstance(seconds, int):
            raise TypeError("seconds must be an integer")
        if not isinstance(nanoseconds, int):
            raise TypeError("nanoseconds must be an integer")
        if not 0 <= nanoseconds < _NANOSECONDS_PER_SECOND:
            raise ValueError(
                "nanoseconds must be a non-negative integer not greater than 999999999."
            )
        self.seconds = seconds
        self.nanoseconds = nanoseconds

    def __repr__(self):
        return f"Timestamp(seconds={self.seconds}, nanoseconds={self.nanoseconds})"

    def __eq__(self, other):
        if type(other) is not self.__class__:
            return False
        return self.seconds == other.seconds and self.nanoseconds == other.nanoseconds

    def __ne__(self, other):
        return not self.__eq__(other)

    def __hash__(self):
        return hash((self.seconds, self.nanoseconds))

    def __reduce__(self):
        return type(self), (self.seconds, self.nanoseconds)

    @staticmethod
    def from_bytes(b):
        """Read the 4, 8 or 12 bytes of a payload."""
        return Timestamp(*timestamp_parts(b))

    def to_bytes(self):
        """Return the payload of the ext type, without its header."""
        return timestamp_payload(self.seconds, self.nanoseconds)

    @staticmethod
    def from_unix(unix_sec):
        """Make one from seconds since 1970, an int or a float."""
        seconds = int(unix_sec // 1)
        nanoseconds = int((unix_sec % 1) * _NANOSECONDS_PER_SECOND)
        if nanoseconds == _NANOSECONDS_PER_SECOND:  # a fraction that rounded up to one
            seconds, nanoseconds = seconds + 1, 0
        return Timestamp(seconds, nanoseconds)

    def to_unix(self):
        """Return seconds since 1970 as a float (which can not hold nanoseconds of our time)."""
        return self.seconds + self.nanoseconds / 1e9

    @staticmethod
    def from_unix_nano(unix_ns):
        """Make one from an int of nanoseconds since 1970."""
        return Timestamp(*divmod(unix_ns, _NANOSECONDS_PER_SECOND))

    def to_unix_nano(self):
        """Return nanoseconds since 1970 as an int."""
        return self.seconds * _NANOSECONDS_PER_SECOND + self.nanoseconds

    def to_datetime(self):
        """Return an aware UTC datetime, cut to microseconds; OverflowError outside years 1-9999."""
        return datetime_of(self.seconds, self.nanoseconds)

    @staticmethod
    def from_datetime(dt):
        """Make one from a datetime; one without a timezone is taken as local time."""
        return Timestamp(*datetime_parts(dt if dt.tzinfo is not None else dt.astimezone()))
