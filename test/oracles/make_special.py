"""Writes special.json and complex.json next to this file: what test/core expects of special, complex-math and pow.

Run:  python3 test/oracles/make_special.py   (needs mpmath, and a C library for the edges of pow)

Finite results come from mpmath at 2000 bits, rounded once to f64. Results at zeros, infinities and NaN of complex functions
are those of C99 Annex G, written down below. Numbers that JSON or a reader could change are strings: "NaN", "Infinity",
"-Infinity", "-0". The random points are seeded, so the files are reproducible.
"""

import ctypes
import json
import math
import os
import random

import mpmath as mp

mp.mp.prec = 2000  # points go down to 1e-200, and some formulas cancel there
HERE = os.path.dirname(os.path.abspath(__file__))
rng = random.Random(20240501)
INF, NAN = math.inf, math.nan


def code(x):
    """A number as JSON keeps it."""
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x == 0 and math.copysign(1, x) < 0:
        return "-0"
    return int(x) if x == int(x) and abs(x) < 2**53 else x


def to_double(value):
    """An mpmath number rounded once to f64, overflow included."""
    if abs(value) >= mp.mpf(2) ** 1024 * (1 - mp.mpf(2) ** -54):
        return INF if value > 0 else -INF
    if 0 < abs(value) < mp.mpf(2) ** -1022:  # mpmath's own conversion rounds subnormal numbers twice
        return math.copysign(float(int(mp.nint(abs(value) * mp.mpf(2) ** 1074))) * 5e-324, float(mp.sign(value)))
    return float(value)


def log_uniform(low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def signed(x):
    return x if rng.random() < 0.5 else -x


# ------------------------------------------------------------------------------------------------------------- real


def erf_inverse(x):
    x = mp.mpf(x)
    size = abs(x)
    if size < mp.mpf("1e-30"):
        return x * mp.sqrt(mp.pi) / 2
    lower, upper = mp.mpf(0), mp.mpf(7)
    for _ in range(12):
        middle = (lower + upper) / 2
        lower, upper = (middle, upper) if mp.erf(middle) < size else (lower, middle)
    y = (lower + upper) / 2 if size > mp.mpf("0.001") else size * mp.sqrt(mp.pi) / 2
    for _ in range(12):
        y += (mp.erfc(y) - (1 - size)) * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
    return y * mp.sign(x)


def real_points():
    wide = [signed(log_uniform(1e-300, 1e-3)) for _ in range(25)]
    unit = [signed(rng.random()) for _ in range(100)]
    near_one = [signed(1 - log_uniform(2e-16, 0.1)) for _ in range(60)]
    yield "erf", lambda x: mp.erf(x), wide + [signed(rng.uniform(0, 6.5)) for _ in range(150)], [
        (0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (NAN, NAN), (30.0, 1.0), (5e-324, 5e-324)]
    yield "erfc", lambda x: mp.erfc(x), wide + [rng.uniform(-7, 27.5) for _ in range(200)], [
        (0.0, 1.0), (-0.0, 1.0), (INF, 0.0), (-INF, 2.0), (NAN, NAN), (30.0, 0.0), (-30.0, 2.0)]
    yield "erfInv", erf_inverse, wide + unit + near_one, [
        (0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (-2.0, NAN), (INF, NAN), (-INF, NAN), (NAN, NAN)]
    yield "sigmoid", lambda x: 1 / (1 + mp.exp(-mp.mpf(x))), wide + [signed(log_uniform(1e-3, 740)) for _ in range(150)], [
        (0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (NAN, NAN), (1000.0, 1.0), (-1000.0, 0.0)]
    yield "rsqrt", lambda x: 1 / mp.sqrt(x), [log_uniform(1e-320, 1e308) for _ in range(100)], [
        (0.0, INF), (-0.0, -INF), (INF, 0.0), (-1.0, NAN), (-INF, NAN), (NAN, NAN), (4.0, 0.5)]


def half_away(x):
    return math.copysign(float(mp.floor(mp.mpf(abs(x)) + mp.mpf(0.5))), x)


def exact_functions():
    """Functions whose results are exact: [arguments, result] each."""
    points = [0.0, -0.0, 0.49999999999999994, 0.5, 1.5, 2.5, 0.3, 2.0**52 + 1, 2.0**52 - 0.5, 2.0**53 + 2, 1e300, 5e-324]
    points += [-x for x in points] + [rng.uniform(-1e3, 1e3) for _ in range(30)]
    rounding = [[x, half_away(x)] for x in points] + [[INF, INF], [-INF, -INF], [NAN, NAN]]
    signs = [[x, math.copysign(1.0, x) if x else x] for x in points] + [[INF, 1.0], [-INF, -1.0], [NAN, NAN]]
    pairs = [(signed(log_uniform(1e-3, 1e10)), signed(log_uniform(1e-3, 1e3))) for _ in range(40)]
    pairs += [(5.3, INF), (-5.3, -INF), (-6.0, 3.0), (0.0, 2.0), (-0.0, 2.0)]
    rest = [[x, y, math.fmod(x, y)] for x, y in pairs]
    rest += [[INF, 2.0, NAN], [1.0, 0.0, NAN], [NAN, 1.0, NAN], [1.0, NAN, NAN]]
    return {"roundHalfAway": rounding, "sign": signs, "remainder": rest}


def powers():
    pairs = [(log_uniform(1e-3, 1e3), signed(rng.uniform(0, 90))) for _ in range(120)]
    pairs += [(1 + signed(log_uniform(1e-10, 1e-2)), signed(log_uniform(1e2, 1e10))) for _ in range(120)]
    pairs += [(log_uniform(1e-320, 1e308), rng.uniform(-1.05, 1.05)) for _ in range(60)]
    pairs += [(-log_uniform(1e-3, 1e3), float(rng.randint(-60, 60))) for _ in range(60)]
    pairs += [(2.0, -1074.0), (2.0, -1075.0), (2.0, 1023.5), (1.1, 1e-300), (10.0, 308.0), (10.0, -320.0), (3.0, 33.0)]
    rows = []
    for x, y in pairs:
        if x < 0:
            size = to_double(mp.power(mp.mpf(-x), mp.mpf(y)))
            rows.append([x, y, -size if int(y) % 2 else size])
        else:
            rows.append([x, y, to_double(mp.power(mp.mpf(x), mp.mpf(y)))])
    edge = [0.0, -0.0, 0.5, 1.0, -1.0, 2.0, 3.0, -2.5, -3.0, 1e308, INF, -INF, NAN]
    c_pow = ctypes.CDLL("libm.so.6").pow
    c_pow.restype, c_pow.argtypes = ctypes.c_double, [ctypes.c_double] * 2
    rows += [[x, y, c_pow(x, y)] for x in edge for y in edge]
    return rows


def write_special():
    out = {"unary": {}, "exact": {}, "pow": [[code(v) for v in row] for row in powers()]}
    for name, function, points, special in real_points():
        rows = [[x, to_double(function(x))] for x in points] + [list(pair) for pair in special]
        out["unary"][name] = [[code(v) for v in row] for row in rows]
    for name, rows in exact_functions().items():
        out["exact"][name] = [[code(v) for v in row] for row in rows]
    dump(out, "special.json")


# ---------------------------------------------------------------------------------------------------------- complex


def sign_of(z):
    return z / abs(z)


UNARY = {
    "exp": mp.exp, "expm1": lambda z: mp.exp(z) - 1, "log": mp.log, "log1p": lambda z: mp.log(1 + z),
    "sigmoid": lambda z: 1 / (1 + mp.exp(-z)), "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "sinh": mp.sinh,
    "cosh": mp.cosh, "tanh": mp.tanh, "asin": mp.asin, "acos": mp.acos, "atan": mp.atan, "asinh": mp.asinh,
    "acosh": mp.acosh, "atanh": mp.atanh, "sqrt": mp.sqrt, "rsqrt": lambda z: 1 / mp.sqrt(z),
    "cbrt": lambda z: mp.exp(mp.log(z) / 3), "sign": sign_of,
}


# Functions that came later: their points are drawn after all others, which so stay what they were.
LATER = {
    "exp2": lambda z: mp.exp(z * mp.log(2)), "log2": lambda z: mp.log(z) / mp.log(2), "log10": lambda z: mp.log(z) / mp.log(10),
}


def complex_points(name):
    points = [complex(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(40)]
    points += [complex(signed(log_uniform(1e-8, 30)), signed(log_uniform(1e-8, 30))) for _ in range(30)]
    turns = [rng.uniform(-3.1, 3.1) for _ in range(10)]
    points += [complex(math.cos(t), math.sin(t)) for t in turns]  # near |z| = 1
    points += [c + complex(signed(log_uniform(1e-9, 1e-2)), signed(log_uniform(1e-9, 1e-2)))
               for c in (1, -1, 1j, -1j) for _ in range(5)]  # near the branch points
    points += [complex(signed(log_uniform(1e-200, 1e-5)), signed(log_uniform(1e-200, 1e-5))) for _ in range(6)]
    if name == "exp2":
        points += [complex(1024.5, 2), complex(1.5, 710.5), complex(-1060.25, 2), complex(600, 3e5), complex(2, 4e7)]
    elif name in ("exp", "sinh", "cosh", "sin", "cos", "expm1"):
        points += [complex(710.5, 1.5), complex(1.5, 710.5), complex(-720.25, 2), complex(600, 3e5)]
    elif name in ("tan", "tanh", "sigmoid"):
        points += [complex(1000, 1), complex(-1000, 0.5), complex(0.5, 1000), complex(30, 2), complex(2, 30), complex(5, 3.1)]
    else:
        points += [complex(1e200, -1e190), complex(1e-170, 1e300), complex(1.5e308, 1.2e308), complex(-1e16, 1e15)]
    return points


def evaluate(function, *arguments):
    value = mp.mpc(function(*[mp.mpc(z) for z in arguments]))
    return to_double(value.real), to_double(value.imag)


# C99 Annex G at the edges, where the sign of zero chooses the side of a cut: [re, im, re of result, im of result].
PI, H, Q = math.pi, math.pi / 2, math.pi / 4
EDGES = {
    "exp": [(0, 0, 1, 0), (-0.0, -0.0, 1, -0.0), (INF, 0, INF, 0), (-INF, 1, 0, 0), (-INF, INF, 0, 0), (INF, INF, INF, NAN),
            (INF, 2, -INF, INF), (0, INF, NAN, NAN), (NAN, 0, NAN, 0), (NAN, NAN, NAN, NAN), (1, NAN, NAN, NAN)],
    "expm1": [(0, 0, 0, 0), (-0.0, 0, -0.0, 0), (-INF, 1, -1, 0), (INF, 0, INF, 0)],
    "log": [(-0.0, 0, -INF, PI), (0, 0, -INF, 0), (0, -0.0, -INF, -0.0), (-1, 0, 0, PI), (-1, -0.0, 0, -PI),
            (-INF, INF, INF, 3 * Q), (INF, INF, INF, Q), (1, INF, INF, H), (-INF, 1, INF, PI), (INF, 1, INF, 0),
            (NAN, INF, INF, NAN), (NAN, 1, NAN, NAN), (1, NAN, NAN, NAN)],
    "log1p": [(0, 0, 0, 0), (-0.0, -0.0, -0.0, -0.0), (-1, 0, -INF, 0), (-2, 0, 0, PI), (-2, -0.0, 0, -PI), (INF, INF, INF, Q)],
    "exp2": [(0, 0, 1, 0), (-0.0, -0.0, 1, -0.0), (3, 0, 8, 0), (INF, 0, INF, 0), (-INF, 1, 0, 0), (-INF, INF, 0, 0), (INF, INF, INF, NAN),
             (0, INF, NAN, NAN), (NAN, 0, NAN, 0), (1, NAN, NAN, NAN)],
    "log2": [(0, 0, -INF, 0), (8, 0, 3, 0), (8, -0.0, 3, -0.0), (-1, 0, 0, PI / math.log(2)), (INF, 1, INF, 0), (NAN, INF, INF, NAN), (NAN, 1, NAN, NAN)],
    "log10": [(0, 0, -INF, 0), (1000, 0, 3, 0), (-1, -0.0, 0, -PI / math.log(10)), (INF, 1, INF, 0), (NAN, INF, INF, NAN), (NAN, 1, NAN, NAN)],
    "sigmoid": [(0, 0, 0.5, 0), (INF, 0, 1, 0), (-INF, 0, 0, 0), (INF, 5, 1, 0), (-INF, 5, 0, 0), (NAN, 1, NAN, NAN)],
    "sin": [(0, 0, 0, 0), (-0.0, 0, -0.0, 0), (0, INF, 0, INF), (INF, 0, NAN, 0)],
    "cos": [(0, 0, 1, -0.0), (0, -0.0, 1, 0), (0, INF, INF, -0.0)],
    "tan": [(0, -0.0, 0, -0.0), (1, INF, 0, 1), (1, -INF, 0, -1)],
    "sinh": [(0, 0, 0, 0), (-0.0, -0.0, -0.0, -0.0), (0, INF, 0, NAN), (1, INF, NAN, NAN), (INF, 0, INF, 0), (INF, 2, -INF, INF),
             (INF, INF, INF, NAN), (INF, NAN, INF, NAN), (NAN, 0, NAN, 0), (NAN, 1, NAN, NAN)],
    "cosh": [(0, 0, 1, 0), (0, INF, NAN, 0), (1, INF, NAN, NAN), (INF, 0, INF, 0), (INF, 2, -INF, INF), (INF, INF, INF, NAN),
             (-INF, 0, INF, -0.0), (NAN, 0, NAN, 0), (NAN, NAN, NAN, NAN)],
    "tanh": [(0, 0, 0, 0), (-0.0, 0, -0.0, 0), (INF, 1, 1, 0), (-INF, 1, -1, 0), (INF, 2, 1, -0.0), (INF, INF, 1, 0),
             (1, INF, NAN, NAN), (NAN, 0, NAN, 0), (1000, 0, 1, 0), (-1000, -0.0, -1, -0.0)],
    "asin": [(0, 0, 0, 0), (2, 0, H, math.acosh(2)), (2, -0.0, H, -math.acosh(2)), (-2, 0, -H, math.acosh(2)), (1, 0, H, 0),
             (INF, INF, Q, INF), (1, INF, 0, INF), (INF, 1, H, INF), (NAN, INF, NAN, INF)],
    "acos": [(0, 0, H, -0.0), (2, 0, 0, -math.acosh(2)), (2, -0.0, 0, math.acosh(2)), (-2, 0, PI, -math.acosh(2)), (1, 0, 0, -0.0),
             (-1, 0, PI, -0.0), (1, INF, H, -INF), (-INF, 1, PI, -INF), (INF, 1, 0, -INF), (-INF, INF, 3 * Q, -INF),
             (INF, INF, Q, -INF), (INF, NAN, NAN, -INF), (NAN, INF, NAN, -INF), (0, NAN, H, NAN), (1, NAN, NAN, NAN)],
    "atan": [(0, 0, 0, 0), (0, 2, H, math.atanh(0.5)), (-0.0, 2, -H, math.atanh(0.5)), (0, -2, H, -math.atanh(0.5)),
             (0, 1, 0, INF), (INF, INF, H, 0), (INF, 1, H, 0), (1, INF, H, 0)],
    "asinh": [(0, 0, 0, 0), (-0.0, -0.0, -0.0, -0.0), (0, 2, math.acosh(2), H), (-0.0, 2, -math.acosh(2), H), (1, INF, INF, H),
              (INF, 1, INF, 0), (INF, INF, INF, Q), (INF, NAN, INF, NAN), (NAN, 0, NAN, 0), (NAN, 1, NAN, NAN), (NAN, INF, INF, NAN)],
    "acosh": [(0, 0, 0, H), (-0.0, 0, 0, H), (0, -0.0, 0, -H), (0.5, 0, 0, math.acos(0.5)), (-2, 0, math.acosh(2), PI),
              (-2, -0.0, math.acosh(2), -PI), (1, 0, 0, 0), (1, INF, INF, H), (-INF, 1, INF, PI), (INF, 1, INF, 0),
              (-INF, INF, INF, 3 * Q), (INF, INF, INF, Q), (INF, NAN, INF, NAN), (NAN, INF, INF, NAN), (1, NAN, NAN, NAN),
              (0, NAN, NAN, H)],
    "atanh": [(0, 0, 0, 0), (-0.0, 0, -0.0, 0), (0, NAN, 0, NAN), (1, 0, INF, 0), (-1, 0, -INF, 0), (2, 0, math.atanh(0.5), H),
              (2, -0.0, math.atanh(0.5), -H), (1, INF, 0, H), (INF, 1, 0, H), (INF, INF, 0, H), (INF, NAN, 0, NAN),
              (NAN, INF, 0, H), (NAN, 1, NAN, NAN)],
    "sqrt": [(0, 0, 0, 0), (-0.0, 0, 0, 0), (-0.0, -0.0, 0, -0.0), (-4, 0, 0, 2), (-4, -0.0, 0, -2), (4, -0.0, 2, -0.0),
             (3, 4, 2, 1), (1, INF, INF, INF), (NAN, INF, INF, INF), (-INF, 1, 0, INF), (-INF, -1, 0, -INF), (INF, 1, INF, 0),
             (INF, NAN, INF, NAN), (-INF, NAN, NAN, INF), (1, NAN, NAN, NAN), (NAN, NAN, NAN, NAN)],
    "rsqrt": [(4, 0, 0.5, -0.0), (-4, 0, 0, -0.5), (INF, 1, 0, -0.0)],
    "cbrt": [(0, 0, 0, 0), (27, 0, 3, 0), (27, -0.0, 3, -0.0), (INF, 0, INF, 0)],
    "sign": [(0, 0, 0, 0), (3, -4, 0.6, -0.8), (-7, 0, -1, 0), (0, 5e-324, 0, 1), (INF, 3, 1, 0), (2, -INF, 0, -1), (NAN, 1, NAN, NAN)],
}


def binary_rows(function, pairs):
    return [[a.real, a.imag, b.real, b.imag, *evaluate(function, a, b)] for a, b in pairs]


def write_complex():
    out = {"unary": {}, "edges": {}, "binary": {}, "binaryEdges": {}}
    for name, function in UNARY.items():
        out["unary"][name] = [[z.real, z.imag, *evaluate(function, z)] for z in complex_points(name)]
        out["edges"][name] = [list(row) for row in EDGES[name]]
    gauss = lambda: complex(rng.gauss(0, 3), rng.gauss(0, 3))
    pairs = [(gauss(), gauss()) for _ in range(60)]
    far = [(complex(1e300, 1e300), complex(2e300, -1e300)), (complex(1e-300, 2e-300), complex(3e-300, 1e-310)),
           (complex(1e200, 1), complex(1e-100, 1e-120)), (complex(5e-324, 1e-310), complex(1e-315, 2e-320)),
           (complex(1.7e308, 1.7e308), complex(1.7e308, -1.7e308))]
    out["binary"]["add"] = [[a.real, a.imag, b.real, b.imag, (a + b).real, (a + b).imag] for a, b in pairs]
    out["binary"]["subtract"] = [[a.real, a.imag, b.real, b.imag, (a - b).real, (a - b).imag] for a, b in pairs]
    out["binary"]["multiply"] = binary_rows(lambda a, b: a * b, pairs)
    out["binary"]["divide"] = binary_rows(lambda a, b: a / b, pairs + far)
    whole = [(gauss(), complex(rng.randint(-12, 12) or 5, 0)) for _ in range(40)]
    whole += [(complex(1.0005, 0.02), 1000 + 0j), (complex(0.6, 0.8), 777 + 0j), (complex(0, 1), 4 + 0j), (complex(0, 1), -3 + 0j)]
    out["binary"]["powInteger"] = binary_rows(lambda a, b: a**b, whole)
    out["binary"]["pow"] = binary_rows(lambda a, b: mp.exp(b * mp.log(a)), pairs + [(gauss(), complex(rng.uniform(-5, 5), 0)) for _ in range(20)])
    out["binaryEdges"] = {
        "multiply": [[INF, 0, 2, 0, INF, NAN], [INF, NAN, 1, 1, INF, INF], [INF, INF, INF, INF, NAN, INF], [NAN, 0, 1, 0, NAN, NAN]],
        "divide": [[1, 0, 0, 0, INF, NAN], [1, 1, 0, 0, INF, INF], [0, 0, 0, 0, NAN, NAN], [1, 1, INF, 0, 0, 0], [1, 2, INF, INF, 0, 0],
                   [INF, 0, 2, 0, INF, 0], [INF, 1, 2, 3, INF, -INF], [10, 5, 5, 0, 2, 1], [1, 0, 0, 1, 0, -1], [INF, 1, INF, 1, NAN, NAN]],
        "pow": [[0, 0, 0, 0, 1, 0], [2, 3, 0, 0, 1, 0], [NAN, 0, 0, 0, 1, 0], [0, 0, 2, 0, 0, 0], [0, 0, 2, 1, 0, 0], [0, 0, -1, 0, INF, NAN],
                [2, 0, 3, 0, 8, 0], [-2, 0, 3, 0, -8, 0], [1, 2, 1, 0, 1, 2], [3, 4, 0.5, 0, 2, 1], [1, 1, 2, 0, 0, 2]],
    }
    for name, function in LATER.items():
        out["unary"][name] = [[z.real, z.imag, *evaluate(function, z)] for z in complex_points(name)]
        out["edges"][name] = [list(row) for row in EDGES[name]]
    for group in out.values():
        for name, rows in group.items():
            group[name] = [[code(float(v)) for v in row] for row in rows]
    dump(out, "complex.json")


def dump(data, name):
    text = json.dumps(data, separators=(",", ":"))
    for level in ("]],", "]},"):
        text = text.replace(level, level + "\n")
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        file.write(text + "\n")


write_special()
write_complex()
