"""MessagePack for Python: a drop-in for msgpack.

packb and unpackb work on one object, pack and unpack on one object in a file, Packer and Unpacker on
streams.  ExtType and Timestamp are the values that have no Python type of their own.

The work is done by the extension packhorse._core, or by the pure-Python packhorse.fallback on PyPy,
in a package built without the extension, and when the environment variable PACKHORSE_PURE is set.
"""

import os as _os
import sys as _sys

from . import exceptions, ext
from .exceptions import (
    BufferFull,
    ExtraData,
    FormatError,
    OutOfData,
    PackException,
    PackOverflowError,
    PackValueError,
    StackError,
    StreamStateError,
    UnpackException,
    UnpackValueError,
)
from .ext import ExtType, Timestamp

__all__ = [
    "BufferFull",
    "ExtType",
    "ExtraData",
    "FormatError",
    "OutOfData",
    "PackException",
    "PackOverflowError",
    "PackValueError",
    "Packer",
    "StackError",
    "StreamStateError",
    "Timestamp",
    "UnpackException",
    "UnpackValueError",
    "Unpacker",
    "build_info",
    "dump",
    "dumps",
    "exceptions",
    "ext",
    "load",
    "loads",
    "pack",
    "packb",
    "unpack",
    "unpackb",
    "version",
]

__version__ = "0.1.0"
version = (0, 1, 0)


def _wants_fallback():
    if _os.environ.get("PACKHORSE_PURE") or _sys.implementation.name != "cpython":
        return True
    from ._build_mode import PURE

    return PURE


if _wants_fallback():
    from .fallback import Packer, Unpacker, packb, unpackb

    def build_info():
        """Which implementation runs, its version and what it can do."""
        return {"implementation": "python", "version": __version__, "fast_path": False}

else:
    try:
        from . import _core
    except ImportError as error:
        raise ImportError(
            "the extension packhorse._core is missing or does not fit this interpreter; install"
            " packhorse again, or set PACKHORSE_PURE=1 to run the slower pure-Python package"
        ) from error
    from ._core import Packer, Unpacker, packb, unpackb

    def build_info():
        """Which implementation runs, its version and what it can do."""
        return {**_core.build_info(), "version": __version__}


def pack(o, stream, **kwargs):
    """Pack an object and write it to a file object; takes the options of Packer."""
    stream.write(packb(o, **kwargs))


def unpack(stream, **kwargs):
    """Read a file object to its end and unpack the one object in it; takes the options of unpackb."""
    return unpackb(stream.read(), **kwargs)


dump = pack
dumps = packb
load = unpack
loads = unpackb
