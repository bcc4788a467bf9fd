"""Paddle's element-wise functions by the names that Paddle has for them: those of 2.x, and of fluid 1.8.

    import hadamard.paddle as paddle

    paddle.divide(x, y)                           # all of these are one function
    paddle.elementwise_div(x, y, axis=1)
    paddle.tensor.math.elementwise_div(x, y)
    paddle.fluid.layers.elementwise_div(x, y)

It takes arrays, hadamard.Tensor and LoDTensor, and variables of fluid programs. Programs that say ``import paddle`` run
unchanged with ``python3 -m hadamard.paddle SCRIPT.py``.
"""
from __future__ import annotations

import sys

from hadamard import fluid
from hadamard.fluid._absent import says_what_there_is
from hadamard.fluid.core import CPUPlace, CUDAPlace, is_compiled_with_cuda

from . import tensor
from .tensor.math import *  # noqa: F401,F403

__all__ = [*tensor.math.__all__, "fluid", "tensor", "CPUPlace", "CUDAPlace", "is_compiled_with_cuda", "enable_static",
           "install"]

sys.modules[__name__ + ".fluid"] = fluid


def enable_static() -> None:
    """Does nothing: programs are always built first and run by an Executor. There is no disable_static."""


def install() -> None:
    """From here on, ``import paddle`` in this process is this package, and ``paddle.fluid`` is hadamard.fluid."""
    own = {__name__: "paddle", fluid.__name__: "paddle.fluid"}
    for name, module in list(sys.modules.items()):
        for ours, theirs in own.items():
            if name == ours or name.startswith(ours + "."):
                sys.modules[theirs + name[len(ours):]] = module


__getattr__ = says_what_there_is(__name__, __all__)
