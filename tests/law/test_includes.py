"""Arrows go one way: hosts -> tree -> json -> text -> base, tree -> wire -> base."""

import pytest
from includes import CORE_ARROWS, violations
from tree import ROOT, files, sources, text


def test_every_include_follows_the_arrows():
    found = [v for name in sources(endings=(".c", ".h")) for v in violations(name, text(name))]
    assert found == []


def test_the_core_has_only_the_folders_of_the_map():
    folders = {
        name.split("/")[1] for name in files() if name.startswith("core/") and name.count("/") > 1
    }
    assert folders <= set(CORE_ARROWS)
    assert not [n for n in files() if n.startswith("core/") and n.count("/") > 2], (
        "no folders in folders"
    )


def test_the_arrows_have_no_circle():
    done: set[str] = set()
    while len(done) < len(CORE_ARROWS):
        ready = {f for f, below in CORE_ARROWS.items() if below - {f} <= done} - done
        assert ready, "the folders left over include each other"
        done |= ready


@pytest.mark.parametrize(
    "name, line",
    [
        ("core/base/x.h", '#include "wire/cursor.h"'),
        ("core/wire/x.c", '#include "text/utf8.h"'),
        ("core/text/x.c", '# include "json/scan.h"'),
        ("core/tree/x.c", "#include <Python.h>"),
        ("core/base/x.c", "#include <stdio.h>"),
        ("core/base/x.c", "#include <stdlib.h>"),
        ("core/base/x.c", '#include "bytes.h"'),
        ("core/base/x.c", '#include "../base/bytes.h"'),
        ("cli/main.c", '#include "tree/document.h"'),
        ("include/packhorse.h", '#include "base/error.h"'),
        ("python/src/plan/x.c", "#include <Python.h>"),
        ("ruby/ext/packhorse/x.c", "#include <Python.h>"),
    ],
)
def test_the_law_sees_a_wrong_include(name, line):
    assert violations(name, "/* Planted. */\n" + line + "\n")


def test_the_law_lets_right_includes_pass():
    assert violations("core/tree/x.c", '#include "wire/cursor.h"\n#include <stdint.h>\n') == []
    assert (ROOT / "core").is_dir()
