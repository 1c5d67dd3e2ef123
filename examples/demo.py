"""The demonstration behind `make demo`: one real document, packed, unpacked, streamed and checked.

Reads examples/data/github_events.json (30 events from GitHub's public API), and says at every step
what it does and what came out. Ends with an error if anything is not as it should be.
"""

import importlib.util
import io
import json
import pathlib
import sys
import time

import packhorse
import packhorse as msgpack  # the one line that changes in a program that used msgpack

DOCUMENT = pathlib.Path(__file__).parent / "data" / "github_events.json"


def step(text: str) -> None:
    print(f"\n* {text}")


def check(condition: bool, text: str) -> None:
    print(f"    {'ok ' if condition else 'WRONG'} {text}")
    if not condition:
        sys.exit(f"demo failed: {text}")


def seconds(function, repeat: int = 200) -> float:
    """The best time of several runs, in seconds."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def whole_document(events: list) -> bytes:
    step("pack and unpack the whole document: packb, unpackb")
    packed = msgpack.packb(events)
    print(f"    {DOCUMENT.stat().st_size} bytes of JSON text -> {len(packed)} bytes of MessagePack")
    check(msgpack.unpackb(packed) == events, "unpackb(packb(events)) == events")
    print(f"    packb {seconds(lambda: msgpack.packb(events)) * 1e6:.0f} us, ", end="")
    print(f"unpackb {seconds(lambda: msgpack.unpackb(packed)) * 1e6:.0f} us")
    return packed


def stream(events: list) -> None:
    step("stream: one Packer writes 30 messages into a file, one Unpacker reads them back")
    packer = msgpack.Packer()
    file = io.BytesIO()
    for event in events:
        file.write(packer.pack(event))
    file.seek(0)
    read = list(msgpack.Unpacker(file))
    check(read == events, f"{len(read)} messages read from the file, equal to what was written")

    step("stream: the same bytes as they come from a network, 1,000 at a time")
    unpacker = msgpack.Unpacker()
    data = file.getvalue()
    arrived, chunks = [], 0
    for start in range(0, len(data), 1000):
        unpacker.feed(data[start : start + 1000])
        chunks += 1
        arrived.extend(unpacker)
    check(arrived == events, f"{len(arrived)} messages out of {chunks} chunks, equal again")
    check(unpacker.tell() == len(data), f"the unpacker is at byte {unpacker.tell()}, the end")


def extension_types() -> None:
    step("extension types and timestamps")
    moment = msgpack.Timestamp(1_700_000_000, 123_456_789)
    value = {"at": moment, "raw": msgpack.ExtType(42, b"payload")}
    packed = msgpack.packb(value)
    check(msgpack.unpackb(packed) == value, f"{packed.hex(' ')}")


def bad_input(packed: bytes) -> None:
    step("what it does with bad input: an error, never a wrong value")
    inputs = {
        "cut in the middle": packed[: len(packed) // 2],
        "one byte too many": packed + b"\x00",
        "5 bytes that announce 4 GiB": b"\xdd\xff\xff\xff\xff",
        "the one unused format byte": b"\xc1",
        "text that is not UTF-8": b"\xa2\xff\xfe",
        "nested a million deep": b"\x91" * 1_000_000,
    }
    for name, data in inputs.items():
        try:
            msgpack.unpackb(data)
        except ValueError as error:
            print(f"    ok  {name}: {type(error).__name__}: {str(error)[:80]}")
        else:
            check(False, f"{name} was accepted")


def json_too(events: list) -> None:
    if importlib.util.find_spec("packhorse.json") is None:
        return
    from packhorse import json as packhorse_json

    step("JSON from the same core: packhorse.json")
    text = DOCUMENT.read_bytes()
    check(packhorse_json.decode(text) == events, "decode agrees with the standard library")
    check(
        json.loads(packhorse_json.encode(events)) == events,
        "and the standard library reads encode's output",
    )
    print(f"    decode {seconds(lambda: packhorse_json.decode(text)) * 1e6:.0f} us, ", end="")
    print(f"the standard library's loads {seconds(lambda: json.loads(text)) * 1e6:.0f} us")


def main() -> None:
    print("Packhorse demonstration")
    for name, value in packhorse.build_info().items():
        print(f"    {name}: {value}")
    step(f"read {DOCUMENT.name} with the standard library's json")
    events = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    print(
        f"    {len(events)} events; the first is a {events[0]['type']} by {events[0]['actor']['login']}"
    )
    packed = whole_document(events)
    stream(events)
    extension_types()
    bad_input(packed)
    json_too(events)
    print("\nAll as it should be.")


if __name__ == "__main__":
    main()
