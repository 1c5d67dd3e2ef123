"""Types of packhorse."""

from typing import Any, Protocol, type_check_only

from typing_extensions import Buffer, Unpack

from . import exceptions as exceptions
from . import ext as ext
from ._core import Packer as Packer
from ._core import PackOptions, UnpackOptions
from ._core import Unpacker as Unpacker
from ._core import packb as packb
from ._core import unpackb as unpackb
from .exceptions import (
    BufferFull as BufferFull,
)
from .exceptions import (
    ExtraData as ExtraData,
)
from .exceptions import (
    FormatError as FormatError,
)
from .exceptions import (
    OutOfData as OutOfData,
)
from .exceptions import (
    PackException as PackException,
)
from .exceptions import (
    PackOverflowError as PackOverflowError,
)
from .exceptions import (
    PackValueError as PackValueError,
)
from .exceptions import (
    StackError as StackError,
)
from .exceptions import (
    StreamStateError as StreamStateError,
)
from .exceptions import (
    UnpackException as UnpackException,
)
from .exceptions import (
    UnpackValueError as UnpackValueError,
)
from .ext import ExtType as ExtType
from .ext import Timestamp as Timestamp

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

__version__: str
version: tuple[int, int, int]

@type_check_only
class _Writer(Protocol):
    def write(self, data: bytes, /) -> object: ...

@type_check_only
class _WholeReader(Protocol):
    def read(self) -> Buffer: ...

def build_info() -> dict[str, Any]: ...
def pack(o: Any, stream: _Writer, **kwargs: Unpack[PackOptions]) -> None: ...
def unpack(stream: _WholeReader, **kwargs: Unpack[UnpackOptions]) -> Any: ...

dump = pack
dumps = packb
load = unpack
loads = unpackb
