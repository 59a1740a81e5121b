/**
 * Reductions over axes in WebAssembly, bit for bit those of the binary backend. Reduced axes that are neighbours are one fold; where kept
 * axes lie between them, the last group is folded first and the next one folds its unrounded results. Products of complex numbers,
 * complex numbers that would need an order and small work are left to the loops of `binary`.
 */
import type { Attrs, PrimitiveFunction, Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { stagesOf } from "../../../core/stages";
import { isComplex, isFloat, isInteger, toReal, type DType } from "../../../core/types";
import type { ReduceOp } from "../../../ops";
import type { Reader } from "../../../kernel/operand";
import type { Elements } from "../../arrays/storage";
import type { Grid } from "../../binary/fold";
import { arrays } from "../arrays";
import { plain } from "../plain";
import { residentElements } from "../placement/resident";
import { REDUCTIONS } from "../../../kernel/recurrence";
import { joinedTo, reduceTo, reduceView } from "./grid";
import { reducerFor } from "./reducers";
import { inOrder, StridedView } from "./strided";
import { REDUCE_AGAIN_FROM, REDUCE_FROM } from "../schedule/reductions";
import { isWorthModule } from "../modules/tiering";

/** An array of the memory of kernels as it is seen through strides. */
export interface Viewed extends Pick<Template, "type" | "shape"> {
  readonly reader: Reader;
}

/** Whether results of an op on elements of a type may be stored in another type without more than a rounding or a cut. */
export function suits(op: ReduceOp, type: DType, out: DType): boolean {
  switch (op) {
    case "all":
    case "any":
      return out === "u8";
    case "reduceMax":
    case "reduceMin":
      return out === type;
    case "sum":
      return isComplex(type) ? out === type : isFloat(type) === isFloat(out) && isInteger(type) === isInteger(out);
    case "product":
      return isFloat(type) === isFloat(out) && isInteger(type) === isInteger(out);
    default:
      return op satisfies never;
  }
}

/** A fold of a reduction: the types of its elements and of its results. */
interface Fold {
  readonly from: DType;
  readonly to: DType;
  readonly grid: Grid;
}

/**
 * The folds of a reduction over some axes, one after the other; parts of complex numbers add up on their own. Null for products of these,
 * and where results would need more than a rounding or a cut.
 */
export function foldsOf(
  op: ReduceOp,
  { type, shape }: Pick<Template, "type" | "shape">,
  out: DType,
  axes: readonly number[],
): Fold[] | null {
  if ((op === "product" && isComplex(type)) || !suits(op, type, out)) return null;
  const parts = op === "sum" && isComplex(type) ? 2 : 1;
  const real = (of: DType): DType => (parts === 2 ? toReal(of) : of);
  const stages = stagesOf(shape, axes);
  let from = real(type);
  return stages.map(({ before, size, after }, i) => {
    const to = i === stages.length - 1 ? real(out) : REDUCTIONS[op](from)!.work;
    const fold = { from, to, grid: { groups: before, rows: size, columns: after * parts } };
    from = to;
    return fold;
  });
}

export const wasmReduceOp: PrimitiveFunction<"reduceOp"> = (out, inputs, attrs) => {
  const { op, axes } = attrs;
  const x = inputs[0]!;
  const size = sizeOf(x.shape);
  const isMany = isWorthModule(`reduce ${op} ${x.type}`, size, REDUCE_FROM, REDUCE_AGAIN_FROM);
  const folds = axes.length > 0 && isMany ? foldsOf(op, x, out.type, axes) : null;
  if (!folds) return plain.reduceOp(out, inputs, attrs);
  return arrays.hold(folded(op, residentElements(x), folds, true));
};

/** Elements after some folds. What is made on the way is given back, and what the folds begin with, unless somebody holds it. */
function folded(op: ReduceOp, begin: Elements, folds: readonly Fold[], isHeld: boolean): Elements {
  let elements = begin;
  for (const { from, to, grid } of folds) {
    const made = reduceTo(to, reducerFor(op, from, grid, to)!, elements, inOrder(grid));
    if (elements !== begin || !isHeld) arrays.drop(elements);
    elements = made;
  }
  return elements;
}

/** A reduction of a view where it lies; null where it has to be copied. */
export function reduceSeen(out: Template, seen: Viewed, { op, axes }: Attrs["reduceOp"]): Elements | null {
  const { type, shape, reader } = seen;
  const folds = axes.length === 0 || isComplex(type) ? null : foldsOf(op, seen, out.type, axes);
  if (folds === null || sizeOf(shape) < REDUCE_FROM) return null;
  const [{ to, grid }, ...further] = folds as [Fold, ...Fold[]];
  const made = foldedSeen(op, type, reader, grid, to);
  return made && folded(op, made, further, false);
}

function foldedSeen(op: ReduceOp, type: DType, { elements, access }: Reader, grid: Grid, to: DType): Elements | null {
  const { order, work } = REDUCTIONS[op](type)!;
  const view = new StridedView(access, grid, order === "any");
  const made = reduceView(to, elements, view, ({ grid: own, by }) => reducerFor(op, type, own, to, by));
  const parts = made ? null : view.inParts();
  if (!parts) return made;
  const { strided, count } = parts;
  const reducer = reducerFor(op, type, strided.grid, work, strided.by)!;
  return joinedTo(to, reducer, reduceTo(reducer.entries[0]!, reducer, elements, strided), count);
}
