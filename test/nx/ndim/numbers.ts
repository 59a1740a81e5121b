/**
 * Numbers of every type for references that know nothing of the library's storage: integers as BigInt, the rest as pairs of
 * doubles, each rounded to its type at the end.
 */

import * as Nx from "nx-numerics";

export const TYPES = [
  "u8",
  "u16",
  "u32",
  "u64",
  "s8",
  "s16",
  "s32",
  "s64",
  "bf16",
  "f16",
  "f32",
  "f64",
  "c64",
  "c128",
] as const satisfies readonly Nx.DType[];

export type Element = number | bigint | Nx.Complex;

export const isInteger = (type: Nx.DType): boolean => /^[us]\d/.test(type);
export const isComplex = (type: Nx.DType): boolean => type.startsWith("c");

/** A sequence of numbers in [0, 1) that depends on the seed only (a linear congruence). */
export function sequence(seed: number): () => number {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Elements that their type holds exactly. Integers over the whole range; real and complex ones are quarters below 16 in
 * magnitude, whose products and sums doubles hold exactly while the narrower types must round.
 */
export function elements(type: Nx.DType, count: number, seed: number): Element[] {
  const next = sequence(seed);
  const quarter = () => Math.floor(next() * 128 - 64) / 4;
  return Array.from({ length: count }, () => {
    if (isComplex(type)) return new Nx.Complex(quarter(), quarter());
    if (!isInteger(type)) return quarter();
    const raw = (BigInt(Math.floor(next() * 2 ** 32)) << 32n) | BigInt(Math.floor(next() * 2 ** 32));
    const wrapped = wrap(raw, type);
    return /64/.test(type) ? wrapped : Number(wrapped);
  });
}

export function tensorOf(
  list: readonly Element[],
  type: Nx.DType,
  shape: readonly number[],
  names?: Nx.Names,
): Nx.Tensor {
  const flat = Nx.reshape(Nx.tensor([...list], { type }), [...shape]);
  return names === undefined ? flat : flat.rename(names);
}

/** An integer modulo the width of its type. */
export function wrap(value: bigint, type: Nx.DType): bigint {
  const bits = Number(type.slice(1));
  return type.startsWith("u") ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
}

/** A double rounded to a real type, to nearest and ties to even, written out for the half types. */
export function rounded(x: number, type: Nx.DType): number {
  switch (type) {
    case "f32":
    case "c64":
      return Math.fround(x);
    case "f16":
      return roundedTo(x, 10, -14, 65504);
    case "bf16":
      return roundedTo(x, 7, -126, (2 - 2 ** -7) * 2 ** 127);
    default:
      return x;
  }
}

function roundedTo(x: number, bits: number, least: number, largest: number): number {
  if (!Number.isFinite(x) || x === 0) return x;
  let exponent = Math.floor(Math.log2(Math.abs(x)));
  if (2 ** exponent > Math.abs(x)) exponent--;
  const unit = 2 ** (Math.max(exponent, least) - bits);
  const steps = x / unit;
  const low = Math.floor(steps);
  const up = steps - low > 0.5 || (steps - low === 0.5 && low % 2 !== 0);
  const result = (up ? low + 1 : low) * unit;
  return Math.abs(result) > largest ? Math.sign(x) * Infinity : result;
}

/** The sum of the products of two lists, in ascending order, in the type that both merge to. */
export function sumOfProducts(left: readonly Element[], right: readonly Element[], type: Nx.DType): Element {
  if (isInteger(type)) {
    const sum = left.reduce<bigint>((total, x, i) => total + BigInt(x as number) * BigInt(right[i] as number), 0n);
    return wrap(sum, type);
  }
  let [re, im] = [0, 0];
  left.forEach((x, i) => {
    const [a, b] = [partsOf(x), partsOf(right[i]!)];
    re += isComplex(type) ? a[0] * b[0] - a[1] * b[1] : a[0] * b[0];
    if (isComplex(type)) im += a[0] * b[1] + a[1] * b[0];
  });
  return isComplex(type) ? new Nx.Complex(rounded(re, type), rounded(im, type)) : rounded(re, type);
}

function partsOf(x: Element): readonly [number, number] {
  return x instanceof Nx.Complex ? [x.re, x.im] : [Number(x), 0];
}

/** Elements as text, so that lists of any type compare exactly and NaN equals NaN; zeros have no sign. */
export function texts(list: readonly Element[]): string[] {
  const text = (x: number) => String(x === 0 ? 0 : x);
  return list.map((x) => {
    if (x instanceof Nx.Complex) return `${text(x.re)} ${text(x.im)}`;
    return typeof x === "bigint" ? String(x) : text(x);
  });
}

/** All positions of a shape, in order. */
export function positions(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (all, size) => all.flatMap((head) => Array.from({ length: size }, (_, i) => [...head, i])),
    [[]],
  );
}

export const sizeOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** The place of a position in a row-major list. */
export function flatIndex(position: readonly number[], shape: readonly number[]): number {
  return position.reduce((flat, at, axis) => flat * shape[axis]! + at, 0);
}
