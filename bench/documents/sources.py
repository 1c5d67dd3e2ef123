"""The documents that are measured: name -> function that makes the value.

A folder with the usual benchmark documents is used when it is there (BENCH_DATA, or shared/data
beside the project); its own generator then makes the synthetic ones. Without it, lookalikes.py makes
documents of the same shape and size, so that the benchmark needs nothing but this tree.
"""

import functools
import importlib.util
import json
import os
import pathlib

from . import lookalikes

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEFAULT_FOLDER = ROOT.parent / "shared" / "data"
FILES = {
    "twitter": "twitter.json",
    "citm": "citm_catalog.json",
    "canada": "canada.json",
    "github_events": "github_events.json",
}
# Name -> function of the folder's gen_data.py.
GENERATED = {
    "rows": "rows",
    "ints": "ints",
    "floats": "floats",
    "immediates": "seed_immediates",
    "small9": "small9",
    "small1": "small1",
}


def _read(path):
    return json.loads(path.read_bytes())


def _generator(folder):
    spec = importlib.util.spec_from_file_location("gen_data", folder / "gen_data.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def from_folder(folder):
    generator = _generator(folder)
    templates = _read(folder / "pr_templates.json")
    documents = {"pulls": lambda: generator.pulls(templates)}
    for name, file in FILES.items():
        documents[name] = functools.partial(_read, folder / file)
    for name, function in GENERATED.items():
        documents[name] = getattr(generator, function)
    return documents


def as_read(make):
    """The value as a program has it that has just read it: no object is shared, and they lie in
    memory in the order of the document. One that was put together piece by piece is slower to walk."""
    return lambda: json.loads(json.dumps(make()))


def documents(folder=None):
    """({name: function}, where they come from). `folder` "none": look-alikes in any case."""
    chosen = pathlib.Path(folder or os.environ.get("BENCH_DATA") or DEFAULT_FOLDER)
    found, source = lookalikes.DOCUMENTS, "generated look-alikes"
    if str(chosen) != "none" and (chosen / "gen_data.py").exists():
        found, source = from_folder(chosen), "the usual documents"
    elif folder and folder != "none":
        raise SystemExit(f"{folder} holds no benchmark documents (gen_data.py is missing)")
    return {name: as_read(make) for name, make in found.items()}, source
