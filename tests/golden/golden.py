#!/usr/bin/env python3
"""Commands and what they print.

usage: golden.py [--update] PROGRAM FILE... | golden.py --self-test

A .golden file is blocks. The first line of a block is the command, as a person types it; variables may
stand before it. All lines up to the next command are its standard output, then "stderr: " and a line for
each line of standard error, then "exit: N" where N is not 0. Lines before the first command are a comment.

    $ HADAMARD_CPU=scalar hadamard div 1 0 --type int8
    stderr: hadamard: the divisor B is 0 …
    exit: 2

--update writes what the program prints now.
"""
import difflib
import os
import shlex
import subprocess
import sys
import tempfile

PROMPT = "$ "


def parse(text):
    """(comment, [(command, expected output)])"""
    comment, blocks = "", []
    for line in text.splitlines(keepends=True):
        if line.startswith(PROMPT):
            blocks.append([line[len(PROMPT):].rstrip("\n"), ""])
        elif blocks:
            blocks[-1][1] += line
        else:
            comment += line
    return comment, blocks


def run(program, command):
    words = shlex.split(command)
    env = {k: v for k, v in os.environ.items() if not k.startswith("HADAMARD_")}
    while words and "=" in words[0]:
        name, value = words.pop(0).split("=", 1)
        env[name] = value
    if not words or words[0] != "hadamard":
        raise ValueError(f"'{command}' does not call hadamard")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, *words[1:]], env=env, cwd=folder, capture_output=True, text=True, timeout=30,
                              stdin=subprocess.DEVNULL, check=False)
    text = done.stdout
    if text and not text.endswith("\n"):
        text += "\n"
    text += "".join(f"stderr: {line}\n" for line in done.stderr.splitlines())
    return text + (f"exit: {done.returncode}\n" if done.returncode else "")


def check(program, file, update):
    """True where all is as the file says (after --update it is)."""
    with open(file, encoding="utf-8") as stream:
        comment, blocks = parse(stream.read())
    if not blocks:
        print(f"{file}: has no command")
        return False
    found = [(command, run(program, command)) for command, _ in blocks]
    if update:
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(comment + "".join(f"{PROMPT}{command}\n{output}" for command, output in found))
        return True
    good = True
    for (command, expected), (_, output) in zip(blocks, found):
        if output != expected:
            good = False
            print(f"{file}: $ {command}")
            print("".join(difflib.unified_diff(expected.splitlines(True), output.splitlines(True), "expected", "now")))
    print(f"{file}: {len(blocks)} commands" + ("" if good else
          f"; where the change is meant: {sys.argv[0]} --update {program} {file}"))
    return good


def self_test():
    """The check fails on wrong text, and --update mends it and keeps the comment."""
    with tempfile.TemporaryDirectory() as folder:
        program, file = f"{folder}/program", f"{folder}/x.golden"
        with open(program, "w", encoding="utf-8") as stream:
            stream.write('#!/bin/sh\necho "$A $*"; echo wrong >&2; exit 2\n')
        os.chmod(program, 0o755)
        right = "about it\n$ A=b hadamard '1 2'\nb 1 2\nstderr: wrong\nexit: 2\n$ hadamard\n \nstderr: wrong\nexit: 2\n"
        for wrong in (right.replace("b 1", "b 3"), right.replace("exit: 2\n", "", 1),
                      right.replace("stderr: wrong\n", "", 1), right + "more\n"):
            with open(file, "w", encoding="utf-8") as stream:
                stream.write(wrong)
            assert not check(program, file, False), wrong
            assert check(program, file, True) and check(program, file, False)
            with open(file, encoding="utf-8") as stream:
                assert stream.read() == right
        with open(file, "w", encoding="utf-8") as stream:
            stream.write("no command\n")
        assert not check(program, file, False)
    print("golden.py: self-test passed")
    return 0


def main():
    words = sys.argv[1:]
    if words == ["--self-test"]:
        return self_test()
    update = words[:1] == ["--update"]
    words = words[update:]
    if len(words) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    program = os.path.abspath(words[0])
    return 0 if all([check(program, file, update) for file in words[1:]]) else 1


if __name__ == "__main__":
    sys.exit(main())
