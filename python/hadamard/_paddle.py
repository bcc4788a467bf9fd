"""Paddle's element-wise operators on arrays, by the names that Paddle has for them, and gradients of four of them."""
from __future__ import annotations

from typing import Any

from hadamard import _core

_NAMED = {function.__name__: function for function in _core.functions}

_OF_OPERATORS = """{formula}, as Paddle's fluid 1.8 has it.

    The same as hadamard.{name}(x, y, out=out, dialect='paddle', axis=axis, act=act). The operand of
    lower rank begins at dimension `axis` of the other (-1: both end together). `act` names a
    function of one operand that is applied to each result in the same pass over memory. `name` is
    there for programs that have it: arrays have no names.

    float16, float32, float64, int8 ... int64, uint8, and bf16 as hadamard.Tensor; both the same.
    {more}Where x is a fluid.LoDTensor, so is the result, with x's levels of detail. Of variables
    of a fluid program it is another variable: this appends the operator.

    Raises ValueError for shapes, TypeError for types, ZeroDivisionError for an integer zero divisor.
    """
_OF_GRADIENTS = """The gradients (dx, dy) of x and y, where dout is that of out: {formula}.

    Each has the shape of its operand: it is summed over the dimensions that the operand was
    stretched in. `axis` as it was for the operator. fp16, bf16, fp32 and fp64.{more}

    Computed with at least twice the precision of the type and rounded once. A sum of n terms t
    is within u |s| + n 2**-50 sum|t| of the true sum s (u: the unit roundoff of the type), of
    fp64 within u |s| + n**2 2**-100 sum|t|, where nothing over- or underflows on the way. It does
    not depend on threads or strides.

    Raises ValueError for shapes, TypeError for types.
    """
_UNUSED = "\n    `out` may be None: only its shape is looked at, which is that of dout."


def _operate(operator: str, x: Any, y: Any, axis: int, act: Any, name: Any, out: Any) -> Any:
    for operand in (x, y):  # a Variable of fluid appends to its program, a LoDTensor keeps its levels
        hook = getattr(type(operand), "_hadamard_elementwise_", None)
        if hook is not None:
            return hook(operator, x, y, axis, act, name, out)
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name is {name!r}; expected a str or None (arrays have no names: it changes nothing)")
    return _NAMED[OPERATORS[operator]](x, y, out=out, dialect="paddle", axis=axis, act=act)


# Paddle's names, and ours.
OPERATORS = {"elementwise_add": "add", "elementwise_sub": "sub", "elementwise_mul": "mul", "elementwise_div": "div",
             "elementwise_max": "max", "elementwise_min": "min", "elementwise_pow": "pow", "elementwise_mod": "mod"}


def elementwise_add(x: Any, y: Any, axis: int = -1, act: Any = None, name: Any = None, *, out: Any = None) -> Any:
    return _operate("elementwise_add", x, y, axis, act, name, out)


def elementwise_sub(x: Any, y: Any, axis: int = -1, act: Any = None, name: Any = None, *, out: Any = None) -> Any:
    return _operate("elementwise_sub", x, y, axis, act, name, out)


def elementwise_mul(x: Any, y: Any, axis: int = -1, act: Any = None, name: Any = None, *, out: Any = None) -> Any:
    return _operate("elementwise_mul", x, y, axis, act, name, out)


def elementwise_div(x: Any, y: Any, axis: int = -1, act: Any = None, name: Any = None, *, out: Any = None) -> Any:
    return _operate("elementwise_div", x, y, axis, act, name, out)


def elementwise_max(x: Any, y: Any, axis: int = -1, act: Any = None, name: Any = None, *, out: Any = None) -> Any:
    return _operate("elementwise_max", x, y, axis, act, name, out)


def elementwise_min(x: Any, y: Any, axis: int = -1, act: Any = None, name: Any = None, *, out: Any = None) -> Any:
    return _operate("elementwise_min", x, y, axis, act, name, out)


def elementwise_pow(x: Any, y: Any, axis: int = -1, act: Any = None, name: Any = None, *, out: Any = None) -> Any:
    return _operate("elementwise_pow", x, y, axis, act, name, out)


def elementwise_mod(x: Any, y: Any, axis: int = -1, act: Any = None, name: Any = None, *, out: Any = None) -> Any:
    return _operate("elementwise_mod", x, y, axis, act, name, out)


elementwise_add.__doc__ = _OF_OPERATORS.format(formula="x + y", name="add", more="")
elementwise_sub.__doc__ = _OF_OPERATORS.format(formula="x - y", name="sub", more="")
elementwise_mul.__doc__ = _OF_OPERATORS.format(formula="x * y", name="mul", more="")
elementwise_div.__doc__ = _OF_OPERATORS.format(formula="x / y", name="div", more="Integers are truncated. ")
elementwise_max.__doc__ = _OF_OPERATORS.format(formula="The larger of x and y", name="max", more="")
elementwise_min.__doc__ = _OF_OPERATORS.format(formula="The smaller of x and y", name="min", more="")
elementwise_pow.__doc__ = _OF_OPERATORS.format(formula="x to the power y", name="pow", more="")
elementwise_mod.__doc__ = _OF_OPERATORS.format(formula="x - floor(x / y) y", name="mod", more="")


def elementwise_add_grad(x: Any, y: Any, out: Any, dout: Any, axis: int = -1) -> Any:
    return _core.elementwise_add_grad(x, y, dout if out is None else out, dout, axis)


def elementwise_sub_grad(x: Any, y: Any, out: Any, dout: Any, axis: int = -1) -> Any:
    return _core.elementwise_sub_grad(x, y, dout if out is None else out, dout, axis)


def elementwise_mul_grad(x: Any, y: Any, out: Any, dout: Any, axis: int = -1) -> Any:
    return _core.elementwise_mul_grad(x, y, dout if out is None else out, dout, axis)


def elementwise_div_grad(x: Any, y: Any, out: Any, dout: Any, axis: int = -1) -> Any:
    return _core.elementwise_div_grad(x, y, out, dout, axis)


elementwise_add_grad.__doc__ = _OF_GRADIENTS.format(formula="dx = dout, dy = dout", more=_UNUSED)
elementwise_sub_grad.__doc__ = _OF_GRADIENTS.format(formula="dx = dout, dy = -dout", more=_UNUSED)
elementwise_mul_grad.__doc__ = _OF_GRADIENTS.format(formula="dx = dout y, dy = dout x", more=_UNUSED)
elementwise_div_grad.__doc__ = _OF_GRADIENTS.format(formula="dx = dout / y, dy = -dout out / y", more="")


def elementwise_div_double_grad(y: Any, out: Any, dx: Any, ddx: Any = None, ddy: Any = None, axis: int = -1) -> Any:
    """The gradient of elementwise_div_grad: (dy, dout, ddout), those of y, out and dout, where ddx
    and ddy are those of its results dx and dy (None: zeros).

    dy = dx (out ddy - ddx) / y, summed to the shape of y; dout = -dx ddy;
    ddout = (ddx - out ddy) / y. As in Paddle, dx and ddx have the shape of out: x must not have
    been stretched. Rounded as elementwise_div_grad.
    """
    return _core.elementwise_div_double_grad(y, out, dx, ddx, ddy, axis)


with_gradients = (elementwise_add, elementwise_sub, elementwise_mul, elementwise_div)
operators = (*with_gradients, elementwise_max, elementwise_min, elementwise_pow, elementwise_mod)
gradients = (elementwise_add_grad, elementwise_sub_grad, elementwise_mul_grad, elementwise_div_grad,
             elementwise_div_double_grad)
for _function in (*operators, *gradients):
    _function.__module__ = "hadamard"  # where they are to be found
