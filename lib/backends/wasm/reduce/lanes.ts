/**
 * What folds do with vectors: loading four elements of a stored type as lanes of the type that work is done in, joining two
 * vectors, and what an accumulator starts from. Emits code; knows nothing of rows and columns.
 */
import { f32x4, f64x2, i32, i32x4, i64x2, local, v128, type Int, type StackVar, type Vector } from "../asm";
import { bytesOf, isComplex, isFloat, isUnsigned, is64Bit, type DType } from "../../../core/types";
import type { ReduceOp } from "../../../ops";
import { emitLoad, emitSplat } from "../codegen/access";
import { words } from "../codegen/vectors";

/** Types that accumulators have. */
export type WorkType = "f32" | "f64" | "s32" | "s64" | "u32" | "u64";

/** Four elements: a vector of 32-bit lanes, or two of 64-bit lanes. */
export type Four = readonly Vector[];

/** Loads two elements as a vector of 64-bit lanes. */
export type PairLoad = (out: Vector, at: Int, offset: number) => void;

export interface Lanes {
  readonly work: WorkType;
  /** Whether lanes have 64 bits. */
  readonly wide: boolean;
  /** Bytes of a stored element. */
  readonly bytes: number;
  /** Loads four elements; needs a vector to work with. */
  load(out: Four, at: Int, offset: number, temp: Vector): void;
  /** Loads two elements as a vector of 64-bit lanes, for types where that is one instruction or two. */
  readonly pair?: PairLoad;
  /** `held = held op x`. */
  join(held: Vector, x: Vector): void;
  /** Pushes a vector of what changes nothing. */
  identity(): void;
  /** Whether results depend on the order of joins. */
  readonly ordered: boolean;
  /** A quicker way to join, where there is one. */
  readonly quick?: QuickJoin;
}

/**
 * Extremes of floats by a compare and a choice, one instruction of most machines in place of eight. It drops NaN and does not
 * tell 0 from -0, so blocks where either may matter are done again.
 */
export interface QuickJoin {
  join(held: Vector, x: Vector): void;
  /** `sum = sum + x`: a sum of elements is NaN where one of them is (and rarely where none is, which does no harm). */
  add(sum: Vector, x: Vector): void;
  /** Pushes whether a result, in all lanes of a vector, may be wrong. */
  pushDoubt(result: Vector, sum: Vector): void;
}

export const isWideWork = (work: WorkType): boolean => work === "f64" || work === "s64" || work === "u64";

/** Loads real elements of a type as lanes of a work type that holds them. */
export function loadAs(work: WorkType, type: DType, out: Four, at: Int, offset: number, temp: Vector): void {
  if (type === work || !isWideWork(work)) loadNarrow(type, out, at, offset, temp);
  else if (work === "f64") loadDoubles(type, out, at, offset, temp);
  else loadLongs(type, out, at, offset, temp);
}

/** Types of 32-bit lanes, and those that are loaded as they are. */
function loadNarrow(type: DType, out: Four, at: Int, offset: number, temp: Vector): void {
  emitLoad(type, 0, out, at, offset);
  decode(type, out[0]!, temp);
}

/** Bits of half floats, each in 32 bits, to single floats; other types are left as they are. */
function decode(type: DType, x: Vector, temp: Vector): void {
  if (type === "bf16") local.set(x, i32x4.shl(x, 16));
  if (type === "f16") decodeHalf(x, temp);
}

/** Loads one element into all lanes of a work type: that of its order, or f64. */
export function loadOne(work: WorkType, type: DType, out: Vector, at: Int, temp: Vector): void {
  emitSplat(type, 0, [out], at);
  decode(type, out, temp);
  if (work === "f64" && type !== "f64") local.set(out, f64x2.promote_low_f32x4(out));
}

const pushWords = (value: number): void => void v128.const("i32x4", [value, value, value, value]);

/** What an exponent of a half float lacks to be that of a single one. */
const REBIAS = 112 << 23;

/**
 * Bits of half floats to single ones: moved into place, the exponent made larger; that of infinities and NaNs once more.
 * Subnormal numbers get the exponent of the least normal one, as if that had been added, and lose it by a subtraction.
 */
function decodeHalf(x: Vector, temp: Vector): void {
  local.get(x);
  pushWords(0x8000);
  v128.and();
  i32.const(16);
  i32x4.shl();
  local.get(x);
  pushWords(0x7fff);
  v128.and();
  i32.const(13);
  i32x4.shl();
  local.tee(x);
  pushWords(REBIAS);
  i32x4.add();
  local.get(x);
  pushWords(0x7c00 << 13);
  i32x4.ge_s();
  pushWords(REBIAS);
  v128.and();
  i32x4.add();
  local.set(temp);
  local.get(temp);
  pushWords(1 << 23);
  i32x4.add();
  v128.const("f32x4", [2 ** -14, 2 ** -14, 2 ** -14, 2 ** -14]);
  f32x4.sub();
  local.get(temp);
  local.get(x);
  pushWords(0x400 << 13);
  i32x4.lt_s();
  v128.bitselect();
  v128.or();
  local.set(x);
}

function loadDoubles(type: DType, out: Four, at: Int, offset: number, temp: Vector): void {
  const [first, second] = out as [Vector, Vector];
  if (type === "f32") {
    out.forEach((to, i) =>
      local.set(to, f64x2.promote_low_f32x4(v128.load64_zero({ offset: offset + 8 * i, align: 4 }, at))),
    );
    return;
  }
  loadNarrow(type, [first], at, offset, temp);
  local.set(second, f64x2.promote_low_f32x4(words(first, first, [2, 3, 2, 3])));
  local.set(first, f64x2.promote_low_f32x4(first));
}

function loadLongs(type: DType, out: Four, at: Int, offset: number, temp: Vector): void {
  const [first, second] = out as [Vector, Vector];
  if (type === "s64" || type === "u64") return loadNarrow(type, out, at, offset, temp);
  if (type === "s32" || type === "u32") {
    const half = type === "s32" ? v128.load32x2_s : v128.load32x2_u;
    out.forEach((to, i) => local.set(to, half({ offset: offset + 8 * i, align: 4 }, at)));
    return;
  }
  loadNarrow(type, [first], at, offset, temp);
  const [low, high] = isUnsigned(type)
    ? [i64x2.extend_low_i32x4_u, i64x2.extend_high_i32x4_u]
    : [i64x2.extend_low_i32x4_s, i64x2.extend_high_i32x4_s];
  local.set(second, high(first));
  local.set(first, low(first));
}

/** Elements of any type as 1 where they are not zero, else 0. NaN is not, -0 is; complex ones have two parts. */
function loadTruth(type: DType, out: Vector, second: Vector, at: Int, offset: number): void {
  pushTruth(type, 0, [out, second], at, offset);
  if (isComplex(type)) {
    pushTruth(type, 1, [out, second], at, offset);
    v128.or();
  }
  v128.const("i32x4", [1, 1, 1, 1]);
  v128.and();
  local.set(out);
}

/** Pushes a mask of 32-bit lanes. */
function pushTruth(type: DType, part: 0 | 1, group: Four, at: Int, offset: number): void {
  const [first, second] = group as [Vector, Vector];
  emitLoad(type, part, group, at, offset);
  if (bytesOf(type) >= 8 && type !== "c64") {
    for (const x of group) {
      pushDiffers(x, is64Bit(type) ? i64x2.ne : f64x2.ne);
      local.set(x);
    }
    words(first, second, [0, 2, 4, 6]);
    return;
  }
  // Half floats without their sign.
  if (type === "f16" || type === "bf16") local.set(first, i32x4.shl(first, 17));
  pushDiffers(first, type === "f32" || type === "c64" ? f32x4.ne : i32x4.ne);
}

/** Pushes a mask of what differs from 0, by the comparison of a type. */
function pushDiffers(x: Vector, compare: (a: Vector, b: StackVar<"v128">) => void): void {
  compare(x, v128.const("i32x4", [0, 0, 0, 0]));
}

const SIGN = 2n ** 63n;

type Instruction = (a: Vector, b: Vector) => StackVar<"v128">;

const FLOAT_JOINS = {
  f32: { sum: f32x4.add, product: f32x4.mul, reduceMax: f32x4.max, reduceMin: f32x4.min },
  f64: { sum: f64x2.add, product: f64x2.mul, reduceMax: f64x2.max, reduceMin: f64x2.min },
};
const INT_JOINS = {
  s32: { sum: i32x4.add, product: i32x4.mul, reduceMax: i32x4.max_s, reduceMin: i32x4.min_s },
  u32: { sum: i32x4.add, product: i32x4.mul, reduceMax: i32x4.max_u, reduceMin: i32x4.min_u },
};

/** `held = held op x` in lanes of a work type. */
export function emitJoin(op: ReduceOp, work: WorkType, held: Vector, x: Vector): void {
  if ((work === "s64" || work === "u64") && (op === "reduceMax" || op === "reduceMin")) {
    return joinLongs(op, work === "u64", held, x);
  }
  local.set(held, instructionOf(op, work)(held, x));
}

function instructionOf(op: ReduceOp, work: WorkType): Instruction {
  switch (op) {
    case "all":
      return v128.and;
    case "any":
      return v128.or;
    default:
      if (work === "f32" || work === "f64") return FLOAT_JOINS[work][op];
      if (work === "s32" || work === "u32") return INT_JOINS[work][op];
      return op === "sum" ? i64x2.add : i64x2.mul;
  }
}

/** There is no instruction: unsigned order is signed order with the sign bits flipped. */
function joinLongs(op: "reduceMax" | "reduceMin", unsigned: boolean, held: Vector, x: Vector): void {
  local.get(held);
  local.get(x);
  for (const side of op === "reduceMax" ? [held, x] : [x, held]) {
    local.get(side);
    if (unsigned) {
      v128.const("i64x2", [SIGN, SIGN]);
      v128.xor();
    }
  }
  i64x2.gt_s();
  v128.bitselect();
  local.set(held);
}

const twice = <T>(value: T): [T, T] => [value, value];
const fourfold = <T>(value: T): [T, T, T, T] => [value, value, value, value];

/** Pushes a vector of one number in all lanes of a work type. */
export function pushConstant(work: WorkType, value: number | bigint): void {
  if (work === "f32") v128.const("f32x4", fourfold(Number(value)));
  else if (work === "f64") v128.const("f64x2", twice(Number(value)));
  else if (isWideWork(work)) v128.const("i64x2", twice(BigInt(value)));
  else v128.const("i32x4", fourfold(Number(value)));
}

const LEAST: { readonly [W in WorkType]: number | bigint } = {
  f32: -Infinity,
  f64: -Infinity,
  s32: -(2 ** 31),
  s64: -(2n ** 63n),
  u32: 0,
  u64: 0,
};
const GREATEST: { readonly [W in WorkType]: number | bigint } = {
  f32: Infinity,
  f64: Infinity,
  s32: 2 ** 31 - 1,
  s64: 2n ** 63n - 1n,
  u32: 2 ** 32 - 1,
  u64: 2n ** 64n - 1n,
};

/** The least and the greatest number of a work type. */
export const leastOf = (work: WorkType): number | bigint => LEAST[work];
export const greatestOf = (work: WorkType): number | bigint => GREATEST[work];

function identityOf(op: ReduceOp, work: WorkType): number | bigint {
  switch (op) {
    case "sum":
    case "any":
      return 0;
    case "product":
    case "all":
      return 1;
    case "reduceMax":
      return LEAST[work];
    case "reduceMin":
      return GREATEST[work];
    default:
      return op satisfies never;
  }
}

/** The type that elements of a type are compared in. */
export function orderType(type: DType): WorkType {
  if (type === "f64" || type === "s64" || type === "u64") return type;
  if (isFloat(type)) return "f32";
  return isUnsigned(type) ? "u32" : "s32";
}

/** The type of the accumulators of an op on elements of a type. */
export function workOf(op: ReduceOp, type: DType): WorkType {
  if (op === "all" || op === "any") return "s32";
  if (op === "reduceMax" || op === "reduceMin") return orderType(type);
  return isFloat(type) ? "f64" : isUnsigned(type) ? "u64" : "s64";
}

const QUICK = {
  f32: { ...f32x4, reduceMax: f32x4.pmax, reduceMin: f32x4.pmin },
  f64: { ...f64x2, reduceMax: f64x2.pmax, reduceMin: f64x2.pmin },
};

function quickJoin(op: ReduceOp, work: WorkType): QuickJoin | undefined {
  if ((op !== "reduceMax" && op !== "reduceMin") || (work !== "f32" && work !== "f64")) return undefined;
  const of = QUICK[work];
  return {
    join: (held, x) => local.set(held, of[op](held, x)),
    add: (sum, x) => local.set(sum, of.add(sum, x)),
    pushDoubt(result, sum) {
      v128.any_true(v128.or(of.ne(sum, sum), of.eq(result, v128.const("i32x4", [0, 0, 0, 0]))));
    },
  };
}

/** How two elements become lanes of 64 bits, where that is one instruction or two. */
export function pairOf(work: WorkType, type: DType): PairLoad | undefined {
  if (!isWideWork(work)) return undefined;
  const at = (offset: number) => ({ align: 4, offset }) as const;
  if (type === work) return (out, from, offset) => void local.set(out, v128.load(at(offset), from));
  if (type === "f32") {
    return (out, from, offset) => void local.set(out, f64x2.promote_low_f32x4(v128.load64_zero(at(offset), from)));
  }
  if (type === "s32") return (out, from, offset) => void local.set(out, v128.load32x2_s(at(offset), from));
  if (type === "u32") return (out, from, offset) => void local.set(out, v128.load32x2_u(at(offset), from));
  return undefined;
}

/** Lanes of an op on elements of a type; null for complex numbers, whose parts add up on their own. */
export function lanesOf(op: ReduceOp, type: DType): Lanes | null {
  const truth = op === "all" || op === "any";
  if (isComplex(type) && !truth) return null;
  const work = workOf(op, type);
  const quick = quickJoin(op, work);
  const pair = truth ? undefined : pairOf(work, type);
  return {
    ...(quick && { quick }),
    ...(pair && { pair }),
    work,
    wide: isWideWork(work),
    ordered: work === "f64" && (op === "sum" || op === "product"),
    bytes: bytesOf(type),
    load: truth
      ? (out, at, offset, temp) => loadTruth(type, out[0]!, temp, at, offset)
      : (out, at, offset, temp) => loadAs(work, type, out, at, offset, temp),
    join: (held, x) => emitJoin(op, work, held, x),
    identity: () => pushConstant(work, identityOf(op, work)),
  };
}

/**
 * Lanes of f32 for sums and products of up to two elements of that type, results of which are rounded to it: one operation
 * in f64 that is rounded then gives the same as one in f32 (Figueroa, "When is double rounding innocuous?", 1995). Null for
 * others.
 */
export function singleLanesOf(op: ReduceOp, type: DType): Lanes | null {
  if (type !== "f32" || (op !== "sum" && op !== "product")) return null;
  return {
    work: "f32",
    wide: false,
    ordered: true,
    bytes: 4,
    load: (out, at, offset, temp) => loadAs("f32", type, out, at, offset, temp),
    join: (held, x) => emitJoin(op, "f32", held, x),
    identity: () => pushConstant("f32", identityOf(op, "f32")),
  };
}
