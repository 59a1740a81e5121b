/**
 * Kernels that convert operands of contractions to the type that sums are made in, and sums to the type of results. Of integers
 * they keep the low bits.
 */
import { getOrMake } from "../../../core/get-or-make";
import { isFloat, isInteger, is64Bit, type DType } from "../../../core/types";
import { Builder } from "../../../kernel/builder";
import { keyOf } from "../../../kernel/key";
import { castKernel, type Keyed } from "../../../kernel/lower/single";
import { store } from "../../../kernel/lower/typed";
import { MAGIC } from "../../../kernel/lower/wide";
import type { Value } from "../../../kernel/value";
import type { SumType } from "./functions";

/** 64-bit integers that are summed as doubles must be within so many bits, their sign aside. */
export const EXACT_BITS = 51;

/** What becomes of numbers out of range on the way to or from sums: those of integers wrap around. */
const overflowOf = (sums: SumType): "saturate" | "wrap" => (isFloat(sums) ? "saturate" : "wrap");

/** From a type to that of sums; null where no kernel does that. */
export function toSums(type: DType, sums: SumType): Keyed | null {
  if (is64Bit(type) && sums === "f64") return exactly(type, sums);
  return castKernel({ type, uniform: false }, sums, overflowOf(sums));
}

/** The kernel from the type of sums to another type; null where there is none. */
export function fromSums(sums: SumType, type: DType): Keyed | null {
  if (is64Bit(type) && sums === "f64") return exactly(sums, type);
  return castKernel({ type: sums, uniform: false }, type, overflowOf(sums));
}

const kernels = new Map<string, Keyed>();

/**
 * Between doubles and integers of at most {@link EXACT_BITS}, either way: the sum of {@link MAGIC} and a small integer has the bits of the one
 * plus the other.
 */
const exactly = (from: DType, to: DType): Keyed => getOrMake(kernels, `${from} ${to}`, () => exact(from, to));

function exact(from: DType, to: DType): Keyed {
  const k = new Builder();
  const x = k.load(k.input(from));
  const above = k.i64(0x43380000, 0);
  const part = isInteger(to)
    ? k.sub(k.bits(k.add(x as Value<"f64">, MAGIC)), above)
    : k.sub(k.float(k.add(x as Value<"i64">, above)) as Value<"f64">, MAGIC);
  const kernel = k.kernel([store(k, { type: to, parts: [part] })]);
  return { kernel, key: keyOf(kernel), values: kernel.values.length };
}
