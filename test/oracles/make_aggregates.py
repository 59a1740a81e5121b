"""Writes aggregates.json next to this file: what test/nx/aggregates expects of reductions, from NumPy.

Run:  python3 test/oracles/make_aggregates.py   (needs numpy)

Results are computed in longdouble (clongdouble, or Python's integers) from the elements as their type holds them, and rounded
once to double; the test rounds them to the type it is to have. Numbers that JSON or a reader could change are strings:
"NaN", "Infinity", "-Infinity", "-0", and integers beyond 2^53. Complex numbers are pairs. The data is seeded.
"""

import itertools
import json
import math
import os
import warnings

import numpy as np

warnings.filterwarnings("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(20240502)
SHAPE = (2, 3, 4)
NAN, INF = math.nan, math.inf
DTYPES = {
    "u8": np.uint8, "s16": np.int16, "s32": np.int32, "s64": np.int64, "u64": np.uint64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
}


def code(x):
    """A number as JSON keeps it."""
    if isinstance(x, (complex, np.complexfloating)):
        return [code(x.real), code(x.imag)]
    if isinstance(x, (int, np.integer)):
        return int(x) if abs(int(x)) < 2**53 else str(int(x))
    x = float(x)
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x == 0 and math.copysign(1, x) < 0:
        return "-0"
    return int(x) if x == int(x) and abs(x) < 2**53 else x


def flat(array):
    return [code(x) for x in np.asarray(array).ravel()]


def wrap(array, unsigned):
    """Python integers modulo 2^64."""
    def one(x):
        x &= 2**64 - 1
        return x if unsigned or x < 2**63 else x - 2**64
    return [code(one(int(x))) for x in np.asarray(array, dtype=object).ravel()]


def wide(data):
    """The data in the widest type of its kind."""
    if np.iscomplexobj(data):
        return data.astype(np.clongdouble)
    return data.astype(np.longdouble)


def over_axes(data, axes):
    kind = data.dtype.kind
    many = {"axis": axes}
    w = wide(data)
    out = {"mean": flat(np.mean(w, **many)), "variance": flat(np.var(w, **many)), "standardDeviation": flat(np.std(w, **many))}
    out["all"] = flat(np.all(data, **many).astype(int))
    out["any"] = flat(np.any(data, **many).astype(int))
    if kind in "iu":
        exact = data.astype(object)
        out["sum"] = wrap(np.sum(exact, **many), kind == "u")
        out["product"] = wrap(np.prod(exact, **many), kind == "u")
    else:
        out["sum"] = flat(np.sum(w, **many))
        out["product"] = flat(np.prod(w, **many))
    if kind != "c":
        out["reduceMax"] = flat(np.max(data, **many))
        out["reduceMin"] = flat(np.min(data, **many))
    shape = np.sum(np.ones(data.shape), **many).shape
    if data.size // max(1, math.prod(shape)) > 1:
        out["sampleVariance"] = flat(np.var(w, ddof=1, **many))
    return {"axes": None if axes is None else list(axes), "shape": list(shape), "results": out}


def along_axis(data, axis):
    if data.dtype.kind == "c":
        return None
    out = {"argmax": flat(np.argmax(data, axis=axis)), "argmin": flat(np.argmin(data, axis=axis))}
    exact = data.astype(object) if data.dtype.kind in "iu" else data.astype(np.longdouble)
    out["median"] = median(exact, axis)
    out["mode"] = mode(data, axis)
    return {"axis": axis, "shape": list(np.argmax(data, axis=axis).shape), "results": out}


def lines(data, axis):
    if axis is None:
        return [data.ravel()]
    moved = np.moveaxis(data, axis, -1)
    return list(moved.reshape(-1, moved.shape[-1]))


def median(data, axis):
    def one(line):
        if any(x != x for x in line):
            return NAN
        line = sorted(line)
        n = len(line)
        return line[n // 2] if n % 2 else (line[n // 2 - 1] + line[n // 2]) / 2
    return [code(one(line)) for line in lines(data, axis)]


def mode(data, axis):
    def one(line):
        values, counts = np.unique(line, return_counts=True)  # sorted, NaNs as one value
        return values[np.argmax(counts)]
    return [code(one(line).item()) for line in lines(data, axis)]


def random(name):
    dtype = DTYPES[name]
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        shift = 6 if info.bits == 64 else 0  # so that sums, and with them means, do not wrap
        data = rng.integers(info.min >> shift, info.max >> shift, SHAPE, dtype=dtype, endpoint=True)
        data[0, 1, :2] = 0
        return data
    if np.dtype(dtype).kind == "c":
        return (rng.normal(0, 3, SHAPE) + 1j * rng.normal(1, 2, SHAPE)).astype(dtype)
    return rng.normal(1, 3, SHAPE).astype(dtype)


def few(name):
    """Small numbers with repetitions, for ties."""
    return rng.integers(0, 4, (3, 7)).astype(DTYPES[name])


def case(name, data):
    axes = [None] + [c for n in range(1, data.ndim + 1) for c in itertools.combinations(range(data.ndim), n)]
    along = [along_axis(data, axis) for axis in [None, *range(data.ndim)]]
    return {
        "type": name,
        "shape": list(data.shape),
        "data": flat(data),
        "overAxes": [over_axes(data, a) for a in axes],
        "alongAxis": [a for a in along if a],
    }


cases = [case(name, random(name)) for name in DTYPES]
cases += [case(name, few(name)) for name in ("u8", "s64", "f32")]
for name in ("f32", "f64"):
    special = [[1, NAN, 3], [INF, 2, -INF], [INF, INF, 1], [-0.0, -0.0, -0.0], [NAN, NAN, 0], [-INF, -1, -2]]
    cases.append(case(name, np.array(special, dtype=DTYPES[name])))

lines_out = ",\n".join(json.dumps(c, separators=(",", ":"), allow_nan=False) for c in cases)
with open(os.path.join(HERE, "aggregates.json"), "w") as file:
    file.write('{"numpy":"%s","cases":[\n%s\n]}\n' % (np.__version__, lines_out))
