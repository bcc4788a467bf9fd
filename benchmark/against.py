"""./bench --against REV: the library of another revision beside this one's, in one process, in the same rounds."""
import fnmatch
import os
import pathlib
import shutil
import subprocess
import sys
import time

import check
from cases import Arrays, Case, View, by_scalar, line
from claims import PADDLE
from measure import calls_for, threads_placed, undisturbed
from native import Library
from stats import ratio, rotated

ROOT = pathlib.Path(__file__).resolve().parents[1]
FLOATS = ("fp16", "bf16", "fp32", "fp64")
INTEGERS = ("int4", "int8", "int16", "int32", "int64", "uint4", "uint8", "uint16", "uint32", "uint64")


def cases(quick):
    """(case, way to call) of everything that a change could slow down."""
    found = []
    for count in (10**5,) if quick else (10**3, 10**5, 10**7):
        for op in ("div",) if quick else ("add", "sub", "mul", "div"):
            for type_ in (*FLOATS, *INTEGERS, "complex64"):
                found.append((line(op, type_, count), "prepared"))
    found += [(line("div", "complex128", 10**4), "prepared")]
    found += [(by_scalar("div", t, 10**5), "prepared") for t in ("int8", "int32", "int64", "fp32")]
    square = View((1000, 1000))
    found += [(Case("div", "fp32", square, b, shapes=name), "prepared") for name, b in (
        ("(1000,1000) by a column", View((1000, 1))), ("(1000,1000) by a row", View((1, 1000))),
        ("(1000,1000), B transposed", View((1000, 1000), axes=(1, 0))),
        ("(1000,1000), B every 2nd column", View((1000, 2000), step=(1, 2))))]
    found += [(line("div", "fp32", 10**7, threads=2), "prepared")]
    found += [(Case("div", "fp32", a, b, shapes=name, threads=threads), "prepared")
              for threads in (1, 2) for name, a, b in PADDLE]
    found += [(line("div", "fp32", 8), how) for how in ("prepared", "into", "new")]
    found += [(line("div", "fp32", 10**6), "new")]
    return found


def run_or_fail(command, log):
    with open(log, "a", encoding="utf-8") as stream:
        done = subprocess.run([str(word) for word in command], stdout=stream, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise SystemExit(f"bench: {' '.join(map(str, command[:6]))} … failed; see {log}")


def build(revision, say=print):
    """The library of `revision` with today's benchmark/native/ours.cpp in front; its path."""
    git = ["git", "-c", "safe.directory=*", "-C", str(ROOT)]
    found = subprocess.run([*git, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"],
                           capture_output=True, text=True)
    if found.returncode != 0:
        print(f"bench: git knows no revision '{revision}'", file=sys.stderr)
        raise SystemExit(2)
    commit = found.stdout.strip()
    folder = ROOT / "build" / "against" / commit[:12]
    folder.mkdir(parents=True, exist_ok=True)
    tree, made, log = folder / "tree", folder / "build", folder / "log"
    log.write_text("", encoding="utf-8")
    if not (tree / "CMakeLists.txt").is_file():
        # Not `git worktree`: that would leave notes in the repository of whoever removes build/.
        shutil.rmtree(tree, ignore_errors=True)
        tree.mkdir()
        archive = folder / "tree.tar"
        run_or_fail([*git, "archive", "--output", archive, commit], log)
        run_or_fail(["tar", "-xf", archive, "-C", tree], log)
        archive.unlink()
    say(f"building {revision} ({commit[:12]}) in {made.relative_to(ROOT)} …")
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    run_or_fail(["cmake", "-S", tree, "-B", made, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=g++",
                 "-DCMAKE_BUILD_TYPE=Release", "-DHADAMARD_BUILD_TESTS=OFF", "-DHADAMARD_BUILD_APPS=OFF",
                 *launcher], log)
    run_or_fail(["cmake", "--build", made, "--parallel", os.cpu_count() or 1, "--target", "hadamard_internal"], log)
    module = folder / "hadamard_bench_ours.so"
    link(tree, made / "libhadamard_internal.a", module, log)
    return module


def link(tree, library, module, log):
    """Today's benchmark/native/ours.cpp in front of the library of `tree`."""
    native = ROOT / "benchmark" / "native"
    has_threads = " set_threads(" in (tree / "include/hadamard/hadamard.hpp").read_text(encoding="utf-8")
    run_or_fail(["g++", "-std=c++20", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-DHADAMARD_BENCH_OURS",
                 *(["-DHADAMARD_HAS_SET_THREADS"] if has_threads else []), f"-I{tree}/include",
                 native / "api.cpp", native / "ours.cpp", library, f"-Wl,--version-script={native}/exports.map",
                 "-Wl,-z,defs", "-lhwy", "-ltbb", "-lfmt", "-lgmp", "-lmpfr", "-o", module], log)


def compare(now, again, then, effort, chosen, say=print):
    """[(name, Spread of then / now, Spread of again / now)] and whether a result of this tree was wrong; above 1
    this tree is faster than the other.

    `again` is a second copy of `now`: how far it is from 1 is what chance does here.
    """
    found, wrong = [], False
    for case, how in chosen:
        arrays = Arrays(case)
        sample = check.Sample(now, arrays)
        runners = {}
        for who, library in (("now", now), ("then", then), ("again", again)):
            runners[who] = library.runner(f"ours.{how}", arrays)
            if different := check.verdict(sample, arrays, runners[who], True):
                say(f"  {case.name}, {how}: {who} {different}")
                wrong |= who == "now"
        times = {who: [] for who in runners}
        with threads_placed(case.threads != 1):
            calls = {who: calls_for(runner, effort.batch_ns) for who, runner in runners.items()}
            start = time.monotonic()
            for number in range(effort.rounds):
                for who in rotated(runners, number):
                    times[who].append(undisturbed(runners[who], calls[who]) / calls[who])
                if number >= 4 and time.monotonic() - start > effort.case_seconds:
                    break
        for runner in runners.values():
            runner.close()
        figure, chance = ratio(times["then"], times["now"]), ratio(times["again"], times["now"])
        found.append((f"{case.name}, {how}", figure, chance))
        say(f"  {verdict(figure, chance):7} {figure.median:7.3f} ({figure.low:.3f}–{figure.high:.3f})  "
            f"{case.name}, {how}  [chance {chance.low:.3f}–{chance.high:.3f}]")
    return found, wrong


def verdict(figure, chance):
    """Slower or faster only where it is by more than the spread, by more than chance, and by 3 in 100."""
    if figure.high < 1 and figure.median < min(0.97, chance.low):
        return "SLOWER"
    return "faster" if figure.low > 1 and figure.median > max(1.03, chance.high) else "same"


def run(path, revision, effort, quick, pattern="", say=print):
    """The exit code. `pattern` is a part of a case's name, or fits it with * and ?."""
    chosen = [(case, how) for case, how in cases(quick)
              if pattern in f"{case.name}, {how}" or fnmatch.fnmatch(f"{case.name}, {how}", pattern)]
    if not chosen:
        print(f"bench: no case has '{pattern}' in its name; there are, for example: "
              + "; ".join(f"{case.name}, {how}" for case, how in cases(quick)[::7]), file=sys.stderr)
        return 2
    then = Library(build(revision, say))
    copy = ROOT / "build" / "against" / "again.so"
    shutil.copyfile(path, copy)
    say(f"time of {revision} / time of this tree (above 1: this tree is faster), quartiles; "
        "chance: this tree against a copy of itself")
    found, wrong = compare(Library(path), Library(copy), then, effort, chosen, say)
    slower = [name for name, *figures in found if verdict(*figures) == "SLOWER"]
    say(f"{len(found)} cases, {len(slower)} slower" + "".join(f"\n  {name}" for name in slower))
    return 1 if wrong else 0
