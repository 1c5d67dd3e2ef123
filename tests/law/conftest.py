"""What the law tests look at: the files of the tree and the built core library."""

import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from tree import ROOT


@pytest.fixture(scope="session")
def core_library():
    """The static library of the core: PH_CORE_LIBRARY, else built here."""
    given = os.environ.get("PH_CORE_LIBRARY")
    if given:
        return pathlib.Path(given)
    script = "source tools/environment.sh; find_python; need_meson; " + (
        'configure "$BUILD/core-tests" -Dcore_tests=true -Dextension=false >&2; '
        'ninja -C "$BUILD/core-tests" >&2; echo "$BUILD/core-tests/core/libpackhorse_core.a"'
    )
    done = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.fail(f"the core does not build:\n{done.stdout}\n{done.stderr}")
    return pathlib.Path(done.stdout.splitlines()[-1])
