import { describe, expect, it } from "vitest";
import { pow } from "../../../lib/core/pow";
import { Builder } from "../../../lib/kernel/builder";
import { BLOCK, tapeOf } from "../../../lib/kernel/interpret/tape";
import { binaryPrograms, unaryPrograms } from "../../../lib/kernel/special/brought";
import { SPECIAL_OF_TWO } from "../../../lib/kernel/special/names";
import { SPECIAL_BINARY, SPECIAL_UNARY, type SpecialBinary, type SpecialUnary } from "../../../lib/ops";
import type { Value } from "../../../lib/kernel/value";
import { readOracle, ulpsApart } from "../../oracles/read";

type Name = SpecialUnary | SpecialBinary;

const isBinary = (name: Name): name is SpecialBinary => name in SPECIAL_OF_TWO;

/** Makes the kernel of a function and runs it by the TypeScript executor. */
function runner(name: Name): (...columns: number[][]) => number[] {
  const k = new Builder();
  const load = (): Value<"f64"> => k.load(k.input("f64")) as Value<"f64">;
  const value = isBinary(name) ? binaryPrograms(name).f64(k, load(), load()) : unaryPrograms(name).f64(k, load());
  const tape = tapeOf(k.kernel([{ type: "f64", values: [value] }]));
  return (...columns) => {
    const out: number[] = [];
    for (let start = 0; start < columns[0]!.length; start += BLOCK) {
      const n = Math.min(BLOCK, columns[0]!.length - start);
      for (const { input, register } of tape.loads) register.f64.set(columns[input]!.slice(start, start + n));
      tape.run(n);
      out.push(...tape.outputs[0]![0]!.f64.subarray(0, n));
    }
    return out;
  };
}

const on = (name: SpecialUnary, ...xs: number[]): number[] => runner(name)(xs);

/** Units in the last place between a result and an exact value, which is a double and a part of a unit. */
function error(actual: number, nearest: number, rest: number): number {
  const size = ulpsApart(actual, nearest);
  return Math.abs((actual < nearest ? -size : size) - rest);
}

/** Units in the last place; the rests of the oracle are rounded to thousandths. */
const BOUND = 2;

describe("f64 special functions against mpmath", () => {
  const oracle = readOracle<{ readonly [K in Name]: readonly number[] }>("special_f64.json");

  it.each([...SPECIAL_UNARY, ...SPECIAL_BINARY])("%s", (name) => {
    const width = isBinary(name) ? 4 : 3;
    const column = (j: number): number[] => oracle[name].filter((_, i) => i % width === j);
    const nearest = column(width - 2);
    const rest = column(width - 1);
    expect(nearest.length).toBeGreaterThan(200);
    const actual = runner(name)(...(isBinary(name) ? [column(0), column(1)] : [column(0)]));
    const worst = Math.max(...actual.map((value, i) => error(value, nearest[i]!, rest[i]! / 1000)));
    expect(worst).toBeLessThanOrEqual(BOUND);
  });
});

const INF = Infinity;

/** Of a number times a share that goes from 0 to 1. */
const GATED: readonly (readonly [number, number])[] = [
  [0, 0],
  [-0, -0],
  [INF, INF],
  [-INF, -0],
  [100, 100],
  [1e308, 1e308],
  [-1e308, -0],
];

describe("f64 special values", () => {
  const cases: { readonly [K in SpecialUnary]: readonly (readonly [number, number])[] } = {
    exp: [
      [0, 1],
      [-0, 1],
      [INF, INF],
      [-INF, 0],
      [710, INF],
      [-746, 0],
      [-745.1, 5e-324],
    ],
    exp2: [
      [0, 1],
      [INF, INF],
      [-INF, 0],
      [1024, INF],
      [-1075, 0],
      [-1076, 0],
      [-1074, 5e-324],
      [-1e300, 0],
      [1e300, INF],
    ],
    expm1: [
      [0, 0],
      [-0, -0],
      [INF, INF],
      [-INF, -1],
      [710, INF],
      [-1e300, -1],
      [5e-324, 5e-324],
      [-5e-324, -5e-324],
    ],
    log: [
      [1, 0],
      [0, -INF],
      [-0, -INF],
      [INF, INF],
      [-1, NaN],
      [-5e-324, NaN],
      [-INF, NaN],
      [5e-324, -744.4400719213812],
    ],
    log2: [
      [1, 0],
      [0, -INF],
      [-0, -INF],
      [INF, INF],
      [-1, NaN],
      [-INF, NaN],
      [5e-324, -1074],
    ],
    log10: [
      [1, 0],
      [0, -INF],
      [-0, -INF],
      [INF, INF],
      [-1, NaN],
      [-INF, NaN],
    ],
    log1p: [
      [0, 0],
      [-0, -0],
      [-1, -INF],
      [INF, INF],
      [-1.5, NaN],
      [-INF, NaN],
      [5e-324, 5e-324],
      [-5e-324, -5e-324],
    ],
    sin: [
      [0, 0],
      [-0, -0],
      [INF, NaN],
      [-INF, NaN],
      [5e-324, 5e-324],
      [-1e-310, -1e-310],
    ],
    cos: [
      [0, 1],
      [-0, 1],
      [INF, NaN],
      [-INF, NaN],
      [5e-324, 1],
    ],
    tan: [
      [0, 0],
      [-0, -0],
      [INF, NaN],
      [-INF, NaN],
      [5e-324, 5e-324],
    ],
    asin: [
      [0, 0],
      [-0, -0],
      [1, Math.PI / 2],
      [-1, -Math.PI / 2],
      [1.5, NaN],
      [-1.5, NaN],
      [INF, NaN],
      [5e-324, 5e-324],
    ],
    acos: [
      [1, 0],
      [-1, Math.PI],
      [0, Math.PI / 2],
      [-0, Math.PI / 2],
      [1.5, NaN],
      [-1.5, NaN],
      [-INF, NaN],
    ],
    atan: [
      [0, 0],
      [-0, -0],
      [INF, Math.PI / 2],
      [-INF, -Math.PI / 2],
      [1, Math.PI / 4],
      [5e-324, 5e-324],
    ],
    sinh: [
      [0, 0],
      [-0, -0],
      [INF, INF],
      [-INF, -INF],
      [711, INF],
      [-711, -INF],
      [5e-324, 5e-324],
    ],
    cosh: [
      [0, 1],
      [-0, 1],
      [INF, INF],
      [-INF, INF],
      [711, INF],
      [-711, INF],
    ],
    tanh: [
      [0, 0],
      [-0, -0],
      [INF, 1],
      [-INF, -1],
      [19.1, 1],
      [-30, -1],
      [1e308, 1],
      [5e-324, 5e-324],
    ],
    asinh: [
      [0, 0],
      [-0, -0],
      [INF, INF],
      [-INF, -INF],
      [5e-324, 5e-324],
    ],
    acosh: [
      [1, 0],
      [INF, INF],
      [0.5, NaN],
      [0, NaN],
      [-1, NaN],
      [-INF, NaN],
    ],
    atanh: [
      [0, 0],
      [-0, -0],
      [1, INF],
      [-1, -INF],
      [1.5, NaN],
      [-INF, NaN],
      [5e-324, 5e-324],
    ],
    rsqrt: [
      [0, INF],
      [-0, -INF],
      [INF, 0],
      [-1, NaN],
      [4, 0.5],
      [-INF, NaN],
    ],
    cbrt: [
      [0, 0],
      [-0, -0],
      [INF, INF],
      [-INF, -INF],
      [2 ** -1074, 2 ** -358],
      [-(2 ** 1023), -(2 ** 341)],
    ],
    erf: [
      [0, 0],
      [-0, -0],
      [INF, 1],
      [-INF, -1],
      [6, 1],
      [1e300, 1],
      [5e-324, 5e-324],
    ],
    erfc: [
      [0, 1],
      [-0, 1],
      [INF, 0],
      [-INF, 2],
      [28, 0],
      [-7, 2],
      [1e300, 0],
      [-1e300, 2],
    ],
    erfInv: [
      [0, 0],
      [-0, -0],
      [1, INF],
      [-1, -INF],
      [1.5, NaN],
      [-1.5, NaN],
      [INF, NaN],
    ],
    sigmoid: [
      [0, 0.5],
      [-0, 0.5],
      [INF, 1],
      [-INF, 0],
      [40, 1],
      [1e308, 1],
      [-746, 0],
      [-745.1, 5e-324],
      [-1e308, 0],
    ],
    softplus: [
      [0, Math.LN2],
      [INF, INF],
      [-INF, 0],
      [40, 40],
      [1e308, 1e308],
      [-746, 0],
      [-745.1, 5e-324],
    ],
    silu: GATED,
    quickGelu: GATED,
    gelu: GATED,
    geluTanh: GATED,
    mish: GATED,
    selu: [
      [0, 0],
      [-0, -0],
      [INF, INF],
      [-INF, -1.7580993408473768],
      [-100, -1.7580993408473768],
    ],
    softsign: [
      [0, 0],
      [-0, -0],
      [INF, 1],
      [-INF, -1],
      [1, 0.5],
      [5e-324, 5e-324],
    ],
    hardSigmoid: [
      [0, 0.5],
      [INF, 1],
      [-INF, 0],
      [3, 1],
      [-3, 0],
      [-1.5, 0.25],
    ],
    hardSwish: [
      [0, 0],
      [-0, -0],
      [INF, INF],
      [-INF, -0],
      [3, 3],
      [-3, -0],
      [1.5, 1.125],
    ],
  };

  it.each(SPECIAL_UNARY)("%s", (name) => {
    const list = [...cases[name], [NaN, NaN] as const];
    expect(on(name, ...list.map(([x]) => x))).toEqual(list.map(([, y]) => y));
  });

  it("an element of a cold path does not change its neighbours", () => {
    for (const name of SPECIAL_UNARY) {
      const usual = on(name, 0.25, 0.75);
      for (const x of [NaN, INF, -INF, 0, -0, 1e300, -1e300, 5e-324]) {
        expect([name, ...on(name, 0.25, x, 0.75)].filter((_, i) => i !== 2)).toEqual([name, ...usual]);
      }
    }
  });
});

describe("f64 exact cases", () => {
  const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

  it("exp2 of integers and log2 of powers of two", () => {
    const powers = range(-1074, 1023).map((n) => 2 ** n);
    expect(on("exp2", ...range(-1074, 1023))).toEqual(powers);
    expect(on("log2", ...powers)).toEqual(range(-1074, 1023));
  });

  it("log10 of powers of ten", () => {
    const exponents = range(-308, 308);
    expect(on("log10", ...exponents.map((n) => Number(`1e${n}`)))).toEqual(exponents);
  });

  it("cbrt of cubes", () => {
    const roots = [...range(-5000, 5000), ...range(207_000, 208_063)].map((x) => x + 0);
    expect(on("cbrt", ...roots.map((x) => x ** 3))).toEqual(roots);
  });

  it("powers of small integers", () => {
    const pairs = range(2, 60).flatMap((x) => range(0, 53).map((y) => [x, y] as const));
    const exact = pairs.filter(([x, y]) => BigInt(x) ** BigInt(y) <= 2n ** 53n);
    const powers = exact.map(([x, y]) => Number(BigInt(x) ** BigInt(y)));
    const ys = exact.map(([, y]) => y);
    expect(
      runner("pow")(
        exact.map(([x]) => x),
        ys,
      ),
    ).toEqual(powers);
    const signed = powers.map((p, i) => (ys[i]! % 2 === 1 ? -p : p));
    expect(
      runner("pow")(
        exact.map(([x]) => -x),
        ys,
      ),
    ).toEqual(signed);
  });
});

describe("f64 functions of two numbers", () => {
  const edges = [0, 5e-324, 1e-310, 0.5, 1, 1.5, 2, 3, 2 ** 53, 2 ** 53 + 2, 1e300, Number.MAX_VALUE, INF];
  const all = [...edges, ...edges.map((x) => -x), NaN];
  const pairs = all.flatMap((a) => all.map((b) => [a, b] as const));
  const columns = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];

  it("pow settles the edges as the scalar pow", () => {
    const actual = runner("pow")(...columns);
    pairs.forEach(([x, y], i) => {
      const expected = pow(x, y);
      // Where both are finite and not zero the last bits may differ.
      const isOrdinary = Number.isFinite(expected) && expected !== 0;
      if (isOrdinary) expect([x, y, ulpsApart(actual[i]!, expected) <= BOUND]).toEqual([x, y, true]);
      else expect([x, y, actual[i]]).toEqual([x, y, expected]);
    });
  });

  it("atan2 has the quadrants and signed zeros of C99", () => {
    const actual = runner("atan2")(...columns);
    pairs.forEach(([y, x], i) => {
      const expected = Math.atan2(y, x);
      if (expected === 0 || Number.isNaN(expected)) expect([y, x, actual[i]]).toEqual([y, x, expected]);
      else expect([y, x, ulpsApart(actual[i]!, expected) <= BOUND]).toEqual([y, x, true]);
    });
  });
});
