"""The .npy files of NumPy: versions, byte orders, storage orders, the types that .npy cannot name, '-'."""
import io
import unittest

import numpy as np
from program import CliTest


def by_hand(descr, shape, data, fortran=False, version=(1, 0)):
    """A file as the format's description has it, without NumPy."""
    header = f"{{'descr': {descr!r}, 'fortran_order': {fortran}, 'shape': {shape}, }}".encode()
    width = 2 if version == (1, 0) else 4
    total = 6 + 2 + width + len(header) + 1
    header += b" " * (-total % 64) + b"\n"
    return b"\x93NUMPY" + bytes(version) + len(header).to_bytes(width, "little") + header + data


class Reading(CliTest):
    def put(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def test_versions(self):
        array = np.array([[1.5, -2], [3, 4]])
        for version in ((1, 0), (2, 0), (3, 0)):
            with open(self.folder / "v.npy", "wb") as file:
                np.lib.format.write_array(file, array, version=version)
            self.gives("3 -4\n6 8", "add", "v.npy", "v.npy")
            self.put("h.npy", by_hand("<f8", (2, 2), array.tobytes(), version=version))
            self.output("diff", "v.npy", "h.npy")
        self.put("x.npy", by_hand("<f8", (1,), b"\0" * 8, version=(4, 0)))
        self.refused("version 1.0, 2.0 or 3.0, found 4.0", "info", "x.npy")

    def test_byte_orders(self):
        for t in ("f2", "f4", "f8", "i2", "i4", "i8", "u2", "u4", "u8", "c8", "c16"):
            values = np.array([[1, 2, 3], [4, 5, 100]]) + (0.5j if t[0] == "c" else 0)
            np.save(self.folder / "little.npy", values.astype("<" + t))
            np.save(self.folder / "big.npy", values.astype(">" + t))
            self.assertIn("bit-equal", self.output("diff", "little.npy", "big.npy"), t)
            self.output("sub", "big.npy", "little.npy", "--dialect", "native", "-o", "y.npy")
            self.assertTrue(np.array_equal(np.load(self.folder / "y.npy"), np.zeros((2, 3), t)), t)

    def test_fortran_order(self):
        for t in ("<f8", ">f4", "<i2", "u1", "?"):
            array = np.arange(24).reshape(2, 3, 4).astype(t)
            np.save(self.folder / "c.npy", array)
            np.save(self.folder / "f.npy", np.asfortranarray(array))
            self.output("diff", "c.npy", "f.npy")
            self.output("add", "f.npy", "c.npy", "--dialect", "native", "-o", "y.npy")
            self.assertTrue(np.array_equal(np.load(self.folder / "y.npy"), array + array), t)

    def test_bf16(self):
        data = np.array([0x3f80, 0xc040], "<u2").tobytes()  # 1, -3
        for descr in ("|V2", "<V2", "<u2"):
            self.put("b.npy", by_hand(descr, (2,), data))
            self.gives("2 -6", "add", "b.npy", "b.npy", "--type", "bf16")
        self.put("b.npy", by_hand(">u2", (2,), np.array([0x3f80, 0xc040], ">u2").tobytes()))
        self.gives("2 -6", "add", "b.npy", "b.npy", "--type", "bf16")
        self.gives("2 -6", "add", self.put("v.npy", by_hand("|V2", (2,), data)), "[1 -3]")
        self.output("mul", "v.npy", "v.npy", "-o", "y.npy")
        y = np.load(self.folder / "y.npy")
        self.assertEqual((y.dtype.str, y.tobytes()), ("|V2", np.array([0x3f80, 0x4110], "<u2").tobytes()))

    def test_nibbles(self):
        np.save(self.folder / "s.npy", np.array([-8, 7, -1], np.int8))
        np.save(self.folder / "u.npy", np.array([15, 0, 8], np.uint8))
        self.gives("0 -2 -2", "add", "s.npy", "s.npy", "--type", "int4")
        self.gives("14 0 0", "add", "u.npy", "u.npy", "--type", "uint4")
        for name, t, dtype, values in (("s.npy", "int4", np.int8, [0, -2, -2]),
                                       ("u.npy", "uint4", np.uint8, [14, 0, 0])):
            self.output("add", name, name, "--type", t, "-o", "y.npy")
            y = np.load(self.folder / "y.npy")
            self.assertEqual((y.dtype, y.tolist()), (np.dtype(dtype), values))

    def test_nibbles_out_of_range_are_refused_with_the_index(self):
        np.save(self.folder / "s.npy", np.array([[0, 7], [8, 0]], np.int8))
        self.refused(r"-8 to 7, found 8 at index \(1,0\)", "info", "s.npy", "--type", "int4")
        np.save(self.folder / "s.npy", np.array([-9], np.int8))
        self.refused(r"found -9 at index \(0\)", "info", "s.npy", "--type", "int4")
        np.save(self.folder / "u.npy", np.array([0, 16], np.uint8))
        self.refused(r"0 to 15, found 16 at index \(1\)", "info", "u.npy", "--type", "uint4")

    def test_a_type_that_the_bytes_cannot_mean(self):
        np.save(self.folder / "x.npy", np.ones(2, np.float32))
        for t in ("fp64", "bf16", "int4"):
            self.refused(f"'x.npy'.*{t}.*fp32.*astype", "info", "x.npy", "--type", t)
        self.output("info", "x.npy", "--type", "fp32")

    def test_literals_take_the_type_of_the_file(self):
        np.save(self.folder / "x.npy", np.array([1, 3], np.float16))
        self.gives("0.3333 1", "div", "x.npy", "[3 3]")
        self.gives("3 1", "div", "[3 3]", "x.npy")

    def test_damaged_files(self):
        good = by_hand("<f8", (2,), b"\0" * 16)
        self.output("info", self.put("x.npy", good))
        for damage in (good[:-1], good + b"\0", good[:7], good[:20], b"", good.replace(b"(2,)", b"(3,)"),
                       good.replace(b"<f8", b"<q8"), good.replace(b"<f8", b"|O8"), good.replace(b"'shape'", b"'shope'"),
                       good.replace(b"(2,)", b"(-2,"), by_hand("<f8", (2 ** 40, 2 ** 40), b""), b"\0" * 200,
                       by_hand("|b1", (1,), b"\2")):
            self.refused("'x.npy'", "info", self.put("x.npy", damage))


class Streams(CliTest):
    def as_bytes(self, array):
        buffer = io.BytesIO()
        np.save(buffer, array)
        return buffer.getvalue()

    def test_stdin_and_stdout(self):
        array = np.arange(1.0, 7.0).reshape(2, 3)
        self.gives("2 4 6\n8 10 12", "mul", "-", "2", "--dialect", "onnx", stdin=self.as_bytes(array))
        self.gives("-1 -2 -3\n-4 -5 -6", "sub", "0", "-", "--dialect", "onnx", stdin=self.as_bytes(array))
        done = self.call("mul", "-", "2", "--dialect", "onnx", "-o", "-", stdin=self.as_bytes(array))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(np.array_equal(np.load(io.BytesIO(done.stdout)), 2 * array))
        self.assertEqual(self.entries(), [])

    def test_a_pipe_of_programs(self):
        once = self.call("div", "1", "3", "-o", "-").stdout
        twice = self.call("div", "-", "3", "-o", "-", stdin=once).stdout
        self.gives(repr(1 / 3 / 3), "add", "-", "0", stdin=twice)

    def test_diff_and_info(self):
        data = self.as_bytes(np.array([1, 2], np.int8))
        self.gives("bit-equal: 2 elements of int8", "diff", "-", "[1 2]", stdin=data)
        self.assertEqual(self.rows("info", "-", stdin=data)["max"], "2")

    def test_a_stream_that_ends_early_or_late(self):
        data = self.as_bytes(np.ones(1000))
        self.refused("stdin", "info", "-", stdin=data[:-1])
        self.refused("stdin", "info", "-", stdin=data + b"x")


if __name__ == "__main__":
    unittest.main()
