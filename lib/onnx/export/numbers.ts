/**
 * Arithmetic that several operations are made of: kinds of types, bits of integers, conversions, polynomials.
 */
import * as Nx from "nx-numerics";
import { tensorType, widthOf, type ElementType } from "../types";
import type { Emitter } from "./emitter";
import { broadcastShape, type Value } from "./ir";

export const isFloat = (type: ElementType): boolean => type !== "bool" && Nx.Type.isFloat(type);
export const isInteger = (type: ElementType): boolean => type !== "bool" && Nx.Type.isInteger(type);
export const isUnsigned = (type: ElementType): boolean => type !== "bool" && Nx.Type.isUnsigned(type);
export const bitsOf = (type: ElementType): number => 8 * widthOf(type);

/** The float type that special functions of a type are computed in before they are rounded. */
export const workingType = (type: ElementType): "f32" | "f64" => (type === "f64" ? "f64" : "f32");

/** Binary digits of floats: integers of no more bits are exact in them. */
const DIGITS: Readonly<Record<string, number>> = { bf16: 8, f16: 11, f32: 24, f64: 53 };

/** Whether integers of a type are too wide for floats of another, so that they are computed in `f64` and rounded once, at the end. */
export const isTooWide = (integer: ElementType, float: ElementType): boolean =>
  isInteger(integer) && isFloat(float) && bitsOf(integer) > DIGITS[float]!;

/** The unsigned type of the same bits that shifts are computed in. */
const shiftType = (type: ElementType): "u32" | "u64" => (bitsOf(type) === 64 ? "u64" : "u32");

/** Operations on values of one float type. */
export class Arithmetic {
  constructor(
    readonly e: Emitter,
    readonly type: "f32" | "f64",
  ) {}

  k(value: number): Value {
    return this.e.scalar(value, this.type);
  }

  of(op: string, ...inputs: readonly (Value | number)[]): Value {
    return this.e.apply(op, inputs.map((input) => this.value(input)), this.type); // prettier-ignore
  }

  private value(input: Value | number): Value {
    return typeof input === "number" ? this.k(input) : input;
  }

  add = (a: Value | number, b: Value | number): Value => this.of("Add", a, b);
  sub = (a: Value | number, b: Value | number): Value => this.of("Sub", a, b);
  mul = (a: Value | number, b: Value | number): Value => this.of("Mul", a, b);
  div = (a: Value | number, b: Value | number): Value => this.of("Div", a, b);

  is(op: string, a: Value, b: Value | number): Value {
    return this.e.compare(op, a, this.value(b));
  }

  where(condition: Value, a: Value | number, b: Value | number): Value {
    return this.e.where(condition, this.value(a), this.value(b));
  }

  isInfinite(x: Value): Value {
    return this.e.op("IsInf", [x], "bool", x.shape);
  }

  /** A polynomial by Horner's rule, coefficients from the lowest power up. */
  polynomial(x: Value, coefficients: readonly number[]): Value {
    const [last, ...rest] = [...coefficients].reverse();
    return rest.reduce<Value>((sum, coefficient) => this.add(this.mul(sum, x), coefficient), this.k(last!));
  }
}

/** Numbers as another type: floats to integers truncate, then saturate or wrap; NaN becomes 0. */
export function converted(e: Emitter, x: Value, type: ElementType, overflow: "saturate" | "wrap" = "saturate"): Value {
  if (x.type === type || x.type === "bool" || !isFloat(x.type) || !isInteger(type)) return e.cast(x, type);
  const working = x.type === "f64" || bitsOf(type) > 16 || overflow === "wrap" ? "f64" : "f32";
  const f = new Arithmetic(e, working);
  const given = e.cast(x, working);
  const number = f.where(e.isNan(given), 0, given);
  return overflow === "wrap" ? wrapped(f, number, type) : saturated(f, number, type);
}

function saturated(f: Arithmetic, x: Value, type: ElementType): Value {
  const { e } = f;
  const [low, high] = [Nx.Type.minFinite(tensorType(type)), Nx.Type.maxFinite(tensorType(type))];
  if (bitsOf(type) < 64) return e.cast(f.of("Clip", x, Number(low), Number(high)), type);
  // the largest integer is no float: what reaches the power of two above it is chosen apart
  const above = Number(high);
  const inside = f.of("Clip", x, Number(low), above - (type === "u64" ? 2048 : 1024));
  return e.where(f.is("GreaterOrEqual", x, above), e.scalar(high, type), e.cast(inside, type));
}

/** Modulo a power of two; infinities, which have no remainder, are the extremes. */
const wrapped = (f: Arithmetic, x: Value, type: ElementType): Value =>
  f.e.where(f.isInfinite(x), saturated(f, x, type), remainder(f, x, type));

/** Modulo a power of two into the range of the type: engines join casts, so that those in between do not take bits away. */
function remainder(f: Arithmetic, x: Value, type: ElementType): Value {
  const { e } = f;
  const size = 2 ** bitsOf(type);
  const given = f.where(f.isInfinite(x), 0, x);
  const whole = f.where(f.is("Less", given, 0), f.of("Ceil", given), f.of("Floor", given));
  const part = e.apply("Mod", [whole, f.k(size)], "f64", { fmod: 1 });
  if (isUnsigned(type) && size < 2 ** 64) return e.cast(f.where(f.is("Less", part, 0), f.add(part, size), part), type);
  const low = f.where(f.is("Less", part, -size / 2), f.add(part, size), part);
  const inside = f.where(f.is("GreaterOrEqual", low, size / 2), f.sub(low, size), low);
  return e.cast(e.cast(inside, "s64"), type);
}

/** Integers shifted by bits, fewer than they have. */
export function shifted(e: Emitter, x: Value, by: Value, direction: "LEFT" | "RIGHT"): Value {
  const { type } = x;
  const computed = type === "u8" && direction === "RIGHT" ? "u8" : shiftType(type);
  const shift = (value: Value) =>
    e.cast(
      e.op("BitShift", [e.cast(value, computed), e.cast(by, computed)], computed, broadcastShape(x.shape, by.shape), {
        direction,
      }),
      type,
    );
  if (direction === "LEFT" || isUnsigned(type)) return shift(x);
  const isNegative = e.compare("Less", x, e.scalar(0, type));
  const flipped = (value: Value) => e.where(isNegative, e.apply("BitwiseNot", [value], type), value);
  return flipped(shift(flipped(x)));
}

/** As {@link shifted}, by a number. */
export const shiftedBy = (e: Emitter, x: Value, by: number, direction: "LEFT" | "RIGHT"): Value =>
  shifted(e, x, e.scalar(by, x.type), direction);

/** Integers as s32 of the same order; only types of at most 32 bits. */
export function orderedS32(e: Emitter, x: Value): { readonly value: Value; readonly back: (y: Value) => Value } {
  if (x.type !== "u32") return { value: e.cast(x, "s32"), back: (y) => e.cast(y, x.type) };
  const top = 2 ** 31;
  const value = e.cast(e.apply("Sub", [e.cast(x, "s64"), e.scalar(top, "s64")], "s64"), "s32");
  return { value, back: (y) => e.cast(e.apply("Add", [e.cast(y, "s64"), e.scalar(top, "s64")], "s64"), "u32") };
}

/** Integers of 64 bits as s64 of the same order. */
export function orderedS64(e: Emitter, x: Value): { readonly value: Value; readonly back: (y: Value) => Value } {
  if (tensorType(x.type) !== "u64") return { value: e.cast(x, "s64"), back: (y) => e.cast(y, x.type) };
  const turned = (y: Value) => e.apply("BitwiseXor", [y, e.scalar(-(2n ** 63n), "s64")], "s64");
  return { value: turned(e.cast(x, "s64")), back: (y) => e.cast(turned(y), "u64") };
}

/** The larger or the smaller of two; onnxruntime compares the lower halves of s64 as if they had signs, in some places. */
export function either(e: Emitter, op: "Max" | "Min", a: Value, b: Value, type: ElementType): Value {
  if (!isInteger(type) || bitsOf(type) < 64 || !e.model.isStrict) return e.apply(op, [a, b], type);
  const [x, y] = [e.cast(a, type), e.cast(b, type)];
  return e.where(e.compare(op === "Max" ? "Greater" : "Less", x, y), x, y);
}

/** The type that running sums, sums of half floats and of what is added by indices, and all products are done in: floats that are rounded once lose less. */
export const wideType = (e: Emitter, type: ElementType): ElementType =>
  e.model.isStrict && isFloat(type) ? "f64" : type;
