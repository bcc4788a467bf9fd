"""Models and tensors for the tests: made by the onnx package, read back by it and by NumPy.

Debian's onnx 1.12 knows neither INT4 nor UINT4, so types are set by their numbers and elements as raw_data.
"""
import dataclasses
import pathlib
import shutil
import sys

import numpy as np
import onnx
from onnx import helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import oracle  # noqa: E402
from oracle import TYPES  # noqa: E402
from program import CliTest  # noqa: E402

BY_NUMBER = {t.number: t for t in TYPES.values()}


@dataclasses.dataclass(frozen=True)
class T:
    """A tensor: a type's name, a shape, and the bits of its elements."""
    type: str
    shape: tuple
    bits: tuple

    @property
    def raw(self):
        t = TYPES[self.type]
        if t.bits == 4:  # two in a byte, the first in the low half
            even = list(self.bits) + [0] * (len(self.bits) % 2)
            return bytes(low | high << 4 for low, high in zip(even[::2], even[1::2]))
        return b"".join(x.to_bytes(t.bits // 8, "little") for x in self.bits)

    @staticmethod
    def from_raw(type_, shape, raw):
        t = TYPES[type_]
        count = int(np.prod(shape, dtype=object))
        if t.bits == 4:
            halves = [half for byte in raw for half in (byte & 15, byte >> 4)]
            assert len(raw) == (count + 1) // 2 and not any(halves[count:]), raw
            return T(type_, tuple(shape), tuple(halves[:count]))
        size = t.bits // 8
        assert len(raw) == size * count, (type_, shape, len(raw))
        return T(type_, tuple(shape), tuple(int.from_bytes(raw[i:i + size], "little")
                                            for i in range(0, len(raw), size)))

    def proto(self, name="t"):
        tensor = onnx.TensorProto(name=name, dims=self.shape, raw_data=self.raw)
        tensor.data_type = TYPES[self.type].number
        return tensor

    def save(self, path):
        path = pathlib.Path(path)
        if path.suffix == ".pb":
            path.write_bytes(self.proto().SerializeToString())
            return
        t = TYPES[self.type]
        if t.bits == 4:  # one in a byte
            array = np.array([t.value(x) for x in self.bits], t.numpy)
        else:
            array = np.frombuffer(self.raw, t.numpy)
        np.save(path, array.reshape(self.shape))

    @staticmethod
    def load(path, type_):
        """`type_` is needed for what .npy has no word for, and must be right."""
        path = pathlib.Path(path)
        if path.suffix == ".pb":
            tensor = onnx.load_tensor(str(path))
            assert BY_NUMBER[tensor.data_type].name == type_, (path, tensor.data_type)
            return T.from_raw(type_, tensor.dims, tensor.raw_data), tensor.name
        array, t = np.load(path), TYPES[type_]
        assert array.dtype == np.dtype(t.numpy), (path, array.dtype, type_)
        if t.bits == 4:
            return T(type_, array.shape, tuple(t.wrap(int(x)) for x in array.flatten())), None
        return T.from_raw(type_, array.shape, array.tobytes()), None


def tensor(type_, values, shape=None):
    """Of numbers: ints, floats (rounded), or fractions."""
    t = TYPES[type_]

    def bits(v):
        if t.kind != "float":
            return t.wrap(int(v))
        if isinstance(v, float) and v != v:
            return t.nan
        if isinstance(v, float) and abs(v) == oracle.INF:
            return t.inf | (t.sign if v < 0 else 0)
        zero = int(str(v).startswith("-"))
        return oracle.encode(t, oracle.from_number(oracle.Fraction(v), zero))
    values = list(values) if isinstance(values, (list, tuple, range)) else [values]
    return T(type_, (len(values),) if shape is None else tuple(shape), tuple(map(bits, values)))


def value(name, type_, shape=()):
    """A ValueInfoProto. A type may be a number or None; an extent an int, a symbol or None; shape None: none."""
    info = onnx.ValueInfoProto(name=name)
    if type_ is not None:
        info.type.tensor_type.elem_type = type_ if isinstance(type_, int) else TYPES[type_].number
        if shape is not None:
            info.type.tensor_type.shape.SetInParent()
            for extent in shape:
                dim = info.type.tensor_type.shape.dim.add()
                if isinstance(extent, str):
                    dim.dim_param = extent
                elif extent is not None:
                    dim.dim_value = extent
    return info


node = helper.make_node


def model(nodes, inputs, outputs, initializers=None, opset=17, ir=8, infos=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, value_info=infos)
    for name, t in (initializers or {}).items():
        graph.initializer.append(t.proto(name))
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)] if opset else [])
    if not opset:
        del made.opset_import[:]
    made.ir_version = ir
    return made


def simple(op, type_="fp32", shape=(2,), inputs=("A", "B"), **attributes):
    """A model of one node 'n' with output Y."""
    return model([node(op, list(inputs), ["Y"], name="n", **attributes)], [value(i, type_, shape) for i in inputs],
                 [value("Y", type_, shape)])


class ModelTest(CliTest):
    maxDiff = 2000

    def save(self, made, name="m.onnx"):
        data = made if isinstance(made, bytes) else made.SerializeToString()
        (self.folder / name).write_bytes(data)
        return name

    def arguments(self, inputs, kind):
        arguments = []
        for i, (name, given) in enumerate(inputs.items()):
            given.save(self.folder / f"in{i}.{kind}")
            arguments.append(f"{name}=in{i}.{kind}")
        return arguments

    def run_model(self, made, inputs=None, outputs=(), kind="npy", to="npy", profile="sonnx", **more):
        """Runs with inputs from files of one kind; the outputs {name: type} from files of the other kind."""
        self.assertEqual(self.output("run", self.save(made), *self.arguments(inputs or {}, kind), "-o", "out",
                                     "--format", to, "--profile", profile, **more), "")
        found = {}
        for name, type_ in outputs.items():
            found[name], tensor_name = T.load(self.folder / "out" / f"{name}.{to}", type_)
            if to == "pb":
                self.assertEqual(tensor_name, name)
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()),
                         sorted(f"{name}.{to}" for name in outputs))
        shutil.rmtree(self.folder / "out")
        return found

    def refused_run(self, pattern, made, inputs=None, *options, name="m.onnx", **more):
        """Refused, and the folder of the outputs is as it was: with an old file in it."""
        out = self.folder / "out"
        out.mkdir(exist_ok=True)
        (out / "Y.npy").write_bytes(b"old")
        text = self.refused(pattern, "run", self.save(made, name), *self.arguments(inputs or {}, "npy"), "-o", "out",
                            *options, **more)
        self.assertEqual([p.name for p in out.iterdir()], ["Y.npy"])
        self.assertEqual((out / "Y.npy").read_bytes(), b"old")
        shutil.rmtree(out)
        return text

    def same(self, found, expected, what):
        """Bit for bit, with the first difference in the message."""
        self.assertEqual((found.type, found.shape, len(found.bits)), (expected.type, expected.shape,
                                                                      len(expected.bits)), what)
        for i, (f, e) in enumerate(zip(found.bits, expected.bits)):
            if f != e:
                self.fail(f"{what}: element {i} is {f:#x}, expected {e:#x}")
