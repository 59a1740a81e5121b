/**
 * Fourier transforms in WebAssembly, bit for bit those of the binary backend, with which they share plans and tables. Lines
 * are transformed two by two, several pairs at a time where they are short or lie side by side; a single long line in pairs of neighbours.
 */
import type { Attrs, PrimitiveFunction, Template } from "../../../backend";
import { sizeOf, type Shape } from "../../../core/shape";
import { bytesOf, type DType } from "../../../core/types";
import { loadC128 } from "../../arrays/convert";
import type { Tensor } from "../../../tensor";
import { elementsOf, type ArrayData, type Elements } from "../../arrays/storage";
import { halfPlanOf, isConvolved, planOf, type Plan } from "../../binary/fft/plan";
import type { Parts } from "../../binary/fft/roots";
import type { MixedRadix } from "../../binary/fft/stages";
import { arrays } from "../arrays";
import type { WasmFunction } from "../memory/host";
import { hasRoom, inScratch, scratch, views } from "../memory/linear";
import { exportsOf, type Exports } from "../modules/cache";
import { Stored } from "../placement";
import { plain } from "../plain";
import { PAIR } from "./complex-code";
import { halfFunctions } from "./half-code";
import { loadPairs, loadParts, storePairs, storeParts, type Given, type Numbers, type Result } from "./load-store-code";
import { stageFunctions } from "./stage-code";
import { FFT_AGAIN_FROM, FFT_FROM, pairsTogether, WORK_BYTES_MOST } from "../schedule/sorts";
import { isWorthModule } from "../modules/tiering";

const stagesModule = (): Exports => exportsOf("fft stages", stageFunctions);
const isGiven = (type: DType): type is Given => type === "f32" || type === "f64" || type === "c64" || type === "c128";

/** Elements of a line of both ends, and the complex numbers that are transformed for it. */
interface Lengths {
  readonly given: number;
  readonly made: number;
  readonly numbers: number;
}

function lengthsOf(out: Template, x: Tensor, { axis, half }: Attrs["fft"]): Lengths {
  const [given, made] = [x.shape[axis]!, out.shape[axis]!];
  return { given, made, numbers: half ? Math.max(given, made) / 2 : made };
}

export const wasmFft: PrimitiveFunction<"fft"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const lengths = lengthsOf(out, x, attrs);
  const n = lengths.numbers;
  const { before, after } = around(out.shape, attrs.axis);
  const type = isGiven(x.type) ? x.type : "c128";
  const together = after === 1 ? pairsTogether(n, before) : pairsTogether(n, after, 2 * bytesOf(type));
  if (n < 2 || !isWorthModule("fft", before * n * after, FFT_FROM, FFT_AGAIN_FROM))
    return plain.fft(out, inputs, attrs);
  if (!isRoomFor(n, after, together)) return after === 1 ? plain.fft(out, inputs, attrs) : alongRows(out, x, attrs);
  const result = arrays.unset(out.type, out.shape);
  const given = { type, from: x.type, source: elementsOf(x), groups: before, lengths, columns: after, together };
  inScratch(() => transformAll({ ...given, result, outType: out.type as Given, attrs }));
  return arrays.hold(result);
};

/** Elements around an axis. */
const around = (shape: Shape, axis: number): { before: number; after: number } => ({
  before: sizeOf(shape.slice(0, axis)),
  after: sizeOf(shape.slice(axis + 1)),
});

/** Transforms planes that have no room, of more than sixteen million elements, row by row: the axis is brought to the end and back. */
function alongRows(out: Template, x: Tensor, attrs: Attrs["fft"]): unknown {
  const last = out.shape.length - 1;
  const axes = out.shape.map((_, i) => (i === attrs.axis ? last : i === last ? attrs.axis : i));
  const turned = ({ type, shape }: Template): Template => ({
    type,
    shape: axes.map((i) => shape[i]!),
    names: out.names,
  });
  const rows = { ...turned(x), data: plain.transpose(turned(x), [x], { axes }) } as Tensor;
  const done = { ...turned(out), data: wasmFft(turned(out), [rows], { ...attrs, axis: last }) } as Tensor;
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
  readonly lengths: Lengths;
  readonly columns: number;
  /** The most pairs of lines that are worked on at a time. */
  readonly together: number;
  readonly result: Elements;
  readonly outType: Given;
  readonly attrs: Attrs["fft"];
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
      if (halved && stride === 1) {
        stages[m % 2 === 0 ? "firstFour" : "firstFourOdd"]!(from, to, m, table.at, table.imaginary);
      } else {
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
const suitsHalves = ({ groups, columns, lengths: { numbers } }: Transform, plan: Plan): boolean =>
  groups * columns === 1 && numbers % 4 === 0 && !("inner" in plan);

/** What is behind the numbers of an array of pairs: an element more than there are numbers, and what the first step of radix 4 touches. */
const BEHIND = 3 * PAIR;

/** What makes complex numbers of real ones, before an inverse transform or after the other one. */
type Mix = (x: number, times: number) => void;

function mixOf(m: number, roots: Parts, isInverse: boolean, halved: boolean): Mix {
  const { at, imaginary } = place(roots);
  const functions = exportsOf("fft halves", halfFunctions);
  const mix = functions[`${isInverse ? "tangle" : "untangle"}${halved ? "One" : ""}`]!;
  return (x, times) => void mix(x, m, at, imaginary, ...(halved ? [] : [times]));
}

/** The steps from numbers at an address to results, and where these are. */
function runOf(transform: Transform): { readonly run: Run; readonly halved: boolean } {
  const { attrs, together, lengths } = transform;
  const n = lengths.numbers;
  const half = attrs.half ? halfPlanOf(2 * n) : null;
  const plan = half?.plan ?? planOf(n);
  const halved = suitsHalves(transform, plan);
  const whole = "inner" in plan ? convolutionRun(plan, together) : mixedRun(plan, halved);
  if (half === null) return { run: whole, halved };
  const mix = mixOf(n, half.roots, attrs.inverse, halved);
  const run: Run = (x, y, times) => {
    if (attrs.inverse) mix(x, times);
    const at = whole(x, y, times);
    if (!attrs.inverse) mix(at, times);
    return at;
  };
  return { run, halved };
}

/** One of the arrays of a transform, and how numbers come from there or go there. */
interface End {
  readonly way: WasmFunction;
  /** Numbers of a line, and bytes between them, between lines, and between the parts of a number where they are apart. */
  readonly count: number;
  readonly step: number;
  readonly pitch: number;
  readonly beyond: readonly number[];
}

/** Pairs of neighbouring real numbers of a row are complex ones. */
const PAIRED = { f32: "c64", f64: "c128", c64: "c64", c128: "c128" } as const;

function endOf(type: Given, { lengths, columns, attrs }: Transform, isLoad: boolean): End {
  const length = isLoad ? lengths.given : lengths.made;
  const isReal = attrs.half && (type === "f32" || type === "f64");
  const bytes = bytesOf(type);
  // elements between the elements of a line, and between lines
  const [step, pitch] = columns === 1 ? [1, length] : [columns, 1];
  const apart = isReal && columns > 1;
  return {
    way: apart ? partsWay(type, isLoad) : pairsWay(isReal ? PAIRED[type] : type, isLoad),
    count: isReal ? length / 2 : length,
    step: (isReal ? 2 : 1) * step * bytes,
    pitch: pitch * bytes,
    beyond: apart ? [step * bytes] : [],
  };
}

const pairsWay = (type: Given, isLoad: boolean): WasmFunction =>
  isLoad
    ? exportsOf(`fft load ${type}`, () => ({ load: loadPairs(type) }))["load"]!
    : exportsOf(`fft store ${type}`, () => ({ store: storePairs(type as Result) }))["store"]!;

const partsWay = (type: Numbers, isLoad: boolean): WasmFunction =>
  isLoad
    ? exportsOf(`fft load parts ${type}`, () => ({ load: loadParts(type) }))["load"]!
    : exportsOf(`fft store parts ${type}`, () => ({ store: storeParts(type) }))["store"]!;

/** Moves the numbers of `count` lines, or of one, from or to an address; `numbers` are further arguments. */
type Move = (at: number, work: number, count: number, pairs: number) => void;

function moveOf({ way, count: n, step, pitch, beyond }: End, t: Transform, halved: boolean, numbers: number[]): Move {
  const isInverse = t.attrs.inverse;
  return (at, work, count, pairs) => {
    // With parts exchanged the transform is the inverse one.
    const parts = partsOf(work, isInverse);
    if (halved) {
      way(at, step, ...parts, 2 * step, n >> 1, PAIR, 0, 1, 0, ...numbers, ...beyond);
      // an element more than pairs
      if (n % 2 === 0) return;
      const last = partsOf(work + (n >> 1) * PAIR, isInverse);
      way(at + (n - 1) * step, 0, ...last, 0, 1, 0, 0, 1, 0, ...numbers, ...beyond);
      return;
    }
    const along = [step, n, pairs * PAIR] as const;
    const across = [2 * pitch, pairs, PAIR] as const;
    const [inner, outer] = t.columns === 1 ? [along, across] : [across, along]; // neighbours first
    way(at, count === 1 ? 0 : pitch, ...parts, ...inner, ...outer, ...numbers, ...beyond);
  };
}

function transformAll(transform: Transform): void {
  const { type, outType, lengths, columns, together, attrs } = transform;
  const n = lengths.numbers;
  const { run, halved } = runOf(transform);
  const numbers = scratch(16);
  views().f64.set([scaleOf(n, attrs), attrs.eps], numbers / 8);
  const room = (halved ? n / 2 : n * together) * PAIR + together * BEHIND;
  const [x, y] = [scratch(room), scratch(room)];
  const lines = transform.groups * columns;
  const block = columns === 1 ? 2 * together : columns; // lines whose elements lie one behind the other
  const most = Math.min(lines, block);
  const stored = new Stored(outType, transform.result);
  const source = type === transform.from ? new Stored(type, transform.source) : null;
  const given = scratch((source?.isResident ? 0 : most * lengths.given * bytesOf(type)) + PAIR);
  const spare = scratch((stored.isResident ? 0 : most * lengths.made * bytesOf(outType)) + PAIR);
  const [first, last] = [endOf(type, transform, true), endOf(outType, transform, false)];
  const load = moveOf(first, transform, halved, []);
  const store = moveOf(last, transform, halved, [numbers]);
  for (let line = 0; line < lines; line += block) {
    const own = Math.min(block, lines - line);
    const [at, size] = [line * lengths.given, own * lengths.given];
    const from = source?.bring(at, size, given) ?? converted(transform, at, size, given);
    const to = stored.addressOf(line * lengths.made) ?? spare;
    // What is left over at the end is a pair of the same line twice.
    for (let i = 0; i < own;) {
      const pairs = Math.min(together, (own - i) >> 1);
      const count = Math.max(1, 2 * pairs);
      load(from + i * first.pitch, x, count, Math.max(1, pairs));
      store(to + i * last.pitch, run(x, y, Math.max(1, pairs)), count, Math.max(1, pairs));
      i += count;
    }
    stored.put(to, own * lengths.made, line * lengths.made);
  }
}

/** What results are divided by: those of halves are twice as large. */
const scaleOf = (numbers: number, { inverse, half }: Attrs["fft"]): number => (inverse ? numbers : 1) * (half ? 2 : 1);

/** The address of `count` elements from element `first` on, which are converted to where there is room. */
function converted({ from, source }: Transform, first: number, count: number, room: number): number {
  loadC128(from, source, first, views().f64.subarray(room / 8, room / 8 + 2 * count), count);
  return room;
}
