"""Writes random.json next to this file: what test/random expects of keys and samples.

Run:  python3 test/oracles/make_random.py   (needs numpy and scipy)

Everything is computed here from the description of Threefry (Salmon and others, 2011) and of the arrangement of counters in
JAX, on NumPy's integers, with none of the library's code. Floats are rounded to their type after every step, as the library
does; bfloat16, which NumPy lacks, is rounded by hand. 64-bit integers are strings.
"""

import json
import os

import numpy as np
from scipy.special import erfinv

HERE = os.path.dirname(os.path.abspath(__file__))
U32, U64 = np.uint32, np.uint64
np.seterr(over="ignore")


def rotl(x, r):
    return (x << U32(r)) | (x >> U32(32 - r))


def threefry(key, x0, x1):
    k0, k1 = U32(key[0]), U32(key[1])
    ks = [k0, k1, k0 ^ k1 ^ U32(0x1BD11BDA)]
    x0, x1 = x0.astype(U32) + ks[0], x1.astype(U32) + ks[1]
    for i in range(5):
        for r in ([13, 15, 26, 6], [17, 29, 16, 24])[i % 2]:
            x0 = x0 + x1
            x1 = rotl(x1, r) ^ x0
        x0 = x0 + ks[(i + 1) % 3]
        x1 = x1 + ks[(i + 2) % 3] + U32(i + 1)
    return x0, x1


def words(key, n):
    counters = np.arange(n, dtype=U32)
    if n % 2:
        counters = np.append(counters, U32(0))
    x0, x1 = np.split(counters, 2)
    return np.concatenate(threefry(key, x0, x1))[:n]


def bits(key, width, n):
    if width == 64:
        w = words(key, 2 * n).astype(U64)
        return (w[:n] << U64(32)) | w[n:]
    return words(key, n).astype(f"u{width // 8}")


def split(key, parts=2):
    return words(key, 2 * parts).reshape(parts, 2)


def fold_in(key, data):
    data = np.asarray(data, dtype=np.int64).astype(U64)
    return np.stack(threefry(key, (data >> U64(32)).astype(U32), data.astype(U32)), axis=-1)


def round_bf16(x):
    """f64 to the nearest bfloat16, as f64. The values here are exact in f32 or far from ties of it."""
    as_int = np.asarray(x, dtype=np.float32).view(U32)
    rounded = (as_int + U32(0x7FFF) + ((as_int >> U32(16)) & U32(1))) & U32(0xFFFF0000)
    return rounded.view(np.float32).astype(np.float64)


ROUND = {
    "bf16": round_bf16,
    "f16": lambda x: np.asarray(x).astype(np.float16).astype(np.float64),
    "f32": lambda x: np.asarray(x).astype(np.float32).astype(np.float64),
    "f64": lambda x: np.asarray(x, dtype=np.float64),
}
WIDTH = {"bf16": 16, "f16": 16, "f32": 32, "f64": 64}
FRACTION = {"bf16": 7, "f16": 10, "f32": 23, "f64": 52}
TINY = {"bf16": 2.0**-126, "f16": 2.0**-14, "f32": 2.0**-126, "f64": 2.0**-1022}


def unit(key, kind, n):
    w, f = WIDTH[kind], FRACTION[kind]
    return (bits(key, w, n) >> (w - f)).astype(np.float64) * 2.0**-f


def uniform(key, kind, n, low, high):
    r = ROUND[kind]
    low, high = r(low), r(high)
    return np.maximum(r(r(unit(key, kind, n) * r(high - low)) + low), low)


def normal(key, kind, n, mean, std):
    r = ROUND[kind]
    u = uniform(key, kind, n, 2.0 ** -(FRACTION[kind] + 1) - 1, 1)
    standard = r(r(np.sqrt(2)) * r(erfinv(u)))
    return r(r(r(std) * standard) + r(mean))


def gumbel(key, kind, n):
    """Half floats are rounded samples of f32."""
    work = "f64" if kind == "f64" else "f32"
    r = ROUND[work]
    u = uniform(key, work, n, TINY[work], 1)
    return ROUND[kind](-r(np.log(-r(np.log(u)))))


def randint(key, kind, n, low, high):
    """In Python's integers: (first * 2^bits + second) modulo the size."""
    width = int(kind[1:])
    drawn = [int(b) for b in bits(key, width, 2 * n)]
    size = high - low
    factor = ((2 ** (width // 2) % size) ** 2 % 2**64) % size
    return [low + (a % size * factor + b % size) % 2**64 % size for a, b in zip(drawn[:n], drawn[n:])]


def choice(key, kind, count, samples):
    """Positions drawn with replacement: integers of the given type, drawn with the second key of a split."""
    return randint(split(key)[1], kind, samples, 0, count)


def choice_weighted(key, kind, p, samples):
    """The first running sum of the probabilities that reaches the level."""
    r = ROUND[kind]
    sums = r(np.cumsum(r(np.asarray(p, dtype=np.float64))))
    level = r(sums[-1] * r(1 - unit(split(key)[1], kind, samples)))
    return [int(np.argmin(sums < x)) for x in level]


def permutation(key, count):
    """Positions sorted by random words, as often as leaves equal words without weight."""
    order = np.arange(count)
    for _ in range(int(np.ceil(3 * np.log(count) / np.log(2**32 - 1)))):
        key, own = split(key)
        order = order[np.argsort(words(own, count), kind="stable")]
    return order


def choice_weighted_once(key, p):
    """Positions by descending perturbed logarithms; in doubles."""
    ranks = -gumbel(split(key)[1], "f64", len(p)) - np.log(np.asarray(p, dtype=np.float64))
    return np.argsort(ranks, kind="stable")


def choices(key):
    """With and without replacement, of few and of many entries; of all alike and of some likelier than others."""
    weights = [1, 2, 3, 4, 0.5, 7]
    return {
        "replaced": [
            {"type": kind, "count": count, "positions": numbers(choice(key, kind, count, 6))}
            for kind in ("s64", "s32") for count in (1, 3, 4, 10, 1000, 2**21 + 7)
        ],
        "weights": weights,
        "weighted": {kind: choice_weighted(key, kind, weights, 9) for kind in ("f32", "f64")},
        "once": [{"count": count, "positions": numbers(permutation(key, count)[:6])} for count in (6, 100, 1700, 4000)],
        "weightedOnce": numbers(choice_weighted_once(key, weights)),
    }


KEYS = [(0, 0), (0, 1), (0, 42), (0, 1701), (232, 3567587327), (0xFFFFFFFF, 0xFFFFFFFF)]
numbers = lambda a: [int(x) for x in np.ravel(a)]
floats = lambda a: [float(x) for x in np.ravel(a)]
INTEGERS = [
    ("u8", 0, 100), ("s8", -128, 127), ("u16", 3, 60000), ("s16", -5, 5), ("u32", 0, 2**32 - 1), ("u32", 7, 70007),
    ("s32", -(2**31), 2**31 - 1), ("u64", 0, 2**64 - 1), ("s64", 0, 10), ("s64", -(2**62), 2**62), ("s64", -3, 2**40),
    ("s64", 0, 2**21), ("s64", 0, 2**21 + 1),
]

out = {"keys": []}
for key in KEYS:
    out["keys"].append({
        "key": list(key),
        "words": {str(n): numbers(words(key, n)) for n in (1, 2, 5, 8)},
        "bits64": [str(x) for x in bits(key, 64, 3)],
        "split": {str(n): numbers(split(key, n)) for n in (1, 2, 3)},
        "foldIn": {"data": ["0", "99", "-1", str(2**40 + 5)], "keys": numbers(fold_in(key, [0, 99, -1, 2**40 + 5]))},
        "uniform": {kind: floats(uniform(key, kind, 7, 0, 1)) for kind in WIDTH},
        "scaled": {kind: floats(uniform(key, kind, 7, -2.5, 10)) for kind in WIDTH},
        "normal": {kind: floats(normal(key, kind, 7, 0, 1)) for kind in WIDTH},
        "shifted": {kind: floats(normal(key, kind, 7, 10, 0.3)) for kind in WIDTH},
        "gumbel": {kind: floats(gumbel(key, kind, 7)) for kind in WIDTH},
        "randint": [
            {"type": kind, "min": str(low), "max": str(high), "sample": [str(x) for x in randint(key, kind, 5, low, high)]}
            for kind, low, high in INTEGERS
        ],
        "choice": choices(key),
    })

with open(os.path.join(HERE, "random.json"), "w") as file:
    file.write('{"keys":[\n' + ",\n".join(json.dumps(k, separators=(",", ":")) for k in out["keys"]) + "\n]}\n")
