"""Signals: an output under kill -9 is the old one or the new one, and the next run cleans up; others leave nothing behind."""
import os
import pathlib
import resource
import signal
import subprocess
import time
import unittest

import numpy as np
from program import MEMORY, CliTest, file_calls, start


# What ends a program, but for SIGKILL and the signals of a crash.
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGALRM, signal.SIGXCPU,
          signal.SIGUSR1, signal.SIGUSR2, signal.SIGVTALRM, signal.SIGPROF, signal.SIGABRT, signal.SIGIO, signal.SIGPWR,
          signal.SIGRTMIN, signal.SIGRTMAX)


class SignalsTest(CliTest):
    COUNT = 1_000_000

    def setUp(self):
        super().setUp()
        self.old = np.random.default_rng(3).random(self.COUNT)
        self.path = self.folder / "y.npy"
        np.save(self.folder / "a.npy", self.old)
        np.save(self.path, self.old)
        self.env = {}

    def use_named_temporaries(self):
        """As on a file system that has no files without a name."""
        self.env = {"LD_PRELOAD": file_calls(self.folder), "FILE_CALLS_NO_UNNAMED": "1"}

    def begin(self, **kwargs):
        return start("add", "a.npy", "a.npy", "-o", "y.npy", cwd=self.folder, stderr=subprocess.PIPE, env=self.env,
                     **kwargs)

    def finish(self, process):
        err = process.communicate()[1]
        self.assertEqual((process.returncode, err), (0, b""))

    def leftovers(self):
        return [name for name in self.entries() if name not in ("a.npy", "y.npy", "file_calls.so")]

    def is_writing(self, process):
        """Whether it has a temporary, with or without a name."""
        if self.leftovers():
            return True
        try:
            folder = f"/proc/{process.pid}/fd"
            files = [os.readlink(f"{folder}/{name}") for name in os.listdir(folder)]
        except OSError:  # it changes meanwhile
            return False
        return any(file.startswith(str(self.folder)) and file.endswith(" (deleted)") for file in files)

    def wait_for_temporary(self, process):
        while process.poll() is None and not self.is_writing(process):
            pass


class Killed(SignalsTest):
    IN = MEMORY
    COUNT = 250_000

    def kill_often(self, runs):
        """Runs that are killed at random moments; `whole` follows the time that a run takes, so that most are met."""
        begin = time.monotonic()
        self.finish(self.begin())
        whole = time.monotonic() - begin
        random = np.random.default_rng(5)
        killed = 0
        for _ in range(runs):
            process = self.begin()
            time.sleep(whole * random.random())
            process.kill()
            process.communicate()
            is_killed = process.returncode == -signal.SIGKILL
            killed += is_killed
            whole *= 1.02 if is_killed else 0.95
            y = np.load(self.path)  # throws where the file is torn
            self.assertTrue(y[0] in (self.old[0], 2 * self.old[0]) and y[-1] in (self.old[-1], 2 * self.old[-1]))
        for name in self.leftovers():
            self.assertRegex(name, r"\A\.hadamard-[0-9a-f]{16}\.tmp\Z")
        self.finish(self.begin())
        self.assertTrue(np.array_equal(np.load(self.path), 2 * self.old))
        self.assertEqual(self.leftovers(), [])
        self.assertGreater(killed, runs / 4)

    def test_a_thousand_runs(self):
        self.kill_often(1000)

    def test_where_temporaries_have_names(self):
        self.use_named_temporaries()
        self.kill_often(100)

    def test_runs_side_by_side(self):
        """No run takes the temporary of another that works for a stale one, be it just made or just linked."""
        for named in (False, True):
            if named:
                self.use_named_temporaries()
            for _ in range(10):
                for process in [self.begin() for _ in range(6)]:
                    self.finish(process)
            self.assertEqual(self.leftovers(), [])

    def test_many_are_removed_at_once(self):
        for i in range(300):
            (self.folder / f".hadamard-{i:016x}.tmp").write_bytes(b"stale")
        self.finish(self.begin())
        self.assertEqual(self.leftovers(), [])


class Signals(SignalsTest):
    def test_kill_9_while_writing_keeps_the_old_file(self):
        """kill -9 at the moment when the temporary exists."""
        for named in (False, True):
            if named:
                self.use_named_temporaries()
            for _ in range(50):
                np.save(self.path, self.old)
                process = self.begin()
                self.wait_for_temporary(process)
                process.kill()
                process.communicate()
                is_met = process.returncode == -signal.SIGKILL and np.array_equal(np.load(self.path), self.old)
                if is_met and bool(self.leftovers()) == named:
                    break
            else:
                self.fail("the temporary was never met")
            self.finish(self.begin())
            self.assertEqual(self.leftovers(), [])

    def test_a_temporary_in_use_is_not_removed(self):
        self.use_named_temporaries()
        for _ in range(50):
            first = self.begin()
            self.wait_for_temporary(first)
            first.send_signal(signal.SIGSTOP)
            while pathlib.Path(f"/proc/{first.pid}/stat").read_text().rpartition(") ")[2][0] not in "TZ":
                pass
            in_use = self.leftovers()
            self.finish(self.begin())
            self.assertEqual(self.leftovers(), in_use)
            first.send_signal(signal.SIGCONT)
            self.finish(first)
            if in_use:
                return
        self.fail("the temporary was never met")

    def test_signals_remove_the_temporary(self):
        self.ends_cleanly(signal.SIGTERM)
        self.use_named_temporaries()
        for number in ENDING:
            self.ends_cleanly(number)

    def ends_cleanly(self, number):
        met = 0
        for _ in range(30):
            np.save(self.path, self.old)
            process = self.begin(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
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
