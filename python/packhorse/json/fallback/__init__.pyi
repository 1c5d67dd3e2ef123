"""The pure-Python JSON has the types of the extension's."""

from ..._core import JsonDecoder as Decoder
from ..._core import JsonEncoder as Encoder
from ..._core import json_decode as decode
from ..._core import json_dumps as dumps
from ..._core import json_encode as encode
from ..._core import json_format as format
from ..._core import json_loads as loads

__all__ = ["Decoder", "Encoder", "decode", "dumps", "encode", "format", "loads"]
