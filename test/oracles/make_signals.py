"""Writes signals.json next to this file: what test/signal expects of Nx.Signal and of frequencies, from SciPy and NumPy.

Run:  python3 test/oracles/make_signals.py   (needs numpy, scipy)

Complex numbers are lists of two. Spectra have axes of frames and of frequencies, in this order. The data is seeded.
"""

import json
import os

import numpy as np
from scipy import signal
from scipy.signal import windows

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(20261122)

WINDOWS = {
    "rectangular": windows.boxcar, "bartlett": windows.bartlett, "triangular": windows.triang, "cosine": windows.cosine,
    "hann": windows.hann, "hamming": windows.hamming, "blackman": windows.blackman, "nuttall": windows.nuttall,
    "blackmanHarris": windows.blackmanharris, "flatTop": windows.flattop,
}  # fmt: skip
LENGTHS = [1, 2, 7, 8]


def coded(a):
    a = np.asarray(a)
    if np.iscomplexobj(a):
        return {"shape": list(a.shape), "values": [[float(z.real), float(z.imag)] for z in a.ravel()]}
    return {"shape": list(a.shape), "values": [float(x) for x in a.ravel()]}


def all_windows():
    out = []
    for n in LENGTHS:
        for periodic in (False, True):
            sym = not periodic
            for name, fn in WINDOWS.items():
                out.append({"name": name, "args": [n], "options": {"periodic": periodic}, "values": list(map(float, fn(n, sym)))})
            for beta in (0, 3.5, 14, 900):
                out.append({"name": "kaiser", "args": [n, beta], "options": {"periodic": periodic}, "values": list(map(float, kaiser(n, beta, sym)))})
            for std in (0.7, 3):
                out.append({"name": "gaussian", "args": [n, std], "options": {"periodic": periodic}, "values": list(map(float, windows.gaussian(n, std, sym)))})
            for alpha in (0, 0.3, 0.5, 1):
                values = windows.tukey(n, alpha, sym)
                out.append({"name": "tukey", "args": [n], "options": {"periodic": periodic, "alpha": alpha}, "values": list(map(float, values))})
    return out


def kaiser(n, beta, sym):
    """SciPy's, but for betas where I0 overflows."""
    from scipy.special import i0e

    if n == 1:
        return np.ones(1)
    last = n - 1 if sym else n
    root = beta * np.sqrt(np.maximum(0, 1 - (np.arange(n) / (last / 2) - 1) ** 2))
    values = i0e(root) * np.exp(root - beta) / i0e(beta)
    if beta < 700:
        np.testing.assert_allclose(values, windows.kaiser(n, beta, sym), rtol=1e-12)
    return values


def spectra():
    out = []
    for shape, complex_ in [((50,), False), ((2, 37), False), ((2, 33), True)]:
        x = rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if complex_ else 0)
        for window, length, hop, nfft, boundary, padded, scaling in [
            ("hann", 8, 4, 8, "zeros", True, "spectrum"),
            ("hann", 9, 3, 9, "zeros", True, "spectrum"),
            ("hamming", 8, 8, 16, None, False, "spectrum"),
            ("blackman", 10, 3, 11, None, True, "spectrum"),
            ("boxcar", 7, 7, 7, "zeros", True, "spectrum"),
        ]:
            made = dict(window=window, nperseg=length, noverlap=length - hop, nfft=nfft, boundary=boundary)
            _, _, z = signal.stft(x, padded=padded, return_onesided=not complex_, **made)
            _, back = signal.istft(z, input_onesided=not complex_, **{**made, "boundary": boundary is not None})
            out.append({
                "signal": coded(x),
                "options": {
                    "window": "rectangular" if window == "boxcar" else window, "frameLength": length, "hop": hop, "fftLength": nfft,
                    "boundary": "zeros" if boundary else "none", "padded": padded,
                },
                "spectra": coded(np.swapaxes(z, -1, -2)),
                "back": coded(back if complex_ else back.real),
            })  # fmt: skip
    return out


def powers():
    out = []
    for shape, complex_ in [((40,), False), ((3, 41), False), ((2, 33), True)]:
        x = rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if complex_ else 0)
        for window, length, hop, nfft, scaling, detrend, rate in [
            ("hann", 8, 4, 8, "density", "constant", 1.0),
            ("hamming", 9, 2, 9, "spectrum", False, 10.0),
            ("blackman", 10, 7, 16, "density", "constant", 44100.0),
        ]:
            _, _, p = signal.spectrogram(
                x, fs=rate, window=window, nperseg=length, noverlap=length - hop, nfft=nfft, scaling=scaling, detrend=detrend,
                return_onesided=not complex_,
            )  # fmt: skip
            out.append({
                "signal": coded(x),
                "options": {
                    "window": window, "frameLength": length, "hop": hop, "fftLength": nfft, "scaling": scaling,
                    "detrend": detrend or "none", "samplingRate": rate,
                },
                "power": coded(np.swapaxes(p, -1, -2)),
            })  # fmt: skip
    return out


def frequencies():
    rows = []
    for n in (1, 2, 5, 8):
        for d in (1, 0.1, -3):
            x = rng.standard_normal((n, 3))
            rows.append({
                "n": n, "spacing": d, "fftfreq": list(map(float, np.fft.fftfreq(n, d))), "rfftfreq": list(map(float, np.fft.rfftfreq(n, d))),
                "x": coded(x), "shifted": coded(np.fft.fftshift(x)), "unshifted": coded(np.fft.ifftshift(x)),
                "first": coded(np.fft.fftshift(x, axes=0)),
            })  # fmt: skip
    return rows


with open(os.path.join(HERE, "signals.json"), "w") as file:
    json.dump({"windows": all_windows(), "spectra": spectra(), "powers": powers(), "frequencies": frequencies()}, file, separators=(",", ":"))
    file.write("\n")
