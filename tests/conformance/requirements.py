#!/usr/bin/env python3
"""The table of requirements in docs/semantics/sonnx.md: is it what the program and the tests say?

usage: requirements.py ROOT LIST_REQUIREMENTS HADAMARD [EMULATOR...] [--update]

Ids, statements and where they are enforced come from the program's own list; the cases that show them from
`hadamard conform --json`, of requirements on graphs from the tests of models that name them. No cell may be empty.
"""
import json
import pathlib
import re
import subprocess
import sys

BEGIN, END = "<!-- requirements: made by tests/conformance/requirements.py --update -->\n", "<!-- end of requirements -->\n"
TESTS_OF_MODELS = ("tests/model", "tests/cli")


def tests_naming(root, requirement):
    """The test functions below the folders that name a requirement: "check_test.py: test_cycle"."""
    found = []
    # <OP> stands for every operator; a test may make the name of it.
    name = re.escape(requirement).replace("<OP>", r"(?:[A-Z]+|\{[^}]*\})")
    for folder in TESTS_OF_MODELS:
        for path in sorted((root / folder).glob("*_test.py")):
            function = None
            for line in path.read_text().splitlines():
                match = re.match(r"\s+def (test_\w+)", line)
                function = match[1] if match else function
                if re.search(rf"{name}(?![-\w])", line) and function:
                    entry = f"{folder}/{path.name}: {function}"
                    if entry not in found:
                        found.append(entry)
    return found


def shown_by(root, requirement, no_case, cases):
    if not no_case:
        files = {}
        for place in cases.get(requirement, []):
            file = place.rsplit(":", 1)[0]
            files[file] = files.get(file, 0) + 1
        return ", ".join(f"{file} ({count})" for file, count in sorted(files.items()))
    tests = tests_naming(root, requirement)
    if not tests and no_case.startswith("no type"):  # a document's own name for [GR1]
        tests = tests_naming(root, "SONNX-GR1")
    return ", ".join(tests[:3]) + (f" and {len(tests) - 3} more" if len(tests) > 3 else "")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    root, lister, program, emulator = pathlib.Path(arguments[0]), arguments[1], arguments[2], arguments[3:]
    done = subprocess.run([*emulator, program, "conform", "--json"], capture_output=True, check=True)
    report = json.loads(done.stdout)
    cases = {clause["clause"]: clause["cases"] for clause in report["clauses"]}
    table = "| requirement | what it says | enforced by | shown by |\n|---|---|---|---|\n"
    empty = []
    for line in subprocess.run([*emulator, lister], capture_output=True, check=True, text=True).stdout.splitlines():
        requirement, statement, enforced, no_case = line.split("\t")
        cells = [f"`{requirement}`", statement, enforced, shown_by(root, requirement, no_case, cases)]
        if not all(cells):
            empty.append(requirement)
        table += "| " + " | ".join(cells) + " |\n"
    if empty:
        sys.exit(f"requirements: an empty cell in the row of {', '.join(empty)}")
    page = root / "docs/semantics/sonnx.md"
    text = page.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    wanted = before + BEGIN + "\n" + table + "\n" + END + after
    if "--update" in sys.argv:
        page.write_text(wanted)
    elif wanted != text:
        sys.exit("requirements: the table in docs/semantics/sonnx.md is not that of the program; run "
                 "tests/conformance/requirements.py with --update")


main()
