/**
 * What all plots share: their options, the tensors they take, and the series and positions that those stand for.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, Tensor, type AxisOf, type Names, type Operand } from "nx-numerics";

/** Options of every plot. */
export interface PlotOptions {
  /** Stands above the plot. */
  readonly title?: string;
  /** Width of the picture in pixels, 640 by default. */
  readonly width?: number;
  /** Height of the picture in pixels; it follows from the width where it is left out. */
  readonly height?: number;
  /** Text at the horizontal axis; the name of the tensor's axis by default. */
  readonly xLabel?: string;
  /** Text at the vertical axis. */
  readonly yLabel?: string;
  /** The first and the last value of the horizontal axis; what is drawn decides where it is left out. */
  readonly xDomain?: readonly [low: number | Date, high: number | Date];
  /** The first and the last value of the vertical axis. */
  readonly yDomain?: readonly [low: number, high: number];
  /** `"linear"` (default) or `"log"`. */
  readonly xScale?: "linear" | "log";
  /** `"linear"` (default) or `"log"`. */
  readonly yScale?: "linear" | "log";
  /** A colour of CSS behind the plot; none by default, so that the page shows through. Text is black on it. */
  readonly background?: string;
  /** Options of Observable Plot's `plot`, which go before the ones made here; those of `x` and `y` are added; `marks` are drawn on top. */
  readonly plot?: Readonly<Record<string, unknown>>;
}

/** Options of plots with one or several series. */
export interface SeriesOptions<N extends Names = Names> extends PlotOptions {
  /** The axis whose entries are series of their own, each of one colour; needed where there are two axes. */
  readonly series?: AxisOf<N>;
  /** What the series are called, in their order: `name 0`, `name 1` ... of their axis by default. */
  readonly labels?: readonly string[];
}

/** Where elements stand along an axis: as many numbers or dates. */
export type Positions = Tensor | readonly number[] | readonly Date[];

const PLOT_OPTIONS = [
  "title",
  "width",
  "height",
  "xLabel",
  "yLabel",
  "xDomain",
  "yDomain",
  "xScale",
  "yScale",
  "background",
  "plot",
] as const;

const TEXTS = ["title", "xLabel", "yLabel", "background"] as const;

/** A value in a message. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value instanceof Tensor) return headline(value);
  if (Array.isArray(value)) return `[${value.slice(0, 4).map(shown).join(", ")}${value.length > 4 ? ", ..." : ""}]`;
  return typeof value === "number" || value == null ? String(value) : typeof value;
}

/** `f32[x: 2][3]`, as tensors print it. */
export function headline({ type, shape, names }: Tensor): string {
  return type + shape.map((size, i) => (names[i] == null ? `[${size}]` : `[${names[i]}: ${size}]`)).join("");
}

/** Checks the options that every plot has, and that there are no others but `own`. */
export function checkOptions(fn: string, options: PlotOptions | undefined, own: readonly string[]): void {
  if (options === undefined) return;
  const allowed: readonly string[] = [...own, ...PLOT_OPTIONS];
  const plain = typeof options === "object" && options !== null && !Array.isArray(options);
  const unknown = plain ? Object.keys(options).find((key) => !allowed.includes(key)) : shown(options);
  if (unknown !== undefined) throw new ArgumentError(`${fn} takes the options ${allowed.join(", ")}, got: ${unknown}`);
  for (const key of TEXTS) expectOption(fn, key, options[key], "a text", (value) => typeof value === "string");
  for (const key of ["width", "height"] as const) {
    expectOption(fn, key, options[key], "a number of pixels from 50 to 10000", (v) => inRange(v, 50, 10_000));
  }
  for (const key of ["xScale", "yScale"] as const) {
    expectOption(fn, key, options[key], 'one of "linear", "log"', (v) => v === "linear" || v === "log");
  }
  for (const key of ["xDomain", "yDomain"] as const) {
    expectOption(fn, key, options[key], "two values such as [0, 1]", isDomain);
  }
  const isObject = (v: unknown): boolean => typeof v === "object" && v !== null;
  expectOption(fn, "plot", options.plot, "an object of options of Observable Plot", isObject);
  expectOption(fn, "plot.marks", options.plot?.["marks"], "a list of marks", Array.isArray);
}

const isDomain = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every((end) => (typeof end === "number" || end instanceof Date) && Number.isFinite(Number(end)));

/** Refuses scales on which pixels of one size would lie wrong. */
export function checkLinear(fn: string, options: PlotOptions): void {
  for (const key of ["xScale", "yScale"] as const) {
    expectOption(fn, key, options[key], '"linear", as cells have one size', (v) => v === "linear");
  }
}

const inRange = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && value >= least && value <= most;

/** Refuses what an option cannot be, said in words. */
export function expectOption(
  fn: string,
  key: string,
  value: unknown,
  what: string,
  isRight: (value: unknown) => boolean,
): void {
  if (value === undefined || isRight(value)) return;
  throw new ArgumentError(`option ${key} of ${fn} must be ${what}, got: ${shown(value)}`);
}

/** The operand as a real tensor with elements. */
export function realTensor(fn: string, value: unknown): Tensor {
  const isPlain = ["number", "bigint", "boolean"].includes(typeof value);
  if (!(value instanceof Tensor) && !isPlain) throw new ArgumentError(`${fn} expects a tensor, got: ${shown(value)}`);
  const t = Nx.toTensor(value as Operand);
  if (t.type.startsWith("c")) {
    throw new ArgumentError(`${fn} expects real numbers, got ${headline(t)}; take Nx.abs, Nx.real or Nx.imag first`);
  }
  if (t.backend.describe !== undefined)
    throw new ArgumentError(`${fn} expects a tensor with elements, got ${String(t)}`);
  return t;
}

/** The elements in row-major order. */
export const numbersOf = (t: Tensor): Float64Array => Nx.asType(t, "f64").toFloat64Array();

/** One series of a tensor. */
export interface Row {
  /** What the legend says; nothing for a single one without a name. */
  readonly label: string | null;
  readonly values: Float64Array;
}

/** Series as rows of numbers, and the axis that runs along them. */
export interface Rows {
  readonly rows: readonly Row[];
  readonly length: number;
  readonly name: string | null;
}

/** Series at most: more cannot be told apart. */
const MOST_SERIES = 64;

/** The series of a vector, or of a matrix with the axis `series`. */
export function rowsOf(fn: string, t: Tensor, { series, labels }: SeriesOptions): Rows {
  if (series === undefined) {
    if (t.rank === 1) return { rows: rowsWith(fn, t, labels, null, 1), length: t.shape[0]!, name: t.names[0]! };
    throw new ArgumentError(
      `${fn} expects a vector, or a matrix and the option series, the axis whose entries are drawn in colours of their own; ` +
        `got ${headline(t)}${t.rank === 2 ? `; write series: ${axesText(t)}` : "; take a part of it"}`,
    );
  }
  if (t.rank !== 2) throw new ArgumentError(`${fn} with the option series expects a matrix, got ${headline(t)}`);
  const axis = Nx.axisIndex(t, series as never);
  const matrix = axis === 0 ? t : Nx.transpose(t);
  const [count, length] = matrix.shape as [number, number];
  if (count > MOST_SERIES) {
    throw new ArgumentError(`${fn} draws at most ${MOST_SERIES} series, got ${headline(t)} with ${count}; take a part`);
  }
  return { rows: rowsWith(fn, matrix, labels, matrix.names[0] ?? "", count), length, name: matrix.names[1] ?? null };
}

const axesText = ({ names }: Tensor): string => names.map((name, i) => shown(name ?? i)).join(" or ");

function rowsWith(
  fn: string,
  t: Tensor,
  labels: readonly string[] | undefined,
  name: string | null,
  count: number,
): Row[] {
  checkLabels(fn, labels, count);
  const values = numbersOf(t);
  const length = values.length / Math.max(1, count);
  return Array.from({ length: count }, (_, i) => ({
    label: labels?.[i] ?? (name === null ? null : `${name} ${i}`.trimStart()),
    values: values.subarray(i * length, (i + 1) * length),
  }));
}

export function checkLabels(fn: string, labels: unknown, count: number): void {
  const isRight = (list: unknown): boolean =>
    Array.isArray(list) && list.length === count && list.every((one) => typeof one === "string");
  expectOption(fn, "labels", labels, `a list of ${count} ${count === 1 ? "text" : "texts"}`, isRight);
}

/** Numbers or dates for each element of an axis; its indices where none are given. */
export function positionsOf(
  fn: string,
  key: string,
  given: unknown,
  length: number,
  name: string | null,
): Float64Array | readonly Date[] {
  if (given === undefined) return Float64Array.from({ length }, (_, i) => i);
  const found = given instanceof Tensor ? tensorPositions(fn, key, given, name) : listPositions(given);
  if (found?.length === length) return found;
  const axis = name === null ? `[${length}]` : `[${name}: ${length}]`;
  throw new ArgumentError(
    `option ${key} of ${fn} must be a vector of numbers or a list of dates for each of ${axis}, got: ${shown(given)}`,
  );
}

function tensorPositions(fn: string, key: string, given: Tensor, name: string | null): Float64Array | undefined {
  const t = realTensor(fn, given);
  const [own] = t.names;
  if (t.rank === 1 && own != null && name !== null && own !== name) {
    throw new ArgumentError(
      `option ${key} of ${fn} has the axis ${shown(own)} of ${headline(t)}, expected ${shown(name)}`,
    );
  }
  return t.rank === 1 ? numbersOf(t) : undefined;
}

function listPositions(given: unknown): Float64Array | readonly Date[] | undefined {
  if (!Array.isArray(given)) return undefined;
  if (given.every((one) => one instanceof Date)) return given;
  return given.every((one) => typeof one === "number") ? Float64Array.from(given) : undefined;
}
