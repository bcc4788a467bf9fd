#!/usr/bin/env python3
"""What must not be in the tree, and what must be in the build.

usage: hygiene.py ROOT [--compile-commands FILE] | hygiene.py --self-test

  - no unfinished business in any text file
  - no architecture flag and no -ffast-math in build files or in any compiler call, and
    -ffp-contract=off in every one; but the rivals and limits of the benchmark are compiled for this CPU
  - no address of a host in scripts and build files: they install from the system's own sources
  - tools/bootstrap lists exactly the packages that the tree uses
"""
import json
import pathlib
import re
import shlex
import sys

sys.dont_write_bytecode = True
import tree  # noqa: E402: beside this file

UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
BAD_FLAG = re.compile(r"(?<![\w-])-(?:m[a-z0-9][\w.=+-]*|ffast-math|funsafe-math-optimizations|Ofast"
                      r"|ffp-contract=(?!off\b)\w+|fassociative-math|freciprocal-math|ffinite-math-only|fno-signed-zeros)")
# What ./bench compares us with is compiled at its best. Nothing of it is in the product; ours.cpp is not among it.
FOR_THIS_CPU = {"-march=native"}
FOR_THIS_CPU_FILES = {f"benchmark/native/{name}.cpp" for name in ("limits", "loop", "eigen", "xtensor", "onednn", "program_rivals")}
FOR_THIS_CPU_BUILD_FILE = "benchmark/CMakeLists.txt"
HOST = re.compile(r"\b(?:https?|ftp|ssh|git)://|\bgit@")

# Package -> what shows that the tree uses it. Libraries: the #includes, find_package and pkg-config
# names that mean them. Tools: a pattern to be found in some script or build file.
LIBRARIES = {
    "libhwy-dev": {"include": ["hwy/"], "package": ["hwy"]},
    "libtbb-dev": {"include": ["tbb/", "oneapi/tbb"], "package": ["TBB"]},
    "libgmp-dev": {"include": ["gmp.h", "gmpxx.h"], "pkgconfig": ["gmp", "gmpxx"]},
    "libfmt-dev": {"include": ["fmt/"], "package": ["fmt"]},
    "libcli11-dev": {"include": ["CLI/"], "package": ["CLI11"]},
    "libonnx-dev": {"include": ["onnx/"]},
    "libmatio-dev": {"include": ["matio.h"], "pkgconfig": ["matio"]},
    "zlib1g-dev": {"include": ["zlib.h"], "package": ["ZLIB"]},
    "libedit-dev": {"include": ["histedit.h"], "pkgconfig": ["libedit"]},
    "libprotobuf-dev": {"include": ["google/protobuf/"], "pkgconfig": ["protobuf"]},
    "nlohmann-json3-dev": {"include": ["nlohmann/"], "package": ["nlohmann_json"]},
    "libgtest-dev": {"include": ["gtest/"], "package": ["GTest"]},
    "libgmock-dev": {"include": ["gmock/"]},
    "libmpfr-dev": {"include": ["mpfr.h"], "pkgconfig": ["mpfr"]},
    "librapidcheck-dev": {"include": ["rapidcheck.h", "rapidcheck/"], "package": ["rapidcheck"]},
    "libeigen3-dev": {"include": ["Eigen/"], "package": ["Eigen3"]},
    "libxtensor-dev": {"include": ["xtensor/"], "package": ["xtensor"]},
    "libxsimd-dev": {"package": ["xsimd"]},
    "libdnnl-dev": {"include": ["dnnl.hpp"]},
    "pkg-config": {"package": ["PkgConfig"]},
    "python3": {"package": ["Python3"]},
    "python3-dev": {"include": ["Python.h"], "package": ["Python"]},
    "python3-numpy": {"include": ["numpy/"]},
    "pybind11-dev": {"include": ["pybind11/"], "package": ["pybind11"]},
}
TOOLS = {
    "octave": r"octave-cli",
    "g++": r'"g\+\+"',
    "cmake": r"\bcmake --preset\b",
    "ninja-build": r'"Ninja"',
    "ccache": r"COMPILER_LAUNCHER=ccache",
    "clang-19": r"clang\+\+-19",
    "libclang-rt-19-dev": r"-fsanitize=fuzzer|\"HADAMARD_SANITIZE\"",
    "clang-format": r"clang-format-14",
    "python3-pip": r'"-m", "pip"',
    "python3-dask": r"\bimport dask\b",
    "python3-pandas": r"\bimport pandas\b",
    "python3-onnx": r"\bimport onnx\b",
    "python3-torch": r'"torch"',
    "python3-numexpr": r'"numexpr"',
    "git": r"\bgit -c\b",
    "g++-aarch64-linux-gnu": r"\baarch64-linux-gnu-g\+\+",
    "qemu-user": r"\bqemu-aarch64\b",
}
PART_OF_THE_SYSTEM = {"Threads", "OpenMP"}  # found with find_package, comes with the compiler
SYSTEM_HEADERS = re.compile(
    r"[a-z_0-9]+|(?:sys|linux|bits|arpa|netinet|sanitizer)/\w+\.h|\w*intrin\.h|(?:assert|complex|cpuid|ctype|cxxabi|dirent|dlfcn|errno"
    r"|fcntl|fenv|float|fnmatch|ftw|getopt|glob|inttypes|iso646|limits|locale|math|pthread|pwd|sched|setjmp|signal|spawn"
    r"|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|strings|tgmath|threads|time"
    r"|omp|poll|termios|uchar|unistd|wchar|wctype)\.h")

CODE = {".cpp", ".hpp", ".h", ".c"}
SCRIPT_SUFFIXES = {".sh", ".py", ".cmake"}
SCRIPT_NAMES = {"run", "test", "bench", ".ci/run", "tools/bootstrap", "CMakePresets.json"}


def is_build_file(name):
    return name.name in ("CMakeLists.txt", "CMakePresets.json") or name.suffix == ".cmake" or \
        name.name.endswith(".cmake.in")


def is_script(name):
    return is_build_file(name) or name.suffix in SCRIPT_SUFFIXES or str(name) in SCRIPT_NAMES


def without_comment(name, line):
    if name.suffix == ".json":
        return line
    return line.split("#", 1)[0] if is_build_file(name) else line


def lines_of(texts, wanted):
    for name, text in texts.items():
        if wanted(name):
            for number, line in enumerate(text.splitlines(), 1):
                yield name, number, line


def check_text(texts):
    for name, number, line in lines_of(texts, lambda n: str(n) != "LICENSE"):
        if match := UNFINISHED.search(line):
            yield f"{name}:{number}: '{match[0]}': finish it, or open an issue"
    for name, number, line in lines_of(texts, is_build_file):
        flags = {match[0] for match in BAD_FLAG.finditer(without_comment(name, line))}
        if str(name) == FOR_THIS_CPU_BUILD_FILE:
            flags -= FOR_THIS_CPU
        for flag in sorted(flags):
            yield f"{name}:{number}: '{flag}': would change results or demand a CPU"
    for name, number, line in lines_of(texts, is_script):
        if HOST.search(line) and "hygiene.py" not in str(name):
            yield f"{name}:{number}: the address of a host"


def check_compile_commands(root, commands):
    """Every call of the compiler on a file of ours, with the flags that it really got."""
    root = pathlib.Path(root).resolve()
    count = 0
    for entry in commands:
        file = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if not file.is_relative_to(root):
            continue
        count += 1
        words = entry.get("arguments") or shlex.split(entry["command"])
        name = file.relative_to(root)
        if "-ffp-contract=off" not in words:
            yield f"{name}: compiled without -ffp-contract=off (link the target to hadamard_flags)"
        for word in words:
            if BAD_FLAG.fullmatch(word) and not (word in FOR_THIS_CPU and str(name) in FOR_THIS_CPU_FILES):
                yield f"{name}: compiled with {word}"
    if not count:
        yield "compile_commands.json: has no source of ours"


def external_names(texts):
    """(kind, name, where) of each #include <…>, find_package and pkg-config module."""
    for name, number, line in lines_of(texts, lambda n: n.suffix in CODE):
        if match := re.match(r"\s*#\s*include\s*<([^>]+)>", line):
            if not SYSTEM_HEADERS.fullmatch(match[1]) and not match[1].startswith("hadamard/"):
                yield "include", match[1], f"{name}:{number}"
        elif match := re.match(r'\s*#\s*include\s*"((?:hwy|tbb|fmt|CLI|gtest|gmock|nlohmann|google/protobuf)/[^"]+)"', line):
            yield "include", match[1], f"{name}:{number}"
    for name, text in texts.items():
        if is_build_file(name):
            text = "\n".join(without_comment(name, line) for line in text.splitlines())
            for match in re.finditer(r"\bfind_package\(\s*(\w+)", text):
                if match[1] not in PART_OF_THE_SYSTEM and match[1] != "hadamard":
                    yield "package", match[1], str(name)
            for match in re.finditer(r"\bpkg_check_modules\(\s*\w+([^)]*)\)", text):
                for word in match[1].split():
                    if not word.isupper() and not word.startswith(("$", "<", ">", "=")) and word != "hadamard":
                        yield "pkgconfig", word, str(name)


def package_of(kind, name):
    for package, uses in LIBRARIES.items():
        for use in uses.get(kind, []):
            if name == use or (kind == "include" and name.startswith(use) and not use.endswith(".h")):
                return package
    return None


def check_packages(texts):
    bootstrap = texts.get(pathlib.PurePath("tools/bootstrap"), "")
    listed = re.findall(r"^(?:program|python|tests|aarch64|bench) +(\S+) +\S.*$", bootstrap, re.MULTILINE)
    if not listed:
        yield "tools/bootstrap: lists no package"
    used = set()
    for kind, name, where in external_names(texts):
        package = package_of(kind, name)
        if package is None:
            yield f"{where}: '{name}' comes from a package that hygiene.py does not know (add it to LIBRARIES)"
        elif package not in listed:
            yield f"{where}: '{name}' needs {package}, which tools/bootstrap does not install"
        used.add(package)
    everything = "\n".join(text for name, text in texts.items()
                           if str(name) != "tools/bootstrap" and name.name != "hygiene.py")
    for package in listed:
        if package in used or (package in TOOLS and re.search(TOOLS[package], everything)):
            continue
        yield f"tools/bootstrap: {package} is not used by anything in the tree"
    for package in sorted({p for p in listed if listed.count(p) > 1}):
        yield f"tools/bootstrap: {package} is listed twice"


def self_test():
    path = pathlib.PurePath
    bootstrap = "program  libfmt-dev  text\n"
    base = {path("tools/bootstrap"): bootstrap, path("a.cpp"): "#include <fmt/format.h>\n#include <vector>\n"}
    here = "/tree"
    call = {"directory": "/tree/build", "file": "/tree/a.cpp"}
    good = [dict(call, command="g++ -O2 -ffp-contract=off -c /tree/a.cpp")]
    cases = [
        ("nothing", {}, good, None),
        ("unfinished", {path("b.md"): "a TO" "DO\n"}, good, "finish it"),
        ("arch flag", {path("CMakeLists.txt"): "add_compile_options(-mavx2)\n"}, good, "-mavx2"),
        ("fast math", {path("x.cmake"): "set(F -ffast-math)\n"}, good, "-ffast-math"),
        ("a comment may name it", {path("x.cmake"): "# never -ffast-math\n"}, good, None),
        ("host", {path("run"): "curl https:" "//example.org\n"}, good, "host"),
        ("no contract flag", {}, [dict(call, command="g++ -c /tree/a.cpp")], "without -ffp-contract"),
        ("arch flag in the call", {}, [dict(call, command="g++ -ffp-contract=off -march=native -c a.cpp")],
         "compiled with -march=native"),
        ("arch flag for a rival", {}, [*good, dict(call, file="/tree/benchmark/native/loop.cpp",
                                                   command="g++ -ffp-contract=off -march=native -c loop.cpp")], None),
        ("another flag for a rival", {}, [dict(call, file="/tree/benchmark/native/loop.cpp",
                                               command="g++ -ffp-contract=off -mfma -c loop.cpp")], "-mfma"),
        ("arch flag for ours in the benchmark", {}, [dict(call, file="/tree/benchmark/native/ours.cpp",
                                                          command="g++ -ffp-contract=off -march=native -c ours.cpp")],
         "ours.cpp: compiled with -march=native"),
        ("arch flag in the benchmark's build file", {path("benchmark/CMakeLists.txt"): "set(F -march=native)\n"}, good,
         None),
        ("another flag there", {path("benchmark/CMakeLists.txt"): "set(F -march=native -ffast-math)\n"}, good,
         "-ffast-math"),
        ("unlisted library", {path("b.cpp"): "#include <gmp.h>\n"}, good, "needs libgmp-dev"),
        ("unknown library", {path("b.cpp"): "#include <boost/x.hpp>\n"}, good, "does not know"),
        ("unlisted package", {path("CMakeLists.txt"): "find_package(TBB REQUIRED)\n"}, good, "needs libtbb-dev"),
        ("unlisted module", {path("CMakeLists.txt"): "pkg_check_modules(M REQUIRED mpfr)\n"}, good, "libmpfr-dev"),
        ("unused package", {path("tools/bootstrap"): bootstrap + "tests  git  lists files\n"}, good, "not used"),
    ]
    failures = 0
    for what, extra, commands, expected in cases:
        texts = base | extra
        found = [*check_text(texts), *check_packages(texts), *check_compile_commands(here, commands)]
        good_ = found == [] if expected is None else len(found) == 1 and expected in found[0]
        failures += not good_
        print(f"{'ok  ' if good_ else 'FAIL'} planted: {what}; found: {found}")
    return failures


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    if len(arguments) not in (1, 3) or (len(arguments) == 3 and arguments[1] != "--compile-commands"):
        print(__doc__, file=sys.stderr)
        return 2
    root = arguments[0]
    texts = {name: text for name in tree.files(root) if (text := tree.text(root, name)) is not None}
    problems = [*check_text(texts), *check_packages(texts)]
    if len(arguments) == 3:
        commands = json.loads(pathlib.Path(arguments[2]).read_text(encoding="utf-8"))
        problems += check_compile_commands(root, commands)
    print("\n".join(problems) or f"hygiene: {len(texts)} files")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
