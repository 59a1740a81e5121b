/**
 * Functions that make elements of a type unsigned integers that sort the same way, and back: keys of 32 bits, for
 * 64-bit types of 64. -Inf has the smallest key of a type, NaN the largest, and -0 has that of 0, so what such elements were
 * is found in the operand again. Works with addresses; reads and writes up to four elements more than it is asked for.
 */
import {
  advance,
  copyOne,
  define,
  f32x4,
  f64x2,
  i32,
  i32x4,
  i64x2,
  local,
  range,
  setAddress,
  v128,
  when,
  type Code,
  type Int,
  type Size,
  type StackVar,
  type Vector,
} from "../asm";
import { bitsOf, bytesOf, isFloat, isUnsigned, type DType } from "../../../core/types";
import { emitLoad, emitStore } from "../codegen/access";
import { repeated } from "../codegen/vectors";

type Stacked = StackVar<"v128">;

/** Whether keys have 64 bits. */
const isLong = (type: DType): boolean => bitsOf(type) === 64;
/** Bytes of a key. */
export const keyBytes = (type: DType): 4 | 8 => (isLong(type) ? 8 : 4);

/** The largest size of a number that is none: what bits without the sign are compared with. */
const INFINITY = {
  bf16: 0x7f80,
  f16: 0x7c00,
  f32: 0x7f800000,
  f64: 0x7ff00000,
} as const;

type Float = keyof typeof INFINITY;

const SIGN = 0x80000000;
const all32 = (bits: number): Stacked => repeated(bits, bits);

/** Bits of small integers as they are counted from the smallest. */
function integerKey(type: DType, x: Vector): void {
  if (isUnsigned(type)) return;
  if (type === "s64") return void local.set(x, v128.xor(repeated(0, SIGN), x));
  local.set(x, v128.xor(all32(2 ** (bitsOf(type) - 1)), x));
  if (type !== "s32") local.set(x, v128.and(all32(2 ** bitsOf(type) - 1), x));
}

/** How the bits of floats are taken apart; those of half floats are the lower halves of the lanes. */
interface FloatLanes {
  /** The bit of the sign. */
  sign(): Stacked;
  /** The sign in all bits. */
  spread(x: Vector): Stacked;
  isZero(x: Vector): Stacked;
  isNaN(x: Vector): Stacked;
}

const zero = (): Stacked => v128.const("i32x4", [0, 0, 0, 0]);

function floatLanes(type: Float): FloatLanes {
  const size = (x: Vector): Stacked => v128.and(all32(0x7fff), x);
  switch (type) {
    case "f32":
      return {
        sign: () => all32(SIGN),
        spread: (x) => i32x4.shr_s(x, 31),
        isZero: (x) => f32x4.eq(x, zero()),
        isNaN: (x) => f32x4.ne(x, x),
      };
    case "f64":
      return {
        sign: () => repeated(0, SIGN),
        spread: (x) => i64x2.shr_s(x, 63),
        isZero: (x) => f64x2.eq(x, zero()),
        isNaN: (x) => f64x2.ne(x, x),
      };
    case "f16":
    case "bf16":
      return {
        sign: () => all32(0x8000),
        spread: (x) => i32x4.shr_s(i32x4.shl(x, 16), 31),
        isZero: (x) => i32x4.eq(size(x), zero()),
        isNaN: (x) => i32x4.gt_s(size(x), all32(INFINITY[type])),
      };
    default:
      return type satisfies never;
  }
}

/** Negative numbers have all bits flipped, others the sign. `special` gathers what keys do not tell. */
function toKey(type: DType, x: Vector, special: Vector, temp: Vector): void {
  if (!isFloat(type)) return integerKey(type, x);
  const lanes = floatLanes(type);
  // Zeros without their sign.
  local.set(temp, lanes.isZero(x));
  local.set(special, v128.or(v128.and(temp, x), special));
  local.set(x, v128.andnot(x, temp));
  local.set(temp, lanes.isNaN(x));
  local.set(special, v128.or(special, temp));
  local.set(x, v128.or(v128.xor(v128.or(lanes.spread(x), lanes.sign()), x), temp));
  if (bitsOf(type) === 16) local.set(x, v128.and(all32(0xffff), x));
}

/** The way back; the key of NaN becomes some NaN. */
function fromKey(type: DType, x: Vector): void {
  if (!isFloat(type)) return integerKey(type, x);
  const { spread, sign } = floatLanes(type);
  local.set(x, v128.xor(v128.or(v128.not(spread(x)), sign()), x));
}

/** Sets a vector to the bits of keys that are flipped: two words, twice. */
function setFlips(flips: Vector, low: Int, high: Int): void {
  local.set(flips, i32x4.splat(high));
  local.set(flips, i32x4.replace_lane(0, flips, low));
  local.set(flips, i32x4.replace_lane(2, flips, low));
}

const groupOf = (type: DType): readonly Vector[] =>
  Array.from({ length: isLong(type) ? 2 : 1 }, () => local.fresh("v128"));

/** Sets the word at `flag` where NaNs or negative zeros are among the elements. */
function encode(type: DType): Code {
  return define(["x", "n", "to", "low", "high", "flag"], ["i"], 3, (v, [special, temp, flips]) => {
    const group = groupOf(type);
    setFlips(flips, v.low, v.high);
    local.set(special, zero());
    range(v.i, v.n, 4, () => {
      emitLoad(type, 0, group, v.x, 0);
      group.forEach((x, i) => {
        toKey(type, x, special, temp);
        v128.store({ offset: 16 * i }, v.to, v128.xor(x, flips));
      });
      advance(v.x, 4 * bytesOf(type));
      advance(v.to, 4 * keyBytes(type));
    });
    v128.any_true(special);
    when(() => i32.store({}, v.flag, 1));
  });
}

function decode(type: DType): Code {
  return define(["x", "n", "to", "low", "high"], ["i"], 1, (v, [flips]) => {
    const group = groupOf(type);
    setFlips(flips, v.low, v.high);
    range(v.i, v.n, 4, () => {
      group.forEach((x, i) => {
        local.set(x, v128.xor(v128.load({ offset: 16 * i }, v.x), flips));
        fromKey(type, x);
      });
      emitStore(type, [group], v.to, 0);
      advance(v.x, 4 * keyBytes(type));
      advance(v.to, 4 * bytesOf(type));
    });
  });
}

type MendNames = "n" | "step" | "descending" | "from" | "to" | "at" | "left" | "size" | "zeros" | "nans" | "put";
type MendInts = { readonly [N in MendNames]: Int };

/** Bits without the sign; of doubles those of the upper half, made odd where the lower half has any. */
function setSize(type: Float, { size, at }: MendInts): void {
  if (bytesOf(type) === 2) local.set(size, i32.and(i32.load16_u({}, at), 0x7fff));
  else if (type === "f32") local.set(size, i32.and(i32.load({}, at), 0x7fffffff));
  else {
    i32.and(i32.load({ offset: 4 }, at), 0x7fffffff);
    i32.ne(i32.load({}, at), 0);
    i32.or();
    local.set(size);
  }
}

function pushNegative(type: Float, at: Int): void {
  const bytes = bytesOf(type);
  if (bytes === 2) i32.shr_u(i32.load16_u({}, at), 15);
  else i32.shr_u(i32.load({ offset: bytes - 4 }, at), 31);
}

/** The body for each element of a line, with its size set. */
function eachOf(type: Float, v: MendInts, body: () => void): void {
  local.set(v.at, v.from);
  range(v.left, v.n, 1, () => {
    setSize(type, v);
    body();
    advance(v.at, v.step);
  });
}

/** Copies the element at `at` to the place of a number in the results, which is counted on. */
function placeNext(type: Float, { at, put, to, step }: MendInts, next: Int): void {
  setAddress(put, to, next, step);
  copyOne(bytesOf(type) as Size, put, at);
  advance(next, 1);
}

/** Where the zeros and the NaNs of a line begin in its results: counted first, then brought into order. */
function findPlaces(type: Float, v: MendInts): void {
  local.set(v.zeros, 0);
  local.set(v.nans, 0);
  eachOf(type, v, () => {
    i32.lt_u(INFINITY[type], v.size);
    local.get(v.nans);
    i32.add();
    local.set(v.nans);
    // Counts non-zero numbers that sort before zero.
    i32.lt_u(i32.sub(v.size, 1), INFINITY[type]);
    pushNegative(type, v.at);
    local.get(v.descending);
    i32.xor();
    i32.and();
    local.get(v.zeros);
    i32.add();
    local.set(v.zeros);
  });
  local.get(v.descending);
  when(
    () => {
      advance(v.zeros, v.nans);
      local.set(v.nans, 0);
    },
    () => local.set(v.nans, i32.sub(v.n, v.nans)),
  );
}

/**
 * `mend(x, to, lines, after, n, descending)`: puts the NaNs and zeros of lines, which keys do not tell apart, to their places
 * in the sorted lines as they are in the operand, in the order they have there. Lines lie as [lines / after, n, after].
 */
function mend(type: Float): Code {
  const args = ["x", "sorted", "lines", "after", "n", "descending"] as const;
  const ints = ["line", "column", "step", "from", "to", "at", "left", "size", "zeros", "nans", "put"] as const;
  return define(args, ints, 0, (v) => {
    const bytes = bytesOf(type);
    local.set(v.step, i32.mul(v.after, bytes));
    local.set(v.from, v.x);
    local.set(v.to, v.sorted);
    local.set(v.column, 0);
    range(v.line, v.lines, 1, () => {
      findPlaces(type, v);
      eachOf(type, v, () => {
        i32.lt_u(INFINITY[type], v.size);
        when(
          () => placeNext(type, v, v.nans),
          () => {
            i32.eqz(v.size);
            when(() => placeNext(type, v, v.zeros));
          },
        );
      });
      nextLine(v, bytes);
    });
  });
}

/** The next line: beside this one, or the first of the next group. */
function nextLine(
  v: { readonly [N in "from" | "to" | "column" | "after" | "n" | "step" | "left"]: Int },
  bytes: number,
): void {
  advance(v.column, 1);
  advance(v.from, bytes);
  advance(v.to, bytes);
  i32.eq(v.column, v.after);
  when(() => {
    local.set(v.column, 0);
    local.set(v.left, i32.mul(i32.sub(v.n, 1), v.step));
    advance(v.from, v.left);
    advance(v.to, v.left);
  });
}

/** The functions of a type's module. */
export function codecFunctions(type: DType): Readonly<Record<string, Code>> {
  const always = { encode: encode(type), decode: decode(type) };
  return isFloat(type) ? { ...always, mend: mend(type) } : always;
}
