"""Writes products.json next to this file: what test/nx/ndim expects of dot, conv and matmul, from NumPy and SciPy.

Run:  python3 test/oracles/make_products.py   (needs numpy and scipy)

Floating data are multiples of 1/8 of few bits, so that doubles hold every sum exactly whatever its order; integers are summed as
Python's and wrapped. Integers beyond 2^53 are strings, complex numbers pairs. The data is seeded.
"""

import json
import os

import numpy as np
import scipy
from scipy.signal import correlate

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(20240611)
DTYPES = {
    "u8": np.uint8, "s32": np.int32, "s64": np.int64, "u64": np.uint64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
}


def code(x):
    """A number as JSON keeps it."""
    if isinstance(x, (complex, np.complexfloating)):
        return [code(x.real), code(x.imag)]
    if isinstance(x, (int, np.integer)):
        return int(x) if abs(int(x)) < 2**53 else str(int(x))
    x = float(x)
    return int(x) if x == int(x) else x


def flat(array):
    return [code(x) for x in np.asarray(array).ravel()]


def random(name, shape):
    dtype = np.dtype(DTYPES[name])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    eighths = lambda: rng.integers(-80, 80, shape) / 8
    return (eighths() + 1j * eighths()).astype(dtype) if dtype.kind == "c" else eighths().astype(dtype)


def einsum(x, y, contract, batch):
    """The sum of products, by letters: c for contracted, b for batch axes."""
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    left = [next(letters) for _ in x.shape]
    right = [next(letters) for _ in y.shape]
    for i, j in zip(contract[0] + batch[0], contract[1] + batch[1]):
        right[j] = left[i]
    out = [left[i] for i in batch[0]]
    out += [a for i, a in enumerate(left) if i not in contract[0] + batch[0]]
    out += [a for j, a in enumerate(right) if j not in contract[1] + batch[1]]
    return np.einsum("%s,%s->%s" % ("".join(left), "".join(right), "".join(out)), x, y)


def dot(names, shapes, contract, batch=([], [])):
    x, y = (random(name, shape) for name, shape in zip(names, shapes))
    kinds = x.dtype.kind + y.dtype.kind
    if "c" not in kinds and "f" not in kinds:
        exact = np.asarray(einsum(x.astype(object), y.astype(object), contract, batch), dtype=object)
        both = np.result_type(x, y)
        both = np.int64 if both.kind == "f" else both  # u64 with s64
        bits, low = np.iinfo(both).bits, int(np.iinfo(both).min)
        expected = np.array([(int(v) - low) % 2**bits + low for v in exact.ravel()], dtype=object)
        shape = exact.shape
    else:
        wide = np.complex128 if "c" in kinds else np.float64
        exact = np.asarray(einsum(x.astype(wide), y.astype(wide), contract, batch))
        # The type of the result: the wider of the same kind, else that of the higher kind.
        rank = {"u": 0, "i": 0, "f": 1, "c": 2}
        both = max((x.dtype, y.dtype), key=lambda d: (rank[d.kind], d.itemsize))
        expected, shape = exact.astype(both).ravel(), exact.shape
    return {
        "types": names, "shapes": shapes, "data": [flat(x), flat(y)], "contract": contract, "batch": batch,
        "shape": list(shape), "expected": flat(expected),
    }


def spread(array, dilation):
    """Spatial axes with zeros in between."""
    for axis, step in enumerate(dilation, 2):
        shape = list(array.shape)
        shape[axis] = (shape[axis] - 1) * step + 1
        wide = np.zeros(shape, array.dtype)
        wide[tuple(slice(None, None, step) if a == axis else slice(None) for a in range(array.ndim))] = array
        array = wide
    return array


def padded(array, padding):
    """Zeros around the spatial axes; negative padding crops."""
    array = np.pad(array, [(0, 0), (0, 0)] + [(max(0, low), max(0, high)) for low, high in padding])
    crop = [slice(max(0, -low), array.shape[a] - max(0, -high)) for a, (low, high) in enumerate(padding, 2)]
    return array[(slice(None), slice(None), *crop)]


def conv(names, shape, kernel_shape, strides=None, padding="valid", input_dilation=None, kernel_dilation=None, feature=1, batch=1):
    rank = len(shape) - 2
    strides, input_dilation, kernel_dilation = ([1] * rank if s is None else s for s in (strides, input_dilation, kernel_dilation))
    x, w = random(names[0], shape), random(names[1], kernel_shape)
    both = np.complex128 if "c" in x.dtype.kind + w.dtype.kind else np.float64
    wide = spread(w.astype(both), kernel_dilation)
    extents = [size - 1 for size in wide.shape[2:]]
    pairs = {"valid": [(0, 0)] * rank, "same": [(e // 2, e - e // 2) for e in extents]}.get(str(padding), padding)
    source = padded(spread(x.astype(both), input_dilation), pairs)
    n, filters, own = shape[0] // batch, kernel_shape[0], kernel_shape[1]
    rows = []
    for b in range(n):
        for f in range(filters):
            group = f // (filters // max(feature, batch))
            row = group * n + b if batch > 1 else b
            channels = range(group * own, (group + 1) * own) if feature > 1 else range(own)
            # correlate conjugates its second operand
            full = sum(correlate(source[row, c], np.conj(wide[f, i]), "valid", "direct") for i, c in enumerate(channels))
            rows.append(full[tuple(slice(None, None, s) for s in strides)])
    result = np.array(rows).reshape([n, filters, *rows[0].shape])
    floats = [d for d in (x.dtype, w.dtype) if d.kind in "fc"]
    out = max(floats, key=lambda d: (d.kind == "c", d.itemsize)) if floats else np.dtype(np.float32)
    return {
        "types": names, "shapes": [shape, kernel_shape], "data": [flat(x), flat(w)],
        "options": {
            "strides": strides, "padding": padding, "inputDilation": input_dilation, "kernelDilation": kernel_dilation,
            "featureGroupSize": feature, "batchGroupSize": batch,
        },
        "shape": list(result.shape), "expected": flat(result.astype(out)),
    }


dots = [
    dot(["f32", "f32"], [[5, 7], [7, 3]], [[1], [0]]),
    dot(["f16", "f16"], [[3, 4], [4, 5]], [[1], [0]]),
    dot(["f64", "f32"], [[2, 3, 4], [4, 3]], [[2, 1], [0, 1]]),
    dot(["f32", "f64"], [[2, 3, 4], [2, 4, 5]], [[2], [1]], [[0], [0]]),
    dot(["u8", "u8"], [[9, 4], [9, 3]], [[0], [0]]),
    dot(["s32", "u8"], [[4, 3], [3]], [[1], [0]]),
    dot(["s32", "s32"], [[9], [9]], [[0], [0]]),
    dot(["s64", "s64"], [[3, 8], [8, 2]], [[1], [0]]),
    dot(["u64", "u64"], [[2, 3, 4], [2, 3, 4]], [[2], [2]], [[0, 1], [0, 1]]),
    dot(["u64", "s64"], [[5], [5, 2]], [[0], [0]]),
    dot(["u8", "f32"], [[4], [4, 2]], [[0], [0]]),
    dot(["c64", "c64"], [[3, 5], [5, 2]], [[1], [0]]),
    dot(["c128", "f64"], [[2, 4], [3, 4]], [[1], [1]]),
    dot(["f32", "c64"], [[2, 2, 3], [2, 3, 2]], [[2], [1]], [[0], [0]]),
]
convs = [
    conv(["f32", "f32"], [2, 3, 11], [4, 3, 3]),
    conv(["f32", "f32"], [1, 2, 10], [3, 2, 4], padding="same", strides=[2]),
    conv(["f64", "f32"], [1, 2, 9], [2, 2, 3], padding=[[-2, 3]], kernel_dilation=[2]),
    conv(["f16", "f16"], [1, 1, 6], [1, 1, 3], padding=[[2, 1]], input_dilation=[3]),
    conv(["f32", "f32"], [2, 2, 6, 7], [3, 2, 3, 2]),
    conv(["f32", "f32"], [1, 2, 7, 6], [2, 2, 2, 3], padding="same", strides=[2, 3]),
    conv(["f64", "f64"], [1, 1, 5, 6], [2, 1, 3, 2], padding=[[1, -1], [-2, 2]], kernel_dilation=[1, 3]),
    conv(["f32", "f64"], [1, 2, 4, 5], [1, 2, 3, 3], padding=[[2, 2], [1, 3]], input_dilation=[2, 3], strides=[1, 2]),
    conv(["f32", "f32"], [1, 4, 5, 5], [6, 2, 2, 2], feature=2),
    conv(["f32", "f32"], [2, 3, 5, 4], [6, 1, 3, 3], feature=3, padding="same"),
    conv(["f32", "f32"], [4, 2, 5, 5], [4, 2, 2, 2], batch=2),
    conv(["f32", "f32"], [6, 2, 6], [3, 2, 2], batch=3, strides=[2], padding="same"),
    conv(["u8", "u8"], [1, 2, 4, 4], [2, 2, 2, 2]),
    conv(["s32", "f32"], [1, 1, 7], [2, 1, 3]),
    conv(["c64", "c64"], [1, 2, 5, 4], [2, 2, 2, 3], padding="same"),
    conv(["c128", "f64"], [1, 2, 8], [2, 2, 3], kernel_dilation=[2], strides=[2], padding="same"),
    conv(["f32", "c64"], [2, 2, 5], [2, 1, 2], feature=2),
    conv(["f32", "f32"], [1, 2, 3, 4, 5], [2, 2, 2, 2, 3]),
    conv(["f64", "f64"], [1, 1, 3, 4, 3], [2, 1, 2, 3, 2], padding="same", strides=[2, 1, 1], kernel_dilation=[1, 1, 2]),
    conv(["f32", "f32"], [1, 1, 2], [1, 1, 5], padding=[[3, 2]]),
]


def matmul(names, shapes):
    x, y = (random(name, shape) for name, shape in zip(names, shapes))
    result = np.matmul(x, y)
    return {"types": names, "shapes": shapes, "data": [flat(x), flat(y)], "shape": list(result.shape), "expected": flat(result)}


# NumPy sums floats in their own type, so these are f64, whose sums are exact, or integers, which wrap
matmuls = [
    matmul(["f64", "f64"], shapes)
    for shapes in [
        [[3], [3]], [[2, 3], [3]], [[3], [3, 2]], [[2, 3], [3, 4]],
        [[2, 3, 4], [2, 4, 5]], [[2, 3, 4], [4, 5]], [[2, 3, 4], [4]], [[3, 4], [2, 4, 5]], [[4], [2, 4, 5]], [[4], [3, 2, 4, 5]],
        [[3, 1, 2, 4], [2, 4, 3]], [[1, 2, 4], [3, 4, 3]], [[2, 2, 4], [3, 1, 4, 1]], [[2, 1, 3, 1], [1, 4, 1, 2]],
    ]
] + [matmul(["s32", "s32"], [[2, 2, 3], [2, 3, 2]]), matmul(["u8", "u8"], [[3], [2, 3, 2]]), matmul(["c128", "c128"], [[2, 3], [2, 3, 2]])]


def lines(cases):
    return ",\n".join(json.dumps(c, separators=(",", ":"), allow_nan=False) for c in cases)


with open(os.path.join(HERE, "products.json"), "w") as file:
    versions = '"numpy":"%s","scipy":"%s"' % (np.__version__, scipy.__version__)
    file.write('{%s,"dot":[\n%s\n],"conv":[\n%s\n],"matmul":[\n%s\n]}\n' % (versions, lines(dots), lines(convs), lines(matmuls)))
