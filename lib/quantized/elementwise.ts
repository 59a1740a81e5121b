/**
 * Element-wise functions of quantized tensors: arguments are checked in the documented order, then a kernel runs.
 */
import type { Clash, Merge } from "../core/axis-types";
import { mergeNames } from "../core/names";
import { checkOptions, wordOption } from "../core/options";
import { formatShape, sameShape, SCALAR_SHAPE, type Names } from "../core/shape";
import { reshapeTo } from "../nx/aggregates/core";
import type { Tensor } from "../tensor";
import { checkFormat, checkFormatType, keyOf, sameFormat, type Format, type FormatOptions } from "./format";
import type { Rounding } from "./host";
import { kernelOf, type Op } from "./kernels";
import { checkQuantized, Quantized } from "./quantized";
import { cookTwo, Recipe, type Donated } from "./recipe";
import { QuantizedError } from "./status";

/** Options of sums, differences and products of quantized tensors. */
export interface ElementwiseOptions {
  /** What the elements of the result stand for; of the type of the operands. */
  readonly out: FormatOptions;
  /**
   * Where halves go: `"up"` to the larger number (default), as on ARC VPX, or `"convergent"` to the even one, as on ARC EM and HS.
   */
  readonly rounding?: Rounding;
  /** The operand that is given up, so that the result may be written over it; it cannot be used afterwards. */
  readonly donate?: Donated;
}

/** Options of extremes of quantized tensors: `out` may be left out, and is the format of the operands then. */
export type ExtremeOptions = Partial<ElementwiseOptions>;

/** The right operand; clashing names are a compile error that shows them. */
export type RightQuantized<L extends Names, R extends Names> = [Clash<L, R>] extends [never]
  ? Quantized<R>
  : Clash<L, R> & Quantized<R>;

/** An element-wise function of quantized tensors; its options may be left out where `Optional` is true. */
export type Elementwise<O, Optional extends boolean> = <L extends Names, R extends Names>(
  left: Quantized<L>,
  right: RightQuantized<L, R>,
  ...options: Optional extends true ? [options?: O] : [options: O]
) => Quantized<Merge<L, R>>;

const KEYS = ["out", "rounding", "donate"];

/** The kernels of embARC MLI have no more axes. */
const MAX_RANK = 4;

/** The public function of an op. */
function elementwise(op: Op): (left: Quantized, right: Quantized, options?: ExtremeOptions) => Quantized {
  const fn = `Nx.Quantized.${op}`;
  const isExtreme = op === "min" || op === "max";
  const apply = (left: Quantized, right: Quantized, options?: ExtremeOptions): Quantized => {
    const a = operand(left, fn, "its left operand");
    const b = operand(right, fn, "its right operand");
    options = checkOptions(fn, options, KEYS);
    const rounding = wordOption(fn, "rounding", options?.rounding, ["up", "convergent"], "up");
    const donated = options?.donate === undefined ? undefined : wordOption(fn, "donate", options.donate, SIDES, "left");
    const out = checkTogether(fn, a, b, isExtreme ? (options?.out ?? a.format) : options?.out, isExtreme);
    const recipe = recipeOf(op, a.format, b.format, out, rounding);
    const [x, y] = alignScalars(a, b);
    return new Quantized(cookTwo(recipe, x, y, donated), out);
  };
  return Object.defineProperty(apply, "name", { value: op });
}

const SIDES: readonly Donated[] = ["left", "right"];

function recipeOf(op: Op, left: Format, right: Format, out: Format, rounding: Rounding): Recipe {
  const text = `${op} ${rounding} ${keyOf(left)} ${keyOf(right)} ${keyOf(out)}`;
  return new Recipe(text, (x, y) => kernelOf(op, { left, right, out }, rounding)(x!, y!));
}

// ----------------------------------------------------------------------------------------------------------- checks

function operand(value: unknown, fn: string, what: string): Quantized {
  const q = checkQuantized(value, fn, what);
  if (q.rank <= MAX_RANK) return q;
  throw new QuantizedError(
    "BAD_TENSOR",
    `${fn} expects ${what} of at most ${MAX_RANK} axes, got: ${textOf(q)}; join axes with Nx.reshape`,
  );
}

const textOf = ({ type, values }: Quantized): string => `${type}${formatShape(values.shape, values.names)}`;

/** What the operands and the result must have in common, in the order of the documented checks; gives the result's format. */
function checkTogether(fn: string, a: Quantized, b: Quantized, out: unknown, isExtreme: boolean): Format {
  const place = { fn, what: "option out" };
  const type = checkFormatType(out, place);
  if (a.rank === 0 && b.rank === 0) {
    throw refuse("NOT_SUPPORTED", fn, "at least one operand with an axis", "two scalars", "Nx.newAxis of one's values");
  }
  if (type !== a.type) {
    throw refuse("INCOMPATEBLE_TENSORS", fn, `option out of type ${a.type}, as its left operand is`, type, ANOTHER);
  }
  checkShapes(fn, a, b);
  if (isExtreme && !sameFormat(a.format, b.format)) {
    const got = `${keyOf(a.format)} and ${keyOf(b.format)}`;
    throw refuse("INCOMPATEBLE_TENSORS", fn, "operands of one format, number by number", got, ANOTHER);
  }
  if (b.type !== a.type) {
    throw refuse("TYPE_MISMATCH", fn, "operands of one type", `${a.type} and ${b.type}`, ANOTHER);
  }
  return checkFormat(out, place);
}

const ANOTHER = "Nx.Quantized.quantize(Nx.Quantized.dequantize(q), format)";

function refuse(
  code: "NOT_SUPPORTED" | "INCOMPATEBLE_TENSORS" | "TYPE_MISMATCH" | "SHAPE_MISMATCH",
  fn: string,
  expected: string,
  got: string,
  remedy: string,
): QuantizedError {
  return new QuantizedError(code, `${fn} expects ${expected}, got: ${got}; the remedy is ${remedy}`);
}

function checkShapes(fn: string, a: Quantized, b: Quantized): void {
  if (sameShape(a.shape, b.shape) || a.size === 1 || b.size === 1) return;
  const got = `${textOf(a)} and ${textOf(b)}`;
  throw refuse(
    "SHAPE_MISMATCH",
    fn,
    "operands of one shape, or one of them with a single element",
    got,
    "Nx.broadcast of one's values",
  );
}

/**
 * The values of both operands, so that they broadcast. Axes of a single element are aligned from the right as always, their names
 * checked; only where it has more axes than the other operand, these are dropped.
 */
function alignScalars(a: Quantized, b: Quantized): readonly [Tensor, Tensor] {
  if (sameShape(a.shape, b.shape)) return [a.values, b.values];
  const [x, y] = [fitting(a, b), fitting(b, a)];
  mergeNames(x.names, x.shape, y.names, y.shape);
  return [x, y];
}

/** A single element with more axes than the other operand, which has more elements, as a scalar. */
function fitting({ values, size, rank }: Quantized, other: Quantized): Tensor {
  return size === 1 && other.size > 1 && rank > other.rank ? reshapeTo(values, SCALAR_SHAPE) : values;
}

// -------------------------------------------------------------------------------------------------------- functions

/**
 * Adds quantized tensors element by element.
 *
 * Each operand is brought to the format of the result: for `sa8` both are rounded to its steps before they are added, for `fx8`
 * and `fx16` the sum is rounded once. What leaves the range of the result saturates.
 *
 * @param left - a quantized tensor of at most 4 axes
 * @param right - a quantized tensor of the same type and shape, or with a single element; not both may be scalars
 * @param options - `out`: the format of the result, of the type of the operands; `rounding`: `"up"` (default) or
 *   `"convergent"`; `donate`: `"left"` or `"right"`, an operand that is given up and whose memory the result may take
 * @returns a quantized tensor with the shape of the operand that is no single element, and the merged names
 * @throws QuantizedError with a `code` for operands and formats that do not go together; ArgumentError for names that clash
 * @example
 * ```ts
 * const a = Nx.Quantized.quantize(Nx.f32([1, 2.5, -3], { names: ["x"] }), { type: "fx16", fracBits: 8 });
 * const b = Nx.Quantized.quantize(Nx.f32([0.5, 0.5, 0.5]), { type: "fx16", fracBits: 12 });
 * Nx.Quantized.add(a, b, { out: { type: "fx16", fracBits: 10 } });
 * // => #Nx.Quantized<
 * //   fx16[x: 3]
 * //   step 0.0009765625, from -32 to 31.9990234375
 * //   [1536, 3072, -2560]
 * // >
 * ```
 * @example
 * Half a step and half a step, each rounded before the sum:
 * ```ts
 * const half = Nx.Quantized.fromIntegers(Nx.s8([1]), { type: "sa8", scale: 1, scaleFracBits: 1 });
 * const out = { type: "sa8", scale: 1, scaleFracBits: 0 } as const;
 * Nx.Quantized.add(half, half, { out }).values.toList();
 * // => [2]
 * Nx.Quantized.add(half, half, { out, rounding: "convergent" }).values.toList();
 * // => [0]
 * Nx.Quantized.add(half, half, { out: { type: "fx8", fracBits: 0 } });
 * // throws QuantizedError: Nx.Quantized.add expects option out of type sa8, as its left operand is, got: fx8
 * ```
 */
export const add = elementwise("add") as Elementwise<ElementwiseOptions, false>;

/**
 * Subtracts quantized tensors element by element: the left one less the right one. Rounding and saturation are those of
 * {@link add}.
 *
 * @param left - a quantized tensor of at most 4 axes
 * @param right - a quantized tensor of the same type and shape, or with a single element; not both may be scalars
 * @param options - `out`, `rounding` and `donate` as for {@link add}
 * @returns a quantized tensor with the shape of the operand that is no single element, and the merged names
 * @throws QuantizedError with a `code` for operands and formats that do not go together; ArgumentError for names that clash
 * @example
 * ```ts
 * const format = { type: "sa8", scale: 1, scaleFracBits: 2, zeroPoint: 3 } as const;
 * const x = Nx.Quantized.quantize(Nx.f32([1, 2.5, -3], { names: ["x"] }), format);
 * const two = Nx.Quantized.quantize(2, format);
 * Nx.Quantized.dequantize(Nx.Quantized.sub(two, x, { out: format }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.0, -0.5, 5.0]
 * // >
 * Nx.Quantized.sub(two, two, { out: format });
 * // throws QuantizedError: Nx.Quantized.sub expects at least one operand with an axis, got: two scalars
 * ```
 */
export const sub = elementwise("sub") as Elementwise<ElementwiseOptions, false>;

/**
 * Multiplies quantized tensors element by element.
 *
 * For `fx8` and `fx16` the exact product is rounded once; for `sa8` it is brought into 16 bits, multiplied by a factor of 15 bits
 * and rounded again. What leaves the range of the result saturates.
 *
 * @param left - a quantized tensor of at most 4 axes
 * @param right - a quantized tensor of the same type and shape, or with a single element; not both may be scalars
 * @param options - `out`, `rounding` and `donate` as for {@link add}
 * @returns a quantized tensor with the shape of the operand that is no single element, and the merged names
 * @throws QuantizedError with a `code` for operands and formats that do not go together; ArgumentError for names that clash
 * @example
 * ```ts
 * const q15 = { type: "fx16", fracBits: 15 } as const;
 * const x = Nx.Quantized.fromIntegers(Nx.s16([-32768, 16384, -1], { names: ["x"] }), q15);
 * Nx.Quantized.mul(x, x, { out: q15 }).values;
 * // => #Nx.Tensor<
 * //   s16[x: 3]
 * //   [32767, 8192, 0]
 * // >
 * ```
 * @example
 * ```ts
 * const q15 = { type: "fx16", fracBits: 15 } as const;
 * const [x, y] = [Nx.iota([2, 3], { type: "s16" }), Nx.iota([1, 3], { type: "s16", names: ["x", null] })];
 * Nx.Quantized.mul(Nx.Quantized.fromIntegers(x, q15), Nx.Quantized.fromIntegers(y, q15), { out: q15 });
 * // throws QuantizedError: Nx.Quantized.mul expects operands of one shape, or one of them with a single element, got: fx16[2][3] and fx16[x: 1][3]
 * ```
 */
export const mul = elementwise("mul") as Elementwise<ElementwiseOptions, false>;

/**
 * The smaller of each two elements.
 *
 * Both operands have one format, number by number; what is picked is brought to the format of the result, which is that of the
 * operands where it is left out.
 *
 * @param left - a quantized tensor of at most 4 axes
 * @param right - a quantized tensor of the same format and shape, or with a single element; not both may be scalars
 * @param options - `out`, `rounding` and `donate` as for {@link add}; `out` may be left out
 * @returns a quantized tensor with the shape of the operand that is no single element, and the merged names
 * @throws QuantizedError with a `code` for operands and formats that do not go together; ArgumentError for names that clash
 * @example
 * ```ts
 * const format = { type: "sa8", scale: 5, scaleFracBits: 7, zeroPoint: -4 } as const;
 * const x = Nx.Quantized.fromIntegers(Nx.s8([-128, 0, 127], { names: ["x"] }), format);
 * const y = Nx.Quantized.fromIntegers(Nx.s8([5, 5, 5]), format);
 * Nx.Quantized.min(x, y).values;
 * // => #Nx.Tensor<
 * //   s8[x: 3]
 * //   [-128, 0, 5]
 * // >
 * ```
 * @example
 * ```ts
 * const x = Nx.Quantized.fromIntegers(Nx.s8([1]), { type: "sa8", scale: 1, scaleFracBits: 0 });
 * const y = Nx.Quantized.fromIntegers(Nx.s8([1]), { type: "sa8", scale: 2, scaleFracBits: 1 });
 * Nx.Quantized.min(x, y);
 * // throws QuantizedError: Nx.Quantized.min expects operands of one format, number by number, got: sa8(scale: 1 / 2^0, zeroPoint: 0) and sa8(scale: 2 / 2^1, zeroPoint: 0)
 * ```
 */
export const min = elementwise("min") as Elementwise<ExtremeOptions, true>;

/**
 * The larger of each two elements. Formats are as for {@link min}.
 *
 * @param left - a quantized tensor of at most 4 axes
 * @param right - a quantized tensor of the same format and shape, or with a single element; not both may be scalars
 * @param options - `out`, `rounding` and `donate` as for {@link add}; `out` may be left out
 * @returns a quantized tensor with the shape of the operand that is no single element, and the merged names
 * @throws QuantizedError with a `code` for operands and formats that do not go together; ArgumentError for names that clash
 * @example
 * A rectifier: nothing below the scalar 0.
 * ```ts
 * const format = { type: "fx16", fracBits: 8 } as const;
 * const x = Nx.Quantized.quantize(Nx.f32([-1, 0.5, 100], { names: ["x"] }), format);
 * Nx.Quantized.dequantize(Nx.Quantized.max(x, Nx.Quantized.quantize(0, format)));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.0, 0.5, 100.0]
 * // >
 * ```
 * @example
 * Shifts of 16 bits round within 16 bits:
 * ```ts
 * const x = Nx.Quantized.fromIntegers(Nx.s16([32767]), { type: "fx16", fracBits: 1 });
 * Nx.Quantized.max(x, x, { out: { type: "fx16", fracBits: 0 } }).values.toList();
 * // => [16383]
 * ```
 */
export const max = elementwise("max") as Elementwise<ExtremeOptions, true>;
