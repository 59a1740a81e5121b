/**
 * Tensors on the console as tables: columns below each other, and of large tensors the corners, as NumPy prints arrays.
 */
import { readNow } from "../backends/reading";
import { elementReader, type Value } from "../core/bytes";
import { cellsOf } from "../core/columns";
import { ArgumentError, show } from "../core/errors";
import { booleanOption, checkOptions, integerOption } from "../core/options";
import { formatShape, sizeOf, type Shape } from "../core/shape";
import { unnoted, type Operand, type Tensor } from "../tensor";
import { sliceAlong } from "./aggregates/core";
import { asTensor, run, template } from "./dispatch";
import { bodyOf } from "./inspect";

/** Options of {@link print}. */
export interface TableOptions {
  /** Digits behind the point, at most; 8 when left out. Fewer are printed where they are enough. */
  readonly precision?: number;
  /** Characters that a line may have before a row goes on in the next one; 75 when left out. */
  readonly width?: number;
  /** Elements that are printed at most; of larger tensors the corners are. 1000 when left out. */
  readonly limit?: number;
  /** Whether numbers have exponents where they differ much in size, as in NumPy; `false` is NumPy's `suppress`. */
  readonly exponents?: boolean;
  /** Where the text goes; `console.log` by default. */
  readonly print?: (text: string) => void;
}

/** Entries printed at each end of an axis of a large tensor. */
const EDGE = 3;

const DEFAULTS = { precision: 8, width: 75, limit: 1000 };

/**
 * Prints a tensor as a table: type, shape and names, then the elements with their columns below each other. Numbers have at most
 * `precision` digits behind the point; a column whose numbers differ much in size has them with exponents. Of a tensor with more
 * elements than `limit` the corners are printed.
 *
 * {@link inspect} and `String(t)` print all digits, in Nx's form; `Nx.configure({ consoleForm: "table" })` lets `console.log` print tables.
 *
 * @param tensor - any tensor or number
 * @param options - `precision`: digits behind the point; `width`: characters a line; `limit`: how many elements at most;
 *   `exponents`: `false` for none; `print`: where the text goes, the console by default
 * @throws ArgumentError for options out of range
 * @example
 * ```ts
 * const print = console.log;
 * Nx.print(Nx.f64([[1 / 3, -20], [NaN, 0.5]], { names: ["x", "y"] }), { precision: 4, print });
 * // prints: f64[x: 2][y: 2]
 * // [[  0.3333 -20.    ]
 * //  [     NaN   0.5   ]]
 * Nx.print(Nx.iota([100, 100]), { print });
 * // prints: s64[100][100]
 * // [[   0    1    2 ...   97   98   99]
 * //  [ 100  101  102 ...  197  198  199]
 * //  [ 200  201  202 ...  297  298  299]
 * //  ...
 * //  [9700 9701 9702 ... 9797 9798 9799]
 * //  [9800 9801 9802 ... 9897 9898 9899]
 * //  [9900 9901 9902 ... 9997 9998 9999]]
 * ```
 * @example
 * ```ts
 * Nx.print(Nx.tensor([1, 2]), { precision: -1 });
 * // throws ArgumentError: option precision of Nx.print must be an integer of at least 0, got: -1
 * ```
 */
export function print(tensor: Operand, options?: TableOptions): void {
  const fn = "Nx.print";
  options = checkOptions(fn, options, ["precision", "width", "limit", "exponents", "print"]);
  const precision = Math.min(60, integerOption(fn, "precision", options?.precision, DEFAULTS.precision, 0));
  const width = options?.width === Infinity ? Infinity : integerOption(fn, "width", options?.width, DEFAULTS.width, 1);
  const limit = options?.limit === Infinity ? Infinity : integerOption(fn, "limit", options?.limit, DEFAULTS.limit, 1);
  const to: unknown = options?.print ?? printToConsole;
  if (typeof to !== "function") {
    throw new ArgumentError(`option print of ${fn} must be a function of a text, got: ${show(to)}`);
  }
  const exponents = booleanOption(fn, "exponents", options?.exponents, true);
  (to as (text: string) => void)(tableOf(asTensor(tensor, fn), precision, width, limit, exponents));
}

const printToConsole = (text: string): void =>
  (globalThis as { console?: { log: (text: string) => void } }).console?.log(text);

/** A tensor as a table, with the elements that can be read. */
export function tableOf(
  t: Tensor,
  precision = DEFAULTS.precision,
  width = DEFAULTS.width,
  limit = DEFAULTS.limit,
  exponents = true,
): string {
  const head = `${t.type}${t.shape.length === 0 ? "" : formatShape(t.shape, t.names)}`;
  return `${head}\n${bodyOf(t, () => table(t, precision, width, limit, exponents))}`;
}

function table(t: Tensor, precision: number, width: number, limit: number, exponents: boolean): string {
  const isLong = sizeOf(t.shape) > limit;
  const values = unnoted(() => (isLong ? cornersOf(t) : elementsOf(t)));
  const cell = cellsOf(values, t.type, precision, exponents);
  const shown = t.shape.map((size) => (isLong && size > 2 * EDGE ? { size: 2 * EDGE, gap: EDGE } : { size, gap: -1 }));
  let next = 0;
  return lists(shown, () => cell(values[next++]!), 0, " ", width);
}

/** How many entries of an axis are shown, and in front of which of them some are left out; -1 for none. */
interface Shown {
  readonly size: number;
  readonly gap: number;
}

/** Entries of an axis in brackets: the last axis in lines that wrap, the others one below the other. */
function lists(axes: readonly Shown[], element: () => string, axis: number, indent: string, width: number): string {
  if (axis === axes.length) return element();
  const { size, gap } = axes[axis]!;
  const isLast = axis === axes.length - 1;
  const entries: string[] = [];
  for (let i = 0; i < size; i++) {
    if (i === gap) entries.push("...");
    entries.push(lists(axes, element, axis + 1, `${indent} `, width - 1));
  }
  if (isLast) return `[${wrapped(entries, indent, width - 1)}]`;
  return `[${entries.join("\n".repeat(axes.length - 1 - axis) + indent)}]`;
}

function wrapped(words: readonly string[], indent: string, width: number): string {
  let text = "";
  let line = indent;
  words.forEach((word, i) => {
    if (line.length > indent.length && line.length + word.length > width) {
      text += `${line.trimEnd()}\n`;
      line = indent;
    }
    line += i < words.length - 1 ? `${word} ` : word;
  });
  return (text + line).slice(indent.length);
}

function elementsOf(t: Tensor): Value[] {
  const read = elementReader(t.type, readNow(t));
  return Array.from({ length: sizeOf(t.shape) }, (_, i) => read(i));
}

/** The elements at the ends of all axes. */
function cornersOf(t: Tensor): Value[] {
  return elementsOf(t.shape.reduce((part: Tensor, size, axis) => (size > 2 * EDGE ? endsAlong(part, axis) : part), t));
}

function endsAlong(t: Tensor, axis: number): Tensor {
  const shape: Shape = Object.freeze(t.shape.map((size, i) => (i === axis ? 2 * EDGE : size)));
  const ends = [sliceAlong(t, axis, 0, EDGE), sliceAlong(t, axis, t.shape[axis]! - EDGE, EDGE)];
  return run("concatenate", template(t.type, shape, t.names), ends, { axis });
}
