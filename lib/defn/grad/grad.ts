/**
 * The gradient transforms: they trace the function on fresh variables, go back from the result and trace that as well.
 */
import { DefnError, show } from "../../core/errors";
import { booleanOption } from "../../core/options";
import type { Tensor } from "../../tensor";
import { jitFor } from "../defn";
import { nodeOf } from "../expr";
import { givenTo } from "../scope";
import type { Tensors } from "../trace";
import { innerOf } from "../wrapping";
import { backward } from "./backward";
import {
  checkFunction,
  checkTransform,
  ones,
  onVariables,
  presentedLike,
  refill,
  resultOf,
  type AnyFunction,
} from "./variables";

/** The result of a differentiated function: the function's own result and a gradient for each variable. */
interface Differentiated {
  readonly value: Tensor;
  readonly aux: unknown;
  readonly gradients: readonly Tensor[];
}

/** Value and gradients of the variables of the first argument, in order; within a trace. */
export function differentiate(
  fn: AnyFunction,
  args: readonly unknown[],
  name: string,
  hasAux: boolean,
): Differentiated {
  const { variables, results, returned } = onVariables(args[0], name, (arg) => {
    const all = fn(...([arg, ...args.slice(1)] as never[]));
    const [result, aux] = hasAux ? splitAux(all, name) : [all, undefined];
    return { results: [resultOf(result, name)], returned: aux };
  });
  const [value] = results as [Tensor];
  const gs = backward([{ node: nodeOf(innerOf(value)), g: ones(innerOf(value)) }], variables.nodes);
  return { value, aux: returned, gradients: gs.map((g, i) => presentedLike(g, variables.leaves[i]!)) };
}

function splitAux(returned: unknown, name: string): readonly [unknown, unknown] {
  if (Array.isArray(returned) && returned.length === 2) return [returned[0], returned[1]];
  throw new DefnError(`${name} with hasAux expects a function that returns [result, others], got: ${show(returned)}`);
}

/**
 * The gradient of a function with respect to its first argument, which may be a container of tensors.
 *
 * Reverse mode: one pass back over the traced function, whatever the number of variables. **A result that is not a scalar is
 * differentiated as the sum of its elements**; `Nx.Defn.jacobian` gives the derivatives of each. Of a complex variable z = x + iy it
 * is dL/dx - i dL/dy, so that the gradient of a holomorphic function is its derivative. To differentiate by another argument, put
 * it first: `grad((b, a) => fn(a, b))`; to differentiate by several, give them as one container.
 *
 * Where a function has a kink one slope is chosen, the same on every backend: that of `abs` at 0 is 1, those of `relu`, `floor`,
 * `round` and `sign` at 0 are 0, as are those of `clip`, `clamp` and `relu6` at their bounds and of `LinAlg.norm` at 0; equal operands of
 * `max` and `min` get half each, equal maxima of `reduceMax` their share, those of windows and running maxima give all to the last.
 * Where the slope is infinite so is the gradient (`sqrt`, `cbrt` and `log` at 0), and NaN where an infinite slope is multiplied by
 * 0: `select(x.greater(0), x.sqrt(), 0)` at 0, `standardDeviation` of equal elements. Choose the operand first, as in
 * `select(positive, x, 1).sqrt()`. Rounding to an integer type has slope 1.
 *
 * The function returned keeps its traces, as those of `defn` do: made inside a loop, `grad(fn)` is traced again each time.
 *
 * Plain numbers are weak and keep their digits, the one differentiated with respect to included; its gradient has the type of a
 * tensor of that number.
 *
 * @param fn - a function of tensors that returns one tensor or number
 * @returns a function with the same parameters that returns the gradient: a container like the first argument, each
 *   tensor with the shape and names of the variable and its type, `f32` for integers
 * @throws DefnError where the function returns something else, or uses what has no gradient
 * @throws ArgumentError where the first argument holds no tensor, and for options such as `argnums`: there are none
 * @example
 * ```ts
 * const loss = (w: Nx.Tensor) => w.multiply(w).sum();
 * Nx.Defn.grad(loss)(Nx.tensor([1, 2.5], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [2.0, 5.0]
 * // >
 * Nx.Defn.grad(Nx.Defn.grad((x: Nx.Operand) => Nx.pow(x, 3)))(2);
 * // => #Nx.Tensor<
 * //   f32
 * //   12.0
 * // >
 * ```
 * @example
 * ```ts
 * const model = (p: { a: Nx.Tensor; b: Nx.Tensor }, x: Nx.Tensor) => x.multiply(p.a).add(p.b).mean();
 * Nx.Defn.grad(model)({ a: Nx.f32(2), b: Nx.f32(1) }, Nx.f32([1, 3])).a;
 * // => #Nx.Tensor<
 * //   f32
 * //   2.0
 * // >
 * Nx.Defn.grad((x: Nx.Tensor) => [x, x])(Nx.f32(1));
 * // throws DefnError: Nx.Defn.grad expects a function that returns one tensor or number
 * ```
 * @example
 * Slopes at kinks:
 * ```ts
 * const slopes = [Nx.abs, Nx.relu, Nx.sqrt, (x: Nx.Tensor) => Nx.max(x, 0), (x: Nx.Tensor) => Nx.clip(x, 0, 1)];
 * slopes.map((fn) => Nx.grad((x: Nx.Tensor) => fn(x))(Nx.f32(0)).toNumber());
 * // => [1, 0, Infinity, 0.5, 0]
 * ```
 */
export function grad<A extends readonly unknown[]>(fn: (...args: A) => unknown): (...args: A) => Tensors<A[0]>;
export function grad(fn: AnyFunction, options?: unknown): AnyFunction {
  checkFunction(fn, "Nx.Defn.grad");
  checkTransform("Nx.Defn.grad", options, []);
  const owner = givenTo(
    "Nx.Defn.grad",
    fn,
    "return it besides the result with Nx.Defn.valueAndGrad and { hasAux: true }",
  );
  const gradients = jitFor(owner, (...args: unknown[]) => differentiate(fn, args, owner.api, false).gradients);
  return (...args: unknown[]) => refill(args[0], gradients(...args));
}

/**
 * The value of a function and its {@link grad} in one pass: a value that is no scalar is differentiated as the sum of its elements
 * (`Nx.Defn.jacobian` gives the derivatives of each), and kinks are as there.
 *
 * @param fn - a function of tensors that returns one tensor or number; with `hasAux` a pair of that and any container
 * @param options - `hasAux`: the function returns `[result, others]`, of which only the result is differentiated
 * @returns a function with the same parameters that returns `[value, gradient]`, with `hasAux` `[[value, others], gradient]`
 * @throws DefnError where the function returns something else, or uses what has no gradient
 * @throws ArgumentError where the first argument holds no tensor
 * @example
 * ```ts
 * const [value, gradient] = Nx.Defn.valueAndGrad((x: Nx.Tensor) => Nx.sin(x).sum())(Nx.f32([0], { names: ["t"] }));
 * value;
 * // => #Nx.Tensor<
 * //   f32
 * //   0.0
 * // >
 * gradient;
 * // => #Nx.Tensor<
 * //   f32[t: 1]
 * //   [1.0]
 * // >
 * ```
 * @example
 * ```ts
 * const fn = (x: Nx.Tensor) => [x.multiply(x), { doubled: x.add(x) }] as const;
 * const [[value, others], gradient] = Nx.Defn.valueAndGrad(fn, { hasAux: true })(Nx.f32(3));
 * [value.toNumber(), others.doubled.toNumber(), gradient.toNumber()];
 * // => [9, 6, 6]
 * Nx.Defn.valueAndGrad((x: string) => x.length)("text");
 * // throws ArgumentError: Nx.Defn.valueAndGrad differentiates with respect to the first argument, which holds no tensor
 * ```
 */
export function valueAndGrad<A extends readonly unknown[], R>(
  fn: (...args: A) => R,
  options?: { readonly hasAux?: false },
): (...args: A) => [R extends Tensor<infer N> ? Tensor<N> : Tensor, Tensors<A[0]>];
export function valueAndGrad<A extends readonly unknown[], R, O>(
  fn: (...args: A) => readonly [R, O],
  options: { readonly hasAux: true },
): (...args: A) => [[R extends Tensor<infer N> ? Tensor<N> : Tensor, O], Tensors<A[0]>];
export function valueAndGrad(fn: AnyFunction, options?: { readonly hasAux?: boolean }): AnyFunction {
  checkFunction(fn, "Nx.Defn.valueAndGrad");
  checkTransform("Nx.Defn.valueAndGrad", options, ["hasAux"]);
  const hasAux = booleanOption("Nx.Defn.valueAndGrad", "hasAux", options?.hasAux, false);
  const owner = givenTo("Nx.Defn.valueAndGrad", fn, "return it besides the result with { hasAux: true }");
  const both = jitFor(owner, (...args: unknown[]) => {
    const { value, aux, gradients } = differentiate(fn, args, "Nx.Defn.valueAndGrad", hasAux);
    return [hasAux ? [value, aux] : value, gradients] as const;
  });
  return (...args: unknown[]) => {
    const [value, gradients] = both(...args);
    return [value, refill(args[0], gradients)];
  };
}
