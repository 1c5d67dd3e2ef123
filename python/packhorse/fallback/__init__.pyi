"""Types of the pure-Python implementation."""

from .._core import Packer as Packer
from .._core import Unpacker as Unpacker
from .._core import packb as packb
from .._core import unpackb as unpackb
from ..ext import ExtType as ExtType
from ..ext import Timestamp as Timestamp

__all__ = [
    "DEFAULT_RECURSE_LIMIT",
    "ExtType",
    "Packer",
    "Timestamp",
    "Unpacker",
    "packb",
    "unpackb",
]

DEFAULT_RECURSE_LIMIT: int
