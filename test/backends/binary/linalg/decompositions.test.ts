import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { LINALG_RESIDUAL } from "../../../tolerances";
import { adjoint, decompose, hermitian, kinds, matrix, realOf, residual, skewness, times, TYPES } from "./matrices";

const SIZES = [1, 2, 3, 5, 16, 40];
const SHAPES = [...SIZES.map((n) => [n, n] as const), [7, 3], [40, 11], [5, 1]] as const;

/** What is asserted of every kind of matrix. */
function each(m: number, n: number, type: (typeof TYPES)[number], check: (a: Nx.Tensor, kind: string) => void): void {
  for (const [kind, a] of Object.entries(kinds(m, n, type))) check(a, `${kind} ${m}x${n} ${type}`);
}

const good = (value: number, what: string) => expect(value, what).toBeLessThan(LINALG_RESIDUAL);

describe.each(TYPES)("%s", (type) => {
  it.each(SHAPES)("qr of %ix%i", (m, n) => {
    each(m, n, type, (a, what) => {
      const [q, r] = decompose(
        { op: "qr", mode: "reduced" },
        [
          [type, [m, n]],
          [type, [n, n]],
        ],
        a,
      ) as [Nx.Tensor, Nx.Tensor];
      good(residual(a, times(q, r), m), what);
      good(skewness(q), what);
      const [whole, tall] = decompose(
        { op: "qr", mode: "complete" },
        [
          [type, [m, m]],
          [type, [m, n]],
        ],
        a,
      ) as [Nx.Tensor, Nx.Tensor];
      good(residual(a, times(whole, tall), m), what);
      good(skewness(whole), what);
    });
  });

  it.each(SIZES)("lu of %i", (n) => {
    each(n, n, type, (a, what) => {
      const out = [type, [n, n]] as const;
      const [p, l, u] = decompose({ op: "lu" }, [out, out, out], a) as [Nx.Tensor, Nx.Tensor, Nx.Tensor];
      good(residual(a, times(p, l, u), n), what);
      expect(Nx.reduceMax(Nx.abs(l)).toNumber()).toBeLessThanOrEqual(1 + 1e-6);
    });
  });

  it.each(SIZES)("cholesky of %i", (n) => {
    const b = matrix(n, n, type);
    const a = hermitian(Nx.add(times(b, adjoint(b)), Nx.eye(n, { type: realOf(type) })));
    const [l] = decompose({ op: "cholesky" }, [[type, [n, n]]], a) as [Nx.Tensor];
    good(residual(a, times(l, adjoint(l)), n), "");
  });

  it.each(SIZES)("eigh of %i", (n) => {
    each(n, n, type, (b, what) => {
      const a = hermitian(b);
      const [w, v] = decompose(
        { op: "eigh" },
        [
          [realOf(type), [n]],
          [type, [n, n]],
        ],
        a,
      ) as [Nx.Tensor, Nx.Tensor];
      good(residual(times(a, v), Nx.multiply(v, w), n) * (n > 1 ? 1 : 0), what);
      good(residual(a, times(Nx.multiply(v, w), adjoint(v)), n), what);
      good(skewness(v), what);
      const sizes = Nx.abs(w).toFlatList() as number[];
      expect(sizes, what).toEqual(sizes.slice().sort((x, y) => y - x));
    });
  });

  it.each([...SHAPES, [3, 7], [11, 40], [1, 5]] as const)("svd of %ix%i", (m, n) => {
    const k = Math.min(m, n);
    each(m, n, type, (a, what) => {
      const outs = [
        [type, [m, k]],
        [realOf(type), [k]],
        [type, [k, n]],
      ] as const;
      const [u, s, vt] = decompose({ op: "svd", fullMatrices: false }, outs, a) as [Nx.Tensor, Nx.Tensor, Nx.Tensor];
      good(residual(a, times(Nx.multiply(u, s), vt), Math.max(m, n)), what);
      good(skewness(u), what);
      good(skewness(adjoint(vt)), what);
      const values = s.toFlatList() as number[];
      expect(values, what).toEqual(values.slice().sort((x, y) => y - x));
      expect(values.every((value) => value >= 0)).toBe(true);
      const full = [
        [type, [m, m]],
        [realOf(type), [k]],
        [type, [n, n]],
      ] as const;
      const [u2, , vt2] = decompose({ op: "svd", fullMatrices: true }, full, a) as [Nx.Tensor, Nx.Tensor, Nx.Tensor];
      good(skewness(u2), what);
      good(skewness(vt2), what);
    });
  });

  it.each(["none", "transpose", "adjoint"] as const)("triangularSolve, %s", (transform) => {
    for (const lower of [true, false]) {
      const n = 12;
      const whole = Nx.add(matrix(n, n, type), Nx.multiply(4, Nx.eye(n, { type: realOf(type) })));
      const [i, j] = [Nx.iota([n, n], { axis: 0 }), Nx.iota([n, n], { axis: 1 })];
      const keep = lower ? Nx.greaterEqual(i, j) : Nx.lessEqual(i, j);
      const a = Nx.asType(Nx.select(keep, whole, 0), type);
      const b = matrix(n, 3, type);
      const [x] = decompose({ op: "triangularSolve", lower, transform }, [[type, [n, 3]]], whole, b) as [Nx.Tensor];
      const t = transform === "none" ? a : transform === "transpose" ? Nx.transpose(a) : adjoint(a);
      good(residual(b, times(t, x), n), `${lower}`);
    }
  });
});

describe("conventions", () => {
  const square = [
    ["f64", [2, 2]],
    ["f64", [2, 2]],
    ["f64", [2, 2]],
  ] as const;

  it("the diagonal of r is the norm of what was reflected", () => {
    const [, r] = decompose(
      { op: "qr", mode: "reduced" },
      square.slice(0, 2),
      Nx.f64([
        [3, 1],
        [4, 2],
      ]),
    ) as [Nx.Tensor, Nx.Tensor];
    expect((r.toList() as number[][])[0]![0]).toBeCloseTo(5, 14);
    const [q] = decompose(
      { op: "qr", mode: "reduced" },
      square.slice(0, 2),
      Nx.f64([
        [-3, 1],
        [0, 2],
      ]),
    ) as [Nx.Tensor];
    expect(q.toList()).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it("eigenvalues come by descending magnitude, positive ones first", () => {
    const [w, v] = decompose(
      { op: "eigh" },
      [["f64", [2]], square[0]],
      Nx.f64([
        [0, 1],
        [1, 0],
      ]),
    ) as [Nx.Tensor, Nx.Tensor];
    expect((w.toList() as number[]).map((x) => Math.round(x * 1e12) / 1e12)).toEqual([1, -1]);
    const largest = Nx.reduceMax(v, { axes: [0] }).toList() as number[];
    expect(largest.every((x) => x > 0.7)).toBe(true);
  });

  it("refuses what is not hermitian within half the digits of its type", () => {
    const digits = { f64: 2 ** -26, c128: 2 ** -26, f32: 2 ** -12, c64: 2 ** -12, f16: 2 ** -5, bf16: 2 ** -4 };
    for (const [type, half] of Object.entries(digits) as [keyof typeof digits, number][]) {
      const real = type === "c64" ? "f32" : type === "c128" ? "f64" : type;
      const calls = [
        [{ op: "cholesky" }, [[type, [2, 2]]]],
        [{ op: "eigh" }, [[real, [2]], [type, [2, 2]]]], // prettier-ignore
      ] as const;
      for (const [attrs, outs] of calls) {
        const call = (upper: number) =>
          decompose(attrs, outs, Nx.asType(Nx.f64([[4, upper], [2, 3]]), type)); // prettier-ignore
        for (const upper of [2, 2 + 3.5 * half, 2 - 3.5 * half]) expect(() => call(upper)).not.toThrow();
        for (const upper of [99, 2 + 5 * half, 2 - 5 * half]) {
          expect(() => call(upper)).toThrow(`${attrs.op} expects hermitian matrices, but element [0][1] of this 2x2`);
        }
      }
    }
  });

  it("reads the lower triangle of what is hermitian within rounding", () => {
    const [l] = decompose({ op: "cholesky" }, [square[0]], Nx.f64([[4, 2 + 2 ** -26], [2, 3]])) as [Nx.Tensor]; // prettier-ignore
    expect((l.toList() as number[][])[1]![0]).toBe(1);
  });

  it("refuses symmetric complex matrices and imaginary parts on the diagonal", () => {
    const i = new Nx.Complex(0, 1);
    const call = (rows: (number | Nx.Complex)[][]) => decompose({ op: "cholesky" }, [["c128", [2, 2]]], Nx.c128(rows));
    expect(() => call([[4, i], [i, 4]])).toThrow("element [0][1] of this 2x2 matrix is 0+1i and element [1][0] is 0+1i"); // prettier-ignore
    expect(() => call([[4, 0], [0, new Nx.Complex(4, -1)]])).toThrow("element [1][1] of this 2x2 matrix is 4-1i, which the diagonal"); // prettier-ignore
    expect(() => call([[4, i], [new Nx.Complex(0, -1), 4]])).not.toThrow(); // prettier-ignore
  });

  it("goes through batches", () => {
    const a = Nx.f64([
      [
        [2, 0],
        [0, 1],
      ],
      [
        [0, 3],
        [1, 0],
      ],
    ]);
    const out = ["f64", [2, 2, 2]] as const;
    const [p, , u] = decompose({ op: "lu" }, [out, out, out], a) as [Nx.Tensor, Nx.Tensor, Nx.Tensor];
    expect(p.toList()).toEqual([
      [
        [1, 0],
        [0, 1],
      ],
      [
        [0, 1],
        [1, 0],
      ],
    ]);
    expect(u.toList()).toEqual([
      [
        [2, 0],
        [0, 1],
      ],
      [
        [1, 0],
        [0, 3],
      ],
    ]);
  });

  it("refuses what cannot be decomposed", () => {
    const one = [square[0]] as const;
    expect(() =>
      decompose(
        { op: "cholesky" },
        one,
        Nx.f64([
          [1, 2],
          [2, 1],
        ]),
      ),
    ).toThrow("leading 2x2 block");
    expect(() =>
      decompose(
        { op: "cholesky" },
        one,
        Nx.f64([
          [NaN, 2],
          [2, 1],
        ]),
      ),
    ).toThrow(Nx.ArgumentError);
    const solve = { op: "triangularSolve", lower: true, transform: "none" } as const;
    expect(() =>
      decompose(
        solve,
        one,
        Nx.f64([
          [1, 0],
          [1, 0],
        ]),
        Nx.eye(2),
      ),
    ).toThrow("can't solve for singular matrix");
    expect(() =>
      decompose(
        { op: "eigh" },
        [["f64", [2]], square[0]],
        Nx.f64([
          [1, 2],
          [Infinity, 1],
        ]),
      ),
    ).toThrow("finite");
    expect(() =>
      decompose(
        { op: "svd", fullMatrices: false },
        [square[0], ["f64", [2]], square[0]],
        Nx.f64([
          [1, NaN],
          [2, 1],
        ]),
      ),
    ).toThrow("finite");
  });

  it.each([1e-300, 1e300])("survives entries near %d", (scale) => {
    const a = Nx.multiply(matrix(6, 6, "f64"), scale);
    const [u, s, vt] = decompose(
      { op: "svd", fullMatrices: false },
      [
        ["f64", [6, 6]],
        ["f64", [6]],
        ["f64", [6, 6]],
      ],
      a,
    ) as [Nx.Tensor, Nx.Tensor, Nx.Tensor];
    const back = Nx.divide(times(Nx.multiply(u, Nx.divide(s, scale)), vt), 1);
    good(residual(Nx.divide(a, scale), back, 6), "svd");
    const h = hermitian(a);
    const [w, v] = decompose(
      { op: "eigh" },
      [
        ["f64", [6]],
        ["f64", [6, 6]],
      ],
      h,
    ) as [Nx.Tensor, Nx.Tensor];
    good(residual(Nx.divide(h, scale), times(Nx.multiply(v, Nx.divide(w, scale)), adjoint(v)), 6), "eigh");
    const [q, r] = decompose(
      { op: "qr", mode: "reduced" },
      [
        ["f64", [6, 6]],
        ["f64", [6, 6]],
      ],
      a,
    ) as [Nx.Tensor, Nx.Tensor];
    good(residual(Nx.divide(a, scale), times(q, Nx.divide(r, scale)), 6), "qr");
  });

  it("keeps the small singular values of a graded matrix to full relative precision", () => {
    const d = Nx.f64(Array.from({ length: 8 }, (_, i) => 10 ** (-2 * i)));
    const a = Nx.multiply(Nx.add(Nx.eye(8, { type: "f64" }), Nx.multiply(0.1, matrix(8, 8, "f64"))), d);
    const outs = [
      ["f64", [8, 8]],
      ["f64", [8]],
      ["f64", [8, 8]],
    ] as const;
    const s = decompose({ op: "svd", fullMatrices: false }, outs, a)[1]!.toList() as number[];
    const scaled = decompose(
      { op: "svd", fullMatrices: false },
      outs,
      Nx.multiply(a, 2 ** 20),
    )[1]!.toList() as number[];
    s.forEach((value, i) => expect(scaled[i]! / 2 ** 20 / value).toBeCloseTo(1, 12));
  });
});

it("works at size 128 and 256", () => {
  const a = matrix(128, 128, "f64");
  const [u, s, vt] = decompose(
    { op: "svd", fullMatrices: false },
    [
      ["f64", [128, 128]],
      ["f64", [128]],
      ["f64", [128, 128]],
    ],
    a,
  ) as [Nx.Tensor, Nx.Tensor, Nx.Tensor];
  good(residual(a, times(Nx.multiply(u, s), vt), 128), "svd");
  const h = hermitian(matrix(256, 256, "f64"));
  const [w, v] = decompose(
    { op: "eigh" },
    [
      ["f64", [256]],
      ["f64", [256, 256]],
    ],
    h,
  ) as [Nx.Tensor, Nx.Tensor];
  good(residual(h, times(Nx.multiply(v, w), adjoint(v)), 256), "eigh");
  good(skewness(v), "eigh");
});
