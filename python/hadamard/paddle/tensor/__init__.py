"""``paddle.tensor``: the names that the document has for its operator, and those of its like."""

from hadamard.fluid._absent import says_what_there_is

from . import math
from .math import *  # noqa: F401,F403

__all__ = ["math", *math.__all__]

__getattr__ = says_what_there_is(__name__, __all__)
