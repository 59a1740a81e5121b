/**
 * Kernels on integers of one byte in lanes of one byte, sixteen elements to a vector, where these give what lanes of 32 bits give. The low
 * byte of a sum, a product or a bitwise op depends on the low bytes of its operands alone; comparisons, extremes and shifts to the right
 * need operands that a byte holds, which the ranges of values tell.
 */
import { i16x8, i8x16, local, v128, type Local, type StackVar } from "../asm";
import type { Kernel, OpValue, ShiftValue, Value } from "../../../kernel/value";
import type { Vector } from "./vectors";

/** The numbers that a value may be, as an integer of 32 bits. */
export type Range = readonly [least: number, most: number];

/** How a byte holds the numbers of a range: unsigned, or signed. */
type Sign = "u" | "s";

const ANY: Range = [-Infinity, Infinity];
const UNSIGNED: Range = [0, 255];
const SIGNED: Range = [-128, 127];

const isIn = ([least, most]: Range, [from, to]: Range): boolean => least >= from && most <= to;

/** How bytes hold all of these ranges; null where they do not. */
function signOf(...ranges: readonly Range[]): Sign | null {
  if (ranges.every((range) => isIn(range, UNSIGNED))) return "u";
  return ranges.every((range) => isIn(range, SIGNED)) ? "s" : null;
}

const hull = (...ranges: readonly Range[]): Range => [
  Math.min(...ranges.map(([least]) => least)),
  Math.max(...ranges.map(([, most]) => most)),
];

/** The range of what wraps where it leaves 32 bits. */
const wrapping = (range: Range): Range => (isIn(range, [-(2 ** 31), 2 ** 31 - 1]) ? range : ANY);

const products = ([a, b]: Range, [c, d]: Range): Range =>
  hull([a * c, a * c], [a * d, a * d], [b * c, b * c], [b * d, b * d]);

/** The range of bits that two values share, or that either has. */
function bitwise(op: "and" | "or" | "xor", a: Range, b: Range): Range {
  const least = Math.min(a[0], b[0]);
  if (op === "and" && Math.max(a[0], b[0]) >= 0)
    return [0, Math.min(a[0] < 0 ? Infinity : a[1], b[0] < 0 ? Infinity : b[1])];
  if (least >= 0) return isIn(hull(a, b), UNSIGNED) ? UNSIGNED : ANY;
  return signOf(a, b) === "s" ? SIGNED : ANY;
}

/** Bits by which the highest byte of 32 bits is the lowest one. */
const HIGHEST = 24;

/** The range of the result of an op on values of such ranges; null where lanes of bytes do not give it. */
function rangeOf(value: OpValue | ShiftValue, [a, b, c]: readonly Range[]): Range | null {
  const [x, y] = [a!, b!];
  switch (value.op) {
    case "add":
      return wrapping([x[0] + y[0], x[1] + y[1]]);
    case "sub":
      return wrapping([x[0] - y[1], x[1] - y[0]]);
    case "mul":
      return isIn(hull(x, y), [-65_536, 65_536]) ? wrapping(products(x, y)) : ANY;
    case "neg":
      return wrapping([-x[1], -x[0]]);
    case "not":
      return value.kind === "m32" ? ANY : [-1 - x[1], -1 - x[0]];
    case "and":
    case "or":
    case "xor":
      return value.kind === "m32" ? ANY : bitwise(value.op, x, y);
    case "andnot":
      return x[0] >= 0 ? [0, x[1]] : ANY;
    case "eq":
    case "ne":
    case "lt":
    case "le":
    case "min":
    case "max":
      return signOf(x, y) === null ? null : hull(x, y);
    case "ltU":
    case "leU":
    case "minU":
    case "maxU":
      return signOf(x, y) === "u" ? hull(x, y) : null;
    case "maskBits":
      return [-1, 0];
    case "select":
      return hull(y, c!);
    case "shl":
      return value.count < 8
        ? wrapping([x[0] * 2 ** value.count, x[1] * 2 ** value.count])
        : value.count === HIGHEST
          ? ANY
          : null;
    case "shrS":
    case "shrU":
      if (isMoved(value.args[0]!)) return value.count !== HIGHEST ? null : value.op === "shrS" ? SIGNED : UNSIGNED;
      if (value.count >= 8 || signOf(x) !== (value.op === "shrU" ? "u" : (signOf(x) ?? "u"))) return null;
      return [x[0] >> value.count, x[1] >> value.count];
    default:
      return null;
  }
}

/** Whether a value is the low byte of another one, moved to the highest: half of cutting a number to a byte, which lanes of bytes do by themselves. */
const isMoved = (value: Value): boolean => value.op === "shl" && value.count === HIGHEST;

/** The ranges of the values of a kernel that lanes of bytes do; null for other kernels. */
export function byteRanges({ inputs, outputs, values }: Kernel): ReadonlyMap<Value, Range> | null {
  const isByte = ({ type }: { readonly type: string }): boolean => type === "u8" || type === "s8";
  if (!inputs.every(isByte) || !outputs.every(isByte)) return null;
  const ranges = new Map<Value, Range>();
  for (const value of values) {
    const range = ownRange(value, inputs, ranges);
    if (range === null) return null;
    ranges.set(value, range);
  }
  return outputs.every((output) => output.values.every((value) => !isMoved(value))) ? ranges : null;
}

function ownRange(value: Value, inputs: Kernel["inputs"], ranges: ReadonlyMap<Value, Range>): Range | null {
  if (value.kind !== "i32" && value.kind !== "m32") return null;
  if (value.op === "load") return inputs[value.input]!.type === "u8" ? UNSIGNED : SIGNED;
  if (value.op === "const") return [value.value | 0, value.value | 0];
  if (value.op === "lookup" || value.op === "coldPath") return null;
  const isCut = value.op === "shrS" || value.op === "shrU";
  if (!isCut && value.args.some(isMoved)) return null;
  return rangeOf(
    value,
    value.args.map((arg) => ranges.get(arg)!),
  );
}

type Binary = (a: Vector, b: Vector) => StackVar<"v128">;

/** Ops on bytes whose instruction is the same whatever the sign. */
const EITHER: { readonly [op: string]: Binary } = {
  add: i8x16.add,
  sub: i8x16.sub,
  mul: product,
  and: v128.and,
  or: v128.or,
  xor: v128.xor,
  andnot: v128.andnot,
  eq: i8x16.eq,
  ne: i8x16.ne,
};

const BY_SIGN: { readonly [op: string]: { readonly [S in Sign]: Binary } } = {
  lt: { u: i8x16.lt_u, s: i8x16.lt_s },
  le: { u: i8x16.le_u, s: i8x16.le_s },
  min: { u: i8x16.min_u, s: i8x16.min_s },
  max: { u: i8x16.max_u, s: i8x16.max_s },
};

/** The low bytes of products: of the lower and of the upper lanes in lanes of two bytes. */
function product(a: Vector, b: Vector): StackVar<"v128"> {
  const low = i16x8.mul(i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(b));
  const even = Array.from({ length: VECTOR_BYTES }, (_, i) => 2 * i);
  return i8x16.shuffle(even, low, i16x8.mul(i16x8.extend_high_i8x16_u(a), i16x8.extend_high_i8x16_u(b)));
}

/** Bytes, and so elements, of a vector. */
export const VECTOR_BYTES = 16;

/** Loads sixteen elements, or one repeated. */
export const loadBytes = (to: Vector, at: Local<"i32">, isUniform: boolean): void =>
  local.set(to, isUniform ? v128.load8_splat({}, at) : v128.load({ align: 1 }, at));

/** Puts the value of an op, or a constant, on sixteen elements into `to`, which is none of the arguments. */
export function emitBytes(value: Value, to: Vector, args: readonly Vector[], ranges: ReadonlyMap<Value, Range>): void {
  const [a, b, c] = args as [Vector, Vector, Vector];
  switch (value.op) {
    case "const":
      return local.set(to, v128.const("i8x16", new Array<number>(VECTOR_BYTES).fill(value.value & 255)));
    case "neg":
      return local.set(to, i8x16.neg(a));
    case "not":
      return local.set(to, v128.not(a));
    case "maskBits":
      return local.set(to, local.get(a));
    case "select":
      return local.set(to, v128.bitselect(b, c, a));
    case "shl":
      return local.set(to, isMoved(value) ? local.get(a) : i8x16.shl(a, value.count));
    case "shrS":
    case "shrU":
      if (isMoved(value.args[0]!)) return local.set(to, local.get(a));
      return local.set(to, (signOf(ranges.get(value.args[0]!)!) === "u" ? i8x16.shr_u : i8x16.shr_s)(a, value.count));
    default: {
      const sign = signOf(...value.args.map((arg) => ranges.get(arg)!));
      const binary = EITHER[value.op] ?? BY_SIGN[value.op.replace("U", "")]![sign!];
      return local.set(to, binary(a, b));
    }
  }
}
