/**
 * The lanes that contractions work in. Those of integers wrap around, so that sums of narrower integers, signed or not, are their
 * low bits. Knows nothing of matrices.
 */
import type { Int } from "./locals";
import { f32, f64, i32, i64 } from "./scalars";
import type { Local } from "./types";
import { local } from "./structured";
import { f32x4, f64x2, i16x8, i32x4, v128 } from "./vectors";

/** Types that sums of products of floats are made in, and of all numbers. */
export type LaneType = "f32" | "f64";
export type SumType = LaneType | "s16" | "s32" | "s64";

/** What holds the elements of a vector. Vector instructions multiply 64-bit integers in many steps, so a vector of these is a scalar. */
export type Held = Local<"v128" | "i64">;

/** What contractions need of a type of elements; operands of methods without arguments are taken from the stack. */
export interface Lanes {
  readonly type: SumType;
  /** Bytes of an element. */
  readonly size: 2 | 4 | 8;
  /** Elements of a vector. */
  readonly count: 8 | 4 | 2 | 1;
  readonly held: "v128" | "i64";
  /** An element in all lanes, from memory. */
  splat(pointer: Int, offset: number): void;
  mul(): void;
  add(): void;
  /** Sum of the lanes of a vector, as a scalar on the stack. */
  sum(vector: Held): void;
  /** A scalar from memory. */
  load(pointer: Int, offset: number): void;
  /** Address and scalar on the stack. */
  store(offset?: number): void;
  addScalar(): void;
  mulScalar(): void;
  /** Two factors and a sum to which their product is added, rounded or not as the machine likes; absent where it is rounded. */
  readonly mulAdd?: () => void;
}

type Arithmetic = { readonly [N in "add" | "mul"]: () => unknown };
type Load = (access: { readonly offset: number; readonly align?: number }, pointer: Int) => unknown;
interface Memory {
  readonly splat: Load;
  readonly load: Load;
  readonly store: (access: { readonly offset: number }) => unknown;
}

const lanesOf = (
  type: SumType,
  size: 2 | 4 | 8,
  vector: Arithmetic,
  scalar: Arithmetic,
  { splat, load, store }: Memory,
  sum: Lanes["sum"],
): Lanes => ({
  ...{ type, size, count: (16 / size) as 8 | 4 | 2, held: "v128", sum },
  splat: (pointer, offset) => void splat({ offset, align: size }, pointer),
  mul: () => void vector.mul(),
  add: () => void vector.add(),
  load: (pointer, offset) => void load({ offset }, pointer),
  store: (offset = 0) => void store({ offset }),
  addScalar: () => void scalar.add(),
  mulScalar: () => void scalar.mul(),
});

/** Lanes added one after the other. */
function sumOf(count: number, extract: (lane: number, vector: Vector) => unknown, vector: Held): void {
  for (let lane = 0; lane < count; lane++) {
    extract(lane, vector as Vector);
    if (lane > 0) i32.add();
  }
}

type Vector = Local<"v128">;

const I16 = { splat: v128.load16_splat, load: i32.load16_u, store: i32.store16 };
const I32 = { splat: v128.load32_splat, load: i32.load, store: i32.store };
const I64 = { splat: i64.load, load: i64.load, store: i64.store };

export const LANES: { readonly [T in SumType]: Lanes } = {
  f32: lanesOf("f32", 4, f32x4, f32, { ...f32, splat: v128.load32_splat }, (vector) => {
    for (const lane of [0, 1]) {
      f32x4.extract_lane(lane, vector as Vector);
      f32x4.extract_lane(lane + 2, vector as Vector);
      f32.add();
    }
    f32.add();
  }),
  f64: lanesOf("f64", 8, f64x2, f64, { ...f64, splat: v128.load64_splat }, (vector) => {
    f64x2.extract_lane(0, vector as Vector);
    f64x2.extract_lane(1, vector as Vector);
    f64.add();
  }),
  s16: lanesOf("s16", 2, i16x8, i32, I16, (vector) => sumOf(8, i16x8.extract_lane_u, vector)),
  s32: lanesOf("s32", 4, i32x4, i32, I32, (vector) => sumOf(4, i32x4.extract_lane, vector)),
  s64: { ...lanesOf("s64", 8, i64, i64, I64, (vector) => void local.get(vector)), count: 1, held: "i64" },
};

/** Lanes whose products are added unrounded where the machine can do that. */
export const relaxed = (lanes: Lanes): Lanes => ({
  ...lanes,
  mulAdd: () => void (lanes.type === "f32" ? f32x4 : f64x2).relaxed_madd(),
});

/** Bytes of a vector. */
export const bytesOfVector = ({ size, count }: Lanes): number => size * count;

/** Vectors to work with in the function that is being written. */
export const freshHeld = ({ held }: Lanes, count: number): Held[] =>
  Array.from({ length: count }, () => local.fresh(held));

/** A vector from memory; its address need not be a multiple of anything but the elements' size. */
export function loadVector({ held, size }: Lanes, pointer: Int, offset: number): void {
  (held === "i64" ? i64 : v128).load({ offset, align: size }, pointer);
}

/** Stores the vector on the stack, whose address lies below it. */
export function storeVector({ held, size }: Lanes, offset: number): void {
  if (held === "i64") i64.store({ offset });
  else v128.store({ offset, align: size });
}

export function clear({ held }: Lanes, vector: Held): void {
  if (held === "i64") i64.const(0n);
  else v128.const("i32x4", [0, 0, 0, 0]);
  local.set(vector);
}

/** Adds a product to a sum. */
export function multiplyInto(lanes: Lanes, sum: Held, a: Held, b: Held): void {
  for (const each of lanes.mulAdd ? [a, b, sum] : [sum, a, b]) local.get(each);
  if (lanes.mulAdd) lanes.mulAdd();
  else {
    lanes.mul();
    lanes.add();
  }
  local.set(sum);
}
