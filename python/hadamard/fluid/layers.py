"""Functions that append an operator to the program and return its result, a Variable."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

import hadamard
from hadamard import _core, _paddle

from . import operators, unique_name
from ._absent import says_what_there_is
from .core import VarDesc
from .framework import DTYPES, FLOATS, Block, Variable, default_main_program, dtype_of, is_number, is_whole

__all__ = ["data", *operators.ELEMENTWISE, *operators.ACTIVATIONS, "fill_constant", "assign"]


def _extents(shape: Any, whose: str) -> List[Any]:
    if not isinstance(shape, (list, tuple)) or not all(extent is None or is_whole(extent) for extent in shape):
        raise TypeError(f"The shape of {whose} must be a list of whole numbers, but it is {shape!r}.")
    return [extent if extent is None else int(extent) for extent in shape]


def data(name: str, shape: Sequence[Optional[int]], append_batch_size: bool = True, dtype: Any = "float32",
         lod_level: int = 0, type: Any = VarDesc.VarType.LOD_TENSOR, stop_gradient: bool = True) -> Variable:
    """A variable that is fed.

    A batch dimension of -1 is put before `shape` unless `append_batch_size` is false or `shape` has a -1 of
    its own. The shape of what is fed wins over this one; its elements are cast to `dtype`.
    """
    if not isinstance(name, str) or not name:
        raise TypeError(f"The name of data must be a text that is not empty, but it is {name!r}.")
    if not isinstance(append_batch_size, (bool, np.bool_)):
        raise TypeError(f"append_batch_size of data {name} is {append_batch_size!r}, but must be True or False; the type is "
                        "given as dtype=...")
    if type is not VarDesc.VarType.LOD_TENSOR:
        raise ValueError(f"type of data {name} must be VarType.LOD_TENSOR, but it is {type!r}; the type of its elements is given "
                         "as dtype=...")
    extents = [-1 if extent is None else extent for extent in _extents(shape, f"data {name}")]
    if any(extent < -1 for extent in extents):
        raise ValueError(f"An extent of data {name} is below -1: {extents}.")
    if append_batch_size and -1 not in extents:
        extents.insert(0, -1)
    return default_main_program().global_block().create_var(
        name=name, shape=extents, dtype=dtype, lod_level=lod_level, stop_gradient=stop_gradient, is_data=True)


def _shape_text(shape: Sequence[int]) -> str:
    return "[" + ", ".join(str(extent) for extent in shape) + "]"


def _broadcast_shape(x: Tuple[int, ...], y: Tuple[int, ...], axis: int) -> Tuple[int, ...]:
    """The declared shape of a result. An extent of -1 may turn out to be any: only what can never fit is
    refused here, the rest when the program runs."""
    if x == y:
        return x
    low, high = (y, x) if len(y) <= len(x) else (x, y)
    if axis < -1:
        raise ValueError(f"Axis should be great than or equal to 0 (or -1), but received axis is {axis}.")
    if axis >= len(high):
        raise ValueError(f"Axis should be less than {len(high)}, but received axis is {axis}.")
    first = len(high) - len(low) if axis == -1 else axis
    own = list(low)
    while own and first + len(own) > len(high) and own[-1] in (1, -1):
        own.pop()
    mismatch = ("Broadcast dimension mismatch. Operands could not be broadcast together with the shape of "
                f"X = {_shape_text(x)} and the shape of Y = {_shape_text(y)}. ")
    if first + len(own) > len(high):
        whose, other = ("Y", "X") if low is y else ("X", "Y")
        raise ValueError(mismatch + f"{whose} begins at axis {first} and does not end within the "
                                    f"{len(high)} dimensions of {other}.")
    shape = list(high)
    for at, extent in enumerate(own, first):
        there = high[at]
        if -1 not in (extent, there) and 1 not in (extent, there) and extent != there:
            in_x, in_y = (there, extent) if low is y else (extent, there)
            raise ValueError(mismatch + f"Received [{in_x}] in X is not equal to [{in_y}] in Y at i:{at}.")
        known = [e for e in (there, extent) if e not in (1, -1)]
        shape[at] = known[0] if known else -1 if -1 in (there, extent) else 1
    return tuple(shape)


def _require_variable(x: Any, role: str, op: str) -> Variable:
    if not isinstance(x, Variable):
        raise TypeError(f"The type of '{role}' in {op} must be Variable, but received {type(x).__name__}.")
    return x


def _number(value: Any, what: str) -> Any:
    """A number as one of Python's own."""
    if not is_number(value):
        raise TypeError(f"{what} must be a number, but it is {value!r}.")
    if isinstance(value, np.longdouble):
        raise TypeError(f"{what} is a longdouble, of more digits than any type here: pass float(...) of it.")
    return value.item() if isinstance(value, np.generic) else value


class _Helper:
    """Names and appends: the outputs of one layer."""

    def __init__(self, layer: str, name: Optional[str]) -> None:
        if name is not None and not isinstance(name, str):
            raise TypeError(f"The name of {layer} must be a text, but it is {name!r}.")
        self.name = name or unique_name.generate(layer)

    def new_name(self) -> str:
        return unique_name.generate(self.name + ".tmp")

    def append(self, block: Block, op: str, inputs: Dict[str, Variable], shape: Sequence[int], dtype: str,
               attrs: Dict[str, Any], stop_gradient: bool = False) -> Variable:
        first = next(iter(inputs.values()), None)
        out = block.create_var(name=self.new_name(), shape=shape, dtype=dtype,
                               lod_level=first.lod_level if first is not None else 0,
                               stop_gradient=stop_gradient)
        block.append_op(op, {slot: variable.name for slot, variable in inputs.items()}, {"Out": out.name}, attrs)
        return out


class _Expression(_Helper):
    """``x + y``: its result is tmp_0, and the names of layers are not used up."""

    def __init__(self) -> None:
        self.name = "tmp"

    def new_name(self) -> str:
        return unique_name.generate(self.name)


def elementwise(op: str, x: Any, y: Any, axis: int = -1, act: Optional[str] = None, name: Optional[str] = None,
                in_expression: bool = False) -> Variable:
    """What the element-wise layers and the operators of variables have in common."""
    x, y = _require_variable(x, "x", op), _require_variable(y, "y", op)
    if x.block is not y.block:
        raise ValueError(f"x and y of {op} belong to different programs.")
    if not is_whole(axis):
        raise TypeError(f"The axis of {op} must be a whole number, but it is {axis!r}.")
    if x.dtype != y.dtype:
        raise TypeError(f"The data types of x and y in {op} must be the same, but x is {x.dtype} and y is "
                        f"{y.dtype}.")
    if act is not None and act not in operators.ACTIVATIONS:
        raise ValueError(f"There is no activation {act!r}; there are: {', '.join(operators.ACTIVATIONS)}.")
    if act is not None and x.dtype not in FLOATS:
        raise TypeError(f"The activation {act} takes {', '.join(FLOATS)}, but x is {x.dtype}.")
    shape = _broadcast_shape(x.shape, y.shape, int(axis))
    helper = _Expression() if in_expression else _Helper(op, name)
    out = helper.append(x.block, op, {"X": x, "Y": y}, shape, x.dtype, {"axis": int(axis)})
    return out if act is None else helper.append(x.block, act, {"X": out}, shape, x.dtype, {})


# Of variables these append, by Variable._hadamard_elementwise_; of arrays they compute.
(elementwise_add, elementwise_sub, elementwise_mul, elementwise_div, elementwise_max, elementwise_min, elementwise_pow,
 elementwise_mod) = _paddle.operators


def _activation(op: str, x: Any, name: Optional[str], **attributes: Any) -> Variable:
    """Appends an activation. An attribute that is None has its default."""
    x = _require_variable(x, "x", op)
    if x.dtype not in FLOATS:
        raise TypeError(f"The activation {op} takes {', '.join(FLOATS)}, but x is {x.dtype}.")
    said = {key: _number(value, f"{key} of {op}") for key, value in attributes.items() if value is not None}
    return _Helper(op, name).append(x.block, op, {"X": x}, x.shape, x.dtype, operators.attributes_of(op, said))


def relu(x: Variable, name: Optional[str] = None) -> Variable:
    """max(x, 0)"""
    return _activation("relu", x, name)


def tanh(x: Variable, name: Optional[str] = None) -> Variable:
    """The hyperbolic tangent."""
    return _activation("tanh", x, name)


def sigmoid(x: Variable, name: Optional[str] = None) -> Variable:
    """1 / (1 + e^-x)"""
    return _activation("sigmoid", x, name)


def exp(x: Variable, name: Optional[str] = None) -> Variable:
    """e^x"""
    return _activation("exp", x, name)


def elu(x: Variable, alpha: float = 1.0, name: Optional[str] = None) -> Variable:
    """x where it is positive, else alpha (e^x - 1)"""
    return _activation("elu", x, name, alpha=alpha)


def relu6(x: Variable, threshold: float = 6.0, name: Optional[str] = None) -> Variable:
    """min(max(x, 0), threshold)"""
    return _activation("relu6", x, name, threshold=threshold)


def pow(x: Variable, factor: float = 1.0, name: Optional[str] = None) -> Variable:
    """x to the power of factor"""
    return _activation("pow", x, name, factor=factor)


def stanh(x: Variable, scale_a: float = 0.67, scale_b: float = 1.7159, name: Optional[str] = None) -> Variable:
    """scale_b tanh(scale_a x)"""
    return _activation("stanh", x, name, scale_a=scale_a, scale_b=scale_b)


def hard_sigmoid(x: Variable, slope: float = 0.2, offset: float = 0.5, name: Optional[str] = None) -> Variable:
    """slope x + offset, but not below 0 and not above 1"""
    return _activation("hard_sigmoid", x, name, slope=slope, offset=offset)


def swish(x: Variable, beta: float = 1.0, name: Optional[str] = None) -> Variable:
    """x / (1 + e^(-beta x))"""
    return _activation("swish", x, name, beta=beta)


def leaky_relu(x: Variable, alpha: float = 0.02, name: Optional[str] = None) -> Variable:
    """max(x, alpha x)"""
    return _activation("leaky_relu", x, name, alpha=alpha)


def brelu(x: Variable, t_min: float = 0.0, t_max: float = 24.0, name: Optional[str] = None) -> Variable:
    """min(max(x, t_min), t_max)"""
    return _activation("brelu", x, name, t_min=t_min, t_max=t_max)


def soft_relu(x: Variable, threshold: float = 40.0, name: Optional[str] = None) -> Variable:
    """log(1 + e^x) of x between -threshold and threshold"""
    return _activation("soft_relu", x, name, threshold=threshold)


def thresholded_relu(x: Variable, threshold: Optional[float] = None) -> Variable:
    """x where it is above threshold (1), else 0"""
    return _activation("thresholded_relu", x, None, threshold=threshold)


def logsigmoid(x: Variable, name: Optional[str] = None) -> Variable:
    """log(1 / (1 + e^-x))"""
    return _activation("logsigmoid", x, name)


def hard_shrink(x: Variable, threshold: Optional[float] = None) -> Variable:
    """x where |x| is above threshold (0.5), else 0"""
    return _activation("hard_shrink", x, None, threshold=threshold)


def softsign(x: Variable, name: Optional[str] = None) -> Variable:
    """x / (1 + |x|)"""
    return _activation("softsign", x, name)


def softplus(x: Variable, name: Optional[str] = None) -> Variable:
    """log(1 + e^x)"""
    return _activation("softplus", x, name)


def tanh_shrink(x: Variable, name: Optional[str] = None) -> Variable:
    """x - tanh(x)"""
    return _activation("tanh_shrink", x, name)


def softshrink(x: Variable, alpha: Optional[float] = None) -> Variable:
    """x - alpha above alpha (0.5), x + alpha below -alpha, else 0"""
    return _activation("softshrink", x, None, alpha=alpha)


def fill_constant(shape: Sequence[int], dtype: Any, value: float, force_cpu: bool = False, out: Any = None,
                  name: Optional[str] = None) -> Variable:
    """A variable whose elements all are `value`."""
    if out is not None:
        raise ValueError("fill_constant makes a variable here; it does not write to one that is there (out).")
    return constant(default_main_program().global_block(), shape, dtype, value, name)


def constant(block: Block, shape: Sequence[int], dtype: Any, value: Any, name: Optional[str] = None) -> Variable:
    """As fill_constant, in a block that is given."""
    kind = dtype_of(dtype)
    extents = _extents(shape, "a constant")
    if any(extent is None or extent < 0 for extent in extents):
        raise ValueError(f"The shape of a constant must be known, but it is {list(shape)}.")
    return _Helper("fill_constant", name).append(block, "fill_constant", {}, extents, kind,
                                                 {"shape": extents, "dtype": kind, "value": _rounded(value, kind)},
                                                 stop_gradient=True)


def constant_beside(x: Variable, value: Any, before: bool) -> Variable:
    """A number that is the other operand of an expression with x.

    Before x, where it is the operand that a result has its levels of, it has x's shape and levels; behind x it has
    rank 0. The result has the shape of x either way.
    """
    name = unique_name.generate("constant")
    if not before:
        return constant(x.block, [], x.dtype, value, name)
    return _Helper("fill_any_like", name).append(x.block, "fill_any_like", {"X": x}, x.shape, x.dtype,
                                                 {"value": _rounded(value, x.dtype)}, stop_gradient=True)


def _rounded(value: Any, kind: str) -> Any:
    """The value of a constant as a number of its type."""
    value = _number(value, "The value of a constant")
    if kind not in FLOATS:
        limits = np.iinfo(DTYPES[kind])
        if not is_whole(value) and not value.is_integer():
            raise ValueError(f"{value} is no number of type {kind}.")
        if not limits.min <= value <= limits.max:
            raise ValueError(f"The value of a constant is beyond {kind}.")
        value = int(value)
    try:  # by our own rounding: NumPy's of large integers goes through double
        return hadamard.Tensor(value, dtype=kind).numpy()[()]
    except hadamard.ArgumentError:
        raise ValueError(f"The value of a constant is beyond {kind}.") from None


def assign(input: Any, output: Any = None) -> Variable:
    """A variable with the elements of an array."""
    if output is not None:
        raise ValueError("assign makes a variable here; it does not write to one that is there (output).")
    if isinstance(input, Variable):
        raise TypeError("assign takes an array here, not a Variable: use the variable itself, or add 0 to it.")
    _core.require_no_loss(input, "The array of assign")
    values = np.array(input)
    return _Helper("assign", None).append(default_main_program().global_block(), "assign_value", {}, values.shape,
                                          dtype_of(values.dtype), {"values": values}, stop_gradient=True)


ACTIVATION_LAYERS: Dict[str, Callable[..., Variable]] = {name: globals()[name] for name in operators.ACTIVATIONS}

__getattr__ = says_what_there_is(__name__, __all__)
