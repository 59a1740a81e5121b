"""Writes arrays.json next to this file: what test/nx/arrays.test.ts expects of functions that make, move and combine arrays, from
NumPy and SciPy.

Run:  python3 test/oracles/make_arrays.py   (needs numpy, scipy)

Operands are doubles, or integers where their type is s64. Results are computed in double precision. Numbers that JSON cannot hold
are strings: "NaN", "Infinity", "-Infinity". The data is seeded.
"""

import json
import math
import os

import numpy as np
from scipy.special import logsumexp

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(20261122)
cases = []


def code(x):
    x = x.item() if isinstance(x, np.generic) else x
    if isinstance(x, int):
        return int(x)
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    return int(x) if x == int(x) and abs(x) < 2**53 else x


def tensor(array):
    array = np.asarray(array)
    kind = "s64" if array.dtype.kind in "iub" else "f64"
    return {"type": kind, "shape": list(array.shape), "values": [code(x) for x in array.ravel()]}


def case(fn, args, result, **options):
    """`args` are arrays or plain values; `result` is an array or a list of arrays."""
    results = result if isinstance(result, (list, tuple)) else [result]
    cases.append({
        "fn": fn,
        "args": [tensor(a) if isinstance(a, np.ndarray) else {"plain": a} for a in args],
        "options": options,
        "results": [tensor(r) for r in results],
    })


a234 = rng.standard_normal((2, 3, 4))
m34 = rng.integers(-9, 9, (3, 4))
m43 = rng.standard_normal((4, 3))
m33 = rng.standard_normal((3, 3))
v5 = rng.integers(-9, 9, 5)
v7 = rng.standard_normal(7)
special = np.array([[np.inf, -np.inf, 1.5], [-np.inf, -np.inf, -np.inf], [0.25, np.nan, 1.0], [1000.0, 999.0, -1000.0]])

for args in [(5,), (2, 9), (2, 9, 3), (9, 2, -2), (-3, 3), (0, 1, 0.25), (1, -1, -0.3), (0.5, 3.1), (2.5,)]:
    case("arange", args, np.arange(*args))
for n, m, k in [(3, 3, 0), (2, 5, 1), (5, 2, -1), (4, 4, -7), (4, 4, 7), (1, 1, 0)]:
    case("tri", (n, m), np.tri(n, m, k, dtype=int), k=k)
for x in [m34, a234, m33]:
    for k in [-2, -1, 0, 1, 2]:
        case("tril", (x,), np.tril(x, k), k=k)
        case("triu", (x,), np.triu(x, k), k=k)
for indexing in ["xy", "ij"]:
    case("meshgrid", ([tensor(v5)],), list(np.meshgrid(v5, indexing=indexing)), indexing=indexing)
    case("meshgrid", ([tensor(v5), tensor(v7)],), list(np.meshgrid(v5, v7, indexing=indexing)), indexing=indexing)
    case("meshgrid", ([tensor(v5), tensor(v7), tensor(m34[0])],), list(np.meshgrid(v5, v7, m34[0], indexing=indexing)), indexing=indexing)
for source, place in [(0, 2), (2, 0), (1, -1), (-1, 1), (0, 0)]:
    case("moveAxis", (a234, source, place), np.moveaxis(a234, source, place))
    case("swapAxes", (a234, source, place), np.swapaxes(a234, source, place))
for shift, axis in [(1, None), (-5, None), (30, None), (2, 1), (-1, 0), (9, 2), (0, 1)]:
    case("roll", (a234, shift), np.roll(a234, shift, axis), **({} if axis is None else {"axis": axis}))
case("roll", (a234, [1, -2]), np.roll(a234, (1, -2), (0, 2)), axis=[0, 2])
for count, axis in [(2, None), (1, 0), (3, 1), (2, -1), ([2, 0, 1], 1), ([0, 4], 0), ([1, 2, 3, 4], 2)]:
    case("repeat", (a234, count), np.repeat(a234, count, axis), **({} if axis is None else {"axis": axis}))
case("repeat", (v5, [1, 0, 2, 0, 3]), np.repeat(v5, [1, 0, 2, 0, 3]))
for cuts, axis in [([1], 0), ([1, 2], 1), ([2, 3], 2)]:
    case("split", (a234, cuts), np.split(a234, cuts, axis), axis=axis)
for axis in range(3):
    case("unstack", (a234,), [np.squeeze(p, axis) for p in np.split(a234, a234.shape[axis], axis)], axis=axis)
for x, y in [(m34, m33), (v5, m33), (m34, v5), (a234, m33), (np.array(3), v7), (m34, m34)]:
    case("kron", (x, y), np.kron(x, y))
for offset in [-2, -1, 0, 1, 2]:
    case("trace", (m33,), np.trace(m33, offset), offset=offset)
    case("trace", (a234[:, :, :3].copy(),), np.trace(a234[:, :, :3], offset, 1, 2), offset=offset)
w43 = rng.standard_normal((4, 3))
case("cross", (m43, w43), np.cross(m43, w43))
case("cross", (m43[:1].copy(), w43), np.cross(m43[:1], w43))
case("cross", (m43.T.copy(), w43.T.copy()), np.cross(m43.T, w43.T, axis=0), axis=0)
case("cross", (m34.T[0].copy(), m34.T[1].copy()), np.cross(m34.T[0], m34.T[1]))
for order in [0, 1, 2]:
    for axis in [0, 1, 2, -1]:
        if order < a234.shape[axis]:
            case("diff", (a234,), np.diff(a234, order, axis), axis=axis, order=order)
case("diff", (v5,), np.diff(v5))
for x in [m43, m34, rng.standard_normal((6, 2)) * 1e-3 + 1e6, v7.reshape(7, 1)]:
    for ddof in [0, 1]:
        case("covariance", (x,), np.atleast_2d(np.cov(x, rowvar=False, ddof=ddof)), ddof=ddof)
    case("correlation", (x,), np.atleast_2d(np.corrcoef(x, rowvar=False)))
for x in [a234, m34, special]:
    for axis in [None, 0, 1]:
        options = {} if axis is None else {"axes": [axis]}
        case("logSumExp", (x,), logsumexp(x, axis), **options)
        case("logSumExp", (x,), logsumexp(x, axis, keepdims=True), keepAxes=True, **options)
for equal_nan in [False, True]:
    for x, y in [(special, special + 1e-7), (special, special[::-1].copy()), (m34, m34 + 1), (v7, v7 * (1 + 1e-5))]:
        case("isClose", (x, y), np.isclose(x, y, equal_nan=equal_nan).astype(int), equalNan=equal_nan)
labels = np.array([[0, 2], [-1, 3]])
for axis in [-1, 0, 1]:
    hit = (np.expand_dims(labels, axis) == np.arange(3).reshape([3 if i == (axis % 3) else 1 for i in range(3)])).astype(int)
    case("oneHot", (labels, 3), hit, axis=axis)

nan = np.array([[1.0, np.nan, 3.0], [4.0, 2.0, -1.0]])
for x in [a234, m34, nan, np.array([[np.inf, 1.0, 2.0], [-np.inf, np.inf, 0.0]])]:
    for axis in [None, 0, 1]:
        options = {} if axis is None else {"axis": axis}
        for q in [0, 0.25, 0.5, 0.9, 1, [0.1, 0.7]]:
            if q == 0.5 and axis == 1 and np.isinf(x).any():
                continue  # the median is an element beside an infinity, which NumPy multiplies by 0
            case("quantile", (x, q), np.quantile(x, q, axis=axis), **options)
    case("percentile", (x, 37.5), np.percentile(x, 37.5, axis=0, keepdims=True), axis=0, keepAxis=True)
for method in ["linear", "lower", "higher", "midpoint", "nearest"]:
    for x in [m34, nan, np.arange(10.0).reshape(2, 5) ** 2]:
        for q in [[0, 0.125, 0.25, 0.375, 0.5, 0.6, 0.8, 1]]:
            case("quantile", (x, q), np.quantile(x, q, axis=1, method=method), axis=1, method=method)
            case("quantile", (x, q), np.nanquantile(x, q, axis=1, method=method), axis=1, method=method, nan="skip")
        case("percentile", (x, 30), np.percentile(x, 30, method=method), method=method)
line = np.sort(np.concatenate([rng.integers(-5, 5, 12) * 0.5, [np.inf, np.nan]]))
whole = np.sort(rng.integers(-9, 9, 7))
probes = np.concatenate([line, [-np.inf, 0.1, -7.0, 7.0]]).reshape(2, 9)
for side in ["left", "right"]:
    case("searchsorted", (line, probes), np.searchsorted(line, probes, side), side=side)
    case("searchsorted", (whole, m34), np.searchsorted(whole, m34, side), side=side)
    case("searchsorted", (whole[:1].copy(), m34), np.searchsorted(whole[:1], m34, side), side=side)
for right in [False, True]:
    case("digitize", (probes[:, :6].copy(), np.array([-2.0, -0.5, 0.0, 1.5])), np.digitize(probes[:, :6], [-2.0, -0.5, 0.0, 1.5], right), right=right)
xs, ys = np.array([-2.0, -0.5, 1.0, 4.0]), np.array([3.0, -1.0, 2.5, 0.0])
at = np.array([[-3.0, -2.0, -1.0, 0.3], [1.0, 3.9, 4.0, 9.0]])
case("interp", (at, xs, ys), np.interp(at, xs, ys))
case("interp", (at, xs, ys), np.interp(at, xs, ys, left=7, right=-7), left=7, right=-7)
case("interp", (at, xs[:1].copy(), ys[:1].copy()), np.interp(at, xs[:1], ys[:1]))
classes = rng.integers(0, 6, (4, 5))
case("bincount", (classes,), np.bincount(classes.ravel()))
case("bincount", (classes,), np.bincount(classes.ravel(), minlength=9), length=9)
sample = np.concatenate([rng.standard_normal(200), [0.5, 1.0, 1.5]])
for bins in [1, 7, 10]:
    case("histogram", (sample,), list(np.histogram(sample, bins)), bins=bins)
    case("histogram", (sample,), list(np.histogram(sample, bins, (-1, 1.5))), bins=bins, range=[-1, 1.5])
    case("histogram", (sample,), list(np.histogram(sample, bins, density=True)), bins=bins, density=True)
case("histogram", (np.full(5, 3.0),), list(np.histogram(np.full(5, 3.0))))
case("histogram", (m34,), list(np.histogram(m34, 4)), bins=4)
groups = np.array([2, 0, 2, 4])
case("segmentSum", (m43, groups, 5), np.array([m43[groups == g].sum(0) for g in range(5)]))
case("segmentMean", (m43[:3].copy(), np.array([1, 0, 1]), 2), np.array([m43[1], (m43[0] + m43[2]) / 2]))

with open(os.path.join(HERE, "arrays.json"), "w") as file:
    json.dump(cases, file, separators=(",", ":"))
print(len(cases), "cases")
