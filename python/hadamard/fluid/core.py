"""Where programs run, and the error that is not one of the engine's."""

from __future__ import annotations

from .lod_tensor import LoDTensor

__all__ = ["CPUPlace", "CUDAPlace", "EnforceNotMet", "LoDTensor", "is_compiled_with_cuda"]


class EnforceNotMet(RuntimeError):
    """What Paddle raises when a program asks for what cannot be done."""


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


def is_compiled_with_cuda() -> bool:
    """False: programs that ask this use CPUPlace then."""
    return False
