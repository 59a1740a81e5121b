/** Determinants, powers, ranks and norms. */
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
  realOf,
  size,
  times,
  TYPES,
  wide,
  withValues,
} from "./support";

const { determinant, invert, matrixPower, matrixRank, norm } = Nx.LinAlg;

const number = (t: Nx.Tensor): number => wide(t).toNumber() as number;

describe("determinant", () => {
  it.each(["f64", "c128", "f32", "c64", "f16", "bf16"] as const)(
    "is multiplicative and that of the transpose, %s",
    (type) => {
      for (const n of [1, 2, 3, 4, 5, 17]) {
        const values = Array.from({ length: n }, (_, i) => 1 + (i % 3) / 2);
        const a = withValues(values, type, false);
        const exact = values.reduce((x, y) => x * y, 1);
        const d = determinant(a);
        expect([d.type, d.shape]).toEqual([type, []]);
        // the rounding of the elements moves it by their number times the condition
        const slack = LINALG_RESIDUAL * n * n * epsilonOf(type) * exact * 2;
        expect(Math.abs(largest(d) - exact)).toBeLessThan(slack);
        expect(largest(Nx.subtract(wide(determinant(Nx.transpose(a))), wide(d)))).toBeLessThan(slack);
        const conjugated = wide(determinant(Nx.asType(adjoint(a), type)));
        expect(largest(Nx.subtract(conjugated, isComplex(type) ? Nx.conjugate(wide(d)) : wide(d)))).toBeLessThan(slack);
      }
    },
  );

  it("has the sign of every permutation of four rows", () => {
    const permutations = (items: readonly number[]): number[][] =>
      items.length === 0
        ? [[]]
        : items.flatMap((x) => permutations(items.filter((y) => y !== x)).map((p) => [x, ...p]));
    const all = permutations([0, 1, 2, 3]);
    const sign = (p: readonly number[]) =>
      p.flatMap((x, i) => p.slice(i + 1).map((y) => (x > y ? -1 : 1))).reduce<number>((a, b) => a * b, 1);
    const matrices = Nx.f32(all.map((p) => p.map((x) => [0, 1, 2, 3].map((j) => (j === x ? 1 : 0)))));
    expect(determinant(matrices).toList()).toEqual(all.map(sign));
  });

  it("is 0 for singular matrices of any size", () => {
    for (const n of [1, 2, 3, 4, 6]) {
      expect(determinant(Nx.broadcast(Nx.f64([0]), [n, n])).toNumber()).toBe(0);
      if (n > 1) expect(determinant(Nx.broadcast(Nx.f64([1]), [n, n])).toNumber()).toBe(0);
    }
  });

  it("is right wherever it is in range, whatever products come on the way", () => {
    const diagonal = (...values: number[]) => values.map((x, i) => values.map((_, j) => (i === j ? x : 0)));
    const cases: [number[][], number][] = [
      [[[1e300, 1e300], [1e300, 1e300]], 0], // prettier-ignore
      [[[2 ** 1000, 3], [5, 2 ** -1000]], -14], // prettier-ignore
      [[[2 ** 1023, 2 ** -1023], [2 ** 1023, 0]], -1], // prettier-ignore
      [diagonal(2 ** 1000, 2 ** -600, 2 ** -600), 2 ** -200],
      [diagonal(2 ** 600, 2 ** 600, 2 ** -1000), 2 ** 200],
      [diagonal(2 ** 1000, 3, 2 ** 1000, 2 ** -1000, 2 ** -1000), 3],
      [diagonal(2 ** -600, 2 ** -600, 2 ** 600, 2 ** 600), 1],
      [[[2 ** -1074]], 2 ** -1074],
      [[[2 ** 600, 0], [0, -(2 ** 600)]], -Infinity], // prettier-ignore
      [[[Infinity, 0], [0, 1]], Infinity], // prettier-ignore
    ];
    for (const [rows, expected] of cases) {
      expect(determinant(Nx.f64(rows)).toNumber()).toBe(expected);
      if (Number.isFinite(expected)) expect(determinant(Nx.c128(rows)).toNumber()).toEqual(new Nx.Complex(expected, 0));
    }
    const far = Nx.f64([[2 ** 1000, 3], [5, 2 ** -1000]]); // prettier-ignore
    expect(Nx.grad((a: Nx.Tensor) => determinant(a))(far).toList()).toEqual([[2 ** -1000, -5], [-3, 2 ** 1000]]); // prettier-ignore
    expect(Nx.defn((a: Nx.Tensor) => determinant(a))(far).toNumber()).toBe(-14);
  });

  it("of integers and of triangular matrices", () => {
    expect(determinant(Nx.s64([[1, 2, 3], [4, 5, 6], [7, 8, 10]])).toNumber()).toBe(-3); // prettier-ignore
    expect(determinant(Nx.u8([[255, 0], [0, 255]])).toNumber()).toBe(65025); // prettier-ignore
    const triangle = matrix([6, 6], "f64", (i, j) => (i > j ? 7 : i === j ? i + 1 : 0));
    expect(determinant(triangle).toNumber()).toBe(720);
    const i = new Nx.Complex(0, 1);
    expect(determinant(Nx.c64([[i, 1], [1, i]])).toNumber()).toEqual(new Nx.Complex(-2, 0)); // prettier-ignore
  });

  it("of size 64 and 128 agrees with the singular values", () => {
    for (const n of [64, 128]) {
      const a = matrix([n, n], "f64");
      const log = number(Nx.sum(Nx.log(Nx.LinAlg.svd(a)[1])));
      expect(Math.log(Math.abs(number(determinant(a)))) / log).toBeCloseTo(1, 10);
    }
  });
});

describe("matrixPower", () => {
  it("of integers is exact and wraps around", () => {
    const fibonacci = Nx.u64([[1, 1], [1, 0]]); // prettier-ignore
    expect(matrixPower(fibonacci, 90).toList()).toEqual([
      [4660046610375530309n, 2880067194370816120n],
      [2880067194370816120n, 1779979416004714189n],
    ]);
    const wraps = matrixPower(Nx.u8([[3, 1], [2, 5]]), 7); // prettier-ignore
    let [a, b, c, d] = [1, 0, 0, 1];
    for (let k = 0; k < 7; k++) [a, b, c, d] = [a * 3 + b * 2, a + b * 5, c * 3 + d * 2, c + d * 5];
    expect([wraps.type, wraps.toList()]).toEqual(["u8", [[a % 256, b % 256], [c % 256, d % 256]]]); // prettier-ignore
  });

  it.each(TYPES)("is the repeated product, %s", (type) => {
    for (const n of [1, 2, 5, 17]) {
      const a = withValues(Array(n).fill(0.9), type, false);
      let product = wide(Nx.eye(n));
      for (let power = 0; power <= 9; power++) {
        const got = matrixPower(a, power);
        expect([got.type, got.shape]).toEqual([type, [n, n]]);
        const unit = (power + 1) * n * epsilonOf(type) * size(product);
        expect(size(Nx.subtract(wide(got), product)) / unit).toBeLessThan(LINALG_RESIDUAL);
        product = times(product, a);
      }
    }
  });

  it("inverts for negative powers", () => {
    const a = Nx.add(matrix([4, 4], "c128"), Nx.multiply(4, Nx.eye(4)));
    const unit = LINALG_RESIDUAL * 4 * epsilonOf("f64");
    const back = times(matrixPower(a, -3), matrixPower(a, 3));
    expect(size(Nx.subtract(back, Nx.eye(4)))).toBeLessThan(unit * 100);
    expect(matrixPower(a, -1).toBinary()).toEqual(invert(a).toBinary());
    expect(matrixPower(Nx.s64([[2, 0], [0, 4]]), -1).toList()).toEqual([[0.5, 0], [0, 0.25]]); // prettier-ignore
  });

  it("of power 0 is the identity, of singular matrices and of what is not finite too", () => {
    expect(matrixPower(Nx.f32([[NaN, 0], [0, Infinity]]), 0).toList()).toEqual([[1, 0], [0, 1]]); // prettier-ignore
    expect(matrixPower(Nx.broadcast(Nx.s8([0]), [2, 2, 2]), 0).toList()).toEqual([[[1, 0], [0, 1]], [[1, 0], [0, 1]]]); // prettier-ignore
    expect(matrixPower(Nx.s64([[1, 0], [0, 1]]), Number.MAX_SAFE_INTEGER).toList()).toEqual([[1, 0], [0, 1]]); // prettier-ignore
  });
});

describe("matrixRank", () => {
  it.each(["f64", "c128", "f32", "c64"] as const)("counts singular values, %s", (type) => {
    for (const [m, n] of [
      [1, 1],
      [5, 5],
      [17, 5],
      [5, 17],
      [64, 64],
    ] as const) {
      // prettier-ignore
      const all = kinds(m, n, type);
      const full = Math.min(m, n);
      // a random square matrix may be singular in f32; one with a diagonal above its norm is not
      const heavy = Nx.add(all["random"]!, Nx.multiply(2 * Math.sqrt(m * n), all["ones on the diagonal"]!));
      for (const [kind, a, rank] of [
        ["random, of a heavy diagonal", heavy, full],
        ["zero", all["zero"]!, 0],
        ["ones on the diagonal", all["ones on the diagonal"]!, full],
      ] as const) {
        const r = matrixRank(a);
        expect([r.type, r.shape, Number(r.toNumber())], kind).toEqual(["u64", [], rank]);
      }
      for (const rank of [1, 3]) {
        if (rank > full) continue;
        const wideType = isComplex(type) ? "c128" : "f64";
        const a = Nx.asType(times(matrix([m, rank], wideType), matrix([rank, n], wideType)), type);
        expect(Number(matrixRank(a).toNumber())).toBe(rank);
      }
    }
  });

  it("has the tolerance of the type, or its own", () => {
    const a = [[1, 0], [0, 1e-10]]; // prettier-ignore
    expect(Number(matrixRank(Nx.f64(a)).toNumber())).toBe(2);
    expect(Number(matrixRank(Nx.f32(a)).toNumber())).toBe(1);
    expect(Number(matrixRank(Nx.f64(a), { eps: 1e-9 }).toNumber())).toBe(1);
    expect(Number(matrixRank(Nx.f32(a), { eps: 0 }).toNumber())).toBe(2);
    expect(Number(matrixRank(Nx.s64([[1, 2], [2, 4]])).toNumber())).toBe(1); // prettier-ignore
    expect(Number(matrixRank(Nx.f64(a), { eps: Infinity }).toNumber())).toBe(0);
  });
});

describe("norm", () => {
  const ORDERS = [undefined, "frobenius", "nuclear", 1, -1, 2, -2, Infinity, -Infinity] as const;
  const options = (ord: Nx.LinAlg.NormOrder | undefined) => (ord === undefined ? {} : { ord });

  it.each(TYPES)("of matrices by the sums and singular values, %s", (type) => {
    for (const [m, n] of [
      [1, 1],
      [3, 5],
      [17, 4],
    ] as const) {
      // prettier-ignore
      const a = matrix([m, n], type);
      const moduli = Nx.abs(wide(a));
      const list = (t: Nx.Tensor) => t.toFlatList() as number[];
      const [columns, rows] = [0, 1].map((axis) => list(Nx.sum(moduli, { axes: [axis] }))) as [number[], number[]];
      const s = list(Nx.LinAlg.svd(wide(a))[1]);
      const frobenius = Math.sqrt(list(moduli).reduce((sum, x) => sum + x * x, 0));
      const expected = [
        frobenius, frobenius, s.reduce((x, y) => x + y, 0), Math.max(...columns), Math.min(...columns),
        Math.max(...s), Math.min(...s), Math.max(...rows), Math.min(...rows),
      ]; // prettier-ignore
      ORDERS.forEach((ord, i) => {
        const got = norm(a, options(ord));
        expect([got.type, got.shape]).toEqual([realOf(type), []]);
        const apart = Math.abs(number(got) - expected[i]!) / (m * epsilonOf(type) * frobenius);
        expect(apart, String(ord)).toBeLessThan(LINALG_RESIDUAL);
      });
    }
  });

  it("reduces the axes it is told, in their order", () => {
    const t = matrix([2, 3, 4], "f64");
    for (const axes of [
      [0, 2],
      [2, 0],
      [1, 2],
      [-1, 1],
      [0, 1],
    ] as const) {
      // prettier-ignore
      const [rows, columns] = axes.map((axis) => (axis + 3) % 3) as [number, number];
      const rest = 3 - rows - columns;
      const matrices = Nx.transpose(t, { axes: [rest, rows, columns] });
      for (const ord of ORDERS) {
        const kept = norm(t, { ...options(ord), axes, keepAxes: true });
        const got = norm(t, { ...options(ord), axes });
        expect(kept.shape).toEqual(t.shape.map((size, axis) => (axis === rest ? size : 1)));
        const expected = Array.from({ length: t.shape[rest]! }, (_, i) => number(norm(matrices.at(i), options(ord))));
        (got.toList() as number[]).forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 13));
        expect(kept.toFlatList()).toEqual(got.toList());
      }
    }
    const vectors = norm(t, { axes: [1], ord: 3 });
    expect(vectors.shape).toEqual([2, 4]);
    expect(number(vectors.at(1, 2))).toBeCloseTo(number(norm(t.at(1, Nx.range(0, 3), 2), { ord: 3 })), 13);
  });

  it("of all elements without an order", () => {
    expect(number(norm(Nx.broadcast(Nx.s64([2]), [2, 2, 4])))).toBe(8);
    expect(number(norm(-3))).toBe(3);
    expect(number(norm(new Nx.Complex(3, 4)))).toBe(5);
    expect(norm(Nx.f16([3, 4])).type).toBe("f16");
    expect(norm(Nx.c128([3, 4])).type).toBe("f64");
  });

  it("does not overflow in smaller types", () => {
    expect(number(norm(Nx.f16([24000, 32000])))).toBe(40000);
    expect(number(norm(Nx.f32([3e30, 4e30])))).toBe(Math.fround(5e30));
    expect(number(norm(Nx.f32([3e-30, 4e-30])))).toBe(Math.fround(5e-30));
  });

  it("of what is not finite", () => {
    for (const ord of [1, 2, 3, Infinity]) {
      expect(number(norm(Nx.f32([1, -Infinity]), { ord }))).toBe(Infinity);
      expect(number(norm(Nx.f32([1, NaN]), { ord }))).toBeNaN();
    }
    expect(number(norm(Nx.f32([0, 1]), { ord: -1 }))).toBe(0);
    expect(number(norm(Nx.f32([NaN, 0, -0, 2]), { ord: 0 }))).toBe(2);
  });

  it("has gradient 0 at 0", () => {
    const slope = Nx.Defn.grad((x: Nx.Tensor) => norm(x));
    expect((slope(Nx.f32([0, 0])) as Nx.Tensor).toList()).toEqual([0, 0]);
    expect((slope(Nx.f32([3, 4])) as Nx.Tensor).toList()).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  });
});
