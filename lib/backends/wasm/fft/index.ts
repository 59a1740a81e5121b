/**
 * Fourier transforms in WebAssembly, bit for bit those of the binary backend, with which they share plans and tables. Lines
 * are transformed two by two, several pairs at a time where they are short; a single long line in pairs of neighbours.
 */
import type { PrimitiveFunction } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { bytesOf, type DType } from "../../../core/types";
import { loadC128 } from "../../arrays/convert";
import { elementsOf, type Elements } from "../../arrays/storage";
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
import { FFT_AGAIN_FROM, FFT_FROM, FFT_PAIRS, WORK_BYTES_MOST } from "../schedule/sorts";
import { isWorthModule } from "../modules/tiering";

const stagesModule = (): Exports => exportsOf("fft stages", stageFunctions);
const isGiven = (type: DType): type is Given => type === "f32" || type === "f64" || type === "c64" || type === "c128";

export const wasmFft: PrimitiveFunction<"fft"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const n = out.shape[out.shape.length - 1]!;
  const size = sizeOf(out.shape);
  if (n < 2 || !isWorthModule("fft", size, FFT_FROM, FFT_AGAIN_FROM) || !isRoomFor(n))
    return plain.fft(out, inputs, attrs);
  const result = arrays.unset(out.type, out.shape);
  const type = isGiven(x.type) ? x.type : "c128";
  const plan = planOf(n);
  const given = { type, from: x.type, source: elementsOf(x), n, lines: size / n };
  inScratch(() => transformAll({ ...given, plan, result, outType: out.type as Result, ...attrs }));
  return arrays.hold(result);
};

/** Bytes that lines of a length may need: tables, places for work, and lines themselves. */
const bytesFor = (n: number): number => (isConvolved(n) ? 640 : 160) * Math.max(n, FFT_PAIRS);

const isRoomFor = (n: number): boolean => bytesFor(n) <= WORK_BYTES_MOST && hasRoom(bytesFor(n));

interface Transform {
  /** The type that elements are read as, and that of the operand. */
  readonly type: Given;
  readonly from: DType;
  readonly source: Elements;
  readonly n: number;
  readonly lines: number;
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
const suitsHalves = ({ plan, lines, n }: Transform): boolean => lines === 1 && n % 8 === 0 && !("inner" in plan);

function transformAll(transform: Transform): void {
  const { type, outType, plan, n, lines, inverse } = transform;
  const halved = suitsHalves(transform);
  const together = Math.max(1, Math.min(Math.floor(FFT_PAIRS / n), lines >> 1));
  const run = "inner" in plan ? convolutionRun(plan, together) : mixedRun(plan, halved);
  const numbers = scratch(16);
  views().f64.set([inverse ? n : 1, transform.eps], numbers / 8);
  const length = halved ? n / 2 : n;
  const [x, y] = [scratch(length * together * PAIR), scratch(length * together * PAIR)];
  const rows = Math.min(lines, 2 * together);
  const from = scratch(rows * n * bytesOf(type) + PAIR);
  const to = scratch(rows * n * bytesOf(outType) + PAIR);
  const load = exportsOf(`fft load ${type}`, () => ({ load: loadPairs(type) }))["load"]!;
  const store = exportsOf(`fft store ${outType}`, () => ({ store: storePairs(outType) }))["store"]!;
  const stored = new Stored(outType, transform.result);
  const transformLines = (line: number, count: number, pairs: number): void => {
    // With parts exchanged the transform is the inverse one.
    const way = (at: number, bytes: number, work: number): number[] => [
      ...[at, halved ? bytes : count === 1 ? 0 : n * bytes, halved ? 2 * bytes : bytes, length],
      ...[...partsOf(work, inverse), pairs * PAIR, pairs, 2 * n * bytes],
    ];
    load(...way(sourceAt(transform, line, count, from), bytesOf(type), x));
    const done = run(x, y, pairs);
    const at = stored.addressOf(line * n) ?? to;
    store(...way(at, bytesOf(outType), done), numbers);
    stored.put(at, count * n, line * n);
  };
  // What is left over at the end is a pair of the same line twice.
  for (let line = 0; line < lines;) {
    const pairs = Math.min(together, (lines - line) >> 1);
    const count = Math.max(1, 2 * pairs);
    transformLines(line, count, Math.max(1, pairs));
    line += count;
  }
}

/** The address of the elements of lines: where they are, or copied, or converted. */
function sourceAt({ type, from, source, n }: Transform, line: number, count: number, room: number): number {
  if (type !== from) {
    const end = room / 8 + 2 * count * n;
    loadC128(from, source, line * n, views().f64.subarray(room / 8, end), count * n);
    return room;
  }
  return new Stored(type, source).bring(line * n, count * n, room);
}
