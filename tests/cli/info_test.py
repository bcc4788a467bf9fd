"""info: of a file, and of the program."""
import unittest

import numpy as np
from program import CliTest


class Info(CliTest):
    def info(self, array, *args):
        np.save(self.folder / "x.npy", array)
        return self.rows("info", "x.npy", *args)

    def test_the_program(self):
        text = self.output("info")
        for key in ("version", "compiler", "targets", "provider", "types"):
            self.assertRegex(text, rf"(?m)^{key} +\S")
        self.assertRegex(text, r"provider +cpu: available\nprovider +ref: available")
        self.assertIn("scalar", text)

    def test_floats(self):
        rows = self.info(np.array([[1, -2.5, np.nan], [np.inf, 0, 5e-324]]))
        self.assertEqual(rows, {"type": "fp64 (64 bits)", "shape": "(2,3), 6 elements", "order": "row-major (C)",
                                "min": "-2.5", "max": "inf", "special": "1 NaN, 1 inf, 1 zero, 1 subnormal"})

    def test_integers_bool_complex(self):
        rows = self.info(np.array([-3, 0, 7], np.int16))
        self.assertEqual((rows["type"], rows["min"], rows["max"]), ("int16 (16 bits)", "-3", "7"))
        self.assertEqual(self.info(np.array([2 ** 64 - 1, 1], np.uint64))["max"], str(2 ** 64 - 1))
        rows = self.info(np.array([True, False]))
        self.assertEqual((rows["type"].split()[0], rows["max"]), ("bool", "true"))
        rows = self.info(np.array([1j, 0, complex(0, np.nan)]))
        self.assertEqual((rows["type"].split()[0], rows["min"]), ("complex128", "none"))
        self.assertEqual(rows["special"], "1 NaN, 0 inf, 1 zero, 0 subnormal")

    def test_shapes_and_order(self):
        self.assertEqual(self.info(np.array(5.0))["shape"], "(), 1 elements")
        rows = self.info(np.zeros((0, 3)))
        self.assertEqual((rows["shape"], rows["min"]), ("(0,3), 0 elements", "none"))
        self.assertEqual(self.info(np.asfortranarray(np.ones((2, 3))))["order"], "column-major (Fortran)")

    def test_types_that_the_file_cannot_say(self):
        self.assertEqual(self.info(np.array([0x3f80], np.uint16), "--type", "bf16")["max"], "1")
        self.assertEqual(self.info(np.array([-8, 7], np.int8), "--type", "int4")["min"], "-8")

    def test_a_literal(self):
        self.assertEqual(self.rows("info", "[1 2]")["shape"], "(2), 2 elements")

    def test_errors(self):
        self.refused("no.npy", "info", "no.npy")
        self.refused("directory", "info", ".")


if __name__ == "__main__":
    unittest.main()
