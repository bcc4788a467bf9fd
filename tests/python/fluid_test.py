"""hadamard.fluid: the document's examples, programs, feeds, levels of detail, refusals."""
import contextlib
import copy
import io
import pathlib
import pickle
import re
import textwrap
import typing
import unittest
import warnings
from fractions import Fraction

import numpy as np

import hadamard
import hadamard.fluid as fluid
from fluid_case import FluidTest
from hadamard.fluid import layers

EXAMPLES = pathlib.Path(__file__).with_name("elementwise_div_examples.rst")
CODE = re.compile(r"^\.\.  code-block:: python\n\n((?:    .*\n|\n)+)", re.MULTILINE)


def examples(text):
    return [textwrap.dedent(code).strip().replace("import paddle.fluid as fluid", "import hadamard.fluid as fluid")
            for code in CODE.findall(text)]


class Document(FluidTest):
    def run_example(self, number):
        printed = io.StringIO()
        scope = {}
        with contextlib.redirect_stdout(printed):
            exec(examples(EXAMPLES.read_text(encoding="utf-8"))[number], scope)
        return scope, printed.getvalue()

    def test_there_are_three(self):
        self.assertEqual(len(examples(EXAMPLES.read_text(encoding="utf-8"))), 3)

    def test_they_are_the_document_s(self):
        document = pathlib.Path(__file__).parents[3] / "shared" / "spec" / "paddle-elementwise_div.rst"
        if document.exists():  # beside the checkout, where the project is developed
            self.assertEqual(examples(document.read_text(encoding="utf-8")),
                             examples(EXAMPLES.read_text(encoding="utf-8")))

    def test_example_1(self):
        scope, printed = self.run_example(0)
        self.assertEqual(printed, "[array([2. , 0.6, 2. ], dtype=float32)]\n")
        self.assertEqual(scope["z"].name, "elementwise_div_0.tmp_0")
        self.assertEqual(scope["x"].shape, (-1, 3))

    def test_example_2(self):
        scope, _ = self.run_example(1)
        self.assertEqual(scope["z_value"][0].shape, (2, 3, 4, 5))
        self.assertEqual(scope["z_value"][0].dtype, np.float32)

    def test_example_3(self):
        scope, _ = self.run_example(2)
        self.assertEqual(scope["z_value"][0].shape, (2, 3, 4, 5))

    def test_one_after_the_other_in_one_program(self):
        for number in range(3):
            self.run_example(number)


class Programs(FluidTest):
    def test_names_count_as_in_fluid(self):
        x, y = self.data("x", [2]), self.data("y", [2])
        self.assertEqual(layers.elementwise_div(x, y).name, "elementwise_div_0.tmp_0")
        self.assertEqual(layers.elementwise_div(x, y).name, "elementwise_div_1.tmp_0")
        self.assertEqual(layers.elementwise_div(x, y, name="foo").name, "foo.tmp_0")
        self.assertEqual(layers.elementwise_mul(x, y, act="relu").name, "elementwise_mul_0.tmp_1")
        self.assertEqual(layers.relu(x).name, "relu_0.tmp_0")

    def test_operators_of_variables_and_numbers(self):
        x, y = self.data("x", [3]), self.data("y", [3])
        fetch = [x + y, x - y, x * y, x / y, 1 - x, 2 / x, x + 1, 3 * x, x - 1, -x, 1 + x]
        a, b = np.array([2, 3, 4], np.float32), np.array([1, 5, 2], np.float32)
        want = [a + b, a - b, a * b, a / b, 1 - a, 2 / a, a + 1, 3 * a, a - 1, -a, 1 + a]
        for got, right in zip(self.run_it({"x": a, "y": b}, *fetch), want):
            self.assertEqual(got.tolist(), right.tolist())
            self.assertEqual(got.dtype, np.float32)

    def test_powers_and_remainders(self):
        x, y = self.data("x", [3]), self.data("y", [3])
        a, b = np.array([2, -3, 4], np.float32), np.array([1, 5, -3], np.float32)
        fetch = [x ** y, x % y, x ** 2, 2 ** x, x % 3, 3 % x]
        want = [a ** b, a % b, a ** 2, 2 ** a, a % 3, 3 % a]
        for got, right in zip(self.run_it({"x": a, "y": b}, *fetch), want):
            self.assertEqual((got.dtype, got.tolist()), (np.float32, right.tolist()))
        self.assertEqual(fetch[0].name, "tmp_0")
        n = self.data("n", [2], "int64")
        self.assertEqual([z.tolist() for z in self.run_it({"n": [7, -7]}, n % 3, n ** 2)], [[1, 2], [49, 49]])
        with self.assertRaisesRegex(ZeroDivisionError, "operator elementwise_mod: X = n, Y = "):
            self.run_it({"n": [7, -7]}, n % 0)
        self.assertRaisesRegex(TypeError, "elementwise_pow of a Variable and str", lambda: x ** "2")
        self.assertRaisesRegex(ValueError, "Broadcast dimension mismatch", layers.elementwise_max, x, self.data("z", [4]))
        for layer in (layers.elementwise_max, layers.elementwise_min, layers.elementwise_pow, layers.elementwise_mod):
            self.assertRaisesRegex(TypeError, "must be the same, but x is float32 and y is int64", layer, x, n)

    def test_numbers_do_not_change_the_shape(self):
        for shape in ((), (1,), (2, 0), (2, 3)):
            x = self.data(f"x{len(shape)}", shape)
            for out in (x / 2, 2 / x, x - 1, 1 - x, x + 3, 3 * x, -x):
                self.assertEqual(out.shape, shape)
                self.assertEqual(self.run_it({x.name: np.full(shape, 7)}, out)[0].shape, shape)
        self.assertEqual(self.run_it({"x0": 7}, self.program.global_block().var("x0") / 2)[0].tolist(), 3.5)
        x = self.data("x", [2], "float16")
        self.assertRaisesRegex(ValueError, "beyond float16", lambda: 70000 - x)
        self.assertRaisesRegex(ValueError, "0.5 is no number of type int8", lambda: 0.5 / self.data("i", [2], "int8"))

    def test_operators_of_variables_use_up_no_names_of_layers(self):
        x = self.data("x", [2])
        self.assertEqual([(x + x).name, (2 * x).name, layers.elementwise_add(x, x).name],
                         ["tmp_0", "tmp_1", "elementwise_add_0.tmp_0"])
        self.assertEqual(layers.fill_constant([1], "float32", 1).name, "fill_constant_0.tmp_0")

    def test_comparisons_are_refused(self):
        x = self.data("x", [2])
        for compare in (lambda: x == 1, lambda: x != x, lambda: x < 1, lambda: bool(x)):
            self.assertRaises(TypeError, compare)
        self.assertEqual(len({x: 1, (x + x): 2}), 2)
        self.assertRaisesRegex(TypeError, "signed", lambda: -self.data("u", [2], "uint8"))

    def test_operators_that_variables_have_not(self):
        x = self.data("x", [2])
        said = "^x: {} of variables are not among the operators of hadamard.fluid"
        for what, call in (("comparisons", lambda: x == 1), ("comparisons", lambda: x != x), ("comparisons", lambda: x < 1),
                           ("comparisons", lambda: 1 >= x),
                           ("whole quotients", lambda: x // 2), ("whole quotients", lambda: 2 // x),
                           ("matrix products", lambda: x @ x),
                           ("matrix products", lambda: np.ones(2) @ x),
                           ("slices", lambda: x[0]), ("slices", lambda: list(x)), ("absolute values", lambda: abs(x)),
                           ("conversions", lambda: x.astype("float64"))):
            self.assertRaisesRegex(TypeError, said.format(what), call)
        self.assertRaisesRegex(TypeError, "to see whether two are one, use `is`.$", lambda: x == x)
        self.assertIs(copy.copy(x).block, x.block)

    def test_a_feed_is_cast_and_its_shape_wins(self):
        x = layers.data(name="x", shape=[7], dtype="int32")
        self.assertEqual(x.shape, (-1, 7))
        z = layers.elementwise_add(x, layers.fill_constant([1], "int32", 1))
        (got,) = self.run_it({"x": [1.9, -1.9, np.nan]}, z)
        self.assertEqual(got.tolist(), [2, 0, 1])
        self.assertEqual(got.dtype, np.int32)

    def test_every_activation_as_act_and_as_a_layer(self):
        x, y = self.data("x", [41], "float64"), self.data("y", [1], "float64")
        feed = {"x": np.linspace(-50, 50, 41), "y": [2.0]}
        for act, layer in layers.ACTIVATION_LAYERS.items():
            fused = layers.elementwise_div(x, y, act=act)
            apart = layer(layers.elementwise_div(x, y))
            both = self.run_it(feed, fused, apart)
            self.assertEqual(both[0].tobytes(), both[1].tobytes(), act)

    def test_what_an_activation_is_of_can_be_fetched_too(self):
        x = self.data("x", [2])
        z = layers.elementwise_mul(x, x, act="relu")
        before = self.program.global_block().ops[0].outputs["Out"]
        got = self.run_it({"x": [-1, 2]}, z, before, z)
        self.assertEqual([g.tolist() for g in got], [[1, 4]] * 3)

    def test_programs_are_apart(self):
        other = fluid.Program()
        with fluid.program_guard(other):
            x = self.data("x", [1])
            layers.elementwise_add(x, x)
        self.assertEqual(len(other.global_block().ops), 1)
        self.assertEqual(len(fluid.default_main_program().global_block().ops), 0)
        clone = other.clone()
        with fluid.program_guard(clone):
            layers.relu(clone.global_block().var("x"))
        self.assertEqual((len(clone.global_block().ops), len(other.global_block().ops)), (2, 1))
        self.assertIn("elementwise_add", str(clone))
        self.assertEqual(fluid.Executor(fluid.CPUPlace()).run(fluid.default_startup_program()), [])

    def test_only_what_is_fetched_is_computed(self):
        x, y = self.data("x", [1], "int32"), self.data("y", [1], "int32")
        layers.elementwise_div(x, y)
        total = layers.elementwise_add(x, y)
        self.assertEqual(self.run_it({"x": [1], "y": [0]}, total)[0].tolist(), [1])

    def test_what_is_fetched_is_a_copy_of_what_others_have(self):
        fed = np.ones(2, np.float32)
        x, c = self.data("x", [2]), layers.assign(np.array([1, 2], np.float32))
        for got in self.run_it({"x": fed}, x, c, x, c):
            got[:] = 99
        self.assertEqual(fed.tolist(), [1, 1])
        self.assertEqual(self.run_it({}, c)[0].tolist(), [1, 2])
        z = x + x
        first, second = self.run_it({"x": fed}, z, z)
        self.assertFalse(np.shares_memory(first, second))

    def test_fluid_data_has_no_batch_dimension(self):
        self.assertEqual(fluid.data("x", [None, 3]).shape, (-1, 3))


class LevelsOfDetail(FluidTest):
    def test_the_result_has_those_of_x(self):
        x, y = self.data("x", [5, 1], lod_level=1), self.data("y", [1])
        z = layers.elementwise_div(x, y, act="relu")
        tensor = fluid.create_lod_tensor(np.arange(5, dtype=np.float32).reshape(5, 1), [[2, 3]], fluid.CPUPlace())
        (got,) = self.run_it({"x": tensor, "y": [2]}, z, return_numpy=False)
        self.assertEqual(got.lod(), [[0, 2, 5]])
        self.assertEqual(got.recursive_sequence_lengths(), [[2, 3]])
        self.assertEqual(np.array(got).ravel().tolist(), [0, 0.5, 1, 1.5, 2])
        with self.assertRaisesRegex(RuntimeError, "return_numpy"):
            self.run_it({"x": tensor, "y": [2]}, z)

    def test_a_number_before_x_has_those_of_x(self):
        x = self.data("x", [3, 1], lod_level=1)
        tensor = fluid.create_lod_tensor(np.ones((3, 1), np.float32), [[2, 1]])
        for out in (2 / x, 2 - x, 2 + x, -x):
            self.assertEqual(out.lod_level, 1)
            self.assertEqual(self.run_it({"x": tensor}, out, return_numpy=False)[0].lod(), [[0, 2, 3]])

    def test_a_gradient_has_those_of_its_own_variable(self):
        x, y = self.data("x", [3, 1], lod_level=1), self.data("y", [3, 1], lod_level=2)
        feed = {"x": fluid.create_lod_tensor(np.ones((3, 1), np.float32), [[2, 1]]),
                "y": fluid.create_lod_tensor(np.ones((3, 1), np.float32), [[1, 1], [1, 2]])}
        lods = {"x": [[0, 2, 3]], "y": [[0, 1, 2], [0, 1, 3]]}
        first = [fluid.gradients(z, [x, y]) for z in (x / y, y * x, x * x + y * y, layers.tanh(x) - y)]
        second = fluid.gradients(first[0], [x, y])
        for of_x, of_y in [*first, second]:
            self.assertEqual((of_x.lod_level, of_y.lod_level), (1, 2))
            got = self.run_it(feed, of_x, of_y, return_numpy=False)
            self.assertEqual([g.lod() for g in got], [lods["x"], lods["y"]])
        g, h = self.data("g", [3, 1], lod_level=2), self.data("h", [3, 1])
        for z in (x + y, x - y, x * y, x / y):
            for of_z, name in ((g, "y"), (h, None)):
                (again,) = fluid.gradients(fluid.gradients(z, [x, y], of_z), of_z)
                self.assertEqual(again.lod_level, of_z.lod_level)
                got = self.run_it({**feed, "g": feed["y"], "h": np.ones((3, 1))}, again, return_numpy=False)
                self.assertEqual(got[0].lod(), lods.get(name, []))

    def test_offsets_must_fit(self):
        tensor = fluid.LoDTensor()
        tensor.set(np.zeros((4, 2)), fluid.CPUPlace())
        for lod in ([[0, 3]], [[1, 4]], [[0, 3, 2, 4]], [[0, 2], [0, 4]], [[0]]):
            with self.assertRaises(ValueError, msg=lod):
                tensor.set_lod(lod)
        tensor.set_lod([[0, 1, 2], [0, 1, 4]])
        self.assertTrue(tensor.has_valid_recursive_sequence_lengths())
        tensor.set(np.zeros((3, 2)))
        self.assertFalse(tensor.has_valid_recursive_sequence_lengths())

    def test_why_levels_do_not_fit(self):
        tensor = fluid.LoDTensor()
        tensor.set(np.zeros((5, 2)))
        for lod, why in (([[0, 4]], "level 0 ends at 4, but the tensor has 5 rows"),
                         ([[0, 2], [0, 1, 2, 5]], "level 0 ends at 2, but level 1 has 3 sequences")):
            self.assertRaisesRegex(ValueError, f"^The provided lod {re.escape(str(lod))} is invalid: {why}\\.$",
                                   tensor.set_lod, lod)
        for make in (tensor.set_recursive_sequence_lengths, lambda levels: fluid.create_lod_tensor(np.ones((5, 1)), levels),
                     lambda levels: fluid.create_lod_tensor([[1, 2], [3, 4, 5]], levels)):
            with self.assertRaisesRegex(ValueError, r"\[\[0, 2, 5\]\].* These are offsets; the lengths are \[\[2, 3\]\]\.$"):
                make([[0, 2, 5]])
            self.assertRaisesRegex(TypeError, "must be a list of lists of whole numbers, but it is None", make, None)
        self.assertRaisesRegex(ValueError, r"^The provided recursive_sequence_lengths \[\[2, 2\]\] are invalid: level 0 ends "
                                           r"at 4, but the tensor has 5 rows\.$", tensor.set_recursive_sequence_lengths, [[2, 2]])
        self.assertRaisesRegex(ValueError, "ends at 18446744073709551616,", tensor.set_recursive_sequence_lengths, [[2**64]])

    def test_what_a_tensor_does_not_take(self):
        for value, why in ((None, "is None"), ("abc", "is of type str"), ([None], "has elements of type NoneType"),
                           (np.ones(2, complex), "has elements of type complex128"), ({1: 2}, "is of type dict"),
                           (np.ma.array([1.0], mask=[1]), "is a masked array"), ([[1, 2], [3]], "is no array")):
            with self.assertRaisesRegex((TypeError, ValueError), f"^The data of a LoDTensor {why}"):
                fluid.LoDTensor().set(value)
        self.assertRaisesRegex(ValueError, "The data of a LoDTensor is no array", fluid.create_lod_tensor, [[1, 2], [[3]]],
                               [[2, 1]])
        self.assertRaisesRegex(TypeError, "The data of a LoDTensor is None", fluid.create_lod_tensor, None, [[1]])
        self.assertRaisesRegex(TypeError, r"a list of sequences, but it is \[1, 2\]", fluid.create_lod_tensor, [1, 2], [[2]])
        self.assertRaisesRegex(TypeError, r"A LoDTensor takes fluid.CPUPlace\(\), but got 'cpu'", fluid.LoDTensor().set, [1],
                               "cpu")
        self.assertRaisesRegex(TypeError, "but got 3", fluid.create_lod_tensor, np.ones((1, 1)), [[1]], 3)

    def test_from_lists_of_sequences(self):
        tensor = fluid.create_lod_tensor([[1, 2], [3]], [[2, 1]], fluid.CPUPlace())
        self.assertEqual((tensor.shape(), tensor.lod()), ([3, 1], [[0, 2, 3]]))
        with self.assertRaises(ValueError):
            fluid.create_lod_tensor([[1, 2], [3]], [[1, 2]], fluid.CPUPlace())


class Strangers(FluidTest):
    def test_a_number_goes_into_the_program_of_its_variable(self):
        program = fluid.Program()
        with fluid.program_guard(program):
            x = self.data("x", [2])
        (got,) = fluid.Executor(fluid.CPUPlace()).run(program, {"x": [1, 2]}, [x * 2])
        self.assertEqual(got.tolist(), [2, 4])
        with self.assertRaisesRegex(ValueError, "different programs"):
            layers.elementwise_add(x, self.data("y", [2]))
        with self.assertRaisesRegex(ValueError, "different programs"):
            fluid.gradients(self.data("z", [2]), x)

    def test_gradients_that_do_not_fit(self):
        x, g = self.data("x", [2]), self.data("g", [1])
        (dx,) = fluid.gradients(layers.relu(x), x, target_gradients=g)
        with self.assertRaisesRegex(ValueError, "shape"):
            self.run_it({"x": [2, 3], "g": np.ones((4, 1))}, dx)

    def test_a_failure_leaves_the_program_as_it_was(self):
        x = self.data("x", [1], "float64")
        (first,) = fluid.gradients(layers.tanh(x * x), x)
        before = str(self.program)
        with self.assertRaises(fluid.core.EnforceNotMet):
            fluid.gradients(first, x)
        self.assertEqual(str(self.program), before)

    def test_constants(self):
        x = self.data("x", [1], "int64")
        self.assertEqual(self.run_it({"x": [1]}, x * (2**53 + 1))[0].tolist(), [2**53 + 1])
        for value in (np.inf, np.nan, 0.5, 2**63):
            with self.assertRaises(ValueError):
                layers.fill_constant([1], "int64", value)
        self.assertRaisesRegex(ValueError, "beyond int64", layers.fill_constant, [1], "int64", 10**5000)
        for value in (None, "3", 1 + 2j, True):
            with self.assertRaises(TypeError):
                layers.fill_constant([1], "float32", value)

    def test_levels_of_a_result_that_is_larger_than_x(self):
        x, y = self.data("x", [1, 3], lod_level=1), self.data("y", [4, 3])
        tensor = fluid.create_lod_tensor(np.ones((1, 3), np.float32), [[1]])
        (got,) = self.run_it({"x": tensor, "y": np.ones((4, 3))}, x / y, return_numpy=False)
        self.assertEqual((got.lod(), got.shape()), ([[0, 1]], [4, 3]))
        tensor.set(np.ones((2, 3), np.float32))
        with self.assertRaisesRegex(ValueError, "does not fit"):
            self.run_it({"x": tensor, "y": np.ones((4, 3))}, x / y, return_numpy=False)


class Refusals(FluidTest):
    def test_arguments_that_would_be_passed_over(self):
        c = layers.fill_constant([2], "float32", 1)
        self.assertRaisesRegex(ValueError, "out", layers.fill_constant, [2], "float32", 5, out=c)
        self.assertRaisesRegex(ValueError, "output", layers.assign, np.ones(2), c)
        self.assertRaisesRegex(ValueError, "must be known", layers.fill_constant, [-1], "float32", 1)
        self.assertRaisesRegex(TypeError, "list of whole numbers", fluid.data, "z", 3)
        self.assertRaisesRegex(TypeError, "list of whole numbers", fluid.data, "z", ["3"])

    def test_names_that_are_not_there(self):
        x, w = self.data("x", [2], stop_gradient=False), self.data("w", [2])
        z = x + w
        with fluid.program_guard(fluid.Program()):
            stranger = self.data("stranger", [2])
        feed = {"x": [1, 2], "w": [1, 2]}
        self.assertRaisesRegex(ValueError, r"^var v not in this block: the fetch_list has it, but there are: x, w, tmp_0\.$",
                               self.run_it, feed, "v")
        self.assertRaisesRegex(ValueError, r"^var v not in this block: the feed has it, but there are: x, w, tmp_0\.$",
                               self.run_it, {"v": 1}, z)
        self.assertRaisesRegex(ValueError, r"^var v not in this block: the parameter_list has it, but there are: x, ",
                               fluid.append_backward, z, ["v"])
        self.assertRaisesRegex(ValueError, "^var stranger not in this block: the fetch_list has it, but it belongs to another "
                                           r"program: pass program=\.\.\.$", self.run_it, feed, stranger)
        self.assertRaisesRegex(ValueError, "parameter_list has it, but it belongs to another program$",
                               fluid.append_backward, z, [stranger])
        self.assertRaisesRegex(TypeError, "^The keys of feed are names of variables, but one is the Variable x: use its name, "
                                          r"'x'\.$", self.run_it, {x: [1, 2]}, z)
        self.assertRaisesRegex(TypeError, "names of variables, but one is 3", self.run_it, {3: [1, 2]}, z)
        for number in range(20):
            z = z + x
        self.assertRaisesRegex(ValueError, r"there are: x, w, tmp_0, .*, tmp_9 and 11 more\.$", self.run_it, feed, "v")
        with fluid.program_guard(fluid.Program()):
            self.assertRaisesRegex(ValueError, r"there are: none\.$", self.run_it, {}, "v")
        clone = self.program.clone()  # whose variables may be asked for by those of the first
        (got,) = fluid.Executor(fluid.CPUPlace()).run(clone, feed, z)
        self.assertEqual(got.tolist(), [22, 44])

    def test_fetch_lists_that_are_none(self):
        x = self.data("x", [2])
        dx = fluid.gradients(x * x, x)[0]
        self.assertRaisesRegex(TypeError, r"fetch_list\[1\] is None: gradients\(\) gives None for a variable that no target "
                                          "depends on", self.run_it, {"x": [1, 2]}, dx, None)
        self.assertRaisesRegex(TypeError, r"fetch_list\[0\] is 5, .*variable or the name", self.run_it, {"x": [1, 2]}, 5)
        for fetch_list in (3, {"x": x}, {"x"}):
            with self.assertRaisesRegex(TypeError, "fetch_list must be a list of variables and their names, but it is of type "
                                                   + type(fetch_list).__name__):
                fluid.Executor(fluid.CPUPlace()).run(feed={"x": [1, 2]}, fetch_list=fetch_list)

    def test_feeds_that_are_no_numbers(self):
        x, i = self.data("x", [2]), self.data("i", [2], "int64")
        for value, why in ((None, "is None"), ([1, None], "has elements of type NoneType"),
                           ([Fraction(1, 3)], "has elements of type Fraction"), (Fraction(1, 3), "is of type Fraction"),
                           (2**70, "has an integer beyond 64 bits"), ([1, -(10**5000)], "has an integer beyond 64 bits"),
                           (-(2**63) - 1, "has an integer beyond 64 bits"),
                           (np.array([1, 2], object), "has elements of type object"),
                           ("abc", "is of type str"), ([x], "has elements of type Variable"),
                           ([1j], "has elements of type complex128")):
            for variable in (x, i):
                with self.assertRaisesRegex(TypeError, f"^The feed of {variable.name} {why}; it must be an array of floats or "
                                                       r"integers of at most 64 bits, as np.array\(..., dtype\) makes it\.$"):
                    self.run_it({variable.name: value}, variable)
        with self.assertRaisesRegex(TypeError, "^The feed of x is the Variable i, which has a value only when a program runs: "
                                               "fetch it, and feed that.$"):
            self.run_it({"x": i}, x)

    def test_arguments_that_were_not_looked_at(self):
        x, y = self.data("x", [2], stop_gradient=False), self.data("y", [2])
        z = x * y
        for level in (-1, 1.5, True, "1", None):
            with self.assertRaisesRegex((TypeError, ValueError), "^lod_level of v must be a whole number, 0 or above, but it "):
                self.data("v", [2], lod_level=level)
        self.assertRaisesRegex(TypeError, "^stop_gradient of v must be True or False, but it is 'no'", self.data, "v", [2],
                               stop_gradient="no")
        with self.assertRaisesRegex(TypeError, "program_guard takes programs, but got NoneType"):
            with fluid.program_guard(None):
                pass
        for targets, inputs in ((z, None), (None, x), (z, [x, None])):
            self.assertRaisesRegex(TypeError, "gradients takes variables, but got NoneType", fluid.gradients, targets, inputs)
        for call in (lambda names: fluid.gradients(z, x, no_grad_set=names), lambda names: fluid.append_backward(z, None, names)):
            self.assertRaisesRegex(ValueError, "^var v not in this block: the no_grad_set has it, but there are: x,", call, {"v"})
            self.assertRaisesRegex(TypeError, r"no_grad_set\[0\] is 3, but must be a variable", call, {3})
        for names in ("x", x, {"x": 1}):
            with self.assertRaisesRegex(TypeError, "parameter_list must be a list of variables and their names, but it is of "
                                                   "type " + type(names).__name__):
                fluid.append_backward(z, names)
        self.assertEqual([v.name for v, _ in fluid.append_backward(z, {"x"}, {y})], ["x"])

    def test_gradients_of_targets_that_are_of_another_kind(self):
        x = self.data("x", [2])
        with fluid.program_guard(fluid.Program()):
            stranger = self.data("g", [2])
        self.assertRaisesRegex(ValueError, "different programs", fluid.gradients, x, x, stranger)
        g = self.data("g", [2], "float64")
        self.assertRaisesRegex(TypeError, "^The gradient of the target x must be of its type float32, but g is float64.$",
                               fluid.gradients, x, x, g)

    def test_a_loss_that_no_variable_needs(self):
        x = self.data("x", [2])
        before = str(self.program)
        for said in ({}, {"no_grad_set": {"x"}}):
            with self.assertRaisesRegex(ValueError, "^No data that x depends on has stop_gradient=False.*declare it with "
                                                    "stop_gradient=False, or give parameter_list"):
                fluid.append_backward(x, **said)
            self.assertEqual(str(self.program), before)
        self.assertEqual(len(fluid.append_backward(x, ["x"])), 1)

    def test_masked_arrays_are_refused(self):
        x = self.data("x", [2])
        self.assertRaisesRegex(TypeError, "masked", self.run_it, {"x": np.ma.array([1.0, 2.0], mask=[0, 1])}, x + x)

    def test_a_type_in_the_place_of_the_batch_dimension(self):
        with self.assertRaisesRegex(TypeError, "append_batch_size of data x is 'float64', but must be True or False; the "
                                               "type is given as dtype=..."):
            fluid.layers.data("x", [2], "float64")

    def test_types_by_their_names_in_core(self):
        kinds = fluid.core.VarDesc.VarType
        with fluid.program_guard(fluid.Program()):
            for kind in set(kinds) - {kinds.LOD_TENSOR}:  # which is no type of elements
                x = fluid.layers.data(f"x_{kind.name}", [2], dtype=kind)
                self.assertEqual((x.dtype, kind.value), (kind, np.dtype(kind.value).name))
                y, = fluid.Executor(fluid.CPUPlace()).run(feed={x.name: [1, 2]}, fetch_list=[x + x])
                self.assertEqual((y.tolist(), y.dtype), ([2, 4], np.dtype(kind.value)))
        self.assertEqual((kinds.FP32, str(kinds.FP32), f"{kinds.FP32}"), ("float32",) * 3)

    def test_constants_of_more_digits_than_any_type(self):
        with fluid.program_guard(fluid.Program()):
            with self.assertRaisesRegex(TypeError, "The value of a constant is a longdouble"):
                layers.data("x", [2]) + np.longdouble(1.5)

    def test_a_sum_of_one_is_no_part_of_what_was_fed(self):
        program, fed = fluid.Program(), np.ones(2, np.float32)
        block = program.global_block()
        for name in ("a", "b"):
            block.create_var(name=name, shape=[2], dtype="float32", is_data=name == "a")
        block.append_op("sum", {"X0": "a"}, {"Out": "b"})
        out, = fluid.Executor(fluid.CPUPlace()).run(program, feed={"a": fed}, fetch_list=["b"])
        self.assertFalse(np.shares_memory(out, fed))

    def test_the_kind_of_a_variable_is_no_type(self):
        kinds = fluid.core.VarDesc.VarType
        layers.data("x", [2], type=kinds.LOD_TENSOR)
        self.assertRaisesRegex(TypeError, "VarType.LOD_TENSOR.* is not one of float16, .*, uint8.$", self.data, "y", [2],
                               kinds.LOD_TENSOR)
        self.assertRaisesRegex(TypeError, "The data type 'lod_tensor' is not one of float16", self.data, "y", [2], "lod_tensor")
        self.assertNotIn("lod_tensor", fluid.framework.DTYPES)
        for kind in ("float32", kinds.FP32, 7):
            with self.assertRaisesRegex(ValueError, "^type of data y must be VarType.LOD_TENSOR, but it is .*; the type of its "
                                                    "elements is given as dtype=...$"):
                layers.data("y", [2], type=kind)
        for name in ("BOOL", "BF16", "SELECTED_ROWS"):
            with self.assertRaisesRegex(AttributeError, f"^VarType has no '{name}'; it has: FP16, FP32, .*, UINT8, LOD_TENSOR"):
                getattr(kinds, name)
        self.assertIs(copy.deepcopy(pickle.loads(pickle.dumps(kinds.FP32))), kinds.FP32)

    def test_what_is_no_type(self):
        for dtype in (None, "floatt", {"a": 1}, self.data("x", [2]), bool):
            with self.assertRaisesRegex(TypeError, "^The data type .* is not one of float16, float32, .*uint8.$", msg=dtype):
                self.data("y", [2], dtype)

    def test_the_types_of_what_is_fetched(self):
        ways = [typing.get_type_hints(way) for way in typing.get_overloads(fluid.Executor.run)]
        self.assertEqual([(way["return_numpy"], way["return"]) for way in ways],
                         [(typing.Literal[True], typing.List[np.ndarray]), (typing.Literal[False], typing.List[fluid.LoDTensor]),
                          (bool, typing.Union[typing.List[np.ndarray], typing.List[fluid.LoDTensor]])])
        own = typing.get_type_hints(fluid.Executor.run)
        for way in ways:
            self.assertEqual({**way, "return": 0, "return_numpy": 0}, {**own, "return": 0, "return_numpy": 0})
        self.assertLessEqual({str, fluid.Variable, type(None)}, set(typing.get_args(own["fetch_list"])))

    def test_what_a_star_brings(self):
        scope = {}
        exec("from hadamard.fluid.layers import *", scope)
        del scope["__builtins__"]
        self.assertEqual(sorted(scope), sorted(["data", "fill_constant", "assign", *layers.ACTIVATION_LAYERS, "elementwise_add",
                                                "elementwise_sub", "elementwise_mul", "elementwise_div", "elementwise_max",
                                                "elementwise_min", "elementwise_pow", "elementwise_mod"]))

    def test_what_is_not_there_says_so(self):
        for name, why in (("mean", "out of scope"), ("fc", "out of scope"), ("conv2d", "out of scope"),
                          ("elementwise_floordiv", "it is element-wise, but not one of the layers here$"),
                          ("sqrt", "it is element-wise, but .* hadamard.sqrt computes it"),
                          ("erf", "it is element-wise, but not one of the layers here$"),
                          ("elementwise_dvi", "did you mean 'elementwise_div'")):
            with self.subTest(name), self.assertRaisesRegex(AttributeError, f"hadamard.fluid.layers has no '{name}'.* ?{why}") as caught:
                getattr(layers, name)
            self.assertLess(len(str(caught.exception)), 160)
            self.assertNotIn("\n", str(caught.exception))
        self.assertRaisesRegex(AttributeError, "hadamard.fluid has no 'DataFeeder'", lambda: fluid.DataFeeder)
        self.assertFalse(hasattr(fluid, "Scope"))
        self.assertRaisesRegex(AttributeError, "hadamard.fluid.core has no 'Scope': .*CPUPlace, .*VarDesc",
                               lambda: fluid.core.Scope)
        self.assertRaisesRegex(AttributeError, "hadamard.fluid.framework has no 'Parameter': .*Variable, ",
                               lambda: fluid.framework.Parameter)
        self.assertIs(fluid.core.LoDTensor, fluid.LoDTensor)

    def test_shapes_and_types_are_refused_when_the_program_is_built(self):
        x = self.data("x", [2, 3])
        with self.assertRaisesRegex(ValueError, r"Received \[3\] in X is not equal to \[2\] in Y at i:1"):
            layers.elementwise_div(x, self.data("y", [2]))
        with self.assertRaisesRegex(ValueError, "Axis should be less than 2, but received axis is 2"):
            layers.elementwise_div(x, self.data("v", [3]), axis=2)
        with self.assertRaisesRegex(TypeError, "must be the same"):
            layers.elementwise_div(x, self.data("w", [3], "float64"))
        with self.assertRaisesRegex(ValueError, "no activation 'gelu'"):
            layers.elementwise_div(x, x, act="gelu")
        with self.assertRaisesRegex(TypeError, "Variable"):
            layers.elementwise_div(x, 2)
        with self.assertRaisesRegex(ValueError, "^attribute alpha must be finite, got NaN$"):
            layers.leaky_relu(x, alpha=float("nan"))
        for alpha in ("foo", float, True, Fraction(1), [1.0]):
            with self.assertRaisesRegex(TypeError, f"^alpha of elu must be a number, but it is {re.escape(repr(alpha))}.$"):
                layers.elu(x, alpha)
        self.assertRaisesRegex(ValueError, "attribute alpha of elu must be 0 or have a size between", layers.elu, x, 10**400)
        self.assertEqual([layers.elu(x, alpha).shape for alpha in (1, 1.0, np.float32(1), np.int8(1), None)], [(2, 3)] * 5)
        with self.assertRaisesRegex(TypeError, "complex64"):
            self.data("c", [1], "complex64")
        with self.assertRaisesRegex(ValueError, "created before"):
            self.data("x", [2, 3], "float64")

    def test_errors_say_where(self):
        x, y = layers.data("x", [3]), layers.data("y", [3])
        z = layers.elementwise_mul(x + y, x)
        with self.assertRaisesRegex(ValueError, r"mismatch.*\[operator elementwise_add: X = x, Y = y, Out = tmp_0\]") as caught:
            self.run_it({"x": [1, 2], "y": [1, 2, 3]}, z)
        self.assertEqual(caught.exception.code, "shape_mismatch")
        with self.assertRaisesRegex(ValueError, "The feed of x is no array"):
            self.run_it({"x": [[1, 2], [3]], "y": [1]}, z)
        with self.assertRaisesRegex(TypeError, "The feed of x has elements of type float128"):
            self.run_it({"x": np.ones(3, np.longdouble), "y": [1]}, z)
        i = self.data("i", [3], "int64")
        with self.assertRaisesRegex(TypeError, "but i is int64|is int64"):
            fluid.gradients(i / i, i)

    def test_a_closed_executor_runs_no_more(self):
        executor = fluid.Executor(fluid.CPUPlace())
        executor.close()
        with self.assertRaisesRegex(RuntimeError, "closed Executor"):
            executor.run(feed={}, fetch_list=[])

    def test_data_that_is_declared_anew_is_the_same_variable(self):
        a = self.data("a", [3])
        self.assertIs(self.data("a", [2, 3]), a)
        self.assertEqual(a.shape, (2, 3))
        a.stop_gradient = False
        self.assertEqual([(v.name, g.name) for v, g in fluid.append_backward(a / a)], [("a", "a@GRAD")])

    def test_constants_beyond_the_type_are_infinite(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(self.run_it({}, layers.fill_constant([1], "float32", 1e300))[0].tolist(), [np.inf])
        for value, rounded in ((2**64 + 2**40 + 1, 2.0**64 + 2.0**41), (2**100 + 2**76 + 1, 2.0**100 + 2.0**77)):
            self.assertEqual(self.run_it({}, layers.fill_constant([1], "float32", value))[0].tolist(), [rounded])
        for value, dtype in ((10**400, "float32"), (70000, "float16"), (-(10**5000), "float64")):
            self.assertRaisesRegex(ValueError, f"value of a constant is beyond {dtype}", layers.fill_constant, [1], dtype, value)

    def test_what_is_known_only_when_it_runs(self):
        x, y = layers.data("x", [3]), layers.data("y", [3])
        z = x / y
        with self.assertRaisesRegex(ValueError, "Broadcast dimension mismatch"):
            self.run_it({"x": np.ones((2, 3)), "y": np.ones((4, 3))}, z)
        i = layers.data("i", [1], dtype="int64")
        with self.assertRaisesRegex(ZeroDivisionError, "Integer division by zero encountered in divide"):
            self.run_it({"i": [[0]]}, i / i)
        with self.assertRaisesRegex(fluid.core.EnforceNotMet, r"Input Variable Y\(y\) is not initialized"):
            self.run_it({"x": np.ones((2, 3))}, z)
        with self.assertRaisesRegex(ValueError, "var nobody not in this block"):
            self.run_it({}, "nobody")
        with self.assertRaisesRegex(ValueError, "var nobody not in this block"):
            self.run_it({"nobody": 1}, z)
        with self.assertRaises(TypeError):
            self.run_it({"x": ["a"], "y": [1]}, z)
        with self.assertRaises(RuntimeError):
            fluid.CUDAPlace(0)
        with self.assertRaises(TypeError):
            fluid.Executor("cpu")


if __name__ == "__main__":
    unittest.main()
