"""What the compiled code may call, hold and export. Reads the objects with binutils."""

import pathlib
import platform
import re
import shutil
import subprocess
import sysconfig

import pytest
from tree import ROOT

# The C library's part of the core: moving and comparing memory. The rest is the compiler's own.
ALLOWED_CALLS = {"memchr", "memcmp", "memcpy", "memmove", "memset", "strlen"}
COMPILER_SYMBOLS = re.compile(
    r"_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__cpu_model|__cpu_indicator_init|__cpu_features2"
    r"|__(add|sub|mul|div|fix|float|ext|trunc|u?mod|ashl|lshr|ashr|clz|ctz|popcount|bswap|multi)\w*[0-9]"
)


def run(*command):
    if shutil.which(command[0]) is None:
        pytest.fail(f"{command[0]} (binutils) is needed")
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def symbols(library):
    """(kind, name) of each symbol of each object."""
    for line in run("nm", str(library)).splitlines():
        match = re.fullmatch(r"[0-9a-f]*\s+(\w) (\S+)", line.strip()) or re.fullmatch(
            r"\s*(\w) (\S+)", line
        )
        if match:
            yield match.group(1), match.group(2)


def wrong_calls(library):
    all_symbols = list(symbols(library))
    defined = {name for kind, name in all_symbols if kind != "U"}
    called = {name for kind, name in all_symbols if kind == "U"}
    return sorted(n for n in called - defined - ALLOWED_CALLS if not COMPILER_SYMBOLS.fullmatch(n))


def writable_sections(library):
    """Sections of a non-zero size that a process could write to, as object: section."""
    found, current = [], ""
    for line in run("readelf", "-SW", str(library)).splitlines():
        if line.startswith("File:"):
            current = line.split()[-1]
        match = re.match(
            r"\s*\[\s*\d+\]\s+(\.\S+)\s+\S+\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)", line
        )
        if not match or int(match.group(2), 16) == 0:
            continue
        section = match.group(1)
        # Relocated constants are read-only once loaded.
        if re.match(r"\.(data|bss|tdata|tbss)", section) and not section.startswith(".data.rel.ro"):
            found.append(f"{current}: {section}")
    return found


def test_the_core_calls_nothing_but_memory_functions(core_library):
    assert wrong_calls(core_library) == []


def test_the_core_has_no_writable_globals(core_library):
    assert writable_sections(core_library) == []


def test_every_symbol_of_the_core_is_prefixed(core_library):
    shared = {name for kind, name in symbols(core_library) if kind in "TDBRVWC"}
    assert len(shared) > 5, "the library is not what it should be"
    assert sorted(name for name in shared if not name.startswith("ph_")) == []


@pytest.mark.parametrize(
    "code, finder",
    [
        ("void *malloc(unsigned long); void *f(void) { return malloc(1); }", wrong_calls),
        ('int printf(const char *, ...); void f(void) { printf("x"); }', wrong_calls),
        ("int counter; int *f(void) { return &counter; }", writable_sections),
        ("int f(void) { static int calls = 1; return calls++; }", writable_sections),
        ("int f(void) { static _Thread_local int calls; return calls++; }", writable_sections),
    ],
)
def test_the_law_sees_planted_code(tmp_path, code, finder):
    (tmp_path / "planted.c").write_text(code)
    subprocess.run(["cc", "-c", "-O1", "-fPIC", "planted.c"], cwd=tmp_path, check=True)
    assert finder(tmp_path / "planted.o")


@pytest.mark.skipif(platform.python_implementation() != "CPython", reason="no extension on PyPy")
def test_the_extension_exports_its_init_function_only():
    tag = sysconfig.get_config_var("EXT_SUFFIX")
    extension = pathlib.Path(ROOT / "python" / "packhorse" / f"_core{tag}")
    assert extension.exists(), "run `make inplace` first"
    listed = run("nm", "-D", "--defined-only", str(extension)).splitlines()
    exported = {line.split()[-1].split("@")[0] for line in listed}
    assert exported - {"_init", "_fini"} == {"PyInit__core"}
