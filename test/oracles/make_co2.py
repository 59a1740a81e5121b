"""Writes co2.json: the fit of the CO2 example by NumPy. Run with `python3 test/oracles/make_co2.py`."""

import csv
import json
from pathlib import Path

import numpy as np

here = Path(__file__).parent
data = here.parent.parent / "node_modules/vega-datasets/data/co2-concentration.csv"
rows = list(csv.reader(data.open()))[1:]
years = np.array([int(date[:4]) + (int(date[5:7]) - 0.5) / 12 for date, _, _ in rows])
co2 = np.array([float(mean) for _, mean, _ in rows])


def season(t):
    orders = (1, 2, 3)
    return np.stack([np.cos(2 * np.pi * k * t) for k in orders] + [np.sin(2 * np.pi * k * t) for k in orders], 1)


def design(t):
    return np.concatenate([np.stack([(t - 1990) ** k for k in range(3)], 1), season(t)], 1)


x = design(years)
fit, _, rank, singular = np.linalg.lstsq(x, co2, rcond=None)
cycle = season((np.arange(365) + 0.5) / 365) @ fit[3:]
result = {
    "coefficients": fit.tolist(),
    "residual": float(np.std(co2 - x @ fit, ddof=len(fit))),
    "growth": {str(year): float(fit[1] + 2 * fit[2] * (year - 1990)) for year in (1960, 2020)},
    "season": float(np.ptp(cycle)),
    "mean2030": float((design(2030 + (np.arange(12) + 0.5) / 12) @ fit).mean()),
}
(here / "co2.json").write_text(json.dumps(result, indent=1) + "\n")
