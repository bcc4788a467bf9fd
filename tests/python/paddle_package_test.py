"""hadamard.paddle: Paddle's names for one function each, LoDTensors, and programs that say `import paddle`."""
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback
import unittest

import numpy as np

import hadamard
import hadamard.fluid as fluid
import hadamard.paddle as paddle

HERE = pathlib.Path(__file__).parent


class Names(unittest.TestCase):
    def test_each_operator_is_one_function(self):
        self.assertIs(hadamard.elementwise_div, fluid.layers.elementwise_div)
        for ours, names in {"add": ["add"], "sub": ["subtract"], "mul": ["multiply"], "div": ["divide"], "max": ["maximum"],
                            "min": ["minimum"], "pow": ["pow"], "mod": ["mod", "remainder", "floor_mod"]}.items():
            function = getattr(hadamard, f"elementwise_{ours}")
            for module in (paddle, paddle.tensor, paddle.tensor.math):
                for name in (*names, f"elementwise_{ours}"):
                    self.assertIs(getattr(module, name), function, f"{module.__name__}.{name}")
        for ours in ("add", "sub", "mul", "div", "max", "min", "pow", "mod"):
            self.assertIs(getattr(fluid.layers, f"elementwise_{ours}"), getattr(hadamard, f"elementwise_{ours}"))
        self.assertIs(paddle.fluid, fluid)

    def test_they_compute(self):
        x, y = np.array([[7.0, 8.0], [9.0, 10.0]]), np.array([2.0, 4.0])
        self.assertEqual(paddle.divide(x, y).tolist(), [[3.5, 2], [4.5, 2.5]])
        self.assertEqual(paddle.divide(x, y, axis=0, name="z").tolist(), [[3.5, 4], [2.25, 2.5]])
        self.assertEqual(paddle.divide(np.array([7, -7]), np.array([2, 2])).tolist(), [3, -3])  # as Paddle's
        self.assertEqual(paddle.maximum(x, y, axis=0).tolist(), x.tolist())
        self.assertEqual(paddle.minimum(x, y).tolist(), [[2, 4], [2, 4]])
        self.assertEqual(paddle.pow(x, 2).tolist(), (x * x).tolist())
        self.assertEqual(paddle.remainder(np.array([7, -7]), 3).tolist(), [1, 2])
        self.assertTrue(np.isnan(paddle.mod(x, 0.0)).all())
        self.assertRaisesRegex(ZeroDivisionError, "Integer division by zero encountered", paddle.mod, np.array([1]), 0)
        self.assertEqual(paddle.subtract(hadamard.Tensor([3], dtype="bf16"), 1).dtype, "bf16")

    def test_what_is_not_there(self):
        self.assertRaisesRegex(AttributeError, "hadamard.paddle has no 'matmul': out of scope", lambda: paddle.matmul)
        self.assertRaisesRegex(AttributeError, "hadamard.paddle has no 'sqrt': it is element-wise, .* hadamard.sqrt computes it",
                               lambda: paddle.sqrt)
        self.assertRaisesRegex(AttributeError, "did you mean 'divide'", lambda: paddle.divde)
        for module, name, why in (
                (paddle, "to_tensor", "pass NumPy arrays, or hadamard.Tensor$"),
                (paddle, "exp", "it is element-wise, but not one of the functions here; on arrays, hadamard.exp computes it$"),
                (paddle, "tanh", "it is element-wise, .* hadamard.tanh computes it$"),
                (paddle, "neg", "it is element-wise, .* hadamard.neg computes it$"),
                (paddle, "floor_divide", "it is element-wise, but not one of the functions here$"),
                (paddle, "max", "out of scope"),  # a reduction
                (paddle, "nn", "out of scope"),
                (paddle.tensor, "matmul", "out of scope"),
                (paddle.tensor.math, "exp", "it is element-wise"),
                (paddle, "static", "programs of Paddle 2.x .* do not run here"),
                (paddle, "disable_static", "programs of Paddle 2.x .* do not run here"),
                (paddle, "foo", "it is not a name of Paddle's that is known here$"),
                (fluid.layers, "foo", "it is not a name of Paddle's that is known here$"),
                (fluid.layers, "add", "did you mean 'elementwise_add'?"),
                (fluid, "optimizer", "out of scope")):
            with self.subTest(name), self.assertRaisesRegex(AttributeError, f"^{module.__name__} has no '{name}'.* ?{why}") as caught:
                getattr(module, name)
            shown = "".join(traceback.format_exception(caught.exception))
            self.assertNotIn("Did you mean", shown)  # Python's own guess
        for module in (paddle, paddle.tensor, fluid, fluid.layers, fluid.core):
            with self.assertRaisesRegex(AttributeError, f"^module '{module.__name__}' has no attribute '__version__'$"):
                module.__version__
        self.assertIsNone(paddle.enable_static())

    def test_imports_of_what_is_not_there(self):
        for line, module, name in (("from hadamard.fluid.layers import fc", "fluid.layers", "fc"),
                                   ("from hadamard.fluid.optimizer import SGD", "fluid", "optimizer"),
                                   ("from hadamard.fluid import optimizer", "fluid", "optimizer"),
                                   ("import hadamard.paddle.nn.functional", "paddle", "nn"),
                                   ("from hadamard.paddle.tensor.math import matmul", "paddle.tensor.math", "matmul")):
            with self.subTest(line), self.assertRaisesRegex(ImportError, f"^hadamard.{module} has no '{name}': out of scope"):
                exec(line, {})
        for name in ("hadamard.nowhere", "hadamard.fluid.__main__"):
            with self.assertRaisesRegex(ImportError, f"^No module named '{name}'$"):
                exec(f"import {name}", {})

    def test_variables(self):
        with fluid.program_guard(fluid.Program()), fluid.unique_name.guard():
            x, y = (fluid.layers.data(name=name, shape=[2]) for name in "xy")
            z = paddle.divide(x, y, act="relu")
            self.assertIsInstance(z, fluid.Variable)
            self.assertEqual(z.name, "elementwise_div_0.tmp_1")
            fetch = [paddle.maximum(x, y), paddle.minimum(x, y), paddle.pow(x, y), paddle.remainder(x, y), paddle.mod(x, y, act="relu")]
            self.assertEqual([z.name for z in fetch], ["elementwise_max_0.tmp_0", "elementwise_min_0.tmp_0", "elementwise_pow_0.tmp_0",
                                                       "elementwise_mod_0.tmp_0", "elementwise_mod_1.tmp_1"])
            got = fluid.Executor(fluid.CPUPlace()).run(feed={"x": [7, -7], "y": [3, -2]}, fetch_list=fetch)
            self.assertEqual([z.tolist() for z in got], [[7, -2], [3, -7], [343, np.float32(1 / 49)], [1, -1], [1, 0]])
            self.assertRaisesRegex(TypeError, "The type of 'y' in elementwise_pow must be Variable", paddle.pow, x, 2)
            self.assertRaisesRegex(TypeError, "does not write to one that is there", paddle.add, x, y, out=np.ones(2))
            self.assertRaisesRegex(TypeError, "The type of 'y' in elementwise_add must be Variable", paddle.add, x, np.ones(2))


class Levels(unittest.TestCase):
    def test_a_result_has_those_of_x(self):
        words = fluid.create_lod_tensor(np.arange(5, dtype="f4").reshape(5, 1), [[2, 3]], fluid.CPUPlace())
        for function in (hadamard.elementwise_div, paddle.divide, fluid.layers.elementwise_div):
            y = function(words, np.full((5, 1), 2, "f4"))
            self.assertIsInstance(y, fluid.LoDTensor)
            self.assertEqual((y.lod(), y.recursive_sequence_lengths()), ([[0, 2, 5]], [[2, 3]]))
            self.assertEqual(np.array(y).ravel().tolist(), [0, 0.5, 1, 1.5, 2])
        y = hadamard.elementwise_add(words, words, act="relu")
        self.assertEqual((y.lod(), np.array(y).ravel().tolist()), ([[0, 2, 5]], [0, 2, 4, 6, 8]))
        plain = hadamard.elementwise_add(np.ones((5, 1), "f4"), words)  # x has none
        self.assertIs(type(plain), np.ndarray)
        y = hadamard.elementwise_max(words, 2)
        self.assertEqual((y.lod(), np.array(y).ravel().tolist()), ([[0, 2, 5]], [2, 2, 2, 3, 4]))
        words.set_lod([])
        self.assertEqual(hadamard.elementwise_mul(words, 2).lod(), [])
        self.assertRaisesRegex(TypeError, "does not write to `out`", hadamard.elementwise_add, words, words, out=np.ones((5, 1), "f4"))
        self.assertRaises(ValueError, hadamard.elementwise_add, words, np.ones((3, 1), "f4"))

    def test_other_functions_do_not_lose_them(self):
        words = fluid.create_lod_tensor(np.ones((5, 1), "f4"), [[2, 3]])
        for call in (lambda: hadamard.div(words, 2), lambda: hadamard.exp(words), lambda: hadamard.Tensor(words)):
            self.assertRaisesRegex(TypeError, "whose levels of detail would be lost; use hadamard.elementwise_add", call)
        self.assertEqual(hadamard.exp(np.asarray(words)).shape, (5, 1))


class Scripts(unittest.TestCase):
    def run_script(self, text, *arguments, name="script.py", **options):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / name
            script.write_text(text, encoding="utf-8")
            (pathlib.Path(folder) / "beside.py").write_text("value = 7\n", encoding="utf-8")
            return subprocess.run([sys.executable, "-B", "-m", "hadamard.paddle", str(script), *arguments], capture_output=True, text=True,
                                  check=False, **options), str(script)

    def test_the_document_s_programs_run_unchanged(self):
        document = (HERE / "elementwise_div_examples.rst").read_text(encoding="utf-8")
        programs = [re.sub(r"(?m)^    ", "", block) for block in re.findall(r"code-block:: python\n\n((?:    .*\n|\n)+)", document)]
        self.assertEqual(len(programs), 3)
        for program, expected in zip(programs, ([3], [2, 3, 4, 5], [2, 3, 4, 5])):
            self.assertIn("import paddle.fluid as fluid", program)
            done, _ = self.run_script(program + "\nprint(list(z_value[0].shape))\n")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.splitlines()[-1], str(expected))
        done, _ = self.run_script(programs[0])
        self.assertEqual(done.stdout, "[array([2. , 0.6, 2. ], dtype=float32)]\n")

    def test_every_way_to_import(self):
        done, _ = self.run_script("import paddle, sys\nimport paddle.fluid as fluid\nimport paddle.fluid.layers as layers\n"
                                  "from paddle import tensor\nfrom paddle.fluid import core, framework\n"
                                  "from paddle.tensor.math import elementwise_div\n"
                                  "print(paddle.fluid is fluid is sys.modules['hadamard.fluid'], layers.elementwise_div is elementwise_div "
                                  "is paddle.divide is tensor.elementwise_div)\n")
        self.assertEqual((done.stdout, done.stderr), ("True True\n", ""))

    def test_imports_of_what_is_not_there(self):
        for line, module, name in (("from paddle.fluid.layers import fc", "fluid.layers", "fc"),
                                   ("from paddle.fluid.optimizer import SGD", "fluid", "optimizer"),
                                   ("import paddle.nn.functional as F", "paddle", "nn"),
                                   ("from paddle import matmul", "paddle", "matmul")):
            done, _ = self.run_script(line + "\n")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"Error: hadamard.{module} has no '{name}': out of scope", done.stderr.splitlines()[-1])

    def test_as_python_runs_them(self):
        done, script = self.run_script("import sys, beside, pickle\n"
                                       "def f(x: 1 + 1 = 0): assert f.__annotations__ == {'x': 2}\n"
                                       "f()\n"
                                       "print(__name__, __file__ == sys.argv[0], sys.argv[1:], beside.value, pickle.loads(pickle.dumps(f)) is f)\n"
                                       "sys.exit(5)\n", "a", "-b")
        self.assertEqual((done.stdout, done.returncode, done.stderr), ("__main__ True ['a', '-b'] 7 True\n", 5, ""))
        done, script = self.run_script("import paddle\n\ndef f():\n    return paddle.fluid.layers.fc\n\nf()\n")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertTrue(done.stderr.startswith(f"Traceback (most recent call last):\n  File \"{script}\", line 6, in <module>\n"), done.stderr)
        self.assertNotIn("__main__.py", done.stderr)
        self.assertIn("AttributeError: hadamard.fluid.layers has no 'fc': out of scope", done.stderr.splitlines()[-1])
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
            script = pathlib.Path(folder) / "script.py"
            script.write_text("import sys; print(sys.path[0])", encoding="utf-8")
            (pathlib.Path(elsewhere) / "link.py").symlink_to(script)  # Python looks for modules beside the file itself
            done = subprocess.run([sys.executable, "-B", "-m", "hadamard.paddle", "link.py"], capture_output=True, text=True, check=False,
                                  cwd=elsewhere)
            self.assertEqual(done.stdout.strip(), str(pathlib.Path(folder).resolve()))
        done, script = self.run_script("x = (\n")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.startswith(f"  File \"{script}\", line 1\n"), done.stderr)
        self.assertIn("SyntaxError", done.stderr)

    def test_wrong_calls(self):
        def run(*arguments):
            return subprocess.run([sys.executable, "-B", "-m", "hadamard.paddle", *arguments], capture_output=True, text=True, check=False)

        for arguments, message in (((), "expected the path of a script, got nothing"), (("-x",), "got '-x'"),
                                   (("nowhere.py",), "hadamard.paddle: cannot open 'nowhere.py': No such file or directory"),
                                   ((str(HERE),), "Is a directory")):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(message, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("usage: python3 -m hadamard.paddle SCRIPT.py", done.stdout)


if __name__ == "__main__":
    unittest.main()
