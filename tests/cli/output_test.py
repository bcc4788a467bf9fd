"""-o: a complete file or none, an existing one never lost."""
import os
import pathlib
import resource
import shutil
import stat
import subprocess
import tempfile
import unittest

import numpy as np
from program import PROGRAM, CliTest, environment


class Output(CliTest):
    def setUp(self):
        super().setUp()
        np.save(self.folder / "a.npy", np.array([6.0, 9.0]))
        np.save(self.folder / "zero.npy", np.array([1, 0], np.int32))

    def load(self, name):
        return np.load(self.folder / name).tolist()

    def test_a_new_file(self):
        self.assertEqual(self.output("div", "a.npy", "[3 2]", "-o", "y.npy"), "")
        self.assertEqual(self.load("y.npy"), [2, 4.5])
        self.assertEqual(self.output("div", "a.npy", "[3 2]", "--output", "z.npy"), "")
        self.assertEqual(self.entries(), ["a.npy", "y.npy", "z.npy", "zero.npy"])

    def test_over_an_input(self):
        self.output("mul", "a.npy", "a.npy", "-o", "a.npy")
        self.assertEqual(self.load("a.npy"), [36, 81])
        big = np.random.default_rng(1).random(300_000)  # mapped, not read
        np.save(self.folder / "big.npy", big)
        self.output("div", "big.npy", "big.npy", "-o", "big.npy")
        self.assertTrue((np.load(self.folder / "big.npy") == 1).all())
        self.assertEqual(self.entries(), ["a.npy", "big.npy", "zero.npy"])

    def test_permissions(self):
        os.umask(0o022)
        self.output("add", "1", "1", "-o", "y.npy")
        path = self.folder / "y.npy"
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o644)
        path.chmod(0o640)
        self.output("add", "1", "1", "-o", "y.npy")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)

    def test_a_symbolic_link_stays(self):
        (self.folder / "link.npy").symlink_to("target.npy")
        self.output("add", "1", "1", "-o", "link.npy")
        self.assertTrue((self.folder / "link.npy").is_symlink())
        self.assertEqual(self.load("target.npy"), 2)

    def test_an_error_keeps_the_existing_file(self):
        before = (self.folder / "a.npy").read_bytes()
        self.refused("zero", "div", "zero.npy", "zero.npy", "-o", "a.npy")
        self.refused("SONNX-DIV-FLOAT-C1", "div", "a.npy", "1", "-o", "a.npy", "--dialect", "sonnx")
        self.refused("exact rationals", "div", "1", "2", "--type", "real", "-o", "a.npy")
        self.refused("no file", "div", "a.npy", "no.npy", "-o", "a.npy")
        self.assertEqual((self.folder / "a.npy").read_bytes(), before)
        self.assertEqual(self.entries(), ["a.npy", "zero.npy"])

    def test_an_error_creates_no_file(self):
        self.refused("zero", "div", "zero.npy", "zero.npy", "-o", "y.npy")
        self.assertEqual(self.entries(), ["a.npy", "zero.npy"])

    def test_a_full_disk(self):
        self.refused("'/dev/full': cannot write: No space left", "add", "a.npy", "a.npy", "-o", "/dev/full")
        with open("/dev/full", "wb") as full:
            for args in (["add", "1", "2"], ["info"], ["diff", "1", "1"], ["explain", "add", "1", "2"], ["--help"],
                         ["add", "1", "2", "-o", "-"]):
                done = subprocess.run([PROGRAM, *args], stdout=full, stderr=subprocess.PIPE, env=environment())
                self.assertEqual(done.returncode, 2, args)
                self.assertRegex(done.stderr.decode(), r"\Ahadamard: [^\n]*No space left[^\n]*\n\Z", args)

    def test_a_file_size_limit(self):
        before = (self.folder / "a.npy").read_bytes()
        big = np.ones(300_000)
        np.save(self.folder / "big.npy", big)
        self.refused("ulimit", "add", "big.npy", "big.npy", "-o", "a.npy",
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)))
        self.assertEqual((self.folder / "a.npy").read_bytes(), before)
        self.assertEqual(self.entries(), ["a.npy", "big.npy", "zero.npy"])

    def test_places_that_cannot_be_written(self):
        self.refused("'no/y.npy'.*directory exists", "add", "1", "2", "-o", "no/y.npy")
        self.refused("Is a directory", "add", "1", "2", "-o", ".")
        self.refused("'a.npy/y.npy'", "add", "1", "2", "-o", "a.npy/y.npy")
        self.refused("/proc/y.npy", "add", "1", "2", "-o", "/proc/y.npy")

    def test_an_unwritable_directory_and_file(self):
        # For root nothing is unwritable: the program runs as nobody, from where nobody can read it.
        open_folder = pathlib.Path(tempfile.mkdtemp(prefix="hadamard-cli-"))
        self.addCleanup(shutil.rmtree, open_folder, ignore_errors=True)
        open_folder.chmod(0o755)
        program = shutil.copy(PROGRAM, open_folder / "hadamard")
        closed = open_folder / "closed"
        closed.mkdir()
        np.save(closed / "y.npy", np.array(7.0))
        before = (closed / "y.npy").read_bytes()
        (closed / "y.npy").chmod(0o444)
        closed.chmod(0o555)
        who = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        for name in ("y.npy", "new.npy"):
            done = subprocess.run([program, "add", "1", "2", "-o", closed / name], capture_output=True, cwd="/", **who)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertRegex(done.stderr.decode(), r"\Ahadamard: [^\n]*Permission denied[^\n]*permissions[^\n]*\n\Z")
        closed.chmod(0o777)  # a directory that may be written does not make its read-only file fair game
        done = subprocess.run([program, "add", "1", "2", "-o", closed / "y.npy"], capture_output=True, cwd="/", **who)
        self.assertEqual(done.returncode, 2)
        self.assertEqual((closed / "y.npy").read_bytes(), before)
        self.assertEqual([p.name for p in closed.iterdir()], ["y.npy"])


if __name__ == "__main__":
    unittest.main()
