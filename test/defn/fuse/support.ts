/** For the tests of fusion: awkward arguments, fused graphs, and results compared bit by bit. */
import * as Nx from "nx-numerics";
import type { Backend, DType, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { wasmBackend } from "../../../lib/backends/wasm";
import { bf16ToNumber, f16ToNumber } from "../../../lib/core/half";
import { rootsOf, topological, type Graph, type Node } from "../../../lib/defn/graph";
import { NORMALIZE, runPasses } from "../../../lib/defn/passes";
import { fuse } from "../../../lib/defn/passes/fusions";
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
  const raw = [a.toBinary(), b.toBinary()];
  if (Buffer.compare(raw[0]!, raw[1]!) === 0) return null;
  const [x, y] = [a, b].map((t, i) => {
    const elements = emptyOf(t.type, sizeOf(t.shape));
    new Uint8Array(elements.buffer).set(raw[i]!);
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
