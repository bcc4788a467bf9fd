"""Every operator for every type, bit for bit as the oracle of the models' tests says (exact fractions)."""
import os
import pathlib
import random
import sys
import unittest

import numpy as np

import hadamard

sys.path.insert(0, str(pathlib.Path(os.environ["HADAMARD_SOURCE"], "tests", "model")))
import oracle  # noqa: E402
from oracle import BOOL, COMPLEX, FLOATS, SIGNED, TYPES, UNSIGNED  # noqa: E402

NUMBERS = FLOATS + SIGNED + UNSIGNED
LACKING = {"bf16": "<f4", "int4": "i1", "uint4": "u1"}  # what NumPy shows these as
ONE_OPERAND = [f.__name__ for f in hadamard.functions if f.__text_signature__.startswith("(a, out")]
TWO_OPERANDS = [f.__name__ for f in hadamard.functions if f.__text_signature__.startswith("(a, b, out")]


def operand(t, bits):
    """An array of these bit patterns; of types that NumPy lacks, a hadamard.Tensor."""
    if t.name == "bf16":
        return hadamard.Tensor((np.array(bits, "<u4") << 16).view("<f4"), dtype="bf16")
    if t.name in LACKING:
        return hadamard.Tensor(np.array([t.value(b) for b in bits], LACKING[t.name]), dtype=t.name)
    if t.kind == "bool":
        return np.array(bits, bool)
    return np.array(bits, f"<u{t.bits // 8}").view(t.numpy)


def bits_of(t, result):
    if t.name in LACKING:
        if not isinstance(result, hadamard.Tensor) or result.dtype != t.name:
            raise AssertionError(f"{type(result)} of {t.name}")
        array = result.numpy()
        if t.name == "bf16":
            return [int(x) >> 16 for x in array.view("<u4")]
        return [t.wrap(int(x)) for x in array]
    if type(result) is not np.ndarray or result.dtype != np.dtype(t.numpy):
        raise AssertionError(f"{type(result)} {result.dtype} of {t.name}")
    return [int(x) for x in result.view(f"<u{t.bits // 8}")]


class Elements(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(11)

    def some(self, t, count):
        near = (lambda: t.wrap(self.random.randint(-12, 12))) if t.kind == "int" else (lambda: oracle.encode(
            t, oracle.from_number(oracle.Fraction(self.random.randint(-2000, 2000), self.random.choice([2, 16, 100])))))
        return [self.random.choice([lambda: self.random.getrandbits(t.bits), near])() for _ in range(count)]

    def pairs(self, t):
        special = oracle.interesting(t)
        few = special if len(special) <= 20 else [x for x in special if x & ~t.sign in (0, 1, t.inf, t.nan)]
        return [(a, b) for a in special for b in few] + list(zip(self.some(t, 40), self.some(t, 40)))

    def same(self, t, result, expected, what):
        found = bits_of(t, result)
        wrong = [i for i, (x, y) in enumerate(zip(found, expected)) if x != y]
        self.assertEqual(len(found), len(expected), what)
        self.assertFalse(wrong, f"{what}: at {wrong[:5]} {[hex(found[i]) for i in wrong[:5]]}, "
                                f"not {[hex(expected[i]) for i in wrong[:5]]}")

    def test_one_operand(self):
        seen = set()
        for t in NUMBERS:
            bits = oracle.interesting(t) + self.some(t, 40)
            for name in ONE_OPERAND:
                op = name.capitalize()
                if op in (oracle.FLOAT if t.kind == "float" else oracle.INT):
                    if t.kind == "int" and not oracle.has(op, t):
                        continue
                    seen.add(name)
                    expected = [oracle.apply(op, t, x) for x in bits]
                    self.same(t, getattr(hadamard, name)(operand(t, bits)), expected, f"{name} of {t.name}")
        self.assertGreaterEqual(len(seen), 14)

    def test_two_operands(self):
        seen = set()
        for t in NUMBERS:
            pairs = self.pairs(t)
            for name in TWO_OPERANDS:
                op = name.capitalize()
                if op not in oracle.FLOAT or (name == "pow" and not oracle.has("Pow", t)):
                    continue
                kept = pairs
                if t.kind == "int" and name == "div":
                    kept, op = [(a, b) for a, b in pairs if b], "DivTrunc"
                if t.kind == "int" and name == "pow":
                    kept = [(a, b) for a, b in pairs if abs(t.value(b)) < 200 and (a or t.value(b) >= 0)]
                a, b = zip(*kept)
                seen.add(name)
                expected = [oracle.apply(op, t, x, y) for x, y in kept]
                self.same(t, getattr(hadamard, name)(operand(t, a), operand(t, b)), expected, f"{name} of {t.name}")
        self.assertEqual(seen, {"add", "sub", "mul", "div", "max", "min", "pow"})

    def test_integers_divide_as_the_dialect_says(self):
        for t in SIGNED:
            kept = [(a, b) for a, b in self.pairs(t) if b]
            a, b = (operand(t, c) for c in zip(*kept))
            down = [oracle.apply("Div", t, x, y) for x, y in kept]
            cut = [oracle.apply("DivTrunc", t, x, y) for x, y in kept]
            self.same(t, hadamard.div(a, b, dialect="sonnx"), down, t.name)
            self.same(t, hadamard.div(a, b, int_division="floor"), down, t.name)
            self.same(t, hadamard.div(a, b, dialect="sonnx", int_division="trunc"), cut, t.name)

    def test_every_cast(self):
        for s in NUMBERS + [BOOL]:
            bits = oracle.interesting(s) + (self.some(s, 40) if s.kind != "bool" else [])
            for t in NUMBERS + [BOOL]:
                result = hadamard.cast(operand(s, bits), t.name)
                if isinstance(result, hadamard.Tensor) and t.name not in LACKING:
                    result = result.numpy()
                self.same(t, result, [oracle.cast(s, t, x) for x in bits], f"{s.name} to {t.name}")

    def test_clip_and_where(self):
        for t in NUMBERS:
            bits = oracle.interesting(t)
            low, high = bits[::-1], bits[1:] + bits[:1]
            result = hadamard.clip(operand(t, bits), operand(t, low), operand(t, high))
            self.same(t, result, [oracle.apply("Clip", t, *x) for x in zip(bits, low, high)], f"clip of {t.name}")
            condition = np.arange(len(bits)) % 3 == 0
            chosen = [oracle.apply("Identity", t, a if c else b) for c, a, b in zip(condition, bits, low)]
            self.same(t, hadamard.where(condition, operand(t, bits), operand(t, low)), chosen, f"where of {t.name}")

    def test_complex_numbers(self):
        """Each part of sums, products and quotients correctly rounded: exact fractions say."""
        for t, part in zip(COMPLEX, (TYPES["fp32"], TYPES["fp64"])):
            values = [complex(self.random.uniform(-9, 9), self.random.uniform(-9, 9)) for _ in range(40)]
            a = np.array(values, t.numpy)
            b = np.array(values[::-1], t.numpy)

            def rounded(x):
                return oracle.encode(part, oracle.from_number(x))
            for name in ("add", "sub", "mul", "div"):
                found = getattr(hadamard, name)(a, b).view(f"<u{part.bits // 8}").reshape(-1, 2)
                for i, (x, y) in enumerate(zip(a, b)):
                    p, q, r, s = (oracle.Fraction(float(v)) for v in (x.real, x.imag, y.real, y.imag))
                    norm = r * r + s * s
                    exact = {"add": (p + r, q + s), "sub": (p - r, q - s), "mul": (p * r - q * s, p * s + q * r),
                             "div": ((p * r + q * s) / norm, (q * r - p * s) / norm)}[name]
                    self.assertEqual([int(v) for v in found[i]], [rounded(v) for v in exact], f"{name} {x} {y}")

    def test_all_the_others_against_numpy_in_twice_the_precision(self):
        numpy_of = {"expm1": np.expm1, "log1p": np.log1p, "log2": np.log2, "log10": np.log10, "exp2": np.exp2,
                    "sin": np.sin, "cos": np.cos, "hypot": np.hypot, "trunc": np.trunc, "mod": np.mod,
                    "rem": np.fmod, "atan2": np.arctan2}
        for name, exact in numpy_of.items():
            function = getattr(hadamard, name)
            for dtype in (np.float16, np.float32):
                a = np.array([self.random.uniform(0.01, 9) for _ in range(300)], dtype)
                operands = [a, a[::-1].copy()][:exact.nin]
                expected = exact(*(x.astype(np.float64) for x in operands))
                np.testing.assert_array_equal(function(*operands), expected.astype(dtype), f"{name} {dtype}")

    def test_complex_functions(self):
        z = np.array([3 - 4j, -1 + 0j, 0.25 + 0j])
        np.testing.assert_array_equal(hadamard.abs(z), [5, 1, 0.25])
        self.assertEqual(hadamard.abs(z.astype(np.complex64)).dtype, np.float32)
        np.testing.assert_array_equal(hadamard.sqrt(z), [2 - 1j, 1j, 0.5])
        np.testing.assert_array_equal(hadamard.conj(z), np.conj(z))
        out = np.empty(3)
        hadamard.abs(z, out=out)
        np.testing.assert_array_equal(out, [5, 1, 0.25])
        np.testing.assert_allclose(hadamard.exp(z), np.exp(z), rtol=1e-15)

    def test_every_function_has_every_type_that_its_text_names(self):
        for function in hadamard.functions:
            name = function.__name__
            if name not in ONE_OPERAND + TWO_OPERANDS or name == "divide":  # whose results have another type
                continue
            text = " ".join(function.__doc__.split("Types: ")[1].split("\nDialects")[0].split())
            named = set(text.replace("; both operands have the same", "").rstrip(".").split(", "))
            for dtype in hadamard.types:
                one = hadamard.Tensor([1, 1], dtype=dtype)
                operands = [one] * (1 + (name in TWO_OPERANDS))
                with self.subTest(f"{name} {dtype}"):
                    if dtype in named:
                        result = function(*operands)
                        part = {"complex64": "fp32", "complex128": "fp64"}.get(dtype, dtype)
                        wanted = part if name in ("abs", "hypot") else dtype
                        self.assertEqual((result.dtype, result.shape), (wanted, (2,)))
                        if hasattr(np, "float32") and dtype not in (*LACKING, "real"):
                            array = function(*(x.numpy() for x in operands))
                            self.assertEqual(array.tobytes(), result.numpy().tobytes())
                    else:
                        with self.assertRaises(TypeError):
                            function(*operands)


if __name__ == "__main__":
    unittest.main()
