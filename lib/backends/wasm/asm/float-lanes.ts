/**
 * The lanes of floats that contractions work in. Knows nothing of matrices.
 */
import type { Int, Vector } from "./locals";
import { f32, f64, i32, i64 } from "./scalars";
import { v128, f32x4, f64x2 } from "./vectors";

const at = (offset: number, align: number) => ({ offset, align });

/** Types that sums of products of floats are made in, and of all numbers. */
export type LaneType = "f32" | "f64";
export type SumType = LaneType | "s16" | "s32" | "s64";

/** What contractions need of a type of elements; operands of methods without arguments are taken from the stack. */
export interface Lanes {
  readonly type: SumType;
  /** Bytes of an element. */
  readonly size: 2 | 4 | 8;
  /** Elements of a vector. */
  readonly count: 8 | 4 | 2;
  /** An element in all lanes, from memory. */
  splat(pointer: Int, offset: number): void;
  mul(): void;
  add(): void;
  clear(to: Int): void;
  /** Sum of the lanes of a vector, as a scalar on the stack. */
  sum(vector: Vector): void;
  /** A scalar from memory. */
  load(pointer: Int, offset: number): void;
  /** Address and scalar on the stack. */
  store(offset?: number): void;
  addScalar(): void;
  mulScalar(): void;
  /** Two factors and a sum to which their product is added, rounded or not as the machine likes; absent where it is rounded. */
  readonly mulAdd?: () => void;
}

export const F32: Lanes = {
  type: "f32",
  size: 4,
  count: 4,
  splat: (pointer, offset) => void v128.load32_splat(at(offset, 4), pointer),
  mul: () => void f32x4.mul(),
  add: () => void f32x4.add(),
  clear: (to) => void i32.store({}, to, 0),
  sum(vector) {
    for (const [a, b] of [[0, 2] as const, [1, 3] as const]) {
      f32x4.extract_lane(a, vector);
      f32x4.extract_lane(b, vector);
      f32.add();
    }
    f32.add();
  },
  load: (pointer, offset) => void f32.load({ offset }, pointer),
  store: (offset = 0) => void f32.store({ offset }),
  addScalar: () => void f32.add(),
  mulScalar: () => void f32.mul(),
};

export const F64: Lanes = {
  type: "f64",
  size: 8,
  count: 2,
  splat: (pointer, offset) => void v128.load64_splat(at(offset, 8), pointer),
  mul: () => void f64x2.mul(),
  add: () => void f64x2.add(),
  clear: (to) => void i64.store({}, to, 0n),
  sum(vector) {
    f64x2.extract_lane(0, vector);
    f64x2.extract_lane(1, vector);
    f64.add();
  },
  load: (pointer, offset) => void f64.load({ offset }, pointer),
  store: (offset = 0) => void f64.store({ offset }),
  addScalar: () => void f64.add(),
  mulScalar: () => void f64.mul(),
};

/** Lanes whose products are added unrounded where the machine can do that. */
export const relaxed = (lanes: Lanes): Lanes => ({
  ...lanes,
  mulAdd: () => void (lanes.type === "f32" ? f32x4 : f64x2).relaxed_madd(),
});

/** A vector from memory; its address need not be a multiple of anything but the elements' size. */
export function loadVector(lanes: Lanes, pointer: Int, offset: number): void {
  v128.load(at(offset, lanes.size), pointer);
}

/** Stores the vector on the stack, whose address lies below it. */
export function storeVector(lanes: Lanes, offset: number): void {
  v128.store(at(offset, lanes.size));
}
