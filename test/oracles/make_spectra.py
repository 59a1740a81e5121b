"""Writes spectra.json next to this file: what test/nx/ndim/fft.test.ts expects of Fourier transforms, from NumPy.

Run:  python3 test/oracles/make_spectra.py   (needs numpy, on a machine whose long double is wider than a double)

All transforms are computed in long double and rounded to double once. `lengths` has some elements of long spectra, and a sum of all
of them with weights, so that each counts; the test makes data and weights by the same generator. `calls` has whole results of single
functions; data are multiples of 1/8. The data is seeded.
"""

import json
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(20240615)
assert np.finfo(np.longdouble).nmant > 60
DTYPES = {
    "u8": np.uint8, "s16": np.int16, "s64": np.int64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
}
EPS = 1e-10


def sequence(seed, count):
    """The numbers of `sequence` in test/nx/ndim/numbers.ts."""
    state = (seed * 2654435761 + 12345) % 2**32
    result = np.empty(count)
    for i in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        result[i] = state / 2**32
    return result


def complexes(seed, n):
    """Multiples of 1/8 in [-16, 16), real and imaginary parts in turn."""
    parts = np.floor(sequence(seed, 2 * n) * 256 - 128) / 8
    return (parts[0::2] + 1j * parts[1::2]).astype(np.clongdouble)


def code(x):
    if np.iscomplexobj(x):
        return [code(x.real), code(x.imag)]
    x = float(x)
    return int(x) if x == int(x) else x


def flat(array):
    return [code(x) for x in np.asarray(array).ravel()]


def length(n):
    spectrum = np.fft.fft(complexes(n, n))
    weighted = np.sum(spectrum * complexes(n + 1, n))
    at = sorted({0, 1, 2, n // 3, n // 2 - 1, n // 2, n // 2 + 1, n - n // 5, n - 2, n - 1})
    return {"n": n, "at": at, "values": flat(spectrum[at]), "weighted": code(weighted)}


def random(name, shape):
    dtype = np.dtype(DTYPES[name])
    if dtype.kind in "iu":
        return rng.integers(0 if dtype.kind == "u" else -200, 200, shape, dtype=dtype, endpoint=True)
    eighths = lambda: rng.integers(-80, 80, shape) / 8
    return (eighths() + 1j * eighths()).astype(dtype) if dtype.kind == "c" else eighths().astype(dtype)


def call(fn, name, shape, **options):
    """Options as the library names them; those of NumPy are n and axis, or s and axes."""
    x = random(name, shape)
    wide = x.astype(np.clongdouble if x.dtype.kind == "c" else np.longdouble)
    if "2" in fn:
        given = {"s": options.get("lengths"), "axes": options.get("axes", (-2, -1))}
    else:
        given = {"n": options.get("length"), "axis": options.get("axis", -1)}
    result = getattr(np.fft, fn)(wide, **given)
    real = lambda part: np.where(np.abs(part) <= EPS, 0, part)
    result = real(result.real) + 1j * real(result.imag) if np.iscomplexobj(result) else real(result)
    return {
        "fn": fn, "type": name, "shape": shape, "data": flat(x), "options": options,
        "out": list(result.shape), "expected": flat(result),
    }


calls = [
    *(call("fft", name, [11]) for name in DTYPES),
    *(call("ifft", name, [12]) for name in DTYPES),
    call("fft", "f64", [3, 10], length=16),
    call("fft", "c128", [2, 9], length=5),
    call("fft", "f32", [4, 3], axis=0),
    call("fft", "s64", [2, 5, 3], axis=1, length=7),
    call("ifft", "c64", [3, 4, 2], axis=-3, length=5),
    call("ifft", "f64", [6], length=1),
    call("fft2", "f64", [4, 5]),
    call("fft2", "f32", [3, 6]),
    call("fft2", "s16", [2, 3, 4], axes=[0, 1]),
    call("fft2", "c128", [3, 2, 4], axes=[-1, 0], lengths=[3, 5]),
    call("fft2", "f64", [5, 3], lengths=[4, 7]),
    call("ifft2", "c64", [4, 6]),
    call("ifft2", "f64", [3, 4, 5], axes=[2, 0], lengths=[6, 2]),
    call("rfft", "f64", [9]),
    call("rfft", "f32", [10]),
    call("rfft", "f16", [7]),
    call("rfft", "u8", [2, 6], length=9),
    call("rfft", "s64", [5, 2], axis=0, length=4),
    call("rfft", "f64", [5], length=1),
    call("rfft", "f64", [5], length=2),
    call("irfft", "c128", [6]),
    call("irfft", "c128", [6], length=11),
    call("irfft", "c128", [6], length=10),
    call("irfft", "c64", [4, 2], axis=0),
    call("irfft", "c64", [2, 5], length=7),
    call("irfft", "c128", [3], length=12),
    call("irfft", "c128", [6], length=4),
    call("irfft", "c128", [6], length=5),
    call("irfft", "f64", [4], length=3),
    call("irfft", "c128", [4], length=1),
    call("irfft", "c128", [4], length=2),
    call("irfft", "s16", [1], length=5),
]


def lines(cases):
    return ",\n".join(json.dumps(c, separators=(",", ":"), allow_nan=False) for c in cases)


with open(os.path.join(HERE, "spectra.json"), "w") as file:
    lengths = [length(n) for n in [256, 257, 1000, 1024, 4096, 65537]]
    file.write('{"numpy":"%s","lengths":[\n%s\n],"calls":[\n%s\n]}\n' % (np.__version__, lines(lengths), lines(calls)))
