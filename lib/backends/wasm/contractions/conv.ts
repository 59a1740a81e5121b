/**
 * Convolution in any number of dimensions in WebAssembly, for floats: the input is placed among the zeros that padding and
 * dilation ask for, and blocks of positions of the result are gathered from there straight into the panels of a product of
 * matrices. Sums are made in the type of the operands, those of half floats in f32. What is not worth staging and all
 * other types are left to the loops of `binary`.
 */
import type { Attrs, PrimitiveFunction, Template } from "../../../backend";
import { rowMajorStrides, sizeOf, type Shape } from "../../../core/shape";
import { roundUp } from "../../../core/round-up";
import { bytesOf } from "../../../core/types";
import { Recent } from "../../../kernel/generational-cache";
import type { Tensor } from "../../../tensor";
import { arrays } from "../arrays";
import { laneTypeOf } from "./dot";
import { wasmKernel } from "../codegen";
import { latticeOf } from "../matmul/arrays";
import { bytesOfSums, Finish } from "../matmul/epilogue";
import { contractionModule, type LaneType } from "../matmul/functions";
import { bytesLaidOut, laidOut, type Source } from "../matmul/pack-operands";
import { tileColumns } from "../matmul/tile";
import { hasRoom, inScratch, scratch, views } from "../memory/linear";
import { plain } from "../plain";
import { sourceOf } from "./sources";
import { runCalls, type Call } from "../threads";
import {
  CONV_FROM,
  cutConvolution,
  isLineDirect,
  planesAtOnce,
  resultsHandedOn,
  STAGED_AT_ONCE,
  STRETCH,
} from "../schedule/contractions";

type Shaped = Pick<Template, "type" | "shape">;
type Sources = readonly [Source, Source];

/** A spatial axis of the input with the zeros around and between its elements: element i lies at `low + i * spread`. */
interface Line {
  readonly size: number;
  readonly low: number;
  readonly spread: number;
  /** Length with the zeros. */
  readonly whole: number;
}

interface Plan {
  readonly type: LaneType;
  readonly lines: readonly Line[];
  /** Elements of a plane of the input, without the zeros and with them. */
  readonly bare: number;
  readonly plane: number;
  /** Channels of the input, and of a group of the kernel. */
  readonly channels: number;
  readonly inner: number;
  readonly groups: number;
  readonly batchGroups: number;
  /** Filters of a group. */
  readonly rows: number;
  /** Positions of a tile. */
  readonly tile: number;
  /** Places in the kernel, over all its channels. */
  readonly k: number;
  readonly positions: number;
  /**
   * Distances in bytes from the first position of a plane, for each place in the kernel and each position; those of positions go on
   * with zeros for a whole tile.
   */
  readonly steps: Int32Array;
  readonly places: Int32Array;
  /** Positions that lie side by side and are read where they are; 0 where positions are packed. */
  readonly line: number;
  /** Pairs of distances in bytes: where the lines of a plane of the input lie, and where they go to; and the elements of a line that do. */
  readonly pairs: Int32Array;
  readonly shown: number;
}

function linesOf(input: Shape, { padding, inputDilation }: Attrs["conv"]): Line[] {
  return padding.map(([low, high], axis) => {
    const [size, spread] = [input[axis + 2]!, inputDilation[axis]!];
    return { size, low, spread, whole: Math.max(0, low + Math.max(0, (size - 1) * spread + 1) + high) };
  });
}

function planOf(type: LaneType, input: Shape, kernel: Shape, out: Shape, attrs: Attrs["conv"]): Plan {
  const lines = linesOf(input, attrs);
  const whole = lines.map((line) => line.whole);
  const strides = rowMajorStrides(whole);
  const [spatial, results] = [kernel.slice(2), out.slice(2)];
  const groups = Math.max(attrs.featureGroups, attrs.batchGroups);
  const plane = sizeOf(whole);
  const rows = kernel[0]! / groups;
  const positions = sizeOf(results);
  const tile = tileColumns(contractionModule(type).lanes);
  const table = (offsets: ArrayLike<number>, length = offsets.length): Int32Array => {
    const bytes = new Int32Array(length);
    for (let i = 0; i < offsets.length; i++) bytes[i] = offsets[i]! * bytesOf(type);
    return bytes;
  };
  return {
    ...{ type, lines, bare: sizeOf(input.slice(2)), plane, channels: input[1]!, inner: kernel[1]! },
    ...{ groups, batchGroups: attrs.batchGroups, rows, tile },
    ...{ k: sizeOf(kernel.slice(1)), positions },
    steps: table(latticeOf(kernel.slice(1), [plane, ...spatial.map((_, i) => strides[i]! * attrs.kernelDilation[i]!)])),
    places: table(
      latticeOf(
        results,
        results.map((_, i) => strides[i]! * attrs.strides[i]!),
      ),
      roundUp(positions, tile),
    ),
    line: attrs.strides.at(-1) === 1 ? lineOf(type, rows, results, whole) : 0,
    pairs: table(linePairs(lines)),
    shown: visible(lines.at(-1)!).length,
  };
}

/** Positions side by side, of a stride of 1 along the last axis: those of a line, or all where places have no neighbours. */
function lineOf(type: LaneType, rows: number, results: Shape, whole: readonly number[]): number {
  const isAll = results.every((size, axis) => size === whole[axis]);
  const line = isAll ? sizeOf(results) : results.at(-1)!;
  return isLineDirect(rows, line, contractionModule(type).lanes.count) ? line : 0;
}

/** A table in memory. */
function stageTable(table: Int32Array): number {
  const at = scratch(table.byteLength);
  views().s32.set(table, at / 4);
  return at;
}

const isBare = ({ lines }: Plan): boolean =>
  lines.every(({ size, whole, low, spread }) => low === 0 && spread === 1 && size === whole);

/** The lines along the last axis within a plane: their offsets in the input and in the plane, in elements. */
function linePairs(lines: readonly Line[]): number[] {
  const outer = lines.slice(0, -1);
  const from = rowMajorStrides(lines.map(({ size }) => size));
  const to = rowMajorStrides(lines.map(({ whole }) => whole));
  let pairs: (readonly [number, number])[] = [[0, 0]];
  outer.forEach((line, axis) => {
    const within = visible(line);
    pairs = pairs.flatMap(([p, q]) => within.map(([i, j]) => [p + i * from[axis]!, q + j * to[axis]!] as const));
  });
  const start = visible(lines.at(-1)!)[0];
  return start ? pairs.flatMap(([p, q]) => [p + start[0], q + start[1]]) : [];
}

/** Elements that are not cropped, with their places among the zeros. */
function visible({ size, low, spread, whole }: Line): (readonly [element: number, place: number])[] {
  const all = Array.from({ length: size }, (_, i) => [i, low + i * spread] as const);
  return all.filter(([, place]) => place >= 0 && place < whole);
}

/** The address of the planes of the input among their zeros; of the staged input where planes have no zeros. */
function stagePlanes(plan: Plan, input: Source): number {
  const size = bytesOf(plan.type);
  const staged = laidOut(plan.type, input);
  if (isBare(plan) || plan.bare === 0) return staged;
  const planes = sizeOf(input.shape) / plan.bare;
  const at = scratch(planes * plan.plane * size);
  const { pairs, shown } = plan;
  const rest = [stageTable(pairs), pairs.length / 2, shown, plan.lines.at(-1)!.spread * size];
  const share = planesAtOnce(planes);
  const calls: Call[] = [];
  for (let from = 0; from < planes; from += share) {
    const count = Math.min(share, planes - from);
    const [source, target] = [staged + from * plan.bare * size, at + from * plan.plane * size];
    calls.push([source, plan.bare * size, target, plan.plane * size, count, ...rest]);
  }
  runCalls(contractionModule(plan.type).module, "placeLines", calls);
  return at;
}

/** Elements of the result for an image. */
const filledBy = ({ groups, rows, positions }: Plan): number => groups * rows * positions;

/** Images whose results are handed on at a time; all where nothing is done with them. */
function imagesHandedOn(plan: Plan, images: number, finish: Finish): number {
  return finish.isPlain ? images : resultsHandedOn(images, filledBy(plan) * bytesOf(plan.type));
}

/** The results for images from `first` on, of an input that is all of those they take. */
function convolveStaged(plan: Plan, [input, kernel]: Sources, images: number, first: number, finish: Finish): void {
  const { type } = plan;
  const size = bytesOf(type);
  const filled = filledBy(plan);
  const planes = stagePlanes(plan, input);
  const filters = laidOut(type, kernel);
  const [steps, places] = [stageTable(plan.steps), stageTable(plan.places)];
  const each = imagesHandedOn(plan, images, finish);
  const work = finish.isPlain ? null : finish.open(each * filled);
  const room = finish.target === null ? scratch(bytesOfSums(type, each * filled)) : 0;
  const wave = waveOf(plan, { planes, filters, steps, places, images, each });
  for (let from = 0; from < images; from += each) {
    const count = Math.min(each, images - from);
    const start = (first + from) * filled;
    const c = finish.target === null ? room : finish.target + start * size;
    wave(from, count, c);
    work?.(start, count * filled, c);
  }
}

/** Addresses of staged operands, how many images there are, and how many are worked on at a time at most. */
interface Staged {
  readonly planes: number;
  readonly filters: number;
  readonly steps: number;
  readonly places: number;
  readonly images: number;
  readonly each: number;
}

/** What makes the sums for some images, with the result of the first at an address. */
function waveOf(plan: Plan, staged: Staged): (from: number, count: number, c: number) => void {
  const { type, groups, rows, k, positions, batchGroups, channels, inner, plane, line } = plan;
  const { planes, filters, steps, places, images, each } = staged;
  const { module, lanes } = contractionModule(type);
  const { parts, block } = cutConvolution(plan, each);
  const bufferBytes = line > 0 ? 0 : block * k * lanes.size;
  const buffers = scratch(parts * bufferBytes);
  const imageStep = channels * plane * lanes.size;
  const groupStep = (batchGroups > 1 ? images * channels : inner) * plane * lanes.size;
  return (from, count, c) => {
    const cut = cutConvolution(plan, count);
    const calls = Array.from({ length: cut.parts }, (_, i) => [
      ...[i * cut.share, Math.min(cut.units, (i + 1) * cut.share), cut.blocks, groups, cut.block],
      ...[planes + from * imageStep, imageStep, groupStep, filters, rows, k, steps, places, positions, STRETCH],
      ...[c, buffers + i * bufferBytes, line],
    ]);
    runCalls(module, "convolve", calls);
  };
}

/** Bytes of scratch space for `images` images of the result. */
function bytesFor(plan: Plan, [x, w]: Sources, images: number, finish: Finish): number {
  const { batchGroups, k, positions, channels, plane } = plan;
  const size = bytesOf(plan.type);
  const input = isBare(plan) ? 0 : images * batchGroups * channels * plane;
  const staged = bytesLaidOut(imagesOf(plan, x, 0, images)) + bytesLaidOut(w);
  const each = imagesHandedOn(plan, images, finish);
  const cut = cutConvolution(plan, each);
  const sums = finish.target === null ? bytesOfSums(plan.type, each * filledBy(plan)) : 0;
  const elements = input + cut.parts * (cut.block * k + 512);
  const rest = finish.isPlain ? 0 : finish.bytesFor(each * filledBy(plan));
  return elements * size + staged + sums + rest + 16 * (k + positions + plane) + 4096;
}

/** The images of the input that some of the result take. */
function imagesOf({ batchGroups }: Plan, input: Source, from: number, count: number): Source {
  const shape = [count * batchGroups, ...input.shape.slice(1)];
  return { ...input, shape, offset: input.offset + from * input.strides[0]! };
}

/** Makes sums, as many images at a time as may be staged; false where one is too many. */
export function runConv(
  plan: Plan,
  sources: Sources,
  finish: Finish,
  images: number,
  most: number = STAGED_AT_ONCE,
): boolean {
  for (const { casts } of sources) for (const { kernel, key } of casts) wasmKernel(kernel, key);
  const possible = (count: number): boolean => {
    const bytes = bytesFor(plan, sources, count, finish);
    return bytes <= most && hasRoom(bytes);
  };
  let count = images;
  // Groups of a batch take their images from all over the input.
  while (count > 0 && !possible(count)) count = plan.batchGroups > 1 ? 0 : Math.floor(count / 2);
  if (count === 0) return false;
  const [input, kernel] = sources;
  for (let from = 0; from < images; from += count) {
    const some = Math.min(count, images - from);
    inScratch(() => convolveStaged(plan, [imagesOf(plan, input, from, some), kernel], some, from, finish));
  }
  return true;
}

/** How a convolution is made in WebAssembly; null where the binary backend makes it as fast. */
export function convPlan(out: Shaped, x: Shaped, w: Shaped, attrs: Attrs["conv"], few = CONV_FROM): Plan | null {
  const type = laneTypeOf(out.type, x.type, w.type);
  const work = sizeOf(out.shape) * sizeOf(w.shape.slice(1));
  if (type === null || work < few || x.shape.length < 3) return null;
  const key = `${type} ${x.shape.join()} ${w.shape.join()} ${out.shape.join()} ${textOf(attrs)}`;
  return plans.getOrMake(key, () => planOf(type, x.shape, w.shape, out.shape, attrs));
}

const textOf = ({
  strides,
  padding,
  inputDilation,
  kernelDilation,
  featureGroups,
  batchGroups,
}: Attrs["conv"]): string => [strides, padding, inputDilation, kernelDilation, featureGroups, batchGroups].join(" ");

/** Entries of the tables of plans that are kept at hand. */
const KEPT = 2 ** 18;
const plans = new Recent<Plan>(KEPT, ({ steps, places, pairs }) => steps.length + places.length + pairs.length);

/** Convolution in WebAssembly from so many products on, with at most so many bytes staged at the same time. */
export const convolutionFrom = (few: number, most: number): PrimitiveFunction<"conv"> => {
  return (out, inputs, attrs) => {
    const [x, w] = inputs as [Tensor, Tensor];
    const plan = convPlan(out, x, w, attrs, few);
    const sources = plan && [sourceOf(x, plan.type), sourceOf(w, plan.type)];
    if (!plan || !sources?.[0] || !sources[1]) return plain.conv(out, inputs, attrs);
    const elements = arrays.unset(out.type, out.shape);
    const finish = Finish.of(plan.type, out.type, elements, null);
    const isDone = finish && runConv(plan, sources as [Source, Source], finish, out.shape[0]!, most);
    return isDone ? arrays.hold(elements) : plain.conv(out, inputs, attrs);
  };
};

/** The primitive of convolution. */
export const wasmConv: PrimitiveFunction<"conv"> = convolutionFrom(CONV_FROM, STAGED_AT_ONCE);
