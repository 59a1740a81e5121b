/** Residuals, orthogonality and conventions of the decompositions, through the public functions. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { LINALG_RESIDUAL } from "../tolerances";
import {
  adjoint,
  epsilonOf,
  hermitian,
  isComplex,
  kinds,
  largest,
  matrix,
  realOf,
  residual,
  size,
  skewness,
  times,
  TYPES,
  wide,
  withValues,
} from "./support";
import { sampled } from "../effort";

const { cholesky, eigh, lu, qr, svd } = Nx.LinAlg;

const SIZES = [1, 2, 3, 5, 17, 64] as const;
const SQUARE = SIZES.map((n) => [n, n] as const);
const SHAPES = [...SQUARE, [7, 3], [64, 17], [5, 1], [3, 7], [17, 64], [1, 5]] as const;

const good = (value: number, what: string) => expect(value, what).toBeLessThan(LINALG_RESIDUAL);

/** 0 where the entry is on the wrong side of the diagonal. */
function expectTriangle(t: Nx.Tensor, side: "lower" | "upper", what: string): void {
  const [i, j] = [0, 1].map((axis) => Nx.iota(t.shape.slice(-2), { axis })) as [Nx.Tensor, Nx.Tensor];
  const outside = side === "lower" ? Nx.less(i, j) : Nx.greater(i, j);
  expect(Nx.any(Nx.logicalAnd(outside, Nx.notEqual(t, 0))).toNumber(), what).toBe(0);
}

const numbers = (t: Nx.Tensor): number[] => wide(t).toFlatList() as number[];
const descending = (values: readonly number[]) => values.slice().sort((x, y) => y - x);

/** Of each column: the component of largest modulus is positive and real. */
function expectPositive(v: Nx.Tensor, what: string): void {
  const slack = Math.max(8 * epsilonOf(v.type), 1e-9);
  const w = wide(v);
  const re = isComplex(w.type) ? Nx.real(w) : w;
  // of several components as large as each other within rounding one must be positive
  const most = Nx.reduceMax(re, { axes: [-2] });
  const modulus = Nx.reduceMax(Nx.abs(w), { axes: [-2] });
  expect(Nx.all(Nx.greaterEqual(Nx.add(most, slack), modulus)).toNumber(), what).toBe(1);
}

describe.each(TYPES)("%s", (type) => {
  it.each(sampled(SHAPES, 5, type))("qr of %ix%i", (m, n) => {
    for (const [what, a] of Object.entries(kinds(m, n, type))) {
      for (const mode of ["reduced", "complete"] as const) {
        const [q, r] = qr(a, { mode });
        const width = mode === "complete" ? m : Math.min(m, n);
        expect([q.shape, r.shape, q.type, r.type]).toEqual([[m, width], [width, n], type, type]);
        good(residual(a, times(q, r), m, type), what);
        good(skewness(q), what);
        expectTriangle(r, "upper", what);
      }
    }
  });

  it.each(sampled(SQUARE, 3, type))("lu of %ix%i", (n) => {
    for (const [what, a] of Object.entries(kinds(n, n, type))) {
      const [p, l, u] = lu(a);
      good(residual(a, times(p, l, u), n, type), what);
      expectTriangle(l, "lower", what);
      expectTriangle(u, "upper", what);
      expect(numbers(Nx.takeDiagonal(isComplex(type) ? Nx.real(l) : l)), what).toEqual(Array(n).fill(1));
      expect(largest(l), what).toBeLessThanOrEqual(1 + 2 * epsilonOf(type));
      for (const axes of [[0], [1]]) expect(numbers(Nx.sum(Nx.abs(p), { axes })), what).toEqual(Array(n).fill(1));
      expect(numbers(Nx.abs(p)).every((x) => x === 0 || x === 1)).toBe(true);
      expect([p.type, l.type, u.type]).toEqual([type, type, type]);
    }
  });

  it.each(sampled(SQUARE, 3, type))("cholesky of %ix%i", (n) => {
    const b = matrix([n, n], type);
    const spread = Array.from({ length: n }, (_, i) => 10 ** (-1.5 * (i / n)));
    const matrices = {
      "b b^H + 1": hermitian(Nx.asType(Nx.add(times(b, adjoint(b)), Nx.eye(n)), type)),
      "of given eigenvalues": withValues(spread, type, true),
      identity: Nx.asType(Nx.eye(n), type),
    };
    for (const [what, a] of Object.entries(matrices)) {
      const l = cholesky(a);
      good(residual(a, times(l, adjoint(l)), n, type), what);
      expectTriangle(l, "lower", what);
      const diagonal = Nx.takeDiagonal(l);
      const re = isComplex(type) ? Nx.real(diagonal) : diagonal;
      expect(numbers(re).every((x) => x > 0)).toBe(true);
      if (isComplex(type)) expect(largest(Nx.imag(diagonal))).toBe(0);
    }
  });

  it.each(sampled(SQUARE, 3, type))("eigh of %ix%i", (n) => {
    const signs = Array.from({ length: n }, (_, i) => (i % 3 === 0 ? -2 : 2));
    const matrices = {
      ...Object.fromEntries(Object.entries(kinds(n, n, type)).map(([kind, b]) => [kind, hermitian(b)])),
      "of repeated eigenvalues": withValues(signs, type, true),
      "graded eigenvalues": withValues(Array.from({ length: n }, (_, i) => 10 ** (-i)), type, true), // prettier-ignore
    };
    for (const [what, a] of Object.entries(matrices)) {
      const [w, v] = eigh(a);
      expect([w.shape, v.shape, w.type, v.type]).toEqual([[n], [n, n], realOf(type), type]);
      // the residual of a v - v w next to the norm of a
      const apart = size(Nx.subtract(times(a, v), Nx.multiply(wide(v), wide(w))));
      good(apart / (n * epsilonOf(type) * (size(a) || 1)), what);
      good(residual(a, times(Nx.multiply(wide(v), wide(w)), adjoint(v)), n, type), what);
      good(skewness(v), what);
      const sizes = numbers(Nx.abs(w));
      expect(sizes, what).toEqual(descending(sizes));
      expectPositive(v, what);
    }
  });

  it.each(sampled(SHAPES, 5, type))("svd of %ix%i", (m, n) => {
    const k = Math.min(m, n);
    for (const [what, a] of Object.entries(kinds(m, n, type))) {
      for (const fullMatrices of [true, false]) {
        const [u, s, vt] = svd(a, { fullMatrices });
        const [left, right] = fullMatrices ? [m, n] : [k, k];
        expect([u.shape, s.shape, vt.shape]).toEqual([[m, left], [k], [right, n]]); // prettier-ignore
        expect([u.type, s.type, vt.type]).toEqual([type, realOf(type), type]);
        const [tall, flat] = [Nx.sliceAlongAxis(u, 0, k, { axis: 1 }), Nx.sliceAlongAxis(vt, 0, k, { axis: 0 })];
        good(residual(a, times(Nx.multiply(wide(tall), wide(s)), flat), Math.max(m, n), type), what);
        good(skewness(u), what);
        good(skewness(adjoint(vt)), what);
        const values = numbers(s);
        expect(values, what).toEqual(descending(values));
        expect(values.every((value) => value >= 0)).toBe(true);
        expectPositive(u, what);
      }
    }
  });
});

describe.each(["f64", "c128"] as const)("%s of size 128", (type) => {
  const a = matrix([128, 128], type);

  it("qr, lu and cholesky", () => {
    const [q, r] = qr(a);
    good(residual(a, times(q, r), 128, type), "qr");
    good(skewness(q), "qr");
    const [p, l, u] = lu(a);
    good(residual(a, times(p, l, u), 128, type), "lu");
    const square = hermitian(Nx.add(times(a, adjoint(a)), Nx.eye(128)));
    const root = cholesky(square);
    good(residual(square, times(root, adjoint(root)), 128, type), "cholesky");
  });

  it("eigh and svd", () => {
    const h = hermitian(a);
    const [w, v] = eigh(h);
    good(residual(h, times(Nx.multiply(v, w), adjoint(v)), 128, type), "eigh");
    good(skewness(v), "eigh");
    const [u, s, vt] = svd(a);
    good(residual(a, times(Nx.multiply(u, s), vt), 128, type), "svd");
    good(skewness(u), "svd");
    good(skewness(vt), "svd");
  });
});

describe("known values", () => {
  it.each([1, 2, 5, 17, 64])("eigenvalues and singular values of the second difference of size %i", (n) => {
    const a = matrix([n, n], "f64", (i, j) => (i === j ? 2 : Math.abs(i - j) === 1 ? -1 : 0));
    const exact = Array.from({ length: n }, (_, k) => 4 * Math.sin(((n - k) * Math.PI) / (2 * (n + 1))) ** 2);
    for (const values of [numbers(eigh(a)[0]), numbers(svd(a)[1])]) {
      values.forEach((value, k) =>
        expect(Math.abs(value - exact[k]!)).toBeLessThan(LINALG_RESIDUAL * n * epsilonOf("f64") * 4),
      );
    }
  });

  it("of repeated eigenvalues, found as they were put in", () => {
    for (const type of ["f64", "c128"] as const) {
      const values = numbers(eigh(withValues([3, 3, 3, -1, -1, 0.5], type, true))[0]);
      [3, 3, 3, -1, -1, 0.5].forEach((value, i) =>
        expect(Math.abs(values[i]! - value)).toBeLessThan(LINALG_RESIDUAL * 6 * epsilonOf("f64") * 3),
      );
    }
  });

  it("singular values of a matrix of known ones", () => {
    const exact = [1e3, 10, 10, 1, 1e-6];
    for (const type of ["f64", "c128"] as const) {
      numbers(svd(withValues(exact, type, false))[1]).forEach((value, i) =>
        expect(Math.abs(value - exact[i]!)).toBeLessThan(LINALG_RESIDUAL * 5 * epsilonOf("f64") * 1e3),
      );
    }
  });
});

describe("batches", () => {
  const BATCHES = [
    [2, 3, 3],
    [2, 3, 4, 4],
    [2, 1, 5, 2],
    [3, 2, 5],
  ] as const;

  /** Each matrix of a batch by itself, stacked again. */
  function oneByOne(t: Nx.Tensor, call: (a: Nx.Tensor) => readonly Nx.Tensor[]): readonly Nx.Tensor[] {
    const batch = t.shape.slice(0, -2);
    const flat = Nx.reshape(t, ["auto", ...t.shape.slice(-2)]);
    const all = Array.from({ length: flat.shape[0]! }, (_, i) => call(flat.at(i)));
    return all[0]!.map((first, k) => Nx.reshape(Nx.stack(all.map((parts) => parts[k]!)), [...batch, ...first.shape]));
  }

  const squareOnly = (shape: readonly number[]) => shape.at(-1) === shape.at(-2);

  it.each(BATCHES.flatMap((shape) => (["f32", "c128"] as const).map((type) => [shape, type] as const)))(
    "of shape %j, %s, are matrix by matrix",
    (shape, type) => {
      const a = matrix(shape, type);
      const calls: ((t: Nx.Tensor) => readonly Nx.Tensor[])[] = [
        (t) => qr(t),
        (t) => qr(t, { mode: "complete" }),
        (t) => svd(t),
        (t) => svd(t, { fullMatrices: false }),
        (t) => [Nx.LinAlg.adjoint(t), Nx.LinAlg.pinv(t), Nx.LinAlg.matrixRank(t)],
      ];
      if (squareOnly(shape)) {
        calls.push(
          (t) => lu(t),
          (t) => eigh(hermitian(t)),
          (t) => [cholesky(hermitian(Nx.asType(Nx.add(times(t, adjoint(t)), Nx.eye(t.shape.at(-1)!)), type)))],
          (t) => [Nx.LinAlg.determinant(t), Nx.LinAlg.invert(t), Nx.LinAlg.matrixPower(t, 3)],
        );
      }
      for (const call of calls) {
        const [got, expected] = [call(a), oneByOne(a, call)];
        got.forEach((part, k) => {
          expect(part.type).toBe(expected[k]!.type);
          expect(part.shape).toEqual(expected[k]!.shape);
          expect(part.toBinary()).toEqual(expected[k]!.toBinary());
        });
      }
    },
  );
});

describe("elements that have few digits next to others", () => {
  const least = new Nx.Complex(5e-324, 5e-324); // its modulus is rounded to 5e-324
  const diagonal = Nx.tensor([new Nx.Complex(1, 0), ...Array<Nx.Complex>(19).fill(least)], { type: "c128" });

  it("singular vectors are of unit length", () => {
    const [u, , vt] = Nx.LinAlg.svd(Nx.makeDiagonal(diagonal));
    good(skewness(u), "u");
    good(skewness(adjoint(vt)), "v");
  });

  it("eigenvectors are of unit length", () => {
    const below = Nx.putDiagonal(Nx.zeros([21, 21], { type: "c128" }), diagonal, { offset: -1 });
    const a = Nx.add(below, adjoint(below));
    for (const [values, vectors] of [Nx.LinAlg.eigh(a), Nx.LinAlg.eig(a)]) {
      good(skewness(vectors), values.type);
      expect(largest(Nx.subtract(Nx.abs(values).slice([0], [2]), 1))).toBeLessThan(1e-15);
    }
  });
});

describe("conventions", () => {
  it("the diagonal of r is positive where a column was reflected", () => {
    const [, r] = qr(matrix([6, 4], "f64"));
    expect(numbers(Nx.takeDiagonal(r)).every((x) => x > 0)).toBe(true);
    const [, square] = qr(matrix([4, 4], "f64"));
    expect(numbers(Nx.takeDiagonal(square)).slice(0, 3).every((x) => x > 0)).toBe(true); // prettier-ignore
    // nothing below the diagonal: nothing to reflect
    const [q, kept] = qr(Nx.f64([[-2, 1], [0, 3]])); // prettier-ignore
    expect([q.toList(), kept.toList()]).toEqual([[[1, 0], [0, 1]], [[-2, 1], [0, 3]]]); // prettier-ignore
  });

  it("q of a wide matrix is square in both modes", () => {
    const a = matrix([2, 5], "f64");
    const [q, r] = qr(a);
    const [whole, same] = qr(a, { mode: "complete" });
    expect([q.toList(), r.toList()]).toEqual([whole.toList(), same.toList()]);
  });

  it("the last columns of a full u are those that a does not reach", () => {
    const a = matrix([6, 2], "c128");
    const [u] = svd(a);
    const rest = Nx.sliceAlongAxis(u, 2, 4, { axis: 1 });
    expect(largest(times(adjoint(rest), a)) / size(a)).toBeLessThan(LINALG_RESIDUAL * 6 * epsilonOf("f64"));
  });

  it("the permutation has the type that was given", () => {
    const [p, l, u] = lu(Nx.u8([[0, 2], [4, 1]])); // prettier-ignore
    expect([p.type, l.type, u.type]).toEqual(["u8", "f32", "f32"]);
    expect(p.toList()).toEqual([[0, 1], [1, 0]]); // prettier-ignore
  });

  it("decomposes singular matrices with lu", () => {
    const a = Nx.f64([[0, 0, 1], [0, 0, 2], [0, 3, 0]]); // prettier-ignore
    const [p, l, u] = lu(a);
    expect(times(p, l, u).toList()).toEqual(a.toList());
    expect(numbers(Nx.takeDiagonal(u))).toContain(0);
  });

  it("takes the first of the largest pivots", () => {
    const [p] = lu(Nx.f64([[1, 2], [-1, 5]])); // prettier-ignore
    expect(p.toList()).toEqual([[1, 0], [0, 1]]); // prettier-ignore
  });

  it("gives eigenvalues by descending magnitude with their vectors", () => {
    const [w, v] = eigh(Nx.f64([[1, 0, 0], [0, -5, 0], [0, 0, 3]])); // prettier-ignore
    expect(w.toList()).toEqual([-5, 3, 1]);
    expect(v.toList()).toEqual([[0, 0, 1], [1, 0, 0], [0, 1, 0]]); // prettier-ignore
  });

  it("agrees with the documented example of the 2x2 matrix of ones and twos", () => {
    const [w, v] = eigh(Nx.tensor([[1, 2], [2, 1]])); // prettier-ignore
    expect([w.type, w.toList(), v.toList()]).toEqual([
      "f32",
      [3, -1],
      [
        [Math.fround(Math.SQRT1_2), Math.fround(Math.SQRT1_2)],
        [Math.fround(Math.SQRT1_2), -Math.fround(Math.SQRT1_2)],
      ],
    ]);
  });
});

describe("adjoint", () => {
  it.each(["f32", "c64", "s64", "bf16"] as const)("of matrices and batches, %s", (type) => {
    for (const shape of [
      [1, 1],
      [2, 5],
      [3, 2, 4],
      [2, 3, 4, 1],
    ]) {
      const a = Nx.asType(Nx.multiply(matrix(shape, isComplex(type) ? "c128" : "f64"), 10), type);
      const b = Nx.LinAlg.adjoint(a);
      expect([b.type, b.shape]).toEqual([type, [...shape.slice(0, -2), shape.at(-1), shape.at(-2)]]);
      expect(b.toBinary()).toEqual(adjoint(a).toBinary());
      expect(Nx.LinAlg.adjoint(b).toBinary()).toEqual(a.toBinary());
    }
  });

  it("of vectors and scalars is the conjugate", () => {
    const z = new Nx.Complex(1, 2);
    expect(Nx.LinAlg.adjoint(Nx.c64([z, 3])).toList()).toEqual([new Nx.Complex(1, -2), new Nx.Complex(3, -0)]);
    expect(Nx.LinAlg.adjoint(Nx.tensor(z)).toNumber()).toEqual(new Nx.Complex(1, -2));
    expect(Nx.LinAlg.adjoint(Nx.s64([1, 2])).toList()).toEqual([1, 2]);
    expect(Nx.LinAlg.adjoint(5).toNumber()).toBe(5);
  });
});
