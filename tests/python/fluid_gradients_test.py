"""hadamard.fluid: gradients, their gradients, append_backward."""
import unittest
from fractions import Fraction

import numpy as np

import hadamard
import hadamard.fluid as fluid
from fluid_case import FluidTest
from hadamard.fluid import layers


def placed(x, y, axis):
    """Both as NumPy would have them, with the rank of the larger."""
    rank = max(x.ndim, y.ndim)
    first = abs(x.ndim - y.ndim) if axis == -1 else axis
    return [a if a.ndim == rank else a.reshape((1,) * first + a.shape + (1,) * (rank - first - a.ndim)) for a in (x, y)]


def summed(a, shape):
    """Over the dimensions in which an operand of this shape was stretched."""
    return a.sum(axis=tuple(d for d in range(a.ndim) if shape[d] != a.shape[d]), keepdims=True)


class Backward(FluidTest):
    def numeric(self, function, at, step=1e-6):
        """A central difference of the sum of a function's results, by each element."""
        slopes = np.zeros_like(at)
        for index in np.ndindex(at.shape):
            for sign in (1, -1):
                moved = at.copy()
                moved[index] += sign * step
                slopes[index] += sign * function(moved).sum() / (2 * step)
        return slopes

    def test_every_operator_and_activation(self):
        random = np.random.default_rng(5)
        a, b = random.uniform(0.5, 2, (2, 3)) * [[1, -1, 1]], random.uniform(0.5, 2, 3)
        for op in ("add", "sub", "mul", "div"):
            for act in [None, *layers.ACTIVATION_LAYERS]:
                with fluid.program_guard(fluid.Program()):
                    x, y = self.data("x", [2, 3], "float64"), self.data("y", [3], "float64")
                    z = getattr(layers, "elementwise_" + op)(x, y, act=act)
                    dx, dy = fluid.gradients(z, [x, y])

                    def forward(p, q):
                        out = getattr(hadamard, op)(p, q, dialect="paddle", act=act)
                        return np.asarray(out)

                    got = self.run_it({"x": a, "y": b}, dx, dy)
                np.testing.assert_allclose(got[0], self.numeric(lambda p: forward(p, b), a), rtol=1e-5, atol=1e-8,
                                           err_msg=f"{op} {act}")
                np.testing.assert_allclose(got[1], self.numeric(lambda q: forward(a, q), b), rtol=1e-5, atol=1e-8,
                                           err_msg=f"{op} {act}")

    def test_a_variable_that_is_read_twice(self):
        x = self.data("x", [2], "float64", stop_gradient=False)
        z = x * x + x
        pairs = fluid.append_backward(z)
        self.assertEqual([v.name for v, _ in pairs], ["x"])
        (got,) = self.run_it({"x": [3.0, 4.0]}, pairs[0][1])
        self.assertEqual(got.tolist(), [7, 9])

    def test_the_name_of_a_gradient_is_that_of_the_whole(self):
        x = self.data("x", [2], "float64", stop_gradient=False)
        b = x * 3.0
        loss = b * b + x
        fluid.append_backward(loss)
        got = self.run_it({"x": [1.0, 2.0]}, "x@GRAD", b.name + "@GRAD", loss.name + "@GRAD",
                          fluid.framework.grad_var_name("x"))
        self.assertEqual([g.tolist() for g in got], [[19, 37], [6, 12], [1, 1], [19, 37]])
        (again,) = fluid.gradients(loss, x)
        self.assertEqual(again.name, "x@GRAD_0")
        self.assertEqual(self.run_it({"x": [1.0, 2.0]}, again)[0].tolist(), [19, 37])
        names = [name for name in self.program.global_block().vars if name.startswith("x@GRAD")]
        self.assertEqual(len(names), len(set(names)))

    def test_what_is_fed_wins(self):
        x, y = self.data("x", [2]), self.data("y", [2])
        dx, dy = fluid.gradients(x / y, [x, y])
        feed = {"x": [1, 1], "y": [1, 1], dx.name: [9, 9]}
        for fetch in ([dx], [dx, dy], [dy, dx]):
            self.assertEqual(dict(zip([v.name for v in fetch], self.run_it(feed, *fetch)))[dx.name].tolist(), [9, 9])

    def test_gradients_that_are_refused_or_none(self):
        x, w = self.data("x", [2]), self.data("w", [2])
        z = layers.relu(x)
        self.assertRaisesRegex(TypeError, "takes variables", fluid.gradients, z, x, [5])
        (g,) = fluid.gradients(z, x)
        self.assertEqual(fluid.gradients(g, w), [None])

    def test_data_that_stops_gradients_has_none_by_name(self):
        x, y = self.data("x", [2], stop_gradient=False), self.data("y", [2])
        fluid.append_backward(x * y * y)
        self.assertRaises(ValueError, self.run_it, {"x": [1, 1], "y": [1, 1]}, "y@GRAD")

    def test_target_gradients_and_what_no_target_needs(self):
        x, y, w = (self.data(n, [2], "float64") for n in "xyw")
        dx, dw = fluid.gradients([x / y], [x, w], target_gradients=[y])
        self.assertIsNone(dw)
        self.assertEqual(self.run_it({"x": [3.0, 5.0], "y": [2.0, 4.0]}, dx)[0].tolist(), [1, 1])

    def test_the_gradient_of_the_gradient_of_a_quotient(self):
        x, y = self.data("x", [3], "float64"), self.data("y", [3], "float64")
        (dy,) = fluid.gradients(x / y, [y])   # -x / y^2
        self.assertEqual(dy.name, "y@GRAD")
        x_value, y_value = np.array([1.0, 2, 3]), np.array([2.0, 4, 5])
        with self.assertRaises(fluid.core.EnforceNotMet):
            (relu_of,) = fluid.gradients(layers.relu(x), [x])
            fluid.gradients(relu_of, [x])
        (dx2, dy2) = fluid.gradients(x / y, [x, y])
        (second,) = fluid.gradients(dy2, [y])  # 2 x / y^3
        (got,) = self.run_it({"x": x_value, "y": y_value}, second)
        np.testing.assert_allclose(got, 2 * x_value / y_value**3, rtol=1e-14)

    def test_the_gradient_of_the_gradient_of_a_number_by_a_variable(self):
        x = self.data("x", [2], "float64")
        (first,) = fluid.gradients(1 / x, x)
        (second,) = fluid.gradients(first, x)  # 2 / x^3
        self.assertEqual(self.run_it({"x": [2.0, -4.0]}, second)[0].tolist(), [0.25, -0.03125])
        constant = self.program.global_block().ops[0]
        self.assertEqual((constant.type, self.program.global_block().var(constant.outputs["Out"]).stop_gradient),
                         ("fill_any_like", True))

    def gradients_of_gradients(self, op, x_shape, y_shape, axis, dtype="float64"):
        """With dx and dy those of op(x, y), where g is that of the result: the gradients of v dx + w dy by x, y and g; and
        v dx + w dy itself, as a function of x, y, g, v, w."""
        shape = np.broadcast(*placed(np.empty(x_shape), np.empty(y_shape), axis)).shape
        x, y, g, v, w = (self.data(*said, dtype) for said in (("x", x_shape), ("y", y_shape), ("g", shape),
                                                              ("v", x_shape), ("w", y_shape)))
        dx, dy = fluid.gradients(getattr(layers, "elementwise_" + op)(x, y, axis), [x, y], g)

        def first(*values):
            of_x, of_y = self.run_it(dict(zip("xygvw", values)), dx, dy)
            return np.append(values[3] * of_x, values[4] * of_y)

        return first, fluid.gradients([dx, dy], [x, y, g], [v, w]), [x_shape, y_shape, shape, x_shape, y_shape]

    def test_gradients_of_gradients(self):
        random = np.random.default_rng(8)
        for op in ("add", "sub", "mul"):
            for x_shape, y_shape, axis in (((2, 3), (2, 3), -1), ((2, 3), (3,), -1), ((3,), (2, 3), -1), ((2, 1), (1, 3), -1),
                                           ((2, 3, 2), (3,), 1), ((2,), (2, 3), 0), ((1, 3, 1), (3, 2), 1), ((), (2,), -1)):
                with self.subTest(op, x=x_shape, y=y_shape, axis=axis), fluid.program_guard(fluid.Program()):
                    first, seconds, shapes = self.gradients_of_gradients(op, x_shape, y_shape, axis)
                    values = [np.asarray(random.integers(-64, 64, shape) / 8) for shape in shapes]  # all results are exact
                    wanted = self.exact(op, *values, axis)
                    self.assertEqual([second is None for second in seconds], [want is None for want in wanted])
                    asked = [number for number in range(3) if wanted[number] is not None]
                    got = self.run_it(dict(zip("xygvw", values)), *(seconds[number] for number in asked))
                    for number, second in zip(asked, got):
                        self.assertEqual(second.tolist(), wanted[number].tolist())
                        slope = self.numeric(lambda moved: first(*values[:number], moved, *values[number + 1:]),
                                             values[number])
                        np.testing.assert_allclose(second, slope, rtol=1e-5, atol=1e-5)

    def exact(self, op, x, y, g, v, w, axis):
        """The gradients of v dx + w dy by x, y and g, as fractions: none by x and y, but for products."""
        exactly = np.vectorize(Fraction, otypes=[object])
        (x_in, y_in), (v_in, w_in) = (placed(exactly(a), exactly(b), axis) for a, b in ((x, y), (v, w)))
        if op != "mul":
            return [None, None, v_in + w_in if op == "add" else v_in - w_in]
        return [summed(exactly(g) * w_in, x_in.shape).reshape(x.shape), summed(exactly(g) * v_in, y_in.shape).reshape(y.shape),
                v_in * y_in + x_in * w_in]

    def test_each_step_of_a_gradient_of_gradients_is_rounded(self):
        random = np.random.default_rng(9)
        for op, of_g in (("add", lambda x, y, v, w: v + w), ("sub", lambda x, y, v, w: v - w),
                         ("mul", lambda x, y, v, w: v * y + x * w)):
            with fluid.program_guard(fluid.Program()):
                _, seconds, shapes = self.gradients_of_gradients(op, (50, 3), (3,), -1, "float32")
                values = [random.standard_normal(shape).astype(np.float32) for shape in shapes]
                x, y, _, v, w = values
                (got,) = self.run_it(dict(zip("xygvw", values)), seconds[2])
                self.assertEqual(got.tobytes(), of_g(x, y, v, w).tobytes())

    def test_gradients_of_one_gradient(self):
        x, y, g = (self.data(name, [2], "float64") for name in "xyg")
        feed = {"x": [np.inf, 3], "y": [2, 5], "g": [7, 11]}
        for z, by_x, by_y in ((x + y, [None, None, [1, 1]], [None, None, [1, 1]]),
                              (x - y, [None, None, [1, 1]], [None, None, [-1, -1]]),
                              (x * y, [[0, 0], [7, 11], [2, 5]], [[7, 11], [0, 0], [np.inf, 3]])):
            for first, wanted in zip(fluid.gradients(z, [x, y], g), (by_x, by_y)):
                found = fluid.gradients(first, [x, y, g])
                got = iter(self.run_it(feed, *(second for second in found if second is not None)))
                self.assertEqual([None if second is None else next(got).tolist() for second in found], wanted)

    def test_second_derivatives_of_a_polynomial_and_of_a_quotient(self):
        x, y = self.data("x", [3], "float64"), self.data("y", [3], "float64")
        cube, mixed = x * x * x - 2 * x, (x * x + y) / (y * x - 1)
        (first,) = fluid.gradients(cube, x)
        (second,) = fluid.gradients(first, x)
        feed = {"x": np.array([1.0, -2, 0.5]), "y": np.array([3.0, 4, 8])}
        self.assertEqual(self.run_it(feed, second)[0].tolist(), [6, -12, 3])
        firsts = fluid.gradients(mixed, [x, y])
        for first in firsts:
            for name, second in zip("xy", fluid.gradients(first, [x, y])):
                slope = self.numeric(lambda moved: self.run_it({**feed, name: moved}, first)[0], feed[name])
                np.testing.assert_allclose(self.run_it(feed, second)[0], slope, rtol=1e-6, atol=1e-6)

    def test_gradients_of_gradients_that_are_refused(self):
        x, y, g = self.data("x", [1]), self.data("y", [3]), self.data("g", [3])
        (dy,) = fluid.gradients(x / y, y, g)
        before = str(self.program)
        for by in (y, g):
            with self.assertRaisesRegex(fluid.core.EnforceNotMet, r"x \[1\] was stretched.*: write x / y as x \* \(1 / y\)"):
                fluid.gradients(dy, by)
            self.assertEqual(str(self.program), before)
        one, many = self.data("one", [1]), self.data("many", [-1])  # which may be one
        (second,) = fluid.gradients(fluid.gradients(one / many, many)[0], many)
        self.assertEqual(self.run_it({"one": [2], "many": [2]}, second)[0].tolist(), [0.5])
        self.assertRaisesRegex(ValueError, "X must not have been stretched", self.run_it, {"one": [2], "many": [2, 4]}, second)
        (dy,) = fluid.gradients(x * (1 / y), y)
        self.assertEqual(self.run_it({"x": [2], "y": [1, 2, -2]}, fluid.gradients(dy, y)[0])[0].tolist(), [4, 0.5, -0.5])
        v = self.data("v", [1])
        (dy,) = fluid.gradients(x * y, y)
        (ddx,) = fluid.gradients(dy, x, target_gradients=v)
        with self.assertRaisesRegex(ValueError, r"The gradient of Y@GRAD has shape \[2\], but Y has \[3\]"):
            self.run_it({"x": [2], "y": [1, 2, 3], "v": [1, 1]}, ddx)

    def test_operators_that_have_no_gradient(self):
        x, y = self.data("x", [3]), self.data("y", [3])
        for op in ("max", "min", "pow", "mod"):
            z = x * getattr(layers, "elementwise_" + op)(x, y)
            before = str(self.program)
            with self.assertRaisesRegex(fluid.core.EnforceNotMet, f"^The gradient of elementwise_{op} is not one that Hadamard has: it has "
                                                                  "those of elementwise_add, .*, elementwise_div, "):
                fluid.gradients(z, x)
            self.assertEqual(str(self.program), before)
        bound = layers.elementwise_max(y, y)  # which x has no part in
        (dx,) = fluid.gradients(x * bound, x)
        self.assertEqual(self.run_it({"x": [1, 2, 3], "y": [4, 5, 6]}, dx)[0].tolist(), [4, 5, 6])

    def test_what_stops_gradients(self):
        x = self.data("x", [3], stop_gradient=False)
        a = x * 2
        a.stop_gradient = True
        (dx,) = fluid.gradients(a * x, [x])
        self.assertEqual(self.run_it({"x": [1, 2, 3]}, dx)[0].tolist(), [2, 4, 6])

    def test_a_failure_changes_nothing(self):
        x = self.data("x", [1], "float64")
        with self.assertRaises(fluid.core.EnforceNotMet):
            fluid.gradients(fluid.gradients(layers.exp(x), x)[0], x)
        self.assertTrue(x.stop_gradient)

    def test_slopes_far_from_zero(self):
        x = self.data("x", [4])
        for act, want in (("sigmoid", 1.5229979e-08), ("tanh", 9.2781e-16), ("swish", 1.0000003)):
            (dx,) = fluid.gradients(getattr(layers, act)(x), [x])
            (got,) = self.run_it({"x": [18, np.inf, -np.inf, np.nan]}, dx)
            np.testing.assert_allclose(got[0], want, rtol=1e-4)
            self.assertEqual(got[1:3].tolist(), [1, 0] if act == "swish" else [0, 0])
            self.assertTrue(np.isnan(got[3]))

    def test_no_grad_set(self):
        x, y = self.data("x", [1], stop_gradient=False), self.data("y", [1], stop_gradient=False)
        pairs = fluid.append_backward(x / y, no_grad_set={"y"})
        self.assertEqual([v.name for v, _ in pairs], ["x"])


if __name__ == "__main__":
    unittest.main()
