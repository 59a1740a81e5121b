/**
 * Reductions over axes in WebAssembly, bit for bit those of the binary backend. Reduced axes that are neighbours are one
 * fold; where kept axes lie between them, the last group is folded first and the next one folds its unrounded results.
 * Products of complex numbers and small work are left to the loops of `binary`.
 */
import type { PrimitiveFunction, Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { stagesOf, type Stage } from "../../../core/stages";
import { isComplex, isFloat, isInteger, toReal, type DType } from "../../../core/types";
import type { ReduceOp } from "../../../ops";
import type { Elements } from "../../arrays/storage";
import { arrays } from "../arrays";
import { plain } from "../plain";
import { residentElements } from "../resident";
import { REDUCTIONS } from "../../../kernel/recurrence";
import { reduceTo } from "./grid";
import { reducerFor } from "./reducers";
import { REDUCE_FROM } from "../schedule";

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

export const wasmReduceOp: PrimitiveFunction<"reduceOp"> = (out, inputs, attrs) => {
  const { op, axes } = attrs;
  const x = inputs[0]!;
  const complexProduct = op === "product" && isComplex(x.type);
  if (axes.length === 0 || sizeOf(x.shape) < REDUCE_FROM || complexProduct || !suits(op, x.type, out.type)) {
    return plain.reduceOp(out, inputs, attrs);
  }
  // Parts of complex numbers add up on their own.
  const parts = op === "sum" && isComplex(x.type) ? 2 : 1;
  const types = { type: parts === 2 ? toReal(x.type) : x.type, out: parts === 2 ? toReal(out.type) : out.type };
  return arrays.hold(foldStages(op, types.type, types.out, residentElements(x), stagesOf(x.shape, axes), parts));
};

function foldStages(
  op: ReduceOp,
  type: DType,
  out: Template["type"],
  source: Elements,
  stages: readonly Stage[],
  parts: 1 | 2,
): Elements {
  let [elements, held] = [source, type];
  stages.forEach(({ before, size, after }, i) => {
    const to = i === stages.length - 1 ? out : REDUCTIONS[op](held)!.work;
    const grid = { groups: before, rows: size, columns: after * parts };
    elements = reduceTo(to, reducerFor(op, held, grid, to)!, elements, grid);
    held = to;
  });
  return elements;
}
