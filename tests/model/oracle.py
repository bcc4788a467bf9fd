"""What every element of a result must be, to the bit. Shares nothing with Hadamard.

An element is its bit pattern, an int. Floats are exact fractions, rounded once to nearest even; exp and ln are
Decimals of 120 digits, and a result that 60 digits do not decide is an error of this file. Integers are Python's,
modulo 2^n.
"""
import dataclasses
import decimal
import math
from fractions import Fraction

INF = math.inf
NAN = "nan"
CONTEXT = decimal.Context(prec=120, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
FAR = Fraction(2) ** 4000  # beyond all numbers of all types, and so is 1 / FAR


@dataclasses.dataclass(frozen=True)
class Type:
    name: str
    number: int  # TensorProto.DataType
    kind: str  # float, int, bool, complex
    bits: int
    numpy: str = ""
    precision: int = 0  # of floats: digits of the significand, the hidden one included
    signed: bool = False

    @property
    def mask(self):
        return (1 << self.bits) - 1

    @property
    def least(self):
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def most(self):
        return (1 << (self.bits - self.signed)) - 1

    @property
    def emin(self):
        return 2 - (1 << (self.bits - self.precision - 1))

    @property
    def inf(self):
        return ((1 << (self.bits - self.precision)) - 1) << (self.precision - 1)

    @property
    def nan(self):
        """The canonical one: quiet, positive, no payload."""
        return self.inf | 1 << (self.precision - 2)

    @property
    def sign(self):
        return 1 << (self.bits - 1)

    # Integers and bool.
    def value(self, bits):
        return bits - (1 << self.bits) if self.signed and bits >> (self.bits - 1) else bits

    def wrap(self, value):
        return value & self.mask


FLOATS = [Type("fp16", 10, "float", 16, "<f2", 11), Type("bf16", 16, "float", 16, "V2", 8),
          Type("fp32", 1, "float", 32, "<f4", 24), Type("fp64", 11, "float", 64, "<f8", 53)]
SIGNED = [Type("int4", 22, "int", 4, "i1", signed=True), Type("int8", 3, "int", 8, "i1", signed=True),
          Type("int16", 5, "int", 16, "<i2", signed=True), Type("int32", 6, "int", 32, "<i4", signed=True),
          Type("int64", 7, "int", 64, "<i8", signed=True)]
UNSIGNED = [Type("uint4", 21, "int", 4, "u1"), Type("uint8", 2, "int", 8, "u1"), Type("uint16", 4, "int", 16, "<u2"),
            Type("uint32", 12, "int", 32, "<u4"), Type("uint64", 13, "int", 64, "<u8")]
BOOL = Type("bool", 9, "bool", 8, "?")
COMPLEX = [Type("complex64", 14, "complex", 64, "<c8"), Type("complex128", 15, "complex", 128, "<c16")]
TYPES = {t.name: t for t in FLOATS + SIGNED + UNSIGNED + [BOOL] + COMPLEX}


# --- Floats: NAN, or a sign (0, 1) and a magnitude (a Fraction or INF) ---------------------------

def decode(t, bits):
    sign, rest = bits >> (t.bits - 1), bits & ~t.sign
    if rest >= t.inf:
        return (sign, INF) if rest == t.inf else NAN
    exponent, fraction = rest >> (t.precision - 1), rest & ((1 << (t.precision - 1)) - 1)
    if exponent:
        fraction |= 1 << (t.precision - 1)
    return sign, fraction * Fraction(2) ** (max(exponent, 1) - 1 + t.emin - (t.precision - 1))


def encode(t, x):
    if x == NAN:
        return t.nan
    sign, magnitude = x
    top = t.sign if sign else 0
    if magnitude == INF:
        return top | t.inf
    if magnitude == 0:
        return top
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    exponent = max(exponent, t.emin)
    # round() of a Fraction is to nearest even. A carry out of the significand is one into the exponent.
    units = round(magnitude / Fraction(2) ** (exponent - (t.precision - 1)))
    return top | min(((exponent - t.emin) << (t.precision - 1)) + units, t.inf)


def signed(x):
    return -x[1] if x[0] else x[1]


def from_number(value, zero_sign=0):
    """Of a Fraction or an infinity; of zero, the sign is the caller's."""
    return (zero_sign, Fraction(0)) if value == 0 else (int(value < 0), abs(value))


def add(a, b):
    if NAN in (a, b):
        return NAN
    if INF in (a[1], b[1]):
        if a[1] == b[1] and a[0] != b[0]:
            return NAN
        return a if a[1] == INF else b
    return from_number(signed(a) + signed(b), a[0] & b[0])  # x - x is +0, -0 - 0 is -0


def neg(a):
    return a if a == NAN else (1 - a[0], a[1])


def sub(a, b):
    return add(a, neg(b))


def mul(a, b):
    if NAN in (a, b) or (INF in (a[1], b[1]) and 0 in (a[1], b[1])):
        return NAN
    return a[0] ^ b[0], INF if INF in (a[1], b[1]) else a[1] * b[1]


def div(a, b):
    if NAN in (a, b) or (a[1] == b[1] and a[1] in (0, INF)):
        return NAN
    if a[1] == INF or b[1] == 0:
        return a[0] ^ b[0], INF
    return a[0] ^ b[0], Fraction(0) if b[1] == INF else a[1] / b[1]


def larger(a, b):
    """NaN wins; +0 is above -0."""
    if NAN in (a, b):
        return NAN
    return max(a, b, key=lambda x: (signed(x), not x[0]))


def smaller(a, b):
    if NAN in (a, b):
        return NAN
    return min(a, b, key=lambda x: (signed(x), not x[0]))


ONE, ZERO = (0, Fraction(1)), (0, Fraction(0))


def whole(how):
    """floor, ceil, round (half to even): the sign of zero stays, also where a number becomes zero."""
    def f(a):
        if a == NAN or a[1] == INF:
            return a
        return from_number(Fraction(how(signed(a))), a[0])
    return f


def sign_of(a):
    return a if a == NAN else ZERO if a[1] == 0 else (a[0], Fraction(1))


# --- Functions: (how to round) -> the rounded result --------------------------------------------

class Approximate(Exception):
    """A number that is too near to a boundary for its digits."""


def decided(t, sign, magnitude):
    """Rounds an approximation of 60 good digits."""
    slack = magnitude / 10 ** 60
    low, high = encode(t, (sign, magnitude - slack)), encode(t, (sign, magnitude + slack))
    if low != high:
        raise Approximate(t.name, float(magnitude))
    return low


def dec(x):
    return CONTEXT.divide(decimal.Decimal(x.numerator), decimal.Decimal(x.denominator))


def exp_of(x):
    """e^x of a Fraction, as a Fraction."""
    if abs(x) > 2000:
        return FAR if x > 0 else 1 / FAR
    return Fraction(CONTEXT.exp(dec(x)))


def ln_of(x):
    shift = x.numerator.bit_length() - x.denominator.bit_length()  # Decimal's own ln is slow far from 1
    if abs(shift) < 4:
        return Fraction(CONTEXT.ln(dec(x)))
    return Fraction(CONTEXT.ln(dec(x / Fraction(2) ** shift))) + shift * LN2


LN2 = Fraction(CONTEXT.ln(decimal.Decimal(2)))


def sqrt(t, a):
    if a == NAN or a[1] == 0:
        return encode(t, a)
    if a[0]:
        return t.nan
    if a[1] == INF:
        return t.inf
    # Of n/d·2^2k, with so many digits that what is cut off can only be below a boundary, never be one.
    scale = 4 ** 1200
    scaled = a[1] * scale
    root = math.isqrt(scaled.numerator // scaled.denominator)
    exact = root * root * scaled.denominator == scaled.numerator
    return encode(t, (0, (root + (Fraction(0) if exact else Fraction(1, 2))) / Fraction(2) ** 1200))


def exp(t, a):
    if a == NAN:
        return t.nan
    if a[1] == INF:
        return 0 if a[0] else t.inf
    return encode(t, ONE) if a[1] == 0 else decided(t, 0, exp_of(signed(a)))


def log(t, a):
    if a == NAN or (a[0] and a[1] != 0):
        return t.nan
    if a[1] in (0, INF):
        return t.inf | (t.sign if a[1] == 0 else 0)
    if a[1] == 1:
        return 0
    y = ln_of(a[1])
    return decided(t, int(y < 0), abs(y))


def tanh(t, a):
    if a == NAN or a[1] == 0:
        return encode(t, a)
    if a[1] > 400:
        return encode(t, (a[0], Fraction(1)))
    x = a[1]
    if x < Fraction(1, 10 ** 20):
        return decided(t, a[0], x - x ** 3 / 3)
    e = exp_of(2 * x)
    return decided(t, a[0], (e - 1) / (e + 1))


def sigmoid(t, a):
    if a == NAN:
        return t.nan
    if a[1] == INF:
        return 0 if a[0] else encode(t, ONE)
    return decided(t, 0, 1 / (1 + exp_of(-signed(a))))


def exact_power(x, y):
    """x^y where it is rational and not absurdly long; None otherwise."""
    for _ in range(y.denominator.bit_length() - 1):  # the denominator is a power of two: square roots
        n, d = math.isqrt(x.numerator), math.isqrt(x.denominator)
        if n * n != x.numerator or d * d != x.denominator:
            return None
        x = Fraction(n, d)
    if x == 1:
        return x
    return x ** y.numerator if abs(y.numerator) <= 4096 else None


def power(t, a, b):
    """As C's pow."""
    one = encode(t, ONE)
    if b != NAN and b[1] == 0 or a == ONE:
        return one
    if NAN in (a, b):
        return t.nan
    if b[1] == INF:
        if a[1] == 1:
            return one
        return t.inf if (a[1] > 1) != bool(b[0]) else 0
    y = signed(b)
    odd = y.denominator == 1 and y.numerator % 2 == 1
    if a[1] in (0, INF):
        big = (a[1] == INF) != bool(b[0])
        return (t.inf if big else 0) | (t.sign if a[0] and odd else 0)
    if a[0] and y.denominator != 1:
        return t.nan
    sign, x = int(a[0] and odd), a[1]
    if x == 1:
        return encode(t, (sign, x))
    exponent = y * ln_of(x)
    if abs(exponent) > 2000:
        return encode(t, (sign, FAR if exponent > 0 else 1 / FAR))
    try:
        return decided(t, sign, exp_of(exponent))
    except Approximate:
        exact = exact_power(x, y)
        if exact is None:
            raise
        return encode(t, (sign, exact))


def of_floats(f):
    return lambda t, *bits: encode(t, f(*(decode(t, x) for x in bits)))


def of_values(f):
    return lambda t, *bits: f(t, *(decode(t, x) for x in bits))


FLOAT = {
    "Add": of_floats(add), "Sub": of_floats(sub), "Mul": of_floats(mul), "Div": of_floats(div),
    "Max": of_floats(larger), "Min": of_floats(smaller), "Identity": of_floats(lambda a: a), "Neg": of_floats(neg),
    "Abs": of_floats(lambda a: a if a == NAN else (0, a[1])), "Sign": of_floats(sign_of),
    "Relu": of_floats(lambda a: larger(a, ZERO)), "Reciprocal": of_floats(lambda a: div(ONE, a)),
    "Floor": of_floats(whole(math.floor)), "Ceil": of_floats(whole(math.ceil)), "Round": of_floats(whole(round)),
    "Sqrt": of_values(sqrt), "Exp": of_values(exp), "Log": of_values(log), "Tanh": of_values(tanh),
    "Sigmoid": of_values(sigmoid), "Pow": of_values(power),
    "Clip": of_floats(lambda a, low, high: smaller(larger(a, low), high)),
}


# --- Integers -----------------------------------------------------------------------------------

def truncated(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def int_power(a, b):
    return a ** b if b >= 0 else truncated(1, a ** -b)


INT = {
    "Add": lambda a, b: a + b, "Sub": lambda a, b: a - b, "Mul": lambda a, b: a * b,
    "Div": lambda a, b: a // b, "DivTrunc": truncated, "Max": max, "Min": min, "Identity": lambda a: a,
    "Neg": lambda a: -a, "Abs": abs, "Sign": lambda a: (a > 0) - (a < 0), "Relu": lambda a: max(a, 0),
    "Pow": int_power, "Clip": lambda a, low, high: min(max(a, low), high),
}


def apply(op, t, *bits):
    """The bits of one element."""
    if t.kind == "float":
        return FLOAT[op](t, *bits)
    return t.wrap(INT[op](*map(t.value, bits)))


def has(op, t):
    """Whether ONNX has the operator for the type (with INT4 and UINT4 as the other integers)."""
    if t.kind == "float":
        return op in FLOAT
    if t.kind != "int" or op not in INT:
        return op == "Identity"
    if op == "Pow":
        return t.name in ("int32", "int64")
    return t.signed or op not in ("Neg", "Relu")


def cast(source, target, bits):
    if source.kind == "float":
        x = decode(source, bits)
        if target.kind == "float":
            return encode(target, x)
        if target.kind == "bool":
            return int(x == NAN or x[1] != 0)
        if x == NAN:
            return 0
        if x[1] == INF:
            return target.wrap(target.least if x[0] else target.most)
        return target.wrap(min(max(math.trunc(signed(x)), target.least), target.most))
    value = source.value(bits)
    if target.kind == "float":
        return encode(target, from_number(Fraction(value)))
    return int(value != 0) if target.kind == "bool" else target.wrap(value)


# --- Elements worth a test ----------------------------------------------------------------------

def interesting(t):
    """Bit patterns: every special one, the ends, and some between."""
    if t.kind == "bool":
        return [0, 1]
    if t.kind == "int":
        values = {0, 1, 2, 3, 5, 7, t.most, t.most - 1, t.most // 2, t.least, t.least + 1, -1, -2, -3, -7, -35, 35}
        return sorted({t.wrap(v) for v in values})
    one = encode(t, ONE)
    least_normal = 1 << (t.precision - 1)
    plain = [0, 1, 2, least_normal - 1, least_normal, one, one - 1, one + 1, t.inf - 1, t.inf]
    numbers = ["0.5", "1.5", "2", "2.5", "3", "3.5", "4", "0.25", "0.1", "10", "11.5", "88.5", "100.25", "700", "1e-3"]
    plain += [encode(t, (0, Fraction(n))) for n in numbers]
    other_nan = t.inf | 1  # signalling, with a payload
    return plain + [x | t.sign for x in plain] + [t.nan, t.nan | t.sign | 1, other_nan]
