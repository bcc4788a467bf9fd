"""pandas: its labels and masks are kept, or refused, but never lost without a word."""
import unittest

import numpy as np

try:
    import pandas as pd
except ImportError as error:
    raise SystemExit("python3-pandas is missing: tools/bootstrap tests installs it") from error

import hadamard

SERIES = pd.Series([2.0, 4.0], index=["x", "y"], name="n")


class Labels(unittest.TestCase):
    def test_functions_refuse_them(self):
        frame = pd.DataFrame({"a": [1.0, 2.0]})
        for labelled in (SERIES, frame, SERIES.index, pd.RangeIndex(3), SERIES.astype("Float64")):
            for call in (lambda: hadamard.div(labelled, 2.0), lambda: hadamard.div(2.0, labelled), lambda: hadamard.neg(labelled),
                         lambda: hadamard.divide(labelled, 2), lambda: hadamard.Tensor(labelled), lambda: hadamard.cast(labelled, "bf16"),
                         lambda: hadamard.eval("A + 1", A=labelled), lambda: hadamard.elementwise_add(labelled, 1.0),
                         lambda: hadamard.where(labelled, 1, 2)):
                with self.assertRaisesRegex(TypeError, r"is a pandas.*, whose labels would be lost; pass \.to_numpy\(\)") as caught:
                    call()
                self.assertIsInstance(caught.exception, hadamard.Error)
        self.assertEqual(hadamard.div(SERIES.to_numpy(), 2).tolist(), [1, 2])

    def test_fluid_refuses_them(self):
        import hadamard.fluid as fluid

        with fluid.program_guard(fluid.Program()):
            x = fluid.layers.data(name="x", shape=[2])
            exe = fluid.Executor()
            for call in (lambda: exe.run(feed={"x": SERIES}, fetch_list=[x]), lambda: fluid.create_lod_tensor(SERIES, [[2]]),
                         lambda: fluid.layers.assign(SERIES)):
                self.assertRaisesRegex(TypeError, r"whose labels would be lost; pass \.to_numpy\(\)", call)
            self.assertEqual(exe.run(program=fluid.default_main_program(), feed={"x": SERIES.to_numpy()}, fetch_list=[x])[0].tolist(), [2, 4])

    def test_masked_arrays_are_no_fractions(self):
        for masked in (pd.array([1, 2], dtype="Int64"), pd.array([1, None], dtype="Int64"), pd.array([1.5], dtype="Float64"),
                       pd.array([True], dtype="boolean")):
            for call in (lambda: hadamard.div(masked, 2), lambda: hadamard.Tensor(masked, dtype="real")):
                self.assertRaisesRegex(TypeError, r"whose mask would be lost; pass .to_numpy\(dtype\)", call)
        self.assertEqual(hadamard.add(pd.array([1, 2], dtype="Int64").to_numpy("int64"), 1).tolist(), [2, 3])

    def test_beside_a_tensor_they_are_kept(self):
        t = hadamard.Tensor([1.0, 8.0])
        for y, expected in ((SERIES / t, [2, 0.5]), (t / SERIES, [0.5, 2]), (SERIES - t, [1, -4]), (t * SERIES, [2, 32]),
                            (np.add(SERIES, t), [3, 12]), (SERIES // t, [2, 0])):
            self.assertIsInstance(y, pd.Series)
            self.assertEqual((y.dtype, y.tolist(), y.index.tolist()), (np.float64, expected, ["x", "y"]))
        y = SERIES > t
        self.assertEqual((y.dtype, y.tolist(), y.index.tolist()), (bool, [True, False], ["x", "y"]))
        y = pd.Series([7, 8]) / hadamard.Tensor([2, 2])
        self.assertEqual((y.dtype, y.tolist()), (np.float64, [3.5, 4]))
        self.assertEqual((SERIES * hadamard.Tensor(2.0)).tolist(), [4, 8])
        self.assertEqual(pd.Series(hadamard.Tensor([1, 2], dtype="int4")).dtype, np.int8)
        self.assertRaises(TypeError, lambda: SERIES + hadamard.Tensor([1, 2], dtype="bf16"))


if __name__ == "__main__":
    unittest.main()
