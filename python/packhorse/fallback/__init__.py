"""The pure-Python implementation: what PyPy runs, and the same behaviour where there is no extension.

packer.py   values to bytes: Packer, packb
unpacker.py streams: Unpacker, its buffer and its states
decoder.py  bytes to values: the one loop, unpackb
skipping.py passing over values without building them
options.py  the options of reading, checked once
"""

from ..ext import ExtType, Timestamp
from .decoder import DEFAULT_RECURSE_LIMIT, unpackb
from .packer import Packer, packb
from .unpacker import Unpacker

__all__ = [
    "DEFAULT_RECURSE_LIMIT",
    "ExtType",
    "Packer",
    "Timestamp",
    "Unpacker",
    "packb",
    "unpackb",
]
