"""Programs as users write them; both type checkers must take them, and see the types that they say."""

import asyncio
import datetime
import io
from collections.abc import AsyncIterator
from typing import Any, assert_type

import packhorse as msgpack
from packhorse import ExtType, Packer, Timestamp, Unpacker, json
from packhorse.exceptions import ExtraData, FormatError, OutOfData, StreamStateError


def encode(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return Timestamp.from_datetime(value)
    if isinstance(value, complex):
        return ExtType(1, str(value).encode())
    raise TypeError(value)


def decode(code: int, data: bytes) -> Any:
    return complex(data.decode()) if code == 1 else ExtType(code, data)


def whole_objects() -> None:
    packed = msgpack.packb({"a": [1, 2.5, None]}, default=encode, order="sorted", datetime=True)
    assert_type(packed, bytes)
    msgpack.unpackb(packed, ext_hook=decode, use_list=False, timestamp=3)
    msgpack.unpackb(packed=bytearray(packed), strict_map_key=False, tuple_keys=True)
    msgpack.unpackb(memoryview(packed), object_hook=dict, max_str_len=100)
    msgpack.unpackb(packed, object_pairs_hook=list)
    msgpack.loads(msgpack.dumps(1, use_bin_type=False), raw=True)


def files() -> None:
    file = io.BytesIO()
    msgpack.pack([1, 2], file, use_single_float=True)
    msgpack.dump({"k": "v"}, file)
    file.seek(0)
    unpacker = Unpacker(file, read_size=1024, max_buffer_size=2**20)
    for value in unpacker:
        print(value, unpacker.tell())
    file.seek(0)
    msgpack.load(file)


def feeding(pieces: list[bytes]) -> list[Any]:
    unpacker = Unpacker(unicode_errors="surrogateescape")
    found: list[Any] = []
    for piece in pieces:
        unpacker.feed(piece)
        try:
            found.append(unpacker.unpack())
        except OutOfData:
            continue
        except StreamStateError:
            assert_type(unpacker.resync(), int)
        except FormatError as error:
            print(error.path, error.offset)
    assert_type(unpacker.read_bytes(3), bytes)
    assert_type(unpacker.unpack_raw(), bytes)
    assert_type(unpacker.read_array_header(), int)
    assert_type(unpacker.read_map_header(), int)
    unpacker.skip()
    return found


async def asynchronous(reader: asyncio.StreamReader) -> None:
    async for value in Unpacker(reader, raw=False):
        print(value)


class Wrapped(Packer):
    def __init__(self) -> None:
        super().__init__(default=encode, autoreset=False)

    def pack(self, obj: Any) -> Any:
        return super().pack([obj])


def header_by_header() -> bytes:
    packer = Wrapped()
    packer.pack_map_header(1)
    packer.pack("key")
    packer.pack_ext_type(5, b"data")
    packer.pack_map_pairs([("a", 1), ("b", 2)])
    with packer.getbuffer() as view:
        print(len(view))
    packer.reset()
    return packer.bytes()


def values() -> None:
    ext = ExtType(5, b"x")
    assert_type(ext.code, int)
    assert_type(ext.data, bytes)
    stamp = Timestamp(1, nanoseconds=2)
    assert_type(stamp.to_datetime(), datetime.datetime)
    assert_type(stamp.to_unix_nano(), int)
    assert_type(stamp == Timestamp.from_unix(1.5), bool)
    try:
        msgpack.unpackb(b"\x01\x02")
    except ExtraData as error:
        print(error.unpacked, error.extra.hex(), error.offset)
    assert_type(msgpack.version, tuple[int, int, int])
    assert_type(msgpack.__version__, str)


def texts() -> None:
    assert_type(json.encode({"a": 1}, enc_hook=repr, order="sorted"), bytes)
    assert_type(json.dumps([1], default=repr, option=json.OPT_INDENT_2 | json.OPT_SORT_KEYS), bytes)
    assert_type(json.format("[1]", indent=0), str)
    assert_type(json.format(bytearray(b"[1]")), bytes)
    encoder = json.Encoder(decimal_format=float, uuid_format="hex")
    encoder.encode_into([1], bytearray(), -1)
    assert_type(encoder.encode_lines([1, 2]), bytes)
    decoder = json.Decoder(float_hook=str, allow="jsonc", duplicate_keys="error")
    assert_type(decoder.decode_lines("1\n2"), list[Any])
    try:
        json.loads(memoryview(b"[1"))
    except json.JSONDecodeError as error:
        print(error.pos, error.lineno, error.offset, error.path)
    place = json.locate(b"[\n1", 2)
    assert_type(place.line + place.column, int)
    for record in json.iter_lines([b"1\n", "2"], decoder=decoder):
        print(record)
    print(json.dumps(json.Fragment(b"{}")))


async def texts_in_pieces(chunks: AsyncIterator[bytes]) -> None:
    async for record in json.aiter_lines(chunks, max_buffer_size=1000):
        print(record)
    print(await json.adecode_chunks(chunks))
