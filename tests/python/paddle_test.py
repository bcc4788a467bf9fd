"""Dialect paddle: shapes, types, words and gradients, against a reference of NumPy's and exact fractions."""
import functools
import itertools
import os
import pickle
import unittest
from fractions import Fraction

import numpy as np

import hadamard

# Under sanitizers an error takes ten times as long: then every 16th pair of shapes.
EVERY = 16 if "asan" in os.environ.get("LD_PRELOAD", "") else 1
SHAPES = [shape for rank in range(5) for shape in itertools.product(range(4), repeat=rank)]


def placed(low, rank, first):
    """The shape of the operand of lower rank among `rank` dimensions; None where it has no place."""
    own = list(low)
    while own and first + len(own) > rank and own[-1] == 1:
        own.pop()
    if first + len(own) > rank:
        return None
    return (1,) * first + tuple(own) + (1,) * (rank - first - len(own))


def reference_shapes(x, y, axis):
    """The two shapes as NumPy would have to have them; None where Paddle refuses."""
    if x == y:
        return x, y
    rank = max(len(x), len(y))
    if axis < -1 or axis >= rank:
        return None
    first = abs(len(x) - len(y)) if axis == -1 else axis
    shapes = (x, placed(y, rank, first)) if len(y) <= len(x) else (placed(x, rank, first), y)
    if None in shapes:
        return None
    if any(a != b and 1 not in (a, b) for a, b in zip(*shapes)):
        return None
    return shapes


@functools.lru_cache(maxsize=None)
def values(shape, dtype, seed):
    random = np.random.default_rng(seed)
    array = random.integers(1, 100, size=shape)
    return np.asarray(np.where(random.integers(0, 2, size=shape) == 1, array, -array)).astype(dtype)


class Shapes(unittest.TestCase):
    def compare(self, x, y, axis, seed, function=hadamard.div, numpy_function=np.divide, dtype=np.float32):
        shapes = reference_shapes(x, y, axis)
        a, b = values(x, dtype, seed), values(y, dtype, seed + 1)
        try:
            got = function(a, b, dialect="paddle", axis=axis)
        except ValueError as error:
            self.assertIsNone(shapes, (x, y, axis, str(error)))
            return 0
        self.assertIsNotNone(shapes, (x, y, axis, "is to be refused"))
        want = numpy_function(a.reshape(shapes[0]), b.reshape(shapes[1]))
        self.assertEqual(np.shape(got), want.shape, (x, y, axis))
        self.assertEqual(np.asarray(got).tobytes(), want.astype(dtype).tobytes(), (x, y, axis))
        return 1

    def test_the_six_pairs_of_the_document(self):
        x = (2, 3, 4, 5)
        for y, axes in (((), (-1,)), ((5,), (-1,)), ((4, 5), (-1, 2)), ((3, 4), (1,)), ((2,), (0,)), ((2, 1), (0,))):
            for axis in axes:
                self.assertEqual(self.compare(x, y, axis, 3), 1, (y, axis))

    def test_all_pairs_of_shapes_up_to_rank_4_at_every_axis(self):
        done = [self.compare(x, y, axis, 5)
                for x, y in itertools.islice(itertools.product(SHAPES, repeat=2), 0, None, EVERY)
                for axis in range(-2, max(len(x), len(y)) + 1)]
        self.assertGreater(sum(done), 50000 // EVERY)
        self.assertGreater(len(done) - sum(done), 50000 // EVERY)

    def test_the_other_operators_and_integers(self):
        pairs = [(x, y) for x in SHAPES[::9] for y in SHAPES[::7]]
        for x, y in pairs:
            for axis in range(-1, max(len(x), len(y))):
                self.compare(x, y, axis, 7, hadamard.add, np.add)
                self.compare(x, y, axis, 8, hadamard.sub, np.subtract, np.float64)
                self.compare(x, y, axis, 9, hadamard.mul, np.multiply, np.int64)
                self.compare(x, y, axis, 10, hadamard.div, lambda a, b: np.trunc(a / b), np.int32)


class Words(unittest.TestCase):
    def refused(self, kind, text, x, y, **said):
        with self.assertRaises(kind) as caught:
            hadamard.div(np.asarray(x), np.asarray(y), dialect="paddle", **said)
        self.assertIn(text, str(caught.exception))

    def test_broadcast(self):
        self.refused(ValueError,
                     "Broadcast dimension mismatch. Operands could not be broadcast together with the shape of "
                     "X = [2, 3] and the shape of Y = [2]. Received [3] in X is not equal to [2] in Y at i:1.",
                     np.ones((2, 3)), np.ones(2))

    def test_axis(self):
        self.refused(ValueError, "Axis should be less than 2, but received axis is 2.", np.ones((2, 3)), np.ones(3),
                     axis=2)

    def test_zero_divisor(self):
        self.refused(ZeroDivisionError, "Integer division by zero encountered in divide. Please check.",
                     np.array([1, 2], np.int64), np.array([1, 0], np.int64))
        self.refused(ZeroDivisionError, "Please check. The divisor Y is 0 at index (1)",
                     np.array([1, 2], np.int64), np.array([1, 0], np.int64))

    def test_operands_are_x_and_y(self):
        for call, text in (
                (lambda: hadamard.elementwise_div(np.ones(2), "2"), "Y is of type str"),
                (lambda: hadamard.elementwise_add(np.ones(2, np.int8), 300), "Y is 300, which does not fit into int8"),
                (lambda: hadamard.elementwise_sub(object(), 1), "X is of type object"),
                (lambda: hadamard.elementwise_mul(np.ones(2), [1, "a"]), "Y has NumPy's dtype"),
                (lambda: hadamard.tanh(np.ones(2, np.uint16), dialect="paddle"), "X is uint16")):
            with self.assertRaises(hadamard.Error) as caught:
                call()
            self.assertTrue(str(caught.exception).startswith(text), str(caught.exception))

    def test_types(self):
        self.refused(TypeError, "X is fp32 and Y is fp64: the operands of div must have the same type; cast one of them",
                     np.ones(2, np.float32), np.ones(2, np.float64))
        self.refused(TypeError, "Y is complex128, which div of dialect paddle does not have", np.ones(2), np.ones(2, complex))
        self.refused(TypeError, "relu", np.ones(2, np.int32), np.ones(2, np.int32), act="relu")
        self.refused(TypeError, "uint16", np.ones(2, np.uint16), np.ones(2, np.uint16))
        self.refused(ValueError, "axis=0 has no meaning with broadcast='numpy'", np.ones(2), np.ones(2), axis=0, broadcast="numpy")
        self.refused(ValueError, "gelu", np.ones(2), np.ones(2), act="gelu")
        with self.assertRaisesRegex(ValueError, "act is 'neg_'((?!neg,).)*$"):
            hadamard.elementwise_div(1.0, 1.0, act="neg_")
        with self.assertRaisesRegex(TypeError, "axis is an array; expected a whole number"):
            hadamard.elementwise_div(np.ones(2), np.ones(2), np.ones(2))


class Values(unittest.TestCase):
    def test_integers_divide_by_truncation(self):
        for dtype in (np.int8, np.int16, np.int32, np.int64):
            x = np.array([7, -7, 7, -7, 0], dtype)
            y = np.array([2, 2, -2, -2, -3], dtype)
            self.assertEqual(hadamard.div(x, y, dialect="paddle").tolist(), [3, -3, -3, 3, 0])

    def test_the_least_integer_over_minus_one_wraps(self):
        for dtype in (np.int8, np.int16, np.int32, np.int64):
            least = np.array([np.iinfo(dtype).min], dtype)
            self.assertEqual(hadamard.div(least, np.array([-1], dtype), dialect="paddle")[0], least[0])

    def test_floats_divide_by_zero(self):
        got = hadamard.div(np.array([1, -1, 0], np.float32), np.float32(0), dialect="paddle")
        self.assertEqual(got[:2].tolist(), [np.inf, -np.inf])
        self.assertTrue(np.isnan(got[2]))

    def test_the_operators_by_the_names_that_paddle_has(self):
        x, y = np.arange(-6.0, 6).reshape(2, 3, 2), np.array([2.0, -3, 4])
        for name in ("add", "sub", "mul", "div"):
            function, by_name = getattr(hadamard, name), getattr(hadamard, f"elementwise_{name}")
            expected = function(x, y, dialect="paddle", axis=1, act="relu")
            out = np.empty_like(x)
            self.assertIs(by_name(x, y, 1, "relu", "z", out=out), out)
            self.assertEqual(out.tobytes(), expected.tobytes())
            self.assertEqual(by_name(x, y, axis=1).tobytes(), function(x, y, dialect="paddle", axis=1).tobytes())
            self.assertIs(pickle.loads(pickle.dumps(by_name)), by_name)
            self.assertIn("fluid 1.8", by_name.__doc__)
        self.assertRaisesRegex(ZeroDivisionError, "Integer division by zero encountered",
                               hadamard.elementwise_div, np.array([1]), np.array([0]))
        self.assertRaisesRegex(ValueError, "Axis should be less than 3", hadamard.elementwise_div, x, y, 3)
        self.assertRaisesRegex(TypeError, "name is 5", hadamard.elementwise_div, x, x, name=5)
        self.assertRaisesRegex(ValueError, "dOut has shape", hadamard.elementwise_mul_grad, x, x, None, y)

    def test_an_activation_follows_in_the_same_pass(self):
        x = values((64, 33), np.float32, 1)
        y = values((33,), np.float32, 2)
        plain = hadamard.div(x, y, dialect="paddle")
        for act in ("relu", "sigmoid", "tanh", "exp"):
            fused = hadamard.div(x, y, dialect="paddle", act=act)
            self.assertEqual(fused.tobytes(), getattr(hadamard, act)(plain).tobytes(), act)
        self.assertEqual(hadamard.div(x, y, dialect="paddle", act="pow").tobytes(), plain.tobytes())


def exact(array):
    return [Fraction(float(x)) for x in np.asarray(array).ravel()]


class Gradients(unittest.TestCase):
    """Against exact rationals, with the bound that is stated."""

    def check(self, got, terms, shape, dtype):
        unit = Fraction(float(np.finfo(dtype).eps)) / 2
        self.assertEqual(np.shape(got), shape)
        for value, of in zip(exact(got), terms):
            total, size, n = sum(of), sum(abs(t) for t in of), len(of)
            slack = n * n * Fraction(1, 2**100) if dtype == np.float64 else n * Fraction(1, 2**50)
            bound = unit * abs(total) + slack * size
            if dtype == np.float16:
                bound += Fraction(1, 2**25)  # half of the least subnormal
            self.assertLessEqual(abs(value - total), bound)

    def test_against_exact_rationals(self):
        formulas = {
            "add": (lambda x, y, o, d: d, lambda x, y, o, d: d),
            "sub": (lambda x, y, o, d: d, lambda x, y, o, d: -d),
            "mul": (lambda x, y, o, d: d * y, lambda x, y, o, d: d * x),
            "div": (lambda x, y, o, d: d / y, lambda x, y, o, d: -d * o / y),
        }
        for dtype in (np.float16, np.float32, np.float64):
            for x_shape, y_shape, axis in (((2, 3, 4), (3,), 1), ((4,), (2, 3, 4), -1), ((2, 1), (1, 3), -1),
                                           ((3, 5), (3, 5), -1), ((2, 3), (), -1), ((0, 3), (3,), -1)):
                for op, formula in formulas.items():
                    x, y = values(x_shape, dtype, 21) / dtype(7), values(y_shape, dtype, 22) / dtype(3)
                    out = getattr(hadamard, op)(x, y, dialect="paddle", axis=axis)
                    dout = np.asarray(values(np.shape(out), dtype, 23) / dtype(9)).astype(dtype)
                    dx, dy = getattr(hadamard, f"elementwise_{op}_grad")(x, y, out, dout, axis=axis)
                    shapes = reference_shapes(x_shape, y_shape, axis)
                    index = [np.broadcast_to(np.arange(a.size).reshape(shape), np.shape(out)).ravel()
                             for a, shape in zip((np.asarray(x), np.asarray(y)), shapes)]
                    ex, ey, eo, ed = map(exact, (x, y, out, dout))
                    for which, (got, own, shape) in enumerate(((dx, ex, x_shape), (dy, ey, y_shape))):
                        terms = [[] for _ in own]
                        for i, (j, k) in enumerate(zip(*index)):
                            terms[(j, k)[which]].append(formula[which](ex[j], ey[k], eo[i], ed[i]))
                        self.check(got, terms, shape, dtype)

    def test_double_gradient(self):
        y, out, dx, ddx, ddy = (values(shape, np.float64, seed) / 7 for seed, shape in
                                enumerate(((3,), (2, 3), (2, 3), (2, 3), (3,)), 31))
        dy, dout, ddout = hadamard.elementwise_div_double_grad(y, out, dx, ddx, ddy)
        np.testing.assert_allclose(dout, -dx * ddy, rtol=1e-15)
        np.testing.assert_allclose(ddout, (ddx - out * ddy) / y, rtol=1e-13)
        np.testing.assert_allclose(dy, (dx * (out * ddy - ddx) / y).sum(0), rtol=1e-13)
        self.assertFalse(np.signbit(hadamard.elementwise_div_double_grad(
            np.array([2.0]), np.array([1.0]), np.array([5.0]), np.array([0.0]), None)[2]).any())
        alone = hadamard.elementwise_div_double_grad(y, out, dx, ddy=ddy)
        np.testing.assert_allclose(alone[2], -out * ddy / y, rtol=1e-15)

    def test_bf16_tensors(self):
        x = hadamard.Tensor([[1.0, 2.0], [3.0, 4.0]], dtype="bf16")
        y = hadamard.Tensor([2.0, 4.0], dtype="bf16")
        out = hadamard.div(x, y, dialect="paddle")
        dx, dy = hadamard.elementwise_div_grad(x, y, out, x)
        self.assertEqual(dx.dtype, "bf16")
        self.assertEqual(dy.tolist(), [-(0.5 * 1 + 1.5 * 3) / 2, -(0.5 * 2 + 1.0 * 4) / 4])

    def test_bf16_by_dlpack(self):
        held = hadamard.Tensor([1.0, 2.0], dtype="bf16")

        class Foreign:
            def __dlpack__(self, **_):
                return held.__dlpack__()

            def __dlpack_device__(self):
                return (1, 0)

        dx, _ = hadamard.elementwise_add_grad(Foreign(), Foreign(), Foreign(), Foreign())
        self.assertEqual((dx.dtype, dx.tolist()), ("bf16", [1, 2]))

    def test_code_of_others_that_frees_an_operand(self):
        n = 1 << 20
        x, ones = np.ones(n), np.ones(n)

        class Hostile:
            def __array__(self, *_):
                x.resize(0, refcheck=False)
                return np.ones(n)

        with self.assertRaises(ValueError):
            hadamard.elementwise_mul_grad(x, Hostile(), ones, ones)

        y = np.ones(n, np.float32)

        class Whole(int):
            __hash__ = int.__hash__

            def __eq__(self, other):
                y.resize(0, refcheck=False)
                return False

        self.assertEqual(hadamard.add(y, Whole(2**60 + 1)).shape, (n,))

        class Changing(np.ndarray):
            @property
            def __class__(self):
                y.resize(0, refcheck=False)
                return np.ndarray

        self.assertEqual(hadamard.add(y, np.ones(n, np.float32).view(Changing)).shape, (n,))

    def test_the_sign_of_zero(self):
        zero, one = np.zeros(2), np.ones(2)
        _, dy = hadamard.elementwise_div_grad(zero, one, zero, one)
        self.assertTrue(np.signbit(dy).all())
        _, dy = hadamard.elementwise_div_grad(zero, np.ones(1), zero, one)
        self.assertTrue(np.signbit(dy).all())
        _, dy = hadamard.elementwise_div_grad(np.zeros((0, 1)), np.ones(1), np.zeros((0, 1)), np.zeros((0, 1)))
        self.assertFalse(np.signbit(dy).any())

    def test_refusals(self):
        with self.assertRaisesRegex(TypeError, "^dOut is of type NoneType"):
            hadamard.elementwise_add_grad(np.ones(2), np.ones(2), None, None)
        ones = np.ones(3)
        with self.assertRaises(TypeError):
            hadamard.elementwise_div_grad(np.ones(3, np.int32), np.ones(3, np.int32), np.ones(3, np.int32),
                                          np.ones(3, np.int32))
        with self.assertRaises(ValueError):
            hadamard.elementwise_div_grad(ones, ones, ones, np.ones(4))


if __name__ == "__main__":
    unittest.main()
