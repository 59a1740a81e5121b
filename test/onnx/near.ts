/**
 * What the exporter makes of other operators, or in another precision: models round it in another way than the library does.
 */
import type { Defn, DType } from "nx-numerics";

/** Ops without an operator in ONNX, or with one that is not exact enough. */
const MADE: readonly string[] =
  "asinh atan2 cbrt erfInv erfc exp2 expm1 geluTanh hardSigmoid hardSwish log10 log1p log2 logAddExp mish quickGelu rsqrt selu sigmoid silu softplus softsign".split(
    " ",
  );

/** Ops that engines have in `f32` alone. */
const MADE_IN_F64: readonly string[] = "acos acosh asin atan atanh cosh erf gelu sinh tan".split(" ");

/** Primitives whose sums and products are in another order. */
const IN_ANOTHER_ORDER: readonly string[] = ["cumulative", "windowOp", "windowReduce", "windowScatter", "conv", "dot"];

/** Ops whose results lose all digits where they are far from the largest ones. */
export const LOSING: readonly string[] = ["erfc", "gelu", "geluTanh"];

/** Whether an op is made of others for a type. */
export const isMade = (op: string, type: DType): boolean =>
  MADE.includes(op) || (type === "f64" && MADE_IN_F64.includes(op));

/** Whether something in a function is made of others. */
export function isMadeOfOthers({ graph, nodesOf, functionsOf }: Defn.TracedFunction): boolean {
  const within = (each: Defn.Graph): boolean =>
    nodesOf(each).some((node) => {
      if ((node.kind === "unary" || node.kind === "binary") && isMade(node.attrs.op, node.out.type)) return true;
      return IN_ANOTHER_ORDER.includes(node.kind) || functionsOf(node).some(within);
    });
  return within(graph);
}
