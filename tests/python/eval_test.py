"""hadamard.eval: MATLAB's expressions on Python's arrays."""
import contextlib
import inspect
import io
import pickle
import unittest

import numpy as np

import hadamard


class Eval(unittest.TestCase):
    def test_the_example(self):
        a, b, c = np.arange(12.0).reshape(3, 4), np.ones((3, 4)), np.full((3, 1), 2.0)
        y = hadamard.eval("(A - B) ./ C", A=a, B=b, C=c)
        np.testing.assert_array_equal(y, (a - b) / c)
        self.assertTrue(y.flags.f_contiguous)

    def test_ranks(self):
        self.assertEqual(hadamard.eval("x ./ 2", x=np.array([1.0, 2.0])).tolist(), [0.5, 1.0])
        self.assertEqual(hadamard.eval("x'", x=[1, 2]).tolist(), [[1], [2]])
        self.assertEqual(hadamard.eval("x + y", x=[1, 2], y=[[10], [20]]).tolist(), [[11, 12], [21, 22]])
        self.assertEqual(hadamard.eval("x .* 2", x=np.ones((2, 3, 4))).shape, (2, 3, 4))
        self.assertIs(type(hadamard.eval("x", x=3.5)), np.float64)
        self.assertEqual(hadamard.eval("x ./ 2", x=np.ones((0, 3))).shape, (0, 3))

    def test_classes(self):
        for dtype in ("f8", "f4", "?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "c8", "c16"):
            x = np.array([[1, 0], [1, 1]], dtype)
            y = hadamard.eval("x", x=x)
            np.testing.assert_array_equal(y, x)
            if dtype[0] != "c":
                self.assertEqual(y.dtype, x.dtype)
        self.assertEqual(hadamard.eval("sqrt(x)", x=-4), 2j)
        self.assertEqual(hadamard.eval("class(x)", x=1), "double")
        self.assertEqual(hadamard.eval("[t 'c']", t="ab"), "abc")
        self.assertEqual(hadamard.eval("x", x=hadamard.Tensor([1.5])), 1.5)
        for wrong in (np.ones(2, "f2"), hadamard.Tensor([1], dtype="bf16")):
            with self.assertRaisesRegex(TypeError, "of which MATLAB has no class"):
                hadamard.eval("x", x=wrong)

    def test_layouts(self):
        x = np.arange(24.0).reshape(4, 6)
        for view in (x.T, x[::-1, ::2], np.broadcast_to(np.float64(3), (2, 2)), x.astype(">f8")):
            np.testing.assert_array_equal(hadamard.eval("x + 1", x=view), view + 1)

    def test_statements(self):
        self.assertEqual(hadamard.eval("y = x + 1; y .* y", x=2), 9)
        self.assertEqual(hadamard.eval("x + 1; x", x=2), 2)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(hadamard.eval("x % a comment", x=2), 2)
            self.assertEqual(hadamard.eval("y = x; y + 1 % a comment", x=2), 3)
        self.assertEqual(printed.getvalue(), "")
        self.assertAlmostEqual(hadamard.eval("pi"), 3.141592653589793)
        for nothing in ("y = x", "", "x; y = 3", "% x", "disp(x)"):
            with self.subTest(nothing), contextlib.redirect_stdout(io.StringIO()), \
                    self.assertRaisesRegex(ValueError, "has no value"):
                hadamard.eval(nothing, x=1)

    def test_nothing_is_quoted_that_was_not_written(self):
        for text in ("1+", "1+ % more", "f(1,"):
            with self.assertRaisesRegex(ValueError, "found the end of the text"):
                hadamard.eval(text)
        with self.assertRaisesRegex(ValueError, "found ';'"):
            hadamard.eval("1+;")

    def test_a_value_is_that_of_the_last_statement(self):
        for text, variables in (("5; disp(3)", {}), ("5; tic", {}), ("disp(3)", {"ans": 9}), ("ans = 4", {}), ("", {}),
                                ("% nothing", {"ans": 2})):
            with contextlib.redirect_stdout(io.StringIO()), self.subTest(text), \
                    self.assertRaisesRegex(ValueError, "has no value"):
                hadamard.eval(text, **variables)
        self.assertEqual(hadamard.eval("5; ans + 1"), 6)
        self.assertEqual(hadamard.eval("ans", ans=9), 9)
        self.assertEqual(hadamard.eval("x = 3; y = 4; x"), 3)

    def test_variables_that_no_expression_can_name(self):
        for name in ("a b", "1x", "end", "if", "", "é", "x.y", "a\0b", "a\nb", "\ud800"):
            with self.assertRaisesRegex(ValueError, "no variable can have the name"):
                hadamard.eval("1", **{name: 3})
        self.assertEqual(hadamard.eval("_x1 + 1", _x1=3), 4)

    def test_errors_say_where(self):
        for expression, where in (("x=1;\ny=2;\nx+*y", r"found '\*' \(line 3, at '\*y'\) \[MATLAB:syntaxError\]$"),
                                  ("1+", r"\(line 1, at its end\)"), ("'é' + *", r"\(line 1, at '\*'\)"),
                                  ("ones(2) ./ ones(3)", r"\(line 1, at './ ones\(3\)'\)")):
            with self.assertRaisesRegex(ValueError, where):
                hadamard.eval(expression)

    def test_half_of_a_character(self):
        self.assertEqual(hadamard.eval("x(1)", x="\U0001F600"), "\ud83d")

    def test_nothing_is_printed_where_there_is_no_output(self):
        with contextlib.redirect_stdout(None):
            self.assertEqual(hadamard.eval("x=1\n2"), 2)

    def test_half_of_a_surrogate_pair(self):
        for call in (lambda: hadamard.eval("x", x="\udc80"), lambda: hadamard.eval("'\ud800'")):
            self.assertRaisesRegex(ValueError, "surrogate", call)

    def test_what_is_printed(self):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            self.assertEqual(hadamard.eval("disp(x); x", x=3), 3)
        self.assertEqual(text.getvalue(), "3\n")

    def test_errors(self):
        for expression, kind, identifier in [
                ("A ./ B", ValueError, "MATLAB:sizeDimensionsMustMatch"), ("A ./", ValueError, "MATLAB:syntaxError"),
                ("nothing + 1", ValueError, "MATLAB:UndefinedFunction"), ("load('/etc/passwd')", ValueError, None),
                ("save('/tmp/hadamard-eval.mat')", ValueError, None)]:
            with self.subTest(expression), self.assertRaises(kind) as caught:
                hadamard.eval(expression, A=np.ones((2, 3)), B=np.ones((2, 4)))
            self.assertIsInstance(caught.exception, hadamard.Error)
            self.assertNotIn("\n", str(caught.exception))
            if identifier:
                self.assertEqual(caught.exception.requirement, identifier)
        for call in (lambda: hadamard.eval(), lambda: hadamard.eval(7), lambda: hadamard.eval("x", x=object()),
                     lambda: hadamard.eval("x", x=None)):
            with self.assertRaises(TypeError):
                call()

    def test_integers_is_an_option(self):
        seven, two = np.int32(7), np.int32(2)
        for integers, expected in ((None, np.float64(3.5)), ("double", np.float64(3.5)), ("matlab", np.int32(4))):
            y = hadamard.eval("A ./ B", A=seven, B=two, integers=integers)
            self.assertEqual((y, y.dtype), (expected, expected.dtype))
        self.assertEqual(hadamard.eval("a + b", a=np.int8(100), b=np.int8(100), integers="matlab"), 127)
        self.assertRaisesRegex(ValueError, "integers is 'octave', but must be one of: 'double', 'matlab'", hadamard.eval, "1",
                               integers="octave")
        for wrong in (3, np.ones(2), True):
            with self.assertRaisesRegex(TypeError, "it is an option of eval, and cannot be a variable"):
                hadamard.eval("integers + 1", integers=wrong)

    def test_it_is_a_function(self):
        self.assertIs(pickle.loads(pickle.dumps(hadamard.eval)), hadamard.eval)
        self.assertEqual(str(inspect.signature(hadamard.eval)), "(expression: 'str', /, *, integers: 'Any' = None, **variables: 'Any') -> 'Any'")
        self.assertEqual(hadamard.eval("expression + 1", expression=1), 2)


if __name__ == "__main__":
    unittest.main()
