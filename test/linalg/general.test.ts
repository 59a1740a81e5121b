/** Eigenvalues of general matrices, exponentials and square roots, determinants as logarithms, conditions: laws and edges. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { sampled } from "../effort";
import { LINALG_RESIDUAL } from "../tolerances";
import { epsilonOf, hermitian, kinds, largest, matrix, residual, size, times, TYPES, wide } from "./support";

const { cond, eig, expm, leastSquares, logdet, slogdet, sqrtm } = Nx.LinAlg;
const good = (value: number, what: string) => expect(value, what).toBeLessThan(LINALG_RESIDUAL);
const complexOf = (type: Nx.DType): Nx.DType => (type === "f64" || type === "c128" ? "c128" : "c64");
const broad = (t: Nx.Tensor): Nx.Tensor => Nx.asType(t, "c128");
const listOf = (t: Nx.Tensor): number[] => t.toFlatList() as number[];

/** Matrices that are hard for the QR iteration: cyclic, defective, badly scaled, with pairs of conjugate values. */
function hard(n: number, type: Nx.DType): Readonly<Record<string, Nx.Tensor>> {
  // Balancing brings graded matrices near to what they are graded from, and residuals are small next to that: LAPACK leaves as much.
  const { "graded rows": _rows, "graded columns": _columns, ...others } = kinds(n, n, type);
  return {
    ...others,
    cyclic: matrix([n, n], type, (i, j) => ((i + 1) % n === j ? 1 : 0)),
    "a Jordan block": matrix([n, n], type, (i, j) => (i === j ? 2 : i + 1 === j ? 1 : 0)),
    skew: matrix([n, n], type, (i, j) => (i < j ? 1 : i > j ? -1 : 0)),
    triangular: matrix([n, n], type, (i, j) => (i <= j ? i + 1 + (j % 3) : 0)),
  };
}

describe.each(TYPES)("eig, %s", (type) => {
  it.each(sampled([1, 2, 3, 5, 17, 40], 3, type))("of size %i", (n) => {
    for (const [what, a] of Object.entries(hard(n, type))) {
      const [w, v] = eig(a);
      expect([w.type, v.type, w.shape, v.shape]).toEqual([complexOf(type), complexOf(type), [n], [n, n]]);
      const left = times(broad(a), broad(v));
      const apart = size(Nx.subtract(left, Nx.multiply(broad(v), broad(w))));
      good(apart / (n * epsilonOf(w.type) * (size(a) || 1)), what);
      const lengths = Nx.sqrt(Nx.sum(Nx.pow(Nx.abs(broad(v)), 2), { axes: [0] }));
      expect(largest(Nx.subtract(lengths, 1)), what).toBeLessThan((8 + n) * epsilonOf(w.type));
      const moduli = listOf(Nx.abs(broad(w)));
      moduli.slice(1).forEach((x, i) => expect(x, what).toBeLessThanOrEqual(moduli[i]! * (1 + 4 * epsilonOf(w.type))));
      const trace = Nx.subtract(Nx.sum(broad(w)), Nx.sum(Nx.takeDiagonal(broad(a))));
      good(largest(trace) / (n * n * epsilonOf(w.type) * (size(a) || 1)), what);
    }
  });

  it("the largest component of each vector is real and positive", () => {
    const v = broad(eig(matrix([9, 9], type))[1]);
    const most = Nx.reduceMax(Nx.abs(v), { axes: [0] });
    const near = Nx.greaterEqual(Nx.abs(v), Nx.multiply(most, 1 - 1e-6));
    const positive = Nx.logicalAnd(Nx.greater(Nx.real(v), 0), Nx.less(Nx.abs(Nx.imag(v)), 1e-6));
    expect(listOf(Nx.any(Nx.logicalAnd(near, positive), { axes: [0] }))).toEqual(Array(9).fill(1));
  });
});

describe("eig", () => {
  it("of real matrices: values are real or conjugate to the last bit, and so are their vectors", () => {
    const [w, v] = eig(matrix([30, 30], "f64"));
    const values = w.toFlatList() as Nx.Complex[];
    const [re, im] = [Nx.real(v), Nx.imag(v)];
    let pairs = 0;
    values.forEach((value, i) => {
      if (value.im === 0) expect(listOf(Nx.transpose(im).at(i)), `${i}`).toEqual(Array(30).fill(0));
      if (value.im <= 0) return;
      pairs++;
      expect(values[i + 1]).toEqual(new Nx.Complex(value.re, -value.im));
      const column = (t: Nx.Tensor, j: number) => listOf(Nx.transpose(t).at(j));
      expect(column(re, i + 1)).toEqual(column(re, i));
      expect(column(Nx.negate(im), i + 1).map((x) => x + 0)).toEqual(column(im, i).map((x) => x + 0));
    });
    expect(pairs).toBeGreaterThan(5);
  });

  it("of hermitian matrices it gives what eigh gives", () => {
    const a = hermitian(matrix([12, 12], "c128"));
    expect(largest(Nx.subtract(Nx.real(eig(a)[0]), Nx.LinAlg.eigh(a)[0]))).toBeLessThan(1e-13);
  });

  it("balancing leaves vectors their digits where elements are of all sizes", () => {
    const graded = [
      [-6e-3, 8e-29],
      [-9e-3, 1e-28],
    ];
    const mixed = [
      [1e3, 1e-13, 1e-12, 9e13],
      [2e2, 9e13, 5e12, 2e7],
      [1e10, 5e-4, 1e-11, 2e13],
      [2e14, 1e-12, 9e13, 4e12],
    ];
    for (const a of [graded, mixed].map((rows) => Nx.f64(rows))) {
      const [w, v] = eig(a);
      const apart = Nx.subtract(times(broad(a), broad(v)), Nx.multiply(broad(v), broad(w)));
      expect(size(apart) / size(a)).toBeLessThan(1e-14);
      expect(largest(Nx.subtract(Nx.sum(Nx.pow(Nx.abs(v), 2), { axes: [0] }), 1))).toBeLessThan(1e-14);
    }
  });

  it("balancing finds what scaling hides", () => {
    const d = Nx.pow(Nx.f64(10), Nx.multiply(Nx.iota([6], { type: "f64" }), 4));
    const a = matrix([6, 6], "f64");
    const scaled = Nx.divide(Nx.multiply(a, Nx.newAxis(d, 1)), Nx.newAxis(d, 0));
    expect(largest(Nx.subtract(eig(scaled)[0], eig(a)[0]))).toBeLessThan(1e-12);
  });

  it("far from 1 in both directions", () => {
    for (const factor of [1e300, 1e-300]) {
      const values = eig(Nx.multiply(Nx.f64([[3, 1], [0, -2]]), factor))[0]; // prettier-ignore
      expect(largest(Nx.subtract(Nx.divide(Nx.real(values), factor), Nx.f64([3, -2])))).toBeLessThan(1e-15);
    }
  });

  it("refuses what is not finite", () => {
    expect(() => eig(Nx.f64([[1, NaN], [0, 1]]))).toThrow("Nx.LinAlg.eig: the decomposition needs finite numbers"); // prettier-ignore
    expect(() => sqrtm(Nx.f64([[1, Infinity], [0, 1]]))).toThrow("needs finite numbers"); // prettier-ignore
  });

  it("integers give c64", () => {
    expect(eig(Nx.u8([[1, 0], [0, 2]])).map((t) => t.type)).toEqual(["c64", "c64"]); // prettier-ignore
  });
});

describe.each(["f64", "c128", "f32", "c64"] as const)("expm and sqrtm, %s", (type) => {
  it("the exponential of a sum of matrices that commute is a product", () => {
    for (const n of [1, 3, 20]) {
      const a = Nx.asType(Nx.divide(wide(matrix([n, n], type)), n), type);
      const twice = Nx.asType(Nx.multiply(wide(a), 3), type);
      const [once, three] = [expm(a), expm(twice)];
      expect(largest(Nx.subtract(times(once, once, once), wide(three))) / largest(three)).toBeLessThan(500 * epsilonOf(type)); // prettier-ignore
    }
  });

  it("the determinant of an exponential is that of the trace", () => {
    const a = matrix([6, 6], type);
    const trace = Nx.sum(Nx.takeDiagonal(wide(a)));
    const log = wide(logdet(expm(wide(a))));
    const apart = Nx.subtract(Nx.exp(Nx.asType(log, "c128")), Nx.exp(Nx.asType(trace, "c128")));
    expect(largest(apart) / largest(Nx.exp(trace))).toBeLessThan(1e-12);
  });

  it("the square of a root is the matrix", () => {
    for (const n of [1, 2, 9, 40]) {
      const b = matrix([n, n], type);
      const a = Nx.asType(Nx.add(times(b, Nx.LinAlg.adjoint(b)), Nx.multiply(Nx.eye(n), 0.1)), type);
      const turned = Nx.asType(Nx.add(wide(matrix([n, n], type)), Nx.multiply(Nx.eye(n), 2 * n)), type);
      for (const x of [a, turned]) {
        const root = sqrtm(x);
        expect([root.type, root.shape]).toEqual([type, [n, n]]);
        good(residual(x, times(root, root), n, type), `${n}`);
        const values = Nx.real(eig(wide(root))[0]);
        expect(Nx.reduceMin(values).toNumber()).toBeGreaterThan(0);
      }
    }
  });
});

describe("exponentials", () => {
  it("of zeros, diagonals, nilpotent matrices are exact; of numbers as large as the type holds they overflow", () => {
    expect(listOf(expm(Nx.fill([3, 3], 0)))).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect(listOf(expm(Nx.f64([[0, 3, 1], [0, 0, 2], [0, 0, 0]])))).toEqual([1, 3, 4, 0, 1, 2, 0, 0, 1]); // prettier-ignore
    expect(expm(Nx.f64([[800]])).toFlatList()).toEqual([Infinity]);
    expect(expm(Nx.f64([[-800]])).toFlatList()).toEqual([0]);
    const last = expm(Nx.f64([[20, 0], [0, -20]])); // prettier-ignore
    expect(largest(Nx.subtract(Nx.divide(Nx.takeDiagonal(last), Nx.f64([Math.exp(20), Math.exp(-20)])), 1))).toBeLessThan(1e-13); // prettier-ignore
  });

  it("of what is not finite are NaN, for that matrix of a batch alone", () => {
    const both = expm(Nx.f64([[[1, NaN], [0, 1]], [[0, 0], [0, 0]], [[Infinity, 0], [0, 0]]])); // prettier-ignore
    expect(both.toFlatList()).toEqual([NaN, NaN, NaN, NaN, 1, 0, 0, 1, NaN, NaN, NaN, NaN]);
  });
});

describe("square roots", () => {
  it("of singular matrices that have one, and the error of those that do not", () => {
    const ones = Nx.broadcast(Nx.f64(1), [3, 3]);
    expect(largest(Nx.subtract(sqrtm(ones), Nx.divide(ones, Math.sqrt(3))))).toBeLessThan(1e-7);
    expect(
      listOf(
        sqrtm(
          Nx.f64([
            [0, 0],
            [0, 0],
          ]),
        ),
      ),
    ).toEqual([0, 0, 0, 0]);
    expect(() => sqrtm(Nx.f64([[0, 1], [0, 0]]))).toThrow("it has an eigenvalue 0 with fewer vectors"); // prettier-ignore
    expect(() => sqrtm(Nx.f64([[1, 0], [0, -1]]))).toThrow("negative eigenvalue"); // prettier-ignore
  });

  it("of a turn is a turn by half the angle, real though the values are not", () => {
    const turn = (angle: number) => Nx.f64([[Math.cos(angle), -Math.sin(angle)], [Math.sin(angle), Math.cos(angle)]]); // prettier-ignore
    expect(largest(Nx.subtract(sqrtm(turn(3)), turn(1.5)))).toBeLessThan(1e-14);
  });
});

describe("determinants and conditions", () => {
  it("slogdet is sign and logarithm of the determinant", () => {
    for (const type of ["f64", "c128"] as const) {
      const a = matrix([3, 5, 5], type);
      const [sign, log] = slogdet(a);
      const product = Nx.multiply(sign, Nx.exp(log));
      expect(largest(Nx.subtract(product, Nx.LinAlg.determinant(a)))).toBeLessThan(1e-13);
      expect(largest(Nx.subtract(Nx.abs(sign), 1))).toBeLessThan(1e-15);
      expect(Nx.exp(logdet(Nx.dot(a.at(0), Nx.LinAlg.adjoint(a.at(0))))).shape).toEqual([]);
    }
    expect(slogdet(Nx.s64([[0, 1], [1, 0]])).map((t) => [t.type, t.toNumber()])).toEqual([["f32", -1], ["f32", 0]]); // prettier-ignore
    expect(slogdet(Nx.f64([[NaN]])).map((t) => t.toNumber())).toEqual([NaN, NaN]);
  });

  it("cond of singular matrices is infinite in every norm, of one element 1", () => {
    for (const ord of [2, 1, -1, Infinity, -Infinity, "frobenius", "nuclear"] as const) {
      expect(cond(Nx.fill([2, 2], 0), { ord }).toNumber(), String(ord)).toBe(Infinity);
      expect(cond(Nx.f64([[-3]]), { ord }).toNumber(), String(ord)).toBe(1);
    }
    expect(() => cond(Nx.eye(2), { ord: 3 })).toThrow("option ord of Nx.LinAlg.cond must be 1, -1, 2, -2");
  });

  it("leastSquares gives all four of a batch, with names", () => {
    const a = Nx.rename(matrix([2, 5, 3], "f64"), ["case", "row", "x"]);
    const b = Nx.rename(matrix([2, 5, 2], "f64"), ["case", "row", "k"]);
    const [x, residuals, rank, values] = leastSquares(a, b, { full: true });
    expect([x.names, residuals.names, rank.names, values.names]).toEqual([["case", "x", "k"], ["case", "k"], ["case"], ["case", null]]); // prettier-ignore
    expect(x.equals(leastSquares(a, b))).toBe(true);
    const over = Nx.subtract(times(a, x), wide(b));
    expect(largest(Nx.subtract(Nx.sum(Nx.multiply(over, over), { axes: [1] }), wide(residuals)))).toBeLessThan(1e-13);
    expect([rank.toFlatList(), values.shape]).toEqual([
      [3, 3],
      [2, 3],
    ]);
    const one = leastSquares(a.at(0), b.at(0).at({ k: 0 }), { full: true });
    expect(one.map((t) => t.shape)).toEqual([[3], [], [], [3]]);
    expect(() => leastSquares(a, b, { full: 1 as never })).toThrow("option full of Nx.LinAlg.leastSquares");
  });
});

describe("bits", () => {
  it.each(sampled([3, 16, 33, 70], 2, "bits"))("are the same on binary and wasm, size %i", (n) => {
    for (const type of ["f64", "c128"] as const) {
      const a = matrix([n, n], type);
      const b = Nx.add(a, Nx.multiply(Nx.eye(n), 3 * n));
      for (const fn of [
        (x: Nx.Tensor) => eig(x)[0],
        (x: Nx.Tensor) => eig(x)[1],
        expm,
        (x: Nx.Tensor) => slogdet(x)[1],
      ]) {
        const [x, y] = (["binary", "wasm"] as const).map((backend) => fn(Nx.backendCopy(a, backend)).toBinary());
        expect(x).toEqual(y);
      }
      const [x, y] = (["binary", "wasm"] as const).map((backend) => sqrtm(Nx.backendCopy(b, backend)).toBinary());
      expect(x).toEqual(y);
    }
  });
});
