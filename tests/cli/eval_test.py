"""hadamard eval: programs of several statements on files and literals."""
import json
import re
import unittest

import numpy as np
from program import CliTest


class Eval(CliTest):
    def save(self, name, array):
        np.save(self.folder / name, array)

    def test_prints_as_run_does(self):
        self.assertEqual(self.output("eval", "(A - B) ./ C", "A=[4 9]", "B=[1 2]", "C=[2 7]"),
                         "'Y' fp64 (2)\n1.5 1\n")

    def test_several_statements_and_outputs(self):
        self.assertEqual(self.output("eval", "D = A - B; P = D > 0; Q = D .* 2", "A=[4 1]", "B=[1 2]"),
                         "'P' bool (2)\ntrue false\n'Q' fp64 (2)\n6 -2\n")

    def test_files(self):
        rng = np.random.default_rng(1)
        a, b, c, d = (rng.standard_normal((37, 53)).astype(np.float32) for _ in range(4))
        for name, array in zip("abcd", (a, b, c, d)):
            self.save(f"{name}.npy", array)
        inputs = [f"{name.upper()}={name}.npy" for name in "abcd"]
        self.assertEqual(self.output("eval", "Y = (A - B) ./ C .* D", *inputs, "-o", "Y=y.npy"), "")
        np.testing.assert_array_equal(np.load(self.folder / "y.npy"), (a - b) / c * d)
        # A literal takes the type of the files.
        self.output("eval", "A + k", inputs[0], "k=0.1", "-o", "z.npy")
        np.testing.assert_array_equal(np.load(self.folder / "z.npy"), a + np.float32(0.1))

    def test_numbers_take_the_type_that_they_meet(self):
        self.save("m.npy", np.array([True, False]))
        self.save("x.npy", np.array([1.5, 2.5], np.float32))
        self.assertEqual(self.output("eval", "where(M, X, k)", "M=m.npy", "X=x.npy", "k=0.5"), "'Y' fp32 (2)\n1.5 0.5\n")
        self.assertEqual(self.output("eval", "cast(X, 'fp64') + k", "X=x.npy", "k=0.1"), "'Y' fp64 (2)\n1.6 2.6\n")
        self.assertEqual(self.output("eval", "where(M, X, 0)", "M=m.npy", "X=[1.5 2.5]"), "'Y' fp64 (2)\n1.5 0\n")

    def test_outputs_by_name(self):
        self.save("a.npy", np.arange(4.0))
        self.output("eval", "D = A + 1; Y = D .* D", "A=a.npy", "-o", "D=d.npy", "-o", "Y=y.npy")
        np.testing.assert_array_equal(np.load(self.folder / "d.npy"), np.arange(4.0) + 1)
        np.testing.assert_array_equal(np.load(self.folder / "y.npy"), (np.arange(4.0) + 1) ** 2)

    def test_in_place_file(self):
        self.save("a.npy", np.arange(4.0))
        self.output("eval", "A + 1", "A=a.npy", "-o", "a.npy")
        np.testing.assert_array_equal(np.load(self.folder / "a.npy"), np.arange(4.0) + 1)

    def test_json(self):
        answer = json.loads(self.output("eval", "A < 2", "A=[1 2]", "--json"))
        self.assertEqual(answer["outputs"][0]["name"], "Y")
        self.assertEqual(answer["outputs"][0]["values"], [True, False])

    def test_explain(self):
        text = self.output("eval", "(A - B) ./ (C + 1e-6)", "A=[4 9]", "B=[1 2]", "C=[2 7]", "--explain")
        for line in ("%3     sub(A, B)", "group 1  3 nodes: %3 %5 %6", "bytes  read 48, written 16"):
            self.assertIn(line, text)

    def test_types(self):
        self.assertEqual(self.output("eval", "A ./ 2", "A=[7 -7]", "--type", "int8"), "'Y' int8 (2)\n3 -3\n")
        self.assertEqual(self.output("eval", "A ./ 2", "A=[7 -7]", "--type", "int8", "--int-division", "floor"),
                         "'Y' int8 (2)\n3 -4\n")
        self.assertEqual(self.output("eval", "1/3 + 1/6", "--type", "real"), "'Y' real ()\n1/2\n")

    def test_types_that_npy_has_no_word_for(self):
        self.save("a.npy", np.array([0x3F80, 0x4000], np.uint16))  # 1 and 2 in bf16
        self.assertEqual(self.output("eval", "A ./ 3", "A=a.npy", "--type", "bf16"), "'Y' bf16 (2)\n0.334 0.668\n")
        self.save("x.npy", np.array([0.1]))
        self.assertEqual(self.output("eval", "A", "A=x.npy", "--type", "real"),
                         "'Y' real (1)\n3602879701896397/36028797018963968\n")

    def test_errors(self):
        cases = [
            (["A +", "A=1"], "expected a number, a name or a bracket, found the end of the text"),
            (["A + B", "A=1"], "no value for the input B; add B=FILE or B=NUMBER"),
            (["A", "A=1", "A=2"], "the input A is given twice"),
            (["A", "A=1", "B=2"], "expected NAME=FILE with the name of an input, got 'B=2'; inputs: A"),
            (["A ./ B", "A=1", "B=0", "--type", "int8"], "a divisor of div is 0 at index () (line 1, column 3: './'): integer division by zero"),
            (["A + 1000", "A=1", "--type", "int8"], "the number 1000 cannot be held exactly by int8"),
            (["P = A; Q = A", "A=1", "-o", "x.npy"], "expected -o NAME=FILE with the name of an output, got 'x.npy'"),
            (["P = A; Q = A", "A=1", "-o", "P=x.npy", "-o", "P=y.npy"], "the output P is written twice"),
            (["A + B", "A=[1 2]", "B=[1 2 3]"], "do not broadcast"),
            (["A + 1", "A=1", "--dialect", "matlab"], "dialect matlab promotes types"),
            (["A - 1", "A=1", "--act", "relu"], "a program has no operator behind its results"),
            (["A + 1", "A=1", "-o", "Z=z.npy"], "expected -o NAME=FILE with the name of an output, got 'Z=z.npy'"),
            (["P = A; Q = -A", "A=1", "-o", "P=x.npy", "-o", "Q=x.npy"], "two outputs go to 'x.npy'"),
            (["A", "A=1", "-o", "y.pb"], "expected the name of a .npy file"),
            (["exp(A, 2)", "A=1"], "exp expects 1 operand, got 2"),
            (["A", "A=nothing.npy"], "there is no file 'nothing.npy'"),
        ]
        for arguments, message in cases:
            with self.subTest(arguments):
                self.refused(re.escape(message), "eval", *arguments)
        self.assertEqual(list(self.folder.glob("*.npy")), [])


if __name__ == "__main__":
    unittest.main()
