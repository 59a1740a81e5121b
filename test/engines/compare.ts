/**
 * How near results of an engine are to those of the library.
 */
import * as Nx from "nx-numerics";

/** The largest relative error that counts as rounding, by type: of results in integers none does. */
const BOUNDS: Readonly<Record<string, number>> = { f16: 2e-3, bf16: 2e-2, f32: 1e-5, f64: 1e-12 };

/** The smallest normal number of each type, below which digits are lost. */
const NORMAL: Readonly<Record<string, number>> = { f16: 6.2e-5, bf16: 1.2e-38, f32: 1.2e-38, f64: 2.3e-308 };

export type Nearness = "exact" | "near" | "far";

/** What separates two tensors, and in words where it is too much. */
export interface Comparison {
  readonly nearness: Nearness;
  readonly text: string;
}

/**
 * Compares a result with what is expected; `type` is that in which it was computed. With `isSum` errors are measured by the largest element,
 * since sums in another order lose what cancels.
 */
export function compare(
  expected: Nx.Tensor,
  given: Nx.Tensor,
  type: string = expected.type,
  isSum = false,
): Comparison {
  const head = ({ type: of, shape }: Nx.Tensor) => `${of}[${shape}]`;
  if (head(expected) !== head(given)) return { nearness: "far", text: `${head(given)} instead of ${head(expected)}` };
  const [all, others] = [Nx.toFlatList(expected), Nx.toFlatList(given)] as [(number | bigint)[], (number | bigint)[]];
  const scale = isSum ? Math.max(...all.map((x) => Math.abs(Number(x))).filter(Number.isFinite), 0) : 0;
  let [worst, at] = [0, -1];
  all.forEach((x, i) => {
    const error = errorOf(x, others[i]!, Math.max(scale, NORMAL[type] ?? 0));
    if (error > worst) [worst, at] = [error, i];
  });
  if (worst === 0) return { nearness: "exact", text: "" };
  const text = `${String(others[at])} instead of ${String(all[at])} at ${at} (${worst.toExponential(1)})`;
  return { nearness: worst <= (BOUNDS[type] ?? 0) ? "near" : "far", text };
}

function errorOf(x: number | bigint, y: number | bigint, scale: number): number {
  if (x === y || (Number.isNaN(x) && Number.isNaN(y))) return 0;
  const [a, b] = [Number(x), Number(y)];
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Infinity;
  return Math.abs(a - b) / Math.max(Math.abs(a), scale) || Number.MIN_VALUE;
}
