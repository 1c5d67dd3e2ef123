"""The exceptions of packing and unpacking.

The classes up to :class:`ExtraData` and the aliases have the names and bases that users of msgpack
catch.  Those that Packhorse raises itself while it reads or writes a value carry two attributes:

``path``
    where in the value it happened: ``$`` is the whole, ``.name`` a text key that is an identifier,
    ``["other name"]`` any other text key, ``[3]`` an index or an int key.  Keys of other types are
    shown by their literal (``[b"key"]``) or type (``[<tuple>]``).  A key that can itself not be read
    or written is ``.<key>``.
``offset``
    while reading: the position of the value at fault, in bytes from the start of the input, or of
    the stream for an :class:`~packhorse.Unpacker`.

The same is added as a note, which tracebacks show.  Exceptions raised by hooks are left as they are.
"""

__all__ = [
    "BufferFull",
    "DecodeError",
    "EncodeError",
    "ExtraData",
    "FormatError",
    "MsgspecError",
    "OutOfData",
    "PackException",
    "PackOverflowError",
    "PackValueError",
    "StackError",
    "StreamStateError",
    "UnpackException",
    "UnpackValueError",
]


class UnpackException(Exception):
    """Base of some of the errors of unpacking.

    Others are plain ValueError, TypeError, OverflowError or UnicodeDecodeError, or come from a hook.
    """


class BufferFull(UnpackException):
    """An Unpacker would have to hold more than its ``max_buffer_size``."""


class OutOfData(UnpackException):
    """An Unpacker needs more bytes to complete the next object; feed it and try again."""


class FormatError(ValueError, UnpackException):
    """A byte that begins no value (0xc1)."""


class StackError(ValueError, UnpackException):
    """Containers are nested deeper than 1,024 levels."""


class StreamStateError(ValueError, UnpackException):
    """An Unpacker was used after an error in its data; ``resync()`` or ``skip()`` goes on behind it."""


class ExtraData(ValueError):
    """Bytes follow the one object that :func:`packhorse.unpackb` expects.

    ``unpacked`` is the object, ``extra`` the bytes behind it.
    """

    def __init__(self, unpacked, extra):
        self.unpacked = unpacked
        self.extra = extra

    def __str__(self):
        return "unpack(b) received extra data."


class MsgspecError(Exception):
    """Base of the errors of :mod:`packhorse.json`, named as the users of msgspec know it."""


class DecodeError(MsgspecError, ValueError):
    """A text that is not JSON, or not allowed by the options given."""


class EncodeError(MsgspecError, ValueError):
    """An object that has no form in the format asked for."""


# Names that older programs catch.
UnpackValueError = ValueError
PackException = Exception
PackValueError = ValueError
PackOverflowError = OverflowError
