/**
 * Binary ops, selection and casts as programs of the kernel language. A row gives null for types it does not cover; such an
 * op runs by itself on its backend.
 */
import { isComplex, isInteger, isUnsigned, isWide, type DType } from "../../core/types";
import type { BinaryOp } from "../../ops";
import type { Builder } from "../builder";
import { F32_BINARY } from "../special/f32";
import { F64_BINARY } from "../special/f64";
import type { SpecialBinary } from "../special/names";
import type { FloatKind, IntKind, MaskOf, NumberKind, Value } from "../value";
import { asFloat, asWide, fitsF32, laneOf, nonZero, rounded, truth, wrapped, type Typed } from "./typed";

/** From two operands to the value of an op of type `out`. */
export type BinaryLowering = (k: Builder, x: Typed, y: Typed, out: DType) => Typed | null;

type FloatFunction = <K extends FloatKind>(k: Builder, a: Value<K>, b: Value<K>) => Value<K>;
type IntFunction = <K extends IntKind>(k: Builder, a: Value<K>, b: Value<K>, signed: boolean) => Value<K>;

/** Types that hold at most as many digits as the narrowest half float. */
const SHORT: ReadonlySet<DType> = new Set<DType>(["u8", "s8"]);

/**
 * The float kind in which an op on these operands is computed so that its result is rounded once. Half floats are computed
 * in f32, which has digits enough that rounding again is harmless (Figueroa, "When is double rounding innocuous?", 1995),
 * provided that the operands have no more digits than the result.
 */
function floatKind(x: Typed, y: Typed, out: DType): FloatKind | null {
  if (out === "f16" || out === "bf16") {
    const isShort = ({ type }: Typed): boolean => type === out || SHORT.has(type);
    return isShort(x) && isShort(y) ? "f32" : null;
  }
  return fitsF32(x.type) && fitsF32(y.type) && out !== "f64" ? "f32" : "f64";
}

const floats =
  (fn: FloatFunction): BinaryLowering =>
  (k, x, y, out) => {
    if (isComplex(x.type) || isComplex(y.type)) return null;
    const kind = floatKind(x, y, out);
    return kind && rounded(k, out, fn(k, asFloat(k, x, kind), asFloat(k, y, kind)) as Value<FloatKind>);
  };

const special =
  (name: SpecialBinary): BinaryLowering =>
  (k, x, y, out) => {
    if (isInteger(out) || isComplex(out)) return null;
    const kind = floatKind(x, y, out);
    if (kind === null) return null;
    const result =
      kind === "f32"
        ? F32_BINARY[name](k, asFloat(k, x, "f32"), asFloat(k, y, "f32"))
        : F64_BINARY[name](k, asFloat(k, x, "f64"), asFloat(k, y, "f64"));
    return rounded(k, out, result);
  };

/** Integers of type `out` from operands of any integer types. */
function integers(k: Builder, x: Typed, y: Typed, out: DType, fn: IntFunction): Typed {
  const signed = !isUnsigned(out);
  if (isWide(out)) return wrapped(k, out, fn(k, asWide(k, x), asWide(k, y), signed));
  return wrapped(k, out, fn(k, x.parts[0] as Value<"i32">, y.parts[0] as Value<"i32">, signed));
}

type ComplexFunction = (k: Builder, a: Complex, b: Complex) => Complex;
type Complex = readonly [re: Value<"f64">, im: Value<"f64">];

/** Complex numbers are computed in f64 and rounded once. */
function complexes(k: Builder, x: Typed, y: Typed, out: DType, fn: ComplexFunction): Typed | null {
  const [a, b] = [pairOf(k, x), pairOf(k, y)];
  if (!a || !b) return null;
  const parts = fn(k, a, b);
  return { type: out, parts: out === "c64" ? parts.map((part) => k.demote(part)) : parts };
}

function pairOf(k: Builder, value: Typed): Complex | null {
  if (laneOf(value.type) === "i64") return null;
  const [re, im] = value.parts as [Value, Value];
  const wide = (part: Value): Value<"f64"> =>
    part.kind === "f32" ? k.promote(part as Value<"f32">) : (part as Value<"f64">);
  return isComplex(value.type) ? [wide(re), wide(im)] : [asFloat(k, value, "f64"), k.f64(0)];
}

const arithmetic =
  (ofFloats: FloatFunction, ofIntegers: IntFunction, ofComplexes?: ComplexFunction): BinaryLowering =>
  (k, x, y, out) => {
    if (isComplex(out)) return ofComplexes ? complexes(k, x, y, out, ofComplexes) : null;
    if (isInteger(out)) return integers(k, x, y, out, ofIntegers);
    return floats(ofFloats)(k, x, y, out);
  };

const bits =
  (fn: IntFunction): BinaryLowering =>
  (k, x, y, out) =>
    integers(k, x, y, out, fn);

// ------------------------------------------------------------------------------------------------------ comparisons

interface Comparison {
  readonly floats: <K extends NumberKind>(k: Builder, a: Value<K>, b: Value<K>) => Value<MaskOf<K>>;
  readonly unsigned: <K extends IntKind>(k: Builder, a: Value<K>, b: Value<K>) => Value<MaskOf<K>>;
}

/** Numbers are compared exactly, whatever their types; signed with unsigned 64-bit integers are left to the backend. */
const comparison =
  (test: Comparison): BinaryLowering =>
  (k, x, y) => {
    if (isComplex(x.type) || isComplex(y.type)) return null;
    const bothIntegers = isInteger(x.type) && isInteger(y.type);
    if (bothIntegers && (isWide(x.type) || isWide(y.type))) {
      if (isUnsigned(x.type) !== isUnsigned(y.type)) return null;
      const fn = isUnsigned(x.type) ? test.unsigned : test.floats;
      return truth<IntKind>(k, fn(k, asWide(k, x), asWide(k, y)));
    }
    if (bothIntegers && (x.type === "u32") === (y.type === "u32")) {
      const fn = x.type === "u32" ? test.unsigned : test.floats;
      return truth<IntKind>(k, fn(k, x.parts[0] as Value<"i32">, y.parts[0] as Value<"i32">));
    }
    const kind = fitsF32(x.type) && fitsF32(y.type) ? "f32" : "f64";
    return truth<FloatKind>(k, test.floats(k, asFloat(k, x, kind), asFloat(k, y, kind)));
  };

const swapped =
  (lowering: BinaryLowering): BinaryLowering =>
  (k, x, y, out) =>
    lowering(k, y, x, out);

const less = comparison({ floats: (k, a, b) => k.lt(a, b), unsigned: (k, a, b) => k.ltU(a, b) });
const lessEqual = comparison({ floats: (k, a, b) => k.le(a, b), unsigned: (k, a, b) => k.leU(a, b) });
const equalReal = comparison({ floats: (k, a, b) => k.eq(a, b), unsigned: (k, a, b) => k.eq(a, b) });

const equal: BinaryLowering = (k, x, y, out) => {
  if (!isComplex(x.type) && !isComplex(y.type)) return equalReal(k, x, y, out);
  const [a, b] = [pairOf(k, x), pairOf(k, y)];
  return a && b && truth<"f64">(k, k.and(k.eq(a[0], b[0]), k.eq(a[1], b[1])));
};

const notEqual: BinaryLowering = (k, x, y, out) => {
  const same = equal(k, x, y, out);
  return same && truth<"f32">(k, k.not(same.mask!));
};

const logical =
  (fn: (k: Builder, a: Value<"m32">, b: Value<"m32">) => Value<"m32">): BinaryLowering =>
  (k, x, y) =>
    truth<"f32">(k, fn(k, nonZero(k, x), nonZero(k, y)));

// ------------------------------------------------------------------------------------------------------- the table

const extreme = (op: "min" | "max"): BinaryLowering =>
  arithmetic(
    (k, a, b) => (op === "min" ? k.min(a, b) : k.max(a, b)),
    (k, a, b, signed) => {
      const isLess = signed ? k.lt(a, b) : k.ltU(a, b);
      return op === "min" ? k.select(isLess, a, b) : k.select(isLess, b, a);
    },
  );

/** Where both parts come out as NaN, infinities are recovered as in C99, Annex G.5.1. */
const complexProduct: ComplexFunction = (k, a, b) => {
  const [re, im] = plainProduct(k, a, b);
  const isLost = k.and(k.ne(re, re), k.ne(im, im));
  const recovered = (which: 0 | 1) => (): Value<"f64"> => infiniteProduct(k, a, b)[which];
  return [k.rare(isLost, re, recovered(0)), k.rare(isLost, im, recovered(1))];
};

const plainProduct: ComplexFunction = (k, [ar, ai], [br, bi]) => [
  k.sub(k.mul(ar, br), k.mul(ai, bi)),
  k.add(k.mul(ar, bi), k.mul(ai, br)),
];

/** A product with infinite factors, or whose partial products overflow: infinite in the direction of the product of the others. */
const infiniteProduct: ComplexFunction = (k, [ar, ai], [br, bi]) => {
  const isInfinite = (x: Value<"f64">): Value<"m64"> => k.eq(k.abs(x), Infinity);
  const boxed = (x: Value<"f64">): Value<"f64"> => k.select(isInfinite(x), k.select(k.lt(x, 0), k.f64(-1), 1), 0);
  const zeroed = (x: Value<"f64">): Value<"f64"> => k.select(k.eq(x, x), x, 0);
  const isLeft = k.or(isInfinite(ar), isInfinite(ai));
  const isRight = k.or(isInfinite(br), isInfinite(bi));
  const products = [k.mul(ar, br), k.mul(ai, bi), k.mul(ar, bi), k.mul(ai, br)];
  const isAny = [isLeft, isRight, ...products.map(isInfinite)].reduce((x, y) => k.or(x, y));
  const of = (mask: Value<"m64">, x: Value<"f64">): Value<"f64"> => k.select(mask, boxed(x), zeroed(x));
  const parts = plainProduct(k, [of(isLeft, ar), of(isLeft, ai)], [of(isRight, br), of(isRight, bi)]);
  const [re, im] = parts.map((part) => k.select(isAny, k.mul(part, Infinity), NaN));
  return [re!, im!];
};

/** Two reals side by side. */
const pair: BinaryLowering = (k, x, y, out) => {
  if (laneOf(x.type) === "i64" || laneOf(y.type) === "i64") return null;
  const kind = laneOf(out) as FloatKind;
  return { type: out, parts: [asFloat(k, x, kind), asFloat(k, y, kind)] };
};

const notCovered: BinaryLowering = () => null;

export const BINARY_LOWERING: { readonly [K in BinaryOp]: BinaryLowering } = {
  add: arithmetic(
    (k, a, b) => k.add(a, b),
    (k, a, b) => k.add(a, b),
    (k, [ar, ai], [br, bi]) => [k.add(ar, br), k.add(ai, bi)],
  ),
  atan2: special("atan2"),
  bitwiseAnd: bits((k, a, b) => k.and(a, b)),
  bitwiseOr: bits((k, a, b) => k.or(a, b)),
  bitwiseXor: bits((k, a, b) => k.xor(a, b)),
  complex: pair,
  divide: floats((k, a, b) => k.div(a, b)),
  equal,
  greater: swapped(less),
  greaterEqual: swapped(lessEqual),
  leftShift: notCovered,
  less,
  lessEqual,
  logicalAnd: logical((k, a, b) => k.and(a, b)),
  logicalOr: logical((k, a, b) => k.or(a, b)),
  logicalXor: logical((k, a, b) => k.xor(a, b)),
  max: extreme("max"),
  min: extreme("min"),
  multiply: arithmetic(
    (k, a, b) => k.mul(a, b),
    (k, a, b) => k.mul(a, b),
    complexProduct,
  ),
  notEqual,
  pow: special("pow"),
  quotient: notCovered,
  remainder: notCovered,
  rightShift: notCovered,
  subtract: arithmetic(
    (k, a, b) => k.sub(a, b),
    (k, a, b) => k.sub(a, b),
    (k, [ar, ai], [br, bi]) => [k.sub(ar, br), k.sub(ai, bi)],
  ),
};

// ---------------------------------------------------------------------------------------------- casts and selection

/** The value as another type: integers wrap, floats to integers truncate and saturate, all else rounds once. */
export function cast(k: Builder, x: Typed, to: DType, overflow: "saturate" | "wrap"): Typed | null {
  if (x.type === to) return x;
  if (isComplex(to)) return toComplex(k, x, to);
  if (isComplex(x.type)) {
    const type = x.type === "c64" ? "f32" : "f64";
    return cast(k, { type, parts: [x.parts[0]!] }, to, overflow);
  }
  if (isInteger(to)) {
    if (!isInteger(x.type)) return isWide(to) || overflow === "wrap" ? null : saturated(k, x, to);
    if (isWide(to)) return { type: to, parts: [asWide(k, x)] };
    const word = isWide(x.type) ? k.wrap(x.parts[0] as Value<"i64">) : (x.parts[0] as Value<"i32">);
    return wrapped(k, to, word);
  }
  if (isWide(x.type) && to !== "f64") return null;
  if (to === "f64") return { type: to, parts: [asFloat(k, x, "f64")] };
  if (to === "f32") return { type: to, parts: [asFloat(k, x, "f32")] };
  return fitsF32(x.type) ? rounded(k, to, asFloat(k, x, "f32")) : null;
}

function toComplex(k: Builder, x: Typed, to: DType): Typed | null {
  if (laneOf(x.type) === "i64") return null;
  const kind = laneOf(to) as FloatKind;
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

function saturated(k: Builder, x: Typed, to: DType): Typed {
  const float = x.parts[0] as Value<FloatKind>;
  if (to === "u32") return { type: to, parts: [k.truncU(float)] };
  const word = k.truncS(float);
  if (to === "s32") return { type: to, parts: [word] };
  const [low, high] = RANGES[to as keyof typeof RANGES];
  const above = k.select(k.lt(word, low), k.i32(low), word);
  return { type: to, parts: [k.select(k.gt(word, high), k.i32(high), above)] };
}

/** `onTrue` where the predicate is not zero. */
export function choose(k: Builder, pred: Typed, onTrue: Typed, onFalse: Typed, out: DType): Typed | null {
  const yes = cast(k, onTrue, out, "wrap");
  const no = cast(k, onFalse, out, "wrap");
  if (!yes || !no) return null;
  const narrow = nonZero(k, pred);
  const parts = yes.parts.map((part, i) => pick(k, narrow, part, no.parts[i]!));
  return { type: out, parts };
}

function pick(k: Builder, narrow: Value<"m32">, yes: Value, no: Value): Value<NumberKind> {
  const isNarrow = yes.kind === "f32" || yes.kind === "i32";
  const mask = (isNarrow ? narrow : k.widen(narrow)) as Value<MaskOf<NumberKind>>;
  return k.select(mask, yes as Value<NumberKind>, no as Value<NumberKind>);
}
