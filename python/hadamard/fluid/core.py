"""Where programs run, and the error that is not one of the engine's."""

from __future__ import annotations

import enum
from typing import Any

from ._absent import says_what_there_is
from .lod_tensor import LoDTensor

__all__ = ["CPUPlace", "CUDAPlace", "EnforceNotMet", "LoDTensor", "VarDesc", "is_compiled_with_cuda"]


class EnforceNotMet(RuntimeError):
    """What Paddle raises when a program asks for what cannot be done."""


class _Types(enum.EnumMeta):
    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"VarType has no '{name}'; it has: {', '.join(cls.__members__)}")


class VarDesc:
    """Where Paddle keeps the names of types."""

    class VarType(str, enum.Enum, metaclass=_Types):
        """All types of elements. Each is also the name that a variable's dtype is: programs compare the two, and declare data
        with either. And the one kind of variables, which is no type of elements."""
        FP16 = "float16"
        FP32 = "float32"
        FP64 = "float64"
        INT8 = "int8"
        INT16 = "int16"
        INT32 = "int32"
        INT64 = "int64"
        UINT8 = "uint8"
        LOD_TENSOR = "lod_tensor"

        __str__ = str.__str__  # what a program prints is a variable's dtype
        __format__ = str.__format__


class CPUPlace:
    """This machine."""

    def __repr__(self) -> str:
        return "CPUPlace"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CPUPlace)

    def __hash__(self) -> int:
        return hash(CPUPlace)


class CUDAPlace:
    """A GPU: there is none here."""

    def __init__(self, device_id: int = 0) -> None:
        raise EnforceNotMet(f"CUDAPlace({device_id}): Hadamard computes on the CPU; use fluid.CPUPlace()")


def require_place(place: Any, whose: str) -> CPUPlace:
    """Where something is to be: this machine, also where nothing is said."""
    if place is not None and not isinstance(place, CPUPlace):
        raise TypeError(f"{whose} takes fluid.CPUPlace(), but got {place!r}.")
    return place or CPUPlace()


def is_compiled_with_cuda() -> bool:
    """False: programs that ask this use CPUPlace then."""
    return False


__getattr__ = says_what_there_is(__name__, __all__)
