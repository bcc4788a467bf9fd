"""Tensors with levels of detail: sequences of different lengths, laid side by side."""

from __future__ import annotations

import itertools
import operator
from typing import Any, List, Optional, Sequence

import numpy as np

import hadamard
from hadamard import _core

__all__ = ["LoDTensor", "create_lod_tensor"]

Levels = List[List[int]]
_WHAT = "The data of a LoDTensor"


def _require_levels(levels: Sequence[Sequence[int]], what: str) -> Levels:
    try:
        return [[operator.index(offset) for offset in level] for level in levels]
    except TypeError:
        raise TypeError(f"{what} must be a list of lists of whole numbers, but it is {levels!r}") from None


def _problem(lod: Levels, rows: int) -> Optional[str]:
    """Why these offsets do not fit a tensor of so many rows; None where they do."""
    for number, level in enumerate(lod):
        if len(level) < 2:
            return f"level {number} has {len(level)} offsets, and 2 are the least"
        if level[0] != 0:
            return f"level {number} begins at {level[0]}, not at 0"
        if any(later < earlier for earlier, later in zip(level, level[1:])):
            return f"the offsets of level {number} descend"
        end = len(lod[number + 1]) - 1 if number + 1 < len(lod) else rows
        if level[-1] != end:
            there = f"level {number + 1} has {end} sequences" if number + 1 < len(lod) else f"the tensor has {end} rows"
            return f"level {number} ends at {level[-1]}, but {there}"
    return None


def _lengths(lod: Levels) -> Levels:
    return [[end - begin for begin, end in zip(level, level[1:])] for level in lod]


def _hint(levels: Levels, rows: int) -> str:
    """What to do where offsets were given as lengths."""
    return f" These are offsets; the lengths are {_lengths(levels)}." if levels and _problem(levels, rows) is None else ""


def array_of(value: Any, what: str) -> np.ndarray:
    """An array of numbers that NumPy knows as such. Others are refused: `what` they are for, what they are, what to do."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{what} is a masked array, whose mask would be lost; take .filled(value).")
    if not isinstance(value, LoDTensor):
        _core.require_no_loss(value, what)
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{what} is no array: {error}") from error
    if array.dtype.kind in "biuf" and array.dtype.itemsize <= 8:
        return array
    raise TypeError(f"{what} {_strangeness(array)}; it must be an array of floats or integers of at most 64 bits, as "
                    "np.array(..., dtype) makes it.")


def _strangeness(array: np.ndarray) -> str:
    kind = "str" if array.dtype.kind == "U" else str(array.dtype)
    for element in array.ravel() if array.dtype.kind == "O" else ():
        if isinstance(element, int) and not -(2**63) <= element < 2**64:
            return "has an integer beyond 64 bits"
        if element is None and array.ndim == 0:
            return "is None"
        if not isinstance(element, (bool, int, float, np.number)):
            kind = type(element).__name__
            break
    return f"has elements of type {kind}" if array.ndim else f"is of type {kind}"


class LoDTensor:
    """An array and its levels of detail: for each level the offsets where its sequences begin, and where the
    last one ends.

    ``set(array, place)``, ``set_lod(lod)``, ``lod()``; ``numpy.array(tensor)`` is the array.
    """

    def __init__(self) -> None:
        self._array = np.zeros((0,), np.float32)
        self._lod: Levels = []

    def set(self, array: Any, place: Any = None, zero_copy: bool = False) -> None:
        """Take an array's elements."""
        from .core import require_place

        require_place(place, "A LoDTensor")
        self._array = array_of(array, _WHAT).copy()

    def set_lod(self, lod: Sequence[Sequence[int]]) -> None:
        """Set the offsets. Raises ValueError where they do not fit the rows."""
        levels = _require_levels(lod, "lod")
        problem = _problem(levels, self._rows())
        if problem is not None:
            raise ValueError(f"The provided lod {levels} is invalid: {problem}.")
        self._lod = levels

    def carry_lod(self, lod: Levels) -> None:
        """Set offsets that another tensor has, whose rows may be others: a result has those of X as they are."""
        self._lod = [list(level) for level in lod]

    def lod(self) -> Levels:
        """The offsets."""
        return [list(level) for level in self._lod]

    def set_recursive_sequence_lengths(self, recursive_sequence_lengths: Sequence[Sequence[int]]) -> None:
        """Set the lengths of the sequences instead of their offsets."""
        levels = _require_levels(recursive_sequence_lengths, "recursive_sequence_lengths")
        offsets = [[0, *itertools.accumulate(level)] for level in levels]
        problem = _problem(offsets, self._rows())
        if problem is not None:
            raise ValueError(f"The provided recursive_sequence_lengths {levels} are invalid: {problem}."
                             + _hint(levels, self._rows()))
        self._lod = offsets

    def recursive_sequence_lengths(self) -> Levels:
        """The lengths of the sequences."""
        return _lengths(self._lod)

    def has_valid_recursive_sequence_lengths(self) -> bool:
        """Whether the offsets fit the array."""
        return _problem(self._lod, self._rows()) is None

    @staticmethod
    def _hadamard_elementwise_(op: str, x: Any, y: Any, axis: int, act: Any, name: Any, out: Any) -> Any:
        """What hadamard.elementwise_add and its like do with LoDTensors: the result has the levels of x."""
        if out is not None:
            raise TypeError(f"{op} of a LoDTensor makes a new one; it does not write to `out`.")
        arrays = (operand._array if isinstance(operand, LoDTensor) else operand for operand in (x, y))
        result = getattr(hadamard, op)(*arrays, axis=axis, act=act, name=name)
        if not isinstance(x, LoDTensor):
            return result
        tensor = LoDTensor()
        tensor.set(result)
        tensor.carry_lod(x._lod)
        return tensor

    def _rows(self) -> int:
        return self._array.shape[0] if self._array.ndim else 0

    def shape(self) -> List[int]:
        """The array's shape."""
        return list(self._array.shape)

    def __array__(self, dtype: Any = None) -> np.ndarray:
        return self._array if dtype is None else self._array.astype(dtype)

    def __repr__(self) -> str:
        return f"LoDTensor(lod={self._lod}, shape={self.shape()}, dtype={self._array.dtype})\n{self._array}"


def create_lod_tensor(data: Any, recursive_seq_lens: Sequence[Sequence[int]], place: Any = None) -> LoDTensor:
    """A LoDTensor from an array, a LoDTensor, or a list of sequences (then with one level)."""
    if isinstance(data, LoDTensor):
        data = np.asarray(data)
    if isinstance(data, list):
        levels = _require_levels(recursive_seq_lens, "recursive_seq_lens")
        try:
            lengths = [len(sequence) for sequence in data]
        except TypeError:
            raise TypeError(f"{_WHAT} must be an array or a list of sequences, but it is {data!r}.") from None
        if [lengths] != levels:
            raise ValueError(f"data and recursive_seq_lens do not match: sequences of {lengths}, but {levels} was said."
                             + _hint(levels, sum(lengths)))
        rows = [row for sequence in data for row in sequence]
        data = array_of(rows, _WHAT) if rows else np.zeros((0,), np.int64)
        if data.ndim == 1:
            data = data.reshape(-1, 1)
    tensor = LoDTensor()
    tensor.set(data, place)
    tensor.set_recursive_sequence_lengths(recursive_seq_lens)
    return tensor
