"""The bytes that an Unpacker holds: appended at one end, consumed at the other."""

from .decoder import input_view

# Memory of consumed bytes is given back when there are at least so many of them.
_GIVE_BACK = 64 * 1024


class ByteQueue:
    """Bytes as one `data` from `at` on, plus pieces that `join` puts behind them when needed."""

    __slots__ = ("_pieces", "_waiting", "at", "base", "data")

    def __init__(self):
        self.data = b""
        self.at = 0  # in data: what lies before is consumed
        self.base = 0  # offset in the stream of the first byte of data
        self._pieces = []
        self._waiting = 0  # bytes in the pieces

    def __len__(self):
        return len(self.data) - self.at + self._waiting

    @property
    def offset(self):
        """The offset in the stream of the first byte that is not consumed."""
        return self.base + self.at

    @property
    def available(self):
        """The bytes in `data` that are not consumed."""
        return len(self.data) - self.at

    def append(self, piece):
        """Add a bytes object."""
        if piece:
            self._pieces.append(piece)
            self._waiting += len(piece)

    def join(self):
        """Make all bytes available in `data`."""
        pieces = self._pieces
        if pieces:
            if self.at < len(self.data):
                pieces.insert(0, self.data[self.at :])
            self.base += self.at
            self.at = 0
            self.data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
            self._pieces = []
            self._waiting = 0

    def consume_to(self, position):
        """Consume up to `position` of data; memory is given back when most of data is consumed."""
        if position == len(self.data) or (
            position >= _GIVE_BACK and 2 * position >= len(self.data)
        ):
            self.data = self.data[position:]
            self.base += position
            position = 0
        self.at = position


def bytes_of(data):
    """The bytes of a bytes-like object, copied unless they are an immutable object already."""
    if type(data) is bytes:
        return data
    with input_view(data) as view:
        return view.tobytes()
