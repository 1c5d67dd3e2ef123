"""JSON: the functions and classes of msgspec.json, loads and dumps of orjson, and streams of records.

encode, decode, Encoder, Decoder and format are called as in msgspec, for plain Python objects; loads
and dumps with the OPT_ constants as in orjson. iter_lines, aiter_lines, decode_chunks and adecode_chunks
read what comes in pieces. locate gives the line and column of an error.

Which implementation does the work is decided as for packhorse itself.
"""

from .. import _wants_fallback
from ..exceptions import DecodeError, EncodeError
from .chunks import adecode_chunks, aiter_lines, decode_chunks, iter_lines
from .errors import JSONDecodeError, JSONEncodeError
from .fragments import Fragment
from .options import (
    OPT_APPEND_NEWLINE,
    OPT_INDENT_2,
    OPT_NAIVE_UTC,
    OPT_NON_STR_KEYS,
    OPT_OMIT_MICROSECONDS,
    OPT_PASSTHROUGH_DATACLASS,
    OPT_PASSTHROUGH_DATETIME,
    OPT_PASSTHROUGH_SUBCLASS,
    OPT_SERIALIZE_DATACLASS,
    OPT_SERIALIZE_NUMPY,
    OPT_SERIALIZE_UUID,
    OPT_SORT_KEYS,
    OPT_STRICT_INTEGER,
    OPT_UTC_Z,
)
from .places import Place, locate

if _wants_fallback():
    from .fallback import Decoder, Encoder, decode, dumps, encode, format, loads
else:
    from .._core import JsonDecoder as Decoder
    from .._core import JsonEncoder as Encoder
    from .._core import json_decode as decode
    from .._core import json_dumps as dumps
    from .._core import json_encode as encode
    from .._core import json_format as format
    from .._core import json_loads as loads

__all__ = [
    "OPT_APPEND_NEWLINE",
    "OPT_INDENT_2",
    "OPT_NAIVE_UTC",
    "OPT_NON_STR_KEYS",
    "OPT_OMIT_MICROSECONDS",
    "OPT_PASSTHROUGH_DATACLASS",
    "OPT_PASSTHROUGH_DATETIME",
    "OPT_PASSTHROUGH_SUBCLASS",
    "OPT_SERIALIZE_DATACLASS",
    "OPT_SERIALIZE_NUMPY",
    "OPT_SERIALIZE_UUID",
    "OPT_SORT_KEYS",
    "OPT_STRICT_INTEGER",
    "OPT_UTC_Z",
    "DecodeError",
    "Decoder",
    "EncodeError",
    "Encoder",
    "Fragment",
    "JSONDecodeError",
    "JSONEncodeError",
    "Place",
    "adecode_chunks",
    "aiter_lines",
    "decode",
    "decode_chunks",
    "dumps",
    "encode",
    "format",
    "iter_lines",
    "loads",
    "locate",
]
