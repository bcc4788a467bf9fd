"""conform DIR: folders of ONNX backend tests, made here and ONNX's own."""
import json
import os
import shutil
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from program import PROGRAM, CliTest

# ONNX's cases of nodes were written for an older NumPy.
for old, new in (("float", float), ("int", int), ("bool", bool), ("object", object)):
    if old not in vars(np):
        setattr(np, old, new)

OURS = {"Abs", "Add", "Cast", "Ceil", "Clip", "Constant", "Div", "Exp", "Floor", "Identity", "Log", "Max", "Min", "Mul",
        "Neg", "Pow", "Reciprocal", "Relu", "Round", "Sigmoid", "Sign", "Sqrt", "Sub", "Tanh", "Where"}


def proto(value, name):
    return value if isinstance(value, TensorProto) else numpy_helper.from_array(np.asarray(value), name)


class Folders(CliTest):
    def write(self, path, model, data_sets):
        """data_sets: a list of (inputs, outputs)."""
        folder = self.folder / path
        folder.mkdir(parents=True)
        onnx.save(model, folder / "model.onnx")
        for number, (inputs, outputs) in enumerate(data_sets):
            data = folder / f"test_data_set_{number}"
            data.mkdir()
            for kind, values, names in (("input", inputs, model.graph.input), ("output", outputs, model.graph.output)):
                for k, value in enumerate(values):
                    (data / f"{kind}_{k}.pb").write_bytes(proto(value, names[k].name).SerializeToString())
        return folder

    def node(self, op, dtype=np.float32, shape=(3,)):
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype)) if hasattr(helper, "np_dtype_to_tensor_dtype") \
            else onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[np.dtype(dtype)]
        values = [helper.make_tensor_value_info(name, kind, shape) for name in "ABY"]
        graph = helper.make_graph([helper.make_node(op, ["A", "B"], ["Y"])], "g", values[:2], values[2:])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)])

    def test_equal(self):
        a, b = np.float32([1, 2, np.nan]), np.float32([3, 4, 5])
        self.write("t/one", self.node("Add"), [((a, b), (a + b,)), ((b, b), (b + b,))])
        self.assertEqual(self.output("conform", "t"),
                         "equal    't/one' (2 data sets, 6 elements)\n"
                         "1 folder: 1 equal, 0 different, 0 empty, 0 not run; 6 elements compared\n")
        self.assertEqual(self.output("conform", "t/one", "-q"), "")

    def test_any_nan_is_any_nan(self):
        other = np.array([0xFFC12345] * 3, np.uint32).view(np.float32)
        nan = np.float32([np.nan] * 3)
        self.write("t", self.node("Add"), [((nan, nan), (other,))])
        self.assertIn("1 equal", self.output("conform", "t"))

    def test_different(self):
        a, b = np.float32([1, 2, 3]), np.float32([3, 3, 3])
        wrong = np.nextafter(a / b, np.float32(9))
        self.write("t", self.node("Div"), [((a, b), (a / b,)), ((a, b), (wrong,))])
        text = self.output("conform", "t", code=1)
        self.assertIn("differs  't': test_data_set_1: output 'Y': 3 of 3 elements differ, by at most 1 ULP; at (0): "
                      "0.33333337 0x3eaaaaac expected, 0.33333334 0x3eaaaaab came, 1 ULP", text)
        self.assertEqual(self.output("conform", "t", "--quiet", code=1), "")
        found = json.loads(self.output("conform", "t", "--json", code=1))
        self.assertEqual(found["totals"], {"equal": 0, "different": 1, "empty": 0, "not_run": 0, "elements": 6})
        folder, = found["folders"]
        self.assertEqual((folder["folder"], folder["data_sets"], folder["elements"], folder["error"]), ("t", 2, 6, ""))
        differs, = folder["differs"]
        self.assertIn(f": test_data_set_1: {differs['what']}\n", text)
        self.assertEqual((differs["data_set"], differs["output"], differs["elements"], differs["different"],
                          differs["largest_distance"], len(differs["first"])), ("test_data_set_1", "Y", 3, 3, 1, 3))
        self.assertEqual(differs["expected"], {"type": "fp32", "shape": [3]})
        self.assertEqual(differs["first"][0],
                         {"index": [0], "expected": {"value": "0.33333337", "hex": "0x3eaaaaac"},
                          "got": {"value": "0.33333334", "hex": "0x3eaaaaab"}, "distance": 1})

    def test_another_type_or_shape(self):
        a = np.float32([1, 2, 3])
        self.write("t", self.node("Add"), [((a, a), (np.float64([2, 4, 6]),)), ((a, a), (np.float32([[2, 4, 6]]),))])
        text = self.output("conform", "t", code=1)
        self.assertIn("fp64 (3) expected, fp32 (3) came", text)
        self.assertIn("fp32 (1,3) expected, fp32 (3) came", text)
        self.assertIn("; 0 elements compared\n", text)
        differs = json.loads(self.output("conform", "t", "--json", code=1))["folders"][0]["differs"]
        self.assertEqual([(d["expected"], d["got"], "first" in d) for d in differs],
                         [({"type": "fp64", "shape": [3]}, {"type": "fp32", "shape": [3]}, False),
                          ({"type": "fp32", "shape": [1, 3]}, {"type": "fp32", "shape": [3]}, False)])

    def test_no_distance(self):
        a = np.float32([1, 2, 3])
        self.write("t", self.node("Add"), [((a, a), (np.float32([2, 4, np.nan]),))])
        self.assertIn("output 'Y': 1 of 3 elements differ; at (2): nan 0x7fc00000 expected, 6 0x40c00000 came, no distance",
                      self.output("conform", "t", code=1))
        differs = json.loads(self.output("conform", "t", "--json", code=1))["folders"][0]["differs"][0]
        self.assertEqual((differs["largest_distance"], differs["first"][0]["distance"]), (None, None))

    def test_no_elements_are_no_evidence(self):
        none, a = np.zeros((0,), np.float32), np.float32([1, 2, 3])
        self.write("t/empty", self.node("Add", shape=(0,)), [((none, none), (none,))])
        self.write("t/one", self.node("Add"), [((a, a), (a + a,))])
        self.assertEqual(self.output("conform", "t"),
                         "empty    't/empty' (1 data set, 0 elements: nothing was compared)\n"
                         "equal    't/one' (1 data set, 3 elements)\n"
                         "2 folders: 1 equal, 0 different, 1 empty, 0 not run; 3 elements compared\n")

    def test_profiles(self):
        a, b = np.int32([-35]), np.int32([3])
        model = self.node("Div", np.int32, (1,))
        self.write("floor", model, [((a, b), (np.int32([-12]),))])
        self.write("trunc", model, [((a, b), (np.int32([-11]),))])
        self.output("conform", "floor")
        self.output("conform", "trunc", code=1)
        self.output("conform", "trunc", "--profile", "onnx")
        self.output("conform", "floor", "--profile", "onnx", code=1)

    def test_unreadable(self):
        a = np.float32([1, 2, 3])
        good = [((a, a), (a + a,))]
        self.write("t/a_good", self.node("Add"), good)
        self.write("t/b_no_data", self.node("Add"), [])
        gap = self.write("t/c_gap", self.node("Add"), good + good)
        (gap / "test_data_set_1").rename(gap / "test_data_set_2")
        bad = self.write("t/d_tensor", self.node("Add"), good)
        (bad / "test_data_set_0" / "input_1.pb").write_bytes(b"\xff\xff\xff")
        self.write("t/e_node", self.node("MatMul"), good)
        missing = self.write("t/f_missing", self.node("Add"), good)
        (missing / "test_data_set_0" / "input_1.pb").unlink()
        more = self.write("t/g_more", self.node("Add"), good)
        (more / "test_data_set_0" / "input_2.pb").write_bytes(proto(a, "C").SerializeToString())
        outputs = self.write("t/h_outputs", self.node("Add"), good)
        (outputs / "test_data_set_0" / "output_0.pb").unlink()
        empty = self.write("t/i_model", self.node("Add"), good)
        (empty / "model.onnx").write_bytes(b"")
        text = self.output("conform", "t", code=2)
        for pattern in ("b_no_data': there is no test_data_set_0", "c_gap': .* has no test_data_set_1",
                        "d_tensor': .*input_1.pb", r"e_node': node 0 \(MatMul\): 'MatMul' is not among the supported operators.* Add",
                        "f_missing': the model needs more inputs: .* 'B' ", "g_more': .* has 3 inputs, but the model has 2",
                        "h_outputs': .* has 0 outputs, but the model has 1", "i_model': .*model.onnx"):
            self.assertRegex(text, r"(?m)^error    't/" + pattern)
        self.assertTrue(text.endswith("9 folders: 1 equal, 0 different, 0 empty, 8 not run; 3 elements compared\n"), text)

    def one(self, path):
        a = np.float32([1, 2, 3])
        return self.write(path, self.node("Add"), [((a, a), (a + a,))])

    def test_a_folder_that_may_not_be_read_is_no_end_of_the_others(self):
        self.one("t/a")
        self.one("t/b/below")
        self.one("t/c")
        data = self.one("t/d") / "test_data_set_0"
        self.folder.chmod(0o755)
        who = {}
        if os.geteuid() == 0:  # who may read everything: somebody else, who may be kept out of root's home
            copy = shutil.copy(PROGRAM, self.folder)
            who = {"user": 65534, "group": 65534, "extra_groups": [], "executable": copy}
        for closed in (self.folder / "t/b", data):
            closed.chmod(0)
            self.addCleanup(closed.chmod, 0o755)
        text = self.output("conform", "t", code=2, **who)
        self.assertEqual(text, "equal    't/a' (1 data set, 3 elements)\n"
                               "error    't/b': cannot look through 't/b': Permission denied\n"
                               "equal    't/c' (1 data set, 3 elements)\n"
                               "error    't/d': cannot look through 't/d/test_data_set_0': Permission denied\n"
                               "4 folders: 2 equal, 0 different, 0 empty, 2 not run; 6 elements compared\n")
        self.assertIn("error    't/b': cannot look through", self.output("conform", "t/b", "t/a", code=2, **who))

    def test_links_in_circles(self):
        folder = self.one("t")
        (folder / "loop").symlink_to("loop")
        (folder / "up").symlink_to("..")
        (folder / "nowhere").symlink_to("no such")
        self.assertIn("1 folder: 1 equal", self.output("conform", "t"))

    def test_a_folder_counts_once(self):
        self.one("t/one")
        (self.folder / "link").symlink_to("t/one")
        (self.folder / "t/other").symlink_to("one")
        text = self.output("conform", "t", "t/", "t/one", "./t", "link", self.folder / "t")
        self.assertEqual(text, "equal    't/one' (1 data set, 3 elements)\n"
                               "1 folder: 1 equal, 0 different, 0 empty, 0 not run; 3 elements compared\n")

    def test_only_regular_files_are_opened(self):
        for place in ("model.onnx", "test_data_set_0/input_0.pb", "test_data_set_0/output_0.pb"):
            with self.subTest(place):
                file = self.one(f"t/{place.count('/')}{place[-9:-3]}") / place
                file.rename(file.with_name("kept"))
                os.mkfifo(file)
                self.assertIn(f"{file.name}' is no regular file\n", self.output("conform", file.parents[place.count("/")],
                                                                              code=2))
                file.unlink()
                file.symlink_to("/dev/zero")
                self.assertIn(f"{file.name}' is no regular file\n", self.output("conform", file.parents[place.count("/")],
                                                                              code=2))
                file.unlink()
                file.symlink_to("nowhere")
                self.assertRegex(self.output("conform", file.parents[place.count("/")], code=2),
                                 f"{file.name}' is no regular file: No such file or directory\n")
                file.unlink()
                file.symlink_to("kept")
                self.assertIn("1 equal", self.output("conform", file.parents[place.count("/")]))

    def test_names_that_are_nearly_right(self):
        for number, (place, name, wanted) in enumerate((
                ("test_data_set_0", "input_00.pb", "input_0.pb, input_1.pb, "),
                ("test_data_set_0", "input_02.pb", "input_0.pb, input_1.pb, "),
                ("test_data_set_0", "input_a.pb", "input_0.pb, input_1.pb, "),
                ("test_data_set_0", "output_.pb", "output_0.pb, output_1.pb, "),
                ("test_data_set_0", "output_99999999999999999999.pb", "output_0.pb, output_1.pb, "),
                (".", "test_data_set_00", "test_data_set_0, test_data_set_1, "))):
            folder = self.one(f"t{number}")
            (folder / place / name).write_bytes(b"")
            self.assertRegex(self.output("conform", folder, code=2),
                             rf"/{name}' is none of {wanted}…: rename it or take it away\n")
        folder = self.one("others")
        (folder / "test_data_set_0.npz").write_bytes(b"")
        (folder / "test_data_set_0" / "input.txt").write_bytes(b"")
        self.output("conform", folder)

    def test_arguments(self):
        self.refused("'nowhere' is no folder", "conform", "nowhere")
        self.refused("no folder with a model.onnx in '.'", "conform", ".")
        self.refused("neither sonnx nor onnx", "conform", ".", "--profile", "paddle")
        self.refused("leave out --lib", "conform", ".", "--lib", "x.so")
        self.refused("--profile is for folders", "conform", "--profile", "onnx")

    def test_the_cases_of_onnx_itself(self):
        """Bit for bit but for the functions, where the expected values are NumPy's: those may be off by one, and
        which ones are depends on the machine (with AVX-512 powers too)."""
        from onnx.backend.test.case.node import collect_testcases
        count = 0
        for case in collect_testcases(None):
            operators = {node.op_type for node in case.model.graph.node} if case.model is not None else {""}
            # NumPy has no strings here and no bfloat16; sequences and optionals are no tensors.
            if not operators <= OURS or any(word in case.name for word in ("STRING", "BFLOAT16", "_opt", "_sequence")):
                continue
            self.write(f"onnx/{case.name}", case.model, case.data_sets)
            count += 1
        self.assertGreater(count, 90)
        done = self.call("conform", "onnx", "--profile", "onnx")
        differing = [line for line in done.stdout.decode().splitlines() if not line.startswith("equal")]
        self.assertIn(f"{count} folders: ", differing[-1])
        self.assertRegex(differing[-1], r", 0 empty, 0 not run; \d{4,} elements compared")
        for line in differing[:-1]:
            self.assertRegex(line, r"^differs  'onnx/test_(exp|log|pow|sigmoid|tanh)(_example)?': .* by at most 1 ULP; ")


if __name__ == "__main__":
    unittest.main()
