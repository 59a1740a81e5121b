/**
 * Bounds of what a model may ask for: files come from anywhere, and small ones can ask for much.
 */
import { ArgumentError } from "nx-numerics";
import { shown } from "../shown";

/** Bounds of what a model may ask for; whatever is left out is as it is by default. */
export interface OnnxLimits {
  /** Bytes of the file; 2 GiB, what the format has at most, by default. */
  readonly bytes?: number;
  /** Nodes of all graphs and functions together; 100,000 by default. */
  readonly nodes?: number;
  /** Graphs inside of graphs, and functions that call functions; 32 by default. */
  readonly depth?: number;
  /** Elements of a tensor of the file, or of one that a shape in the file asks for; 2 ** 28 by default. */
  readonly elements?: number;
  /** Steps of a loop that is written out, entries of a sequence, elements of a window whose positions are asked for; 10,000 by default. */
  readonly steps?: number;
  /** Nodes that a call runs, with the nodes of a loop in each of its turns; 10,000,000 by default. */
  readonly runs?: number;
}

export type Limits = Required<OnnxLimits>;

const DEFAULTS: Limits = {
  bytes: 2 ** 31,
  nodes: 100_000,
  depth: 32,
  elements: 2 ** 28,
  steps: 10_000,
  runs: 10_000_000,
};

/** The option `limits`. */
export function readLimits(given: unknown): Limits {
  if (given === undefined) return DEFAULTS;
  const names = Object.keys(DEFAULTS).join(", ");
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new ArgumentError(`option limits of fromOnnx must be an object with some of ${names}, got: ${shown(given)}`);
  }
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (!Object.hasOwn(DEFAULTS, name))
      throw new ArgumentError(`option limits of fromOnnx has no ${name}, only ${names}`);
    if (value !== undefined && (typeof value !== "number" || !Number.isInteger(value) || value < 1)) {
      throw new ArgumentError(`limits.${name} of fromOnnx must be a positive integer, got: ${shown(value)}`);
    }
  }
  const set = Object.entries(given as OnnxLimits).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...(Object.fromEntries(set) as OnnxLimits) };
}
