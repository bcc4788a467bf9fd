"""The program under test, and what its users rely on in every call.

Each *_test.py beside this file runs alone:  HADAMARD_PROGRAM=build/…/hadamard python3 diff_test.py
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("HADAMARD_PROGRAM") or str(
    pathlib.Path(__file__).resolve().parents[2] / "build/test/apps/hadamard/hadamard")
OPERATORS = ["add", "sub", "mul", "div"]
FLOATS = ["fp16", "bf16", "fp32", "fp64"]
SIGNED = ["int4", "int8", "int16", "int32", "int64"]
UNSIGNED = ["uint4", "uint8", "uint16", "uint32", "uint64"]


def has_sanitizer():
    """AddressSanitizer takes terabytes of addresses, and memory of its own."""
    return b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()


SANITIZED = has_sanitizer()


def environment(**more):
    """This one without any choice of provider that the caller of the tests has made."""
    env = {k: v for k, v in os.environ.items() if k not in ("HADAMARD_CPU", "HADAMARD_PROVIDER", "HADAMARD_THREADS")}
    return {**env, **more}


def start(*args, env=None, **kwargs):
    return subprocess.Popen([PROGRAM, *map(str, args)], env=environment(**(env or {})), **kwargs)


# Where a sync takes no time, for tests that write hundreds of files.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def file_calls(folder):
    """The library that comes between the program and its files (file_calls.c)."""
    library = pathlib.Path(folder) / "file_calls.so"
    subprocess.run([os.environ.get("HADAMARD_CC") or "cc", "-shared", "-fPIC", "-o", library,
                    pathlib.Path(__file__).with_name("file_calls.c"), "-ldl"], check=True)
    return str(library)


class CliTest(unittest.TestCase):
    """Tests run in a folder of their own, which is removed afterwards."""

    IN = None  # the folder of that folder; None: the usual one for temporary files

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hadamard-cli-", dir=self.IN))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def call(self, *args, env=None, stdin=b"", **kwargs):
        return subprocess.run([PROGRAM, *map(str, args)], env=environment(**(env or {})), input=stdin,
                              capture_output=True, cwd=self.folder, timeout=60, **kwargs)

    def peak(self, *args):
        """The exit code and the largest memory that the program held, in MiB."""
        # The kernel counts what the process was before it became the program: a small one, not this one.
        script = ("import os, subprocess, sys; child = subprocess.Popen(sys.argv[1:], stdout=-3, stderr=-3); "
                  "_, status, usage = os.wait4(child.pid, 0); print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)")
        done = subprocess.run([sys.executable, "-S", "-c", script, PROGRAM, *args], cwd=self.folder, env=environment(),
                              stdout=subprocess.PIPE, check=True)
        code, kib = map(int, done.stdout.split())
        return code, kib / 1024

    def output(self, *args, code=0, **kwargs):
        """Standard output of a call that goes well: the code, and nothing on standard error."""
        done = self.call(*args, **kwargs)
        self.assertEqual((done.returncode, done.stderr), (code, b""), args)
        return done.stdout.decode()

    def gives(self, expected, *args, **kwargs):
        self.assertEqual(self.output(*args, **kwargs), expected + "\n", args)

    def refused(self, pattern, *args, **kwargs):
        """An error is one line on standard error, exit code 2, nothing on standard output."""
        done = self.call(*args, **kwargs)
        text = done.stderr.decode()
        self.assertEqual((done.returncode, done.stdout), (2, b""), (args, text))
        self.assertRegex(text, r"\Ahadamard: [^\n\r]+\n\Z", args)
        self.assertRegex(text, pattern, args)
        return text

    def rows(self, *args, **kwargs):
        """Lines of "key   value" as a dict."""
        lines = self.output(*args, **kwargs).split("\n\n")[0].splitlines()
        return {line[:10].strip(): line[10:].strip() for line in lines}

    def entries(self):
        return sorted(path.name for path in self.folder.iterdir())
