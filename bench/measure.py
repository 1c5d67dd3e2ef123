"""Interleaved measuring: in each round every candidate takes its turn, in any order; CPU time.

A machine that is busy, or changes its clock, does so to all candidates alike, so the ratios of one
measurement hold where its times do not.
"""

import dataclasses
import gc
import os
import random
import statistics
import time

# One sample takes at least this long, so that reading the clock does not count.
SHORTEST_SAMPLE = 200_000  # nanoseconds

# A candidate this many times slower than the fastest is measured in one round of five: `json`,
# which nobody has to be compared with to the percent, would take half of the time.
SLOW = 8


@dataclasses.dataclass
class Task:
    """What one candidate does in a row: `function` on each of `arguments`, in turn. `renew`, if there
    is one, makes new arguments before each pass, which is not timed."""

    function: object
    arguments: list
    renew: object = None

    def time(self, times):
        """Nanoseconds of CPU time for `times` passes over the arguments."""
        function, arguments = self.function, self.arguments
        if self.renew is not None:
            arguments = [one for _ in range(times) for one in self.renew()]
        elif times > 1:
            arguments = arguments * times
        start = time.thread_time_ns()
        for argument in arguments:
            function(argument)
        return time.thread_time_ns() - start


@dataclasses.dataclass
class Row:
    """One line of the table. Times are divided by `per`: the messages or bytes of one pass."""

    group: str
    name: str
    tasks: dict
    per: int = 1
    unit: str = "ns"
    notes: list = dataclasses.field(default_factory=list)

    def as_result(self, values):
        return {
            "group": self.group,
            "row": self.name,
            "unit": self.unit,
            "load": round(os.getloadavg()[0], 2),
            "notes": self.notes,
            "values": values,
        }


def summary(samples, scale=1.0):
    return {
        "best": min(samples) * scale,
        "median": statistics.median(samples) * scale,
        "rounds": len(samples),
    }


def warm_heap(megabytes=160):
    """Objects to hold while measuring, thinly spread over that much memory. CPython gives memory back
    to the system in pieces of a megabyte as soon as one is empty. In a young process, which holds
    nothing else, each decoding would then fault in all its pages anew; in one that has run
    for a while something lives in each piece, as here."""
    blocks = [bytes(400) for _ in range(megabytes * 2_300)]
    return blocks[::1_000]


def drop_failing(row):
    """Runs every task once; one that raises leaves the row with a note."""
    for name, task in list(row.tasks.items()):
        try:
            task.time(1)
        except Exception as error:  # any refusal of any peer is worth a note, not the end
            reason = str(error).splitlines()[0][:70] if str(error) else ""
            row.notes.append(f"{name}: {type(error).__name__}: {reason}")
            del row.tasks[name]


def measure(row, seconds, rounds):
    """At least `rounds` rounds, more while `seconds` last; `row.name` seeds their order. The collector stays on, as users have it;
    what the benchmark itself holds is set aside, so that it is not walked in every collection."""
    drop_failing(row)
    if not row.tasks:
        return None
    gc.collect()
    gc.freeze()
    try:
        once = {name: min(task.time(1), task.time(1)) for name, task in row.tasks.items()}
        fastest = max(min(once.values()), 1)
        times = max(1, SHORTEST_SAMPLE // fastest)
        names = list(row.tasks)
        samples = {name: [] for name in names}
        order = random.Random(row.name)
        end = time.monotonic() + seconds
        done = 0
        while done < rounds or time.monotonic() < end:
            order.shuffle(names)
            for name in names:
                if once[name] > SLOW * fastest and done % 5:
                    continue
                samples[name].append(row.tasks[name].time(times))
            done += 1
    finally:
        gc.unfreeze()
    return row.as_result(
        {name: summary(taken, 1 / (times * row.per)) for name, taken in samples.items()}
    )
