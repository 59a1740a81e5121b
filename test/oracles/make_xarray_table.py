"""Writes xarray-table.json next to this file: what the left cells of the tables of docs/from-xarray.md are in xarray and pandas.

Run:  python3 test/oracles/make_xarray_table.py   (needs xarray, pandas >= 2.2, scipy, bottleneck)
"""

import io
import re
import warnings

import numpy as np
import pandas as pd
import xarray as xr

import beside

warnings.simplefilter("ignore")

CALLS = {
    "DataArray.astype": "a.astype(np.float32)",
    "DataArray.isin": "x.isin([1, 2])",
    "DataArray.sortby": "da.sortby(y)",
    "DataArray.rank": "y.rank('column')",
    "DataArray.idxmin": "da.assign_coords(column=labels).mean('row').idxmin()",
    "DataArray.idxmax": "da.assign_coords(column=labels).mean('row').idxmax()",
    "DataArray.sel": "da.assign_coords(column=labels).sel(column='b')",
    "DataArray.interp": "y.assign_coords(column=x).interp(column=[0, 1])",
    "DataArray.squeeze": "da.expand_dims('batch').squeeze()",
    "DataArray.head": "da.head(column=2)",
    "DataArray.tail": "da.tail(column=2)",
    "DataArray.thin": "da.thin(column=2)",
    "DataArray.drop_isel": "da.drop_isel(column=1)",
    "DataArray.drop_sel": "da.assign_coords(column=x).drop_sel(column=1.5)",
    "DataArray.dropna": "gaps.dropna('column')",
    "DataArray.combine_first": "gaps.combine_first(y)",
    "DataArray.ffill": "gaps.ffill('column')",
    "DataArray.bfill": "gaps.bfill('column')",
    "DataArray.interpolate_na": "gaps.interpolate_na('column')",
    "DataArray.interp_like": "(x**2).assign_coords(column=x).interp_like(y.assign_coords(column=y))",
    "DataArray.differentiate": "da.assign_coords(column=x).differentiate('column')",
    "DataArray.integrate": "da.assign_coords(column=x).integrate('column')",
    "DataArray.cumulative_integrate": "y.assign_coords(column=x).cumulative_integrate('column')",
    "DataArray.polyfit": "y.assign_coords(column=x).polyfit('column', 1).polyfit_coefficients",
    "xr.polyval": "xr.polyval(x, y.rename(column='degree').assign_coords(degree=[2, 1, 0]))",
    "xr.cross": "xr.cross(x, y, dim='column')",
    "xr.broadcast": "xr.broadcast(da, x)",
    "xr.align": "xr.align(da.T.transpose('row', 'column'), db)",
    "DataArray.groupby_bins": "da.groupby_bins(y, [0, 0.5, 1.5, 3]).mean()",
    "DataArray.resample": "da.assign_coords(column=days).resample(column='3D').mean()",
    "DataArray.reduce": "da.reduce(np.sum, 'column')",
    "DataArray.map_blocks": "da.map_blocks(lambda block: block.sum('column'))",
    "xr.map_blocks": "xr.map_blocks(lambda block: block.sum('column'), da)",
    "DataArray.pipe": "x.pipe(lambda t: (t**2).sum())",
    "DataArray.pad": "da.pad(column=1)",
    "DataArray.swap_dims": "da.swap_dims(row='day')",
    "DataArray.rename": "da.rename(row='day')",
    "DataArray.broadcast_like": "x.broadcast_like(da).transpose('row', 'column')",
    "DataArray.unstack": "da.stack(z=['row', 'column']).unstack()",
    "DataArray.to_dict": "da.to_dict()['data']",
    "DataArray.to_dataframe": "{'a': da.to_dataframe('a').a.unstack()}",
    "DataArray.to_dataset": "da.to_dataset(name='a')",
    "DataArray.item": "da.sum().item()",
    "DataArray.count": "gaps.count()",
    "DataArray.to_unstacked_dataset": "[da[0], da[1]]",
    **{f"Series.{name}": f"s.{name}(y)" for name in "radd rsub rmul rdiv rtruediv rfloordiv rmod rpow rdivmod".split()},
    "Series.mode": "pd.Series(i).mode()[0]",
    "Series.between": "s.between(0, 1.5)",
    "Series.skew": "s.skew()",
    "Series.std": "s.std()",
    "Series.var": "s.var()",
    "Series.kurt": "a.stack().kurt()",
    "Series.kurtosis": "a.stack().kurtosis()",
    "Series.idxmax": "pd.Series(s.values, labels).idxmax()",
    "Series.idxmin": "pd.Series(s.values, labels).idxmin()",
    "Series.autocorr": "s.autocorr()",
    "Series.where": "s.where(mask, y)",
    "Series.mask": "s.mask(mask, y)",
    "Series.combine_first": "pd.Series(gaps).combine_first(y)",
    "Series.update": "(gaps.update(pd.Series([np.nan, x[1], np.nan])), pd.Series(gaps))[1]",
    "Series.combine": "s.combine(y, max)",
    "Series.replace": "s.replace(2, 7)",
    "Series.isin": "s.isin([1, 2])",
    "Series.nsmallest": "s.nsmallest(2)",
    "Series.fillna": "pd.Series(gaps).fillna(0)",
    "Series.value_counts": "pd.Series(i).value_counts().sort_index()",
    "Series.resample": "pd.Series(s.values, days).resample('3D').sum()",
    "Series.factorize": "pd.Series(i).factorize()[0]",
    "Series.is_unique": "pd.Series(i).is_unique",
    "Series.head": "s.head(2)",
    "Series.tail": "s.tail(2)",
    "Series.iloc": "s.iloc[1]",
    "Series.iat": "s.iat[1]",
    "Series.at": "s.at[1]",
    "Series.item": "s[1:2].item()",
    "Series.shift": "s.shift()",
    "Series.repeat": "s.repeat(2)",
    "Series.truncate": "s.truncate(1)",
    "Series.expanding": "s.expanding().mean()",
    "Series.ewm": "s.ewm(alpha=0.5, adjust=False).mean()",
    "Series.apply": "s.apply(lambda v: v + 1)",
    "Series.agg": "s.agg(lambda t: (t**2).sum())",
    "Series.aggregate": "s.aggregate(lambda t: (t**2).sum())",
    "Series.transform": "s.transform(lambda v: v + 1)",
    "Series.map": "s.map(lambda v: v + 1)",
    "Series.pipe": "s.pipe(lambda t: (t**2).sum())",
    "Series.align": "s.align(y)",
    "Series.rename": "s.rename('day')",
    "Series.astype": "s.astype(np.float32)",
    "Series.memory_usage": "s.memory_usage(index=False)",
    "Series.items": "[np.float64(v) for _, v in s.items()]",
    "Series.to_dict": "s.to_dict()",
    "Series.compare": "s.compare(y)['self']",
    "Series.unstack": "pd.Series(s.values, pd.MultiIndex.from_product([[0], [0, 1, 2]])).unstack()",
    "Series.explode": "pd.Series([list(row) for row in a.values]).explode().astype(float)",
    "DataFrame.stack": "df.stack()",
    "DataFrame.melt": "df.melt().value",
    "DataFrame.eval": "pd.DataFrame({'x': x, 'y': y}).eval('x * 2 + y')",
    "DataFrame.query": "pd.DataFrame({'x': x}).query('x > 1').x",
    "DataFrame.corrwith": "df.T.corrwith(b.T)",
    "DataFrame.assign": "dict(pd.DataFrame({'x': x, 'y': y}).assign(total=x + y))",
    "DataFrame.pivot_table": "df.T.groupby(labels).mean().T",
    "DataFrame.itertuples": "[np.sum(row[1:]) for row in df.itertuples()]",
    "DataFrame.iterrows": "[row.sum() for _, row in df.iterrows()]",
    "Series.case_when": "s.case_when([(s > 1, 7)])",
    "DataFrame.map": "df.map(lambda v: v + 1)",
    "DataFrame.from_dict": "pd.DataFrame.from_dict({'x': x, 'y': y})",
    "DataFrame.from_records": "pd.DataFrame.from_records(list(zip(x, y)))",
    "DataFrame.columns": "pd.DataFrame({'x': x, 'y': y}).columns",
    "DataFrame.select_dtypes": "pd.DataFrame({'x': x, 'y': y}).select_dtypes(float).columns",
    "pd.concat": "pd.concat([x, y])",
    "pd.factorize": "pd.factorize(i)[0]",
    "pd.eval": "pd.eval('x * 2')",
    "pd.qcut": "pd.qcut(x, 4, labels=False)",
    "pd.crosstab": "pd.crosstab(pd.Categorical(i, [0, 1, 2]), pd.Categorical(i, [0, 1, 2]), dropna=False)",
    "pd.from_dummies": "pd.from_dummies(pd.get_dummies(pd.Categorical(i, [0, 1, 2])))[''].astype(int)",
    "pd.array": "pd.array([1, 2])",
    "pd.to_numeric": "pd.to_numeric(['1', '2'])",
    "pd.read_csv": "pd.read_csv(io.StringIO('1,2\\n3,4'), header=None)",
}
REASONS = {
    r"(DataArray|Series)\.(dtypes?|close)": "a type, or nothing",
    r"da\.to_netcdf": "a file",
    r"DataArray\.rolling_exp": "needs numbagg",
    r"Series\.(mad|pad|backfill|is_monotonic|first|last|append|view|ravel|swapaxes|iteritems)": "gone since pandas 2 or 3",
    r"DataFrame\.applymap|pd\.value_counts": "gone since pandas 3",
    r"Series\.sample": "drawn from other bits",
    r"DataFrame\.(insert|pivot)|pd\.pivot(_table)?": "as the one beside it",
}


def array(values):
    """Matrices have the axes of test/docs/given.ts, vectors that of the columns."""
    values = np.asarray(values)
    return xr.DataArray(values, dims=["row", "column", "depth"][: values.ndim] if values.ndim > 1 else ["column"])


def pandas(values):
    return {1: pd.Series, 2: pd.DataFrame}.get(np.ndim(values), np.asarray)(values)


def given(code):
    """In the rows of pandas vectors are series, and labels a plain list."""
    common = {"np": np, "xr": xr, "pd": pd, "io": io, "DataArray": xr.DataArray, "Series": pd.Series, "DataFrame": pd.DataFrame}
    labels, days = ["a", "b", "a"], pd.date_range("2024", periods=3)
    if re.search(r"\b(pd|s|df|Series|DataFrame)\b", code):
        made = beside.given(pandas)
        return common | made | {"s": made["x"], "df": made["a"], "labels": labels, "days": days}
    made = beside.given(array)
    return common | made | {"da": made["a"], "db": made["b"], "labels": array(labels), "days": days}


beside.write("xarray", "xarray-table.json", given, CALLS, REASONS)
