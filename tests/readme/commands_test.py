#!/usr/bin/env python3
"""The commands of the documentation print what it says.

usage: commands_test.py SOURCE PROGRAM | commands_test.py --self-test

README.md: every `sh` and `console` block. Other documents: the blocks after a line <!-- run -->.
The blocks of one document share a folder, in which ./run is the built program.
"""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import blocks  # noqa: E402: beside this file


def documents(source):
    yield source / "README.md", True
    for path in sorted((source / "docs").rglob("*.md")):
        yield path, False


def check(source, program, work):
    problems, ran, skipped = [], 0, 0
    for path, all_blocks in documents(source):
        folder, environment = blocks.sandbox(program, work)
        for block in blocks.read(path, path.relative_to(source)):
            if block.word not in ("sh", "console"):
                continue
            if not (all_blocks or block.mark == "here"):
                continue
            found, count, left_out = blocks.run(block, folder, environment)
            problems += found
            ran += count
            skipped += left_out
    if not ran:
        problems.append("no command was found")
    return problems, ran, skipped


PLANTED = """
```console
$ echo one
one
$ false
$ echo $?
1
```
```sh
true  # said to work
```
"""


def self_test():
    """Each mistake that a document can make is noticed; a right one is not."""
    cases = [
        ("right", PLANTED, 0),
        ("wrong output", PLANTED.replace("one\none", "one\ntwo"), 1),
        ("missing output", PLANTED.replace("one\none\n", "one\n"), 1),
        ("unexpected failure", PLANTED.replace("$ echo $?\n1\n", ""), 1),
        ("wrong exit code", PLANTED.replace("$?\n1", "$?\n2"), 1),
        ("failure in sh", PLANTED.replace("true", "false"), 1),
        ("no command", "text only\n", 1),
        ("any text", PLANTED.replace("one\none", "one\no…"), 0),
        ("any text is within a line", PLANTED.replace("one\none", '"$(printf "a\\nb")"\n…'), 1),
    ]
    failed = 0
    for name, text, expected in cases:
        with tempfile.TemporaryDirectory() as work:
            source = pathlib.Path(work, "source")
            source.mkdir()
            (source / "README.md").write_text(text)
            problems, _, _ = check(source, "/bin/true", work)
            if len(problems) != expected:
                failed += 1
                print(f"self-test '{name}': expected {expected} problems, found {problems}")
    print(f"self-test: {len(cases) - failed} of {len(cases)} cases")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="hadamard-readme.") as work:
        problems, ran, skipped = check(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), work)
    print("\n".join(problems))
    print(f"readme: {ran} commands ran, {skipped} skipped ({', '.join(blocks.SKIP)})")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
