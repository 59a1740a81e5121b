/**
 * Reductions over windows of few elements: a kernel reads the same elements, with padding around them, from as many places as a
 * window has, or as many as it has along an axis, one axis after the other. The last pass goes by the rows of the results where these are
 * long; else, and where that is not worth compiling, elements are computed for every place along an axis, strides or not, and those that are
 * results are copied out. Large windows, and sums in an order that goes by blocks, are left to the loops of `binary`.
 */
import type { Attrs, PrimitiveFunction, Template, Windows } from "../../../backend";
import { roundUp } from "../../../core/round-up";
import { rowMajorStrides, sizeOf, type Shape } from "../../../core/shape";
import { bytesOf, isComplex, isFloat, type ComplexType, type DType } from "../../../core/types";
import { Recent } from "../../../kernel/generational-cache";
import type { Keyed } from "../../../kernel/lower/single";
import { accessOf, collapse, Reader, rowOffset, type Access, type Walk } from "../../../kernel/operand";
import { REDUCTIONS } from "../../../kernel/recurrence";
import { windowKernel } from "../../../kernel/windows";
import type { ReduceOp, WindowOp } from "../../../ops";
import type { Tensor } from "../../../tensor";
import { gatherLattice } from "../../arrays/copy";
import { scalarLike } from "../../arrays/operands";
import { elementsIn, widthOf, type ArrayData, type Elements } from "../../arrays/storage";
import { isSequential } from "../../binary/windows/lines";
import { neutralElement, windowsAlong } from "../../binary/windows";
import { arrays } from "../arrays";
import { advance, call, define, local, range, type Code } from "../asm";
import { tableAddress } from "../codegen";
import { kernelFunction } from "../codegen/function";
import { hasRoom, inScratch } from "../memory/linear";
import { moduleFor } from "../modules/cache";
import { roomBytes, roomFor, Stored } from "../placement";
import { plain } from "../plain";
import { residentElements } from "../placement/resident";
import { runWarm } from "./run";
import { cutLines } from "../schedule/lines";
import {
  isWorthSplitting,
  WINDOW_PLACES,
  WINDOW_ROW_FROM,
  WINDOW_WASTE,
  WINDOWS_AGAIN_FROM,
  WINDOWS_FROM,
} from "../schedule/windows";
import { runCalls, threadCount, type Call } from "../threads";
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
  readonly byRow: WindowRows | null;
}

/** Rows of results that the last pass computes where they belong. */
export interface WindowRows {
  readonly keyed: Keyed;
  /** Groups of elements that the kernel does side by side at most: as many as leave little to do beyond the end of a row. */
  readonly most: 1 | 2 | 4;
  /** The places, as elements from the first one. */
  readonly offsets: readonly number[];
  readonly columns: number;
  /** The first elements of planes, of rows in each, and of the first windows of these. */
  readonly walk: Walk;
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
  const isWhole = strides.every((stride) => stride === 1) && passes?.at(-1)?.count === sizeOf(results);
  return passes && { padded, passes, isWhole, byRow: isWhole ? null : rowsOf(results, type, padded, passes, attrs) };
}

/** How the last pass goes by rows; null where rows are short or windows begin too far apart. */
function rowsOf(
  results: Shape,
  type: RealType,
  padded: Shape,
  passes: readonly Pass[] | null,
  { op, strides }: Attrs["windowOp"],
): WindowRows | null {
  const [columns, apart] = [results.at(-1)!, strides.at(-1)!];
  const isRead = apart === 1 || (apart === 2 && (type === "f32" || type === "f64"));
  const last = passes?.at(-1);
  if (!isRead || columns < WINDOW_ROW_FROM || !last) return null;
  const steps = rowMajorStrides(padded).map((stride, axis) => stride * strides[axis]!);
  const { shape, strides: pitches } = collapse(results.slice(0, -1), steps.slice(0, -1));
  // calls are cut between planes
  const spare = Math.max(0, 2 - shape.length);
  const walk = { shape: [...shape, ...ones(spare)], strides: [...pitches, ...ones(spare)] };
  const beyond = (groups: number): number => roundUp(columns, 4 * groups);
  const most = beyond(4) <= beyond(1) ? 4 : beyond(2) <= beyond(1) ? 2 : 1;
  const keyed = kernelFor(op, type, placesOf(last.window), apart);
  return { keyed, most, offsets: last.offsets, columns, walk };
}

const ones = (count: number): number[] => new Array<number>(count).fill(1);

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
  const keyed = kernelFor(op, type, placesOf(window), 1);
  return { keyed, window, count, offsets, accesses: offsets.map((offset) => accessOf([count], [1], offset)) };
}

const kernels = new Recent<Keyed>(KEPT);

const kernelFor = (op: WindowOp, type: DType, places: Shape, apart: 1 | 2): Keyed =>
  kernels.getOrMake(`${op} ${type} ${places.join()} ${apart}`, () =>
    windowKernel(REDUCTIONS[REDUCTION_OF[op]](type)!, places.length > 0 ? places : [1], type, apart),
  );

/** The operand with neutral elements around it, less the elements that negative padding takes off; null without padding. */
function paddedData(x: Tensor, padded: Shape, { op, padding }: Attrs["windowOp"]): ArrayData | null {
  if (padding.every(([low, high]) => low === 0 && high === 0)) return null;
  const { type, names } = x;
  const value = scalarLike(arrays, x, type, neutralElement(op, type as RealType));
  const config = padding.map(([low, high]) => [low, high, 0] as const);
  return plain.pad({ type, shape: padded, names }, [x, value], { config }) as ArrayData;
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
    const byRow = plan.byRow && runByRow(out, read(), plan.byRow);
    if (!byRow) fold(plan.passes.at(-1)!);
    const results = byRow ?? (plan.isWhole ? made.pop()! : arrays.hold(resultsOf(out, read(), plan, attrs)));
    for (const data of made) arrays.release(data);
    return results;
  };

/** The kernel over rows of planes, whose first elements are so many bytes apart at the source; results lie one after the other. */
export function windowRowsFunction({ keyed: { kernel }, most }: WindowRows): Code {
  const places = kernel.inputs.map((_, i) => `at${i}`);
  const run = kernelFunction(kernel, tableAddress, { most });
  const args = ["planes", "rows", "columns", "plane", "row", "bytes", "to", ...places];
  return define<string, string, 0>(args, ["i", "j", ...places.map((name) => `${name}row`)], 0, (x) => {
    const rows = places.map((name) => x[`${name}row`]!);
    range(x.i!, x.planes!, 1, () => {
      places.forEach((name, i) => local.set(rows[i]!, x[name]!));
      range(x.j!, x.rows!, 1, () => {
        call(run, [x.columns!, ...rows, x.to!]);
        for (const pointer of rows) advance(pointer, x.row!);
        advance(x.to!, x.bytes!);
      });
      for (const name of places) advance(x[name]!, x.plane!);
    });
  });
}

/** Results row by row, in the memory of kernels; null where the kernel is not worth compiling yet, or there is no room. */
function runByRow({ type, shape }: Template, elements: Elements, rows: WindowRows): ArrayData | null {
  const [count, size] = [elements.length / widthOf(type), sizeOf(shape)];
  if (!isWarm(rows.keyed.key, size) || !hasRoom(roomBytes(type, count) + roomBytes(type, size))) return null;
  const module = moduleFor(`windows ${rows.most} ${rows.keyed.key}`, () => ({ rows: windowRowsFunction(rows) }));
  const made = arrays.unset(type, shape);
  const [source, result] = [new Stored(type, elements), new Stored(type, made)];
  inScratch(() => {
    const from = source.addressOf(0) ?? source.bring(0, count, roomFor(type, count));
    const to = result.addressOf(0) ?? roomFor(type, size);
    const calls = callsOf(rows, bytesOf(type), from, to);
    // kernels write whole steps: what they write behind a row is the next one's, which comes later
    runCalls(module, "rows", calls, rows.columns % (4 * rows.most) === 0);
    result.put(to, size, 0);
  });
  return arrays.hold(made);
}

/** The calls for all planes, some at a time. */
function callsOf({ keyed, offsets, columns, walk }: WindowRows, bytes: number, from: number, to: number): Call[] {
  const { shape, strides } = walk;
  const [planes, rows] = shape.slice(-2) as [number, number];
  const [plane, row] = strides.slice(-2).map((step) => step * bytes) as [number, number];
  const ops = keyed.values;
  const nest = { lines: planes, length: rows * columns, full: [bytes], stages: 1, folds: 0, ops, staged: false };
  const { span } = cutLines(nest, threadCount());
  const calls: Call[] = [];
  const outer = sizeOf(shape.slice(0, -2));
  for (let i = 0; i < outer; i++) {
    const first = from + rowOffset(i, [...shape.slice(0, -2), 1], [...strides.slice(0, -2), 0]) * bytes;
    for (let p = 0; p < planes; p += span) {
      const target = to + (i * planes + p) * rows * columns * bytes;
      const places = offsets.map((offset) => first + p * plane + offset * bytes);
      calls.push([Math.min(span, planes - p), rows, columns, plane, row, columns * bytes, target, ...places]);
    }
  }
  return calls;
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
