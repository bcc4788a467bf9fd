"""Lines for a terminal, a table for the documentation, JSON for machines."""
import dataclasses
import re

from claims import nanoseconds
from contenders import RIVALS
from measure import LIMIT, MEMORY, UNIT
from stats import ratio, spread


def figure(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def with_spread(s):
    return f"{figure(s.median)} ({figure(s.low)}–{figure(s.high)})"


def case_line(result, ours):
    """One case in one line: everybody's time, per element or per call."""
    per, unit = (1, "ns/call") if result.case.count < 100 else (result.case.count, "ns")
    parts = []
    for name in [ours, *[n for n in result.times if n not in (ours, MEMORY, UNIT)]]:
        if name in result.times:
            mark = "*" if name in result.notes else ""
            parts.append(f"{name}{mark} {figure(spread(result.times[name]).median / per)}")
    return f"  {result.case.name} [{unit}]: " + ", ".join(parts)


def best_rival(results, ours):
    """The rival that comes nearest in any case: its name, and its time / ours there."""
    found = []
    for result in results:
        for name, times in result.times.items():
            if re.split("[.@]", name)[0] in RIVALS and ours in result.times:
                found.append((ratio(times, result.times[ours]).median, name))
    return min(found, default=None)


UNSURE = " ?"  # after a verdict whose quartiles lie on both sides of the target


def verdict(one):
    sure = one.figure is None or one.check.met(one.figure.low) == one.check.met(one.figure.high)
    return one.verdict + ("" if sure or one.verdict not in ("met", "NOT MET") else UNSURE)


def claim_lines(claim, results, judged):
    """Rows of the table: what, measured, target, verdict."""
    ns = nanoseconds(claim, results)
    times = "–" if ns is None else figure(ns[0]) if figure(ns[0]) == figure(ns[1]) else \
        f"{figure(ns[0])}–{figure(ns[1])}"
    rival = best_rival(results, claim.ours)
    rival_text = f"{rival[1]} {figure(rival[0])}×" if rival else "–"
    if not judged:
        limit = [ratio(r.times[LIMIT], r.times[claim.ours]) for r in results if LIMIT in r.times]
        text = f"limit {with_spread(min(limit))}" if limit else "–"
        return [(claim.what, times, rival_text, text, "–", "–")]
    rows = []
    for number, one in enumerate(judged):
        measured = "–" if one.figure is None else with_spread(one.figure)
        if one.figure is not None and len(results) > 1 and one.case:
            measured += f" at {one.case}"
        who = f" ({one.who})" if one.who and one.check.metric == "rival" else ""
        rows.append((claim.what if number == 0 else "", times if number == 0 else "",
                     rival_text if number == 0 else "", measured + who, str(one.check), verdict(one)))
    return rows


HEADER = ("what", "ours, ns", "nearest rival", "measured (quartiles), worst case", "target", "")


def text_table(rows):
    rows = [HEADER, *rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADER))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def markdown_table(rows):
    lines = ["| " + " | ".join(HEADER) + " |", "|" + "---|" * len(HEADER)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def result_json(result):
    return {"case": result.case.name, "count": result.case.count, "threads": result.case.threads,
            "nanoseconds_per_call": result.times, "limit_variant": result.limit_variant,
            "notes": result.notes, "absent": result.absent}


def claim_json(claim, results, judged):
    return {"key": claim.key, "what": claim.what, "ours": claim.ours,
            "checks": [{"target": str(j.check), "verdict": j.verdict, "case": j.case, "who": j.who,
                        "figure": dataclasses.asdict(j.figure) if dataclasses.is_dataclass(j.figure)
                        else (j.figure._asdict() if j.figure else None)} for j in judged],
            "cases": [result_json(r) for r in results]}


# Why a rival's result is not the correctly rounded one, where we know.
REASONS = {
    ("complex", "div"): "a formula whose steps are rounded one by one",
    ("complex", "mul"): "products and their sum are rounded one by one",
}


def remarks(results):
    """What is to be said about results that are not the reference's: a line per type and operator."""
    seen = {}
    for result in results:
        for name, note in result.notes.items():
            key = (result.case.type, result.case.op)
            seen.setdefault(key, {}).setdefault(name, note.removeprefix("differs from the reference in "))
    lines = []
    for (type_, op), notes in seen.items():
        reason = REASONS.get((type_.rstrip("0123456789"), op))
        lines.append(f"{type_} {op}: differ from the reference in so many elements: "
                     + ", ".join(f"{name} {note}" for name, note in notes.items()) + (f" ({reason})" if reason else ""))
    return lines
