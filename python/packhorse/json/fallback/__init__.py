"""JSON in pure Python: for PyPy, and for a package that was built without the extension."""

from .decoder import Decoder, decode, loads
from .dumps import dumps
from .encoder import Encoder, encode
from .layout import format

__all__ = ["Decoder", "Encoder", "decode", "dumps", "encode", "format", "loads"]
