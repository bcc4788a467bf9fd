#!/usr/bin/env python3
"""Which heavy suite .ci/run takes next.

usage: schedule.py next RECORD SEED MINUTES [DONE...]   the next suite that fits in MINUTES: "NAME MINUTES ARGUMENT...",
                                                        or nothing; DONE have had their turn in this run
       schedule.py left RECORD SEED [DONE...]           a line for each other suite: since when it is due
       schedule.py ran  RECORD [NAME...]                notes a run of .ci/run, in which these suites were run

The suite that has waited longest goes first, so that each has its turn within a few runs, however many commits lie
between them. RECORD is a file on the machine that runs .ci/run. Where a machine has none, all suites have waited
equally long, and their order is a hash of SEED, the commit: no number of commits between two runs skips a suite for
good, as a remainder would.
"""
import hashlib
import pathlib
import sys
from typing import NamedTuple


class Suite(NamedTuple):
    name: str
    minutes: int  # on two slow cores, with an empty compiler cache
    arguments: str = ""  # {k} counts its runs, {left} is what is left of the time, in minutes
    slices: int = 1


# What takes hours runs in slices, another one each time. Before a release: ./test NAME, in full.
SUITES = (
    Suite("aarch64", 30),
    Suite("clang", 10),
    Suite("embed", 14),
    Suite("howto", 24),
    Suite("fuzzing", 9, "30"),
    Suite("wide", 4),
    Suite("programs", 3, "60000"),
    Suite("exhaustive", 3, "--slice {k}/64", 64),
    Suite("exhaustive-unary", 4, "--slice {k}/256", 256),
    Suite("mutants", 14, "--share={k}/6 --minutes={left}", 6),
)
# Red or not shown: said in every summary, and back in the list above (with about 20 minutes) when it is green.
RED = {}
NEVER = 1 << 30


class Record(NamedTuple):
    """Per suite: how many runs of .ci/run ago it was run (1: in the last one), and how often it was run."""
    ages: dict
    counts: dict

    @staticmethod
    def parse(text):
        ages, counts = {}, {}
        for line in text.splitlines():
            words = line.split()
            if len(words) == 3 and words[1].isdecimal() and words[2].isdecimal():
                ages[words[0]], counts[words[0]] = int(words[1]), int(words[2])
        return Record(ages, counts)

    def after(self, names):
        ages = {name: age + 1 for name, age in self.ages.items()} | {name: 1 for name in names}
        return Record(ages, self.counts | {name: self.counts.get(name, 0) + 1 for name in names})

    def text(self):
        return "".join(f"{name} {age} {self.counts.get(name, 0)}\n" for name, age in sorted(self.ages.items()))


def mixed(seed, name):
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:8], "big")


def order(record, seed, done=()):
    """The suites that have not had their turn, the one that has waited longest first."""
    waiting = [suite for suite in SUITES if suite.name not in done]
    # What takes long finds a place only near the beginning.
    return sorted(waiting, key=lambda suite: (-record.ages.get(suite.name, NEVER), mixed(seed, suite.name) / suite.minutes))


def next_suite(record, seed, minutes, done=()):
    return next((suite for suite in order(record, seed, done) if suite.minutes <= minutes), None)


def arguments(suite, record, seed, minutes):
    k = record.counts.get(suite.name, mixed(seed, suite.name)) % (suite.slices if suite.name != "mutants" else NEVER)
    return suite.arguments.format(k=k, left=max(minutes - 5, 1))


def left_out(record, seed, done):
    for suite in order(record, seed, done):
        age = record.ages.get(suite.name)
        since = "not run on this machine's record" if age is None else f"last run {age} run{'s' * (age > 1)} ago"
        yield f"{suite.name:<16} left out, due: {since}; needs {suite.minutes} min"
    for name, reason in RED.items():  # said each time
        yield f"{name:<16} LEFT OUT, RED: {reason}"


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("next", "left", "ran"):
        sys.exit(__doc__.split("\n\n")[1])
    action, path, rest = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    record = Record.parse(path.read_text() if path.is_file() else "")
    if action == "ran":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(record.after(rest).text())
    elif action == "left":
        print("\n".join(left_out(record, rest[0], rest[1:])))
    else:
        seed, minutes, done = rest[0], int(rest[1]), rest[2:]
        if suite := next_suite(record, seed, minutes, done):
            print(suite.name, suite.minutes, arguments(suite, record, seed, minutes))


if __name__ == "__main__":
    main()
