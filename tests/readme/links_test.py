#!/usr/bin/env python3
"""Links between the documents lead somewhere, and so do the paths of files that they name.

usage: links_test.py SOURCE
"""
import pathlib
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
# A path of the tree in backquotes: `src/op/add.hpp`, `docs/adr/`. Not patterns, not files yet to be made.
PATH = re.compile(r"`((?:src|include|apps|python|tests|tools|docs|examples|cmake)/[\w./-]+)`")
FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
TO_BE_MADE = {"src/op/rsub.hpp", "src/op/tan.hpp", "src/exec/cpu/functions/tan-inl.h",
              "tests/cases/native/tan.case"}  # by the reader of a how-to


def main():
    source = pathlib.Path(sys.argv[1])
    files = [source / "README.md", source / "CONTRIBUTING.md", source / "CHANGELOG.md",
             source / "examples" / "README.md", *sorted((source / "docs").rglob("*.md"))]
    problems, count = [], 0
    for path in files:
        text = FENCED.sub("", path.read_text())
        targets = [(path.parent / m[1], m[1]) for m in LINK.finditer(text) if "://" not in m[1]]
        targets += [(source / m[1], m[1]) for m in PATH.finditer(text) if m[1] not in TO_BE_MADE]
        count += len(targets)
        problems += [f"{path.relative_to(source)}: {name} does not exist" for target, name in targets
                     if not target.exists()]
    print("\n".join(problems) or f"links: {count} in {len(files)} documents")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
