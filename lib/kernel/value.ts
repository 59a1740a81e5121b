/**
 * The kernel language: scalar expressions over a few kinds of lanes, as immutable nodes. A kernel computes each element of
 * its outputs from one element of each input; how many elements are handled at a time is the executor's business. Knows
 * numbers, not tensors.
 *
 * Arithmetic is IEEE 754 with one rounding per op in the kind's own precision, integers wrap, masks are all ones or all
 * zeros. Both executors give the same bits for every program (of NaNs, only that they are NaN).
 */
import type { DType } from "../core/types";

export type FloatKind = "f32" | "f64";
export type IntKind = "i32" | "i64";
export type NumberKind = FloatKind | IntKind;
/** Masks, as wide as the compared lanes. */
export type MaskKind = "m32" | "m64";
export type Kind = NumberKind | MaskKind;

/** The mask a comparison of this kind gives, and that selects among values of this kind. */
export type MaskOf<K extends Kind> = K extends "f32" | "i32" | "m32" ? "m32" : "m64";
/** The integer kind of the same width. */
export type BitsOf<K extends Kind> = K extends "f32" | "i32" | "m32" ? "i32" : "i64";

/**
 * Ops by what they take. Comparisons of NaN do not hold, except `ne`. `min` and `max` give NaN for NaN and order -0 below 0;
 * `pmin(a, b)` is `b < a ? b : a` and `pmax(a, b)` is `a < b ? b : a`, which is one instruction on most machines. Integers are
 * signed where a name does not end in `U`.
 */
const OPS = {
  unary: ["neg", "abs", "sqrt", "floor", "ceil", "trunc", "nearest", "not"],
  binary: ["add", "sub", "mul", "div", "min", "max", "pmin", "pmax", "minU", "maxU", "and", "or", "xor", "andnot"],
  compare: ["eq", "ne", "lt", "le", "ltU", "leU"],
  shift: ["shl", "shrS", "shrU"],
  convert: [
    "bits", // float to the integer of the same bits
    "float", // integer to the float of the same bits
    "maskBits", // mask to integer: -1 or 0
    "promote", // f32 to f64
    "demote", // f64 to f32, rounded
    "fromS32", // signed i32 to f32 or f64
    "fromU32", // unsigned i32 to f32 or f64
    "truncS", // f32 or f64 to signed i32: truncated, saturated, NaN to 0
    "truncU", // f32 or f64 to unsigned i32
    "extendS", // i32 to i64
    "extendU",
    "wrap", // i64 to its low i32
    "widen", // m32 to m64
    "narrow", // m64 to m32
  ],
} as const;

export type UnaryCode = (typeof OPS.unary)[number];
export type BinaryCode = (typeof OPS.binary)[number];
export type CompareCode = (typeof OPS.compare)[number];
export type ShiftCode = (typeof OPS.shift)[number];
export type ConvertCode = (typeof OPS.convert)[number];

export interface Base<K extends Kind> {
  /** Ascending within a builder: arguments have smaller ids than their readers. */
  readonly id: number;
  readonly kind: K;
  readonly args: readonly Value[];
}

/** One element of an input: of a complex input its real (0) or imaginary (1) part. */
export interface LoadValue<K extends Kind = Kind> extends Base<K> {
  readonly op: "load";
  readonly input: number;
  readonly part: 0 | 1;
}

/** The same number for every element. Of i64, the two halves of 32 bits. */
export interface ConstValue<K extends Kind = Kind> extends Base<K> {
  readonly op: "const";
  readonly value: number;
  readonly high: number;
}

export interface OpValue<K extends Kind = Kind> extends Base<K> {
  readonly op: UnaryCode | BinaryCode | CompareCode | ConvertCode | "select";
}

/** Shifts by a constant number of bits. */
export interface ShiftValue<K extends Kind = Kind> extends Base<K> {
  readonly op: ShiftCode;
  readonly count: number;
}

/** A table of doubles, which is a constant of the library. */
export interface Table {
  readonly name: string;
  /** The position of the table's first entry among the entries of all tables. */
  readonly first: number;
  /** Its entries, which are computed at the first use. */
  entries(): Float64Array;
}

/** An entry of a table of doubles; the index (an i32) must lie inside. */
export interface LookupValue<K extends Kind = Kind> extends Base<K> {
  readonly op: "lookup";
  readonly table: Table;
}

/**
 * `args[0]` is a mask that seldom holds, `args[1]` the value where it does not. Where it holds, the value is `cold`, which is
 * computed only for vectors or blocks with such an element. Further arguments are what `body` reads of the surroundings.
 */
export interface ColdPathValue<K extends Kind = Kind> extends Base<K> {
  readonly op: "coldPath";
  readonly body: readonly Value[];
  readonly cold: Value<K>;
  /** Whether `cold` is right for all elements, those that the mask leaves out too: vectors with such an element take it as it is. */
  readonly isWhole: boolean;
}

export type Value<K extends Kind = Kind> =
  | LoadValue<K>
  | ConstValue<K>
  | OpValue<K>
  | ShiftValue<K>
  | LookupValue<K>
  | ColdPathValue<K>;

/** What a kernel reads: one element per element of the space, or the same one for all of them. */
export interface KernelInput {
  readonly type: DType;
  readonly uniform: boolean;
}

/** What a kernel writes. Complex outputs have two values, others one, of the kind {@link storageKind} says. */
export interface KernelOutput {
  readonly type: DType;
  readonly values: readonly Value[];
}

/** An element-wise kernel. Nothing in it depends on sizes. */
export interface Kernel {
  readonly inputs: readonly KernelInput[];
  /** All values the outputs need, arguments first; bodies of cold paths are inside those. */
  readonly values: readonly Value[];
  readonly outputs: readonly KernelOutput[];
}

/** How many values of a kernel are computed. */
export const opsOf = ({ values }: Kernel): number => values.filter(({ op }) => op !== "load" && op !== "const").length;

const STORAGE: { readonly [T in DType]: NumberKind } = {
  u8: "i32",
  u16: "i32",
  u32: "i32",
  u64: "i64",
  s8: "i32",
  s16: "i32",
  s32: "i32",
  s64: "i64",
  f16: "i32",
  bf16: "i32",
  f32: "f32",
  f64: "f64",
  c64: "f32",
  c128: "f64",
};

/** The kind elements of a type are loaded to and stored from: half floats as their bits, small integers extended. */
export const storageKind = (type: DType): NumberKind => STORAGE[type];

/** Whether a lane of this kind takes 64 bits. */
export const isWideKind = (kind: Kind): boolean => kind === "f64" || kind === "i64" || kind === "m64";
