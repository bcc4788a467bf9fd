"""diff: 0 equal, 1 different, 2 an error."""
import unittest

import numpy as np
from program import CliTest


class Diff(CliTest):
    def test_equal(self):
        self.gives("bit-equal: 2 elements of fp64", "diff", "[1 2]", "[1 2]")
        self.gives("bit-equal: 0 elements of fp64", "diff", "[]", "[]")
        self.gives("bit-equal: 1 elements of fp64", "diff", "nan", "nan")
        self.gives("bit-equal: 1 elements of real", "diff", "0.5", "1/2", "--type", "real")

    def test_different(self):
        text = self.output("diff", "[1 2 3]", "[1 2.0000000000000004 4]", code=1)
        self.assertIn("2 of 3 elements differ; largest distance 2251799813685248 ULP\n", text)
        self.assertIn("(1): 2 0x4000000000000000  |  2.0000000000000004 0x4000000000000001  1 ULP\n", text)

    def test_signs_of_zero_and_nan_are_bits(self):
        self.assertIn("0 ULP", self.output("diff", "0", "-0", code=1))
        self.assertIn("no distance", self.output("diff", "nan", "1", code=1))
        self.output("diff", "0", "-0", "--ulp", "0")

    def test_ulp(self):
        near = ("diff", "[1 2]", "[1 2.0000000000000004]")
        self.assertIn("all within 1 ULP", self.output(*near, "--ulp", "1"))
        self.assertIn("1 beyond 0 ULP", self.output(*near, "--ulp", "0", code=1))
        self.output("diff", "1", "2", "--type", "int8", "--ulp", "1")
        self.output("diff", "1", "3", "--type", "int8", "--ulp", "1", code=1)

    def test_nan_is_far_from_every_number(self):
        self.output("diff", "nan", "1", "--ulp", 2 ** 64 - 1, code=1)
        self.output("diff", "nan", "1", "--ulp", 2 ** 64 - 2, code=1)

    def test_the_largest_distance_of_all(self):
        self.assertIn(f"largest distance {2 ** 64 - 1} ULP",
                      self.output("diff", "0", 2 ** 64 - 1, "--type", "uint64", code=1))
        self.output("diff", "0", 2 ** 64 - 1, "--type", "uint64", "--ulp", 2 ** 64 - 1)

    def test_quiet(self):
        for flag in ("-q", "--quiet"):
            self.assertEqual(self.output("diff", "1", "1", flag), "")
            self.assertEqual(self.output("diff", "1", "2", flag, code=1), "")
            self.assertEqual(self.output("diff", "[1 2]", "1", flag, code=1), "")

    def test_other_shapes_and_types_are_different(self):
        self.assertEqual(self.output("diff", "[1 2]", "[1; 2]", code=1), "different: A is fp64 (2), B is fp64 (2,1)\n")
        np.save(self.folder / "a.npy", np.ones(2, np.float32))
        np.save(self.folder / "b.npy", np.ones(2, np.float64))
        self.assertEqual(self.output("diff", "a.npy", "b.npy", code=1), "different: A is fp32 (2), B is fp64 (2)\n")

    def test_files_of_different_order_with_the_same_elements(self):
        m = np.arange(6.0).reshape(2, 3)
        np.save(self.folder / "c.npy", m)
        np.save(self.folder / "f.npy", np.asfortranarray(m))
        self.output("diff", "c.npy", "f.npy")
        self.output("diff", "c.npy", "[0 1 2; 3 4 5]")

    def test_only_the_first_few_are_shown(self):
        text = self.output("diff", "[1 2 3 4 5 6 7 8]", "[0 0 0 0 0 0 0 0]", "--type", "int8", code=1)
        self.assertEqual(text.count("ULP\n  (") + text.count("ULP\n  and 3 more\n"), 6)

    def test_errors(self):
        self.refused("operand B: there is no file 'no.npy'", "diff", "1", "no.npy")
        self.refused("--ulp", "diff", "1", "5", "--ulp", "-1")
        self.refused("--ulp", "diff", "1", "5", "--ulp", "1.5")
        self.refused("--ulp", "diff", "1", "5", "--ulp", "many")
        self.refused("--ulp", "diff", "1", "5", "--ulp", 2 ** 64)


if __name__ == "__main__":
    unittest.main()
