/**
 * Reductions of an array that is not in memory: over axes, each part of the result block after block, and histograms.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import { cellAt, copyBox, gridOf, offsetAt, product, rowMajor } from "./boxes";
import { arrayText, axesIn, checkOptions, flag, oneOf, shown, wholeNumber } from "./checks";
import { checkNames } from "./metadata";
import { partsOf, type Parts, type Reduction } from "./partials";
import { chunkBox, type Source } from "./source";
import { inOrder } from "./stream";
import { readRunOptions, RUN_OPTIONS, type RunOptions } from "./options";
import { workOver, type Work } from "./work";

/** Options of reductions over axes. */
export interface ZarrReductionOptions<A, K> extends RunOptions {
  /** Axes to reduce, one or a list, by position (negative from the end) or by name; all of them when left out. */
  readonly axes?: A;
  /** Keep the reduced axes, with size 1. */
  readonly keepAxes?: K;
  /** `"skip"` leaves NaN out, as missing values; `"propagate"`, when left out: the result is NaN where one is. */
  readonly nan?: "propagate" | "skip";
}

/** Options of `variance` and `standardDeviation`. */
export interface ZarrDdofOptions<A, K> extends ZarrReductionOptions<A, K> {
  /** What is taken off the number of elements in the divisor; 0 when left out. */
  readonly ddof?: number;
}

/** Options of `histogram`. */
export interface ZarrHistogramOptions<A = unknown, M = Nx.Names[number]> extends RunOptions {
  /** Axes to count over, one or a list, by position (negative from the end) or by name; all of them when left out. */
  readonly axes?: A;
  /** Name of the axis of bins. */
  readonly name?: M;
  /** The number of bins of one width (10 when left out), or their edges as an ascending vector. */
  readonly bins?: number | Tensor | readonly number[];
  /** The first and the last edge of bins of one width; without it the array is read twice, first for its least and largest finite element. */
  readonly range?: readonly [low: number, high: number];
  /** Whether results are densities, whose integral over the bins is 1. */
  readonly density?: boolean;
}

type Part = Readonly<Record<string, Tensor>>;

interface Over {
  readonly axes: readonly number[];
  readonly keepAxes: boolean;
  readonly skip: boolean;
  readonly run: RunOptions;
}

const OPTIONS = ["axes", "keepAxes", "nan", ...RUN_OPTIONS];

function readOver(fn: string, source: Source, given: unknown, more: readonly string[] = []): Over & { ddof: number } {
  const isAxes = typeof given === "string" || typeof given === "number" || Array.isArray(given);
  const options = checkOptions<ZarrDdofOptions<unknown, boolean>>(fn, isAxes ? { axes: given } : (given as object), [
    ...OPTIONS,
    ...more,
  ]);
  const skip = oneOf(fn, "nan", options.nan, ["propagate", "skip"]) === "skip";
  const ddof = wholeNumber(fn, "ddof", options.ddof, 0, 0);
  const keepAxes = flag(fn, "keepAxes", options.keepAxes);
  return { axes: axesIn(fn, source, options.axes), keepAxes, skip, ddof, run: readRunOptions(fn, options) };
}

/** Joins parts in order; what is joined is given back. */
function joined(parts: Parts, left: Part | null, right: Part): Part {
  if (left === null) return right;
  const both = parts.join(left, right);
  const kept = new Set(Object.values(both));
  for (const t of [...Object.values(left), ...Object.values(right)]) if (!kept.has(t)) Nx.backendDeallocate(t);
  return both;
}

/** Every block in the order of `cells`, through a reduction; `took` is given each part as soon as it is its turn. */
async function overCells(
  fn: string,
  source: Source,
  { reduction, run, count }: { reduction: Reduction; run: RunOptions; count: number },
  cells: (number: number) => readonly number[],
  took: (number: number, part: Part, parts: Parts) => void,
): Promise<void> {
  const parts = partsOf(reduction);
  const work: Work<Part> = workOver(fn, source, { reduction, each: parts.each }, run);
  let number = 0;
  try {
    for await (const part of inOrder(count, work.ahead, run.signal, (k, stop) =>
      work.on(chunkBox(source, cells(k)), stop),
    )) {
      took(number++, part, parts);
    }
  } finally {
    work.end();
  }
}

/** Axes of a result behind the axes that a reduction keeps. */
interface Behind {
  readonly sizes: readonly number[];
  readonly names: Nx.Names;
}

/**
 * Reduces over axes. Blocks that go into one part of the result follow each other, in row-major order, and are joined one after the
 * other, so that there is one part in the making.
 */
async function reduceOver(
  fn: string,
  source: Source,
  { axes, keepAxes, run }: Omit<Over, "skip">,
  reduction: Reduction,
  finish: (part: Part) => Tensor,
  behind: Behind = { sizes: [], names: [] },
): Promise<Tensor> {
  const counts = gridOf(source.shape, source.chunks);
  const isReduced = source.shape.map((_, axis) => axes.includes(axis));
  const [inner, outer] = [true, false].map((reduced) =>
    counts.map((count, axis) => (isReduced[axis] === reduced ? count : 1)),
  );
  const each = product(inner!);
  const cells = (k: number): number[] => {
    const [at, within] = [cellAt(outer!, Math.floor(k / each)), cellAt(inner!, k % each)];
    return at.map((place, axis) => place + within[axis]!);
  };
  const result = new Gathered([...source.shape.map((size, axis) => (isReduced[axis] ? 1 : size)), ...behind.sizes]);
  let state: Part | null = null;
  await overCells(fn, source, { reduction, run, count: product(counts) }, cells, (k, part, parts) => {
    state = joined(parts, state, part);
    if ((k + 1) % each !== 0) return;
    const whole = state;
    const starts = chunkBox(source, cells(k)).starts.map((start, axis) => (isReduced[axis] ? 0 : start));
    result.put(
      [...starts, ...behind.sizes.map(() => 0)],
      Nx.tidy(() => finish(whole)),
    );
    state = null;
  });
  const kept = source.shape.flatMap((_, axis) => (keepAxes || !isReduced[axis] ? [axis] : []));
  return result.tensor(
    [...kept, ...behind.sizes.map((_, i) => source.shape.length + i)],
    [...kept.map((axis) => source.names[axis]!), ...behind.names],
  );
}

/** A result that comes in boxes. */
class Gathered {
  readonly #shape: readonly number[];
  #whole: Tensor | null = null;
  #bytes: Uint8Array | null = null;
  #type: Nx.DType = "f64";

  constructor(shape: readonly number[]) {
    this.#shape = shape;
  }

  put(starts: readonly number[], t: Tensor): void {
    if (t.size === product(this.#shape)) {
      this.#whole = t;
      return;
    }
    const part = Nx.toBinary(t);
    const width = part.length / t.size;
    this.#type = t.type;
    this.#bytes ??= new Uint8Array(product(this.#shape) * width);
    const strides = rowMajor(this.#shape);
    const to = { bytes: this.#bytes, offset: offsetAt(strides, starts), strides };
    copyBox(to, { bytes: part, offset: 0, strides: rowMajor(t.shape) }, t.shape, width);
    Nx.backendDeallocate(t);
  }

  /** The result with the axes that are kept. */
  tensor(axes: readonly number[], names: Nx.Names): Tensor {
    const whole = this.#whole ?? Nx.fromBinary(this.#bytes!, this.#type);
    return Nx.reshape(
      whole,
      axes.map((axis) => this.#shape[axis]!),
      { names },
    ) as Tensor;
  }
}

/** What a block has to know of a reduction over axes. */
const plain = ({ axes, skip }: Over): Pick<Over, "axes" | "skip"> => ({ axes, skip });

/** The type of a reduction of the library for elements of a type. */
const typeOf = (reduction: (t: Tensor) => Tensor, source: Source): Nx.DType =>
  reduction(Nx.tensor([1], { type: source.type })).type;

export function sumOver(source: Source, options: unknown): Promise<Tensor> {
  const fn = "ZarrArray.sum";
  const type = typeOf(Nx.sum, source);
  const over = readOver(fn, source, options);
  return reduceOver(fn, source, over, { op: "sum", ...plain(over) }, (part) => Nx.asType(part["sum"]!, type));
}

export function meanOver(source: Source, options: unknown): Promise<Tensor> {
  const fn = "ZarrArray.mean";
  const type = typeOf(Nx.mean, source);
  const over = readOver(fn, source, options);
  return reduceOver(fn, source, over, { op: "mean", ...plain(over) }, (part) =>
    Nx.asType(Nx.divide(Nx.asType(part["sum"]!, "f64"), part["count"]!), type),
  );
}

export function varianceOver(
  fn: string,
  source: Source,
  options: unknown,
  last = (t: Tensor): Tensor => t,
): Promise<Tensor> {
  const { ddof, ...over } = readOver(fn, source, options, ["ddof"]);
  const count = product(over.axes.map((axis) => source.shape[axis]!));
  if (ddof >= count) {
    throw new ArgumentError(
      `option ddof of ${fn} must be less than the number of elements reduced (${count}), got: ${ddof} for ${arrayText(source)}`,
    );
  }
  const type = typeOf(Nx.variance, source);
  return reduceOver(fn, source, over, { op: "moments", ...plain(over) }, (part) => {
    const left = Nx.subtract(part["count"]!, ddof);
    return Nx.asType(last(Nx.divide(part["squares"]!, Nx.where(Nx.greater(left, 0), left, NaN))), type);
  });
}

export function extremeOver(op: "reduceMax" | "reduceMin", source: Source, options: unknown): Promise<Tensor> {
  const fn = `ZarrArray.${op}`;
  const over = readOver(fn, source, options);
  return reduceOver(fn, source, over, { op, ...plain(over) }, (part) => part["value"]!);
}

/** All blocks, in row-major order, joined to one part. */
async function overAll(fn: string, source: Source, reduction: Reduction, run: RunOptions): Promise<Part> {
  const counts = gridOf(source.shape, source.chunks);
  let state: Part | null = null;
  await overCells(
    fn,
    source,
    { reduction, run, count: product(counts) },
    (k) => cellAt(counts, k),
    (_, part, parts) => {
      state = joined(parts, state, part);
    },
  );
  return state!;
}

export async function histogramOf(source: Source, given: unknown): Promise<[counts: Tensor, edges: Tensor]> {
  const fn = "ZarrArray.histogram";
  const options = checkOptions<ZarrHistogramOptions>(fn, given as object, HISTOGRAM_OPTIONS);
  const density = flag(fn, "density", options.density);
  const run = readRunOptions(fn, options);
  const axes = axesIn(fn, source, options.axes).sort((a, b) => a - b);
  const name = checkNames(fn, 1, [options.name ?? null])[0]!;
  if (name !== null && source.names.some((other, axis) => other === name && !axes.includes(axis))) {
    throw new ArgumentError(
      `option name of ${fn} must be another name than those of ${arrayText(source)}, got: ${shown(name)}`,
    );
  }
  const bins = Array.isArray(options.bins)
    ? Nx.tensor(options.bins as number[])
    : ((options.bins ?? 10) as number | Tensor);
  const empty = (range?: readonly [number, number]): [Tensor, Tensor] =>
    Nx.histogram(Nx.f64([NaN]), { bins, ...(range && { range }), density });
  empty(options.range); // which checks the options before anything is read
  const found = options.range === undefined && typeof bins === "number" ? await boundsOf(fn, source, run) : undefined;
  const range = found ?? options.range; // none where no element is finite
  const isWide = range !== undefined && range[0] < range[1];
  const edges = Nx.histogram(Nx.f64([NaN, ...(range ?? [])]), { bins, ...(isWide && { range }) })[1];
  const reduction: Reduction =
    typeof bins === "number"
      ? { op: "histogram", axes, bins, ...(isWide && { range }) }
      : { op: "histogram", axes, edges: Nx.toFlatList(Nx.asType(edges, "f64")).map(Number) };
  const behind = { sizes: [edges.size - 1], names: [name] };
  const counts = await reduceOver(
    fn,
    source,
    { axes, keepAxes: false, run },
    reduction,
    (part) => part["counts"]!,
    behind,
  );
  return [density ? densities(counts, edges) : counts, edges];
}

const HISTOGRAM_OPTIONS = ["axes", "bins", "range", "density", "name", ...RUN_OPTIONS];

/** Counts over their sums and the widths of the bins, which are the last axis. */
function densities(counts: Tensor, edges: Tensor): Tensor {
  const wide = Nx.asType(counts, "f64");
  return Nx.divide(Nx.divide(wide, Nx.diff(edges)), Nx.sum(wide, { axes: [-1], keepAxes: true })) as Tensor;
}

/** The least and the largest finite element, of which bins are made that are not said; null where there is none. */
async function boundsOf(fn: string, source: Source, run: RunOptions): Promise<[number, number] | null> {
  const part = await overAll(fn, source, { op: "bounds" }, run);
  const [low, high] = [Nx.toNumber(part["low"]!), Nx.toNumber(part["high"]!)].map(Number) as [number, number];
  return low > high ? null : [low, high];
}
