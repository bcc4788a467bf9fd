#!/usr/bin/env python3
"""Makes expressions.cases: expressions and what GNU Octave makes of them.

    tests/matlab/expressions_from_octave.py > tests/matlab/expressions.cases
"""
import itertools
import sys

import octave
from expressions import FUNCTIONS, PARSING, SPECIAL, lines_of

HEADER = """\
# Expressions and their results, made by expressions_from_octave.py with {version}. Do not edit.
#
# A row is   FLAGS <tab> EXPRESSION <tab> RESULT   with one of the results
#   CLASS SIZE ELEMENT...   elements column by column, their bits in hex; of a complex result (also of one whose
#                           imaginary parts are zero) REAL:IMAGINARY. Every NaN is stored as the positive quiet one.
#   error KIND MESSAGE      KIND: size (do not fit together), class (no such operator for these classes), undefined,
#                           index, syntax, other. MESSAGE is Octave's, for readers; none for class and syntax.
# and the flags, separated by commas
#   exact      all bits are the same, but for those of NaN
#   close      within a few ULP of each part, or of the larger part of a complex number: Octave's own last bits are
#              those of the C library; Inf and NaN by class
#   integers   holds after integers('matlab'): the class is kept, rounded half away from zero and saturated
#   theirs     Octave's, where the document or MATLAB say otherwise (README.md)
# In an EXPRESSION `\\n` is a line break. `# ...` lines begin a part.
"""

ARITHMETIC = ["+", "-", ".*", "./", ".\\"]
COMPARISONS = ["==", "~=", "<", "<=", ">", ">="]
LOGICAL = ["&", "|"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
CLASSES = ["double", "single", "logical", "char", *INTEGERS, "complex", "single complex"]
SHAPES = ["scalar", "row", "column", "matrix", "3-D", "empty"]

# Elements of an operand by its class; the left one has other values than the right one.
ELEMENTS = {
    "double": ("7 -2.5 3 0", "2 -4 0 3"), "single": ("5 -1.5 4 0", "2 8 0 -3"), "logical": ("1 0 1 1", "1 1 0 1"),
    "char": ("a B c d", "A b 7 d"), "complex": ("1+2i -3i 4 0.5-1i", "2-1i 4 2i -1+1i"),
    "signed": ("100 -7 9 0", "2 -100 0 4"), "unsigned": ("200 7 9 0", "3 100 0 5"),
    "exponent": ("2 3 1 0", "2 3 1 0"), "base": ("2 3 5 7", "2 3 5 7"),
}


def elements(cls, side, use=None):
    if use == "power":
        return ELEMENTS["base" if side == 0 else "exponent"][side].split()
    plain = cls.replace("single complex", "complex")
    if cls in INTEGERS:
        plain = "unsigned" if cls.startswith("u") else "signed"
    return ELEMENTS[plain][side].split()


def operand(cls, shape, side, use=None):
    parts = elements(cls, side, None if cls in ("char", "logical", "complex", "single complex") else use)
    count = {"scalar": 1, "row": 2, "column": 2, "matrix": 4, "3-D": 4, "empty": 0}[shape]
    if cls == "char":
        parts = ["'%s'" % part for part in parts]
    if shape == "scalar":
        text = parts[0]
    elif shape == "row":
        text = "[%s]" % " ".join(parts[:2])
    elif shape == "column":
        text = "[%s]" % ";".join(parts[:2])
    elif shape == "matrix":
        text = "[%s %s;%s %s]" % tuple(parts)
    elif shape == "3-D":
        text = "reshape([%s],1,2,2)" % " ".join(parts[:count])
    else:
        text = "zeros(0,2)"
    if cls == "char":
        return "char(%s)" % text if shape == "empty" else text
    if cls == "complex":
        return "complex(%s)" % text if shape == "empty" else ("(%s)" % text if shape == "scalar" else text)
    if cls == "single complex":
        return "single(complex(%s))" % text if shape == "empty" else "single(%s)" % text
    if cls == "double":
        return "(%s)" % text if text.startswith("-") else text
    return "%s(%s)" % (cls, text)


def product():
    """Every operator on every pair of classes in every shape; the shape of the right operand takes turns."""
    turn = itertools.count()
    for op in ARITHMETIC + [".^"] + COMPARISONS + LOGICAL:
        for left, right in itertools.product(CLASSES, CLASSES):
            is_complex = "complex" in left + right
            # Octave orders complex numbers by magnitude, MATLAB by real part; MATLAB has no & and | for them.
            if is_complex and op in COMPARISONS[2:] + LOGICAL:
                continue
            has_integer = left in INTEGERS or right in INTEGERS
            is_arithmetic = op in ARITHMETIC + [".^"]
            flags = "close" if op == ".^" or (is_complex and is_arithmetic) else "exact"
            if has_integer and is_arithmetic:
                flags += ",integers"
            wide_with_float = (op in "+-" and {left, right} & {"int64", "uint64"} and
                               {left, right} & {"double", "single"})
            mixed_logic = op in LOGICAL and left != right and left in INTEGERS and right in INTEGERS
            large_power = op == ".^" and "complex" in left and right == "char"
            if (has_integer and is_complex) or wide_with_float or mixed_logic or large_power:
                flags += ",theirs"
            use = "power" if op == ".^" else None
            for shape in SHAPES:
                other = ("scalar", shape, "row", shape)[next(turn) % 4]
                if shape == "empty" and other == "row":
                    other = "empty"
                yield flags, "%s %s %s" % (operand(left, shape, 0, use), op, operand(right, other, 1, use))


def shapes():
    """Every operator on every pair of shapes, with those that do not fit together."""
    made = {"scalar": "3", "row": "[1 2 3]", "column": "[4;5]", "matrix": "[1 2 3;4 5 6]", "3-D": "reshape(1:12,2,3,2)",
            "empty": "zeros(0,3)", "longer row": "[1 2 3 4]", "empty row": "zeros(1,0)", "tall": "[1 2;3 4;5 6]",
            "4-D": "reshape(1:4,1,1,2,2)", "nothing": "[]", "3-D of 1": "reshape(1:2,1,1,2)"}
    for op in ["+", "./", ".^", "==", "&"]:
        for left, right in itertools.product(made.values(), made.values()):
            yield ("close" if op == ".^" else "exact"), "%s %s %s" % (left, op, right)
    for op in ["-", ".*", ".\\", "~=", "<", "<=", ">", ">=", "|"]:
        for left, right in itertools.product(list(made.values())[:6], list(made.values())[:6]):
            yield "exact", "%s %s %s" % (left, op, right)
    for name in ["plus", "minus", "times", "rdivide", "ldivide", "power"]:
        for left, right in [("[1 2 3]", "[1 2]"), ("ones(2,3)", "ones(3,2)"), ("ones(4,2,3)", "ones(2,3)"),
                            ("zeros(0,3)", "ones(2,3)"), ("zeros(0,3)", "ones(1,3)"), ("[1 2;3 4]", "2")]:
            yield "exact", "%s(%s,%s)" % (name, left, right)


def neighbours():
    """Every pair of shapes side by side and below each other: which empty ones are left out."""
    made = ["[]", "zeros(1,0)", "zeros(0,1)", "zeros(2,0)", "zeros(0,2)", "zeros(3,0)", "zeros(0,3)", "zeros(1,0,2)",
            "zeros(0,0,2)", "5", "[1 2]", "[1;2]", "[1 2;3 4]", "ones(1,2,2)", "''", "'ab'", "single([])",
            "zeros(1,0,'int8')", "int8(7)", "false(1,0)", "true"]
    for left, right in itertools.product(made, made):
        yield "exact", "[%s, %s]" % (left, right)
        yield "exact", "[%s; %s]" % (left, right)


def signs_and_infinities():
    """Every operator on every pair of special values."""
    column, row = "[0;-0;1;-1;Inf;-Inf;NaN]", "[0 -0 1 -1 Inf -Inf NaN]"
    for make in ["%s", "single(%s)"]:
        for op in ARITHMETIC + COMPARISONS:
            yield "exact", "%s %s %s" % (make % column, op, make % row)
        yield "close", "%s .^ %s" % (make % "[0;-0;1;Inf;NaN]", make % row)
        values = "0 -0 1 -1 Inf -Inf NaN".split()
        for op in ARITHMETIC:
            for a, b in itertools.product(values, ["0", "-0", "Inf", "-Inf", "NaN"]):
                yield "exact", "%s %s %s" % (make % ("(%s)" % a), op, make % ("(%s)" % b))
    for cls in INTEGERS:
        for op in ARITHMETIC:
            yield "exact,integers", "[intmin('%s') intmax('%s') 0 1 7] %s %s([1 1 0 0 2])" % (cls, cls, op, cls)
            # Octave rounds the float first: of the least int64 and 0.5 it makes one more, the sum rounds to the least.
            theirs = ",theirs" if cls == "int64" and op == "+" else ""
            yield "exact,integers" + theirs, "[intmin('%s') intmax('%s') 0 1 7] %s [0.5 -1 NaN Inf 2]" % (cls, cls, op)
        yield "exact", "%s([-1e30 1e30 NaN Inf -Inf 0.5 1.5 2.5 -0.5 -1.5 127.5 255.5])" % cls


def endless_ranges():
    """Every range that begins, goes on or ends with a number that is not finite, or with 0."""
    for make in ["%s", "single(%s)"]:
        for first, step, last in itertools.product(["-Inf", "0", "Inf", "NaN"],
                                                   ["-Inf", "-0.3", "0", "0.3", "Inf", "NaN"],
                                                   ["-Inf", "-1", "0", "1", "Inf", "NaN"]):
            yield "exact", ":".join(make % number for number in (first, step, last))


def parts():
    yield "every operator, every pair of classes, every shape", product()
    yield "every operator, every pair of shapes", shapes()
    yield "every pair of shapes, side by side", neighbours()
    yield "zeros with signs, infinities, NaN, the limits of integers", signs_and_infinities()
    yield "complex numbers: overflow, underflow, special values", lines_of(SPECIAL)
    yield "literals, precedence, brackets, ranges, indices", lines_of(PARSING)
    yield "functions", lines_of(FUNCTIONS)
    yield "ranges without an end", endless_ranges()


PROGRAM = r"""
function text = normal_hex (x)
  if isfloat (x)
    if iscomplex (x)
      re = real (x); im = imag (x); re(isnan (re)) = NaN; im(isnan (im)) = NaN;
      x = complex (re, im);
    else
      x(isnan (x)) = NaN;
    end
  end
  text = hex_of (x);
end
function kind = kind_of (err)
  id = err.identifier; message = err.message;
  if strcmp (id, 'Octave:nonconformant-args') || ! isempty (strfind (message, 'dimensions mismatch')) ...
      || ! isempty (strfind (message, 'nonconformant'))
    kind = 'size';
  elseif ! isempty (regexp (message, '^(binary|unary) operator'))
    kind = 'class';
  elseif ! isempty (strfind (message, 'parse error'))
    kind = 'syntax';
  elseif ! isempty (strfind (id, 'index')) || ! isempty (regexp (message, 'out of bound|index \('))
    kind = 'index';
  elseif strcmp (id, 'Octave:undefined-function')
    kind = 'undefined';
  else
    kind = 'other';
  end
end
function row (flags, expression)
  try
    x = eval (strrep (expression, '\n', "\n"));
    result = strtrim (sprintf ('%s %s %s', class (x), size_of (x), normal_hex (x)));
  catch err
    message = strtrim (strsplit (strtrim (err.message), "\n"){1});
    if any (strcmp (kind_of (err), {'class', 'syntax'}))
      message = '';
    end
    result = strtrim (sprintf ('error %s %s', kind_of (err), message));
  end
  printf ("%s\t%s\t%s\n", flags, expression, result);
end
"""


def main():
    program, seen = [PROGRAM], set()
    for title, rows in parts():
        program.append("disp (%s);\n" % octave.quoted("# " + title))
        for flags, text in rows:
            if (flags, text) not in seen:
                seen.add((flags, text))
                program.append("row ('%s', %s);\n" % (flags, octave.quoted(text)))
    sys.stdout.write(HEADER.format(version=octave.version()) + octave.run("".join(program)))


if __name__ == "__main__":
    main()
