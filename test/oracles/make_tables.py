"""Writes tables.json next to this file: arrays as NumPy prints them, for test/nx/print.test.ts.

Run:  python3 test/oracles/make_tables.py   (needs numpy)

Elements that JSON could change are strings: "NaN", "Infinity", "-Infinity", "-0"; those of complex arrays are pairs.
"""

import json
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(20261122)
TYPES = {"float64": "f64", "float32": "f32", "float16": "f16", "complex128": "c128", "complex64": "c64", "int32": "s32", "uint8": "u8"}


def code(x):
    x = float(x)
    if np.isnan(x):
        return "NaN"
    if np.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x == 0 and np.signbit(x):
        return "-0"
    return int(x) if x == int(x) and abs(x) < 2**53 else x


def coded(a):
    if np.iscomplexobj(a):
        return [[code(x.real), code(x.imag)] for x in a.ravel()]
    return [code(x) for x in a.ravel()]


cases = []


def case(a, precision=8, width=75, threshold=1000):
    a = np.asarray(a)
    with np.printoptions(precision=precision, linewidth=width, threshold=threshold, nanstr="NaN", infstr="Inf"):
        text = str(a)
    cases.append({
        "type": TYPES[a.dtype.name], "shape": list(a.shape), "elements": coded(a),
        "precision": precision, "width": width, "limit": threshold, "text": text,
    })


def anything(shape, dtype, scale):
    return (rng.standard_normal(shape) * 10.0 ** rng.integers(-scale, scale + 1, shape)).astype(dtype)


for dtype in ["float64", "float32", "float16"]:
    for scale in [0, 1, 2, 4 if dtype == "float16" else 12]:
        for shape in [(3,), (2, 3), (2, 2, 4), (30,), (1, 25)]:
            case(anything(shape, dtype, scale), precision=int(rng.integers(0, 10)), width=int(rng.integers(20, 90)))
    case(np.array([np.nan, 1.5, -np.inf], dtype))
    case(np.array([np.nan, np.nan], dtype))
    case(np.array([-np.inf, np.inf], dtype))
    case(np.array([[np.inf, 100000.25], [-0.0, 0]], "float64" if dtype == "float16" else dtype))
    case(np.array([1e-5, np.nan, 1], dtype))
    case(np.array(0.5, dtype))
    case(np.array([0, -0.0], dtype))
case([0.5, 1.5, 2.5, 0.125, 0.375], precision=0)
case([0.125, 0.375, 0.15, 0.25, 1.005], precision=2)
case([1.25e9, 1.75e9, 1.35e9], precision=1)
case([1e8, 1], precision=3)
case([99999999.0, 99999.5], precision=3)
case([1e22, 1e-300, 123456789.125], precision=12)
for dtype in ["complex128", "complex64"]:
    for scale in [0, 1, 6]:
        case((anything((2, 3), "float64", scale) + 1j * anything((2, 3), "float64", scale)).astype(dtype), precision=4)
for dtype in ["int32", "uint8"]:
    case(rng.integers(0, 200, (4, 6)).astype(dtype), width=18)
    case(rng.integers(0, 100, (7, 9)).astype(dtype), threshold=40)
case(rng.integers(-1000, 1000, (8, 3, 7)).astype("int32"), threshold=60)
case(rng.integers(-1000, 1000, (7, 2, 1, 7)).astype("int32"), threshold=60)
case(rng.standard_normal((6, 200)), threshold=1000)
case(rng.standard_normal(7), threshold=6, precision=3)

with open(os.path.join(HERE, "tables.json"), "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
print(len(cases))
