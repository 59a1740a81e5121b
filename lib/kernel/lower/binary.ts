/**
 * Binary ops as programs of the kernel language, by names that bring them, as in `unary.ts`. A program gives null for types it does not
 * cover; such an op runs by itself on its backend.
 */
import { isComplex, isInteger, isUnsigned, is64Bit, type DType } from "../../core/types";
import { isSpecialBinary, type BinaryOp, type SpecialBinary } from "../../ops";
import type { Builder } from "../builder";
import { binaryPrograms, type Brought } from "../special/brought";
import type { FloatKind, IntKind, MaskOf, NumberKind, Value } from "../value";
import { toFloat } from "./cast";
import { byParts, complexes, complexProduct, complexQuotient, pairsOf, type ComplexFunction } from "./complex";
import { isCount, isDivisor, quotientOf, remainderOf, shiftLeft, shiftRight } from "./integers";
import { floatRemainder } from "./remainder";
import { asFloat, asWide, fitsF32, nonZero, rounded, singleOf, truth, wrapped, type Typed } from "./typed";

export { cast, choose } from "./cast";

/** The ops that are no special functions. */
type Machine = Exclude<BinaryOp, SpecialBinary>;

/** From two operands to the value of an op of type `out`. */
type BinaryLowering = (k: Builder, x: Typed, y: Typed, out: DType) => Typed | null;

type FloatFunction = <K extends FloatKind>(k: Builder, a: Value<K>, b: Value<K>) => Value<K>;
type IntFunction = <K extends IntKind>(k: Builder, a: Value<K>, b: Value<K>, signed: boolean) => Value<K>;

/** Types that hold at most as many digits as the narrowest half float. */
const SHORT: ReadonlySet<DType> = new Set<DType>(["u8", "s8"]);

/**
 * The float kind in which an op on these operands is computed so that its result is rounded once. Half floats are computed
 * in f32, which has digits enough that rounding again is harmless (Figueroa, "When is double rounding innocuous?", 1995),
 * provided that the operands have no more digits than the result.
 */
function floatKind(x: Typed, y: Typed, out: DType): FloatKind {
  if (out === "f16" || out === "bf16") {
    const isShort = ({ type }: Typed): boolean => type === out || SHORT.has(type);
    return isShort(x) && isShort(y) ? "f32" : "f64";
  }
  return fitsF32(x.type) && fitsF32(y.type) && out !== "f64" ? "f32" : "f64";
}

/** An op on floats that rounds once. Integers beside f32 are mostly numbers of f32, and then f64 rounded again gives what f32 gives. */
const floats =
  (fn: FloatFunction, origin: "sum" | "ratio"): BinaryLowering =>
  (k, x, y, out) => {
    if (isComplex(x.type) || isComplex(y.type)) return null;
    const kind = floatKind(x, y, out);
    const compute = <K extends FloatKind>(kind: K): Value<K> => fn(k, asFloat(k, x, kind), asFloat(k, y, kind));
    if (kind === "f64" && out === "f32" && x.type !== "f64" && y.type !== "f64") {
      const [a, b] = [singleOf(k, x), singleOf(k, y)];
      const usual = fn(k, a.value, b.value);
      const cut = a.cut && b.cut ? k.or(a.cut, b.cut) : (a.cut ?? b.cut);
      return { type: out, parts: [cut ? k.coldPath(cut, usual, () => k.demote(compute("f64")), true) : usual] };
    }
    return rounded(k, out, compute(kind) as Value<FloatKind>, kind === "f32" ? origin : "any");
  };

function special(name: SpecialBinary, k: Builder, x: Typed, y: Typed, out: DType): Typed | null {
  if (isInteger(out) || isComplex(out)) return null;
  const kind = floatKind(x, y, out);
  const { f32, f64 } = binaryPrograms(name);
  const result =
    kind === "f32"
      ? f32(k, asFloat(k, x, "f32"), asFloat(k, y, "f32"))
      : f64(k, asFloat(k, x, "f64"), asFloat(k, y, "f64"));
  return rounded(k, out, result);
}

/** Integers of type `out` from operands of any integer types. */
function integers(k: Builder, x: Typed, y: Typed, out: DType, fn: IntFunction): Typed {
  const signed = !isUnsigned(out);
  if (is64Bit(out)) return wrapped(k, out, fn(k, asWide(k, x), asWide(k, y), signed));
  return wrapped(k, out, fn(k, x.parts[0] as Value<"i32">, y.parts[0] as Value<"i32">, signed));
}

const arithmetic =
  (
    ofFloats: FloatFunction,
    ofIntegers: IntFunction,
    ofComplexes?: ComplexFunction,
    origin: "sum" | "ratio" = "ratio",
  ): BinaryLowering =>
  (k, x, y, out) => {
    if (isComplex(out)) return ofComplexes ? complexes(k, x, y, out, ofComplexes) : null;
    if (isInteger(out)) return integers(k, x, y, out, ofIntegers);
    return floats(ofFloats, origin)(k, x, y, out);
  };

/** Sums and differences; of complex numbers part by part. */
const linear = (fn: <K extends NumberKind>(k: Builder, a: Value<K>, b: Value<K>) => Value<K>): BinaryLowering => {
  const ofOthers = arithmetic(fn, fn, undefined, "sum");
  return (k, x, y, out) => (isComplex(out) ? byParts(k, x, y, out, fn) : ofOthers(k, x, y, out));
};

const bits =
  (fn: IntFunction): BinaryLowering =>
  (k, x, y, out) =>
    integers(k, x, y, out, fn);

// ------------------------------------------------------------------------------------------------------ comparisons

interface Comparison {
  readonly floats: <K extends NumberKind>(k: Builder, a: Value<K>, b: Value<K>) => Value<MaskOf<K>>;
  readonly unsigned: <K extends IntKind>(k: Builder, a: Value<K>, b: Value<K>) => Value<MaskOf<K>>;
  /** Whether a negative number passes on the left of any that is not; on the right it never does. */
  readonly ofNegative: boolean;
}

/** Numbers are compared exactly, whatever their types. */
const comparison =
  (test: Comparison): BinaryLowering =>
  (k, x, y) => {
    if (isComplex(x.type) || isComplex(y.type)) return null;
    const bothIntegers = isInteger(x.type) && isInteger(y.type);
    if (bothIntegers && (is64Bit(x.type) || is64Bit(y.type))) return truth<"i64">(k, compareWide(k, test, x, y));
    if (bothIntegers && (x.type === "u32") === (y.type === "u32")) {
      const fn = x.type === "u32" ? test.unsigned : test.floats;
      return truth<IntKind>(k, fn(k, x.parts[0] as Value<"i32">, y.parts[0] as Value<"i32">));
    }
    const kind = fitsF32(x.type) && fitsF32(y.type) ? "f32" : "f64";
    return truth<FloatKind>(k, test.floats(k, asFloat(k, x, kind), asFloat(k, y, kind)));
  };

/** The largest u64 and the s64 of the same bits differ. */
function compareWide(k: Builder, test: Comparison, x: Typed, y: Typed): Value<"m64"> {
  const [a, b] = [asWide(k, x), asWide(k, y)];
  if (x.type !== "u64" && y.type !== "u64") return test.floats(k, a, b);
  const unsigned = test.unsigned(k, a, b);
  if (!isUnsigned(x.type)) {
    const isNegative = k.lt(a, 0);
    return test.ofNegative ? k.or(unsigned, isNegative) : k.andnot(unsigned, isNegative);
  }
  return isUnsigned(y.type) ? unsigned : k.andnot(unsigned, k.lt(b, 0));
}

const swapped =
  (lowering: BinaryLowering): BinaryLowering =>
  (k, x, y, out) =>
    lowering(k, y, x, out);

const less = comparison({ floats: (k, a, b) => k.lt(a, b), unsigned: (k, a, b) => k.ltU(a, b), ofNegative: true });
const lessEqual = comparison({ floats: (k, a, b) => k.le(a, b), unsigned: (k, a, b) => k.leU(a, b), ofNegative: true });
const equalReal = comparison({ floats: (k, a, b) => k.eq(a, b), unsigned: (k, a, b) => k.eq(a, b), ofNegative: false });

const equal: BinaryLowering = (k, x, y, out) => {
  if (!isComplex(x.type) && !isComplex(y.type)) return equalReal(k, x, y, out);
  const [a, b] = pairsOf(k, x, y, "c64");
  return truth<FloatKind>(k, k.and(k.eq(a[0], b[0]), k.eq(a[1], b[1])));
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

/** The result of floats is one of the operands, so that operands are rounded in place of it, and none of its type is. */
const extreme = (op: "min" | "max"): BinaryLowering => {
  const ofFloats: BinaryLowering = (k, x, y, out) => {
    if (isComplex(x.type) || isComplex(y.type)) return null;
    const [a, b] = [x, y].map((operand) => toFloat(k, operand, out)!.parts[0] as Value<FloatKind>);
    return { type: out, parts: [op === "min" ? k.min(a!, b!) : k.max(a!, b!)] };
  };
  const ofIntegers: IntFunction = (k, a, b, signed) =>
    op === "min" ? (signed ? k.min(a, b) : k.minU(a, b)) : signed ? k.max(a, b) : k.maxU(a, b);
  return (k, x, y, out) => (isInteger(out) ? integers(k, x, y, out, ofIntegers) : ofFloats(k, x, y, out));
};

/** Two reals side by side. */
const pair: BinaryLowering = (k, x, y, out) => {
  const part = out === "c64" ? "f32" : "f64";
  return { type: out, parts: [x, y].flatMap((operand) => toFloat(k, operand, part)!.parts) };
};

/** Quotients are floats, also those of integers. */
const neverInteger: IntFunction = (_, a) => a;

type Accepted = (k: Builder, x: Typed, y: Typed, out: DType) => Typed;

/** Divisions of integers refuse zeros, which a kernel cannot say: the divisors must be known to be others. */
const divided =
  (fn: Accepted): BinaryLowering =>
  (k, x, y, out) =>
    isDivisor(y) ? fn(k, x, y, out) : null;

/** Shifts refuse negative counts. */
const shifted =
  (fn: Accepted): BinaryLowering =>
  (k, x, y, out) =>
    isCount(y, out) ? fn(k, x, y, out) : null;

/** Of floats as `%` does it; of doubles, where it takes more than a kernel has, by the backend. */
const remainder: BinaryLowering = (k, x, y, out) => {
  if (isInteger(out)) return divided(remainderOf)(k, x, y, out);
  if (x.type === "f64" || y.type === "f64" || is64Bit(y.type)) return null;
  return rounded(k, out, floatRemainder(k, asFloat(k, x, "f64"), asFloat(k, y, "f64")));
};

const lowerings = new Map<string, BinaryLowering>();

function brings<N extends Machine>(name: N, lowering: BinaryLowering): Brought<N> {
  lowerings.set(name, lowering);
  return name as Brought<N>;
}

/** The op as a program; null where there is none. */
export function lowerBinary(op: BinaryOp, k: Builder, x: Typed, y: Typed, out: DType): Typed | null {
  return isSpecialBinary(op) ? special(op, k, x, y, out) : (lowerings.get(op)?.(k, x, y, out) ?? null);
}

export const ADD = brings(
  "add",
  linear((k, a, b) => k.add(a, b)),
);
export const BITWISE_AND = brings(
  "bitwiseAnd",
  bits((k, a, b) => k.and(a, b)),
);
export const BITWISE_OR = brings(
  "bitwiseOr",
  bits((k, a, b) => k.or(a, b)),
);
export const BITWISE_XOR = brings(
  "bitwiseXor",
  bits((k, a, b) => k.xor(a, b)),
);
export const COMPLEX = brings("complex", pair);
export const DIVIDE = brings(
  "divide",
  arithmetic((k, a, b) => k.div(a, b), neverInteger, complexQuotient),
);
export const EQUAL = brings("equal", equal);
export const GREATER = brings("greater", swapped(less));
export const GREATER_EQUAL = brings("greaterEqual", swapped(lessEqual));
export const LEFT_SHIFT = brings("leftShift", shifted(shiftLeft));
export const LESS = brings("less", less);
export const LESS_EQUAL = brings("lessEqual", lessEqual);
export const LOGICAL_AND = brings(
  "logicalAnd",
  logical((k, a, b) => k.and(a, b)),
);
export const LOGICAL_OR = brings(
  "logicalOr",
  logical((k, a, b) => k.or(a, b)),
);
export const LOGICAL_XOR = brings(
  "logicalXor",
  logical((k, a, b) => k.xor(a, b)),
);
export const MAX = brings("max", extreme("max"));
export const MIN = brings("min", extreme("min"));
export const MULTIPLY = brings(
  "multiply",
  arithmetic(
    (k, a, b) => k.mul(a, b),
    (k, a, b) => k.mul(a, b),
    complexProduct,
  ),
);
export const NOT_EQUAL = brings("notEqual", notEqual);
export const QUOTIENT = brings("quotient", divided(quotientOf));
export const REMAINDER = brings("remainder", remainder);
export const RIGHT_SHIFT = brings("rightShift", shifted(shiftRight));
export const SUBTRACT = brings(
  "subtract",
  linear((k, a, b) => k.sub(a, b)),
);

/** All ops that are no special functions: none is without a program. */
export const MACHINE_OF_TWO: { readonly [N in Machine]: Brought<N> } = {
  add: ADD,
  bitwiseAnd: BITWISE_AND,
  bitwiseOr: BITWISE_OR,
  bitwiseXor: BITWISE_XOR,
  complex: COMPLEX,
  divide: DIVIDE,
  equal: EQUAL,
  greater: GREATER,
  greaterEqual: GREATER_EQUAL,
  leftShift: LEFT_SHIFT,
  less: LESS,
  lessEqual: LESS_EQUAL,
  logicalAnd: LOGICAL_AND,
  logicalOr: LOGICAL_OR,
  logicalXor: LOGICAL_XOR,
  max: MAX,
  min: MIN,
  multiply: MULTIPLY,
  notEqual: NOT_EQUAL,
  quotient: QUOTIENT,
  remainder: REMAINDER,
  rightShift: RIGHT_SHIFT,
  subtract: SUBTRACT,
};
