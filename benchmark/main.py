"""./bench: Hadamard and its rivals, side by side, against what the machine can do. See docs/how-to/benchmark.md."""
import argparse
import dataclasses
import fnmatch
import json
import os
import pathlib
import subprocess
import sys
import time

import against
import growth
import machine
import matlab
import page
import plots
import report
from claims import CLAIMS, judge
from contenders import Field
from measure import Effort, Timer, Wrong
from native import Libraries

ROOT = pathlib.Path(__file__).resolve().parents[1]
QUICK = Effort(rounds=9, batch_ns=5e5, case_seconds=1.0)
FULL = Effort(rounds=25, batch_ns=1e6, case_seconds=4.0)
SMOKE = Effort(rounds=1, batch_ns=1e4, case_seconds=0.1, judge_time=False)


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bench", description="Ours and the rivals, side by side in one run.")
    parser.add_argument("--libraries", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="two minutes: fewer rounds and fewer cases")
    parser.add_argument("--only", metavar="PATTERN", help="claims whose key fits, e.g. 'int*' (--list has the keys)")
    parser.add_argument("--list", action="store_true", help="the claims, with their targets")
    parser.add_argument("--growth", action="store_true", help="only how cost grows: by size, by rank, in memory")
    parser.add_argument("--functions", action="store_true", help="only exp, log, sin and their like, beside the C library's")
    parser.add_argument("--programs", action="store_true", help="only programs: fused, node by node, and rivals")
    parser.add_argument("--docs", action="store_true", help="everything, and write docs/performance.md with its plots")
    parser.add_argument("--against", metavar="REV", help="this tree's library and that of a revision, side by side; "
                        "--only is then a part of the case's name")
    parser.add_argument("--smoke", action="store_true", help="small sizes, one round: does it run, is it right?")
    parser.add_argument("--docs-folder", default=ROOT / "docs", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="every time of every round")
    options = parser.parse_args(arguments)
    unfit = {"--against": ("list", "growth", "docs", "smoke", "json"), "--docs": ("only", "growth", "list"),
             "--functions": ("programs", "quick", "only", "list", "growth", "docs", "against", "json"),
             "--programs": ("quick", "only", "list", "growth", "docs", "against", "json")}
    for option, others in unfit.items():
        if getattr(options, option[2:]):
            for other in others:
                if getattr(options, other):
                    parser.error(f"{option} does not go with --{other}")
    if options.json and not (options.json.parent.is_dir() and os.access(options.json.parent, os.W_OK)):
        parser.error(f"--json {options.json}: no file can be written there")
    return options


def fits(options, key):
    return not options.only or fnmatch.fnmatch(key, options.only)


def wanted(options):
    chosen = [c for c in CLAIMS if fits(options, c.key)]
    if not chosen and not any(fits(options, key) for key in matlab.KEYS):
        print(f"bench: no claim is called '{options.only}'; ./bench --list has them", file=sys.stderr)
        raise SystemExit(2)
    return chosen


def run_claims(timer, claims, quick):
    """[(claim, results, judged)], and the text of what went wrong."""
    done, wrong = [], []
    for claim in claims:
        print(f"{claim.key}: {claim.what}", flush=True)
        results = []
        for case in claim.chosen(quick):
            try:
                result = timer.run(case, claim.contenders, claim.wants_limit, claim.wants_unit)
            except Wrong as problem:
                wrong.append(str(problem))
                print(f"  WRONG: {problem}", flush=True)
                continue
            results.append(result)
            print(report.case_line(result, claim.ours), flush=True)
        done.append((claim, results, judge(claim, results, timer.effort.judge_time)))
    return done, wrong


def shrunk(claim, largest=1000):
    """The claim with no case above `largest` elements, for --smoke."""
    def small(view):
        if len(view.base) == 1:
            return dataclasses.replace(view, base=(min(largest, *view.base),))
        # Extents of a case that are equal, or one twice the other, stay so.
        return dataclasses.replace(view, base=tuple(n if n <= 3 else 2 * -(-n // 200) for n in view.base))
    cases = tuple(dataclasses.replace(case, a=small(case.a), b=small(case.b)) for case in claim.cases)
    return dataclasses.replace(claim, cases=cases, quick=())


def measure_all(options, field, timer, claims):
    """(rows, remarks, plots, JSON, wrong results)."""
    everything = not options.only and not options.growth
    done, wrong = ([], []) if options.growth else run_claims(timer, claims, options.quick)
    data = {"claims": [report.claim_json(*one) for one in done]}
    rows = [row for one in done for row in report.claim_lines(*one)]
    drawn = []
    if options.growth or everything:
        more, data["growth"] = growth.run(timer, field.library.ours_path,
                                           1 << (10 if options.smoke else 24 if options.quick else 30))
        rows += more
    if not options.growth and any(fits(options, key) for key in matlab.KEYS):
        program = pathlib.Path(options.libraries).parent / "apps" / "hadamard" / "hadamard"
        more, data["matlab"], bad = matlab.run(timer.effort, program, lambda key: fits(options, key))
        rows += more
        wrong += bad
    if options.docs:
        few = options.quick or options.smoke
        drawn, data["plots"], bad = plots.run(timer, options.docs_folder / "performance", few)
        wrong += bad
    remarks = report.remarks([r for _, results, _ in done for r in results])
    return rows, remarks, drawn, data, wrong


def main():
    options = parse(sys.argv[1:])
    if options.functions or options.programs:
        name = "hadamard_bench_functions" if options.functions else "hadamard_bench_programs"
        program = pathlib.Path(options.libraries) / name
        return subprocess.run([program] + ["--smoke"] * options.smoke, check=False).returncode
    if options.against:
        effort = dataclasses.replace(FULL, rounds=21, batch_ns=3e5, case_seconds=1.0 if options.quick else 3.0)
        ours = pathlib.Path(options.libraries) / "hadamard_bench_ours.so"
        return against.run(ours, options.against, effort, options.quick, options.only or "")
    claims = wanted(options)
    if options.list:
        for claim in claims:
            print(f"{claim.key:16} {claim.what}: {'; '.join(map(str, claim.checks)) or 'no target'}")
        for key, what in matlab.KEYS.items():
            if fits(options, key):
                print(f"{key:16} {what}: {matlab.START if key == 'matlab-start' else matlab.THREE}")
        return 0
    begin = time.monotonic()
    field = Field(Libraries(options.libraries))
    about = machine.describe(field)
    print("\n".join(f"{key}: {value}" for key, value in about.items()))
    for name, reason in field.missing.items():
        print(f"MISSING: {name}: {reason}")
    timer = Timer(field, SMOKE if options.smoke else QUICK if options.quick else FULL)
    if options.smoke:
        claims = [shrunk(claim) for claim in claims]
    rows, remarks, drawn, data, wrong = measure_all(options, field, timer, claims)

    print("\n" + report.text_table(rows))
    for remark in remarks:
        print(f"* {remark}")
    verdicts = [row[-1].removesuffix(report.UNSURE) for row in rows]
    if options.smoke:
        print(f"{len(rows)} rows, not judged: one round of small sizes shows that it runs, not how fast")
        verdicts = []
    print(f"{verdicts.count('met')} met, {verdicts.count('NOT MET')} not met, "
          f"{verdicts.count('not measured')} not measured; {time.monotonic() - begin:.0f} s")
    if options.docs:
        command = "./bench --docs" + " --quick" * options.quick + " --smoke" * options.smoke
        written = options.docs_folder / "performance.md"
        page.write(written, command, about, field.missing, rows, remarks, drawn)
        if written == ROOT / "docs" / "performance.md":
            page.write_readme(ROOT / "README.md", written)
    if options.json:
        with options.json.open("w", encoding="utf-8") as stream:
            json.dump({"machine": about, "missing": field.missing, "wrong": wrong, **data}, stream, indent=1)
    for text in wrong:
        print(f"bench: WRONG RESULT: {text}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
