"""Runs child.py for each library in turn, many times: imports, first decodings, memory."""

import os
import pathlib
import subprocess
import sys

from measure import Row, summary

CHILD = pathlib.Path(__file__).with_name("child.py")


def run_child(what, module, file=None):
    command = [sys.executable, str(CHILD), what, module] + ([str(file)] if file else [])
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[2:])}: {done.stderr.strip().splitlines()[-1:]}")
    return int(done.stdout)


def measure(group, name, what, modules, rounds, file=None, unit="ns"):
    """One row; the modules take turns. A module whose process fails is left out with a note."""
    row = Row(group, name, {}, unit=unit)
    samples = {module: [] for module in modules}
    for _ in range(rounds):
        for module in list(samples):
            try:
                samples[module].append(run_child(what, module, file))
            except RuntimeError as error:
                row.notes.append(f"{module}: {error}"[:150])
                del samples[module]
    return row.as_result({module: summary(taken) for module, taken in samples.items() if taken})


def process_results(modules, file, rounds):
    """All rows; `file` holds the packed pulls, `rounds` the number of processes for each time."""
    memory_rounds = min(rounds, 5)
    streaming = [module for module in modules if module in ("packhorse", "msgpack")]
    yield measure("import", "import of the package", "import", modules, rounds)
    group = "msgpack unpack, first in a fresh process"
    yield measure(group, "pulls", "first", modules, rounds, file)
    for name, what in (
        ("pulls decoded, result held", "held"),
        ("decoding pulls, at the highest", "peak"),
        ("pulls decoded, result dropped", "left"),
        ("packing pulls, at the highest", "packing"),
    ):
        yield measure("memory", name, what, modules, memory_rounds, file, "bytes")
    yield measure("memory", "an idle Unpacker", "idle", streaming, 1, unit="bytes")
    yield measure(
        "memory", "an Unpacker after 5 MB", "drained", streaming, memory_rounds, file, "bytes"
    )
