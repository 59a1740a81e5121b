import * as Nx from "nx-numerics";

const plain =
  <Args extends never[], Result>(fn: (...args: Args) => Result) =>
  (...args: Args): Result =>
    Nx.tidy(() => fn(...args) as never);

/**
 * Compiles a function, or leaves it as it is where plain calls are measured: in `Nx.tidy` then, as the peers give back what lies between,
 * and as a compiled function has no such tensors.
 */
export const compiled: typeof Nx.defn = process.env.NX_BENCH_EAGER ? (plain as unknown as typeof Nx.defn) : Nx.defn;
