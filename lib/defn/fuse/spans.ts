/**
 * Which nodes are computed from which, as far as the order of a graph shows it: a node comes after the nodes that it was met before, and
 * what lies between is computed for it. So most searches for a way between two nodes need not be made.
 */
import type { Node } from "../graph";

/** Of each node in an order of a graph the position from which on it needs all nodes before it. */
export function spansOf(order: readonly Node[], positionOf: ReadonlyMap<Node, number>): readonly number[] {
  const firsts: number[] = [];
  /** The last nodes of spans that follow each other. */
  const ends: number[] = [];
  /** The last reader of each so far. */
  const readBy: number[] = [];
  order.forEach(({ inputs }, position) => {
    for (const input of inputs) readBy[positionOf.get(input)!] = position;
    let first = position;
    while (ends.length > 0 && readBy[ends[ends.length - 1]!] === position) first = firsts[ends.pop()!]!;
    firsts.push(first);
    ends.push(position);
  });
  return firsts;
}
