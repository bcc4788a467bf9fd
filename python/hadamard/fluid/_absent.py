"""What a module says of a name that it has not: whether it is element-wise and missing, or out of scope."""

from __future__ import annotations

import difflib
from typing import Callable, NoReturn, Sequence

# Element-wise in fluid 1.8, and no layer here; what computes it on arrays, where there is such a function.
ELEMENTWISE = {
    "elementwise_floordiv": "", "abs": "abs", "acos": "", "asin": "", "atan": "", "cast": "cast",
    "ceil": "ceil", "clip": "clip", "cos": "cos", "cosh": "", "equal": "", "erf": "", "floor": "floor", "gelu": "", "greater_equal": "",
    "greater_than": "", "hard_swish": "", "increment": "", "less_equal": "", "less_than": "", "log": "log", "logical_and": "",
    "logical_not": "", "logical_or": "", "logical_xor": "", "not_equal": "", "reciprocal": "reciprocal", "round": "round", "rsqrt": "",
    "scale": "", "selu": "", "sign": "sign", "sin": "sin", "sinh": "", "sqrt": "sqrt", "square": "", "sums": "", "where": "where",
}


def reason(module: str, name: str, names: Sequence[str]) -> str:
    """Why a module has no such name, in one line."""
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.8)
    if name in ELEMENTWISE:
        function = ELEMENTWISE[name]
        instead = f"; on arrays, hadamard.{function} computes it" if function else ""
        return f"{module} has no '{name}': it is element-wise, but not one of the layers here{instead}"
    if close:
        return f"{module} has no '{name}'; did you mean '{close[0]}'?"
    there = f"; it has: {', '.join(names)}" if len(names) <= 12 else ""
    return f"{module} has no '{name}': out of scope, there are element-wise arithmetic and activations only{there}"


def says_what_there_is(module: str, names: Sequence[str]) -> Callable[[str], NoReturn]:
    """A module's ``__getattr__``."""

    def absent(name: str) -> NoReturn:
        raise AttributeError(reason(module, name, names))

    return absent
