/**
 * Random functions of tensors and plain numbers: what a step does with tensors and numbers at hand, for all families of
 * functions that have operands which may be numbers.
 */
import fc from "fast-check";
import * as Nx from "nx-numerics";
import type { Operand, Tensor } from "nx-numerics";

export type PlainNumber = number | bigint | Nx.Complex;

/** One step: a family's function of a few operands, and which of the values at hand they are. */
export interface Step {
  readonly family: string;
  readonly operands: readonly number[];
}

/** A program: steps that begin with three tensors and three numbers, and add one value each. */
export type Program = readonly Step[];

const t = (value: Operand): Tensor => Nx.toTensor(value);

/** At least a vector, for what needs an axis. */
const vector = (value: Operand): Tensor => {
  const tensor = t(value);
  return tensor.shape.length === 0 ? Nx.reshape(tensor, [1]) : tensor;
};

const scalar = (value: Operand): Operand =>
  value instanceof Nx.Tensor && value.shape.length > 0 ? Nx.sum(value) : value;

type Family = (a: Operand, b: Operand, c: Operand) => Operand;

/** Functions whose operands may be numbers wherever they stand. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  add: (a, b) => Nx.add(a, b),
  subtract: (a, b) => Nx.subtract(a, b),
  multiply: (a, b) => Nx.multiply(a, b),
  divide: (a, b) => Nx.divide(a, b),
  atan2: (a, b) => Nx.atan2(a, b),
  max: (a, b) => Nx.max(a, b),
  min: (a, b) => Nx.min(a, b),
  less: (a, b) => Nx.less(a, b),
  equal: (a, b) => Nx.equal(a, b),
  greaterEqual: (a, b) => Nx.greaterEqual(a, b),
  logicalAnd: (a, b) => Nx.logicalAnd(a, b),
  bitwiseXor: (a, b) => Nx.bitwiseXor(a, b),
  copysign: (a, b) => Nx.copysign(a, b),
  logAddExp: (a, b) => Nx.logAddExp(a, b),
  complex: (a, b) => Nx.complex(a, b),
  lerp: (a, b, c) => Nx.lerp(a, b, c),
  negate: (a) => Nx.negate(a),
  floor: (a) => Nx.floor(a),
  abs: (a) => Nx.abs(a),
  exp: (a) => Nx.exp(a),
  sign: (a) => Nx.sign(a),
  relu: (a) => Nx.relu(a),
  asType: (a) => Nx.asType(a, "f64"),
  toTensor: (a) => Nx.toTensor(a),
  tensor: (a) => (a instanceof Nx.Tensor && a.shape.length > 0 ? a : Nx.tensor(a as number)),
  f64: (a) => (a instanceof Nx.Tensor && a.type !== "f64" && a.shape.length > 0 ? a : Nx.f64(a as number)),
  fill: (a, b) => (b instanceof Nx.Tensor && b.shape.length > 0 ? Nx.broadcast(scalar(a), [2]) : Nx.fill([2], b as number)),
  select: (a, b, c) => Nx.select(Nx.greater(Nx.real(a), 0), b, c),
  where: (a, b, c) => Nx.where(Nx.less(Nx.real(a), 1), b, c),
  clip: (a, b, c) => Nx.clip(a, scalar(b), scalar(c)),
  clamp: (a, b, c) => Nx.clamp(a, { min: b, max: c }),
  dot: (a, b) => Nx.dot(a, b),
  outer: (a, b) => Nx.outer(a, b),
  stack: (a, b, c) => Nx.stack([scalar(a), scalar(b), scalar(c)]),
  concatenate: (a, b) => Nx.concatenate([vector(a), vector(b)]),
  pad: (a, b) => Nx.pad(vector(a), scalar(b), [[1, 1]]),
  putSlice: (a, b) => Nx.putSlice(vector(a), [0], Nx.reshape(scalar(b), [1])),
  indexedAdd: (a, b) => Nx.indexedAdd(vector(a), Nx.tensor([0]), scalar(b)),
  linspace: (a, b) => Nx.linspace(scalar(a), scalar(b), { n: 3 }),
  sum: (a) => Nx.sum(a),
  mean: (a, b) => Nx.mean(Nx.multiply(vector(a), b)),
  weightedMean: (a, b) => Nx.weightedMean(vector(a), b, { axes: [0] }),
  reduce: (a, b, c) => Nx.reduce(vector(a), scalar(b), (x, held) => Nx.add(Nx.multiply(x, scalar(c)), held), { axes: [0] }),
  reduceTo: (a, b, c) => Nx.reduce(vector(a), scalar(b), () => scalar(c), { axes: [0] }),
  windowReduce: (a, b, c) => Nx.windowReduce(vector(a), scalar(b), [1], (x) => Nx.max(x, scalar(c))),
  map: (a, b) => Nx.map(vector(a), () => scalar(b)),
  mapType: (a, b) => Nx.map(vector(a), (x) => Nx.add(x, scalar(b)), { type: "f64" }),
  cumulativeSum: (a, b) => Nx.cumulativeSum(Nx.add(vector(a), b)),
  cond: (a, b, c) => Nx.Defn.cond([[Nx.greater(Nx.real(Nx.sum(vector(a))), 0), () => b]], () => c),
  condNumber: (a, b, c) => Nx.Defn.cond([[scalar(a), () => b]], () => c),
  condThree: (a, b, c) => Nx.Defn.cond([[Nx.u8(0), () => a], [Nx.u8(1), () => b]], () => c), // prettier-ignore
  whileLoop: (a, b, c) =>
    Nx.Defn.whileLoop(
      { i: 0, x: a },
      ({ i }) => Nx.less(i, 3),
      ({ i, x }) => ({ i: Nx.add(i, 1), x: Nx.asType(Nx.add(Nx.multiply(x, scalar(b)), scalar(c)), x.type) }),
    ).x,
  whileState: (a, b) =>
    Nx.Defn.whileLoop(
      { i: 0, x: Nx.sum(vector(a)) },
      ({ i }) => Nx.less(i, 2),
      ({ i }) => ({ i: Nx.add(i, 1), x: scalar(b) }),
    ).x,
  scan: (a, b, c) =>
    Nx.Defn.scan((s: Tensor, x: Tensor) => [Nx.asType(Nx.add(Nx.multiply(s, scalar(b)), x), s.type), scalar(c)] as const, scalar(a), vector(b))[0],
  scanResults: (a, b) => Nx.Defn.scan((s: Tensor, x: Tensor) => [s, Nx.multiply(x, scalar(b))] as const, 0, vector(a))[1],
  scanState: (a, b) => Nx.Defn.scan((_: Tensor, x: Tensor) => [scalar(b), x] as const, Nx.sum(vector(a)), vector(a))[0],
  defnMap: (a, b) => Nx.Defn.map((x: Tensor) => Nx.add(x, scalar(b)), vector(a)),
  inner: (a, b, c) => Nx.defn((x: Operand, y: Operand, z: { z: Operand }) => Nx.add(Nx.multiply(x, y), z.z))(a, b, { z: c }),
  stopGrad: (a, b) => Nx.multiply(Nx.Defn.stopGrad(a), b),
  normal: (a, b) => Nx.Random.normal(Nx.Random.key(1), scalar(a), scalar(b), { shape: [3] })[0],
}; // prettier-ignore

/** Those that may refuse operands for their values, which a graph does only where it needs the result. */
export const REFUSING: Readonly<Record<string, Family>> = {
  pow: (a, b) => Nx.pow(a, b),
  remainder: (a, b) => Nx.remainder(a, b),
  quotient: (a, b) => Nx.quotient(a, b),
  leftShift: (a, b) => Nx.leftShift(a, b),
  rightShift: (a, b) => Nx.rightShift(a, b),
};

/** What a program gives for its values; the last value, as a tensor. */
export function runProgram(program: Program, tensors: readonly Operand[], numbers: readonly Operand[]): Tensor {
  const values: Operand[] = [...tensors, ...numbers];
  for (const { family, operands } of program) {
    const [a, b, c] = operands.map((at) => values[at % values.length]!) as [Operand, Operand, Operand];
    values.push((FAMILIES[family] ?? REFUSING[family]!)(a, b, c));
  }
  return t(values[values.length - 1]!);
}

/** Whether every step is read on the way to the result. What nobody reads is not computed by compiled functions, so that it raises nothing. */
export function isReadWhole(program: Program): boolean {
  const first = 6;
  const read = new Set([first + program.length - 1]);
  program.forEach(({ family, operands }, i) => {
    const { length } = FAMILIES[family] ?? REFUSING[family]!;
    for (const at of operands.slice(0, length)) read.add(at % (first + i));
  });
  return program.every((_, i) => read.has(first + i));
}

export const programs = (names: readonly string[], maxLength = 3): fc.Arbitrary<Program> =>
  fc.array(fc.record({ family: fc.constantFrom(...names), operands: fc.tuple(fc.nat(8), fc.nat(8), fc.nat(8)) }), {
    minLength: 1,
    maxLength,
  });

const EDGES = [0, -0, 1, -1, 2, 0.1, -0.1, 0.5, 1 / 3, 255, 256, 300, -128, -129, 32767, 65535, 65536, 2 ** 24 + 1];
const LARGE = [
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e19,
  2 ** 64,
  1e30,
  1e300,
  1e-300,
  70000.5,
];
const SPECIAL = [NaN, Infinity, -Infinity];
const BIGINTS = [
  0n,
  3n,
  -3n,
  200n,
  2n ** 53n + 1n,
  2n ** 62n + 1n,
  -(2n ** 63n),
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n,
  2n ** 70n,
  -(2n ** 70n),
];

/** Plain numbers of all kinds. */
export const numbers: fc.Arbitrary<PlainNumber> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<PlainNumber>(...EDGES) },
  { weight: 2, arbitrary: fc.constantFrom<PlainNumber>(...LARGE, ...SPECIAL) },
  { weight: 2, arbitrary: fc.constantFrom<PlainNumber>(...BIGINTS) },
  { weight: 1, arbitrary: fc.integer({ min: -300, max: 300 }) },
  { weight: 1, arbitrary: fc.double({ min: -4, max: 4, noNaN: true }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<PlainNumber>(
      new Nx.Complex(0.1, -0.3),
      new Nx.Complex(2, 0),
      new Nx.Complex(2 ** 63, 0),
    ),
  },
);
