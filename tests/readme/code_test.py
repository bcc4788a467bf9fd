#!/usr/bin/env python3
"""The C++ and C programs of README.md and docs/how-to/cpp.md compile against an installed Hadamard and print what those say.

usage: code_test.py SOURCE BUILD CMAKE CC CXX SANITIZERS

A `cpp` or `c` block with a main() is a program; the next `text` block is what it prints. The C++ one is
built with the README's own `cmake` block, the C one with pkg-config, as the README says.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import blocks  # noqa: E402: beside this file


def call(command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300, **options)
    if done.returncode != 0:
        print(done.stdout)
        sys.exit(f"code_test: {command[0]} ended with {done.returncode}")
    return done.stdout


def programs(found):
    """(language block, expected output) of each program of the document."""
    for i, block in enumerate(found):
        if block.word in ("cpp", "c") and "main(" in block.text:
            after = found[i + 1] if i + 1 < len(found) else None
            if after is None or after.word != "text":
                sys.exit(f"{block}: no `text` block after it says what it prints")
            yield block, after.text


def main():
    if len(sys.argv) != 7:
        print(__doc__, file=sys.stderr)
        return 2
    source, build = (pathlib.Path(argument) for argument in sys.argv[1:3])
    cmake, cc, cxx, sanitizers = sys.argv[3:]
    flags = f"-Wall -Wextra -Wpedantic -Werror {f'-fsanitize={sanitizers}' if sanitizers else ''}"
    found = [block for page in ("README.md", "docs/how-to/cpp.md") for block in blocks.read(source / page, page)]
    lists = [block for block in found if block.word == "cmake"]
    languages = []
    with tempfile.TemporaryDirectory(prefix="hadamard-readme.") as name:
        work = pathlib.Path(name)
        prefix = work / "prefix"
        call([cmake, "--install", build, "--prefix", prefix])
        pkgconfig = next(prefix.rglob("hadamard.pc")).parent
        library = next(prefix.rglob("libhadamard.so")).parent
        environment = dict(os.environ, PKG_CONFIG_PATH=str(pkgconfig), LD_LIBRARY_PATH=str(library))
        for number, (block, expected) in enumerate(programs(found)):
            folder = work / str(number)
            folder.mkdir()
            (folder / f"main.{block.word}").write_text(block.text)
            if block.word == "cpp":
                (folder / "CMakeLists.txt").write_text(lists[0].text)
                call([cmake, "-S", folder, "-B", folder / "build", "-G", "Ninja",
                      f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={cxx}",
                      f"-DCMAKE_CXX_FLAGS={flags}"])
                call([cmake, "--build", folder / "build"])
                program = folder / "build" / "main"
            else:
                words = call(["pkg-config", "--cflags", "--libs", "hadamard"], env=environment).split()
                program = folder / "main"
                call([cc, "-std=c11", *flags.split(), folder / "main.c", *words, "-o", program])
            output = call([program], env=environment)
            if output != expected:
                sys.exit(f"{block}:\n--- the document says\n{expected}--- it prints\n{output}")
            languages.append(block.word)
    if not {"c", "cpp"} <= set(languages):
        sys.exit("code_test: the documents have no C++ or no C program")
    print(f"readme: {len(languages)} programs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
