"""The exceptions of Hadamard: Python's own, with the engine's code and requirement."""
from __future__ import annotations


class Error(Exception):
    """Every failure that Hadamard itself reports is one of these, and one of Python's own as well.

    code: the engine's stable name of what went wrong: 'shape_mismatch', 'zero_divisor', …
    requirement: the requirement of the dialect's specification that was violated
        ('SONNX-DIV-INT-C3'), or ''.
    """

    code: str = "internal"
    requirement: str = ""


class ArgumentError(Error, ValueError):
    """Shapes that do not fit together, or a value outside its domain."""


class ElementTypeError(Error, TypeError):
    """Element types that differ, or that a function, dialect or format lacks."""


class ZeroDivisorError(Error, ZeroDivisionError):
    """An integer, bool or real was to be divided by zero; the message names the first index."""


class TooLargeError(Error, MemoryError):
    """More elements or bytes than this machine can address or hold."""


class FileError(Error, OSError):
    """The operating system refused to read or write."""


class InternalError(Error, RuntimeError):
    """Something is not available here, or Hadamard has a defect."""


for _class in (Error, ArgumentError, ElementTypeError, ZeroDivisorError, TooLargeError, FileError, InternalError):
    _class.__module__ = "hadamard"  # where they are to be found

_CLASSES = {
    "shape_mismatch": ArgumentError,
    "type_mismatch": ElementTypeError,
    "unsupported_type": ElementTypeError,
    "zero_divisor": ZeroDivisorError,
    "bad_argument": ArgumentError,
    "bad_literal": ArgumentError,
    "bad_file": ArgumentError,
    "io": FileError,
    "too_large": TooLargeError,
    "overlap": ArgumentError,
}


def class_of(code: str) -> type[Error]:
    """The class of the exceptions with a code of the engine's."""
    return _CLASSES.get(code, InternalError)
