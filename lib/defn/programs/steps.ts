/**
 * Single nodes as steps of programs: an element-wise node as a nest of its own, a node that moves elements about as a copy through
 * a view.
 */
import type { Nest, NestOperand, View } from "../../backend";
import { sizeOf, type Shape } from "../../core/shape";
import { is64Bit, isUnsigned } from "../../core/types";
import { refusing } from "../../kernel/lower/refused";
import { binaryKernel } from "../../kernel/lower/single";
import { mapNest } from "../../kernel/nest";
import { kernelOf, type ScriptRef } from "../../kernel/script";
import type { Refused } from "../../program";
import { builtIn, constantRef, scriptOpOf, weightOf } from "../fuse/lower";
import { operandOf } from "../fuse/nest";
import { aligned, isViewNode, viewOf, whole } from "../fuse/views";
import type { Node, PrimitiveNode } from "../graph";

/** A nest, which inputs of its node it reads, and what of these is refused. */
interface ElementNest {
  readonly nest: Nest;
  readonly reads: readonly number[];
  readonly refuses?: Refused;
}

/** The nest of an element-wise node, or of a constant; null for other nodes. */
export function elementNest(node: Node): ElementNest | null {
  if (node.kind === "constant") return builtIn(node) && nestOf(node, [], constantRef(node));
  if (weightOf(node) === null) return node.kind === "binary" ? refusingNest(node) : null;
  const reads: number[] = [];
  const operands = node.inputs.map((input, i): ScriptRef => {
    const constant = builtIn(input);
    if (constant) return constantRef(constant);
    const known = reads.findIndex((read) => node.inputs[read] === input);
    return { kind: "input", index: known >= 0 ? known : reads.push(i) - 1 };
  });
  return nestOf(node, reads, { kind: "op", index: 0 }, operands);
}

/** The nest of an op of integers that refuses some second operands, for such as it takes; null for other ops. */
function refusingNest(node: PrimitiveNode<"binary">): ElementNest | null {
  const { op } = node.attrs;
  const { type, shape } = node.out;
  const what = refusing(op, type);
  const read = node.inputs.map((input) => operandIn(input, shape));
  const [x, y] = read.map(({ type: own, space }) => ({ type: own, uniform: space === "one" }));
  const keyed = what && binaryKernel(op, x!, y!, type, true);
  if (!keyed) return null;
  const isFine = what === "count" && isUnsigned(y!.type) && !is64Bit(y!.type);
  const refuses = { input: 1, what: what === "divisor" ? "zero" : "negative" } as const;
  return { nest: mapNest(keyed.kernel, read, sizeOf(shape)), reads: [0, 1], ...(isFine ? {} : { refuses }) };
}

/** A whole tensor as an operand of an op over a shape. */
const operandIn = (input: Node, shape: Shape): NestOperand => operandOf(aligned(whole(input), shape));

function nestOf(
  node: Node,
  reads: readonly number[],
  output: ScriptRef,
  operands: readonly ScriptRef[] = [],
): ElementNest {
  const read = reads.map((i) => operandIn(node.inputs[i]!, node.out.shape));
  const inputs = read.map(({ type, space }) => ({ type, uniform: space === "one" }));
  const ops = output.kind === "op" ? [scriptOpOf(node, operands)] : [];
  const kernel = kernelOf({ inputs, ops, outputs: [output] });
  return { nest: mapNest(kernel, read, sizeOf(node.out.shape)), reads };
}

/** The view through which a node shows the elements of its input; null where it does more, or other things. */
export const viewThrough = (node: Node): View | null =>
  isViewNode(node) ? viewOf(node, (other) => other !== node).view : null;
