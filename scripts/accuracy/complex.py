"""Prints how far results of complex functions are from exact ones, as JSON: {name: {"part": [ulp, re, im], "whole": [ulp, re, im], "count": n}}.

Run:  python3 scripts/accuracy/complex.py FILE   (needs mpmath); FILE is JSON: {name: [[re, im, re of result, im of result], ...]}

Exact values come from mpmath at 400 bits, and more where parts are small. `whole` is the distance in units in the last place of the larger part of the
exact value, `part` the larger of the distances of the parts in units of their own last places.
"""

import json
import math
import sys

import mpmath as mp

FUNCTIONS = {
    "exp": mp.exp, "exp2": lambda z: mp.exp(z * mp.log(2)), "expm1": lambda z: mp.exp(z) - 1,
    "log": mp.log, "log2": lambda z: mp.log(z) / mp.log(2), "log10": lambda z: mp.log(z) / mp.log(10),
    "log1p": lambda z: mp.log(1 + z), "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "asin": mp.asin, "acos": mp.acos,
    "atan": mp.atan, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh, "asinh": mp.asinh, "acosh": mp.acosh,
    "atanh": mp.atanh, "sqrt": mp.sqrt, "rsqrt": lambda z: 1 / mp.sqrt(z), "cbrt": lambda z: mp.exp(mp.log(z) / 3),
    "sigmoid": lambda z: 1 / (1 + mp.exp(-z)),
}


def unit(x):
    """The last place of a number of f64, as far as these have one of their own."""
    if x == 0:
        return mp.mpf(2) ** -1074
    exponent = int(mp.floor(mp.log(abs(x), 2)))
    return mp.mpf(2) ** max(exponent - 52, -1074)


def measure(name, rows):
    worst = {"part": [0.0, 0.0, 0.0], "whole": [0.0, 0.0, 0.0]}
    for re, im, got_re, got_im in rows:
        exact = mp.mpc(FUNCTIONS[name](mp.mpc(re, im)))
        if max(abs(exact.real), abs(exact.imag)) > mp.mpf(2) ** 1023:
            continue
        errors = [abs(mp.mpf(got_re) - exact.real), abs(mp.mpf(got_im) - exact.imag)]
        part = max(errors[0] / unit(exact.real), errors[1] / unit(exact.imag))
        whole = max(errors) / unit(max(abs(exact.real), abs(exact.imag)))
        for key, size in (("part", part), ("whole", whole)):
            if not math.isfinite(float(size)) or float(size) > worst[key][0]:
                worst[key] = [float(size), re, im]
    return {**worst, "count": len(rows)}


with open(sys.argv[1], encoding="utf-8") as file:
    rows_of = json.load(file)
mp.mp.prec = 1200
print(json.dumps({name: measure(name, rows) for name, rows in rows_of.items()}))
