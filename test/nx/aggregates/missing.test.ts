/** Reductions that leave NaN out: the results are those of the elements that are left. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { differenceOf } from "../../fuzz/compare";
import { decode, readOracle, type Coded } from "../../oracles/read";

type Skip = { readonly nan?: Nx.NanPolicy };

/** What of a line is expected, besides the function itself. */
interface Law {
  /** The function of a matrix along its last axis, with or without the option. */
  readonly of: (t: Nx.Tensor, nan: Skip) => Nx.Tensor;
  /** The result of a line without numbers. */
  readonly none: number;
  /** Results that are elements, or exact: held to the last bit. */
  readonly isExact?: boolean;
  /** Positions among the elements that are left. */
  readonly isPosition?: boolean;
  readonly isReal?: boolean;
}

const over = { axes: ["y"] } as const;
const along = { axis: "y" } as const;

const LAWS: Readonly<Record<string, Law>> = {
  sum: { of: (t, nan) => Nx.sum(t, { ...over, ...nan }), none: 0 },
  product: { of: (t, nan) => Nx.product(t, { ...over, ...nan }), none: 1 },
  mean: { of: (t, nan) => Nx.mean(t, { ...over, ...nan }), none: NaN },
  variance: { of: (t, nan) => Nx.variance(t, { ...over, ...nan }), none: NaN },
  standardDeviation: { of: (t, nan) => Nx.standardDeviation(t, { ...over, ...nan }), none: NaN },
  all: { of: (t, nan) => Nx.all(t, { ...over, ...nan }), none: 1, isExact: true },
  any: { of: (t, nan) => Nx.any(t, { ...over, ...nan }), none: 0, isExact: true },
  reduceMax: { of: (t, nan) => Nx.reduceMax(t, { ...over, ...nan }), none: NaN, isExact: true, isReal: true },
  reduceMin: { of: (t, nan) => Nx.reduceMin(t, { ...over, ...nan }), none: NaN, isExact: true, isReal: true },
  argmax: { of: (t, nan) => Nx.argmax(t, { ...along, ...nan }), none: -1, isPosition: true, isReal: true },
  "argmax, the last": {
    of: (t, nan) => Nx.argmax(t, { ...along, ...nan, tieBreak: "high" }),
    none: -1,
    isPosition: true,
    isReal: true,
  },
  argmin: { of: (t, nan) => Nx.argmin(t, { ...along, ...nan }), none: -1, isPosition: true, isReal: true },
  median: { of: (t, nan) => Nx.median(t, { ...along, ...nan }), none: NaN, isReal: true },
  mode: { of: (t, nan) => Nx.mode(t, { ...along, ...nan }), none: NaN, isExact: true, isReal: true },
  quantile: { of: (t, nan) => Nx.quantile(t, 0.3, { ...along, ...nan }), none: NaN, isReal: true },
  percentile: { of: (t, nan) => Nx.percentile(t, 81, { ...along, ...nan }), none: NaN, isReal: true },
  logSumExp: { of: (t, nan) => Nx.logSumExp(t, { ...over, ...nan }), none: -Infinity, isReal: true },
  weightedMean: {
    of: (t, nan) => Nx.weightedMean(t, Nx.broadcast(Nx.f32(2), [t.shape[1]!]), { ...over, ...nan }),
    none: NaN,
  },
};

const RUNNING: Readonly<Record<string, (t: Nx.Tensor, nan: Skip) => Nx.Tensor>> = {
  cumulativeSum: (t, nan) => Nx.cumulativeSum(t, { ...along, ...nan }),
  cumulativeProduct: (t, nan) => Nx.cumulativeProduct(t, { ...along, ...nan }),
  cumulativeMax: (t, nan) => Nx.cumulativeMax(t, { ...along, ...nan }),
  "cumulativeMin, reversed": (t, nan) => Nx.cumulativeMin(t, { ...along, ...nan, reverse: true }),
};

const PAIRS: Readonly<Record<string, (t: Nx.Tensor, nan: Skip) => Nx.Tensor>> = {
  covariance: (t, nan) => Nx.covariance(t, nan),
  "covariance of known means": (t, nan) => Nx.covariance(t, { ...nan, mean: Nx.iota([t.shape[1]!]) }),
  correlation: (t, nan) => Nx.correlation(t, nan),
};

const functions = {
  ...Object.fromEntries(Object.entries(LAWS).map(([name, { of }]) => [name, of])),
  ...RUNNING,
  ...PAIRS,
};
const skip: Skip = { nan: "skip" };

/** Lines with something missing everywhere, ties, infinities, zeros, and one with nothing left. */
const LINES: readonly (readonly number[])[] = [
  [1, NaN, 3, 2, 3, NaN, -4],
  [NaN, NaN, NaN, NaN, NaN, NaN, NaN],
  [NaN, -Infinity, NaN, -Infinity, NaN, NaN, NaN],
  [NaN, Infinity, 2, NaN, NaN, Infinity, 0],
  [0.5, 1.5, 1.5, 2.5, -0.5, 4, 8],
  [NaN, NaN, NaN, NaN, NaN, NaN, 0],
  [0, NaN, 0, 0, NaN, NaN, NaN],
];
const FLOATS = ["bf16", "f16", "f32", "f64"] as const;
const matrix = (type: Nx.DType, backend?: "binary" | "wasm"): Nx.Tensor =>
  Nx.tensor(LINES as number[][], { type, names: ["x", "y"], ...(backend && { backend }) });

const line = (values: readonly number[], type: Nx.DType): Nx.Tensor =>
  Nx.tensor([values as number[]], { type, names: ["x", "y"] });

const left = (values: readonly number[]): number[] => values.filter((value) => !Number.isNaN(value));

/** Half an ulp of each type, a few times. */
const CLOSE: Readonly<Record<string, number>> = { bf16: 0.008, f16: 0.001, f32: 3e-7, f64: 1e-15 };

describe('nan: "skip"', () => {
  describe.each(Object.entries(LAWS))("%s", (_, { of, none, isExact, isPosition }) => {
    it.each(FLOATS)("of the elements that are left (%s)", (type) => {
      const results = of(matrix(type), skip);
      expect(results.names).toEqual(["x"]);
      LINES.forEach((values, i) => {
        const result = results.at(i);
        const some = left(values);
        if (some.length === 0) return void expect(result.toNumber()).toBe(none);
        const plain = of(line(some, type), {}).at(0);
        if (isPosition) {
          const places = values.flatMap((value, k) => (Number.isNaN(value) ? [] : [k]));
          return void expect(result.toNumber()).toBe(places[plain.toNumber() as number]);
        }
        expect(result.type).toBe(plain.type);
        if (isExact) return void expect(differenceOf(result, plain)).toBeNull();
        expect(Nx.allClose(result, plain, { rtol: CLOSE[type]!, atol: 0, equalNan: true }).toNumber()).toBe(1);
      });
    });
  });

  it.each(Object.entries(RUNNING))("%s", (name, of) => {
    const isReversed = name.includes("reversed");
    for (const type of FLOATS) {
      const results = of(matrix(type), skip).toList() as number[][];
      LINES.forEach((values, i) => {
        values.forEach((_, k) => {
          const some = left(isReversed ? values.slice(k) : values.slice(0, k + 1));
          const plain = some.length === 0 ? null : (of(line(some, type), {}).toList() as number[][])[0]!;
          const isChoice = /Max|Min/.test(name);
          const none = isChoice ? NaN : Number(name.includes("Product"));
          const expected = plain?.at(isReversed ? 0 : -1) ?? none;
          if (isChoice || !Number.isFinite(expected)) expect(results[i]![k]).toBe(expected);
          else expect(results[i]![k]).toBeCloseTo(expected, 1);
        });
      });
    }
  });

  it.each(Object.entries(functions))("leaves %s of tensors without NaN as it is, to the last bit", (_, of) => {
    const whole = Nx.tensor(LINES.map((values) => values.map((value, i) => (Number.isFinite(value) ? value : i))), { names: ["x", "y"], type: "f64" }); // prettier-ignore
    for (const type of [...FLOATS, "s32", "u8"] as const) {
      const t = Nx.asType(whole, type);
      if (!Object.values(PAIRS).includes(of)) expect(differenceOf(of(t, skip), of(t, {}))).toBeNull();
      else
        expect(
          Nx.allClose(of(t, skip), of(t, {}), {
            rtol: Math.max(CLOSE[type] ?? CLOSE.f32!, 1e-12),
            atol: 0,
            equalNan: true,
          }).toNumber(),
        ).toBe(1);
    }
  });

  it.each(Object.entries(functions))("is the same for %s on every backend, compiled or not", (_, of) => {
    for (const type of FLOATS) {
      const expected = of(matrix(type, "binary"), skip);
      for (const backend of ["binary", "wasm"] as const) {
        const t = matrix(type, backend);
        expect(differenceOf(of(t, skip), expected)).toBeNull();
        expect(differenceOf(Nx.defn((x: Nx.Tensor) => of(x, skip))(t), expected)).toBeNull();
      }
    }
  });
});

const present = (results: Nx.Tensor, t: Nx.Tensor): Nx.Tensor =>
  results.rank === t.rank && results.size === t.size ? Nx.where(Nx.isNan(t), 0, results) : results;

/** The gradient of a sum of results, of running ones those at elements that are there. */
const gradientOf = (of: (t: Nx.Tensor, nan: Skip) => Nx.Tensor, nan: Skip, t: Nx.Tensor): number[] =>
  Nx.grad((x: Nx.Tensor) => Nx.sum(present(of(x, nan), t)))(t).toFlatList() as number[];

describe('gradients with nan: "skip"', () => {
  const smooth = Object.entries(functions).filter(([name]) => !/^(all|any|arg|mode|covariance|correlation)/.test(name));

  it.each(smooth)("of %s are 0 at what is missing and elsewhere those of the elements that are left", (_, of) => {
    for (const values of [
      [1, NaN, 3, 2.5, NaN, -4],
      [NaN, 2, 0.5, NaN],
      [NaN, 0.75],
      [NaN, NaN, NaN],
    ]) {
      const gradient = gradientOf(of, skip, line(values, "f64"));
      const some = left(values);
      const plain = some.length === 0 ? [] : gradientOf(of, {}, line(some, "f64"));
      let next = 0;
      values.forEach((value, i) => {
        const expected = Number.isNaN(value) ? 0 : plain[next++]!;
        if (!Object.is(gradient[i], expected)) expect(gradient[i]).toBeCloseTo(expected, 12);
      });
    }
  });

  it.each(Object.entries(PAIRS))("of %s are 0 at what is missing, and numbers elsewhere", (_, of) => {
    const t = Nx.tensor([[1, 2], [NaN, 5], [3, -1], [0.5, 4]], { type: "f64" }); // prettier-ignore
    const gradient = gradientOf(of, skip, t);
    expect(gradient[2]).toBe(0);
    expect(gradient.every(Number.isFinite)).toBe(true);
    expect(gradient.some((value) => value !== 0)).toBe(true);
  });
});

interface Oracle {
  readonly data: Coded[][];
  readonly weights: Coded[];
  readonly results: Readonly<Record<string, (Coded | Coded[])[]>>;
}

describe("NumPy", () => {
  const { data, weights, results } = readOracle<Oracle>("missing.json");
  const t = Nx.tensor(data.map((row) => row.map(decode)), { type: "f64", names: ["x", "y"] }); // prettier-ignore
  const calls: Readonly<Record<string, () => Nx.Tensor>> = {
    "variance, ddof 1": () => Nx.variance(t, { ...over, ...skip, ddof: 1 }),
    weightedMean: () => Nx.weightedMean(t, Nx.f64(weights.map(decode)), { ...over, ...skip }),
    covariance: () => Nx.covariance(t, { ...skip, ddof: 1 }),
    cumulativeMin: () => Nx.cumulativeMin(t, { ...along, ...skip }),
  };

  it.each(Object.entries(results))("%s", (name, expected) => {
    const flat = expected.flat().map(decode);
    const result = (calls[name]?.() ?? functions[name]!(t, skip)).toFlatList().map(Number);
    expect(result).toHaveLength(flat.length);
    // correlations of two samples are 1 or -1 but for rounding
    flat.forEach((value, i) => expect(Math.abs(result[i]! - value) <= 1e-13 * Math.abs(value) || Object.is(result[i], value), `${result[i]} for ${value}`).toBe(true)); // prettier-ignore
  });
});

describe("the option nan", () => {
  it.each<[string, (t: Nx.Tensor, nan: Skip) => Nx.Tensor]>(Object.entries(functions))(
    "of %s has two words",
    (_, of) => {
      expect(() => of(Nx.iota([2, 2], { names: ["x", "y"] }), { nan: "omit" } as never)).toThrow(
        /option nan of Nx\.\w+ must be one of "propagate", "skip", got: "omit"/,
      );
    },
  );
});
