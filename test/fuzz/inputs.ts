/** Random inputs of programs: types, values of all kinds, and shapes that have to do with each other. */
import * as Nx from "nx-numerics";
import type { DType } from "nx-numerics";
import { DTYPES, isComplex, isInteger } from "../../lib/core/types";
import { sizeOf, type Input, type Scalar } from "./program";
import type { Random } from "./random";

/** Numbers at which something happens, for floats of any type. */
const AWKWARD = [
  ...[0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 3, 255, 256, -128, 127, 65504, 65520, 1e-7],
  ...[2147483647, 2147483648, -2147483649, 4294967296, 2 ** 53, 2 ** 63, 1e19, NaN, NaN, Infinity, -Infinity],
  ...[5e-324, -(2 ** -149), 2 ** -126, 2 ** -24, 2 ** -14, 1e-40, 3.4028234663852886e38, 1.7976931348623157e308],
];

const BITS: Readonly<Partial<Record<DType, number>>> = { u8: 8, s8: 8, u16: 16, s16: 16, u32: 32, s32: 32, u64: 64, s64: 64 }; // prettier-ignore

export type Values = "plain" | "awkward" | "whole";

/** Whole numbers: small ones, the ends of the type, and any. */
function integer(r: Random, type: DType, values: Values): Scalar {
  const bits = BITS[type]!;
  const isSigned = type.startsWith("s");
  const small = r.between(isSigned ? -9 : 0, 9);
  if (values === "whole" || r.chance(0.5)) return bits === 64 ? BigInt(small) : small;
  const low = isSigned ? -(2n ** BigInt(bits - 1)) : 0n;
  const high = low + 2n ** BigInt(bits) - 1n;
  const any = low + (((BigInt(r.word()) << 32n) + BigInt(r.word())) & (2n ** BigInt(bits) - 1n));
  const chosen = values === "plain" ? any : r.pick([low, low + 1n, high, high - 1n, high / 2n, any]);
  return bits === 64 ? chosen : Number(chosen);
}

function float(r: Random, values: Values): number {
  if (values === "whole") return r.between(-8, 8);
  if (values === "awkward" && r.chance(0.5)) return r.pick(AWKWARD);
  const digits = r.pick([1, 2, 3, 10 ** 9]);
  return Math.round((r.word() / 2 ** 32 - 0.5) * 8 * 10 ** digits) / 10 ** digits || r.between(1, 3);
}

export function scalar(r: Random, type: DType, values: Values): Scalar {
  if (isInteger(type)) return integer(r, type, values);
  return isComplex(type) ? new Nx.Complex(float(r, values), float(r, values)) : float(r, values);
}

/** A plain number as users write it beside a tensor. */
export function plainNumber(r: Random): Scalar {
  return r.pick<() => Scalar>([
    () => r.between(-3, 3),
    () => r.between(0, 300),
    () => float(r, "plain"),
    () => r.pick(AWKWARD.slice(0, 18)),
    () => BigInt(r.between(-5, 300)),
  ])();
}

export const randomType = (r: Random): DType =>
  r.chance(0.4) ? r.pick<DType>(["f32", "f32", "f32", "f64", "s64", "s32", "u8"]) : r.pick(DTYPES);

const NAMES = ["a", "b", "c", "d", "e"];
const SMALL = [1, 1, 2, 3, 4, 5, 7, 8];
const ODD = [1, 9, 15, 16, 17, 31, 33, 65, 127, 130, 257, 1025, 4097, 5003];

export interface Space {
  readonly shape: readonly number[];
  readonly names: readonly (string | null)[];
}

/** A shape of up to five axes and so many elements at most; one in three has named axes. */
export function randomSpace(r: Random, most: number): Space {
  const rank = r.pick([0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5]);
  const shape: number[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const room = Math.floor(most / sizeOf(shape));
    const wanted = most > 2000 && r.chance(0.45) ? (r.chance(0.2) ? r.between(1, room) : r.pick(ODD)) : r.pick(SMALL);
    shape.push(Math.max(1, Math.min(room, wanted)));
  }
  const order = r.shuffled(shape);
  return { shape: order, names: order.map((_, i) => (r.chance(0.6) ? NAMES[i]! : null)) };
}

/** A space that broadcasts with another: itself, its last axes, some of them of size 1. */
function related(r: Random, { shape, names }: Space): Space {
  const from = r.chance(0.6) ? 0 : r.between(0, shape.length);
  const thin = r.chance(0.3);
  return { shape: shape.slice(from).map((dim) => (thin && r.chance(0.5) ? 1 : dim)), names: names.slice(from) };
}

/** An input of a program whose inputs have to do with `space`, and are all of one type where there is a `theme`. */
export function randomInput(r: Random, id: number, space: Space, theme: DType | null): Input {
  const type = theme !== null && r.chance(0.8) ? theme : randomType(r);
  const { shape, names } = r.chance(0.85) ? related(r, space) : randomSpace(r, 40);
  const isNamed = r.chance(0.33);
  const values = r.pick<Values>(["plain", "plain", "awkward", "whole"]);
  const count = Math.min(sizeOf(shape), r.pick([32, 32, 61, 128]));
  return {
    id,
    type,
    shape,
    names: isNamed ? names : names.map(() => null),
    pool: Array.from({ length: count }, () => scalar(r, type, values)),
    mix: [sizeOf(shape) === count ? 1 : r.pick([1, 7, 11]), sizeOf(shape) === count ? 0 : r.pick([0, 3])],
  };
}
