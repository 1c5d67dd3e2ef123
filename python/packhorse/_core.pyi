"""Types of the extension; the pure-Python package has the same."""

import sys
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Sized,
)
from decimal import Decimal
from types import GenericAlias
from typing import (
    Any,
    Final,
    Literal,
    Protocol,
    Self,
    TypedDict,
    final,
    overload,
    type_check_only,
)

from typing_extensions import Buffer, Unpack, disjoint_base

@type_check_only
class PackOptions(TypedDict, total=False):
    default: Callable[[Any], Any] | None
    use_single_float: bool
    use_bin_type: bool
    strict_types: bool
    datetime: bool
    unicode_errors: str | None
    buf_size: int
    order: Literal["sorted"] | None

@type_check_only
class PackerOptions(PackOptions, total=False):
    autoreset: bool

@type_check_only
class UnpackOptions(TypedDict, total=False):
    object_hook: Callable[[dict[Any, Any]], Any] | None
    object_pairs_hook: Callable[[list[tuple[Any, Any]]], Any] | None
    list_hook: Callable[[Any], Any] | None
    ext_hook: Callable[[int, bytes], Any] | None
    use_list: bool
    raw: bool
    timestamp: Literal[0, 1, 2, 3]
    strict_map_key: bool
    tuple_keys: bool
    gc: bool
    unicode_errors: str | None
    max_str_len: int
    max_bin_len: int
    max_array_len: int
    max_map_len: int
    max_ext_len: int

@type_check_only
class UnpackerOptions(UnpackOptions, total=False):
    read_size: int
    max_buffer_size: int

@type_check_only
class _Reader(Protocol):
    def read(self, size: int, /) -> bytes | None: ...

@type_check_only
class _AsyncReader(Protocol):
    def read(self, size: int, /) -> Awaitable[bytes]: ...

@type_check_only
class _Pairs(Sized, Iterable[tuple[Any, Any]], Protocol): ...

def build_info() -> dict[str, Any]: ...
def packb(o: Any, **options: Unpack[PackOptions]) -> bytes: ...
def unpackb(packed: Buffer, **options: Unpack[UnpackOptions]) -> Any: ...

@disjoint_base
class Packer:
    def __new__(cls, *args: Any, **kwargs: Any) -> Self: ...
    def __init__(self, **options: Unpack[PackerOptions]) -> None: ...
    # None with autoreset=False, when the bytes are read with bytes().
    def pack(self, obj: Any) -> Any: ...
    def pack_array_header(self, size: int) -> Any: ...
    def pack_map_header(self, size: int) -> Any: ...
    def pack_map_pairs(self, pairs: _Pairs) -> Any: ...
    def pack_ext_type(self, typecode: int, data: bytes | bytearray) -> Any: ...
    def bytes(self) -> bytes: ...
    def reset(self) -> None: ...
    def getbuffer(self) -> memoryview: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

@disjoint_base
class Unpacker:
    def __new__(cls, *args: Any, **kwargs: Any) -> Self: ...
    def __init__(
        self,
        file_like: _Reader | _AsyncReader | AsyncIterable[Buffer] | None = None,
        **options: Unpack[UnpackerOptions],
    ) -> None: ...
    def feed(self, next_bytes: Buffer) -> None: ...
    def unpack(self) -> Any: ...
    def unpack_raw(self) -> bytes: ...
    def skip(self) -> None: ...
    def read_array_header(self) -> int: ...
    def read_map_header(self) -> int: ...
    def read_bytes(self, nbytes: int) -> bytes: ...
    def tell(self) -> int: ...
    def resync(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __next__(self) -> Any: ...
    def __aiter__(self) -> AsyncIterator[Any]: ...
    async def __anext__(self) -> Any: ...

@final
class JsonDecoder:
    type: Final[Any]
    strict: Final[bool]
    dec_hook: Final[Callable[[Any, Any], Any] | None]
    float_hook: Final[Callable[[str], Any] | None]
    allow: Final[Literal["jsonc"] | None]
    duplicate_keys: Final[Literal["last", "error"]]
    def __new__(
        cls,
        type: Any = ...,
        *,
        strict: bool = True,
        dec_hook: Callable[[Any, Any], Any] | None = None,
        float_hook: Callable[[str], Any] | None = None,
        allow: Literal["jsonc"] | None = None,
        duplicate_keys: Literal["last", "error"] = "last",
    ) -> Self: ...
    def decode(self, buf: Buffer | str, /) -> Any: ...
    def decode_lines(self, buf: Buffer | str, /) -> list[Any]: ...
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...

@final
class JsonEncoder:
    enc_hook: Final[Callable[[Any], Any] | None]
    decimal_format: Final[Literal["string", "number"] | Callable[[Decimal], Any]]
    uuid_format: Final[Literal["canonical", "hex"]]
    order: Final[Literal["deterministic", "sorted"] | None]
    def __new__(
        cls,
        *,
        enc_hook: Callable[[Any], Any] | None = None,
        decimal_format: Literal["string", "number"] | Callable[[Decimal], Any] = "string",
        uuid_format: Literal["canonical", "hex"] = "canonical",
        order: Literal["deterministic", "sorted"] | None = None,
    ) -> Self: ...
    def encode(self, obj: Any, /) -> bytes: ...
    def encode_into(self, obj: Any, buffer: bytearray, offset: int = 0, /) -> None: ...
    def encode_lines(self, items: Iterable[Any], /) -> bytes: ...

def json_decode(
    buf: Buffer | str,
    /,
    *,
    type: Any = ...,
    strict: bool = True,
    dec_hook: Callable[[Any, Any], Any] | None = None,
    allow: Literal["jsonc"] | None = None,
    duplicate_keys: Literal["last", "error"] = "last",
) -> Any: ...
def json_loads(obj: Buffer | str, /) -> Any: ...
def json_encode(
    obj: Any,
    /,
    *,
    enc_hook: Callable[[Any], Any] | None = None,
    order: Literal["deterministic", "sorted"] | None = None,
) -> bytes: ...
def json_dumps(
    obj: Any, /, default: Callable[[Any], Any] | None = None, option: int | None = None
) -> bytes: ...
@overload
def json_format(buf: str, *, indent: int = 2) -> str: ...
@overload
def json_format(buf: Buffer, *, indent: int = 2) -> bytes: ...
