/** What the tests of functions along axes share: tensors with values worth computing with, axes in all their forms. */
import fc from "fast-check";
import * as Nx from "nx-numerics";
import * as s from "../../backends/binary/support";

/** One element: a number, the bigint of a 64-bit integer or the parts of a complex number. */
export type Element = number | bigint | [number, number];

export const elements = (t: Nx.Tensor): Element[] => s.valuesOf(t) as Element[];

const NAMES = ["a", "b", "c", "d"];

/** A tensor of any type with small numbers, so that sums and products stay in range; names on some. */
function small(shape: readonly number[]): fc.Arbitrary<Nx.Tensor> {
  const value = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double({ min: -3, max: 3, noNaN: true }));
  const values = fc.array(value, { minLength: 2 * s.sizeOf(shape), maxLength: 2 * s.sizeOf(shape) });
  return fc.tuple(s.types, values).map(([type, numbers]) => {
    const [re, im] = [numbers.slice(0, numbers.length / 2), numbers.slice(numbers.length / 2)];
    if (!type.startsWith("c")) return Nx.asType(Nx.f64(re).reshape(shape), type, { overflow: "wrap" });
    return Nx.asType(Nx.complex(Nx.f64(re), Nx.f64(im)).reshape(shape), type);
  });
}

/** Tensors of random bits or small numbers, of ranks 1 to 4, each axis with a name or without. */
export function namedTensors(): fc.Arbitrary<Nx.Tensor> {
  return s.shapes(1).chain((shape) => {
    const names = fc.tuple(...shape.map((_, i) => fc.constantFrom(NAMES[i]!, null)));
    const tensor = fc.oneof(s.randomBits(shape), small(shape));
    return fc.tuple(tensor, names).map(([t, given]) => Nx.rename(t, given));
  });
}

/** An axis of a tensor as its position and in one of the forms that a user may write. */
export interface AnyAxis {
  readonly axis: number;
  readonly form: number | string;
}

export function axisOf(t: Nx.Tensor, seed: number, kind: number): AnyAxis {
  const axis = seed % t.shape.length;
  return { axis, form: axisForm(t, axis, kind) };
}

/** A position from the front, from the end, or the name where there is one. */
export function axisForm(t: Nx.Tensor, axis: number, kind: number): number | string {
  if (kind % 3 === 0) return axis;
  return (kind % 3 === 1 ? t.names[axis] : null) ?? axis - t.shape.length;
}

const SMALL_FLOATS: { readonly [type: string]: { bits: number; least: number; max: number } } = {
  f16: { bits: 10, least: -14, max: 65504 },
  bf16: { bits: 7, least: -126, max: (2 - 2 ** -7) * 2 ** 127 },
};

/** An f64 rounded to the nearest number of a real float type, halves to even. */
export function rounded(type: Nx.DType, x: number): number {
  if (type === "f64" || type === "c128") return x;
  if (type === "f32" || type === "c64") return Math.fround(x);
  if (!Number.isFinite(x) || x === 0) return x;
  const { bits, least, max } = SMALL_FLOATS[type]!;
  const exponent = Number((new BigInt64Array(Float64Array.of(Math.abs(x)).buffer)[0]! >> 52n) - 1023n);
  const ulp = 2 ** (Math.max(exponent, least) - bits);
  const units = x / ulp;
  const below = Math.floor(units);
  const up = units - below > 0.5 || (units - below === 0.5 && below % 2 !== 0);
  const result = (below + (up ? 1 : 0)) * ulp;
  if (result === 0) return x < 0 ? -0 : 0;
  return Math.abs(result) > max ? Math.sign(x) * Infinity : result;
}

/** An exact integer modulo the width of a type. */
export function wrapped(type: Nx.DType, x: bigint): bigint {
  const width = Number(type.slice(1));
  return type.startsWith("u") ? BigInt.asUintN(width, x) : BigInt.asIntN(width, x);
}

/** An exact integer as `elements` gives it for a type. */
export function integerElement(type: Nx.DType, x: bigint): Element {
  return type.endsWith("64") ? wrapped(type, x) : Number(wrapped(type, x));
}

export const isInteger = (type: Nx.DType): boolean => /^[su]\d/.test(type);
export const isComplex = (type: Nx.DType): boolean => type.startsWith("c");

const INDEX_TYPES = fc.constantFrom<Nx.DType>("u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64");

/** Index tensors of any integer type, entry `i` below the size that `sizeAt(i)` gives (and small enough for the type). */
export function indexTensors(shape: readonly number[], sizeAt: (i: number) => number): fc.Arbitrary<Nx.Tensor> {
  const count = s.sizeOf(shape);
  const entries = fc.array(fc.nat(999), { minLength: count, maxLength: count });
  return fc.tuple(INDEX_TYPES, entries).map(([type, values]) =>
    s.fromNumbers(
      type,
      shape,
      values.map((value, i) => value % Math.min(sizeAt(i), 127)),
    ),
  );
}

/** The entries of an index tensor as numbers. */
export const indices = (t: Nx.Tensor): number[] => elements(t).map(Number);

/** Some axes of a tensor in any order, each in one of its forms; at least one. */
export function someAxes(t: Nx.Tensor): fc.Arbitrary<AnyAxis[]> {
  const all = t.shape.map((_, axis) => axis);
  return fc
    .tuple(fc.shuffledSubarray(all, { minLength: 1 }), fc.nat(2))
    .map(([axes, kind]) => axes.map((axis, i) => ({ axis, form: axisForm(t, axis, kind + i) })));
}
