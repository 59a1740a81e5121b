"""Writes activations.json next to this file: what test/nx/elementwise expects of activations, softmax and logAddExp.

Run:  python3 test/oracles/make_activations.py   (needs mpmath, numpy and scipy)

Results come from mpmath at 400 bits by the plain definitions, rounded to f64 and then to the type; where SciPy has the function
it is compared with. Numbers that JSON or a reader could change are strings: "NaN", "Infinity", "-Infinity", "-0".
"""

import json
import math
import os
import random

import mpmath as mp
import numpy as np
import scipy.special as sp

mp.mp.prec = 400
HERE = os.path.dirname(os.path.abspath(__file__))
rng = random.Random(20260601)


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
    """Nearest bfloat16, ties to even."""
    if not math.isfinite(x) or x == 0:
        return x
    _, e = math.frexp(x)
    step = 2.0 ** (max(e, -125) - 8)
    return math.copysign(float(np.rint(x / step)) * step, x)


ROUND = {"f64": float, "f32": lambda x: float(np.float32(x)), "f16": lambda x: float(np.float16(x)), "bf16": bf16}

one, half = mp.mpf(1), mp.mpf(1) / 2
sigmoid = lambda x: 1 / (1 + mp.exp(-x))
softplus = lambda x, beta=one: mp.log1p(mp.exp(beta * x)) / beta
bounded = lambda x, low, high: min(max(x, low), high)
elu = lambda x, alpha=one: x if x > 0 else alpha * mp.expm1(x)
ALPHA, GAMMA = mp.mpf("1.6732632423543772848170429916717"), mp.mpf("1.0507009873554804934193349852946")

# label: (name, options, definition); options as doubles, which is what callers give
CASES = {
    "celu": ("celu", {}, elu),
    "celu of 0.7": ("celu", {"alpha": 0.7}, lambda x: x if x > 0 else mp.mpf(0.7) * mp.expm1(x / mp.mpf(0.7))),
    "elu": ("elu", {}, elu),
    "elu of 0.7": ("elu", {"alpha": 0.7}, lambda x: elu(x, mp.mpf(0.7))),
    "gelu": ("gelu", {}, lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2),
    "gelu by tanh": ("gelu", {"approximate": "tanh"}, lambda x: x * sigmoid(2 * mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3))),
    "hardSigmoid": ("hardSigmoid", {}, lambda x: bounded(x / 6 + half, 0, 1)),
    "hardSigmoid of 0.2 and 0.4": ("hardSigmoid", {"alpha": 0.2, "beta": 0.4}, lambda x: bounded(x * mp.mpf(0.2) + mp.mpf(0.4), 0, 1)),
    "hardSwish": ("hardSwish", {}, lambda x: x * bounded(x + 3, 0, 6) / 6),
    "hardTanh": ("hardTanh", {}, lambda x: bounded(x, -1, 1)),
    "hardTanh from -2 to 0.5": ("hardTanh", {"minVal": -2, "maxVal": 0.5}, lambda x: bounded(x, -2, half)),
    "leakyRelu": ("leakyRelu", {}, lambda x: x if x >= 0 else x * mp.mpf(0.01)),
    "leakyRelu of 0.42": ("leakyRelu", {"negSlope": 0.42}, lambda x: x if x >= 0 else x * mp.mpf(0.42)),
    "logSigmoid": ("logSigmoid", {}, lambda x: -softplus(-x)),
    "mish": ("mish", {}, lambda x: x * mp.tanh(softplus(x))),
    "quickGelu": ("quickGelu", {}, lambda x: x * sigmoid(mp.mpf("1.702") * x)),
    "relu": ("relu", {}, lambda x: max(x, 0)),
    "relu6": ("relu6", {}, lambda x: bounded(x, 0, 6)),
    "selu": ("selu", {}, lambda x: GAMMA * elu(x, ALPHA)),
    "silu": ("silu", {}, lambda x: x * sigmoid(x)),
    "softplus": ("softplus", {}, softplus),
    "softplus of 5": ("softplus", {"beta": 5}, lambda x: softplus(x, mp.mpf(5))),
    "softplus of 0.5": ("softplus", {"beta": 0.5}, lambda x: softplus(x, half)),
    "softsign": ("softsign", {}, lambda x: x / (1 + abs(x))),
}

SHORT = [bf16(float(np.float16(x))) for x in (
    [0.5, -0.5, 1, -1, 2, -2, 3, -3, 6, -6, 2.5, -2.5, 1.5, -1.5, 0.1, -0.1, 0.01, -0.01, 7.25, -7.25, 1e-3, -1e-3])]
LONG = [ROUND["f32"](x) for x in (
    [rng.uniform(-12, 12) for _ in range(24)] + [rng.uniform(-1, 1) for _ in range(8)]
    + [rng.choice([-1, 1]) * math.exp(rng.uniform(-30, -2)) for _ in range(8)] + [15.5, 40.25, 90, -80, -90, 1000, -1000, 1e6, -1e6, 3e38, -3e38])]


def checked(label, x, y):
    """SciPy agrees, where it has the function."""
    other = {"softplus": sp.softplus if hasattr(sp, "softplus") else lambda v: np.logaddexp(v, 0),
             "logSigmoid": sp.log_expit, "gelu": lambda v: v * sp.ndtr(v), "silu": lambda v: v * sp.expit(v)}.get(label)
    if other is not None and abs(y) > 1e-300 and abs(x) < 1e6:
        assert abs(float(other(x)) - y) <= 1e-12 * abs(y), (label, x, y)
    return y


def value(label, define, x):
    """mpmath has no -0, which is what hardSwish gives below -3."""
    y = checked(label, x, float(define(mp.mpf(x))))
    return -0.0 if y == 0 and x < 0 and label == "hardSwish" else y


def activations():
    rows = {}
    for label, (name, options, define) in CASES.items():
        y = [value(label, define, x) for x in SHORT]
        z = [value(label, define, x) for x in LONG]
        rows[label] = {"name": name, "options": options}
        rows[label].update({t: [code(ROUND[t](v)) for v in y] for t in ("f16", "bf16")})
        rows[label]["f32"] = [code(ROUND["f32"](v)) for v in y + z]
        rows[label]["f64"] = [code(v) for v in y + z]
    return {"short": [code(x) for x in SHORT], "long": [code(x) for x in LONG], "cases": rows}


def log_add_exp():
    points = [0.0, 1.0, -1.0, 0.1, -3.0, 10.0, -80.0, 700.0, 1000.0, -1000.0, math.inf, -math.inf, math.nan]
    np.seterr(invalid="ignore")
    points = [ROUND["f32"](x) for x in points]
    values = []
    for x in points:
        for y in points:
            finite = math.isfinite(x) and math.isfinite(y)
            exact = float(mp.log(mp.exp(mp.mpf(x)) + mp.exp(mp.mpf(y)))) if finite else float(np.logaddexp(x, y))
            assert not finite or abs(exact - float(np.logaddexp(x, y))) <= 1e-12 * max(1, abs(exact)), (x, y)
            values.append(exact)
    return {"points": [code(x) for x in points], "f64": [code(v) for v in values], "f32": [code(ROUND["f32"](v)) for v in values]}


def soft(scale):
    rows = [[ROUND["f32"](rng.uniform(-scale, scale)) for _ in range(9)] for _ in range(4)]
    exps = [[mp.exp(mp.mpf(x) - max(row)) for x in row] for row in rows]
    shares = [[e / sum(row) for e in row] for row in exps]
    logs = [[mp.mpf(x) - max(row) - mp.log(sum(es)) for x in row] for row, es in zip(rows, exps)]
    assert np.allclose(sp.softmax(np.array(rows), axis=1), [[float(s) for s in row] for row in shares], rtol=1e-12)
    assert np.allclose(sp.log_softmax(np.array(rows), axis=1), [[float(s) for s in row] for row in logs], rtol=1e-12)
    flat = lambda table: [code(float(v)) for row in table for v in row]
    return {"x": flat(rows), "softmax": flat(shares), "logSoftmax": flat(logs)}


with open(os.path.join(HERE, "activations.json"), "w") as file:
    json.dump({**activations(), "logAddExp": log_add_exp(), "soft": [soft(s) for s in (1, 10, 80, 5000)]}, file, separators=(",", ":"))
    file.write("\n")
