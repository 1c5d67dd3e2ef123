"""Length, first lines, names and words of every source file."""

import collections
import pathlib
import re

import pytest
from tree import files, is_generated, sources, text

LONGEST = 800

VAGUE_NAMES = {"util", "utils", "helper", "helpers", "misc", "common", "stuff", "lib"}

# Words of unfinished work, and folders of one machine. Built by joining, so that this file passes.
FORBIDDEN = {
    "unfinished work": re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX|HA" + r"CK)\b"),
    "a folder of one machine": re.compile(r"(?<![\w.])/(wo" + r"rk|ro" + r"ot)/\w"),
}


def describes_itself(name: str, content: str) -> bool:
    """Does the file say in its first lines what it is for?"""
    lines = content.split("\n")
    if name.endswith((".c", ".h")):
        return lines[0].startswith(("/* ", "// "))
    if lines[0].startswith("#!"):
        lines = lines[1:]
    while lines and (lines[0].startswith("# frozen_string_literal") or not lines[0].strip()):
        lines = lines[1:]
    if not lines:
        return True  # an empty file, such as __init__.py, has nothing to explain
    if name.endswith(".rb"):
        # Ruby's custom: requires first, then the comment above the module, or what a spec describes.
        return any(line.strip().startswith(("# ", "RSpec.describe")) for line in lines[:6])
    if name.endswith((".py", ".pyi")):
        return lines[0].startswith(('"""', 'r"""', "# "))
    return lines[0].startswith("# ")


def forbidden_words(content: str) -> list[str]:
    return [
        f"line {number}: {what}: {line.strip()[:80]}"
        for number, line in enumerate(content.split("\n"), 1)
        for what, pattern in FORBIDDEN.items()
        if pattern.search(line)
    ]


def test_there_are_sources():
    assert len(sources("core")) > 10


def test_files_are_short():
    long = {
        name: text(name).count("\n")
        for name in sources()
        if text(name).count("\n") > LONGEST and not is_generated(name)
    }
    assert long == {}, f"more than {LONGEST} lines: look for the two ideas in it"


def test_first_lines_say_what_a_file_is_for():
    assert [name for name in sources() if not describes_itself(name, text(name))] == []


def test_names_say_something():
    vague = [
        name
        for name in files()
        if VAGUE_NAMES & {part.split(".")[0].lower() for part in pathlib.PurePath(name).parts}
        and not name.startswith("ruby/")
    ]
    assert vague == []


@pytest.mark.parametrize("folder", ["core", "python/src", "ruby/ext", "cli", "tests/core"])
def test_file_names_are_unique_within_a_part(folder):
    names = collections.Counter(
        name.split("/")[-1] for name in sources(folder, endings=(".c", ".h"))
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_no_unfinished_work_and_no_path_of_one_machine():
    endings = (".c", ".h", ".py", ".pyi", ".rb", ".sh", ".md", ".build", ".toml", ".options")
    found = [
        f"{name}: {where}"
        for name in files()
        if name.endswith(endings) or name in ("Makefile", ".ci/run")
        for where in forbidden_words(text(name))
    ]
    assert found == []


def test_include_guards_are_named_after_the_file():
    wrong = []
    for name in sources("core", endings=(".h",)):
        guard = "PH_" + re.sub(r"\W", "_", name.removeprefix("core/")).upper()
        if f"#ifndef {guard}\n#define {guard}\n" not in text(name):
            wrong.append(f"{name}: {guard}")
    assert wrong == []


def test_functions_of_the_core_are_prefixed_and_static_otherwise():
    """C names are ph_type_verb; constants and macros that headers show are PH_ something."""
    wrong = []
    for name in sources("core", endings=(".h",)):
        for macro in re.findall(r"^\s*#\s*define\s+(\w+)", text(name), re.MULTILINE):
            if not macro.startswith("PH_"):
                wrong.append(f"{name}: macro {macro}")
        for function in re.findall(
            r"^(?:PH_INLINE|static inline)[^(\n]*?(\w+)\(", text(name), re.MULTILINE
        ):
            if not function.startswith("ph_"):
                wrong.append(f"{name}: function {function}")
    assert wrong == []


@pytest.mark.parametrize(
    "name, content, right",
    [
        ("x.c", "#include <stdint.h>\n", False),
        ("x.c", "/* Says what. */\n", True),
        ("x.py", "import os\n", False),
        ("x.py", '#!/usr/bin/python\n"""Says what."""\n', True),
        ("x.sh", "#!/bin/bash\nset -e\n", False),
        ("x.sh", "#!/bin/bash\n# Says what.\n", True),
        ("x.rb", "# frozen_string_literal: true\n\n# Says what.\n", True),
        ("x.rb", "# frozen_string_literal: true\n\nmodule X\n", False),
    ],
)
def test_the_law_sees_missing_first_lines(name, content, right):
    assert describes_itself(name, content) is right


def test_the_law_sees_forbidden_words():
    assert forbidden_words("a\n/* " + "TO" + "DO: later */")
    assert forbidden_words('open("/ro' + 'ot/x")')
    assert forbidden_words("a method of the root; /tmp/x") == []
