"""Which file may include which: the arrows of the architecture, as data and one function."""

import re

# A folder of the core -> the folders of the core it may include.
CORE_ARROWS = {
    "base": {"base"},
    "wire": {"wire", "base"},
    "text": {"text", "base"},
    "json": {"json", "text", "base"},
    "tree": {"tree", "json", "text", "wire", "base"},
}

# The core takes types, limits and memcpy from C, and instruction sets from the compiler. Nothing else.
CORE_SYSTEM_HEADERS = {
    "arm_neon.h",
    "emmintrin.h",
    "float.h",
    "immintrin.h",
    "limits.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "string.h",
}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def violations(name: str, content: str) -> list[str]:
    """What the file `name` includes and must not."""
    found = []
    for bracket, header in INCLUDE.findall(content):
        wrong = None
        folder = header.split("/")[0] if "/" in header else ""
        if name.startswith("core/"):
            own = name.split("/")[1]
            if bracket == "<":
                if header not in CORE_SYSTEM_HEADERS:
                    wrong = "is not a header the core may use"
            elif folder not in CORE_ARROWS.get(own, set()):
                wrong = f"is not below core/{own}"
        elif name.startswith("include/"):
            if bracket == '"' or header not in CORE_SYSTEM_HEADERS:
                wrong = "the public header stands alone"
        elif name.startswith("cli/"):
            if bracket == '"' and folder:
                wrong = "the command line tool uses include/packhorse.h only"
        elif name.startswith("python/"):
            if "ruby" in header.lower():
                wrong = "is the other host's"
            if header == "Python.h" and name != "python/src/cpython.h":
                wrong = "comes through python/src/cpython.h"
        elif name.startswith("ruby/") and "python" in header.lower():
            wrong = "is the other host's"
        if ".." in header.split("/"):
            wrong = "leaves its folder: include from the root of the sources"
        if wrong:
            found.append(f"{name}: includes {header}: {wrong}")
    return found
