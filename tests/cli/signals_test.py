"""Signals: an output under kill -9 is the old one or the new one; other signals leave nothing behind."""
import os
import signal
import subprocess
import time
import unittest

import numpy as np
from program import CliTest, start


class Signals(CliTest):
    def setUp(self):
        super().setUp()
        self.old = np.random.default_rng(3).random(1_000_000)
        self.path = self.folder / "y.npy"
        np.save(self.folder / "a.npy", self.old)
        np.save(self.path, self.old)

    def begin(self, **kwargs):
        return start("add", "a.npy", "a.npy", "-o", "y.npy", cwd=self.folder, stderr=subprocess.PIPE, **kwargs)

    def finish(self, process):
        err = process.communicate()[1]
        self.assertEqual((process.returncode, err), (0, b""))

    def leftovers(self):
        return [name for name in self.entries() if name not in ("a.npy", "y.npy")]

    def test_kill_9_tears_nothing(self):
        begin = time.monotonic()
        self.finish(self.begin())
        whole = time.monotonic() - begin
        killed = 0
        for i in range(20):
            np.save(self.path, self.old)
            process = self.begin()
            time.sleep(whole * (i + 1) / 20)
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
            y = np.load(self.path)  # throws where the file is torn
            self.assertTrue(np.array_equal(y, self.old) or np.array_equal(y, 2 * self.old))
        self.assertGreater(killed, 5)
        # A temporary may be left, as nobody is there to remove it. It is hidden, no .npy by name, and harmless.
        stale = self.leftovers()
        for name in stale:
            self.assertTrue(name.startswith(".") and not name.endswith(".npy"), name)
        self.finish(self.begin())
        self.assertTrue(np.array_equal(np.load(self.path), 2 * self.old))
        self.assertEqual(self.leftovers(), stale)

    def test_a_stale_temporary_is_made_while_writing(self):
        """kill -9 at the moment when the temporary exists: it stays, and the output is the old one."""
        for _ in range(50):
            np.save(self.path, self.old)
            process = self.begin()
            self.wait_for_temporary(process)
            process.kill()
            process.communicate()
            if process.returncode == -signal.SIGKILL and self.leftovers():
                self.assertTrue(np.array_equal(np.load(self.path), self.old))
                return
        self.fail("the temporary was never met")

    def wait_for_temporary(self, process):
        while process.poll() is None and not self.leftovers():
            pass

    def test_signals_remove_the_temporary(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            met = 0
            for _ in range(30):
                np.save(self.path, self.old)
                process = self.begin()
                self.wait_for_temporary(process)
                process.send_signal(number)
                process.communicate()
                self.assertEqual(self.leftovers(), [], number)
                self.assertIn(process.returncode, (0, -number))
                y = np.load(self.path)
                if process.returncode == -number:
                    self.assertTrue(np.array_equal(y, self.old) or np.array_equal(y, 2 * self.old))
                    met += 1
                if met == 2:
                    break
            self.assertEqual(met, 2, number)

    def test_nohup_is_respected(self):
        process = self.begin(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for_temporary(process)
        process.send_signal(signal.SIGHUP)
        process.communicate()
        self.assertEqual(process.returncode, 0)

    def test_an_input_that_is_shortened_meanwhile(self):
        # The exact way of complex numbers is slow enough to be met half-way.
        numbers = np.random.default_rng(4).random(1_200_000).view(complex)
        np.save(self.folder / "c.npy", numbers)
        before = self.path.read_bytes()
        process = start("div", "c.npy", "c.npy", "-o", "y.npy", "--dialect", "native", cwd=self.folder,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"HADAMARD_PROVIDER": "ref"})
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        os.truncate(self.folder / "c.npy", 4096)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (2, b""))
        self.assertRegex(err.decode(), r"\Ahadamard: an input file was shortened[^\n]*\n\Z")
        self.assertEqual(self.path.read_bytes(), before)
        self.assertEqual(self.leftovers(), ["c.npy"])

    def test_a_reader_that_goes_away(self):
        process = start("add", "a.npy", "a.npy", cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(10)
        process.stdout.close()
        err = process.stderr.read()
        process.wait()
        self.assertTrue(process.returncode == -signal.SIGPIPE or (process.returncode == 2 and err.count(b"\n") == 1),
                        (process.returncode, err))
        process.stderr.close()


if __name__ == "__main__":
    unittest.main()
