"""Writes groups.json: groups, windows and blocks of entries as pandas and xarray reduce them, for test/nx/groups/pandas.test.ts.

Run:  python3 test/oracles/make_groups.py   (needs pandas and xarray)

Doubles; the data is seeded, "NaN" is a string. A case says what was made of the series (`make`: `groupBy`, `groupByEach`, `rolling`, `resample`),
with which arguments, which reduction with which arguments, and the result.
"""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

rng = np.random.default_rng(17)
DAYS = 200
values = np.round(rng.normal(10, 4, DAYS), 1)
values[rng.random(DAYS) < 0.15] = math.nan
values[40:60] = math.nan  # a stretch without a number
dates = pd.date_range("2023-01-05", periods=DAYS)
series = pd.Series(values, index=dates)
labels = rng.integers(0, 6, DAYS)
cases = []


def code(v):
    if isinstance(v, (list, np.ndarray, pd.Series)):
        return [code(one) for one in np.asarray(v).tolist()] if np.asarray(v).ndim else code(np.asarray(v).item())
    return "NaN" if isinstance(v, float) and math.isnan(v) else v


def case(source, make, args, op, op_args, result):
    cases.append({"source": source, "make": make, "args": args, "op": op, "opArgs": op_args, "result": code(np.asarray(result, dtype=float))})


SKIP = {"nan": "skip"}
REDUCTIONS = {
    "count": ([SKIP], lambda g: g.count()),
    "sum": ([SKIP], lambda g: g.sum()),
    "product": ([SKIP], lambda g: g.prod()),
    "mean": ([SKIP], lambda g: g.mean()),
    "max": ([SKIP], lambda g: g.max()),
    "min": ([SKIP], lambda g: g.min()),
    "median": ([SKIP], lambda g: g.median()),
    "variance": ([{**SKIP, "ddof": 1}], lambda g: g.var()),
    "standardDeviation": ([{**SKIP, "ddof": 0}], lambda g: g.std(ddof=0)),
    "first": ([SKIP], lambda g: g.first()),
    "last": ([SKIP], lambda g: g.last()),
    "quantile": ([0.3, SKIP], lambda g: g.quantile(0.3)),
    "percentile": ([90, SKIP], lambda g: g.quantile(0.9)),
    "skewness": ([{**SKIP, "bias": False}], lambda g: g.apply(lambda s: s.skew())),
    "kurtosis": ([{**SKIP, "bias": False}], lambda g: g.apply(lambda s: s.kurt())),
    "mode": ([SKIP], lambda g: g.apply(lambda s: s.mode().iloc[0])),
    "argmax": ([SKIP], lambda g: g.apply(lambda s: dates.get_loc(s.idxmax()))),
    "argmin": ([SKIP], lambda g: g.apply(lambda s: dates.get_loc(s.idxmin()))),
    "weightedMean": (["weights", SKIP], lambda g: g.apply(lambda s: (s * weights[s.index]).sum() / weights[s.index][s.notna()].sum())),
}
weights = pd.Series(np.round(rng.random(DAYS), 2), index=dates)
for op, (op_args, fn) in REDUCTIONS.items():
    case("pandas", "groupBy", [labels.tolist()], op, op_args, fn(series.groupby(labels)))

# calendars: months by labels of dates, as `groupby("time.month")` and `resample(time="1M")` of xarray
array = xr.DataArray(values, dims="time", coords={"time": dates})
months = [d.month for d in dates]
case("xarray", "groupBy", [months], "mean", [SKIP], array.groupby("time.month").mean())
case("xarray", "groupBy", [[d.strftime("%Y-%m") for d in dates]], "max", [SKIP], array.resample(time="1M").max())
anomalies = array.groupby("time.month") - array.groupby("time.month").mean()
cases.append({"source": "xarray", "make": "anomalies", "args": [months], "op": "", "opArgs": [], "result": code(anomalies.values)})

# two labels: a table of them, as `groupby([...]).mean().unstack()`
halves = (labels % 3).tolist()
for op, fn in {"mean": lambda g: g.mean(), "count": lambda g: g.count(), "max": lambda g: g.max(), "median": lambda g: g.median()}.items():
    table = fn(series.groupby([np.array(months), np.array(halves)])).unstack()
    case("pandas", "groupByEach", [months, halves], op, [SKIP], table.fillna(0) if op == "count" else table)

ROLLING = {
    "sum": ([], lambda r: r.sum()),
    "mean": ([], lambda r: r.mean()),
    "max": ([], lambda r: r.max()),
    "min": ([], lambda r: r.min()),
    "median": ([], lambda r: r.median()),
    "variance": ([{"ddof": 1}], lambda r: r.var()),
    "standardDeviation": ([{"ddof": 0}], lambda r: r.std(ddof=0)),
    "quantile": ([0.3], lambda r: r.quantile(0.3)),
    "skewness": ([{"bias": False}], lambda r: r.apply(lambda s: pd.Series(s).skew(), raw=True)),
    "kurtosis": ([{"bias": False}], lambda r: r.apply(lambda s: pd.Series(s).kurt(), raw=True)),
}
for size, options, keywords in [(5, {}, {}), (7, {"minPeriods": 2}, {"min_periods": 2}), (6, {"minPeriods": 1, "center": True}, {"min_periods": 1, "center": True})]:
    for op, (op_args, fn) in ROLLING.items():
        if op in ("skewness", "kurtosis") and options.get("minPeriods", 5) < 4:
            continue  # pandas has NaN for the few elements for which SciPy has the biased estimate
        case("pandas", "rolling", [size, options], op, op_args, fn(series.rolling(size, **keywords)))
case("xarray", "rolling", [5, {"center": True, "minPeriods": 5}], "mean", [], array.rolling(time=5, center=True).mean())
case("pandas", "rolling", [5, {"minPeriods": 1}], "count", [], series.rolling(5, min_periods=0).count())

# blocks of a fixed size: `coarsen` of xarray, and `resample("7D")` of pandas, which has the entries that are left over as a block, too
for op, fn in {"mean": lambda c: c.mean(), "sum": lambda c: c.sum(), "max": lambda c: c.max(), "median": lambda c: c.median(), "standardDeviation": lambda c: c.std()}.items():
    case("xarray", "resample", [7, {"boundary": "trim"}], op, [SKIP], fn(array.coarsen(time=7, boundary="trim")))
whole = DAYS // 7
for op in ("first", "last", "count", "quantile", "argmax"):
    op_args, fn = REDUCTIONS[op]
    blocks = series.iloc[: whole * 7].groupby(np.repeat(np.arange(whole), 7))
    if op == "argmax":
        result = blocks.apply(lambda s: -1 if s.isna().all() else dates.get_loc(s.idxmax()))
    else:
        result = fn(blocks)
    case("pandas", "resample", [7, {"boundary": "trim"}], op, op_args, result)

out = {"values": code(values), "weights": code(weights.values), "cases": cases}
(Path(__file__).parent / "groups.json").write_text(json.dumps(out, separators=(",", ":")) + "\n")
print(len(cases), "cases")
