/** Comparing elements with the oracle's numbers, in units in the last place of their type. */

import * as Nx from "nx-numerics";
import { decode, type Coded } from "../../oracles/read";

const MANTISSA: Partial<Record<Nx.DType, readonly [bits: number, leastExponent: number]>> = {
  f16: [10, -14],
  bf16: [7, -126],
  f32: [23, -126],
  f64: [52, -1022],
};

/** The distance from |x| to the next larger number of the type. */
export function ulpIn(type: Nx.DType, x: number): number {
  const [bits, least] = MANTISSA[type]!;
  return 2 ** (Math.max(Math.floor(Math.log2(Math.abs(x))), least) - bits);
}

/** The elements as text: numbers and bigints alike, -0 as itself. */
export const texts = (t: Nx.Tensor): string[] => Nx.toFlatList(t).map((x) => (Object.is(x, -0) ? "-0" : String(x)));

/** Descriptions of the elements that are further from the expected ones than allowed. */
export function farOff(actual: Nx.Tensor, expected: readonly Coded[], ulps: number): string[] {
  const values = Nx.toFlatList(actual) as number[];
  if (values.length !== expected.length) return [`${values.length} elements instead of ${expected.length}`];
  return values.flatMap((value, i) => {
    const wanted = decode(expected[i]!);
    if (Object.is(value, wanted)) return [];
    const error = Math.abs(value - wanted) / ulpIn(actual.type, wanted);
    return wanted !== 0 && error <= ulps ? [] : [`at ${i}: ${value} instead of ${wanted}, ${error} ulp`];
  });
}

/** The public function of a name. */
export function functionOf(name: string): (...operands: Nx.Operand[]) => Nx.Tensor {
  return (Nx as unknown as Record<string, (...operands: Nx.Operand[]) => Nx.Tensor>)[name]!;
}
