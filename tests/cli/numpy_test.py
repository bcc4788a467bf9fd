"""Results against NumPy's, bit for bit: every type that NumPy has, every operator, with and without broadcasting."""
import unittest

import numpy as np
from program import CliTest

FLOATS = ["f2", "f4", "f8"]
INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
UFUNCS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}
SHAPES = [((60, 70), (60, 70)), ((60, 70), (70,)), ((60, 1), (70,)), ((), (41,)), ((5, 1, 7), (3, 1)), ((0, 3), (3,)),
          ((1,), (2, 3, 4))]


def specials(dtype):
    if dtype[0] != "f":
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        return np.array([low, low + 1, 0, 1, 2, 3, high - 1, high] + ([-1, -2, -3] if low else []), dtype)
    info = np.finfo(dtype)
    values = [0, 1, 3, 0.1, info.max, info.tiny, info.smallest_subnormal, info.eps, np.inf, np.nan]
    return np.array(values + [-v for v in values], dtype)


def bits(array):
    """The bit patterns, every NaN the canonical one."""
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return np.ascontiguousarray(array).tobytes()


class AgainstNumPy(CliTest):
    random = np.random.default_rng(20)

    def values(self, dtype, shape):
        """Random bit patterns with special values among them."""
        count = int(np.prod(shape))
        array = np.frombuffer(self.random.bytes(count * np.dtype(dtype).itemsize), dtype).copy()
        some = self.random.random(count) < 0.3
        array[some] = self.random.choice(specials(dtype), some.sum())
        return array.reshape(shape)

    def check(self, expected, op, a, b, *args):
        np.save(self.folder / "a.npy", a)
        np.save(self.folder / "b.npy", b)
        self.assertEqual(self.output(op, "a.npy", "b.npy", "-o", "y.npy", *args), "")
        y = np.load(self.folder / "y.npy")
        self.assertEqual((y.shape, y.dtype), (expected.shape, expected.dtype), (op, a.dtype))
        self.assertTrue(bits(y) == bits(expected), (op, a.dtype, a.shape, b.shape))

    def test_floats(self):
        for dtype in FLOATS:
            for op, ufunc in UFUNCS.items():
                for shape_a, shape_b in SHAPES:
                    a, b = self.values(dtype, shape_a), self.values(dtype, shape_b)
                    with np.errstate(all="ignore"):
                        self.check(ufunc(a, b), op, a, b, "--dialect", "onnx")

    def test_integers(self):
        for dtype in INTEGERS:
            for op in ("add", "sub", "mul"):
                for shape_a, shape_b in SHAPES[:3]:
                    a, b = self.values(dtype, shape_a), self.values(dtype, shape_b)
                    with np.errstate(all="ignore"):
                        self.check(UFUNCS[op](a, b), op, a, b, "--dialect", "onnx")

    def test_integer_division(self):
        for dtype in INTEGERS:
            for shape_a, shape_b in SHAPES[:3]:
                a, b = self.values(dtype, shape_a), self.values(dtype, shape_b)
                b = np.where(b == 0, b + np.array(1, dtype), b)
                with np.errstate(all="ignore"):
                    floor = np.floor_divide(a, b)
                    inexact = (floor * b != a) & ((a < 0) != (b < 0))
                self.check(floor, "div", a, b, "--dialect", "onnx", "--int-division", "floor")
                self.check(floor + inexact.astype(dtype), "div", a, b, "--dialect", "onnx")

    def test_sonnx_on_equal_shapes(self):
        for dtype in FLOATS:
            a, b = self.values(dtype, (333,)), self.values(dtype, (333,))
            with np.errstate(all="ignore"):
                for op, ufunc in UFUNCS.items():
                    self.check(ufunc(a, b), op, a, b, "--dialect", "sonnx")
        for dtype in INTEGERS:
            a, b = self.values(dtype, (333,)), self.values(dtype, (333,))
            b[b == 0] = 1
            with np.errstate(all="ignore"):
                self.check(np.floor_divide(a, b), "div", a, b, "--dialect", "sonnx")

    def test_complex_sums_and_bool(self):
        for dtype, part in (("c8", "f4"), ("c16", "f8")):
            a = self.random.standard_normal((9, 10)).astype(part).view(dtype)
            b = self.random.standard_normal((9, 10)).astype(part).view(dtype)
            self.check(a + b, "add", a, b, "--dialect", "native")
            self.check(a - b, "sub", a, b, "--dialect", "native")
        a, b = self.random.random((2, 99)) < 0.5
        self.check(a | b, "add", a, b, "--dialect", "native")
        self.check(a & b, "mul", a, b, "--dialect", "native")

    def test_big_endian_and_fortran_operands(self):
        a, b = self.values("f4", (30, 40)), self.values("f4", (30, 40))
        with np.errstate(all="ignore"):
            self.check(a / b, "div", a.astype(">f4"), np.asfortranarray(b))
            self.check(a / b[0], "div", np.asfortranarray(a), b[0].astype(">f4"), "--dialect", "onnx")

    def test_every_target(self):
        targets = self.rows("info")["targets"].split("  (")[0].split(", ")
        a, b = self.values("f4", (1003,)), self.values("f4", (1003,))
        np.save(self.folder / "a.npy", a)
        np.save(self.folder / "b.npy", b)
        with np.errstate(all="ignore"):
            expected = bits(a / b)
        choices = [{"HADAMARD_CPU": t} for t in targets if "not on" not in t] + [{"HADAMARD_PROVIDER": "ref"}]
        for env in choices:
            self.output("div", "a.npy", "b.npy", "-o", "y.npy", env=env)
            self.assertTrue(bits(np.load(self.folder / "y.npy")) == expected, env)


if __name__ == "__main__":
    unittest.main()
