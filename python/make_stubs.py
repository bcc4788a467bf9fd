"""Writes the type stubs of the built package beside it, from the functions that are there.

usage: make_stubs.py FOLDER   (the folder that holds `hadamard`)
"""
import inspect
import pathlib
import sys

HEAD = '''"""Written by python/make_stubs.py when the package is built."""
from typing import Any, Literal, Protocol, Sequence, TypeVar, Union, overload

import numpy as np
import numpy.typing as npt

class _DLPack(Protocol):
    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

{choices}
Operand = Union[npt.ArrayLike, "Tensor", _DLPack]
DTypeLike = Union[Literal[{types}], npt.DTypeLike]
_Out = TypeVar("_Out", "npt.NDArray[Any]", "Tensor")

__version__: str
types: tuple[str, ...]
functions: tuple[Any, ...]

class Error(Exception):
    code: str
    requirement: str

class ArgumentError(Error, ValueError): ...
class ElementTypeError(Error, TypeError): ...
class ZeroDivisorError(Error, ZeroDivisionError): ...
class TooLargeError(Error, MemoryError): ...
class FileError(Error, OSError): ...
class InternalError(Error, RuntimeError): ...

class Tensor:
    def __init__(self, array: Operand | Sequence[Any], dtype: DTypeLike | None = ...) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> str: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    def numpy(self) -> npt.NDArray[Any]: ...
    def __array__(self, dtype: npt.DTypeLike | None = ..., copy: bool | None = ...) -> npt.NDArray[Any]: ...
    def tolist(self) -> Any: ...
    def astype(self, dtype: DTypeLike) -> Tensor: ...
    def __dlpack__(self, **kwargs: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __add__(self, other: Operand) -> Tensor: ...
    def __radd__(self, other: Operand) -> Tensor: ...
    def __sub__(self, other: Operand) -> Tensor: ...
    def __rsub__(self, other: Operand) -> Tensor: ...
    def __mul__(self, other: Operand) -> Tensor: ...
    def __rmul__(self, other: Operand) -> Tensor: ...
    def __truediv__(self, other: Operand) -> Tensor: ...
    def __rtruediv__(self, other: Operand) -> Tensor: ...
    def __neg__(self) -> Tensor: ...

def from_dlpack(array: Any, /) -> Tensor: ...
def set_threads(count: int) -> None: ...
def threads() -> int: ...
def release_memory() -> int: ...
def set_kept_memory_limit(count: int) -> None: ...
'''
ALIASES = {"dialect": "Dialect", "int_division": "IntDivision", "broadcast": "Broadcast", "integers": "Integers"}
TYPES = {"dtype": "DTypeLike", "axis": "int", "act": "str | None"}


def annotation(parameter):
    if parameter.name in ALIASES:
        return f"{ALIASES[parameter.name]} | None"
    return TYPES.get(parameter.name, "Operand")


def variant(function, out):
    """One overload: with an output, whose type is the result's, or without."""
    words, named = [], False
    parameters = list(inspect.signature(function).parameters.values())
    for i, parameter in enumerate(parameters):
        if parameter.kind is parameter.KEYWORD_ONLY and not named:
            words.append("*")
            named = True
        if parameter.name == "out":
            words.append("/")
            words.append("out: _Out" if out else "out: None = ...")
            continue
        words.append(f"{parameter.name}: {annotation(parameter)}" + ("" if parameter.default is parameter.empty else " = ..."))
    result = "_Out" if out else "Any"
    return f"@overload\ndef {function.__name__}({', '.join(words)}) -> {result}: ...\n"


def main():
    folder = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    from hadamard import _core
    literals = {name: ", ".join(repr(value) for value in values) for name, values in _core.choices.items()}
    choices = "".join(f"{ALIASES[name]} = Literal[{values}]\n" for name, values in literals.items())
    text = HEAD.format(choices=choices, types=", ".join(map(repr, _core.types)))
    for function in _core.functions:
        text += "\n" + variant(function, False) + variant(function, True)
    (folder / "hadamard" / "__init__.pyi").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
