/** Tensors as the oracles of signals write them, and how near results are to them. */
import { expect } from "vitest";
import * as Nx from "nx-numerics";

export interface Coded {
  readonly shape: readonly number[];
  readonly values: readonly (number | readonly [number, number])[];
}

export type Options = Readonly<Record<string, unknown>>;

export function tensorOf({ shape, values }: Coded): Nx.Tensor {
  const isComplex = typeof values[0] !== "number";
  const numbers = values.map((v) => (typeof v === "number" ? v : new Nx.Complex(v[0], v[1])));
  return Nx.tensor(numbers as number[], { type: isComplex ? "c128" : "f64" }).reshape([...shape]);
}

/** In doubles a few roundings, beside the largest element. */
export function expectClose(got: Nx.Tensor, want: Nx.Tensor, bound = 1e-14): void {
  expect([got.type, got.shape]).toEqual([want.type, want.shape]);
  const size = Math.max(1e-300, Number(want.abs().reduceMax().toNumber()));
  const error = Number(got.subtract(want).abs().reduceMax().toNumber()) / size;
  expect(error).toBeLessThan(bound);
}
