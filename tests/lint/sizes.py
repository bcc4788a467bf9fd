#!/usr/bin/env python3
"""Headers of at most about 300 lines, sources of about 500 (DESIGN.md, "Style").

usage: sizes.py ROOT
"""
import sys

sys.dont_write_bytecode = True
import tree  # noqa: E402: beside this file

LIMITS = {".hpp": 320, ".h": 320, ".cpp": 520, ".c": 520}
# path: (its own limit, the reason). An exception that is no longer needed fails too.
EXCEPTIONS = {}


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = sys.argv[1]
    problems = []
    count = 0
    exceptions = dict(EXCEPTIONS)
    for name in tree.files(root):
        limit = LIMITS.get(name.suffix)
        if limit is None:
            continue
        count += 1
        lines = len(tree.text(root, name).splitlines())
        own, reason = exceptions.pop(str(name), (None, None))
        if own is None and lines > limit:
            problems.append(f"{name}: {lines} lines, at most {limit}: split it by what it is about")
        elif own is not None and lines > own:
            problems.append(f"{name}: {lines} lines, at most {own} ({reason})")
        elif own is not None and lines <= limit:
            problems.append(f"{name}: {lines} lines: needs no exception in sizes.py any more")
    problems += [f"{name}: an exception in sizes.py for a file that does not exist" for name in exceptions]
    print("\n".join(problems) or f"sizes: {count} files")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
