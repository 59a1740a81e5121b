/**
 * Reductions over axes, positions of extremes and running reductions in WebAssembly, bit for bit those of the binary backend. Reduced
 * axes that are neighbours are one fold; where kept axes lie between them, the last group is folded first and the next one folds its
 * unrounded results. Products of complex numbers, complex numbers that would need an order and small work are left to the loops of
 * `binary`.
 */
import type { PrimitiveFunction, Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { stagesOf } from "../../../core/stages";
import { isComplex, isFloat, isInteger, toReal, type DType } from "../../../core/types";
import type { ReduceOp } from "../../../ops";
import { elementsAs } from "../../arrays/operands";
import { gridOf } from "../../binary/arg-reduce";
import type { Grid } from "../../binary/fold";
import { arrays } from "../arrays";
import { plain } from "../plain";
import { residentElements } from "../resident";
import { REDUCTIONS } from "../../../kernel/recurrence";
import { reduceTo } from "./grid";
import { reducerFor, scannerFor, searcherFor } from "./reducers";
import { ARG_REDUCE_FROM, REDUCE_FROM, SCAN_FROM } from "../schedule";

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

/** One fold of a reduction: from elements of a type to those of another one. */
export interface Fold {
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
  const isLarge = axes.length > 0 && sizeOf(x.shape) >= REDUCE_FROM;
  const folds = isLarge ? foldsOf(op, x, out.type, axes) : null;
  if (!folds) return plain.reduceOp(out, inputs, attrs);
  let elements = residentElements(x);
  for (const { from, to, grid } of folds) elements = reduceTo(to, reducerFor(op, from, grid, to)!, elements, grid);
  return arrays.hold(elements);
};

export const wasmArgReduce: PrimitiveFunction<"argReduce"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const grid = gridOf(x.shape, attrs.axis);
  const suits = !isComplex(x.type) && isInteger(out.type) && sizeOf(x.shape) >= ARG_REDUCE_FROM;
  const searcher = suits ? searcherFor(x.type, attrs, grid, out.type) : null;
  if (!searcher) return plain.argReduce(out, inputs, attrs);
  return arrays.hold(reduceTo(out.type, searcher, residentElements(x), grid));
};

export const wasmCumulative: PrimitiveFunction<"cumulative"> = (out, inputs, attrs) => {
  const { type, shape } = out;
  if (isComplex(type) || sizeOf(shape) < SCAN_FROM) return plain.cumulative(out, inputs, attrs);
  const source = elementsAs(type, inputs[0]!);
  const grid = gridOf(shape, attrs.axis);
  if (grid.rows > 1) return arrays.hold(reduceTo(type, scannerFor(attrs.op, type, grid, attrs.reverse)!, source, grid));
  const target = arrays.unset(type, shape);
  target.set(source as never);
  return arrays.hold(target);
};
