"""Threads, processes and dask: the functions work wherever Python runs them."""
import concurrent.futures
import multiprocessing
import os
import subprocess
import sys
import threading
import unittest

import numpy as np

import hadamard


class Threads(unittest.TestCase):
    def test_another_thread_runs_meanwhile(self):
        """A thread computes; this one waits for the interpreter's lock, which nobody takes from a thread that does not
        give it away: an hour would have to pass. So it gets it before the other has ended only where that gave it."""
        ended = []

        def compute(began, a):
            began.set()
            for _ in range(20):
                hadamard.tanh(a)
            ended.append(True)

        def runs_meanwhile(a):
            began = threading.Event()
            ended.clear()
            thread = threading.Thread(target=compute, args=(began, a))
            thread.start()
            began.wait()
            meanwhile = not ended
            thread.join()
            return meanwhile
        before = sys.getswitchinterval()
        sys.setswitchinterval(3600)
        try:  # again, because a machine may be so busy that this thread sleeps through it
            self.assertTrue(any(runs_meanwhile(np.full(1_000_000, 0.7)) for _ in range(5)))
            self.assertFalse(runs_meanwhile(np.full(1000, 0.7)))  # below 8 KiB it is not worth it
        finally:
            sys.setswitchinterval(before)

    def test_many_threads_have_the_same_bits(self):
        rng = np.random.default_rng(3)
        inputs = [(rng.standard_normal(n), rng.standard_normal(n)) for n in (1, 8, 1000, 50_000) * 8]
        expected = [hadamard.div(a, b) for a, b in inputs]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for _ in range(5):
                found = list(pool.map(lambda pair: hadamard.div(*pair), inputs))
                for x, y in zip(found, expected):
                    self.assertEqual(x.tobytes(), y.tobytes())

    def test_exact_numbers_that_two_threads_write(self):
        """Whatever comes out: each element owns memory, of which two threads at once would free one piece twice."""
        t = hadamard.Tensor([1.0 / (k + 1) for k in range(3000)], dtype="fp64")
        t = hadamard.Tensor(t.numpy(), dtype="real")
        third = hadamard.Tensor(["1/3"], dtype="real")

        def write():
            for _ in range(30):
                hadamard.add(t, third, out=t)

        threads = [threading.Thread(target=write) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(t.tolist()[0], 1 + 20)

    def test_exact_numbers_that_one_thread_writes_and_another_reads(self):
        a, b = hadamard.Tensor([1 << 1_000_000], dtype="real"), hadamard.Tensor(["0"], dtype="real")
        condition = np.zeros(8192, bool)
        writer = threading.Thread(target=lambda: [hadamard.neg(a, out=a) for _ in range(400)])
        writer.start()
        while writer.is_alive():
            hadamard.where(condition[:1], a, b), hadamard.where(condition, b, a)
        self.assertEqual(a.tolist(), [1 << 1_000_000])

    def test_errors_of_threads_are_their_own(self):
        def fail(n):
            b = np.ones(20_000, "i4")
            b[n] = 0
            with self.assertRaisesRegex(ZeroDivisionError, rf"\({n}\)"):
                hadamard.div(b, b)
            return n
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertEqual(list(pool.map(fail, range(200))), list(range(200)))

    def test_how_many(self):
        before = hadamard.threads()
        self.assertGreaterEqual(before, 1)
        try:
            hadamard.set_threads(1)
            self.assertEqual(hadamard.threads(), 1)
            with self.assertRaises(ValueError):
                hadamard.set_threads(-1)
        finally:
            hadamard.set_threads(0)
        self.assertEqual(hadamard.threads(), before)

    def test_kept_memory(self):
        del_me = hadamard.add(np.ones(1_000_000), 1.0)
        del del_me
        self.assertGreaterEqual(hadamard.release_memory(), 8_000_000)
        self.assertEqual(hadamard.release_memory(), 0)


def quotient(n):
    return float(hadamard.div(np.full(n, 6.1), 3.0).sum())


class AtTheEnd(unittest.TestCase):
    """Daemons that compute when the interpreter ends do not take the process with them."""

    def test_daemons(self):
        for call in ("hadamard.div(x, x)", "hadamard.cast(x, 'fp32')", "hadamard.eval('1 + 1')",
                     "hadamard.elementwise_div_grad(x, x, x, x)"):
            program = ("import threading, time, numpy as np, hadamard\n"
                       "x = np.ones(1 << 16)\n"
                       "def run():\n"
                       f"    while True: {call}\n"
                       "for _ in range(3): threading.Thread(target=run, daemon=True).start()\n"
                       "time.sleep(0.05)\n")
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=100)
            self.assertEqual((done.returncode, done.stderr), (0, b""), call)


class Processes(unittest.TestCase):
    def test_pools(self):
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual(pool.map(quotient, [1, 1000, 200_000]), [quotient(n) for n in (1, 1000, 200_000)])

    def test_functions_go_to_other_processes(self):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            found = pool.map(hadamard.exp, [np.zeros(3), np.zeros((2, 2))])
        self.assertEqual([x.tolist() for x in found], [[1, 1, 1], [[1, 1], [1, 1]]])

    def test_a_child_after_threads_were_used(self):
        hadamard.tanh(np.ones(2_000_000))  # the engine's threads are there
        child = os.fork()
        if child == 0:
            good = hadamard.div(np.full(8, 6.0), 3.0).tolist() == [2.0] * 8
            good = good and hadamard.neg(np.ones(2_000_000)).sum() == -2_000_000
            os._exit(0 if good else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Dask(unittest.TestCase):
    def setUp(self):
        try:
            import dask
            import dask.array
        except ImportError:
            self.skipTest("there is no dask here (Debian's python3-dask)")
        self.dask = dask

    def test_map_blocks(self):
        da = self.dask.array
        rng = np.random.default_rng(1)
        a, b = rng.standard_normal((300, 200)), rng.standard_normal((300, 200))
        x, y = da.from_array(a, chunks=(70, 60)), da.from_array(b, chunks=(70, 60))
        for scheduler in ("synchronous", "threads", "processes"):
            with self.subTest(scheduler), self.dask.config.set(scheduler=scheduler):
                quotient_ = da.map_blocks(hadamard.div, x, y, dtype=x.dtype)
                np.testing.assert_array_equal(quotient_.compute(), a / b)
                scaled = da.map_blocks(hadamard.mul, x, 2.0)  # dask finds the type with empty arrays
                self.assertEqual(scaled.dtype, "f8")
                np.testing.assert_array_equal(scaled.compute(), a * 2)
                rectified = da.map_blocks(hadamard.div, x, y, act="relu", dtype=x.dtype)
                np.testing.assert_array_equal(rectified.compute(), np.maximum(a / b, 0))

    def test_a_chunked_array_is_an_operand(self):
        a = self.dask.array.ones((4, 4), chunks=2)
        np.testing.assert_array_equal(hadamard.add(a, 1.0), np.full((4, 4), 2.0))


if __name__ == "__main__":
    unittest.main()
