"""Tensors with levels of detail: sequences of different lengths, laid side by side."""

from __future__ import annotations

import operator
from typing import Any, List, Optional, Sequence

import numpy as np

__all__ = ["LoDTensor", "create_lod_tensor"]

Levels = List[List[int]]


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
            whose = f"level {number + 1} has sequences" if number + 1 < len(lod) else "the tensor has rows"
            return f"level {number} ends at {level[-1]}, but {end} is how many {whose}"
    return None


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
        self._array = np.array(array)

    def set_lod(self, lod: Sequence[Sequence[int]]) -> None:
        """Set the offsets. Raises ValueError where they do not fit the rows."""
        levels = _require_levels(lod, "lod")
        problem = _problem(levels, self._array.shape[0] if self._array.ndim else 0)
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
        offsets = [[0] + [int(end) for end in np.cumsum(level, dtype=np.int64)] for level in levels]
        self.set_lod(offsets)

    def recursive_sequence_lengths(self) -> Levels:
        """The lengths of the sequences."""
        return [[end - begin for begin, end in zip(level, level[1:])] for level in self._lod]

    def has_valid_recursive_sequence_lengths(self) -> bool:
        """Whether the offsets fit the array."""
        return _problem(self._lod, self._array.shape[0] if self._array.ndim else 0) is None

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
        lengths = [len(sequence) for sequence in data]
        if [lengths] != [list(level) for level in recursive_seq_lens]:
            raise ValueError(f"data and recursive_seq_lens do not match: sequences of {lengths}, "
                             f"but {recursive_seq_lens} was said")
        rows = [np.asarray(row) for sequence in data for row in sequence]
        data = np.stack(rows) if rows else np.zeros((0,), np.int64)
        if data.ndim == 1:
            data = data.reshape(-1, 1)
    tensor = LoDTensor()
    tensor.set(data, place)
    tensor.set_recursive_sequence_lengths(recursive_seq_lens)
    return tensor
