"""Compares implementations with each other and with the slow decoder, on any input."""

import slow_decoder
import vectors
from comparing import outcome, same_outcome

OPTION_SETS = {
    "lossless": {
        "object_pairs_hook": vectors.Pairs,
        "ext_hook": vectors.Ext,
        "strict_map_key": False,
    },
    "default": {},
    "raw tuples": {"raw": True, "use_list": False, "strict_map_key": False},
    "datetime": {"timestamp": 3},
}

TYPES = {
    "RESERVED_BYTE": "FormatError",
    "DEPTH_LIMIT": "StackError",
    "EXTRA_DATA": "ExtraData",
    "INVALID_UTF8": "UnicodeDecodeError",
}


MSGPACK_WRAPS = b"\xc9\xff\xff\xff\xff"
"""An ext claim of 2^32-1 bytes: msgpack adds one for the type and arrives at 0."""


def slow_outcome(data, codec):
    try:
        tree = slow_decoder.decode(data)
    except slow_decoder.Refused as refused:
        return ("error", TYPES.get(refused.code, "ValueError"), refused.text), refused.offset
    return (
        "value",
        slow_decoder.python_of(tree, vectors.Pairs, vectors.Ext, codec.Timestamp),
    ), None


def check_against_slow(codec, data):
    if codec.is_reference and MSGPACK_WRAPS in data:
        return
    expected, offset = slow_outcome(data, codec)
    try:
        actual = ("value", codec.unpackb(data, **OPTION_SETS["lossless"]))
    except Exception as error:
        actual = ("error", type(error).__name__, str(error))
        if not codec.is_reference:
            assert error.offset == offset, (
                f"{data.hex()}: offset {error.offset} instead of {offset}"
            )
        if expected[0] == "error":
            expected = (
                *expected[:2],
                actual[2] if expected[1] == "UnicodeDecodeError" else expected[2],
            )
    message = same_outcome(actual, expected)
    assert message is None, f"{data.hex()}: {message}"


def normal(result):
    """Timestamp and ExtType are different classes in different packages; their reprs are not."""
    if result[0] == "error":
        return result
    return ("value", repr(result[1]), type(result[1]).__name__)


def check_between(codecs, data, options=None):
    """All implementations give the same value, or the same exception type and text."""
    options = OPTION_SETS["default"] if options is None else options
    first, *others = codecs
    if MSGPACK_WRAPS in data:
        others = [other for other in others if not other.is_reference]
    expected = normal(outcome(first.unpackb, data, **options))
    for other in others:
        actual = normal(outcome(other.unpackb, data, **options))
        assert same_outcome(actual, expected) is None, (
            f"{data.hex()}: {other.name} {actual}, {first.name} {expected}"
        )
