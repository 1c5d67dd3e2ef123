"""Types of packhorse.json."""

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from json import JSONDecodeError as _StandardError
from typing import Any, Final, NamedTuple

from typing_extensions import Buffer

from .._core import JsonDecoder as Decoder
from .._core import JsonEncoder as Encoder
from .._core import json_decode as decode
from .._core import json_dumps as dumps
from .._core import json_encode as encode
from .._core import json_format as format
from .._core import json_loads as loads
from ..exceptions import DecodeError, EncodeError

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

OPT_APPEND_NEWLINE: Final = 1024
OPT_INDENT_2: Final = 1
OPT_NAIVE_UTC: Final = 2
OPT_NON_STR_KEYS: Final = 4
OPT_OMIT_MICROSECONDS: Final = 8
OPT_PASSTHROUGH_DATACLASS: Final = 2048
OPT_PASSTHROUGH_DATETIME: Final = 512
OPT_PASSTHROUGH_SUBCLASS: Final = 256
OPT_SERIALIZE_DATACLASS: Final = 0
OPT_SERIALIZE_NUMPY: Final = 16
OPT_SERIALIZE_UUID: Final = 0
OPT_SORT_KEYS: Final = 32
OPT_STRICT_INTEGER: Final = 64
OPT_UTC_Z: Final = 128

class JSONDecodeError(DecodeError, _StandardError): ...

JSONEncodeError = TypeError

class Fragment:
    contents: bytes | str
    def __init__(self, contents: bytes | str, /) -> None: ...

class Place(NamedTuple):
    line: int
    column: int

def locate(text: Buffer | str, offset: int) -> Place: ...
def iter_lines(
    chunks: Iterable[Buffer | str],
    *,
    decoder: Decoder | None = None,
    max_buffer_size: int = 104857600,
) -> Iterator[Any]: ...
def aiter_lines(
    chunks: AsyncIterable[Buffer | str],
    *,
    decoder: Decoder | None = None,
    max_buffer_size: int = 104857600,
) -> AsyncIterator[Any]: ...
def decode_chunks(
    chunks: Iterable[Buffer | str],
    *,
    decoder: Decoder | None = None,
    max_buffer_size: int = 104857600,
) -> Any: ...
async def adecode_chunks(
    chunks: AsyncIterable[Buffer | str],
    *,
    decoder: Decoder | None = None,
    max_buffer_size: int = 104857600,
) -> Any: ...
