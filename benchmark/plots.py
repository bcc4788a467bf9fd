"""The plots of docs/performance: ratio to the limit by size, a plot per type and operator."""
import dataclasses

import svg
from cases import line
from contenders import RIVALS
from growth import available_bytes
from measure import LIMIT, Wrong
from stats import ratio

TYPES = ("fp32", "fp64", "fp16", "bf16", "int8", "int16", "int32", "int64", "complex64", "complex128")
FLOATS = ("fp32", "fp64", "fp16", "bf16")
PLOTS = tuple((t, "div") for t in TYPES) + tuple((t, "mul") for t in FLOATS)
SIZES = (10, 30, 100, 300, 1000, 3000, 10**4, 3 * 10**4, 10**5, 3 * 10**5, 10**6, 3 * 10**6, 10**7, 10**8)
QUICK_SIZES = (10, 100, 1000, 10**4, 10**5, 10**6)


def points(timer, type_, op, sizes):
    """name -> [(size, ratio to the limit)]."""
    series = {}
    for size in sizes:
        case = line(op, type_, size, rounding="floor")
        if 3 * 16 * size * 1.3 > available_bytes():
            break
        result = timer.run(case, ("ours", *RIVALS))
        for name, times in result.times.items():
            if name == "ours" or name in RIVALS:
                series.setdefault(name, []).append((size, ratio(result.times[LIMIT], times).median))
    return series


def run(timer, folder, quick, say=print):
    """Writes the plots; returns ([(title, file name)], numbers, what was wrong)."""
    folder.mkdir(parents=True, exist_ok=True)
    effort = dataclasses.replace(timer.effort, rounds=min(7, timer.effort.rounds), batch_ns=3e5, case_seconds=1.0)
    plain, timer.effort = timer.effort, effort
    files, numbers, wrong = [], {}, []
    for type_, op in PLOTS:
        say(f"plot: {type_} {op}")
        try:
            series = points(timer, type_, op, QUICK_SIZES if quick else SIZES)
        except Wrong as problem:
            wrong.append(str(problem))
            continue
        note = ", by floor" if "int" in type_ else ""
        name = f"{type_}-{op}.svg"
        (folder / name).write_text(svg.plot(f"{type_} {op}{note}, one thread", series), encoding="utf-8")
        files.append((f"{type_} {op}", name))
        numbers[f"{type_} {op}"] = series
    timer.effort = plain
    return files, numbers, wrong
