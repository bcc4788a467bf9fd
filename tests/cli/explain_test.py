"""--explain: the plan; explain OP A B: one element."""
import unittest

import numpy as np
from program import OPERATORS, CliTest

M = "[1 2 3; 4 5 6]"


class Plan(CliTest):
    def plan(self, *args, **kwargs):
        return self.rows(*args, "--explain", **kwargs)

    def test_all_its_lines(self):
        plan = self.plan("div", "[6 9]", "[3 3]", "--type", "int8")
        self.assertEqual(" ".join(plan),
                         "dialect operator type rounding shapes broadcast loop strides provider")
        self.assertEqual((plan["dialect"], plan["type"], plan["rounding"]), ("native", "int8", "trunc"))
        self.assertEqual(plan["shapes"], "A (2)  B (2)  ->  Y (2)")
        self.assertNotIn("rounding", self.plan("div", "1", "2"))
        for op in OPERATORS:
            self.assertTrue(self.plan(op, "1", "2")["operator"].startswith(op))

    def test_the_result_follows_the_plan(self):
        self.assertTrue(self.output("div", "1", "2", "--explain").endswith("\n\n0.5\n"))

    def test_every_loop_kind(self):
        np.save(self.folder / "f.npy", np.asfortranarray(np.arange(1.0, 7.0).reshape(2, 3)))
        onnx = ("--dialect", "onnx")
        for kind, args in {
                "contiguous": ("div", M, M),
                "scalar_left": ("div", "1", M, *onnx),
                "scalar_right": ("div", M, "1", *onnx),
                "row": ("div", M, "[1 2 3]", *onnx),
                "column": ("div", M, "[1; 2]", *onnx),
                "tiled": ("div", "f.npy", M),
                "empty": ("div", "[]", "[]")}.items():
            self.assertEqual(self.plan(*args)["loop"].split()[0], kind, args)

    def test_every_broadcast_rule(self):
        same = ("div", M, M, "--broadcast")
        for rule in ("none", "numpy", "matlab", "paddle"):
            self.assertTrue(self.plan(*same, rule)["broadcast"].startswith(rule))
        self.assertEqual(self.plan("div", M, M)["broadcast"], "numpy")
        self.assertEqual(self.plan("div", M, M, "--dialect", "sonnx")["broadcast"], "none")
        self.assertEqual(self.plan("div", M, M, "--dialect", "onnx")["broadcast"], "numpy")

    def test_overrides_show(self):
        args = ("div", "7", "2", "--type", "int8")
        self.assertEqual(self.plan(*args)["rounding"], "trunc")
        self.assertEqual(self.plan(*args, "--int-division", "floor")["rounding"], "floor")
        self.assertEqual(self.plan(*args, "--dialect", "sonnx")["rounding"], "floor")
        self.assertEqual(self.plan(*args, "--dialect", "sonnx", "--int-division", "trunc")["rounding"], "trunc")
        self.assertEqual(self.plan(*args, "--dialect", "onnx")["rounding"], "trunc")
        self.assertEqual(self.plan(*args, "--dialect", "onnx", "--int-division", "floor")["rounding"], "floor")
        self.assertEqual(self.plan(*args, "--dialect", "native")["dialect"], "native")

    def test_forced_providers_show(self):
        for target in self.rows("info")["targets"].split("  (")[0].split(", "):
            if "not on this CPU" in target:
                continue
            provider = self.plan("div", "1", "2", env={"HADAMARD_CPU": target})["provider"]
            self.assertIn(f"target {target}", provider)
            self.assertIn(f"({target.upper()})", provider)
        self.assertTrue(self.plan("div", "1", "2", env={"HADAMARD_PROVIDER": "ref"})["provider"].startswith("ref"))
        self.assertTrue(self.plan("div", "1", "2", env={"HADAMARD_PROVIDER": "cpu"})["provider"].startswith("cpu"))

    def test_with_an_output_file(self):
        self.assertIn("loop", self.plan("div", M, M, "-o", "y.npy"))
        self.assertEqual(self.entries(), ["y.npy"])
        # A .npy file on standard output with a plan behind it is none.
        self.refused("--explain", "div", M, M, "-o", "-", "--explain")


class Element(CliTest):
    def test_a_float(self):
        rows = self.rows("explain", "div", "[6.1 9.5 35.7]", "[3.0 3.3 5.1]", "--at", "1")
        self.assertEqual(rows["operation"], "A ./ B at (1), fp64, dialect native")
        self.assertEqual((rows["A"], rows["B"]), ("9.5  0x4023000000000000", "3.3  0x400a666666666666"))
        self.assertEqual(rows["rounded"], "2.878787878787879  0x400707c1f07c1f08")
        self.assertRegex(rows["exact"], r"^\d+/\d+  \(about 2\.8787878787878\d+\)$")
        self.assertRegex(rows["error"], r"^-?0\.\d+ ULP$")
        self.assertLessEqual(abs(float(rows["error"].split()[0])), 0.5)

    def test_an_exact_one(self):
        self.assertEqual(self.rows("explain", "div", "1", "2")["error"], "0 ULP (exact)")
        self.assertEqual(self.rows("explain", "div", "6.1", "3", "--type", "real")["exact"].split()[0], "61/30")
        self.assertEqual(self.rows("explain", "mul", "9", "9", "--type", "int16")["error"], "0 (exact)")

    def test_integers(self):
        rows = self.rows("explain", "div", "[-7]", "[2]", "--type", "int8", "--dialect", "sonnx")
        self.assertEqual((rows["exact"].split()[0], rows["result"]), ("-7/2", "-4  0xfc"))
        self.assertTrue(rows["error"].startswith("-1/2 by"))
        rows = self.rows("explain", "div", "[-7]", "[2]", "--type", "int8")
        self.assertEqual((rows["result"], rows["error"]), ("-3  0xfd", "1/2 by rounding (trunc)"))
        rows = self.rows("explain", "sub", "100", "200", "--type", "uint8")
        self.assertEqual(rows["error"], "256: the result wraps modulo 2^8")

    def test_ieee_specials(self):
        for a, b, rounded in (("1", "0", "inf"), ("-1", "0", "-inf"), ("0", "0", "nan"), ("inf", "inf", "nan")):
            rows = self.rows("explain", "div", a, b)
            self.assertTrue(rows["exact"].startswith("none"))
            self.assertEqual(rows["rounded"].split()[0], rounded)
        self.assertTrue(self.rows("explain", "mul", "1e308", "10")["error"].startswith("infinite"))

    def test_other_types_and_rules(self):
        rows = self.rows("explain", "div", "1+i", "2i", "--type", "complex64")
        self.assertEqual(rows["exact re"].split()[0], "1/2")
        rows = self.rows("explain", "add", "true", "false", "--type", "bool")
        self.assertEqual(rows["result"], "true")
        rows = self.rows("explain", "sub", M, "[10; 100]", "--dialect", "onnx", "--at", "1,2")
        self.assertEqual((rows["A"].split()[0], rows["B"].split()[0]), ("6", "100"))
        rows = self.rows("explain", "sub", M, "[10 100]", "--broadcast", "paddle", "--axis", "0", "--at", "1,0")
        self.assertEqual((rows["A"].split()[0], rows["B"].split()[0]), ("4", "100"))
        rows = self.rows("explain", "div", "-7", "2", "--type", "int4", "--int-division", "floor")
        self.assertEqual(rows["result"].split()[0], "-4")

    def test_only_that_element_is_computed(self):
        self.assertIn("3", self.rows("explain", "div", "[1 6]", "[0 2]", "--type", "int8", "--at", "1")["result"])

    def test_functions(self):
        rows = self.rows("explain", "exp", "1")
        self.assertEqual((rows["operation"], rows["exact"], rows["error"]),
                         ("exp(A) at (), fp64, dialect native", "2.718281828459045235360287471352662497757  (40 digits)",
                          "-0.32553074014505834 ULP"))
        self.assertEqual(self.rows("explain", "sqrt", "4")["exact"], "2")
        self.assertEqual(self.rows("explain", "pow", "3", "-2", "--type", "fp16")["rounded"], "0.1111  0x2f1c")
        self.assertIn("outside of the domain", self.rows("explain", "log", "-1")["exact"])
        self.assertEqual(self.rows("explain", "floor", "-2.5")["exact"], "-3")
        self.assertEqual(self.rows("explain", "neg", "0.1")["error"], "0 ULP (exact)")
        self.assertEqual(self.rows("explain", "pow", "3", "4", "--type", "int32")["result"], "81  0x00000051")

    def test_an_activation_is_a_step_of_its_own(self):
        alone = self.rows("explain", "div", "-9.5", "3.3")
        rows = self.rows("explain", "div", "-9.5", "3.3", "--act", "relu")
        self.assertEqual(rows.pop("act"), "0  0x0000000000000000  (relu of the result)")
        self.assertEqual(rows, alone)
        rows = self.rows("explain", "div", "-7", "2", "--type", "int32", "--act", "relu", "--dialect", "sonnx")
        self.assertEqual((rows["result"].split()[0], rows["act"].split()[0]), ("-4", "0"))
        self.assertEqual(rows["error"], "-1/2 by rounding (floor)")
        rows = self.rows("explain", "div", "1", "3", "--type", "real", "--act", "neg")
        self.assertEqual((rows["exact"].split()[0], rows["act"]), ("1/3", "-1/3  (neg of the result)"))
        rows = self.rows("explain", "div", "[1 2]", "[4 4]", "--at", "1", "--act", "exp")
        self.assertEqual(rows["act"].split()[0], "1.6487212707001282")
        self.refused("SONNX-RELU-TYPES", "explain", "add", "3", "1", "--type", "uint8", "--act", "relu",
                     "--dialect", "sonnx")

    def test_errors(self):
        self.refused("'powder' is no operator", "explain", "powder", "1", "2")
        self.refused(r"--at \(7\).*\(2\)", "explain", "div", "[1 2]", "[3 4]", "--at", "7")
        self.refused(r"--at.*\(2\)", "explain", "div", "[1 2]", "[3 4]", "--at", "0,0")
        self.refused("--at.*-1", "explain", "div", "[1 2]", "[3 4]", "--at", "-1")
        self.refused("--at '0,'", "explain", "div", "[1 2]", "[3 4]", "--at", "0,")
        self.refused("--at 'x'", "explain", "div", "[1 2]", "[3 4]", "--at", "x")
        self.refused(r"2 elements \(shape \(2\)\).*--at", "explain", "div", "[1 2]", "[3 4]")
        self.refused(r"0 elements \(shape \(0\)\)", "explain", "div", "[]", "[]")
        self.refused(r"B is 0 at index \(1\).*SONNX-DIV-INT-C3", "explain", "div", "[1 2]", "[1 0]", "--type", "int8",
                     "--at", "1", "--dialect", "sonnx")


if __name__ == "__main__":
    unittest.main()
