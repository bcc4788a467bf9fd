"""hadamard run and check on models that are wrong: one clear line each, never a crash, no memory for promises."""
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import unittest

import numpy as np
import onnx
from onnx import helper, numpy_helper

from models import ModelTest, T, model, node, simple, tensor, value
from program import PROGRAM, SANITIZED, environment

PLAIN = tensor("fp32", [1, 2])
GIVEN = {"A": PLAIN, "B": PLAIN}
MEMORY = 600 << 20  # of addresses, where nothing large is at work


def limited():
    if SANITIZED:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def sparse(name="S"):
    return helper.make_sparse_tensor(numpy_helper.from_array(np.array([1], "f4"), name),
                                     numpy_helper.from_array(np.array([1], "i8"), name + ".indices"), [2])


class Hostile(ModelTest):
    def wrong(self, pattern, made, inputs=None, profile="sonnx"):
        """`run` refuses; `check` survives and says that the model is outside, or that it cannot be read."""
        self.refused_run(pattern, made, inputs if inputs is not None else GIVEN, "--profile", profile,
                         preexec_fn=limited)
        done = self.call("check", "m.onnx", preexec_fn=limited)
        self.assertIn(done.returncode, (1, 2), done)
        self.assertRegex(done.stderr.decode(), r"\A(hadamard: [^\n\r]+\n)?\Z")

    # --- Structure

    def test_unknown_nodes(self):
        self.wrong(r"node 0 'n' \(Gemm\): 'Gemm' is not among the supported operators; supported are Abs, Add, .*Where "
                   r"\[SONNX-OPERATORS\]", simple("Gemm"))
        self.wrong(r"node 0 'n' \(add\): 'add'", simple("add"))
        self.wrong(r"node 0 'n' \(\): ''", simple(""))
        self.wrong(r"node 0 'n' \(a\\x0ab\): 'a\\x0ab' is not among", simple("a\nb"))

    def test_the_profile_onnx_names_no_requirement_of_sonnx(self):
        made = simple("Add")
        made.graph.sparse_initializer.append(sparse())
        for wrong in (simple("Gemm"), simple("Cast", inputs=("A",), to=8), made):
            given = {name: PLAIN for name in wrong.graph.node[0].input}
            for profile, named in (("sonnx", True), ("onnx", False)):
                text = self.refused_run(r"not supported|supported are|types to cast to", wrong, given, "--profile",
                                        profile)
                self.assertEqual("SONNX-" in text, named, text)

    def test_cycles(self):
        made = simple("Add")
        made.graph.node[0].input[1] = "Y"
        self.wrong(r"node 0 'n' \(Add\), tensor 'Y': .*waits for itself.*\[ONNX-GRAPH-ACYCLIC\]", made)
        made = model([node("Add", ["A", "q"], ["p"], name="one"), node("Neg", ["p"], ["q"], name="two"),
                      node("Abs", ["q"], ["Y"], name="behind")], [value("A", "fp32", (2,))],
                     [value("Y", "fp32", (2,))])
        self.wrong(r"node 0 'one' \(Add\), tensor 'p': .*\[ONNX-GRAPH-ACYCLIC\]", made, {"A": PLAIN})

    def test_names(self):
        made = model([node("Add", ["A", "W"], ["Y"], name="n")], [value("A", "fp32", (2,))],
                     [value("Y", "fp32", (2,))])
        self.wrong(r"node 0 'n' \(Add\), tensor 'W': nothing defines this input.*initializer.*\[ONNX-GRAPH-NAMES\]",
                   made, {"A": PLAIN})
        made = simple("Add")
        made.graph.output[0].name = "Z"
        self.wrong(r"tensor 'Z': the output is computed by no node.*\[ONNX-GRAPH-NAMES\]", made)
        made = model([], [value("", "fp32", (2,))], [value("", "fp32", (2,))])
        self.wrong(r"an input of the graph has no name; .*\[ONNX-GRAPH-NAMES\]", made, {"": PLAIN})
        made = simple("Add")
        del made.graph.output[:]
        self.wrong(r"no output.*\[ONNX-GRAPH-NAMES\]", made)
        self.wrong("found no graph", onnx.ModelProto(ir_version=8), {})
        made = simple("Add")
        made.graph.initializer.append(PLAIN.proto(""))
        self.wrong(r"an initializer has no name; .*\[ONNX-GRAPH-NAMES\]", made)

    def test_names_that_are_defined_twice(self):
        made = simple("Add")
        made.graph.node.append(made.graph.node[0])
        self.wrong(r"node 1 'n' \(Add\), tensor 'Y': .*already.*\[ONNX-GRAPH-SSA\]", made)
        made = simple("Add")
        made.graph.node[0].output[0] = "A"
        self.wrong(r"node 0 'n' \(Add\), tensor 'A': .*\[ONNX-GRAPH-SSA\]", made)
        made = simple("Add")
        made.graph.input.append(made.graph.input[0])
        self.wrong(r"tensor 'A': .*twice.*\[ONNX-GRAPH-SSA\]", made)
        made = simple("Add")
        for _ in range(2):
            made.graph.initializer.append(PLAIN.proto("B"))
        self.wrong(r"tensor 'B': .*twice.*\[ONNX-GRAPH-SSA\]", made, {"A": PLAIN})

    def test_sparse_tensors(self):
        made = simple("Add")
        made.graph.sparse_initializer.append(sparse())
        self.wrong(r"tensor 'S': the initializer is sparse; .*\[SONNX-GR1\]", made)
        made = simple("Add", inputs=("A",))
        made.graph.node[0].input.append("S")
        made.graph.node.append(node("Constant", [], ["S"], name="c", sparse_value=sparse()))
        self.wrong(r"node 1 'c' \(Constant\), tensor 'S': it is sparse; .*\[SONNX-GR1\]", made, {"A": PLAIN})
        made = simple("Add")
        made.graph.input[0].type.sparse_tensor_type.elem_type = 1
        self.wrong(r"tensor 'A': the input is a sparse tensor; .*\[SONNX-GR1\]", made)

    def test_inputs_of_nodes(self):
        for op, names, pattern in (("Add", ["A"], "1 input; Add takes 2"), ("Div", ["A"], "1 input; Div takes 2"),
                                   ("Div", ["A", ""], "input 1 has no name"), ("Neg", ["A", "B"], "2 inputs"),
                                   ("Max", [], "0 inputs; Max takes at least 1"), ("Div", [], "0 inputs"),
                                   ("Where", ["A"], "1 input; Where takes 3"), ("Max", ["A", ""], "no name"),
                                   ("Clip", ["A", "B", "B", "B"], "4 inputs; Clip takes at most 3"),
                                   ("Constant", ["A"], "1 input; Constant takes 0"), ("Pow", ["", "A"], "no name")):
            with self.subTest(op, names=names):
                made = simple(op)
                made.graph.node[0].ClearField("input")
                made.graph.node[0].input.extend(names)
                self.wrong(rf"node 0 'n' \({op}\): .*{pattern}.*\[ONNX-NODE-INPUTS\]", made)
        for outputs in ([], [""], ["Y", "Z"]):
            with self.subTest(outputs=outputs):
                made = simple("Div")
                made.graph.node[0].ClearField("output")
                made.graph.node[0].output.extend(outputs)
                self.wrong(r"node 0 'n' \(Div\): .*output.*\[ONNX-NODE-INPUTS\]", made)

    def test_attributes(self):
        unsupported = tensor("fp32", [1])
        for op, names, attributes, pattern in (
                ("Add", ["A", "B"], {"axis": 1}, r"attribute 'axis'; Add has no such"),
                ("Cast", ["A"], {}, "does not say what type"), ("Cast", ["A"], {"to": "FLOAT"}, "'to' is not of its type"),
                ("Cast", ["A"], {"to": 8}, "STRING"), ("Cast", ["A"], {"to": 1 << 40}, "1099511627776"),
                ("Cast", ["A"], {"to": -1}, "type -1"), ("Cast", ["A"], {"to": 0}, "UNDEFINED"),
                ("Cast", ["A"], {"to": 14}, "COMPLEX64"), ("Constant", [], {}, "0 attributes"),
                ("Constant", [], {"value_string": "x"}, "no numbers"), ("Constant", [], {"value_int": 0.5}, "value_int"),
                ("Constant", [], {"value": 1}, "'value'"), ("Constant", [], {"value_floats": [1, 2]}, "value_floats"),
                ("Constant", [], {"value_int": 1, "value_float": 1.0}, "2 attributes"),
                ("Constant", [], {"other": unsupported.proto()}, "'other'")):
            with self.subTest(op, **attributes):
                made = simple(op, **attributes)
                made.graph.node[0].ClearField("input")
                made.graph.node[0].input.extend(names)
                self.wrong(rf"node 0 'n' \({op}\): .*{pattern}.*\[(ONNX-NODE-ATTRIBUTES|SONNX-CAST-TYPES)\]", made)
        made = simple("Cast", inputs=("A",), to=1)
        made.graph.node[0].attribute.append(helper.make_attribute("to", 11))
        self.wrong(r"node 0 'n' \(Cast\): the attribute 'to' is there twice; .*\[ONNX-NODE-ATTRIBUTES\]", made)

    def test_opsets(self):
        for opset, pattern in ((0, "imports no opset"), (6, "opset is 6"), (1, "opset is 1")):
            made = simple("Add")
            del made.opset_import[:]
            if opset:
                made.opset_import.append(helper.make_opsetid("", opset))
            self.wrong(rf"{pattern}.*opsets from 7 on.*\[ONNX-OPSET\]", made)

    # --- Types and shapes

    def test_types(self):
        made = model([node("Add", ["A", "B"], ["Y"], name="n")], [value("A", "fp32", (2,)), value("B", "fp64", (2,))],
                     [value("Y", "fp32", (2,))])
        self.wrong(r"node 0 'n' \(Add\), tensor 'B': it is fp64, but 'A' is fp32; .*same type \[SONNX-ADD-FLOAT-",
                   made, {"A": PLAIN, "B": tensor("fp64", [1, 2])})
        made = simple("Where", inputs=("C", "A", "B"))
        self.wrong(r"node 0 'n' \(Where\), tensor 'C': it is fp32; the condition of Where is bool", made,
                   {**GIVEN, "C": PLAIN})
        made = simple("Add")
        made.graph.output[0].type.tensor_type.elem_type = 11
        self.wrong(r"tensor 'Y': it is fp32; the model declares it as DOUBLE \[SONNX-R2\]", made)
        made = model([node("Neg", ["A"], ["Y"])], [value("A", 8, (2,))], [value("Y", 8, (2,))])
        self.wrong(r"'A'|tensor 'Y'", made, {"A": PLAIN})

    def test_shapes(self):
        made = model([node("Add", ["A", "B"], ["Y"], name="n")], [value("A", "fp32", (2,)), value("B", "fp32", (2, 1))],
                     [value("Y", "fp32", (2,))])
        given = {"A": PLAIN, "B": tensor("fp32", [1, 2], (2, 1))}
        self.wrong(r"node 0 'n' \(Add\), tensor 'B': its shape is \(2,1\), but 'A' has \(2\); .*the same.*"
                   r"\[SONNX-ADD-FLOAT-[CR]1\]", made, given)
        self.wrong(r"tensor 'Y': its shape is \(2,2\); the model declares it as \(2\)", made, given, profile="onnx")
        made = model([node("Clip", ["A", "B"], ["Y"], name="n")], [value("A", "fp32", (2,)), value("B", "fp32", (1,))],
                     [value("Y", "fp32", (2,))])
        self.wrong(r"node 0 'n' \(Clip\), tensor 'B': its shape is \(1\); a bound of Clip has the shape \(\)", made,
                   {"A": PLAIN, "B": tensor("fp32", [1])})

    def test_what_is_declared_twice_must_agree(self):
        """value_info, an input and an output may all speak of one tensor."""
        made = simple("Add")
        made.graph.value_info.append(value("Y", "fp32", (2,)))
        made.graph.output[0].CopyFrom(value("Y", "fp64", (3,)))
        self.wrong(r"tensor 'Y': ", made)
        made = model([], [value("A", "fp32", (2,))], [value("A", "fp32", (3,))])
        self.wrong(r"tensor 'A': ", made, {"A": PLAIN})

    # --- Tensors of the file

    def with_initializer(self, dims, raw, number=1):
        made = model([node("Add", ["A", "B"], ["Y"], name="n")], [value("A", "fp32", (2,))],
                     [value("Y", "fp32", (2,))])
        made.graph.initializer.append(onnx.TensorProto(name="B", dims=dims, raw_data=raw, data_type=number))
        return made

    def test_raw_data_of_a_wrong_size(self):
        for raw in (b"", b"1234567", b"123456789"):
            self.wrong(rf"'B'.*(8 bytes|expected 8|8).*{len(raw)}", self.with_initializer([2], raw), {"A": PLAIN})

    def test_absurd_dimensions(self):
        for dims in ([-1], [1 << 62, 1 << 62], [1 << 40], [(1 << 63) - 1], [0, 1 << 62, 1 << 62], [-2, -1],
                     [1 << 31] * 1023, [1] * 100000):
            with self.subTest(dims=dims[:3]):
                made = self.with_initializer(dims, b"12345678")
                self.wrong(r"m\.onnx.*'B'", made, {"A": PLAIN})
                code, peak = self.peak("run", "m.onnx", "A=in0.npy")
                self.assertEqual(code, 2)
                self.assertLess(peak, 100 if not SANITIZED else 1000)

    def test_absurd_declarations(self):
        for dims in ((-1,), (1 << 62, 1 << 62), (1 << 40, 1 << 40)):
            with self.subTest(dims=dims[:3]):
                made = simple("Add", shape=dims)
                self.wrong(r"tensor 'A': its shape is \(2\); the model declares it as \(", made)
        text = self.refused_run(r"tensor 'A': its shape is \(2\); .*\(x+.*,x+… and 968 more\)",
                                simple("Add", shape=("x" * 500,) * 1000), GIVEN)
        self.assertLess(len(text), 4000)
        self.wrong(r"input 'A': expected a shape of at most 1024 dimensions", simple("Add", shape=(1,) * 5000))

    def broadcast(self, type_, extent, *options, **more):
        """(extent,1) + (1,extent), twice."""
        made = model([node("Neg", ["A"], ["N"], name="small"), node("Add", ["N", "B"], ["Y"], name="large")],
                     [value("A", type_, None), value("B", type_, None)], [value("Y", type_, None)])
        given = {name: T(type_, shape, (0,) * extent) for name, shape in (("A", (extent, 1)), ("B", (1, extent)))}
        return self.refused_run(r"node 1 'large' \(Add\): out of memory: the result, "
                                rf"{type_} \({extent},{extent}\), with the tensors that are still in use, needs \d+ "
                                r"bytes, but only \d+ are available; .*"
                                "a machine with more memory", made, given, "--profile", "onnx", *options, **more)

    def test_a_broadcast_that_no_machine_holds(self):
        self.assertIn(f" needs {(1 << 40) + (1 << 20)} bytes", self.broadcast("int8", 1 << 20))

    @unittest.skipIf(SANITIZED, "the sanitizer's own memory cannot be limited")
    def test_a_broadcast_beyond_the_limit_of_addresses(self):
        self.assertIn(f" needs {(20000 ** 2 + 20000) * 8} bytes", self.broadcast("fp64", 20000, preexec_fn=limited))

    def test_memory_is_checked_before_anything_is_computed(self):
        """Node 0 divides by zero, node 2 is too large: the second is known from the shapes."""
        extent = 1 << 20
        made = model([node("Div", ["A", "Z"], ["Q"], name="first"), node("Neg", ["Q"], ["N"], name="small"),
                      node("Add", ["N", "B"], ["Y"], name="large")],
                     [value(n, "int8", None) for n in "AZB"], [value("Y", "int8", None)])
        given = {"A": T("int8", (extent, 1), (1,) * extent), "Z": T("int8", (1,), (0,)),
                 "B": T("int8", (1, extent), (0,) * extent)}
        self.refused_run(r"node 2 'large' \(Add\): out of memory: the result, int8 \(1048576,1048576\), with the tensors that "
                         r"are still in use, needs \d+ bytes", made, given, "--profile", "onnx")

    def test_memory_of_results_that_live_together(self):
        """No result is too large alone; all together are."""
        extent = 1 << 17
        each = extent * extent // 2
        lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
        free = int(next(line for line in lines if line.startswith("MemAvailable")).split()[1]) * 1024
        count = free // each + 2
        self.assertLess(each, free, "a machine with less than 8 GiB")
        nodes = [node("Add", ["A", "B"], [f"Y{i}"], name=f"n{i}") for i in range(count)]
        made = model(nodes, [value("A", "int4", None), value("B", "int4", None)],
                     [value(f"Y{i}", "int4", None) for i in range(count)])
        given = {"A": T("int4", (extent, 1), (0,) * extent), "B": T("int4", (1, extent), (0,) * extent)}
        self.refused_run(rf"node \d+ 'n\d+' \(Add\): out of memory: the result, int4 \({extent},{extent}\), with the tensors "
                         "that are still in use, needs", made, given, "--profile", "onnx")

    @unittest.skipIf(SANITIZED, "the sanitizer's own memory cannot be limited")
    def test_results_that_are_inputs_take_no_memory(self):
        """Identity, Cast to the same type and Max of one give integers back as they are."""
        size = 350 << 20  # two are more than the limit
        nodes = [node("Identity", ["A"], ["I"]), node("Cast", ["I"], ["C"], to=onnx.TensorProto.INT8),
                 node("Max", ["C"], ["M"]), node("Identity", ["M"], ["Y"])]
        made = model(nodes, [value("A", "int8", None)], [value("Y", "int8", None)])
        np.lib.format.open_memmap(self.folder / "a.npy", "w+", np.int8, (size,)).flush()
        done = self.call("run", self.save(made), "A=a.npy", "--profile", "onnx", preexec_fn=limited)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    # --- Many of something

    def test_problems_are_counted_and_the_first_told(self):
        made = model([node("Gemm", [f"a{i}"], [f"y{i}"], name=f"n{i}") for i in range(3000)], [],
                     [value("y0", "fp32", (2,))])
        lines = self.output("check", self.save(made), code=1).splitlines()
        self.assertEqual(lines[100:], ["and 5900 more", "'m.onnx': outside the profile sonnx: 6000 violations"])
        found = json.loads(self.output("check", "m.onnx", "--json", code=1))
        self.assertEqual((len(found["problems"]), found["left_out"], found["violations"]), (100, 5900, 6000))
        self.refused(r"node 0 'n0' \(Gemm\)", "run", "m.onnx")

    def test_long_names_are_kept_once(self):
        name = "x" * (1 << 20)
        made = model([node("Neg", [name], [f"y{i}"]) for i in range(90)], [], [value("y0", "fp32", (2,))])
        found = json.loads(self.output("check", self.save(made), "--json", code=1))["problems"]
        self.assertEqual({len(p["tensor"]) for p in found}, {1000})

    def test_lists_in_messages_are_short(self):
        names = [f"input{i:05}" for i in range(5000)]
        made = model([node("Max", names, ["Y"])], [value(n, "fp32", (2,)) for n in names], [value("Y", "fp32", (2,))])
        PLAIN.save(self.folder / "x.npy")
        for pattern, arguments in ((r"missing for 'input00001' .*'input00008' \(fp32 \(2\)\) and 4991 more",
                                    ["input00000=x.npy"]),
                                   (r"the model's are: 'input00000' .*'input00007' and 4992 more", ["nothing=x.npy"])):
            text = self.refused(pattern, "run", self.save(made), *arguments)
            self.assertLess(len(text), 1000)

    def test_truncated_files(self):
        nodes = [node("Add", ["A", "B"], ["s"]), node("Constant", [], ["k"], value=PLAIN.proto()),
                 node("Mul", ["s", "k"], ["Y"])]
        data = model(nodes, [value("A", "fp32", (2,))], [value("Y", "fp32", (2,))], {"B": PLAIN}).SerializeToString()
        PLAIN.save(self.folder / "a.npy")
        for size in range(0, len(data), 5):
            with self.subTest(size=size):
                (self.folder / "m.onnx").write_bytes(data[:size])
                self.refused(r"m\.onnx|opset|graph", "run", "m.onnx", "A=a.npy", "-o", "out")
                self.assertFalse((self.folder / "out").exists())

    def test_damaged_files(self):
        data = bytearray(simple("Add").SerializeToString())
        PLAIN.save(self.folder / "x.npy")
        rng = random.Random(3)
        for _ in range(80):
            damaged = bytearray(data)
            for _ in range(rng.randint(1, 4)):
                damaged[rng.randrange(len(damaged))] = rng.getrandbits(8)
            (self.folder / "m.onnx").write_bytes(damaged)
            for command in (("run", "m.onnx", "A=x.npy", "B=x.npy"), ("check", "m.onnx", "--range", "A=[0,1]")):
                done = self.call(*command, preexec_fn=limited)
                self.assertIn(done.returncode, (0, 1, 2), (command, bytes(damaged)))
                self.assertLessEqual(done.stderr.count(b"\n"), 1, done.stderr)

    def test_what_is_no_model(self):
        PLAIN.save(self.folder / "x.npy")
        (self.folder / "folder").mkdir()
        (self.folder / "empty").write_bytes(b"")
        for name in ("x.npy", "folder", "empty", "missing", "/dev/null", ""):
            for command in ("run", "check"):
                with self.subTest(command, name=name):
                    self.refused(name if name not in ("", "/dev/null") else ".", command, name)

    # --- Inputs

    def test_inputs(self):
        PLAIN.save(self.folder / "x.npy")
        PLAIN.save(self.folder / "x.pb")
        (self.folder / "bad.npy").write_bytes((self.folder / "x.npy").read_bytes()[:-3])
        (self.folder / "bad.pb").write_bytes(b"\xff\xff\xff")
        self.save(simple("Add"))
        for arguments, pattern in (([], r"NAME=FILE is missing for 'A' \(fp32 \(2\)\), 'B' \(fp32 \(2\)\)"),
                                   (["A=x.npy"], r"NAME=FILE is missing for 'B' "),
                                   (["A=x.npy", "B=x.npy", "C=x.npy"], r"'C=x.npy' is not .* 'A' 'B'"),
                                   (["A=x.npy", "B=x.npy", "A=x.npy"], r"'A' is given twice"),
                                   (["x.npy"], r"'x.npy' is not NAME=FILE"), (["A="], "input 'A': "),
                                   (["A=none.npy", "B=x.npy"], r"input 'A': .*none\.npy"),
                                   (["A=bad.npy", "B=x.npy"], r"input 'A': .*bad\.npy"),
                                   (["A=bad.pb", "B=x.npy"], r"input 'A': .*bad\.pb"),
                                   (["A=m.onnx", "B=x.npy"], r"input 'A': .*m\.onnx"),
                                   (["A=x.npy", "B=x.npy", "--profile", "x"], r"--profile 'x' is neither sonnx nor"),
                                   (["A=x.npy", "B=x.npy", "--format", "x"], r"--format 'x' is neither npy nor pb")):
            with self.subTest(arguments=arguments):
                self.refused(pattern, "run", "m.onnx", *arguments, "-o", "out")
                self.assertFalse((self.folder / "out").exists())
        tensor("fp64", [1, 2]).save(self.folder / "d.npy")
        self.refused(r"tensor 'A': it is fp64; the model declares it as FLOAT \[SONNX-R2\]", "run", "m.onnx",
                     "A=d.npy", "B=x.npy")
        tensor("fp32", [1]).save(self.folder / "d.npy")
        self.refused(r"tensor 'B': its shape is \(1\); the model declares it as \(2\) \[SONNX-R1\]", "run", "m.onnx",
                     "A=x.npy", "B=d.npy")

    def test_zero_divisors(self):
        b = tensor("int32", [1, 2, 3, 0, 5, 0], (2, 3))
        made = model([node("Neg", ["B"], ["D"], name="before"), node("Div", ["A", "D"], ["Y"], name="quotient")],
                     [value(n, "int32", (2, 3)) for n in "AB"], [value("Y", "int32", (2, 3))])
        self.refused_run(r"node 1 'quotient' \(Div\): the divisor B is 0 at index \(1,0\): .*"
                         r"\[SONNX-DIV-INT-C3: ", made, {"A": b, "B": b})
        self.refused_run(r"node 1 'quotient' \(Div\): the divisor B is 0 at index \(1,0\)", made, {"A": b, "B": b},
                         "--profile", "onnx")
        made = model([node("Pow", ["A", "B"], ["Y"], name="p")], [value(n, "int32", (2,)) for n in "AB"],
                     [value("Y", "int32", (2,))])
        self.refused_run(r"node 0 'p' \(Pow\): .* 0 at index \(1\)", made,
                         {"A": tensor("int32", [1, 0]), "B": tensor("int32", [-1, -1])})

    def test_messages_stay_on_one_line(self):
        bad = "a\nb\r\x1b[31m'\x7f"
        made = model([node("Add", [bad, "B" + bad], ["Y"], name=bad)],
                     [value(bad, "fp32", (2, "N\nM")), value("B" + bad, "fp64", (2,))], [value("Y", "fp32", (2,))])
        PLAIN.save(self.folder / "x.npy")
        tensor("fp64", [1, 2]).save(self.folder / "d.npy")
        tensor("fp32", [1, 2], (2, 1)).save(self.folder / "y.npy")
        self.refused(r"declares it as \(2,N\\x0aM\)", "run", self.save(made), f"{bad}=x.npy", f"B{bad}=d.npy")
        text = self.refused(r"node 0 'a\\x0ab", "run", self.save(made), f"{bad}=y.npy", f"B{bad}=d.npy")
        self.assertNotIn("\x1b", text)
        self.refused("twice", "run", self.save(made), f"{bad}=x.npy", f"{bad}=x.npy")
        done = self.call("check", "m.onnx")
        self.assertEqual(done.returncode, 1)
        for control in (b"\x1b", b"\r", b"\x7f"):
            self.assertNotIn(control, done.stdout)
        for line in done.stdout.decode().splitlines()[:-1]:
            self.assertRegex(line, r"\A(warning: )?[A-Z0-9]+-[-A-Z0-9]+  (node|tensor) ")

    def test_a_signal_leaves_nothing(self):
        """The program that writes outputs is stopped: one of them is a pipe that nobody reads, so that it waits there."""
        names = [f"y{i}" for i in range(100)]
        made = model([node("Neg", ["A"], [n]) for n in names], [value("A", "fp32", (50000,))],
                     [value(n, "fp32", (50000,)) for n in names])
        np.save(self.folder / "x.npy", np.zeros(50000, "f4"))
        out = self.folder / "out"
        for number, descriptors in ((signal.SIGTERM, 1024), (signal.SIGINT, 64), (signal.SIGQUIT, 64)):
            with self.subTest(number):
                out.mkdir()
                (out / "y0.npy").write_bytes(b"old")
                os.mkfifo(out / "y99.npy")
                child = subprocess.Popen([PROGRAM, "run", self.save(made), "A=x.npy", "-o", "out"], cwd=self.folder,
                                         env=environment(), stderr=subprocess.PIPE, preexec_fn=lambda: (
                                             resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
                                             resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))))
                with open(out / "y99.npy", "rb", buffering=0) as pipe:  # now it has opened the last, so the others are written
                    pipe.read(1)
                    unfinished = [p for p in out.iterdir() if p.name.startswith(".hadamard-")]
                    # Where there are descriptors enough they have no names, or the file system has no such files.
                    self.assertIn(len(unfinished), (0, 99)) if descriptors > 200 else self.assertGreater(len(unfinished), 60)
                    child.send_signal(number)
                    child.communicate(timeout=60)
                self.assertEqual(child.returncode, -number)
                self.assertEqual(sorted(p.name for p in out.iterdir()), ["y0.npy", "y99.npy"])
                self.assertEqual((out / "y0.npy").read_bytes(), b"old")
                shutil.rmtree(out)


if __name__ == "__main__":
    unittest.main()
