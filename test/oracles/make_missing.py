"""Writes missing.json next to this file: what test/nx/aggregates/missing.test.ts expects of reductions that skip NaN, from NumPy.

Run:  python3 test/oracles/make_missing.py   (needs numpy)

Doubles. Results of lines without numbers are those of NumPy's nan-functions, of which nanargmax and nanargmin refuse such lines: -1 stands
there, as JAX's have it. Running extremes are NumPy's fmax.accumulate and fmin.accumulate. Covariances of pairs count, as pandas' DataFrame.cov
and DataFrame.corr do, the samples in which both variables are there, and are those of numpy.cov and numpy.corrcoef of these.
"NaN" is a string. The data is seeded.
"""

import json
import math
import os
import warnings

import numpy as np

warnings.filterwarnings("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(1117)


def code(values):
    return [code(v) if isinstance(v, np.ndarray) else "NaN" if math.isnan(v) else float(v) for v in np.asarray(values)]


x = rng.normal(size=(6, 7)).round(3)
x[rng.random(x.shape) < 0.35] = math.nan
x[2] = math.nan
x[4, 1:] = math.nan
x[4, 0] = -1.25


def arg(best):
    def one(row):
        return -1 if np.isnan(row).all() else best(row)
    return np.array([one(row) for row in x])


def pairs(of, least):
    size = x.shape[1]
    result = np.full((size, size), math.nan)
    for i in range(size):
        for j in range(size):
            both = ~np.isnan(x[:, i]) & ~np.isnan(x[:, j])
            if both.sum() >= least:
                result[i, j] = of(x[both, i], x[both, j])[0, 1]
    return result


weights = np.array([1, 2, 3, 4, 5, 6, 7.0])
known = np.where(np.isnan(x), 0, x)
results = {
    "sum": np.nansum(x, 1),
    "product": np.nanprod(x, 1),
    "mean": np.nanmean(x, 1),
    "reduceMax": np.nanmax(x, 1),
    "reduceMin": np.nanmin(x, 1),
    "argmax": arg(np.nanargmax),
    "argmin": arg(np.nanargmin),
    "variance": np.nanvar(x, 1),
    "variance, ddof 1": np.nanvar(x, 1, ddof=1),
    "standardDeviation": np.nanstd(x, 1),
    "median": np.nanmedian(x, 1),
    "quantile": np.nanquantile(x, 0.3, 1),
    "percentile": np.nanpercentile(x, 81, 1),
    "cumulativeSum": np.nancumsum(x, 1),
    "cumulativeProduct": np.nancumprod(x, 1),
    "cumulativeMax": np.fmax.accumulate(x, 1),
    "cumulativeMin": np.fmin.accumulate(x, 1),
    "weightedMean": (known * weights).sum(1) / (~np.isnan(x) * weights).sum(1),
    "covariance": pairs(lambda a, b: np.cov(a, b, ddof=1), 2),
    "correlation": pairs(np.corrcoef, 2),
}

with open(os.path.join(HERE, "missing.json"), "w") as out:
    json.dump({"data": code(x), "weights": code(weights), "results": {k: code(v) for k, v in results.items()}}, out, indent=1)
    out.write("\n")
