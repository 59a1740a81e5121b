/**
 * Conversions between element types and selection as programs of the kernel language.
 */
import { isComplex, isInteger, isUnsigned, is64Bit, type DType } from "../../core/types";
import type { Builder } from "../builder";
import type { FloatKind, MaskOf, NumberKind, Value } from "../value";
import { asFloat, asWide, fitsF32, laneOf, nonZero, rounded, wrapped, type Typed } from "./typed";
import { digitsOf, joined, MAGIC, singleOfWide, wideToOdd } from "./wide";

/** The value as another type: integers wrap, floats to integers truncate and saturate, all else rounds once. */
export function cast(k: Builder, x: Typed, to: DType, overflow: "saturate" | "wrap"): Typed | null {
  if (x.type === to) return x;
  if (isComplex(to)) return toComplex(k, x, to);
  if (isComplex(x.type)) {
    const type = x.type === "c64" ? "f32" : "f64";
    return cast(k, { type, parts: [x.parts[0]!] }, to, overflow);
  }
  if (isInteger(to)) {
    if (!isInteger(x.type)) return overflow === "wrap" ? modular(k, x, to) : saturated(k, x, to);
    if (is64Bit(to)) return { type: to, parts: [asWide(k, x)] };
    const word = is64Bit(x.type) ? k.wrap(x.parts[0] as Value<"i64">) : (x.parts[0] as Value<"i32">);
    return wrapped(k, to, word);
  }
  return toFloat(k, x, to);
}

/** A real value as a type of floats, rounded once. */
export function toFloat(k: Builder, x: Typed, to: DType): Typed | null {
  if (x.type === to) return x;
  if (to === "f64") return { type: to, parts: [asFloat(k, x, "f64")] };
  if (is64Bit(x.type)) return ofWide(k, x, to);
  if (to === "f32") return { type: to, parts: [asFloat(k, x, "f32")] };
  return rounded(k, to, asFloat(k, x, fitsF32(x.type) ? "f32" : "f64"));
}

function ofWide(k: Builder, { type, parts }: Typed, to: DType): Typed | null {
  const args = [k, parts[0] as Value<"i64">, isUnsigned(type)] as const;
  return rounded(k, to, to === "f32" ? singleOfWide(...args) : wideToOdd(...args));
}

function toComplex(k: Builder, x: Typed, to: DType): Typed {
  const kind = laneOf(to) as FloatKind;
  if (is64Bit(x.type) && kind === "f32") return { type: to, parts: [...ofWide(k, x, "f32")!.parts, k.f32(0)] };
  if (!isComplex(x.type)) return { type: to, parts: [asFloat(k, x, kind), k.constant(kind, 0)] };
  const type = x.type === "c64" ? "f32" : "f64";
  return { type: to, parts: x.parts.map((part) => asFloat(k, { type, parts: [part] }, kind)) };
}

const RANGES: { readonly [T in "u8" | "s8" | "u16" | "s16"]: readonly [number, number] } = {
  u8: [0, 255],
  s8: [-128, 127],
  u16: [0, 65535],
  s16: [-32768, 32767],
};

/** Truncated, the nearest end of the range for what lies outside, 0 for NaN. */
function saturated(k: Builder, x: Typed, to: DType): Typed {
  const float = x.parts[0] as Value<FloatKind>;
  if (is64Bit(to)) return { type: to, parts: [saturatedWide(k, float, isUnsigned(to))] };
  if (to === "u32") return { type: to, parts: [k.truncU(float)] };
  const word = k.truncS(float);
  if (to === "s32") return { type: to, parts: [word] };
  const [low, high] = RANGES[to as keyof typeof RANGES];
  return { type: to, parts: [k.min(k.max(word, low), high)] };
}

function saturatedWide(k: Builder, x: Value<FloatKind>, unsigned: boolean): Value<"i64"> {
  const whole = k.trunc(unsigned ? k.pmax(x, 0) : x);
  const isLarge = k.not(k.lt(k.abs(whole), 2 ** 51));
  const double = whole.kind === "f32" ? k.promote(whole as Value<"f32">) : (whole as Value<"f64">);
  const mask = isLarge.kind === "m32" ? k.widen(isLarge as Value<"m32">) : (isLarge as Value<"m64">);
  const usual = k.sub(k.bits(k.add(double, MAGIC)), k.i64(0x43380000, 0));
  return k.coldPath(mask, usual, () => largeWide(k, double, unsigned), true);
}

/** A whole number. */
function largeWide(k: Builder, x: Value<"f64">, unsigned: boolean): Value<"i64"> {
  // NaN stays NaN and gives zeros below.
  const { high, low } = digitsOf(k, unsigned ? x : k.pmax(x, -(2 ** 63)));
  const word = joined(k, { high: unsigned ? k.truncU(high) : k.truncS(high), low: k.truncU(low) });
  // Beyond the range the upper digits are those of its end already, while the lower ones are 0 or NaN.
  return k.select(k.ge(x, unsigned ? 2 ** 64 : 2 ** 63), unsigned ? k.i64(-1, -1) : k.i64(0x7fffffff, -1), word);
}

/** Truncated, modulo the number of integers; infinities and NaN as {@link saturated}. */
function modular(k: Builder, x: Typed, to: DType): Typed {
  const float = asFloat(k, x, "f64");
  const isFinite = k.lt(k.abs(float), Infinity);
  const { high, low } = digitsOf(k, k.trunc(float));
  const ends = saturated(k, { type: "f64", parts: [float] }, to).parts[0]!;
  if (is64Bit(to)) {
    const word = joined(k, { high: k.truncU(digitsOf(k, high).low), low: k.truncU(low) });
    return { type: to, parts: [k.select(isFinite, word, ends as Value<"i64">)] };
  }
  const word = wrapped(k, to, k.truncU(low)).parts[0] as Value<"i32">;
  return { type: to, parts: [k.select(k.narrow(isFinite), word, ends as Value<"i32">)] };
}

/** `onTrue` where the predicate is not zero. */
export function choose(k: Builder, pred: Typed, onTrue: Typed, onFalse: Typed, out: DType): Typed | null {
  const yes = cast(k, onTrue, out, "wrap");
  const no = cast(k, onFalse, out, "wrap");
  if (!yes || !no) return null;
  const narrow = nonZero(k, pred);
  const parts = yes.parts.map((part, i) => pick(k, narrow, part, no.parts[i]!));
  return { type: out, parts, ...(yes.bits && no.bits && { bits: k.select(narrow, yes.bits, no.bits) }) };
}

function pick(k: Builder, narrow: Value<"m32">, yes: Value, no: Value): Value<NumberKind> {
  const isNarrow = yes.kind === "f32" || yes.kind === "i32";
  const mask = (isNarrow ? narrow : k.widen(narrow)) as Value<MaskOf<NumberKind>>;
  return k.select(mask, yes as Value<NumberKind>, no as Value<NumberKind>);
}
