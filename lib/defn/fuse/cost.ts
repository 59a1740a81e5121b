/**
 * What it costs to keep a value in memory for other kernels, and what it costs to compute it again in each of them. The numbers
 * are nanoseconds on one core of an ordinary machine, to be compared with each other only: vector code of four lanes for the
 * values, memory beyond the caches for the bytes. They need not be exact, since the two costs seldom are close.
 */
import { sizeOf } from "../../core/shape";
import { bytesOf } from "../../core/types";
import type { Node } from "../graph";
import { weightOf } from "./lower";

/** A value of the kernel language of 32 bits, for one element. */
const VALUE_COST = 0.03;
/** A byte written to memory or read from it. */
const BYTE_COST = 0.05;
/** The cost of an element that is picked singly, by strides. */
const GATHER_COST = 0.6;

/** Computing a node for one element. */
function opCost(node: Node): number {
  if (node.kind === "reshape") return 0;
  const values = Math.max(1, (weightOf(node) ?? 0) - node.inputs.length);
  const lanes = Math.max(1, ...[node, ...node.inputs].map(({ out }) => bytesOf(out.type) / 4));
  return values * VALUE_COST * lanes;
}

/** Moving elements of a tensor once: so many, but each at most once. */
const moveCost = ({ out }: Node, elements = Infinity): number =>
  Math.min(elements, sizeOf(out.shape)) * bytesOf(out.type) * BYTE_COST;

/** A kernel that reads a value, itself or through one view: for how many elements, */
export interface Reading {
  readonly elements: number;
  /** which tensors it would read only to compute the value itself, */
  readonly reads: readonly Node[];
  /** and how many operands it would pick by strides, beyond the one that is picked so when the value itself is read. */
  readonly gathered: number;
}

/** Keeping a value in memory: it is written once, and read by each kernel. */
export const storeCost = (node: Node, readings: readonly Reading[]): number =>
  readings.reduce((sum, { elements }) => sum + moveCost(node, elements), moveCost(node));

/** Computing a value, made by these nodes, again wherever it is read. */
export function recomputeCost(nodes: readonly Node[], readings: readonly Reading[]): number {
  const each = nodes.reduce((sum, node) => sum + opCost(node), 0);
  return readings.reduce((sum, { elements, reads, gathered }) => {
    const moved = reads.reduce((all, node) => all + moveCost(node, elements), 0);
    return sum + elements * (each + gathered * GATHER_COST) + moved;
  }, 0);
}
