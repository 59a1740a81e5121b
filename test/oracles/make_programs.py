"""Writes programs.json: what the programs of `examples/programs` find, by NumPy and SciPy. Run with `python3 test/oracles/make_programs.py`."""

import csv
import json
from pathlib import Path

import numpy as np
from scipy import ndimage, optimize
from scipy.stats import norm

here = Path(__file__).parent
data = here.parent.parent / "node_modules/vega-datasets/data"


def penguins():
    measures = ["Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)", "Body Mass (g)"]
    records = json.loads((data / "penguins.json").read_text())
    rows = [[r[m] for m in measures] for r in records if all(r[m] is not None for m in measures)]
    x = np.array(rows, float)
    return (x - x.mean(0)) / x.std(0)


def k_means():
    x = penguins()
    centres = x[[0, 170, 340]]
    while True:
        distances = ((x[:, None] - centres) ** 2).sum(-1)
        labels = distances.argmin(1)
        following = np.array([x[labels == k].mean(0) for k in range(3)])
        if np.array_equal(following, centres):
            return {"labels": labels.tolist(), "inertia": distances.min(1).sum(), "centres": centres.tolist()}
        centres = following


def pca():
    x = penguins()
    values, vectors = np.linalg.eigh(np.cov(x.T, bias=True))
    return {"variances": values[::-1].tolist(), "directions": np.abs(vectors[:, ::-1]).tolist()}


def seattle():
    return list(csv.DictReader((data / "seattle-weather.csv").open()))


def logistic_regression():
    rows = seattle()
    column = lambda name: np.array([float(r[name]) for r in rows])
    wet = column("precipitation") > 0
    x = np.stack([column(name) for name in ("temp_max", "temp_min", "wind")], 1)
    x = np.concatenate([np.ones((len(x), 1)), (x - x.mean(0)) / x.std(0)], 1)
    w = np.zeros(4)
    for _ in range(20):  # iteratively reweighted least squares
        p = 1 / (1 + np.exp(-x @ w))
        information = (x * (p * (1 - p))[:, None]).T @ x
        w = w + np.linalg.solve(information, x.T @ (wet - p))
    errors = np.sqrt(np.diag(np.linalg.inv(information)))
    return {"weights": w.tolist(), "errors": errors.tolist(), "told": float(np.mean((x @ w > 0) == wet))}


def mandelbrot():
    c = np.linspace(-2, 0.5, 251) + 1j * np.linspace(-1.15, 1.15, 231)[:, None]
    z, steps = np.zeros_like(c), np.zeros(c.shape, int)
    for _ in range(200):
        inside = np.abs(z) <= 2
        z[inside] = z[inside] ** 2 + c[inside]
        steps += np.abs(z) <= 2
    return {"steps": int(steps.sum()), "inside": int((steps == 200).sum())}


def temperature():
    rows = [(float(year), float(t)) for year, t in list(csv.reader((data / "global-temp.csv").open()))[1:]]
    return np.array(rows).T


def kalman_filter():
    """The same model as one normal distribution of all years, without a filter."""
    _, y = temperature()
    n = len(y)
    at = np.arange(n)

    def parts(log_variances):
        measured, level, slope = np.exp(log_variances)
        # levels: of the start, with its slope; and sums of what drives them
        cov = 1 + np.outer(at, at) + level * np.minimum.outer(at, at)
        reach = np.maximum(at[:, None] - 1 - at, 0)  # a slope that changes in year s moves level t by t - s - 1
        return cov + slope * reach @ reach.T, measured

    def loss(p):
        cov, measured = parts(p)
        k = cov + measured * np.eye(n)
        return 0.5 * (y @ np.linalg.solve(k, y) + np.linalg.slogdet(k)[1] + n * np.log(2 * np.pi))

    def exactly(p):
        """The same in extended precision: the covariance has a condition of 1e8, since a slope goes far in 144 years."""
        cov, measured = parts(np.array(p, np.longdouble))
        left, factor = cov + measured * np.eye(n), np.zeros((n, n), np.longdouble)
        for i in range(n):
            factor[:, i] = left[:, i] / np.sqrt(left[i, i])
            left = left - np.outer(factor[:, i], factor[:, i])
        white = np.zeros(n, np.longdouble)
        for i in range(n):
            white[i] = (y[i] - factor[i] @ white) / factor[i, i]
        return float(0.5 * (white @ white + n * np.log(2 * np.longdouble(np.pi))) + np.log(np.diag(factor)).sum())

    best = optimize.minimize(loss, [-4, -6, -8], method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-12, "maxiter": 5000})
    cov, measured = parts(best.x)
    level = cov[-1] @ np.linalg.solve(cov + measured * np.eye(n), y)
    return {"elsewhere": -exactly([-5, -6, -13]), "logLikelihood": -exactly(best.x), "deviations": np.exp(best.x / 2).tolist(), "level": level}


def weather():
    rows = seattle()
    highest = np.array([float(r["temp_max"]) for r in rows])
    month = np.array([int(r["date"][5:7]) for r in rows])
    year = np.array([int(r["date"][:4]) for r in rows])
    usual = np.array([highest[month == m].mean() for m in range(1, 13)])
    anomalies = highest - usual[month - 1]
    return {
        "table": [[highest[(year == y) & (month == m)].mean() for m in range(1, 13)] for y in range(2012, 2016)],
        "quantiles": [np.quantile(highest[month == m], 0.9) for m in range(1, 13)],
        "ofYears": [anomalies[year == y].mean() for y in range(2012, 2016)],
        "hottest": rows[anomalies.argmax()]["date"],
        "warmest": rows[np.convolve(highest, np.ones(30), "valid").argmax() + 29]["date"],
    }


def gaussian_process():
    years, t = temperature()
    gap = (years >= 1939) & (years <= 1945)
    x, y = years[~gap], t[~gap]
    mean = y.mean()
    kernel = lambda p, a, b: np.exp(2 * p[0] - 0.5 * ((a[:, None] - b) / np.exp(p[1])) ** 2)
    noisy = lambda p: kernel(p, x, x) + np.exp(2 * p[2]) * np.eye(len(x))

    def loss(p):
        k = noisy(p)
        return 0.5 * ((y - mean) @ np.linalg.solve(k, y - mean) + np.linalg.slogdet(k)[1] + len(x) * np.log(2 * np.pi))

    best = optimize.minimize(loss, [-1, 3, -2], method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12, "maxiter": 5000})
    to = kernel(best.x, years[gap], x)
    inverse = np.linalg.inv(noisy(best.x))
    variance = np.exp(2 * best.x[0]) - np.einsum("ij,jk,ik->i", to, inverse, to)
    return {
        "value": best.fun,
        "scales": np.exp(best.x).tolist(),
        "mean": (to @ inverse @ (y - mean) + mean).tolist(),
        "deviation": np.sqrt(variance).tolist(),
    }


def image_filters():
    raw = json.loads((data / "volcano.json").read_text())
    image = np.array(raw["values"], float).reshape(raw["height"], raw["width"])
    inner = (slice(1, -1), slice(1, -1))
    blurred = ndimage.correlate(image, np.outer([1, 2, 1], [1, 2, 1]) / 16)[inner]
    edges = np.hypot(ndimage.sobel(image, 0), ndimage.sobel(image, 1))[inner]
    summits = (blurred == ndimage.maximum_filter(blurred, 15)) & (blurred > 150)
    moments = lambda x: [float(x.sum()), float(x.ravel() @ np.arange(x.size)), float((x * x).ravel() @ np.arange(x.size))]
    return {
        "blurred": moments(blurred),
        "edges": moments(edges),
        "laplace": moments(ndimage.laplace(image)[inner]),
        "dilated": moments(ndimage.grey_dilation(image, (3, 3))),
        "eroded": moments(ndimage.grey_erosion(image, (3, 3))),
        "summits": np.argwhere(summits).tolist(),
    }


def option_greeks():
    spot, volatility, rate, years = 42, 0.2, 0.1, 0.5
    strike = np.array([36, 38, 40, 42, 44])
    d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * years) / (volatility * np.sqrt(years))
    d2 = d1 - volatility * np.sqrt(years)
    discounted = strike * np.exp(-rate * years)
    return {
        "price": (spot * norm.cdf(d1) - discounted * norm.cdf(d2)).tolist(),
        "delta": norm.cdf(d1).tolist(),
        "gamma": (norm.pdf(d1) / (spot * volatility * np.sqrt(years))).tolist(),
        "vega": (spot * norm.pdf(d1) * np.sqrt(years)).tolist(),
        "rho": (discounted * years * norm.cdf(d2)).tolist(),
        "theta": (spot * norm.pdf(d1) * volatility / (2 * np.sqrt(years)) + rate * discounted * norm.cdf(d2)).tolist(),
    }


programs = [k_means, pca, logistic_regression, mandelbrot, kalman_filter, weather, gaussian_process, image_filters, option_greeks]
result = {program.__name__: program() for program in programs}
(here / "programs.json").write_text(json.dumps(result) + "\n")
