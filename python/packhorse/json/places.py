"""Positions for people."""

from typing import NamedTuple


class Place(NamedTuple):
    """A line and a column in it; both count from one."""

    line: int
    column: int


def locate(text, offset):
    """Return the line and column of a byte of a JSON text, such as the offset of a DecodeError.

    text
        what was decoded: bytes, another buffer or str.
    offset
        counts bytes, of the UTF-8 form if the text is a str.

    Columns count characters. What is no UTF-8 counts one for each byte.
    """
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    with memoryview(text) as view:
        before = view[:offset].tobytes()
    start = before.rfind(b"\n") + 1
    column = len(before[start:].decode("utf-8", "surrogateescape")) + 1
    return Place(before.count(b"\n") + 1, column)
