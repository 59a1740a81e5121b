"""Writes functions.json next to this file: what test/special expects of the functions of lib/special, from mpmath at 60 digits.

Run:  python3 test/oracles/make_functions.py   (needs mpmath, numpy, scipy)

For each function: arguments, which are f32 numbers but for some near places of interest; values and derivatives with respect to each
argument, rounded once; and what errors of the value are small beside. Values are compared with SciPy's here, to 1e-9. The data is seeded.
"""

import json
import os
import sys

import mpmath as mp
import numpy as np
import scipy.special as sc

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "scripts", "accuracy"))
from functions import FUNCTIONS, points  # noqa: E402

SCIPY = {
    "lgamma": sc.gammaln, "digamma": sc.psi, "trigamma": lambda x: sc.polygamma(1, x), "lbeta": sc.betaln, "normalCdf": sc.ndtr,
    "normalQuantile": sc.ndtri, "logit": sc.logit, "xlogy": sc.xlogy, "sinc": np.sinc, "besselJ0": sc.j0, "besselJ1": sc.j1,
    "besselY0": sc.y0, "besselY1": sc.y1, "besselI0": sc.i0, "besselI1": sc.i1, "besselI0e": sc.i0e, "besselI1e": sc.i1e,
    "gammainc": sc.gammainc, "gammaincc": sc.gammaincc, "betainc": sc.betainc,
}  # fmt: skip


def derivative(function, args, i):
    def along(t):
        return mp.re(function(*[t if j == i else a for j, a in enumerate(args)]))

    return float(mp.diff(along, args[i], h=mp.mpf(10) ** -20 * max(abs(args[i]), mp.mpf(10) ** -20)))


def main():
    found = {}
    for name, (function, kinds, scale, *rest) in FUNCTIONS.items():
        differentiable = rest[0] if rest else None
        rows = {"args": [], "values": [], "scales": [], "derivatives": []}
        for j, args in enumerate(points(name, kinds, 9)):
            if j % 3 > 0:
                args = [float(np.float32(x)) for x in args]
            numbers = [mp.mpf(x) for x in args]
            try:
                exact = mp.re(function(*numbers))
            except (ZeroDivisionError, ValueError):
                continue
            if exact == 0 or not 1e-37 < abs(exact) < 1e37:
                continue
            size = float(scale(numbers, exact))
            assert abs(SCIPY[name](*args) - float(exact)) < 1e-9 * size + 1e-15, (name, args, SCIPY[name](*args), exact)
            rows["args"].append(args)
            rows["values"].append(float(exact))
            rows["scales"].append(size)
            count = range(len(args)) if differentiable is None else differentiable
            rows["derivatives"].append([derivative(function, numbers, i) for i in count])
        found[name] = rows
    with open(os.path.join(HERE, "functions.json"), "w") as file:
        json.dump(found, file, separators=(",", ":"))
        file.write("\n")


main()
