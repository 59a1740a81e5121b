/**
 * Which kernel a contraction takes along as its epilogue: one over the elements of its result, all of whose other operands
 * can be had before the contraction runs.
 */
import { sizeOf } from "../../../core/shape";
import type { Node, PrimitiveNode } from "../../graph";
import type { Unit, Units } from "../rows/units";
import { isWhole } from "../views";

export type Contraction = PrimitiveNode<"dot"> | PrimitiveNode<"conv">;

export interface KernelUnit extends Unit {
  readonly work: Extract<Unit["work"], { kind: "kernel" }>;
}

/** Products of fewer elements take less time than what is around them. */
const MIN_PRODUCTS = 2 ** 12;
/** Edges followed to see whether an operand of a kernel needs the contraction. */
const MAX_SEARCH = 2000;

export const isKernel = (unit: Unit): unit is KernelUnit => unit.work.kind === "kernel";

/** Whether a node is a contraction that is worth fusing with others. */
export function isContraction(node: Node): node is Contraction {
  if (node.kind !== "dot" && node.kind !== "conv") return false;
  return sizeOf(node.out.shape) * depthOf(node) >= MIN_PRODUCTS;
}

/** Products that each element of the result is a sum of. */
export function depthOf({ kind, attrs, inputs }: Contraction): number {
  const shape = inputs[kind === "dot" ? 0 : 1]!.out.shape;
  return kind === "dot" ? attrs.contract[0].reduce((size, axis) => size * shape[axis]!, 1) : sizeOf(shape.slice(1));
}

/** The kernel that a contraction takes along, if there is one. */
export function epilogueOf(node: Contraction, units: Units): KernelUnit | null {
  const direct = throughReshapes(node, units);
  const readers = direct.flatMap((read) => units.readers(read)).map((reader) => units.of(reader));
  return [...new Set(readers)].find((unit): unit is KernelUnit => suits(node, unit, direct, units)) ?? null;
}

/** A node and the reshapes of it. */
function throughReshapes(node: Node, units: Units): Node[] {
  const reshapes = units.readers(node).filter(({ kind }) => kind === "reshape");
  return [node, ...reshapes.flatMap((reshape) => throughReshapes(reshape, units))];
}

function suits(node: Contraction, unit: Unit, direct: readonly Node[], units: Units): boolean {
  if (!isKernel(unit) || unit.work.size !== sizeOf(node.out.shape)) return false;
  const own = unit.work.reads.filter(({ base }) => base === node);
  return own.length > 0 && own.every(isWhole) && !needsOtherwise(unit, direct, units);
}

/** Whether a unit needs what others make of some nodes. */
function needsOtherwise(unit: Unit, direct: readonly Node[], units: Units): boolean {
  const known = new Set<Node>(direct);
  const isElsewhere = (reader: Node): boolean => !known.has(reader) && units.of(reader) !== unit;
  const stack = direct.flatMap((node) => units.readers(node)).filter(isElsewhere);
  let left = MAX_SEARCH;
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (known.has(node)) continue;
    const { nodes, position } = units.of(node);
    if (position > unit.position) continue;
    for (const each of nodes) {
      known.add(each);
      for (const reader of units.readers(each)) {
        if (units.of(reader) === unit || --left < 0) return true;
        stack.push(reader);
      }
    }
  }
  return false;
}
