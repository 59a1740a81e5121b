/**
 * Arithmetic of complex numbers in the kernel language: in f64, rounded once. The formulas are those of `core/complex-math`.
 */
import { isComplex, type DType } from "../../core/types";
import type { Builder } from "../builder";
import { hypot, isInfinite, type Complex, type ComplexProgram, type F64 } from "../special/complex/parts";
import type { FloatKind, Value } from "../value";
import { asFloat, fitsF32, type Typed } from "./typed";

type Pair = readonly [re: Value<FloatKind>, im: Value<FloatKind>];
type PartFunction = <K extends FloatKind>(k: Builder, a: Value<K>, b: Value<K>) => Value<K>;
export type ComplexFunction = (k: Builder, a: Complex, b: Complex) => Complex;

/** Two operands as pairs in f32 where that holds both, for a result of type `out`, else in f64. */
export function pairsOf(k: Builder, x: Typed, y: Typed, out: DType): readonly [Pair, Pair] {
  const fits = ({ type }: Typed): boolean => type === "c64" || fitsF32(type);
  const kind = out === "c64" && fits(x) && fits(y) ? "f32" : "f64";
  return [pairIn(k, x, kind), pairIn(k, y, kind)];
}

/** An op on the real parts and on the imaginary parts: of two sums or differences in f32, rounding again that in f64 changes nothing. */
export function byParts(k: Builder, x: Typed, y: Typed, out: DType, fn: PartFunction): Typed {
  const [a, b] = pairsOf(k, x, y, out);
  const parts = a.map((part, i) => fn(k, part, b[i]!));
  return { type: out, parts: parts.map((part) => inKind(k, part, out === "c64" ? "f32" : "f64")) };
}

/** Complex numbers are computed in f64 and rounded once. */
const roundedOnce = (k: Builder, out: DType, parts: Complex): Typed => ({
  type: out,
  parts: out === "c64" ? parts.map((part) => k.demote(part)) : parts,
});

/** A function of two complex numbers. */
export const complexes = (k: Builder, x: Typed, y: Typed, out: DType, fn: ComplexFunction): Typed =>
  roundedOnce(k, out, fn(k, pairOf(k, x), pairOf(k, y)));

/** A function of one complex number. */
export const complexOfOne = (k: Builder, x: Typed, out: DType, fn: ComplexProgram): Typed =>
  roundedOnce(k, out, fn(k, pairOf(k, x)));

/** A number as a pair; the imaginary part of a real one is the constant 0. */
const pairIn = (k: Builder, value: Typed, kind: FloatKind): Pair =>
  isComplex(value.type)
    ? [inKind(k, value.parts[0]!, kind), inKind(k, value.parts[1]!, kind)]
    : [asFloat(k, value, kind), k.constant(kind, 0)];

const pairOf = (k: Builder, value: Typed): Complex => pairIn(k, value, "f64") as Complex;

function inKind(k: Builder, part: Value, kind: FloatKind): Value<FloatKind> {
  if (part.kind === kind) return part as Value<FloatKind>;
  return kind === "f64" ? k.promote(part as Value<"f32">) : k.demote(part as Value<"f64">);
}

/** An infinite part as 1, a finite one as 0, the sign kept; NaN as 0, since the sign of a NaN is not the same everywhere. */
function boxed(k: Builder, x: F64): F64 {
  const sign = k.and(k.bits(x), k.i64(0x80000000, 0));
  const isOne = k.maskBits(isInfinite(k, x));
  return k.select(k.eq(x, x), k.float(k.or(sign, k.and(isOne, k.i64(0x3ff00000, 0)))), 0);
}

/** Where both parts come out as NaN, infinities are recovered as in C99, Annex G.5.1. */
export const complexProduct: ComplexFunction = (k, a, b) => {
  const [re, im] = plainProduct(k, a, b);
  const isLost = k.and(k.ne(re, re), k.ne(im, im));
  const recovered = (which: 0 | 1) => (): F64 => infiniteProduct(k, a, b)[which];
  return [k.coldPath(isLost, re, recovered(0)), k.coldPath(isLost, im, recovered(1))];
};

const plainProduct: ComplexFunction = (k, [ar, ai], [br, bi]) => [
  k.sub(k.mul(ar, br), k.mul(ai, bi)),
  k.add(k.mul(ar, bi), k.mul(ai, br)),
];

/** A product with infinite factors, or whose partial products overflow: infinite in the direction of the product of the others. */
const infiniteProduct: ComplexFunction = (k, [ar, ai], [br, bi]) => {
  const zeroed = (x: F64): F64 => k.select(k.eq(x, x), x, 0);
  const isLeft = k.or(isInfinite(k, ar), isInfinite(k, ai));
  const isRight = k.or(isInfinite(k, br), isInfinite(k, bi));
  const products = [k.mul(ar, br), k.mul(ai, bi), k.mul(ar, bi), k.mul(ai, br)];
  const isAny = [isLeft, isRight, ...products.map((x) => isInfinite(k, x))].reduce((x, y) => k.or(x, y));
  const of = (mask: Value<"m64">, x: F64): F64 => k.select(mask, boxed(k, x), zeroed(x));
  const parts = plainProduct(k, [of(isLeft, ar), of(isLeft, ai)], [of(isRight, br), of(isRight, bi)]);
  const [re, im] = parts.map((part) => k.select(isAny, k.mul(part, Infinity), NaN));
  return [re!, im!];
};

/** Parts of this size and their squares neither overflow nor vanish. */
const RANGE = 2 ** 450;

const larger = (k: Builder, [re, im]: Complex): F64 => k.max(k.abs(re), k.abs(im));

/** By the conjugate; where that does not do, as {@link unusualQuotient}. Real divisors divide part by part. */
export const complexQuotient: ComplexFunction = (k, a, b) => {
  if (b[1].op === "const" && b[1].value === 0) return [k.div(a[0], b[0]), k.div(a[1], b[0])];
  const [re, im] = conjugateQuotient(k, a, b);
  const isMedium = (x: F64): Value<"m64"> => k.and(k.le(x, RANGE), k.ge(x, 1 / RANGE));
  const isUsual = [isMedium(larger(k, a)), isMedium(larger(k, b)), k.ne(b[0], 0), k.ne(b[1], 0)];
  const isUnusual = k.not(isUsual.reduce((x, y) => k.and(x, y)));
  const cold = (which: 0 | 1) => (): F64 => unusualQuotient(k, a, b)[which];
  return [k.coldPath(isUnusual, re, cold(0)), k.coldPath(isUnusual, im, cold(1))];
};

const conjugateQuotient: ComplexFunction = (k, [ar, ai], [br, bi]) => {
  const square = k.add(k.mul(br, br), k.mul(bi, bi));
  const re = k.div(k.add(k.mul(ar, br), k.mul(ai, bi)), square);
  const im = k.div(k.sub(k.mul(ai, br), k.mul(ar, bi)), square);
  return [re, im];
};

/** Scaled by powers of two, with infinities as in C99, Annex G.5.1; real and imaginary divisors divide part by part. */
const unusualQuotient: ComplexFunction = (k, a, b) => {
  const [[ar, ai], [br, bi]] = [a, b];
  const isInfiniteAbove = k.or(isInfinite(k, ar), isInfinite(k, ai));
  const isInfiniteBelow = k.or(isInfinite(k, br), isInfinite(k, bi));
  const cases: readonly [Value<"m64">, Complex][] = [
    [isInfiniteAbove, infiniteQuotient(k, a, b)],
    [isInfiniteBelow, vanishingQuotient(k, a, b)],
    [k.eq(br, 0), [k.div(ai, bi), k.div(k.neg(ar), bi)]],
    [k.eq(bi, 0), [k.div(ar, br), k.div(ai, br)]],
  ];
  return cases.reduce<Complex>(
    ([re, im], [mask, [caseRe, caseIm]]) => [k.select(mask, caseRe, re), k.select(mask, caseIm, im)],
    scaledQuotient(k, a, b),
  );
};

const scaledQuotient: ComplexFunction = (k, a, b) => {
  const scaleOf = (x: F64): F64 =>
    k.select(k.gt(x, RANGE), k.f64(2 ** -600), k.select(k.lt(x, 1 / RANGE), k.f64(2 ** 600), 1));
  const [above, below] = [scaleOf(larger(k, a)), scaleOf(larger(k, b))];
  const scaled = ([re, im]: Complex, scale: F64): Complex => [k.mul(re, scale), k.mul(im, scale)];
  const [re, im] = conjugateQuotient(k, scaled(a, above), scaled(b, below));
  return [k.div(k.mul(re, below), above), k.div(k.mul(im, below), above)];
};

const infiniteQuotient: ComplexFunction = (k, [ar, ai], [br, bi]) => {
  const [a, b] = [boxed(k, ar), boxed(k, ai)];
  return [k.mul(k.add(k.mul(a, br), k.mul(b, bi)), Infinity), k.mul(k.sub(k.mul(b, br), k.mul(a, bi)), Infinity)];
};

/** By an infinite number: zero, NaN for a numerator that is not finite. */
const vanishingQuotient: ComplexFunction = (k, [ar, ai], [br, bi]) => {
  const [c, d] = [boxed(k, br), boxed(k, bi)];
  const isFinite = k.and(k.lt(k.abs(ar), Infinity), k.lt(k.abs(ai), Infinity));
  const re = k.mul(k.add(k.mul(ar, c), k.mul(ai, d)), 0);
  const im = k.mul(k.sub(k.mul(ai, c), k.mul(ar, d)), 0);
  return [k.select(isFinite, re, NaN), k.select(isFinite, im, NaN)];
};

/** sqrt(re^2 + im^2) without overflow; infinite if either is, even beside NaN. */
export function modulus(k: Builder, value: Typed): F64 {
  const [a, b] = pairOf(k, value);
  if (value.type !== "c64") return hypot(k, a, b);
  // squares of f32 neither overflow nor vanish in f64
  const size = k.sqrt(k.add(k.mul(a, a), k.mul(b, b)));
  return k.select(k.or(isInfinite(k, a), isInfinite(k, b)), k.f64(Infinity), size);
}
