"""Compares measured ratios with the goals of goals.toml."""

import dataclasses
import pathlib
import tomllib

GOALS = pathlib.Path(__file__).with_name("goals.toml")
# Groups where being behind a peer is information, not a failure.
NOT_RACED = {"import", "memory"}
# Two runs of the same code differ by up to this much, so nobody is behind by less.
EVEN = 0.98
NOT_PEERS = {"packhorse", "portable", "floor", "public floor", "one call", "one call each", "base"}


@dataclasses.dataclass
class Verdict:
    """`ratio` is how many times faster than `other` ("at_least"), or how many times its time
    ("at_most"), or a bare value ("absolute"). `goal` None: only that no peer is ahead."""

    other: str
    kind: str
    ratio: float
    goal: float | None
    met: bool


def load_goals():
    with open(GOALS, "rb") as file:
        return tomllib.load(file)


def goals_for(machine, subject):
    """The part of the goals that holds for this interpreter and path."""
    goals = load_goals()
    if subject == "portable" or not machine["fast_path"]:
        return goals["portable"]
    if machine["version"] < [3, 14]:
        always = ("import", "memory", "streaming", "json format")
        return goals["older"] | {name: goals[name] for name in always}
    return goals


def relaxed(goals, group, name):
    """(at_least, at_most) of a row, with the factor applied."""
    table = goals.get(group, {})
    factor = table.get("factor", goals.get("factor", 1.0))
    row = table.get(name, {})
    at_least = {other: figure * factor for other, figure in row.get("at_least", {}).items()}
    at_most = {other: figure / factor for other, figure in row.get("at_most", {}).items()}
    return at_least, at_most


def verdicts(result, goals, subject="packhorse"):
    """One verdict for each candidate beside the subject, in the order measured."""
    values = result["values"]
    if subject not in values:
        return []
    own = values[subject]["best"]
    at_least, at_most = relaxed(goals, result["group"], result["row"])
    found = []
    for other, value in values.items():
        if other == subject:
            continue
        if other in NOT_PEERS:
            goal = at_most.get(other)
            ratio = own / value["best"] if value["best"] else 0.0
            found.append(Verdict(other, "at_most", ratio, goal, goal is None or ratio <= goal))
        else:
            goal = at_least.get(other)
            ratio = value["best"] / own if own > 0 else float("inf")
            bar = goal or 0.0 if result["group"] in NOT_RACED else max(goal or 0.0, EVEN)
            found.append(Verdict(other, "at_least", ratio, goal, ratio >= bar))
    if "absolute" in at_most:
        limit = at_most["absolute"]
        found.append(Verdict("absolute", "absolute", own, limit, own <= limit))
    return found


def not_met(results, machine, subject="packhorse"):
    """[(result, verdict)] of all that is behind a goal or behind a peer."""
    goals = goals_for(machine, subject)
    return [
        (result, verdict)
        for result in results
        for verdict in verdicts(result, goals, subject)
        if not verdict.met
    ]
