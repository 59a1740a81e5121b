/** What the tests of quantized tensors share. */

import * as Nx from "nx-numerics";

export const { Quantized: Q } = Nx;

export type Any = Nx.Quantized.Quantized;

export const BACKENDS = ["binary", "wasm"] as const;

/** A quantized tensor of integers. */
export function held(
  integers: readonly number[],
  format: Nx.Quantized.FormatOptions,
  shape: readonly number[] = [integers.length],
): Any {
  const t = Nx.tensor(integers, { type: format.type === "fx16" ? "s16" : "s8" });
  return Q.fromIntegers(Nx.reshape(t, shape), format);
}

/** Its integers. */
export const integersOf = (q: Any): number[] => Nx.toFlatList(q.values) as number[];

export const sa8 = (scale: number, scaleFracBits: number, zeroPoint = 0) =>
  ({ type: "sa8", scale, scaleFracBits, zeroPoint }) as const;
export const fx8 = (fracBits: number) => ({ type: "fx8", fracBits }) as const;
export const fx16 = (fracBits: number) => ({ type: "fx16", fracBits }) as const;

/** The name and the number of the status that a call is refused with. */
export function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Q.QuantizedError) return `${error.code} ${error.status}`;
    throw error;
  }
  return "OK 0";
}
