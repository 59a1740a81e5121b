/**
 * Reductions over windows of few elements: a kernel reads the same elements, with padding around them, from as many places as a
 * window has. Elements are computed for every place along an axis, strides or not, and those that are results are copied
 * out. Large windows, and sums in an order that goes by blocks, are left to the loops of `binary`.
 */
import type { Attrs, PrimitiveFunction, Template, Windows } from "../../backend";
import { rowMajorStrides, sizeOf, type Shape } from "../../core/shape";
import { isComplex, isFloat, type ComplexType, type DType } from "../../core/types";
import { Recent } from "../../kernel/generational-cache";
import type { Keyed } from "../../kernel/lower/single";
import { accessOf, Reader, type Access } from "../../kernel/operand";
import { REDUCTIONS } from "../../kernel/recurrence";
import { windowKernel } from "../../kernel/windows";
import type { ReduceOp, WindowOp } from "../../ops";
import type { Tensor } from "../../tensor";
import { gatherLattice } from "../arrays/copy";
import { scalarLike } from "../arrays/operands";
import { elementsIn, widthOf, type ArrayData, type Elements } from "../arrays/storage";
import { isSequential } from "../binary/windows/lines";
import { neutralElement, windowsAlong } from "../binary/windows";
import { arrays } from "./arrays";
import { plain } from "./plain";
import { residentElements } from "./resident";
import { runWarm } from "./run";
import { WINDOW_PLACES, WINDOW_WASTE, WINDOWS_FROM } from "./schedule";

type RealType = Exclude<DType, ComplexType>;

const REDUCTION_OF = {
  windowMax: "reduceMax",
  windowMin: "reduceMin",
  windowProduct: "product",
  windowSum: "sum",
} as const satisfies { readonly [K in WindowOp]: ReduceOp };

/** One pass over the elements with their padding: which places are read, what is computed of them. */
interface Pass {
  readonly keyed: Keyed;
  /** The places, as elements from the first one. */
  readonly offsets: readonly number[];
  readonly accesses: readonly Access[];
  /** Elements that are computed: up to the last one from which on all places can be read. */
  readonly count: number;
}

export interface WindowsPlan {
  /** The shape with the padding. */
  readonly padded: Shape;
  readonly passes: readonly Pass[];
  /** Whether what the last pass computes are the results, as they lie. */
  readonly isWhole: boolean;
}

/** Plans kept at hand, by shape and windows. */
const KEPT = 256;
const plans = new Recent<{ readonly plan: WindowsPlan | null }>(KEPT);

function planFor(out: Template, x: Template, attrs: Attrs["windowOp"]): WindowsPlan | null {
  const { op, window, padding, strides, dilations } = attrs;
  const key = `${op} ${x.type} ${x.shape.join()}|${[window, padding, strides, dilations].join("|")}`;
  const cached = plans.get(key);
  if (cached) return cached.plan;
  const plan = planOf(out.shape, x.type as RealType, x.shape, attrs);
  plans.set(key, { plan });
  return plan;
}

/** Null where the loops are to do the work. */
function planOf(results: Shape, type: RealType, shape: Shape, attrs: Attrs["windowOp"]): WindowsPlan | null {
  const { padding, strides } = attrs;
  const along = windowsAlong(shape, results, attrs).filter((each) => each !== null);
  const isFree = !isFloat(type) || attrs.op === "windowMax" || attrs.op === "windowMin";
  if (along.length === 0 || (!isFree && !along.every(isSequential))) return null;
  const padded = shape.map((size, axis) => size + padding[axis]![0] + padding[axis]![1]);
  if (sizeOf(padded) > WINDOW_WASTE * sizeOf(results)) return null;
  const passes = passesOf(type, padded, attrs, isFree);
  const isWhole = strides.every((stride) => stride === 1) && passes?.at(-1)?.count === sizeOf(results);
  return passes && { padded, passes, isWhole };
}

/** All places in one pass, or an axis after the other where the order does not matter and there would be too many. */
function passesOf(type: DType, padded: Shape, attrs: Attrs["windowOp"], isFree: boolean): Pass[] | null {
  const { window } = attrs;
  if (sizeOf(window) <= WINDOW_PLACES) return [passOf(type, padded, window, attrs, sizeOf(padded))];
  if (!isFree || window.some((size) => size > WINDOW_PLACES)) return null;
  const passes: Pass[] = [];
  for (const [axis, size] of window.entries()) {
    if (size === 1) continue;
    const along = window.map((_, i) => (i === axis ? size : 1));
    passes.push(passOf(type, padded, along, attrs, passes.at(-1)?.count ?? sizeOf(padded)));
  }
  return passes;
}

function passOf(type: DType, padded: Shape, places: Shape, { op, dilations }: Attrs["windowOp"], size: number): Pass {
  const steps = rowMajorStrides(padded).map((stride, axis) => stride * dilations[axis]!);
  let offsets = [0];
  places.forEach((n, axis) => {
    offsets = offsets.flatMap((offset) => Array.from({ length: n }, (_, i) => offset + i * steps[axis]!));
  });
  const count = size - offsets.at(-1)!;
  const keyed = kernelFor(
    op,
    type,
    places.filter((n) => n > 1),
  );
  return { keyed, count, offsets, accesses: offsets.map((offset) => accessOf([count], [1], offset)) };
}

const kernels = new Recent<Keyed>(KEPT);

function kernelFor(op: WindowOp, type: DType, places: Shape): Keyed {
  const key = `${op} ${type} ${places.join()}`;
  const cached = kernels.get(key);
  if (cached) return cached;
  const fresh = windowKernel(REDUCTIONS[REDUCTION_OF[op]](type)!, places.length > 0 ? places : [1], type);
  kernels.set(key, fresh);
  return fresh;
}

/** The operand with neutral elements around it, or without those that negative padding takes off; null where it stays as it is. */
function paddedData(x: Tensor, padded: Shape, { op, padding }: Attrs["windowOp"]): ArrayData | null {
  if (padding.every(([low, high]) => low === 0 && high === 0)) return null;
  const { type, names } = x;
  const value = scalarLike(arrays, x, type, neutralElement(op, type as RealType));
  const config = padding.map(([low, high]) => [low, high, 0] as const);
  return plain.pad({ type, shape: padded, names }, [x, value], { config }) as ArrayData;
}

/** How windows are reduced by kernels; null where the loops do it as fast, or in another order. */
export function windowsPlan(
  out: Template,
  x: Template,
  attrs: Attrs["windowOp"],
  few = WINDOWS_FROM,
): WindowsPlan | null {
  const isWorthIt = sizeOf(x.shape) * sizeOf(attrs.window) >= few;
  return isComplex(out.type) || x.type !== out.type || !isWorthIt ? null : planFor(out, x, attrs);
}

/** Reductions over windows by kernels from so many places on. */
export const windowOpFrom =
  (few: number): PrimitiveFunction<"windowOp"> =>
  (out, inputs, attrs) => {
    const [x] = inputs as [Tensor];
    const { type } = out;
    const plan = windowsPlan(out, x, attrs, few);
    if (!plan) return plain.windowOp(out, inputs, attrs);
    const padded = paddedData(x, plan.padded, attrs);
    const made = padded ? [padded] : [];
    for (const { keyed, accesses, count } of plan.passes) {
      const before = made.at(-1);
      const elements = before ? elementsIn(before) : residentElements(x);
      const readers = accesses.map((access) => new Reader(elements, widthOf(type), access));
      const folded = arrays.unset(type, [count]);
      runWarm(keyed.kernel, readers, [folded], count, keyed.key);
      made.push(arrays.hold(folded));
    }
    const last = made.at(-1)!;
    const results = plan.isWhole ? made.pop()! : arrays.hold(resultsOf(out, elementsIn(last), plan, attrs));
    for (const data of made) arrays.release(data);
    return results;
  };

/** The primitive of reductions over windows. */
export const wasmWindowOp: PrimitiveFunction<"windowOp"> = windowOpFrom(WINDOWS_FROM);

/** The elements from which on windows begin. */
function resultsOf(
  { type, shape }: Template,
  elements: Elements,
  { padded }: WindowsPlan,
  { strides }: Windows,
): Elements {
  const steps = rowMajorStrides(padded).map((stride, axis) => stride * strides[axis]!);
  return gatherLattice(arrays, type, shape, elements, { offset: 0, steps });
}
