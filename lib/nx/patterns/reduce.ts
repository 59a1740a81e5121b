/**
 * Reductions by patterns: the axes that a pattern leaves out.
 */
import { ArgumentError, didYouMean, show } from "../../core/errors";
import { Tensor, type Operand } from "../../tensor";
import { all, any, product, reduceMax, reduceMin, sum } from "../aggregates/reductions";
import { mean } from "../aggregates/statistics";
import { laidOut } from "./layout";

const REDUCTIONS = { sum, mean, max: reduceMax, min: reduceMin, prod: product, product, any, all };

/** How `Nx.reduce` reduces the axes that a pattern leaves out: by name, or by a function of a tensor and the positions of the axes. */
export type PatternReduction = keyof typeof REDUCTIONS | ((tensor: Tensor, axes: readonly number[]) => Tensor);

/** The tensor laid out as a pattern says, without the axes that it leaves out. */
export function reducedBy(
  fn: string,
  tensor: Operand,
  pattern: string,
  how: unknown,
  sizes: object | undefined,
): Tensor {
  const reduce = reductionOf(fn, how);
  return laidOut(fn, "reduce", tensor, pattern, sizes, (t, axes) => {
    const result: unknown = reduce(t, axes);
    const rank = t.shape.length - axes.length;
    if (result instanceof Tensor && result.shape.length === rank) return result;
    throw new ArgumentError(
      `the function given to ${fn} must reduce the axes ${show(axes)} of a tensor of rank ${t.shape.length}, got: ` +
        `${result instanceof Tensor ? `a tensor of shape ${show(result.shape)}` : show(result)}`,
    );
  });
}

function reductionOf(fn: string, how: unknown): (tensor: Tensor, axes: readonly number[]) => unknown {
  if (typeof how === "function") return how as (tensor: Tensor, axes: readonly number[]) => unknown;
  const words = Object.keys(REDUCTIONS);
  if (typeof how === "string" && words.includes(how)) {
    const reduction = REDUCTIONS[how as keyof typeof REDUCTIONS] as (t: Tensor, options: object) => Tensor;
    return (tensor, axes) => reduction(tensor, { axes });
  }
  const hint = typeof how === "string" ? didYouMean(how, words) : "";
  throw new ArgumentError(
    `${fn} by a pattern expects one of ${words.map(show).join(", ")} or a function of a tensor and axes, got: ${show(how)}${hint}`,
  );
}
