/**
 * Where work is reported while `Nx.profile` runs a function. Whatever runs work on elements asks here, and finds nothing at all other
 * times, which takes about a nanosecond.
 */

/** What some work was. */
export interface Work {
  /** One operation, or several that were done together, with commas between them. */
  readonly operation: string;
  /** Operations that the program called. */
  readonly calls: number;
  /** Passes over elements. */
  readonly kernels: number;
  /** Bytes that these read and wrote. */
  readonly bytes: number;
}

/** Takes note of work. */
export interface Probe {
  /** The lines of the program that what is done now belongs to. */
  lines(): readonly string[];
  /** Runs `fn`, all of which belongs to lines that are known. */
  at<T>(lines: readonly string[], fn: () => T): T;
  /**
   * Runs and measures work; what is measured inside does not count for it. What the work was is said when it is done, with whether any
   * work inside was measured; null where it was nothing.
   */
  measured<T>(fn: () => T, workOf: (result: T, isAround: boolean) => Work | null): T;
  /**
   * The result of what is measured now is computed later, or by work that is measured by itself. Returns the lines of the program that it
   * belongs to.
   */
  elsewhere(): readonly string[];
  /** The line of a stack. */
  lineOf(error: Error): string | null;
}

/** The probe in force. */
export const profiling: { probe: Probe | null } = { probe: null };

/** Runs `fn` without taking note of it. */
export function unprofiled<T>(fn: () => T): T {
  const before = profiling.probe;
  profiling.probe = null;
  try {
    return fn();
  } finally {
    profiling.probe = before;
  }
}

/** Names of operations that are done together, at most. */
const NAMED = 8;

/** Operations that are done together, as one text. */
export function together(operations: readonly string[]): string {
  if (operations.length <= NAMED) return operations.join(", ");
  return `${operations.slice(0, NAMED - 1).join(", ")} and ${operations.length - NAMED + 1} more`;
}
