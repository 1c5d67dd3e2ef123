"""Write the table in core/README.md: one line a file, from the first sentence of its first comment.

python tools/make_core_map.py            write it
python tools/make_core_map.py --check    exit 1 if it is not what it should be
"""

import pathlib
import re
import sys

CORE = pathlib.Path(__file__).resolve().parent.parent / "core"
README = CORE / "README.md"
TABLE_HEAD = "| file | what it answers |\n| --- | --- |\n"
FOLDERS = ("base", "wire", "text", "json", "tree")


def first_sentence(path: pathlib.Path) -> str:
    """Up to the first full stop that ends a sentence, on one line."""
    match = re.match(r"/\*(.*?)\*/", path.read_text(encoding="utf-8"), re.DOTALL)
    if not match:
        sys.exit(f"{path}: does not begin with a comment that says what it is for")
    comment = re.sub(r"\s*\n \*\s*", " ", match.group(1)).strip()
    return re.split(r"(?<=\.)\s", comment, maxsplit=1)[0].replace("|", "\\|")


def table() -> str:
    lines = []
    for folder in FOLDERS:
        paths = sorted([*(CORE / folder).glob("*.c"), *(CORE / folder).glob("*.h")])
        lines += [f"| `{folder}/{path.name}` | {first_sentence(path)} |\n" for path in paths]
    return TABLE_HEAD + "".join(lines)


def main() -> None:
    content = README.read_text(encoding="utf-8")
    before, found, _ = content.partition(TABLE_HEAD)
    if not found:
        sys.exit(f"{README}: the head of the table is missing")
    wanted = before + table()
    if "--check" not in sys.argv[1:]:
        README.write_text(wanted, encoding="utf-8")
    elif wanted != content:
        sys.exit(f"core/README.md is stale: run tools/{pathlib.Path(__file__).name}")


if __name__ == "__main__":
    main()
