"""Times the works of arrays.ts in NumPy, and SciPy where it has them; prints medians in microseconds as JSON."""
import json
import os
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402  (after the number of threads is set)

ROUNDS = 15
N = 1_000_000

rng = np.random.default_rng(1)
line = rng.random(N, dtype=np.float32)
image = line.reshape(1000, 1000)
signal = rng.random(65_536, dtype=np.float32)
prime = rng.random(65_537, dtype=np.float32)
square = rng.random((128, 128))
symmetric = square + square.T
big = rng.random((512, 512), dtype=np.float32)
places = rng.integers(0, N, N)


def windows():
    return np.lib.stride_tricks.sliding_window_view(image, (3, 3))


def indexed_add():
    out = line.copy()
    np.add.at(out, places, line)
    return out


WORKS = {
    "sort f32 1e6": lambda: np.sort(line),
    "running sum f32 1e6": lambda: np.cumsum(line),
    "dot 512x512 f32": lambda: big @ big,
    "dot 128x128": lambda: square @ square,
    "fft 65 536 and 65 537": lambda: np.fft.fft(signal),
    "windows over 1000x1000": lambda: windows().sum(axis=(2, 3)),
    "eigh 128x128 f64": lambda: np.linalg.eigh(symmetric),
    "svd 128x128 f64": lambda: np.linalg.svd(square),
    "qr 128x128 f64": lambda: np.linalg.qr(square),
    "solve 128x128 f64": lambda: np.linalg.solve(square, square),
    "lookup 1e6 of 1e6": lambda: line[places],
    "random 1e6": lambda: np.random.default_rng(1).random(N, dtype=np.float32),
}


def median(work):
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e6)
    return sorted(times)[ROUNDS // 2]


print(json.dumps({"version": np.__version__, "works": {name: median(work) for name, work in WORKS.items()}}))
