/** Residuals of the solvers and inverses, through the public functions. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { LINALG_RESIDUAL } from "../tolerances";
import {
  adjoint,
  epsilonOf,
  isComplex,
  kinds,
  largest,
  matrix,
  residual,
  size,
  times,
  transposed,
  TYPES,
  wide,
  withValues,
  type Type,
} from "./support";
import { sampled } from "../effort";

const { invert, leastSquares, pinv, solve, triangularSolve } = Nx.LinAlg;

const SIZES = [1, 2, 3, 5, 17, 64] as const;

const good = (value: number, what: string) => expect(value, what).toBeLessThan(LINALG_RESIDUAL);

/** |a x - b| in units of n * (half an ulp) * (|a| |x| + |b|): what a backward stable method leaves for any matrix. */
function leftOver(a: Nx.Tensor, x: Nx.Tensor, b: Nx.Tensor): number {
  const n = a.shape.at(-1)!;
  const apart = size(Nx.subtract(times(a, x), wide(b)));
  return apart / (n * epsilonOf(x.type) * (size(a) * size(x) + size(b)));
}

const geometric = (n: number, least: number) => Array.from({ length: n }, (_, i) => least ** (i / Math.max(1, n - 1)));

/** Matrices that can be inverted, from well to badly conditioned, so that no solution leaves the range of the type. */
function invertible(n: number, type: Type): Readonly<Record<string, Nx.Tensor>> {
  const small = Math.max(epsilonOf(type) * 4, type === "f16" ? 0.01 : 0);
  return {
    orthogonal: withValues(Array(n).fill(1), type, false),
    diagonal: Nx.asType(Nx.multiply(Nx.eye(n), 0.5), type),
    dominant: Nx.asType(Nx.add(wide(matrix([n, n], type)), Nx.multiply(Nx.eye(n), n)), type),
    graded: withValues(geometric(n, 1e-2), type, false),
    "ill-conditioned": withValues(geometric(n, small), type, false),
    "needs pivots": matrix([n, n], type, (i, j) => (i + j === n - 1 ? 1 : i + j === n ? 1e-3 : 0)),
  };
}

describe.each(TYPES)("%s", (type) => {
  it.each(sampled(SIZES, 3, type))("solve of size %i", (n) => {
    for (const [what, a] of Object.entries(invertible(n, type))) {
      for (const columns of [1, 3]) {
        const b = matrix([n, columns], type);
        const x = solve(a, b);
        expect([x.type, x.shape]).toEqual([type, [n, columns]]);
        good(leftOver(a, x, b), what);
      }
      const b = matrix([1, n], type);
      const x = solve(a, Nx.reshape(b, [n]));
      expect([x.type, x.shape]).toEqual([type, [n]]);
      good(leftOver(a, Nx.reshape(x, [n, 1]), Nx.reshape(b, [n, 1])), what);
    }
  });

  it.each(sampled(SIZES, 3, type))("triangularSolve of size %i, all options", (n) => {
    const whole = Nx.asType(Nx.add(wide(matrix([n, n], type)), Nx.multiply(Nx.eye(n), n)), type);
    const [i, j] = [Nx.iota([n, n], { axis: 0 }), Nx.iota([n, n], { axis: 1 })];
    for (const lower of [true, false]) {
      const a = Nx.select(lower ? Nx.greaterEqual(i, j) : Nx.lessEqual(i, j), wide(whole), 0);
      for (const transformA of ["none", "transpose", "adjoint"] as const) {
        const t = { none: a, transpose: transposed(a), adjoint: adjoint(a) }[transformA];
        const what = `lower ${lower}, ${transformA}`;
        const columns = matrix([n, 3], type);
        good(leftOver(t, triangularSolve(whole, columns, { lower, transformA }), columns), what);
        const rows = matrix([3, n], type);
        const x = triangularSolve(whole, rows, { lower, transformA, leftSide: false });
        expect([x.type, x.shape]).toEqual([type, [3, n]]);
        good(leftOver(transposed(t), transposed(x), transposed(rows)), `${what}, right`);
        const vector = Nx.reshape(matrix([1, n], type), [n]);
        for (const leftSide of [true, false]) {
          const y = triangularSolve(whole, vector, { lower, transformA, leftSide });
          expect(y.shape).toEqual([n]);
          const side = leftSide ? t : transposed(t);
          good(leftOver(side, Nx.reshape(y, [n, 1]), Nx.reshape(vector, [n, 1])), `${what}, vector`);
        }
      }
    }
  });

  it.each(sampled(SIZES, 3, type))("invert of size %i", (n) => {
    for (const [what, a] of Object.entries(invertible(n, type))) {
      const x = invert(a);
      expect([x.type, x.shape]).toEqual([type, [n, n]]);
      const one = Nx.eye(n, { type: isComplex(type) ? "c128" : "f64" });
      const unit = n * epsilonOf(type) * size(a) * size(x);
      good(size(Nx.subtract(times(a, x), one)) / unit, what);
      good(size(Nx.subtract(times(x, a), one)) / unit, what);
    }
  });

  it.each([...SIZES.map((n) => [n, n] as const), [7, 3], [64, 17], [3, 7], [17, 64], [5, 1], [1, 5]] as const)(
    "pinv of %ix%i fulfils the conditions of Moore and Penrose",
    (m, n) => {
      const all = kinds(m, n, type);
      for (const what of ["random", "zero", "ones on the diagonal", "of two values"]) {
        const a = all[what]!;
        const x = pinv(a);
        expect([x.type, x.shape]).toEqual([type, [n, m]]);
        const unit = Math.max(m, n) * epsilonOf(type) * (size(a) * size(x) || 1);
        const [ax, xa] = [times(a, x), times(x, a)];
        good(size(Nx.subtract(times(a, x, a), wide(a))) / (unit * (size(a) || 1)), what);
        good(size(Nx.subtract(times(x, a, x), wide(x))) / (unit * (size(x) || 1)), what);
        good(size(Nx.subtract(ax, adjoint(ax))) / unit, what);
        good(size(Nx.subtract(xa, adjoint(xa))) / unit, what);
      }
    },
  );

  it("pinv of a vector is that of a column, and of a scalar the reciprocal", () => {
    for (const n of SIZES) {
      const v = Nx.rename(matrix([n], type), ["x"]);
      const x = pinv(v);
      expect([x.type, x.shape, x.names]).toEqual([type, [n], ["x"]]);
      const column = wide(pinv(Nx.newAxis(v, -1)).at(0));
      good(size(Nx.subtract(wide(x), Nx.rename(column, ["x"]))) / (n * epsilonOf(type) * size(column)), `${n}`);
      const zeros = pinv(Nx.multiply(v, 0));
      expect(wide(zeros).equals(wide(Nx.multiply(v, 0)))).toBe(true);
      const one = v.at(0);
      good(size(Nx.subtract(wide(pinv(one)), Nx.divide(1, wide(one)))) / (epsilonOf(type) * size(pinv(one))), "scalar");
      expect([pinv(one).type, pinv(one).shape]).toEqual([type, []]);
      expect(size(pinv(Nx.multiply(one, 0)))).toBe(0);
    }
  });

  it.each([
    [7, 3],
    [64, 17],
    [5, 1],
    [17, 17],
    [3, 7],
    [17, 64],
  ] as const)(
    // prettier-ignore
    "leastSquares of %ix%i leaves what is orthogonal to the columns",
    (m, n) => {
      const a = matrix([m, n], type);
      for (const columns of [1, 4]) {
        const b = matrix([m, columns], type);
        const x = leastSquares(a, b);
        expect([x.type, x.shape]).toEqual([type, [n, columns]]);
        const rest = Nx.subtract(wide(b), times(a, x));
        const unit = Math.max(m, n) * epsilonOf(type) * size(a) * (size(a) * size(x) + size(b));
        good(size(times(adjoint(a), rest)) / unit, "");
        if (m <= n) good(leftOver(a, x, b), "");
      }
    },
  );
});

describe("pinv of one axis and none", () => {
  it("keeps vectors whose squares no double holds", () => {
    for (const scale of [2 ** -540, 2 ** 540, 2 ** -1020, 2 ** 1020]) {
      const v = Nx.f64([3 * scale, 0, 4 * scale]);
      expect(pinv(v).toList()).toEqual([0.12 / scale, 0, 0.16 / scale]);
      const i = new Nx.Complex(0, 1);
      const z = Nx.c128([new Nx.Complex(3 * scale, 0), i]).multiply(Nx.c128([1, 4 * scale]));
      expect(String(Nx.real(pinv(z)).toList())).toBe(String([0.12 / scale, 0]));
      expect(String(Nx.imag(pinv(z)).toList())).toBe(String([0, -0.16 / scale]));
    }
  });

  it("takes plain numbers and integers, and lets NaN through", () => {
    expect([pinv(4).type, pinv(4).toNumber(), pinv(0).toNumber()]).toEqual(["f32", 0.25, 0]);
    expect(pinv(new Nx.Complex(0, 2)).toNumber()).toEqual(new Nx.Complex(0, -0.5));
    expect([pinv(Nx.u8([3, 4])).type, pinv(Nx.u8([200, 0])).toList()]).toEqual(["f32", [Math.fround(1 / 200), 0]]);
    expect(pinv(Nx.f64([NaN, 0])).toList()).toEqual([NaN, NaN]);
    expect(pinv(NaN).toNumber()).toBeNaN();
    expect(pinv(Infinity).toNumber()).toBe(0);
    expect(pinv(Nx.f64([3, 4]), { eps: 0.5 }).toList()).toEqual([0.12, 0.16]);
    expect(
      pinv(Nx.broadcast(Nx.bf16(1), [1000]))
        .at(0)
        .toNumber(),
    ).toBe(2 ** -10 * 1.0234375);
  });
});

describe("rank-deficient systems", () => {
  it.each(["f64", "c128"] as const)("the solution of least norm, %s", (type) => {
    for (const [m, n, rank] of [
      [6, 4, 2],
      [4, 6, 3],
      [5, 5, 1],
      [17, 17, 9],
    ] as const) {
      // prettier-ignore
      const a = times(matrix([m, rank], type), matrix([rank, n], type));
      const b = matrix([m, 2], type);
      const x = leastSquares(a, b);
      const unit = Math.max(m, n) * epsilonOf(type) * size(a) * size(pinv(a));
      const rest = Nx.subtract(b, times(a, x));
      good(size(times(adjoint(a), rest)) / (unit * size(a) * size(b)), "residual");
      // x lies in the row space
      good(size(Nx.subtract(times(pinv(a), a, x), x)) / (unit * size(x)), "least norm");
      expect(Nx.LinAlg.matrixRank(a).toNumber()).toBe(rank);
    }
  });

  it("small singular values count by eps", () => {
    const a = Nx.f64([[1, 0], [0, 1e-3]]); // prettier-ignore
    const b = Nx.f64([1, 1]);
    expect(leastSquares(a, b).toList()).toEqual([1, 1000]);
    expect(leastSquares(a, b, { eps: 1e-2 }).toList()).toEqual([1, 0]);
    expect(pinv(a, { eps: 1e-3 }).toList()).toEqual([[1, 0], [0, 0]]); // prettier-ignore
    expect(pinv(a, { eps: 0.9e-3 }).toList()).toEqual([[1, 0], [0, 1000]]); // prettier-ignore
    expect(pinv(Nx.f64([[1, 0], [0, 2 ** -50]])).toList()).toEqual([[1, 0], [0, 2 ** 50]]); // prettier-ignore
    expect(pinv(Nx.f64([[1, 0], [0, 2 ** -53]])).toList()).toEqual([[1, 0], [0, 0]]); // prettier-ignore
    expect(pinv(Nx.f32([[1, 0], [0, 1e-7]])).toList()).toEqual([[1, 0], [0, 0]]); // prettier-ignore
    expect(pinv(Nx.f64([[1, 0], [0, 0]]), { eps: 0 }).toList()).toEqual([[1, 0], [0, 0]]); // prettier-ignore
  });
});

describe("ill-conditioned systems", () => {
  it("of Hilbert matrices are solved as well as their condition allows", () => {
    for (const n of [3, 5, 8, 12]) {
      const a = matrix([n, n], "f64", (i, j) => 1 / (i + j + 1));
      const ones = Nx.broadcast(1, [n, 1]);
      const b = times(a, ones);
      const x = solve(a, b);
      good(leftOver(a, x, b), `${n}`);
      const condition = size(a) * size(invert(a));
      expect(largest(Nx.subtract(x, ones))).toBeLessThan(LINALG_RESIDUAL * n * condition * epsilonOf("f64"));
    }
  });

  it("the inverse of a Hilbert matrix has integers, known in closed form", () => {
    const exact = [[16, -120, 240, -140], [-120, 1200, -2700, 1680], [240, -2700, 6480, -4200], [-140, 1680, -4200, 2800]]; // prettier-ignore
    const a = matrix([4, 4], "f64", (i, j) => 1 / (i + j + 1));
    expect(residual(Nx.f64(exact), invert(a), 4, "f64")).toBeLessThan(LINALG_RESIDUAL * 1.6e4);
  });
});

it.each(["f64", "c128"] as const)("works at size 128, %s", (type) => {
  const a = matrix([128, 128], type);
  const b = matrix([128, 5], type);
  good(leftOver(a, solve(a, b), b), "solve");
  good(leftOver(a, leastSquares(a, b), b) / (size(a) * size(invert(a))), "leastSquares");
  good(leftOver(a, invert(a), Nx.eye(128)), "invert");
});

describe("batches", () => {
  /** Shapes of `a`, `b`, and of the solution. */
  const SYSTEMS = [
    [[3, 3], [3], [3]],
    [
      [3, 3],
      [3, 2],
      [3, 2],
    ],
    [
      [3, 3],
      [4, 3, 2],
      [4, 3, 2],
    ],
    [
      [3, 3],
      [5, 4, 3, 2],
      [5, 4, 3, 2],
    ],
    [[4, 3, 3], [3], [4, 3]],
    [
      [4, 3, 3],
      [4, 3],
      [4, 3],
    ],
    [
      [4, 3, 3],
      [1, 3],
      [4, 3],
    ],
    [
      [1, 3, 3],
      [4, 3],
      [4, 3],
    ],
    [
      [4, 3, 3],
      [4, 3, 2],
      [4, 3, 2],
    ],
    [
      [4, 3, 3],
      [1, 3, 2],
      [4, 3, 2],
    ],
    [
      [4, 1, 3, 3],
      [1, 5, 3, 2],
      [4, 5, 3, 2],
    ],
    [
      [4, 1, 3, 3],
      [4, 5, 3],
      [4, 5, 3],
    ],
    [
      [4, 5, 3, 3],
      [3, 2],
      [4, 5, 3, 2],
    ],
    [
      [5, 3, 3],
      [4, 1, 3, 2],
      [4, 5, 3, 2],
    ],
  ] as const;

  const padTo = (t: Nx.Tensor, shape: readonly number[]) => Nx.broadcast(t, shape);

  it.each(SYSTEMS.flatMap((shapes) => (["f64", "c64"] as const).map((type) => [...shapes, type] as const)))(
    "a of %j, b of %j give x of %j, %s",
    (aShape, bShape, xShape, type) => {
      const isVector = bShape.length === 1 || bShape.length === aShape.length - 1;
      const batch = xShape.slice(0, isVector ? -1 : -2);
      const a = Nx.asType(Nx.add(wide(matrix(aShape, type)), Nx.multiply(Nx.eye(3), 3)), type);
      const b = matrix(bShape, type);
      const columns = isVector ? Nx.newAxis(b, -1) : b;
      const [as, bs] = [padTo(a, [...batch, 3, 3]), padTo(columns, [...batch, 3, columns.shape.at(-1)!])];
      const check = (m: Nx.Tensor, x: Nx.Tensor, what: string) => {
        expect([x.type, x.shape], what).toEqual([type, xShape]);
        good(leftOver(m, isVector ? Nx.newAxis(x, -1) : x, bs), what);
      };
      check(as, solve(a, b), "solve");
      check(as, leastSquares(a, b), "leastSquares");
      const [i, j] = [Nx.iota([3, 3], { axis: 0 }), Nx.iota([3, 3], { axis: 1 })];
      check(Nx.multiply(Nx.greaterEqual(i, j), wide(as)), triangularSolve(a, b), "triangularSolve");
      const turned = (t: Nx.Tensor) => (isVector ? t : transposed(t));
      const right = triangularSolve(a, turned(b), { leftSide: false, lower: false });
      check(transposed(Nx.multiply(Nx.lessEqual(i, j), wide(as))), turned(right), "on the right");
    },
  );
});

describe("types", () => {
  it("merges the types of a and b", () => {
    const eye = (type: Nx.DType) => Nx.eye(2, { type });
    const cases = [
      ["s64", "s64", "f32"], ["u8", "f16", "f16"], ["f16", "s64", "f16"], ["f32", "f64", "f64"], ["bf16", "u8", "bf16"],
      ["f32", "c64", "c64"], ["c128", "s32", "c128"], ["c64", "c128", "c128"],
    ] as const; // prettier-ignore
    for (const [left, right, type] of cases) {
      const [a, b] = [eye(left), eye(right)];
      const solvers: readonly ((a: Nx.Tensor, b: Nx.Tensor) => Nx.Tensor)[] = [solve, leastSquares, triangularSolve];
      for (const fn of solvers) expect(fn(a, b).type).toBe(type);
    }
  });

  it("loses no digits of integers", () => {
    const big = Nx.s64([[16777217, 16777216], [1, 1]]); // prettier-ignore
    expect(Nx.LinAlg.determinant(big).toNumber()).toBe(1);
    expect(solve(big, Nx.s64([16777217, 1])).toList()).toEqual([1, 0]);
    expect(solve(Nx.s64([[16777217]]), Nx.f64([16777217])).toList()).toEqual([1]);
    expect(invert(big).at(0).toList()).toEqual([1, -16777216]);
    expect(Nx.LinAlg.norm(Nx.s64([16777217, 0]), { ord: 1 }).type).toBe("f32");
  });
});
