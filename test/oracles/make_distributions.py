"""Writes distributions.json next to this file: what test/random expects of samples of distributions, from SciPy.

Run:  python3 test/oracles/make_distributions.py   (needs numpy and scipy)

Of a continuous distribution the 49 quantiles that cut it into 50 parts of equal probability; of a discrete one the probabilities of 0, 1
and so on, as far as each is expected often enough, and that of all beyond.
"""

import json
import os

import numpy as np
import scipy
from scipy import stats

HERE = os.path.dirname(os.path.abspath(__file__))
CONTINUOUS = [
    ("exponential", [], stats.expon()),
    ("laplace", [], stats.laplace()),
    ("logistic", [], stats.logistic()),
    ("cauchy", [], stats.cauchy()),
    *[("truncatedNormal", [a, b], stats.truncnorm(a, b)) for a, b in ((-1, 2), (0.5, 3), (-0.01, 0.02))],
    *[("gamma", [a], stats.gamma(a)) for a in (0.1, 0.7, 1, 2.5, 40, 1000)],
    *[("beta", [a, b], stats.beta(a, b)) for a, b in ((0.5, 0.5), (2, 3), (30, 0.4), (100, 200))],
]
RATES = [0, 0.3, 1, 4, 9.9, 10, 11.5, 30, 120]


def poisson(rate):
    """Probabilities of single counts where they are above 0.002, of all below them and of all above."""
    d = stats.poisson(rate)
    counts = np.arange(0, 400)
    often = counts[d.pmf(counts) > 0.002]
    first, last = int(often[0]), int(often[-1])
    parts = [float(d.pmf(k)) for k in range(first, last + 1)]
    return {"rate": rate, "first": first, "below": float(d.cdf(first - 1)), "parts": parts, "above": float(d.sf(last))}


quantiles = np.arange(1, 50) / 50
with open(os.path.join(HERE, "distributions.json"), "w") as file:
    continuous = [{"fn": fn, "parameters": p, "edges": [float(x) for x in d.ppf(quantiles)]} for fn, p, d in CONTINUOUS]
    body = {"numpy": np.__version__, "scipy": scipy.__version__, "continuous": continuous, "poisson": [poisson(r) for r in RATES]}
    file.write(json.dumps(body, separators=(",", ":")) + "\n")
