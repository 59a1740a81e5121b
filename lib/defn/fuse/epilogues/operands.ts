/**
 * How a contraction reads its operands: views are looked through, and a conversion that nothing else reads.
 */
import type { ContractionOperand } from "../../../backend";
import type { Node } from "../../graph";
import type { Units } from "../rows/units";
import { isWhole, viewOf } from "../views";
import { isKernel, type Contraction } from "./grow";

export interface Prologue {
  readonly base: Node;
  readonly operand: ContractionOperand;
  /** Whether the contraction takes over the work of another node. */
  readonly gains: boolean;
}

/** One of the operands of a contraction. */
export function prologueOf(input: Node, reader: Contraction, units: Units, roots: ReadonlySet<Node>): Prologue {
  const viewed = viewOf(input, () => false);
  const { base, view } = viewed;
  const gains = !isWhole(viewed);
  if (base.kind !== "asType" || !isKernel(units.of(base)) || !isReadBy(reader, input, base, units, roots)) {
    return { base, operand: { out: input.out, view, cast: null }, gains };
  }
  return { base: base.inputs[0]!, operand: { out: input.out, view, cast: base.attrs }, gains: true };
}

/** Whether nothing but the reader needs what is on the way from `base` to `input`. */
function isReadBy(reader: Node, input: Node, base: Node, units: Units, roots: ReadonlySet<Node>): boolean {
  let next = reader;
  for (let node = input; ; node = node.inputs[0]!) {
    const readers = units.readers(node);
    if (roots.has(node) || readers.length !== 1 || readers[0] !== next) return false;
    if (node === base) return true;
    next = node;
  }
}
