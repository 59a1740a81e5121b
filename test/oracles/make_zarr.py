"""Small stores of Zarr version 2 as zarr-python and xarray write them, and what is in them: zarr-python.json, zarr-xarray.json.

Run with Debian's python3-zarr and python3-xarray: /usr/bin/python3 test/oracles/make_zarr.py
"""

import base64
import json
import pathlib

import numcodecs
import numpy as np
import xarray
import zarr

here = pathlib.Path(__file__).parent


def encode(store):
    return {key: base64.b64encode(bytes(store[key])).decode() for key in sorted(store)}


def by_zarr():
    store = zarr.MemoryStore()
    root = zarr.group(store=store)
    cases = {}

    def add(name, values, chunks, **options):
        array = root.create_dataset(name, data=values, chunks=chunks, **options)
        if name != "unnamed":
            array.attrs["_ARRAY_DIMENSIONS"] = ["time", "lat", "lon"][: values.ndim]
        as_integers = values.astype("f8") if values.dtype.kind == "f" else values.astype("i8")
        cases[name] = {
            "dtype": str(values.dtype),
            "shape": list(values.shape),
            "chunks": list(chunks),
            "values": [None if v != v else v for v in as_integers.ravel().tolist()],
        }

    base = np.arange(60).reshape(5, 4, 3)
    blosc = numcodecs.Blosc(cname="lz4", clevel=5, shuffle=numcodecs.Blosc.SHUFFLE)
    for dtype in ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"]:
        add(dtype, base.astype(dtype), (2, 4, 2), compressor=blosc)
    add("bool", base % 3 == 0, (2, 4, 2), compressor=blosc)
    add("big", base.astype(">f4"), (2, 3, 2), compressor=numcodecs.Zlib(5))
    add("fortran", base.astype("f8"), (2, 3, 2), order="F", compressor=numcodecs.Zstd(3))
    add("plain", base.astype("i4"), (5, 2, 3), compressor=None)
    add("gzip", base.astype("f4"), (1, 4, 3), compressor=numcodecs.GZip(5))
    add("nested", base.astype("f4"), (2, 2, 2), compressor=blosc, dimension_separator="/")
    add("delta", base.astype("i4"), (5, 4, 3), compressor=blosc, filters=[numcodecs.Delta(dtype="i4")])
    add("unnamed", base.astype("f4"), (5, 4, 3), compressor=blosc)
    nan = base.astype("f4").copy()
    nan[1, 2] = np.nan
    add("missing", nan, (1, 2, 3), compressor=blosc, fill_value=float("nan"), write_empty_chunks=False)
    return {"store": encode(store), "arrays": cases}


def by_xarray():
    days = np.arange("2020-01-01", "2020-01-11", dtype="datetime64[D]").astype("datetime64[ns]")
    rng = np.random.default_rng(1)
    air = rng.normal(280, 10, (10, 3, 4)).astype("f4")
    air[2, 1] = np.nan
    data = xarray.Dataset(
        {"air": (("time", "lat", "lon"), air, {"units": "K"})},
        coords={"time": days, "lat": [10.0, 20.0, 30.0], "lon": [0.0, 90.0, 180.0, 270.0]},
    )
    store = zarr.MemoryStore()
    data.to_zarr(store, encoding={"air": {"chunks": (4, 2, 4)}}, consolidated=True)
    plain = lambda values: [None if v != v else v for v in np.asarray(values, "f8").ravel().tolist()]
    return {
        "store": encode(store),
        "mean": plain(data.air.mean("time", skipna=True)),
        "variance": plain(data.air.astype("f8").var("time", skipna=True, ddof=1)),
        "noon": plain(data.air.isel(time=slice(3, 7), lat=-1)),
    }


(here / "zarr-python.json").write_text(json.dumps(by_zarr()) + "\n")
(here / "zarr-xarray.json").write_text(json.dumps(by_xarray()) + "\n")
