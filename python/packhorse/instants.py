"""Instants as seconds and nanoseconds since 1970: payloads of ext type -1, and datetimes."""

from struct import Struct

_UINT32 = Struct(">I")
_UINT64 = Struct(">Q")
_NANOSECONDS_SECONDS = Struct(">Iq")


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
