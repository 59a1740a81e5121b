/**
 * Leaving a trace for what is known already.
 */
import { runTracing } from "../backends/registry";
import { ofProgram } from "../core/entry";
import { ArgumentError, show } from "../core/errors";

/**
 * Runs a function outside of the trace that may be running: what it computes is computed now, and is a constant in what is compiled.
 *
 * Inside `defn` everything is recorded, what is computed of constants as well, so that no number can be read from it. Shapes, windows and
 * tables that a function computes with tensors, and then decides by, are made in here. What is given to a traced function has no elements, and
 * belongs to the trace: computing anything of it here is an error. Outside of a trace, the function is just called.
 *
 * @param fn - a function without arguments
 * @returns what the function returns
 * @throws ArgumentError for something else than a function
 * @example
 * ```ts
 * const smooth = Nx.defn((t: Nx.Tensor) => {
 *   const weights = Nx.Defn.untraced(() => Nx.iota([3], { names: ["x"] }).add(1));
 *   const total = Nx.toNumber(Nx.Defn.untraced(() => weights.sum()));
 *   return t.multiply(weights).divide(total);
 * });
 * smooth(Nx.f32([6, 3, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.0, 1.0, 1.0]
 * // >
 * ```
 * @example
 * ```ts
 * const reading = Nx.defn((t: Nx.Tensor) => t.multiply(Nx.Defn.untraced(() => Nx.toNumber(t.sum()))));
 * reading(Nx.f32([1, 2]));
 * // throws DefnError: a traced tensor of the function given to Nx.defn was used in Nx.sum after its trace had ended
 * Nx.Defn.untraced(Nx.f32(1) as never);
 * // throws ArgumentError: Nx.Defn.untraced expects a function without arguments, got: a tensor f32[]
 * ```
 */
export function untraced<R>(fn: () => R): R {
  if (typeof fn !== "function") {
    throw new ArgumentError(`Nx.Defn.untraced expects a function without arguments, got: ${show(fn)}`);
  }
  return runTracing(null, () => ofProgram(fn));
}
