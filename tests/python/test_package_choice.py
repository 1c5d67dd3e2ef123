"""Which implementation `import packhorse` takes, and what it says when the extension is missing."""

import os
import pathlib
import shutil
import subprocess
import sys

import packhorse
import pytest

PACKAGE = pathlib.Path(packhorse.__file__).parent


def run(folder, code, **environment):
    settings = {**os.environ, "PYTHONPATH": str(folder), "PACKHORSE_PURE": "", **environment}
    return subprocess.run(
        [sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=False
    )


@pytest.fixture
def without_extension(tmp_path):
    """A copy of the package that has no extension."""
    shutil.copytree(
        PACKAGE,
        tmp_path / "packhorse",
        ignore=lambda folder, names: [name for name in names if name.startswith("_core.")],
    )
    return tmp_path


SAY = "import packhorse; print(packhorse.build_info()['implementation'])"


def test_the_environment_asks_for_the_fallback():
    result = run(PACKAGE.parent, SAY, PACKHORSE_PURE="1")
    assert (result.stdout.strip(), result.stderr) == ("python", "")


def test_a_missing_extension_is_a_clear_error(without_extension):
    if sys.implementation.name != "cpython":
        pytest.skip("the fallback is what runs there")
    result = run(without_extension, SAY)
    assert "PACKHORSE_PURE=1" in result.stderr.splitlines()[-1]
    assert result.stdout == ""
    assert run(without_extension, SAY, PACKHORSE_PURE="1").stdout.strip() == "python"


def test_a_build_without_extension_says_so_itself(without_extension):
    mode = without_extension / "packhorse" / "_build_mode.py"
    mode.write_text(mode.read_text().replace("PURE = False", "PURE = True"))
    assert run(without_extension, SAY).stdout.strip() == "python"


def test_importing_needs_no_heavy_modules():
    code = "import sys; before = set(sys.modules); import packhorse; print(*(set(sys.modules) - before))"
    loaded = run(PACKAGE.parent, code, PACKHORSE_PURE="1").stdout.split()
    assert not {"typing", "asyncio", "inspect", "json", "datetime", "re"} & set(loaded)
