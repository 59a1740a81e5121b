import { expect } from "vitest";
import * as Nx from "nx-numerics";

/** Numbers without a pattern, the same each time. */
export function randoms(shape: readonly number[], seed = 1, type: Nx.DType = "f64"): Nx.Tensor {
  return Nx.Random.normal(Nx.Random.key(seed), 0, 1, { shape, type })[0];
}

/** All leaves of a result. */
function leavesOf(result: unknown): Nx.Tensor[] {
  if (result instanceof Nx.Tensor) return [result];
  return Object.values(result as object).flatMap(leavesOf);
}

/** Checks that a function under `vmap` gives what it gives for each entry, bit for bit unless told, eagerly and traced. */
export function expectEntries(
  fn: (...args: Nx.Tensor[]) => unknown,
  args: readonly Nx.Tensor[],
  options: { readonly axes?: readonly (number | null)[]; readonly close?: boolean } = {},
): void {
  const axes = options.axes ?? args.map(() => 0);
  const size = args.map((arg, i) => (axes[i] === null ? 0 : arg.shape[axes[i]!]!)).find((dim) => dim > 0)!;
  const entries = Array.from({ length: size }, (_, k) =>
    leavesOf(fn(...args.map((arg, i) => (axes[i] === null ? arg : entryOf(arg, axes[i]!, k))))),
  );
  const expected = entries[0]!.map((_, leaf) => Nx.stack(entries.map((leaves) => leaves[leaf]!)));
  const mapped = Nx.Defn.vmap(fn, axes);
  for (const actual of [leavesOf(mapped(...args)), leavesOf(Nx.defn(mapped as never as typeof fn)(...args))]) {
    expect(actual.map(({ type, shape }) => [type, shape])).toEqual(expected.map(({ type, shape }) => [type, shape]));
    actual.forEach((t, i) => {
      const same = options.close
        ? Nx.allClose(t, expected[i]!, { rtol: 1e-12, atol: 1e-12, equalNan: true }).toNumber() === 1
        : String(t.rename(t.names.map(() => null))) === String(expected[i]!.rename(t.names.map(() => null)));
      if (!same) expect(String(t)).toBe(String(expected[i]!));
      expect(same).toBe(true);
    });
  }
}

function entryOf(t: Nx.Tensor, axis: number, k: number): Nx.Tensor {
  return Nx.squeeze(Nx.sliceAlongAxis(t, k, 1, { axis }), { axes: [axis] });
}
