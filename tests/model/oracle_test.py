"""The oracle against NumPy and Python's own floats, where these are right to the last bit."""
import math
import random
import unittest

import numpy as np

import oracle
from oracle import TYPES


class OracleTest(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(5)

    def bits(self, t, count):
        return oracle.interesting(t) + [self.random.getrandbits(t.bits) for _ in range(count)]

    def array(self, t, bits):
        return np.array(bits, f"u{t.bits // 8}").view(t.numpy)

    def canonical(self, t, array):
        bits = array.view(f"u{t.bits // 8}").tolist()
        return [t.nan if math.isnan(x) else b for x, b in zip(array.tolist(), bits)]

    def pairs(self, t, count=500):
        special = oracle.interesting(t)
        pairs = [(a, b) for a in special for b in special]
        return pairs + list(zip(self.bits(t, count), self.bits(t, count)))

    def test_arithmetic(self):
        functions = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}
        for name in ("fp16", "fp32", "fp64"):
            t = TYPES[name]
            a, b = zip(*self.pairs(t))
            for op, f in functions.items():
                with np.errstate(all="ignore"), self.subTest(op, type=name):
                    expected = self.canonical(t, f(self.array(t, a), self.array(t, b)))
                    self.assertEqual([oracle.apply(op, t, x, y) for x, y in zip(a, b)], expected)

    def test_unary(self):
        functions = {"Sqrt": np.sqrt, "Floor": np.floor, "Ceil": np.ceil, "Round": np.rint, "Abs": np.abs,
                     "Neg": np.negative}
        for name in ("fp16", "fp32", "fp64"):
            t = TYPES[name]
            a = self.bits(t, 500)
            for op, f in functions.items():
                with np.errstate(all="ignore"), self.subTest(op, type=name):
                    self.assertEqual([oracle.apply(op, t, x) for x in a], self.canonical(t, f(self.array(t, a))))

    def test_casts_between_floats(self):
        for source in ("fp16", "fp32", "fp64"):
            for target in ("fp16", "fp32", "fp64"):
                s, t = TYPES[source], TYPES[target]
                a = self.bits(s, 500)
                with np.errstate(all="ignore"), self.subTest(source, target=target):
                    expected = self.canonical(t, self.array(s, a).astype(t.numpy))
                    self.assertEqual([oracle.cast(s, t, x) for x in a], expected)

    def test_floats_are_themselves(self):
        for name in ("fp16", "bf16"):
            t = TYPES[name]
            for x in range(0, 1 << 16, 7):
                expected = t.nan if x & ~t.sign > t.inf else x
                self.assertEqual(oracle.encode(t, oracle.decode(t, x)), expected)

    def test_functions_are_near_the_c_library(self):
        t = TYPES["fp64"]
        functions = {"Exp": math.exp, "Log": math.log, "Tanh": math.tanh}
        for op, f in functions.items():
            for _ in range(200):
                x = self.random.uniform(0.01, 20)
                bits = int(np.float64(x).view("u8"))
                expected = int(np.float64(f(x)).view("u8"))
                self.assertLessEqual(abs(oracle.apply(op, t, bits) - expected), 1, (op, x))
        for _ in range(200):
            x, y = self.random.uniform(0.01, 20), self.random.uniform(-20, 20)
            bits = [int(np.float64(v).view("u8")) for v in (x, y, math.pow(x, y))]
            self.assertLessEqual(abs(oracle.apply("Pow", t, *bits[:2]) - bits[2]), 1, (x, y))

    def test_special_powers(self):
        t = TYPES["fp64"]
        for a, b in self.pairs(t, 0):
            x, y = (float(self.array(t, [v])[0]) for v in (a, b))
            if math.isfinite(x) and math.isfinite(y) and x != 0:
                continue  # a number: test_functions_are_near_the_c_library
            try:
                expected = math.pow(x, y)
            except ValueError:  # Python's name for a division by zero
                expected = -math.inf if math.copysign(1, x) < 0 and abs(y) % 2 == 1 else math.inf
            self.assertEqual(oracle.apply("Pow", t, a, b), self.canonical(t, np.array([expected]))[0], (x, y))

    def test_integers(self):
        t = TYPES["int8"]
        self.assertEqual(t.value(oracle.apply("Div", t, t.wrap(-35), 3)), -12)
        self.assertEqual(t.value(oracle.apply("DivTrunc", t, t.wrap(-35), 3)), -11)
        self.assertEqual(t.value(oracle.apply("Div", t, t.wrap(-128), t.wrap(-1))), -128)
        self.assertEqual(t.value(oracle.apply("Mul", t, 30, 30)), -124)


if __name__ == "__main__":
    unittest.main()
