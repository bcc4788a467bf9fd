"""Gradients of the four operators of dialect paddle."""
from __future__ import annotations

import operator
from typing import Any

from hadamard import _core
from hadamard._errors import ArgumentError

_DOC = """The gradients (dx, dy) of x and y, where dout is that of out: {formula}.

    Each has the shape of its operand: it is summed over the dimensions that the operand was
    stretched in. `axis` as it was for the operator. fp16, bf16, fp32 and fp64.{more}

    Computed with at least twice the precision of the type and rounded once. A sum of n terms t
    is within u |s| + n 2**-50 sum|t| of the true sum s (u: the unit roundoff of the type), of
    fp64 within u |s| + n**2 2**-100 sum|t|, where nothing over- or underflows on the way. It does
    not depend on threads or strides.

    Raises ValueError for shapes, TypeError for types.
    """
_UNUSED = "\n    `out` may be None: only its shape is looked at, which is that of dout."


def _axis(axis: Any) -> int:
    if axis is None:
        return -1
    try:
        number = operator.index(axis)
    except TypeError:
        raise TypeError(f"axis is {axis!r}; expected a whole number, the dimension where the operand of fewer "
                        "dimensions begins (-1: both end together)") from None
    if abs(number) >= 2**31:
        raise ArgumentError(f"axis is {number}: no tensor has that dimension")
    return number


def elementwise_add_grad(x: Any, y: Any, out: Any, dout: Any, axis: int = -1) -> Any:
    return _core.gradient("elementwise_add_grad", x, y, dout if out is None else out, dout, _axis(axis))


def elementwise_sub_grad(x: Any, y: Any, out: Any, dout: Any, axis: int = -1) -> Any:
    return _core.gradient("elementwise_sub_grad", x, y, dout if out is None else out, dout, _axis(axis))


def elementwise_mul_grad(x: Any, y: Any, out: Any, dout: Any, axis: int = -1) -> Any:
    return _core.gradient("elementwise_mul_grad", x, y, dout if out is None else out, dout, _axis(axis))


def elementwise_div_grad(x: Any, y: Any, out: Any, dout: Any, axis: int = -1) -> Any:
    return _core.gradient("elementwise_div_grad", x, y, out, dout, _axis(axis))


elementwise_add_grad.__doc__ = _DOC.format(formula="dx = dout, dy = dout", more=_UNUSED)
elementwise_sub_grad.__doc__ = _DOC.format(formula="dx = dout, dy = -dout", more=_UNUSED)
elementwise_mul_grad.__doc__ = _DOC.format(formula="dx = dout y, dy = dout x", more=_UNUSED)
elementwise_div_grad.__doc__ = _DOC.format(formula="dx = dout / y, dy = -dout out / y", more="")


def elementwise_div_double_grad(y: Any, out: Any, dx: Any, ddx: Any = None, ddy: Any = None, axis: int = -1) -> Any:
    """The gradient of elementwise_div_grad: (dy, dout, ddout), those of y, out and dout, where ddx
    and ddy are those of its results dx and dy (None: zeros).

    dy = dx (out ddy - ddx) / y, summed to the shape of y; dout = -dx ddy;
    ddout = (ddx - out ddy) / y. As in Paddle, dx and ddx have the shape of out: x must not have
    been stretched. Rounded as elementwise_div_grad.
    """
    return _core.div_double_gradient(y, out, dx, ddx, ddy, _axis(axis))


for _function in (elementwise_add_grad, elementwise_sub_grad, elementwise_mul_grad, elementwise_div_grad,
                  elementwise_div_double_grad):
    _function.__module__ = "hadamard"  # where they are to be found
