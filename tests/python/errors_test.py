"""What is raised: Python's own exceptions, with the engine's code, requirement and words."""
import pickle
import unittest

import numpy as np

import hadamard


class Errors(unittest.TestCase):
    def raised(self, expected, code, call, *texts):
        with self.assertRaises(expected) as caught:
            call()
        error = caught.exception
        self.assertIsInstance(error, hadamard.Error)
        self.assertEqual(error.code, code)
        self.assertEqual(str(error).count("\n"), 0)
        for text in texts:
            self.assertIn(text, str(error))
        return error

    def test_shapes(self):
        call = (lambda: hadamard.div(np.ones((2, 3)), np.ones((2, 4))))
        self.raised(ValueError, "shape_mismatch", call, "(2,3)", "(2,4)")
        self.raised(ValueError, "shape_mismatch", lambda: hadamard.div(np.ones(3), 1.0, out=np.ones(4)),
                    "the result has shape (3), but the output given for it has (4)")
        self.raised(ValueError, "shape_mismatch", lambda: hadamard.exp(np.ones(3), out=np.ones(4)),
                    "the result has shape (3), but the output given for it has (4)")
        self.raised(ValueError, "shape_mismatch", lambda: hadamard.where([True, False], np.ones(3), np.ones(3)),
                    "where")

    def test_types(self):
        self.raised(TypeError, "type_mismatch", lambda: hadamard.div(np.ones(2, "f4"), np.ones(2, "f8")),
                    "A is fp32 and B is fp64: the operands of div must have the same type")
        self.raised(TypeError, "type_mismatch", lambda: hadamard.div(np.ones(2), 1.0, out=np.ones(2, "f4")),
                    "the result is fp64, but the output given for it is fp32")
        self.raised(TypeError, "unsupported_type", lambda: hadamard.exp(np.ones(2, "i4")),
                    "exp is not defined for int32")
        self.raised(TypeError, "unsupported_type", lambda: hadamard.cast(np.ones(2, "c8"), "f4"))

    def test_lists_that_are_no_arrays(self):
        self.raised(ValueError, "bad_argument", lambda: hadamard.div(np.ones(2), [[1, 2], [3]]),
                    "B is a list that NumPy makes no array of: ")
        with np.testing.suppress_warnings() as quiet:
            quiet.filter(FutureWarning)
            for wrong in ([hadamard.Tensor(1.0)], [[1.0, 2.0], (hadamard.Tensor([1, 2], dtype="bf16"),)]):
                self.raised(TypeError, "unsupported_type", lambda: hadamard.div(wrong, 3),
                            "A is a list that has a hadamard.Tensor in it")

    def test_zero_divisors(self):
        a, b = np.array([[1, 2], [3, 4]]), np.array([[1, 1], [0, 0]])
        for call in (lambda: hadamard.div(a, b), lambda: hadamard.div(a, b, dialect="onnx")):
            self.raised(ZeroDivisionError, "zero_divisor", call, "the divisor B is 0 at index (1,0)")
        self.raised(ZeroDivisionError, "zero_divisor", lambda: hadamard.div(a, 0), "index (0,0)")
        out = np.full((2, 2), 9)
        self.raised(ZeroDivisionError, "zero_divisor", lambda: hadamard.div(a, b, out=out))
        self.assertEqual(out.tolist(), [[9, 9], [9, 9]])
        big = np.ones(1_000_000, "i4")
        big[123_456] = 0
        self.raised(ZeroDivisionError, "zero_divisor", lambda: hadamard.div(big, big), "(123456)")
        self.raised(ZeroDivisionError, "zero_divisor", lambda: hadamard.div(np.ones(1, bool), False), "bool")
        self.assertEqual(hadamard.div(1.0, 0.0), np.inf)

    def test_requirements(self):
        error = self.raised(ZeroDivisionError, "zero_divisor",
                            lambda: hadamard.div(np.ones(2, "i4"), np.zeros(2, "i4"), dialect="sonnx"))
        self.assertRegex(error.requirement, r"^SONNX-DIV-INT-\w+$")
        self.assertIn(error.requirement, str(error))
        error = self.raised(ValueError, "shape_mismatch",
                            lambda: hadamard.div(np.ones(2), np.ones((2, 2)), dialect="sonnx"))
        self.assertRegex(error.requirement, r"^SONNX-DIV-")
        error = self.raised(ValueError, "shape_mismatch", lambda: hadamard.div(np.ones(2), np.ones(3)))
        self.assertEqual(error.requirement, "")

    def test_arguments(self):
        a = np.ones(2)
        for keywords, text in [
                ({"dialect": "numpy"}, "dialect is 'numpy', but must be one of: 'native', 'sonnx', 'onnx'"),
                ({"dialect": 7}, "dialect is 7"), ({"broadcast": "x"}, "broadcast is 'x', but must be one of: 'none'"),
                ({"int_division": "floor", "dialect": "matlab"}, "int_division has no meaning with dialect='matlab'"),
                ({"int_division": "up"}, "int_division is 'up', but must be one of: 'floor', 'trunc'"),
                ({"integers": ""}, "integers is ''"), ({"act": "nothing"}, "act is 'nothing'"), ({"act": 3}, "act is 3"),
                ({"act": "add"}, "act is 'add'"), ({"axis": 2 ** 70}, "axis is 1180591620717411303424")]:
            self.raised(ValueError, "bad_argument", lambda k=keywords: hadamard.div(a, a, **k), text)
        with self.assertRaises(TypeError):
            hadamard.div(a, a, axis=1.5)
        with self.assertRaises(TypeError):
            hadamard.div(a, a, axis="1")

    def test_outputs(self):
        a = np.ones(2)
        frozen = np.ones(2)
        frozen.flags.writeable = False
        self.raised(ValueError, "bad_argument", lambda: hadamard.add(a, a, out=frozen), "out is read-only")
        self.raised(TypeError, "unsupported_type", lambda: hadamard.add(a, a, out=np.ones(2, ">f8")), "byte order")
        self.raised(TypeError, "unsupported_type", lambda: hadamard.add(a, a, out=np.ones(2, "g")),
                    "out has NumPy's dtype")
        for wrong in ([1, 2], 3.0, (a,), "x", memoryview(a)):
            with self.assertRaisesRegex(TypeError, "out is of type"):
                hadamard.add(a, a, out=wrong)

    def test_too_large(self):
        huge = np.broadcast_to(np.float32(1), (2 ** 40,))
        with self.assertRaises(MemoryError):
            hadamard.add(huge, huge)

    def test_dialects_refuse_what_they_lack_when_asked_by_name(self):
        z = np.ones(2, "c16")
        self.assertEqual(hadamard.mul(z, z).tolist(), [1, 1])
        self.raised(TypeError, "unsupported_type", lambda: hadamard.mul(z, z, dialect="onnx"), "dialect onnx")
        a = np.ones(2)
        self.assertEqual(hadamard.hypot(a, 0.0).tolist(), [1, 1])
        self.raised(ValueError, "bad_argument", lambda: hadamard.hypot(a, a, dialect="onnx"),
                    "dialect onnx has no operator hypot")
        self.assertEqual(hadamard.pow(np.full(2, 3, "i1"), 2).tolist(), [9, 9])
        self.raised(TypeError, "unsupported_type", lambda: hadamard.pow(np.ones(2, "i1"), 2, dialect="onnx"))

    def test_classes(self):
        for name, base in (("ArgumentError", ValueError), ("ElementTypeError", TypeError), ("FileError", OSError),
                           ("ZeroDivisorError", ZeroDivisionError), ("TooLargeError", MemoryError),
                           ("InternalError", RuntimeError)):
            self.assertTrue(issubclass(getattr(hadamard, name), (hadamard.Error, base)))
        try:
            hadamard.div(1, 0)
        except hadamard.Error as error:
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), str(again), again.code, again.requirement),
                             (hadamard.ZeroDivisorError, str(error), "zero_divisor", ""))


if __name__ == "__main__":
    unittest.main()
