"""Compares the working tree with another commit: `bench/compare.py BASE [--rows pulls,small]`.

Both are built under build/ for the running interpreter and measured in turn in one process, so that a
change of a percent can be told from the weather. The commit's files come from `git archive`; the
working tree and its index are not touched.
"""

import argparse
import io
import os
import pathlib
import subprocess
import sys
import tarfile

import measure
import peers
import rows
import table
from documents import sources, workloads

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("PACKHORSE_BUILD", ROOT / "build"))
BUILD = BUILD if BUILD.is_absolute() else ROOT / BUILD


def git(*words):
    command = ["git", "-c", "safe.directory=*", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout


def files_of(commit):
    """The folder with that commit's files, unpacked if it is not there yet."""
    folder = BUILD / "compare" / commit
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(fileobj=io.BytesIO(git("archive", commit))) as archive:
            archive.extractall(folder, filter="data")
    return folder


def built(name, source, options):
    """The folder with a package built from `source`."""
    environment = {**os.environ, "PYTHON": sys.executable}
    command = [str(ROOT / "tools" / "build_variant.sh"), name, str(source), *options]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()[-1]


def cases(documents, prefixes, formats):
    """(format, name, values) of the chosen rows."""
    for format_name in formats:
        extra = workloads.MSGPACK_ONLY if format_name == "msgpack" else workloads.JSON_ONLY
        makers = {name: documents[name] for name in rows.DOCUMENTS + rows.MESSAGES}
        makers |= workloads.BOTH_FORMATS | extra
        for name, make in makers.items():
            if not prefixes or any(name.startswith(prefix) for prefix in prefixes):
                yield format_name, name, make() if name in rows.MESSAGES else [make()]


def show(results):
    """Times, and how many times as fast as the base: by the best and by the median round."""
    lines = []
    for result in results:
        new, base = result["values"]["packhorse"], result["values"]["base"]
        lines.append(
            [
                f"{result['group']}: {result['row']}",
                table.amount(base["best"], result["unit"]),
                table.amount(new["best"], result["unit"]),
                f"{base['best'] / new['best']:.3f}",
                f"{base['median'] / new['median']:.3f}",
            ]
        )
    print("\n".join(table.aligned(["", "base", "now", "by best", "by median"], lines)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="a commit")
    parser.add_argument("--rows", default="", help="only rows whose name begins with one of these")
    parser.add_argument("--formats", default="msgpack,json")
    parser.add_argument("--seconds", type=float, default=60, help="for all rows together")
    parser.add_argument("--rounds", type=int, default=20, help="of each row at least")
    parser.add_argument("--data", help="folder of the documents; 'none' for look-alikes")
    parser.add_argument("--options", default="", help="of meson, for both builds")
    chosen = parser.parse_args()

    commit = git("rev-parse", "--short", chosen.base + "^{commit}").decode().strip()
    options = chosen.options.split()
    packages = {
        "base": peers.load_package(built("base", files_of(commit), options)),
        "packhorse": peers.load_package(built("now", ROOT, options)),
    }
    documents, source = sources.documents(chosen.data)
    print(f"now against {commit}; {source}; load {os.getloadavg()[0]:.1f}")
    prefixes = [prefix for prefix in chosen.rows.split(",") if prefix]
    chosen_cases = list(cases(documents, prefixes, chosen.formats.split(",")))
    results = []
    for format_name, name, values in chosen_cases:
        both = [peers.own(label, module, format_name) for label, module in packages.items()]
        if None in both:
            continue
        for row in rows.document_rows(format_name, name, values, both, both[0]):
            share = chosen.seconds / len(chosen_cases) / 2
            results.append(measure.measure(row, share, chosen.rounds))
    show([result for result in results if result and len(result["values"]) == 2])


if __name__ == "__main__":
    main()
