"""Whatever NumPy and Python have for arrays: strides, byte orders, alignments, scalars, lists, buffers."""
import array
import ctypes
import decimal
import enum
import fractions
import mmap
import sys
import unittest

import numpy as np

import hadamard

DTYPES = [np.dtype(x) for x in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "c8", "c16", "?")]


def sample(dtype, shape, start=1):
    count = int(np.prod(shape))
    if dtype.kind == "b":
        return (np.arange(count) % 3 > 0).reshape(shape)
    return (np.arange(start, start + count) % 100 + 1).astype(dtype).reshape(shape)


def unaligned(a):
    """The same elements one byte beside where they should lie."""
    memory = np.zeros(a.nbytes + 1, "u1")
    view = np.ndarray(a.shape, a.dtype, memory.data, 1)
    view[...] = a
    return view


class Layouts(unittest.TestCase):
    def views(self, dtype):
        """(what, view) of shape (3, 4), each with other strides."""
        a = sample(dtype, (3, 4))
        yield "contiguous", a
        yield "Fortran", np.asfortranarray(a)
        yield "reversed", a[::-1, ::-1]
        yield "every other", sample(dtype, (6, 8))[::2, ::2]
        yield "backwards in steps", sample(dtype, (9, 8))[::-3, ::-2]
        yield "transposed", sample(dtype, (4, 3)).T
        yield "broadcast row", np.broadcast_to(sample(dtype, (4,)), (3, 4))
        yield "broadcast column", np.broadcast_to(sample(dtype, (3, 1)), (3, 4))
        yield "one element", np.broadcast_to(sample(dtype, ()), (3, 4))
        yield "other byte order", a.astype(a.dtype.newbyteorder("S"))
        yield "other byte order, reversed", a.astype(a.dtype.newbyteorder("S"))[::-1]
        yield "unaligned", unaligned(a)
        yield "unaligned, transposed", unaligned(sample(dtype, (4, 3))).T
        field = np.zeros((3, 4), [("x", "u1"), ("value", dtype), ("y", "u1")])
        field["value"] = a
        yield "a field of records", field["value"]
        padded = np.zeros((3, 4), [("value", dtype), ("y", "V8")])
        padded["value"] = a
        yield "an aligned field of records", padded["value"]
        frozen = a.copy()
        frozen.flags.writeable = False
        yield "read-only", frozen
        yield "slice with an offset", sample(dtype, (5, 7))[1:4, 2:6]
        yield "7 dimensions and more", a.reshape(1, 3, 1, 1, 1, 1, 1, 4).squeeze()

    def test_two_operands_of_any_layout(self):
        for dtype in DTYPES:
            views = list(self.views(dtype))
            for what, a in views:
                for also, b in views:
                    with self.subTest(f"{dtype} {what}, {also}"):
                        y = hadamard.max(a, b) if dtype.kind != "c" else hadamard.add(a, b)
                        self.assertEqual(y.dtype, dtype)
                        self.assertEqual(y.shape, (3, 4))
                        expected = np.maximum(a, b) if dtype.kind != "c" else np.add(a, b)
                        np.testing.assert_array_equal(y, expected)

    def test_one_operand_of_any_layout(self):
        for dtype in DTYPES:
            for what, a in self.views(dtype):
                with self.subTest(f"{dtype} {what}"):
                    np.testing.assert_array_equal(hadamard.identity(a), a)

    def test_outputs_of_any_layout(self):
        for dtype in DTYPES:
            a, b = sample(dtype, (3, 4)), sample(dtype, (3, 4), 5)
            expected = hadamard.add(a, b)
            for what, out in self.views(dtype):
                out = out.copy(order="K") if what in ("contiguous", "Fortran") else out
                with self.subTest(f"{dtype} {what}"):
                    before = out.copy()
                    if "broadcast" in what or what in ("one element", "read-only") or "other byte" in what and \
                            not out.dtype.isnative or not out.flags.aligned or \
                            any(s % dtype.itemsize for s in out.strides):
                        with self.assertRaises((ValueError, TypeError)) as caught:
                            hadamard.add(a, b, out=out)
                        self.assertIsInstance(caught.exception, hadamard.Error)
                        np.testing.assert_array_equal(out, before)
                    else:
                        self.assertIs(hadamard.add(a, b, out=out), out)
                        np.testing.assert_array_equal(out, expected)

    def test_results_in_the_order_of_the_operands(self):
        a = np.asfortranarray(np.ones((3, 4)))
        c = np.ones((3, 4))
        self.assertTrue(hadamard.add(a, a).flags.f_contiguous)
        self.assertTrue(hadamard.add(a, 1.0).flags.f_contiguous)
        self.assertTrue(hadamard.neg(a).flags.f_contiguous)
        self.assertTrue(hadamard.add(a, c).flags.c_contiguous)
        self.assertTrue(hadamard.add(c, c).flags.c_contiguous)
        big = np.asfortranarray(np.ones((300, 400)))
        self.assertTrue(hadamard.add(big, big).flags.f_contiguous)

    def test_results_own_their_memory(self):
        for count in (8, 100_000, 1_000_000):
            y = hadamard.add(np.ones(count), 1.0)
            self.assertTrue(y.flags.writeable and y.flags.aligned and y.flags.c_contiguous)
            y[0] = 7
            y.sort()
            self.assertEqual(y[-1], 7)

    def test_broadcasting(self):
        for left, right in [((3, 1), (4,)), ((2, 3, 4), (3, 1)), ((), (2, 2)), ((1,), (0,)), ((2, 0, 3), (1, 3)),
                            ((5, 1, 1, 1, 1, 1, 1, 2), (3, 1, 1, 1, 1, 1, 1))]:
            a, b = np.ones(left), np.full(right, 3.0)
            y = hadamard.div(a, b)
            np.testing.assert_array_equal(y, a / b)
            self.assertEqual(y.shape, np.broadcast_shapes(left, right))

    def test_thirty_two_dimensions(self):
        a = np.ones((1,) * 31 + (5,))
        self.assertEqual(hadamard.add(a, a).shape, a.shape)

    def test_empty(self):
        for dtype in DTYPES:
            for shape in [(0,), (3, 0), (0, 3), (2, 0, 4)]:
                y = hadamard.add(np.ones(shape, dtype), np.ones(shape, dtype))
                self.assertEqual((type(y), y.shape, y.dtype), (np.ndarray, shape, dtype))
        self.assertEqual(hadamard.exp(np.ones((0, 2))).shape, (0, 2))
        self.assertEqual(hadamard.div(np.ones((0,), "i4"), 0).shape, (0,))

    def test_rank_0_is_a_scalar_as_of_numpys_own_functions(self):
        a = np.array(6.0)
        self.assertIs(type(hadamard.div(a, a)), type(np.divide(a, a)))
        self.assertIs(type(hadamard.div(np.float32(6), np.float32(3))), np.float32)
        self.assertIs(type(hadamard.exp(0.0)), np.float64)
        out = np.empty(())
        self.assertIs(hadamard.div(a, 4.0, out=out), out)
        self.assertEqual(out, 1.5)

    def test_truth_values_that_are_neither_0_nor_1(self):
        odd = np.array([0, 1, 2, 255], "u1").view(bool)
        y = hadamard.identity(odd)
        self.assertEqual(y.view("u1").tolist(), [0, 1, 1, 1])
        self.assertEqual(hadamard.cast(odd, "int32").tolist(), [0, 1, 1, 1])
        self.assertEqual(hadamard.where(odd, np.ones(4), np.zeros(4)).tolist(), [0, 1, 1, 1])


class InPlace(unittest.TestCase):
    def test_an_operand_is_the_output(self):
        for count in (8, 1000, 100_000):
            a, b = np.arange(1.0, count + 1), np.arange(2.0, count + 2)
            expected = a / b
            c = a.copy()
            hadamard.div(c, b, out=c)
            np.testing.assert_array_equal(c, expected)
            c = b.copy()
            hadamard.div(a, c, c)
            np.testing.assert_array_equal(c, expected)

    def test_overlap(self):
        for step in (1, 3, -2):
            a = np.arange(1.0, 2001.0)
            if step > 0:
                x, y = a[:-step], a[step:]
            else:
                x, y = a[-step:], a[:step]
            expected = np.array(x) * 3
            hadamard.mul(x, 3.0, out=y)
            np.testing.assert_array_equal(y, expected)
        a = np.arange(1.0, 1001.0)
        expected = a[::-1] + a
        hadamard.add(a, a[::-1], out=a)
        np.testing.assert_array_equal(a, expected)

    def test_an_output_two_of_whose_elements_are_one(self):
        out = np.lib.stride_tricks.as_strided(np.zeros(4), (3, 3), (8, 8))
        with self.assertRaises(ValueError) as caught:
            hadamard.add(np.ones((3, 3)), 1.0, out=out)
        self.assertEqual(caught.exception.code, "overlap")


class Numbers(unittest.TestCase):
    """Python's numbers take the type of the other operand."""

    def test_they_take_the_type(self):
        for dtype in DTYPES:
            a = sample(dtype, (4,))
            for number in (1, True) + ((1.0,) if dtype.kind in "fc" else ()) + ((1 + 0j,) if dtype.kind == "c" else ()):
                for y in (hadamard.mul(a, number), hadamard.mul(number, a)):
                    self.assertEqual(y.dtype, dtype)
                    np.testing.assert_array_equal(y, a)

    def test_alone(self):
        for left, right, dtype in [(1, 2, "i8"), (True, False, "?"), (1, 2.5, "f8"), (1, 2j, "c16"), (True, 2, "i8")]:
            self.assertEqual(hadamard.add(left, right).dtype, dtype)
        self.assertEqual(hadamard.div(6.1, 3), 6.1 / 3)
        self.assertEqual(hadamard.div(7, 2), 3)

    def test_integers_that_do_not_fit(self):
        for dtype, value in [("u1", 256), ("u1", -1), ("i1", 128), ("i1", -129), ("i8", 2 ** 63), ("u8", 2 ** 64),
                             ("u8", -1), ("i4", 10 ** 100), ("?", 2)]:
            with self.assertRaises(ValueError) as caught:
                hadamard.add(np.ones(2, dtype), value)
            self.assertIn("does not fit into", str(caught.exception))
            self.assertEqual(caught.exception.code, "bad_argument")
        self.assertEqual(hadamard.add(np.zeros(1, "u8"), 2 ** 64 - 1)[0], 2 ** 64 - 1)
        self.assertEqual(hadamard.add(np.zeros(1, "i8"), -2 ** 63)[0], -2 ** 63)
        self.assertEqual(hadamard.add(np.zeros(1, "i1"), -128)[0], -128)

    def test_another_kind(self):
        for dtype, value in [("i4", 0.5), ("i4", 2.0), ("f4", 1j), ("?", 0.0), ("u8", 1j)]:
            with self.assertRaises(TypeError) as caught:
                hadamard.add(np.ones(2, dtype), value)
            self.assertEqual(caught.exception.code, "type_mismatch")

    def test_integers_round_once(self):
        # Between two floats, just beyond the middle: twice rounded it would be the lower one.
        middle = 2 ** 100 + 2 ** 76
        for dtype, bits in (("f4", 24),):
            for value in (middle + 1, middle - 1, middle, -middle - 1, 2 ** 24 + 1, 2 ** 60 + 2 ** 36 + 1):
                found = hadamard.add(np.zeros(1, dtype), value)[0]
                exact = fractions.Fraction(float(found)) - value
                for neighbour in (np.nextafter(found, np.float32(np.inf)), np.nextafter(found, np.float32(-np.inf))):
                    self.assertLessEqual(abs(exact), abs(fractions.Fraction(float(neighbour)) - value))
        self.assertEqual(hadamard.add(np.zeros(1, "f4"), middle + 1)[0], np.float32(2.0 ** 100 + 2.0 ** 77))
        self.assertEqual(hadamard.add(np.zeros(1, "f4"), middle)[0], np.float32(2.0 ** 100))
        self.assertEqual(hadamard.add(np.zeros(1, "f2"), 65519)[0], 65504)
        for dtype, value in (("f2", 65520), ("f2", -10 ** 30), ("f4", 2 ** 128), ("f4", 10 ** 400), ("c8", 2 ** 128)):
            for operand in (value, [value, 1]) if abs(value) < 2 ** 63 else (value,):
                with self.subTest(dtype=dtype, operand=operand), self.assertRaisesRegex(ValueError, "does not fit"):
                    hadamard.add(np.zeros(2, dtype), operand)

    def test_zeros_and_ones_beside_bool(self):
        self.assertEqual(hadamard.add(np.array([True, False]), [0, 1]).tolist(), [True, True])
        with self.assertRaisesRegex(ValueError, "does not fit into bool"):
            hadamard.add(np.array([True, False]), [0, 2])

    def test_lists_of_integers_are_the_numbers_themselves(self):
        big = 2 ** 63 + 2 ** 39 + 1
        self.assertEqual(hadamard.add([big, 1], np.zeros(2, "f4"))[0], hadamard.add(big, np.zeros(1, "f4"))[0])
        self.assertEqual(hadamard.add([[2 ** 63, 1]], np.ones((1, 2), np.uint64)).tolist(), [[2 ** 63 + 1, 2]])
        self.assertEqual(hadamard.add([2 ** 63], np.ones(1))[0], 2.0 ** 63)
        self.assertEqual(hadamard.add([2 ** 100, -1], np.zeros(2))[0], 2.0 ** 100)
        with self.assertRaisesRegex(ValueError, "does not fit into int64"):
            hadamard.add([2 ** 63], [1])
        with self.assertRaisesRegex(ValueError, "does not fit into int64"):
            hadamard.add([2 ** 64], np.ones(1, np.int64))

    def test_what_has_a_type_keeps_it_in_a_list(self):
        for operand in ([np.float64(0.1)], [np.array(0.1)], [[np.float64(0.1)]], (np.array([0.1]),)):
            with self.subTest(operand), self.assertRaisesRegex(TypeError, "must have the same type"):
                hadamard.add(np.zeros((1, 1), "f4"), operand)
        self.assertEqual(hadamard.add(np.zeros(1, "f4"), [np.float32(0.1)]).dtype, np.float32)

    def test_empty_arrays_wherever_they_lie(self):
        apart = np.zeros(3, dtype=[("a", "u1"), ("x", "f8")])["x"]
        self.assertEqual(hadamard.exp(apart[:0]).shape, (0,))
        self.assertEqual(hadamard.add(apart[:0], apart[:0], out=apart[:0]).shape, (0,))
        self.assertEqual(hadamard.Tensor(apart[:0]).shape, (0,))

    def test_one_line_asks_for_no_order(self):
        a = np.asfortranarray(np.arange(12.0).reshape(3, 4))
        for y in (hadamard.add(a, a[:, :1]), hadamard.add(a, np.ones(4)), hadamard.add(a[:, :1], a)):
            self.assertTrue(y.flags.f_contiguous)
        for y in (hadamard.add(a, np.ones((3, 4))), hadamard.add(a, np.ones((3, 8))[:, ::2])):
            self.assertTrue(y.flags.c_contiguous)

    def test_floats_round_to_the_type(self):
        self.assertEqual(hadamard.add(np.zeros(1, "f4"), 0.1)[0], np.float32(0.1))
        self.assertEqual(hadamard.add(np.zeros(1, "f2"), 0.1)[0], np.float16(0.1))
        self.assertEqual(hadamard.add(np.zeros(1, "f4"), 1e-45)[0], np.float32(1e-45))
        self.assertTrue(np.isnan(hadamard.add(np.zeros(1, "f4"), float("nan"))[0]))
        self.assertEqual(hadamard.add(np.zeros(1, "c8"), 0.1 + 0.2j)[0], np.complex64(0.1 + 0.2j))

    def test_numpys_scalars_have_a_type(self):
        self.assertEqual(hadamard.add(np.ones(2, "f4"), np.float32(1)).dtype, "f4")
        for scalar in (np.float64(1), np.float16(1), np.int64(1), np.complex128(1), np.bool_(True)):
            with self.assertRaises(TypeError):
                hadamard.add(np.ones(2, "f4"), scalar)

    def test_numbers_of_other_classes(self):
        class Colour(enum.IntEnum):
            RED = 3

        class Mine(float):
            pass
        self.assertEqual(hadamard.add(np.ones(1, "i2"), Colour.RED)[0], 4)
        self.assertEqual(hadamard.add(np.ones(1, "f4"), Mine(0.5))[0], 1.5)
        with self.assertRaisesRegex(TypeError, "A is fp64 and B is real"):  # a Fraction is of type real
            hadamard.add(np.ones(1), fractions.Fraction(1, 2))
        for other in (decimal.Decimal(1), "1", None, object(), {1: 2}, {1}, len):
            with self.assertRaises(TypeError) as caught:
                hadamard.add(np.ones(1), other)
            self.assertIn("B is of type", str(caught.exception))

    def test_lists_are_like_numbers(self):
        np.testing.assert_array_equal(hadamard.add(np.ones(3, "f4"), [1, 2, 3]), np.array([2, 3, 4], "f4"))
        self.assertEqual(hadamard.add(np.ones(3, "u1"), (1, 2, 3)).dtype, "u1")
        self.assertEqual(hadamard.add([[1, 2]], [[0.5], [1.5]]).tolist(), [[1.5, 2.5], [2.5, 3.5]])
        self.assertEqual(hadamard.add([1, 2], [3, 4]).dtype, "i8")
        self.assertEqual(hadamard.add(np.zeros(2), [2**70, 0.5]).tolist(), [2.0**70, 0.5])
        self.assertEqual(hadamard.add([2**70, 0.5j], 0).tolist(), [2.0**70, 0.5j])
        for beyond in (10**400, -(10**5000)):
            with self.assertRaisesRegex(ValueError, r"B\[0\] is (1000|-0x).*, which does not fit into fp64"):
                hadamard.add(np.zeros(2), [beyond, 0.5])
        self.assertEqual(hadamard.add(np.ones(0, "f4"), []).dtype, "f4")
        with self.assertRaises(ValueError):
            hadamard.add(np.ones(2, "u1"), [1, 300])
        with self.assertRaises(TypeError):
            hadamard.add(np.ones(2, "i4"), [1, 0.5])
        with self.assertRaises(ValueError):
            hadamard.add([[1, 2], [3]], 1)
        with self.assertRaises(TypeError):
            hadamard.add(["a", "b"], 1)
        with self.assertRaises(TypeError):
            hadamard.add([None], 1)


class Others(unittest.TestCase):
    """Buffers, and whatever says that it is an array."""

    def test_buffers(self):
        for source in (array.array("f", [1, 2, 3]), memoryview(array.array("f", [1, 2, 3])),
                       (ctypes.c_float * 3)(1, 2, 3)):
            np.testing.assert_array_equal(hadamard.add(source, 1.0), np.array([2, 3, 4], "f4"))
        np.testing.assert_array_equal(hadamard.add(b"\x01\x02", 1), np.array([2, 3], "u1"))
        np.testing.assert_array_equal(hadamard.add(bytearray(b"\x01\x02"), 1), np.array([2, 3], "u1"))
        memory = mmap.mmap(-1, 16)
        self.assertEqual(hadamard.add(memory, 1).shape, (16,))

    def test_array_protocols(self):
        class WithArray:
            def __array__(self, dtype=None):
                return np.array([1.0, 2.0])

        class WithInterface:
            memory = np.array([1.0, 2.0])
            __array_interface__ = memory.__array_interface__
        for source in (WithArray(), WithInterface()):
            self.assertEqual(hadamard.add(source, 1.0).tolist(), [2.0, 3.0])

    def test_an_array_method_that_raises(self):
        class Bad:
            def __array__(self, dtype=None):
                raise KeyError("mine")

        class Wrong:
            def __array__(self, dtype=None):
                return 7
        with self.assertRaisesRegex(KeyError, "mine"):
            hadamard.add(np.ones(1), Bad())
        with self.assertRaises((TypeError, ValueError)):
            hadamard.add(np.ones(1), Wrong())

    def test_subclasses_are_taken_as_arrays(self):
        class Mine(np.ndarray):
            pass
        a = np.ones(3).view(Mine)
        self.assertIs(type(hadamard.add(a, 1.0)), np.ndarray)
        self.assertIs(type(hadamard.add(np.ones((2, 2)).view(np.matrix), 1.0)), np.ndarray)
        out = np.empty(3).view(Mine)
        self.assertIs(hadamard.add(a, 1.0, out=out), out)

    def test_masked_arrays_are_refused(self):
        masked = np.ma.masked_array([1.0, 2.0], [True, False])
        with self.assertRaisesRegex(TypeError, "out is a masked array"):
            hadamard.add(np.ones(2), 1, out=masked)
        with self.assertRaisesRegex(TypeError, "masked array, whose mask would be lost; pass .filled"):
            hadamard.add(masked, 1.0)
        self.assertEqual(hadamard.add(masked.filled(0), 1.0).tolist(), [1, 3])

    def test_types_that_there_are_not(self):
        for a in (np.ones(2, "g"), np.array(["a"]), np.array(["2020-01-01"], "M8[D]"),
                  np.zeros(2, [("x", "f4")]), np.zeros(2, "V2"), np.zeros(2, "G")):
            with self.assertRaises(TypeError) as caught:
                hadamard.add(a, a)
            self.assertIn("which is no element type", str(caught.exception))
        with self.assertRaisesRegex(TypeError, r"A\[0\] is of type NoneType, among objects"):
            hadamard.add(np.array([None]), 1)

    def test_references_are_returned(self):
        a, b, out = np.ones(5), np.ones(5), np.empty(5)
        swapped = a.astype(">f8")
        listed = [1, 2, 3, 4, 5]
        before = [sys.getrefcount(x) for x in (a, b, out, swapped, listed, np.dtype("f8"))]
        for _ in range(100):
            hadamard.add(a, b)
            hadamard.add(a, b, out=out)
            hadamard.add(a, 2.5)
            hadamard.add(swapped, listed)
            hadamard.add(a, b, dialect="sonnx")
            for wrong in (np.ones(3), "x", np.ones(5, "f4"), 1j):
                try:
                    hadamard.add(a, wrong, out=out)
                except hadamard.Error:
                    pass
            hadamard.cast(a, "f4")
            hadamard.where(a.astype(bool), a, b)
        after = [sys.getrefcount(x) for x in (a, b, out, swapped, listed, np.dtype("f8"))]
        self.assertEqual(after[:5], before[:5])
        self.assertLess(abs(after[5] - before[5]), 5)

    def test_memory_is_returned(self):
        def resident():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * mmap.PAGESIZE
        a = np.ones(1_000_000)
        for _ in range(5):
            hadamard.add(a, a)
        before = resident()
        for _ in range(100):
            hadamard.add(a, a)
            hadamard.add(a.astype(">f8"), a)
            hadamard.Tensor(a, dtype="bf16").numpy()
        self.assertLess(resident() - before, 64 << 20)


class Hostile(unittest.TestCase):
    def test_views_of_more_than_any_memory(self):
        huge = np.broadcast_to(np.float64(1), (2 ** 40, 2 ** 10))
        for call in (lambda: hadamard.add(huge, huge), lambda: hadamard.exp(huge), lambda: hadamard.add(huge, 1.0)):
            with self.assertRaises(MemoryError):
                call()
        wild = np.lib.stride_tricks.as_strided(np.ones(1), (1, 1), (2 ** 62, -2 ** 62))
        self.assertEqual(hadamard.add(wild, 1.0).tolist(), [[2.0]])
        none = np.lib.stride_tricks.as_strided(np.ones(1), (0, 5), (2 ** 62, 2 ** 62))
        self.assertEqual(hadamard.add(none, 1.0).shape, (0, 5))

    def test_code_of_others_gives_an_operand_other_memory(self):
        a = np.ones(100_000)

        class Resizes:
            def __array__(self, dtype=None):
                a.resize(2, refcheck=False)
                return np.ones(2)
        self.assertEqual(hadamard.add(a, Resizes()).tolist(), [2, 2])
        a = np.ones(100_000)
        with self.assertRaises(ValueError):
            hadamard.where(np.ones(100_000, bool), a, Resizes())

    def test_an_iterable_is_no_array(self):
        with self.assertRaises(TypeError):
            hadamard.add(iter([1, 2]), 1)
        with self.assertRaises(TypeError):
            hadamard.add((x for x in [1.0]), 1.0)

    def test_a_list_within_itself(self):
        loop = []
        loop.append(loop)
        with self.assertRaises((ValueError, TypeError, RecursionError)):
            hadamard.add(loop, 1)


if __name__ == "__main__":
    unittest.main()
