#!/usr/bin/env python3
"""A compiler launcher that takes an object from another build, where the same compiler was called for the same file
with flags that make the same code; it compiles everything else.

usage: reuse.py COMPILE_COMMANDS COMPILER ARGUMENT...

What makes no other code: warnings, precompiled headers, names of outputs, the folder of generated headers (which follow
from the same list), and the flags that keep a parent's fast-math
and visibility away from us, which are the compiler's defaults. ccache cannot know that.
"""
import json
import pathlib
import shlex
import subprocess
import sys

WITH_A_WORD = {"-o", "-c", "-MT", "-MF", "-include", "-Xclang"}
WITHOUT_EFFECT = {"-w", "-MD", "-fpch-preprocess", "-fno-fast-math", "-fno-unsafe-math-optimizations",
                  "-fno-associative-math", "-fno-reciprocal-math", "-fno-finite-math-only", "-fsigned-zeros",
                  "-fvisibility=default"}


def meaning(words):
    """The words that matter, and those of outputs and inputs by their flag."""
    kept, named = [], {}
    words = iter(words)
    for word in words:
        if word in WITH_A_WORD:
            named[word] = next(words)
        elif word not in WITHOUT_EFFECT and not word.startswith("-W") and not word.endswith("/generated"):
            kept.append(word)
    return sorted(kept), named


def main():
    database, *command = sys.argv[1:]
    wanted, named = meaning(command)
    if "-c" in named and "-o" in named:
        source = str(pathlib.Path(named["-c"]).resolve())
        for entry in json.loads(pathlib.Path(database).read_text()):
            if entry["file"] != source:
                continue
            words = shlex.split(entry["command"])
            found, outputs = meaning(words[1:] if words[0].endswith("ccache") else words)
            made = pathlib.Path(entry["directory"], outputs["-o"])
            if found == wanted and made.is_file():
                pathlib.Path(named["-o"]).write_bytes(made.read_bytes())
                if "-MF" in named:
                    pathlib.Path(named["-MF"]).write_text(f"{named['-o']}: {source}\n")
                return 0
    print(f"compiled: {named.get('-c')}")
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
