"""Minimax fits behind the special functions of f32 programs: Remez exchange for polynomials and quotients of polynomials.

`python3 scripts/accuracy/fit.py [name...]` prints the coefficients (from the lowest power up) and the largest error of each
fit. Coefficients marked f32 are rounded to 24 bits one after the other, the rest being fitted again after each.
"""

import sys

import mpmath as mp
import numpy as np

mp.mp.dps = 50


def grid_of(low, high, count=1500):
    """Chebyshev points, both ends included."""
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / (count - 1)) for i in range(count)]


class Fit:
    """f(v) by (fixed(v) + sum p_i v^powers_i) / (1 + sum q_j v^j): the largest weighted error is as small as can be."""

    def __init__(self, f, low, high, powers, denominator=0, weight=None, fixed=None, count=1500):
        self.grid = grid_of(mp.mpf(low), mp.mpf(high), count)
        self.f = [mp.mpf(f(v)) for v in self.grid]
        # By default the error is relative to f.
        self.weight = [mp.mpf(weight(v)) if weight else 1 / value for v, value in zip(self.grid, self.f)]
        self.weight = [w if w != 0 else mp.mpf("1e-20") for w in self.weight]
        self.fixed = [mp.mpf(fixed(v)) if fixed else mp.mpf(0) for v in self.grid]
        self.powers = list(powers)
        self.q = [mp.mpf(0)] * denominator

    def solve(self, reference):
        n, d = len(self.powers), len(self.q)
        for _ in range(30 if d else 1):
            rows, right = [], []
            for sign, i in enumerate(reference):
                v = self.grid[i]
                bottom = 1 + sum(q * v ** (j + 1) for j, q in enumerate(self.q))
                row = [v**power for power in self.powers] + [-self.f[i] * v ** (j + 1) for j in range(d)]
                rows.append(row + [(-1) ** sign * bottom / self.weight[i]])
                right.append(self.f[i] - self.fixed[i])
            x = list(mp.lu_solve(mp.matrix(rows), mp.matrix(right)))
            change = max([abs(a - b) for a, b in zip(x[n : n + d], self.q)] + [mp.mpf(0)])
            self.p, self.q = x[:n], x[n : n + d]
            if change < mp.mpf(10) ** -25:
                break
        return abs(x[-1])

    def errors(self):
        out = []
        for v, f, w, fixed in zip(self.grid, self.f, self.weight, self.fixed):
            top = fixed + sum(p * v**power for p, power in zip(self.p, self.powers))
            bottom = 1 + sum(q * v ** (j + 1) for j, q in enumerate(self.q))
            out.append((top / bottom - f) * w)
        return out

    def run(self):
        size = len(self.powers) + len(self.q) + 1
        last = len(self.grid) - 1
        reference = [round(last * i / (size - 1)) for i in range(size)]
        for _ in range(40):
            level = self.solve(reference)
            errors = self.errors()
            # One extremum for each run of one sign, then the `size` neighbours with the largest smallest error.
            peaks, start = [], 0
            for i in range(1, len(errors) + 1):
                if i == len(errors) or mp.sign(errors[i]) != mp.sign(errors[start]):
                    peaks.append(max(range(start, i), key=lambda j: abs(errors[j])))
                    start = i
            while len(peaks) > size:
                peaks.pop(0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1)
            if len(peaks) < size:
                break
            reference = peaks
            worst = max(abs(e) for e in errors)
            if worst < level * mp.mpf("1.0005"):
                break
        self.worst = max(abs(e) for e in self.errors())
        return self


def polynomial(f, low, high, powers, **options):
    fit = Fit(f, low, high, powers, **options).run()
    return fit.p, fit.q, fit.worst


def rounded(f, low, high, powers, **options):
    """Coefficients of 24 bits: rounds the lowest first and fits the others again."""
    fixed = options.pop("fixed", None) or (lambda v: mp.mpf(0))
    done = []

    def known(v):
        return fixed(v) + sum(c * v**power for power, c in done)

    for i in range(len(powers)):
        p, _, _ = polynomial(f, low, high, powers[i:], fixed=known, **options)
        done.append((powers[i], mp.mpf(float(np.float32(float(p[0]))))))
    grid = grid_of(mp.mpf(low), mp.mpf(high))
    weight = options.get("weight") or (lambda v: 1 / f(v))
    worst = max(abs((known(v) - f(v)) * weight(v)) for v in grid)
    return [c for _, c in done], [], worst


def smooth(f, at_zero):
    """f with its limit at 0."""
    return lambda v: at_zero if v == 0 else f(v)


LN2 = mp.log(2)
FITS = {}


def fit(name):
    def add(make):
        FITS[name] = make
        return make

    return add


# ------------------------------------------------------------------------------------------------ exponential


@fit("exp f32: 1 + r + r^2 q(r)")
def _():
    h = LN2 / 2 * mp.mpf("1.002")
    q = smooth(lambda r: (mp.exp(r) - 1 - r) / r**2, mp.mpf(1) / 2)
    return rounded(q, -h, h, range(5), weight=lambda r: r**2 * mp.exp(-r))


@fit("exp2 f32: 1 + f q(f); the program keeps 1/2 of the first apart")
def _():
    h = mp.mpf("0.5")
    q = smooth(lambda r: mp.expm1(r * LN2) / r, LN2)
    return rounded(q, -h, h, range(6), weight=lambda r: r * mp.mpf(2) ** -r)


@fit("exp2 f64: 2^f")
def _():
    h = mp.mpf("0.501")
    return polynomial(lambda r: mp.mpf(2) ** r, -h, h, range(7))


@fit("exp2m1 f64: (2^f - 1) / f")
def _():
    h = mp.mpf("0.501")
    return polynomial(smooth(lambda r: mp.expm1(r * LN2) / r, LN2), -h, h, range(6))


@fit("cosh of f ln2 in f^2")
def _():
    h = mp.mpf("0.501")
    return polynomial(lambda z: mp.cosh(mp.sqrt(z) * LN2), 0, h * h, range(4))


@fit("sinh of f ln2 over f in f^2")
def _():
    h = mp.mpf("0.501")
    g = smooth(lambda z: mp.sinh(mp.sqrt(z) * LN2) / mp.sqrt(z), LN2)
    return polynomial(g, 0, h * h, range(3))


@fit("tanh f32: tanh(a) / a - 1 in a^2 - 9/16; to be rounded to 24 bits")
def _():
    c = mp.mpf("0.5625")

    def rest(y):
        a = mp.sqrt(y + c)
        return -(y + c) / 3 if a < mp.mpf("1e-7") else mp.tanh(a) / a - 1

    return polynomial(rest, -c, mp.mpf("1.0001") - c, range(8), weight=lambda y: 1 / (1 + rest(y)))


@fit("tanh f32: 1.8125 e^2r; the error is that of tanh beyond 1")
def _():
    factor, h = mp.mpf("1.8125"), LN2 / 4 * mp.mpf("1.001")

    def weight(r):
        # The least e^2a with a from 1 on that this r takes part in.
        e = mp.exp(2 * r) * (8 if 3 * LN2 / 2 + r >= 1 else 16)
        return 2 * e / (e + 1) ** 2 / (factor * mp.exp(2 * r))

    return rounded(lambda r: factor * mp.exp(2 * r), -h, h, range(7), weight=weight)


# ------------------------------------------------------------------------------------------------ logarithmic

S = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1) * mp.mpf("1.0002")


def log_over_s(z):
    """log((1 + s) / (1 - s)) / s, z = s^2"""
    s = mp.sqrt(z)
    return mp.mpf(2) if z == 0 else 2 * mp.atanh(s) / s


@fit("log f32: (log(m) / s - 2) / z")
def _():
    g = smooth(lambda z: (log_over_s(z) - 2) / z, mp.mpf(2) / 3)
    return rounded(g, 0, S * S, range(3), weight=lambda z: z / 2)


@fit("log f64: log(m) / s")
def _():
    return polynomial(log_over_s, 0, S * S, range(4))


@fit("pow: log2(m) / s")
def _():
    return polynomial(lambda z: log_over_s(z) / LN2, 0, S * S, range(5))


# ---------------------------------------------------------------------------------------------- trigonometric


@fit("sin(r) / r in r^2, r to pi/2")
def _():
    h = mp.pi / 2 * mp.mpf("1.003")
    return polynomial(smooth(lambda z: mp.sin(mp.sqrt(z)) / mp.sqrt(z), mp.mpf(1)), 0, h * h, range(5))


@fit("tan(r) / r in r^2, r to pi/4")
def _():
    h = mp.pi / 4 * mp.mpf("1.006")
    g = smooth(lambda z: mp.tan(mp.sqrt(z)) / mp.sqrt(z), mp.mpf(1))
    return polynomial(g, 0, h * h, range(2), denominator=2)


@fit("atan(t) / t in t^2, t to 1")
def _():
    return polynomial(smooth(lambda z: mp.atan(mp.sqrt(z)) / mp.sqrt(z), mp.mpf(1)), 0, 1, range(10))


@fit("asin(s) / s in s^2, s to 1/2")
def _():
    return polynomial(smooth(lambda z: mp.asin(mp.sqrt(z)) / mp.sqrt(z), mp.mpf(1)), 0, mp.mpf("0.25"), range(6))


# ------------------------------------------------------------------------------------------------------ error


ERF = smooth(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z), 2 / mp.sqrt(mp.pi))


@fit("erf(x) / x in x^2, x to 3.93")
def _():
    return polynomial(ERF, 0, mp.mpf("3.93") ** 2, range(6), denominator=5)


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


@fit("erfc(x) e^(x^2), x to 10.1")
def _():
    return polynomial(erfcx, 0, mp.mpf("10.1"), range(5), denominator=5)

def inverse_over_x(w):
    """erfInv(x) / x by w = -log(1 - x^2)"""
    if w == 0:
        return mp.sqrt(mp.pi) / 2
    mp.mp.dps = 60
    x = mp.sqrt(-mp.expm1(-w))
    y = mp.erfinv(x)
    mp.mp.dps = 50
    return y / x


@fit("erfInv(x) / x in -log(1 - x^2)")
def _():
    return polynomial(inverse_over_x, 0, mp.mpf("16"), range(6), denominator=5, count=600)


# ------------------------------------------------------------------------------------------------------ power


@fit("cbrt: y^(-1/3)")
def _():
    return polynomial(lambda y: 1 / mp.cbrt(y), mp.mpf("0.898"), mp.mpf("1.103"), range(4))


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for name, make in FITS.items():
        if wanted and not any(word in name for word in wanted):
            continue
        p, q, worst = make()
        print(f"{name}: error {mp.nstr(worst, 4)} = 2^{mp.nstr(mp.log(worst, 2), 5)}")
        print("  ", ", ".join(repr(float(c)) for c in p))
        if q:
            print("  / 1,", ", ".join(repr(float(c)) for c in q))
