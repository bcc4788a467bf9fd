"""add, sub, mul, div on literals: every type, every option that changes the result or its form."""
import json
import re
import unittest
import numpy as np

from program import FLOATS, SIGNED, UNSIGNED, CliTest


class Literals(CliTest):
    def test_the_example(self):
        self.gives("2.033333333333333 2.878787878787879 7.000000000000001",
                   "div", "[6.1 9.5 35.7]", "[3.0 3.3 5.1]")
        self.gives("61/30 95/33 7", "div", "[6.1 9.5 35.7]", "[3.0 3.3 5.1]", "--type", "real")

    def test_no_verb_needs_a_dialect(self):
        """The default is native, which has every operator and type."""
        verbs = re.findall(r"(?m)^  (\w+) +Y = ", self.output("help"))
        self.assertGreater(len(verbs), 40)
        for verb in verbs:
            two = " A B\n" in self.output("help", verb)
            of_bool = verb.startswith("logical_")  # of truth values alone
            of_type = "bool" if of_bool else "complex128" if verb == "conj" else "fp64"
            self.output(verb, "1" if of_bool else "0.5", *((["0"] if of_bool else ["0.25"]) if two else []), "--type", of_type)
            if not of_bool and verb != "conj":
                self.output(verb, "0.5", *(["0.25"] if two else []))
        self.gives("0.8414709848078965", "sin", "1")
        self.gives("-1+0i", "mul", "i", "i", "--type", "complex128")
        self.gives("1-2i", "conj", "1+2i", "--type", "complex128")
        self.gives("0+2i", "sqrt", "-4", "--type", "complex128")
        self.gives("5 13", "abs", "[3-4i 5+12i]", "--type", "complex128")
        self.gives("24 inf", "gamma", "[5 -1]")
        self.gives("2 3", "add", "[1 2]", "1")

    def test_attributes(self):
        """Options from the operators' records, exact decimals."""
        self.gives("-0.2 2", "leaky_relu", "[-1 2]", "--alpha", "0.2")
        self.gives("0.2 2", "leaky_relu", "[-1 2]", "--alpha", "-0.2")
        self.gives("-0.02 2", "leaky_relu", "[-1 2]", "--alpha", "0.020")
        self.gives("1 2 4", "brelu", "[-1 2 9]", "--t-max", "4", "--t-min", "1", "--type", "bf16")
        self.gives("2", "pow_factor", "32", "--factor", "0.2")
        self.gives("-0.2 1", "sub", "[1 2]", "[2 1]", "--act", "leaky_relu(alpha=0.2)")
        self.assertIn("leaky_relu(A, alpha=0.2)", self.output("leaky_relu", "-1", "--alpha", "0.2", "--explain"))
        for wrong in ("x", "inf", "nan"):
            self.refused(f"--alpha '{wrong}' is not a finite number such as 0.2 or -1", "leaky_relu", "1", "--alpha", wrong)
        self.refused("attribute alpha of leaky_relu must be 0 or have a size between", "leaky_relu", "1", "--alpha", "1e400")
        self.refused("'--beta' is no option", "leaky_relu", "1", "--beta", "2")
        self.refused("leaky_relu has no attribute beta; it has: alpha", "add", "1", "2", "--act", "leaky_relu(beta=2)")
        self.refused(r"'relu\(0.2\)' is not an activation with attributes", "add", "1", "2", "--act", "relu(0.2)")

    def test_every_type(self):
        for t in FLOATS + SIGNED + UNSIGNED + ["real"]:
            self.gives("7 3", "add", "[4 1]", "[3 2]", "--type", t)
            self.gives("1 -1" if t[0] != "u" else f"1 {2 ** int(t[4:]) - 1}", "sub", "[4 1]", "[3 2]", "--type", t)
            self.gives("6 2", "mul", "[3 1]", "[2 2]", "--type", t)
            self.gives("3 2", "div", "[6 4]", "[2 2]", "--type", t)
        self.gives("1+5i", "add", "1+2i", "3i", "--type", "complex64")
        self.gives("0.5-1i", "div", "2+i", "2i", "--type", "complex128")
        self.gives("true", "add", "true", "false", "--type", "bool")

    def test_shapes_as_text(self):
        self.gives("3", "add", "1", "2")
        self.gives("2 4", "add", "[1, 2]", "[1 2]")
        self.gives("2 4\n6 8", "add", "[1 2; 3 4]", "[[1 2] [3 4]]")
        self.gives("[0,:,:]\n2 4\n6 8\n\n[1,:,:]\n10 12\n14 16", "add", "[[[1 2] [3 4]] [[5 6] [7 8]]]",
                   "[[[1 2] [3 4]] [[5 6] [7 8]]]")
        self.gives("[] (0)", "add", "[]", "[]")
        self.gives("[] (2,0)", "add", "[[] []]", "[[] []]")

    def test_negative_numbers_are_operands(self):
        self.gives("6", "div", "-3", "-0.5")
        self.gives("7.5", "sub", "-.5", "-0x1p3")
        self.gives("inf", "div", "-inf", "-2")
        self.gives("-1/3", "div", "-1/3", "1", "--type", "real")
        self.gives("-3", "div", "--", "-6", "2")
        self.gives("nan", "add", "-nan", "-1")
        self.gives("-3", "div", "-7", "2", "--type", "int8")
        self.gives("-2", "add", "--type", "int8", "-1", "-1")

    def test_floats_print_the_shortest_text(self):
        self.gives("0.1 1e+30 -0 nan inf -inf 5e-324", "mul", "[0.1 1e30 -0 nan inf -inf 5e-324]", "[1 1 1 1 1 1 1]")
        self.gives("0.33333334", "div", "1", "3", "--type", "fp32")
        self.gives("0.3333", "div", "1", "3", "--type", "fp16")
        self.gives("0.334", "div", "1", "3", "--type", "bf16")

    def test_int_division(self):
        seven = ("[7 -7 7 -7]", "[2 2 -2 -2]", "--type", "int32")
        self.gives("3 -3 -3 3", "div", *seven)
        self.gives("3 -4 -4 3", "div", *seven, "--dialect", "sonnx")
        self.gives("3 -4 -4 3", "div", *seven, "--int-division", "floor", "--dialect", "onnx")
        self.gives("3 -3 -3 3", "div", *seven, "--int-division", "trunc", "--dialect", "sonnx")
        self.gives("3 -3 -3 3", "div", *seven, "--dialect", "onnx")
        self.gives("3 -3 -3 3", "div", *seven, "--dialect", "native")
        for t in SIGNED:
            low = -2 ** (int(t[3:]) - 1)
            self.gives(str(low), "div", low, -1, "--type", t)

    def test_broadcast(self):
        m, v = "[1 2 3; 4 5 6]", "[1 2 3]"
        self.gives("0 0 0\n3 3 3", "sub", m, v)
        self.gives("0 0 0\n3 3 3", "sub", m, v, "--broadcast", "numpy", "--dialect", "sonnx")
        self.gives("0 0 0\n3 3 3", "sub", m, v, "--dialect", "onnx")
        self.gives("-9 -8 -7\n-96 -95 -94", "sub", m, "[10 100]", "--broadcast", "matlab")
        self.gives("-9 -8 -7\n-96 -95 -94", "sub", m, "[10 100]", "--broadcast", "paddle", "--axis", "0")
        self.gives("0 0 0\n3 3 3", "sub", m, v, "--broadcast", "paddle", "--axis", "-1")
        self.gives("0 0 0\n3 3 3", "sub", m, v, "--broadcast", "paddle", "--axis=1")
        self.refused("SONNX-SUB-FLOAT-C1", "sub", m, v, "--dialect", "sonnx")
        self.refused("SONNX-SUB-FLOAT-C1", "sub", m, v, "--broadcast", "none", "--dialect", "sonnx")
        self.refused("shapes must be the same", "sub", m, v, "--broadcast", "none")


class Forms(CliTest):
    def test_hex(self):
        self.gives("0x3fe0000000000000 0x8000000000000000 0x7ff8000000000000", "div", "[1 -0 0]", "[2 1 0]", "--hex")
        for t, bits in (("fp16", "0x3555"), ("bf16", "0x3eab"), ("fp32", "0x3eaaaaab")):
            self.gives(bits, "div", "1", "3", "--type", t, "--hex")
        self.gives("0xf 0x7", "sub", "[0 0]", "[1 -7]", "--type", "int4", "--hex")
        self.gives("0xffff", "sub", "0", "1", "--type", "uint16", "--hex")
        self.gives("1/3", "div", "1", "3", "--type", "real", "--hex")

    def test_json(self):
        answer = json.loads(self.output("div", "[1 -1 0 0 1e-310 3]", "[0 0 0 5 1 2]", "--json"))
        self.assertEqual(answer, {"shape": [6], "type": "fp64", "values": ["inf", "-inf", "nan", 0, 1e-310, 1.5],
                                  "counts": {"nan": 1, "inf": 2, "zero": 1, "subnormal": 1}})
        answer = json.loads(self.output("mul", "[1 2; 3 4]", "[1 2; 3 4]", "--type", "uint8", "--json"))
        self.assertEqual((answer["shape"], answer["type"], answer["values"]), ([2, 2], "uint8", [1, 4, 9, 16]))
        self.assertEqual(json.loads(self.output("div", "1", "3", "--type", "real", "--json"))["values"], ["1/3"])
        self.assertEqual(json.loads(self.output("div", "1", "2", "--json"))["shape"], [])
        empty = json.loads(self.output("div", "[[] []]", "[[] []]", "--json"))
        self.assertEqual((empty["shape"], empty["values"]), ([2, 0], []))
        native = ("--json", "--dialect", "native", "--type")
        self.assertEqual(json.loads(self.output("add", "1+2i", "inf", *native, "complex64"))["values"], [["inf", 2]])
        self.assertEqual(json.loads(self.output("mul", "true", "false", *native, "bool"))["values"], [False])

    def test_json_keeps_the_sign_of_zero_and_all_of_64_bits(self):
        value = json.loads(self.output("mul", "0", "-1", "--json"))["values"][0]
        self.assertEqual(str(value), "-0.0")
        big = 2 ** 64 - 1
        self.assertEqual(json.loads(self.output("mul", big, 1, "--type", "uint64", "--json"))["values"], [big])

    def test_json_with_hex_and_plan(self):
        answer = json.loads(self.output("div", "1", "2", "--json", "--hex", "--explain"))
        self.assertEqual(answer["values"], ["0x3fe0000000000000"])
        self.assertIn("loop", answer["plan"])

    def test_files_as_exact_numbers(self):
        np.save(self.folder / "tenth.npy", np.array([0.1, 2.5]))
        self.gives("3602879701896397/108086391056891904 5/6", "div", "tenth.npy", "3", "--type", "real", "--broadcast", "numpy")
        np.save(self.folder / "nan.npy", np.array([1.0, np.nan], np.float32))
        self.refused("'nan.npy' holds nan at index \\(1\\)", "div", "nan.npy", "[1 1]", "--type", "real")
        np.save(self.folder / "z.npy", np.array([1j]))
        self.refused("complex128 elements", "div", "z.npy", "[1]", "--type", "real")

    def test_decimals(self):
        real = ("--type", "real", "--decimals")
        self.gives("61/30 (2.0333) 95/33 (2.8788) 7 (7.0000)", "div", "[6.1 9.5 35.7]", "[3.0 3.3 5.1]", *real, 4)
        self.gives("1/3 (0)", "div", "1", "3", *real, 0)
        self.gives("[] (0)", "div", "[]", "[]", *real, 2)
        self.gives("1/8 (0.12) 3/8 (0.38)\n-1/8 (-0.12) 1 (1.00)", "div", "[1 3; -1 8]", "[8 8; 8 8]", *real, 2)


if __name__ == "__main__":
    unittest.main()
