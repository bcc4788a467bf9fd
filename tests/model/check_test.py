"""hadamard check: every requirement has a model that violates it and nothing else."""
import json
import unittest

import onnx

from hostile_test import sparse
from models import ModelTest, T, model, node, simple, tensor, value


class Check(ModelTest):
    def problems(self, made, *options, code=1):
        """As JSON, after the text has said the same."""
        name = self.save(made)
        found = json.loads(self.output("check", name, "--json", *options, code=code))
        self.assertEqual((found["model"], found["profile"], found["inside"]), (name, "sonnx", code == 0))
        lines = self.output("check", name, *options, code=code).splitlines()
        self.assertEqual(len(lines), len(found["problems"]) + 1)
        for line, problem in zip(lines, found["problems"]):
            where = "  ".join(filter(None, (problem["node"], problem["tensor"] and f"tensor '{problem['tensor']}'")))
            warning = "warning: " if problem["severity"] == "warning" else ""
            self.assertEqual(line, f"{warning}{problem['requirement']}{'  ' if where else ''}{where}: "
                                   f"{problem['found']}; {problem['demanded']}")
        count = sum(p["severity"] == "violation" for p in found["problems"])
        verdict = "inside the profile sonnx" if code == 0 else f"outside the profile sonnx: {count} violation"
        self.assertIn(f"'{name}': {verdict}", lines[-1])
        self.assertEqual(self.output("check", name, "--quiet", *options, code=code), "")
        return found["problems"]

    def violates(self, requirement, made, *options, node_=None, tensor_=None, count=1, warning=False):
        found = self.problems(made, *options, code=0 if warning else 1)
        self.assertEqual([p["requirement"] for p in found], [requirement] * count, found)
        self.assertEqual(found[0]["severity"], "warning" if warning else "violation")
        for key, expected in (("node", node_), ("tensor", tensor_)):
            if expected is not None:
                self.assertEqual(found[0][key], expected, found)
        self.assertTrue(found[0]["found"] and found[0]["demanded"], found)
        return found[0]

    def test_inside(self):
        self.assertEqual(self.problems(simple("Add"), code=0), [])
        self.gives("'m.onnx': inside the profile sonnx (1 node; values of inputs not looked at)", "check", "m.onnx")

    def test_explicit_shapes(self):
        for shape in (None, ("N", 2), (None,), (-1, 2), (1 << 40, 1 << 40)):
            with self.subTest(shape=shape):
                self.violates("SONNX-R1", simple("Neg", shape=shape, inputs=("A",)), count=2, tensor_="A")

    def test_explicit_types(self):
        made = simple("Neg", inputs=("A",))
        made.graph.input[0].ClearField("type")
        self.assertEqual({p["requirement"] for p in self.problems(made)}, {"SONNX-R1", "SONNX-R2"})
        self.violates("SONNX-R2", simple("Identity", 0, inputs=("A",)), count=2, tensor_="A")
        self.violates("SONNX-R2", simple("Identity", 8, inputs=("A",)), count=2, tensor_="A")  # STRING
        self.violates("SONNX-R2", simple("Identity", 17, inputs=("A",)), count=2)  # FLOAT8E4M3FN
        self.violates("SONNX-R2", simple("Identity", 99, inputs=("A",)), count=2)
        made = simple("Neg", inputs=("A",))
        made.graph.output[0].CopyFrom(value("Y", "fp64", (2,)))
        self.violates("SONNX-R2", made, tensor_="Y")

    def test_declarations_that_disagree(self):
        made = simple("Neg", inputs=("A",))
        made.graph.output[0].CopyFrom(value("Y", "fp32", (3,)))
        self.violates("SONNX-R1", made, tensor_="Y")
        made = simple("Neg", inputs=("A",))
        made.graph.value_info.append(value("Y", "fp32", (3,)))
        self.violates("SONNX-R1", made, tensor_="Y")
        made = simple("Neg", inputs=("A",))
        made.graph.value_info.append(value("A", "fp64", (2,)))
        self.violates("SONNX-R2", made, tensor_="A")
        made = model([], [value("A", "fp32", (2,))], [value("A", "fp32", (3,))])
        self.violates("SONNX-R1", made, tensor_="A")
        made = simple("Neg", inputs=("A",))  # what value_info knows, the output must say too
        made.graph.value_info.append(value("Y", "fp32", (2,)))
        made.graph.output[0].CopyFrom(value("Y", "fp32", None))
        self.violates("SONNX-R1", made, tensor_="Y")

    def test_strict(self):
        made = model([node("Neg", ["A"], ["t"]), node("Abs", ["t"], ["Y"])], [value("A", "fp32", (2,))],
                     [value("Y", "fp32", (2,))])
        self.assertEqual(self.problems(made, code=0), [])
        self.assertEqual([(p["requirement"], p["tensor"]) for p in self.problems(made, "--strict")],
                         [("SONNX-R2", "t"), ("SONNX-R1", "t")])
        made.graph.value_info.append(value("t", "fp32", (2,)))
        self.assertEqual(self.problems(made, "--strict", code=0), [])
        made.graph.value_info[0].CopyFrom(value("t", "fp32", (3,)))
        self.violates("SONNX-R1", made, tensor_="t")

    def test_sparse(self):
        made = simple("Neg", inputs=("A",))
        made.graph.sparse_initializer.append(sparse())
        self.violates("SONNX-GR1", made, tensor_="S")
        made = simple("Neg", inputs=("A",))
        made.graph.node.append(node("Constant", [], ["S"], name="c", sparse_value=sparse()))
        self.violates("SONNX-GR1", made, tensor_="S", node_="node 1 'c' (Constant)")
        made = simple("Neg", inputs=("A",))
        made.graph.input[0].type.sparse_tensor_type.elem_type = 1
        self.violates("SONNX-GR1", made, tensor_="A")

    def test_sequences(self):
        made = simple("Neg", inputs=("A",))
        made.graph.input[0].type.sequence_type.elem_type.tensor_type.elem_type = 1
        self.violates("SONNX-R2", made, tensor_="A")

    def test_operators(self):
        found = self.violates("SONNX-OPERATORS", simple("Gemm"), node_="node 0 'n' (Gemm)")
        for op in ("Add Sub Mul Div Identity Constant Cast Neg Abs Sqrt Reciprocal Exp Log Tanh Sigmoid Relu Pow Max "
                   "Min Clip Sign Floor Ceil Round Where").split():
            self.assertIn(op, found["demanded"])
        made = simple("Add")
        made.graph.node[0].domain = "com.microsoft"
        self.violates("SONNX-OPERATORS", made)

    def test_types_of_operators(self):
        self.violates("SONNX-SQRT-TYPES", simple("Sqrt", "int32", inputs=("A",)), tensor_="A",
                      node_="node 0 'n' (Sqrt)")
        self.violates("SONNX-ADD-TYPES", simple("Add", "bool"), count=2)
        self.violates("SONNX-NEG-TYPES", simple("Neg", "uint8", inputs=("A",)))
        self.violates("SONNX-CAST-TYPES", simple("Cast", "complex64", inputs=("A",), to=14))

    def two(self, op, a, b, shape_a=(2,), shape_b=(2,)):
        return model([node(op, ["A", "B"], ["Y"], name="n")], [value("A", a, shape_a), value("B", b, shape_b)],
                     [value("Y", a, shape_a)])

    def test_same_shapes_and_types(self):
        names = {"Add": "ADD", "Sub": "SUB", "Mul": "MUL", "Div": "DIV"}
        for op, id_ in names.items():
            for family, type_, other in (("FLOAT", "fp16", "bf16"), ("INT", "int8", "uint8")):
                with self.subTest(op, family=family):
                    found = self.problems(self.two(op, type_, type_, (2, 3), (3,)))
                    self.assertEqual(len(found), 1)
                    self.assertRegex(found[0]["requirement"], rf"\ASONNX-{id_}-{family}-[CR]1\Z")
                    self.assertEqual(found[0]["tensor"], "B")
                    found = self.problems(self.two(op, type_, other))
                    self.assertEqual(len(found), 1)
                    self.assertRegex(found[0]["requirement"], rf"\ASONNX-{id_}-{family}-[CR]2\Z")
        self.violates("SONNX-DIV-INT-C1", self.two("Div", "int32", "int32", (2,), ()), tensor_="B")
        self.violates("SONNX-DIV-INT-C2", self.two("Div", "int32", "int64"), tensor_="B")
        self.violates("SONNX-DIV-FLOAT-C1", self.two("Div", "fp32", "fp32", (2,), (1,)), tensor_="B")

    def test_constant_zero_divisors(self):
        made = model([node("Div", ["A", "K"], ["Y"], name="n")], [value("A", "int32", (2, 2))],
                     [value("Y", "int32", (2, 2))], {"K": tensor("int32", [1, 2, 0, 0], (2, 2))})
        found = self.violates("SONNX-DIV-INT-C3", made, tensor_="K", node_="node 0 'n' (Div)")
        self.assertIn("(1,0)", found["found"])
        made = model([node("Constant", [], ["K"], value=tensor("int4", [1, 0]).proto()),
                      node("Div", ["A", "K"], ["Y"], name="n")], [value("A", "int4", (2,))],
                     [value("Y", "int4", (2,))])
        self.violates("SONNX-DIV-INT-C3", made, tensor_="K")
        made = model([node("Div", ["A", "K"], ["Y"], name="n")], [value("A", "fp32", (2,))],
                     [value("Y", "fp32", (2,))], {"K": tensor("fp32", [1, -0.0])})
        self.violates("SONNX-DIV-FLOAT-C3", made, tensor_="K", warning=True)
        made = model([node("Div", ["A", "K"], ["Y"], name="n")], [value("A", "int32", (0,))],
                     [value("Y", "int32", (0,))], {"K": tensor("int32", [])})
        self.assertEqual(self.problems(made, code=0), [])

    def test_divisors_computed_from_constants(self):
        k = {"K": tensor("int32", [1, 0]), "L": tensor("int32", [1, -1])}
        for nodes in ([node("Identity", ["K"], ["z"])], [node("Sub", ["K", "K"], ["z"])],
                      [node("Neg", ["K"], ["t"]), node("Mul", ["t", "L"], ["z"])]):
            made = model([*nodes, node("Div", ["A", "z"], ["Y"], name="n")], [value("A", "int32", (2,))],
                         [value("Y", "int32", (2,))], k)
            self.violates("SONNX-DIV-INT-C3", made, tensor_="z")
        made = model([node("Identity", ["L"], ["z"]), node("Div", ["A", "z"], ["Y"])], [value("A", "int32", (2,))],
                     [value("Y", "int32", (2,))], k)
        self.assertEqual(self.problems(made, code=0), [])  # 1 and -1, not what lies between

    def test_all_values(self):
        made = self.two("Div", "int8", "int8")
        self.assertEqual(self.problems(made, code=0), [])
        self.assertEqual({p["requirement"] for p in self.problems(made, "--all-values")},
                         {"SONNX-DIV-INT-C3", "SONNX-DIV-INT-OVERFLOW"})

    def test_reciprocal_of_zero(self):
        made = model([node("Reciprocal", ["A"], ["Y"], name="n")], [value("A", "fp32", (2,))],
                     [value("Y", "fp32", (2,))])
        found = self.problems(made, "--range", "A=[-1,1]", code=0)
        self.assertEqual([(p["requirement"], p["severity"]) for p in found], [("SONNX-R3", "warning")])
        self.assertEqual(self.problems(made, "--range", "A=[1,2]", code=0), [])

    def test_structure(self):
        made = simple("Add")
        made.graph.node[0].input[1] = "Y"
        self.violates("ONNX-GRAPH-ACYCLIC", made, node_="node 0 'n' (Add)", tensor_="Y")
        made = simple("Add", inputs=("A",))
        made.graph.node[0].input.append("W")
        self.violates("ONNX-GRAPH-NAMES", made, node_="node 0 'n' (Add)", tensor_="W")
        made = simple("Add")
        made.graph.output.append(value("Z", "fp32", (2,)))
        self.violates("ONNX-GRAPH-NAMES", made, tensor_="Z")
        made = simple("Add")
        made.graph.node.append(made.graph.node[0])
        self.violates("ONNX-GRAPH-SSA", made, node_="node 1 'n' (Add)", tensor_="Y")
        self.violates("ONNX-NODE-INPUTS", simple("Add", inputs=("A",)), node_="node 0 'n' (Add)")
        self.violates("ONNX-NODE-ATTRIBUTES", simple("Add", axis=0), node_="node 0 'n' (Add)")
        self.violates("ONNX-NODE-ATTRIBUTES", simple("Cast", inputs=("A",)), node_="node 0 'n' (Cast)")
        made = simple("Add")
        made.opset_import[0].version = 6
        self.violates("ONNX-OPSET", made)

    def test_all_violations_are_told(self):
        made = model([node("Gemm", ["A", "B"], ["t"], name="g"), node("Add", ["t", "W"], ["u"]),
                      node("Div", ["A", "B"], ["Y"], name="d")], [value("A", "int8", (2,)), value("B", "fp32", ("N",))],
                     [value("Y", "int8", (2,))])
        found = [p["requirement"] for p in self.problems(made)]
        self.assertEqual(sorted(found), sorted(["SONNX-OPERATORS", "ONNX-GRAPH-NAMES", "SONNX-R1",
                                                "SONNX-DIV-INT-C2"]))

    def test_what_check_lets_pass_runs(self):
        made = model([node("Div", ["A", "B"], ["Y"])], [value(n, "int8", (2,)) for n in "AB"],
                     [value("Y", "int8", (2,))])
        self.assertEqual(self.problems(made, "--range", "B=[1,2]", "--range", "A=[-5,5]", code=0), [])
        self.run_model(made, {"A": tensor("int8", [-5, 5]), "B": tensor("int8", [1, 2])}, {"Y": "int8"})

    def test_profile_onnx(self):
        """What ONNX itself demands: neither explicit shapes nor the same ones, and no id of SONNX."""
        def found(made, *options, code=1):
            result = json.loads(self.output("check", self.save(made), "--profile", "onnx", "--json", *options, code=code))
            self.assertEqual((result["profile"], result["inside"]), ("onnx", code == 0))
            self.assertNotIn("SONNX", str(result))
            self.assertNotIn("SONNX", self.output("check", "m.onnx", "--profile", "onnx", *options, code=code))
            return result["problems"]

        broadcast = self.two("Div", "int32", "int32", (2, 3), (3,))
        mixed = model([node("Pow", ["A", "B"], ["Y"], name="n")], [value("A", "int32", (2,)), value("B", "fp32", (2,))],
                      [value("Y", "int32", (2,))])
        for made in (broadcast, mixed, simple("Neg", shape=None, inputs=("A",)), simple("Add", shape=("N", None)),
                     simple("Add")):
            self.assertEqual(found(made, code=0), [])
        self.assertIn("'m.onnx': inside the profile onnx (1 node;", self.output("check", "m.onnx", "--profile", "onnx"))
        for made, where, text in ((self.two("Add", "fp32", "fp64"), "B", "same type"),
                                  (self.two("Add", "fp32", "fp32", (2,), (3,)), "B", "fit together"),
                                  (simple("Identity", 0, inputs=("A",)), "A", "types must be explicit"),
                                  (simple("Identity", 8, inputs=("A",)), "A", "the type must be"),
                                  (simple("Gemm"), "", "supported are")):
            problems = found(made)
            self.assertEqual((problems[0]["requirement"], problems[0]["tensor"]), ("", where))
            self.assertIn(text, problems[0]["demanded"])
        self.assertEqual([p["requirement"] for p in found(simple("Neg", "uint8", inputs=("A",)))], ["ONNX-NEG-TYPES"])
        made = simple("Add")
        made.graph.node[0].input[1] = "Y"
        self.assertEqual([p["requirement"] for p in found(made)], ["ONNX-GRAPH-ACYCLIC"])
        self.assertEqual(len(found(simple("Neg", shape=None, inputs=("A",)), "--strict")), 2)
        # Values: a zero divisor is an error there too, an overflow wraps.
        problems = found(broadcast, "--all-values")
        self.assertEqual([p["severity"] for p in problems], ["violation", "warning"])
        self.assertIn("may be 0", problems[0]["found"])
        self.assertEqual(found(broadcast, "--range", "A=[0,9]", "--range", "B=[1,3]", code=0), [])
        self.refused("--profile 'matlab' is neither", "check", "m.onnx", "--profile", "matlab")

    def test_ranges_of_mixed_powers(self):
        made = model([node("Pow", ["A", "B"], ["Y"], name="n")], [value("A", "int32", (2,)), value("B", "fp32", (2,))],
                     [value("Y", "int32", (2,))])
        for a, b, expected in (("[0,9]", "[0.5,2]", []), ("[0,9]", "[-1,2]", ["may be 0"]), ("[1,9]", "[-5,2.5]", []),
                               ("[2,9]", "[0.5,9]", []), ("[2,9]", "[0,10]", ["may overflow"]),
                               ("[-9,9]", "[0,3]", []), ("[2,2]", "[0,inf]", ["may overflow"])):
            with self.subTest(a=a, b=b):
                self.save(made)
                done = self.call("check", "m.onnx", "--profile", "onnx", "--json", "--range", f"A={a}", "--range",
                                 f"B={b}")
                found = [p["found"] for p in json.loads(done.stdout)["problems"]]
                self.assertEqual(len(found), len(expected), found)
                for text, want in zip(found, expected):
                    self.assertIn(want, text)

    def test_constants_that_would_grow_are_left_out(self):
        """Of a broadcast and of many nodes alike: a small file asks for any number of elements."""
        wide = tensor("int8", range(100))
        tall = T("int8", (100, 1), wide.bits)
        nodes = [node("Add", ["T", "W"], ["s0"])]
        for i in range(60):
            nodes.append(node("Add", [f"s{i}", f"s{i}"], [f"s{i + 1}"]))
        made = model([*nodes, node("Div", ["A", "s60"], ["Y"])], [value("A", "int8", (100, 100))],
                     [value("Y", "int8", (100, 100))], {"T": tall, "W": wide})
        self.save(made)
        self.assertIn("is 0 at index (0,0)", self.output("check", "m.onnx", "--profile", "onnx", code=1))
        big = 5000
        made.graph.initializer[0].CopyFrom(T("int8", (big, 1), (0,) * big).proto("T"))
        made.graph.initializer[1].CopyFrom(T("int8", (1, big), (0,) * big).proto("W"))
        made.graph.input[0].CopyFrom(value("A", "int8", (big, big)))
        made.graph.output[0].CopyFrom(value("Y", "int8", (big, big)))
        self.save(made)
        self.output("check", "m.onnx", "--profile", "onnx")  # not computed; with values looked at, its range is
        self.assertIn("may be 0", self.output("check", "m.onnx", "--profile", "onnx", "--all-values", code=1))

    def test_several_models(self):
        self.save(simple("Add"), "good.onnx")
        self.save(simple("Gemm"), "outside.onnx")
        (self.folder / "bad.onnx").write_bytes(b"\x08")
        lines = self.output("check", "good.onnx", "outside.onnx", code=1).splitlines()
        self.assertEqual([line.split(":")[0] for line in lines], ["'good.onnx'", "'outside.onnx'", "'outside.onnx'"])
        self.assertRegex(lines[1], r"\A'outside.onnx': SONNX-OPERATORS  node 0 'n' \(Gemm\): ")
        self.output("check", "good.onnx", "good.onnx", "--quiet")
        found = json.loads(self.output("check", "good.onnx", "outside.onnx", "--json", code=1))["models"]
        self.assertEqual([(m["model"], m["inside"], len(m["problems"])) for m in found],
                         [("good.onnx", True, 0), ("outside.onnx", False, 1)])
        done = self.call("check", "bad.onnx", "none.onnx", "outside.onnx", "good.onnx", "--json")
        self.assertEqual(done.returncode, 2)
        found = json.loads(done.stdout)["models"]
        self.assertEqual(["error" in m for m in found], [True, True, False, False])
        self.assertRegex(done.stderr.decode(), r"\Ahadamard: 'bad\.onnx': [^\n]+\nhadamard: 'none\.onnx': [^\n]+\n\Z")
        done = self.call("check", "good.onnx", "outside.onnx", "--range", "C=[0,1]")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count(b"--range 'C': the model has no such input"), 2)

    def test_unreadable(self):
        (self.folder / "bad.onnx").write_bytes(b"\x08")
        for name in ("bad.onnx", "none.onnx", "."):
            self.refused(".", "check", name)
            self.refused(".", "check", name, "--json")

    def test_json_of_any_name(self):
        bad = "a\"\\\n\x01ä" + "x" * 400
        made = model([node(bad, [bad], [bad + "y"], name=bad)], [value(bad, "fp32", (bad,))],
                     [value(bad + "y", "fp32", (2,))])
        found = json.loads(self.output("check", self.save(made), "--json", code=1))["problems"]
        self.assertEqual({p["requirement"] for p in found}, {"SONNX-OPERATORS", "SONNX-R1"})
        self.assertIn(bad, [p["tensor"] for p in found])
        made.graph.node[0].name = "?"
        raw = made.SerializeToString().replace(b"?", b"\xff")  # no UTF-8
        json.loads(self.call("check", self.save(raw), "--json").stdout.decode())

    def test_a_chain_is_checked_quickly(self):
        nodes = [node("Add", [f"t{i}", f"t{i}"], [f"t{i + 1}"]) for i in range(5000)]
        made = model(nodes[::-1], [value("t0", "fp32", (2,))], [value("t5000", "fp32", (2,))])
        self.assertEqual(self.problems(made, "--range", "t0=[0,1]", code=0), [])
        self.assertIsInstance(made, onnx.ModelProto)


if __name__ == "__main__":
    unittest.main()
