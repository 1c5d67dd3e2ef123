"""Builds packhorse_floor, the extension module beside this file, for the running interpreter."""

import hashlib
import importlib.util
import os
import pathlib
import shlex
import subprocess
import sysconfig

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def sources():
    """Its own files, and those of the project that make objects."""
    own = sorted((ROOT / "bench" / "floor").glob("*.c"))
    python = ROOT / "python" / "src"
    layouts = [python / f"cpython_{name}.c" for name in ("build", "young")]
    objects = [*layouts, python / "fast_path.c", python / "objects" / "objects.c"]
    return own + objects + sorted((ROOT / "core" / "text").glob("*.c"))


def fingerprint(command):
    """Changes with the command and with any source or header."""
    digest = hashlib.sha256(" ".join(command).encode())
    for folder in ("bench/floor", "core", "python/src"):
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def build(folder, portable=False):
    """The path of the built module in `folder`, which is made if it is missing."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    module = folder / ("packhorse_floor" + sysconfig.get_config_var("EXT_SUFFIX"))
    command = shlex.split(os.environ.get("CC", "cc"))
    command += ["-std=c11", "-O3", "-DNDEBUG", "-shared", "-fPIC", "-fvisibility=hidden", "-w"]
    command += ["-DPH_PORTABLE=1"] if portable else []
    command += [f"-I{ROOT / 'core'}", f"-I{ROOT / 'python' / 'src'}"]
    command += [f"-I{sysconfig.get_path('include')}", f"-I{sysconfig.get_path('platinclude')}"]
    command += [str(path) for path in sources()] + ["-o", str(module)]
    stamp = module.with_suffix(".stamp")
    wanted = fingerprint(command)
    if not module.exists() or not stamp.exists() or stamp.read_text() != wanted:
        subprocess.run(command, check=True)
        stamp.write_text(wanted)
    return module


def load(folder):
    """The module, built in `folder` first where that is needed."""
    spec = importlib.util.spec_from_file_location("packhorse_floor", build(folder))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
