/**
 * How a contraction reads its operands: views are looked through, and so is a kernel that nothing else reads, where the contraction
 * had better compute it: a conversion, and what gives a large matrix whose rows are multiplied with a vector, which reads each element once.
 */
import type { ContractionOperand } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { isComplex } from "../../../core/types";
import { isAlongRows, MADE_ONCE_FROM } from "../../../kernel/nest";
import type { Node } from "../../graph";
import type { Units } from "../rows/units";
import { isWhole, viewOf, type Viewed } from "../views";
import { depthOf, isKernel, type Contraction, type KernelUnit } from "./grow";

export interface Prologue {
  /** The inputs that the operand is made of. */
  readonly bases: readonly Node[];
  readonly operand: ContractionOperand;
  /** Whether the contraction takes over the work of another node. */
  readonly gains: boolean;
}

/** One of the operands of a contraction. */
export function prologueOf(input: Node, reader: Contraction, units: Units): Prologue {
  const viewed = viewOf(input);
  const { base, view } = viewed;
  const unit = units.of(base);
  if (isKernel(unit) && isReadBy(reader, input, base, units)) {
    const { kernel, reads } = unit.work;
    const [read, ...others] = reads as readonly [Viewed, ...Viewed[]];
    const isOfOne = others.length === 0 && isWhole(read);
    if (
      base.kind === "asType" ||
      (isMadeOnce(base, unit, reader, reader.inputs.indexOf(input)) && (isOfOne || isWhole(viewed)))
    ) {
      const views = isOfOne ? [view] : reads.map((each) => each.view);
      return { bases: reads.map((each) => each.base), operand: { out: input.out, views, kernel }, gains: true };
    }
  }
  return { bases: [base], operand: { out: input.out, views: [view], kernel: null }, gains: !isWhole(viewed) };
}

/** Whether a kernel gives a large matrix, of which a product reads each element once. */
function isMadeOnce(
  { out: { type, shape } }: Node,
  { results }: KernelUnit,
  product: Contraction,
  at: number,
): boolean {
  const { kind, out, inputs } = product;
  if (kind !== "dot" || inputs[0] === inputs[1] || results.length !== 1 || isComplex(type)) return false;
  const size = sizeOf(shape);
  const isOnce = size >= MADE_ONCE_FROM && sizeOf(out.shape) * depthOf(product) === size;
  return isOnce && isAlongRows(inputs[at]!.out.shape, product.attrs.contract[at]!);
}

/** Whether nothing but the reader needs what is on the way from `base` to `input`. */
function isReadBy(reader: Node, input: Node, base: Node, units: Units): boolean {
  let next = reader;
  for (let node = input; ; node = node.inputs[0]!) {
    const readers = units.readers(node);
    if (units.isRoot(node) || readers.length !== 1 || readers[0] !== next) return false;
    if (node === base) return true;
    next = node;
  }
}
