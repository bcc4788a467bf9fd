"""The prompt on a terminal: editing, history, Ctrl-C, Ctrl-D, names completed."""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import termios
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import PROGRAM, SANITIZED, environment  # noqa: E402

LEFT, UP, CTRL_C, CTRL_D = b"\x1b[D", b"\x1b[A", b"\x03", b"\x04"


class Terminal:
    """The program, on a terminal of its own."""

    def __init__(self, folder, **env):
        self.seen = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            everything = environment(**{"TERM": "xterm", "LC_ALL": "C.UTF-8", **env})
            if SANITIZED:  # whole stacks: without them libedit is not seen in its leaks, which are known
                everything["ASAN_OPTIONS"] = everything.get("ASAN_OPTIONS", "") + ":fast_unwind_on_malloc=0"
            os.execve(PROGRAM, [PROGRAM, "matlab"], {k: v for k, v in everything.items() if v is not None})

    def until(self, pattern, seconds=30):
        """What came up to the pattern; it is not seen again."""
        end = time.monotonic() + seconds
        while not (match := re.search(pattern, self.seen)):
            ready = select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]
            try:
                data = os.read(self.fd, 4096) if ready else b""
            except OSError:
                data = b""
            if not data:
                raise AssertionError(f"no {pattern!r} in {self.seen!r}")
            self.seen += data
        text, self.seen = self.seen[:match.end()], self.seen[match.end():]
        return text

    def type(self, keys):
        os.write(self.fd, keys)

    def prompt(self, pattern=rb">> "):
        """Waits for it, and for an editor until it takes Ctrl-C and Ctrl-D for keys."""
        self.until(pattern)
        end = time.monotonic() + 30
        while EDITS and termios.tcgetattr(self.fd)[3] & termios.ISIG:
            if time.monotonic() > end:
                raise AssertionError("the editor does not come")
            time.sleep(0.001)

    def run(self, keys, pattern):
        """Types a line where the prompt is; what came with the pattern that answers it."""
        self.prompt()
        self.type(keys + b"\n")
        return self.until(pattern)

    def code(self):
        """Of its end. The terminal is closed after it: that would be a signal."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
            if select.select([self.fd], [], [], 0.01)[0]:
                try:
                    os.read(self.fd, 4096)
                except OSError:
                    time.sleep(0.01)
        raise AssertionError("it does not end")


EDITS = b"built without libedit" not in subprocess.run([PROGRAM, "info"], capture_output=True, check=True).stdout


class Prompt(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hadamard-prompt-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.history = self.folder / "hadamard" / "matlab_history"

    def start(self, **env):
        terminal = Terminal(self.folder, **{"XDG_STATE_HOME": str(self.folder), **env})
        self.addCleanup(self.end, terminal.pid)
        return terminal

    @staticmethod
    def end(pid):
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass

    def test_it_answers_and_ends_with_ctrl_d(self):
        terminal = self.start()
        terminal.run(b"6 ./ 4", rb"ans = 1\.5000\r\n")
        terminal.prompt()
        terminal.type(CTRL_D)
        self.assertEqual(terminal.code(), 0)

    def test_quit(self):
        terminal = self.start()
        terminal.prompt()
        terminal.type(b"quit\n")
        self.assertEqual(terminal.code(), 0)

    def test_unfinished_input_asks_for_more(self):
        terminal = self.start()
        terminal.prompt()
        terminal.type(b"x = [1 2\n")
        terminal.prompt(rb"\.\. ")
        terminal.type(b"3 4]\n")
        terminal.until(rb"x =\r\n\r\n   1   2\r\n   3   4\r\n")

    def test_an_error_is_no_end(self):
        terminal = self.start()
        terminal.run(b"nothing_of_the_kind", rb"undefined")
        terminal.run(b"1 + 1", rb"ans = 2\r\n")

    @unittest.skipUnless(EDITS, "built without libedit")
    def test_the_cursor_goes_left(self):
        self.start().run(b"100 + 23" + LEFT + LEFT + b"1", rb"ans = 223\r\n")

    @unittest.skipUnless(EDITS, "built without libedit")
    def test_history_goes_on_in_the_next_session(self):
        terminal = self.start()
        terminal.run(b"40 + 2", rb"ans = 42\r\n")
        terminal.run(b"7", rb"ans = 7\r\n")
        terminal.run(UP + UP, rb"ans = 42\r\n")
        terminal.prompt()
        terminal.type(CTRL_D)
        self.assertEqual(terminal.code(), 0)
        self.assertEqual(stat.S_IMODE(self.history.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(self.history.parent.stat().st_mode), 0o700)
        self.start().run(UP, rb"ans = 42\r\n")

    @unittest.skipUnless(EDITS, "built without libedit")
    def test_history_is_bounded(self):
        terminal = self.start()
        terminal.run(b"1", rb"ans = 1\r\n")
        terminal.prompt()
        terminal.type(CTRL_D)
        terminal.code()
        lines = self.history.read_text().splitlines()
        self.history.write_text("\n".join(lines[:1] + [f"{i};" for i in range(5000)]) + "\n")
        terminal = self.start()
        terminal.run(b"2", rb"ans = 2\r\n")
        terminal.prompt()
        terminal.type(CTRL_D)
        self.assertEqual(terminal.code(), 0)
        self.assertLessEqual(len(self.history.read_text().splitlines()), 1001)

    @unittest.skipUnless(EDITS, "built without libedit")
    def test_ctrl_c_leaves_the_line(self):
        terminal = self.start()
        terminal.prompt()
        terminal.type(b"x = [1 2 3")
        terminal.type(CTRL_C)
        terminal.until(rb"\^C")
        terminal.run(b"1 + 1", rb"ans = 2\r\n")
        terminal.prompt()
        terminal.type(b"y = [1\n")
        terminal.prompt(rb"\.\. ")
        terminal.type(CTRL_C)
        terminal.run(b"y", rb"'y' undefined")

    @unittest.skipUnless(EDITS, "built without libedit")
    def test_names_are_completed(self):
        terminal = self.start()
        terminal.run(b"a_long_name = 5;", rb"\n")
        terminal.run(b"a_lo\t + 1", rb"ans = 6\r\n")
        terminal.run(b"isgpua\t(1)", rb"ans = 0\r\n")
        terminal.prompt()
        terminal.type(b"isna\t(1)\n")
        terminal.until(rb"ans = 0\r\n")
        terminal.prompt()
        terminal.type(b"is\t")
        terminal.until(rb"isempty +isequal .*isreal [^>]*>> is")

    def test_no_place_for_history(self):
        blocked = self.folder / "file"
        blocked.write_text("")
        for env in ({"XDG_STATE_HOME": str(blocked)}, {"XDG_STATE_HOME": None, "HOME": None},
                    {"XDG_STATE_HOME": None, "HOME": "/proc"}, {"XDG_STATE_HOME": "relative"}):
            terminal = self.start(**env)
            terminal.run(b"1 + 1", rb"ans = 2\r\n")
            terminal.prompt()
            terminal.type(CTRL_D)
            self.assertEqual(terminal.code(), 0)

    def test_a_dumb_terminal(self):
        terminal = self.start(TERM="dumb")
        terminal.run(b"1 + 1", rb"ans = 2\r\n")
        terminal.prompt()
        terminal.type(CTRL_D)
        self.assertEqual(terminal.code(), 0)


if __name__ == "__main__":
    unittest.main()
