"""Attributes of operators: hadamard.leaky_relu(x, alpha=0.2), act='leaky_relu(alpha=0.2)', fluid's layers."""
import inspect
import unittest
from decimal import Decimal
from fractions import Fraction

import numpy as np
from fluid_case import FluidTest

import hadamard
import hadamard.fluid as fluid
from hadamard import _core
from hadamard.fluid import layers

# The attributes and formulas of Paddle 1.8's own operator tests (test_activation_op.py), written anew.
PADDLE = {
    "leaky_relu": ({"alpha": 0.1}, lambda x, alpha: np.maximum(x, alpha * x)),
    "brelu": ({"t_min": 1.0, "t_max": 4.0}, lambda x, t_min, t_max: np.minimum(np.maximum(x, t_min), t_max)),
    "relu6": ({"threshold": 5.0}, lambda x, threshold: np.minimum(np.maximum(x, 0), threshold)),
    "soft_relu": ({"threshold": 2.0},
                  lambda x, threshold: np.log(1 + np.exp(np.clip(x, -threshold, threshold)))),
    "elu": ({"alpha": 2.0}, lambda x, alpha: np.maximum(0, x) + np.minimum(0, alpha * (np.exp(x) - 1))),
    "pow": ({"factor": 3.0}, lambda x, factor: np.power(x, factor)),
    "stanh": ({"scale_a": 2.0 / 3.0, "scale_b": 1.7159}, lambda x, scale_a, scale_b: scale_b * np.tanh(x * scale_a)),
    "swish": ({"beta": 2.3}, lambda x, beta: x / (1 + np.exp(-beta * x))),
    "thresholded_relu": ({"threshold": 0.25}, lambda x, threshold: np.where(x > threshold, x, 0)),
    "hard_sigmoid": ({"slope": 0.25, "offset": 0.4}, lambda x, slope, offset: np.clip(slope * x + offset, 0, 1)),
    "hard_shrink": ({"threshold": 0.75}, lambda x, threshold: np.where(np.abs(x) > threshold, x, 0)),
    "softshrink": ({"alpha": 0.1}, lambda x, alpha: np.where(x > alpha, x - alpha, np.where(x < -alpha, x + alpha, 0))),
}
OURS = {"pow": "pow_factor"}


class OfFunctions(unittest.TestCase):
    def test_values(self):
        np.testing.assert_array_equal(hadamard.leaky_relu(np.array([-1.0, 2.0]), alpha=0.2), [-0.2, 2])
        x = np.random.default_rng(1).uniform(-5, 5, 1000)
        for name, (attributes, formula) in PADDLE.items():
            with self.subTest(name):
                function = getattr(hadamard, OURS.get(name, name))
                np.testing.assert_allclose(function(x, **attributes), formula(x, **attributes), rtol=1e-13, atol=1e-15)
                single = function(x.astype(np.float32), **attributes)
                exact = function(x.astype(np.float32).astype(np.float64), **attributes)
                np.testing.assert_array_equal(single, exact.astype(np.float32))  # here no result is near to a middle

    def test_all_that_have_some(self):
        self.assertEqual({OURS.get(name, name) for name in PADDLE}, set(_core.attributes))
        for name, attributes in _core.attributes.items():
            parameters = inspect.signature(getattr(hadamard, name)).parameters
            for attribute, default in attributes.items():
                self.assertEqual(parameters[attribute].default, float(default))
                self.assertIn(f"    {attribute}: an attribute", getattr(hadamard, name).__doc__)

    def test_the_exact_number(self):
        one = np.array([-1.0])
        for fifth in (Decimal("0.2"), Fraction(1, 5), 0.2, np.float64(0.2)):
            self.assertEqual(hadamard.leaky_relu(one, alpha=fifth)[0], -0.2)
        # 5 * 0.2 is 1 where 0.2 is the decimal, and above 1 where it is the double: 1 - 1e-16 is nearest to other numbers.
        five = hadamard.Tensor([-5.0], dtype="fp64")
        self.assertEqual(hadamard.leaky_relu(five, alpha=Decimal("0.2")).tolist(), [-1.0])
        self.assertEqual(hadamard.leaky_relu(one, alpha=np.float32(0.2))[0], -float(np.float32(0.2)))
        self.assertEqual(hadamard.leaky_relu(one, alpha=3)[0], -1)
        self.assertEqual(hadamard.leaky_relu(one, alpha=np.int8(-3))[0], 3)
        self.assertEqual(hadamard.leaky_relu(one, alpha=None)[0], -0.02)
        defaults = [hadamard.stanh(one, scale_a=a)[0] for a in (0.67, np.float32(0.67), Decimal("0.67"), None)]
        self.assertEqual(defaults, [hadamard.stanh(one)[0]] * 4)

    def test_act(self):
        x, y = np.array([1.0, 4.0]), np.array([2.0, 3.0])
        expected = hadamard.leaky_relu(x - y, alpha=Decimal("0.2"))
        for result in (hadamard.sub(x, y, act="leaky_relu(alpha=0.2)"),
                       hadamard.elementwise_sub(x, y, act="leaky_relu(alpha=0.2)"),
                       hadamard.sub(x, y, act="leaky_relu( alpha = 1/5 )")):
            np.testing.assert_array_equal(result, expected)
        out = np.empty(2)
        self.assertIs(hadamard.sub(x, y, out, act="leaky_relu(alpha=0.2)"), out)
        np.testing.assert_array_equal(out, expected)

    def test_errors(self):
        one = np.array([-1.0])
        for wrong in ("0.2", True, [0.2], np.array([0.2]), 1j, float):
            with self.assertRaisesRegex(TypeError, "^alpha is .*, but must be a number$"):
                hadamard.leaky_relu(one, alpha=wrong)
        for wrong in (float("inf"), np.float32("nan"), Decimal("nan"), Decimal("inf")):
            with self.assertRaisesRegex(ValueError, "^attribute alpha must be finite, got "):
                hadamard.leaky_relu(one, alpha=wrong)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'beta'"):
            hadamard.leaky_relu(one, beta=1)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'alpha'"):
            hadamard.exp(one, alpha=1)
        with self.assertRaisesRegex(ValueError, "leaky_relu has no attribute beta; it has: alpha"):
            hadamard.add(one, one, act="leaky_relu(beta=1)")
        with self.assertRaisesRegex(ValueError, "is not an activation with attributes"):
            hadamard.add(one, one, act="leaky_relu(0.2)")


class OfLayers(FluidTest):
    def test_values_of_paddle_s_own_tests(self):
        array = np.random.default_rng(2).uniform(-3, 3, (11, 17)).astype(np.float32)
        x = self.data("x", [11, 17])
        for name, (attributes, formula) in PADDLE.items():
            with self.subTest(name):
                result, = self.run_it({"x": array}, getattr(layers, name)(x, **attributes))
                np.testing.assert_allclose(result, formula(array.astype(np.float64), **attributes), rtol=1e-6, atol=1e-7)
                function = getattr(hadamard, OURS.get(name, name))
                np.testing.assert_array_equal(result, function(array, **attributes))

    def test_behind_another_operator(self):
        array = np.random.default_rng(3).uniform(-3, 3, (5, 4)).astype(np.float32)
        x = self.data("x", [5, 4])
        for name, (attributes, _) in PADDLE.items():
            with self.subTest(name):
                sum_of = layers.elementwise_add(x, x)
                fused, = self.run_it({"x": array}, getattr(layers, name)(sum_of, **attributes))
                function = getattr(hadamard, OURS.get(name, name))
                np.testing.assert_array_equal(fused, function(array + array, **attributes))
        again, = self.run_it({"x": array}, layers.leaky_relu(layers.elementwise_add(x, x), alpha=0.02))
        np.testing.assert_array_equal(again, hadamard.leaky_relu(array + array))  # the default, fused

    def test_gradients(self):
        array = np.random.default_rng(4).uniform(0.1, 3, (6, 5))
        array[::2] *= -1
        x = self.data("x", [6, 5], "float64", stop_gradient=False)
        for name, (attributes, formula) in PADDLE.items():
            with self.subTest(name):
                y = getattr(layers, name)(x, **attributes)
                gradient, = self.run_it({"x": array}, fluid.gradients(y, x)[0])
                step = 1e-6
                slope = (formula(array + step, **attributes) - formula(array - step, **attributes)) / (2 * step)
                np.testing.assert_allclose(gradient, slope, rtol=1e-6, atol=1e-6)


if __name__ == "__main__":
    unittest.main()
