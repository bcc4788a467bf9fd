#!/usr/bin/env python3
"""Builds wrong versions of the tree, one small change each, and sees the tests notice every one.

usage: mutants.py ROOT WORK [--share=I/N] [--minutes=M] [NAME...]
           WORK is a folder for the copy of the tree and its build; a share is every N-th mutant, from the I-th on,
           and begins with another one every N turns; after M minutes no other than the first is begun, and those
           left are said
       mutants.py --list
       mutants.py --check ROOT      whether all patterns still match, and nothing else

The list is in mutants_list.py. A mutant names the commands that should notice it; where none of them does,
all commands are tried. It is an error where a mutant survives, does not build, or its pattern no longer
matches the source, and where the tree without any change does not pass.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from mutants_list import COMMANDS, MUTANTS, SETUP  # noqa: E402: beside this file

FOLDERS = ["include", "src", "cmake", "examples", "apps", "python"]
TESTS = ["exhaustive", "differential", "property"]


class Problem(Exception):
    pass


def pattern(text):
    """The text as a regular expression that does not mind how it is broken into lines."""
    return re.compile(r"\s*".join(re.escape(token) for token in re.findall(r"\w+|[^\w\s]", text)))


def changed_text(tree, file, old, new):
    text, count = pattern(old).subn(lambda _: new, (tree / file).read_text(encoding="utf-8"))
    if count != 1:
        raise Problem(f"{file}: {count} places match, expected 1, for:\n    {old}")
    return text


def change(tree, file, old, new):
    (tree / file).write_text(changed_text(tree, file, old, new), encoding="utf-8")


def check(tree):
    """How many patterns no longer match."""
    stale = 0
    for of, changes in [*((m["name"], m["changes"]) for m in MUTANTS), ("the setup", SETUP)]:
        for change_of in changes:
            try:
                changed_text(tree, *change_of)
            except Problem as problem:
                print(f"{of}: {problem}", file=sys.stderr)
                stale += 1
    return stale


class Changed:
    """The tree with a mutant's changes; as it was afterwards."""

    def __init__(self, tree, mutant):
        self.tree, self.changes = tree, mutant["changes"]
        self.before = {}

    def __enter__(self):
        self.before = {file: (self.tree / file).read_text(encoding="utf-8") for file, _, _ in self.changes}
        try:
            for change_of in self.changes:
                change(self.tree, *change_of)
        except Problem:
            self.__exit__()
            raise

    def __exit__(self, *_):
        for file, text in self.before.items():
            (self.tree / file).write_text(text, encoding="utf-8")


def copy_tree(root, tree):
    """A copy of what is compiled. Files that did not change keep their time, so that the build stays warm."""
    tree.mkdir(parents=True, exist_ok=True)
    wanted = set()
    for folder in FOLDERS + [f"tests/{name}" for name in TESTS]:
        wanted |= {p.relative_to(root) for p in (root / folder).rglob("*") if p.is_file()}
    wanted |= {pathlib.Path(name) for name in ("CMakeLists.txt", "LICENSE", "README.md") if (root / name).is_file()}
    for name in wanted:
        target = tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != (root / name).read_bytes():
            shutil.copyfile(root / name, target)
    for path in [p for p in tree.rglob("*") if p.is_file()]:
        name = path.relative_to(tree)
        if name not in wanted and name != pathlib.Path("tests/CMakeLists.txt"):
            path.unlink()
    tests = "".join(f"add_subdirectory({name})\n" for name in TESTS)
    path = tree / "tests/CMakeLists.txt"
    if not path.is_file() or path.read_text() != tests:
        path.write_text(tests)


class Build:
    def __init__(self, tree, folder):
        self.tree, self.folder = tree, folder
        self.log = folder.with_suffix(".log")
        self.log.write_text("")
        options = ["-DHADAMARD_BUILD_APPS=OFF", "-DHADAMARD_BUILD_PYTHON=OFF", "-DHADAMARD_WARNINGS_AS_ERRORS=OFF"]
        if shutil.which("ccache"):
            options += [f"-DCMAKE_{lang}_COMPILER_LAUNCHER=ccache" for lang in ("CXX", "C")]
        self.call(["cmake", "-S", tree, "-B", folder, "-G", "Ninja", *options], "cmake failed")

    def call(self, command, why):
        with open(self.log, "a", encoding="utf-8") as log:
            if subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode != 0:
                raise Problem(f"{why}; see {self.log}")

    def make(self, programs):
        jobs = str(os.cpu_count() or 2)
        self.call(["cmake", "--build", self.folder, "--parallel", jobs, "--target", *sorted(programs)],
                  "it does not build")

    def program(self, name):
        for folder in (".", *(f"tests/{t}" for t in TESTS)):
            if (self.folder / folder / name).is_file():
                return str(self.folder / folder / name)
        raise Problem(f"no program {name}")

    def run(self, command):
        """None where the command passes, else the first thing that it says has failed."""
        program, *arguments = command.split()
        if program.startswith(("unit_", "diff_", "property_")) or program == "exhaustive8":
            arguments.append("--gtest_fail_fast")
        try:
            answer = subprocess.run([self.program(program), *arguments], capture_output=True, timeout=300)
        except subprocess.TimeoutExpired:
            return "time ran out"
        if answer.returncode == 0:
            return None
        text = answer.stdout.decode(errors="replace")
        found = re.search(r"^\[  FAILED  \] ([\w/.]+)|^FAIL +(\w+ +\w+(?: +\w+)?)|^(the oracle .*)", text, re.MULTILINE)
        if found:
            return next(group for group in found.groups() if group)
        return f"signal {-answer.returncode}" if answer.returncode < 0 else f"exit {answer.returncode}"


def program_of(command):
    return command.split()[0]


def hunt(build, mutant):
    """(command, what it said) of the first command that notices."""
    wanted = list(mutant["killers"])
    rest = [command for command in COMMANDS if command not in wanted]
    build.make({program_of(command) for command in wanted})
    for command in wanted:
        said = build.run(command)
        if said:
            return command, said
    build.make({program_of(command) for command in rest})
    for command in rest:
        said = build.run(command)
        if said:
            return command, said
    return None, None


def main():
    if sys.argv[1:] == ["--list"]:
        for mutant in MUTANTS:
            print(f"{mutant['name']:22} {mutant['what']}")
        return 0
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        return 1 if check(pathlib.Path(sys.argv[2])) else 0
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    root, work, names = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    chosen, minutes = MUTANTS, float("inf")
    while names and names[0].startswith("--"):
        option, _, value = names.pop(0).partition("=")
        if option == "--share":
            share, parts = (int(x) for x in value.split("/"))
            chosen = MUTANTS[share % parts::parts] or MUTANTS[:1]
            first = share // parts % len(chosen)
            chosen = chosen[first:] + chosen[:first]
        elif option == "--minutes":
            minutes = float(value)
        else:
            print(__doc__, file=sys.stderr)
            return 2
    chosen = [m for m in chosen if not names or m["name"] in names]
    if len(chosen) < max(1, len(names)):
        print(f"mutants: no such mutant among {names}; there are: {[m['name'] for m in MUTANTS]}", file=sys.stderr)
        return 2
    start = time.time()
    tree = work / "tree"
    failed = 0
    try:
        # The patterns first: a list that went stale should say so at once.
        copy_tree(root, tree)
        for mutant in MUTANTS:
            with Changed(tree, mutant):
                pass
        for file, old, new in SETUP:
            change(tree, file, old, new)
        build = Build(tree, work / "build")
        begin = time.time()
        needed = sorted({c for m in chosen for c in m["killers"]})
        build.make({program_of(c) for c in needed})
        for command in needed:
            said = build.run(command)
            if said:
                raise Problem(f"the tree without a change fails: {command}: {said}")
        print(f"{'(no change)':22} passes {len(needed)} commands ({time.time() - begin:.0f} s)", flush=True)
    except Problem as problem:
        print(f"mutants: {problem}", file=sys.stderr)
        return 1
    left = []
    for mutant in chosen:
        begin = time.time()
        if left or (begin > start + 60 * minutes and mutant is not chosen[0]):
            left.append(mutant["name"])
            continue
        try:
            with Changed(tree, mutant):
                command, said = hunt(build, mutant)
            verdict = f"killed by {command}: {said}" if command else "SURVIVED"
            failed += command is None
        except Problem as problem:
            verdict = f"ERROR: {problem}"
            failed += 1
        print(f"{mutant['name']:22} {verdict} ({time.time() - begin:.0f} s)", flush=True)
    if left:
        print(f"left out, the time being up: {' '.join(left)}")
    print(f"{len(chosen) - len(left) - failed} passed, {failed} failed" + (f", {len(left)} skipped" if left else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
