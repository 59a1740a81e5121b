/**
 * Reductions over windows of few elements: a kernel reads the same elements, with padding around them, from as many places as a
 * window has, or as many as it has along an axis, one axis after the other. The last pass goes by the rows of the results where these are
 * long; else, and where that is not worth compiling, elements are computed for every place along an axis, strides or not, and those that are
 * results are copied out. Large windows, and sums in an order that goes by blocks, are left to the loops of `binary`.
 */
import type { Attrs, PrimitiveFunction, Template, Windows } from "../../../backend";
import { rowMajorStrides, sizeOf, type Shape } from "../../../core/shape";
import { isComplex, isFloat, type ComplexType, type DType } from "../../../core/types";
import { Recent } from "../../../kernel/generational-cache";
import type { Keyed } from "../../../kernel/lower/single";
import { accessOf, Reader, type Access } from "../../../kernel/operand";
import { REDUCTIONS } from "../../../kernel/recurrence";
import { windowKernel } from "../../../kernel/windows";
import type { ReduceOp, WindowOp } from "../../../ops";
import type { Tensor } from "../../../tensor";
import { gatherLattice } from "../../arrays/copy";
import { scalarLike } from "../../arrays/operands";
import { elementsIn, widthOf, type ArrayData, type Elements } from "../../arrays/storage";
import { pad } from "../../binary/movement";
import { isSequential } from "../../binary/windows/lines";
import { neutralElement, windowsAlong } from "../../binary/windows";
import { arrays } from "../arrays";
import { isRowStep } from "../codegen/access";
import { hasRoom } from "../memory/linear";
import { roomBytes } from "../placement";
import { plain } from "../plain";
import { residentElements } from "../placement/resident";
import { runRows } from "./rows";
import { runWarm } from "./run";
import {
  isWorthSplitting,
  WINDOW_PLACES,
  WINDOW_ROW_FROM,
  WINDOW_WASTE,
  WINDOWS_AGAIN_FROM,
  WINDOWS_FROM,
} from "../schedule/windows";
import { isWarm, isWorthModule } from "../modules/tiering";

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
  readonly window: Shape;
  /** The places, as elements from the first one. */
  readonly offsets: readonly number[];
  readonly accesses: readonly Access[];
  /** Elements that are computed: up to the last one from which on all places can be read. */
  readonly count: number;
}

interface WindowsPlan {
  /** The shape with the padding. */
  readonly padded: Shape;
  readonly passes: readonly Pass[];
  /** Whether what the last pass computes are the results, as they lie. */
  readonly isWhole: boolean;
  /** How the last pass reads its places where it computes results alone, by rows; null where rows are short or windows begin too far apart. */
  readonly byRow: readonly Access[] | null;
}

/** Plans kept at hand, by shape and windows. */
const KEPT = 256;
const plans = new Recent<WindowsPlan | null>(KEPT);

function planFor(out: Template, x: Template, attrs: Attrs["windowOp"]): WindowsPlan | null {
  const { op, window, padding, strides, dilations } = attrs;
  const key = `${op} ${x.type} ${x.shape.join()}|${[window, padding, strides, dilations].join("|")}`;
  return plans.getOrMake(key, () => planOf(out.shape, x.type as RealType, x.shape, attrs));
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
  if (!passes) return null;
  const isWhole = strides.every((stride) => stride === 1) && passes.at(-1)!.count === sizeOf(results);
  return { padded, passes, isWhole, byRow: isWhole ? null : rowsOf(results, padded, passes, attrs) };
}

function rowsOf(
  results: Shape,
  padded: Shape,
  passes: readonly Pass[],
  { strides }: Attrs["windowOp"],
): readonly Access[] | null {
  if (!isRowStep(strides.at(-1)!) || results.at(-1)! < WINDOW_ROW_FROM) return null;
  const steps = rowMajorStrides(padded).map((stride, axis) => stride * strides[axis]!);
  return passes.at(-1)!.offsets.map((offset) => accessOf(results, steps, offset));
}

/** The axes along which windows have several places. */
const placesOf = (window: Shape): Shape => window.filter((size) => size > 1);

/**
 * All places in one pass, or an axis after the other where the order does not matter and that reads fewer, or there would be too many:
 * strided windows are few, and one pass by rows does no others.
 */
function passesOf(type: DType, padded: Shape, attrs: Attrs["windowOp"], isFree: boolean): Pass[] | null {
  const { window, strides } = attrs;
  const places = sizeOf(window);
  const saved = places - placesOf(window).reduce((sum, size) => sum + size, 0);
  const isSplit = isFree && strides.every((stride) => stride === 1) && isWorthSplitting(saved, sizeOf(padded));
  if (places <= WINDOW_PLACES && !isSplit) return [passOf(type, padded, window, attrs, sizeOf(padded))];
  if (!isFree || window.some((size) => size > WINDOW_PLACES)) return null;
  const passes: Pass[] = [];
  for (const [axis, size] of window.entries()) {
    if (size === 1) continue;
    const along = window.map((_, i) => (i === axis ? size : 1));
    passes.push(passOf(type, padded, along, attrs, passes.at(-1)?.count ?? sizeOf(padded)));
  }
  return passes;
}

function passOf(type: DType, padded: Shape, window: Shape, { op, dilations }: Attrs["windowOp"], size: number): Pass {
  const steps = rowMajorStrides(padded).map((stride, axis) => stride * dilations[axis]!);
  let offsets = [0];
  window.forEach((n, axis) => {
    offsets = offsets.flatMap((offset) => Array.from({ length: n }, (_, i) => offset + i * steps[axis]!));
  });
  const count = size - offsets.at(-1)!;
  const keyed = kernelFor(op, type, placesOf(window));
  return { keyed, window, count, offsets, accesses: offsets.map((offset) => accessOf([count], [1], offset)) };
}

const kernels = new Recent<Keyed>(KEPT);

const kernelFor = (op: WindowOp, type: DType, places: Shape): Keyed =>
  kernels.getOrMake(`${op} ${type} ${places.join()}`, () =>
    windowKernel(REDUCTIONS[REDUCTION_OF[op]](type)!, places.length > 0 ? places : [1], type),
  );

const padIn = pad(arrays);

/** The operand with neutral elements around it, less the elements that negative padding takes off; null without padding. */
function paddedData(x: Tensor, padded: Shape, { op, padding }: Attrs["windowOp"]): ArrayData | null {
  if (padding.every(([low, high]) => low === 0 && high === 0)) return null;
  const { type, names } = x;
  const value = scalarLike(arrays, x, type, neutralElement(op, type as RealType));
  const config = padding.map(([low, high]) => [low, high, 0] as const);
  return padIn({ type, shape: padded, names }, [x, value], { config }) as ArrayData;
}

/** How windows are reduced by kernels; null where the loops do it as fast, or in another order. */
export function windowsPlan(out: Template, x: Template, attrs: Attrs["windowOp"], few?: number): WindowsPlan | null {
  const places = sizeOf(x.shape) * sizeOf(attrs.window);
  const isWorthIt =
    few === undefined
      ? isWorthModule(`${attrs.op} ${x.type}`, places, WINDOWS_FROM, WINDOWS_AGAIN_FROM)
      : places >= few;
  return isComplex(out.type) || x.type !== out.type || !isWorthIt ? null : planFor(out, x, attrs);
}

/** Reductions over windows by kernels from so many places on, or where these are worth it. */
export const windowOpFrom =
  (few?: number): PrimitiveFunction<"windowOp"> =>
  (out, inputs, attrs) => {
    const [x] = inputs as [Tensor];
    const { type } = out;
    const plan = windowsPlan(out, x, attrs, few);
    if (!plan) return plain.windowOp(out, inputs, attrs);
    const padded = paddedData(x, plan.padded, attrs);
    const made = padded ? [padded] : [];
    const read = (): Elements => (made.length > 0 ? elementsIn(made.at(-1)!) : residentElements(x));
    const fold = ({ keyed, accesses, count }: Pass): void => {
      const elements = read();
      const readers = accesses.map((access) => new Reader(elements, widthOf(type), access));
      const folded = arrays.unset(type, [count]);
      runWarm(keyed.kernel, readers, [folded], count, keyed.key);
      made.push(arrays.hold(folded));
    };
    plan.passes.slice(0, -1).forEach(fold);
    const byRow = runByRow(out, read(), plan);
    if (!byRow) fold(plan.passes.at(-1)!);
    const results = byRow ?? (plan.isWhole ? made.pop()! : arrays.hold(resultsOf(out, read(), plan, attrs)));
    for (const data of made) arrays.release(data);
    return results;
  };

/** Results row by row; null where there is no way to do so, where the kernel is not worth compiling yet, or where there is no room. */
function runByRow({ type, shape }: Template, elements: Elements, { passes, byRow }: WindowsPlan): ArrayData | null {
  const { kernel, key } = passes.at(-1)!.keyed;
  const [count, size] = [elements.length / widthOf(type), sizeOf(shape)];
  if (!byRow || !isWarm(key, size) || !hasRoom(roomBytes(type, count) + roomBytes(type, size))) return null;
  const made = arrays.unset(type, shape);
  const readers = byRow.map((access) => new Reader(elements, widthOf(type), access));
  if (runRows(kernel, readers, [made], size, key, WINDOW_ROW_FROM)) return arrays.hold(made);
  arrays.drop(made);
  return null;
}

/** The primitive of reductions over windows. */
export const wasmWindowOp: PrimitiveFunction<"windowOp"> = windowOpFrom();

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
