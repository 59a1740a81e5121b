/**
 * The policy by which types merge, for the calls of a function.
 */
import { ofProgram } from "../core/entry";
import { ArgumentError, show } from "../core/errors";
import { PROMOTIONS, runWithPromotion, type Promotion } from "../core/promotion-scope";

/**
 * Calls a function under another promotion policy than the configured one.
 *
 * `"nx"`, the default, merges all types, as Nx does: `s64` and `f32` give `f32`. `"strict"` has MAX's rules: the common type is
 * the higher category (unsigned, signed, float) in the larger width, and a type that might hold a value that is not exact there
 * is refused, as are two formats of one width, and plain numbers that the tensor's type cannot hold. What strict promotion lets
 * through has the same type under both. Where the host has AsyncLocalStorage (Node, Deno, Bun) the policy also holds across every
 * `await` of an async function and nowhere else; in browsers it holds until `fn` returns. For a whole program there is
 * `Nx.configure({ promotion: "strict" })`, for a traced function the option `promotion` of `Nx.defn`.
 *
 * @param policy - `"nx"` or `"strict"`
 * @param fn - called without arguments
 * @returns what `fn` returns
 * @throws ArgumentError for an unknown policy
 * @example
 * ```ts
 * const pixels = Nx.u8([200, 100], { names: ["x"] });
 * Nx.withPromotion("strict", () => pixels.add(Nx.s16([100, 200])));
 * // => #Nx.Tensor<
 * //   s16[x: 2]
 * //   [300, 300]
 * // >
 * Nx.withPromotion("strict", () => pixels.add(Nx.s8([100, 20])));
 * // throws ArgumentError: Nx.add cannot merge u8[x: 2] and s8[2] under strict promotion: s8 cannot hold every value of u8; convert to a type that holds both first, with Nx.asType(tensor, "s16")
 * ```
 * @example
 * ```ts
 * Nx.withPromotion("strict", () => Nx.multiply(Nx.u8([1, 2]), 0.5));
 * // throws ArgumentError: Nx.multiply cannot merge u8[2] and a plain number under strict promotion: u8 cannot hold the number 0.5
 * Nx.withPromotion("max" as never, () => 1);
 * // throws ArgumentError: the promotion policy of Nx.withPromotion must be one of "nx", "strict", got: "max"
 * ```
 */
export function withPromotion<T>(policy: Promotion, fn: () => T): T {
  if (!PROMOTIONS.includes(policy)) {
    throw new ArgumentError(
      `the promotion policy of Nx.withPromotion must be one of ${PROMOTIONS.map(show).join(", ")}, got: ${show(policy)}`,
    );
  }
  if (typeof fn !== "function") throw new ArgumentError(`Nx.withPromotion expects a function, got: ${show(fn)}`);
  return runWithPromotion(policy, () => ofProgram(fn));
}
