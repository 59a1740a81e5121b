/**
 * Lanes of integers for contractions: products and sums wrap around, so that those of narrower integers, signed or not, are
 * their low bits. Knows nothing of matrices.
 */
import { i16x8, i32, i32x4, i64, i64x2, v128, type Lanes, type Vector } from "../asm";

const at = (offset: number, align: number) => ({ offset, align });

export const S16: Lanes = {
  type: "s16",
  size: 2,
  count: 8,
  splat: (pointer, offset) => void v128.load16_splat(at(offset, 2), pointer),
  mul: () => void i16x8.mul(),
  add: () => void i16x8.add(),
  clear: (to) => void i32.store16({}, to, 0),
  sum(vector) {
    sumOf([0, 1, 2, 3, 4, 5, 6, 7], (i) => void i16x8.extract_lane_u(i, vector));
  },
  load: (pointer, offset) => void i32.load16_u({ offset }, pointer),
  store: (offset = 0) => void i32.store16({ offset }),
  addScalar: () => void i32.add(),
  mulScalar: () => void i32.mul(),
};

function sumOf<I extends number>(lanes: readonly I[], extract: (lane: I) => void): void {
  lanes.forEach((lane, i) => {
    extract(lane);
    if (i > 0) i32.add();
  });
}

export const S32: Lanes = {
  type: "s32",
  size: 4,
  count: 4,
  splat: (pointer, offset) => void v128.load32_splat(at(offset, 4), pointer),
  mul: () => void i32x4.mul(),
  add: () => void i32x4.add(),
  clear: (to) => void i32.store({}, to, 0),
  sum(vector) {
    sumOf([0, 1, 2, 3], (i) => void i32x4.extract_lane(i, vector));
  },
  load: (pointer, offset) => void i32.load({ offset }, pointer),
  store: (offset = 0) => void i32.store({ offset }),
  addScalar: () => void i32.add(),
  mulScalar: () => void i32.mul(),
};

export const S64: Lanes = {
  type: "s64",
  size: 8,
  count: 2,
  splat: (pointer, offset) => void v128.load64_splat(at(offset, 8), pointer),
  mul: () => void i64x2.mul(),
  add: () => void i64x2.add(),
  clear: (to) => void i64.store({}, to, 0n),
  sum(vector: Vector) {
    i64x2.extract_lane(0, vector);
    i64x2.extract_lane(1, vector);
    i64.add();
  },
  load: (pointer, offset) => void i64.load({ offset }, pointer),
  store: (offset = 0) => void i64.store({ offset }),
  addScalar: () => void i64.add(),
  mulScalar: () => void i64.mul(),
};
