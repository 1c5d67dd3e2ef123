"""JSON text laid out anew, without making objects of it."""

import re
from operator import index

from .decoder import bytes_of, check

INDENT_MAX = 1024

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')


def _minified(tokens):
    return b"".join(tokens)


def _on_one_line(tokens):
    spaced = {b",": b", ", b":": b": "}
    return b"".join(spaced.get(token, token) for token in tokens)


def _indented(tokens, step):
    parts = []
    depth = 0
    previous = b""
    for token in tokens:
        if token in (b"]", b"}"):
            depth -= 1
            if previous not in (b"[", b"{"):
                parts.append(b"\n" + b" " * (step * depth))
        elif previous in (b"[", b"{", b","):
            parts.append(b"\n" + b" " * (step * depth))
        parts.append(b": " if token == b":" else token)
        if token in (b"[", b"{"):
            depth += 1
        previous = token
    return b"".join(parts)


def laid_out(data, indent):
    """Valid JSON with `indent` spaces a level, on one line (0) or without white space (negative)."""
    tokens = _TOKEN.findall(data)
    if indent < 0:
        return _minified(tokens)
    return _on_one_line(tokens) if indent == 0 else _indented(tokens, min(indent, INDENT_MAX))


def format(buf, *, indent=2):
    """Return the JSON text laid out anew: indented, on one line (0) or minified (-1)."""
    indent = index(indent)
    data = bytes_of(buf)
    check(data)
    result = laid_out(data, indent)
    return result.decode() if isinstance(buf, str) else result
