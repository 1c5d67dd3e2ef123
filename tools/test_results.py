"""Reads a file of test results, JUnit's (pytest, meson) or RSpec's JSON, for the summaries of make test and make matrix.

`counts FILE` prints one line: how many passed, failed and were skipped.
`skips FILE` prints the reasons for skips, one a line, with how many tests each holds.
"""

import ast
import collections
import json
import sys
import xml.etree.ElementTree as ElementTree

NO_REASON = "no reason given"


def read_junit(path: str) -> tuple[dict[str, int], list[str]]:
    root = ElementTree.parse(path)
    counts = collections.Counter[str]()
    for suite in root.iter("testsuite"):
        failed = int(suite.get("failures") or 0) + int(suite.get("errors") or 0)
        skipped = int(suite.get("skipped") or 0)
        counts["failed"] += failed
        counts["skipped"] += skipped
        counts["passed"] += int(suite.get("tests") or 0) - failed - skipped
    return counts, [reason_of(skip) for skip in root.iter("skipped")]


def reason_of(skip: ElementTree.Element) -> str:
    """Of a file that is left out as a whole pytest gives the reason behind the file and the line only."""
    message = skip.get("message") or NO_REASON
    if message == "collection skipped" and skip.text:
        reason: str = ast.literal_eval(skip.text)[2]
        message = "a whole file: " + reason.removeprefix("Skipped: ")
    return message


def read_rspec(path: str) -> tuple[dict[str, int], list[str]]:
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    summary = results["summary"]
    failed, skipped = summary["failure_count"], summary["pending_count"]
    counts = {
        "failed": failed + summary["errors_outside_of_examples_count"],
        "skipped": skipped,
        "passed": summary["example_count"] - failed - skipped,
    }
    reasons = [example.get("pending_message") for example in results["examples"]]
    return counts, [reason for reason in reasons if reason]


def main() -> None:
    command, path = sys.argv[1:]
    counts, reasons = read_rspec(path) if path.endswith(".json") else read_junit(path)
    if command == "counts":
        print(", ".join(f"{counts[kind]} {kind}" for kind in ("passed", "failed", "skipped")))
    elif command == "skips":
        for reason, count in collections.Counter(reasons).most_common():
            print(f"{count} skipped: {reason}")
    else:
        sys.exit(f"unknown: {command} (counts or skips)")


main()
