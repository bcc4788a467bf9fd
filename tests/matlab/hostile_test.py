"""No text makes the program crash, hang or take memory without end: an error, with the line and a caret, exit code 2."""
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import PROGRAM, SANITIZED  # noqa: E402

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


if __name__ == "__main__":
    unittest.main()
