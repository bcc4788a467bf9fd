"""Results are compared with the reference before anything is timed."""
import copy

import numpy as np

from cases import NIBBLES, Arrays, STORAGE, aligned

FULL = 100_000  # so many elements are compared all; of more, a random sample
SAMPLE = 20_000
EXACT_SAMPLE = 2_000  # complex numbers: the reference computes in rationals


class Sample:
    """Places of a case, its operands there, and what the reference says."""

    def __init__(self, library, arrays):
        case = arrays.case
        self.case = case
        limit = FULL if "complex" not in case.type else EXACT_SAMPLE
        self.index = None  # everything
        if case.count <= limit:
            self.expected = self.reference(library, arrays)
            return
        rng = np.random.default_rng(7)
        count = EXACT_SAMPLE if "complex" in case.type else SAMPLE
        if case.type in NIBBLES:
            self.index = (rng.integers(0, arrays.y.size, count),)
        else:
            self.index = tuple(rng.integers(0, n, count) for n in case.shape)
        small = SampledArrays(case, arrays, self.index)
        self.expected = self.reference(library, small)

    @staticmethod
    def reference(library, arrays):
        runner = library.runner("ours.ref", arrays, 1)
        runner.once()
        runner.close()
        return arrays.y.copy().reshape(-1)

    def activated(self):
        """The same behind relu."""
        other = copy.copy(self)
        positive = self.expected > 0
        other.expected = np.where(positive | np.isnan(self.expected), self.expected, np.zeros_like(self.expected))
        return other

    def of(self, y):
        return (y if self.index is None else y[self.index]).reshape(-1)

    def differences(self, y):
        """(elements that differ bit for bit, of them not both NaN, elements compared)."""
        got, expected = self.of(y), self.expected
        bits = np.uint8 if self.case.type in NIBBLES else f"u{min(8, got.itemsize)}"
        unequal = (got.view(bits) != expected.view(bits)).reshape(got.size, -1)
        values, wanted = real_parts(self.case.type, got), real_parts(self.case.type, expected)
        both_nan = (np.isnan(values) & np.isnan(wanted)).reshape(got.size, -1)
        return int(unequal.any(axis=1).sum()), int((unequal & ~both_nan).any(axis=1).sum()), got.size


def real_parts(type_, array):
    """As floats in which a NaN is a NaN; two for a complex number."""
    if type_ == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    if array.dtype.kind == "c":
        return array.view(np.float32 if array.itemsize == 8 else np.float64)
    return array if array.dtype.kind == "f" else np.zeros(array.size, np.float32)


class SampledArrays:
    """Looks like Arrays of a one-dimensional case that has only the sampled elements."""

    def __init__(self, case, arrays, index):
        from cases import line
        count = index[0].size
        packed = case.type in NIBBLES
        self.case = line(case.op, case.type, count * 2 if packed else count, rounding=case.rounding)

        def pick(operand):
            if packed:
                return operand[index] if operand.size > 1 else operand
            return np.ascontiguousarray(np.broadcast_to(operand, case.shape)[index])
        self.a, self.b = pick(arrays.a), pick(arrays.b)
        self.y = aligned(count, STORAGE[case.type], 0)


def verdict(sample, arrays, runner, ours):
    """None where the runner's result is the reference's; else what is different, in words.

    Ours must be the same bit for bit; of a rival any NaN will do.
    """
    arrays.clear()
    with np.errstate(all="ignore"):
        runner.once()
    exact, apart_from_nan, compared = sample.differences(arrays.y)
    wrong = exact if ours else apart_from_nan
    return None if wrong == 0 else f"differs from the reference in {wrong} of {compared}"


__all__ = ["Arrays", "Sample", "verdict"]
