/**
 * Composites called eagerly on large tensors: as compiled functions, with the results, errors and settings of their passes.
 */
import { afterEach, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import * as plain from "../../lib/api";
import { PRIMITIVES, type Backend } from "../../lib/backend";
import { wasmBackend } from "../../lib/backends/wasm";
import { COMPOSITES_FROM } from "../../lib/backends/wasm/schedule/deferred";
import * as composites from "../../lib/nx/composites";
import * as specials from "../../lib/special/composites";
import * as linalg from "../../lib/linalg";
import * as solvers from "../../lib/linalg/composites";
import * as quantized from "../../lib/quantized";
import { CALLED } from "../calls/table";
import { differenceOf } from "../fuzz/compare";

let steps: string[] = [];
let released = 0;

const { programs: _, ...stepwise } = wasmBackend;

/** A backend that notes what it is asked for, and is asked step by step. */
const noting: Backend = {
  ...stepwise,
  name: "noting",
  deallocate: (t, ...rest) => {
    if (t.size >= COMPOSITES_FROM) released++;
    return wasmBackend.deallocate(t, ...rest);
  },
};
for (const member of ["fused", ...PRIMITIVES] as const) {
  const run = wasmBackend[member] as (...args: unknown[]) => unknown;
  const noted = (...args: unknown[]): unknown => {
    const [outs, inputs] = args as [object, readonly Nx.Tensor[]];
    const sizes = [...[outs].flat(), ...inputs].map(({ shape }: { shape?: readonly number[] }) =>
      (shape ?? []).reduce((size, dim) => size * dim, 1),
    );
    if (Math.max(...sizes) >= least) steps.push(member);
    return run(...args);
  };
  Object.assign(noting, { [member]: noted });
}
let least = COMPOSITES_FROM;

const stepsOf = (fn: () => unknown): string[] => {
  steps = [];
  fn();
  return steps;
};

const SPECIAL = [0, -0, NaN, Infinity, -Infinity, 1e-40, 88.8, -3.5, 2 ** 31, 0.5];
const SHAPE = [41, 123];
const NAMES = ["row", "column"];
const length = SHAPE[0]! * SHAPE[1]!;

/** The same operands on a backend. */
interface Operands {
  readonly x: Nx.Tensor;
  readonly y: Nx.Tensor;
  readonly f16: Nx.Tensor;
  readonly f64: Nx.Tensor;
  readonly s32: Nx.Tensor;
  readonly u8: Nx.Tensor;
  readonly z: Nx.Tensor;
}

function operandsOn(backend: Nx.BackendSpec): Operands {
  const numbers = Array.from({ length }, (_, i) => (i % 7 === 3 ? SPECIAL[i % 10]! : ((i * 7919) % 1000) / 250 - 2));
  const made = (type: Nx.DType, from = numbers): Nx.Tensor =>
    Nx.tensor(from, { type, backend }).reshape(SHAPE).rename(NAMES);
  const whole = numbers.map((_, i) => ((i * 31) % 200) - 100);
  const x = made("f32");
  const y = made("f32", [...numbers].reverse());
  return {
    x,
    y,
    f16: made("f16"),
    f64: made("f64"),
    s32: made("s32", whole),
    u8: made(
      "u8",
      whole.map((n) => n + 100),
    ),
    z: Nx.complex(x, y),
  };
}

/** The functions of a face, the plain ones or the entries, of which a call is made. */
type Face = Omit<typeof Nx, "LinAlg" | "Quantized"> & {
  readonly LinAlg: Pick<typeof Nx.LinAlg, "norm">;
  readonly Quantized: Pick<typeof Nx.Quantized, "fakeQuantize">;
};
type Made = (of: Face, operands: Operands) => Nx.Tensor;

const passes = { ...plain, LinAlg: linalg, Quantized: quantized } as unknown as Face;

/** Of each composite calls of several kinds, with how many steps a compiled one takes over the large operands. */
const TABLE: Readonly<Record<string, readonly (readonly [number, Made])[]>> = {
  allClose: [
    [1, (of, { x, y }) => of.allClose(x, y)],
    [1, (of, { f16, s32 }) => of.allClose(f16, s32, { equalNan: true, rtol: 0.1 })],
  ],
  celu: [
    [1, (of, { x }) => of.celu(x)],
    [1, (of, { f16 }) => of.celu(f16, { alpha: 0.3 })],
  ],
  clamp: [
    [1, (of, { x }) => of.clamp(x, { min: -1, max: 0.5 })],
    [1, (of, { x, y }) => of.clamp(x, { max: y })],
    [1, (of, { s32 }) => of.clamp(s32, { min: -3 })],
  ],
  clip: [
    [1, (of, { x }) => of.clip(x, -1, 0.5)],
    [1, (of, { u8 }) => of.clip(u8, -1, 30)],
  ],
  copysign: [
    [1, (of, { x, y }) => of.copysign(x, y)],
    [1, (of, { s32 }) => of.copysign(2.5, s32)],
  ],
  correlation: [[8, (of, { f64 }) => of.correlation(f64.clip(-1, 1))]],
  covariance: [
    [4, (of, { x }) => of.covariance(x)],
    [4, (of, { u8 }) => of.covariance(u8, { ddof: 1 })],
  ],
  cross: [[4, (of, { x, y }) => of.cross(x.reshape([41, 3, 41]), y.reshape([41, 3, 41]), { axis: 1 })]],
  round: [
    [1, (of, { x }) => of.round(x, { decimals: 2 })],
    [1, (of, { f16 }) => of.round(f16, { decimals: -1 })],
  ],
  roundEven: [[1, (of, { f64 }) => of.roundEven(f64, { decimals: 3 })]],
  div: [[1, (of, { x, y }) => of.div(x, y, { roundingMode: "floor" })]],
  divide: [
    [1, (of, { x, y }) => of.divide(x, y, { roundingMode: "floor" })],
    [1, (of, { f64 }) => of.divide(f64, 0.3, { roundingMode: "trunc" })],
  ],
  einsum: [[2, (of, { f16, x, y }) => of.einsum("ij,ij,ij->j", f16 as Nx.Tensor, x as Nx.Tensor, y as Nx.Tensor)]],
  elu: [
    [1, (of, { x }) => of.elu(x)],
    [1, (of, { s32 }) => of.elu(s32, { alpha: -0 })],
  ],
  hardSigmoid: [[1, (of, { x }) => of.hardSigmoid(x, { alpha: 0.3, beta: 0.1 })]],
  hardTanh: [
    [1, (of, { x }) => of.hardTanh(x)],
    [1, (of, { f16 }) => of.hardTanh(f16, { minVal: -0.5 })],
  ],
  isClose: [
    [1, (of, { x, y }) => of.isClose(x, y)],
    [1, (of, { f16, s32 }) => of.isClose(f16, s32, { equalNan: true, rtol: 0.1 })],
  ],
  isFinite: [
    [1, (of, { x }) => of.isFinite(x)],
    [1, (of, { f16 }) => of.isFinite(f16)],
  ],
  leakyRelu: [
    [1, (of, { x }) => of.leakyRelu(x)],
    [1, (of, { x }) => of.leakyRelu(x, { negSlope: 0 })],
    [1, (of, { x }) => of.leakyRelu(x, { negSlope: -0 })],
  ],
  lerp: [
    [1, (of, { x, y }) => of.lerp(x, y, 0.3)],
    [1, (of, { x, y }) => of.lerp(1, y, x)],
    [1, (of, { f16, s32 }) => of.lerp(f16, s32, 0.7)],
  ],
  logSigmoid: [[1, (of, { x }) => of.logSigmoid(x)]],
  logSoftmax: [
    [1, (of, { x }) => of.logSoftmax(x)],
    [1, (of, { f16 }) => of.logSoftmax(f16, { axis: "column" })],
  ],
  logSumExp: [
    [1, (of, { x }) => of.logSumExp(x, { axes: ["column"] })],
    [1, (of, { f16 }) => of.logSumExp(f16)],
    [3, (of, { x, y }) => of.logSumExp(x, { axes: [0], expScalingFactor: y })],
  ],
  mod: [
    [1, (of, { x, y }) => of.mod(x, y)],
    [3, (of, { f64 }) => of.mod(f64, 0.3)],
  ],
  mode: [[22, (of, { u8 }) => of.mode(u8, { axis: 1 })]],
  phase: [[1, (of, { z }) => of.phase(z)]],
  relu: [
    [1, (of, { x }) => of.relu(x)],
    [1, (of, { f16 }) => of.relu(f16)],
    [1, (of, { s32 }) => of.relu(s32)],
  ],
  relu6: [[1, (of, { x }) => of.relu6(x)]],
  selu: [[1, (of, { x }) => of.selu(x, { alpha: 1.5 })]],
  softmax: [
    [1, (of, { x }) => of.softmax(x)],
    [1, (of, { f16 }) => of.softmax(f16, { axis: "column" })],
    [1, (of, { s32 }) => of.softmax(s32, { axis: 1 })],
    [4, (of, { x }) => of.softmax(x, { axis: 0 })],
  ],
  softplus: [[1, (of, { x }) => of.softplus(x, { beta: 2 })]],
  standardDeviation: [
    [1, (of, { x }) => of.standardDeviation(x)],
    [1, (of, { s32 }) => of.standardDeviation(s32, { axes: ["column"], ddof: 1 })],
  ],
  zscore: [[1, (of, { x }) => of.zscore(x, { axes: ["column"] })]],
  skewness: [[1, (of, { x }) => of.skewness(x, { axes: ["column"] })]],
  kurtosis: [[1, (of, { x }) => of.kurtosis(x, { axes: ["column"], bias: false })]],
  gradient: [[3, (of, { x }) => of.gradient(x)]],
  trapezoid: [[1, (of, { x }) => of.trapezoid(x)]],
  unwrap: [[7, (of, { x }) => of.unwrap(x)]],
  variance: [
    [1, (of, { x }) => of.variance(x)],
    [1, (of, { f16 }) => of.variance(f16, { axes: [-1], keepAxes: true })],
  ],
  weightedMean: [[1, (of, { x, y }) => of.weightedMean(x, y, { axes: ["column"] })]],
  besselI0: [[2, (of, { x }) => of.besselI0(x)]],
  besselI0e: [[1, (of, { x }) => of.besselI0e(x)]],
  besselI1: [[2, (of, { x }) => of.besselI1(x)]],
  besselI1e: [[1, (of, { x }) => of.besselI1e(x)]],
  besselJ0: [[1, (of, { x }) => of.besselJ0(x)]],
  besselJ1: [[1, (of, { x }) => of.besselJ1(x)]],
  besselY0: [[3, (of, { x }) => of.besselY0(x)]],
  besselY1: [[3, (of, { x }) => of.besselY1(x)]],
  digamma: [[2, (of, { x }) => of.digamma(x)]],
  logit: [[1, (of, { x }) => of.logit(x)]],
  normalCdf: [[1, (of, { x }) => of.normalCdf(x)]],
  normalQuantile: [[1, (of, { x }) => of.normalQuantile(x)]],
  sinc: [[1, (of, { x }) => of.sinc(x)]],
  lgamma: [
    [2, (of, { x }) => of.lgamma(x)],
    [2, (of, { f16 }) => of.lgamma(f16)],
    [2, (of, { s32 }) => of.lgamma(s32)],
  ],
  betainc: [[34, (of, { x, y }) => of.betainc(of.abs(x), of.abs(y), 0.5)]],
  gammainc: [[212, (of, { x, y }) => of.gammainc(of.abs(x), of.abs(y))]],
  gammaincc: [[216, (of, { x, y }) => of.gammaincc(of.abs(x), of.abs(y))]],
  lbeta: [[5, (of, { x, y }) => of.lbeta(x, y)]],
  polygamma: [[1, (of, { x }) => of.polygamma(1, x)]],
  xlogy: [[1, (of, { x, y }) => of.xlogy(x, y)]],
  "LinAlg.norm": [
    [1, (of, { x }) => of.LinAlg.norm(x)],
    [1, (of, { s32 }) => of.LinAlg.norm(s32, { axes: [1], ord: 1 })],
  ],
  "Quantized.fakeQuantize": [[1, (of, { x }) => of.Quantized.fakeQuantize(x, { type: "fx8", fracBits: 5 })]],
};

const CASES = Object.entries(TABLE).flatMap(([name, rows]) =>
  rows.map(([count, call], i) => ({ name: `${name}, ${i}`, count, call })),
);

/** Few elements: a square matrix, a tall one, a vector, and the factor of a matrix. */
const few = {
  square: Nx.tensor([[4, 1, 0.5], [1, 3, -1], [2, -1, 5]], { type: "f64", names: ["to", "from"] }), // prettier-ignore
  tall: Nx.tensor([[1, 2], [3, -1], [0.5, 4], [2, 2], [-1, 0]], { type: "f32" }), // prettier-ignore
  line: Nx.tensor([0.5, 1, 2, 2, 7], { type: "f64", names: ["x"] }),
  factor: Nx.tensor([[2, 0, 0], [1, 1, 0], [3, -1, 4]], { type: "f64" }), // prettier-ignore
};

/** Of composites that are compiled for few elements once they have come often a call each. */
const OFTEN: Readonly<Record<string, (t: typeof few) => unknown>> = {
  categorical: ({ line }) => Nx.Random.categorical(Nx.Random.key(1), line, { shape: [3] }) as unknown,
  choleskySolve: ({ factor }) => Nx.LinAlg.choleskySolve(factor, Nx.tensor([1, 2, 3])),
  cond: ({ tall }) => Nx.LinAlg.cond(tall),
  correlation: ({ tall }) => Nx.correlation(tall),
  covariance: ({ tall }) => Nx.covariance(tall, { ddof: 1 }),
  determinant: ({ square }) => Nx.LinAlg.determinant(square),
  histogram: ({ line }) => Nx.histogram(line),
  "histogram of edges": ({ line }) => Nx.histogram(line, { bins: line.multiply(0.75).add(0) }),
  interp: ({ line }) => Nx.interp(line.multiply(0.9), line, line.square(), { left: -1 }),
  leastSquares: ({ tall, line }) => Nx.LinAlg.leastSquares(tall, line, { full: true }),
  logdet: ({ square }) => Nx.LinAlg.logdet(square),
  matrixRank: ({ tall }) => Nx.LinAlg.matrixRank(tall),
  mode: ({ line }) => Nx.mode(line, 0),
  multivariateNormal: ({ line }) =>
    Nx.Random.multivariateNormalSplit(Nx.Random.key(2), line.slice([0], [3]), Nx.eye(3, { type: "f64" }).multiply(2)),
  pinv: ({ tall }) => Nx.LinAlg.pinv(tall),
  polyfit: ({ line }) => Nx.polyfit(line, line.square(), 2, { weights: line, name: "power" }),
  slogdet: ({ square }) => Nx.LinAlg.slogdet(square) as unknown,
  solve: ({ square }) => Nx.LinAlg.solve(square, Nx.tensor([1, 2, 3])),
  standardDeviation: ({ tall }) => Nx.standardDeviation(tall, 0),
  unwrap: ({ line }) => Nx.unwrap(line),
};

/** The same of composites of fewer passes, that have to come more often. */
const MORE_OFTEN: typeof OFTEN = {
  allClose: ({ line }) => Nx.allClose(line, line.add(1e-9)),
  celu: ({ line }) => Nx.celu(line.subtract(2)),
  copysign: ({ line }) => Nx.copysign(line, line.subtract(2)),
  cross: ({ square }) => Nx.cross(square, square.square(), { axis: "to" }),
  "divide downwards": ({ line }) => Nx.divide(line.subtract(2).asType("s64"), -3, { roundingMode: "floor" }),
  einsum: ({ square, tall }) => Nx.einsum("ij,kl,jm->ml", square as Nx.Tensor, tall as Nx.Tensor, square as Nx.Tensor),
  elu: ({ line }) => Nx.elu(line.subtract(2), { alpha: 0.5 }),
  gradient: ({ tall }) => Nx.gradient(tall, { axes: 0 }),
  hardTanh: ({ line }) => Nx.hardTanh(line.subtract(2)),
  isClose: ({ line }) => Nx.isClose(line, 2, { rtol: 0.6 }),
  kurtosis: ({ tall }) => Nx.kurtosis(tall, { axes: [0], bias: false }),
  leakyRelu: ({ line }) => Nx.leakyRelu(line.subtract(2)),
  lerp: ({ line }) => Nx.lerp(line, 2, line.square()),
  logSoftmax: ({ tall }) => Nx.logSoftmax(tall, 0),
  logSumExp: ({ tall }) => Nx.logSumExp(tall, 1),
  mod: ({ line }) => Nx.mod(line.subtract(2), -0.75),
  "mod of integers": ({ line }) => Nx.mod(line.asType("u64").bitwiseNot(), line.asType("u64").add(3)),
  norm: ({ tall }) => Nx.LinAlg.norm(tall, { ord: "nuclear" }),
  normal: ({ line }) => Nx.Random.normal(Nx.Random.key(3), line, 0.5, { shape: [2, 5] }) as unknown,
  normalSplit: () => Nx.Random.normalSplit(Nx.Random.key(3), { shape: [7], names: ["x"] }),
  relu: ({ square }) => Nx.relu(square),
  relu6: ({ square }) => Nx.relu6(square),
  shuffle: ({ tall }) => Nx.Random.shuffle(Nx.Random.key(5), tall, { axis: 0 }) as unknown,
  skewness: ({ line }) => Nx.skewness(line),
  softmax: ({ square }) => Nx.softmax(square, { axis: "to" }),
  trapezoid: ({ tall }) => Nx.trapezoid(tall, { axis: 0 }),
  variance: ({ square }) => Nx.variance(square, { axes: ["from"], ddof: 1, keepAxes: true }),
  weightedMean: ({ tall }) => Nx.weightedMean(tall, Nx.tensor([1, 2]), { axes: [1] }),
  zscore: ({ line }) => Nx.zscore(line),
};

const on = operandsOn(noting);
const onBinary = operandsOn("binary");

const asOperands = (given: readonly Nx.Tensor[]): Operands =>
  Object.fromEntries(Object.keys(on).map((key, i) => [key, given[i]])) as unknown as Operands;

describe("composites of the library", () => {
  it("have a row of calls here each", () => {
    const named = [...Object.keys(composites), ...Object.keys(specials), "LinAlg.norm", "Quantized.fakeQuantize"];
    expect(Object.keys(TABLE).sort()).toEqual(named.sort());
  });

  it.each(CASES)("run as their passes, then as one program, with the same bits: $name", ({ count, call }) => {
    const expected = call(passes, on);
    const isSame = (t: Nx.Tensor): void => expect(differenceOf(t, expected)).toBeNull();
    const several = stepsOf(() => isSame(call(Nx, on)));
    for (let i = 0; i < 2; i++) {
      const compiled = stepsOf(() => isSame(call(Nx, on)));
      expect(compiled).toHaveLength(count);
      expect(several.length).toBeGreaterThan(count);
    }
    isSame(Nx.defn((...given: Nx.Tensor[]) => call(passes, asOperands(given)))(...Object.values(on)));
    isSame(call(Nx, onBinary));
  });

  it("run as their passes below the size from which on the backend says that compiling pays, and on backends that do not say so", () => {
    const few = on.x.slice([0, 0], [33, 123]);
    const plainly = Nx.backendCopy(on.x, { ...noting, name: "passing", compositesFrom: undefined } as never);
    least = few.size;
    for (let i = 0; i < 3; i++) {
      expect(few.size).toBeLessThan(COMPOSITES_FROM);
      expect(stepsOf(() => Nx.relu6(few))).toHaveLength(4);
      expect(stepsOf(() => plainly.relu6())).toHaveLength(4);
    }
  });

  it("of many passes are compiled for few elements, too", () => {
    const few = on.x.slice([0, 0], [1, 5]).abs();
    least = 1;
    const light = ["xlogy"];
    for (const name of Object.keys(specials)) {
      const fn = (Nx as unknown as Record<string, (...operands: unknown[]) => Nx.Tensor>)[name]!;
      const operands = name === "polygamma" ? [3, few] : Array.from({ length: fn.length }, () => few);
      const counts = [0, 1, 2].map(() => stepsOf(() => fn(...operands)).length);
      const isSame = light.includes(name);
      expect(counts[2]! < counts[0]!, `${name}: ${counts.join(", ")}`).toBe(!isSame);
    }
    least = COMPOSITES_FROM;
  });

  const often = ([calls, rows]: readonly [number, typeof OFTEN]) =>
    Object.entries(rows).map(([name, call]) => [name, calls, call] as const);

  it.each(
    (
      [
        [40, OFTEN],
        [400, MORE_OFTEN],
      ] as const
    ).flatMap(often),
  )("of fewer passes are compiled for few elements that have come often, with the same bits: %s", (_, calls, call) => {
    const called = () => Nx.profile(() => [call(few)].flat() as Nx.Tensor[]);
    const first = called();
    expect(called().calls).toBe(first.calls);
    for (let i = 0; i < calls; i++) call(few);
    const last = called();
    expect(last.calls).toBeLessThan(first.calls);
    expect(last.result).toHaveLength(first.result.length);
    for (const [i, t] of last.result.entries()) expect(differenceOf(t, first.result[i]!)).toBeNull();
  });

  it("of fewer passes have a row of calls on few elements each", () => {
    for (const name of Object.keys(solvers)) expect(Object.keys({ ...OFTEN, ...MORE_OFTEN })).toContain(name);
  });

  it("are methods too, and share what was compiled", () => {
    const t = on.x.add(1);
    Nx.relu(t);
    expect(stepsOf(() => t.relu())).toEqual(["fused"]);
    expect(stepsOf(() => t.divide(t))).toEqual(["binary"]);
    expect(stepsOf(() => t.divide(t))).toEqual(["binary"]);
  });

  it("take plain numbers as operands without being compiled anew, and options by their values", () => {
    const t = on.f64;
    const clipped = (low: number, high: number): Nx.Tensor => Nx.clip(t, low, high);
    clipped(-0.5, 0.25);
    for (const [low, high] of [
      [-0.5, 0.25],
      [-0.1, 0.3],
      [0.2, 0.7],
    ] as const) {
      let result = t;
      expect(stepsOf(() => (result = clipped(low, high)))).toEqual(["fused"]);
      expect(differenceOf(result, plain.clip(t, low, high))).toBeNull();
    }
    for (const alpha of [0.5, 2, 0.5, 2, 2.5, 2]) {
      expect(differenceOf(Nx.elu(t, { alpha }), plain.elu(t, { alpha }))).toBeNull();
    }
  });

  it("are compiled for few of many options that come and go, and for those that stay", () => {
    const isCompiled = (alpha: number): boolean => stepsOf(() => Nx.elu(on.x, { alpha })).length === 1;
    let count = 0;
    for (let i = 0; i < 80; i++) {
      isCompiled(100 + i);
      if (isCompiled(100 + i)) count++;
    }
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(25);
    for (let i = 0; i < 66; i++) isCompiled(0.125);
    expect(isCompiled(0.125)).toBe(true);
  });
});

const thrice = (fn: () => unknown): string[] =>
  [0, 1, 2].map(() => {
    try {
      return String(fn());
    } catch (error) {
      expect((error as Error).stack!.split("\n")[1]).toContain("composites.test.ts");
      return (error as Error).message;
    }
  });

function holdingItself(): unknown[] {
  const list: unknown[] = [];
  list.push(list);
  return list;
}

describe("errors of composites", () => {
  it.each<[string, (t: Operands) => unknown]>([
    ["of arguments", ({ x }) => Nx.softmax(x, { axis: 2 })],
    ["of options", ({ x }) => Nx.variance(x, { axis: [0] } as never)],
    ["of shapes", ({ x, y }) => Nx.copysign(x, y.transpose())],
    ["of types", ({ z }) => Nx.relu(z)],
    ["of elements", ({ s32, u8 }) => s32.mod(u8)],
    ["of methods", ({ x }) => x.clip(Nx.tensor([0, 1]), 2)],
    ["of lists that hold themselves", ({ x }) => Nx.clip(x, holdingItself() as never, 1)],
    ["of options that hold themselves", ({ x }) => Nx.variance(x, { axes: holdingItself() as never })],
    ["of tensors that were released", () => (Nx.backendDeallocate(gone), Nx.relu(gone))],
  ])("are those of the passes, at every call: %s", (_, call) => {
    const [first, ...others] = thrice(() => call(on));
    const [few] = thrice(() => call(operandsOn("binary")));
    expect(first).toMatch(/Nx\.\w+|deallocated/);
    expect(others).toEqual([first, first]);
    expect(few).toBe(first);
  });

  const gone = on.x.add(2);
});

describe("settings of composites", () => {
  afterEach(() => void Nx.Defn.defaultOptions({ compiler: "optimizing" }));

  it("are part of what was compiled: strict promotion", () => {
    const call = (): Nx.Tensor => Nx.lerp(on.s32, on.u8, on.f16);
    for (let i = 0; i < 3; i++) call();
    const [first, ...others] = thrice(() => Nx.withPromotion("strict", call));
    expect(first).toMatch(/strict/);
    expect(others).toEqual([first, first]);
  });

  it("are part of what was compiled: float types", () => {
    const call = (): string => Nx.logSigmoid(on.s32).type;
    const types = [0, 1, 2].map(() => [call(), Nx.withFloatType("f64", call)]);
    expect(types).toEqual(Array(3).fill(["f32", "f64"]));
  });

  it("have the evaluator run the passes", () => {
    Nx.Defn.defaultOptions({ compiler: "evaluator" });
    for (let i = 0; i < 3; i++) expect(stepsOf(() => Nx.hardTanh(on.x))).toHaveLength(4);
  });
});

describe("composites in other functions", () => {
  it("are part of a graph, a gradient and a vectorized call", () => {
    const square = (t: Nx.Tensor): Nx.Tensor => t.relu().multiply(t).sum();
    const expected = on.y.relu().multiply(2);
    expect(Nx.Defn.debugExpr(square)(on.y).toString()).toContain("select");
    for (let i = 0; i < 3; i++) expect(differenceOf(Nx.grad(square)(on.y).relu(), expected)).toBeNull();
    const rows = Nx.vectorize(on.x.rename([null, null]), "batch");
    for (let i = 0; i < 3; i++) {
      const whole = Nx.devectorize(rows.softmax(), { keepNames: false });
      expect(differenceOf(whole, Nx.softmax(on.x.rename([null, null])))).toBeNull();
    }
  });

  it("give back what their passes make, and neither operands nor results", () => {
    const t = on.x.multiply(3);
    released = 0;
    const once = Nx.celu(t, { alpha: 0.7 });
    expect(released).toBe(7);
    expect(differenceOf(once, plain.celu(t, { alpha: 0.7 }))).toBeNull();
    released = 0;
    const other = t.rename(["a", "b"]);
    const outer = Nx.tidy(() => Nx.relu6(other).add(1));
    expect(released).toBe(4);
    expect(differenceOf(outer, plain.relu6(other).add(1))).toBeNull();
  });
});

/** Functions that pass over their largest operand more than once and are no composites, with the reason. */
const SEVERAL: readonly (readonly [RegExp, string])[] = [
  [
    /^Nx\.(i?r?fft2?|padOuter|reflect|median|topK)$/,
    "moves elements about, sorts or transforms, which no kernel takes in",
  ],
  [/^Nx\.polyfit$/, "the decomposition takes the time"],
  [/^Nx\.polyval$/, "looks up a coefficient between its passes, which no kernel takes in"],
  [
    /^Nx\.(argwhere|compress|nonzero|segment(Max|Min|Product)|unique)$/,
    "sorts elements or looks them up between its passes",
  ],
  [/^Nx\.(digitize|histogram|interp|searchsorted)$/, "looks elements up between its passes, which no kernel takes in"],
  [
    /^Nx\.oneHot$/,
    "the passes are over the larger result, one comparison and one cast, which compiled take as many steps",
  ],
  [
    /^Nx\.Signal\.(i?dct|istft|filtfilt|hilbert|lfilter|sosfilt|spectrogram)$/,
    "the transform or the loop between its passes takes the time",
  ],
  [/^Nx\.byName\./, "aligns its operands, then calls the composite of that name"],
  [/^Nx\.LinAlg\./, "the decomposition and the products take the time"],
  [/^Nx\.Random\./, "drawing bits takes the time: 0.9 to 1.2 of it compiled"],
  [/^Nx\.Defn\./, "runs functions of the user"],
  [/^Nx\.Quantized\.calibrate$/, "reads what it computes"],
];

/** Primitives that go over elements, which kernels may do together. */
const PASSES = new Set(["unary", "binary", "select", "asType", "reduceOp"]);

/** A call with its tensors on the backend that notes. */
const noted = (args: readonly unknown[]): unknown[] =>
  args.map((arg) =>
    arg instanceof Nx.Tensor ? Nx.backendCopy(arg, noting) : Array.isArray(arg) ? noted(arg as unknown[]) : arg,
  );

const largest = (args: readonly unknown[]): number =>
  Math.max(2, ...args.map((arg) => (arg instanceof Nx.Tensor ? arg.size : Array.isArray(arg) ? largest(arg) : 0)));

function passesOf({ call, args, options }: (typeof CALLED)[number]): number {
  least = largest(args);
  const lists = options ? [args, [...args, options]] : [args];
  const counts = lists.map((list) =>
    stepsOf(() => {
      try {
        call(...noted(list));
      } catch {
        // options that the function cannot do without
      }
    }).filter((step) => PASSES.has(step)),
  );
  return Math.max(...counts.map(({ length }) => length));
}

describe("functions of several passes over their operands", () => {
  afterEach(() => void (least = COMPOSITES_FROM));

  it("are composites, or there is a reason", () => {
    const isKnown = (name: string): boolean =>
      Object.hasOwn(TABLE, name.replace("Nx.", "")) || SEVERAL.some(([pattern]) => pattern.test(name));
    const several = CALLED.filter(({ isMethod }) => !isMethod).filter((row) => passesOf(row) > 1);
    expect(several.length).toBeGreaterThan(Object.keys(TABLE).length - 2);
    expect(several.map(({ name }) => name).filter((name) => !isKnown(name))).toEqual([]);
  });
});
