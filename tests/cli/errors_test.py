"""Every error: one line on standard error that says what was expected, what came and where; exit code 2."""
import unittest

import numpy as np
from program import OPERATORS, SIGNED, UNSIGNED, CliTest


class Usage(CliTest):
    def test_commands(self):
        self.refused("(?i)command", )
        self.refused("'frobnicate'.*add, sub, mul, div", "frobnicate")
        self.refused("'frobnicate'", "frobnicate", "--help")

    def test_arguments(self):
        for op in OPERATORS:
            self.refused("A is required", op)
            self.refused("B is required", op, "1")
            self.refused("too many operands", op, "1", "2", "3")
            self.refused("'--bogus' is no option.*hadamard " + op + " --help", op, "1", "2", "--bogus")
            self.refused("'--hlep' is no option", op, "--hlep")
            self.refused("'-x' is no option", op, "-x", "2")
            self.refused("quote a literal", op, "[6.1", "9.5", "35.7]", "[3.0", "3.3", "5.1]")
        self.refused("required", "diff", "1")
        self.refused("takes two operands", "explain", "div", "1")
        self.refused("takes one operand", "explain", "neg", "1", "2")
        self.refused("too many operands", "info", "1", "2")
        self.refused("'powder' is no operator.* add sub mul div", "explain", "powder", "1", "2")

    def test_help_as_a_command(self):
        self.assertEqual(self.output("help", "div"), self.output("div", "--help"))
        self.assertEqual(self.output("help"), self.output("--help"))

    def test_advice(self):
        self.refused("--broadcast numpy or --dialect onnx", "div", "[1 2]", "2", "--dialect", "sonnx")
        self.refused("--broadcast numpy or --dialect onnx", "explain", "div", "[1 2]", "2", "--at", "1",
                     "--dialect", "sonnx")
        self.refused("--dialect native has every type", "mul", "i", "2i", "--type", "complex64", "--dialect", "sonnx")
        self.refused("--dialect native has every operator", "sin", "1", "--dialect", "sonnx")
        self.refused("called fp32 here", "div", "1", "2", "--type", "float32")
        self.refused("no file 'nosuch.npy'$", "div", "nosuch.npy", "2")
        self.refused("no file 'banana', and it is no number", "div", "banana", "2")
        self.refused("leave out -o", "div", "1", "2", "-o", "y.npy", "--json")

    def test_names_that_others_have_for_operators(self):
        for word, command in (("elementwise_div", "div --dialect paddle"), ("Sub", "sub --dialect onnx"),
                              ("rdivide", "div --dialect matlab"), ("softshrink_", "expected one of: add, "),
                              ("", "expected one of: add, ")):
            self.refused(f"'{word}' is no command; .*{command}", word, "1", "2")

    def test_values_of_options(self):
        one = ("div", "1", "2")
        self.refused("--type 'fp128'.*fp64", *one, "--type", "fp128")
        self.refused("--dialect 'onyx'.*sonnx, onnx", *one, "--dialect", "onyx")
        self.refused("--act 'gelu' is not known; of dialect native expected one of: .*relu.*log1p.*pow.*neg", *one, "--act", "gelu")
        self.refused("of dialect sonnx expected one of: ((?!log1p).)*$", *one, "--act", "gelu", "--dialect", "sonnx")
        self.refused("of dialect paddle expected one of: ((?!neg).)*$", *one, "--act", "gelu", "--dialect", "paddle")
        self.refused("--act 'add' is not known", *one, "--act", "add")
        self.assertEqual(self.output(*one, "--act", "neg"), "-0.5\n")
        self.assertEqual(self.output(*one, "--act", "hard_shrink", "--dialect", "paddle"), "0\n")
        self.assertEqual(self.output(*one, "--act", "log1p"), "0.4054651081081644\n")
        self.refused("means something with --dialect paddle", *one, "--axis", "1")
        self.refused("--broadcast 'all'.*none, numpy, matlab, paddle", *one, "--broadcast", "all")
        self.refused("--int-division 'up'.*floor, trunc", *one, "--int-division", "up")
        self.refused("--axis 1", *one, "--axis", "1")
        self.refused("--axis 1 has no meaning with --broadcast numpy", *one, "--dialect", "paddle", "--broadcast", "numpy",
                     "--axis", "1")
        self.refused("--axis: '99999999999' is too large", *one, "--broadcast", "paddle", "--axis", "99999999999")
        for wrong in ("x", "", "1.5", "0x1", "1 "):
            self.refused(f"--axis: '{wrong}' is no whole number such as 1", *one, "--broadcast", "paddle", "--axis", wrong)
        self.refused("(?i)axis", "div", "[1 2; 3 4]", "[1 2]", "--broadcast", "paddle", "--axis", "2")
        self.refused("(?i)axis", "div", "[1 2; 3 4]", "[1 2]", "--broadcast", "paddle", "--axis", "-2")
        self.refused("--decimals is for --type real", *one, "--decimals", "3")
        self.refused("--decimals -1 is outside", *one, "--type", "real", "--decimals", "-1")
        self.refused("--type 'x'", "diff", "1", "2", "--type", "x")
        self.refused("--type 'x'", "info", "1", "--type", "x")
        self.refused("required|argument", *one, "--type")

    def test_empty_names_are_not_taken_for_missing_ones(self):
        self.refused("empty", "div", "", "1")
        self.refused("empty", "div", "1", " ")
        self.refused("empty", "div", "1", "2", "-o", "")
        self.refused("empty", "info", "")

    def test_forced_providers_that_do_not_exist(self):
        for command in (["div", "1", "2"], ["explain", "div", "1", "2"]):
            self.refused("CPU target.*'mmx'.*scalar", *command, env={"HADAMARD_CPU": "mmx"})
            self.refused("provider.*'gpu'.*cpu, ref", *command, env={"HADAMARD_PROVIDER": "gpu"})
            self.refused("CPU target", *command, env={"HADAMARD_PROVIDER": "ref", "HADAMARD_CPU": "mmx"})
        self.gives("0.5", "div", "1", "2", env={"HADAMARD_CPU": "", "HADAMARD_PROVIDER": "", "HADAMARD_THREADS": ""})

    def test_a_wrong_number_of_threads(self):
        for wrong in ("-1", "two", "2x", "99999999999"):
            self.refused(f"HADAMARD_THREADS is '{wrong}'; it takes a number", "div", "1", "2",
                         env={"HADAMARD_THREADS": wrong})
        for right in ("0", "1", "4096"):
            self.gives("0.5", "div", "1", "2", env={"HADAMARD_THREADS": right})


class Operands(CliTest):
    def test_literals(self):
        for text, place in (("[1 2", "column 5"), ("[1 2]]", "column 6"), ("[1 x]", "column 4"), ("[1 2; 3]", "column"),
                            ("[[1] [2 3]]", "column"), ("[1,,2]", "column 4"), ("[1 - 2]", "column")):
            self.refused(f"operand A: .*{place}", "div", text, "1")
            self.refused(f"operand B: .*{place}", "div", "1", text)
        self.refused("'1e999' overflows fp64", "div", "1e999", "1")
        self.refused("'300'.*-128 … 127", "div", "300", "1", "--type", "int8")
        self.refused("'8'.*-8 … 7", "div", "8", "1", "--type", "int4")
        self.refused("'16'.*0 … 15", "div", "16", "1", "--type", "uint4")
        self.refused("'1.5'", "div", "1.5", "1", "--type", "int32")
        self.refused("nan", "div", "nan", "1", "--type", "int32")
        self.refused("inf", "div", "inf", "1", "--type", "real")
        self.refused("1/0", "div", "1/0", "1", "--type", "real")
        self.refused("'-1'", "div", "-1", "1", "--type", "uint8")

    def test_files(self):
        self.refused("operand A: there is no file 'no.npy'", "div", "no.npy", "1")
        self.refused("operand B: there is no file 'no.npy'", "div", "1", "no.npy")
        self.refused("directory", "div", ".", "1")
        (self.folder / "text.npy").write_text("not a .npy file\n" * 10)
        self.refused("operand B: 'text.npy': .*byte 0", "div", "1", "text.npy")
        (self.folder / "empty.npy").write_bytes(b"")
        self.refused("'empty.npy'", "info", "empty.npy")
        self.refused("both operands are '-'", "div", "-", "-")
        self.refused("'/dev/stdin'", "div", "-", "1", stdin=b"rubbish")

    def test_one_line_whatever_the_text_holds(self):
        self.refused(r"'a\\x0ab'", "div", "a\nb", "1")
        self.refused(r"'a\\x0d\\x1bb'", "div", "a\r\x1bb", "1")
        self.refused("--type", "div", "1", "2", "--type", "a\nb")
        self.refused("a.*b", "div", "1", "2", "--a\nb")
        self.refused("command", "a\nb")


SONNX = ("--dialect", "sonnx")


class Violations(CliTest):
    """Of the SONNX profile: with the clause."""

    def test_shapes(self):
        for op in OPERATORS:
            for t, family in (("real", "REAL"), ("fp32", "FLOAT"), ("int8", "INT")):
                self.refused(rf"\(2\).*\(3\).*\[SONNX-{op.upper()}-{family}-C1: ", op, "[1 2]", "[1 2 3]", "--type", t,
                             *SONNX)
        self.refused(r"\(2,3\).*\(2\)", "add", "[1 2 3; 4 5 6]", "[1 2]", "--dialect", "onnx")

    def test_types(self):
        np.save(self.folder / "f4.npy", np.ones(2, np.float32))
        np.save(self.folder / "f8.npy", np.ones(2))
        np.save(self.folder / "i1.npy", np.ones(2, np.int8))
        np.save(self.folder / "i2.npy", np.ones(2, np.int16))
        np.save(self.folder / "c8.npy", np.ones(2, np.complex64))
        np.save(self.folder / "b1.npy", np.ones(2, bool))
        self.refused(r"fp32.*fp64.*\[SONNX-DIV-FLOAT-C2: ", "div", "f4.npy", "f8.npy", *SONNX)
        self.refused(r"fp32.*fp64.*\[SONNX-MUL-FLOAT-R2: ", "mul", "f4.npy", "f8.npy", *SONNX)
        self.refused(r"int8.*int16.*\[SONNX-SUB-INT-C2: ", "sub", "i1.npy", "i2.npy", *SONNX)
        self.refused("fp32.*fp64", "mul", "f4.npy", "f8.npy", "--dialect", "onnx")
        for name in ("c8.npy", "b1.npy"):
            self.refused(r"\[SONNX-ADD-TYPES: ", "add", name, name, *SONNX)
            self.refused("dialect onnx", "add", name, name, "--dialect", "onnx")
        self.refused("real.*onnx|onnx.*real", "div", "1", "2", "--type", "real", "--dialect", "onnx")

    def test_zero_divisors(self):
        for t in SIGNED + UNSIGNED:
            self.refused(r"index \(1\).*\[SONNX-DIV-INT-C3: ", "div", "[1 2 3]", "[1 0 0]", "--type", t, *SONNX)
        self.refused(r"index \(1,0\).*\[SONNX-DIV-REAL-C2: ", "div", "[1 2; 3 4]", "[1 1; 0 1]", "--type", "real",
                     *SONNX)
        self.refused(r"index \(0,1\)", "div", "[1 2; 3 4]", "[1 0]", "--type", "int64", "--dialect", "onnx")


if __name__ == "__main__":
    unittest.main()
