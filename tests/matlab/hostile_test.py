"""No text makes the program crash, hang or take memory without end: an error, with the line and a caret, exit code 2.
Nor does a .mat file."""
import ctypes
import ctypes.util
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import PROGRAM, SANITIZED, CliTest, start  # noqa: E402

MEMORY = 2 << 30  # bytes of addresses that the program may have

HUGE = {  # text: what its error must say
    "1:1e18": "out of memory",
    "1:1e15": "out of memory",
    "zeros(1e9)": "out of memory",
    "zeros(1e6,1e6)": "out of memory",
    "zeros(1e300,1)": "too large",
    "ones(2^40,2^40,2^40)": "out of memory",
    "eye(1e9)": "out of memory",
    "magic(1e8)": "out of memory",
    "rand(1e9)": "out of memory",
    "linspace(0,1,1e15)": "out of memory",
    "repmat([1 2],1e9,1e9)": "out of memory",
    "reshape(1:4,1e10,1e10)": "",
    "a=zeros(1e5,1); b=zeros(1,1e5); a+b": "out of memory",
    "a=zeros(1e5,1); b=zeros(1,1e5); a<b": "out of memory",
    "a=zeros(1e5,1); b=zeros(1,1e5); max(a,b)": "out of memory",
    "a=zeros(1e5,1); b=zeros(1,1e5); mod(a,b)": "out of memory",
    "a=zeros(1e5,1); b=zeros(1,1e5); complex(a,b)": "out of memory",
    "A=1; A(1e15)=1": "out of memory",
    "A=1; A(1e9,1e9)=1": "out of memory",
    "A=1; i=ones(1,1e6); A(i,i)": "out of memory",
    "A=1; i=ones(1,1e6); A(i,i)=2": "out of memory",
    "A=ones(1,100);" + " A=[A A];" * 60: "out of memory",
    "x=[1 2 3]; x(x(x(x(4))))": "out of bound",
    "A = [A 1]": "undefined",
    "A(A) = 1": "undefined",
    "a.b.c.d": "",
    "ones(1,2,3,4,5,6,7,8,9,1e9,1e9)": "out of memory",
    "factorial(1e300)": None,
    "2^1e308": None,
    "gamma(-1e300)": None,
    "mod(1e308,5e-324)": None,
    "x='" + "a" * 100000 + "';": None,
    "a=-ones(1,4e7); sqrt(a)": "out of memory",
    "a=zeros(1,1e8,'int8'); b=sqrt(a); c=exp(a)": "out of memory",
    "A=repmat(int8(1),1,1e8); A=numel(A);": None,
    "A=repmat(int8([1 2]),5e7,1); A=size(A);": None,
    "A=zeros(1,2e8,'int8'); A(1)=[]; A(end)=[];": None,
    "A=zeros(2e8,1,'int8'); A([1 3],:)=[]; A(5)=[];": None,
    "A=zeros(1,2e8,'int8'); m=A; m(7)=1; A(logical(m))=[];": None,
    "A=zeros(1,2e8,'int8'); A(end+1)=1;": None,
    "z=zeros(0,8e9); z(:,1)=[];": "out of memory",
    "format('" + "long" * 2000 + "')": "is neither short nor long nor hex",
    "help('" + "long" * 2000 + "')": "there is no function",
    "z=zeros(8e9,0); z(:,:)=[];": "out of memory",
}
# What only the limit of memory refuses; where sanitizers do without it, these are computed, for minutes.
LIMITED = ("a=-ones(1,4e7); sqrt(a)", "a=zeros(1,1e8,'int8'); b=sqrt(a); c=exp(a)", "z=zeros(0,8e9); z(:,1)=[];",
           "z=zeros(8e9,0); z(:,:)=[];")
DEEP = {
    "parentheses": "(" * 100000 + "1" + ")" * 100000,
    "brackets": "[" * 100000 + "1" + "]" * 100000,
    "open brackets": "[" * 100000,
    "signs": "-" * 100000 + "1",
    "transposes": "1" + "'" * 100000,
    "powers": "1" + "^1" * 100000,
    "sums": "1" + "+1" * 100000,
    "calls": "abs(" * 100000 + "1" + ")" * 100000,
    "indices": "A=1; " + "A(" * 100000 + "1" + ")" * 100000,
    "ranges": "1" + ":1" * 100000,
    "text without end": "'" + "a" * 100000,
    "quotes": "''" * 50000 + "'",
    "bytes that are no text": "\x01\x02\x7f",
    "a block comment without end": "%{\n" * 1000,
}


def limited():
    if SANITIZED:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Hostile(unittest.TestCase):
    def run_text(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".m", encoding="utf-8") as script:
            script.write(text)
            script.flush()
            return subprocess.run([PROGRAM, "matlab", script.name], capture_output=True, text=True, timeout=120,
                                  preexec_fn=limited, stdin=subprocess.DEVNULL)

    def test_huge_values_are_refused_before_they_are_made(self):
        for text, says in HUGE.items():
            if SANITIZED and text in LIMITED:
                continue
            with self.subTest(text=text[:80]):
                done = self.run_text(text)
                if says is None:
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    continue
                self.assertEqual(done.returncode, 2, done.stderr[-500:])
                self.assertTrue(done.stderr.startswith("error: "), done.stderr[:300])
                self.assertIn(says, done.stderr)
                self.assertIn("^", done.stderr)
                self.assertLess(len(done.stderr), 3000)

    def test_deep_and_endless_texts_are_refused(self):
        for name, text in DEEP.items():
            with self.subTest(name):
                done = self.run_text(text)
                self.assertEqual(done.returncode, 2, (done.stdout[-300:], done.stderr[-300:]))
                self.assertTrue(done.stderr.startswith("error: "), done.stderr[:300])
                self.assertLess(len(done.stderr), 3000)

    def test_a_mistake_at_the_end_keeps_all_from_running(self):
        done = self.run_text("disp(1)\ndisp(2)\nx = (1 + \n")
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_a_fault_keeps_what_came_before_and_what_the_variable_was(self):
        done = self.run_text("x = 1:3;\ndisp(x)\nx(0) = 5;\ndisp(9)\n")
        self.assertEqual((done.returncode, done.stdout), (2, "   1   2   3\n"))
        self.assertIn("x(0) = 5;", done.stderr)

    def test_clearing_a_variable_in_its_own_index(self):
        for text in ("A=1; A(clear('A'))=2", "A=1:3; A(A(end)+clear('A'))", "A=1; A(1,clear('A'))"):
            self.assertEqual(self.run_text(text).returncode, 2)


def mat_element(name, extents, data=None, cls=6, stored=9):
    """A variable of a compressed .mat file: its class and the type that its elements are stored as, by their numbers."""
    def padded(part):
        return part + bytes(-len(part) % 8)
    body = struct.pack("<4I2I", 6, 8, cls, 0, 5, 4 * len(extents)) + padded(struct.pack(f"<{len(extents)}i", *extents))
    body += struct.pack("<2I", 1, len(name)) + padded(name)
    if data is not None:
        body += struct.pack("<2I", stored, len(data)) + padded(data)
    packed = zlib.compress(struct.pack("<2I", 14, len(body)) + body, 9)
    return struct.pack("<2I", 15, len(packed)) + packed


def mat_file(*elements):
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM" + b"".join(elements)


@unittest.skipIf(b"built without matio" in subprocess.run([PROGRAM, "info"], capture_output=True, check=True).stdout,
                 "built without matio")
class MatFiles(CliTest):
    def load(self, content, script, output=b"", errors=rb"\A\Z", code=0, **kwargs):
        """What is loaded, and by which memory: at most 8 times the file and 64 MiB."""
        (self.folder / "x.mat").write_bytes(content)
        with open(self.folder / "out", "w+b") as out, open(self.folder / "err", "w+b") as err:
            process = start("matlab", "-e", script, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                            **kwargs)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            said = err.read()
            self.assertEqual((process.returncode, out.read()), (code, output), said[-500:])
            self.assertRegex(said, errors)
        if not SANITIZED:
            self.assertLess(usage.ru_maxrss << 10, 8 * len(content) + (64 << 20), script)

    def test_a_name_that_comes_again_is_read_once(self):
        zeros, ones = mat_element(b"x", (1000, 500), bytes(4000000)), mat_element(b"x", (1, 2), b"\1\1", stored=2)
        self.load(mat_file(zeros * 100), "load x.mat, isequal(x, zeros(1000,500))", b"ans = 1\n")
        self.load(mat_file(zeros * 50, ones), "load x.mat, isequal(x, [1 1])", b"ans = 1\n")
        self.load(mat_file(ones, zeros * 50, ones), "y = load('x.mat', 'x'); isequal(y, [1 1])", b"ans = 1\n")
        small = mat_element(b"x", (1000, 500), bytes(500000), stored=2)  # bytes that become doubles
        self.load(mat_file(small * 100), "load x.mat, isequal(x, zeros(1000,500))", b"ans = 1\n")
        cell = mat_element(b"x", (1, 1), cls=1)
        self.load(mat_file(zeros * 50, cell), "load x.mat, who", errors=b"variable 'x' of class cell is left out")

    def test_what_is_not_wanted_is_not_read(self):
        parts = [mat_element(b"x%d" % i, (1000, 500), bytes(4000000)) for i in range(50)]
        self.load(mat_file(*parts), "load x.mat x7; isequal(x7, zeros(1000,500))", b"ans = 1\n")

    @unittest.skipIf(SANITIZED, "there is no limit of memory under sanitizers")
    def test_memory_for_all_is_asked_for_before_the_first_is_read(self):
        parts = [mat_element(b"x%d" % i, (8000, 1000), bytes(8000000), stored=2) for i in range(40)]  # 64 MB each
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))}
        self.load(mat_file(*parts), "load x.mat", code=2, **limit,
                  errors=b"error: .*the variables of 'x.mat'.* available.*MATLAB:nomem")

    def test_extents_of_what_is_no_array_take_no_memory(self):
        y = mat_element(b"y", (1, 1), struct.pack("<d", 3))
        for cls, name in ((1, b"cell"), (2, b"struct"), (3, b"object"), (5, b"sparse"), (16, b"function_handle")):
            for data in (None, b"", bytes(800)):
                self.load(mat_file(mat_element(b"x", (30000, 30000), data, cls=cls), y), "load x.mat, y", b"y = 3\n",
                          errors=rb"\Awarning: load: variable 'x' of class " + name + rb" is left out\n\Z")

    def test_names_and_extents_are_accounted_for(self):
        many = [mat_element(b"v%d" % i, (1,) * 1023 + (2,), bytes(16)) for i in range(4000)]
        self.load(mat_file(*many), "load x.mat", errors=b"error: 'x.mat': byte .* more than a file of .* accounts for", code=2)
        many = [mat_element(b"v%d" % i + b"a" * 4000, (1, 1), bytes(8)) for i in range(4000)]
        self.load(mat_file(*many), "load x.mat", errors=b"error: 'x.mat': byte .* more than a file of .* accounts for", code=2)
        self.load(mat_file(mat_element(b"a" * 5000, (1, 1), bytes(8))), "load x.mat", errors=b"at most 4096 bytes", code=2)
        many = [mat_element(b"v%d" % i, (1, 1), bytes(8)) for i in range(3000)]
        self.load(mat_file(*many), "load x.mat, v2999", b"v2999 = 0\n")

    def test_links_of_hdf5_are_counted(self):
        self.output("matlab", "-e", "a = zeros(1000); save x.mat a -v7.3")
        library = ctypes.CDLL(ctypes.util.find_library("hdf5_serial"))
        library.H5Fopen.restype = ctypes.c_int64
        self.assertGreaterEqual(library.H5open(), 0)
        file = ctypes.c_int64(library.H5Fopen(os.fsencode(self.folder / "x.mat"), 1, ctypes.c_int64(0)))
        self.assertGreater(file.value, 0)
        for i in range(100):
            self.assertEqual(library.H5Lcreate_hard(file, b"/a", file, b"/b%d" % i, ctypes.c_int64(0), ctypes.c_int64(0)), 0)
        self.assertEqual(library.H5Fclose(file), 0)
        content = (self.folder / "x.mat").read_bytes()
        self.load(content, "load x.mat", errors=b"cannot be in a file of that size", code=2)
        self.load(content, "load x.mat b3; isequal(b3, zeros(1000))", b"ans = 1\n")


if __name__ == "__main__":
    unittest.main()
