/** Functions for servings that note what they are called with. */
import * as Nx from "nx-numerics";

/** What one call of a function saw. */
export interface Call {
  readonly shape: readonly number[];
  readonly rows: unknown;
  readonly key: string | undefined;
}

/** A function that is called as it is, and the calls it has seen. */
export function recorded<R>(compute: (rows: Nx.Tensor, key?: string) => R): {
  readonly calls: Call[];
  readonly fn: (rows: Nx.Tensor, key?: string) => R;
} {
  const calls: Call[] = [];
  const fn = (rows: Nx.Tensor, key?: string): R => {
    calls.push({ shape: rows.shape, rows: Nx.toList(rows), key });
    return compute(rows, key);
  };
  return { calls, fn };
}

/** An async function whose calls end when they are told to. */
export function gated(): {
  readonly sizes: number[];
  readonly fn: (rows: Nx.Tensor) => Promise<Nx.Tensor>;
  readonly open: () => Promise<void>;
} {
  const sizes: number[] = [];
  const gates: (() => void)[] = [];
  const fn = async (rows: Nx.Tensor): Promise<Nx.Tensor> => {
    sizes.push(rows.shape[0]!);
    await new Promise<void>((resolve) => gates.push(resolve));
    return rows.multiply(10);
  };
  const open = async (): Promise<void> => {
    gates.shift()!();
    await settle();
  };
  return { sizes, fn, open };
}

/** A promise that may be rejected before anything waits for it. */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Lets everything happen that waits for no timer. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 100; i++) await Promise.resolve();
}

/** Elements of a tensor: a number, or lists of them. */
export const valuesOf = (t: Nx.Tensor): unknown => (t.shape.length === 0 ? Nx.toNumber(t) : Nx.toList(t));

/** How promises stand when all has happened that waits for no timer: what they gave, their error, or `"open"`. */
export async function states(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const found: unknown[] = promises.map(() => "open");
  promises.forEach((promise, i) => {
    const note = (value: unknown): void => void (found[i] = value instanceof Nx.Tensor ? valuesOf(value) : value);
    promise.then(note, note);
  });
  await settle();
  return found;
}
