"""Prints arguments of the functions of lib/special and their exact values, as JSON: {name: {"args": [...], "exact": [...], "scale": [...]}}.

Run:  python3 scripts/accuracy/functions.py COUNT f32|f64 [name...]   (needs mpmath); arguments are of the type

Exact values come from mpmath at 60 digits, as strings of 25 digits. `scale` is what an error is small beside: the value itself, or more
near zeros that are not worth more, as the documentation of the function says.
"""

import json
import sys
import zlib

import mpmath as mp
import numpy as np

mp.mp.dps = 60


def uniform(low, high):
    return lambda rng, n: rng.uniform(low, high, n)


def powers(low, high, signed=False):
    """From 10^low to 10^high, evenly by their logarithms."""

    def draw(rng, n):
        x = 10 ** rng.uniform(low, high, n)
        return x * rng.choice([-1, 1], n) if signed else x

    return draw


def near(*places):
    """Closer and closer to places."""

    def draw(rng, n):
        return rng.choice(places, n) + 10 ** rng.uniform(-15, -1, n) * rng.choice([-1, 1], n)

    return draw


def share(rng, n):
    """From 0 to 1, close to both ends."""
    return np.where(rng.random(n) < 0.5, 10 ** rng.uniform(-18, 0, n), 1 - 10 ** rng.uniform(-15, 0, n))


def wave(x):
    return mp.sqrt(2 / (mp.pi * max(abs(x), mp.mpf(1))))


def log_odds(x):
    return mp.log(x / (1 - x))


def quantile(p):
    x = mp.mpf(float(start_quantile(float(p))))
    for _ in range(6):
        x -= (mp.ncdf(x) - p) / mp.npdf(x)
    return x


def start_quantile(p):
    from scipy.special import ndtri

    return ndtri(p)


def value(_, exact):
    return abs(exact)


def tail(_, exact):
    """Exponents of tails are rounded as they are large."""
    return abs(exact) * (1 + abs(mp.log(abs(exact))))


def atleast(size):
    return lambda args, exact: max(abs(exact), size)


def left_of_zero(args, exact):
    return max(abs(exact), mp.mpf(1)) if args[0] < 0 else abs(exact)


def zeros_but(count):
    """Beside the wave, but for the first zeros, near which all digits are kept."""

    def scale(args, exact):
        return abs(exact) if abs(args[0]) < count else wave(args[0])

    return scale


# name: the function, where its arguments lie, what errors are beside
FUNCTIONS = {
    "lgamma": (lambda x: mp.re(mp.loggamma(x)), [[uniform(0, 12)], [powers(-20, 8)], [near(1, 2, 10, 2.5)], [uniform(-30, 0)]], left_of_zero),
    "digamma": (mp.digamma, [[uniform(0, 12)], [powers(-20, 8)], [near(1, 2, 1.4616321449683622, 10)], [uniform(-30, 0)]], left_of_zero),
    "trigamma": (lambda x: mp.polygamma(1, x), [[uniform(0, 15)], [powers(-20, 8)], [uniform(-20, 0)]], value),
    "lbeta": (
        lambda a, b: mp.re(mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)),
        [[uniform(0, 12), uniform(0, 12)], [powers(-3, 8), powers(-3, 8)], [uniform(5, 100), uniform(5, 100)]],
        atleast(1),
    ),
    "normalCdf": (mp.ncdf, [[uniform(-37, 9)], [powers(-20, 1, True)]], value),
    "normalQuantile": (quantile, [[uniform(0, 1)], [share], [near(0.5)]], value),
    "logit": (log_odds, [[uniform(0, 1)], [share], [near(0.5)]], value),
    "xlogy": (lambda x, y: x * mp.log(y), [[powers(-10, 10, True), powers(-10, 10)]], value),
    "sinc": (mp.sincpi, [[uniform(-20, 20)], [powers(-20, 5, True)], [near(1, 2, 0.5)]], value),
    "besselJ0": (lambda x: mp.besselj(0, x), [[uniform(-20, 20)], [near(2.404825557695773, 5.520078110286311)], [powers(-10, 4)]], zeros_but(7)),
    "besselJ1": (lambda x: mp.besselj(1, x), [[uniform(-20, 20)], [near(3.8317059702075125, 7.015586669815619)], [powers(-10, 4)]], zeros_but(8)),
    "besselY0": (lambda x: mp.bessely(0, x), [[uniform(0, 20)], [powers(-10, 4)]], lambda args, exact: max(abs(exact), wave(args[0]))),
    "besselY1": (lambda x: mp.bessely(1, x), [[uniform(0, 20)], [powers(-10, 4)]], lambda args, exact: max(abs(exact), wave(args[0]))),
    "besselI0": (lambda x: mp.besseli(0, x), [[uniform(-20, 20)], [powers(-10, 2.8)]], value),
    "besselI1": (lambda x: mp.besseli(1, x), [[uniform(-20, 20)], [powers(-10, 2.8)]], value),
    "besselI0e": (lambda x: mp.exp(-abs(x)) * mp.besseli(0, x), [[uniform(-20, 20)], [powers(-10, 5)]], value),
    "besselI1e": (lambda x: mp.exp(-abs(x)) * mp.besseli(1, x), [[uniform(-20, 20)], [powers(-10, 5)]], value),
    "gammainc": (
        lambda a, x: mp.gammainc(a, 0, x, regularized=True),
        [[uniform(0.05, 12), uniform(0.01, 15)], [powers(-2, 1), powers(-2, 1)], [uniform(20, 60), uniform(10, 70)], [uniform(190, 210), uniform(150, 260)]],
        tail,
        (1,),
    ),
    "gammaincc": (
        lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True),
        [[uniform(0.05, 12), uniform(0.01, 15)], [powers(-2, 1), powers(-2, 1)], [uniform(20, 60), uniform(10, 70)], [uniform(190, 210), uniform(150, 260)]],
        tail,
        (1,),
    ),
    "betainc": (
        lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True),
        [[uniform(0.1, 12), uniform(0.1, 12), uniform(0, 1)], [uniform(20, 40), uniform(10, 60), uniform(0.1, 0.9)], [powers(-1, 2), powers(-1, 2), uniform(0, 1)]],
        tail,
        (2,),
    ),
}


def points(name, kinds, count, type):
    """The arguments of a function, a tuple each."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    columns = [np.concatenate(parts) for parts in zip(*[[draw(rng, count) for draw in kind] for kind in kinds])]
    rounded = np.float32 if type == "f32" else np.float64
    return [[float(rounded(x)) for x in args] for args in zip(*columns)]


def main(count, type, names):
    found = {}
    for name, (function, kinds, scale, *_) in FUNCTIONS.items():
        if names and name not in names:
            continue
        kept = {"args": [], "exact": [], "scale": []}
        for args in points(name, kinds, count, type):
            numbers = [mp.mpf(x) for x in args]
            try:
                exact = mp.re(function(*numbers))
            except (ValueError, ZeroDivisionError):  # a pole, which rounded arguments hit
                continue
            least, most = (1e-36, 1e38) if type == "f32" else (1e-290, 1e300)
            if not mp.isfinite(exact) or exact == 0 or abs(exact) < least or abs(exact) > most:
                continue
            kept["args"].append(args)
            kept["exact"].append(mp.nstr(exact, 25))
            kept["scale"].append(float(scale(numbers, exact)))
        found[name] = kept
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
