"""A(I) = X and what a session is made of, with what Octave 7.3 makes of the same lines."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import CliTest  # noqa: E402

# text: (class, value) of A afterwards; or None for an error
CASES = {
    "A=[0.1 0.25 300]; A(1)=int8(3);": ("double", "[3 0.25 300]"),
    "A=zeros(1,3); A(1)=single(0.5); A(2)=0.1;": ("double", "[0.5 0.1 0]"),
    "A=1:3; A(2)='a';": ("double", "[1 97 3]"),
    "A=true(1,3); A(2)=5;": ("logical", "[true true true]"),
    "A=single(1:3); A(2)=int8(5);": ("single", "[1 5 3]"),
    "A=int8(1:3); A(2)=pi;": ("int8", "[1 3 3]"),
    "A=int8(1:3); A(2)=int16(700);": ("int8", "[1 127 3]"),
    "A='abc'; A(2)=65;": ("char", "'aAc'"),
    "A=[]; A(1)=int8(5);": ("double", "5"),
    "A=[]; A(2)=true;": ("double", "[0 1]"),
    "A=int8([]); A(2)=5;": ("int8", "[0 5]"),
    "A(2)=true;": ("logical", "[false true]"),
    "A(2)=int8(3);": ("int8", "[0 3]"),
    "A=1:3; A(2)=2i;": ("double", "[1 2i 3]"),
    "A=int8(1:3); A(2)=2i;": ("double", "[1 2i 3]"),
    "A=magic(3); A(1:2,1:2)=1:4;": None,
    "A=magic(4); A(1:2,:)=1:8;": None,
    "A=zeros(2,3); A(:,1:2)=ones(4,1);": None,
    "A=zeros(2,3,2); A(:,:,1)=1:6;": None,
    "A=1:3; A()=1;": None,
    "A()=1;": None,
    "A=1:3; A()=[];": None,
    "A=zeros(2,3); A(:,1)=[1 2];": ("double", "[1 0 0; 2 0 0]"),
    "A=zeros(2,3); A(1,:)=[1;2;3];": ("double", "[1 2 3; 0 0 0]"),
    "A=zeros(2,3,2); A(:,1,:)=[1 2;3 4]; A=reshape(A,2,6);": ("double", "[1 0 0 2 0 0; 3 0 0 4 0 0]"),
    "A=zeros(2,2); A(:)=1:4;": ("double", "[1 3; 2 4]"),
    "A=zeros(2,2); A([1 2;3 4])=1:4;": ("double", "[1 2; 3 4]"),
    "A=[]; A(end+1,:)=[1 2]; A(end+1,:)=[3 4];": ("double", "[1 2; 3 4]"),
    "A=[]; A(2,:)=1:3;": ("double", "[0 0 0; 1 2 3]"),
    "A=[]; A(:,1)=1:3;": ("double", "[1;2;3]"),
    "A(2,:)=1:3;": ("double", "[0 0 0; 1 2 3]"),
    "A=[]; A(:,:)=[1 2;3 4];": ("double", "[1 2;3 4]"),
    "A=[]; A(3,:)=5;": ("double", "[0;0;5]"),
    "A=[]; A(:)=1;": ("double", "[]"),
    "A=[]; A(:)=1:3;": None,
    "A=zeros(0,3); A(2,:)=5;": ("double", "[0 0 0; 5 5 5]"),
    "A=magic(4); A(:)=[];": ("double", "[]"),
    "A=1:3; A(1)='';": ("double", "[2 3]"),
    "A=1:5; A([1 1 2])=[];": ("double", "[3 4 5]"),
    "A=magic(3); A(2,:)=[];": ("double", "[8 1 6; 4 9 2]"),
    "A=magic(3); A(1:2,1)=[];": None,
    "A=1:4; A(A>2)=0;": ("double", "[1 2 0 0]"),
    "A=1:3; A([3 1])=A([1 3]);": ("double", "[3 2 1]"),
    "A=[int8(97) 'b'];": ("char", "'ab'"),
    "A=linspace(0,Inf,3);": ("double", "[0 Inf Inf]"),
    "A=linspace(-Inf,Inf,3);": ("double", "[-Inf 0 Inf]"),
    "A=1./linspace(-0,2.5,2);": ("double", "[-Inf 0.4]"),
    "A=factorial(int8(6));": ("double", "720"),
    "integers('matlab'); A=factorial(int8(6));": ("int8", "127"),
    "A=[eps(1) eps(-8) eps(0)];": ("double", "[2^-52 2^-49 2^-1074]"),
    "A=eps(single(1));": ("single", "2^-23"),
    "A=realmax('single');": ("single", "single(3.4028234663852886e38)"),
    "xa=1; xb=2; A=3; clear x*; xa=A; ": ("double", "3"),
    "A=1; clear all; A=2;": ("double", "2"),
    "A=numel(2:0.1:2.3);": ("double", "4"),
    "A=numel(2:0.3:2.3);": ("double", "2"),
    "A=numel(1:0.05:1.15);": ("double", "4"),
    "A=numel(0:0.1:1);": ("double", "11"),
    "A=numel(single(0.1):single(0.1):single(0.5));": ("double", "5"),
    "A=0:Inf:5;": ("double", "0"),
    "A=5:-Inf:0;": ("double", "5"),
    "A=(intmax('int64')-int64(0)):intmax('int64');": ("int64", "intmax('int64')"),
    "integers('matlab'); A=intmax('int64')-3; A=A:intmax('int64'); A=double(A-intmax('int64'));": ("double", "-3:0"),
    "A=max(intmax('int64'),int64(0))==intmax('int64');": ("logical", "true"),
    "A=max([intmin('int64') intmin('int64')])==intmin('int64');": ("logical", "true"),
    "A=max(int8(1),int16(300));": None,
    "A=magic(4); A([1 2],[1 1 1 1])=[];": None,
    "A=magic(3); A([1 1 1],1)=[];": None,
    "A=magic(3); A([1 2 3 3],1)=[];": ("double", "[1 6; 5 7; 9 2]"),
    "A=gpuArray.rand('seed',3);": None,
    "z=zeros(0,9e15,9e15); A=z(:,:);": None,
    "z=zeros(0,9e15); A=z(:,:);": None,
    "A=size(reshape([],0,5));": ("double", "[0 5]"),
    "A=abs([-8 1].^[1/3 NaN]); A=A(2);": ("double", "1"),
    "A=real([-8 Inf].^[1/3 0.5]); A=A(2);": ("double", "Inf"),
    "A=imag([-8 2].^[1/3 Inf]); A=A(2);": ("double", "0"),
    "A=imag(sqrt([-1 NaN])); A=A(2);": ("double", "0"),
    "A=imag(log([-1 4]));": ("double", "[pi 0]"),
    "integers('matlab'); A=mod(int32(5),2.5);": ("int32", "2"),
    "integers('matlab'); A=mod(int64(5),2.5);": ("int64", "2"),
    "integers('matlab'); A=mod(int8(-5),1000);": ("int8", "122"),
    "A=eye(2,'like',1i);": ("double", "[1 0; 0 1]"),
    "A=isreal(eye(2,3,'like',single(1i)));": ("logical", "false"),
    "A=eye(2,'like',single(1i));": ("single", "[1 0; 0 1]"),
    "A=char(\"a\u00e9c\");": ("char", "'a\u00e9c'"),
    "A=char(\"\");": ("char", "''"),
    "A=double(\" -2.5e1\");": ("double", "-25"),
    "A=isnan(double(\"abc\"));": ("logical", "true"),
    "A=isnan(double(\"1 2\"));": ("logical", "true"),
    "A=double(\"-Inf\");": ("double", "-Inf"),
    "A=double(\"+1e999\");": ("double", "Inf"),
    "A=isnan(double(\"+-1\"));": ("logical", "true"),
    "A=int8(\"5\");": None,
    "A=pow2(0.5,1024);": ("double", "2^1023"),
    "A=pow2([0.5;4],[1024 -1076]);": ("double", "[2^1023 0; Inf 2^-1074]"),
    "A=pow2(single(0.5),128);": ("single", "single(2)^127"),
    "A=pow2(3,0.5);": ("double", "3*2^0.5"),
    "A=pow2(-1,Inf);": ("double", "-Inf"),
    "A=isnan(pow2(0,Inf));": ("logical", "true"),
    "A=pow2(1i,2);": ("double", "4i"),
    "A=int8(1:4); A(2)=[];": ("int8", "[1 3 4]"),
    "A=(1:4)'; A([true false true])=[];": ("double", "[2;4]"),
    "A=1:4; A([false false false false true])=[];": None,
    "A=[1 2i 3]; A(2)=[];": ("double", "[1 3]"),
    "A=isreal([1 2i 3]); z=[1 2i 3]; z(2)=[]; A=isreal(z);": ("logical", "true"),
    "A=reshape(1:24,2,3,4); A(:,2,:)=[]; A=reshape(A,2,8);": ("double", "[1 5 7 11 13 17 19 23; 2 6 8 12 14 18 20 24]"),
    "A=reshape(1:8,2,2,2); A(:,[1 4])=[];": ("double", "[3 5; 4 6]"),
    "A=magic(3); A(1:3,:)=[]; A=size(A);": ("double", "[0 3]"),
    "A=magic(3); A(2)=[];": ("double", "[8 4 1 5 9 6 7 2]"),
    "A=5; A(1)=[]; A=size(A);": ("double", "[1 0]"),
    "A=magic(3); A([])=[];": ("double", "magic(3)"),
    "A=magic(3); A(zeros(1,0))=[];": ("double", "magic(3)"),
    "A=magic(3); A('')=[];": ("double", "magic(3)"),
    "A=magic(3); A(false(3))=[];": ("double", "magic(3)"),
    "A=magic(3); A(false)=[];": ("double", "magic(3)"),
    "A=magic(3); A([],:)=[];": ("double", "magic(3)"),
    "A=magic(3); A([],1)=[];": ("double", "magic(3)"),
    "A=magic(3); A(1:2,[])=[];": ("double", "magic(3)"),
    "A=magic(3); A(7,[])=[];": ("double", "magic(3)"),
    "A=magic(3); A(1.5,[])=[];": None,
    "A=magic(3); A([],0)=[];": None,
    "A=(1:3)'; A([])=[];": ("double", "[1;2;3]"),
    "A=zeros(0,3); A([])=[]; A=size(A);": ("double", "[0 3]"),
    "A=zeros(2,0); A(:,[])=[]; A=size(A);": ("double", "[2 0]"),
    "A=reshape(1:8,2,2,2); A([])=[]; A=size(A);": ("double", "[2 2 2]"),
    "A=reshape(1:8,2,2,2); A(:,[])=[]; A=size(A);": ("double", "[2 2 2]"),
    "A=[]; A(1)=[];": None,
    "x=1:0; A=[x; 5];": ("double", "5"),
    "A=1; x=1:0; x=[x; 5 6]; A=[x; 7 8];": ("double", "[5 6; 7 8]"),
    "A=gpuArray(zeros(1,0)); A=[isgpuarray([A; 1]) gather([A; 1])];": ("double", "[1 1]"),
    "A=int64(1):2^62:2^63;": ("int64", "[int64(1) 0x4000000000000001s64]"),
    "A=2^64:intmax('uint64');": ("uint64", "intmax('uint64')"),
    "A=intmin('int64'):2^62:0;": ("int64", "int64([-2^63 -2^62 0])"),
    "A=-2^63-2048:intmin('int64');": None,
    "A=integers;": ("char", "'double'"),
    "integers matlab; A=integers();": ("char", "'matlab'"),
    "A=gpuArray(1:4); A(2)=[]; A=[isgpuarray(A) gather(A)];": ("double", "[1 1 3 4]"),
    "A=repmat([1 2;3 4],2,3);": ("double", "[1 2 1 2 1 2; 3 4 3 4 3 4; 1 2 1 2 1 2; 3 4 3 4 3 4]"),
    "A=reshape(repmat([1i;2],1,1,2),2,2);": ("double", "[1i 1i; 2 2]"),
    "A=repmat('ab',1,3);": ("char", "'ababab'"),
    "A=size(repmat(zeros(0,2),3,2));": ("double", "[0 4]"),
    "[m,n]=size(ones(2,3)); A=[m n];": ("double", "[2 3]"),
    "[m n]=size(ones(2,3,4)); A=[m n];": ("double", "[2 12]"),
    "[m,n,p,q]=size(ones(2,3,4)); A=[m n p q];": ("double", "[2 3 4 1]"),
    "[~,A]=size(ones(2,3));": ("double", "3"),
    "[A,~]=size(ones(2,3));": ("double", "2"),
    "[A]=size(ones(2,3));": ("double", "[2 3]"),
    "A=1; [~]=size(A);": ("double", "1"),
    "A=1; [~]=A+1;": ("double", "1"),
    "A=1; [~]=clear('x');": None,
    "A=1:3; [A(2),x]=size(ones(7,8)); A(end+1)=x;": ("double", "[1 7 3 8]"),
    "[m,i]=max([4 9 9; 1 2 3],[],2); A=[m i];": ("double", "[9 2; 3 3]"),
    "[m,i]=max([4 9 9; 5 2 3]); A=[m; i];": ("double", "[5 9 9; 2 1 1]"),
    "[m,i]=min([NaN 3 -1 -1]); A=[m i];": ("double", "[-1 3]"),
    "[m,i]=max([NaN NaN]); A=i;": ("double", "1"),
    "[m,i]=max([]); A=size(i);": ("double", "[0 0]"),
    "[m,i]=max(zeros(0,3)); A=[size(m) size(i)];": ("double", "[0 3 0 3]"),
    "[m,i]=max(int8([3 7 1])); A=m;": ("int8", "7"),
    "[m,i]=max([1i 3i 2],[],2); A=[m i];": ("double", "[3i 2]"),
    "[m,i]=max(magic(4),[],'all'); A=[m i];": ("double", "[16 1]"),
    "[m,i]=max(1,2); A=1;": None,
    "[m,n]=abs(1); A=1;": None,
    "[m,n]=size(1,1); A=1;": None,
    "x=1:3; [m,n]=x; A=1;": None,
    "[m,n]=1+2; A=1;": None,
    "[m,n]=disp(1); A=1;": None,
    "[m;n]=size(1); A=1;": None,
    "[m,1]=size(1); A=1;": None,
    "[]=size(1); A=1;": None,
    "A=[~,1];": None,
    "A=[1,~];": None,
    "[m,[~]]=size(1); A=1;": None,
    "[max(~,1)]=size(1); A=1;": None,
    "A=max([1 2;3 4],[],'all');": ("double", "4"),
    "A=min(reshape(1:8,2,2,2),[],'all');": ("double", "1"),
    "A=size(max([],[],'all'));": ("double", "[0 0]"),
    "A=max([1 2],[],'some');": None,
    "A=max([1+2i 3]);": ("double", "3"),
    "A=max([3i -3 1]);": ("double", "-3"),
    "A=max([NaN 1i 2]);": ("double", "2"),
    "A=max([1i -1i]);": ("double", "1i"),
    "A=min([1i -1i]);": ("double", "-1i"),
    "A=max([1i 2; 3 4i]);": ("double", "[3 4i]"),
    "A=max(3i,-3);": ("double", "3i"),
    "A=max(-3,3i);": ("double", "-3"),
    "A=min(3i,-3);": ("double", "3i"),
    "A=max(1i,[1 2]);": ("double", "[1i 2]"),
    "A=isnan(max(2,complex(NaN,1)));": ("logical", "true"),
    "A=max(single(1i),2);": ("single", "2"),
    "A=max(\"a\",1);": None,
    "A=round(2.675,2);": ("double", "2.68"),
    "A=round([1234.5 -1250],-2);": ("double", "[1200 -1300]"),
    "A=round(pi,[]);": None,
    "A=round(pi,1.5);": None,
    "A=round([Inf -Inf 0 1e300],3);": ("double", "[Inf -Inf 0 1e300]"),
    "A=round(1e-320,400);": ("double", "1e-320"),
    "A=round(123,-400);": ("double", "0"),
    "A=round(single(3.14159),3);": ("single", "single(3.142)"),
    "A=round(int8(123),-1);": ("int8", "120"),
    "A=round(int8(127),-1);": ("int8", "127"),
    "A=round(int8(12),3);": ("int8", "12"),
    "A=round(1.25+2.35i,1);": ("double", "1.3+2.4i"),
    "A=disp(3);": ("char", "['3' 10]"),
    "A=disp([1 2;3 4]);": ("char", "['   1   2' 10 '   3   4' 10]"),
}


class Assignment(CliTest):
    def test_what_is_assigned(self):
        for text, expected in CASES.items():
            with self.subTest(text):
                if expected is None:
                    done = self.call("matlab", "-e", text)
                    self.assertEqual(done.returncode, 2, done.stdout)
                    self.assertIn(b"error: ", done.stderr)
                    continue
                cls, value = expected
                out = self.output("matlab", "-e", f"{text}\nclass(A)\nisequal(A, {value})")
                self.assertEqual(out, f"ans = {cls}\nans = 1\n")

    def test_several_results_are_shown_in_order(self):
        self.assertEqual(self.output("matlab", "-e", "[m, ~, n] = size(ones(2,3,4))"), "m = 2\nn = 4\n")
        self.assertEqual(self.output("matlab", "-e", "[m, n] = size(1);"), "")

    def test_errors_have_the_identifier_of_matlab(self):
        for text, identifier in (("[a, b] = abs(1)", "MATLAB:maxlhs"), ("[a, b] = 1", "MATLAB:needMoreRhsOutputs"),
                                 ("load nothing_here.mat", "MATLAB:load:couldNotReadFile"),
                                 ("load nothing_here.npy", "MATLAB:load:couldNotReadFile"),
                                 ("int8(1):int16(3)", "MATLAB:mixedClasses"), ("int8(1):0.5:3", "Hadamard:range"),
                                 ("zeros(0, 9e15, 9e15)", "MATLAB:nomem")):
            done = self.call("matlab", "-e", text)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"[{identifier}]".encode(), done.stderr, text)

    def test_errors_of_indices_name_the_variable(self):
        for text, message in (("A=1:3; A(5)", "A(5): out of bound 3 (dimensions are 1x3)"),
                              ("A=ones(2,3); A(1,4)", "A(_,4): out of bound 3 (dimensions are 2x3)"),
                              ("A=ones(2,3,4); A(1,1,5)", "A(_,_,5): out of bound 4 (dimensions are 2x3x4)"),
                              ("A=ones(2,3); A(true(1,7))", "A(7): out of bound 6 (dimensions are 2x3)"),
                              ("A=1:3; A(0)", "A(0): subscripts must be"), ("A=1:3; A(1,1.5)", "A(_,1.5): subscripts must be"),
                              ("A=1:3; A(0)=1", "A(0): subscripts must be"), ("A=1:3; A(7)=[]", "A(7): out of bound 3"),
                              ("A=1:3; b=2; A(b)(2)", "index (2): out of bound 1"),
                              ("(1:3)(5)", "index (5): out of bound 3 (dimensions are 1x3)"),
                              ("magic(3)(4,1)", "index (4,_): out of bound 3 (dimensions are 3x3)")):
            with self.subTest(text):
                done = self.call("matlab", "-e", text)
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"error: {message}".encode(), done.stderr)

    def test_errors_of_ranges_say_which_number(self):
        for text, message in (("int8(1):0.5:3", "beside int8 the step must be a whole number, found 0.5"),
                              ("0.5:int8(3)", "beside int8 the first number must be a whole one from -128 to 127, found 0.5"),
                              ("uint8(1):256", "beside uint8 the last number must be a whole one from 0 to 255, found 256"),
                              ("int8(1):int16(3)", "beside int8 there may be int8 and whole numbers of class double, found int16")):
            with self.subTest(text):
                self.assertIn(f"error: range: {message}".encode(), self.call("matlab", "-e", text).stderr)

    def test_of_an_unknown_function_the_name_is_marked(self):
        for text, place in (("x = 1 + foo(3)", 8), ("[a, b] = foo(3)", 9), ("foo", 0)):
            lines = self.call("matlab", "-e", text).stderr.decode().splitlines()
            self.assertEqual(lines[1:], ["-e:1 | " + text, "     | " + " " * place + "^^^"])

    def test_integers_alone_say_the_rule(self):
        self.assertEqual(self.output("matlab", "-e", "integers"), "ans = double\n")
        self.assertEqual(self.output("matlab", "-e", "integers matlab; integers"), "ans = matlab\n")
        self.assertEqual(self.output("matlab", "-e", "integers;"), "")

    def test_an_empty_text_does_nothing(self):
        for words in (("-e", ""), ("--eval", ""), ("--eval=",), ("-e", " ")):
            with self.subTest(words):
                self.assertEqual(self.output("matlab", *words), "")
        self.assertEqual(self.call("matlab", "-e").returncode, 2)

    def test_a_script_that_cannot_be_read(self):
        for path, reason in (("nothing_here.m", b"No such file or directory"), ("/dev/null/x.m", b"Not a directory"),
                             ("x" * 300, b"File name too long")):
            done = self.call("matlab", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"cannot read '" + path.encode() + b"': " + reason, done.stderr)

    def test_clear_takes_patterns(self):
        self.assertEqual(self.output("matlab", "-e", "xa=1; xb=2; y=3; clear x*; who").split()[:3], ["Variables:", "y", "1x1"])

    def test_text_that_begins_with_a_minus(self):
        self.assertEqual(self.output("matlab", "-e", "-2^2"), "ans = -4\n")
        self.assertEqual(self.output("matlab", "-e", "-3"), "ans = -3\n")

    def test_quit_ends_with_its_code(self):
        for text, code in (("quit", 0), ("quit;", 0), ("exit(3)", 3), ("disp(1), quit(7), disp(2)", 7)):
            done = self.call("matlab", "-e", text)
            self.assertEqual(done.returncode, code, text)
            self.assertNotIn(b"2", done.stdout)
            done = self.call("matlab", stdin=f"{text}\ndisp(2)\n".encode())
            self.assertEqual(done.returncode, code, text)
            self.assertNotIn(b"2", done.stdout)

    def test_lines_of_standard_input_are_counted(self):
        done = self.call("matlab", stdin=b"x = 1;\ny = [1\n2];\nz = nothing_here\n")
        self.assertIn(b"stdin:4 | z = nothing_here", done.stderr)

    def test_a_folder_is_no_script(self):
        done = self.call("matlab", "/tmp")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"it is a folder", done.stderr)

    def test_a_header_of_scripts(self):
        self.assertEqual(self.output("matlab", "-e", "clear all; close all; clc\nx = 1"), "x = 1\n")


if __name__ == "__main__":
    unittest.main()
