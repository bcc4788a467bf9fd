"""hadamard.Tensor as Python's users expect it: division, indexing, comparison, conversion, NumPy's functions."""
import fractions
import operator
import unittest

import numpy as np

import hadamard

F = fractions.Fraction
INTEGERS = [t for t in hadamard.types if "int" in t]


def tensor(array, dtype):
    return hadamard.Tensor(array, dtype=dtype)


class Division(unittest.TestCase):
    def test_true_division_of_every_type(self):
        for dtype in (*INTEGERS, "bool"):
            t = tensor([1, 0, 1], dtype)
            for y in (t / 2, t / tensor([2, 2, 2], "int8"), hadamard.divide(t, 2)):
                self.assertEqual((y.dtype, y.tolist()), ("fp64", [0.5, 0, 0.5]), dtype)
        self.assertEqual((hadamard.Tensor([7]) / 2).tolist(), [3.5])
        self.assertEqual((7 / hadamard.Tensor([2])).tolist(), [3.5])
        for dtype in ("fp16", "bf16", "fp32", "fp64"):
            self.assertEqual(((tensor([7], dtype) / 2).dtype, (tensor([7], dtype) / 2).tolist()), (dtype, [3.5]))
        self.assertEqual((tensor([F(1, 3)], "real") / 2).tolist(), [F(1, 6)])
        self.assertEqual(hadamard.divide(7, 2), 3.5)
        self.assertIs(type(hadamard.divide(7, 2)), np.float64)
        self.assertEqual(hadamard.divide([7, 8], 2).tolist(), [3.5, 4])
        self.assertEqual(hadamard.divide(np.array([7]), 2.5).tolist(), [2.8])
        self.assertEqual(hadamard.divide(np.array([7]), np.array([2.5])).tolist(), [2.8])
        self.assertEqual(hadamard.divide(np.array([7, 1]), 2j).tolist(), [-3.5j, -0.5j])
        self.assertEqual(hadamard.divide(True, 2), 0.5)

    def test_integers_of_64_bits_are_rounded_once(self):
        a, b = np.array([2**53 + 3, 2**63 - 1, -(2**63), 0, 7, -7, 0]), np.array([2**53 + 1, 3, -1, -5, 0, 0, 0])
        expected = [x / y for x, y in zip(a.tolist(), b.tolist()) if y]  # Python's own are correctly rounded
        y = hadamard.divide(a, b)
        self.assertEqual([v.hex() for v in y[:4]], [v.hex() for v in expected])
        np.testing.assert_array_equal(y[4:], [np.inf, -np.inf, np.nan])
        u = np.array([2**64 - 1, 2**53 + 1], "u8")
        for left, right in ((u, b[:2]), (b[:2], u), (u, u), (u, np.array([3, 5], "i1"))):
            self.assertEqual(hadamard.divide(left, right).tolist(), [x / z for x, z in zip(left.tolist(), right.tolist())])
        self.assertEqual(hadamard.divide(np.array([1], "i8"), 2**70).tolist(), [1 / 2**70])
        random = np.random.default_rng(5)
        a, b = (random.integers(-(2**63), 2**63 - 1, (3, 400)) >> random.integers(0, 63, (3, 400)) for _ in range(2))
        b[b == 0] = 1
        self.assertEqual(hadamard.divide(a.T, b.T).T.tolist(), [[x / z for x, z in zip(r, s)] for r, s in zip(a.tolist(), b.tolist())])
        self.assertTrue(hadamard.divide(a.T, b.T).flags.f_contiguous)
        self.assertEqual(hadamard.divide(a[:, ::-3], b[0, 0]).tolist(), [[x / int(b[0, 0]) for x in r] for r in a[:, ::-3].tolist()])

    def test_what_does_not_fit_together(self):
        for a, b, message in ((np.ones(2, "i8"), np.ones(2, "f4"), "A is int64, which divide takes as fp64, and B is fp32"),
                              (np.ones(2, "f2"), np.ones(2, "u1"), "B is uint8, which divide takes as fp64, and A is fp16"),
                              (np.ones(2, "f4"), np.ones(2), "A is fp32 and B is fp64")):
            self.assertRaisesRegex(TypeError, message, hadamard.divide, a, b)
        self.assertRaisesRegex(ValueError, r"shapes A \(2\) and B \(3\), which do not broadcast", hadamard.divide, np.ones(2, "i8"), np.ones(3, "i8"))
        self.assertRaises(ZeroDivisionError, lambda: tensor([F(1, 3)], "real") / 0)
        out = np.empty(2)
        self.assertIs(hadamard.divide([7, 8], 2, out=out), out)
        self.assertEqual(out.tolist(), [3.5, 4])
        self.assertRaisesRegex(TypeError, "out is int64, but the result is fp64", hadamard.divide, [7, 8], 2, out=np.empty(2, int))

    def test_div_truncates_and_says_so(self):
        self.assertEqual(hadamard.div(7, 2), 3)
        self.assertEqual(hadamard.div(-7, 2), -3)
        self.assertIn("div(7, 2) is 3", hadamard.div.__doc__)
        self.assertIn("divide(7, 2) is 3.5", hadamard.div.__doc__)
        self.assertNotIn("divide(7, 2)", hadamard.mul.__doc__)

    def test_floor_and_mod_are_python_s(self):
        numbers = [7, -7, 3, -3, 1, 0, 6]
        for dtype in ("int4", "int8", "int64", "fp16", "bf16", "fp32", "fp64", "real"):
            for a in numbers:
                for b in (2, -2, 3, -5, 7):
                    for operate in (operator.floordiv, operator.mod):
                        with self.subTest(f"{operate.__name__} {a} {b} {dtype}"):
                            expected = operate(a, b)
                            for y in (operate(tensor([a], dtype), b), operate(a, tensor([b], dtype)), operate(tensor([a], dtype), tensor([b], dtype))):
                                self.assertEqual((y.dtype, y.tolist()), (dtype, [expected]))
        values = [1.0, -1.0, 7.5, -7.5, 0.0, -0.0, 1e300, 5e-324, float("inf"), float("nan"), 0.3, 1e16]
        for a in values:
            for b in (0.1, -3.0, 7.0, float("inf"), float("-inf"), 1e-5, float("nan")):
                y = (hadamard.Tensor([a]) // b).numpy()
                with np.errstate(all="ignore"):
                    np.testing.assert_array_equal(y, np.floor_divide(a, b), f"{a} // {b}")
                    if y[0] == 0:
                        self.assertEqual(np.signbit(y[0]), np.signbit(np.floor_divide(a, b)), f"{a} // {b}")
        self.assertEqual((hadamard.Tensor([1.0, -1.0]) // 0.0).tolist(), [float("inf"), float("-inf")])
        for dtype in ("int8", "real"):
            for operate in (operator.floordiv, operator.mod):
                self.assertRaises(ZeroDivisionError, operate, tensor([1], dtype), 0)
        for dtype in ("bool", "complex64"):
            self.assertRaises(TypeError, operator.floordiv, tensor([1], dtype), 1)

    def test_remainders_by_zero(self):
        for dtype in ("fp16", "bf16", "fp32", "fp64"):
            for zero in (0.0, -0.0):
                for function in (hadamard.mod, hadamard.rem):
                    self.assertTrue(np.isnan(function(tensor([5.5, -5.5, 0, float("inf")], dtype), zero).numpy()).all())
        for dtype in INTEGERS:
            for function in (hadamard.mod, hadamard.rem):
                self.assertRaisesRegex(ZeroDivisionError, r"B is 0 at index \(1\)", function, tensor([5, 5], dtype), tensor([1, 0], dtype))
        self.assertEqual(hadamard.mod(np.array([5.0, -3.0]), 0.0, dialect="matlab").tolist(), [5, -3])

    def test_whole_numbers_of_integers(self):
        for dtype in INTEGERS:
            t = tensor([0, 1, 7] if dtype.startswith("u") else [-8, -1, 7], dtype)
            for function in (hadamard.floor, hadamard.ceil, hadamard.round, hadamard.trunc):
                y = function(t)
                self.assertEqual((y.dtype, y.tolist()), (dtype, t.tolist()))
        self.assertEqual(hadamard.floor(2**63 - 1), 2**63 - 1)
        for name in ("floor", "ceil", "round"):
            for dialect in ("onnx", "sonnx"):
                self.assertRaisesRegex(TypeError, "does not take int64", getattr(hadamard, name), 5, dialect=dialect)

    def test_powers(self):
        t = hadamard.Tensor([2, 3])
        self.assertEqual(((t ** 2).tolist(), (2 ** t).tolist(), (t ** t).tolist()), ([4, 9], [4, 8], [4, 27]))
        self.assertEqual((tensor([4.0], "bf16") ** 0.5).tolist(), [2])
        self.assertEqual((tensor([4.0], "bf16") ** -1).tolist(), [0.25])
        for wrong in (lambda: t ** -1, lambda: 2 ** tensor([1, -1], "int4"), lambda: t ** [-1, 1], lambda: np.array([2]) ** tensor([-1], "int64")):
            self.assertRaisesRegex(ValueError, "an integer to a negative power is a fraction", wrong)
        self.assertEqual(abs(hadamard.Tensor([-1.5])).tolist(), [1.5])
        self.assertEqual((+t).tolist(), [2, 3])


class Indexing(unittest.TestCase):
    KEYS = [0, -1, np.int64(1), slice(None), slice(1, None), slice(None, None, -1), slice(5, 1, -2), slice(3, 3), Ellipsis, None, (0, 1),
            (slice(None), 0), (Ellipsis, 1), (None, 0, None), (0, 1, 2), (slice(1, 2), slice(None, None, 2), slice(None, None, -1)),
            (Ellipsis, slice(0, 0)), (), (0, Ellipsis, None, 1)]

    def test_as_numpy_does(self):
        values = np.arange(24).reshape(2, 3, 4) % 8
        for dtype in hadamard.types:
            if dtype == "bool":
                continue
            t = tensor(values, dtype)
            for key in self.KEYS:
                with self.subTest(f"{dtype} {key}"):
                    y = t[key]
                    self.assertIsInstance(y, hadamard.Tensor)
                    self.assertEqual((y.dtype, y.shape, y.tolist()), (dtype, values[key].shape, values[key].tolist()))
                    again = y[..., None][::1]
                    self.assertEqual(again.tolist(), values[key][..., None][::1].tolist())

    def test_it_is_a_view(self):
        for dtype in ("fp64", "int4", "bf16", "real"):
            t = tensor([[1, 2, 3], [4, 5, 6]], dtype)
            hadamard.neg(tensor([7, 7], dtype), out=t[:, 1])
            self.assertEqual(t.tolist(), [[1, -7, 3], [4, -7, 6]], dtype)
        t = tensor(list(range(7)), "int4")
        y = t[1:][::2]
        del t
        self.assertEqual((y + y).tolist(), [2, 6, -6])
        self.assertEqual(y.astype("int8").tolist(), [1, 3, 5])
        self.assertEqual(np.asarray(y).tolist(), [1, 3, 5])

    def test_what_is_no_index(self):
        t = tensor([[1, 2], [3, 4]], "bf16")
        for wrong in (True, [0, 1], np.array([0, 1]), 1.5, "a", np.array([True, False]), (0, [1]), t, object()):
            self.assertRaisesRegex(IndexError, "indexed by integers, slices, ... and None, not by", lambda: t[wrong])
        for wrong in (2, -3, (0, 0, 0), (Ellipsis, Ellipsis), 2**100):
            self.assertRaises(IndexError, lambda: t[wrong])
        self.assertRaises(TypeError, lambda: t["a":])
        self.assertRaises(TypeError, operator.setitem, t, 0, 1)
        self.assertRaises(IndexError, lambda: t._seen_as((3,), (1,), 2))
        self.assertRaises(IndexError, lambda: t._seen_as((2,), (-1,), 0))
        self.assertRaises(IndexError, lambda: hadamard.Tensor(np.ones((0, 3)))._seen_as((1,), (1,), 0))

    def test_assignment_says_what_to_do(self):
        for dtype in hadamard.types:
            t = tensor([[1, 0], [0, 1]], dtype)
            shared = "" if dtype in ("bf16", "int4", "uint4", "real") else ", or assign to numpy.., which shares its memory"
            with self.assertRaisesRegex(TypeError, "^elements of a Tensor are not assigned: write into a part of it with "
                                                   rf"hadamard.cast.value, '{dtype}', out=t\[index\].{shared}$"):
                t[0] = 5
            hadamard.cast(1, dtype, out=t[0, 1])
            if shared:
                t.numpy()[1, 0] = 1
            self.assertEqual(t.tolist(), [[1, 1], [1 if shared else 0, 1]])

    def test_transposed_copied_and_counted(self):
        values = np.arange(6).reshape(2, 3)
        for dtype in hadamard.types:
            if dtype == "bool":
                continue
            for index in (..., (slice(None), slice(None, None, -1)), (0,), (0, 0), (slice(0, 0),), (None,)):
                t = tensor(values, dtype)[index]
                self.assertEqual((t.T.shape, t.T.tolist()), (values[index].T.shape, values[index].T.tolist()), dtype)
                self.assertEqual((t + t).T.tolist(), (t.T + t.T).tolist())
                twin = t.copy()
                self.assertEqual((twin.dtype, twin.shape, twin.tolist()), (dtype, t.shape, t.tolist()))
        t = hadamard.Tensor(values)
        self.assertTrue(np.shares_memory(t.T.numpy(), t.numpy()))
        self.assertFalse(np.shares_memory(t.copy().numpy(), t.numpy()))
        for dtype, count in (("fp64", 24), ("bf16", 6), ("int4", 2), ("uint4", 2), ("bool", 3), ("complex128", 48)):
            self.assertEqual(tensor([1, 0, 1], dtype).nbytes, count)
        self.assertEqual(tensor([[1, 2, 3]], "fp32")[:, ::2].nbytes, 8)
        self.assertRaisesRegex(AttributeError, "^a Tensor of real has no nbytes: its fractions differ in size$", lambda: tensor([1], "real").nbytes)

    def test_len_and_iteration(self):
        t = tensor([[1, 2], [3, 4]], "int4")
        self.assertEqual(len(t), 2)
        self.assertEqual([row.tolist() for row in t], [[1, 2], [3, 4]])
        self.assertEqual(len(hadamard.Tensor(np.ones((0, 3)))), 0)
        self.assertEqual(list(hadamard.Tensor(np.ones((0, 3)))), [])
        self.assertRaisesRegex(TypeError, "rank 0", len, t[0, 0])
        self.assertRaisesRegex(TypeError, "rank 0", iter, t[0, 0])

    def test_reshape(self):
        values = np.arange(6).reshape(2, 3)
        for dtype in ("fp32", "int4", "real"):
            t = tensor(values, dtype)
            for shape in ((3, 2), (6,), (1, 6, 1), (-1,), (2, -1), (3, -1, 1)):
                self.assertEqual(t.reshape(*shape).tolist(), values.reshape(shape).tolist())
                self.assertEqual(t.reshape(shape).shape, values.reshape(shape).shape)
                self.assertEqual(t[:, ::-1].reshape(shape).tolist(), values[:, ::-1].reshape(shape).tolist())
            self.assertEqual(t[0, 0].reshape().shape, ())
            self.assertEqual(tensor(np.ones((0, 3)), dtype).reshape(3, 0, 7).shape, (3, 0, 7))
        t = hadamard.Tensor(values)
        self.assertTrue(np.shares_memory(t.reshape(3, 2).numpy(), t.numpy()))
        self.assertFalse(np.shares_memory(t[:, ::-1].reshape(6).numpy(), t.numpy()))
        for wrong in ((4,), (-1, 4), (-1, -1), (-2, -3), (2**63, 2**63), (0, -1)):
            self.assertRaisesRegex(ValueError, "has 6 elements", t.reshape, wrong)
        self.assertRaisesRegex(TypeError, "a shape is whole numbers", t.reshape, 1.5)


class Comparison(unittest.TestCase):
    def test_as_numpy_does(self):
        for operate in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
            for dtype in hadamard.types:
                if dtype.startswith("complex") and operate not in (operator.eq, operator.ne):
                    self.assertRaisesRegex(TypeError, "no order", operate, tensor([1], dtype), 1)
                    continue
                t, other = tensor([[0, 1, 1]], dtype), tensor([[1], [0]], dtype)
                expected = operate(np.array([[0, 1, 1]]), np.array([[1], [0]]))
                y = operate(t, other)
                self.assertIs(type(y), np.ndarray)
                self.assertEqual((y.dtype, y.tolist()), (bool, expected.tolist()), f"{operate} {dtype}")
                self.assertEqual(operate(t, 1).tolist(), operate(np.array([[0, 1, 1]]), 1).tolist())
                self.assertEqual(operate(1, t).tolist(), operate(1, np.array([[0, 1, 1]])).tolist())
            nan = hadamard.Tensor([float("nan"), 1.0])
            self.assertEqual(operate(nan, nan).tolist(), operate(nan.numpy(), nan.numpy()).tolist())

    def test_numbers_that_the_type_lacks(self):
        t = tensor([1, 100], "int8")
        self.assertEqual(((t == 300).tolist(), (t < 300).tolist(), (t == 1.0).tolist(), (t > 1.5).tolist()),
                         ([False, False], [True, True], [True, False], [False, True]))
        self.assertEqual((tensor([2**53 + 1], "int64") == float(2**53)).tolist(), [False])
        self.assertEqual((tensor([0.1], "fp32") == 0.1).tolist(), [True])  # the number takes the type
        self.assertEqual((tensor([1, 2], "bf16") == 1.00001).tolist(), [True, False])  # as t - 1.00001 is 0 there
        for dtype, beyond in (("fp16", 1e5), ("bf16", 1e300), ("fp32", 1e300)):  # which the type has nothing near
            t = tensor([1, float("inf")], dtype)
            self.assertEqual(((t == beyond).tolist(), (t > beyond).tolist(), (-beyond < -t).tolist()), ([False, False], [False, True], [True, False]))
            self.assertEqual((t < 10**400).tolist(), [True, False])
        for dtype in hadamard.types:
            if not dtype.startswith("complex"):
                self.assertEqual((tensor([1], dtype) < 10**400).tolist(), [True], dtype)
                self.assertEqual((tensor([1], dtype) < 1e300).tolist(), [True], dtype)
        t = tensor([1, 100], "int8")
        self.assertEqual((tensor([F(1, 2), 3], "real") < F(2, 3)).tolist(), [True, False])
        self.assertRaisesRegex(TypeError, "A is int8 and B is int64", lambda: t == np.array([1, 2]))
        self.assertIs(t == None, False)  # noqa: E711
        self.assertIs(t != "text", True)
        self.assertRaises(ValueError, lambda: t == tensor([1, 2, 3], "int8"))
        self.assertEqual(len({t: 1, tensor([1], "int8"): 2}), 2)


class Conversion(unittest.TestCase):
    def test_one_element(self):
        for dtype in hadamard.types:
            for t in (tensor(1, dtype), tensor([[1]], dtype)):
                self.assertEqual((complex(t), bool(t), t.item()), (1, True, 1))
                if not dtype.startswith("complex"):
                    self.assertEqual((float(t), int(t)), (1, 1))
                    self.assertIs(type(float(t)), float)
        self.assertEqual((float(tensor(1.5, "bf16")), int(tensor(-1.5, "fp16")), bool(hadamard.Tensor(0.0))), (1.5, -1, False))
        self.assertEqual(float(tensor(F(1, 3), "real")), 1 / 3)
        self.assertEqual([1, 2, 3][tensor(1, "int4")], 2)
        for wrong in (tensor([1], "int8"), tensor(1.0, "fp64")):
            self.assertRaisesRegex(TypeError, "only a Tensor of rank 0 and of integers is an index", operator.index, wrong)
        self.assertRaises(TypeError, float, hadamard.Tensor(1j))

    def test_one_element_of_several(self):
        for dtype in ("fp64", "bf16", "int4", "real"):
            t = tensor([[1, 2, 3], [4, 5, 6]], dtype)
            self.assertEqual((t.item(0), t.item(4), t.item(-1), t.item(1, 0), t.item((0, -1)), t[:, ::-1].item(1)), (1, 5, 6, 4, 3, 2))
            self.assertEqual(tensor(7, dtype).item(0), 7)
        self.assertIs(type(t.item(0)), F)
        for wrong in ((6,), (-7,), (2, 0), ((0, 3),), (2**100,)):
            self.assertRaisesRegex(IndexError, r"shape \(2, 3\)", t.item, *wrong)
        for wrong in ((0, 0, 0), (1.5,), ("a",), (slice(1),), (0, slice(1)), (None, 0, 0), (..., 0, 0)):
            self.assertRaisesRegex(TypeError, r"item takes an index of one element, a whole number or 2 of them, but got", t.item, *wrong)

    def test_formats(self):
        self.assertEqual(f"{tensor(1.5, 'bf16'):.3f} {tensor([7], 'int4'):03d} {tensor([1, 2], 'fp32')[1]:>5}", "1.500 007   2.0")
        t = tensor([1.5, 2], "fp32")
        self.assertEqual(f"{t} {t[0]}", f"{t!r} {t[0]!r}")
        self.assertRaisesRegex(TypeError, r"only a Tensor of one element takes the format '.2f'; this one has shape \(2,\)", format, t, ".2f")
        self.assertRaisesRegex(ValueError, "format code 'd'", format, t[0], "d")

    def test_several_elements(self):
        for shape in ((2,), (0,), (1, 2)):
            t = hadamard.Tensor(np.ones(shape))
            for convert in (float, int, complex, hadamard.Tensor.item):
                self.assertRaisesRegex(ValueError, "only a Tensor of one element is a number; this one has shape", convert, t)
            self.assertRaisesRegex(ValueError, "only a Tensor of one element is true or false", bool, t)


class WithNumpy(unittest.TestCase):
    def test_functions_that_there_are(self):
        t = tensor([1, 2, 4], "bf16")
        for ufunc, expected in ((np.sqrt, hadamard.sqrt(t)), (np.exp, hadamard.exp(t)), (np.negative, -t), (np.rint, t), (np.absolute, t)):
            y = ufunc(t)
            self.assertIsInstance(y, hadamard.Tensor)
            self.assertEqual((y.dtype, y.tolist()), ("bf16", expected.tolist()))
        for ufunc, expected in ((np.add, [2, 4, 8]), (np.subtract, [0, 0, 0]), (np.multiply, [1, 4, 16]), (np.divide, [1, 1, 1]),
                                (np.maximum, [1, 2, 4]), (np.power, [1, 4, 256]), (np.floor_divide, [1, 1, 1]), (np.remainder, [0, 0, 0])):
            self.assertEqual(ufunc(t, t).tolist(), expected, ufunc)
        self.assertEqual(np.less(t, 3).tolist(), [True, True, False])
        self.assertEqual(np.divide(hadamard.Tensor([7]), 2).tolist(), [3.5])
        for theirs in ("floor", "ceil", "trunc", "log2", "log10", "log1p", "expm1", "exp2", "sin", "cos", "tanh", "sign", "reciprocal"):
            self.assertEqual(getattr(np, theirs)(hadamard.Tensor([0.5])).tolist(), getattr(hadamard, theirs)(hadamard.Tensor([0.5])).tolist())

    def test_what_numbers_are_like(self):
        for dtype in hadamard.types:
            values = [0, 1]
            if dtype.startswith(("fp", "bf", "complex")):
                values += [float("nan"), float("inf"), float("-inf")]
            t = tensor(values, dtype)
            for ufunc in (np.isnan, np.isinf, np.isfinite):
                y = ufunc(t)
                self.assertEqual((type(y), y.dtype, y.tolist()), (np.ndarray, bool, ufunc(np.array(values, complex)).tolist()), dtype)
        self.assertRaisesRegex(TypeError, "numpy.isnan with out", np.isnan, t, out=np.zeros(2, bool))
        t = tensor([2, 3], "bf16")
        y = np.square(t)
        self.assertEqual((y.dtype, y.tolist()), ("bf16", [4, 9]))
        self.assertIs(np.square(t, out=t), t)
        self.assertEqual(t.tolist(), [4, 9])

    def test_arrays_beside_tensors(self):
        a, t = np.array([7, 8]), hadamard.Tensor([2, 2])
        for y, expected in ((a + t, [9, 10]), (a / t, [3.5, 4]), (a // t, [3, 4]), (a % t, [1, 0]), (a ** t, [49, 64])):
            self.assertIsInstance(y, hadamard.Tensor)
            self.assertEqual(y.tolist(), expected)
        self.assertEqual((a > t).tolist(), [True, True])
        a += t
        self.assertIs(type(a), np.ndarray)
        self.assertEqual(a.tolist(), [9, 10])
        out = hadamard.Tensor([0, 0])
        self.assertIs(np.add(a, t, out=out), out)
        self.assertEqual(out.tolist(), [11, 12])

    def test_masked_arrays_beside_tensors(self):
        t = hadamard.Tensor([1.0, 2.0])
        for masked in (np.ma.masked_array([1.0, 2.0], [0, 1]), np.ma.masked_array([1.0, 2.0])):
            for operate in (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
                            operator.eq, operator.ne, operator.lt, operator.iadd, operator.itruediv, np.ma.add, np.add):
                for a, b, name in ((masked, t, "A"), (t, masked, "B")):
                    if (operate, name) == (np.ma.add, "B"):  # NumPy asks for the Tensor first
                        name = "A"
                    with self.subTest(operate=operate, name=name), self.assertRaisesRegex(
                            TypeError, f"^{name} is a masked array, whose mask would be lost; pass .filled.value. or .data$"):
                        operate(a, b)
            self.assertEqual(masked.data.tolist(), [1, 2])
        self.assertEqual(np.ma.masked_array(t, [0, 1]).tolist(), [1, None])
        self.assertRaisesRegex(AttributeError, "^'hadamard.Tensor' object has no attribute 'foo'$", lambda: t.foo)
        self.assertFalse(hasattr(t, "__cuda_array_interface__"))

    def test_functions_that_there_are_not_give_a_hint(self):
        for dtype, hint in (("fp32", "shares its memory"), ("bf16", "has its elements as float32"), ("int4", "has its elements as int8"),
                            ("real", "has its elements as fractions.Fraction")):
            t = tensor([1, 2], dtype)
            for call, name in ((lambda: np.sum(t), "numpy.add.reduce"), (lambda: np.arctan(t), "numpy.arctan"),
                               (lambda: np.ones(2) @ t, "numpy.matmul"), (lambda: np.add.outer(t, t), "numpy.add.outer"),
                               (lambda: np.add(t, t, where=np.array([True, False])), "numpy.add with where"),
                               (lambda: np.modf(t), "numpy.modf")):
                with self.assertRaisesRegex(TypeError, f"hadamard has no counterpart of {name}: pass numpy.asarray.tensor., which {hint}"):
                    call()
            self.assertEqual(np.sum(np.asarray(t)), 3)


if __name__ == "__main__":
    unittest.main()
