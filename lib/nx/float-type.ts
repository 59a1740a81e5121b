/**
 * The type of floats where no operand says so, for the calls of a function.
 */
import { DEFAULT_FLOATS, runWithFloatType, type DefaultFloat } from "../core/default-types";
import { ofProgram } from "../core/entry";
import { ArgumentError, show } from "../core/errors";

/**
 * Calls a function with another default type of floats than the configured one.
 *
 * The default is the type of data with fractions, NaN or infinities (`Nx.tensor([0.5])`), of quotients, means and functions such
 * as `exp` of integers, of constants, samples, `linspace` and of gradients of integers; complex numbers have parts of it. It is
 * `"f32"`, as in Nx; with `"f64"` all of these have the digits of JavaScript's own numbers. Tensors that have a float type keep
 * it, and so does what is computed of them: numbers beside them are weak as ever. Where the host has AsyncLocalStorage (Node,
 * Deno, Bun) the default also holds across every `await` of an async function and nowhere else; in browsers it holds until `fn`
 * returns. For a whole program there is `Nx.configure({ defaultFloatType: "f64" })`, or `NX_FLOAT_TYPE` in the environment.
 * Traced functions are traced once for each default that they are called under.
 *
 * @param type - `"f32"` or `"f64"`
 * @param fn - called without arguments
 * @returns what `fn` returns
 * @throws ArgumentError for another type
 * @example
 * ```ts
 * Nx.withFloatType("f64", () => Nx.tensor([0.1, 0.2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f64[x: 2]
 * //   [0.1, 0.2]
 * // >
 * const times = Nx.tensor([1700000001, 1700000004], { names: ["time"] });
 * Nx.mean(times);
 * // => #Nx.Tensor<
 * //   f32
 * //   1700000000.0
 * // >
 * Nx.withFloatType("f64", () => Nx.mean(times));
 * // => #Nx.Tensor<
 * //   f64
 * //   1700000002.5
 * // >
 * ```
 * @example
 * Tensors of a float type keep it:
 * ```ts
 * Nx.withFloatType("f64", () => Nx.f32([1, 2]).multiply(0.5));
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [0.5, 1.0]
 * // >
 * Nx.withFloatType("f16" as never, () => 1);
 * // throws ArgumentError: the type of Nx.withFloatType must be one of "f32", "f64", got: "f16"
 * ```
 */
export function withFloatType<T>(type: DefaultFloat, fn: () => T): T {
  if (!DEFAULT_FLOATS.includes(type)) {
    throw new ArgumentError(
      `the type of Nx.withFloatType must be one of ${DEFAULT_FLOATS.map(show).join(", ")}, got: ${show(type)}`,
    );
  }
  if (typeof fn !== "function") throw new ArgumentError(`Nx.withFloatType expects a function, got: ${show(fn)}`);
  return runWithFloatType(type, () => ofProgram(fn));
}
