#!/usr/bin/env python3
"""Checks that nothing decides by operator outside the operator's own record (DESIGN.md "The cost of change").

usage: operators.py ROOT | operators.py --self-test

A decision is a comparison with an operator (`op == Op::div`) or a case of a switch over them. Records and the list itself
(src/op) have theirs; tests may name operators. LEFT is what is still to be moved into records: a number may fall and must then
be lowered here, and never rises.
"""
import pathlib
import re
import sys
import tempfile

DECISION = re.compile(r"[=!]=\s*Op::\w+|\bOp::\w+\s*[=!]=|\bcase\s+Op::\w+")
FOLDERS = ["src", "apps", "python/src", "include"]
LEFT = {
}


def decisions(root):
    """How many each file has, of those that have any."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in {".h", ".hpp", ".cpp"} or name.startswith("src/op/") or "test" in path.stem:
                continue
            code = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
            count = len(DECISION.findall(code))
            if count:
                found[name] = count
    return found


def problems(found, left):
    for name in sorted(found | left):
        now, allowed = found.get(name, 0), left.get(name, 0)
        if now > allowed:
            yield (f"{name}: {now} decisions over operators, expected at most {allowed}; say it in the operator's record "
                   f"(src/op) and read it there")
        elif now < allowed:
            yield f"{name}: {now} decisions over operators, fewer than {allowed}: lower LEFT in tests/lint/operators.py"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "src/op").mkdir(parents=True)
        (root / "src/op/div.hpp").write_text("if (op == Op::div) {}", encoding="utf-8")
        (root / "src/a.cpp").write_text("if (op == Op::div || Op::mul != op) {}\nswitch (op) { case Op::add: }\n"
                                        "f(Op::sub);  // op == Op::sub\n", encoding="utf-8")
        (root / "src/a_test.cpp").write_text("op == Op::div", encoding="utf-8")
        found = decisions(root)
        assert found == {"src/a.cpp": 3}, found
        assert len(list(problems(found, {}))) == 1
        assert len(list(problems(found, {"src/a.cpp": 4}))) == 1
        assert not list(problems(found, {"src/a.cpp": 3}))
        assert len(list(problems({}, {"src/b.cpp": 1}))) == 1
    print("operators: self-test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[1])
    found = decisions(root)
    wrong = list(problems(found, LEFT))
    for problem in wrong:
        print(problem, file=sys.stderr)
    if not wrong:
        print(f"operators: {sum(found.values())} decisions are left outside of records, in {len(found)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
