"""What a module says of a name that it has not: whether it is element-wise and missing, out of scope, or unknown."""

from __future__ import annotations

import difflib
import sys
from typing import Any, Callable, NoReturn, Sequence

from hadamard import _core

# Element-wise in Paddle, and not here; what computes it on arrays, where there is such a function. Functions of the engine
# that have the same name there need no line.
ELEMENTWISE = {
    "elementwise_floordiv": "", "floor_divide": "", "acos": "", "asin": "", "atan": "", "cosh": "", "equal": "", "erf": "", "gelu": "",
    "greater_equal": "", "greater_than": "", "hard_swish": "", "increment": "", "isfinite": "", "isinf": "", "isnan": "",
    "less_equal": "", "less_than": "", "logical_and": "", "logical_not": "", "logical_or": "", "logical_xor": "", "not_equal": "",
    "rsqrt": "", "scale": "", "selu": "", "sinh": "", "square": "", "sums": "", "tan": "",
}
_OF_ARRAYS = {function.__name__ for function in _core.functions}

# Names of Paddle's that are not element-wise: those that programs have most.
_OUT_OF_SCOPE = frozenset("""
    BuildStrategy CompiledProgram CUDAPinnedPlace DataFeeder DataLoader DataParallel DistributeTranspiler ExecutionStrategy Model
    ParallelExecutor ParamAttr Parameter Print PyReader Scope Tensor WeightNormParamAttr accuracy amp arange argmax argmin argsort auc
    autograd batch batch_norm bmm concat cond contrib conv2d conv2d_transpose conv3d create_global_var create_parameter
    cross_entropy cuda_places cumsum dataset distributed distribution dot dropout dynamic_gru dynamic_lstm embedding expand eye fc
    flatten gather gaussian_random global_scope group_norm hapi incubate initializer instance_norm io l2_normalize layer_norm linspace
    load load_dygraph matmul max mean metric metrics min mm mul nets nn norm one_hot ones optimizer pad pool2d pool3d prod profiler
    py_func py_reader rand randint randn range reader reduce_max reduce_mean reduce_min reduce_prod reduce_sum regularizer reshape save
    save_dygraph scatter scope_guard seed sequence_pool shape slice softmax softmax_with_cross_entropy split square_error_cost squeeze
    stack std sum text topk transpiler transpose uniform_random unsqueeze utils var vision while_loop zeros
    """.split())

_OF_2 = "programs of Paddle 2.x (dynamic graphs, paddle.static) do not run here"
_INSTEAD = {"to_tensor": "pass NumPy arrays, or hadamard.Tensor", "static": _OF_2, "disable_static": _OF_2, "dygraph": _OF_2, "jit": _OF_2,
            "no_grad": _OF_2, "grad": _OF_2 + "; fluid.gradients is there", "in_dynamic_mode": _OF_2, "set_device": _OF_2}


def reason(module: str, name: str, names: Sequence[str]) -> str:
    """Why a module has no such name, in one line."""
    if name.startswith("__"):
        return f"module '{module}' has no attribute '{name}'"
    no = f"{module} has no '{name}'"
    if name in _INSTEAD:
        return f"{no}: {_INSTEAD[name]}"
    there = f"; it has: {', '.join(names)}" if len(names) <= 12 else ""
    if name in _OUT_OF_SCOPE:
        return f"{no}: out of scope, there are element-wise arithmetic and activations only{there}"
    if f"elementwise_{name}" in names:
        return f"{no}; did you mean 'elementwise_{name}'?"
    if name in ELEMENTWISE or name in _OF_ARRAYS:
        function = ELEMENTWISE.get(name, name)
        instead = f"; on arrays, hadamard.{function} computes it" if function else ""
        kind = "layers" if module.endswith(".layers") else "functions"
        return f"{no}: it is element-wise, but not one of the {kind} here{instead}"
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.8)
    if close:
        return f"{no}; did you mean '{close[0]}'?"
    return f"{no}: it is not a name of Paddle's that is known here{there}"


class _Finder:
    """Says of an import what the attribute would say. It is asked last: about what is nowhere else."""

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> None:
        parent, _, name = fullname.rpartition(".")
        module = sys.modules.get(parent)  # also under a name of Paddle's
        if getattr(module, "__getattr__", None) in _GIVEN and not name.startswith("__"):
            raise ModuleNotFoundError(reason(module.__name__, name, module.__all__)) from None  # type: ignore[union-attr]


_GIVEN: list[Any] = []
sys.meta_path.append(_Finder)  # type: ignore[arg-type]


def says_what_there_is(module: str, names: Sequence[str]) -> Callable[[str], NoReturn]:
    """A module's ``__getattr__``."""

    def absent(name: str) -> NoReturn:
        raise AttributeError(reason(module, name, names), name=name)  # the name alone keeps Python from guesses of its own

    # `from module import name` looks for a module of that name only in a package, which is what has a __path__.
    sys.modules[module].__dict__.setdefault("__path__", [])
    _GIVEN.append(absent)
    return absent
