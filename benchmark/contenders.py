"""Who takes part. A contender makes a runner for a case (time, once, close) or raises Unsupported.

Names: ours, ours.into, ours.new; ours.model, a graph of four nodes, and ours.kernels, the same without the graph;
unchecked.new, ours without a look for zero divisors; loop, eigen, xtensor, onednn (native); xtensor.dynamic, whose rank is known at run
time only; numpy, torch, numexpr, and numpy.new, torch.new, which return a new array. `name@2` runs the contender with
two threads, `name@0` with as many as it thinks fit, whatever the case says. python is ours from Python, in dialect paddle;
python.new returns a new array, python.relu has an activation behind it.
"""
import sys
import time
import warnings

import numpy as np

from cases import NIBBLES, Arrays, line
from native import Unsupported

NATIVE = {"ours": "ours.prepared", "ours.into": "ours.into", "ours.new": "ours.new", "ref": "ours.ref",
          "ours.model": "ours.model", "ours.kernels": "ours.kernels", "unchecked.new": "unchecked.new",
          "loop": "loop", "eigen": "eigen", "xtensor": "xtensor",
          "xtensor.dynamic": "xtensor.dynamic", "onednn": "onednn"}
RIVALS = ("numpy", "torch", "numexpr", "eigen", "xtensor", "onednn")
# Threads of OpenMP, and less so of oneTBB, go on spinning for a while after their work, in the way of whoever comes
# next.
SPINS = {"torch", "torch.new", "onednn", "ours", "ours.into", "ours.new"}


class PythonRunner:
    def __init__(self, call, begin=None, result=None):
        self.call, self.begin, self.result = call, begin, result

    def once(self):
        if self.begin:
            self.begin()
        answer = self.call()
        if self.result:
            self.result(answer)

    def time(self, calls):
        if self.begin:
            self.begin()
        call = self.call
        start = time.perf_counter_ns()
        for _ in range(calls):
            call()
        return float(time.perf_counter_ns() - start)

    def close(self):
        pass


def bind(function, *args, **kwargs):
    """A call without arguments. A lambda costs less than functools.partial with keywords."""
    if not kwargs:
        a, b = args
        return lambda: function(a, b)
    if set(kwargs) == {"out"}:
        a, b, out = *args, kwargs["out"]
        return lambda: function(a, b, out=out)
    return lambda: function(*args, **kwargs)


def numpy_runner(arrays, threads, new):
    case = arrays.case
    if case.type == "bf16" or case.type in NIBBLES:
        raise Unsupported("no such type")
    if threads > 1:
        raise Unsupported("one thread")
    if case.is_integer_division and case.rounding == "trunc" and not case.type.startswith("uint"):
        raise Unsupported("divides by floor")
    names = {"add": "add", "sub": "subtract", "mul": "multiply", "div": "divide"}
    function = np.floor_divide if case.is_integer_division else getattr(np, names[case.op])
    if new:
        return PythonRunner(bind(function, arrays.a, arrays.b),
                            result=lambda answer: np.copyto(arrays.y, answer))
    return PythonRunner(bind(function, arrays.a, arrays.b, out=arrays.y))


def torch_runner(torch, arrays, threads, new):
    case = arrays.case
    if case.type in NIBBLES or case.type in ("uint16", "uint32", "uint64"):
        raise Unsupported("no such type")

    def tensor(array):
        if case.type == "bf16":
            return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(array)
    a, b, y = tensor(arrays.a), tensor(arrays.b), tensor(arrays.y)
    function = getattr(torch, case.op)
    options = {"rounding_mode": case.rounding} if case.is_integer_division else {}
    count = threads or torch_threads(torch)
    if new:
        return PythonRunner(bind(function, a, b, **options), begin=lambda: torch.set_num_threads(count),
                            result=y.copy_)
    return PythonRunner(bind(function, a, b, **options, out=y), begin=lambda: torch.set_num_threads(count))


def torch_threads(torch, known=[]):
    if not known:
        known.append(torch.get_num_threads())
    return known[0]


def python_runner(hadamard, arrays, threads, kind):
    """Our package. A divisor that ends in ones is given without them, with the axis where it begins, as in Paddle."""
    case = arrays.case
    if case.type == "bf16" or case.type in NIBBLES:
        raise Unsupported("no array of NumPy's has that type")
    a, b = arrays.a, arrays.b
    if kind == "new" and a.shape == b.shape:
        # What a user writes.
        function = getattr(hadamard, case.op)
        return PythonRunner(bind(function, a, b), begin=lambda: hadamard.set_threads(threads),
                            result=lambda answer: np.copyto(arrays.y, answer))
    said = {"dialect": "paddle", "axis": a.ndim - b.ndim}
    if case.is_integer_division:
        said["int_division"] = case.rounding
    if kind == "relu":
        said["act"] = "relu"
    if kind != "new":
        said["out"] = arrays.y
    while b.ndim > 1 and b.shape[-1] == 1:
        b = b.reshape(b.shape[:-1])
    return PythonRunner(bind(getattr(hadamard, case.op), a, b, **said), begin=lambda: hadamard.set_threads(threads),
                        result=(lambda answer: np.copyto(arrays.y, answer)) if kind == "new" else None)


def numexpr_runner(numexpr, arrays, threads):
    case = arrays.case
    if case.type not in ("fp32", "fp64", "int32", "int64", "complex128"):
        raise Unsupported("no such type")
    if case.is_integer_division:
        raise Unsupported("divides integers to floats")
    sign = {"add": "+", "sub": "-", "mul": "*", "div": "/"}[case.op]
    names = {"a": arrays.a, "b": arrays.b}
    text = f"a {sign} b"

    def call():
        numexpr.evaluate(text, names, {}, out=arrays.y)
    return PythonRunner(call, begin=lambda: numexpr.set_num_threads(threads or 2))


class Field:
    """The contenders that are here, and why the others are not."""

    def __init__(self, library, only=None):
        self.library = library
        self.modules = {"numpy": np}
        self.missing = {}
        if library.package not in sys.path:  # ours, from the same build
            sys.path.insert(0, library.package)
        for name in ("torch", "numexpr", "hadamard"):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    self.modules[name] = __import__(name)
            except Exception as error:  # a broken installation is as bad as none
                self.missing[name] = f"cannot be imported: {error}"
        arrays = Arrays(line("add", "fp32", 8))
        for name in ("eigen", "xtensor", "onednn"):
            try:
                library.runner(name, arrays).close()
            except Unsupported as reason:
                self.missing[name] = str(reason)
        for name in RIVALS:
            if only is not None and name not in only:
                self.missing.setdefault(name, "left out")

    def runner(self, name, arrays):
        base, _, threads = name.partition("@")
        threads = int(threads) if threads else arrays.case.threads
        module, _, kind = base.partition(".")
        if module in self.missing:
            raise Unsupported("missing")
        if base in NATIVE:
            return self.library.runner(NATIVE[base], arrays, threads)
        if module == "numpy":
            return numpy_runner(arrays, threads, kind == "new")
        if module == "torch":
            return torch_runner(self.modules["torch"], arrays, threads, kind == "new")
        if module == "python":
            if "hadamard" not in self.modules:
                raise Unsupported("the Python package is not built")
            return python_runner(self.modules["hadamard"], arrays, threads, kind)
        if module == "numexpr":
            return numexpr_runner(self.modules["numexpr"], arrays, threads)
        raise Unsupported(f"nobody is called {name}")

    def versions(self):
        return {name: module.__version__ for name, module in self.modules.items()}
