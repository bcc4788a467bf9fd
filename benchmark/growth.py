"""How cost grows: with the size, with the rank, and in memory beside operands and result."""
import copy
import dataclasses
import json
import math
import os
import pathlib
import subprocess
import sys

import numpy as np

import measure
from cases import Arrays, Case, View, line
from claims import Judged, at_most
from stats import ratio, rotated, spread

CLIFF = at_most("rise per doubling", 1.3)
RANK = at_most("rank n / rank 1", 1.2)
MEMORY = at_most("MiB per thread", 1.0)
RANK_COUNT = 1 << 16


def available_bytes():
    text = pathlib.Path("/proc/meminfo").read_text(encoding="utf-8")
    return int(text.split("MemAvailable:")[1].split()[0]) * 1024


def doublings(largest):
    """1, 2, 4, … as far as `largest` and the memory allow (three fp32 arrays, and as much again left free)."""
    fits = available_bytes() // (12 * 2)
    return [1 << k for k in range(int(math.log2(min(largest, fits))) + 1)]


def rises(timer, largest):
    """For each neighbouring pair of sizes: (size, ours' rise of the time per element, the limit's)."""
    sizes = doublings(largest)
    found = []
    arrays = {n: Arrays(line("div", "fp32", n)) for n in sizes[:1]}
    for small, large in zip(sizes, sizes[1:]):
        arrays = {small: arrays[small], large: Arrays(line("div", "fp32", large))}
        runners = {}
        for n in (small, large):
            runners["ours", n] = timer.field.runner("ours", arrays[n])
            runners["limit", n], _ = timer.fastest_limit(arrays[n], 1)
        runners["divider", 0], _ = timer.divider("fp32")
        times = interleaved(timer.effort, runners)
        divider = times.pop(("divider", 0))
        for n in (small, large):  # in the first caches it is the divider that sets the pace
            runners["ours", n].close()
            runners["limit", n].close()
            times["limit", n] = [max(m, d * n / 1024) for m, d in zip(times["limit", n], divider)]
        rise = {who: [y / x / 2 for x, y in zip(times[who, small], times[who, large])] for who in ("ours", "limit")}
        found.append({"count": large, "ns": spread(times["ours", large]).median / large, **spreads(**rise)})
    return found


def spreads(ours, limit):
    """Of the rises round by round: ours, the limit's, and what of ours the limit does not have itself."""
    own = [o / max(1.0, l) for o, l in zip(ours, limit)]
    return {"ours": spread(ours), "limit": spread(limit), "own": spread(own)}


def interleaved(effort, runners):
    calls = {name: measure.calls_for(runner, effort.batch_ns) for name, runner in runners.items()}
    times = {name: [] for name in runners}
    for number in range(max(3, effort.rounds)):
        for name in rotated(runners, number):
            times[name].append(measure.undisturbed(runners[name], calls[name]) / calls[name])
        if number >= 2 and sum(map(sum, times.values())) > effort.case_seconds * 1e9:
            break
    return times


def judged_rises(found):
    """The largest rise that the limit does not have itself, and where."""
    worst = max(found, key=lambda one: one["own"].median)
    steepest = max(found, key=lambda one: one["ours"].median)
    return Judged(CLIFF, CLIFF.verdict(worst["own"].median), worst["own"],
                  f"{worst['count']} (ours {worst['ours'].median:.3g}, the limit {worst['limit'].median:.3g}; "
                  f"steepest of all {steepest['ours'].median:.3g} at {steepest['count']}, "
                  f"the limit {steepest['limit'].median:.3g})")


def of_rank(rank):
    """RANK_COUNT elements in `rank` dimensions."""
    power = int(math.log2(RANK_COUNT))
    shape = tuple(1 << (power // rank + (i < power % rank)) for i in range(rank))
    return Case("div", "fp32", View(shape), View(shape), shapes=f"rank {rank}")


def ranks(timer, contender):
    """Rank -> Spread of its time / rank 1's in the same round."""
    arrays = {1: Arrays(of_rank(1))}
    for rank in range(2, 9):  # the same memory
        arrays[rank] = copy.copy(arrays[1])
        arrays[rank].case = of_rank(rank)
        for name in ("a", "b", "y"):
            setattr(arrays[rank], name, getattr(arrays[1], name).reshape(arrays[rank].case.shape))
    runners = {rank: timer.field.runner(contender, arrays[rank]) for rank in arrays}
    times = interleaved(timer.effort, runners)
    for runner in runners.values():
        runner.close()
    return {rank: ratio(times[rank], times[1]) for rank in arrays}


def judged_ranks(found, contender):
    rank, figure = max(found.items(), key=lambda item: item[1].median)
    return Judged(RANK, RANK.verdict(figure.median), figure, f"rank {rank}, {contender}")


def memory_cases(count):
    side = int(math.isqrt(count))
    square = View((side, side))
    return [line("div", "fp32", count, threads=2), line("div", "int32", count, threads=2),
            line("div", "int4", count, threads=2), line("mul", "complex64", count, threads=2),
            Case("div", "fp32", square, View((side, side), axes=(1, 0)), threads=2, shapes="B transposed"),
            Case("div", "fp32", square, View((side, 1)), threads=2, shapes="B a column")]


def status_kib(field):
    text = pathlib.Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.split(field + ":")[1].split()[0])


def memory_child(library, count):
    """In a process of its own: how much the resident memory grows, at its peak, by a call. Prints JSON."""
    from native import Library
    loaded = Library(library)
    answer = {}
    for case in memory_cases(count):
        for how in ("ours.prepared", "ours.into"):
            tiny = Arrays(line(case.op, case.type, 8))
            runner = loaded.runner(how, tiny, 1)
            runner.once()
            runner.close()
            arrays = Arrays(case)
            pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak is now
            before = status_kib("VmRSS")
            runner = loaded.runner(how, arrays)
            runner.once()
            answer[f"{case.name}, {how}"] = max(0, status_kib("VmHWM") - before) / 1024 / case.threads
            runner.close()
    print(json.dumps(answer))


def memory(library, count):
    """Case -> MiB per thread at the peak, beyond operands and result; or a text that says why not."""
    program = [sys.executable, "-B", os.path.abspath(__file__), str(library), str(count)]
    done = subprocess.run(program, capture_output=True, text=True)
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or ["the child process failed"])[-1]
    return json.loads(done.stdout.splitlines()[-1])


def judged_memory(found):
    if isinstance(found, str):
        return Judged(MEMORY, case=found)
    where, most = max(found.items(), key=lambda item: item[1])
    return Judged(MEMORY, MEMORY.verdict(most), spread([most]), where)


def run(timer, library, largest, say=print):
    """(rows of the table, what JSON is to have), for up to `largest` elements."""
    plain = timer.effort
    timer.effort = dataclasses.replace(plain, rounds=min(11, plain.rounds), case_seconds=min(1.5, plain.case_seconds))
    say("growth: sizes")
    found = rises(timer, largest)
    for one in found:
        say(f"  {one['count']:>10}  {one['ns']:9.3f} ns  rise {one['ours'].median:.3f}  "
            f"limit {one['limit'].median:.3f}")
    rows = [row("fp32 div by size, 1 to " + f"{found[-1]['count']:.1e}".replace("e+0", "·10^"), judged_rises(found))]
    say("growth: ranks")
    by_rank = {}
    for contender in ("ours", "ours.into"):
        by_rank[contender] = ranks(timer, contender)
        say(f"  {contender}: " + ", ".join(f"{rank}: {s.median:.3f}" for rank, s in by_rank[contender].items()))
        rows.append(row(f"rank 1 to 8, {RANK_COUNT} elements, {contender}",
                        judged_ranks(by_rank[contender], contender)))
    say("growth: memory")
    used = memory(library, min(10**7, largest))
    if isinstance(used, dict):
        for where, mebibytes in used.items():
            say(f"  {mebibytes:7.3f} MiB per thread: {where}")
    rows.append(row("memory beyond operands and result, 2 threads", judged_memory(used)))
    timer.effort = plain
    if not plain.judge_time:
        rows = [(*cells, "not judged") for *cells, _ in rows]
    return rows, {"rises": [{**one, **{key: one[key]._asdict() for key in ("ours", "limit", "own")}} for one in found],
                  "ranks": {who: {r: s._asdict() for r, s in of.items()} for who, of in by_rank.items()},
                  "memory_mib_per_thread": used}


def row(what, one):
    from report import with_spread
    measured = "–" if one.figure is None else with_spread(one.figure)
    return (what, "", "", f"{measured} at {one.case}", str(one.check), one.verdict)


if __name__ == "__main__":
    np.seterr(all="ignore")
    memory_child(sys.argv[1], int(sys.argv[2]))
