"""Types of packhorse.exceptions."""

from typing import Any

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

class UnpackException(Exception): ...
class BufferFull(UnpackException): ...
class OutOfData(UnpackException): ...

class FormatError(ValueError, UnpackException):
    path: str
    offset: int

class StackError(ValueError, UnpackException):
    path: str
    offset: int

class StreamStateError(ValueError, UnpackException): ...

class ExtraData(ValueError):
    unpacked: Any
    extra: bytes
    path: str
    offset: int
    def __init__(self, unpacked: Any, extra: bytes) -> None: ...

class MsgspecError(Exception): ...

class DecodeError(MsgspecError, ValueError):
    path: str
    offset: int

class EncodeError(MsgspecError, ValueError): ...

UnpackValueError = ValueError
PackException = Exception
PackValueError = ValueError
PackOverflowError = OverflowError
