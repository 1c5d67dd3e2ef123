"""Application-defined values (ExtType) and instants (Timestamp).

Both the extension and the pure-Python package make and read these two classes.
"""

from collections import namedtuple

from .instants import datetime_of, datetime_parts, timestamp_parts, timestamp_payload

__all__ = ["ExtType", "Timestamp"]

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
