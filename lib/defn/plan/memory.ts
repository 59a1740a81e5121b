/**
 * Which memory is used again: temporaries and donated arguments are given back where they are read last, and a kernel writes
 * its results over operands that nothing reads any more. Whether an array is shared by several tensors is known only when the
 * plan runs: a backend leaves such an array alone.
 */
import { sizeOf } from "../../core/shape";
import { bytesOf } from "../../core/types";
import { isWhole } from "../fuse/views";
import { callsProgram, functionsOf, isControl, isLeaf, type FusedNode, type Node } from "../graph";

/** For each result of a kernel the input in whose memory it is written, if there is one. */
export type Reuses = readonly (number | null)[];

/** Temporaries of fewer bytes are not worth giving back. */
const RELEASED_FROM = 16_384;

const isLarge = ({ out }: Node): boolean => sizeOf(out.shape) * bytesOf(out.type) >= RELEASED_FROM;

/** Whether a node and those who see its values keep nothing of what it reads and makes: functions of the program may. */
const isPlain = (node: Node): boolean =>
  node.kind === "fused" || (!isLeaf(node) && !isControl(node) && !callsProgram(node) && functionsOf(node).length === 0);

/**
 * Slots of large temporaries and donated arguments that only plain steps make and read. A loop or a branch that reads a node of several
 * results reads each of them, also those that have a slot of their own.
 */
export function ownedSlots(
  order: readonly Node[],
  donated: readonly Node[],
  slot: (node: Node) => number,
): ReadonlySet<number> {
  const kept = new Set(order.flatMap((node) => (node.kind === "element" || isPlain(node) ? [] : node.inputs)));
  const isTemporary = (node: Node): boolean => {
    const made = node.kind === "element" ? node.inputs[0]! : node;
    return !("outs" in node) && isPlain(made) && !kept.has(made);
  };
  const owned = [...donated, ...order.filter(isTemporary)];
  return new Set(owned.filter((node) => isLarge(node) && !kept.has(node)).map(slot));
}

/** Where the results of a kernel are written; null for other nodes, and where all results need memory of their own. */
export function reusesOf(node: Node, reads: readonly number[], releases: readonly number[]): Reuses | null {
  if (node.kind !== "fused" || node.attrs.nest.kind !== "map" || releases.length === 0) return null;
  const taken = new Set<number>();
  const reuses = node.outs.map((out) => {
    const at = node.inputs.findIndex((input, i) => {
      const fits = input.out.type === out.type && !taken.has(i) && releases.includes(reads[i]!);
      return fits && isReadInPlace(node, reads, i);
    });
    if (at >= 0) taken.add(at);
    return at < 0 ? null : at;
  });
  return taken.size > 0 ? reuses : null;
}

/**
 * Whether a kernel reads an input element by element in the order of its results, and in no other way: it reads a block before
 * it writes the same block.
 */
function isReadInPlace({ inputs, outs, attrs: { nest } }: FusedNode, reads: readonly number[], index: number): boolean {
  if (reads.indexOf(reads[index]!) !== reads.lastIndexOf(reads[index]!)) return false;
  const base = inputs[index]!;
  return sizeOf(base.out.shape) === sizeOf(outs[0]!.shape) && isWhole({ base, view: nest.operands[index]!.view });
}
