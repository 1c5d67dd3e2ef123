"""The smoke test of `make dist`: run in an environment that has nothing but Packhorse installed.

python -I smoke.py --expect extension|pure
"""

import argparse
import importlib.metadata
import io
import pathlib
import sys

import packhorse
import packhorse as msgpack

parser = argparse.ArgumentParser()
parser.add_argument("--expect", choices=("extension", "pure"), required=True)
expected = parser.parse_args().expect

home = pathlib.Path(packhorse.__file__).parent
assert "site-packages" in home.parts, f"not the installed package: {home}"
info = packhorse.build_info()
assert info["version"] == importlib.metadata.version("packhorse"), info
assert (info["implementation"] == "python") == (expected == "pure"), info
extension_there = any(home.glob("_core.*.so"))
assert extension_there == (expected == "extension"), f"{expected} expected: {list(home.iterdir())}"
assert (home / "py.typed").exists(), "py.typed is not installed"

document = {
    "name": "träger",
    "n": [0, -1, 2**63, 1.5, None, True, b"\x00\xff"],
    "m": {"k": "v" * 300},
}
packed = msgpack.packb(document)
assert msgpack.unpackb(packed) == document
assert list(msgpack.Unpacker(io.BytesIO(packed * 3))) == [document] * 3
unpacker = msgpack.Unpacker()
for byte in packed:
    unpacker.feed(bytes([byte]))
assert unpacker.unpack() == document
for bad in (packed[:-1], packed + b"\x00", b"\xc1", b"\xdd\xff\xff\xff\xff"):
    try:
        msgpack.unpackb(bad)
    except ValueError:
        continue
    sys.exit(f"accepted: {bad!r}")
print(f"smoke test passed: {expected}, {info}")
