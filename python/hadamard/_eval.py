"""MATLAB's expressions on Python's arrays."""
from __future__ import annotations

from typing import Any

from hadamard import _core


def eval(expression: str, /, *, integers: Any = None, **variables: Any) -> Any:  # noqa: A001: its name in the package
    """The value of an expression in MATLAB's language, with these variables.

        >>> hadamard.eval("(A - B) ./ C", A=a, B=b, C=c)

    By the interpreter of `hadamard matlab`: element-wise operators and functions, implicit expansion from the
    first dimension on, mixed types promoted, complex results where the real ones end; no files.

    Arguments:
        expression: statements, of which the last is an expression: its value is the result. The values of
            others are printed, unless these end with a semicolon.
        integers: what becomes of integers, as in the functions: 'double' (also None) promotes them, 'matlab' keeps
            their class, rounds and saturates. No variable can have this name.
        variables: whatever the functions take as an operand, and texts. Python's numbers are doubles. Of one
            dimension: a row.

    Returns:
        An array, Fortran-ordered, with at least two dimensions; a scalar of NumPy's for 1x1; a row has one
        dimension where no variable has two; a str for text.

    Raises (each is a hadamard.Error too, whose requirement is MATLAB's identifier):
        ValueError: what is no expression, an unknown name, sizes that do not fit together.
        TypeError: types that MATLAB has no class of, or that do not mix.
    """
    if not isinstance(expression, str):
        raise TypeError(f"expression is of type {type(expression).__name__}, but must be a str")
    if integers is not None and not isinstance(integers, str):
        raise TypeError(f"integers is of type {type(integers).__name__}, but must be 'double' or 'matlab': it is an option of eval, "
                        "and cannot be a variable")
    return _core.evaluate(expression, variables, integers)


eval.__module__ = "hadamard"
