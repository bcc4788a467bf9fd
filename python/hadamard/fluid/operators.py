"""What each operator of a program computes: its result, and the gradients of its inputs."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple

import numpy as np

import hadamard
from hadamard import _paddle

from .core import EnforceNotMet
from .framework import DTYPES, Operator
from .lod_tensor import Levels

ELEMENTWISE: Dict[str, Callable[..., np.ndarray]] = {f.__name__: f for f in _paddle.operators}
GRADIENTS: Dict[str, Callable[..., Any]] = {f"{name}_grad": getattr(_paddle, f"{name}_grad") for name in ELEMENTWISE}


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return hadamard.sigmoid(x)


def _tanh_slope(x: np.ndarray) -> np.ndarray:
    """1 - tanh(x)^2, without the cancellation."""
    e = hadamard.exp(-2 * np.abs(x))
    return 4 * e / np.square(1 + e)


def _swish_slope(x: np.ndarray) -> np.ndarray:
    finite = np.clip(x, -800, 800)
    return _sigmoid(finite) * (1 + finite * _sigmoid(-finite))


# Derivatives of the activations at x, which is float64 here. Of those with a corner the derivative there is
# Paddle's.
DERIVATIVES: Dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda x: np.where(x > 0, 1.0, 0.0),
    "tanh": _tanh_slope,
    "sigmoid": lambda x: _sigmoid(x) * _sigmoid(-x),
    "elu": lambda x: hadamard.exp(np.minimum(x, 0)),
    "relu6": lambda x: np.where((x > 0) & (x < 6), 1.0, 0.0),
    "pow": np.ones_like,
    "stanh": lambda x: 0.67 * 1.7159 * _tanh_slope(0.67 * x),
    "hard_sigmoid": lambda x: np.where((x > -2.5) & (x < 2.5), 0.2, 0.0),
    "swish": _swish_slope,
    "leaky_relu": lambda x: np.where(x > 0, 1.0, 0.02),
    "brelu": lambda x: np.where((x > 0) & (x < 24), 1.0, 0.0),
    "soft_relu": lambda x: np.where((x > -40) & (x < 40), _sigmoid(x), 0.0),
    "thresholded_relu": lambda x: np.where(x > 1, 1.0, 0.0),
    "logsigmoid": lambda x: _sigmoid(-x),
    "hard_shrink": lambda x: np.where(np.abs(x) > 0.5, 1.0, 0.0),
    "softsign": lambda x: 1 / np.square(1 + np.abs(x)),
    "softplus": _sigmoid,
    "tanh_shrink": lambda x: np.square(hadamard.tanh(x)),
    "softshrink": lambda x: np.where(np.abs(x) > 0.5, 1.0, 0.0),
    "exp": hadamard.exp,
}
ACTIVATIONS = tuple(DERIVATIVES)


class Value(NamedTuple):
    """What a variable is while a program runs."""

    array: np.ndarray
    lod: Levels


def activate(name: str, x: np.ndarray) -> np.ndarray:
    """The activation of an array, correctly rounded or as its operator says."""
    if name == "pow":  # with the factor 1
        return x.copy()
    return np.asarray(getattr(hadamard, name)(x, dialect="native"))


def _activation_gradient(name: str, x: np.ndarray, dout: np.ndarray) -> np.ndarray:
    """Computed in float64 and rounded at the end."""
    if x.shape != dout.shape:
        raise ValueError(f"The gradient of {name}'s result has shape {list(dout.shape)}, but the result has "
                         f"{list(x.shape)}.")
    with np.errstate(all="ignore"):
        slope = np.where(np.isnan(x), np.nan, DERIVATIVES[name](x.astype(np.float64)))
        return np.asarray(dout.astype(np.float64) * slope).astype(x.dtype)


def _double_gradient(op: Operator, of: Callable[[str], np.ndarray]) -> Dict[str, np.ndarray]:
    ddx, ddy = (of(slot) if slot in op.inputs else None for slot in ("DDX", "DDY"))
    dy, dout, ddout = hadamard.elementwise_div_double_grad(of("Y"), of("Out"), of("DX"), ddx, ddy,
                                                           axis=op.attrs["axis"])
    return {"Y@GRAD": dy, "DOut": dout, "DDOut": ddout}


def run(op: Operator, values: Dict[str, Value], act: str = "") -> Dict[str, Value]:
    """The outputs of an operator, by slot. `act` names an activation that follows an element-wise one."""

    def of(slot: str) -> np.ndarray:
        return values[op.inputs[slot]].array

    def results(arrays: Dict[str, np.ndarray], lod: Levels) -> Dict[str, Value]:
        return {slot: Value(np.asarray(array), lod) for slot, array in arrays.items() if slot in op.outputs}

    lod = values[op.inputs["X"]].lod if "X" in op.inputs else []
    if op.type in ELEMENTWISE:
        out = ELEMENTWISE[op.type](of("X"), of("Y"), axis=op.attrs["axis"], act=act or None)
        return results({"Out": out}, lod)
    if op.type in ACTIVATIONS:
        return results({"Out": activate(op.type, of("X"))}, lod)
    if op.type == "fill_constant":
        return results({"Out": np.full(op.attrs["shape"], op.attrs["value"], DTYPES[op.attrs["dtype"]])}, lod)
    if op.type == "assign_value":
        return results({"Out": op.attrs["values"]}, lod)
    if op.type == "fill_any_like":
        x = of("X")
        return results({"Out": np.full(x.shape, op.attrs["value"], x.dtype)}, lod)
    if op.type == "sum":
        slots = sorted(op.inputs)
        total = of(slots[0])
        for slot in slots[1:]:
            if of(slot).shape != total.shape:
                raise ValueError(f"Gradients of one variable have the shapes {list(total.shape)} and "
                                 f"{list(of(slot).shape)}.")
            total = hadamard.add(total, of(slot), dialect="paddle")
        return results({"Out": total}, [])
    if op.type in GRADIENTS:
        dx, dy = GRADIENTS[op.type](of("X"), of("Y"), of("Out"), of("Out@GRAD"), axis=op.attrs["axis"])
        return {**results({"X@GRAD": dx}, lod), **results({"Y@GRAD": dy}, [])}
    if op.type == "elementwise_div_grad_grad":
        return results(_double_gradient(op, of), [])
    if op.type.endswith("_grad") and op.type[: -len("_grad")] in ACTIVATIONS:
        name = op.type[: -len("_grad")]
        return results({"X@GRAD": _activation_gradient(name, of("X"), of("Out@GRAD"))}, lod)
    raise EnforceNotMet(f"Operator {op.type} is not one that Hadamard runs; it runs: "
                        f"{', '.join(known_operators())}")


def known_operators() -> List[str]:
    """Those that a program may have beside gradients."""
    return [*ELEMENTWISE, *ACTIVATIONS, "fill_constant", "assign_value", "fill_any_like", "sum"]
