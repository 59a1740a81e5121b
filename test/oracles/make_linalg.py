"""Writes linalg.json next to this file: what test/linalg expects of Nx.LinAlg, from NumPy and SciPy (LAPACK).

Run:  python3 test/oracles/make_linalg.py   (needs numpy and scipy)

Data are multiples of 1/64 of few bits, which f32 and c64 hold exactly too; results are computed in doubles. "cond" is the factor
by which the problem magnifies rounding. What is only determined up to a phase is brought to the house's: the component of
largest magnitude of eigenvectors and left singular vectors is positive; of QR the diagonal of R is positive, which the test
does to its own result as well. Complex numbers are pairs. The data is seeded.
"""

import json
import os

import numpy as np
import scipy
import scipy.linalg as sl

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(20240717)
TYPES = ["f64", "c128"]
ORDERS = ["frobenius", "nuclear", 1, -1, 2, -2, "Infinity", "-Infinity"]
NUMPY_ORDER = {"frobenius": "fro", "nuclear": "nuc", "Infinity": np.inf, "-Infinity": -np.inf}


def code(x):
    """A number as JSON keeps it."""
    if isinstance(x, (complex, np.complexfloating)):
        return [code(x.real), code(x.imag)]
    x = float(x)
    return int(x) if x == int(x) else x


def flat(array):
    return [code(x) for x in np.asarray(array).ravel()]


def random(name, *shape):
    eighths = lambda: rng.integers(-40, 40, shape) / 8
    return eighths() + 1j * eighths() if name[0] == "c" else eighths()


def deficient(name, m, n, rank):
    """Of small integers, hence exact."""
    small = lambda *shape: rng.integers(-3, 4, shape) + (1j * rng.integers(-3, 4, shape) if name[0] == "c" else 0)
    a = small(m, rank) @ small(rank, n)
    return a if np.linalg.matrix_rank(a) == rank else deficient(name, m, n, rank)


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def cond(a):
    """Over the singular values that are not zero."""
    s = np.linalg.svd(a, compute_uv=False)
    return float(np.max(s[..., :1] / np.where(s > 1e-10 * s[..., :1], s, s[..., :1])))


def good(name, *shape, most=30):
    """A matrix far from a singular one."""
    while True:
        a = random(name, *shape)
        if cond(a) < most:
            return a


def hermitian(name, *shape):
    a = random(name, *shape)
    a = (a + adjoint(a)) / 2
    w = np.sort(np.abs(np.linalg.eigvalsh(a)), axis=-1)
    return a if np.all(np.diff(w, axis=-1) > 0.5) and cond(a) < 40 else hermitian(name, *shape)


def phase(v):
    """Of the largest component of each column."""
    at = np.argmax(np.abs(v), axis=-2, keepdims=True)
    top = np.take_along_axis(v, at, axis=-2)
    return top / np.abs(top)


def eigh(a):
    w, v = np.linalg.eigh(a)
    order = np.argsort(-np.abs(w), axis=-1)
    w, v = np.take_along_axis(w, order, -1), np.take_along_axis(v, order[..., None, :], -1)
    return [w, v / phase(v)]


def svd(a):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    f = phase(u)
    return [u / f, s, vt * np.swapaxes(f, -1, -2)]


def qr(a, mode):
    q, r = np.linalg.qr(a, mode)
    d = np.einsum("...ii->...i", r[..., : min(a.shape[-2:]), : min(a.shape[-2:])])
    f = np.ones((*a.shape[:-2], q.shape[-1]), dtype=a.dtype)
    f[..., : d.shape[-1]] = d / np.abs(d)
    return [q * f[..., None, :], r / f[..., None]]


def lu(a):
    """Checks that the pivots are the largest by modulus, where LAPACK takes |re| + |im|."""
    p, l, u = sl.lu(a)
    return [p, l, u] if np.all(np.abs(l) <= 1) else None


def case(fn, name, operands, results, options=None, factor=1.0):
    operands = [np.asarray(x) for x in operands]
    results = [np.asarray(x) for x in results]
    return {
        "fn": fn, "type": name,
        "shapes": [list(x.shape) for x in operands], "data": [flat(x) for x in operands],
        **({"options": options} if options else {}), "cond": float("%.3g" % factor),
        "results": [{"shape": list(x.shape), "values": flat(x)} for x in results],
    }


def decompositions(t):
    for shape in ([1, 1], [3, 3], [2, 2, 2]):
        b = good(t, *shape, most=6)
        a = b @ adjoint(b)
        yield case("cholesky", t, [a], [np.linalg.cholesky(a)], factor=cond(a))
        h = hermitian(t, *shape)
        # vectors turn by the rounding over the gap between values
        yield case("eigh", t, [h], eigh(h), factor=4 * cond(h))
    for shape in ([1, 1], [4, 4], [2, 2, 2]):
        parts = None
        while parts is None:
            a = good(t, *shape)
            parts = lu(a)
        yield case("lu", t, [a], parts, factor=cond(a))
    for shape in ([3, 3], [4, 2], [2, 2, 2], [2, 4]):
        a = good(t, *shape, most=10)
        yield case("qr", t, [a], qr(a, "reduced"), {"mode": "reduced"}, cond(a))
    for shape in ([1, 1], [3, 3], [4, 2], [2, 2, 1]):
        a = random(t, *shape)
        while cond(a) > 10 or np.min(-np.diff(np.linalg.svd(a, compute_uv=False)), initial=9) < 1:
            a = random(t, *shape)
        yield case("svd", t, [a], svd(a), {"fullMatrices": False}, 4 * cond(a))


def systems(t):
    for shape, right in (([1, 1], [1]), ([3, 3], [3]), ([3, 3], [3, 2]), ([2, 3, 3], [2, 3]), ([2, 1, 2, 2], [1, 3, 2, 1])):
        a, b = good(t, *shape), random(t, *right)
        isVector = len(right) in (1, len(shape) - 1)
        x = np.linalg.solve(a, b[..., None])[..., 0] if isVector else np.linalg.solve(a, b)
        yield case("solve", t, [a, b], [x], factor=cond(a))
    for shape in ([1, 1], [4, 4], [2, 2, 2]):
        a = good(t, *shape)
        yield case("invert", t, [a], [np.linalg.inv(a)], factor=cond(a))
        yield case("determinant", t, [a], [np.linalg.det(a)], factor=cond(a))
    for lower in (True, False):
        for trans, word in enumerate(["none", "transpose", "adjoint"]):
            a, b = random(t, 3, 3) + 6 * np.eye(3), random(t, 3, 2)
            c = random(t, 2, 3)
            x = sl.solve_triangular(a, b, trans=trans, lower=lower)
            options = {"lower": lower, "transformA": word}
            yield case("triangularSolve", t, [a, b], [x], options, 10)
            triangle = np.tril(a) if lower else np.triu(a)
            triangle = [triangle, triangle.T, adjoint(triangle)][trans]
            x = np.linalg.solve(triangle.T, c.T).T
            yield case("triangularSolve", t, [a, c], [x], {**options, "leftSide": False}, 10)
    for a in (good(t, 3, 2), good(t, 2, 3), deficient(t, 4, 3, 2), good(t, 2, 2, 1)):
        yield case("pinv", t, [a], [np.linalg.pinv(a)], factor=cond(a) ** 2)
        b = random(t, *a.shape[:-1], 2)
        x = np.linalg.pinv(a) @ b
        yield case("leastSquares", t, [a, b], [x], factor=cond(a) ** 2)
        yield case("matrixRank", t, [a], [np.linalg.matrix_rank(a)])
    a, b = good(t, 4, 2), random(t, 4)
    yield case("leastSquares", t, [a, b], [np.linalg.lstsq(a, b)[0]], factor=cond(a) ** 2)
    for power in (0, 1, 5, -3):
        a = good(t, 2, 2, most=5)
        yield case("matrixPower", t, [a], [np.linalg.matrix_power(a, power)], {"power": power}, cond(a) ** max(1, abs(power)))


def norms(t):
    v, a = random(t, 4), random(t, 3, 4)
    v[1] = 0
    for order in (None, 0, 1, 2, 3, 2.5, 0.5, "Infinity", "-Infinity"):
        value = np.linalg.norm(v, NUMPY_ORDER.get(order, order))
        yield case("norm", t, [v], [value], {} if order is None else {"ord": order})
    yield case("norm", t, [v + 9], [np.linalg.norm(v + 9, -1)], {"ord": -1})
    yield case("norm", t, [v + 9], [np.linalg.norm(v + 9, -2)], {"ord": -2})
    for order in ORDERS:
        yield case("norm", t, [a], [np.linalg.norm(a, NUMPY_ORDER.get(order, order))], {"ord": order}, 9)
    c = random(t, 2, 3, 2)
    for order in (2, -1, "nuclear", "Infinity"):
        value = np.linalg.norm(c, NUMPY_ORDER.get(order, order), axis=(2, 0))
        yield case("norm", t, [c], [value], {"ord": order, "axes": [2, 0]}, 9)
    value = np.linalg.norm(c, 1, axis=1, keepdims=True)
    yield case("norm", t, [c], [value], {"ord": 1, "axes": [1], "keepAxes": True})
    yield case("norm", t, [c], [np.linalg.norm(c)], {})


def vectors(t):
    """A vector counts as a column, a scalar as a matrix of one element."""
    for v in (random(t, 5), random(t, 1), np.zeros(3, dtype=random(t, 1).dtype), random(t, 4) * 2.0**-100, random(t)):
        inverse = np.linalg.pinv(np.reshape(v, [-1, 1]))
        yield case("pinv", t, [np.asarray(v)], [np.reshape(inverse, np.shape(v))])


def write(name, cases):
    with open(os.path.join(HERE, name), "w") as file:
        versions = '"numpy":"%s","scipy":"%s"' % (np.__version__, scipy.__version__)
        lines = ",\n".join(json.dumps(c, separators=(",", ":"), allow_nan=False) for c in cases)
        file.write('{%s,"cases":[\n%s\n]}\n' % (versions, lines))


if __name__ == "__main__":
    cases = [c for t in TYPES for group in (decompositions, systems, norms) for c in group(t)]
    write("linalg.json", cases + [c for t in TYPES for c in vectors(t)])
