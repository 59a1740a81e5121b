"""Writes statistics.json next to this file: what test/nx/statistics.test.ts expects, from NumPy and SciPy.

Run:  python3 test/oracles/make_statistics.py   (needs numpy and scipy)

Doubles; the data is seeded, "NaN" is a string. Each case has the name of a function, its arguments in front of the options, options, and the
result.
"""

import json
import math
import os
import warnings

import numpy as np
from scipy import special, stats

warnings.filterwarnings("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
trapezoid = getattr(np, "trapezoid", None) or np.trapz
rng = np.random.default_rng(611)


def code(v):
    if isinstance(v, np.ndarray) and v.ndim > 0:
        return [code(one) for one in v]
    return "NaN" if math.isnan(v) else float(v)


cases = []


def case(fn, args, options, result):
    given = [code(a) if isinstance(a, np.ndarray) else {"plain": a} for a in args]
    cases.append({"fn": fn, "args": given, "options": options, "result": code(np.asarray(result, dtype=float))})


t = np.exp(rng.normal(size=(5, 9))).round(4)
holes = t.copy()
holes[rng.random(t.shape) < 0.3] = math.nan
large = t + 1e6

case("zscore", [t], {"axes": [1]}, stats.zscore(t, axis=1))
case("zscore", [t], {"ddof": 1}, stats.zscore(t, axis=None, ddof=1))
case("zscore", [holes], {"axes": [0], "nan": "skip"}, stats.zscore(holes, axis=0, nan_policy="omit"))
for bias in (True, False):
    case("skewness", [t], {"axes": [1], "bias": bias}, stats.skew(t, axis=1, bias=bias))
    case("skewness", [t[:2]], {"axes": [0], "bias": bias}, stats.skew(t[:2], axis=0, bias=bias))
    case("skewness", [holes], {"axes": [1], "bias": bias, "nan": "skip"}, stats.skew(holes, axis=1, bias=bias, nan_policy="omit"))
    for fisher in (True, False):
        options = {"axes": [1], "bias": bias, "fisher": fisher}
        case("kurtosis", [t], options, stats.kurtosis(t, axis=1, bias=bias, fisher=fisher))
        case("kurtosis", [holes], {**options, "nan": "skip"}, stats.kurtosis(holes, axis=1, bias=bias, fisher=fisher, nan_policy="omit"))
# SciPy loses digits here; moments in long doubles do not
d = large.astype(np.longdouble) - large.astype(np.longdouble).mean()
case("skewness", [large], {}, (d**3).mean() / (d**2).mean() ** np.longdouble(1.5))
case("trapezoid", [t], {}, trapezoid(t))
case("trapezoid", [t], {"axis": 0, "dx": 0.25}, trapezoid(t, dx=0.25, axis=0))
for axis, edge in ((0, 1), (1, 2)):
    case("gradient", [t], {"axis": axis, "edgeOrder": edge, "dx": 0.25}, np.gradient(t, 0.25, axis=axis, edge_order=edge))
    places = np.linspace(1, 3, t.shape[axis]) ** 2.5
    cases.append({"fn": "gradient", "args": [code(t)], "options": {"axis": axis, "edgeOrder": edge, "x": code(places)}, "result": code(np.gradient(t, places, axis=axis, edge_order=edge))})
# 5.25 is a period and a half of 3.5 ahead, 1.75 half of one
turned = np.array([[0, 3, -2, 7, 12.25, 14, 12.25], [0.1, -4, 8, 8, 3, 1, 20.5]])
case("unwrap", [turned], {}, np.unwrap(turned))
case("unwrap", [turned], {"axis": 0, "period": 3.5}, np.unwrap(turned, axis=0, period=3.5))
case("unwrap", [turned], {"period": 3.5}, np.unwrap(turned, period=3.5))
p = np.array([0.5, -2, 3, 1.25])
case("polyval", [p, t], {}, np.polyval(p, t))
case("polyval", [p[:1], t], {}, np.polyval(p[:1], t))
x = np.linspace(-2, 3, 12)
y = np.polyval(p, x) + rng.normal(size=12) * 0.1
w = rng.random(12) + 0.5
for degree in (0, 1, 3, 5):
    case("polyfit", [x, y, degree], {}, np.polyfit(x, y, degree))
case("polyfit", [x + 1e3, np.stack([y, -y], 1), 2], {}, np.polyfit(x + 1e3, np.stack([y, -y], 1), 2))
cases.append({"fn": "polyfit", "args": [code(x), code(y), {"plain": 2}], "options": {"weights": code(w)}, "result": code(np.polyfit(x, y, 2, w=w))})
for n in (1, 2, 5, 8, 9):
    for m in (1, 2, 3, 4, 7, 9):
        a, v = rng.normal(size=n).round(3), rng.normal(size=m).round(3)
        for mode in ("full", "same", "valid"):
            case("convolve", [a, v], {"mode": mode}, np.convolve(a, v, mode))
case("convolve", [t, p], {"axis": 0}, np.apply_along_axis(np.convolve, 0, t, p))

# several axes together, one behind the other and apart
cube = rng.normal(size=(3, 4, 5)).round(1)
gaps = cube.copy()
gaps[rng.random(cube.shape) < 0.3] = math.nan
for axes in ([0, 2], [1, 2], [2, 0, 1], [-1, 0]):
    along = tuple(axes)
    case("softmax", [cube], {"axes": axes}, special.softmax(cube, axis=along))
    case("logSoftmax", [cube], {"axes": axes}, special.log_softmax(cube, axis=along))
    case("median", [cube], {"axes": axes}, np.median(cube, axis=along))
    case("median", [gaps], {"axes": axes, "nan": "skip", "keepAxes": True}, np.nanmedian(gaps, axis=along, keepdims=True))
    case("quantile", [cube, 0.3], {"axes": axes, "keepAxes": True}, np.quantile(cube, 0.3, axis=along, keepdims=True))
    case("quantile", [gaps, [0.1, 0.75]], {"axes": axes, "nan": "skip"}, np.nanquantile(gaps, [0.1, 0.75], axis=along))
    case("percentile", [cube, 40], {"axes": axes}, np.percentile(cube, 40, axis=along))
    def lines(a):
        return np.moveaxis(a.round(), along, range(-len(axes), 0)).reshape(-1, math.prod(a.shape[axis] for axis in axes))

    def modes(a):
        found = [float(stats.mode(line[~np.isnan(line)]).mode) for line in lines(a)]
        return np.reshape(found, np.median(a, axis=along).shape)

    case("mode", [cube.round()], {"axes": axes}, modes(cube))
    case("mode", [gaps.round()], {"axes": axes, "nan": "skip"}, modes(gaps))
    case("fftshift", [cube], {"axes": axes}, np.fft.fftshift(cube, axes=along))

with open(os.path.join(HERE, "statistics.json"), "w") as out:
    json.dump(cases, out)
    out.write("\n")
