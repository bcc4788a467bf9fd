"""The Python of the documentation does what it says: each `pycon` block, those of a page in one session."""
import doctest
import os
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(os.environ["HADAMARD_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests" / "readme"))
import blocks  # noqa: E402


def documents():
    return [SOURCE / "README.md", *sorted((SOURCE / "docs").rglob("*.md"))]


class Documents(unittest.TestCase):
    def check(self, path, texts):
        parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
        session, said = {}, []
        for block in texts:
            test = parser.get_doctest(block.text, session, str(path), str(path), block.line)
            self.assertTrue(test.examples, f"{block}: no example")
            runner.run(test, out=said.append, clear_globs=False)
            session = test.globs
        self.assertEqual(runner.failures, 0, "".join(said))
        return runner.tries

    def test_every_block(self):
        tries, pages = 0, 0
        for path in documents():
            texts = [block for block in blocks.read(path) if block.word == "pycon"]
            if texts:
                with self.subTest(path.name):
                    tries += self.check(path, texts)
                    pages += 1
        self.assertGreaterEqual(pages, 2)
        self.assertGreater(tries, 30)

    def test_a_mistake_is_noticed(self):
        wrong = blocks.Block("here", 1, "pycon", ">>> 1 + 1\n3\n", None)
        with self.assertRaises(AssertionError):
            self.check("here", [wrong])


if __name__ == "__main__":
    unittest.main()
