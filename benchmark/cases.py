"""A case: an operator on two operands of given type, shapes and values. And its arrays."""
import dataclasses
import functools
import zlib

import numpy as np

# Storage of each type; bf16 and the 4-bit types are bit patterns to NumPy.
STORAGE = {
    "fp16": np.float16, "bf16": np.uint16, "fp32": np.float32, "fp64": np.float64,
    "int4": np.uint8, "uint4": np.uint8,
    "int8": np.int8, "int16": np.int16, "int32": np.int32, "int64": np.int64,
    "uint8": np.uint8, "uint16": np.uint16, "uint32": np.uint32, "uint64": np.uint64,
    "complex64": np.complex64, "complex128": np.complex128,
}
NIBBLES = ("int4", "uint4")
SMALL_BITS = {"int32": 23, "uint32": 23, "int64": 51, "uint64": 51}
# How often an element of a quotient goes through the divider, at the least, and as which type.
DIVISIONS = {
    "fp16": (1, "fp32"), "bf16": (1, "fp32"), "fp32": (1, "fp32"), "fp64": (1, "fp64"),
    "complex64": (2, "fp32"), "complex128": (2, "fp64"),
}
PATTERN = 1 << 20  # values repeat after so many elements


@dataclasses.dataclass(frozen=True)
class View:
    """What an operand looks like: a contiguous array, every step-th element of it, its axes permuted."""
    base: tuple
    step: tuple = ()
    axes: tuple = ()

    def of(self, array):
        if self.step:
            array = array[tuple(slice(None, None, s) for s in self.step)]
        return array.transpose(self.axes) if self.axes else array

    @property
    def shape(self):
        shape = [-(-n // s) for n, s in zip(self.base, self.step or (1,) * len(self.base))]
        return tuple(shape[i] for i in self.axes) if self.axes else tuple(shape)


@dataclasses.dataclass(frozen=True)
class Case:
    op: str
    type: str
    a: View
    b: View
    threads: int = 1
    rounding: str = "trunc"
    values: str = "any"  # or small: operands below 2^23 or 2^51; by small: divisors up to 1000
    shapes: str = ""     # how to call the shapes in the name

    @property
    def shape(self):
        return np.broadcast_shapes(self.a.shape, self.b.shape)

    @property
    def count(self):
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def is_integer_division(self):
        return self.op == "div" and "int" in self.type

    @property
    def name(self):
        parts = [self.type, self.op]
        if self.is_integer_division and not self.type.startswith("uint"):
            parts.append(self.rounding)
        if self.values != "any":
            parts.append(self.values)
        parts.append(self.shapes or size_name(self.count))
        if self.threads != 1:
            parts.append(f"{self.threads} threads")
        return " ".join(parts)

    @property
    def divider(self):
        """(divisions per element, type) that the hardware's divider has to do; None where none must be."""
        return DIVISIONS.get(self.type) if self.op == "div" else None


def size_name(n):
    power = len(str(n)) - 1
    return f"10^{power}" if n == 10 ** power and n >= 1000 else str(n)


def line(op, type_, count, **more):
    """Three contiguous arrays of `count` elements."""
    return Case(op, type_, View((count,)), View((count,)), **more)


def by_scalar(op, type_, count, **more):
    return Case(op, type_, View((count,)), View((1,)), shapes=f"{size_name(count)} by a scalar", **more)


def aligned(count, dtype, offset):
    """Uninitialised; begins `offset` bytes after a page, so that no two operands share a place modulo 4096."""
    bytes_ = int(count) * np.dtype(dtype).itemsize
    raw = np.empty(bytes_ + 8192, np.uint8)
    start = (-raw.ctypes.data) % 4096 + offset
    return raw[start:start + bytes_].view(dtype)


def random_bits(rng, dtype, count):
    return np.frombuffer(rng.bytes(count * np.dtype(dtype).itemsize), dtype).copy()


def bf16_of(values):
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def values_of(rng, type_, count, kind, divisor):
    """Floats and complex numbers: normally distributed. Integers: the whole range; a divisor is not 0."""
    dtype = np.dtype(STORAGE[type_])
    if type_ in NIBBLES:
        values = random_bits(rng, np.uint8, (count + 1) // 2)
        if divisor:
            values[values & 15 == 0] |= 3
            values[values >> 4 == 0] |= 0x50
        return values
    if type_ == "bf16" or dtype.kind == "f":
        values = rng.standard_normal(count)
        values[np.abs(values) < 1e-3] = 0.75
        return bf16_of(values) if type_ == "bf16" else values.astype(dtype)
    if dtype.kind == "c":
        return (rng.standard_normal(count) + 1j * rng.standard_normal(count)).astype(dtype)
    values = random_bits(rng, dtype, count)
    if kind == "small":
        limit = 1 << SMALL_BITS[type_]
        values = (values % limit).astype(dtype)
        if dtype.kind == "i":
            values[::2] *= -1
    if kind == "by small" and divisor:
        values = (values % 1000 + 1).astype(dtype)
    if divisor:
        values[values == 0] = 3
    return values


@functools.lru_cache(maxsize=64)
def pattern(type_, kind, divisor):
    rng = np.random.default_rng(zlib.crc32(f"{type_} {kind} {divisor}".encode()))
    return values_of(rng, type_, PATTERN, kind, divisor)


def filled(type_, shape, kind, divisor, offset):
    count = int(np.prod(shape, dtype=np.int64))
    storage = (count + 1) // 2 if type_ in NIBBLES else count
    array = aligned(storage, STORAGE[type_], offset)
    source = pattern(type_, kind, divisor)[:storage]
    for start in range(0, storage, max(1, source.size)):
        array[start:start + source.size] = source[:storage - start]
    return array if type_ in NIBBLES else array.reshape(shape)


class Arrays:
    """The operands and the result of a case. All contenders work on these."""

    def __init__(self, case):
        self.case = case
        self.a = case.a.of(filled(case.type, case.a.base, case.values, False, 0))
        self.b = case.b.of(filled(case.type, case.b.base, case.values, case.op == "div", 1088))
        count = (case.count + 1) // 2 if case.type in NIBBLES else case.count
        self.y = aligned(count, STORAGE[case.type], 2176)
        if case.type not in NIBBLES:
            self.y = self.y.reshape(case.shape)
        self.clear()

    def clear(self):
        self.y.reshape(-1).view(np.uint8)[:] = 0xA5
