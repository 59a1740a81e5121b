/**
 * Single nodes as steps of programs: an element-wise node as a nest of its own, a node that moves elements about as a copy through
 * a view.
 */
import type { Nest, NestOperand, View } from "../../backend";
import { sizeOf } from "../../core/shape";
import { isBuiltIn, constantBehind, weightOf } from "../fuse/lower";
import { mapNest, operandOf } from "../fuse/nest";
import { kernelOf, type Ref } from "../fuse/script";
import { aligned, isViewNode, viewOf } from "../fuse/views";
import type { Node } from "../graph";

/** A nest, and which inputs of its node it reads. */
interface ElementNest {
  readonly nest: Nest;
  readonly reads: readonly number[];
}

/** The nest of an element-wise node, or of a constant; null for other nodes. */
export function elementNest(node: Node): ElementNest | null {
  if (node.kind === "constant") return isBuiltIn(node) ? nestOf(node, [], { kind: "constant", node }) : null;
  if (weightOf(node) === null) return null;
  const reads: number[] = [];
  const operands = node.inputs.map((input, i): Ref => {
    if (isBuiltIn(input)) return { kind: "constant", node: constantBehind(input)! };
    const known = reads.findIndex((read) => node.inputs[read] === input);
    return { kind: "input", index: known >= 0 ? known : reads.push(i) - 1 };
  });
  return nestOf(node, reads, { kind: "op", index: 0 }, operands);
}

function nestOf(node: Node, reads: readonly number[], output: Ref, operands: readonly Ref[] = []): ElementNest {
  const read = reads.map((i): NestOperand => {
    const input = node.inputs[i]!;
    return operandOf(
      aligned(
        viewOf(input, () => true),
        node.out.shape,
      ),
    );
  });
  const inputs = read.map(({ type, space }) => ({ type, uniform: space === "one" }));
  const ops = output.kind === "op" ? [{ node, operands }] : [];
  const kernel = kernelOf({ inputs, ops, outputs: [output] });
  return { nest: mapNest(kernel, read, sizeOf(node.out.shape)), reads };
}

/** The view through which a node shows the elements of its input; null where it does more, or other things. */
export const viewThrough = (node: Node): View | null =>
  isViewNode(node) ? viewOf(node, (other) => other !== node).view : null;
