/**
 * Sums of products over pairs of axes in WebAssembly, for floats. Sums are made in the type of the operands, those of half
 * floats in f32. What is not worth staging and all other types are left to the binary backend.
 */
import type { Attrs, PrimitiveFunction, Template } from "../../backend";
import { unnamed } from "../../core/names";
import { allAxes, sizeOf } from "../../core/shape";
import type { DType } from "../../core/types";
import { Tensor } from "../../tensor";
import { reordered } from "../binary/copy";
import { products } from "../binary/dot";
import { elementsAs } from "../binary/operands";
import { allocateUnset, BinaryData } from "../binary/storage";
import { hasRoom, inScratch } from "./memory";
import { bytesFor, multiplyInPieces, multiplyInto, STAGED_AT_ONCE, type Floats } from "./matmul/arrays";
import { Finish } from "./matmul/finish";
import type { LaneType } from "./matmul/functions";
import type { Sizes } from "./matmul/index";
import { bytesOfSide, operandOf, prepareSide, type Side, type Source } from "./matmul/sides";
import { sourceOf } from "./sources";

/** Products of elements below which staging takes longer than the loops of the binary backend (measured). */
const FEW = 2 ** 12;

type Axes = readonly number[];

/** The type that products of real floats are made in; null for all others. */
export function laneTypeOf(out: DType, x: DType, y: DType): LaneType | null {
  const narrow = (type: DType): boolean => type === "f32" || type === "f16" || type === "bf16";
  if (narrow(out)) return narrow(x) && narrow(y) ? "f32" : null;
  const real = (type: DType): boolean => type === "f64" || narrow(type);
  return out === "f64" && real(x) && real(y) ? "f64" : null;
}

/** What an operand is to a contraction. */
type Shaped = Pick<Template, "type" | "shape">;

const freeAxes = ({ shape }: Shaped, contract: Axes, batch: Axes): number[] =>
  allAxes(shape.length).filter((axis) => !contract.includes(axis) && !batch.includes(axis));

/** Pairs of contracted axes in the order in which those of the left operand lie: sums do not mind, strides may. */
function sortedPairs([left, right]: Attrs["dot"]["contract"]): readonly [Axes, Axes] {
  const order = left.map((_, i) => i).sort((i, j) => left[i]! - left[j]!);
  return [order.map((i) => left[i]!), order.map((i) => right[i]!)];
}

const sizeAlong = ({ shape }: Shaped, axes: Axes): number => axes.reduce((size, axis) => size * shape[axis]!, 1);

/** A sum of products as products of matrices. */
export interface DotPlan {
  readonly type: LaneType;
  readonly sizes: Sizes;
  /** The axes of each operand that are counted through as batch, rows and columns. */
  readonly axes: readonly [Side["axes"], Side["axes"]];
}

/** How sums are made in WebAssembly; null where the binary backend makes them as fast. */
export function dotPlan(out: Shaped, x: Shaped, y: Shaped, attrs: Attrs["dot"], few = FEW): DotPlan | null {
  const type = laneTypeOf(out.type, x.type, y.type);
  const k = sizeAlong(x, attrs.contract[0]);
  if (type === null || sizeOf(out.shape) * k < few) return null;
  const contract = sortedPairs(attrs.contract);
  const rows = freeAxes(x, contract[0], attrs.batch[0]);
  const columns = freeAxes(y, contract[1], attrs.batch[1]);
  const sizes = { batch: sizeAlong(x, attrs.batch[0]), m: sizeAlong(x, rows), k, n: sizeAlong(y, columns) };
  // The binary backend reads doubles where they lie, once: that takes no longer than staging them.
  const isAsFast = [out, x, y].every((each) => each.type === "f64") && Math.min(sizes.m, sizes.n) === 1;
  if (isAsFast) return null;
  return {
    type,
    sizes,
    axes: [
      [attrs.batch[0], rows, contract[0]],
      [attrs.batch[1], contract[1], columns],
    ],
  };
}

/** Makes sums; false where there is no room for that. */
export function runDot(
  { type, sizes, axes }: DotPlan,
  sources: readonly [Source, Source],
  finish: Finish,
  most = STAGED_AT_ONCE,
): boolean {
  const isVector = sizes.m === 1 || sizes.n === 1;
  const sides = sources.map((source, i) => ({ source, axes: axes[i]! })) as [Side, Side];
  const staged = bytesOfSide(sides[0], isVector) + bytesOfSide(sides[1], isVector) + 256;
  if (staged > most || !hasRoom(staged + bytesFor(type, sizes, finish))) return false;
  sides.forEach(prepareSide);
  inScratch(() => {
    const [left, right] = [operandOf(type, sides[0], isVector), operandOf(type, sides[1], isVector)];
    multiplyInto(type, left, right, sizes, finish);
  });
  return true;
}

/** The same some rows at a time; null where there is no room for that either. */
function runInPieces({ type, sizes, axes }: DotPlan, inputs: readonly Tensor[], most: number): Floats | null {
  const ordered = inputs.map((input, i) => {
    return reordered(type, elementsAs(type, input), input.shape, axes[i]!.flat()) as Floats;
  });
  return multiplyInPieces(type, ordered[0]!, ordered[1]!, sizes, most);
}

/** A result in lanes' type as the data of `out`. */
function resultOf(out: Template, type: LaneType, elements: Floats, like: Tensor): BinaryData {
  if (out.type === type) return new BinaryData(elements);
  const names = unnamed(out.shape.length);
  return new BinaryData(
    elementsAs(out.type, new Tensor(like.backend, new BinaryData(elements), type, out.shape, names)),
  );
}

/** Sums of products in WebAssembly from so many products on, with at most so many bytes staged at the same time. */
export const dotFrom = (few: number, most: number): PrimitiveFunction<"dot"> => {
  return (out, inputs, attrs) => {
    const [x, y] = inputs as [Tensor, Tensor];
    const plan = dotPlan(out, x, y, attrs, few);
    const sources = plan && [sourceOf(x, plan.type), sourceOf(y, plan.type)];
    if (!plan || !sources?.[0] || !sources[1]) return products.dot(out, inputs, attrs);
    const elements = allocateUnset(out.type, out.shape);
    const finish = Finish.of(plan.type, out.type, elements, null);
    if (finish && runDot(plan, sources as [Source, Source], finish, most)) return new BinaryData(elements);
    const result = runInPieces(plan, inputs, most);
    return result ? resultOf(out, plan.type, result, x) : products.dot(out, inputs, attrs);
  };
};

/** The primitive of sums of products. */
export const wasmDot: PrimitiveFunction<"dot"> = dotFrom(FEW, STAGED_AT_ONCE);
