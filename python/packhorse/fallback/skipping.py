"""Passing over values without building them, and finding the next one in damaged data."""

from ..exceptions import FormatError, StackError
from .decoder import DEFAULT_RECURSE_LIMIT, FIXEXT_SIZES, LENGTH_SIZES, NUMBER_SIZES, read_length

# Whole size of a value by its format byte; 0 where more must be looked at.
_WHOLE_SIZES = [1] * 0x80 + [0] * 0x20 + list(range(1, 33)) + [0] * 0x20 + [1] * 0x20
_WHOLE_SIZES[0xC0] = _WHOLE_SIZES[0xC2] = _WHOLE_SIZES[0xC3] = 1
for _byte, _size in NUMBER_SIZES.items():
    _WHOLE_SIZES[_byte] = _size
for _byte, _size in FIXEXT_SIZES.items():
    _WHOLE_SIZES[_byte] = 2 + _size

# How many bytes of what may be an object are looked at before it is believed to be one.
_PLAUSIBLE_BYTES = 256


def is_container(byte):
    """Whether a format byte begins an array or a map."""
    return 0x80 <= byte < 0xA0 or 0xDC <= byte <= 0xDF


class Skipper:
    """Passes over one object; can stop where the bytes end and go on when more have come."""

    __slots__ = ("left", "position", "stack")

    def __init__(self, values=1):
        """Pass over `values` values, one after the other."""
        self.left = values  # in the innermost open container, or of the values asked for
        self.stack = []
        self.position = 0  # where skipping stopped, from the start of the data

    @property
    def is_open(self):
        """Whether a part of an object has been passed over."""
        return len(self.stack) > 0

    def skip(self, data, position):
        """True when all was passed over, False when the data ended before.

        Raises FormatError and StackError with `self.position` at the byte at fault.
        """
        end = len(data)
        stack = self.stack
        left = self.left
        self.position = position
        try:
            while left:
                if position >= end:
                    return False
                byte = data[position]
                size = _WHOLE_SIZES[byte]
                count = 0
                if size == 0:
                    if byte < 0xA0:
                        count = byte & 0x0F
                        if byte < 0x90:
                            count *= 2
                        size = 1
                    elif byte == 0xC1:
                        raise FormatError
                    else:
                        length_size = LENGTH_SIZES[byte]
                        size = 1 + length_size
                        if position + size > end:
                            return False
                        count = read_length(data, position + 1, length_size)
                        if byte < 0xDC:
                            size += count + (0xC7 <= byte <= 0xC9)
                            count = 0
                        elif byte >= 0xDE:
                            count *= 2
                    if is_container(byte) and len(stack) >= DEFAULT_RECURSE_LIMIT:
                        raise StackError
                if size > end - position:
                    return False
                position += size
                left -= 1
                if count:
                    stack.append(left)
                    left = count
                while left == 0 and stack:
                    left = stack.pop()
            return True
        finally:
            self.left = left
            self.position = position


def is_plausible(data, position):
    """Whether what begins at `position` could be an object, as far as its bytes are there."""
    try:
        Skipper().skip(data[position : position + _PLAUSIBLE_BYTES], 0)
    except (FormatError, StackError):
        return False
    return True


def next_plausible(data, position, containers_only):
    """The first position from `position` on where an object could begin; the end if there is none.

    With `containers_only` it must be an array or a map: a byte of a text or number in the middle of
    a damaged object is easily taken for a scalar.
    """
    while position < len(data):
        if (not containers_only or is_container(data[position])) and is_plausible(data, position):
            break
        position += 1
    return position
