"""What the test suites of RunMat and Octave expect, and what MATLAB says where it differs: written anew, with siblings."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import CliTest  # noqa: E402


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
                self.assertRegex(done.stderr.decode().splitlines()[0], "^error: .*" + message)

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


if __name__ == "__main__":
    unittest.main()
