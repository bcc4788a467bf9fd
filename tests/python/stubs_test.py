"""The type stubs that the build writes are those of the module that it built."""
import ast
import inspect
import pathlib
import unittest

import hadamard

FOLDER = pathlib.Path(hadamard.__file__).parent


class Stubs(unittest.TestCase):
    def setUp(self):
        self.tree = ast.parse((FOLDER / "__init__.pyi").read_text(encoding="utf-8"))

    def defined(self, kind):
        return {node.name: node for node in self.tree.body if isinstance(node, kind)}

    def test_the_package_says_that_it_is_typed(self):
        self.assertTrue((FOLDER / "py.typed").is_file())

    def test_each_function_with_its_parameters(self):
        stubs = [node for node in self.tree.body if isinstance(node, ast.FunctionDef)]
        for function in hadamard.functions:
            mine = [node for node in stubs if node.name == function.__name__]
            self.assertEqual(len(mine), 2, function.__name__)  # with an output and without
            expected = inspect.signature(function).parameters.values()
            for node in mine:
                found = [(a.arg, "POSITIONAL_ONLY") for a in node.args.posonlyargs]
                found += [(a.arg, "POSITIONAL_OR_KEYWORD") for a in node.args.args]
                found += [(a.arg, "KEYWORD_ONLY") for a in node.args.kwonlyargs]
                self.assertEqual(found, [(p.name, p.kind.name) for p in expected])

    def test_each_public_name(self):
        listed = {node.name for node in self.tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        listed |= {node.target.id for node in self.tree.body if isinstance(node, ast.AnnAssign)}
        public = {name for name in dir(hadamard) if not name.startswith("_") and
                  not inspect.ismodule(getattr(hadamard, name)) and name != "annotations"}
        self.assertEqual(public - listed, set())

    def test_each_member_of_tensor(self):
        members = {node.name for node in self.defined(ast.ClassDef)["Tensor"].body if isinstance(node, ast.FunctionDef)}
        own = {name for name in vars(hadamard.Tensor) if callable(getattr(hadamard.Tensor, name)) or
               isinstance(vars(hadamard.Tensor)[name], property)}
        left_out = {"__new__", "__repr__", "__getstate__", "__setstate__", "_strides", "_seen_as",
                    "__getattr__", "__setitem__"}  # which only raise: a stub would have a checker allow them
        self.assertEqual(own - left_out, members)

    def test_the_choices(self):
        text = (FOLDER / "__init__.pyi").read_text(encoding="utf-8")
        for values in hadamard._core.choices.values():
            self.assertIn(f"Literal[{', '.join(map(repr, values))}]", text)


if __name__ == "__main__":
    unittest.main()
