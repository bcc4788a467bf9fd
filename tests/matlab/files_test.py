"""load and save: .mat files of ours, of Octave's, damaged ones; .npy files."""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import PROGRAM, CliTest  # noqa: E402

FROM_OCTAVE = pathlib.Path(__file__).resolve().parent / "mat"
# The variables of mat/from_octave.m that there is a class for.
OCTAVE = {
    "d": "[1 -2.5; NaN Inf]", "f": "single([0.1 3e38])", "z": "[1+2i -3.5i]", "c": "single(1-1i)", "small": "1:3",
    "t": "logical([1 0 1])", "text": "['abc'; 'xyz']", "i8": "int8([-128 127])", "i16": "int16([-32768 32767])",
    "i32": "int32([-2147483648 2147483647])", "i64": "int64([-9223372036854775808 9223372036854775807])",
    "u8": "uint8([0 255])", "u16": "uint16([0 65535])", "u32": "uint32(4294967295)",
    "u64": "uint64(18446744073709551615)", "none": "zeros(0, 3)", "deep": "reshape(1:24, 2, 3, 4)", "big": "zeros(30)",
}


class FilesTest(CliTest):
    def script(self, *lines, code=0, errors=r"\A\Z"):
        done = self.call("matlab", "-e", "\n".join(lines))
        self.assertEqual(done.returncode, code, (lines, done.stdout, done.stderr))
        self.assertRegex(done.stderr.decode(), errors)
        return done.stdout.decode()

    def holds(self, script, *claims, errors=r"\A\Z"):
        self.assertEqual(self.script(script, *claims, errors=errors), "ans = 1\n" * len(claims), (script, claims))

    def faulty(self, pattern, *lines):
        self.script(*lines, code=2, errors=pattern)


@unittest.skipIf(b"built without matio" in subprocess.run([PROGRAM, "info"], capture_output=True, check=True).stdout,
                 "built without matio")
class MatFiles(FilesTest):
    def test_variables_come_back_under_their_names(self):
        for version in ("", "-v6", "-v7", "-v7.3"):
            self.script("A = magic(3); B = single([1+2i 3]); c = 'text'; t = true; e = zeros(0,2);",
                        f"save x.mat {version}")
            self.holds("load x.mat", "isequal(A, magic(3))", "isequal(B, [1+2i 3])", "isequal(class(B), 'single')",
                       "isequal(c, 'text')", "isequal(class(t), 'logical')", "isequal(size(e), [0 2])")

    def test_some_of_them(self):
        self.script("a1 = 1; a2 = 2; b = 3;", "save('x.mat', 'a*', '-v7.3')", "save -v6 y a1 b")
        self.assertEqual(self.entries(), ["x.mat", "y.mat"])
        self.holds("load x.mat", "a1 + a2 == 3")
        self.faulty("'b' undefined", "load x.mat", "b")
        self.holds("load('x.mat', 'a2');", "a2 == 2")
        self.faulty("'a1' undefined", "load('x.mat', 'a2');", "a1")
        self.holds("q = load('y.mat', 'b');", "q == 3")
        self.holds("load y b", "b == 3")
        self.faulty(r"no structures here to hold 2 .*MATLAB:load:structure", "q = load('x.mat');")

    def test_names_that_are_not_there(self):
        self.faulty(r"no variable 'q'.*MATLAB:save:variableNotFound", "save x.mat q")
        self.faulty(r"no variables to save", "save x.mat")
        self.assertEqual(self.entries(), [])
        self.script("a = 1;", "save x.mat")
        self.faulty(r"no variable 'q' in 'x.mat'.*MATLAB:load:variableNotFound", "load x.mat q")
        self.faulty(r"'none.mat': cannot open", "load none")
        self.faulty(r"no option '-append'", "a = 1;", "save -append x.mat a")
        self.faulty(r"neither .mat nor .npy", "a = 1;", "save x.txt a")

    def test_the_device_is_left_behind(self):
        self.script("g = gpuArray([1 2]);", "save x.mat g")
        self.holds("load x.mat", "~isgpuarray(g)", "isequal(g, [1 2])")

    def test_strings_stay_where_they_are(self):
        self.script('s = "abc"; a = 1;', "save x.mat", errors=r"\Awarning: save: variable 's' of class string .*\n\Z")
        self.faulty("string", "load x.mat", "s = \"abc\";", "save x.mat s")
        self.holds("load x.mat", "a == 1")

    def test_a_variable_is_no_command(self):
        self.holds("load = 3;", "load -2", "load - 2")

    def test_files_of_octave(self):
        for version in ("v6", "v7"):
            shutil.copy(FROM_OCTAVE / f"octave_{version}.mat", self.folder / "o.mat")
            left_out = "".join(rf"warning: load: variable '{name}' of class {cls} is left out\n"
                               for name, cls in (("cells", "cell"), ("record", "struct"), ("sparse_one", "sparse")))
            claims = [f"isequal(class({name}), class({value}))" for name, value in OCTAVE.items()]
            claims += [f"isequal({name}, {value})" for name, value in OCTAVE.items() if "NaN" not in value]
            claims += ["isnan(d(2,1))", "isequal(d([1 3 4]), [1 -2.5 Inf])", "isequal(accent, 'h\u00e9llo')"]
            self.holds("load o.mat", *claims, errors=left_out)
            self.faulty("'cells' is of class cell.*MATLAB:load:unsupportedClass", "load o.mat cells")
            self.holds("load o.mat u8", "isequal(u8, [0 255])")

    def test_octave_reads_ours(self):
        if shutil.which("octave-cli") is None:
            self.skipTest("no octave-cli")
        for version in ("-v6", "-v7"):
            self.script(*(f"{name} = {value};" for name, value in OCTAVE.items()), "accent = 'h\u00e9llo';",
                        f"save x.mat {version}")
            self.octave("load x.mat", *(f"assert({name}, {value})" for name, value in OCTAVE.items()),
                        *(f"assert(class({name}), class({value}))" for name, value in OCTAVE.items()))

    def octave(self, *lines):
        done = subprocess.run(["octave-cli", "--no-init-file", "--eval", "\n".join(lines)], cwd=self.folder,
                              capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_damaged_file_changes_nothing(self):
        self.script("a = 1; b = 2;", "save x.mat")
        path = self.folder / "x.mat"
        path.write_bytes(path.read_bytes()[:-3])
        self.faulty(r"'x.mat': byte \d+: .*Hadamard:bad_file", "load x.mat")
        self.holds("a = 5;", "a == 5")


class NpyFiles(FilesTest):
    def test_types(self):
        for dtype, cls in (("f8", "double"), ("f4", "single"), ("c16", "double"), ("c8", "single"), ("?", "logical"),
                           ("i1", "int8"), ("i2", "int16"), ("i4", "int32"), ("i8", "int64"), ("u1", "uint8"),
                           ("u2", "uint16"), ("u4", "uint32"), ("u8", "uint64"), (">f8", "double"), ("f2", "single")):
            for order in "CF":
                array = numpy.array([[0, 1, 1], [1, 0, 1]], dtype=dtype, order=order)
                if array.dtype.kind == "c":
                    array = array + 2j
                numpy.save(self.folder / "x.npy", array)
                more = " + 2i" if array.dtype.kind == "c" else ""
                self.holds("a = load('x.npy');", f"isequal(a, [0 1 1; 1 0 1]{more})", f"isequal(class(a), '{cls}')")

    def test_ranks(self):
        for shape, size in (((), "[1 1]"), ((3,), "[3 1]"), ((2, 3, 4), "[2 3 4]"), ((0, 2), "[0 2]"), ((1, 1, 1), "[1 1]")):
            numpy.save(self.folder / "x.npy", numpy.ones(shape))
            self.holds("load x.npy", f"isequal(size(x), {size})")

    def test_a_command_makes_a_variable_named_like_the_file(self):
        numpy.save(self.folder / "my-data.npy", numpy.arange(3.0))
        self.holds("load my-data.npy", "isequal(my_data, [0; 1; 2])")
        self.holds("load('./my-data.npy');", "isequal(my_data, [0; 1; 2])")
        self.holds("", "isequal(load('my-data.npy'), [0; 1; 2])")
        numpy.save(self.folder / "1.npy", numpy.arange(3.0))
        self.holds("load 1.npy", "isequal(X1, [0; 1; 2])")

    def test_save(self):
        self.script("A = reshape(1:6, 2, 3); z = single(1+2i); t = [true false];", "save x.npy A", "save z.npy z",
                    "save('t.npy', 't')")
        self.assertEqual(numpy.load(self.folder / "x.npy").tolist(), [[1, 3, 5], [2, 4, 6]])
        self.assertEqual(numpy.load(self.folder / "z.npy").dtype, "c8")
        self.assertEqual(numpy.load(self.folder / "t.npy").tolist(), [[True, False]])

    def test_what_npy_cannot_hold(self):
        self.faulty("text", "s = 'abc';", "save x.npy s")
        self.faulty("one array", "a = 1; b = 2;", "save x.npy")
        self.faulty("-v7", "a = 1;", "save -v7 x.npy a")
        self.faulty("no names", "load x.npy a")
        self.assertEqual(self.entries(), [])


class Pipes(FilesTest):
    def test_a_pipe_is_refused_and_not_waited_for(self):
        for name in ("pipe.npy", "pipe.mat"):
            os.mkfifo(self.folder / name)
            self.faulty(r"load: expected a regular file, found a pipe: 'pipe.*MATLAB:load:notAFile", f"load {name}")
            self.faulty(r"save: expected a regular file, found a pipe: 'pipe.*MATLAB:save:notAFile", "A = 1;", f"save {name} A")


class Help(FilesTest):
    def test_help(self):
        self.assertRegex(self.script("help load"), r"\Aload: load FILE")
        self.assertRegex(self.script("help save"), r"\Asave: save FILE")


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    unittest.main()
