"""Threads and memory, and tensors over the memory of others."""
from __future__ import annotations

import operator
from typing import Any

from hadamard import _core
from hadamard._errors import ArgumentError


def _count(count: Any, most: int) -> int:
    try:
        number = operator.index(count)
    except TypeError:
        raise TypeError(f"count is {count!r}; expected a whole number") from None
    if not 0 <= number <= most:
        raise ArgumentError(f"count is {number}; it takes a number from 0 to {most}")
    return number


def set_threads(count: int) -> None:
    """How many threads a call may use; 0: HADAMARD_THREADS, else as many as the machine gives.

    Results do not depend on it.
    """
    _core.set_threads(_count(count, 4096))


def threads() -> int:
    """How many threads a call may use."""
    return int(_core.threads())


def set_kept_memory_limit(count: int) -> None:
    """How many bytes of freed results are kept for the next ones."""
    _core.set_kept_memory_limit(_count(count, 2**63 - 1))


def release_memory() -> int:
    """Gives the memory of freed results back to the system; returns its bytes."""
    return int(_core.release_memory())


def from_dlpack(array: Any, /) -> Any:
    """A Tensor over the memory of an object that has __dlpack__, without a copy."""
    return _core.from_dlpack(array)


for _function in (set_threads, threads, set_kept_memory_limit, release_memory, from_dlpack):
    _function.__module__ = "hadamard"  # where they are to be found
