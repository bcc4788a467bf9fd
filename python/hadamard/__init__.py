"""Element-wise tensor arithmetic: every element right to the last bit.

    >>> import numpy as np
    >>> import hadamard
    >>> hadamard.div(np.array([6.1, 9.5]), 3)
    array([2.03333333, 3.16666667])

A function per operator (add, sub, mul, div, exp, …), divide (true division), cast, where and clip;
Tensor for the types that NumPy lacks; eval for MATLAB's expressions; help(hadamard.div) says the rest.
"""
from __future__ import annotations

import builtins as _builtins

import numpy as _numpy  # noqa: F401: where it is missing, this says so
from hadamard import _core, _paddle, _tensor  # noqa: F401
from hadamard._core import Tensor, __version__, types  # noqa: F401
from hadamard._errors import (  # noqa: F401
    ArgumentError, ElementTypeError, Error, FileError, InternalError, TooLargeError, ZeroDivisorError)
from hadamard._eval import eval  # noqa: A004,F401
from hadamard._settings import (  # noqa: F401
    from_dlpack, release_memory, set_kept_memory_limit, set_threads, threads)

functions = _core.functions  # one per operator of the engine's list, and cast, divide, where, clip
globals().update({function.__name__: function for function in (*functions, *_paddle.operators, *_paddle.gradients)})

# `from hadamard import *` hides none of Python's own functions.
__all__ = sorted(
    {name for name in globals() if not name.startswith("_") and not hasattr(_builtins, name)} - {"annotations"})
