#!/usr/bin/env python3
"""Coefficients and constants of src/exec/cpu/function_*-inl.h: polynomials by Remez' exchange, with their error bounds.

usage: minimax.py        needs mpmath

Each polynomial approximates g on [a, b], so that the largest |w (p - g)| is least; w makes of an error in the polynomial a
relative error of the function that is computed with it. Coefficients are rounded to double, the lowest power first; the bound
is that of the rounded polynomial, looked for at 20,000 places and their neighbourhood, in 60 digits.
"""
import mpmath as mp

mp.mp.dps = 60


def value(coefficients, x):
    result = mp.mpf(0)
    for c in reversed(coefficients):
        result = result * x + c
    return result


def series(function, x, at_zero):
    return at_zero if x == 0 else function(x)


def remez(g, w, a, b, degree):
    """The polynomial of this degree whose weighted error alternates between degree + 2 equal extremes."""
    n = degree + 2
    places = [(a + b) / 2 + (b - a) / 2 * mp.cos(mp.pi * (n - 1 - i) / (n - 1)) for i in range(n)]
    for _ in range(12):
        # w(x) (p(x) - g(x)) = +-e at each place; where w is 0 the sign of e is what is left
        rows = mp.matrix(n, n)
        right = mp.matrix(n, 1)
        for i, x in enumerate(places):
            weight = w(x)
            for k in range(degree + 1):
                rows[i, k] = weight * x**k
            rows[i, degree + 1] = (-1) ** i
            right[i] = weight * g(x)
        solution = mp.lu_solve(rows, right)
        p = [solution[k] for k in range(degree + 1)]
        error = [(w(x) * (value(p, x) - g(x)), x) for x in grid(a, b, 2000)]
        # the largest of each run of one sign
        extremes = []
        for e, x in error:
            if extremes and (extremes[-1][0] >= 0) == (e >= 0):
                if abs(e) > abs(extremes[-1][0]):
                    extremes[-1] = (e, x)
            else:
                extremes.append((e, x))
        while len(extremes) > n:
            del extremes[0 if abs(extremes[0][0]) < abs(extremes[-1][0]) else -1]
        if len(extremes) < n:
            break
        new = [x for _, x in extremes]
        moved = max(abs(x - y) for x, y in zip(new, places))
        places = new
        if moved < (b - a) / 3000:
            break
    return p


def grid(a, b, n):
    return [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * i / n) for i in range(n + 1)]


def bound(p, g, w, a, b):
    return max(abs(w(x) * (value(p, x) - g(x))) for x in grid(a, b, 20000))


def show(name, g, w, a, b, degree):
    p = [mp.mpf(float(c)) for c in remez(g, w, a, b, degree)]
    error = bound(p, g, w, a, b)
    print(f"{name}, degree {degree}: error at most 2^{mp.nstr(mp.log(error, 2), 5)}")
    for c in p:
        print(f"    {float(c).hex()},")


def parts(name, x, *bits):
    """x as a sum: parts of so many bits, nearest first, and what is left."""
    result = []
    for count in bits:
        scale = mp.mpf(2) ** (count - 1 - mp.floor(mp.log(abs(x), 2)))
        result.append(mp.nint(x * scale) / scale)
        x -= result[-1]
    print(f"{name}: " + ", ".join(float(part).hex() for part in [*result, x]))


def main():
    half_log = mp.log(2) / 2 * mp.mpf("1.0000001")
    show("kExpm1: (e^r - 1) / r, |r| <= log(2) / 2; relative", lambda r: series(lambda x: mp.expm1(x) / x, r, mp.mpf(1)),
         lambda r: 1 / series(lambda x: mp.expm1(x) / x, r, mp.mpf(1)), -half_log, half_log, 9)
    s = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1) * mp.mpf("1.0000001")
    tiny = mp.mpf(10) ** -20
    show("kLog: (2 atanh(s) - 2s) / s^3, z = s^2; relative to 2s",
         lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z, lambda z: z / 2, tiny, s * s, 5)
    q = mp.pi / 4 * mp.mpf("1.0000001")
    show("kSin: (sin r - r) / r^3, z = r^2; relative to r", lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
         lambda z: z, tiny, q * q, 5)
    show("kCos: (cos r - 1) / z, z = r^2; absolute", lambda z: (mp.cos(mp.sqrt(z)) - 1) / z, lambda z: z, tiny, q * q, 5)
    print()
    parts("log(2)", mp.log(2), 44)
    parts("log(2) / 128", mp.log(2) / 128, 35, 35)
    parts("log(2), the first a multiple of 2^-42", mp.log(2), 42)
    parts("log(2), a pair", mp.log(2), 53)
    parts("1 / log(2)", 1 / mp.log(2), 53)
    parts("1 / log(10)", 1 / mp.log(10), 53)
    parts("log10(2)", mp.log10(2), 53)
    parts("pi / 2", mp.pi / 2, 33, 33)
    parts("pi / 512", mp.pi / 512, 33, 33, 33)
    parts("512 / pi", 512 / mp.pi, 53)
    parts("2 / pi", 2 / mp.pi, 53)


if __name__ == "__main__":
    main()
