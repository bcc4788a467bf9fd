"""The package is there, and its functions are what Python expects of functions."""
import inspect
import pickle
import unittest

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
                self.assertEqual(parameters["out"].kind, inspect.Parameter.POSITIONAL_OR_KEYWORD)

    def test_signatures(self):
        self.assertEqual(str(inspect.signature(hadamard.div)),
                         "(a, b, /, out=None, *, dialect='onnx', axis=-1, act=None, int_division=None, "
                         "broadcast=None, integers=None)")
        self.assertEqual(str(inspect.signature(hadamard.exp)),
                         "(a, /, out=None, *, dialect='onnx', act=None, int_division=None, integers=None)")
        self.assertEqual(inspect.signature(hadamard.hypot).parameters["dialect"].default, "native")
        self.assertEqual(str(inspect.signature(hadamard.cast)), "(a, dtype, /, out=None)")
        self.assertEqual(str(inspect.signature(hadamard.where)),
                         "(condition, a, b, /, out=None, *, dialect='onnx', broadcast=None)")

    def test_defaults_are_what_the_signature_says(self):
        a = np.array([1.0, 2.0])
        for function in hadamard.functions:
            parameters = inspect.signature(function).parameters
            if function.__name__ in ("cast", "where", "clip"):
                continue
            operands = [a] * sum(p.kind is p.POSITIONAL_ONLY for p in parameters.values())
            said = {name: p.default for name, p in parameters.items() if p.default is not p.empty}
            with self.subTest(function.__name__):
                np.testing.assert_array_equal(function(*operands, **said), function(*operands))

    def test_pickled_by_name(self):
        for function in hadamard.functions:
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
                data = pickle.dumps(function, protocol)
                self.assertLess(len(data), 60)
                self.assertIs(pickle.loads(data), function)

    def test_wrong_calls(self):
        a = np.array([1.0])
        for arguments, keywords, text in [
                ((), {}, "div() takes 2 or 3 positional arguments, but 0 came"),
                ((a,), {}, "div() takes 2 or 3 positional arguments, but 1 came"),
                ((a, a, a, a), {}, "div() takes 2 or 3 positional arguments, but 4 came"),
                ((a, a), {"axs": 1}, "div() got an unexpected keyword argument 'axs'"),
                ((a, a, a), {"out": a}, "div() got multiple values for argument 'out'"),
                ((a,), {"b": a}, "div() takes 2 or 3"),
        ]:
            with self.subTest(text), self.assertRaises(TypeError) as caught:
                hadamard.div(*arguments, **keywords)
            self.assertIn(text, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
