"""Fills docs/performance.md with the figures of a run: `bench/report.py [RESULT.json]`.

What stands between `<!-- bench: NAME -->` and `<!-- bench: end -->` is replaced: NAME is "machine", the
name of a group ("msgpack unpack"), "portable: " and a group, or "behind". Without an argument the
newest result under build/bench is taken. `--check` only says whether every mark can be filled.
"""

import argparse
import json
import pathlib
import re
import shutil

import table

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
CHART = ROOT / "docs" / "performance.svg"
MARK = re.compile(r"(<!-- bench: (?!end)(.+?) -->\n).*?(<!-- bench: end -->)", re.DOTALL)


def newest():
    found = sorted((ROOT / "build" / "bench").glob("*.json"), key=lambda file: file.stat().st_mtime)
    if not found:
        raise SystemExit("there is no result under build/bench: run make bench first")
    return found[-1]


def machine_lines(report):
    machine = report["machine"]
    peers = ", ".join(f"{name} {version}" for name, version in machine["peers"].items())
    path = "private layouts" if machine["fast_path"] else "public calls only"
    yield f"* {machine['date']}, {machine['processor']}, {machine['processors']} processors, {machine['system']}"
    yield f"* CPython {machine['python']}, {machine['python_compiler']}"
    yield f"* packhorse {machine['packhorse']} ({path}); {peers}"
    yield f"* documents: {machine['documents']}"
    yield from (f"* {remark}" for remark in report["remarks"])


def behind_lines(report):
    for subject in ("packhorse", "portable"):
        missed = list(table.misses(report["results"], report["machine"], subject))
        yield f"{subject}: {len(missed)} figures behind their goal or behind a peer."
        yield ""
        if missed:
            yield from ("* " + line.strip() for line in missed)
            yield ""


def section(report, name):
    """The Markdown lines for a mark."""
    if name == "machine":
        return list(machine_lines(report))
    if name == "behind":
        return list(behind_lines(report))
    subject, group = ("packhorse", name)
    if name.startswith("portable: "):
        subject, group = "portable", name.removeprefix("portable: ")
    members = [result for result in report["results"] if result["group"] == group]
    for caption, lines in table.tables(members, report["machine"], subject, table.markdown):
        details = caption.removeprefix(group).strip(" ()")
        return [*lines, "", details[0].upper() + details[1:] + "."]
    return ["Not measured in this run."]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", nargs="?", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    if chosen.check:
        open_marks = len(re.findall(r"<!-- bench: (?!end)", text))
        if open_marks == 0 or open_marks != len(MARK.findall(text)):
            raise SystemExit("a mark of docs/performance.md has no end")
        return
    source = chosen.result or newest()
    report = json.loads(source.read_text(encoding="utf-8"))
    filled = MARK.sub(
        lambda mark: mark[1] + "\n" + "\n".join(section(report, mark[2])) + "\n\n" + mark[3], text
    )
    PAGE.write_text(filled, encoding="utf-8")
    shutil.copyfile(source.with_suffix(".svg"), CHART)
    print(f"{PAGE.relative_to(ROOT)} and {CHART.relative_to(ROOT)} filled from {source}")


if __name__ == "__main__":
    main()
