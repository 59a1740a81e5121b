"""Writes roots.json next to this file: what test/backends/binary/fft-roots.test.ts expects of roots of unity.

Run:  python3 test/oracles/make_roots.py   (needs mpmath)

For each n some k with cosine and sine of 2 pi k / n, computed at 200 bits and rounded to double once.
"""

import json
import os

import mpmath as mp

HERE = os.path.dirname(os.path.abspath(__file__))
mp.mp.prec = 200
LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 12, 61, 97, 100, 1001, 4096, 9973, 65536, 99991]


def chosen(n):
    """All of a small number; of a large one some in each eighth of the circle, and those at its ends."""
    if n <= 12:
        return range(n)
    near = [round(n * eighth / 8) + step for eighth in range(8) for step in (-1, 0, 1)]
    return sorted({k % n for k in [*near, *range(5, n, max(1, n // 24))]})


def turn(n, k):
    if 4 * k % n == 0:
        return [[1, 0], [0, 1], [-1, 0], [0, -1]][4 * k // n]
    angle = 2 * mp.pi * k / n
    return [float(mp.cos(angle)), float(mp.sin(angle))]


rows = [{"n": n, "at": list(chosen(n)), "turns": [turn(n, k) for k in chosen(n)]} for n in LENGTHS]
with open(os.path.join(HERE, "roots.json"), "w") as out:
    out.write("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]\n")
