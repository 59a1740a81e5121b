/** For the tests of fusion: random functions of tensors, awkward arguments for them, and results compared bit by bit. */
import fc from "fast-check";
import * as Nx from "nx-numerics";
import type { Backend, DType, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { wasmBackend } from "../../../lib/backends/wasm";
import { bf16ToNumber, f16ToNumber } from "../../../lib/core/half";
import { DTYPES, isComplex } from "../../../lib/core/types";
import { rootsOf, topological, type Graph, type Node } from "../../../lib/defn/graph";
import { NORMALIZE, runPasses } from "../../../lib/defn/passes";
import { fuse } from "../../../lib/defn/passes/fuse";
import { trace } from "../../../lib/defn/trace";
import { dataOf, emptyOf, firstDifference } from "../../kernel/executors-support";

const { fused: _fused, ...withoutKernels } = binaryBackend;

/** The backends that run kernels, and one that does not: there a kernel runs as the ops it was made of. */
export const BACKENDS: readonly (readonly [string, Backend])[] = [
  ["binary", binaryBackend],
  ["wasm", wasmBackend],
  ["plain", { ...withoutKernels, name: "plain", portable: false }],
];

const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** A tensor of awkward values. */
export function awkward(backend: Backend, type: DType, shape: readonly number[], seed: number): Tensor {
  const elements = dataOf(type, sizeOf(shape), seed);
  const bytes = new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);
  return Nx.fromBinary(bytes, type, { backend }).reshape(shape);
}

/** Where two results differ, if they do: in type, shape, names or bits; all NaN are the same. */
export function difference(a: Tensor, b: Tensor): string | null {
  const [left, right] = [a, b].map(({ type, shape, names }) => JSON.stringify([type, shape, names]));
  if (left !== right) return `${left} and ${right}`;
  const [x, y] = [a, b].map((t) => {
    const bytes = t.toBinary();
    const elements = emptyOf(t.type, sizeOf(t.shape));
    new Uint8Array(elements.buffer).set(bytes);
    if (t.type === "f16") return Float64Array.from(elements, f16ToNumber);
    return t.type === "bf16" ? Float64Array.from(elements, bf16ToNumber) : elements;
  });
  return firstDifference(x!, y!);
}

/** The first difference of two lists of results. */
export function differences(left: readonly Tensor[], right: readonly Tensor[]): string | null {
  if (left.length !== right.length) return `${left.length} and ${right.length} results`;
  for (let i = 0; i < left.length; i++) {
    const found = difference(left[i]!, right[i]!);
    if (found) return `result ${i}: ${found}`;
  }
  return null;
}

type Fn = (...args: Tensor[]) => unknown;

/** The graph of a function after all passes, the one that fuses included. */
export function fusedGraph(fn: Fn, ...args: readonly Tensor[]): Graph {
  return fuse.run(runPasses(trace(fn as never, args, new Set()).graph, NORMALIZE));
}

export const nodesOf = (graph: Graph): Node[] => topological(rootsOf(graph));

export type FusedNode = Extract<Node, { kind: "fused" }>;

/** The kernels of a graph, those of its functions not included. */
export const kernelsOf = (graph: Graph): FusedNode[] =>
  nodesOf(graph).filter((node): node is FusedNode => node.kind === "fused");

// ----------------------------------------------------------------------------------------------------------- random

interface Step {
  readonly code: number;
  readonly picks: readonly [number, number, number];
  readonly number: number;
}

export interface Program {
  readonly args: readonly { readonly type: DType; readonly shape: readonly number[] }[];
  readonly steps: readonly Step[];
  readonly outputs: readonly number[];
}

type Make = (x: Tensor, y: Tensor, z: Tensor, number: number) => Tensor;

const UNARY = [
  "abs",
  "negate",
  "floor",
  "ceil",
  "round",
  "roundEven",
  "trunc",
  "sign",
  "sqrt",
  "isNan",
  "isInfinity",
  "bitwiseNot",
  "real",
  "imag",
  "conjugate",
] as const;
const BINARY = [
  ...["add", "subtract", "multiply", "divide", "min", "max", "equal", "notEqual", "less", "lessEqual", "greater"],
  ...["greaterEqual", "logicalAnd", "logicalOr", "logicalXor", "bitwiseAnd", "bitwiseOr", "bitwiseXor"],
] as "add"[];
const SPECIAL = ["exp", "sin", "log1p", "tanh", "sigmoid", "erf", "cbrt", "rsqrt"] as const;
const CONSTANTS = [0, -0, 1, -1, 0.5, 3, 255, 256, -129, 65504, 1e300, NaN, Infinity, -Infinity, 1e-45];

const axisOf = (x: Tensor, number: number): number => number % Math.max(1, x.shape.length);

const STEPS: readonly Make[] = [
  ...UNARY.map(
    (op): Make =>
      (x) =>
        Nx[op](x),
  ),
  ...SPECIAL.map(
    (op): Make =>
      (x) =>
        Nx[op](x),
  ),
  (x, y) => Nx.atan2(x, y),
  (x) => x.abs().pow(1.5),
  ...BINARY.map(
    (op): Make =>
      (x, y) =>
        Nx[op](x, y),
  ),
  ...BINARY.slice(0, 11).map(
    (op): Make =>
      (x, y) =>
        Nx[op](x, y),
  ),
  (x, _y, _z, n) => x.add(CONSTANTS[n % CONSTANTS.length]!),
  (x, _y, _z, n) => Nx.subtract(CONSTANTS[n % CONSTANTS.length]!, x),
  (x, _y, _z, n) => x.multiply(CONSTANTS[n % CONSTANTS.length]!),
  (x, _y, _z, n) => x.max(CONSTANTS[n % CONSTANTS.length]!),
  (x, y, z) => Nx.select(x, y, z),
  (x, y, z) => Nx.select(Nx.less(x, y), y, z),
  (x, _y, _z, n) => x.asType(DTYPES[n % DTYPES.length]!),
  (x, _y, _z, n) => x.asType(["f32", "f64", "s32", "u8"][n % 4] as DType),
  (x) => x.transpose(),
  (x, _y, _z, n) => x.reverse({ axes: [axisOf(x, n)] }),
  (x, _y, _z, n) =>
    Nx.slice(
      x,
      x.shape.map((dim) => n % dim),
      x.shape.map((dim) => Math.max(1, dim - (n % dim))),
      { strides: x.shape.map((_, i) => 1 + ((n + i) % 2)) },
    ),
  (x, _y, _z, n) => Nx.sliceAlongAxis(x, n % x.shape[axisOf(x, n)]!, 1, { axis: axisOf(x, n) }),
  (x) => x.flatten(),
  (x, y) => x.reshape(y.shape),
  (x) => x.reshape([1, ...x.shape]),
  (x) => x.reshape([...x.shape, 1]),
  (x, y) => x.broadcast(y.shape),
  (x, _y, _z, n) => x.broadcast([1 + (n % 3), ...x.shape]),
  (x, _y, _z, n) => x.sum({ axes: [axisOf(x, n)], keepAxes: n % 2 === 0 }),
  (x) => x.sum(),
  (x, _y, _z, n) => x.reduceMax({ axes: [axisOf(x, n)], keepAxes: true }),
  (x, y) => x.dot(y),
  (x, _y, _z, n) => x.sort({ axis: axisOf(x, n) }),
  (x, _y, _z, n) => x.cumulativeMax({ axis: axisOf(x, n) }),
];

/** Runs a program; steps that types or shapes do not allow are left out, which is the same for traced and for real tensors. */
export function runProgram({ steps, outputs }: Program, args: readonly Tensor[]): Tensor[] {
  const pool = [...args];
  for (const { code, picks, number } of steps) {
    const [x, y, z] = picks.map((pick) => pool[pool.length - 1 - (pick % pool.length)]!) as [Tensor, Tensor, Tensor];
    try {
      const made = STEPS[code % STEPS.length]!(x, y, z, number);
      if (sizeOf(made.shape) <= 4 * sizeOf(args[0]!.shape) + 100) pool.push(made);
    } catch (error) {
      if (!(error instanceof Nx.NxError)) throw error;
    }
  }
  return outputs.map((pick) => pool[pool.length - 1 - (pick % pool.length)]!);
}

const REAL = DTYPES.filter((type) => !isComplex(type));

/** Programs whose arguments have dimensions from a list: few different ones, so that much is of the same size. */
export function programs(dims: readonly number[], maxSteps = 25): fc.Arbitrary<Program> {
  const pick = fc.oneof(fc.nat(3), fc.nat(30));
  const shape = fc.array(fc.constantFrom(...dims), { maxLength: 3 });
  const type = fc.oneof(
    fc.constantFrom("f32" as const, "f32" as const, "f64" as const),
    fc.constantFrom(...REAL),
    fc.constantFrom(...DTYPES),
  );
  return fc.record({
    args: fc.array(fc.record({ type, shape }), { minLength: 1, maxLength: 4 }),
    steps: fc.array(
      fc.record({ code: fc.nat(STEPS.length - 1), picks: fc.tuple(pick, pick, pick), number: fc.nat(60) }),
      {
        minLength: 1,
        maxLength: maxSteps,
        size: "max",
      },
    ),
    outputs: fc.array(fc.oneof(fc.nat(4), fc.nat(30)), { minLength: 1, maxLength: 5, size: "max" }),
  });
}
