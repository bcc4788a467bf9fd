"""Runs a program that says ``import paddle``: python3 -m hadamard.paddle SCRIPT.py [ARGUMENT...]"""
from __future__ import annotations

import io
import os
import sys
import types
from typing import List

import hadamard.paddle

USAGE = "usage: python3 -m hadamard.paddle SCRIPT.py [ARGUMENT...]"


def main(arguments: List[str]) -> int:
    """Does with a script what Python itself does. Returns the exit code; SystemExit of the script passes through."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(f"{USAGE}\n\nRuns a program of Paddle's, in which `import paddle` is hadamard.paddle and `paddle.fluid` hadamard.fluid.")
        return 0
    if not arguments or arguments[0].startswith("-"):
        print(f"{USAGE}\nexpected the path of a script, got {repr(arguments[0]) if arguments else 'nothing'}", file=sys.stderr)
        return 2
    script = arguments[0]
    try:
        with io.open_code(os.path.abspath(script)) as file:
            source = file.read()
    except OSError as error:
        print(f"hadamard.paddle: cannot open '{script}': {error.strerror}", file=sys.stderr)
        return 2
    hadamard.paddle.install()
    sys.argv[:] = arguments
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.path.dirname(os.path.realpath(script))
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=script, __builtins__=__builtins__)
    sys.modules["__main__"] = module
    try:
        exec(compile(source, script, "exec", dont_inherit=True), module.__dict__)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # shown without this file
        below = error.__traceback__.tb_next if error.__traceback__ is not None else None
        sys.excepthook(type(error), error.with_traceback(below), below)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
