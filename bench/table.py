"""The results as text: one table a group, ratios with their goals, and what is not met."""

from judge import goals_for, not_met, verdicts

UNITS = {
    "ns": [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")],
    "bytes": [(1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B")],
    "ns/byte": [(1, "ns/B")],
}


def amount(value, unit):
    for size, name in UNITS[unit]:
        if value >= size or size == 1:
            return (
                f"{value / size:.3g} {name}"
                if value < size * 1000
                else f"{value / size:.0f} {name}"
            )
    raise ValueError(unit)


def cell(verdict):
    """`5.41 ✓5.04`: the ratio, whether it is enough, and the goal."""
    sign = "" if verdict.kind == "at_least" else "≤"
    if verdict.goal is None:
        return f"{verdict.ratio:.2f}" + ("" if verdict.met else " ✗1")
    mark = "✓" if verdict.met else "✗"
    return f"{verdict.ratio:.2f} {mark}{sign}{verdict.goal:.2f}"


def grouped(results):
    groups = {}
    for result in results:
        groups.setdefault(result["group"], []).append(result)
    return groups


def group_table(results, goals, subject):
    """(header, lines) of one group's table."""
    others = []
    for result in results:
        others += [name for name in result["values"] if name != subject and name not in others]
    if subject == "packhorse":
        others = [name for name in others if name != "portable"]
    lines = []
    for result in results:
        if subject not in result["values"]:
            continue
        cells = {verdict.other: cell(verdict) for verdict in verdicts(result, goals, subject)}
        own = amount(result["values"][subject]["best"], result["unit"])
        for verdict in verdicts(result, goals, subject):
            if verdict.kind == "absolute":
                limit = amount(verdict.goal, result["unit"])
                own += f" {'✓' if verdict.met else '✗'}≤{limit}"
        lines.append([result["row"], own] + [cells.get(other, "") for other in others])
    return ["", subject, *others], lines


def aligned(header, lines):
    widths = [max(len(line[i]) for line in [header, *lines]) for i in range(len(header))]
    for line in [header, *lines]:
        first = line[0].ljust(widths[0])
        yield "  ".join(
            [first] + [text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True)]
        )


def markdown(header, lines):
    yield "| " + " | ".join(header) + " |"
    yield "| --- |" + " ---: |" * (len(header) - 1)
    for line in lines:
        yield "| " + " | ".join(line) + " |"


def caption(group, results):
    rounds = [value["rounds"] for result in results for value in result["values"].values()]
    loads = [result["load"] for result in results]
    return f"{group} (best of {min(rounds)} to {max(rounds)}; load {min(loads)} to {max(loads)})"


def tables(results, machine, subject="packhorse", layout=aligned):
    """(caption, lines) of every group that the subject is in."""
    goals = goals_for(machine, subject)
    for group, members in grouped(results).items():
        header, lines = group_table(members, goals, subject)
        if lines:
            yield caption(group, members), list(layout(header, lines))


def misses(results, machine, subject="packhorse"):
    """A line for each goal that is not met, the farthest first."""

    def share(verdict):
        bar = verdict.goal or 1.0
        return verdict.ratio / bar if verdict.kind == "at_least" else bar / max(verdict.ratio, 1e-9)

    missed = sorted(not_met(results, machine, subject), key=lambda pair: share(pair[1]))
    for result, verdict in missed:
        bar = f"goal {verdict.goal:.2f}" if verdict.goal else "behind"
        yield (
            f"{share(verdict):5.0%}  {result['group']}: {result['row']}: {verdict.other}"
            f" {verdict.ratio:.2f} ({bar})"
        )
