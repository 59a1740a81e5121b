"""Writes test/io/data: small files of NumPy and expected.json, what they hold.

Run:  python3 test/oracles/make_numpy_files.py   (needs numpy 2)

Files are written by numpy.save, numpy.savez, numpy.savez_compressed and numpy.lib.format; some are spoilt on purpose, see
REFUSED. Elements in expected.json are in row-major order: integers beyond 2^53, NaN, infinities and -0 are strings, complex
numbers pairs.
"""

import io
import json
import math
import os
import zipfile

import numpy as np
from numpy.lib import format as npy

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "io", "data")
TYPES = {
    "bool": "u8", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "int8": "s8", "int16": "s16",
    "int32": "s32", "int64": "s64", "float16": "f16", "float32": "f32", "float64": "f64", "complex64": "c64",
    "complex128": "c128",
}


def code(x):
    """A number as JSON keeps it."""
    if isinstance(x, (complex, np.complexfloating)):
        return [code(x.real), code(x.imag)]
    if isinstance(x, (bool, int, np.integer, np.bool_)):
        return int(x) if abs(int(x)) < 2**53 else str(int(x))
    x = float(x)
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    return "-0" if x == 0 and math.copysign(1, x) < 0 else x


def describe(a):
    return {"type": TYPES[a.dtype.name], "shape": list(a.shape), "elements": [code(x) for x in a.ravel(order="C")]}


def path(name):
    return os.path.join(HERE, name)


def samples():
    """Names and arrays, each written as a .npy file of version 1.0."""
    for name in TYPES:
        dtype = np.dtype(name)
        if dtype.kind == "b":
            a = np.array([[True, False, True]])
        elif dtype.kind in "iu":
            info = np.iinfo(dtype)
            a = np.array([[info.min, info.max, 1], [2, 3, 7]], dtype)
        elif dtype.kind == "f":
            a = np.array([[0.1, -0.0, np.nan], [np.inf, -np.inf, 1.5]], dtype)
        else:
            a = np.array([[1 + 2j, complex(0.1, -np.inf)]], dtype)
        yield name, a
        if dtype.itemsize > 1:
            yield name + "_big", a.astype(dtype.newbyteorder(">"))
    yield "fortran", np.asfortranarray(np.arange(24, dtype="<i2").reshape(2, 3, 4))
    yield "fortran_big", np.asfortranarray(np.arange(6, dtype=">c16").reshape(2, 3))
    yield "scalar", np.array(2.5)
    yield "vector", np.arange(5, dtype="u1")
    yield "deep", np.arange(8, dtype="<f4").reshape(2, 1, 2, 1, 2)


def header(text, data=b"", version=(1, 0)):
    """A file with any text as its header."""
    raw = text.encode("utf8")
    size = len(raw).to_bytes(2 if version == (1, 0) else 4, "little")
    return b"\x93NUMPY" + bytes(version) + size + raw + data


REFUSED = {
    "empty.npy": "no elements",
    "structured.npy": "structured",
    "text.npy": "text",
    "objects.npy": "objects",
    "dates.npy": "dates",
    "longdouble.npy": "precision",
    "void2.npy": "bfloat16",
}


def refused_arrays():
    yield "empty", np.zeros((2, 0, 3))
    yield "structured", np.zeros(2, [("a", "<f4"), ("b", "<i4")])
    yield "text", np.array(["a", "bc"])
    yield "objects", np.array([{}, 1], dtype=object)
    yield "dates", np.array(["2024-01-01"], "M8[D]")
    yield "longdouble", np.array([1], "g")
    yield "void2", np.zeros(3, "V2")


def write(name, data):
    with open(path(name), "wb") as f:
        f.write(data)


def main():
    os.makedirs(HERE, exist_ok=True)
    expected = {}
    for name, a in samples():
        np.save(path(name + ".npy"), a)
        expected[name + ".npy"] = describe(a)
    for version in ((2, 0), (3, 0)):
        a = np.arange(6, dtype=">i4").reshape(2, 3)
        with open(path(f"version{version[0]}.npy"), "wb") as f:
            npy.write_array(f, a, version=version)
        expected[f"version{version[0]}.npy"] = describe(a)
    python2 = header("{'descr': '<i8', 'fortran_order': False, 'shape': (2L, 1L), }", np.arange(2).tobytes())
    write("python2.npy", python2)
    expected["python2.npy"] = describe(np.arange(2).reshape(2, 1))
    for name, a in refused_arrays():
        np.save(path(name + ".npy"), a, allow_pickle=True)

    arrays = {"a": np.arange(6).reshape(2, 3), "b": np.array(0.5), "zeros": np.zeros(3000, "f4"), "größe": np.array([True])}
    archives = {}
    for name, save in (("stored.npz", np.savez), ("deflated.npz", np.savez_compressed)):
        save(path(name), **arrays)
        archives[name] = [[key, describe(a)] for key, a in arrays.items()]
        del archives[name][2][1]["elements"]
    streamed = io.BytesIO()
    plain_write = streamed.write
    class Unseekable(io.RawIOBase):
        """Makes zipfile write data descriptors after the entries."""
        def writable(self):
            return True
        def write(self, data):
            return plain_write(data)
        def flush(self):
            pass
    with zipfile.ZipFile(Unseekable(), "w", zipfile.ZIP_DEFLATED) as z:
        with z.open("a.npy", "w", force_zip64=True) as f:
            npy.write_array(f, arrays["a"])
    write("descriptors.npz", streamed.getvalue())
    archives["descriptors.npz"] = [["a", describe(arrays["a"])]]

    with open(path("expected.json"), "w", encoding="utf8") as f:
        json.dump({"numpy": np.__version__, "arrays": expected, "archives": archives, "refused": REFUSED}, f, indent=1, ensure_ascii=False)
        f.write("\n")


main()
