"""What each operator of a program computes: its result, and the gradients of its inputs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Callable, Dict, List, NamedTuple

import numpy as np

import hadamard
from hadamard import _core, _paddle

from .core import EnforceNotMet
from .framework import DTYPES, Operator
from .lod_tensor import Levels

ELEMENTWISE: Dict[str, Callable[..., np.ndarray]] = {f.__name__: f for f in _paddle.operators}
GRADIENTS: Dict[str, Callable[..., Any]] = {
    f"{f.__name__}_grad": getattr(_paddle, f"{f.__name__}_grad") for f in _paddle.with_gradients}
DOUBLE_GRADIENTS = tuple(f"{name}_grad" for name in GRADIENTS)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return hadamard.sigmoid(x)


def _tanh_slope(x: np.ndarray) -> np.ndarray:
    """1 - tanh(x)^2, without the cancellation."""
    e = hadamard.exp(-2 * np.abs(x))
    return 4 * e / np.square(1 + e)


def _swish_slope(x: np.ndarray, beta: float = 1.0) -> np.ndarray:
    finite = np.clip(beta * x, -800, 800)
    return _sigmoid(finite) * (1 + finite * _sigmoid(-finite))


def _pow_slope(x: np.ndarray, factor: float = 1.0) -> np.ndarray:
    return np.ones_like(x) if factor == 1 else factor * hadamard.pow_factor(x, factor=factor - 1)


def _shrink_slope(x: np.ndarray, alpha: float = 0.5) -> np.ndarray:
    return np.where(x > alpha, 1.0, 0.0) + np.where(x < -alpha, 1.0, 0.0)


# Derivatives of the activations at x, which is float64 here, with their attributes. Of those with a corner the
# derivative there is Paddle's.
DERIVATIVES: Dict[str, Callable[..., np.ndarray]] = {
    "relu": lambda x: np.where(x > 0, 1.0, 0.0),
    "tanh": _tanh_slope,
    "sigmoid": lambda x: _sigmoid(x) * _sigmoid(-x),
    "elu": lambda x, alpha=1.0: np.where(x > 0, 1.0, alpha * hadamard.exp(np.minimum(x, 0))),
    "relu6": lambda x, threshold=6.0: np.where((x > 0) & (x < threshold), 1.0, 0.0),
    "pow": _pow_slope,
    "stanh": lambda x, scale_a=0.67, scale_b=1.7159: scale_a * scale_b * _tanh_slope(scale_a * x),
    "hard_sigmoid": lambda x, slope=0.2, offset=0.5: np.where((slope * x + offset > 0) & (slope * x + offset < 1), slope, 0.0),
    "swish": _swish_slope,
    "leaky_relu": lambda x, alpha=0.02: np.where(x > 0, 1.0, alpha),
    "brelu": lambda x, t_min=0.0, t_max=24.0: np.where((x > t_min) & (x < t_max), 1.0, 0.0),
    "soft_relu": lambda x, threshold=40.0: np.where((x > -threshold) & (x < threshold), _sigmoid(x), 0.0),
    "thresholded_relu": lambda x, threshold=1.0: np.where(x > threshold, 1.0, 0.0),
    "logsigmoid": lambda x: _sigmoid(-x),
    "hard_shrink": lambda x, threshold=0.5: np.where((x > threshold) | (x < -threshold), 1.0, 0.0),
    "softsign": lambda x: 1 / np.square(1 + np.abs(x)),
    "softplus": _sigmoid,
    "tanh_shrink": lambda x: np.square(hadamard.tanh(x)),
    "softshrink": _shrink_slope,
    "exp": hadamard.exp,
}
ACTIVATIONS = tuple(DERIVATIVES)
_OURS = {"pow": "pow_factor"}  # the names of functions that are not Paddle's


class Value(NamedTuple):
    """What a variable is while a program runs."""

    array: np.ndarray
    lod: Levels


def attributes_of(name: str, said: Dict[str, Any]) -> Dict[str, Any]:
    """Those that are not the activation's defaults. Raises ValueError for one that is not finite."""
    defaults = _core.attributes.get(_OURS.get(name, name), {})
    attrs = {key: value for key, value in said.items() if value != float(defaults[key])}
    activate(name, np.empty(0, np.float32), attrs)
    return attrs


def activate(name: str, x: np.ndarray, attrs: Dict[str, Any]) -> np.ndarray:
    """The activation of an array, correctly rounded or as its operator says."""
    return np.asarray(getattr(hadamard, _OURS.get(name, name))(x, dialect="native", **attrs))


def act_of(op: Operator) -> str:
    """An activation as the argument `act`: with its attributes, exactly."""
    attrs = ", ".join(f"{name}={Fraction(value)}" for name, value in op.attrs.items())
    return f"{op.type}({attrs})" if attrs else op.type


def _activation_gradient(name: str, x: np.ndarray, dout: np.ndarray, attrs: Dict[str, Any]) -> np.ndarray:
    """Computed in float64 and rounded at the end."""
    if x.shape != dout.shape:
        raise ValueError(f"The gradient of {name}'s result has shape {list(dout.shape)}, but the result has "
                         f"{list(x.shape)}.")
    with np.errstate(all="ignore"):
        slope = np.where(np.isnan(x), np.nan, DERIVATIVES[name](x.astype(np.float64), **attrs))
        return np.asarray(dout.astype(np.float64) * slope).astype(x.dtype)


def _sum(parts: List[np.ndarray]) -> np.ndarray:
    """The parts of one gradient, added from left to right; each step is rounded."""
    total = parts[0]
    for part in parts[1:]:
        if part.shape != total.shape:
            raise ValueError(f"Gradients of one variable have the shapes {list(total.shape)} and {list(part.shape)}.")
        total = hadamard.add(total, part, dialect="paddle")
    return total if len(parts) > 1 else total.copy()


def _double_gradient(op: Operator, of: Callable[[str], np.ndarray]) -> Dict[str, np.ndarray]:
    """The gradients of what the gradient of an element-wise operator is a function of. Each step is rounded as the
    function that it uses."""
    ddx, ddy = (of(slot) if slot in op.inputs else None for slot in ("DDX", "DDY"))  # None: zeros
    axis = op.attrs["axis"]
    if op.type == "elementwise_div_grad_grad":
        dy, dout, ddout = hadamard.elementwise_div_double_grad(of("Y"), of("Out"), of("DX"), ddx, ddy, axis=axis)
        return {"Y@GRAD": dy, "DOut": dout, "DDOut": ddout}
    x, y = of("X"), of("Y")
    for slot, own, given in (("X", x, ddx), ("Y", y, ddy)):
        if given is not None and given.shape != own.shape:
            raise ValueError(f"The gradient of {slot}@GRAD has shape {list(given.shape)}, but {slot} has {list(own.shape)}.")
    if op.type != "elementwise_mul_grad_grad":
        operate = ELEMENTWISE[op.type[: -len("_grad_grad")]]
        return {"DDOut": operate(np.zeros_like(x) if ddx is None else ddx, np.zeros_like(y) if ddy is None else ddy, axis=axis)}
    terms = [hadamard.elementwise_mul(a, b, axis=axis) for a, b in ((ddx, y), (x, ddy)) if a is not None and b is not None]
    dx, dy = hadamard.elementwise_mul_grad(x if ddx is None else ddx, y if ddy is None else ddy, None, of("DOut"), axis=axis)
    return {"DDOut": _sum(terms), "X@GRAD": np.zeros_like(x) if ddy is None else dx,
            "Y@GRAD": np.zeros_like(y) if ddx is None else dy}


# Whose levels of detail an output has, the first of these inputs that there is: a gradient those of its own variable.
_LEVELS = {"Out": ("X", "X000000"), "X@GRAD": ("X",), "Y@GRAD": ("Y",), "DOut": ("Out",), "DDOut": ("DOut", "Out@GRAD")}


def run(op: Operator, values: Dict[str, Value], act: str = "") -> Dict[str, Value]:
    """The outputs of an operator, by slot. `act` is an activation that follows an element-wise one."""
    arrays = _arrays(op, lambda slot: values[op.inputs[slot]].array, act)
    results = {}
    for slot in op.outputs:
        source = next((op.inputs[whose] for whose in _LEVELS[slot] if whose in op.inputs), None)
        results[slot] = Value(np.asarray(arrays[slot]), [] if source is None else values[source].lod)
    return results


def _arrays(op: Operator, of: Callable[[str], np.ndarray], act: str) -> Dict[str, np.ndarray]:
    """What an operator computes of its inputs, which `of` has by slot."""
    if op.type in ELEMENTWISE:
        return {"Out": ELEMENTWISE[op.type](of("X"), of("Y"), axis=op.attrs["axis"], act=act or None)}
    if op.type in ACTIVATIONS:
        return {"Out": activate(op.type, of("X"), op.attrs)}
    if op.type == "fill_constant":
        return {"Out": np.full(op.attrs["shape"], op.attrs["value"], DTYPES[op.attrs["dtype"]])}
    if op.type == "assign_value":
        return {"Out": op.attrs["values"]}
    if op.type == "fill_any_like":
        return {"Out": np.full(of("X").shape, op.attrs["value"], of("X").dtype)}
    if op.type == "sum":
        return {"Out": _sum([of(slot) for slot in sorted(op.inputs)])}
    if op.type in GRADIENTS:
        dx, dy = GRADIENTS[op.type](of("X"), of("Y"), of("Out"), of("Out@GRAD"), axis=op.attrs["axis"])
        return {"X@GRAD": dx, "Y@GRAD": dy}
    if op.type in DOUBLE_GRADIENTS:
        return _double_gradient(op, of)
    if op.type.endswith("_grad") and op.type[: -len("_grad")] in ACTIVATIONS:
        return {"X@GRAD": _activation_gradient(op.type[: -len("_grad")], of("X"), of("Out@GRAD"), op.attrs)}
    raise EnforceNotMet(f"Operator {op.type} is not one that Hadamard runs; it runs: "
                        f"{', '.join(known_operators())}")


def known_operators() -> List[str]:
    """Those that a program may have beside gradients."""
    return [*ELEMENTWISE, *ACTIVATIONS, "fill_constant", "assign_value", "fill_any_like", "sum"]
