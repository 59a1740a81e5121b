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
import { residentElements } from "../resident";
import { REDUCTIONS } from "../../../kernel/recurrence";
import { joinedTo, reduceTo } from "./grid";
import { reducerFor } from "./reducers";
import { inOrder, StridedView } from "./strided";
import { REDUCE_AGAIN_FROM, REDUCE_FROM } from "../schedule/reductions";
import { isWorthModule } from "../tiering";

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
  let elements = residentElements(x);
  for (const { from, to, grid } of folds) {
    elements = reduceTo(to, reducerFor(op, from, grid, to)!, elements, inOrder(grid));
  }
  return arrays.hold(elements);
};

/** A reduction of a view where it lies; null where it has to be copied. */
export function reduceSeen(out: Template, seen: Viewed, { op, axes }: Attrs["reduceOp"]): Elements | null {
  const { type, shape, reader } = seen;
  const folds = axes.length === 0 || isComplex(type) ? null : foldsOf(op, seen, out.type, axes);
  if (folds?.length !== 1 || sizeOf(shape) < REDUCE_FROM) return null;
  const { elements, access } = reader;
  const view = new StridedView(access, folds[0]!.grid);
  const strided = view.inPlace();
  if (strided) return reduceTo(out.type, reducerFor(op, type, strided.grid, out.type, strided.by)!, elements, strided);
  const parts = view.inParts();
  if (!parts) return null;
  const { grid, by } = parts.strided;
  const reducer = reducerFor(op, type, grid, REDUCTIONS[op](type)!.work, by)!;
  return joinedTo(out.type, reducer, reduceTo(reducer.entries[0]!, reducer, elements, parts.strided), parts.count);
}
