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
import { keptByPadding } from "../../arrays/padding";
import { arrays } from "../arrays";
import { laneTypeOf } from "./dot";
import { wasmKernel } from "../codegen";
import { copyBox } from "../copy";
import { latticeOf } from "../matmul/arrays";
import { bytesOfSums, Finish } from "../matmul/epilogue";
import { contractionModule, type LaneType } from "../matmul/functions";
import { bytesLaidOut, laidOut, type Source } from "../matmul/pack-operands";
import { tileColumns } from "../matmul/tile";
import { hasRoom, inScratch, scratch, views } from "../memory/linear";
import { plain } from "../plain";
import { sourceOf } from "./sources";
import { runCalls, threadCount } from "../threads";
import {
  CONV_FROM,
  cutConvolution,
  isLineDirect,
  planesTogether,
  resultsHandedOn,
  STAGED_AT_ONCE,
  STRETCH,
} from "../schedule/contractions";

type Shaped = Pick<Template, "type" | "shape">;
type Sources = readonly [Source, Source];

interface Plan {
  readonly type: LaneType;
  /** Where the elements of a plane of the input lie among the zeros that padding and dilation ask for; null where there are none. */
  readonly kept: ReturnType<typeof keptByPadding> | null;
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
   * with zeros for a whole tile. Of positions that are read where they are, those of the first of each line.
   */
  readonly steps: Int32Array;
  readonly places: Int32Array;
  /** Positions that lie side by side and are read where they are; 0 where positions are packed. */
  readonly line: number;
}

function planOf(type: LaneType, input: Shape, kernel: Shape, out: Shape, attrs: Attrs["conv"]): Plan {
  const [bare, spatial, results] = [input.slice(2), kernel.slice(2), out.slice(2)];
  const config = attrs.padding.map(([low, high], axis) => [low, high, attrs.inputDilation[axis]! - 1] as const);
  const whole = config.map(([low, high, interior], axis) =>
    Math.max(0, low + (bare[axis]! - 1) * (interior + 1) + 1 + high),
  );
  const strides = rowMajorStrides(whole);
  const isBare = config.every((axis) => axis.every((size) => size === 0));
  const groups = Math.max(attrs.featureGroups, attrs.batchGroups);
  const plane = sizeOf(whole);
  const rows = kernel[0]! / groups;
  const positions = sizeOf(results);
  const tile = tileColumns(contractionModule(type).lanes);
  const line = attrs.strides.at(-1) === 1 ? lineOf(type, rows, results, whole) : 0;
  const begins = line === positions ? [] : line > 0 ? results.slice(0, -1) : results;
  const table = (offsets: ArrayLike<number>, length = offsets.length): Int32Array => {
    const bytes = new Int32Array(length);
    for (let i = 0; i < offsets.length; i++) bytes[i] = offsets[i]! * bytesOf(type);
    return bytes;
  };
  return {
    ...{ type, kept: isBare ? null : keptByPadding(bare, whole, config), bare: sizeOf(bare), plane },
    ...{ channels: input[1]!, inner: kernel[1]! },
    ...{ groups, batchGroups: attrs.batchGroups, rows, tile },
    ...{ k: sizeOf(kernel.slice(1)), positions },
    steps: table(latticeOf(kernel.slice(1), [plane, ...spatial.map((_, i) => strides[i]! * attrs.kernelDilation[i]!)])),
    places: table(
      latticeOf(
        begins,
        begins.map((_, i) => strides[i]! * attrs.strides[i]!),
      ),
      line > 0 ? undefined : roundUp(positions, tile),
    ),
    line,
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

/** The address of the planes of the input among their zeros; of the staged input where planes have no zeros. */
function stagePlanes({ type, kept, bare, plane }: Plan, input: Source): number {
  const staged = laidOut(type, input);
  if (kept === null) return staged;
  const bytes = bytesOf(type);
  const planes = sizeOf(input.shape) / bare;
  const { shape, from, to } = kept;
  const inner = shape.map((size, axis) => ({ size, from: from.steps[axis]! * bytes, to: to.steps[axis]! * bytes }));
  const at = scratch(planes * plane * bytes);
  const zero = stageTable(Int32Array.of(0, 0));
  const each = planesTogether(plane * bytes, threadCount());
  for (let first = 0; first < planes; first += each) {
    const size = Math.min(each, planes - first);
    const [source, target] = [staged + first * bare * bytes, at + first * plane * bytes];
    copyBox({ from: zero, to: target, bytes, axes: [{ size: size * plane, from: 0, to: bytes }] });
    const axes = [{ size, from: bare * bytes, to: plane * bytes }, ...inner];
    copyBox({ from: source + from.offset * bytes, to: target + to.offset * bytes, bytes, axes });
  }
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
  const { batchGroups, k, places, channels, plane, kept, line } = plan;
  const size = bytesOf(plan.type);
  const input = kept === null ? 0 : images * batchGroups * channels * plane;
  const staged = bytesLaidOut(imagesOf(plan, x, 0, images)) + bytesLaidOut(w);
  const each = imagesHandedOn(plan, images, finish);
  const cut = cutConvolution(plan, each);
  const sums = finish.target === null ? bytesOfSums(plan.type, each * filledBy(plan)) : 0;
  const packed = line > 0 ? 0 : cut.parts * (cut.block * k + 512);
  const elements = input + packed;
  const rest = finish.isPlain ? 0 : finish.bytesFor(each * filledBy(plan));
  return elements * size + staged + sums + rest + 8 * (k + places.length) + 4096;
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
const plans = new Recent<Plan>(KEPT, ({ steps, places }) => steps.length + places.length);

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
