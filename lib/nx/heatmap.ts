/**
 * Tensors as pictures in the terminal.
 */
import { brandOf } from "../core/copies";
import { ArgumentError, show } from "../core/errors";
import { booleanOption, checkOptions } from "../core/options";
import { formatShape } from "../core/shape";
import { isComplex } from "../core/types";
import type { Tensor } from "../tensor";
import type { Operand } from "../tensor";
import { toFlatList } from "./conversion";
import { asTensor } from "./dispatch";

/** Options of {@link toHeatmap}. */
export interface HeatmapOptions {
  /** Colour the cells by ANSI escapes; by default where the output is a colour terminal. Digits 0 to 9 otherwise. */
  readonly ansiEnabled?: boolean;
  /** What a coloured cell is filled with; a full-width blank by default. */
  readonly ansiWhitespace?: string;
}

/** The first and the number of the greys of the 256-colour palette. */
const FIRST_GREY = 232;
const GREYS = 24;

const brand = brandOf("a heat map");

/** A tensor to be printed as a heat map. */
export class Heatmap {
  readonly tensor: Tensor;
  readonly ansiEnabled: boolean;
  readonly ansiWhitespace: string;

  constructor(tensor: Tensor, ansiEnabled: boolean, ansiWhitespace: string) {
    this.tensor = tensor;
    this.ansiEnabled = ansiEnabled;
    this.ansiWhitespace = ansiWhitespace;
    Object.freeze(this);
  }

  get [Symbol.for("nx-numerics")](): unknown {
    return brand;
  }

  /** The heat map as text. */
  toString(): string {
    const { type, shape, names } = this.tensor;
    const values = toFlatList(this.tensor).map(Number);
    const cells = values.map(cellsFor(values, this));
    const body = rows(cells, shape, this.ansiEnabled ? "" : " ");
    return ["#Nx.Heatmap<", `  ${type}${formatShape(shape, names)}`, ...body.map((line) => `  ${line}`), ">"].join(
      "\n",
    );
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

/** From a value to its cell: a grey from dark to light, or a digit, by its place between the extremes. */
function cellsFor(values: readonly number[], { ansiEnabled, ansiWhitespace }: Heatmap): (value: number) => string {
  const finite = values.filter(Number.isFinite);
  const low = finite.reduce((a, b) => Math.min(a, b), Infinity);
  const high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
  const scale = Number.isFinite(high - low) ? 1 : 0.5; // the span of finite doubles may overflow
  const span = high * scale - low * scale;
  const steps = ansiEnabled ? GREYS : 10;
  const step = (value: number) => {
    if (span <= 0 || !Number.isFinite(value)) return value === Infinity ? steps - 1 : 0;
    return Math.min(steps - 1, Math.floor(((value * scale - low * scale) / span) * steps));
  };
  if (!ansiEnabled) return (value) => (Number.isNaN(value) ? "?" : String(step(value)));
  return (value) =>
    Number.isNaN(value) ? ansiWhitespace : `\u001b[48;5;${FIRST_GREY + step(value)}m${ansiWhitespace}\u001b[0m`;
}

/** Cells in rows, one a line; axes before the last two nest in brackets. */
function rows(cells: readonly string[], shape: readonly number[], separator: string): string[] {
  if (shape.length === 1) return [cells.join(separator)];
  const [first, ...rest] = shape as [number, ...number[]];
  const size = cells.length / first;
  const parts = Array.from({ length: first }, (_, i) => rows(cells.slice(i * size, (i + 1) * size), rest, separator));
  const lines = parts.flat();
  return ["[", ...lines.map((line) => `  ${line}`), "]"];
}

interface Terminal {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly stdout?: { readonly isTTY?: boolean };
  };
}

/** Whether the output shows colours: what NO_COLOR and FORCE_COLOR say, else whether it is a terminal. */
function hasColours(): boolean {
  const { process } = globalThis as Terminal;
  if (process?.env?.["NO_COLOR"]) return false;
  if (process?.env?.["FORCE_COLOR"]) return process.env["FORCE_COLOR"] !== "0";
  return process?.stdout?.isTTY === true;
}

/**
 * A tensor as a heat map to print: each element a grey between the smallest and the largest value on terminals, a digit
 * from 0 to 9 elsewhere. NaN is left blank or shown as `?`.
 *
 * @param tensor - a real tensor of rank 1 or more
 * @param options - `ansiEnabled`: force colours on or off; `ansiWhitespace`: what fills a coloured cell
 * @returns an object that prints as the heat map
 * @throws ArgumentError for scalars and complex tensors
 * @example
 * ```ts
 * Nx.toHeatmap(Nx.iota([2, 5], { names: ["row", "column"] }), { ansiEnabled: false });
 * // => #Nx.Heatmap<
 * //   s64[row: 2][column: 5]
 * //   [
 * //     0 1 2 3 4
 * //     5 6 7 8 9
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.toHeatmap(1);
 * // throws ArgumentError: Nx.toHeatmap expects a tensor of rank 1 or more
 * ```
 */
export function toHeatmap(tensor: Operand, options?: HeatmapOptions): Heatmap {
  options = checkOptions("Nx.toHeatmap", options, ["ansiEnabled", "ansiWhitespace"]);
  const t = asTensor(tensor, "Nx.toHeatmap");
  if (t.shape.length === 0) throw new ArgumentError("toHeatmap expects a tensor of rank 1 or more, got a scalar");
  if (isComplex(t.type))
    throw new ArgumentError(`toHeatmap expects a real tensor, got type ${t.type}; take Nx.abs first`);
  const whitespace = options?.ansiWhitespace === undefined ? "\u3000" : options.ansiWhitespace;
  if (typeof whitespace !== "string")
    throw new ArgumentError(`ansiWhitespace must be a string, got: ${show(whitespace)}`);
  return new Heatmap(t, booleanOption("Nx.toHeatmap", "ansiEnabled", options?.ansiEnabled, hasColours()), whitespace);
}
