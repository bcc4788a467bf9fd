"""What the test suites of RunMat and Octave expect, and what MATLAB says where it differs: written anew, with siblings."""
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import CliTest  # noqa: E402

# What takes 'like', P, with operands that it takes.
LIKE = {
    "plus": "3, 2", "minus": "3, 2", "times": "3, 2", "rdivide": "3, 2", "ldivide": "3, 2", "power": "3, 2",
    "mrdivide": "3, 2", "mtimes": "3, 2", "mod": "3, 2", "rem": "3, 2", "hypot": "3, 2", "atan2": "3, 2",
    "max": "3, 2", "min": "3, 2", "complex": "3, 2", "pow2": "3, 2", "uminus": "3", "uplus": "3", "abs": "3", "sign": "3",
    "sqrt": "3", "exp": "3", "expm1": "3", "log": "3", "log2": "3", "log10": "3", "log1p": "3", "sin": "3", "cos": "3",
    "tanh": "3", "floor": "3", "ceil": "3", "fix": "3", "round": "3", "gamma": "3", "factorial": "3", "angle": "3",
    "conj": "3", "real": "3", "imag": "3", "double": "3", "single": "3",
}
CONSTRUCTORS = {"zeros": "2, 3", "ones": "2, 3", "eye": "2, 3", "Inf": "2, 3", "NaN": "2, 3", "rand": "2, 3",
                "pi": "2, 3", "realmax": "2, 3", "realmin": "2, 3", "cast": "ones(2, 3)"}


class Peers(CliTest):
    def holds(self, *claims):
        """Each claim, an expression behind any number of statements, is true, in a workspace of its own."""
        if self.call("matlab", "-e", "\nclear all; ".join(claims)).stdout == b"ans = 1\n" * len(claims):
            return
        for claim in claims:  # which one is it?
            with self.subTest(claim):
                self.assertEqual(self.output("matlab", "-e", claim), "ans = 1\n")
        self.assertEqual(self.output("matlab", "-e", "\nclear all; ".join(claims)), "ans = 1\n" * len(claims))

    def faulty(self, message, *texts):
        for text in texts:
            with self.subTest(text):
                done = self.call("matlab", "-e", text)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertRegex(done.stderr.decode().splitlines()[0], message if message.startswith("^") else "^error: .*" + message)

    def test_conj_of_text(self):
        self.faulty("string", 'conj("hello")', 'conj("")')
        self.holds("isequal(conj('ab'), [97 98]) & isequal(class(conj('a')), 'double')",
                   "isequal(class(conj(true)), 'double')", "isequal(size(conj(char(zeros(0,3)))), [0 3])",
                   "x = 'ab'; isequal(x', ['a'; 'b']) & ischar(x')")

    def test_deleting_all_along_the_one_dimension_that_is_named(self):
        for size, indices, left in (("10,10,2", ":,:,1:2", "10 10 0"), ("10,10,2", ":,1:10,:", "10 0 2"),
                                    ("10,10,2", "1:10,:,:", "0 10 2"), ("10,10,2", ":,:,:", "0 10 2"),
                                    ("10,10,2", ":,:,[2 1 1]", "10 10 0"), ("10,10,2", ":,:,true(1,2)", "10 10 0"),
                                    ("10,10,2", ":,:,1:2,:", "10 10 0"), ("2,3,4,5", ":,:,1:4,:", "2 3 0 5"),
                                    ("2,3,4,5", ":,:,:,1:5", "2 3 4 0"), ("2,1,4", ":,1,:", "2 0 4"),
                                    ("3,3", ":,1:3", "3 0"), ("1,1", ":,1", "1 0"), ("1,1", "1,:", "0 1"),
                                    ("1,3", "1,:", "0 3"), ("0,3", ":,1:3", "0 0"), ("2,3,0", ":,1:3,:", "2 0 0"),
                                    ("10,10,2", ":,:,1", "10 10"), ("10,10,2", ":,:,[]", "10 10 2")):
            self.holds(*(f"x = {make.format(size)}; x({indices}) = []; isequal(size(x), [{left}])"
                         for make in ("ones({})", "single(ones({})) * 1i", "zeros({}, 'int8')", "true({})")))
        self.faulty("only one index", "x = ones(4,4,2); x(:,1:2,1) = []")

    def test_complex_numbers_that_are_equal_are_not_ordered(self):
        zeros = ["complex(0,0)", "complex(0,-0)", "complex(-0,0)", "complex(-0,-0)", "0"]
        pairs = [(a, b) for a in zeros for b in zeros] + [("complex(-1,0)", "complex(-1,-0)"), ("-1", "complex(-1,-0)"),
                                                          ("complex(-Inf,-0)", "-Inf")]
        claims = [f"isequal([{a} < {b}, {a} > {b}, {a} <= {b}, {a} >= {b}, {a} == {b}], [0 0 1 1 1])"
                  for a, b in pairs + [("single(complex(-1,0))", "single(complex(-1,-0))")]]
        self.holds(" & ".join(claims))
        self.holds("[m, i] = max([complex(-1,-0) complex(-1,0)]); i == 1", "[m, i] = min([complex(-1,0) complex(-1,-0)]); i == 1",
                   "[m, i] = max([complex(0,0) complex(-0,0)]); i == 1", "[m, i] = max([-2 2i 2]); i == 1",
                   "isequal(complex(NaN,1) >= complex(NaN,1), false)", "2i > 2 & -2 > 2i & 3 > -2i")

    def test_ranges_of_whole_numbers_hold_whole_numbers(self):
        self.holds("x = 1:(1001/250)/(1/250); numel(x) == 1000 & x(end) == 1000",
                   "x = 2000:-1:(1001/250)/(1/250); x(end) == 1001",
                   "isequal(1:3-2^-51, [1 2])", "isequal(1:2:5-2^-50, [1 3])", "isequal(5:-1:1+2^-51, 5:-1:2)",
                   "isequal(-1000:-2^-60, -1000:-1)", "isequal(1:1, 1)", "isequal(2^53:2:2^53+4, 2^53+[0 2 4])",
                   "isequal(single(1):single(3-2^-22), single([1 2]))", "isequal(1/(-0:1)(1), -Inf)",
                   "isequal(numel(0:0.1:0.3), 4) & isequal((0:0.1:0.3)(end), 0.3)")
        self.faulty("out of memory: the range has inf elements", "0:Inf", "0:-1:-Inf", "-Inf:1", "Inf:-0.3:0")

    def test_constructors_refuse_other_classes(self):
        self.faulty("expected the class double or single, found 'int8'", "Inf(2,'int8')", "NaN(2,'int8')", "inf('int8')",
                    "nan(1,2,3,'int8')", "pi('int8')", "eps('int8')", "realmax('int8')", "rand(2,'int8')")
        self.faulty("found 'logical'", "Inf(2,'logical')", "NaN('logical')")
        self.faulty("the result is always logical", "true(2,3,'double')", "false(2,3,'double')", "true('int8')", 'false("single")')
        self.faulty("expected a prototype of class double or single, found one of class int8", "Inf(2,'like',int8(1))",
                    "NaN('like',int8(1))", "rand(2,'like',int8(1))")
        self.faulty("expected a prototype of class logical, found one of class double", "true(2,'like',1)", "false(2,'like',1)")
        self.faulty("numeric or logical prototype", "zeros(2,'like','a')", 'ones(2,"like","a")', "cast(1,'like','a')")
        self.faulty("needs a prototype", "zeros(2,'like')", "cast(1,'like')", "true('like')")
        self.faulty("found 'char'", "zeros(2,'char')", "eye(2,'char')")

    def test_like_in_every_constructor(self):
        for name, arguments in CONSTRUCTORS.items():
            call = f"{name}({arguments}, 'like', P)"
            self.holds(f"P = single(1); y = {call}; isequal(class(y), 'single') & isequal(size(y), [2 3]) & isreal(y)",
                       f"P = complex(1, 2); y = {call}; isequal(class(y), 'double') & isequal(size(y), [2 3]) & ~isreal(y)",
                       f"P = gpuArray(single(1)); y = {call}; isgpuarray(y) & isequal(class(gather(y)), 'single')")
        for name in ("zeros", "ones", "eye"):
            self.holds(f"y = {name}(2, 3, 'LIKE', int8(5)); isequal(class(y), 'int8') & isequal(size(y), [2 3])",
                       f'y = {name}(2, "like", true); islogical(y) & isequal(size(y), [2 2])')
        self.holds("islogical(true(2,'like',false)) & isequal(false(1,2,'like',true(0,3)), [false false])",
                   "y = cast([1.5 300], 'like', uint8(1)); isequal(class(y), 'uint8') & isequal(y, [2 255])",
                   "isequal(class(cast(int8(1), 'double')), 'double')", "~isreal(cast(1i, 'like', single(1)))",
                   "isequal(intmax('like', int8(1)), 127) & isequal(class(intmin('like', uint64(1))), 'uint64')",
                   "isequal(eps('like', single(1)), 2^-23)", "y = rand(50, 'single'); isequal(y > 0 & y < 1, true(50))")

    def test_like_in_every_arithmetic_function(self):
        for name, operands in LIKE.items():
            call = f"{name}({operands}, 'like', P)"
            self.holds(f"P = gpuArray(1); y = {call}; isgpuarray(y) & isequal(gather(y), {name}({operands}))",
                       f"P = complex(1, 2); y = {call}; ~isreal(y) & ~isgpuarray(y) & isequal(y, {name}({operands}))",
                       *(f"P = {p}; y = {call}; isequal(class(y), class({name}({operands})))" for p in ("1", "single(1)", "int8(1)")),
                       f"P = 1; y = {name}(gpuArray(3){operands[1:]}, 'Like', P); ~isgpuarray(y)")
        self.faulty("'like' needs a prototype", *(f"{name}({operands}, 'like')" for name, operands in LIKE.items()))
        self.faulty("argument 3 can only be 'like', with a prototype", "plus(ones(2,3), ones(4,5), 'lyke', 1)")
        self.faulty("argument 2 can only be 'like', with a prototype", "sqrt(4, 'lyke', 1)")
        self.faulty("numeric or logical prototype, found 1x1 char", "sqrt(4, 'like', 'a')", "plus(1, 2, 'like', 'a')")
        self.faulty("takes 1 argument, not 2", "sqrt(4, 5)")
        self.holds("isequal(plus('like', 'like'), 2 * 'like')", "isequal(abs('like', 'like', 1), double('like'))",
                   "[f, e] = log2(12, 'like', gpuArray(1)); isgpuarray(f) & isgpuarray(e)")

    def test_extremes_of_logicals_are_logical(self):
        calls = ("max(true, false)", "min(true, [true false])", "max([true false])", "min(true(2,3), [], 2)",
                 "max(true(0,3))", "min(logical([]))", "max(true(2,2,2), [], 'all')", "max(true(2,2,2), [], 3)")
        self.holds(*(f"islogical({call})" for call in calls),
                   "isequal(max(true, false), true) & isequal(min([true false]), false)",
                   "[m, i] = max([false true true]); islogical(m) & i == 2 & isequal(class(i), 'double')",
                   "isequal(class(max(true, 1)), 'double')", "isequal(class(max(true, int8(1))), 'int8')",
                   "isequal(class(max(true, single(1))), 'single')", "isequal(class(max(true, 'a')), 'double')")

    def test_ranges_of_characters(self):
        self.holds(*(f"x = {text}; ischar(x) & isequal(x, {wanted})" for text, wanted in (
            ("'a':2:'i'", "'acegi'"), ("'i':-2:'a'", "'igeca'"), ("'a':2:105", "'acegi'"), ("97:2:'i'", "'acegi'"),
            ("97:'b':200", "[97 195]"), ("'a':single(2):'e'", "'ace'"), ("'a':single(99)", "'abc'"), ("single(97):'c'", "'abc'"),
            ("'i':2:'a'", "zeros(1,0)"), ("'a':0:'e'", "zeros(1,0)"), ("'a':[]:'e'", "zeros(1,0)"))))
        self.faulty("beside int8", "'a':int8(2):'i'", "'a':int8(100)")

    def test_extremes_along_a_dimension_like_a_prototype(self):
        for name, most in (("max", 3), ("min", 1)):
            self.holds(f"isequal({name}([3 1], [], 'like', 1), {most})", f"isequal({name}(5, [], 'like', 1), 5)",
                       f"isequal({name}([3 1; 1 3], [], 'like', 1), [{most} {most}])",
                       f"y = {name}([3 1], [], 'like', gpuArray(1)); isgpuarray(y) & isequal(gather(y), {most})",
                       f"[y, i] = {name}([2 2], [], 'LIKE', 1i); ~isreal(y) & y == 2 & i == 1",
                       f"isequal({name}([3 1; 1 3], [], 2, 'like', 1), [{most}; {most}])", f"isempty({name}(5, []))",
                       f"isequal(size({name}(zeros(0,3), zeros(0,3), 'like', 1)), [0 3])",
                       f"y = {name}([3 1], [], 'like', 1); isempty({name}(5, []))")
            self.faulty(f"expected {name}\\(A\\), {name}\\(A, B\\)", f"{name}(1, 2, 3)", f"{name}(1, [], 'some')")

    def test_round_to_significant_digits(self):
        self.holds("isequal(round([1234.567 -0.0012345 0 9.99], 2, 'significant'), [1200 -0.0012 0 10])",
                   "isequal(round([2.675 -2.5 2.5], 3, 'significant'), [2.68 -2.5 2.5])",
                   "isequal(round([2.5 -2.5 0.25], 1, 'significant'), [3 -3 0.3])",
                   "isequal(round([1.5e-30 1.23456e-310 1e300 1.2345e300], 3, 'significant'), [1.5e-30 1.23e-310 1e300 1.23e300])",
                   "isequal(round([Inf -Inf], 2, 'significant'), [Inf -Inf]) & isnan(round(NaN, 2, 'significant'))",
                   "isequal(round(pi, 20, 'significant'), pi)", "isequal(round(1/3, 15, 'significant'), 0.333333333333333)",
                   "isequal(round(999.6, 3, 'SIGNIFICANT'), 1000)", "isequal(round(999999999999999.9, 3, 'significant'), 1e15)",
                   "y = round(single(3.14159), 3, 'significant'); isequal(y, single(3.14)) & isequal(class(y), 'single')",
                   "isequal(round(1234+5678i, 2, 'significant'), 1200+5700i)", "isequal(size(round(zeros(0,3), 2, 'significant')), [0 3])",
                   "y = round(int8([123 -127 4]), 1, 'significant'); isequal(y, int8([100 -100 4])) & isequal(class(y), 'int8')",
                   "isequal(round(int8(96), 1, 'significant'), int8(100))", "isequal(round(uint8(255), 1, 'significant'), uint8(255))",
                   "isequal(round(0x112210F47DE98115s64, 18, 'significant'), 0x112210F47DE98116s64)",  # …789, …790
                   "isequal(round(0x112210F47DE98115s64, -1), 0x112210F47DE98116s64)",
                   "isequal(round(intmax('int64'), -1), intmax('int64')) & isequal(round(intmax('uint64'), -30), 0)",
                   "isequal(round(2.675, 2, 'decimals'), 2.68)", "isequal(round(1.5e-30, 31), 1.5e-30)")
        self.faulty("n must be 1 or more, found 0", "round(1, 0, 'significant')")
        self.faulty("'significant' or 'decimals'", "round(1, 2, 'digits')", "round(1, 2, 3)")
        self.faulty("n must be a whole number", "round(1, 1.5, 'significant')")

    def test_mantissas_and_exponents(self):
        self.holds("[f, e] = log2([8 1 3 -0.7 0]); isequal(f, [0.5 0.5 0.75 -0.7 0]) & isequal(e, [4 1 2 0 0])",
                   "[f, e] = log2([Inf -Inf]); isequal(f, [Inf -Inf]) & isequal(e, [0 0])", "[f, e] = log2(NaN); isnan(f) & e == 0",
                   "[f, e] = log2(-0); isequal(1 / f, -Inf) & e == 0", "[f, e] = log2(5e-324); f == 0.5 & e == -1073",
                   "[f, e] = log2(realmax); f < 1 & e == 1024 & isequal(pow2(f, e), realmax)",
                   "[f, e] = log2(single([3 1e-45])); isequal(f, single([0.75 0.5])) & isequal(e, single([2 -148])) & "
                   "isequal([class(f) class(e)], 'singlesingle')",
                   "[f, e] = log2(int8(3)); isequal(f, 0.75) & isequal(e, 2) & isequal(class(f), 'double')",
                   "[f, e] = log2(true); f == 0.5 & e == 1", "[f, e] = log2(zeros(0,3)); isequal([size(f) size(e)], [0 3 0 3])",
                   "[f, e] = log2(reshape(1:8,2,2,2)); isequal(f .* 2.^e, reshape(1:8,2,2,2))",
                   "[f, e] = log2(3+4i); isequal(f, 0.375+0.5i) & e == 3",
                   "[f, e] = log2(complex(realmax, realmax)); e == 1025 & isequal(real(f), realmax / 2^1023 / 4)",
                   "[f, e] = log2(complex(5e-324, 0)); f == 0.5 & e == -1073", "isequal(log2(8), 3)")
        self.faulty("string", '[f, e] = log2("8")')

    def test_help_names_the_base(self):
        for name, base in (("log", "base e"), ("log2", "base 2"), ("log10", "base 10")):
            text = self.output("matlab", "-e", f"help {name}")
            self.assertIn(base, text)
            self.assertIn("'like', P", text)

    def test_help_has_one_full_stop_at_most(self):
        names = self.output("matlab", "-e", "help").split("\n", 1)[1].split()
        self.assertIn("hypot", names)
        for name, text in zip(names, self.output("matlab", "-e", "\n".join(f"help {name}" for name in names)).splitlines()):
            self.assertTrue(text.startswith(f"{name}: "), text)
            self.assertNotRegex(text, r"\.;|\.$")

    def test_messages_name_what_is_wrong(self):
        self.faulty("log2 gives 2 here, not 3 results", "[f, e, g] = log2(8)")
        self.faulty("max gives 2 here, not 3 results", "[m, i, k] = max([1 2])")
        self.faulty("sqrt gives one here, not 2 results", "[a, b] = sqrt(4)")
        self.faulty("clc gives nothing here, not 2 results", "[a, b] = clc()")
        for name in ("intmax", "intmin"):
            self.faulty(f"{name}: expected a prototype of an integer class, found one of class double", f"{name}('like', 1)")
            self.faulty(f"{name}: expected the name of an integer class, found 'double'", f"{name}('double')")
        self.faulty("zeros: expected the class double, single, logical or an integer class, found 'char'", "zeros(2, 'char')")
        self.faulty("expected a real scalar, found 1x1 complex double", "round(2.5, 1i)", "zeros(1i)", "reshape(1:4, 2i, 2)")
        self.faulty("expected a real scalar, found 1x2 complex single", "round(2.5, single([1i 2]))")
        self.faulty(r"expected eps, eps\(X\), eps\(CLASS\) or eps\('like', P\), found 2 arguments", "eps(1, 2)", "eps(1, 'single')",
                    "eps('single', 1)")
        self.faulty("X must be real, double or single, found complex double", "eps(1i)")
        self.faulty("X must be real, double or single, found int8", "eps(int8(1))")
        self.faulty("rand: a class and 'like' cannot both be given, found 'single' and 'like'", "rand(2, 'single', 'like', 1)",
                    "rand(2, 'like', 1, 'single')", 'rand("single", "like", 1)')
        for name in ("zeros", "ones", "eye"):
            self.faulty(f"{name}: a class and 'like' cannot both be given, found 'int8' and 'like'", f"{name}(2, 'int8', 'like', 1)",
                        f"{name}(2, 'like', 1, 'int8')")
        self.faulty("Inf: a class and 'like' cannot both be given", "Inf(2, 3, 'single', 'LIKE', 1)")
        self.faulty("round: the number of digits is missing", "round(1.5, 'significant')", "round(1.5, 'decimals')",
                    'round(1.5, "significant")', "round(1.5, 'Significant', 'like', 1)")
        self.faulty("n must be a whole number, found 1x1 char", "round(1.5, 'x')")
        self.faulty(r"there are no structures \('\.'\) here: expected a variable before '='", "x.a = 1", "x.a(2) = 1", "x.a.b = 1",
                    "x(2).a = 1", "[x.a, b] = size(1)", "gpuArray.zeros = 1")

    def test_cast_is_the_function_of_the_class(self):
        for text in ('"5"', '" -2.5e3 "', '"x"', '""'):
            for call in (f"cast({text}, 'double')", f"cast({text}, 'like', 1)", f'cast({text}, "double")'):
                self.holds(f"x = {call}; y = double({text}); isequal(class(x), 'double') & (isequal(x, y) | isnan(x) & isnan(y))")
        self.holds("x = cast(\"5\", 'double'); x == 5", "isequal(cast(\"abc\", 'char'), 'abc') & ischar(cast(\"abc\", 'char'))",
                   "isgpuarray(cast(\"5\", 'like', gpuArray(1))) & ~isreal(cast(\"5\", 'like', 1i))")
        for cls in ("single", "logical", "int8", "uint64"):
            self.faulty("a string is not a number", f'{cls}("5")', f"cast(\"5\", '{cls}')", f"cast(\"5\", 'like', {cls}(1))")
        self.faulty("string", '"5" + 1', '-"5"', 'sqrt("5")')

    def test_functions_that_are_not_here_are_said_to_be_absent(self):
        document = pathlib.Path(__file__).resolve().parents[2] / "docs" / "semantics" / "matlab.md"
        paragraph = document.read_text(encoding="utf-8").split("There are no loops", 1)[1].split("\n\n", 1)[0]
        out_of_scope, not_here = (re.findall(r"`(\w+)`", part) for part in paragraph.split("Absent"))
        self.assertTrue({"sum", "any", "mean"} <= set(out_of_scope) and {"tan", "xor", "bitand", "idivide"} <= set(not_here))
        for names, reason in ((out_of_scope, "it is not element-wise, and so out of scope"),
                              (not_here, "it is one of MATLAB's functions that are not here")):
            for name in names:
                self.faulty(f"^error: '{name}' undefined: {reason} \\(help lists the functions\\) \\[MATLAB:UndefinedFunction\\]$",
                            f"{name}(1)")
        self.faulty("help: there is no function 'sum': it is not element-wise", "help sum")
        self.faulty("help: there is no function 'nix' ", "help nix")
        self.faulty("no function of that name \\(did you mean 'sqrt'\\?\\)", "sqrtt(1)")
        self.faulty("no function of that name \\(help lists the functions\\)", "nosuchname(1)")
        self.holds("sum = 1; sum == 1")

    def test_text_in_rows(self):
        self.holds("isequal(char('a', 'bb'), ['a '; 'bb'])", "isequal(char('a', '', 'ccc'), ['a  '; '   '; 'ccc'])",
                   "isequal(char(\"x\u00e9\", 'y'), ['x\u00e9'; 'y '])", "isequal(char(['ab'; 'cd'], 65), ['ab'; 'cd'; 'A '])",
                   "isequal(size(char('', '')), [2 0])", "ischar(char(65, 66))")
        self.faulty("expected matrices, found 1x1x2", "char(65 * ones(1,1,2), 'a')")
        self.faulty("complex", "char('a', 1i)")

    def test_linspace_between_complex_numbers_and_vectors(self):
        self.holds("isequal(linspace(1i, 2i, 3), [1i 1.5i 2i])", "isequal(linspace(0, 4+8i, 5), (0:4) * (1+2i))",
                   "isequal(linspace([1; 2], [3; 4], 3), [1 2 3; 2 3 4])", "isequal(linspace([1 2], 5, 2), [1 5; 2 5])",
                   "isequal(linspace(0, [4; 8i], 3), [0 2 4; 0 4i 8i])", "isequal(size(linspace(zeros(1,0), 1, 4)), [0 4])",
                   "isequal(class(linspace(single([1;2]), 1i, 4)), 'single')", "isreal(linspace(complex(1,0), 2, 3))")
        self.faulty("equally many, found 2 and 3", "linspace([1 2], [1 2 3], 4)")
        self.faulty("scalars or vectors as ends, found 2x2", "linspace(ones(2), 1, 4)")
        self.faulty("out of memory", "linspace(zeros(1e5,1), 1, 1e9)")

    def test_sizes_that_do_not_fit(self):
        words = "^error: Arrays have incompatible sizes for this operation: A is 2x3, B is 2x4; dimension 2 is 3 in A and 4 in B"
        for text in ("ones(2,3) ./ ones(2,4)", "max(ones(2,3), ones(2,4))", "ones(2,3) < ones(2,4)", "hypot(ones(2,3), 1i*ones(2,4))",
                     "complex(ones(2,3), ones(2,4))", "ones(2,3) & ones(2,4)", "mod(ones(2,3), ones(2,4))"):
            done = self.call("matlab", "-e", text)
            self.assertRegex(done.stderr.decode(), words, text)


if __name__ == "__main__":
    unittest.main()
