"""hadamard info MODEL.onnx: what a model takes and holds."""
import unittest

from onnx import helper

from models import ModelTest, model, node, simple, tensor, value


class Info(ModelTest):
    def lines(self, made):
        return [" ".join(line.split()) for line in self.output("info", self.save(made)).splitlines()]

    def test_a_model(self):
        made = model([node("Add", ["A", "K"], ["s"]), node("Add", ["s", "s"], ["t"]), node("Div", ["t", "B"], ["Y"]),
                      node("Gelu", ["Y"], ["G"], domain="com.microsoft")],
                     [value("A", "fp32", (2, "N", None)), value("K", "fp32", (3,)), value("B", "bf16", None)],
                     [value("Y", "fp32", (2,)), value("G", 8, ())],
                     {"K": tensor("fp32", [1, 2, 3]), "L": tensor("int4", [1, 2, 3])})
        made.producer_name, made.producer_version = "some exporter", "2.1"
        made.opset_import.append(helper.make_opsetid("com.microsoft", 1))
        self.assertEqual(self.lines(made), [
            "model ONNX, IR version 8", "opset 17, 1 of 'com.microsoft'", "producer 'some exporter 2.1'",
            "input 'A' fp32 (2,N,?)", "input 'K' fp32 (3), has an initializer", "input 'B' bf16, any shape",
            "output 'Y' fp32 (2)", "output 'G' STRING ()", "constants 2 initializers, 14 bytes",
            "nodes 4: 2 Add, 1 Div, 1 com.microsoft.Gelu"])

    def test_little(self):
        made = model([], [], [], opset=None)
        self.assertEqual(self.lines(made), ["model ONNX, IR version 8", "opset none", "producer not named",
                                            "constants 0 initializers, 0 bytes", "nodes 0"])
        made = simple("Neg", inputs=("A",))
        made.graph.input[0].ClearField("type")
        made.graph.output[0].type.sequence_type.elem_type.tensor_type.elem_type = 1
        self.assertIn("input 'A' of no declared type", self.lines(made))
        self.assertIn("output 'Y' no tensor", self.lines(made))

    def test_many_and_strange_names(self):
        names = ["\x1b[31m\n"] + [f"i{i}" for i in range(500)]
        made = model([node(f"Op\n{i}", [], []) for i in range(500)], [value(n, "fp32", (2,)) for n in names], [])
        lines = self.lines(made)
        self.assertEqual(len(lines), 3 + 101 + 2)
        self.assertIn("input and 401 more", lines)
        self.assertIn(r"input '\x1b[31m\x0a' fp32 (2)", lines)
        self.assertTrue(lines[-1].endswith(" and 400 more"), lines[-1])

    def test_errors(self):
        (self.folder / "bad.onnx").write_bytes(b"\x08")
        for name in ("bad.onnx", "none.onnx"):
            self.refused(name, "info", name)
        self.refused("--type is for tensors, but 'm.onnx' is a model", "info", self.save(simple("Add")), "--type", "bf16")


if __name__ == "__main__":
    unittest.main()
