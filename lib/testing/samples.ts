/** Awkward operands for comparisons: what arithmetic goes wrong on, at every place of a vector. */
import type { DType } from "nx-numerics";
import { data, type Data } from "./subject";
import { decode, isComplex, isInteger, isSubnormal, sizeOf, type Value } from "./values";

const SPECIAL = [0, -0, 1, -1, 0.5, -2.5, 1e-40, 6e-8, 2.5, 3e38, 65504, 1e300, 5e-324, Infinity, -Infinity, NaN];

const LIMITS: { readonly [T in DType]?: readonly [least: bigint, most: bigint] } = {
  u8: [0n, 255n],
  u16: [0n, 65535n],
  u32: [0n, 2n ** 32n - 1n],
  u64: [0n, 2n ** 64n - 1n],
  s8: [-128n, 127n],
  s16: [-32768n, 32767n],
  s32: [-(2n ** 31n), 2n ** 31n - 1n],
  s64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** A number in an integer type: what does not fit becomes the nearest that does. */
function clamped(type: DType, value: number): Value {
  const [least, most] = LIMITS[type]!;
  if (Number.isNaN(value)) return type.endsWith("64") ? 0n : 0;
  const whole = Math.abs(value) < 2 ** 64 ? BigInt(Math.trunc(value)) : value < 0 ? least : most;
  const fit = whole < least ? least : whole > most ? most : whole;
  return type.endsWith("64") ? fit : Number(fit);
}

/**
 * What samples hold: numbers of several magnitudes, the first ones and every fifth special; or without special ones; or small
 * positive integers, for divisors, exponents and shifts.
 */
export type Kind = "awkward" | "plain" | "small";

const VALUES: { readonly [K in Kind]: (i: number, seed: number) => number } = {
  awkward: (i, seed) =>
    i < SPECIAL.length || i % 5 === 4 ? SPECIAL[(i + seed) % SPECIAL.length]! : wave(i, seed) * 10 ** ((i + seed) % 5),
  plain: (i, seed) => wave(i, seed) * 10 ** ((i + seed) % 3),
  small: (i, seed) => 1 + ((7 * i + seed) % 9),
};

const wave = (i: number, seed: number): number => Math.sin(i * 12.9898 + seed);

/** An operand for comparisons. */
export function sample(type: DType, shape: readonly number[], seed: number, kind: Kind = "awkward"): Data {
  const number = VALUES[kind];
  const values = Array.from({ length: sizeOf(shape) }, (_, i): Value => {
    if (isInteger(type)) return clamped(type, number(i, seed));
    return isComplex(type) ? [number(i, seed), number(i, 3 * seed + 5)] : number(i, seed);
  });
  return data(type, shape, values);
}

/** An operand without subnormal numbers, for backends that take them for zeros. */
export function withoutSubnormals({ type, shape, bytes }: Data): Data {
  const values = decode(type, bytes);
  if (!values.some((value) => isSubnormal(type, value))) return { type, shape, bytes };
  return data(
    type,
    shape,
    values.map((value) => (isSubnormal(type, value) ? (isComplex(type) ? [0, 0] : 0) : value)),
  );
}
