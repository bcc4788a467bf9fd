"""hadamard run: graphs as exporters and people make them."""
import os
import resource
import unittest

import numpy as np
import onnx
from onnx import helper, numpy_helper

import oracle
from models import ModelTest, T, model, node, simple, tensor, value
from oracle import TYPES

PLAIN = tensor("fp32", [1, 2])


def chain(length, type_="fp64"):
    """x -> x+k, ·k, /k, -k … : one node after the other."""
    ops = ["Add", "Mul", "Div", "Sub", "Max", "Min"]
    nodes, constants = [], {}
    for i in range(length):
        constants[f"k{i}"] = tensor(type_, [i + 2, 3 - i, i + 1])
        nodes.append(node(ops[i % len(ops)], [f"t{i}", f"k{i}"], [f"t{i + 1}"], name=f"n{i}"))
    return nodes, constants


class Run(ModelTest):
    def runs(self, made, inputs, expected, **options):
        found = self.run_model(made, inputs, {n: t.type for n, t in expected.items()}, **options)
        for name, result in expected.items():
            self.same(found[name], result, name)

    def test_a_chain_of_50_nodes(self):
        for length, backwards in ((50, False), (50, True), (2000, True)):
            nodes, constants = chain(length)
            bits = list(tensor("fp64", ["0.1", "-7.3", "1e10"]).bits)
            for made, k in zip(nodes, constants.values()):
                bits = [oracle.apply(made.op_type, TYPES["fp64"], x, y) for x, y in zip(bits, k.bits)]
            made = model(nodes[::-1] if backwards else nodes, [value("t0", "fp64", (3,))],
                         [value(f"t{length}", "fp64", (3,))], constants)
            self.runs(made, {"t0": tensor("fp64", ["0.1", "-7.3", "1e10"])},
                      {f"t{length}": T("fp64", (3,), tuple(bits))})

    def test_opsets_and_ir_versions(self):
        for opset in (7, 8, 11, 12, 13, 14, 17, 25):
            for ir in (3, 8, 11):
                with self.subTest(opset=opset, ir=ir):
                    inputs = [value("A", "fp32", (2,))] + ([value("B", "fp32", (2,))] if ir == 3 else [])
                    made = model([node("Add", ["A", "B"], ["Y"])], inputs, [value("Y", "fp32", (2,))], {"B": PLAIN},
                                 opset, ir)
                    self.runs(made, {"A": PLAIN}, {"Y": tensor("fp32", [2, 4])})

    def test_the_domain_has_two_names(self):
        made = simple("Add")
        made.opset_import[0].domain = "ai.onnx"
        made.graph.node[0].domain = "ai.onnx"
        self.runs(made, {"A": PLAIN, "B": PLAIN}, {"Y": tensor("fp32", [2, 4])})

    def test_an_input_with_an_initializer_may_be_given(self):
        made = model([node("Add", ["A", "B"], ["Y"])], [value("A", "fp32", (2,)), value("B", "fp32", (2,))],
                     [value("Y", "fp32", (2,))], {"B": PLAIN}, ir=3)
        self.runs(made, {"A": PLAIN}, {"Y": tensor("fp32", [2, 4])})
        self.runs(made, {"A": PLAIN, "B": tensor("fp32", [10, 20])}, {"Y": tensor("fp32", [11, 22])})
        self.refused_run(r"input 'B'.* twice", made, {"A": PLAIN, "B": PLAIN}, "B=in1.npy")
        self.refused_run(r"tensor 'B': it is fp64; .* FLOAT", made, {"A": PLAIN, "B": tensor("fp64", [1, 2])})
        self.refused_run(r"tensor 'B': its shape is \(3\); .*\(2\)", made,
                         {"A": PLAIN, "B": tensor("fp32", [1, 2, 3])})

    def test_an_initializer_that_is_no_input_may_not(self):
        made = model([node("Add", ["A", "B"], ["Y"])], [value("A", "fp32", (2,))], [value("Y", "fp32", (2,))],
                     {"B": PLAIN})
        self.refused_run(r"'B=in1.npy' is not NAME=FILE with the name of an input; the model's are: 'A'", made,
                         {"A": PLAIN, "B": PLAIN})

    def test_external_data(self):
        b = T("fp32", (300,), tuple(range(300)))
        a = T("fp32", (300,), (0,) * 300)
        made = model([node("Add", ["A", "B"], ["Y"])], [value("A", "fp32", (300,))], [value("Y", "fp32", (300,))],
                     {"B": b})
        onnx.save_model(made, str(self.folder / "ext.onnx"), save_as_external_data=True, location="w.bin",
                        size_threshold=0)
        self.assertTrue((self.folder / "w.bin").is_file())
        self.runs((self.folder / "ext.onnx").read_bytes(), {"A": a}, {"Y": b})
        (self.folder / "w.bin").write_bytes(b"short")
        self.refused_run(r"'B'.*external data.*w\.bin", (self.folder / "ext.onnx").read_bytes(), {"A": a})

    def test_constants(self):
        """ONNX-CONSTANT"""
        nodes = [node("Constant", [], ["t"], value=tensor("int16", [-3, 4]).proto()),
                 node("Constant", [], ["f"], value_float=0.1), node("Constant", [], ["fs"], value_floats=[1.5, -0.0]),
                 node("Constant", [], ["i"], value_int=-7), node("Constant", [], ["is"], value_ints=[1 << 40, -1]),
                 node("Constant", [], ["none"])]
        nodes[-1].attribute.add(name="value_ints", type=onnx.AttributeProto.INTS)
        expected = {"t": tensor("int16", [-3, 4]), "f": tensor("fp32", 0.1, ()), "fs": tensor("fp32", [1.5, -0.0]),
                    "i": tensor("int64", -7, ()), "is": tensor("int64", [1 << 40, -1]),
                    "none": tensor("int64", [])}
        made = model(nodes, [], [value(n, t.type, t.shape) for n, t in expected.items()])
        self.runs(made, {}, expected)

    def test_clip_with_attributes(self):
        x = tensor("fp32", [-2, -0.0, 0.25, 9, oracle.INF, float("nan")])
        for attributes, expected in (({"min": -1.0, "max": 0.5}, [-1, -0.0, 0.25, 0.5, 0.5, float("nan")]),
                                     ({"max": 0.5}, [-2, -0.0, 0.25, 0.5, 0.5, float("nan")]),
                                     ({"min": 0.0}, [0, 0.0, 0.25, 9, oracle.INF, float("nan")])):
            with self.subTest(**attributes):
                made = model([node("Clip", ["X"], ["Y"], **attributes)], [value("X", "fp32", (6,))],
                             [value("Y", "fp32", (6,))], opset=7)
                self.runs(made, {"X": x}, {"Y": tensor("fp32", expected)})
        for bad in ({"min": 1}, {"max": "x"}, {"min": [0.5]}):
            with self.subTest(**bad):
                made = model([node("Clip", ["X"], ["Y"], name="c", **bad)], [value("X", "fp32", (6,))],
                             [value("Y", "fp32", (6,))], opset=7)
                self.refused_run(r"node 0 'c' \(Clip\): .*attribute.*\[ONNX-NODE-ATTRIBUTES\]", made, {"X": x})
        made = model([node("Clip", ["X"], ["Y"], name="c", min=1.0)], [value("X", "fp32", (6,))],
                     [value("Y", "fp32", (6,))], opset=11)
        self.refused_run(r"node 0 'c' \(Clip\): .*'min'.*opset 11.*\[ONNX-NODE-ATTRIBUTES\]", made, {"X": x})

    def test_broadcasting_is_of_the_profile_onnx(self):
        shapes = [((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 3)), ((2, 3), ()), ((0, 3), (1, 1)), ((4, 1, 3), (2, 1))]
        for a, b in shapes:
            with self.subTest(a=a, b=b):
                rng = np.random.default_rng(1)
                x, y = (rng.integers(-50, 50, s).astype("f4") for s in (a, b))
                z, m = x * y, np.maximum(x, y)
                made = model([node("Mul", ["A", "B"], ["Y"], name="n"), node("Max", ["A", "B", "A"], ["M"], name="m"),
                              node("Where", ["C", "A", "B"], ["W"])],
                             [value("A", "fp32", a), value("B", "fp32", b), value("C", "bool", ())],
                             [value(n, "fp32", z.shape) for n in ("Y", "M", "W")])

                def of(array):
                    return T.from_raw("fp32", array.shape, array.astype("f4").tobytes())
                inputs = {"A": of(x), "B": of(y), "C": T("bool", (), (1,))}
                self.runs(made, inputs, {"Y": of(z), "M": of(m), "W": of(np.broadcast_to(x, z.shape))}, profile="onnx")
                text = self.refused_run(r"node 0 'n' \(Mul\), tensor 'B': .*no implicit broadcast", made, inputs)
                self.assertIn("[SONNX-MUL-FLOAT-C1]", text)
        self.refused_run(r"node 0 'n' \(Mul\), tensor 'B': its shape is \(2\).*ONNX's", simple("Mul", shape=None),
                         {"A": tensor("fp32", [1, 2, 3]), "B": PLAIN}, "--profile", "onnx")

    def test_powers_of_another_type(self):
        """The result has the base's type. What cannot be had exactly is refused, not guessed."""
        nan = float("nan")
        cases = [("fp32", [2, -3, 0.5, nan], "int64", [10, 3, -2, 0], [1024, -27, 4, 1]),
                 ("fp32", [2, 2, 1, 3], "fp64", [0.5, nan, nan, -1],
                  [oracle.Fraction(0x16a09e6, 1 << 24), nan, 1, oracle.Fraction(1, 3)]),
                 ("int32", [2, -3, 7, 9], "int64", [10, 3, 0, 1], [1024, -27, 1, 9]),
                 ("int64", [2, -3, 7, 9], "fp32", [10, 3, 0, 0.5], [1024, -27, 1, 3]),
                 ("fp16", [2, 3, 4, 300], "uint8", [10, 2, 0, 2], [1024, 9, 1, oracle.INF]),
                 ("fp64", [2, 3, 4, 300], "bf16", [10, 2, 0.5, 2], [1024, 9, 2, 90000])]
        for base, x, exponent, y, z in cases:
            with self.subTest(base, exponent=exponent):
                made = model([node("Pow", ["X", "E"], ["Y"], name="p")],
                             [value("X", base, (4,)), value("E", exponent, (4,))], [value("Y", base, (4,))])
                given = {"X": tensor(base, x), "E": tensor(exponent, y)}
                self.runs(made, given, {"Y": tensor(base, z)}, profile="onnx")
                self.refused_run(r"node 0 'p' \(Pow\), tensor 'E': .*\[SONNX-(POW-TYPES|R2)\]", made, given)
        for base, x, exponent, y in (("fp32", 2, "fp64", 0.1), ("int32", 2, "int64", 1 << 32),
                                     ("int64", (1 << 53) + 1, "fp32", 0.5), ("fp32", 2, "int64", (1 << 53) + 1),
                                     ("int32", 2, "fp32", 1 << 31), ("int64", 1, "fp64", 1 << 63),
                                     ("fp64", 2, "int64", (1 << 53) + 1)):
            with self.subTest(base, x=x, exponent=exponent, y=y):
                made = model([node("Pow", ["X", "E"], ["Y"], name="p")], [value("X", base, (1,)),
                                                                       value("E", exponent, (1,))],
                             [value("Y", base, (1,))])
                self.refused_run(r"node 0 'p' \(Pow\): the (base|exponent) is \w+ .*cast it first", made,
                                 {"X": tensor(base, [x]), "E": tensor(exponent, [y])}, "--profile", "onnx")
        for exponent in ("bool", "complex64"):
            made = model([node("Pow", ["X", "E"], ["Y"], name="p")], [value("X", "fp32", (1,)),
                                                                   value("E", exponent, (1,))],
                         [value("Y", "fp32", (1,))])
            self.refused_run(r"node 0 'p' \(Pow\), tensor 'E': it is (bool|complex64); .*\[ONNX-POW-TYPES\]", made,
                             {"X": tensor("fp32", [1]), "E": T(exponent, (1,), (0,))}, "--profile", "onnx")

    def test_powers_of_integers_with_float_exponents(self):
        """A whole exponent means the integer power: exact, modulo 2^n; another one the real power, cast."""
        inf, nan = oracle.INF, float("nan")
        big, huge = (1 << 53) + 1, (1 << 63) - 1
        cases = [("int64", [big, -big, huge, 3, 3], "fp64", [1, 1, 1, 39, 41],
                  [big, -big, huge, 3 ** 39, 3 ** 41 - (1 << 64)]),
                 ("int32", [3, 2, -2, 50000, 7], "fp32", [21, 31, 32, 2, -0.0],
                  [3 ** 21 - 2 * (1 << 32), -(1 << 31), 0, 50000 ** 2 - (1 << 32), 1]),
                 ("int32", [1, -1, -1, 2, -5], "fp16", [-3, -3, -2, -1, -1], [1, -1, 1, 0, 0]),
                 ("int64", [big, 9, 0, -4, 4], "bf16", [2, 0.5, 0.5, 0.5, -0.5],
                  [(big ** 2 + (1 << 63)) % (1 << 64) - (1 << 63), 3, 0, 0, 0]),
                 ("int32", [2, 2, 1, 5, 0], "fp32", [inf, -inf, nan, nan, -0.5],
                  [(1 << 31) - 1, 0, 1, 0, (1 << 31) - 1])]
        for base, x, exponent, y, z in cases:
            with self.subTest(base, exponent=exponent):
                made = model([node("Pow", ["X", "E"], ["Y"], name="p")],
                             [value("X", base, (5,)), value("E", exponent, (5,))], [value("Y", base, (5,))])
                self.runs(made, {"X": tensor(base, x), "E": tensor(exponent, y)}, {"Y": tensor(base, z)},
                          profile="onnx")
        made = model([node("Pow", ["X", "E"], ["Y"], name="p")], [value("X", "int64", (2, 1)), value("E", "fp32", (3,))],
                     [value("Y", "int64", (2, 3))])
        self.runs(made, {"X": tensor("int64", [4, 9], (2, 1)), "E": tensor("fp32", [0.5, 3, -1])},
                  {"Y": tensor("int64", [2, 64, 0, 3, 729, 0], (2, 3))}, profile="onnx")
        self.refused_run(r"node 0 'p' \(Pow\): .* 0 at index \(1,0\)", made,
                         {"X": tensor("int64", [1, 0], (2, 1)), "E": tensor("fp32", [-1, 0.5, 2])},
                         "--profile", "onnx")

    def test_shapes(self):
        for shape in ((), (0,), (3, 0, 2), (1,) * 8, (2, 1, 2, 1, 2, 1, 2, 3)):
            count = int(np.prod(shape))
            for type_ in ("fp32", "int4", "uint64"):
                with self.subTest(shape=shape, type=type_):
                    x = T(type_, shape, tuple(i % 8 for i in range(count)))
                    made = model([node("Sub", ["A", "A"], ["D"]), node("Max", ["A", "D"], ["M"])],
                                 [value("A", type_, shape)], [value("D", type_, shape), value("M", type_, shape)])
                    for form in ("npy", "pb"):
                        found = self.run_model(made, {"A": x}, {"D": type_, "M": type_}, form, form)
                        self.same(found["D"], T(type_, shape, (0,) * count), "D")
                        if type_ != "fp32":
                            self.same(found["M"], T(type_, shape, tuple(
                                TYPES[type_].wrap(max(TYPES[type_].value(b), 0)) for b in x.bits)), "M")

    def test_symbolic_shapes_are_settled_by_the_inputs(self):
        made = simple("Add", shape=("N", None))
        x = tensor("fp32", [1, 2, 3, 4], (2, 2))
        self.runs(made, {"A": x, "B": x}, {"Y": tensor("fp32", [2, 4, 6, 8], (2, 2))})
        self.refused_run(r"node 0 'n' \(Add\), tensor 'B'", made, {"A": x, "B": tensor("fp32", [1, 2], (1, 2))})
        self.refused_run(r"tensor 'A': its shape is \(2\); .*\(N,\?\)", made, {"A": PLAIN, "B": PLAIN})

    def test_fortran_order_and_big_endian_files(self):
        made = simple("Sub", "int16", (2, 3))
        a = np.arange(6, dtype=">i2").reshape(2, 3)
        np.save(self.folder / "a.npy", np.asfortranarray(a))
        np.save(self.folder / "b.npy", np.ones((2, 3), "<i2"))
        self.output("run", self.save(made), "A=a.npy", "B=b.npy", "-o", "out")
        np.testing.assert_array_equal(np.load(self.folder / "out/Y.npy"), a - 1)

    def test_outputs_that_are_inputs_or_constants(self):
        made = model([node("Identity", ["A"], ["I"]), node("Identity", ["I"], ["J"])],
                     [value("A", "fp32", (2,))], [value(n, "fp32", (2,)) for n in ("A", "K", "J", "I", "J")],
                     {"K": tensor("fp32", [5, 6])})
        self.runs(made, {"A": PLAIN}, {"A": PLAIN, "K": tensor("fp32", [5, 6]), "I": PLAIN, "J": PLAIN})

    def test_an_input_is_replaced_by_the_output_of_its_name(self):
        """Also a file that is read in place, because it is large."""
        x = np.arange(400_000, dtype="f4")
        made = model([node("Neg", ["B"], ["C"])], [value(n, "fp32", x.shape) for n in "AB"],
                     [value(n, "fp32", x.shape) for n in "ABC"])
        np.save(self.folder / "A.npy", x + 1)
        np.save(self.folder / "B.npy", x)
        self.output("run", self.save(made), "A=B.npy", "B=A.npy", "-o", ".")
        for name, expected in (("A", x), ("B", x + 1), ("C", -(x + 1))):
            np.testing.assert_array_equal(np.load(self.folder / f"{name}.npy"), expected)
        self.output("run", "m.onnx", "A=A.npy", "B=B.npy", "-o", ".", "--format", "pb")
        np.testing.assert_array_equal(numpy_helper.to_array(onnx.load_tensor(str(self.folder / "B.pb"))), x + 1)

    def test_unused_nodes_and_inputs(self):
        made = model([node("Add", ["A", "A"], ["Y"]), node("Mul", ["U", "Y"], ["unused"]),
                      node("Constant", [], ["also"], value_int=1)],
                     [value("A", "fp32", (2,)), value("U", "fp32", (2,))], [value("Y", "fp32", (2,))])
        self.runs(made, {"A": PLAIN, "U": PLAIN}, {"Y": tensor("fp32", [2, 4])})
        self.refused_run(r"NAME=FILE is missing for 'U' \(fp32 \(2\)\)", made, {"A": PLAIN})

    def test_names(self):
        """Any name will do; a file's name is the tensor's, with %XX for what files should not have."""
        names = {"a b": "a%20b", "a=b": "a%3Db", "a": "a", "p/q/../r": "p%2Fq%2F..%2Fr", "ä→": "%C3%A4%E2%86%92",
                 "..": "%2E.", "-o": "-o", "new\nline": "new%0Aline", "%20": "%2520", "A": "A", "it's": "it%27s"}
        inputs = [f"{n}=in" for n in names]
        made = model([node("Neg", [i], [n]) for i, n in zip(inputs, names)],
                     [value(n, "fp32", (2,)) for n in inputs], [value(n, "fp32", (2,)) for n in names])
        PLAIN.save(self.folder / "x.npy")
        arguments = [f"{n}=x.npy" for n in inputs]
        self.output("run", self.save(made), "-o", "out", "--", *arguments)
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()),
                         sorted(f + ".npy" for f in names.values()))

    def test_long_names(self):
        names = ["x" * 300, "x" * 299 + "y", "ä" * 100, "y" * 251, "y" * 250]
        made = model([node("Neg", ["A"], [n]) for n in names], [value("A", "fp32", (2,))],
                     [value(n, "fp32", (2,)) for n in names])
        PLAIN.save(self.folder / "x.npy")
        for to in ("npy", "pb"):
            self.output("run", self.save(made), "A=x.npy", "-o", "out", "--format", to)
            files = sorted(p.name for p in (self.folder / "out").glob("*." + to))
            self.assertEqual(len(files), len(names), files)
            self.assertIn("y" * 250 + "." + to, files)
            self.assertTrue(all(len(f) <= 255 for f in files), files)
        found = {onnx.load_tensor(str(p)).name for p in (self.folder / "out").glob("*.pb")}
        self.assertEqual(found, set(names))

    def test_printed(self):
        made = model([node("Div", ["A", "B"], ["Y"]), node("Cast", ["A"], ["Z"], to=7)],
                     [value(n, "fp32", (2,)) for n in "AB"], [value("Y", "fp32", (2,)), value("Z", "int64", (2,))])
        PLAIN.save(self.folder / "x.npy")
        tensor("fp32", [0, 3]).save(self.folder / "y.pb")
        self.gives("'Y' fp32 (2)\ninf 0.6666667\n'Z' int64 (2)\n1 2", "run", self.save(made), "A=x.npy", "B=y.pb")
        self.gives("'Y' fp32 (2)\n0x7f800000 0x3f2aaaab\n'Z' int64 (2)\n0x0000000000000001 0x0000000000000002", "run",
                   "m.onnx", "A=x.npy", "B=y.pb", "--hex")
        self.assertEqual(self.output("run", "m.onnx", "A=-", "B=y.pb", stdin=(self.folder / "x.npy").read_bytes()),
                         self.output("run", "m.onnx", "A=x.npy", "B=y.pb"))

    def test_providers_and_threads_change_no_bit(self):
        x = tensor("fp32", [i * oracle.Fraction(1, 7) for i in range(1, 300)])
        ops = ["Exp", "Log", "Tanh", "Sigmoid", "Sqrt", "Round"]
        made = model([node(op, ["A"], [op]) for op in ops] + [node("Pow", ["A", "Tanh"], ["P"])],
                     [value("A", "fp32", x.shape)], [value(n, "fp32", x.shape) for n in ops + ["P"]])
        outputs = {n: "fp32" for n in ops + ["P"]}
        first = self.run_model(made, {"A": x}, outputs)
        for env in ({"HADAMARD_PROVIDER": "ref"}, {"HADAMARD_CPU": "scalar"}, {"HADAMARD_THREADS": "1"}):
            self.assertEqual(self.run_model(made, {"A": x}, outputs, env=env), first, env)

    def test_two_outputs_or_none(self):
        """Where the second cannot be written, the first is not either."""
        made = model([node("Neg", ["A"], ["Y"]), node("Abs", ["A"], ["Z"])], [value("A", "fp32", (2,))],
                     [value("Y", "fp32", (2,)), value("Z", "fp32", (2,))])
        for form in ("npy", "pb"):
            out = self.folder / f"to-{form}"
            out.mkdir()
            (out / f"Y.{form}").write_bytes(b"old")
            (out / f"Z.{form}").mkdir()
            PLAIN.save(self.folder / "x.npy")
            self.refused(rf"Z\.{form}", "run", self.save(made), "A=x.npy", "-o", out.name, "--format", form)
            self.assertEqual((out / f"Y.{form}").read_bytes(), b"old")
            self.assertEqual(sorted(os.listdir(out)), [f"Y.{form}", f"Z.{form}"])

    def test_a_disk_that_is_full_at_the_second_output(self):
        made = model([node("Neg", ["A"], ["Y"]), node("Neg", ["B"], ["Z"])],
                     [value("A", "fp32", (2,)), value("B", "fp32", (50000,))],
                     [value("Y", "fp32", (2,)), value("Z", "fp32", (50000,))])
        PLAIN.save(self.folder / "x.npy")
        np.save(self.folder / "y.npy", np.zeros(50000, "f4"))
        for form in ("npy", "pb"):
            self.refused(rf"Z\.{form}", "run", self.save(made), "A=x.npy", "B=y.npy", "-o", "out", "--format", form,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)))
            self.assertEqual(os.listdir(self.folder / "out"), [])

    def test_many_outputs(self):
        """More than a process may have open files: all, or none where the last cannot be written."""
        names = [f"y{i}" for i in range(1500)]
        made = model([node("Neg", ["A"], [n]) for n in names], [value("A", "fp32", (2,))],
                     [value(n, "fp32", (2,)) for n in names])
        PLAIN.save(self.folder / "x.npy")
        out = self.folder / "out"
        (out / "y1499.npy").mkdir(parents=True)
        self.refused(r"y1499\.npy", "run", self.save(made), "A=x.npy", "-o", "out")
        self.assertEqual(os.listdir(out), ["y1499.npy"])
        (out / "y1499.npy").rmdir()
        self.output("run", "m.onnx", "A=x.npy", "-o", "out",
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200)))
        self.assertEqual(len(os.listdir(out)), 1500)

    def test_the_folder_is_made(self):
        PLAIN.save(self.folder / "x.npy")
        self.output("run", self.save(simple("Add")), "A=x.npy", "B=x.npy", "-o", "a/b/c")
        self.assertTrue((self.folder / "a/b/c/Y.npy").is_file())
        (self.folder / "file").write_bytes(b"x")
        for name, is_ in (("file", "is a file"), ("new.npy", "has the name of a file")):
            self.refused(rf"-o '{name}' {is_}, but must be a folder.*; give the name of a folder", "run", "m.onnx",
                         "A=x.npy", "B=x.npy", "-o", name)
        self.assertEqual((self.folder / "file").read_bytes(), b"x")

    def test_functions_of_the_model_itself_are_not_run(self):
        made = simple("Add")
        made.functions.append(onnx.FunctionProto(name="Mine", domain="mine"))
        made.opset_import.append(helper.make_opsetid("mine", 1))
        self.runs(made, {"A": PLAIN, "B": PLAIN}, {"Y": tensor("fp32", [2, 4])})
        made.graph.node[0].op_type, made.graph.node[0].domain = "Mine", "mine"
        self.refused_run(r"node 0 'n' \(Mine\): 'Mine' is of the domain 'mine'; supported are Abs, Add", made,
                         {"A": PLAIN, "B": PLAIN})


if __name__ == "__main__":
    unittest.main()
