"""The Python of the documentation does what it says: each `pycon` block, those of a page in one session."""
import doctest
import os
import pathlib
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(os.environ["HADAMARD_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests" / "readme"))
import blocks  # noqa: E402


def documents():
    return [SOURCE / "README.md", *sorted((SOURCE / "docs").rglob("*.md"))]


def check(path, texts):
    """How many examples ran; ends with 1 where one is wrong."""
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    session, said = {}, []
    for block in texts:
        test = parser.get_doctest(block.text, session, str(path), str(path), block.line)
        if not test.examples:
            said.append(f"{block}: no example\n")
        runner.run(test, out=said.append, clear_globs=False)
        session = test.globs
    if said:
        sys.exit("".join(said))
    return runner.tries


class Documents(unittest.TestCase):
    def test_every_block(self):
        tries, pages = 0, 0
        for path in documents():
            if not any(block.word == "pycon" for block in blocks.read(path)):
                continue
            with self.subTest(path.name):  # in a process of its own: a page says what a new session does
                done = subprocess.run([sys.executable, "-B", __file__, str(path)], capture_output=True, text=True,
                                      check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                tries += int(done.stdout)
                pages += 1
        self.assertGreaterEqual(pages, 2)
        self.assertGreater(tries, 30)

    def test_a_mistake_is_noticed(self):
        for text in (">>> 1 + 1\n3\n", "1 + 1\n"):
            with self.assertRaises(SystemExit):
                check("here", [blocks.Block("here", 1, "pycon", text, None)])


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(check(sys.argv[1], [block for block in blocks.read(sys.argv[1]) if block.word == "pycon"]))
    else:
        unittest.main()
