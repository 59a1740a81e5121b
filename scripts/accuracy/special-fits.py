"""Prints the coefficients of lib/special: Chebyshev interpolation at 60 digits, as polynomials in a variable from -1 to 1.

Run:  python3 scripts/accuracy/special-fits.py [name...]   (needs mpmath)

Each fit says how far it is from the function, relative to its largest value, and how much larger the sum of the sizes of its terms
is, by which rounding may be magnified.
"""

import sys

import mpmath as mp

mp.mp.dps = 60
mpf = mp.mpf


def interpolate(f, low, high, degree):
    """Coefficients in u = (2 x - low - high) / (high - low), from the lowest power up."""
    n = degree + 1
    nodes = [mp.cos(mp.pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    values = [f((high - low) / 2 * u + (high + low) / 2) for u in nodes]
    cheb = [2 * sum(v * mp.cos(mp.pi * j * (2 * i + 1) / (2 * n)) for i, v in enumerate(values)) / n for j in range(n)]
    cheb[0] /= 2
    powers = [[mpf(1)], [mpf(0), mpf(1)]]
    for _ in range(degree):
        before, last = powers[-2:]
        following = [mpf(0)] + [2 * c for c in last]
        for i, c in enumerate(before):
            following[i] -= c
        powers.append(following)
    total = [mpf(0)] * n
    for c, polynomial in zip(cheb, powers):
        for i, p in enumerate(polynomial):
            total[i] += c * p
    return total


def fit(f, low, high, enough=mpf(2) ** -57):
    low, high = mpf(low), mpf(high)
    points = [low + (high - low) * (mpf(i) + mpf("0.37")) / 97 for i in range(97)]
    exact = [f(x) for x in points]
    size = max(abs(v) for v in exact)
    least = min(abs(v) for v in exact)
    for degree in range(4, 60):
        coefficients = interpolate(f, low, high, degree)
        rounded = [mpf(float(c)) for c in coefficients]
        at = [mp.polyval(coefficients[::-1], (2 * x - low - high) / (high - low)) for x in points]
        error = max(abs(a - b) for a, b in zip(at, exact)) / max(least, size / 8)
        if error < enough:
            terms = sum(abs(c) for c in rounded)
            return [float(c) for c in coefficients], float(error), float(terms / max(least, size / 8))
    raise ValueError("no fit")


ROOT = mp.findroot(mp.digamma, mpf("1.4616"))
J0_ROOTS = [mp.besseljzero(0, i) for i in (1, 2)]
J1_ROOTS = [mp.besseljzero(1, i) for i in (1, 2)]


def at(function, place, value):
    """A quotient that is 0 / 0 at a place, where it has a value."""
    return lambda x: value() if x == place else function(x)


def asymptotic(n):
    """P and Q of DLMF 10.17.3 as functions of w = (8 / x)^2: the Hankel function is sqrt(2 / (pi x)) (P + iQ) exp(i (x - n pi / 2 - pi / 4))."""

    def hankel(w):
        if w == 0:
            return None
        x = 8 / mp.sqrt(w)
        phase = x - n * mp.pi / 2 - mp.pi / 4
        value = mp.mpc(mp.besselj(n, x), mp.bessely(n, x)) * mp.sqrt(mp.pi * x / 2) * mp.expj(-phase)
        return value, x

    first = mpf(4 * n * n - 1) / 8
    return (
        lambda w: mpf(1) if w == 0 else hankel(w)[0].real,
        lambda w: first if w == 0 else hankel(w)[0].imag * hankel(w)[1],
    )


def regular_y0(t):
    x = mp.sqrt(t)
    return mp.bessely(0, x) - 2 / mp.pi * mp.log(x) * mp.besselj(0, x)


def regular_y1(t):
    x = mp.sqrt(t)
    return (mp.bessely(1, x) - 2 / mp.pi * (mp.log(x) * mp.besselj(1, x) - 1 / x)) / x


P0, Q0 = asymptotic(0)
P1, Q1 = asymptotic(1)

FITS = {
    "LOG_GAMMA": (lambda y: mp.loggamma(2 + y) / y, -0.5, 0.5),
    "DIGAMMA": (lambda x: mp.digamma(x) / (x - ROOT), 1, 2),
    "J0": (lambda t: mp.besselj(0, mp.sqrt(t)) / ((t - J0_ROOTS[0] ** 2) * (t - J0_ROOTS[1] ** 2)), 0, 64),
    "J1": (lambda t: mp.besselj(1, mp.sqrt(t)) / mp.sqrt(t) / ((t - J1_ROOTS[0] ** 2) * (t - J1_ROOTS[1] ** 2)), 0, 64),
    "Y0": (regular_y0, 0, 64),
    "Y1": (regular_y1, 0, 64),
    "P0": (P0, 0, 1),
    "Q0": (Q0, 0, 1),
    "P1": (P1, 0, 1),
    "Q1": (Q1, 0, 1),
    "I0_NEAR": (lambda x: mp.exp(-x) * mp.besseli(0, x), 0, 8),
    "I0_FAR": (lambda w: mp.sqrt(8 / w) * mp.exp(-8 / w) * mp.besseli(0, 8 / w), 0, 1),
    "I1_NEAR": (lambda x: mp.exp(-x) * mp.besseli(1, x) / x, 0, 8),
    "I1_FAR": (lambda w: mp.sqrt(8 / w) * mp.exp(-8 / w) * mp.besseli(1, 8 / w), 0, 1),
}


def split(x, parts=3):
    """A number as a sum of doubles of 27 bits, and the last of 53."""
    out = []
    for i in range(parts):
        mp.mp.prec = 27 if i < parts - 1 else 53
        part = +x
        mp.mp.dps = 60
        out.append(float(part))
        x = x - part
    return out


# ------------------------------------------------------------------- the incomplete gamma function, uniformly for large a
# DLMF 8.12.3 to 8.12.12: d(k, n) from the expansion of mu = x / a - 1 in eta, with eta^2 / 2 = mu - log(1 + mu).
def temme(least_a, size, digits=mpf(2) ** -58):
    many = 60
    # lambda - 1 = eta + alpha_2 eta^2 + ...: (8.12.7)
    alpha = [mpf(0), mpf(1)]
    for n in range(2, many + 2):
        total = alpha[n - 1] - sum((n - j + 1) * alpha[n - j + 1] * alpha[j] for j in range(2, n))
        alpha.append(total / (n + 1))
    d = [[mpf(-1) / 3] + [(n + 2) * alpha[n + 2] for n in range(1, many - 2)]]
    # g_k of the scaled gamma function: Gamma*(a) ~ sum of g_k / a^k (5.11.3)
    g = stirling(many // 2)
    while len(d) < 25:
        k = len(d)
        last = d[-1]
        d.append([(-1) ** k * g[k] * d[0][n] + (n + 2) * last[n + 2] for n in range(len(last) - 2)])
    rows = []
    for k, row in enumerate(d):
        weight = mpf(least_a) ** -k
        keep = [i for i, c in enumerate(row) if abs(c) * size**i * weight > digits]
        if not keep:
            break
        rows.append([float(c) for c in row[: max(keep) + 1]])
    return rows


def stirling(n):
    """g_0, g_1, ...: the exponential of the series of the logarithm."""
    log = [mpf(0)] * (n + 1)
    for k in range(1, n // 2 + 1):
        if 2 * k - 1 <= n:
            log[2 * k - 1] = mp.bernoulli(2 * k) / (2 * k * (2 * k - 1))
    g = [mpf(1)]
    for m in range(1, n + 1):
        g.append(sum(j * log[j] * g[m - j] for j in range(1, m + 1)) / m)
    return g


def main(names):
    for name, (f, low, high) in FITS.items():
        if names and name not in names:
            continue
        coefficients, error, terms = fit(f, low, high)
        print(f"{name} [{low}, {high}] degree {len(coefficients) - 1}, error 2^{float(mp.log(error, 2)):.1f}, terms {terms:.1f}")
        print("  [" + ", ".join(repr(c) for c in coefficients) + "]")
    if not names:
        print("digamma's root", split(ROOT))
        for name, roots in (("J0", J0_ROOTS), ("J1", J1_ROOTS)):
            print(name, [(float(r), float(r - mpf(float(r)))) for r in roots])
        print("Stirling", [float(mp.bernoulli(2 * k) / (2 * k * (2 * k - 1))) for k in range(1, 10)])
        print("digamma's series", [float(mp.bernoulli(2 * k) / (2 * k)) for k in range(1, 10)])
        print("Euler and Maclaurin", [float(mp.bernoulli(2 * k) / mp.factorial(2 * k)) for k in range(1, 14)])
        rows = temme(48, mpf("0.42"))
        print("Temme", [len(r) for r in rows], rows)


main(sys.argv[1:])
