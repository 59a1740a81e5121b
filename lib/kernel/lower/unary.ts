/**
 * Unary ops as programs of the kernel language, by names that bring them: what functions of the API give to `unary`, so that a bundler
 * leaves out both or neither. A program gives null for types it does not cover, and there is none without the name; such an op runs by
 * itself on its backend.
 */
import { isComplex, isInteger, isUnsigned, type DType } from "../../core/types";
import { isSpecialUnary, type SpecialUnary, type UnaryOp } from "../../ops";
import type { Builder } from "../builder";
import { unaryPrograms, type Brought } from "../special/brought";
import { sqrt as complexRoot } from "../special/complex/root";
import type { FloatKind, MaskOf, Value } from "../value";
import { complexOfOne, modulus } from "./complex";
import { countLeadingZeros, populationCount } from "./integers";
import { asFloat, fitsF32, laneOf, rounded, truth, wrapped, type Typed } from "./typed";

/** The ops that are no special functions. */
type Machine = Exclude<UnaryOp, SpecialUnary>;

/** From an operand to the value of an op of type `out`. */
type UnaryLowering = (k: Builder, x: Typed, out: DType) => Typed | null;

/** The float kind in which a unary op on this operand is computed: its result is rounded once. */
function floatKind(x: Typed, out: DType): FloatKind | null {
  if (isComplex(x.type) || isComplex(out)) return null;
  if (x.type === "f64" || out === "f64") return "f64";
  return fitsF32(x.type) ? "f32" : "f64";
}

type FloatFunction = <K extends FloatKind>(k: Builder, x: Value<K>) => Value<K>;

/** A function of floats that the machine has. */
const machine =
  (fn: FloatFunction): UnaryLowering =>
  (k, x, out) => {
    const kind = floatKind(x, out);
    return kind && rounded(k, out, fn(k, asFloat(k, x, kind)) as Value<FloatKind>);
  };

/** A special function, with its own program for each precision and for complex numbers. */
function special(name: SpecialUnary, k: Builder, x: Typed, out: DType): Typed | null {
  const { f32, f64, complex } = unaryPrograms(name);
  if (isComplex(x.type)) return complex ? complexOfOne(k, x, out, complex) : null;
  const kind = floatKind(x, out);
  if (kind === null) return null;
  const result = kind === "f32" ? f32(k, asFloat(k, x, "f32")) : f64(k, asFloat(k, x, "f64"));
  return rounded(k, out, result);
}

/** Rounding to integers, which leaves integers as they are. */
const rounding = (fn: FloatFunction): UnaryLowering => {
  const ofFloats = machine(fn);
  return (k, x, out) => (isInteger(x.type) ? x : ofFloats(k, x, out));
};

/** Halves away from zero; the sign is kept. */
const roundHalfAway: FloatFunction = (k, x) => {
  const whole = k.trunc(x);
  const away = k.ge(k.abs(k.sub(x, whole)), 0.5);
  const one = k.select(k.lt(x, 0), k.constant(x.kind, -1), 1);
  return k.select(away, k.add(whole, one), whole);
};

const signOfFloat: FloatFunction = (k, x) => {
  const negative = k.select(k.lt(x, 0), k.constant(x.kind, -1), x);
  return k.select(k.gt(x, 0), k.constant(x.kind, 1), negative);
};

/** By the kind of the lane: integers of 32 and of 64 bits, floats, pairs. Results of half floats are half floats unrounded. */
interface ByLane {
  readonly floats: FloatFunction;
  readonly integers: <K extends "i32" | "i64">(k: Builder, x: Value<K>, signed: boolean) => Value<K>;
  readonly complex?: (k: Builder, re: Value<FloatKind>, im: Value<FloatKind>) => Value<FloatKind>[];
  /** The bits of a result of those of a half float. */
  readonly half?: (k: Builder, bits: Value<"i32">) => Value<"i32">;
}

const byLane =
  ({ floats, integers, complex, half }: ByLane): UnaryLowering =>
  (k, x, out) => {
    const [first, second] = x.parts as [Value, Value];
    if (isComplex(x.type)) {
      return complex && x.type === out
        ? { type: out, parts: complex(k, first as Value<FloatKind>, second as Value<FloatKind>) }
        : null;
    }
    if (x.type !== out) return null;
    if (isInteger(x.type)) return wrapped(k, out, integers(k, first as Value<"i32">, !isUnsigned(x.type)));
    const { bits } = x;
    return { type: out, parts: [floats(k, first as Value<FloatKind>)], ...(half && bits && { bits: half(k, bits) }) };
  };

const test =
  (fn: <K extends FloatKind>(k: Builder, x: Value<K>) => Value<MaskOf<K>>): UnaryLowering =>
  (k, x) => {
    if (isInteger(x.type)) return truth(k, k.lt(k.i32(0), 0));
    const masks = x.parts.map((part) => truth(k, fn(k, part as Value<FloatKind>) as Value<MaskOf<FloatKind>>).mask!);
    return truth(
      k,
      masks.reduce((a, b) => k.or(a, b)),
    );
  };

const bitwise =
  (fn: <K extends "i32" | "i64">(k: Builder, x: Value<K>) => Value<K>): UnaryLowering =>
  (k, x, out) =>
    wrapped(k, out, fn(k, x.parts[0] as Value<"i32">));

/** Real or imaginary part; of a real number itself, or zero. */
const part =
  (index: 0 | 1): UnaryLowering =>
  (k, x, out) => {
    if (isComplex(x.type)) return { type: out, parts: [x.parts[index]!] };
    if (index === 1) return laneOf(out) === "f32" || laneOf(out) === "f64" ? zero(k, out) : null;
    const kind = floatKind(x, out);
    return kind && rounded(k, out, asFloat(k, x, kind));
  };

const zero = (k: Builder, type: DType): Typed | null => rounded(k, type, k.constant(laneOf(type) as FloatKind, 0));

/** Of a real number the conjugate has the imaginary part -0. */
const conjugate: UnaryLowering = (k, x, out) => {
  const kind = laneOf(out) as FloatKind;
  const [re, im] = isComplex(x.type) ? (x.parts as Value<FloatKind>[]) : [asFloat(k, x, kind), k.constant(kind, 0)];
  return { type: out, parts: [re!, k.neg(im!)] };
};

const rootOfReal = machine((k, x) => k.sqrt(x));

const absOfReal = byLane({
  floats: (k, x) => k.abs(x),
  integers: (k, x, signed) => (signed ? k.max(x, k.neg(x)) : x),
  half: (k, bits) => k.and(bits, 0x7fff),
});

const lowerings = new Map<string, UnaryLowering>();

function brings<N extends Machine>(name: N, lowering: UnaryLowering): Brought<N> {
  lowerings.set(name, lowering);
  return name as Brought<N>;
}

/** The op as a program; null where there is none. */
export function lowerUnary(op: UnaryOp, k: Builder, x: Typed, out: DType): Typed | null {
  return isSpecialUnary(op) ? special(op, k, x, out) : (lowerings.get(op)?.(k, x, out) ?? null);
}

export const ABS = brings("abs", (k, x, out) =>
  isComplex(x.type) ? rounded(k, out, modulus(k, x)) : absOfReal(k, x, out),
);
export const BITWISE_NOT = brings(
  "bitwiseNot",
  bitwise((k, x) => k.not(x)),
);
export const CEIL = brings(
  "ceil",
  rounding((k, x) => k.ceil(x)),
);
export const CONJUGATE = brings("conjugate", conjugate);
export const COUNT_LEADING_ZEROS = brings("countLeadingZeros", countLeadingZeros);
export const FLOOR = brings(
  "floor",
  rounding((k, x) => k.floor(x)),
);
export const IMAG = brings("imag", part(1));
export const IS_INFINITY = brings(
  "isInfinity",
  test((k, x) => k.eq(k.abs(x), Infinity)),
);
export const IS_NAN = brings(
  "isNan",
  test((k, x) => k.ne(x, x)),
);
export const NEGATE = brings(
  "negate",
  byLane({
    floats: (k, x) => k.neg(x),
    integers: (k, x) => k.neg(x),
    complex: (k, re, im) => [k.neg(re), k.neg(im)],
    half: (k, bits) => k.xor(bits, 0x8000),
  }),
);
export const POPULATION_COUNT = brings("populationCount", populationCount);
export const REAL = brings("real", part(0));
export const ROUND = brings("round", rounding(roundHalfAway));
export const ROUND_EVEN = brings(
  "roundEven",
  rounding((k, x) => k.nearest(x)),
);
export const SIGN = brings(
  "sign",
  byLane({
    floats: signOfFloat,
    integers: (k, x, signed) => (signed ? k.max(k.min(x, 1), -1) : k.minU(x, 1)),
  }),
);
export const SQRT = brings("sqrt", (k, x, out) =>
  isComplex(x.type) ? complexOfOne(k, x, out, complexRoot) : rootOfReal(k, x, out),
);
export const TRUNC = brings(
  "trunc",
  rounding((k, x) => k.trunc(x)),
);

/** All ops that are no special functions: none is without a program. */
export const MACHINE_OF_ONE: { readonly [N in Machine]: Brought<N> } = {
  abs: ABS,
  bitwiseNot: BITWISE_NOT,
  ceil: CEIL,
  conjugate: CONJUGATE,
  countLeadingZeros: COUNT_LEADING_ZEROS,
  floor: FLOOR,
  imag: IMAG,
  isInfinity: IS_INFINITY,
  isNan: IS_NAN,
  negate: NEGATE,
  populationCount: POPULATION_COUNT,
  real: REAL,
  round: ROUND,
  roundEven: ROUND_EVEN,
  sign: SIGN,
  sqrt: SQRT,
  trunc: TRUNC,
};
