#!/usr/bin/env python3
"""Makes display.cases: what GNU Octave displays for values of every kind.

    tests/matlab/display_from_octave.py > tests/matlab/display.cases

src/matlab/display_test.cpp reads the file; only this script needs octave-cli. `--random COUNT SEED` makes as
many cases of random numbers instead, to compare with for once.
"""
import random
import sys

import octave

HEADER = """\
# What GNU Octave displays, made by display_from_octave.py with {version}. Do not edit.
#
# case EXPRESSION     what Octave computed the value from; for readers only
# show HOW FORMAT SCALE
#                     display (a statement without ';' on a variable x) or disp; short, long or hex; `each` for
#                     powers of ten at every element (Octave as it starts), `common` for DisplayOptions::common_scale
# value CLASS SIZE ELEMENT...
#                     elements column by column, their bits in hex; of complex numbers REAL:IMAGINARY
# differs REASON      only where we differ on purpose; then lines with '<' are Octave's text
# |TEXT               what must come out, line by line
"""

REALS = """
0 1 5 -5 -1 42 99999 100000 123456 999999 9999999 99999999 999999999 -999999 1e9 1e10 1e15 1e16 -0
0.5 3.14159265358979 -1.5 100.5 -100.25 1234.5 9999.5 12345.678 99999.5 99999.4 123456.789 0.1 0.05 0.01 0.012345678
0.001 0.0001 1e-5 1e-10 -1e-10 1e100 1e-100 1e-300 realmax realmin 4.9e-324 NaN Inf -Inf 9.99999 0.99999 99.99999
1/3 2/3 -2/3 100/3 1e5+0.5 2^53 eps
""".split()

MATRICES = """
[1 2;3 4] [1 -2;3 4] [-1 -2] [1;2;3] [10 20 30] [1 100000] [999999 1] [9999999 1] [1 1e10] [1 1e15] [1 -0 0] [0 0]
[NaN 1] [NaN NaN] [Inf -Inf] [1 Inf;NaN 2] [-1 NaN] [100 NaN -Inf] [NaN 999999] [1.5 NaN] [1.5 Inf -Inf]
[1.5 2.5] [1.5;-2.5] [0 1.5] [-0 1.5] [10.5 2] [100.5 2] [100.5 200.5] [10.5 0.2] [0.1 0.2] [0.1 0.01] [0.01 0.02] [0.01 2]
[0 0.05] [0 0.05 1] [0 100.5] [1/3 2/3;1 2] [99.99999 1] [0.5 0.25 0.125] [1000.5 2000.5] [9999.5 1234.5]
[0.5 -0.25;NaN Inf] [5 0.5] [50 0.5] [500 0.5] [4 0.5 3;1.5 2.5 3.5;2 4.5 1] [8 1 6;3 5 7;4 9 2]
""".split("\n")

SCALED = """
[1000.5 2] [10000.5 2] [99999.5 2] [1e5+0.5 2] [0.001 0.002] [1e-5 1] [1e-10 1] [1e10 0.5] [1e10 NaN 0.5] [1000.5 0]
[-1000.5 2;3 4] [1000.5 Inf -Inf] [0.001 NaN] [1e-10 2e-10] [12345.678 0.001] [10.5 0.02] [10000.5 20000.5] [1000;0.5]
[1e5 1e-5] [123456.789 1;2 3] [1e20 1.5]
""".split("\n")

COMPLEX = """
1+2i 1-2i -1-2i 0+1i 1.5+2i 100.5+2i 1000.5+2i 0.01+2i 1e-5+1i 100.5+10i 0.5+100.5i 0.05+100.5i 1e10+1i 1e100+1i
99999+1i 999999+1i 9999999+1i 99999999+1i 0.05+0.5i 0.005+0.5i 1/3+2i/3 -1.5-2.5i
[1+2i,3-4i] [1+2i;3-4i] [1.5+2i,3-4i] [1.5+200i,3-4i] [1e5+1i,1] [99999+1i,2] [999999+1i,2] [9999999+1i,2]
[0.05+0.5i,1] [0.05+0.5i,100+1i] [0.05+0.05i,0.05] [0.05+0.05i,0.01+0.05i] [1+1i,2.5] [-1.5-2i,0;1i,2] [1/3+2i/3,1]
""".split("\n")

COMPLEX_CALLS = """
complex(1,0) complex(0,-0) complex(-0,1) complex(-0,-0) complex(NaN,1) complex(NaN,NaN) complex(Inf,-Inf) complex(1,NaN)
complex(1,-Inf) complex(0,0.05) complex(0.05,0) complex([1,2],0) complex([0.5,0.05],0) complex([0.05,0.05],0)
[complex(NaN,1),2+100i] [complex(1.5,NaN),2] [complex(1.5,-Inf),2.25] [complex(NaN,NaN),1.5]
""".split("\n")

SCALED_COMPLEX = """
[1000.5+2i,1+1i] [-1-1000.5i,1000.5+1i] [1e-5+1e-5i,1+1e-5i] [100.5+0.05i,0.05+0.05i] [1e10+0.5i,1+1i]
""".split("\n")

WHOLE = """
int8(5) int16(-5) uint64(18446744073709551615) int64(-9223372036854775807)-1 int8([1,-2,3]) int8([100,-2,3])
uint8([1,2;30,4]) int32([1;-100]) int8([-1,-2]) int8([5,-12]) int8([-127,127]) uint16([0,0]) uint32(1:30)*100000 int32(1:40)*1000
uint8(1:60) int64([1,1000000000000]) true false [true,false] true(2,2) (1:40)==3 true(3,1) int8(zeros(2,2)) int8([0,-1;10,5])
""".split("\n")

TEXTS = """
'abc' ['abc';'def'] '' char(zeros(0,3)) char(zeros(3,0)) char(zeros(1,0)) 'a' 'with,blanks' ['a';'b';'c'] 'it''s'
""".split("\n")

EMPTY = """
[] zeros(0,3) zeros(3,0) zeros(1,0) zeros(0,1) zeros(0,3,2) zeros(2,2,0) single(zeros(0,1)) complex(zeros(0,2)) int8(zeros(0,3))
int8(zeros(2,0,2)) true(0,3) true(0,0) zeros(1,0,3)
""".split("\n")

SLICES = """
ones(2,2,2) reshape(1:8,2,2,2) reshape(1:4,1,1,4)*1.5 reshape(int8([1,2,100,-3]),1,2,2) reshape([1,2,100,1000],1,2,2)
int8(ones(2,1,2)) ones(1,2,2)>2 ones(2,2,1,2)+1i ones(1,1,2)+0.5i reshape(1:8,1,2,2,2) reshape(1:30,1,15,2) cat(3,[1.5,2],[NaN,1])
reshape([1.5,NaN,3,4],2,1,2) cat(3,1,NaN) single(ones(1,2,2))/3 reshape(1:120,2,30,2) cat(3,true,false)
""".split("\n")

WIDE = """
1:17 1:40 (1:40)*1000 (1:40)/7 (1:9)/7 (1:10)/7 (1:8)*100.5 (1:17)' (1:30)+1i (1:7)/7+1i [1:20;2:21] (1:26)*NaN single(1:40)/7
(1:21)*-1 (1:18)*99999 ones(3,25)/3
""".split("\n")

SCALED_WIDE = ["(1:40)*1000.5", "(1:20)*1e-5", "((1:12)+0.5i)*1000.5", "[(1:9)*1e5;(1:9)/7]"]

SINGLES = """
3.14159 0.015 0.1 100.5 1000.5 12345.678 99999.5 123456 999999 1e10 1e-10 1/3 NaN -Inf 0 16777216 0.01
[1,2;3,4] [100.5,2] [1.5,NaN] [0.05,2] [1/3,2/3] [1,1e10] 1.5+2i 1/3+2i [1.5+2i,3]
""".split("\n")

# Expression, how, format, scale, Octave's text replaced, reason
DIFFERENT = [
    ("complex(Inf,1.55)", "display", "short", "common", "x =     Inf + 1.5500i\n",
     "Octave rounds the other part of a complex scalar with Inf or NaN to a whole number"),
    ("complex(NaN,100.25)", "display", "short", "common", "x =       NaN + 100.2500i\n",
     "Octave rounds the other part of a complex scalar with Inf or NaN to a whole number"),
    ("complex(1.5,-Inf)", "display", "short", "common", "x =  1.5000 -    Infi\n",
     "Octave rounds the other part of a complex scalar with Inf or NaN to a whole number"),
    ("[1000.5+1i,2]", "display", "short", "common",
     "x =\n\n  1.0e+03 *\n\n   1.0005 + 0.0010i   0.0020 +      0i\n\n",
     "Octave pads a zero imaginary part one column short under a common scale"),
    ("[1e100,0.5]", "display", "short", "common", "x =\n\n  1.0e+100 *\n\n   1.0000   0.0000\n\n",
     "Octave leaves out the blank before '*' where the exponent has three digits"),
    ("[1e-100,2e-100]", "display", "short", "common", "x =\n\n  1.0e-100 *\n\n   1.0000   2.0000\n\n",
     "Octave rounds a matrix to single before it asks whether all are whole numbers"),
    ("[1.5+1i,1000.5;1,2]*1e5", "display", "short", "common",
     "x =\n\n   1.5000e+05 + 1.0000e+05i   1.0005e+08 +          0i\n   1.0000e+05 +          0i   2.0000e+05 +          0i\n\n",
     "Octave writes whole numbers under fixed_point_format with %g; we write them as without it"),
    ("[1.5,1e-100]", "display", "short", "each", "x =\n\n    1.5000e+00   1.0000e-100\n\n",
     "Octave counts the digits of the exponent of 1e-100 as two and the columns touch"),
    ("9007199254740991", "display", "long", "common", "x = 9007199254740991\n",
     "Octave takes odd numbers above 2^52 for fractions"),
    ("single(9286023)", "display", "short", "common", "x = 9286023\n",
     "Octave takes odd numbers above 2^23 in single for fractions"),
    ("999999999999998", "display", "long", "common", "x = 999999999999998\n",
     "Octave's count of digits, by log10, is one too many, which shows as a blank"),
    ("int8([-128,127])", "display", "short", "common", "x =\n\n  -128   127\n\n",
     "Octave does not see the sign of the smallest number of an integer class"),
    ("[9999999 1]", "display", "long", "common", "x =\n\n   9999999         1\n\n",
     "Octave rounds a matrix to single and takes odd numbers above 2^23 in single for fractions"),
    ("[9999999+1i,2]", "display", "long", "common", "x =\n\n   9999999 +       1i         2 +       0i\n\n",
     "Octave rounds a matrix to single and takes odd numbers above 2^23 in single for fractions"),
    ("[5987271.5,-873232]", "display", "long", "common",
     "x =\n\n  1.0e+06 *\n\n   5.987271500000000  -0.873232000000000\n\n",
     "Octave rounds a matrix to single before it asks whether all are whole numbers"),
    ("[-426000000,-395200439.8]", "display", "long", "common", "x =\n\n  -426000000.0000000  -395200439.8000000\n\n",
     "Octave rounds a matrix to single before it asks whether all are whole numbers"),
    ("[5e-324,1]", "display", "short", "each", "x =\n\n   4.9407e-324    1.0000e+00\n\n",
     "Octave rounds a matrix to single before it asks whether all are whole numbers"),
    ("[0.05+0.05i,0.05]", "display", "long", "common",
     "x =\n\n  1.0e-02 *\n\n Column 1:\n\n   5.000000000000000 + 5.000000000000000i\n\n"
     " Column 2:\n\n   5.000000000000000 +                 0i\n\n",
     "Octave pads a zero imaginary part one column short under a common scale"),
    ("single([-21.1273632,-30.8378689;4.3801883,-6])", "display", "long", "common",
     "x =\n\n  1.0e+01 *\n\n  -2.1127363  -3.0837870\n   0.4380188  -0.6000000\n\n",
     "Octave divides by the scale in single, which changes the last digit"),
    ("[484341450,-146753418.559;-206529,722270]", "display", "short", "common",
     "x =\n\n  1.0e+08 *\n\n   4.8434  -1.4675\n  -0.0021   0.0072\n\n",
     "Octave rounds a matrix to single before it asks whether all are whole numbers"),
    ("[1.99999999,5]", "display", "short", "common", "x =\n\n   2.0000   5.0000\n\n",
     "Octave rounds a matrix to single before it asks whether all are whole numbers"),
    ("[1.99999999,5]", "display", "long", "common", "x =\n\n   1.999999990000000   5.000000000000000\n\n",
     "Octave rounds a matrix to single before it asks whether all are whole numbers"),
    ("[79890.9975,52000]", "display", "short", "each", "x =\n\n   7.9891e+04   5.2000e+04\n\n",
     "Octave rounds a matrix to single before it asks whether all are whole numbers"),
    ("repmat('ab',[1,1,2])", "display", "short", "common", "x =\n\nans(:,:,1) = ab\nans(:,:,2) = ab\n\n",
     "Octave leaves out the line break after the name of text with more than two dimensions"),
]


def words(lines):
    return " ".join(lines).split() if isinstance(lines, list) else lines.split()


def bracketed(lines):
    """Expressions with blanks inside brackets, separated by blanks outside."""
    found, depth, text = [], 0, ""
    for sign in " ".join(lines) + " ":
        depth += (sign in "[(") - (sign in "])")
        if sign == " " and depth == 0:
            if text:
                found.append(text)
            text = ""
        else:
            text += sign
    return found


def stored_cases():
    plain = (REALS + bracketed(MATRICES) + words(COMPLEX) + words(COMPLEX_CALLS) + words(WHOLE) + words(TEXTS) +
             words(EMPTY) + words(SLICES) + words(WIDE))
    singles = ["single(%s)" % text for text in words(SINGLES)]
    scaled = bracketed(SCALED) + words(SCALED_COMPLEX) + SCALED_WIDE
    for text in plain + singles + scaled:
        yield text, "display", "short", "common"
    for text in scaled + ["[1 1e100]", "[NaN 1e100]", "[-1e100 0.5]", "[1e100+1i 2]", "[1.5 1e-300]"]:
        yield text, "display", "short", "each"
    for text in REALS + bracketed(MATRICES) + words(COMPLEX) + singles + scaled + ["int8([1,-2])", "'abc'", "true"]:
        yield text, "display", "long", "common"
    for text in words("""1 pi -0 NaN [1,2;3,4] ones(1,10) single(pi) single([1,2]) int8(5) int8([1,-2]) int32([1,-2;3,4]) uint64(5)
                      true [true,false] 'abc' ['ab';'cd'] 1+2i [1+2i,3] single(1+2i) [] zeros(0,3) ones(1,1,2) ones(2,2,2)
                      (1:5)+1i int64(-1) uint16(1:20)"""):
        yield text, "display", "hex", "common"
    for text in words("""5 1.5 -0 [1,2] [1.5;2.5] [] zeros(0,3) '' 'abc' ['ab';'cd'] 1+2i [1+2i,2] ones(2,2,2) int8([1,2]) true
                      int8(5) zeros(1,1,2) 1:40 [1000.5,2] zeros(2,2,0) NaN single(1)/3"""):
        yield text, "disp", "short", "common"


def random_cases(count, seed):
    draw = random.Random(seed)

    def number(low, high, special):
        kind = draw.random()
        if kind < 0.05 and special:
            return draw.choice(["NaN", "Inf", "-Inf", "0"])
        value = draw.choice([-1, 1]) * 10 ** draw.uniform(low, high)
        return "%d" % value if kind < 0.3 and abs(value) >= 1 else "%.*g" % (draw.randint(1, 17), value)

    for _ in range(count):
        form, scale = draw.choice(["short", "short", "long"]), draw.choice(["each", "common"])
        # Not where the table of differences begins: seven digits in `long` or with a common scale, and single with one.
        middle, spread = draw.uniform(-8, 8), draw.choice([0.3, 1, 2, 4, 8])
        high = min(middle + spread, 5.9) if form == "long" or scale == "common" else middle + spread
        low = min(middle - spread, high)
        rows, columns = draw.choice([(1, 1), (1, 2), (2, 2), (3, 1), (1, 13)])
        make = "single(%s)" if draw.random() < 0.2 and scale == "each" else "%s"
        is_complex = draw.random() < 0.25
        special = not is_complex or (scale == "each" and rows * columns > 1)  # as the table of differences says

        def element():
            one = number(low, high, special)
            return "complex(%s,%s)" % (one, number(low, high, special)) if is_complex else one

        text = ";".join(",".join(element() for _ in range(columns)) for _ in range(rows))
        yield make % ("[%s]" % text), "display", form, scale


def octave_program(cases):
    out = [r"""
function text = shown (x, how)
  if strcmp (how, 'disp')
    text = evalc ('disp (x)');
  else
    text = evalc ('x');
  end
end
function show (x, expression, how, form, scale)
  format (form); fixed_point_format (false);
  text = shown (x, how);
  if strcmp (scale, 'common') && isfloat (x) && numel (x) > 1 && any (x(isfinite (x)) != fix (x(isfinite (x)))) ...
      && ! isempty (regexp (text, '\de[+-]\d'))
    fixed_point_format (true);
    text = shown (x, how);
    fixed_point_format (false);
  end
  printf ('case %s\nshow %s %s %s\n', expression, how, form, scale);
  printf ('%s\n', strtrim (sprintf ('value %s %s %s', class (x), size_of (x), hex_of (x))));
  printf ('|%s\n', strrep (text(1:end-1), "\n", "\n|"));
end
"""]
    for text, how, form, scale in cases:
        out.append("show (%s, %s, '%s', '%s', '%s');\n" % (text, octave.quoted(text), how, form, scale))
    return "".join(out)


def with_difference(block, ours, reason):
    lines = block.splitlines()
    head = [line for line in lines if not line.startswith("|")]
    theirs = ["<" + line[1:] for line in lines if line.startswith("|")]
    return "\n".join(head + ["differs " + reason] + theirs + ["|" + line for line in ours[:-1].split("\n")]) + "\n"


def blocks(cases):
    made = octave.run(octave_program(cases)).split("case ")[1:]
    assert len(made) == len(cases), (len(made), len(cases))
    return ["case " + block for block in made]


def main(arguments):
    if arguments[:1] == ["--random"]:
        sys.stdout.write("\n".join(blocks(list(random_cases(int(arguments[1]), int(arguments[2]))))))
        return
    stored = list(dict.fromkeys(stored_cases()))
    different = {row[:4]: row[4:] for row in DIFFERENT}
    cases = [case for case in stored if case not in different]
    cases += list(random_cases(120, 1))
    made = blocks(cases)
    made += [with_difference(block, *different[case])
             for case, block in zip(different, blocks(list(different)))]
    sys.stdout.write(HEADER.format(version=octave.version()) + "\n" + "\n".join(made))


if __name__ == "__main__":
    main(sys.argv[1:])
