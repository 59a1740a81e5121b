/**
 * Kernels of values that waited as work of a profile: with the operations that they did, and the lines that called these.
 */
import { profiling, together, type Probe } from "../../../core/profiling";
import { bytesOf } from "../../../core/types";
import { sizeOf } from "../../../core/shape";
import type { Draft } from "./draft";
import type { Pending } from "./node";

/** An operation that is done with a kernel, and the lines that called it. */
interface Last {
  readonly does: string;
  readonly lines: readonly string[];
}

/** Runs the kernel of some values, which reads and writes so many bytes, and does `last` with them; null where none is run. */
export function profiledKernel<T>(
  probe: Probe,
  values: readonly Pending[],
  bytes: number,
  run: () => T,
  last: Last | null = null,
): T {
  // moves are ways to read arrays, unless nothing else is done
  const own = values.length === 1 ? values : values.filter(({ step }) => step.kind !== "move");
  const operation = together([...own.map(({ does }) => does), ...(last === null ? [] : [last.does])]);
  const lines = new Set([...values.flatMap(({ madeAt }) => madeAt ?? []), ...(last?.lines ?? [])]);
  const measured = (): T =>
    probe.measured(run, (result) => (result === null ? null : { operation, calls: 0, kernels: 1, bytes }));
  return lines.size === 0 ? measured() : probe.at([...lines], measured);
}

/** Runs the kernel of a draft, which stores these values besides its root. */
export function drafted<T>(draft: Draft, stored: readonly Pending[], run: () => T): T {
  const { probe } = profiling;
  if (probe === null) return run();
  const { read, written } = draft.bytes(stored);
  return profiledKernel(probe, draft.values, read + written, run);
}

/** Computes a value whose operands are arrays. */
export function single<T>(probe: Probe, value: Pending, run: (value: Pending) => T): T {
  const all = [value, ...value.operands];
  const bytes = all.reduce((sum, { shape, type }) => sum + sizeOf(shape) * bytesOf(type), 0);
  return profiledKernel(probe, [value], bytes, () => run(value));
}
