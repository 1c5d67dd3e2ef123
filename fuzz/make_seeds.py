"""Writes the inputs of tests/vectors as files, for a fuzzer to start from: make_seeds.py FOLDER."""

import hashlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from make_vector_table import VECTORS, bytes_of  # noqa: E402

SIZE_MAX = 4096
"""Bytes: a fuzzer learns nothing from longer runs of one value."""


JSON_TEXTS = [
    b'{"id":17,"name":"Ada \\u00e9\\n\xc3\xa9","list":[1,-2.5e3,1e-7,12345678901234567890],"none":null}',
    b' [ true , false , [ ] , { } , "\\ud83d\\ude00" , "\xf0\x9f\x98\x80" , 0.30000000000000004 ] ',
    b'// note\n{"a": [1, 2,], /* more */ "b": {"c": "\\\\\\"\\/",},}',
    b"[[[[[[[[[[1.7976931348623157e308]]]]]]]]]]",
    b'"' + b"0123456789abcdef" * 10 + b'\\t"',
]


def save(folder, content):
    (folder / hashlib.sha256(content).hexdigest()[:20]).write_bytes(content)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for text in JSON_TEXTS:
        for setting in (b"\0", b"\1", b"\x80", b"\x82", b"\x83"):
            save(folder, setting + text)
    for path in VECTORS.glob("*.json"):
        for vector in json.loads(path.read_text())["vectors"]:
            data = bytes_of(vector["hex"])
            if len(data) <= SIZE_MAX:
                # The targets take their settings from the first bytes: half of the seeds meet each.
                for prefix in (b"\0\0", b"\x03\x05"):
                    save(folder, prefix + data)


if __name__ == "__main__":
    main()
