"""Prints the coefficients of lib/kernel/special/f64 that are fits of our own, lowest power first, with their error.

Run:  python3 scripts/accuracy/f64-fits.py [NAME...]   (needs mpmath)

A polynomial interpolates its function at the Chebyshev points of the interval in 300 bits (within a factor of about two of the
best possible one); a rational function does so with the constant terms of both parts fixed at 1. The error is the largest
one of the rounded coefficients, weighted as it enters the result, in units of 2^-53.
"""

import sys

import mpmath as mp

mp.mp.prec = 300


def points(a, b, n):
    return [(a + b) / 2 + (b - a) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * n)) for i in range(n)]


def horner(c, x):
    total = mp.mpf(0)
    for value in reversed(c):
        total = total * x + value
    return total


def polynomial(f, a, b, count):
    xs = points(mp.mpf(a), mp.mpf(b), count)
    c = mp.lu_solve(mp.matrix([[x**j for j in range(count)] for x in xs]), mp.matrix([f(x) for x in xs]))
    return [mp.mpf(float(v)) for v in c]


def rational(f, a, b, n, m):
    """(1 + p1 x + ... + pn x^n) / (1 + q1 x + ... + qm x^m)"""
    xs = points(mp.mpf(a), mp.mpf(b), n + m)
    rows = [[x**j for j in range(1, n + 1)] + [-f(x) * x**j for j in range(1, m + 1)] for x in xs]
    c = [mp.mpf(float(v)) for v in mp.lu_solve(mp.matrix(rows), mp.matrix([f(x) - 1 for x in xs]))]
    return c[:n], c[n:]


def shown(c):
    return "[" + ", ".join(repr(float(v)) for v in c) + "]"


def report(name, c, error, a, b):
    a, b = mp.mpf(a), mp.mpf(b)
    grid = [a + (b - a) * (i + mp.mpf(1) / 3) / 1000 for i in range(1000)]
    worst = max(abs(error(x)) for x in grid)
    print(f"{name}: {len(c)} coefficients, error {float(worst * 2**53):.3g}")
    print(shown(c))


def series(f, low):
    """f near 0 by its series where the formula would cancel: mpmath does it with more bits."""

    def g(x):
        with mp.workprec(900):
            return f(x) if x != 0 else mp.mpf(low)

    return g


def fit(name, f, a, b, count, weight):
    c = polynomial(f, a, b, count)
    report(name, c, lambda x: (horner(c, x) - f(x)) * weight(x), a, b)


def erfcx(x):
    return mp.erfc(x) * mp.exp(x * x)


def erf_inverse(x):
    """By Newton's method on erfc(y) = 1 - x, for 0 < x < 1."""
    y = mp.mpf(mp.sqrt(-mp.log((1 - x) * (1 + x)))) * mp.mpf("0.85")
    for _ in range(60):
        step = (mp.erfc(y) - (1 - x)) * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
        y += step
        if abs(step) < mp.mpf(2) ** -250 * y:
            break
    return y


def inverse_by_log(w):
    x = mp.sqrt(-mp.expm1(-w))
    return erf_inverse(x) / x


def inverse_of_one_less(minus_log):
    return erf_inverse(1 - mp.exp(-minus_log))


ERFC_SLOPE = mp.mpf(-0.7634034156799316)
INVERSE_CENTRE = mp.mpf(1.3011474609375)
INVERSE_VALUE = inverse_by_log(INVERSE_CENTRE)
INVERSE_SLOPE = mp.diff(inverse_by_log, INVERSE_CENTRE)

R = 0.34676
QUARTER = 0.2501
FITS = {
    "exp": lambda: fit("exp", series(lambda r: (mp.expm1(r) - r) / r**2, 0.5), -R, R, 10, lambda r: r**2),
    "expm1": lambda: fit("expm1", series(lambda r: (mp.expm1(r) - r) / r**2, 0.5), -R, R, 11, lambda r: abs(r)),
    "exp2": lambda: fit("exp2", series(lambda r: (2**r - 1) / r, mp.log(2)), -0.5001, 0.5001, 11, lambda r: r),
    "sinh": lambda: fit(
        "sinh", series(lambda z: (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, 1 / 6), 0, R * R, 5, lambda z: z
    ),
    "cosh": lambda: fit("cosh", series(lambda z: (mp.cosh(mp.sqrt(z)) - 1) / z, 0.5), 0, R * R, 6, lambda z: z),
    "sin": lambda: fit(
        "sin", series(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, -1 / 6), 0, 0.6178, 6, lambda z: z
    ),
    "cos": lambda: [
        fit("cos", series(lambda z: (mp.cos(mp.sqrt(z)) - 1) / z, -0.5), 0, 0.6178, n, lambda z: z) for n in (6, 7)
    ],
    "tan": lambda: tan_fits(),
    "log": lambda: fit(
        "log", series(lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z, 2 / 3), 0, 0.02945, 7, lambda z: z / 2
    ),
    "pow": lambda: fit(
        "pow",
        series(lambda z: (3 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 3 - z) / z**2, 0.6),
        1e-9,
        0.02945,
        8,
        lambda z: z**2 * 2048,
    ),
    "cbrt": lambda: [fit("cbrt", lambda m: 1 / mp.cbrt(m), 1, 2, n, lambda m: 1) for n in (4, 5, 6)],
    "asin": lambda: [
        fit("asin", series(lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, 1 / 6), 0, QUARTER, n, lambda z: z)
        for n in (11, 12, 13)
    ],
    "atan": lambda: [
        fit("atan", series(lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, -1 / 3), 0, QUARTER, n, lambda z: z)
        for n in (11, 12, 13)
    ],
    "asinh": lambda: [
        fit("asinh", series(lambda z: (mp.asinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, -1 / 6), 0, QUARTER, n, lambda z: z)
        for n in (11, 12, 13)
    ],
    "atanh": lambda: [
        fit("atanh", series(lambda z: (mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, 1 / 3), 0, QUARTER, n, lambda z: z)
        for n in (12, 13, 14)
    ],
    # Less the short part of the slope, which the program adds exactly.
    "erfc": lambda: fit(
        "erfc",
        lambda t: mp.log(2.5 * (1 + (1 + t) / (1 - t)) * erfcx(2.5 * (1 + t) / (1 - t))) - ERFC_SLOPE * t,
        (mp.mpf(0.79) - 2.5) / (mp.mpf(0.79) + 2.5),
        (mp.mpf(28) - 2.5) / (28 + 2.5),
        22,
        lambda t: 1,
    ),
    # The centre of the linear part is one where value and slope are both next to a double.
    "erfInvMiddle": lambda: [
        fit(
            "erfInvMiddle",
            lambda u: (inverse_by_log(u + 2.5) - INVERSE_VALUE - INVERSE_SLOPE * (u + 2.5 - INVERSE_CENTRE))
            / (u + 2.5 - INVERSE_CENTRE) ** 2,
            -2.5,
            2.5001,
            n,
            lambda u: (u + 2.5 - INVERSE_CENTRE) ** 2,
        )
        for n in (20, 21)
    ],
    "erfInvTail": lambda: [
        fit("erfInvTail", lambda u: inverse_of_one_less((u + 4.25) ** 2) - u - 4.25, -1.87, 1.82, n, lambda u: 0.25)
        for n in (22, 23)
    ],
}


def tan_fits():
    f = series(lambda z: 3 * (mp.tan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, 1)
    for n, m in ((2, 4), (3, 3)):
        p, q = rational(f, 0, 0.6178, n, m)
        error = lambda z: ((1 + z * horner(p, z)) / (1 + z * horner(q, z)) / f(z) - 1) * z / 3
        report(f"tan {n}/{m}", p + q, error, 0, 0.6178)
    g = series(lambda z: (1 / mp.sqrt(z) - mp.cot(mp.sqrt(z))) / mp.sqrt(z), mp.mpf(1) / 3)
    for n in (7, 8, 9):
        fit("cot", g, 0, 0.6178, n, lambda z: mp.sqrt(z))


for name in sys.argv[1:] or FITS:
    FITS[name]()
