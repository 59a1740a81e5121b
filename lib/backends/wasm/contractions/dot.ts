/**
 * Sums of products over pairs of axes in WebAssembly. Sums of floats are made in their type, those of half floats in f32;
 * sums of integers wrap around, so they are made in lanes of 16, 32 or 64 bits whatever the sign. What is not worth staging
 * is left to the loops of `binary`, and so are integers that meet floats.
 */
import type { Attrs, PrimitiveFunction, Template } from "../../../backend";
import { freeAxes, rowMajorStrides, sizeOf } from "../../../core/shape";
import { bitsOf, bytesOf, isComplex, isFloat, isInteger, isUnsigned, is64Bit, type DType } from "../../../core/types";
import { Recent } from "../../../kernel/generational-cache";
import type { Reader } from "../../../kernel/operand";
import { isOfMatrices } from "../../../kernel/transposed";
import type { Kernel } from "../../../kernel/value";
import type { Tensor } from "../../../tensor";
import { dropCopy, elementsAs } from "../../arrays/operands";
import { type ArrayData, elementsOf } from "../../arrays/storage";
import { arrays } from "../arrays";
import { bytesFor, multiplyInto } from "../matmul/arrays";
import { multiplyComplex, scratchBytesOfComplex } from "../matmul/complex";
import { EXACT_BITS } from "../matmul/conversions";
import { Finish } from "../matmul/epilogue";
import type { LaneType, SumType } from "../matmul/functions";
import { bytesOfSide, operandOf, prepareSide, sideOfVector, type Side, type Source } from "../matmul/pack-operands";
import { hasRoom, inScratch, scratch } from "../memory/linear";
import { Stored } from "../placement";
import { plain } from "../plain";
import { sourceOf, throughKernel } from "./sources";
import { DOT_FROM, INTEGER_DOT_TIMES, STAGED_AT_ONCE, type Sizes } from "../schedule/contractions";

/** Real products in a complex one. */
const IN_COMPLEX = 4;

/** Products of integers asked for so far, by the type of their sums. */
const asked = new Map<SumType, number>();

/** Whether the module for integers is worth making, which it stays once it is. */
function isEarned(type: SumType, products: number, few: number): boolean {
  const all = (asked.get(type) ?? 0) + products;
  asked.set(type, all);
  return all >= few * INTEGER_DOT_TIMES;
}

type Axes = readonly number[];

/** The type that products of real floats are made in; null for all others. */
export function laneTypeOf(out: DType, x: DType, y: DType): LaneType | null {
  const narrow = (type: DType): boolean => type === "f32" || type === "f16" || type === "bf16";
  if (narrow(out)) return narrow(x) && narrow(y) ? "f32" : null;
  const real = (type: DType): boolean => type === "f64" || narrow(type);
  return out === "f64" && real(x) && real(y) ? "f64" : null;
}

/** The type that sums of products of integers are made in; null for all others. */
function integerTypeOf(types: readonly DType[], out: DType): SumType | null {
  if (!types.every(isInteger)) return null;
  return `s${Math.max(16, bitsOf(out)) as 16 | 32 | 64}`;
}

/** What an operand is to a contraction. */
type Shaped = Pick<Template, "type" | "shape">;

/** Pairs of contracted axes in the order in which those of the left operand lie: sums do not mind, strides may. */
function sortedPairs([left, right]: Attrs["dot"]["contract"]): readonly [Axes, Axes] {
  const order = left.map((_, i) => i).sort((i, j) => left[i]! - left[j]!);
  return [order.map((i) => left[i]!), order.map((i) => right[i]!)];
}

const sizeAlong = ({ shape }: Shaped, axes: Axes): number => axes.reduce((size, axis) => size * shape[axis]!, 1);

/** A sum of products as products of matrices. */
export interface Matrices {
  readonly sizes: Sizes;
  /** The axes of each operand that are counted through as batch, rows and columns. */
  readonly axes: readonly [Side["axes"], Side["axes"]];
}

interface DotPlan extends Matrices {
  readonly type: SumType;
}

/** Pairs of contracted axes are taken in the order of the left operand, as vector code does, unless they are given in another one. */
export function matricesOf(
  x: Shaped,
  y: Shaped,
  { contract: pairs, batch }: Attrs["dot"],
  contract = sortedPairs(pairs),
): Matrices {
  const rows = freeAxes(x.shape, contract[0], batch[0]);
  const columns = freeAxes(y.shape, contract[1], batch[1]);
  const [m, k, n] = [sizeAlong(x, rows), sizeAlong(x, contract[0]), sizeAlong(y, columns)];
  return {
    sizes: { batch: sizeAlong(x, batch[0]), m, k, n },
    axes: [
      [batch[0], rows, contract[0]],
      [batch[1], contract[1], columns],
    ],
  };
}

/** What is known of a sum of products by its types and shapes; of type null where the binary backend makes it as fast. */
interface Known extends Matrices {
  readonly type: SumType | null;
  readonly products: number;
}

/** Sums of products kept at hand, by types, shapes and axes. */
const KEPT = 512;
const known = new Recent<Known>(KEPT);

function knownOf(out: Shaped, x: Shaped, y: Shaped, attrs: Attrs["dot"]): Known {
  const { contract, batch } = attrs;
  const axes = `${contract[0].join()}:${contract[1].join()}:${batch[0].join()}:${batch[1].join()}`;
  const key = `${out.type} ${x.type} ${y.type} ${x.shape.join()}:${y.shape.join()}:${axes}`;
  return known.getOrMake(key, () => {
    const type = laneTypeOf(out.type, x.type, y.type) ?? integerTypeOf([out.type, x.type, y.type], out.type);
    // Sums of doubles with a vector are those of the reference, which takes pairs of axes as they are named.
    const inOrder = [out, x, y].every((each) => each.type === "f64") && !isOfMatrices([x, y], attrs);
    const { sizes, axes } = inOrder ? matricesOf(x, y, attrs, attrs.contract) : matricesOf(x, y, attrs);
    return { sizes: { ...sizes, inOrder }, axes, type, products: productsOf(out, x, attrs) };
  });
}

/** How sums are made in WebAssembly; null where the binary backend makes them as fast. */
export function dotPlan(out: Shaped, x: Shaped, y: Shaped, attrs: Attrs["dot"], few = DOT_FROM): DotPlan | null {
  const plan = knownOf(out, x, y, attrs);
  const { type, products } = plan;
  if (type === null || products < few) return null;
  return isInteger(type) && !isEarned(type, products, few) ? null : (plan as DotPlan);
}

/** Products of elements that a sum is made of. */
export const productsOf = (out: Shaped, x: Shaped, { contract }: Attrs["dot"]): number =>
  sizeOf(out.shape) * sizeAlong(x, contract[0]);

/** How many bits magnitudes of integers take, their sign aside; at most one more than that of the largest. */
function bitsTaken(tensor: Tensor): number {
  const { type } = tensor;
  if (!is64Bit(type)) return isUnsigned(type) ? bitsOf(type) : bitsOf(type) - 1;
  const elements = elementsOf(tensor) as Int32Array;
  const signs = isUnsigned(type) ? 0 : -1;
  let low = 0;
  let high = 0;
  for (let i = 0; i < elements.length; i += 2) {
    const upper = elements[i + 1]!;
    const sign = (upper >> 31) & signs;
    low |= elements[i]! ^ sign;
    high |= upper ^ sign;
  }
  return high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high);
}

/**
 * The plan for what the operands hold: sums of 64-bit integers that cannot leave the range in which doubles are exact are made
 * in doubles, which processors multiply several times faster, unless a side is a vector, whose products are too few.
 */
export function planFor(plan: DotPlan, out: Shaped, inputs: readonly Tensor[]): DotPlan {
  if (plan.type !== "s64" || !inputs.every(({ type }) => isInteger(type))) return plan;
  if (Math.min(plan.sizes.m, plan.sizes.n) === 1) return plan;
  if (isUnsigned(out.type) && !inputs.every(({ type }) => isUnsigned(type))) return plan;
  const bits = inputs.reduce((sum, input) => sum + bitsTaken(input), Math.log2(Math.max(1, plan.sizes.k)));
  return bits <= EXACT_BITS ? { ...plan, type: "f64" } : plan;
}

/** The operands of a product; sums go along the rows of a left matrix, down the columns of a right one. */
function sidesOf({ sizes: { m, n }, axes }: Matrices, [left, right]: readonly [Source, Source]): [Side, Side] {
  return [
    n === 1 ? sideOfVector(left, axes[0], "columns") : { source: left, axes: axes[0] },
    m === 1 && n !== 1 ? sideOfVector(right, axes[1], "rows") : { source: right, axes: axes[1] },
  ];
}

/** Some entries of a source along an axis. */
function partOf(source: Source, along: number, from: number, to: number): Source {
  const shape = source.shape.map((size, axis) => (axis === along ? to - from : size));
  return { ...source, shape, offset: source.offset + from * source.strides[along]! };
}

interface Half {
  readonly plan: DotPlan;
  readonly sources: readonly [Source, Source];
  /** The first row of its results, those of all matrices counted through. */
  readonly first: number;
}

/** The halves of a product, whose results lie one after the other: some of the matrices, of a single one some rows; null where there are none. */
function halvesOf(plan: DotPlan, [left, right]: readonly [Source, Source]): readonly Half[] | null {
  const { sizes, axes } = plan;
  const name = sizes.batch > 1 ? "batch" : "m";
  const cut = axes[0][name === "batch" ? 0 : 1];
  const at = cut.findIndex((axis) => left.shape[axis]! > 1);
  if (at < 0 || left.readers || right.readers) return null;
  const size = left.shape[cut[at]!]!;
  const rows = (sizes.batch * sizes.m) / size;
  const middle = Math.floor(size / 2);
  // sums of a matrix of a single row go another way
  if (name === "m" && middle * rows === 1) return null;
  return [[0, middle] as const, [middle, size] as const].map(([from, to]) => ({
    plan: {
      ...plan,
      sizes: { ...sizes, [name]: (sizes[name] * (to - from)) / size },
      axes: [[...axes[0]], [...axes[1]]], // strides are known by whole operands' axes
    },
    sources: [partOf(left, cut[at]!, from, to), name === "batch" ? partOf(right, axes[1][0][at]!, from, to) : right],
    first: from * rows,
  }));
}

/** Makes sums, those of one half after those of the other where there is no room for all; false where there is none for these either. */
export function runDot(
  plan: DotPlan,
  sources: readonly [Source, Source],
  finish: Finish,
  most = STAGED_AT_ONCE,
  first = 0,
): boolean {
  const { type, sizes } = plan;
  const isVector = sizes.m === 1 || sizes.n === 1;
  const sides = sidesOf(plan, sources);
  const staged = bytesOfSide(sides[0], isVector) + bytesOfSide(sides[1], isVector) + 256;
  if (staged > most || !hasRoom(staged + bytesFor(type, sizes, finish))) {
    const halves = halvesOf(plan, sources);
    return halves?.every((half) => runDot(half.plan, half.sources, finish, most, first + half.first)) ?? false;
  }
  sides.forEach(prepareSide);
  inScratch(() => {
    const [left, right] = [operandOf(type, sides[0], isVector), operandOf(type, sides[1], isVector)];
    multiplyInto(type, left, right, sizes, finish, first);
  });
  return true;
}

/** Whether a complex type holds all numbers of a type. */
function holds(complex: DType, type: DType): boolean {
  if (complex === "c128") return !is64Bit(type);
  return isComplex(type) ? type === "c64" : isFloat(type) ? type !== "f64" : bitsOf(type) <= 16;
}

/** Complex sums in the type of their parts; null where there is no room for that or it is not worth it. */
function complexDot(
  out: Template,
  inputs: readonly Tensor[],
  attrs: Attrs["dot"],
  few: number,
  most: number,
): ArrayData | null {
  const { type } = out;
  const [x, y] = inputs as [Tensor, Tensor];
  const isWorthIt = productsOf(out, x, attrs) * IN_COMPLEX >= few && sizeOf(out.shape) > 0;
  if (!isComplex(type) || !isWorthIt || !inputs.every((input) => holds(type, input.type))) return null;
  const { sizes, axes } = matricesOf(x, y, attrs);
  const parts = type === "c64" ? "f32" : "f64";
  const sides = inputs.map((input, i): Side => {
    const { shape } = input;
    const seen = { shape, strides: rowMajorStrides(shape), offset: 0, casts: [] };
    return { source: { type, elements: elementsAs(type, input), width: 2, ...seen }, axes: axes[i]! };
  }) as [Side, Side];
  const bytes = bytesOf(type) * sizeOf(out.shape);
  const dropCopies = (): void => sides.forEach(({ source }, i) => dropCopy(arrays, inputs[i]!, source.elements));
  const staged = bytesOfSide(sides[0], false) + bytesOfSide(sides[1], false) + bytes + 256;
  if (staged > most || !hasRoom(staged + scratchBytesOfComplex(parts, sizes))) {
    dropCopies();
    return null;
  }
  const elements = arrays.unset(type, out.shape);
  inScratch(() => {
    const [left, right] = [operandOf(type, sides[0], false), operandOf(type, sides[1], false)];
    const result = new Stored(type, elements);
    const target = result.addressOf(0) ?? scratch(bytes);
    multiplyComplex(parts, left, right, target, sizes);
    result.put(target, sizeOf(out.shape), 0);
  });
  dropCopies();
  return arrays.hold(elements);
}

/** Sums of products of what is seen in the memory of kernels; null where there is no room for that. */
function sumsOf(
  out: Template,
  plan: DotPlan,
  sources: readonly [Source, Source],
  most = STAGED_AT_ONCE,
): ArrayData | null {
  const elements = arrays.unset(out.type, out.shape);
  const finish = Finish.of(plan.type, out.type, elements, null);
  if (finish && runDot(plan, sources, finish, most)) return arrays.hold(elements);
  arrays.drop(elements);
  return null;
}

/** The product of a vector with a matrix, the input `at`, that goes through a kernel row by row; null where it is better made before. */
export function dotThrough(
  out: Template,
  inputs: readonly Tensor[],
  attrs: Attrs["dot"],
  at: 0 | 1,
  kernel: Kernel,
  readers: readonly Reader[],
): ArrayData | null {
  const plan = dotPlan(out, inputs[0]!, inputs[1]!, attrs);
  const matrix = plan && throughKernel(inputs[at]!, plan.type, kernel, readers);
  const vector = plan && sourceOf(inputs[1 - at]!, plan.type);
  if (!matrix || !vector) return null;
  const sources = at === 0 ? ([matrix, vector] as const) : ([vector, matrix] as const);
  return sidesOf(plan, sources)[at].byRows ? sumsOf(out, plan, sources) : null;
}

/** Sums of products in WebAssembly from so many products on, with at most so many bytes staged at the same time. */
export const dotFrom = (few: number, most: number): PrimitiveFunction<"dot"> => {
  return (out, inputs, attrs) => {
    const [x, y] = inputs as [Tensor, Tensor];
    if (isComplex(out.type)) return complexDot(out, inputs, attrs, few, most) ?? plain.dot(out, inputs, attrs);
    const possible = dotPlan(out, x, y, attrs, few);
    const plan = possible && planFor(possible, out, inputs);
    const sources = plan && [sourceOf(x, plan.type), sourceOf(y, plan.type)];
    if (!plan || !sources?.[0] || !sources[1]) return plain.dot(out, inputs, attrs);
    return sumsOf(out, plan, sources as [Source, Source], most) ?? plain.dot(out, inputs, attrs);
  };
};

/** The primitive of sums of products. */
export const wasmDot: PrimitiveFunction<"dot"> = dotFrom(DOT_FROM, STAGED_AT_ONCE);
