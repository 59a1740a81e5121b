/**
 * The functions of lib/special against exact values and derivatives (test/oracles/make_functions.py), at the edges of their domains, and
 * in every way to call them.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { readOracle } from "../oracles/read";
import { SPECIAL_DERIVATIVE, SPECIAL_F32_ULP, SPECIAL_F64_DIFFERENCES, SPECIAL_F64_HALF_EPSILONS } from "../tolerances";

type Fn = (...operands: Nx.Tensor[]) => Nx.Tensor;

const FUNCTIONS: Readonly<Record<string, Fn>> = {
  betainc: (a, b, x) => Nx.betainc(a!, b!, x!),
  besselI0: Nx.besselI0,
  besselI0e: Nx.besselI0e,
  besselI1: Nx.besselI1,
  besselI1e: Nx.besselI1e,
  besselJ0: Nx.besselJ0,
  besselJ1: Nx.besselJ1,
  besselY0: Nx.besselY0,
  besselY1: Nx.besselY1,
  digamma: Nx.digamma,
  gammainc: (a, x) => Nx.gammainc(a!, x!),
  gammaincc: (a, x) => Nx.gammaincc(a!, x!),
  lbeta: (a, b) => Nx.lbeta(a!, b!),
  lgamma: Nx.lgamma,
  logit: Nx.logit,
  normalCdf: Nx.normalCdf,
  normalQuantile: Nx.normalQuantile,
  sinc: Nx.sinc,
  trigamma: (x) => Nx.polygamma(1, x!),
  xlogy: (x, y) => Nx.xlogy(x!, y!),
} as Readonly<Record<string, Fn>>;

/** The operands with respect to which there is a derivative, where there is none for some. */
const DERIVED: Readonly<Record<string, readonly number[]>> = { betainc: [2], gammainc: [1], gammaincc: [1] };

interface Rows {
  readonly args: readonly (readonly number[])[];
  readonly values: readonly number[];
  readonly scales: readonly number[];
  /** Of each point the derivatives with respect to each operand. */
  readonly derivatives: readonly (readonly number[])[];
}

const ORACLE = readOracle<Readonly<Record<string, Rows>>>("functions.json");
const NAMES = Object.keys(FUNCTIONS);

const columnsOf = (args: Rows["args"], type: Nx.DType): Nx.Tensor[] =>
  args[0]!.map((_, i) => Nx.tensor(args.map((point) => point[i]!), { type })); // prettier-ignore

/** A half of the distance to the next number, at least. */
const ulp32 = (x: number): number => Math.max(2 ** (Math.floor(Math.log2(Math.abs(x))) - 23), 2 ** -149);

describe("values of the special functions", () => {
  it("have rows each", () => {
    expect(Object.keys(ORACLE).sort()).toEqual([...NAMES].sort());
    for (const { values } of Object.values(ORACLE)) expect(values.length).toBeGreaterThan(8);
  });

  it.each(NAMES)("are those of mpmath in f64: %s", (name) => {
    const { args, values, scales } = ORACLE[name]!;
    const bound = ["betainc", "lbeta"].includes(name) ? SPECIAL_F64_DIFFERENCES : SPECIAL_F64_HALF_EPSILONS;
    const got = FUNCTIONS[name]!(...columnsOf(args, "f64")).toFlatList() as number[];
    got.forEach((value, i) => {
      const error = Math.abs(value - values[i]!) / (scales[i]! * 2 ** -53);
      expect(error, `${name}(${args[i]!.join(", ")}) is ${value}`).toBeLessThan(bound);
    });
  });

  it.each(NAMES)("are rounded once in f32: %s", (name) => {
    const { args, values } = ORACLE[name]!;
    const isSingle = (point: readonly number[]): boolean => point.every((x) => x === Math.fround(x));
    const kept = args.flatMap((point, i) => (isSingle(point) ? [i] : []));
    expect(kept.length).toBeGreaterThan(4);
    const got = FUNCTIONS[name]!(...columnsOf(kept.map((i) => args[i]!), "f32")); // prettier-ignore
    expect(got.type).toBe("f32");
    (got.toFlatList() as number[]).forEach((value, j) => {
      const want = values[kept[j]!]!;
      const error = Math.abs(value - want) / ulp32(want);
      expect(error, `${name}(${args[kept[j]!]!.join(", ")}) is ${value}`).toBeLessThan(SPECIAL_F32_ULP);
    });
  });

  it.each(NAMES)("are rounded once in half floats, and are floats for integers: %s", (name) => {
    const fn = FUNCTIONS[name]!;
    const count = ORACLE[name]!.args[0]!.length;
    for (const type of ["f16", "bf16", "f32"] as const) {
      const x = Nx.tensor([0.25, 0.5, 0.625, 0.75], { type });
      const operands = Array.from({ length: count }, () => x);
      const got = fn(...operands);
      expect(got.type).toBe(type);
      expect(got.toFlatList()).toEqual(fn(...operands.map((t) => t.f64())).asType(type).toFlatList()); // prettier-ignore
    }
    const whole = Array.from({ length: count }, () => Nx.s32([1, 3]));
    expect(fn(...whole).type).toBe("f32");
  });
});

describe("derivatives of the special functions", () => {
  it.each(NAMES)("are those of mpmath, by formulas: %s", (name) => {
    const { args, derivatives } = ORACLE[name]!;
    const columns = columnsOf(args, "f64");
    const fn = FUNCTIONS[name]!;
    const gradients = (DERIVED[name] ?? columns.map((_, i) => i)).map((i) => {
      const along = (x: Nx.Tensor): Nx.Tensor => fn(...columns.map((column, j) => (j === i ? x : column))).sum();
      return Nx.grad(along)(columns[i]!).toFlatList() as number[];
    });
    derivatives.forEach((point, i) => {
      point.forEach((want, j) => {
        const got = gradients[j]![i]!;
        const size = Math.max(Math.abs(want), Math.min(1, ORACLE[name]!.scales[i]!));
        expect(Math.abs(got - want) / size, `${name}, ${args[i]!.join(", ")}: ${got} for ${want}`).toBeLessThan(SPECIAL_DERIVATIVE); // prettier-ignore
      });
    });
  });

  it.each(NAMES)("can be derived again: %s", (name) => {
    const fn = FUNCTIONS[name]!;
    const count = ORACLE[name]!.args[0]!.length;
    const points = Nx.f64([0.15, 0.3, 0.55, 0.8]);
    const others = Array.from({ length: count - 1 }, () => Nx.f64([1.5, 2.25, 12, 3]));
    const place = DERIVED[name]?.[0] ?? 0;
    const slope = (x: Nx.Tensor): Nx.Tensor =>
      Nx.grad((t: Nx.Tensor) => fn(...others.slice(0, place), t, ...others.slice(place)).sum())(x);
    const second = Nx.grad((x: Nx.Tensor) => slope(x).sum())(points);
    const step = 1e-3;
    const at = (k: number): Nx.Tensor => slope(points.add(k * step));
    const wanted = at(-2).subtract(at(2)).add(at(1).subtract(at(-1)).multiply(8)).divide(12 * step); // prettier-ignore
    expect(
      Nx.allClose(second, wanted, { rtol: 1e-7, atol: 1e-8 }).toNumber(),
      `${String(second)} ${String(wanted)}`,
    ).toBe(1);
  });

  it("of functions with a hole at 0 are their limits there", () => {
    const slopes = (fn: Fn): unknown => Nx.grad((x: Nx.Tensor) => fn(x).sum())(Nx.f64([0])).toFlatList();
    expect(slopes(FUNCTIONS.sinc!)).toEqual([-0]);
    expect(slopes(FUNCTIONS.besselJ0!)).toEqual([-0]);
    expect(slopes(FUNCTIONS.besselJ1!)).toEqual([0.5]);
    expect(slopes(FUNCTIONS.besselI0!)).toEqual([0]);
    expect(slopes(FUNCTIONS.besselI1!)).toEqual([0.5]);
    const [ofShare] = [Nx.grad((y: Nx.Tensor) => Nx.xlogy(0, y))(Nx.f64(0))];
    expect(ofShare.toNumber()).toBe(0);
  });
});

describe("edges of the special functions", () => {
  const { NaN: nan, Infinity: inf } = { NaN, Infinity };
  it.each<[string, readonly (readonly [number, number])[]]>([
    ["besselI0", [[0, 1], [inf, inf], [-inf, inf], [nan, nan], [800, inf], [1e-310, 1]]],
    ["besselI0e", [[0, 1], [inf, 0], [-inf, 0], [nan, nan]]],
    ["besselI1", [[0, 0], [inf, inf], [-inf, -inf], [nan, nan], [-800, -inf]]],
    ["besselI1e", [[0, 0], [inf, 0], [-inf, -0], [nan, nan]]],
    ["besselJ0", [[0, 1], [inf, 0], [-inf, 0], [nan, nan]]],
    ["besselJ1", [[0, 0], [inf, 0], [-inf, -0], [nan, nan]]],
    ["besselY0", [[0, -inf], [inf, 0], [-1, nan], [-inf, nan], [nan, nan]]],
    ["besselY1", [[0, -inf], [inf, 0], [-1, nan], [1e-310, -inf], [nan, nan]]],
    ["digamma", [[0, -inf], [-0, inf], [-1, nan], [-20, nan], [inf, inf], [-inf, nan], [nan, nan]]],
    ["lgamma", [[0, inf], [-0, inf], [1, 0], [2, 0], [-1, inf], [-1e10, inf], [inf, inf], [-inf, inf], [nan, nan], [1e306, inf]]],
    ["logit", [[0, -inf], [1, inf], [0.5, 0], [-0.1, nan], [1.1, nan], [nan, nan]]],
    ["normalCdf", [[0, 0.5], [-0, 0.5], [inf, 1], [-inf, 0], [nan, nan], [1e-310, 0.5], [-1e300, 0], [1e300, 1], [-39, 0]]],
    ["normalQuantile", [[0, -inf], [1, inf], [0.5, 0], [-0.1, nan], [1.1, nan], [nan, nan]]],
    ["sinc", [[0, 1], [-0, 1], [1, 0], [-2, 0], [inf, 0], [-inf, 0], [nan, nan], [1e300, 0], [5e-324, 1]]],
    ["trigamma", [[0, inf], [-3, inf], [inf, 0], [nan, nan]]],
  ])("%s", (name, pairs) => {
    const got = FUNCTIONS[name]!(Nx.f64(pairs.map(([x]) => x)));
    expect(got.toFlatList()).toEqual(pairs.map(([, want]) => want));
  }); // prettier-ignore

  it("of two operands: a factor of 0 is 0 unless the other is NaN", () => {
    const got = Nx.xlogy(Nx.f64([0, 0, 0, 0, 1, 1, nan]), Nx.f64([0, inf, -1, nan, 0, -1, 1]));
    expect(got.toFlatList()).toEqual([0, 0, 0, nan, -inf, nan, nan]);
    expect(Nx.lbeta(Nx.f64([0, 1, nan]), 1).toFlatList()).toEqual([inf, 0, nan]);
  });

  it("of the logarithm of the beta function", () => {
    const a = Nx.f64([0, 0, inf, inf, inf, 0.5, -0.5, inf, 0, nan, -inf]);
    const b = Nx.f64([0, -0.5, 0.5, 30, inf, inf, inf, 0, inf, inf, 1]);
    const want = [inf, inf, -inf, -inf, -inf, -inf, inf, nan, nan, nan, nan];
    expect(Nx.lbeta(a, b).toFlatList()).toEqual(want);
    expect(Nx.lbeta(b, a).toFlatList()).toEqual(want);
  });

  it("of incomplete functions far from where both operands are near each other, to the digits that exponentials have there", () => {
    // mpmath.gammainc and mpmath.betainc, with 40 digits
    const isNear = (got: Nx.Tensor, want: number): void => {
      expect(Math.abs(Number(got.toNumber()) / want - 1), `${String(got)} for ${want}`).toBeLessThan(2e-13);
    };
    expect([Nx.gammainc(Nx.f64(2), 1e300).toNumber(), Nx.gammaincc(Nx.f64(2), 1e300).toNumber()]).toEqual([1, 0]);
    isNear(Nx.gammaincc(Nx.f64(1e-300), 0.5), 5.597735947761608e-301);
    isNear(Nx.gammaincc(Nx.f64(1e-8), 1), 2.1938393664027067e-9);
    isNear(Nx.gammainc(Nx.f64(30), 1e-8), 3.769987592332157e-273);
    isNear(Nx.gammaincc(Nx.f64(9.5), 744), 1.6658882599394297e-304);
    isNear(Nx.betainc(Nx.f64(12), 15, 1e-6), 9.657575193553293e-66);
    isNear(Nx.betainc(Nx.f64(30), 20, 1e-8), 1.885168143130677e-227);
    expect(Nx.betainc(Nx.f64(100), 1e-300, 0.999999).toNumber()).toBe(0);
  });

  it("of incomplete functions", () => {
    const [a, x] = [Nx.f64([1, 0, 2, inf, 0, -1, 1, nan, 1e9, 1e9]), Nx.f64([0, 1, inf, 1, 0, 1, -1, 1, 9e8, 1.1e9])];
    expect(Nx.gammainc(a, x).toFlatList()).toEqual([0, 1, 1, 0, nan, nan, nan, nan, 0, 1]);
    expect(Nx.gammaincc(a, x).toFlatList()).toEqual([1, 0, 0, 1, nan, nan, nan, nan, 1, 0]);
    const share = (a: number, b: number, at: number): unknown => Nx.betainc(Nx.f64(a), b, at).toNumber();
    expect([share(2, 3, 0), share(2, 3, 1), share(0, 1, 0.5), share(1, 0, 0.5), share(inf, 1, 0.5), share(1, inf, 0.5)]).toEqual([0, 1, 1, 0, 0, 1]); // prettier-ignore
    expect([share(-1, 1, 0.5), share(1, -1, 0.5), share(1, 1, 2), share(1, 1, -1), share(0, 0, 0.5), share(nan, 1, 0.5)]).toEqual(Array(6).fill(nan)); // prettier-ignore
    expect(share(1e5, 1e5, 0.5)).toBeCloseTo(0.5, 12);
    const slopes = (a: number, b: number): unknown =>
      Nx.grad((t: Nx.Tensor) => Nx.betainc(a, b, t).sum())(Nx.f64([0, 1])).toFlatList();
    expect([slopes(2, 2), slopes(1, 2), slopes(0.5, 1)]).toEqual([[0, 0], [2, 0], [inf, 0.5]]); // prettier-ignore
  });

  it("of incomplete functions: no derivative with respect to parameters, and none asked for where they stay", () => {
    const at = Nx.f64(0.5);
    expect(() => Nx.grad((a: Nx.Tensor) => Nx.gammainc(a, at))(at)).toThrow(
      "Nx.gammainc has no gradient with respect to a; ",
    );
    expect(() => Nx.grad((a: Nx.Tensor) => Nx.gammaincc(a, at))(at)).toThrow(
      "Nx.gammaincc has no gradient with respect to a; ",
    );
    expect(() => Nx.grad((a: Nx.Tensor) => Nx.betainc(a, at, at))(at)).toThrow(
      "Nx.betainc has no gradient with respect to a; ",
    );
    expect(() => Nx.grad((b: Nx.Tensor) => Nx.betainc(at, b, at))(at)).toThrow(
      "Nx.betainc has no gradient with respect to b; ",
    );
    const held = Nx.grad((a: Nx.Tensor) => Nx.gammainc(Nx.Defn.stopGrad(a), a))(Nx.f64(1));
    expect(Number(held.toNumber())).toBeCloseTo(Math.exp(-1), 14);
  });

  it("polygamma of higher orders, on both sides of 0", () => {
    // DLMF 5.15.2, 5.15.3 and 5.15.6 with zeta(3), zeta(5)
    const [zeta3, zeta5] = [1.2020569031595942, 1.03692775514337];
    const close = (order: number, x: number, want: number): void => {
      expect(Math.abs(Number(Nx.polygamma(order, Nx.f64(x)).toNumber()) / want - 1)).toBeLessThan(1e-14);
    };
    close(2, 1, -2 * zeta3);
    close(2, 0.5, -14 * zeta3);
    close(4, 1, -24 * zeta5);
    close(3, 0.5, Math.PI ** 4);
    close(1, -0.5, Math.PI ** 2 / 2 + 4);
    close(2, -0.5, 16 - 14 * zeta3);
    close(3, -0.5, Math.PI ** 4 + 96);
    expect(Nx.polygamma(2, Nx.f64([0, -1, Infinity])).toFlatList()).toEqual([-inf, nan, 0].map((x) => x === 0 ? -0 : x)); // prettier-ignore
    expect(Nx.polygamma(0, Nx.f64([0.3])).toFlatList()).toEqual(Nx.digamma(Nx.f64([0.3])).toFlatList());
  });
});

describe("ways to call the special functions", () => {
  const x = Nx.linspace(0.05, 0.95, { n: 6, type: "f64" }).reshape([2, 3]).rename(["row", "column"]);

  it.each(NAMES)("give the same bits traced, vectorized and on binary, and keep names: %s", (name) => {
    const fn = FUNCTIONS[name]!;
    const operands = ORACLE[name]!.args[0]!.map((_, i, { length }) => x.add(length - 1 - i));
    const expected = fn(...operands);
    expect(expected.names).toEqual(["row", "column"]);
    const bytes = (t: Nx.Tensor): readonly number[] => [...t.toBinary()];
    expect(bytes(Nx.defn(fn)(...operands))).toEqual(bytes(expected));
    expect(bytes(fn(...operands.map((t) => Nx.backendCopy(t, "binary"))))).toEqual(bytes(expected));
    expect(bytes(Nx.Defn.vmap(fn)(...operands))).toEqual(bytes(expected));
    const place = DERIVED[name]?.[0] ?? 0;
    const slope = (...rows: Nx.Tensor[]): Nx.Tensor => {
      const along = (t: Nx.Tensor): Nx.Tensor => fn(...rows.map((row, i) => (i === place ? t : row))).sum();
      return Nx.grad(along)(rows[place]!);
    };
    expect(bytes(Nx.Defn.vmap(slope)(...operands))).toEqual(bytes(slope(...operands)));
  });

  it("broadcast and merge names", () => {
    const a = Nx.f64([[1], [2]], { names: ["a", null] });
    const b = Nx.f64([1, 2, 3], { names: ["b"] });
    for (const fn of [Nx.lbeta, Nx.xlogy]) {
      const got: Nx.Tensor = fn(a as Nx.Tensor, b as Nx.Tensor);
      expect([got.shape, got.names]).toEqual([
        [2, 3],
        ["a", "b"],
      ]);
      const ofA = Nx.grad((t: Nx.Tensor) => fn(t, b as Nx.Tensor).sum())(a);
      expect(ofA.shape).toEqual([2, 1]);
    }
    expect(() => Nx.xlogy(Nx.f32([1], { names: ["a"] }) as Nx.Tensor, Nx.f32([1], { names: ["b"] }) as Nx.Tensor)).toThrow(/"a".*"b"/s); // prettier-ignore
  });
});
