"""Files that ONNX's own Python package wrote are read as it reads them, and it reads what we write.

usage: interop_test.py PROGRAM…   how to start onnx_dump
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

PROGRAM = sys.argv[1:]
TYPES = {"FLOAT": "f4", "DOUBLE": "f8", "FLOAT16": "f2", "INT8": "i1", "INT16": "i2", "INT32": "i4", "INT64": "i8",
         "UINT8": "u1", "UINT16": "u2", "UINT32": "u4", "UINT64": "u8", "BOOL": "?", "COMPLEX64": "c8",
         "COMPLEX128": "c16"}
FORMS = {None: 0, "tensor_type": 1, "sparse_tensor_type": 2}


def text_of_tensor(tensor, array=None):
    """What onnx_dump prints, but with the elements of `array`, or as ONNX decodes them."""
    array = numpy_helper.to_array(tensor) if array is None else array
    shape = ",".join(map(str, tensor.dims))
    return f"{TensorProto.DataType.Name(tensor.data_type)} ({shape}) {array.tobytes().hex()}"


def text_of_value(what, value):
    kind = value.type.WhichOneof("value")
    form = FORMS.get(kind, 3)
    known, dims, elem_type = False, "", 0
    if form in (1, 2):
        inner = getattr(value.type, kind)
        elem_type, known = inner.elem_type, inner.HasField("shape")
        for dim in inner.shape.dim:
            dims += f" {dim.dim_value}" if dim.HasField("dim_value") else f" ?{dim.dim_param}"
    name = TensorProto.DataType.Name(elem_type)
    return f"{what} {value.name} form {form} {name} shape {'known' if known else 'unknown'}{dims}"


def text_of_attribute(attribute):
    kinds = onnx.AttributeProto
    name, kind = attribute.name, attribute.type
    if kind == kinds.TENSOR:
        return f"  {name} = {text_of_tensor(attribute.t)}"
    if kind == kinds.SPARSE_TENSOR:
        return f"  {name} = sparse"
    if kind in (kinds.GRAPH, kinds.GRAPHS, kinds.TENSORS):
        return f"  {name} = other"
    value = helper.get_attribute_value(attribute)
    if kind == kinds.FLOAT:
        return f"  {name} = {value:.9g}"
    if kind == kinds.STRING:
        return f"  {name} = '{value.decode()}'"
    if kind == kinds.FLOATS:
        return f"  {name} = [{', '.join(f'{v:.9g}' for v in value)}]"
    if kind == kinds.STRINGS:
        return f"  {name} = {[v.decode() for v in value]}"
    return f"  {name} = {list(value) if kind == kinds.INTS else value}"


def text_of_model(model):
    graph = model.graph
    opset = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
    yield f"ir {model.ir_version} opset {opset} producer {model.producer_name} graph {graph.name}"
    for node in graph.node:
        yield f"node {node.domain} {node.op_type} {node.name} {','.join(node.input)} -> {','.join(node.output)}"
        yield from map(text_of_attribute, node.attribute)
    for what, values in (("input", graph.input), ("output", graph.output), ("value", graph.value_info)):
        yield from (text_of_value(what, value) for value in values)
    for tensor in graph.initializer:
        yield f"initializer {tensor.name} {text_of_tensor(tensor)}"
    for sparse in graph.sparse_initializer:
        yield f"sparse initializer {sparse.values.name}"


class Interop(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *args):
        return subprocess.run(PROGRAM + list(args), cwd=self.folder, capture_output=True, text=True, check=False)

    def dump(self, *args):
        result = self.run_program(*args)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def check_tensor(self, tensor, array):
        """Written by ONNX, read and written by us, read by ONNX. (1.12 cannot read its own typed complex numbers.)"""
        (self.folder / "t.pb").write_bytes(tensor.SerializeToString())
        self.assertEqual(self.dump("tensor", "t.pb"), f"{tensor.name} {text_of_tensor(tensor, array)}\n")
        self.assertEqual(self.dump("copy", "t.pb", "copy.pb"), "")
        copy = onnx.load_tensor(str(self.folder / "copy.pb"))
        self.assertEqual((copy.name, text_of_tensor(copy)), (tensor.name, text_of_tensor(tensor, array)))

    def check_model(self, model, **options):
        onnx.save_model(model, str(self.folder / "m.onnx"), **options)
        expected = "\n".join(text_of_model(onnx.load(str(self.folder / "m.onnx")))) + "\n"
        self.assertEqual(self.dump("model", "m.onnx"), expected)

    def arrays(self):
        random = np.random.default_rng(7)
        for name, dtype in TYPES.items():
            for shape in ((), (0, 3), (5,), (2, 3, 2)):
                count = int(np.prod(shape))
                array = random.integers(0, 2, count) if dtype == "?" else random.integers(0, 100, count)
                if np.dtype(dtype).kind == "c":
                    array = array + 1j * random.integers(-9, 9, count)
                yield name, array.astype(dtype).reshape(shape)

    def test_raw_tensors(self):
        for name, array in self.arrays():
            with self.subTest(name, shape=array.shape):
                self.check_tensor(numpy_helper.from_array(array, f"t {name}"), array)

    def test_typed_tensors(self):
        for name, array in self.arrays():
            with self.subTest(name, shape=array.shape):
                values = array.flatten().tolist()
                tensor = helper.make_tensor("typed", getattr(TensorProto, name), array.shape, values)
                self.check_tensor(tensor, array)

    def test_bfloat16(self):
        tensor = helper.make_tensor("b", TensorProto.BFLOAT16, [3], [1.5, -2.0, 0.0])
        (self.folder / "t.pb").write_bytes(tensor.SerializeToString())
        self.assertEqual(self.dump("tensor", "t.pb"), "b BFLOAT16 (3) c03f00c00000\n")

    def model(self):
        value, weights = helper.make_tensor_value_info, np.arange(6, dtype="f4").reshape(2, 3)
        constant = numpy_helper.from_array(np.array([7, -7], "i8"), "c")
        sparse = helper.make_sparse_tensor(numpy_helper.from_array(np.array([1], "f4"), "s"),
                                           numpy_helper.from_array(np.array([2], "i8"), "s.indices"), [4])
        branch = helper.make_graph([], "branch", [], [value("y", TensorProto.FLOAT, [1])])
        nodes = [
            helper.make_node("Add", ["x", "w"], ["sum"], name="first"),
            helper.make_node("Constant", [], ["c"], value=constant),
            helper.make_node("Constant", [], ["d"], sparse_value=sparse),
            helper.make_node("Clip", ["sum", "", "c"], ["y"], domain="ai.onnx"),
            helper.make_node("Other", ["y"], ["z"], domain="com.other", f=0.1, i=-5, s="text", fs=[0.5, 3.25],
                             ints=[1, -2], ss=["a", "b"], zero=0),
            helper.make_node("If", ["z"], ["o"], then_branch=branch, else_branch=branch),
        ]
        graph = helper.make_graph(
            nodes, "graph", [value("x", TensorProto.FLOAT, [2, "N", None]), value("any", TensorProto.INT8, None)],
            [value("y", TensorProto.FLOAT, []), helper.make_tensor_sequence_value_info("z", TensorProto.FLOAT, None)],
            [numpy_helper.from_array(weights, "w"), helper.make_tensor("i", TensorProto.UINT16, [2], [1, 65535])],
            value_info=[value("sum", TensorProto.FLOAT, [2, 3])])
        graph.sparse_initializer.append(sparse)
        return helper.make_model(graph, producer_name="interop", opset_imports=[
            helper.make_opsetid("com.other", 2), helper.make_opsetid("", 13)])

    def test_models(self):
        self.check_model(self.model())

    def test_newer_models(self):
        model = self.model()
        model.ir_version = 10  # ONNX 1.12's own checker refuses this
        self.check_model(model)

    def test_external_data(self):
        for one_file in (True, False):
            with self.subTest(one_file=one_file):
                self.check_model(self.model(), save_as_external_data=True, all_tensors_to_one_file=one_file,
                                 location="weights.bin" if one_file else None, size_threshold=0,
                                 convert_attribute=False)
                self.assertTrue((self.folder / ("weights.bin" if one_file else "w")).is_file())

    def test_external_data_that_is_missing(self):
        onnx.save_model(self.model(), str(self.folder / "m.onnx"), save_as_external_data=True, location="weights.bin",
                        size_threshold=0)
        (self.folder / "weights.bin").unlink()
        result = self.run_program("model", "m.onnx")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"^'m\.onnx': initializer 'w': external data: .*'weights\.bin'.*\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
