"""Writes filters.json next to this file: what test/signal expects of cosine transforms, analytic signals, digital filters, their
coefficients and mel filters, from SciPy, and for mel filters from triangles drawn by NumPy's interpolation between published points of both scales.

Run:  python3 test/oracles/make_filters.py   (needs numpy, scipy)

Complex numbers are lists of two. The data is seeded.
"""

import json
import os

import numpy as np
from scipy import fft, signal

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(20261129)


def coded(a):
    a = np.asarray(a)
    if np.iscomplexobj(a):
        return {"shape": list(a.shape), "values": [[float(z.real), float(z.imag)] for z in a.ravel()]}
    return {"shape": list(a.shape), "values": [float(x) for x in a.ravel()]}


def cosines():
    out = []
    for shape, axis in [((1,), 0), ((2,), 0), ((7,), 0), ((2, 8), 1), ((5, 2), 0)]:
        x = rng.standard_normal(shape)
        for kind in (1, 2, 3, 4):
            if kind == 1 and shape[axis] < 2:
                continue
            for norm in ("backward", "ortho"):
                for n in {shape[axis], shape[axis] + 3, max(2, shape[axis] - 1)}:
                    out.append({
                        "x": coded(x), "options": {"axis": axis, "type": kind, "norm": norm, "length": n},
                        "dct": coded(fft.dct(x, kind, n, axis, norm)), "idct": coded(fft.idct(x, kind, n, axis, norm)),
                    })  # fmt: skip
    return out


def analytic():
    out = []
    for shape, axis, n in [((1,), 0, None), ((8,), 0, None), ((9,), 0, None), ((3, 6), 0, None), ((2, 7), 1, 10), ((2, 7), 1, 5)]:
        x = rng.standard_normal(shape)
        out.append({"x": coded(x), "options": {"axis": axis, **({"length": n} if n else {})}, "hilbert": coded(signal.hilbert(x, n, axis))})
    return out


def filters():
    out = []
    butter = signal.butter(3, 0.3)
    comb = (np.array([1.0]), np.array([1, 0, 0, 0, -0.7]))
    moving = (np.full(5, 0.2), np.array([1.0]))
    scaled = (np.array([2.0, -1, 0.5]), np.array([4.0, 1]))
    for shape, axis in [((30,), 0), ((1,), 0), ((4, 12), 1), ((9, 2), 0), ((2, 11, 3), 1)]:
        x = rng.standard_normal(shape)
        for b, a in (butter, comb, moving, scaled):
            held = list(shape)
            held[axis] = max(len(a), len(b)) - 1
            zi = rng.standard_normal(held)
            y = signal.lfilter(b, a, x, axis)
            out_y, final = signal.lfilter(b, a, x, axis, zi)
            out.append({
                "x": coded(x), "axis": axis, "b": list(map(float, b)), "a": list(map(float, a)), "y": coded(y), "initial": coded(zi),
                "continued": coded(out_y), "final": coded(final),
            })  # fmt: skip
    return out


def slaney(mel):
    """Hertz by the table of the Auditory Toolbox: 200 / 3 hertz a filter, then a factor of 6.4 in 27."""
    return np.where(mel < 15, mel * (200.0 / 3), 1000.0 * np.power(6.4, (mel - 15) / 27))


def inverse(hertz_of, hertz):
    low, high = 0.0, 1e4
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if hertz_of(middle) < hertz else (low, middle)
    return low


def mels():
    out = []
    for bands, length, rate, low, high, scale, norm in [
        (1, 8, 16.0, 0.0, 8.0, "slaney", "area"), (10, 128, 8000.0, 0.0, 4000.0, "slaney", "area"),
        (12, 101, 16000.0, 50.0, 7000.0, "slaney", "peak"), (20, 96, 22050.0, 20.0, 11025.0, "htk", "area"),
        (5, 64, 44100.0, 0.0, 22050.0, "htk", "peak"),
    ]:  # fmt: skip
        hertz_of = slaney if scale == "slaney" else (lambda mel: 700 * np.expm1(mel * np.log(10) / 2595))
        edges = hertz_of(np.linspace(inverse(hertz_of, low), inverse(hertz_of, high), bands + 2))
        frequencies = np.fft.rfftfreq(length, 1 / rate)
        rows = [np.interp(frequencies, edges[i : i + 3], [0, 1, 0], 0, 0) for i in range(bands)]
        if norm == "area":
            rows = [row / ((edges[i + 2] - edges[i]) / 2) for i, row in enumerate(rows)]
        options = {"fftLength": length, "samplingRate": rate, "lowest": low, "highest": high, "scale": scale, "norm": norm}
        out.append({"bands": bands, "options": options, "weights": coded(np.array(rows))})
    return out


def butterworth():
    out = []
    for order, edges, band in [
        (1, 0.5, "lowpass"), (2, 0.1, "highpass"), (3, 0.3, "lowpass"), (4, 0.2, "lowpass"), (5, 0.7, "highpass"), (7, 0.4, "lowpass"),
        (1, [0.2, 0.4], "bandpass"), (2, [0.2, 0.4], "bandpass"), (3, [0.1, 0.15], "bandpass"), (8, [0.2, 0.5], "bandpass"),
        (1, [0.2, 0.3], "bandstop"), (3, [0.3, 0.45], "bandstop"), (4, [0.05, 0.6], "bandstop"),
    ]:  # fmt: skip
        b, a = signal.butter(order, edges, band)
        sos = signal.butter(order, edges, band, output="sos")
        x = rng.standard_normal((2, 25))
        zi = rng.standard_normal((len(sos), 2, 25)) if order % 2 else rng.standard_normal((len(sos), 2, 2))
        axis = 0 if order % 2 else 1
        y, final = signal.sosfilt(sos, x, axis, zi)
        out.append({
            "order": order, "edges": edges, "band": band, "b": list(map(float, b)), "a": list(map(float, a)), "sos": sos.tolist(),
            "x": coded(x), "y": coded(signal.sosfilt(sos, x)), "axis": axis, "initial": coded(zi), "continued": coded(y), "final": coded(final),
        })  # fmt: skip
    return out


def both_ways():
    out = []
    for b, a in (signal.butter(3, 0.3), signal.butter(2, [0.2, 0.6], "bandpass"), ([0.2, 0.3, 0.5], [2.0]), ([0.5], [1.0, -0.5])):
        for pad in ("odd", "even", "constant", None):
            for shape, axis, length in [((20,), 0, None), ((3, 18), 1, 4), ((17, 2), 0, 0)]:
                x = rng.standard_normal(shape)
                padlen = {} if length is None else {"padlen": length}
                options = {"b": list(map(float, b)), "a": list(map(float, a)), "axis": axis, "padType": pad or "none"}
                if length is not None:
                    options["padLength"] = length
                out.append({"x": coded(x), "options": options, "y": coded(signal.filtfilt(b, a, x, axis, pad, **padlen))})
    return out


with open(os.path.join(HERE, "filters.json"), "w") as file:
    json.dump({"cosines": cosines(), "analytic": analytic(), "filters": filters(), "mels": mels(), "butterworth": butterworth(), "bothWays": both_ways()}, file, separators=(",", ":"))
    file.write("\n")
