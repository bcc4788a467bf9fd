"""``paddle.tensor.math``: the same functions as in ``paddle`` itself."""

from hadamard._paddle import (elementwise_add, elementwise_div, elementwise_max, elementwise_min, elementwise_mod, elementwise_mul,
                              elementwise_pow, elementwise_sub)
from hadamard.fluid._absent import says_what_there_is

add, subtract, multiply, divide = elementwise_add, elementwise_sub, elementwise_mul, elementwise_div
maximum, minimum, pow = elementwise_max, elementwise_min, elementwise_pow
mod = remainder = floor_mod = elementwise_mod

__all__ = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "pow", "mod", "remainder", "floor_mod",
           "elementwise_add", "elementwise_sub", "elementwise_mul", "elementwise_div", "elementwise_max", "elementwise_min",
           "elementwise_pow", "elementwise_mod"]

__getattr__ = says_what_there_is(__name__, __all__)
