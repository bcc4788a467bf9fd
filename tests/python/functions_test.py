"""The package is there, and its functions are what Python expects of functions."""
import inspect
import pickle
import unittest
from fractions import Fraction

import numpy as np

import hadamard


class Package(unittest.TestCase):
    def test_divides(self):
        y = hadamard.div(np.array([6.1, 9.5, 35.7]), np.array([3, 3.3, 5.1]))
        self.assertEqual(type(y), np.ndarray)
        np.testing.assert_array_equal(y, np.array([6.1, 9.5, 35.7]) / np.array([3, 3.3, 5.1]))

    def test_version(self):
        self.assertRegex(hadamard.__version__, r"^\d+\.\d+\.\d+$")


class Functions(unittest.TestCase):
    def test_each_is_an_attribute_with_a_name_a_text_and_a_signature(self):
        self.assertGreater(len(hadamard.functions), 30)
        for function in hadamard.functions:
            with self.subTest(function.__name__):
                self.assertIs(getattr(hadamard, function.__name__), function)
                self.assertEqual(function.__module__, "hadamard")
                self.assertEqual(function.__qualname__, function.__name__)
                for word in ("Arguments:", "Returns:", "Raises"):
                    self.assertIn(word, function.__doc__)
                parameters = inspect.signature(function).parameters
                self.assertIn("out", parameters)
                self.assertIsNone(parameters["out"].default)
                self.assertEqual({p.kind for p in parameters.values()}, {inspect.Parameter.POSITIONAL_OR_KEYWORD})

    def test_signatures(self):
        self.assertEqual(str(inspect.signature(hadamard.div)),
                         "(a, b, out=None, dialect='native', axis=-1, act=None, int_division=None, "
                         "broadcast=None, integers=None)")
        self.assertEqual(str(inspect.signature(hadamard.exp)),
                         "(a, out=None, dialect='native', act=None, int_division=None, integers=None)")
        self.assertEqual(inspect.signature(hadamard.hypot).parameters["dialect"].default, "native")
        self.assertEqual(str(inspect.signature(hadamard.cast)), "(a, dtype, out=None)")
        self.assertEqual(str(inspect.signature(hadamard.where)),
                         "(condition, a, b, out=None, dialect='native', broadcast=None)")

    def test_defaults_are_what_the_signature_says(self):
        a = np.array([1.0, 2.0])
        for function in hadamard.functions:
            parameters = inspect.signature(function).parameters
            if function.__name__ in ("cast", "where", "clip"):
                continue
            operand = a > 1 if function.__name__.startswith("logical_") else a * 1j if function.__name__ == "conj" else a
            operands = {name: operand for name, p in parameters.items() if p.default is p.empty}
            said = {name: p.default for name, p in parameters.items() if p.default is not p.empty}
            with self.subTest(function.__name__):
                wanted = function(*operands.values())
                np.testing.assert_array_equal(function(*operands.values(), **said), wanted)
                np.testing.assert_array_equal(function(*operands.values(), *said.values()), wanted)
                np.testing.assert_array_equal(function(**said, **operands), wanted)

    def test_words_of_cast_and_clip(self):
        a = np.ones(2, np.float32)
        for call, text in [
                (lambda: hadamard.cast(a, "int8", out=np.empty(2, np.int16)), "out is int16, but the result is int8"),
                (lambda: hadamard.clip(a, np.float64(0), 1),
                 "the operands of clip are fp32, fp64 and fp32: they must have one type; cast one of them"),
                (lambda: hadamard.clip(a, None, 1), "low is of type NoneType"),
                (lambda: hadamard.eval(3), "expression is of type int, but must be a str"),
        ]:
            with self.subTest(text), self.assertRaises(TypeError) as caught:
                call()
            self.assertIn(text, str(caught.exception))
        self.assertEqual(hadamard.cast(a, "bfloat16").dtype, "bf16")

    def test_arguments_by_name_and_by_place(self):
        a, b, y = np.array([-7, 7]), np.array([2, -2]), np.empty(2, int)
        self.assertEqual(hadamard.sub(b=b, a=a).tolist(), [-9, 9])
        self.assertEqual(hadamard.sub(a, b=b).tolist(), [-9, 9])
        self.assertIs(hadamard.div(a, b, y, "onnx", -1, None, "floor"), y)
        self.assertEqual(y.tolist(), [-4, -4])
        x = np.array([[2.0, 4.0], [-6.0, 8.0]])
        self.assertEqual(hadamard.div(x, x[0], None, "paddle", 0, "relu").tolist(), [[1, 2], [0, 2]])
        self.assertEqual(hadamard.cast(a=[1.5], dtype="int8").dtype, np.int8)
        self.assertEqual(hadamard.clip(x, low=0.0, high=3.0).tolist(), [[2, 3], [0, 3]])
        self.assertEqual(hadamard.where(condition=[True, False], b=b, a=a).tolist(), [-7, -2])
        name = "".join(["a", "ct"])  # not the interned text
        self.assertEqual(hadamard.sub(x, x[0], **{name: "relu"}).tolist(), [[0, 0], [0, 4]])

    def test_pickled_by_name(self):
        for function in hadamard.functions:
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
                data = pickle.dumps(function, protocol)
                self.assertLess(len(data), 60)
                self.assertIs(pickle.loads(data), function)

    def test_functions_beside_the_operators_are_no_less(self):
        for name in ("elementwise_add_grad", "elementwise_sub_grad", "elementwise_mul_grad", "elementwise_div_grad",
                     "elementwise_div_double_grad", "from_dlpack", "set_threads", "threads", "release_memory",
                     "set_kept_memory_limit", "eval"):
            function = getattr(hadamard, name)
            self.assertIs(pickle.loads(pickle.dumps(function)), function)
            self.assertTrue(function.__doc__, name)
            inspect.signature(function)
        for call, expected, text in [
                (lambda: hadamard.elementwise_div_grad([1.0], [1.0], [1.0]), TypeError, "'dout'"),
                (lambda: hadamard.elementwise_div_grad([1.0], [1.0], [1.0], [1.0], axis=1.0), TypeError, "axis is 1.0"),
                (lambda: hadamard.elementwise_div_grad([1.0], [1.0], None, [1.0]), TypeError, "Out is of type NoneType"),
                (lambda: hadamard.div([1.0], [1.0], dialect="paddle", axis=1.0), TypeError, "axis is 1.0"),
                (lambda: hadamard.elementwise_div_grad([1.0], [1.0], [1.0], [1.0], axis=2**40), ValueError, "axis is 10995"),
                (lambda: hadamard.set_threads("a"), TypeError, "count is 'a'"),
                (lambda: hadamard.set_threads(-1), ValueError, "count is -1"),
                (lambda: hadamard.set_kept_memory_limit(-1), ValueError, "count is -1")]:
            with self.assertRaisesRegex(expected, text):
                call()
        for gradient, wanted in ((hadamard.elementwise_add_grad, ([3.0], [3.0])),
                                 (hadamard.elementwise_sub_grad, ([3.0], [-3.0])),
                                 (hadamard.elementwise_mul_grad, ([6.0], [15.0]))):
            given = gradient(np.array([5.0]), np.array([2.0]), None, np.array([3.0]), axis=None)
            self.assertEqual(tuple(part.tolist() for part in given), wanted)

    def test_python_s_integers_beyond_64_bits(self):
        self.assertEqual(hadamard.cast(2**63, "uint64"), np.uint64(2**63))
        self.assertEqual(hadamard.cast([2**63, 1], "uint64").tolist(), [2**63, 1])
        self.assertEqual(hadamard.cast(2**70, "fp32"), np.float32(2**70))
        self.assertEqual(hadamard.cast([300], "int8").tolist(), [44])
        with self.assertRaisesRegex(ValueError, "A is 18446744073709551616, which does not fit into uint64"):
            hadamard.cast(2**64, "uint64")
        with self.assertRaisesRegex(ValueError, r"B\[3\] is 1000, which does not fit into int8"):
            hadamard.add(np.ones(5, np.int8), [1, 2, 3, 1000, 5])
        with self.assertRaisesRegex(ValueError, r"B\[1, 0\] is -18446744073709551616, which does not fit into int64"):
            hadamard.add(np.ones((2, 2), np.int64), [[1, 2], [-2**64, 5]])

    def test_integers_beside_floats_in_a_list_are_what_they_are(self):
        large = 2**60 + 2**36 + 1  # rounded to double and then to float it is another
        zeros = np.zeros(2, np.float32)
        self.assertEqual(hadamard.add(zeros, [large, 0.5]).tolist(), [hadamard.add(zeros, large)[0], 0.5])
        self.assertEqual(hadamard.Tensor([large, 0.5], dtype="fp32").tolist()[0], hadamard.cast(large, "fp32"))
        exact = hadamard.Tensor(["0"], dtype="real")
        for whole in (2**53 + 1, -2**70 - 1):
            self.assertEqual(hadamard.add(exact, [whole, 0.5]).tolist(), [whole, Fraction(1, 2)])
        self.assertEqual(hadamard.add(np.zeros(2), [2**70, 0.0]).tolist(), [2.0**70, 0])
        for type_, whole in (("f2", 70000), ("f4", 10**39), ("f8", 10**400)):
            with self.assertRaisesRegex(ValueError, r"B\[0\] is .*, which does not fit into fp"):
                hadamard.add(np.zeros(2, type_), [whole, 0.5])
        with self.assertRaisesRegex(TypeError, r"B\[1\] is the float 0.5, beside elements of int32"):
            hadamard.add(np.zeros(2, np.int32), [10**6, 0.5])

    def test_conversions_of_such_lists(self):
        self.assertEqual(hadamard.cast([2**60 + 1, 0.5], "real").tolist(), [2**60 + 1, 0.5])
        self.assertEqual(hadamard.cast([2**60 + 2**36 + 1, 0.5], "fp32").tolist(), [2**60 + 2**37, 0.5])
        self.assertEqual(hadamard.Tensor([2**60 + 1, -7.5], dtype="int64").tolist(), [2**60 + 1, -7])
        self.assertEqual(hadamard.Tensor([1, 0.5], dtype="bool").tolist(), [True, True])
        for large, type_ in ((300, "int8"), (2**70, "int8"), (-1, "uint4"), (10**400, "int64"), (9, "bool")):
            with self.assertRaisesRegex(ValueError, fr"the array\[0\] is .*, which does not fit into {type_}"):
                hadamard.Tensor([large, 0.5], dtype=type_)
        with self.assertRaisesRegex(ValueError, r"A\[0\] is nan, of which there is no real"):
            hadamard.add([float("nan"), 2**20], Fraction(1))
        with self.assertRaisesRegex(ValueError, r"A: the element at index \(1\) is inf, which real cannot hold"):
            hadamard.add([2, float("inf")], Fraction(1))

    def test_subclasses_are_the_numbers_that_they_are(self):
        class Whole(int):
            __int__ = __index__ = __trunc__ = lambda self: 99
            __float__ = lambda self: 98.0  # noqa: E731

        class Half(float):
            __float__ = lambda self: 98.0  # noqa: E731

        class Scalar(np.int64):
            __int__ = __index__ = lambda self: 99  # noqa: E731

        zeros, exact = np.zeros(2), hadamard.Tensor(["0"], dtype="real")
        for operand in (Whole(1), [Whole(1), 1], [Whole(1), 1.0], [Half(1), 2**20 - 2**20 + 1], [Half(1), Half(1)]):
            self.assertEqual(hadamard.add(zeros, operand).tolist(), [1, 1], operand)
            self.assertEqual(set(hadamard.add(exact, operand).tolist()), {1}, operand)
        self.assertEqual(hadamard.add([Scalar(1), Fraction(1, 3)], 0).tolist(), [1, Fraction(1, 3)])
        self.assertEqual(hadamard.Tensor([Scalar(1)], dtype="real").tolist(), [1])

    def test_lists_that_have_other_elements_for_numpy(self):
        class Other(list):
            def __iter__(self):
                return iter([object(), 2])
        for beside in (hadamard.Tensor(["0"], dtype="real"), np.zeros(2), np.zeros(2, np.int64)):
            with self.assertRaisesRegex(TypeError, r"A(\[0\])? is "):
                hadamard.add(Other([2**70, 0.5]), beside)

    def test_lists_are_exact_only_where_somebody_asked(self):
        self.assertEqual(hadamard.add([Fraction(1, 2), 2**64], 1).dtype, "real")
        with self.assertRaisesRegex(ValueError, "A has an integer beyond 64 bits beside numbers of NumPy's"):
            hadamard.add([np.int64(1), 2**64], 1)

    def test_wrong_calls(self):
        a = np.array([1.0])
        for arguments, keywords, text in [
                ((), {}, "div() misses its argument 'a'; it is div(a, b, out=None"),
                ((a,), {}, "div() misses its argument 'b'"),
                ((), {"b": a}, "div() misses its argument 'a'"),
                ((a, a, None, "onnx", -1, None, None, None, None, 1), {}, "div() takes at most 9 arguments, but 10 came"),
                ((a, a), {"axs": 1}, "div() got an unexpected keyword argument 'axs'"),
                ((a, a), {"\udc80": 1}, "div() got an unexpected keyword argument '\\udc80'"),
                ((a, a, a), {"out": a}, "div() got multiple values for argument 'out'"),
                ((a, a), {"b": a}, "div() got multiple values for argument 'b'"),
        ]:
            with self.subTest(text), self.assertRaises(TypeError) as caught:
                hadamard.div(*arguments, **keywords)
            self.assertIn(text, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
