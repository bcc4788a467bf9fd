"""The part of ``paddle.fluid`` 1.8 that programs of element-wise operators use.

Change the import line and they run::

    import hadamard.fluid as fluid

    x = fluid.layers.data(name="x", shape=[3], dtype="float32")
    y = fluid.layers.data(name="y", shape=[3], dtype="float32")
    z = fluid.layers.elementwise_div(x, y)
    exe = fluid.Executor(fluid.CPUPlace())
    (z_value,) = exe.run(feed={"x": [2, 3, 4], "y": [1, 5, 2]}, fetch_list=[z.name])

There are ``layers.data``, ``layers.elementwise_add/sub/mul/div/max/min/pow/mod``, the activations, ``Variable``
with ``+ - * / ** %``, ``Program``, ``program_guard``, ``Executor``, ``LoDTensor``, ``gradients`` and
``append_backward``. A feed is cast to the type of its variable, and its shape wins over the declared one.
Results are those of dialect ``paddle``: every element correctly rounded, gradients within the bounds of
``docs/semantics/paddle.md``.
"""

from . import backward, core, framework, layers, unique_name
from ._absent import says_what_there_is
from .backward import append_backward, gradients
from .core import CPUPlace, CUDAPlace, is_compiled_with_cuda
from .executor import Executor
from .framework import (Program, Variable, cpu_places, data, default_main_program, default_startup_program,
                        in_dygraph_mode, name_scope, program_guard)
from .lod_tensor import LoDTensor, create_lod_tensor

__all__ = ["layers", "backward", "core", "framework", "unique_name", "append_backward", "gradients", "CPUPlace",
           "CUDAPlace", "is_compiled_with_cuda", "Executor", "Program", "Variable", "cpu_places", "data",
           "default_main_program", "default_startup_program", "in_dygraph_mode", "name_scope", "program_guard",
           "LoDTensor", "create_lod_tensor"]

__getattr__ = says_what_there_is(__name__, __all__)
