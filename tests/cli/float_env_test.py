"""Traps, rounding and flushing that a library set at the start of the process: the program computes the same."""
import os
import pathlib
import subprocess
import unittest

import program

# A library that is loaded into the program and sets its floating-point environment, as those built with -ffast-math do.
PRELOADED = """
#define _GNU_SOURCE
#include <fenv.h>
#include <stdlib.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif
__attribute__((constructor)) static void set(void) {
  const char* what = getenv("TEST_FLOAT_ENV");
  if (what == NULL) return;
  if (what[0] == 'f') {
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  } else if (what[0] == 'u') {
    fesetround(FE_UPWARD);
  } else {
    feenableexcept(atoi(what));
  }
}
"""
INVALID, DIVIDED, OVERFLOW, UNDERFLOW, INEXACT = 1, 4, 8, 16, 32  # of x86-64's fenv.h
ENVIRONMENTS = ["flush", "up", *map(str, (INVALID, DIVIDED, OVERFLOW, UNDERFLOW, INEXACT, 61, 13))]
VALUES = "[20000 1 -1 0 0.1 1e-310 inf -inf nan 1e308]"
OPERATORS_1 = """neg abs sign relu reciprocal sqrt exp log tanh sigmoid floor ceil round expm1 log1p log2 log10 exp2 sin cos
    trunc relu6 brelu leaky_relu hard_sigmoid thresholded_relu hard_shrink softshrink elu stanh swish soft_relu logsigmoid
    softsign softplus tanh_shrink""".split()


@unittest.skipIf(os.uname().machine != "x86_64", "ARM CPUs mostly cannot trap")
class FloatEnvironment(program.CliTest):
    def setUp(self):
        super().setUp()
        if program.SANITIZED:
            self.skipTest("the sanitizer's run-time library must be loaded first")
        self.library = self.folder / "preloaded.so"
        source = self.folder / "preloaded.c"
        source.write_text(PRELOADED)
        subprocess.run([os.environ.get("HADAMARD_CC", "cc"), "-shared", "-fPIC", source, "-o", self.library, "-lm"],
                       check=True)

    def same_everywhere(self, *args, environments=ENVIRONMENTS):
        def call(**env):
            done = self.call(*args, env=env)
            return done.returncode, done.stdout, done.stderr
        expected = call()
        self.assertIn(expected[0], (0, 1, 2), args)
        for environment in environments:
            with self.subTest(environment=environment, args=args):
                self.assertEqual(call(LD_PRELOAD=str(self.library), TEST_FLOAT_ENV=environment), expected)

    def test_the_preloaded_library_does_its_work(self):
        probe = self.folder / "probe.c"
        probe.write_text("int main(int n, char** v) { volatile double x = n - 1; x = 1 / x; return 0; }")
        subprocess.run([os.environ.get("HADAMARD_CC", "cc"), probe, "-o", self.folder / "probe"], check=True)
        done = subprocess.run([self.folder / "probe"], env={"LD_PRELOAD": str(self.library), "TEST_FLOAT_ENV": "4"})
        self.assertLess(done.returncode, 0)  # SIGFPE

    def test_operators(self):
        """All traps, and the three that people enable; `conform` below has every operator and type with each."""
        for operator in OPERATORS_1:
            self.same_everywhere(operator, VALUES, "--dialect", "native", "--type", "fp64", environments=["61", "13"])
        for operator in ("div", "pow", "mod", "hypot", "atan2"):
            for kind in ("fp16", "bf16", "fp32", "complex128", "int32"):
                values = "[7 1 -1 9]" if kind == "int32" else "[20000 1e-4 -1 0]"
                self.same_everywhere(operator, values, "[3 1 2 7]", "--dialect", "native", "--type", kind, "--hex",
                                     environments=["61", "13"])

    def test_commands(self):
        self.output("identity", VALUES, "-o", "a.npy")
        examples = pathlib.Path(__file__).resolve().parents[2] / "examples/onnx/ratio.onnx"
        self.same_everywhere("info", "a.npy")
        self.same_everywhere("diff", "a.npy", "[20000 1 -1 1e-320 0.1 3e-310 inf inf nan 1e308]")
        self.same_everywhere("explain", "div", "9.5", "3.3")
        self.same_everywhere("explain", "exp", "0.7")
        self.same_everywhere("check", examples, "--range", "A=[0,100]", "--range", "B=[-1,1]")
        self.same_everywhere("matlab", "-e", "x = exp([20000 1]), gamma([171 .5]), (1+2i).^0.3, 1/3, int8(2.7), 0:0.1:0.5")
        self.same_everywhere("div", "[7 -7]", "[2; 0]", "--dialect", "matlab")
        self.same_everywhere("add", "[0.1 1e-320 x]", "2")
        self.output("identity", "[100 -35 8]", "--type", "int32", "-o", "A.npy")
        self.output("identity", "[3 3 -5]", "--type", "int32", "-o", "B.npy")
        self.same_everywhere("run", examples, "A=A.npy", "B=B.npy")
        self.same_everywhere("conform", "--json")


if __name__ == "__main__":
    unittest.main()
