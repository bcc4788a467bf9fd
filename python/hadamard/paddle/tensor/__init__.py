"""``paddle.tensor``: the names that the document has for its operator, and those of its like."""

from . import math
from .math import *  # noqa: F401,F403

__all__ = ["math", *math.__all__]
