/**
 * What is known while a function is traced is computed there and then.
 */
import * as Nx from "nx-numerics";

type Outcome<R> = { readonly value: R } | { readonly error: unknown };

/** Computes something of what is known, outside of the trace that may be running. Errors keep their messages, which name the node. */
export function outside<R>(fn: () => R): R {
  const outcome = Nx.Defn.untraced((): Outcome<R> => {
    try {
      return { value: fn() };
    } catch (error) {
      return { error };
    }
  });
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}
