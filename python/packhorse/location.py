"""Says where in a value an error happened: the .path and .offset of exceptions."""

# A path longer than this has its middle left away.
_SEGMENTS_MAX = 64


class _FailedKey:
    """The segment for a map key that could itself not be read or written."""


FAILED_KEY = _FailedKey()


def _segment(key):
    kind = type(key)
    if kind is str:
        if key.isidentifier():
            return f".{key}"
        from json import dumps

        return f"[{dumps(key)}]"
    if kind is int or kind is bytes or kind is float:
        return f"[{key!r}]"
    if key is FAILED_KEY:
        return ".<key>"
    return f"[<{kind.__name__}>]"


def path_text(segments):
    """The path through `segments`, keys and indexes from the outermost to the innermost."""
    texts = [_segment(segment) for segment in segments]
    if len(texts) > _SEGMENTS_MAX:
        half = _SEGMENTS_MAX // 2
        texts[half:-half] = ["[...]"]
    return "$" + "".join(texts)


def locate(error, segments, offset=None):
    """Give an exception of ours its path, its offset while reading, and a note; return it."""
    error.path = path_text(segments)
    if offset is None:
        error.add_note(f"at {error.path}")
    else:
        error.offset = offset
        error.add_note(f"at {error.path}, byte {offset}")
    return error
