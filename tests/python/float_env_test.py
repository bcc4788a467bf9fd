"""The floating-point traps, rounding and flags of the thread that calls: they change no result and are as they were."""
import contextlib
import ctypes
import ctypes.util
import operator
import os
import pickle
import unittest

import numpy as np

import hadamard

libm = ctypes.CDLL(ctypes.util.find_library("m"))
INVALID, DIVIDED, OVERFLOW, UNDERFLOW, INEXACT = 1, 4, 8, 16, 32  # of x86-64's fenv.h
ALL = INVALID | DIVIDED | OVERFLOW | UNDERFLOW | INEXACT
UPWARD = 0x800
TRAPS = [INVALID, DIVIDED, OVERFLOW, UNDERFLOW, INEXACT, INVALID | DIVIDED | OVERFLOW, ALL]
TYPES = ["fp16", "bf16", "fp32", "fp64", "complex64", "complex128", "int4", "uint4", "int8", "uint8", "int16", "uint16",
         "int32", "uint32", "int64", "uint64", "bool", "real"]

BINARY = "add sub mul div pow max min hypot mod rem atan2 logical_and logical_or logical_xor".split()
UNARY = [f.__name__ for f in hadamard.functions if f.__name__ not in BINARY + ["cast", "where", "clip"]]


@contextlib.contextmanager
def environment(traps, rounding=0):
    """No number may be computed by Python or NumPy inside: they do not expect traps."""
    libm.feclearexcept(ALL)
    libm.fesetround(rounding)
    libm.feenableexcept(traps)
    found = []
    try:
        yield found
    finally:
        found += [libm.fegetexcept(), libm.fetestexcept(ALL), libm.fegetround()]
        libm.fedisableexcept(ALL)
        libm.fesetround(0)
        libm.feclearexcept(ALL)


def outcome(call):
    try:
        return call()
    except (hadamard.Error, TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
        return type(error), str(error)


def bits(result):
    if isinstance(result, tuple):
        return result
    return pickle.dumps(result)


@unittest.skipIf(os.uname().machine != "x86_64", "ARM CPUs mostly cannot trap")
class FloatEnvironment(unittest.TestCase):
    def same_everywhere(self, calls):
        expected = [(name, call, bits(outcome(call))) for name, call in calls]
        for traps in TRAPS:
            for rounding in (0, UPWARD):
                found, after = [], []
                for _, call, _ in expected:
                    for _ in range(2):  # what the first call left behind would end the second
                        with environment(traps, rounding) as state:
                            result = outcome(call)
                        found.append(result)
                        after.append(state)
                for i, (result, state) in enumerate(zip(found, after)):
                    name, _, wanted = expected[i // 2]
                    self.assertEqual(state, [traps, 0, rounding], name)
                    self.assertEqual(bits(result), wanted, (name, traps, rounding))

    def test_every_operator_and_type(self):
        calls = []
        for kind in TYPES:
            whole = not kind.startswith(("fp", "bf", "complex", "real"))
            values = ([1, 0, 1, 1] if kind == "bool" else [7, 3, 1, 2] if whole else
                      [1, -3, 2, 7] if kind == "real" else [20000.0, 0.1, -1.0, 0.0])
            a = hadamard.Tensor(values, dtype=kind)
            b = hadamard.Tensor([1, 1, 1, 1] if kind == "bool" else [3, 2, 1, 5], dtype=kind)
            for name in UNARY:
                calls.append((f"{name} {kind}", lambda f=getattr(hadamard, name), x=a: f(x)))
            for name in BINARY:
                calls.append((f"{name} {kind}", lambda f=getattr(hadamard, name), x=a, y=b: f(x, y)))
        self.same_everywhere(calls)

    def test_numbers_lists_and_conversions(self):
        array = np.array([20000.0, 0.1, -1.0])
        values = [20000.0, 0.1, -1.0, float("nan"), float("inf"), 1e-300]
        single = array.astype(np.float32)
        calls = [
            ("list", lambda: hadamard.exp([20000.0, 1.0])),
            ("numbers", lambda: hadamard.div(0.1, 3)),
            ("integers and floats", lambda: hadamard.add([1, 0.1, 2 ** 60 + 1], 0.3)),
            ("a number beside fp32", lambda: hadamard.mul(single, 0.1)),
            ("a number beside bf16", lambda: hadamard.Tensor([1.5, 2.7], dtype="bf16") / 3),
            ("a tensor from a list", lambda: hadamard.Tensor([0.1, 1e-320, 1e300], dtype="fp16")),
            ("cast", lambda: hadamard.cast(array, "bf16")),
            ("cast to integers", lambda: hadamard.cast(array, "int8")),
            ("eval", lambda: hadamard.eval("exp(x) ./ 3", x=array)),
            ("eval of text", lambda: hadamard.eval("0.1 + 1/3 + gamma(4.5)")),
            ("elementwise_div", lambda: hadamard.elementwise_div(single, single, act="sigmoid")),
            ("gradients", lambda: hadamard.elementwise_div_grad(single, single, single, single)[0]),
            *((f"comparison {op.__name__} {kind}", lambda f=op, t=hadamard.Tensor(values, dtype=kind): f(t, 1.0))
              for op in (operator.lt, operator.ge, operator.eq, np.less, operator.floordiv, operator.mod, operator.pow)
              for kind in ("fp16", "fp64", "bf16")),
            ("comparison with a large number", lambda: hadamard.Tensor(values) < 10 ** 400),
            ("floor quotient", lambda: hadamard.Tensor(values) // 0.3),
            ("isnan", lambda: np.isnan(hadamard.Tensor(values))),
            ("clip", lambda: hadamard.clip(array, 0.1, 0.7)),
            ("where", lambda: hadamard.where([True, False, True], array, 0.1)),
        ]
        self.same_everywhere(calls)


if __name__ == "__main__":
    unittest.main()
