/** What the rules of control flow share: operands, their cotangents, and going back through one of its functions. */
import type { Template } from "../../backend";
import { unnamed } from "../../core/names";
import { template } from "../../nx/dispatch";
import { add } from "../../nx/elementwise";
import type { Tensor } from "../../tensor";
import { instantiate, type ControlKind, type Graph, type Node } from "../graph";
import { cotangentType, zeros } from "./core";

interface Seed {
  readonly node: Node;
  readonly g: Tensor;
}

export type Backward = (seeds: readonly Seed[], wanted: readonly Node[]) => Tensor[];
export type Gs = readonly (Tensor | undefined)[];
export type Control = Extract<Node, { kind: ControlKind }>;
export type Kind<K extends ControlKind> = Extract<Node, { kind: K }>;

/** The cotangent of a result, or zeros where no cotangent arrived. */
export const filled = (node: Control, gs: Gs, i: number): Tensor => {
  const { type, shape } = node.outs[i]!;
  return gs[i] ?? zeros(cotangentType(type), shape);
};

/** The positions from `start` on that are marked, counted from there. */
export const marked = (flags: readonly boolean[], start: number, end: number): number[] =>
  flags.slice(start, end).flatMap((flag, i) => (flag ? [i] : []));

/** A list of a given length with values at some of its places. */
export function placed<T>(length: number, places: readonly number[], values: readonly T[]): (T | undefined)[] {
  const list = new Array<T | undefined>(length).fill(undefined);
  places.forEach((place, i) => (list[place] = values[i]));
  return list;
}

/** The operands of a node of control flow, and what its functions read of their surroundings. */
export function partsOf(node: Control, graph: Graph): { own: readonly Node[]; free: readonly Node[] } {
  const operands = node.inputs.length - graph.free;
  return { own: node.inputs.slice(0, operands), free: node.inputs.slice(operands) };
}

export const cotangentTemplate = ({ out: { type, shape } }: Node): Template =>
  template(cotangentType(type), shape, unnamed(shape.length));

/** Goes back through a function at given arguments. */
export function backThrough(
  graph: Graph,
  args: readonly Node[],
  gs: Gs,
  wanted: readonly Node[],
  back: Backward,
): Tensor[] {
  const seeds = instantiate(graph, args).flatMap((node, i) => (gs[i] ? [{ node, g: gs[i] }] : []));
  return back(seeds, wanted);
}

/** Goes back through a function to the marked ones of its arguments; the others have no cotangent. */
export function backToMarked(
  graph: Graph,
  args: readonly Node[],
  gs: Gs,
  flags: readonly boolean[],
  back: Backward,
): (Tensor | undefined)[] {
  const places = marked(flags, 0, flags.length);
  const wanted = places.map((i) => args[i]!);
  return placed(args.length, places, backThrough(graph, args, gs, wanted, back));
}

/** Sums up cotangents by node. */
export function collect(pairs: readonly (readonly [Node, Tensor])[]): Map<Node, Tensor> {
  const sums = new Map<Node, Tensor>();
  for (const [node, g] of pairs) sums.set(node, sums.has(node) ? add(sums.get(node)!, g) : g);
  return sums;
}

export const zerosFor = ({ out }: Node): Tensor => zeros(cotangentType(out.type), out.shape);
