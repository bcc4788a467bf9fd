"""The Python and NumPy protocols that a Tensor supports beside + - * /: indexing, comparison, conversion, ufuncs."""
from __future__ import annotations

import functools
import math
import operator
from typing import Any, Callable, Dict, Iterator, NoReturn, Tuple

import numpy as np

from hadamard import _core
from hadamard._core import Tensor
from hadamard._errors import ArgumentError, ElementTypeError

_FUNCTIONS = {function.__name__: function for function in _core.functions}
_SHOWN = {"bf16": "float32", "int4": "int8", "uint4": "uint8", "real": "fractions.Fraction"}
_BITS = {"bf16": 16, "int4": 4, "uint4": 4}  # of those that NumPy has not


def _in_default_environment(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is computed by NumPy: the traps of the caller's thread would end the process."""
    @functools.wraps(function)
    def guarded(*args: Any, **named: Any) -> Any:
        return _core.in_default_environment(function, *args, **named)

    return guarded


def _is_integer(dtype: str) -> bool:
    return "int" in dtype


# Indexing


def _basic_index(index: Any) -> Tuple[Any, ...]:
    """Integers, slices, ... and None, as a tuple with one ... in it."""
    items = index if isinstance(index, tuple) else (index,)
    plain = []
    for item in items:
        if item is not None and item is not Ellipsis and not isinstance(item, slice):
            if isinstance(item, (bool, np.bool_)) or not hasattr(type(item), "__index__") or np.ndim(item) > 0:
                raise IndexError(f"a Tensor is indexed by integers, slices, ... and None, not by {type(item).__name__}; "
                                 "numpy() of it takes more")
            item = operator.index(item)
        plain.append(item)
    return tuple(plain) if any(item is Ellipsis for item in plain) else (*plain, Ellipsis)


def getitem(self: Tensor, index: Any) -> Tensor:
    """Some of the elements, over the same memory: t[0], t[1:, ::2], t[..., None]. A single one has rank 0."""
    key = _basic_index(index)
    # NumPy says which elements these are: of an array with one byte to an element, which is never read.
    origin = np.zeros(1, np.uint8)
    whole = np.lib.stride_tricks.as_strided(origin, self.shape, self._strides())
    part = whole[key]
    offset = part.ctypes.data - origin.ctypes.data if part.size else 0
    strides = [stride if extent > 1 else 0 for stride, extent in zip(part.strides, part.shape)]
    return self._seen_as(part.shape, tuple(strides), offset)


def setitem(self: Tensor, index: Any, value: Any) -> NoReturn:
    shared = "" if self.dtype in _SHOWN else ", or assign to numpy(), which shares its memory"
    raise TypeError("elements of a Tensor are not assigned: write into a part of it with "
                    f"hadamard.cast(value, '{self.dtype}', out=t[index]){shared}")


def length(self: Tensor) -> int:
    if not self.shape:
        raise TypeError("len() of a Tensor of rank 0")
    return self.shape[0]


def iterate(self: Tensor) -> Iterator[Tensor]:
    if not self.shape:
        raise TypeError("iteration over a Tensor of rank 0")
    return (self[i] for i in range(self.shape[0]))


def reshape(self: Tensor, *shape: Any) -> Tensor:
    """The elements in another shape, row by row; one extent may be -1. Over the same memory where they lie in that order,
    else a copy."""
    said = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    try:
        wanted = [operator.index(extent) for extent in said]
    except TypeError:
        raise TypeError(f"a shape is whole numbers, but it is {said!r}") from None
    unknown = [i for i, extent in enumerate(wanted) if extent == -1]
    known = 1
    for extent in wanted:
        known *= 1 if extent == -1 else extent
    if len(unknown) == 1 and known > 0 and self.size % known == 0:
        wanted[unknown[0]] = self.size // known
    elif unknown or known != self.size or min(wanted, default=0) < 0:
        raise ArgumentError(f"a Tensor of shape {self.shape} has {self.size} elements, which are not in the shape {tuple(said)}")
    strides = _row_strides(wanted)
    in_order = self.size == 0 or all(
        own == row for own, row, extent in zip(self._strides(), _row_strides(self.shape), self.shape) if extent > 1)
    return (self if in_order else Tensor(self))._seen_as(tuple(wanted), tuple(strides), 0)


def transposed(self: Tensor) -> Tensor:
    """The dimensions in reverse order, over the same memory."""
    return self._seen_as(self.shape[::-1], self._strides()[::-1], 0)


def copy(self: Tensor) -> Tensor:
    """A Tensor of the same elements in memory of its own."""
    return Tensor(self)


def nbytes(self: Tensor) -> int:
    """The bytes that the elements take, one beside the other. Of real, whose fractions differ in size, there is none."""
    if self.dtype == "real":
        raise AttributeError  # no_attribute says why
    bits = _BITS.get(self.dtype) or 8 * self.numpy().itemsize
    return (bits * self.size + 7) // 8


def _row_strides(shape: Any) -> list[int]:
    strides, step = [], 1
    for extent in reversed(tuple(shape)):
        strides.append(step)
        step *= max(extent, 1)
    return strides[::-1]


# Conversion


def item(self: Tensor, *index: Any) -> Any:
    """The one element, or that of an index (of all elements row by row, or of each dimension), as a Python number: float, int,
    bool, complex, or fractions.Fraction."""
    if index:
        return self[_index_of_one(self.shape, self.size, index)].tolist()
    if self.size != 1:
        raise ArgumentError(f"only a Tensor of one element is a number; this one has shape {self.shape}")
    return self.reshape(()).tolist()


def _index_of_one(shape: Tuple[int, ...], size: int, said: Tuple[Any, ...]) -> Tuple[int, ...]:
    given = said[0] if len(said) == 1 and isinstance(said[0], tuple) else said
    if len(given) not in (1, len(shape)) or not all(hasattr(type(one), "__index__") for one in given):
        raise TypeError(f"item takes an index of one element, a whole number or {len(shape)} of them, but got {said!r}")
    index = [operator.index(one) for one in given]
    extents = shape if len(index) == len(shape) else (size,)
    if not all(-extent <= one < extent for one, extent in zip(index, extents)):
        raise IndexError(f"there is no element {said[0] if len(said) == 1 else said} in a Tensor of shape {shape}")
    if len(index) == len(shape):
        return tuple(index)
    place, parts = index[0] % size, []
    for extent in reversed(shape):
        place, part = divmod(place, extent)
        parts.append(part)
    return tuple(parts[::-1])


def formatted(self: Tensor, how: str) -> str:
    if not how:
        return str(self)
    if self.size != 1:
        raise TypeError(f"only a Tensor of one element takes the format {how!r}; this one has shape {self.shape}: format its items")
    return format(self.item(), how)


def as_float(self: Tensor) -> float:
    return float(self.item())


def as_int(self: Tensor) -> int:
    return int(self.item())


def as_complex(self: Tensor) -> complex:
    return complex(self.item())


def as_index(self: Tensor) -> int:
    if self.shape or not _is_integer(self.dtype):
        raise TypeError(f"only a Tensor of rank 0 and of integers is an index; this one is {self.dtype} of shape {self.shape}")
    return int(self.item())


def as_bool(self: Tensor) -> bool:
    if self.size != 1:
        raise ArgumentError(f"only a Tensor of one element is true or false; this one has shape {self.shape}: look at numpy().all() "
                            "or numpy().any()")
    return bool(self.item())


# Comparison


@_in_default_environment
def _compared(ufunc: np.ufunc, a: Any, b: Any) -> Any:
    tensor, number = (a, b) if isinstance(a, Tensor) else (b, a)
    ordered = type(number) in (int, float) and not tensor.dtype.startswith("complex")
    try:
        left, right = _core.arrays_of_one_type(a, b)
        taken = right if tensor is a else left
        beyond = type(number) is float and math.isfinite(number) and taken.dtype.kind == "f" and bool(np.isinf(taken))
    except (ArgumentError, ElementTypeError):
        if not ordered:
            raise
        beyond = True
    if beyond:  # a number outside the type's range, or of another kind, is compared as it is
        exact = tensor.numpy().astype(object)
        left, right = (exact, number) if tensor is a else (number, exact)
    kind = np.result_type(left, right).kind
    if ufunc not in (np.equal, np.not_equal) and kind == "c":
        raise ElementTypeError("complex numbers have no order: compare their parts, or whether they are equal")
    with np.errstate(invalid="ignore"):  # NaN compares, and is nothing to warn of
        return ufunc(left, right, **({"signature": "OO->?"} if kind == "O" else {}))


def _comparison(ufunc: np.ufunc) -> Callable[[Tensor, Any], Any]:
    def compare(self: Tensor, other: Any) -> Any:
        return _compared(ufunc, self, other) if _core.may_be_operand(other) else NotImplemented

    return compare


# Operators that are made of several functions


def _type_of(a: Any, b: Any) -> str:
    """The type of an operator's operands, of which one is a Tensor."""
    return str((a if isinstance(a, Tensor) else b).dtype)


@_in_default_environment
def _power(a: Any, b: Any, out: Any = None) -> Any:
    exponent = np.asarray(b)
    if _is_integer(_type_of(a, b)) and exponent.dtype.kind == "i" and exponent.size and exponent.min() < 0:
        raise ArgumentError("an integer to a negative power is a fraction: cast both to fp64, or use hadamard.pow, which truncates")
    return _FUNCTIONS["pow"](a, b, out=out)


def _of_fractions(operate: Callable[[Any, Any], Any], a: Any, b: Any) -> Tensor:
    left, right = _core.arrays_of_one_type(a, b)
    return Tensor(np.asarray(operate(left, right), dtype=object), dtype="real")


@_in_default_environment
def _remainder(a: Any, b: Any, out: Any = None) -> Any:
    if _type_of(a, b) == "real" and out is None:
        return _of_fractions(operator.mod, a, b)
    return _FUNCTIONS["mod"](a, b, out=out)


@_in_default_environment
def _floor_divide(a: Any, b: Any, out: Any = None) -> Any:
    dtype = _type_of(a, b)
    if dtype == "real" and out is None:
        return _of_fractions(operator.floordiv, a, b)
    if _is_integer(dtype):
        return _FUNCTIONS["div"](a, b, out=out, dialect="native", int_division="floor")
    if dtype not in ("fp16", "bf16", "fp32", "fp64"):
        raise ElementTypeError(f"// is not defined for {dtype}")
    wide = (np.asarray(array, np.float64) for array in _core.arrays_of_one_type(a, b))
    return _FUNCTIONS["cast"](Tensor(_floor_quotient(*wide)), dtype, out=out)


def _floor_quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """floor(a/b), exact below 2^51: a/b alone may be rounded up to a whole number. By 0 it is a/b."""
    quotient, rest = _FUNCTIONS["div"](a, b), _FUNCTIONS["rem"](a, b)
    whole = _FUNCTIONS["round"](_FUNCTIONS["div"](_FUNCTIONS["sub"](a, rest), b))
    whole = np.where((rest != 0) & ((rest < 0) != (b < 0)), whole - 1.0, whole)
    whole = np.where(whole == 0, np.copysign(0.0, quotient), whole)
    return np.where(b == 0, quotient, whole)


def _binary(function: Callable[..., Any], swapped: bool = False) -> Callable[..., Any]:
    def operate(self: Tensor, other: Any) -> Any:
        if not _core.may_be_operand(other):
            return NotImplemented
        return function(other, self) if swapped else function(self, other)

    return operate


# NumPy's functions

_UFUNCS: Dict[str, Callable[..., Any]] = {
    **{name: _FUNCTIONS[name] for name in ("add", "divide", "sign", "reciprocal", "sqrt", "exp", "log", "tanh", "floor", "ceil", "expm1",
                                           "log1p", "log2", "log10", "exp2", "sin", "cos", "hypot", "trunc")},
    **{theirs: _FUNCTIONS[ours] for theirs, ours in (
        ("subtract", "sub"), ("multiply", "mul"), ("true_divide", "divide"), ("maximum", "max"), ("minimum", "min"),
        ("positive", "identity"), ("negative", "neg"), ("absolute", "abs"), ("rint", "round"), ("fmod", "rem"),
        ("arctan2", "atan2"))},
    "power": _power, "floor_divide": _floor_divide, "remainder": _remainder,
    "square": lambda a, out=None: _FUNCTIONS["mul"](a, a, out=out),
}
_COMPARISONS = {name: getattr(np, name) for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")}
_KINDS = ("isnan", "isinf", "isfinite")


@_in_default_environment
def _of_kind(ufunc: np.ufunc, tensor: Tensor) -> Any:
    if tensor.dtype == "real":
        return np.full(tensor.shape, ufunc is np.isfinite)
    return ufunc(tensor.numpy())


def _advice(tensor: Tensor) -> str:
    shown = _SHOWN.get(tensor.dtype)
    how = "shares its memory" if shown is None else f"has its elements as {shown}"
    return f"pass numpy.asarray(tensor), which {how}"


def array_ufunc(self: Tensor, ufunc: np.ufunc, method: str, *inputs: Any, **said: Any) -> Any:
    name = ufunc.__name__
    outputs = said.get("out", ())
    if method == "__call__" and not set(said) - {"out"} and len(outputs) < 2:
        if name in _COMPARISONS and not outputs:
            return _compared(ufunc, *inputs)
        if name in _KINDS and not outputs:
            return _of_kind(ufunc, *inputs)
        if name in _UFUNCS:
            return _UFUNCS[name](*inputs, **({"out": outputs[0]} if outputs else {}))
    _refuse(self, ufunc, method, sorted(set(said) - {"out"}) if name in _UFUNCS else sorted(said) if name in (*_COMPARISONS, *_KINDS) else [])


def _refuse(self: Tensor, ufunc: np.ufunc, method: str, options: list[str]) -> NoReturn:
    called = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
    what = f" with {', '.join(options)}" if options and method == "__call__" else ""
    raise TypeError(f"hadamard has no counterpart of {called}{what}: {_advice(self)}")


def no_attribute(self: Tensor, name: str) -> NoReturn:
    if name == "_data":  # what operators of masked arrays, which do not leave them to us, ask of their other operand first
        raise ElementTypeError("A is a masked array, whose mask would be lost; pass .filled(value) or .data")
    if name == "nbytes":
        raise AttributeError("a Tensor of real has no nbytes: its fractions differ in size")
    raise AttributeError(f"'hadamard.Tensor' object has no attribute '{name}'")


def equip() -> None:
    """Gives the class what is above."""
    methods: Dict[str, Any] = {
        "__getitem__": getitem, "__setitem__": setitem, "T": property(transposed), "copy": copy, "nbytes": property(nbytes),
        "__format__": formatted, "__len__": length, "__iter__": iterate, "reshape": reshape, "item": item, "__float__": as_float,
        "__int__": as_int, "__complex__": as_complex, "__index__": as_index, "__bool__": as_bool,
        "__pow__": _binary(_power), "__rpow__": _binary(_power, True),
        "__floordiv__": _binary(_floor_divide), "__rfloordiv__": _binary(_floor_divide, True),
        "__mod__": _binary(_remainder), "__rmod__": _binary(_remainder, True),
        "__abs__": lambda self: _FUNCTIONS["abs"](self), "__pos__": lambda self: _FUNCTIONS["identity"](self),
        "__eq__": _comparison(np.equal), "__ne__": _comparison(np.not_equal), "__lt__": _comparison(np.less),
        "__le__": _comparison(np.less_equal), "__gt__": _comparison(np.greater), "__ge__": _comparison(np.greater_equal),
        "__hash__": object.__hash__, "__array_ufunc__": array_ufunc, "__getattr__": no_attribute,
    }
    for name, method in methods.items():
        if getattr(method, "__module__", "") == __name__:
            method.__name__, method.__qualname__, method.__module__ = name, f"Tensor.{name}", "hadamard"
        setattr(Tensor, name, method)


equip()
