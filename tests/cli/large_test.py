"""Large files are mapped and take seconds; a progress line appears on a terminal and nowhere else."""
import os
import pathlib
import pty
import resource
import subprocess
import time
import unittest

import numpy as np
from program import PROGRAM, CliTest, start

COUNT = 10_000_000


def sanitized():
    """AddressSanitizer reserves more memory than any limit of ours."""
    return b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()


class Large(CliTest):
    def test_ten_million_elements(self):
        random = np.random.default_rng(5)
        a, b = random.random(COUNT, np.float32), random.random(COUNT, np.float32) + 1
        np.save(self.folder / "a.npy", a)
        np.save(self.folder / "b.npy", b)
        begin = time.monotonic()
        self.output("div", "a.npy", "b.npy", "-o", "y.npy")
        self.assertLess(time.monotonic() - begin, 10)
        self.assertTrue(np.array_equal(np.load(self.folder / "y.npy"), a / b))

    def test_a_broadcast_that_no_machine_holds(self):
        side = np.zeros(1 << 20, np.int8)
        np.save(self.folder / "a.npy", side.reshape(-1, 1))
        np.save(self.folder / "b.npy", side.reshape(1, -1))
        self.refused(rf"out of memory: the result, int8 \(1048576,1048576\), needs {1 << 40} bytes, but only \d+ are "
                     "available; .*a machine with more memory", "add", "a.npy", "b.npy", "--broadcast", "numpy")

    def test_inputs_are_mapped(self):
        if sanitized():
            self.skipTest("a memory limit and AddressSanitizer do not go together")
        a = np.ones(COUNT, np.float32)
        np.save(self.folder / "a.npy", a)
        np.save(self.folder / "b.npy", a)
        # Room for the result and little more: inputs that were read and not mapped would not fit.
        room = a.nbytes + (60 << 20)
        self.output("div", "a.npy", "b.npy", "-o", "y.npy",
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (room, room)))
        # The limit is one that matters: the same from a pipe, which cannot be mapped, does not fit.
        with open(self.folder / "a.npy", "rb") as file:
            pipe = subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE)
            process = start("div", "-", "b.npy", "-o", "/dev/null", cwd=self.folder, stdin=pipe.stdout,
                            stderr=subprocess.PIPE,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (room, room)))
            pipe.stdout.close()
            err = process.communicate()[1]
            pipe.kill()
            pipe.wait()
        self.assertEqual(process.returncode, 2)
        self.assertRegex(err.decode(), r"\Ahadamard: [^\n]*memory[^\n]*\n\Z")


class Progress(CliTest):
    """The reference's exact complex division takes long enough: some seconds for these elements."""

    def setUp(self):
        super().setUp()
        np.save(self.folder / "c.npy", np.random.default_rng(6).random(1_200_000).view(complex))
        self.args = ("div", "c.npy", "c.npy", "-o", "y.npy", "--dialect", "native")

    def on_terminal(self, *args, env=None):
        """What comes on a terminal that is standard error."""
        master, terminal = pty.openpty()
        process = start(*args, cwd=self.folder, stdout=subprocess.PIPE, stderr=terminal, env=env)
        os.close(terminal)
        text = b""
        try:
            while piece := os.read(master, 4096):
                text += piece
        except OSError:  # how Linux says that the last writer has closed
            pass
        os.close(master)
        self.assertEqual((process.communicate()[0], process.returncode), (b"", 0))
        return text.decode()

    def test_on_a_terminal_and_nowhere_else(self):
        slow = {"HADAMARD_PROVIDER": "ref"}
        beside = start(*self.args[:3], "-o", "z.npy", *self.args[5:], cwd=self.folder, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, env=slow)
        text = self.on_terminal(*self.args, env=slow)
        self.assertRegex(text, r"\A(\rhadamard div: \d+ %)+\r\x1b\[K\Z")
        numbers = [int(part.split()[0]) for part in text.split(": ")[1:]]
        self.assertEqual(numbers, sorted(numbers))
        self.assertEqual((*beside.communicate(), beside.returncode), (b"", b"", 0))

    def test_not_for_what_is_quick(self):
        self.assertEqual(self.on_terminal("add", *self.args[1:]), "")


if __name__ == "__main__":
    unittest.main()
