"""The benchmark: Packhorse against its peers, all in one process and in turn.

`make bench` builds what is needed and calls this. It prints a table with the goals and writes
NAME.json and NAME.svg into the output folder. docs/performance.md says how it measures.
"""

import argparse
import importlib
import json
import os
import pathlib
import pickle
import platform
import sys
import time
import traceback

import chart
import floor.build
import judge
import measure
import peers
import processes
import rows
import streams
import table
from documents import sources, workloads

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ("msgpack", "json", "streaming", "paid", "processes")

# Rounds at least, seconds for all rows together, processes a library for fresh-process figures.
MODES = {"full": (50, 150, 15), "quick": (10, 40, 7), "smoke": (3, 0, 2)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_const", const="quick", dest="mode")
    parser.add_argument(
        "--smoke", action="store_const", const="smoke", dest="mode", help="only prove that it runs"
    )
    parser.add_argument("--seconds", type=float, help="time to spend on all rows together")
    parser.add_argument("--rounds", type=int, help="rounds of each row at least")
    parser.add_argument("--parts", default=",".join(PARTS), help="which of: " + ", ".join(PARTS))
    parser.add_argument("--rows", default="", help="only rows whose name begins with one of these")
    parser.add_argument("--data", help="folder of the documents; 'none' for look-alikes")
    parser.add_argument("--portable", help="folder with a package built on public calls only")
    parser.add_argument(
        "--strict", action="store_true", help="exit with 1 when a figure is behind its goal"
    )
    parser.add_argument("--output", default=str(ROOT / "build" / "bench"), help="folder")
    parser.set_defaults(mode="full")
    return parser.parse_args()


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def describe_machine(package, source):
    info = package.build_info()
    return {
        "processor": processor(),
        "processors": os.cpu_count(),
        "system": platform.system() + " " + platform.machine(),
        "python": platform.python_version(),
        "version": list(sys.version_info[:2]),
        "python_compiler": platform.python_compiler(),
        "packhorse": info["version"],
        "fast_path": bool(info["fast_path"]),
        "implementation": info["implementation"],
        "peers": peers.versions(),
        "documents": source,
        "date": time.strftime("%Y-%m-%d"),
    }


class Benchmark:
    """What a run needs to know, and the results so far."""

    def __init__(self, chosen):
        rounds, seconds, self.processes = MODES[chosen.mode]
        self.rounds = rounds if chosen.rounds is None else chosen.rounds
        self.seconds = seconds if chosen.seconds is None else chosen.seconds
        self.chosen = chosen
        self.output = pathlib.Path(chosen.output)
        self.output.mkdir(parents=True, exist_ok=True)
        self.package = importlib.import_module("packhorse")
        self.documents, source = sources.documents(chosen.data)
        if chosen.mode == "smoke":
            self.documents = {
                name: self.documents[name] for name in self.documents if name != "rows"
            }
        self.machine = describe_machine(self.package, source)
        self.portable = peers.load_package(chosen.portable) if chosen.portable else None
        self.floor = floor.build.load(self.output / "floor")
        self.results = []
        self.remarks = []

    def wanted(self, name):
        prefixes = [prefix for prefix in self.chosen.rows.split(",") if prefix]
        return not prefixes or any(name.startswith(prefix) for prefix in prefixes)

    def candidates(self, format_name):
        """(ours and the portable build if they have the format, the peers that are installed)."""
        found, absent = peers.peers(format_name)
        self.remarks += absent
        own = [peers.own("packhorse", self.package, format_name)]
        if self.portable is not None:
            own.append(peers.own("portable", self.portable, format_name))
        return [one for one in own if one is not None], found

    def isolated(self, work, *arguments):
        """Runs a part in a child process, so that the heap which one workload leaves behind does not
        decide where in memory the objects of the next one lie."""
        sys.stdout.flush()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.close(reading)
                self.results, self.remarks = [], []
                held = measure.warm_heap()
                work(*arguments)
                del held
                with os.fdopen(writing, "wb") as pipe:
                    pickle.dump((self.results, self.remarks), pipe)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            answer = pipe.read()
        if os.waitpid(child, 0)[1] != 0:
            raise SystemExit("a part of the benchmark failed")
        results, remarks = pickle.loads(answer)
        self.results += results
        self.remarks += remarks

    def run_row(self, row, share):
        result = measure.measure(row, self.seconds * share, self.rounds)
        if result is not None:
            self.results.append(result)
            own = result["values"].get("packhorse")
            shown = "-" if own is None else table.amount(own["best"], result["unit"])
            print(f"  {row.group}: {row.name}: {shown}", file=sys.stderr, flush=True)

    def run_format(self, format_name):
        own, found = self.candidates(format_name)
        if not own:
            self.remarks.append(f"packhorse.{format_name} can not be imported: not measured")
            return
        everyone = own + list(found.values())
        extra = workloads.MSGPACK_ONLY if format_name == "msgpack" else workloads.JSON_ONLY
        cases = [(name, self.documents.get(name)) for name in rows.DOCUMENTS + rows.MESSAGES]
        cases += [*workloads.BOTH_FORMATS.items(), *extra.items()]
        cases = [(name, make) for name, make in cases if make and self.wanted(name)]
        for name, make in cases:
            self.isolated(self.run_case, format_name, name, make, everyone, 0.35 / len(cases) / 2)
        for name in ("twitter", "short strings, Japanese"):
            make = self.documents.get(name) or workloads.BOTH_FORMATS[name]
            if self.wanted(name):
                self.isolated(self.run_fresh, format_name, name, make, everyone)

    def run_case(self, format_name, name, make, everyone, share):
        """Both directions of one workload."""
        values = make() if name in rows.MESSAGES else [make()]
        # Keys found nowhere else have to be made, which no plan can do beforehand.
        plan = None if name == "unique keys" else self.floor.Plan
        reference = self.reference(everyone)
        for row in rows.document_rows(format_name, name, values, everyone, reference, plan):
            self.run_row(row, share)

    def run_fresh(self, format_name, name, make, everyone):
        group = "msgpack pack" if format_name == "msgpack" else "json encode"
        reference = self.reference(everyone)
        self.run_row(rows.fresh_row(group, name, make(), everyone, reference), 0.01)

    @staticmethod
    def reference(everyone):
        """The candidate whose form is the input of all: msgpack, or msgspec for JSON."""
        known = {candidate.name: candidate for candidate in everyone}
        return known.get("msgpack") or known.get("msgspec") or everyone[0]

    def run_json_format(self):
        own, found = self.candidates("json")
        if not own or not hasattr(own[0].module, "format") or not self.wanted("pulls"):
            return
        document = own[0].pack(self.documents["pulls"]())
        formatters = {one.name: one.module.format for one in own}
        if "msgspec" in found:
            formatters["msgspec"] = importlib.import_module("msgspec.json").format
        for name, indent in (("pulls, minified to minified", -1), ("pulls, minified to pretty", 2)):
            tasks = {
                peer: measure.Task(lambda text, f=function, n=indent: f(text, indent=n), [document])
                for peer, function in formatters.items()
            }
            row = measure.Row("json format", name, tasks, per=len(document), unit="ns/byte")
            self.run_row(row, 0.02)

    def run_streams(self):
        own, found = self.candidates("msgpack")
        others = [found[name] for name in ("msgpack",) if name in found]
        portable = own[1] if len(own) > 1 else None
        for row in streams.streaming_rows(self.documents, own[0], others, portable):
            if self.wanted(row.name):
                self.run_row(row, 0.02)
        if self.wanted("50,000 pairs"):
            for row in streams.tuple_rows(workloads.pairs(), own[0], others):
                self.run_row(row, 0.02)

    def run_paid(self):
        own, found = self.candidates("msgpack")
        for row in streams.collection_paid_rows(self.documents, own[0], found.values()):
            if self.wanted(row.name):
                self.run_row(row, 0.03)

    def run_processes(self):
        own, found = self.candidates("msgpack")
        file = self.output / "pulls.msgpack"
        file.write_bytes(own[0].pack(self.documents["pulls"]()))
        modules = ["packhorse", *found]
        for result in processes.process_results(modules, file, self.processes):
            self.results.append(result)

    def run(self):
        parts = self.chosen.parts.split(",")
        if "msgpack" in parts:
            self.run_format("msgpack")
        if "json" in parts:
            self.run_format("json")
            self.isolated(self.run_json_format)
        if "streaming" in parts:
            self.isolated(self.run_streams)
        if "paid" in parts:
            self.isolated(self.run_paid)
        if "processes" in parts:
            self.run_processes()

    def report(self):
        return {
            "machine": self.machine,
            "mode": self.chosen.mode,
            "remarks": sorted(set(self.remarks)),
            "results": self.results,
        }


def print_report(report):
    machine = report["machine"]
    print(f"\nCPython {machine['python']} ({machine['python_compiler']}), {machine['processor']}")
    versions = ", ".join(f"{name} {version}" for name, version in machine["peers"].items())
    print(f"packhorse {machine['packhorse']}, fast path {machine['fast_path']}; {versions}")
    print(f"documents: {machine['documents']}")
    print(
        "Ratios: how many times faster than the peer (✓ or ✗ and the goal), or how many times the"
    )
    print("time of the floor or of one call (≤ the goal).")
    for subject in ("packhorse", "portable"):
        for caption, lines in table.tables(report["results"], machine, subject):
            print(f"\n{caption}" + (" - public calls only" if subject == "portable" else ""))
            print("\n".join(lines))
    for result in report["results"]:
        for note in result["notes"]:
            print(f"note: {result['group']}: {result['row']}: {note}")
    for remark in report["remarks"]:
        print(f"note: {remark}")
    for subject in ("packhorse", "portable"):
        missed = list(table.misses(report["results"], machine, subject))
        print(f"\n{subject}: {len(missed)} figures behind their goal or behind a peer")
        print("\n".join(missed))


def main():
    chosen = arguments()
    benchmark = Benchmark(chosen)
    benchmark.run()
    report = benchmark.report()
    path = "fast" if report["machine"]["fast_path"] else "portable"
    name = f"cpython-{platform.python_version()}-{path}"
    (benchmark.output / f"{name}.json").write_text(json.dumps(report, indent=1, ensure_ascii=False))
    (benchmark.output / f"{name}.svg").write_text(chart.draw(report), encoding="utf-8")
    print_report(report)
    print(f"\nwritten: {benchmark.output / name}.json and .svg")
    if chosen.strict and judge.not_met(report["results"], report["machine"]):
        sys.exit(1)


if __name__ == "__main__":
    main()
