#!/usr/bin/env python3
"""Checks that no #include goes upward (docs/architecture.md, DESIGN.md "The layers").

usage: layers.py ROOT | layers.py --self-test

A module includes from strictly lower rows and from itself; the two columns of a row do not see each
other. Public headers belong to a layer each, and mention nothing of what the library is made of.
"""
import pathlib
import re
import sys
import tempfile

ROWS = [["base"], ["num"], ["op", "tensor"], ["program"], ["plan"], ["exec", "bound"], ["dialect", "io"], ["api"], ["model", "matlab"],
        ["conform"], ["apps", "python"]]
ROW = {module: row for row, modules in enumerate(ROWS) for module in modules}
# Less than the rows would allow: files know tensors and plans, not how anything is computed.
ONLY = {"io": {"base", "num", "tensor", "plan"}}

PUBLIC = {
    "lists.h": "base",
    "error.hpp": "base",
    "types.hpp": "num",
    "attribute.hpp": "op",
    "layout.hpp": "tensor",
    "view.hpp": "tensor",
    "tensor.hpp": "tensor",
    "options.hpp": "plan",
    "program.hpp": "api",
    "number.hpp": "api",
    "hadamard.hpp": "api",
    "matlab.hpp": "api",
    "paddle.hpp": "api",
    "hadamard.h": "api",
    "hadamard_conform.h": "conform",
}
# What public headers must not mention, not even in a comment.
PRIVATE = re.compile(
    r"\b(gmp(xx)?|mp[zqf]_\w+|mpfr\w*|hwy|highway|(one)?tbb|protobuf|cl_\w+|opencl)\b|\bCL\b", re.IGNORECASE)

# Highway compiles a file once per target by naming it in HWY_TARGET_INCLUDE.
INCLUDE = re.compile(r'^\s*#\s*(?:include|define\s+HWY_TARGET_INCLUDE)\s*([<"])([^">]+)[">]')
SUFFIXES = {".h", ".hpp", ".cpp", ".c", ".inc"}


def sources(root, folder):
    base = root / folder
    return sorted(p for p in base.rglob("*") if p.suffix in SUFFIXES) if base.is_dir() else []


def module_of(root, path):
    """The layer that a file belongs to; None if it has none."""
    parts = path.relative_to(root).parts
    if parts[0] == "src" and len(parts) > 2:
        return parts[1] if parts[1] in ROW else None
    if parts[:2] == ("include", "hadamard"):
        return PUBLIC.get("/".join(parts[2:]))
    return parts[0] if parts[0] in ("apps", "python") else None


def resolve(root, path, name, quoted):
    """The file of ours that is included; None if it is not one of ours."""
    folders = [path.parent] if quoted else []
    for folder in folders + [root / "src", root / "include", root / "apps" / "hadamard", root / "python" / "src"]:
        found = folder / name
        if found.is_file():
            return found.resolve()
    return None


def may_include(module, other):
    if module == other:
        return True
    return ROW[other] < ROW[module] and other in ONLY.get(module, ROW)


def check(root):
    root = root.resolve()
    problems = []
    count = 0
    for folder in ("include/hadamard", "src", "apps", "python"):
        for path in sources(root, folder):
            count += 1
            where = path.relative_to(root)
            module = module_of(root, path)
            text = path.read_text(encoding="utf-8")
            if module is None:
                problems.append(f"{where}: belongs to no layer (add it to ROWS or PUBLIC in layers.py)")
                continue
            for number, line in enumerate(text.splitlines(), 1):
                if folder.startswith("include") and (word := PRIVATE.search(line)):
                    problems.append(f"{where}:{number}: a public header mentions '{word[0]}'")
                match = INCLUDE.match(line)
                target = resolve(root, path, match[2], match[1] == '"') if match else None
                if target is None:
                    continue
                other = module_of(root, target)
                if other is None:
                    problems.append(f"{where}:{number}: includes {match[2]}, which belongs to no layer")
                elif not may_include(module, other):
                    problems.append(f"{where}:{number}: {module} must not include {match[2]} ({other})")
                elif folder.startswith("include") and target.is_relative_to(root / "src"):
                    problems.append(f"{where}:{number}: a public header includes {match[2]}, which is not installed")
    if not count:
        problems.append(f"{root}: nothing to check")
    return problems, count


def self_test():
    """Plants each kind of violation in a tree of its own and sees that it is found, and nothing else."""
    clean = {
        "include/hadamard/lists.h": "#define X\n",
        "include/hadamard/types.hpp": '#include "hadamard/lists.h"\n',
        "include/hadamard/options.hpp": '#include "hadamard/types.hpp"\n',
        "include/hadamard/hadamard.hpp": '#include "hadamard/options.hpp"\n#include <vector>\n',
        "src/base/fail.hpp": "#include <fmt/format.h>\n",
        "src/num/dtype.hpp": '#include "base/fail.hpp"\n',
        "src/op/div.hpp": '#include "num/dtype.hpp"\n',
        "src/tensor/shape.hpp": '#include "num/dtype.hpp"\n',
        "src/plan/plan.hpp": '#include "hadamard/options.hpp"\n#include "op/div.hpp"\n#include "tensor/shape.hpp"\n',
        "src/exec/cpu/kernel.cpp": '#define HWY_TARGET_INCLUDE "exec/cpu/kernel.cpp"\n#include "plan/plan.hpp"\n',
        "src/exec/exec.hpp": '#include "plan/plan.hpp"\n',
        "src/dialect/sonnx/sonnx.cpp": '#include "exec/exec.hpp"\n',
        "src/io/npy.hpp": '#include "tensor/shape.hpp"\n',
        "src/api/api.cpp": '#include "hadamard/hadamard.hpp"\n#include "exec/exec.hpp"\n',
        "src/conform/report.hpp": '#include "hadamard/hadamard.hpp"\n#include "exec/exec.hpp"\n',
        "python/src/module.cpp": '#include "hadamard/hadamard.hpp"\n#include "op/div.hpp"\n',
        "apps/hadamard/main.cpp": '#include "hadamard/hadamard.hpp"\n#include "io/npy.hpp"\n',
    }
    planted = [
        ("upward", "src/num/dtype.hpp", '#include "plan/plan.hpp"\n', "num must not include plan/plan.hpp"),
        ("the other column", "src/op/div.hpp", '#include "tensor/shape.hpp"\n', "op must not include"),
        ("upward, in angle brackets", "src/base/fail.hpp", "#include <num/dtype.hpp>\n", "base must not include"),
        ("upward, relative", "src/plan/plan.hpp", '#include "../exec/exec.hpp"\n', "plan must not include"),
        ("by way of Highway", "src/op/div.hpp", '#define HWY_TARGET_INCLUDE "exec/cpu/kernel.cpp"\n', "op must not"),
        ("io computes", "src/io/npy.hpp", '#include "exec/exec.hpp"\n', "io must not include"),
        ("the façade from below", "src/exec/exec.hpp", '#include "hadamard/hadamard.hpp"\n', "exec must not include"),
        ("the library from what uses it", "src/api/api.cpp", '#include "conform/report.hpp"\n', "api must not include"),
        ("the Python module from an app", "apps/hadamard/main.cpp", '#include "module.cpp"\n', "apps must not include"),
        ("an app from the library", "src/api/api.cpp", '#include "main.cpp"\n', "api must not include"),
        ("a private library in public", "include/hadamard/types.hpp", "#include <gmp.h>\n", "mentions 'gmp'"),
        ("an OpenCL type in public", "include/hadamard/types.hpp", "cl_mem buffer;\n", "mentions 'cl_mem'"),
        ("a module without a layer", "src/misc/misc.hpp", "\n", "belongs to no layer"),
        ("a public header without a layer", "include/hadamard/extra.hpp", "\n", "belongs to no layer"),
        ("internals in public", "include/hadamard/hadamard.hpp", '#include "exec/exec.hpp"\n', "not installed"),
    ]
    failures = 0
    for what, name, line, expected in [("nothing", None, None, None)] + planted:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for file, text in clean.items():
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(text, encoding="utf-8")
            if name:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                with open(root / name, "a", encoding="utf-8") as stream:
                    stream.write(line)
            found, _ = check(root)
        good = found == [] if expected is None else len(found) == 1 and expected in found[0]
        failures += not good
        print(f"{'ok  ' if good else 'FAIL'} planted: {what}; found: {found}")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    problems, count = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems) or f"layers: {count} files, no include goes upward")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
