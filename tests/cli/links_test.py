"""Outputs through symbolic links that another user swaps while they are resolved."""
import ctypes
import os
import threading
import unittest

import numpy as np
from program import MEMORY, CliTest, file_calls

NOBODY = 65534
RENAME_EXCHANGE = 2


@unittest.skipUnless(os.geteuid() == 0, "only root can make files of other users")
class Swapped(CliTest):
    """In a world-writable folder, the user nobody has a link to a file of root's and a file of his own, and exchanges them."""

    IN = MEMORY

    def setUp(self):
        super().setUp()
        self.victim = self.folder / "victim.npy"
        self.shared = self.folder / "shared"
        self.shared.mkdir()
        self.shared.chmod(0o1777)
        self.out, self.other = self.shared / "out.npy", self.shared / "other"

    def lay(self, link_first):
        np.save(self.victim, np.array(7.0))
        for path in (self.out, self.other):
            path.unlink(missing_ok=True)
        link, file = (self.out, self.other) if link_first else (self.other, self.out)
        link.symlink_to(self.victim)
        np.save(file.with_suffix(".npy"), np.array(1.0))
        if file == self.other:
            file.with_suffix(".npy").rename(file)
        for path in (link, file):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)

    def check(self, done, where):
        self.assertEqual(np.load(self.victim).tolist(), 7, where)
        self.assertIn(done.returncode, (0, 2), (where, done.stderr))
        if done.returncode == 2:
            self.assertRegex(done.stderr.decode(), r"\Ahadamard: '[^\n]*out\.npy': [^\n]*\n\Z", where)
        self.assertEqual(sorted(p.name for p in self.shared.iterdir()), ["other", "out.npy"], where)

    def test_before_every_call(self):
        library = file_calls(self.folder)
        for unnamed in ({}, {"FILE_CALLS_NO_UNNAMED": "1"}):
            for link_first in (True, False):
                refused = swaps = 0
                for at in range(200):
                    self.lay(link_first)
                    done = self.call("add", "1", "1", "-o", self.out, env={
                        "LD_PRELOAD": library, "FILE_CALLS_SWAP_AT": str(at),
                        "FILE_CALLS_SWAP": f"{self.out}:{self.other}", **unnamed})
                    self.check(done, (unnamed, link_first, at))
                    refused += done.returncode == 2
                    if self.other.is_symlink() != link_first:
                        break  # it has made fewer calls
                    swaps += 1
                self.assertGreaterEqual(swaps, 2 if link_first else 5)
                self.assertGreater(refused, 0)  # the link was met

    def test_at_random(self):
        stop = threading.Event()
        libc = ctypes.CDLL(None, use_errno=True)
        a, b = os.fsencode(self.out), os.fsencode(self.other)

        def swap():
            while not stop.is_set():
                libc.renameat2(-100, a, -100, b, RENAME_EXCHANGE)
                libc.usleep(20)

        self.lay(True)
        swapper = threading.Thread(target=swap)
        swapper.start()
        try:
            codes = [0, 0, 0]
            for i in range(300):
                done = self.call("add", "1", "1", "-o", self.out)
                codes[done.returncode] += 1
                self.assertEqual(np.load(self.victim).tolist(), 7, i)
                if not self.other.is_symlink() and not self.out.is_symlink():
                    stop.set()
                    swapper.join()
                    stop.clear()
                    self.lay(i % 2 == 0)
                    swapper = threading.Thread(target=swap)
                    swapper.start()
        finally:
            stop.set()
            swapper.join()
        self.assertGreater(codes[2], 0)


if __name__ == "__main__":
    unittest.main()
