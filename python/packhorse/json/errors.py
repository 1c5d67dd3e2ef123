"""The exceptions of loads and dumps, as users of orjson and of the standard library know them."""

import json

from ..exceptions import DecodeError

_PREFIXES = ("JSON is malformed: ", "JSON is refused: ")


class JSONDecodeError(DecodeError, json.JSONDecodeError):
    """A text that loads refuses: a DecodeError and a json.JSONDecodeError at once.

    ``doc`` is the text, ``pos`` counts characters of it, ``lineno`` and ``colno`` count from one;
    ``offset`` counts bytes, ``path`` says where in the value it is.
    """


JSONEncodeError = TypeError


def _message(error):
    """What a DecodeError says, without its place."""
    text = str(error)
    for prefix in _PREFIXES:
        text = text.removeprefix(prefix)
    return text.removesuffix(f" (byte {error.offset})")


def loads_error(text, error):
    """What loads raises for what decoding raised."""
    if isinstance(error, DecodeError):
        return _of_decode_error(text, error)
    if isinstance(error, UnicodeEncodeError):
        return JSONDecodeError("str is not valid UTF-8: surrogates not allowed", "", 0)
    if isinstance(error, (TypeError, BufferError)):
        return JSONDecodeError("Input must be bytes, bytearray, memoryview, or str", "", 0)
    return error


def _of_decode_error(text, error):
    data = text.encode() if isinstance(text, str) else bytes(text)
    if data:
        # A character that is cut by the offset, or no character at all, counts as one.
        position = len(data[: error.offset].decode("utf-8", "replace"))
        found = JSONDecodeError(_message(error), data.decode("utf-8", "replace"), position)
    else:
        found = JSONDecodeError("Input is a zero-length, empty document", "", 0)
    found.offset = error.offset
    found.path = error.path
    for note in getattr(error, "__notes__", ()):
        found.add_note(note)
    return found
