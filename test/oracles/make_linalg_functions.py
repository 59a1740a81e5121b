"""Writes linalg-functions.json next to this file: more of what test/linalg expects of Nx.LinAlg, from NumPy and SciPy (LAPACK).

Run:  python3 test/oracles/make_linalg_functions.py   (needs numpy and scipy)

Data, conditions and conventions are those of make_linalg.py; eigenvalues are ordered by descending modulus, then real, then
imaginary part, and vectors have the component of largest magnitude positive.
"""

import numpy as np
import scipy.linalg as sl

from make_linalg import NUMPY_ORDER, ORDERS, TYPES, adjoint, case, cond, deficient, good, phase, random, write


def eig(a):
    """In the house's order; none where the order, or which component is the largest, hangs on rounding."""
    w, v = np.linalg.eig(a)
    w, v = w.astype(complex), v.astype(complex)
    keys = np.round(np.abs(w), 9), np.round(w.real, 9), np.round(w.imag, 9)
    order = np.lexsort([-keys[2], -keys[1], -keys[0]], axis=-1)
    w, v = np.take_along_axis(w, order, -1), np.take_along_axis(v, order[..., None, :], -1)
    gaps = np.abs(w[..., :, None] - w[..., None, :]) + 9 * np.eye(w.shape[-1])
    sizes = np.sort(np.abs(v), axis=-2)
    alone = v.shape[-1] == 1 or np.all(sizes[..., -2, :] < 0.95 * sizes[..., -1, :])
    return [w, v / phase(v)] if gaps.min() > 0.5 and alone and cond(v) < 10 else None


def exponential(a):
    """The series itself in integers of 2^-400, since scipy.linalg.expm is off by more than what is asked of the library (1e-13)."""
    n = len(a)
    both = np.block([[a.real, -a.imag], [a.imag, a.real]])
    one = 1 << 400
    fixed = np.array([[int(x * 2**60) * (one >> 60) for x in row] for row in both], dtype=object)
    term = np.array([[one * (i == j) for j in range(2 * n)] for i in range(2 * n)], dtype=object)
    total = term
    for k in range(1, 400):
        term = term.dot(fixed) // (one * k)
        total = total + term
    exact = np.array([[float(x * 2**100 // one) / 2.0**100 for x in row] for row in total])
    value = exact[:n, :n] + 1j * exact[n:, :n] if np.iscomplexobj(a) else exact[:n, :n]
    assert np.allclose(value, sl.expm(a), rtol=1e-10, atol=1e-10 * np.max(np.abs(value)))
    return value


def functions(t):
    for shape in ([1, 1], [3, 3], [5, 5], [2, 4, 4]):
        parts = None
        while parts is None:
            a = good(t, *shape)
            parts = eig(a)
        yield case("eig", t, [a], parts, factor=10 * cond(a))
    for shape in ([1, 1], [4, 4], [2, 5, 5]):
        a = good(t, *shape)
        a[..., 0, :] *= np.sign(np.linalg.det(a).real)[..., None] if t == "f64" else 1
        sign, log = np.linalg.slogdet(a)
        yield case("slogdet", t, [a], [sign, log], factor=cond(a))
        yield case("logdet", t, [a], [log if t == "f64" else np.log(np.linalg.det(a))], factor=cond(a))
        b = -a if shape[-1] % 2 else a[..., ::-1, :] 
        yield case("slogdet", t, [b], list(np.linalg.slogdet(b)), factor=cond(a))
    for shape in ([1, 1], [3, 3], [2, 3, 3]):
        a = good(t, *shape)
        for order in ORDERS:
            value = np.linalg.cond(a, NUMPY_ORDER.get(order, order))
            yield case("cond", t, [a], [value], {"ord": order}, cond(a))
    for shape in ([4, 2], [2, 4]):
        a = good(t, *shape)
        yield case("cond", t, [a], [np.linalg.cond(a)], factor=cond(a))
    for shape, right in (([1, 1], [1]), ([3, 3], [3]), ([3, 3], [3, 2]), ([2, 3, 3], [2, 3, 2])):
        b = good(t, *shape, most=6)
        a, right = b @ adjoint(b), random(t, *right)
        factor = np.linalg.cholesky(a)
        x = np.linalg.solve(a, right)
        yield case("choleskySolve", t, [factor, right], [x], factor=cond(a))
        yield case("choleskySolve", t, [adjoint(factor), right], [x], {"lower": False}, cond(a))
    for a, right in ((good(t, 4, 2), random(t, 4)), (good(t, 4, 2), random(t, 4, 3)), (deficient(t, 4, 3, 2), random(t, 4)), (good(t, 2, 3), random(t, 2))):
        x, _, rank, s = np.linalg.lstsq(a, right, rcond=None)
        left = np.sum(np.abs(a @ x - right) ** 2, axis=0)
        if a.shape[0] > a.shape[1]:
            yield case("leastSquares", t, [a, right], [x, left, rank, s], {"full": True}, 4 * cond(a) ** 2)
    for scale in (1 / 512, 1 / 64, 1 / 16, 1 / 4, 1, 4):
        for shape in ([1, 1], [3, 3], [2, 4, 4]):
            a = random(t, *shape) * scale / 2
            value = np.array([exponential(x) for x in a.reshape(-1, *shape[-2:])]).reshape(shape)
            magnified = max(sl.expm_cond(x) for x in a.reshape(-1, *shape[-2:]))
            yield case("expm", t, [a], [value], factor=4 * max(1.0, float(magnified)))
    for shape in ([1, 1], [3, 3], [6, 6], [2, 2, 2]):
        root = good(t, *shape, most=6) + 8 * np.eye(shape[-1])
        a = root @ root
        value = np.array([sl.sqrtm(x) for x in a.reshape(-1, *shape[-2:])]).reshape(shape)
        yield case("sqrtm", t, [a], [value], factor=cond(a))


if __name__ == "__main__":
    write("linalg-functions.json", [c for t in TYPES for c in functions(t)])
