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


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for path in VECTORS.glob("*.json"):
        for vector in json.loads(path.read_text())["vectors"]:
            data = bytes_of(vector["hex"])
            if len(data) <= SIZE_MAX:
                # The targets take their settings from the first bytes: half of the seeds meet each.
                for prefix in (b"\0\0", b"\x03\x05"):
                    content = prefix + data
                    name = hashlib.sha256(content).hexdigest()[:20]
                    (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
