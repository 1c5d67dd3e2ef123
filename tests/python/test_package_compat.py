"""packhorse.compat: Packhorse under the name msgpack, in a program, for a program, for its children."""

import os
import pathlib
import subprocess
import sys

import packhorse
import pytest

ROOT = str(pathlib.Path(packhorse.__file__).parent.parent)


def run(*arguments, pure=False, **environment):
    settings = {
        **os.environ,
        "PYTHONPATH": ROOT,
        "PACKHORSE_PURE": "1" if pure else "",
        **environment,
    }
    result = subprocess.run(
        [sys.executable, *arguments], env=settings, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def run_code(code, *arguments, options=(), **settings):
    return run(
        "-m", "packhorse.compat", "msgpack", *options, "--", "-c", code, *arguments, **settings
    )


def test_names_and_identities():
    code = """
import msgpack, msgpack.exceptions, msgpack.ext, packhorse
from msgpack import fallback
assert msgpack.OutOfData is msgpack.exceptions.OutOfData is packhorse.OutOfData
assert msgpack.ExtType is msgpack.ext.ExtType is packhorse.ExtType
assert issubclass(msgpack.Packer, packhorse.Packer)
assert msgpack.dumps is msgpack.packb and msgpack.load is msgpack.unpack
assert msgpack.unpackb(msgpack.Packer().pack([1])) == [1]
print(msgpack.version, msgpack.__version__)
print(msgpack.Packer.__module__, msgpack.fallback.Packer is msgpack.Packer)
"""
    version = "(1, 2, 4) 1.2.4"
    assert run_code(code, pure=True) == [version, "msgpack.fallback True"]
    if packhorse.build_info()["implementation"] == "c":
        assert run_code(code) == [version, "msgpack._cmsgpack False"]


def test_the_version_can_be_chosen():
    assert run_code("import msgpack; print(msgpack.version)", options=["--version", "1.2.1"]) == [
        "(1, 2, 1)"
    ]


@pytest.mark.parametrize("form", ["script", "module"])
def test_programs_see_their_own_arguments(tmp_path, form):
    program = tmp_path / "program_to_run.py"
    program.write_text(
        "import sys, msgpack; print(__name__, sys.argv[1:], sys.path[0], msgpack.version)"
    )
    arguments = [str(program)] if form == "script" else ["-m", "program_to_run"]
    path = os.pathsep.join([ROOT, str(tmp_path)])
    (line,) = run(
        "-m", "packhorse.compat", "msgpack", "--", *arguments, "-x", "1", PYTHONPATH=path
    )  # fmt: skip
    assert line.startswith("__main__ ['-x', '1']")
    assert line.endswith("(1, 2, 4)")
    if form == "script":
        assert str(tmp_path) in line


def test_children_get_it_too():
    code = """
import subprocess, sys
print(subprocess.check_output([sys.executable, "-c",
    "import msgpack.fallback; print(msgpack.version, msgpack.Packer.__mro__[1].__module__)"], text=True))
"""
    line = run_code(code, options=["--children", "--version", "1.2.1"])[0]
    assert line.startswith("(1, 2, 1) packhorse.")


def test_the_folder_works_on_its_own():
    (folder,) = run("-m", "packhorse.compat", "--folder")
    path = os.pathsep.join([folder, ROOT])
    code = "from msgpack.exceptions import OutOfData; import packhorse; print(OutOfData is packhorse.OutOfData)"
    assert run("-c", code, PYTHONPATH=path) == ["True"]
