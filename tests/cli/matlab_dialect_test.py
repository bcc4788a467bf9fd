"""--dialect matlab: promotion, implicit expansion, integers, complex results, and what --explain says of them."""
import unittest

import numpy as np

from program import CliTest

MATLAB = ("--dialect", "matlab")
KEPT = MATLAB + ("--integers", "matlab")


class MatlabDialect(CliTest):
    def saved(self, name, values, dtype):
        np.save(self.folder / name, np.array(values, dtype=dtype))
        return name

    def test_types_are_promoted(self):
        a = self.saved("a.npy", [[7, -7], [1, 0]], np.int32)
        b = self.saved("b.npy", [[2], [0]], np.int8)
        single = self.saved("s.npy", [[0.1, 1]], np.float32)
        self.gives("3.5 -3.5\ninf nan", "div", a, b, *MATLAB)
        plan = self.output("div", a, b, *MATLAB, "--explain")
        self.assertIn("promoted  A int32 -> fp64, B int8 -> fp64\nresult    fp64\n", plan)
        self.assertIn("promoted  nothing\n", self.output("add", "1", "2", *MATLAB, "--explain"))
        self.assertIn("promoted  A int32 -> fp32\n", self.output("mul", a, single, *MATLAB, "--explain"))
        self.output("mul", a, single, *MATLAB, "-o", "y.npy")
        y = np.load(self.folder / "y.npy")
        self.assertEqual((y.dtype, y.flags.f_contiguous), (np.float32, True))
        np.testing.assert_array_equal(y, np.array([[7, -7], [1, 0]], np.float32) * np.array([[0.1, 1]], np.float32))

    def test_integers_keep_their_class_where_asked(self):
        a = self.saved("a.npy", [7, -128, 5], np.int8)
        b = self.saved("b.npy", [2, -1, 0], np.int8)
        wide = self.saved("w.npy", [2 ** 63 - 1, -2 ** 63], np.int64)
        self.gives("4 127 127", "div", a, b, *KEPT)
        self.gives("4 -64 3", "mul", a, "0.5", *KEPT)
        self.gives("9223372036854775807 -9223372036854775808", "add", wide, "0.5", *KEPT)
        self.assertIn("result    int8, rounded half away from zero, saturated\n",
                      self.output("div", a, b, *KEPT, "--explain"))
        self.refused(r"A is int8 and B is int64 \[MATLAB:mixedClasses\]", "add", a, wide, *KEPT)
        self.refused("--integers matlab means something with --dialect matlab only", "add", "1", "2", "--integers",
                     "matlab")
        self.refused("--integers 'up'.*double, matlab", "add", "1", "2", *MATLAB, "--integers", "up")
        self.refused("--int-division has no meaning with --dialect matlab", "div", "1", "2", *MATLAB, "--int-division",
                     "floor")

    def test_sizes_expand_from_the_first_dimension(self):
        self.gives("1 2 3\n0.5 1 1.5", "div", "[1 2 3]", "[1; 2]", *MATLAB)
        three = self.saved("three.npy", np.ones((2, 3, 4)), np.float64)
        self.output("div", three, self.saved("two.npy", np.ones((2, 3)), np.float32), *MATLAB)
        self.refused(r"^hadamard: Arrays have incompatible sizes for this operation: A is 1x3, B is 1x2; dimension 2 is 3 in A and 2 in B \[MATLAB:sizeDimensionsMustMatch\]",
                     "div", "[1 2 3]", "[1 2]", *MATLAB)
        self.gives("1 1\n3 2", "div", "[1 2; 3 4]", self.saved("r.npy", [1, 2], np.int64), *MATLAB, "--broadcast",
                   "numpy")

    def test_results_leave_the_reals_and_come_back(self):
        self.gives("0+2i", "sqrt", "[-4]", *MATLAB)
        self.gives("2 3", "sqrt", "[4 9]", *MATLAB)
        i = self.saved("i.npy", [[1j, 2j]], np.complex64)
        self.gives("-1 -4", "mul", i, i, *MATLAB)
        self.gives("inf+infi", "div", "1+2i", "0", *MATLAB, "--type", "complex128")
        plan = self.output("mul", i, "2", *MATLAB, "--explain")
        self.assertIn("promoted  B fp64 -> fp32\nresult    complex64; fp32 where all imaginary parts are 0\n", plan)
        self.assertIn("step      part by part: a real factor or divisor is no complex number with 0i\n", plan)

    def test_what_it_has_not(self):
        self.refused("dialect matlab has no operator max", "max", "1", "2", *MATLAB)
        self.refused("has no class", "add", "1", "2", *MATLAB, "--type", "fp16")
        self.refused("more than one step", "explain", "div", "1", "2", *MATLAB, "--type", "int8")


if __name__ == "__main__":
    unittest.main()
