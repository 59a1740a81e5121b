/** For the tests of row programs: functions that become one, and their results on every way to compute them. */
import * as Nx from "nx-numerics";
import type { Backend, DType, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { wasmBackend } from "../../../lib/backends/wasm";
import type { Nest } from "../../../lib/backend";
import type { Graph } from "../../../lib/defn/graph";
import { NORMALIZE, runPasses } from "../../../lib/defn/passes";
import { fuse, rows } from "../../../lib/defn/passes/fusions";
import { trace } from "../../../lib/defn/trace";
import { awkward, differences, kernelsOf } from "./support";
import { arrayOf } from "../../array-of";

export type Fn = (...args: Tensor[]) => Tensor | readonly Tensor[];
type Axes = readonly (number | string)[];

export const softmax = (x: Tensor, axes: Axes = [-1]): Tensor => {
  const powers = x.subtract(x.reduceMax({ axes, keepAxes: true })).exp();
  return powers.divide(powers.sum({ axes, keepAxes: true }));
};

export const logSoftmax = (x: Tensor, axes: Axes = [-1]): Tensor => {
  const shifted = x.subtract(x.reduceMax({ axes, keepAxes: true }));
  return shifted.subtract(shifted.exp().sum({ axes, keepAxes: true }).log());
};

export const layerNorm = (x: Tensor, scale: Tensor, shift: Tensor): Tensor => {
  const centred = x.subtract(x.mean({ axes: [-1], keepAxes: true }));
  const spread = centred.multiply(centred).mean({ axes: [-1], keepAxes: true });
  return centred.multiply(spread.add(1e-5).rsqrt()).multiply(scale).add(shift);
};

/** The graph of a function after all passes. */
export const rowsGraph = (fn: Fn, ...args: readonly Tensor[]): Graph =>
  runPasses(trace(fn as never, args, new Set()).graph, [...NORMALIZE, fuse, rows]);

/** The row programs of a graph. */
export const programsIn = (graph: Graph): Nest[] =>
  kernelsOf(graph).flatMap(({ attrs: { nest } }) => (nest.kind === "fold" ? [nest] : []));

/** Tensors of middling numbers, or of those that ask for trouble. */
export function tensorsOf(
  backend: Backend,
  shapes: readonly (readonly number[])[],
  types: readonly DType[],
  kind: "plain" | "awkward" = "plain",
): Tensor[] {
  return shapes.map((shape, i) => {
    const type = types[i % types.length]!;
    if (kind === "awkward") return awkward(backend, type, shape, 7 * i + shape.length);
    const size = shape.reduce((a, b) => a * b, 1);
    const numbers = arrayOf(Float64Array, size, (j) => 5 * Math.sin(0.37 * j + i) + (j % 7) - 3);
    const tensor = Nx.withDefaultBackend(backend, () =>
      Nx.tensor(numbers)
        .asType(type)
        .reshape([...shape]),
    );
    return tensor;
  });
}

const listed = (made: Tensor | readonly Tensor[]): readonly Tensor[] => (Array.isArray(made) ? made : [made as Tensor]);

/** Where ways to compute a function differ from calling it on the binary backend, if they do. */
export function disagreement(fn: Fn, argsOn: (backend: Backend) => readonly Tensor[]): string | null {
  const reference = Nx.withDefaultBackend(binaryBackend, () => listed(fn(...argsOn(binaryBackend))));
  for (const backend of [binaryBackend, wasmBackend]) {
    const args = argsOn(backend);
    const ways = {
      eager: fn,
      evaluator: Nx.defn(fn as never, { compiler: "evaluator" }) as Fn,
      optimizing: Nx.defn(fn as never, { compiler: "optimizing" }) as Fn,
    };
    for (const [name, way] of Object.entries(ways)) {
      const found = Nx.withDefaultBackend(backend, () => differences(listed(way(...args)), reference));
      if (found) return `${name} on ${backend.name}: ${found}`;
    }
  }
  return null;
}
