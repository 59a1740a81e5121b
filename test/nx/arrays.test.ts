/** Functions that make, move and combine arrays, against NumPy and SciPy; eagerly and compiled. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { decode, readOracle, type Coded } from "../oracles/read";

interface Plain {
  readonly type: "s64" | "f64";
  readonly shape: readonly number[];
  readonly values: readonly Coded[];
}

type Argument = Plain | { readonly plain: number | readonly number[] | readonly Plain[] };

interface Case {
  readonly fn: "kron" | "roll" | "split";
  readonly args: readonly Argument[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly results: readonly Plain[];
}

const tensorOf = ({ type, shape, values }: Plain): Nx.Tensor =>
  Nx.tensor(values.map(decode), { type }).reshape([...shape]);

const isPlain = (value: unknown): value is Plain => typeof value === "object" && value !== null && "values" in value;

/** Plain arguments as they are; lists of tensors as tensors. */
function argumentOf(arg: Argument): unknown {
  if (isPlain(arg)) return tensorOf(arg);
  const { plain } = arg;
  return Array.isArray(plain) && plain.every(isPlain) ? plain.map(tensorOf) : plain;
}

/** Options come last; `tri` has its own before them. */
const call = ({ fn, options }: Case, args: readonly unknown[]): Nx.Tensor[] => {
  const given = Object.keys(options).length > 0 ? [options] : [];
  const result = (Nx[fn] as (...all: unknown[]) => Nx.Tensor | Nx.Tensor[])(...args, ...given);
  return Array.isArray(result) ? result : [result];
};

/** The elements of f64 and s64 results as they are: f32 results, made of numbers alone, are rounded like the expected ones. */
function expectSame(results: readonly Nx.Tensor[], { fn, results: expected }: Case): void {
  expect(results.map(({ shape }) => shape)).toEqual(expected.map(({ shape }) => shape));
  results.forEach((t, i) => {
    const wanted = tensorOf(expected[i]!);
    const close = Nx.allClose(t, wanted, { rtol: t.type === "f32" ? 1e-7 : 1e-12, atol: 1e-13, equalNan: true });
    const isMoved = ![
      "covariance",
      "correlation",
      "logSumExp",
      "kron",
      "cross",
      "trace",
      "quantile",
      "percentile",
      "interp",
      "histogram",
      "segmentSum",
      "segmentMean",
    ].includes(fn);
    const same = isMoved && t.type !== "f32" ? Nx.equal(t, wanted).add(Nx.isNan(wanted)).all() : close;
    expect(same.toNumber(), `${String(t)} against ${String(wanted)}`).toBe(1);
  });
}

/** Shapes of results in compiled functions cannot depend on values. */
const dependsOnValues = ({ fn, options }: Case): boolean => (fn as string) === "bincount" && !("length" in options);

const cases = readOracle<Case[]>("arrays.json");
const named = cases.map((one, i) => [`${one.fn} ${JSON.stringify(one.options)} (${i})`, one] as const);

describe("arrays", () => {
  it("interp has the values of points beside infinities and NaN, as NumPy", () => {
    const at = (x: number[], y: number[]): unknown => Nx.interp(Nx.f64(x), Nx.iota([y.length]), Nx.f64(y)).toList();
    expect(at([1, 0, 2, 1.5, 0.5], [0, 5, Infinity])).toEqual([5, 0, Infinity, Infinity, 2.5]);
    expect(at([0, 1, 0.5], [NaN, 3])).toEqual([NaN, 3, NaN]);
    expect(at([1, 1.5, 2.5], [0, Infinity, 5, 6])).toEqual([Infinity, Infinity, 5.5]);
    expect(at([0.5, 1, 1.5], [Infinity, Infinity, -Infinity])).toEqual([Infinity, Infinity, NaN]);
    expect(at([0.5], [-1.5e308, 1.5e308])).toEqual([0]);
  });

  it("bincount refuses a name that is none", () => {
    expect(() => Nx.bincount(Nx.tensor([1]), { name: 5 as never })).toThrow("an axis name must be a non-empty string or null, got: 5");
  }); // prettier-ignore

  it("has cases of each function", () => {
    expect(new Set(cases.map(({ fn }) => fn)).size).toBe(29);
  });

  it.each(named)("%s", (_name, one) => {
    expectSame(call(one, one.args.map(argumentOf)), one);
  });

  it.each(named.filter(([, one]) => one.args.some(isPlain) && !dependsOnValues(one)))("%s, compiled", (_name, one) => {
    const rest = one.args.map(argumentOf);
    const compiled = Nx.defn((...tensors: Nx.Tensor[]) =>
      call(
        one,
        rest.map((arg) => (arg instanceof Nx.Tensor ? tensors.shift() : arg)),
      ),
    );
    expectSame(compiled(...rest.filter((arg) => arg instanceof Nx.Tensor)), one);
  });
});

describe("arrays of other types and names", () => {
  it("are made of the type that is configured", () => {
    Nx.withFloatType("f64", () => {
      expect([Nx.zeros([2]).type, Nx.ones([2]).type, Nx.arange(0.5).type, Nx.oneHot(1, 2).type]).toEqual(
        new Array(4).fill("f64"),
      );
    });
    expect(Nx.arange(3, { type: "u8" }).type).toBe("u8");
    expect(Nx.arange(0, 1, 0.5, { type: "f64", name: "x" }).equals(Nx.f64([0, 0.5], { names: ["x"] }))).toBe(true);
    expect(Nx.arange(2 ** 53 - 2, 2 ** 53 - 1).toList()).toEqual([2 ** 53 - 2]);
  });

  it("keep the names of axes that move", () => {
    const t = Nx.iota([2, 3, 4], { names: ["x", "y", "z"] });
    expect(t.moveAxis("z", 0).names).toEqual(["z", "x", "y"]);
    expect(t.swapAxes("x", "z").names).toEqual(["z", "y", "x"]);
    expect(t.roll(1).names).toEqual(["x", "y", "z"]);
    expect(t.repeat(2).names).toEqual([null]);
    expect(t.repeat([1, 0, 2], { axis: "y" }).names).toEqual(["x", "y", "z"]);
    expect(t.split([1, 2], { axis: "z" }).map(({ names }) => names)).toEqual(new Array(3).fill(["x", "y", "z"]));
    expect(t.unstack({ axis: "y" }).map(({ names }) => names)).toEqual(new Array(3).fill(["x", "z"]));
    expect(Nx.kron(t, Nx.iota([2], { names: ["z"] })).names).toEqual(["x", "y", "z"]);
    expect(Nx.cross(Nx.iota([2, 3], { names: ["n", null] }), Nx.iota([1, 3], { names: [null, "c"] })).names).toEqual(["n", "c"]); // prettier-ignore
    expect(t.covariance().names).toEqual(["x", null, null]);
    expect(t.logSumExp({ axes: ["y"] }).names).toEqual(["x", "z"]);
    expect(t.trace().names).toEqual(["x"]);
  });

  it("have vectors beside tensors of them", () => {
    // e1 x v, e2 x v and e3 x v by the definition
    const turned = [[0, -5, 4], [5, 0, -3], [-4, 3, 0]]; // prettier-ignore
    const v = Nx.tensor([3, 4, 5], { names: ["c"] });
    expect(Nx.cross(Nx.eye(3), v).toList()).toEqual(turned);
    expect(Nx.cross(v, Nx.eye(3)).negate().toList()).toEqual(turned);
    expect(Nx.cross(Nx.eye(3), v, "c").names).toEqual([null, "c"]);
    expect(Nx.cross(v, Nx.eye(3), { axis: 1 }).negate().toList()).toEqual(turned);
    expect(Nx.defn((m: Nx.Tensor) => Nx.cross(m, v))(Nx.eye(3)).toList()).toEqual(turned);
    expect(() => Nx.cross(Nx.eye(3), v, { axis: 0 })).toThrow(
      "3 components along axis 0, got shapes [3][3] and [c: 3]",
    );
    expect(() => Nx.cross(1, 2)).toThrow("Nx.cross expects 3 components along axis 0, got shapes [] and []");
  });

  it("lose nothing of large integers and of half floats", () => {
    const big = Nx.u64([2n ** 64n - 1n, 2n ** 63n]);
    expect(Nx.roll(big, 1).toList()).toEqual([2n ** 63n, 2n ** 64n - 1n]);
    expect(Nx.repeat(big, [0, 1]).toList()).toEqual([2n ** 63n]);
    expect(Nx.oneHot(big, 2).sum().toNumber()).toBe(0);
    expect(Nx.logSumExp(Nx.f16([10, 10])).type).toBe("f16");
    expect(Nx.covariance(Nx.u8([[0], [255]])).toList()).toEqual([[16256.25]]);
  });

  it("are hermitian covariances where samples are complex", () => {
    const z = Nx.complex(Nx.f64([[1, 0], [2, 5], [-1, 1]]), Nx.f64([[0, 2], [1, -1], [3, 0]])); // prettier-ignore
    const matrix = Nx.covariance(z);
    expect(Nx.allClose(matrix, Nx.LinAlg.adjoint(matrix)).toNumber()).toBe(1);
    expect(Nx.allClose(Nx.takeDiagonal(matrix).real(), z.variance({ axes: [0] })).toNumber()).toBe(1);
  });

  it("give tensors of their own where nothing is to do", () => {
    const t = Nx.f32([1, 2]);
    for (const same of [Nx.roll(t, 2), Nx.diff(t, { order: 0 }), Nx.moveAxis(t, 0, 0), Nx.swapAxes(t, 0, 0)]) {
      Nx.backendDeallocate(same);
    }
    expect(t.toList()).toEqual([1, 2]);
  });
});

describe("errors of arrays", () => {
  it.each<readonly [string, () => unknown]>([
    ["Nx.arange expects finite numbers: a stop, or start, stop and step, got: ", () => (Nx.arange as () => unknown)()],
    ["Nx.arange expects finite numbers: a stop, or start, stop and step, got: 0, Infinity", () => Nx.arange(0, Infinity)],
    ["the step of Nx.arange must not be 0", () => Nx.arange(0, 1, 0)],
    ["Nx.split of axis 0 of size 3 in shape [3] expects parts of at least one entry, got a cut at 1", () => Nx.split(Nx.iota([3]), [2, 1])],
    ["Nx.split of axis 0 of size 3 in shape [3] expects parts of at least one entry, got a cut at -3", () => Nx.split(Nx.iota([3]), -3)],
    ["the counts of Nx.repeat must be integers of at least 0, of which one is not 0, got: 0", () => Nx.repeat(Nx.iota([3]), 0)],
    ["the counts of Nx.repeat must be integers of at least 0, of which one is not 0, got: [1.5, 2, 3]", () => Nx.repeat(Nx.iota([3]), [1.5, 2, 3])],
    ["the counts of Nx.repeat must be integers of at least 0, of which one is not 0, got: a tensor s64[3]; write a number or a list of numbers, such as t.toNumbers()", () => Nx.repeat(Nx.iota([3]), Nx.tensor([1, 2, 3]) as never)],
    ["Nx.repeat expects a count for each of 3 entries of axis 0 in shape [3], got: [1, 2]", () => Nx.repeat(Nx.iota([3]), [1, 2])],
    ["Nx.roll expects one integer for each of 1 axis, got: [1, 1]; a list of shifts needs the option axes", () => Nx.roll(Nx.iota([2, 2]), [1, 1])],
    ["Nx.roll expects one integer for each of 1 axis, got: 0.5", () => Nx.roll(Nx.iota([3]), 0.5)],
    ["option ddof of Nx.covariance must be less than the number of samples (2), got: 2", () => Nx.covariance(Nx.iota([2, 2]), { ddof: 2 })],
    ["option mean of Nx.covariance expects the mean of each of 2 variables, of shape [..., 2], got shape [3]", () => Nx.covariance(Nx.iota([2, 2]), { mean: Nx.iota([3]) })],
    ["option expScalingFactor of Nx.logSumExp expects factors that broadcast to shape [2], got shape [3]", () => Nx.logSumExp(Nx.iota([2]), { expScalingFactor: Nx.iota([3]) })],
    ["the number of classes of Nx.oneHot must be a positive integer, got: 0", () => Nx.oneHot(1, 0)],
    ['option indexing of Nx.meshgrid must be "xy" or "ij", got: "yx"', () => Nx.meshgrid([Nx.iota([2])], { indexing: "yx" as "xy" })],
    ["option order of Nx.diff must be at least 0, got: -1", () => Nx.diff(Nx.iota([3]), { order: -1 })],
    ['no axis named "y" in shape [x: 3]', () => Nx.moveAxis(Nx.iota([3], { names: ["x"] }), "y" as never, 0)],
  ])("%s", (message, fn) => {
    expect(fn).toThrow(Nx.ArgumentError);
    expect(fn).toThrow(message);
  }); // prettier-ignore
});
