/**
 * `bitcast`: an operator from opset 26 on; before that integers keep their bits in casts, and floats are made of their parts.
 */
import type { DType } from "nx-numerics";
import { ELEMENT_TYPES } from "../types";
import type { Emitter } from "./emitter";
import type { Value } from "./ir";
import { Arithmetic, bitsOf, isFloat, isUnsigned } from "./numbers";

interface Format {
  readonly fraction: number;
  readonly exponent: number;
}

const FORMATS: { readonly [T in "f16" | "bf16" | "f32" | "f64"]: Format } = {
  f16: { fraction: 10, exponent: 5 },
  bf16: { fraction: 7, exponent: 8 },
  f32: { fraction: 23, exponent: 8 },
  f64: { fraction: 52, exponent: 11 },
};

/** The same bits as elements of another type: of several elements one, or of one several, along the last axis. */
export function bitcast(e: Emitter, x: Value, type: DType, shape: readonly number[]): Value {
  const [from, to] = [bitsOf(x.type), bitsOf(type)];
  if (from === to) return sameWidth(e, x, type);
  const whole = e.cast(sameWidth(e, x, `u${from}` as DType), "u64");
  const parts = Math.max(from, to) / Math.min(from, to);
  const places = e.tensor(
    "u64",
    [parts],
    Array.from({ length: parts }, (_, i) => BigInt(i * Math.min(from, to))),
  );
  const made = from > to ? parted(e, whole, places, shape, to) : joined(e, whole, places, shape);
  return sameWidth(e, e.cast(made, `u${to}` as DType), type);
}

/** The lower bits of each element first. */
function parted(e: Emitter, x: Value, places: Value, shape: readonly number[], bits: number): Value {
  const [parts] = places.shape as [number];
  const each = e.reshape(x, [...x.shape, 1]);
  const moved = e.op("BitShift", [each, places], "u64", [...x.shape, parts], { direction: "RIGHT" });
  const kept = e.scalar(2n ** BigInt(bits) - 1n, "u64");
  return e.reshape(e.apply("BitwiseAnd", [moved, kept], "u64"), shape);
}

/** Elements that have bits of their own, so that their sum is all of them. */
function joined(e: Emitter, x: Value, places: Value, shape: readonly number[]): Value {
  const [parts] = places.shape as [number];
  const each = e.reshape(x, [...shape, parts]);
  const moved = e.op("BitShift", [each, places], "u64", each.shape, { direction: "LEFT" });
  const last = shape.length;
  const one = (i: number): Value => e.op("Gather", [moved, e.scalar(i, "s64")], "u64", shape, { axis: last });
  return Array.from({ length: parts }, (_, i) => one(i)).reduce((a, b) => e.apply("BitwiseOr", [a, b], "u64"));
}

/** The same bits as elements of another type of the same width. */
function sameWidth(e: Emitter, x: Value, type: DType): Value {
  if (x.type === type) return x;
  if (!isFloat(x.type) && !isFloat(type)) return e.cast(x, type);
  if (e.model.opset >= 26) return e.op("BitCast", [x], type, x.shape, { to: ELEMENT_TYPES[type] });
  if (!isFloat(x.type)) return fromBits(e, x, type as keyof typeof FORMATS);
  if (!isFloat(type) && x.type !== "f64") return e.cast(toBits(e, x, isUnsigned(type)), type);
  throw e.unsupported(`bitcast of ${x.type} to ${type} has no equivalent`, "give { opset: 26 }");
}

/** Fraction times a power of two, which a table has for each exponent: exact in f64. */
function fromBits(e: Emitter, x: Value, type: keyof typeof FORMATS): Value {
  const { fraction, exponent } = FORMATS[type];
  const d = new Arithmetic(e, "f64");
  const bits = e.apply("BitwiseAnd", [e.cast(x, "u64"), e.scalar(2n ** BigInt(bitsOf(type)) - 1n, "u64")], "u64");
  const part = (from: number, count: number) => {
    const moved = e.op("BitShift", [bits, e.scalar(from, "u64")], "u64", x.shape, { direction: "RIGHT" });
    return e.cast(e.apply("BitwiseAnd", [moved, e.scalar(2n ** BigInt(count) - 1n, "u64")], "u64"), "s64");
  };
  const last = 2 ** exponent - 1;
  const bias = 2 ** (exponent - 1) - 1 + fraction;
  const powers = Array.from({ length: last + 1 }, (_, i) => (i === last ? Infinity : 2 ** (Math.max(i, 1) - bias)));
  const at = part(fraction, exponent);
  const digits = part(0, fraction);
  const isNormal = e.compare("Greater", at, e.scalar(0, "s64"));
  const whole = e.where(isNormal, e.apply("Add", [digits, e.scalar(2 ** fraction, "s64")], "s64"), digits);
  const power = e.op("Gather", [e.tensor("f64", [last + 1], powers), at], "f64", x.shape);
  const isSpecial = e.compare("Equal", at, e.scalar(last, "s64"));
  const isNan = e.logic("And", isSpecial, e.compare("Greater", digits, e.scalar(0, "s64")));
  const size = d.where(isNan, NaN, d.mul(e.cast(whole, "f64"), power));
  const isNegative = e.bool(part(bitsOf(type) - 1, 1));
  return e.cast(d.where(isNegative, d.of("Neg", size), size), type);
}

/** The exponent by halving what is left of it; types below f64. NaN has the usual bits. The highest bit is the sign of the result, or not. */
function toBits(e: Emitter, x: Value, isPositive: boolean): Value {
  const { fraction, exponent } = FORMATS[x.type as keyof typeof FORMATS];
  const d = new Arithmetic(e, "f64");
  const given = e.cast(x, "f64");
  const size = d.of("Abs", given);
  const lowest = 2 - 2 ** (exponent - 1) - fraction; // the power of two of the smallest number
  let rest = d.mul(size, 2 ** -lowest);
  let power = d.k(0);
  for (let by = 2 ** exponent; by >= 1; by /= 2) {
    const isAbove = d.is("GreaterOrEqual", rest, 2 ** by);
    rest = d.where(isAbove, d.mul(rest, 2 ** -by), rest);
    power = d.add(power, d.where(isAbove, by, 0));
  }
  const isNormal = d.is("GreaterOrEqual", power, fraction);
  const normal = d.add(d.mul(d.sub(power, fraction - 1), 2 ** fraction), d.mul(d.sub(rest, 1), 2 ** fraction));
  const finite = d.where(isNormal, normal, d.mul(size, 2 ** -lowest));
  const infinite = (2 ** exponent - 1) * 2 ** fraction;
  const usual = d.where(d.isInfinite(size), infinite, finite);
  const magnitude = d.where(e.isNan(given), infinite + 2 ** (fraction - 1), usual);
  const isNegative = e.logic("Or", d.is("Less", given, 0), d.is("Equal", d.of("Reciprocal", given), -Infinity));
  return e.cast(d.add(magnitude, d.where(isNegative, (isPositive ? 1 : -1) * 2 ** (fraction + exponent), 0)), "s64");
}
