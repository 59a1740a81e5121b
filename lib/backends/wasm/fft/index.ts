/**
 * Fourier transforms in WebAssembly, bit for bit those of the binary backend, with which they share plans and tables. Lines
 * are transformed two by two, several pairs at a time where they are short or lie side by side; a single long line in pairs of neighbours.
 */
import type { Attrs, PrimitiveFunction, Template } from "../../../backend";
import { stagesOf } from "../../../core/stages";
import { bytesOf, type DType } from "../../../core/types";
import { loadC128 } from "../../arrays/convert";
import type { Tensor } from "../../../tensor";
import { elementsOf, type ArrayData, type Elements } from "../../arrays/storage";
import { isConvolved, planOf, type Plan } from "../../binary/fft/plan";
import type { Parts } from "../../binary/fft/roots";
import type { MixedRadix } from "../../binary/fft/stages";
import { arrays } from "../arrays";
import type { WasmFunction } from "../memory/host";
import { hasRoom, inScratch, scratch, views } from "../memory/linear";
import { exportsOf, type Exports } from "../modules/cache";
import { Stored } from "../placement";
import { plain } from "../plain";
import { loadPairs, storePairs, type Given, type Result } from "./load-store-code";
import { PAIR, stageFunctions } from "./stage-code";
import { FFT_AGAIN_FROM, FFT_FROM, pairsTogether, WORK_BYTES_MOST } from "../schedule/sorts";
import { isWorthModule } from "../modules/tiering";

const stagesModule = (): Exports => exportsOf("fft stages", stageFunctions);
const isGiven = (type: DType): type is Given => type === "f32" || type === "f64" || type === "c64" || type === "c128";

export const wasmFft: PrimitiveFunction<"fft"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const { axis, inverse, eps } = attrs;
  const { before, size: n, after } = stagesOf(out.shape, [axis])[0]!;
  const size = before * n * after;
  const type = isGiven(x.type) ? x.type : "c128";
  const together = after === 1 ? pairsTogether(n, before) : pairsTogether(n, after, 2 * bytesOf(type));
  if (n < 2 || !isWorthModule("fft", size, FFT_FROM, FFT_AGAIN_FROM)) return plain.fft(out, inputs, attrs);
  if (!isRoomFor(n, after, together)) return after === 1 ? plain.fft(out, inputs, attrs) : alongRows(out, x, attrs);
  const result = arrays.unset(out.type, out.shape);
  const plan = planOf(n);
  const given = { type, from: x.type, source: elementsOf(x), groups: before, n, columns: after, together };
  inScratch(() => transformAll({ ...given, plan, result, outType: out.type as Result, inverse, eps }));
  return arrays.hold(result);
};

/** Transforms planes that have no room, of more than sixteen million elements, row by row: the axis is brought to the end and back. */
function alongRows(out: Template, x: Tensor, attrs: Attrs["fft"]): unknown {
  const last = out.shape.length - 1;
  const axes = out.shape.map((_, i) => (i === attrs.axis ? last : i === last ? attrs.axis : i));
  const shape = axes.map((axis) => out.shape[axis]!);
  const turned = (type: DType): Template => ({ type, shape, names: out.names });
  const rows = { ...turned(x.type), data: plain.transpose(turned(x.type), [x], { axes }) } as Tensor;
  const done = { ...turned(out.type), data: wasmFft(turned(out.type), [rows], { ...attrs, axis: last }) } as Tensor;
  arrays.release(rows.data as ArrayData);
  const result = plain.transpose(out, [done], { axes });
  arrays.release(done.data as ArrayData);
  return result;
}

/** Whether there is room for all that a transform may need: tables, places for work, and blocks of lines. */
function isRoomFor(n: number, columns: number, together: number): boolean {
  const bytes = (isConvolved(n) ? 640 : 160) * n * together + (columns === 1 ? 0 : 32 * n * columns);
  return bytes <= WORK_BYTES_MOST && hasRoom(bytes);
}

interface Transform {
  /** The type that elements are read as, and that of the operand. */
  readonly type: Given;
  readonly from: DType;
  readonly source: Elements;
  /** Elements `[groups, n, columns]`, which are transformed along the middle axis. */
  readonly groups: number;
  readonly n: number;
  readonly columns: number;
  /** The most pairs of lines that are worked on at a time. */
  readonly together: number;
  readonly plan: Plan;
  readonly result: Elements;
  readonly outType: Result;
  readonly inverse: boolean;
  readonly eps: number;
}

/** A table in memory: real parts, and `imaginary` bytes behind them imaginary ones. */
interface Table {
  readonly at: number;
  readonly imaginary: number;
}

function place({ re, im }: Parts): Table {
  const at = scratch(16 * re.length);
  const { f64 } = views();
  f64.set(re, at / 8);
  f64.set(im, at / 8 + re.length);
  return { at, imaginary: 8 * re.length };
}

/** Where the real and the imaginary parts of numbers at an address begin, or the other way round. */
const partsOf = (at: number, areExchanged: boolean): [number, number] => (areExchanged ? [at + 16, at] : [at, at + 16]);

/** Transforms `times` pairs that lie side by side at `x`, with as much room at `y`; the address of the results. */
type Run = (x: number, y: number, times: number) => number;

/** Steps of a transform; `halved` where a pair is two neighbours of one line. */
function mixedRun({ length, factors, roots }: MixedRadix, halved: boolean): Run {
  const table = place(roots);
  const stages = stagesModule();
  return (x, y, times) => {
    let [from, to] = [x, y];
    let stride = 1;
    for (const radix of factors) {
      const m = length / stride / radix;
      if (halved && stride === 1) stages.firstFour!(from, to, m, table.at, table.imaginary);
      else {
        const s = halved ? stride / 2 : stride * times;
        const args = [from, to, m, s, table.at, table.imaginary, stride * 8];
        if (radix <= 5) stages[`radix${radix}`]!(...args);
        else stages.radix!(...args, radix);
      }
      stride *= radix;
      [from, to] = [to, from];
    }
    return from;
  };
}

/** A transform by a convolution, as the binary backend has it. */
function convolutionRun({ length: n, inner, chirp, filter }: Exclude<Plan, MixedRadix>, pairs: number): Run {
  const size = inner.length;
  const tables = { chirp: place(chirp), filter: place(filter) };
  const { multiply } = stagesModule() as { readonly multiply: WasmFunction };
  const run = mixedRun(inner, false);
  const [work, spare] = [scratch(size * pairs * PAIR), scratch(size * pairs * PAIR)];
  type Exchanged = "x" | "to" | "none";
  return (x, _, lines) => {
    const times = (x: number, { at, imaginary }: Table, count: number, to: number, exchanged: Exchanged): void =>
      void multiply(...partsOf(x, exchanged === "x"), at, imaginary, count, lines, ...partsOf(to, exchanged === "to"));
    times(x, tables.chirp, n, work, "none");
    views().f64.fill(0, (work + n * lines * PAIR) / 8, (work + size * lines * PAIR) / 8);
    const spectrum = run(work, spare, lines);
    const other = spectrum === work ? spare : work;
    times(spectrum, tables.filter, size, other, "to");
    const back = run(other, spectrum, lines);
    times(back, tables.chirp, n, x, "x");
    return x;
  };
}

/** A single line in pairs of neighbours: a first step of radix 4, two at a time. */
const suitsHalves = ({ plan, groups, columns, n }: Transform): boolean =>
  groups * columns === 1 && n % 8 === 0 && !("inner" in plan);

function transformAll(transform: Transform): void {
  const { type, outType, plan, n, columns, together, inverse } = transform;
  const halved = suitsHalves(transform);
  const run = "inner" in plan ? convolutionRun(plan, together) : mixedRun(plan, halved);
  const numbers = scratch(16);
  views().f64.set([inverse ? n : 1, transform.eps], numbers / 8);
  const length = halved ? n / 2 : n;
  const [x, y] = [scratch(length * together * PAIR), scratch(length * together * PAIR)];
  const lines = transform.groups * columns;
  const block = columns === 1 ? 2 * together : columns; // lines whose elements lie one behind the other
  const most = Math.min(lines, block) * n;
  const stored = new Stored(outType, transform.result);
  const source = type === transform.from ? new Stored(type, transform.source) : null;
  const room = scratch((source?.isResident ? 0 : most * bytesOf(type)) + PAIR);
  const spare = scratch((stored.isResident ? 0 : most * bytesOf(outType)) + PAIR);
  const load = exportsOf(`fft load ${type}`, () => ({ load: loadPairs(type) }))["load"]!;
  const store = exportsOf(`fft store ${outType}`, () => ({ store: storePairs(outType) }))["store"]!;
  // elements between the elements of a line, and between lines
  const [step, pitch] = columns === 1 ? [1, n] : [columns, 1];
  const transformLines = (from: number, to: number, count: number, pairs: number): void => {
    const way = (at: number, bytes: number, work: number): number[] => {
      const lane = halved ? bytes : count === 1 ? 0 : pitch * bytes;
      const along = [(halved ? 2 : step) * bytes, length, pairs * PAIR] as const;
      const across = [2 * pitch * bytes, pairs, PAIR] as const;
      const [inner, outer] = columns === 1 ? [along, across] : [across, along]; // neighbours first
      // With parts exchanged the transform is the inverse one.
      return [at, lane, ...partsOf(work, inverse), ...inner, ...outer];
    };
    load(...way(from, bytesOf(type), x));
    store(...way(to, bytesOf(outType), run(x, y, pairs)), numbers);
  };
  for (let line = 0; line < lines; line += block) {
    const own = Math.min(block, lines - line);
    const from = source?.bring(line * n, own * n, room) ?? converted(transform, line * n, own * n, room);
    const to = stored.addressOf(line * n) ?? spare;
    // What is left over at the end is a pair of the same line twice.
    for (let i = 0; i < own;) {
      const pairs = Math.min(together, (own - i) >> 1);
      const count = Math.max(1, 2 * pairs);
      transformLines(from + i * pitch * bytesOf(type), to + i * pitch * bytesOf(outType), count, Math.max(1, pairs));
      i += count;
    }
    stored.put(to, own * n, line * n);
  }
}

/** The address of `count` elements from element `first` on, which are converted to where there is room. */
function converted({ from, source }: Transform, first: number, count: number, room: number): number {
  loadC128(from, source, first, views().f64.subarray(room / 8, room / 8 + 2 * count), count);
  return room;
}
