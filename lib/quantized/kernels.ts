/**
 * The element-wise kernels of embARC MLI, as functions of tensors of integers. Everything that depends on formats alone is worked
 * out beforehand, so that a kernel is a handful of integer operations. Operands are taken as checked.
 *
 * Source of all formulas: the reference kernels of embARC MLI 2.0, as documented.
 */
import type { Tensor } from "../tensor";
import { CONTAINERS, type Format, type FxFormat, type Sa8Format } from "./format";
import { factorOf, reduced, type Factor, type Rounding } from "./host";
import {
  elements,
  extreme,
  minus,
  plus,
  plusNumber,
  saturated,
  scaled,
  times,
  timesNumber,
  type Ranged,
} from "./ranged";
import { cast } from "../nx/dispatch";

export type Op = "add" | "sub" | "mul" | "min" | "max";

/** The formats of both operands and of the result; those of one kernel are of one type. */
interface Formats<F extends Format = Format> {
  readonly left: F;
  readonly right: F;
  readonly out: F;
}

/** From the elements of two operands to those of the result. */
type Kernel = (left: Tensor, right: Tensor) => Tensor;

/** The kernel of an op for formats. */
export function kernelOf(op: Op, formats: Formats, rounding: Rounding): Kernel {
  const compute = formats.out.type === "sa8" ? SA8[op] : FX[op];
  const { bits, type } = CONTAINERS[formats.out.type];
  return (left, right) => {
    const result = compute(elements(left, bits), elements(right, bits), formats as never, rounding, op);
    return cast(saturated(result, bits).values, type);
  };
}

type Compute<F extends Format> = (a: Ranged, b: Ranged, formats: Formats<F>, rounding: Rounding, op: Op) => Ranged;

// -------------------------------------------------------------------------------------------------------------- sa8

/** The largest shifts that kernels use: the products before them have 24 bits in sums and extremes, 32 in products. */
const SHIFT_OF_SUMS = 23;
const SHIFT_OF_PRODUCTS = 31;

const centred = (x: Ranged, { zeroPoint }: Sa8Format): Ranged => plusNumber(x, BigInt(-zeroPoint));

/** A difference to the zero point in steps of another format, rounded. */
function rescaled(x: Ranged, factor: Factor, rounding: Rounding, leftBits: number): Ranged {
  const { mantissa, shift } = reduced(factor);
  return scaled(timesNumber(x, BigInt(mantissa)), shift, 32, rounding, leftBits);
}

/** The factor from the steps of `from` to the steps of `to`. */
const stepsFactor = (from: Sa8Format, to: Sa8Format, rounding: Rounding): Factor =>
  factorOf(from.scale, to.scale, from.scaleFracBits - to.scaleFracBits, SHIFT_OF_SUMS, rounding);

const aboveZero = (x: Ranged, { zeroPoint }: Sa8Format): Ranged => plusNumber(x, BigInt(zeroPoint));

/** Each operand is rounded to a step of the result before they are added. */
const sumOfScaled: Compute<Sa8Format> = (a, b, { left, right, out }, rounding, op) => {
  const steps = (x: Ranged, format: Sa8Format): Ranged =>
    rescaled(centred(x, format), stepsFactor(format, out, rounding), rounding, 32);
  const combine = op === "add" ? plus : minus;
  return aboveZero(saturated(combine(steps(a, left), steps(b, right)), 16), out);
};

/** The product is brought into 16 bits first, which rounds it once, then multiplied by the factor, which rounds it again. */
const productOfScaled: Compute<Sa8Format> = (a, b, { left, right, out }, rounding) => {
  const fracBits = left.scaleFracBits + right.scaleFracBits - out.scaleFracBits;
  const factor = factorOf(left.scale * right.scale, out.scale, fracBits, SHIFT_OF_PRODUCTS, rounding);
  const before = Math.min(Math.max(factor.shift - 21, 0), 3);
  const product = times(centred(a, left), centred(b, right));
  const short = saturated(scaled(product, before, 32, rounding), 16);
  const rest = { mantissa: factor.mantissa, shift: factor.shift - before };
  return aboveZero(saturated(rescaled(short, rest, rounding, 16), 16), out);
};

/**
 * Differences to the zero point are compared before they are multiplied, which orders them alike: factors are not negative.
 */
const extremeOfScaled: Compute<Sa8Format> = (a, b, { left, out }, rounding, op) => {
  const picked = centred(extreme(op as "min" | "max", a, b), left);
  return aboveZero(saturated(rescaled(picked, stepsFactor(left, out, rounding), rounding, 16), 16), out);
};

const SA8: { readonly [K in Op]: Compute<Sa8Format> } = {
  add: sumOfScaled,
  sub: sumOfScaled,
  mul: productOfScaled,
  min: extremeOfScaled,
  max: extremeOfScaled,
};

// --------------------------------------------------------------------------------------------------------------- fx

/** Right shifts of 64 bits go no further. */
const LARGEST_SHIFT = 31;

/** The operand with fewer fractional bits is shifted left; the sum is rounded once. */
const sumOfFixed: Compute<FxFormat> = (a, b, { left, right, out }, rounding, op) => {
  const { bits } = CONTAINERS[out.type];
  const aligned = (x: Ranged, own: FxFormat, other: FxFormat): Ranged =>
    scaled(x, Math.min(own.fracBits - other.fracBits, 0), 32, rounding);
  const combine = op === "add" ? plus : minus;
  const sum = saturated(combine(aligned(a, left, right), aligned(b, right, left)), 32);
  const count = Math.max(left.fracBits, right.fracBits) - out.fracBits;
  return scaled(sum, Math.min(count, LARGEST_SHIFT), 64, rounding, bits);
};

const productOfFixed: Compute<FxFormat> = (a, b, { left, right, out }, rounding) => {
  const count = left.fracBits + right.fracBits - out.fracBits;
  return scaled(times(a, b), Math.min(count, LARGEST_SHIFT), 64, rounding, CONTAINERS[out.type].bits);
};

/** Shifted within the container, where rounding saturates. */
const extremeOfFixed: Compute<FxFormat> = (a, b, { left, out }, rounding, op) => {
  const { bits } = CONTAINERS[out.type];
  const picked = extreme(op as "min" | "max", a, b);
  return scaled(picked, Math.min(left.fracBits - out.fracBits, bits - 1), bits, rounding);
};

const FX: { readonly [K in Op]: Compute<FxFormat> } = {
  add: sumOfFixed,
  sub: sumOfFixed,
  mul: productOfFixed,
  min: extremeOfFixed,
  max: extremeOfFixed,
};
