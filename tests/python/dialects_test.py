"""The dialects and their arguments: whose rules hold, from Python."""
import unittest

import numpy as np

import hadamard


def paddle_shapes(x, y, axis):
    """Paddle's rule, from its document: the shapes that NumPy then broadcasts; None where it is an error."""
    if x == y:
        return x, y
    low, high = (x, y) if len(x) < len(y) else (y, x)
    rank = len(high)
    if axis < -1 or (axis >= rank and rank > 0):
        return None
    begin = rank - len(low) if axis == -1 else axis
    while begin + len(low) > rank and low and low[-1] == 1:
        low = low[:-1]
    if begin + len(low) > rank:
        return None
    low = (1,) * begin + low + (1,) * (rank - begin - len(low))
    return (low, high) if len(x) < len(y) else (high, low)


class Paddle(unittest.TestCase):
    def test_the_pairs_of_the_document(self):
        for x, y, axis in [((2, 3, 4, 5), (2, 3, 4, 5), -1), ((2, 3, 4, 5), (5,), -1), ((2, 3, 4, 5), (4, 5), -1),
                           ((2, 3, 4, 5), (3, 4), 1), ((2, 3, 4, 5), (2,), 0), ((2, 3, 4, 5), (2, 1), 0),
                           ((2, 3, 4, 5), (), -1)]:
            a = np.arange(1.0, 1 + np.prod(x)).reshape(x)
            b = np.arange(1.0, 1 + np.prod(y, dtype=int)).reshape(y)
            left, right = paddle_shapes(x, y, axis)
            found = hadamard.div(a, b, dialect="paddle", axis=axis)
            np.testing.assert_array_equal(found, a.reshape(left) / b.reshape(right))
            np.testing.assert_array_equal(hadamard.div(a, b, broadcast="paddle", axis=axis), found)

    def test_its_words(self):
        with self.assertRaisesRegex(ValueError, "Broadcast dimension mismatch"):
            hadamard.div(np.ones((2, 3)), np.ones((4,)), dialect="paddle")
        with self.assertRaisesRegex(ZeroDivisionError, "Integer division by zero encountered in divide"):
            hadamard.div(np.ones(2, "i4"), np.zeros(2, "i4"), dialect="paddle")


class Activations(unittest.TestCase):
    def test_the_bits_are_those_of_two_calls(self):
        values = np.linspace(-4, 4, 1001)
        for dtype in ("f2", "f4", "f8"):
            a, b = values.astype(dtype), (values[::-1] + 0.3).astype(dtype)
            for function in hadamard.functions:
                name = function.__name__
                if not function.__text_signature__.startswith("(a, out") or name in ("log", "log2", "log10", "logical_not", "conj"):
                    continue
                with self.subTest(f"{name} {dtype}"):
                    expected = function(hadamard.div(a, b))
                    np.testing.assert_array_equal(hadamard.div(a, b, act=name), expected)
                    out = np.empty_like(a)
                    hadamard.div(a, b, out=out, act=name)
                    np.testing.assert_array_equal(out, expected)

    def test_with_tensors_and_one_operand(self):
        t = hadamard.Tensor([-1.5, 2.0], dtype="bf16")
        self.assertEqual(hadamard.mul(t, 2.0, act="relu").tolist(), [0, 4])
        self.assertEqual(hadamard.neg(np.array([1.0, -2.0]), act="relu").tolist(), [0, 2])
        self.assertEqual(hadamard.add(np.array([1.0]), 1.0, act=None).tolist(), [2])

    def test_of_integers(self):
        a = np.array([-3, 3])
        self.assertEqual(hadamard.mul(a, 2, act="relu").tolist(), [0, 6])
        with self.assertRaises(TypeError):
            hadamard.mul(a, 2, act="tanh")


class Matlab(unittest.TestCase):
    def test_types_are_promoted(self):
        a = np.array([1, 2], "i4")
        y = hadamard.div(a, np.array([2.0, 4.0]), dialect="matlab")
        self.assertEqual((y.dtype, y.tolist()), ("f8", [0.5, 0.5]))
        y = hadamard.div(a, 2, dialect="matlab", integers="matlab")
        self.assertEqual((y.dtype, y.tolist()), ("i4", [1, 1]))
        self.assertEqual(hadamard.add(np.ones(2, "f4"), 1, dialect="matlab").dtype, "f4")
        self.assertEqual(hadamard.div(True, 2, dialect="matlab"), 0.5)

    def test_results_may_be_complex(self):
        self.assertEqual(hadamard.sqrt(np.array([-4.0]), dialect="matlab").tolist(), [2j])
        self.assertTrue(np.isnan(hadamard.sqrt(np.array([-4.0]))[0]))

    def test_dimensions_expand_from_the_first(self):
        self.assertEqual(hadamard.div(np.ones((2, 3, 4)), np.ones((2, 3)), dialect="matlab").shape, (2, 3, 4))
        with self.assertRaises(ValueError) as caught:
            hadamard.div(np.ones((4, 2, 3)), np.ones((2, 3)), dialect="matlab")
        self.assertEqual(caught.exception.requirement, "MATLAB:sizeDimensionsMustMatch")


class Sonnx(unittest.TestCase):
    def test_no_broadcasting_and_floor(self):
        self.assertEqual(hadamard.div(np.array([-35]), np.array([3]), dialect="sonnx").tolist(), [-12])
        self.assertEqual(hadamard.div(np.array([-35]), np.array([3]), dialect="onnx").tolist(), [-11])
        self.assertEqual(hadamard.div(np.ones((2, 2)), np.ones(2), dialect="sonnx", broadcast="numpy").shape, (2, 2))
        with self.assertRaises(ValueError):
            hadamard.div(np.ones((2, 2)), np.ones(2), dialect="sonnx")


if __name__ == "__main__":
    unittest.main()
