"""The expressions of expressions.cases that are written by hand: FLAGS on a line of its own, then expressions."""
import re

INTEGER = re.compile(r"\bu?int(8|16|32|64)\(")
CONVERSION = re.compile(r"(double\()?u?int\d+\((u?int\d+\()?[^()]*\)*$|class\(int8\(1\)\)$|isinf")


def lines_of(text):
    """Pairs of flags and expression, `\\n` for a line break. What computes with integers is flagged so."""
    flags = "exact"
    for line in text.strip("\n").splitlines():
        if line.startswith("@"):
            flags = line[1:]
        elif line:
            computes = INTEGER.search(line) and not CONVERSION.match(line) and "integers" not in flags
            yield flags + (",integers" if computes else ""), line


SPECIAL = r"""
@close
(1e300+1e300i)./(1e300+1e300i)
(1e308+1e308i)./2
complex(5,1)./complex(1e200,0)
(1+1i)./Inf
(1e-300+1e-300i)./(1e-300+1e-300i)
(1e-308+1e-308i)./(1e-308-1e-308i)
(1e308+1e308i)./(1e308-1e308i)
(1e200+1e-200i)./(1e200+1e-200i)
(1+2i)./(3+4i)
(1+2i)./(3-4i)
(3+4i)./5
5./(3+4i)
(3+4i).\5
(4e-324+4e-324i)./(4e-324+4e-324i)
(1+1i)./(1e308+1e308i)
(1+1i)./(1e-308+1e-308i)
1./(1e308+1e308i)
1./(1e-308i)
(1e154+1e154i).*(1e154+1e154i)
(1e200+1i).*(1e200-1i)
(1e-200+1e-200i).*(1e-200+1e-200i)
(1+2i).*(3+4i)
(1+2i).*3
(1+2i).^2
(1+2i).^0.5
(1+2i).^(1i)
2.^(1i)
(-8).^(1/3)
(-1).^0.5
(-2).^2
(-2).^-1
(1i).^2
1i.^2
complex(0,0).^0
0.^(1+1i)
[-8 8].^(1/3)
single(1e38+1e38i)./single(1e38+1e38i)
single(1+2i)./single(3+4i)
single(1+2i)./(3+4i)
single(1e-38+1e-38i)./single(1e-38-1e-38i)
abs(3+4i)
abs(1e300+1e300i)
abs(1e-300+1e-300i)
abs(complex(Inf,NaN))
angle(1i)
angle(-1)
sqrt(-4)
sqrt(3+4i)
sqrt(complex(-4,-0))
sqrt(-Inf)
log(-1)
log(1i)
exp(1i)
exp(1+2i)
[1+2i 3-4i 0]./[2 2i 1+1i]
[1+2i;3-4i].*[1 2i]
@close,theirs
(1+2i)./0
(1+2i)./complex(0,0)
complex(0,0)./complex(0,0)
complex(1,0)./complex(0,0)
complex(Inf,1)./complex(1,1)
complex(1,1)./complex(Inf,Inf)
complex(NaN,1)./complex(1,1)
complex(Inf,Inf).*complex(1,1)
complex(Inf,0).*complex(0,1)
1./complex(0,0)
1./complex(Inf,NaN)
@exact
(1+2i)+(3-4i)
(1+2i)-(1+2i)
(1+2i)+(3-2i)
(1+2i)-2i
complex(1,0)
complex(1,0)+1
complex([1 2],[0 0])
complex(1,2)==complex(1,2)
complex(1,2)==complex(1,-2)
complex(1,0)==1
complex(NaN,1)==complex(NaN,1)
1i==1j
-(1+2i)
(1+2i)'
(1+2i).'
[1+2i 3]'
[1+2i 3].'
conj(1+2i)
real([1+2i 3])
imag([1+2i 3])
real(5)
imag(5)
isreal(1+0i)
isreal(complex(1,0))
isreal([1 2])
complex(Inf,-Inf)
complex(NaN,0)
complex(-0,-0)
1e308+1e308i
complex(1,2)+complex(Inf,-Inf)
complex(1,2)-complex(NaN,0)
"""

PARSING = r"""
@exact
1+2*3
(1+2)*3
2^3^2
-2^2
2^-1
2^-1^2
-2.^2
2.^-[1 2]
!1
~1
~0==1
~(0==1)
!1+1
-1+2
- -1
+-+1
1-2-3
12/3/2
2\4
2\4\8
8./4./2
2.\8
1:3
1:2:7
7:-2:1
1:0
0:0.25:1
1:3+1
(1:3)+1
-1:1
1:3==1:3
1+1:3
1:3'
(1:3)'
1:3.*2
1<2
1<2<3
3>2>1
1==1==1
1|0&0
(1|0)&0
1&0|1
1||0&&0
1&&1
0||0
1&2==2
~1==2
-1^0.5*0
2*-3
2*+3
2-+3
[1 -2]
[1 - 2]
[1 -2 + 3]
[1 , -2]
[1 +2]
[1 + 2]
[1 +2i]
[1 + 2i]
[1 -2i]
[1 - 2i]
[1,2;3,4]
[1 2\n3 4]
[1 2\n\n3 4\n]
[1 2;\n3 4]
[1 2;]
[;]
[]
[1 2, 3]
[ 1 2 ]
[1;2;3]
[[1 2] 3]
[[1;2] [3;4]]
[1 [2 3];4 5 6]
[1 2]'
[1 2].'
[1 2]' + [1 2]
[1 2]'*2
[1 2]*2
2*[1 2]
[2 4]/2
2\[2 4]
[1 2]'.'
[1' 2']
[1 ' ']
['a' 'b']
['ab';'cd']
['a' 66]
[65 'b']
'abc'
'it''s'
''
'a'+1
'a':'e'
'a':2:'i'
'i':-2:'a'
97:2:'i'
'i':2:'a'
'abc'=='abc'
'abc'=='b'
1e3
1E3
1e+3
1e-3
.5
5.
5.e1
.5e1
1.5e2
0x1F
0b101
1e400
1e-400
123456789012345678
0.1+0.2
1/3
3-4i
3-4j
4i
0i
-0i
1/0i
1/-0i
isreal(0i)
isreal(1e-400i)
isreal([1 0i])
isreal(complex(0,0))
2.5e1i
1i
3 - 4i
3+4i*2
(3+4i)*2
pi
Inf
NaN
-Inf
inf
nan
eps
true
false
i
1i*1i
[1,2,3](2)
magic(3)(2,:)
magic(4)(end,end)
magic(3)(:)
magic(3)(:,1)
magic(3)(end)
magic(3)(2,[1 3])
(1:5)(end:-1:1)
(1:5)([true false true false true])
(1:5)(logical([0 1 0 1 0]))
(5:9)([1 1 2])
ones(2,3)(:,end+1-1)
(1:3)(4)
(1:3)(0)
(1:3)(1.5)
(1:3)(-1)
magic(3)(4,1)
magic(3)(1,2,3)
reshape(1:8,2,2,2)(:,:,2)
reshape(1:8,2,2,2)(2,3)
zeros(0,3)
zeros(0,3)+1
[zeros(0,3);1 2 3]
[zeros(1,0) 1]
[[] 1 2]
['' 'a']
[1;1:0;2]
[zeros(1,0),1;2]
[zeros(1,0),1;2 3]
[zeros(1,0),zeros(2,0),[1;2]]
[zeros(1,0),zeros(0,1),[1;2]]
[zeros(1,0);zeros(0,1);zeros(0,3)]
[zeros(1,0);zeros(0,3);1 2 3]
[zeros(1,0);zeros(2,0);1]
[zeros(0,1),zeros(0,2);1 2 3]
['abc';zeros(1,0)]
[zeros(1,0);'abc']
[int8(1);zeros(1,0,'int16')]
[true;zeros(1,0)]
[1;complex(zeros(1,0),0)]
horzcat(zeros(1,0),[1;2])
vertcat(zeros(1,0),1,[])
[1 2;3]
[1 2 [3;4]]
[1;[2 3]]
1+
(1
[1 2
)1
1 2
1 + * 2
'abc
undefined_thing
undefined_thing(1)
1..2
1.*2
1./2
1.^2
1.'
[1.' 2.']
[1 .*2]
[2.^2 3]
[1 -2]'
3'
[3']
(3)'
[1 2]';
1 % comment
1 # comment
[1 2 ... more\n3]
1 + ... more\n2
[1, 2 % comment\n3, 4]
[1 2 % comment
5 == 5.0
single(1)+1
single(1)/3
single(16777217)
int8(5)
int8(127)
int8([1 2 3])
uint8('a')
double('abc')
logical([0 1 2])
logical(NaN)
char([72 105])
true+true
true*2
-true
+true
-'a'
~'a'
~[1 0 2]
~[]
~NaN
!int8(3)
-int8(-128)
-uint8(5)
-single(0)
-0
0*-1
1/-0
1./[0 -0]
5:1
size(5:1)
1:[]
[]:3
1:2:[]
1:[]:3
(1:0):3
zeros(0,3):3
[]:[]
[]:NaN
NaN:[]
1:NaN
single([]):3
int8([]):3
1:int8([])
1:0.5:int8([])
int8(1):0.5:[]
int8([]):int16(3)
int8(1):3
1:int8(3)
1:2:int8(7)
1:int8(2):7
1:300:int8(100)
uint8(5):-1:1
uint8(5):uint8(1):1
int8(1):0:3
int8(1):Inf:5
int8(1):-Inf:5
int8(-128):int8(127):int8(127)
intmax('int64'):intmax('int64')
int64(1):2^62:2^62+2^61
uint64(1):2^63:2^63+2^62
int8(1):0.5:3
int8(1):3.5
0.5:int8(3)
int8(1):NaN
int8(1):NaN:3
int8(1):Inf
-Inf:int8(1)
int8(1):300
300:int8(5)
300:-1:int8(5)
uint8(5):-1:-3
-3:uint8(5)
int64(1):2^62:2^64
int8(1):int16(3)
int8(1):int16(1):3
int8(1):int8(1):int16(3)
1:int8(1):int16(3)
uint8(5):int8(-1):1
int8(1):single(3)
single(1):int8(3)
int8(1):true
int8(1):'c'
int8(1):3+2i
size(zeros(3,0,2))
size([])
size('')
numel(ones(2,3,4))
ndims(ones(2,3,4))
ones(2,3)*ones(2,3)
ones(2,3)/0
[1 2 3]^2
1:3 + 1:3
"""

FUNCTIONS = r"""
@exact
rdivide([8 12 18;2 10 18],[2 3 6;2 5 9])
rdivide([1;2;3],[1 2])
rdivide('ABC',2)
ldivide(2,[2 4])
times([1 2],[3;4])
minus(5,[1 2])
plus('a',1)
power(2,[1 2 3])
mrdivide([2 4],2)
mtimes(2,[1 2])
uminus([1 -2 0])
uplus([1 -2])
not([1 0])
and(1,0)
or(1,0)
eq(1,[1 2])
ne(1,[1 2])
lt(1,[1 2])
le(1,[1 2])
gt(1,[1 2])
ge(1,[1 2])
magic(3)./2
magic(3)
magic(4)
magic(5)
magic(6)
magic(1)
magic(2)
reshape(1:8,2,2,2)./[1 10;100 1000]
size(ones(2,3,4)./ones(2,3))
ones(4,2,3)./ones(2,3)
abs([-1 2 -0 -Inf NaN])
abs(int8([-128 127]))
abs('a')
abs(true)
sign([-2 0 -0 3 NaN -Inf])
sign(single(-2))
sign(int8([-3 0 4]))
floor([-1.5 1.5 -0.5 Inf NaN])
ceil([-1.5 1.5 -0.5 Inf NaN])
round([-1.5 -0.5 0.5 1.5 2.5 0.49999999999999994 4503599627370497])
fix([-1.5 1.5 -0.5])
floor(int8(5))
floor(2.5+3.5i)
round(single([0.5 1.5 2.5]))
ceil('a')
floor(true)
mod(5,3)
mod(-5,3)
mod(5,-3)
mod(5,0)
mod([1 2 3;4 5 6],[2;3])
mod(5.5,2)
mod(int8(-5),int8(3))
mod(uint8(5),uint8(3))
rem(5,3)
rem(-5,3)
rem(5,-3)
rem(5,0)
rem(5.5,2)
rem(int8(-5),int8(3))
max([1 5 3])
max([1 5;7 2])
max([1 5;7 2],[],2)
max([1 NaN 3])
max([NaN NaN])
max(2,[1 2 3])
max([1 2],[2;0])
max([])
max(int8([1 2]),int8(2))
max('a','b')
min([1 5 3])
min([4 1;7 2])
min([4 1;7 2],[],2)
min([1 NaN 3])
min(2,[1 2 3])
min(NaN,1)
min(single(1),2)
hypot(3,4)
hypot([3 5],[4;12])
hypot(1e300,1e300)*0
hypot(Inf,NaN)
factorial([0 1 5 10 20])
factorial(170)*0
gamma([1 2 3 4 5])
gamma(0)
gamma(-1)
gamma(Inf)
gamma(172)
pow2([0 1 10 -1])
pow2(3,2)
sqrt([0 1 4 9 2])
sqrt(single(2))
sqrt(-0)
exp(0)
exp([-Inf Inf NaN])
log([1 0 Inf])
log2([1 2 8 1024])
log10([1 10 1000])
log1p(0)
expm1(0)
double(int8([1 -2]))
double('abc')
double(single(0.1))
double(true)
single(pi)
single(1e300)
single([1 2;3 4])
logical([1 0 -1 0.5])
char(65)
char([65 66;67 68])
int8([1.5 2.5 -1.5 -2.5 300 -300 NaN])
uint8([1.5 2.5 -1.5 300 NaN Inf])
int16('a')
int32(true)
uint64(1e20)
int64(int8(5))
int8(int64(300))
uint8(int8(-5))
class(1)
class(single(1))
class('a')
class(true)
class(int8(1))
class(1i)
class(1==1)
class(single(1)+1)
class(int8(1)+1)
size(ones(2,3))
size(ones(2,3),1)
size(ones(2,3),3)
size(ones(2,3,4))
numel(zeros(0,3))
ndims(5)
isreal(1i)
isreal('a')
isequal([1 2],[1 2])
isequal([1 2],[1 3])
isequal([1 2],[1;2])
isequal(1,1,1)
isequal('a',97)
isequal(NaN,NaN)
isequal([],zeros(0,3))
isequal(single(1),1)
isnan([1 NaN Inf])
isnan('a')
isnan(1+NaN*1i)
isinf([1 NaN Inf -Inf])
isinf(int8(1))
zeros(2)
zeros(2,3)
zeros([2 3])
zeros(2,0)
zeros(-1,2)
zeros(2,2,2)
zeros(2,'single')
zeros(1,2,'int8')
ones(2)
ones(1,3)
ones(1,2,'single')
eye(2)
eye(2,3)
eye(0)
linspace(0,1,5)
linspace(1,10,1)
linspace(0,1,2)
linspace(5,5,3)
linspace(1,2,0)
size(linspace(0,1))
reshape(1:6,2,3)
reshape(1:6,[3 2])
reshape(1:6,[],2)
reshape(1:6,3,[])
reshape(1:6,4,2)
reshape(1:8,2,2,2)
reshape('abcd',2,2)
reshape([],0,3)
repmat([1 2],2,2)
repmat(5,2)
repmat('ab',1,2)
repmat([1 2],[2 1 2])
repmat(1,0,3)
numel(1:1000)
real('a')
imag(single(2))
conj(5)
conj([1+2i 3-4i])
angle([1 -1 0])
angle(-0)
complex(1,2)
complex([1 2],3)
complex(single(1),2)
complex(1)
complex(int8(1),int8(2))
int8(5)./int8(2)
sqrt(true)
rdivide(1)
abs()
abs(1,2)
@close
sqrt(2)
sqrt([-1 4])
sqrt([2 -2])
exp(1)
exp([1 2;-1 0.5])
exp(single(1))
expm1(1e-10)
expm1([1 -1])
log(2)
log([0.5 2 10])
log(-1)
log([-1 1])
log(single(10))
log2(10)
log2(-8)
log10(2)
log10(-10)
log1p(1e-10)
log1p(-2)
pow2(0.5)
gamma(0.5)
gamma([4.5 -1.5])
factorial(25)
factorial(170)
hypot(1,1)
hypot(1e300,1e300)
hypot(1e-300,1e-300)
2.^[0.5 0.25]
10.^[-1 -2 2]
[1 2 3].^0.5
single(2).^0.5
linspace(0,1,4)
linspace(1,2,7)
0:0.1:1
@exact,integers
int32(7)./int32(2)
int8(-128)./int8(-1)
uint8(5)./uint8(0)
uint8(0)./uint8(0)
int8(-5)./int8(0)
int8(100)+int8(100)
int8(-100)-int8(100)
uint8(3)-uint8(5)
int8(7)*0.5
int8(5)*2.5
int16(200).*int16(200)
int8(5)/2
int8(7)./2
int8(-7)./2
uint8(200)+100
int8(1)+true
int8(1)+'a'
int8(1)+single(1.5)
int8(1)+int16(1)
uint8(1)+int8(1)
int64(9223372036854775807)+1
int64(9223372036854775807)-1
uint64(18446744073709551615)-1
uint64(18446744073709551615)./3
int8(2).^7
int8(2).^3
int8(-2).^3
2.^int8(3)
uint8(2).^8
int8(2).^0.5
int8(5):int8(8)
int8([1 2 3]).*[0.5 0.5 0.5]
-int8([1 -128])
int32(10).\5
@exact,theirs
--1
[a=1]
(1:3)*(1:3)'
plus(1,2,3)
e
"abc"
"abc"+1
sqrt(int8(4))
exp('a')*0
int64(9007199254740993)
int64(9223372036854775806)./2
int64(9007199254740993)*1
mod(-1,Inf)
rem(-1,Inf)
int64(1):2^62:2^63
@exact
conj("hello")
conj(true)
conj([true false])
conj(int8(-3))
conj(single(2))
conj(single(1+2i))
conj(zeros(0,3))
conj(zeros(0,3,'int8'))
conj(true(2,0))
conj(reshape(1:8,2,2,2)*1i)
conj([NaN 1i -0])
angle("hello")
Inf(2,'int8')
NaN(2,'int8')
NaN(2,'logical')
Inf(2,'char')
Inf(2,3,'single')
NaN(0,3,'single')
Inf('like',single(1))
Inf(2,'like',int8(1))
NaN(2,'like',true)
pi(2,'int8')
pi(2,'single')
e('single')
eps('int8')
realmax('int8')
realmin('uint64')
realmax(2,'single')
realmin(1,2)
true(2,3,'double')
false(2,3,'double')
true(2,'int8')
true(2,'like',true)
false(1,3,'like',true(5))
true(2,'like',1)
false(2,'like',int8(1))
zeros(2,'like',int8(1))
ones(2,3,'like',true)
ones(1,2,'like',single(4))
zeros(2,'char')
zeros(2,'like','a')
eye(2,'logical')
eye(2,3,'int8')
cast(3.7,'int8')
cast(300,'uint8')
cast([97 98],'char')
cast(3.7,'like',int8(1))
cast(int8(5),'like',single(1))
cast([0 2 -1],'logical')
cast(1,'nothing')
cast(1,'string')
max(true,false)
min(true,false)
max([true false])
min([true false;true true])
max([true false;true true],[],2)
max(true(0,3))
min(logical([]))
min(true,[true false])
max(true,1)
max(true,single(0))
min(true,int8(5))
max([false false],true)
max(true(2,2,2),[],3)
linspace(1i,2i,3)
linspace(0,1+1i,4)
linspace(1+2i,1+2i,3)
linspace(1+2i,3-4i,5)
linspace(single(1i),2,3)
linspace([1;2],[3;4],3)
linspace([1 2],[3 4],3)
linspace([1;2],5,3)
linspace([1;2i],[5;6],2)
linspace([1;2],[5;6;7],3)
linspace(ones(2,2),3,3)
linspace(ones(1,1,2),3,3)
linspace([],3,3)
linspace(zeros(0,1),3,3)
linspace(zeros(1,0),3,3)
linspace([1;2],5,0)
linspace([1;2],5,1)
linspace(1,5,2.7)
linspace(1,5,-3)
linspace(1,5,[2 3])
linspace(1,NaN,3)
linspace(complex(0,1),complex(Inf,2),3)
linspace(single([1;2]),5,3)
linspace(true,false,3)
linspace("a",2,3)
char('a','bb')
char('a','','bb')
char('','')
char(65,[66 67])
char(['ab';'cd'],'x')
char(zeros(0,3),'a')
char(zeros(2,0),'a')
char(int8(65),'b')
char('abc')
char('a',1i)
char(ones(1,1,2)*65,'a')
@close
hypot(3+4i,12)
hypot(1i,1)
hypot(3+4i,5+12i)
hypot(single(1i),1)
hypot(single(3+4i),single(12i))
hypot(complex(Inf,NaN),1)
hypot(complex(NaN,1),Inf)
hypot(complex(NaN,1),1)
hypot([1i 2],[3;4])
hypot(complex(zeros(0,3)),1)
hypot(1e300i,1e300)
hypot(1e-300i,1e-300)
hypot(complex(3,0),4)
hypot(reshape([1i 2 3i 4],1,2,2),[1;2])
hypot([1i 2],[1 2 3])
hypot(-0,complex(-0,-0))
linspace(1,[5;6],4)
linspace([1;-2],[7i;6],7)
@exact,theirs
real("hello")
imag("hello")
max(true(2,0,3))
complex(0,0)<complex(-0,0)
-1<complex(-1,-0)
(1:(1001/250)/(1/250))(end)
numel(0:3:9-2^-49)
@exact
complex(-1,0)>complex(-1,-0)
complex(-1,0)<complex(-1,-0)
complex(-1,0)>=complex(-1,-0)
complex(-1,0)<=complex(-1,-0)
complex(-1,0)==complex(-1,-0)
single(complex(-1,0))>single(complex(-1,-0))
complex(-Inf,0)>complex(-Inf,-0)
[1i 2 -3]<[2i;-2;3]
complex(NaN,1)>=complex(NaN,1)
complex(Inf,NaN)>1
max([complex(-1,-0) complex(-1,0)])
min([complex(-1,0) complex(-1,-0)])
(2000:-1:(1001/250)/(1/250))(end)
"""
