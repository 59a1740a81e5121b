/** Tensors as the oracles of signals write them, and how near results are to them. */
import { expect } from "vitest";
import * as Nx from "nx-numerics";

export interface Coded {
  readonly shape: readonly number[];
  readonly values: readonly (number | readonly [number, number])[];
}

/** A filter of a signal, and of the same with what the filter held before. */
export interface Filtered {
  readonly x: Coded;
  readonly axis: number;
  readonly b: readonly number[];
  readonly a: readonly number[];
  readonly y: Coded;
  readonly initial: Coded;
  readonly continued: Coded;
  readonly final: Coded;
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

/** A signal of so many elements. */
export const wave = (n: number): Nx.Tensor => Nx.f64(Array.from({ length: n }, (_, i) => Math.sin(i * i) + 0.1 * i));

/** As near as filters and transforms of some elements come. */
export const close = (got: Nx.Tensor, want: Nx.Tensor): void => expectClose(got, want, 1e-12);
