#!/usr/bin/env python3
"""Follows the how-tos: applies their diffs to a copy of the tree, builds it, and does what the page says next.

usage: howto.py SOURCE --dry-run     only checks that the diffs still fit the tree (seconds)
       howto.py SOURCE --do WORK [PAGE...]   everything, or those pages, in the folder WORK (minutes; ccache helps the
                                             next time)
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

sys.dont_write_bytecode = True
import blocks  # noqa: E402: beside this file


class Page(NamedTuple):
    differential: str  # the tests to run, in GoogleTest's language
    files: int  # that the change may touch
    unit: str = "unit_num"  # the program of unit tests that concerns it
    without: tuple = ()  # (file, text, message): without the text, the file must not compile, and the compiler says so


PAGES = {
    "add-an-operator": Page("*Targets.LinesOfEveryLength*/fp32:*Targets.LinesOfEveryLength*/fp16:"
                            "*Targets.EveryLayout/int4:*Targets.EveryLayout/complex64", 2),
    "add-a-type": Page("*Targets.LinesOfEveryLength*/fp8e5m2:*Targets.EveryLayout/fp8e5m2", 7),
    "add-a-function": Page("*Targets.LinesOfEveryLength*/fp32:*Targets.LinesOfEveryLength*/fp64:"
                           "*Targets.LinesOfEveryLength*/bf16", 4, "unit_op",
                           ("src/op/tan.hpp", "oracle", "the record of a function needs its oracle")),
}
AFTER = "after the change"


def call(command, **options):
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True, **options)


def diff_of(page):
    diffs = [block for block in page if block.word == "diff"]
    if len(diffs) != 1:
        sys.exit(f"howto: expected one diff, found {len(diffs)}")
    return diffs[0].text


def apply(diff, folder, *options, quiet=False):
    """True where the diff fits."""
    done = subprocess.run(["git", "apply", *options, "-"], input=diff, text=True, cwd=folder,
                          stderr=subprocess.DEVNULL if quiet else None,
                          env=dict(os.environ, GIT_CEILING_DIRECTORIES=str(pathlib.Path(folder).parent)))
    return done.returncode == 0


def check_count(name, diff):
    count = len(re.findall(r"^diff --git ", diff, re.MULTILINE))
    if count > PAGES[name].files:
        sys.exit(f"howto: the change of {name}.md touches {count} files, at most {PAGES[name].files} were promised")


def must_not_compile(copy, build, environment, without):
    """Takes a word out of a file of the copy, sees that the compiler complains in the words expected, and puts it back."""
    file, word, message = copy / without[0], without[1], without[2]
    text = file.read_text()
    if not re.search(rf"\b{word}\b", text):
        sys.exit(f"howto: {without[0]} has no {word}")
    file.write_text(re.sub(rf"\b{word}\b", "left_out", text))
    done = subprocess.run(["cmake", "--build", build, "--target", "hadamard_op"], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    file.write_text(text)
    if done.returncode == 0 or message not in done.stdout:
        sys.exit(f"howto: {without[0]} without its {word}: expected the error '{message}', got\n{done.stdout[-2000:]}")
    print(f"howto: without its {word} {without[0]} does not compile: {message}")


def copy_tree(source, target):
    skip = shutil.ignore_patterns(".git", "build", "__pycache__")  # not builder.hpp
    shutil.copytree(source, target, ignore=skip, symlinks=True)


def dry_run(source):
    with tempfile.TemporaryDirectory(prefix="hadamard-howto.") as work:
        copy = pathlib.Path(work, "src")
        copy_tree(source, copy)
        for name in PAGES:
            page = blocks.read(source / "docs" / "how-to" / f"{name}.md", f"{name}.md")
            check_count(name, diff_of(page))
            if not apply(diff_of(page), copy, "--check"):
                sys.exit(f"howto: the diff of {name}.md no longer fits the tree: follow the page and renew it")
            wrong = re.sub(r"\n-(?!-)", "\n-not in the tree ", diff_of(page))
            if apply(wrong, copy, "--check", quiet=True):
                sys.exit(f"howto: a wrong diff of {name}.md was not noticed")
    print(f"howto: the diffs of {len(PAGES)} pages fit the tree")


def follow(source, name, work):
    page = blocks.read(source / "docs" / "how-to" / f"{name}.md", f"{name}.md")
    copy, build = work / "src", work / "build"
    shutil.rmtree(copy, ignore_errors=True)
    copy_tree(source, copy)
    check_count(name, diff_of(page))
    if not apply(diff_of(page), copy):
        sys.exit(f"howto: the diff of {name}.md does not fit")
    environment = dict(os.environ, CCACHE_BASEDIR=str(work))
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    call(["cmake", "-S", copy, "-B", build, "-G", "Ninja", *launcher], stdout=subprocess.DEVNULL)
    if PAGES[name].without:
        must_not_compile(copy, build, environment, PAGES[name].without)
    with open(work / "build.log", "w") as log:
        try:
            call(["cmake", "--build", build, "--target", "hadamard", "hadamard_shared", "diff_targets", PAGES[name].unit],
                 env=environment, stdout=log)
        except subprocess.CalledProcessError:
            sys.exit("\n".join((work / "build.log").read_text().splitlines()[-40:]))
    folder, shell = blocks.sandbox(build / "apps" / "hadamard" / "hadamard", work)
    problems = []
    for i, block in enumerate(page):
        if block.mark != AFTER:
            continue
        if block.word in ("sh", "console"):
            problems += blocks.run(block, folder, shell)[0]
        else:
            compiler = ["c++", "-std=c++20"] if block.word == "cpp" else ["cc", "-std=c11"]
            source_file = folder / f"main.{block.word}"
            source_file.write_text(block.text)
            call([*compiler, "-Wall", "-Wextra", "-Werror", f"-I{copy / 'include'}", source_file, f"-L{build}",
                  "-lhadamard", f"-Wl,-rpath,{build}", "-o", folder / "main"])
            output = subprocess.run([folder / "main"], check=True, text=True, capture_output=True).stdout
            if output != page[i + 1].text:
                problems.append(f"{block}: expected {page[i + 1].text!r}, got {output!r}")
    if problems:
        sys.exit("\n".join(problems))
    call([build / "apps" / "hadamard" / "hadamard", "conform"], stdout=subprocess.DEVNULL)
    call([build / PAGES[name].unit, "--gtest_brief=1"])
    for selection in PAGES[name].differential.split(":"):  # one by one: a filter that selects nothing passes
        listed = [build / "tests" / "differential" / "diff_targets", f"--gtest_filter={selection}"]
        if "/" not in subprocess.run([*listed, "--gtest_list_tests"], check=True, text=True,
                                     capture_output=True).stdout.partition("\n  ")[2]:
            sys.exit(f"howto: no differential test is called {selection}")
        call([*listed, "--gtest_brief=1"])
    print(f"howto: {name} does what it says")


def main():
    if len(sys.argv) == 3 and sys.argv[2] == "--dry-run":
        dry_run(pathlib.Path(sys.argv[1]).resolve())
        return 0
    if len(sys.argv) >= 4 and sys.argv[2] == "--do" and set(sys.argv[4:]) <= set(PAGES):
        for name in sys.argv[4:] or PAGES:
            work = pathlib.Path(sys.argv[3], name).resolve()
            work.mkdir(parents=True, exist_ok=True)
            follow(pathlib.Path(sys.argv[1]).resolve(), name, work)
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
