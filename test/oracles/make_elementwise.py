"""Writes elementwise.json and promotion.json next to this file: what test/nx/elementwise expects.

Run:  python3 test/oracles/make_elementwise.py [promotion table]   (needs mpmath, numpy and scipy)

Float results come from mpmath at 400 bits, rounded to f64 and then to the type; at zeros, infinities and NaN from NumPy and
SciPy, which follow C99 there, apart from the zeros listed below. Integers are Python's, cut to the width of the type.
Numbers that JSON or a reader could change are strings: "NaN", "Infinity", "-Infinity", "-0" and all 64-bit integers.
The promotion table is rewritten only when its source is given.
"""

import json
import math
import os
import random
import sys

import mpmath as mp
import numpy as np
import scipy.special as sp

mp.mp.prec = 400
HERE = os.path.dirname(os.path.abspath(__file__))
rng = random.Random(20240502)
np.seterr(all="ignore")
INF, NAN = math.inf, math.nan

# --------------------------------------------------------------------------------------------------------------- text


def code(x):
    x = float(x)
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x == 0 and math.copysign(1, x) < 0:
        return "-0"
    return int(x) if x == int(x) and abs(x) < 2**53 else x


def bf16(x):
    """Nearest bfloat16, ties to even, of a double that float32 need not hold."""
    if not math.isfinite(x) or x == 0:
        return x
    m, e = math.frexp(x)
    step = 2.0 ** (max(e, -125) - 8)
    y = float(np.rint(x / step)) * step
    return math.copysign(INF, x) if abs(y) >= 2.0**128 else math.copysign(y, x)


ROUND = {"f64": float, "f32": lambda x: float(np.float32(x)), "f16": lambda x: float(np.float16(x)), "bf16": bf16}

# -------------------------------------------------------------------------------------------------------- real, unary


def real_or_nan(fn):
    def wrapped(x):
        y = fn(mp.mpf(x))
        return NAN if isinstance(y, mp.mpc) and y.imag != 0 else to_double(mp.re(y))

    return wrapped


def to_double(value):
    if mp.isnan(value):
        return NAN
    if abs(value) >= mp.mpf(2) ** 1024 * (1 - mp.mpf(2) ** -54):
        return INF if value > 0 else -INF
    return float(value)


def half_away(x):
    return math.copysign(math.floor(abs(mp.mpf(x)) + mp.mpf(1) / 2), x)


def inverse_erf(x):
    if abs(x) >= 1:
        return float(sp.erfinv(x))
    return to_double(mp.erfinv(mp.mpf(x)))


# name: (exact, NumPy's or SciPy's)
UNARY = {
    "abs": (mp.fabs, np.abs),
    "acos": (mp.acos, np.arccos),
    "acosh": (mp.acosh, np.arccosh),
    "asin": (mp.asin, np.arcsin),
    "asinh": (mp.asinh, np.arcsinh),
    "atan": (mp.atan, np.arctan),
    "atanh": (mp.atanh, np.arctanh),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), np.cbrt),
    "ceil": (mp.ceil, np.ceil),
    "cos": (mp.cos, np.cos),
    "cosh": (mp.cosh, np.cosh),
    "erf": (mp.erf, sp.erf),
    "erfInv": (None, sp.erfinv),
    "erfc": (mp.erfc, sp.erfc),
    "exp": (mp.exp, np.exp),
    "exp2": (lambda x: mp.mpf(2) ** x, np.exp2),
    "expm1": (mp.expm1, np.expm1),
    "floor": (mp.floor, np.floor),
    "log": (lambda x: mp.log(x) if x > 0 else mp.nan, np.log),
    "log10": (lambda x: mp.log10(x) if x > 0 else mp.nan, np.log10),
    "log1p": (lambda x: mp.log1p(x) if x > -1 else mp.nan, np.log1p),
    "log2": (lambda x: mp.log(x, 2) if x > 0 else mp.nan, np.log2),
    "negate": (lambda x: -x, np.negative),
    "round": (None, lambda x: x if not np.isfinite(x) else half_away(x)),
    "roundEven": (None, np.rint),
    "rsqrt": (lambda x: 1 / mp.sqrt(x) if x > 0 else mp.nan, lambda x: 1 / np.sqrt(x)),
    "sigmoid": (lambda x: 1 / (1 + mp.exp(-x)), sp.expit),
    "sign": (mp.sign, np.sign),
    "sin": (mp.sin, np.sin),
    "sinh": (mp.sinh, np.sinh),
    "sqrt": (lambda x: mp.sqrt(x) if x >= 0 else mp.nan, np.sqrt),
    "tan": (mp.tan, np.tan),
    "tanh": (mp.tanh, np.tanh),
    "trunc": (None, np.trunc),
    "reciprocal": (lambda x: 1 / x, lambda x: 1 / x),
    "square": (lambda x: x * x, np.square),
    "isFinite": (None, lambda x: float(np.isfinite(x))),
    "isNan": (None, lambda x: float(np.isnan(x))),
    "isInfinity": (None, lambda x: float(np.isinf(x))),
    "logicalNot": (None, lambda x: float(x == 0)),
    "real": (lambda x: x, lambda x: x),
    "imag": (lambda x: mp.mpf(0), lambda x: 0.0),
    "phase": (None, lambda x: math.atan2(0.0, x)),
}
EDGES = [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN]
KEEP_NEGATIVE_ZERO = {"erfInv", "sign", "round"}  # SciPy and NumPy give +0


def unary_value(name, x):
    exact, approximate = UNARY[name]
    if x in EDGES or x != x:
        y = float(approximate(np.float64(x)))
        return math.copysign(0.0, x) if x == 0 and name in KEEP_NEGATIVE_ZERO else y
    if name == "erfInv":
        return inverse_erf(x)
    if name == "round":
        return half_away(x)
    if exact is None:
        return float(approximate(x))
    y = real_or_nan(exact)(x)
    return math.copysign(0.0, x) if y == 0 and name in ("ceil", "floor") else y


def short(x):
    """A number that all float types hold."""
    return bf16(float(np.float16(x)))


SHORT = EDGES + [short(x) for x in [0.5, -0.5, 2.5, -2.5, 1.5, 0.1, -0.1, 0.9, -0.9, 3.14, -7.25, 11.5, -11.5, 100, -100, 0.001]]
LONG = [ROUND["f32"](rng.uniform(-1, 1)) for _ in range(12)] + [ROUND["f32"](rng.uniform(1, 20)) for _ in range(6)] + [
    ROUND["f32"](rng.choice([-1, 1]) * math.exp(rng.uniform(-40, -2))) for _ in range(6)] + [-5.4321, 1e6, -123456.789, 80.5, -80.5]
LONG = [ROUND["f32"](x) for x in LONG]


def unary():
    ops = {}
    for name in UNARY:
        y = [unary_value(name, x) for x in SHORT]
        z = [unary_value(name, x) for x in LONG]
        ops[name] = {t: [code(ROUND[t](v)) for v in y] for t in ROUND}
        ops[name]["longF64"] = [code(v) for v in z]
        ops[name]["longF32"] = [code(ROUND["f32"](v)) for v in z]
    return {"short": [code(x) for x in SHORT], "long": [code(x) for x in LONG], "ops": ops}


# ------------------------------------------------------------------------------------------------------- real, binary


def power(x, y):
    if x == 1 or y == 0:
        return 1.0
    if math.isfinite(x) and math.isfinite(y) and x > 0:
        return to_double(mp.power(mp.mpf(x), mp.mpf(y)))
    if y == 0.5 and x in (0.0, -INF):  # NumPy takes the square root here, which C99's pow is not
        return abs(x)
    return float(np.power(np.float64(x), np.float64(y)))


def arc(y, x):
    if all(map(math.isfinite, (x, y))) and x != 0 and y != 0:
        return to_double(mp.atan2(mp.mpf(y), mp.mpf(x)))
    return math.atan2(y, x)


BINARY = {
    "add": np.add,
    "atan2": arc,
    "copysign": np.copysign,
    "divide": np.divide,
    "equal": np.equal,
    "greater": np.greater,
    "greaterEqual": np.greater_equal,
    "less": np.less,
    "lessEqual": np.less_equal,
    "logicalAnd": np.logical_and,
    "logicalOr": np.logical_or,
    "logicalXor": np.logical_xor,
    "max": np.maximum,
    "min": np.minimum,
    "mod": np.mod,
    "multiply": np.multiply,
    "notEqual": np.not_equal,
    "pow": power,
    "remainder": np.fmod,
    "subtract": np.subtract,
}
GRID = EDGES + [0.5, -0.5, 2.5, -3.0, 3.0, 0.1, -7.25, 1e10, 1e-10]


def binary():
    left = [ROUND["f32"](x) for x in GRID for _ in GRID]
    right = [ROUND["f32"](x) for _ in GRID for x in GRID]
    ops = {}
    for name, fn in BINARY.items():
        values = [float(fn(np.float64(x), np.float64(y))) for x, y in zip(left, right)]
        ops[name] = {"f64": [code(v) for v in values], "f32": [code(ROUND["f32"](v)) for v in values]}
        if ops[name]["f32"] == ops[name]["f64"]:
            del ops[name]["f32"]
    return {"grid": [code(ROUND["f32"](x)) for x in GRID], "ops": ops}


# ------------------------------------------------------------------------------------------------------------ integers


def wrap(x, bits, signed):
    x &= (1 << bits) - 1
    return x - (1 << bits) if signed and x >> (bits - 1) else x


def quotient(x, y):
    q = abs(x) // abs(y)
    return q if (x < 0) == (y < 0) else -q


INTEGER_BINARY = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "max": max,
    "min": min,
    "bitwiseAnd": lambda x, y: x & y,
    "bitwiseOr": lambda x, y: x | y,
    "bitwiseXor": lambda x, y: x ^ y,
    "equal": lambda x, y: int(x == y),
    "notEqual": lambda x, y: int(x != y),
    "less": lambda x, y: int(x < y),
    "lessEqual": lambda x, y: int(x <= y),
    "greater": lambda x, y: int(x > y),
    "greaterEqual": lambda x, y: int(x >= y),
    "logicalAnd": lambda x, y: int(x != 0 and y != 0),
    "logicalOr": lambda x, y: int(x != 0 or y != 0),
    "logicalXor": lambda x, y: int((x != 0) != (y != 0)),
}
NOT_ZERO = {"quotient": quotient, "idiv": quotient, "remainder": lambda x, y: x - y * quotient(x, y), "mod": lambda x, y: x % y}
COUNTS = {"leftShift": lambda x, y: x << y, "rightShift": lambda x, y: x >> y, "pow": lambda x, y: pow(x, y)}


def integer_unary(bits, signed):
    mask = (1 << bits) - 1
    return {
        "abs": abs,
        "negate": lambda x: -x,
        "sign": lambda x: (x > 0) - (x < 0),
        "bitwiseNot": lambda x: ~x,
        "countLeadingZeros": lambda x: bits - (x & mask).bit_length(),
        "populationCount": lambda x: bin(x & mask).count("1"),
        "logicalNot": lambda x: int(x == 0),
        "floor": lambda x: x,
        "ceil": lambda x: x,
        "round": lambda x: x,
        "roundEven": lambda x: x,
        "trunc": lambda x: x,
        "square": lambda x: x * x,
        "isFinite": lambda x: 1,
    }


def integers(kind, bits):
    signed = kind == "s"
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    values = [low, low + 1, 1, 2, 7, high - 5, high] + ([-1, -3, 0] if signed else [high // 3, high // 2 + 1])
    nonzero = [v for v in values if v != 0]
    counts = [0, 1, 2, 3, bits - 1, bits, bits + 3]
    text = (lambda xs: [str(x) for x in xs]) if bits == 64 else list
    cut = lambda xs: text([wrap(x, bits, signed) for x in xs])
    table = lambda ops, right: {n: cut([f(x, y) for x in values for y in right]) for n, f in ops.items()}
    return {
        "values": text(values),
        "nonzero": text(nonzero),
        "counts": text(counts),
        "unary": {n: cut([f(x) for x in values]) for n, f in integer_unary(bits, signed).items()},
        "binary": table(INTEGER_BINARY, values),
        "notZero": table(NOT_ZERO, nonzero),
        "byCount": table(COUNTS, counts),
    }


# ------------------------------------------------------------------------------------------------------------- complex

COMPLEX_UNARY = {
    "acos": mp.acos, "acosh": mp.acosh, "asin": mp.asin, "asinh": mp.asinh, "atan": mp.atan, "atanh": mp.atanh,
    "cos": mp.cos, "cosh": mp.cosh, "sin": mp.sin, "sinh": mp.sinh, "tan": mp.tan, "tanh": mp.tanh,
    "exp": mp.exp, "expm1": mp.expm1, "log": mp.log, "log10": mp.log10, "log2": lambda z: mp.log(z) / mp.log(2), "exp2": lambda z: mp.power(2, z), "log1p": lambda z: mp.log(1 + z), "sqrt": mp.sqrt,
    "rsqrt": lambda z: 1 / mp.sqrt(z), "sigmoid": lambda z: 1 / (1 + mp.exp(-z)), "cbrt": lambda z: mp.exp(mp.log(z) / 3),
    "negate": lambda z: -z, "conjugate": mp.conj, "sign": lambda z: z / abs(z),
    "abs": abs, "real": mp.re, "imag": mp.im, "phase": mp.arg,
}
COMPLEX_BINARY = {
    "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y, "pow": mp.power,
}


def complexes():
    pick = lambda: ROUND["f32"](rng.uniform(-2, 2))
    z = [complex(pick(), pick()) for _ in range(12)]
    w = [complex(pick(), pick()) for _ in range(12)]
    pair = lambda v: [code(float(mp.re(v))), code(float(mp.im(v)))]
    call = lambda f, *xs: pair(f(*[mp.mpc(x) for x in xs]))
    return {
        "left": [pair(x) for x in z],
        "right": [pair(x) for x in w],
        "unary": {n: [call(f, x) for x in z] for n, f in COMPLEX_UNARY.items()},
        "binary": {n: [call(f, x, y) for x, y in zip(z, w)] for n, f in COMPLEX_BINARY.items()},
    }


def promotion(source):
    table = json.load(open(source))
    types = list(table["toFloating"])
    return {
        "merge": {a: {p["b"]: p["result"] for p in table["pairs"] if p["a"] == a} for a in types},
        "numbers": table["numbers"],
        **{k: table[k] for k in ("toFloating", "toReal", "toComplex")},
    }


def write(name, value):
    with open(os.path.join(HERE, name), "w") as file:
        json.dump(value, file, separators=(",", ":"))
        file.write("\n")


write("elementwise.json", {
    "unary": unary(),
    "binary": binary(),
    "integer": {f"{k}{b}": integers(k, b) for k in "us" for b in (8, 16, 32, 64)},
    "complex": complexes(),
})
if len(sys.argv) > 1:
    write("promotion.json", promotion(sys.argv[1]))
