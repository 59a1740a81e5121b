/**
 * Reductions in parts: what is computed of a block (`each`), how two of those become one (`join`), and what it comes to (`finish`).
 * A part is a plain object of tensors whose reduced axes have size 1. Floats are summed in double precision and rounded once, at the end.
 */
import * as Nx from "nx-numerics";
import type { DType, Operand, Tensor } from "nx-numerics";

type Part = Readonly<Record<string, Tensor>>;

/** Which reduction, as plain data that goes to other threads. */
export type Reduction =
  | {
      readonly op: "sum" | "mean" | "moments" | "reduceMax" | "reduceMin";
      readonly axes: readonly number[];
      readonly skip: boolean;
    }
  | { readonly op: "bounds" }
  | { readonly op: "histogram"; readonly edges: readonly number[] }
  | { readonly op: "histogram"; readonly bins: number; readonly range: readonly [number, number] };

/** A reduction in parts. */
export interface Parts {
  each(block: Tensor): Part;
  join(left: Part, right: Part): Part;
}

const isFloat = (type: DType): boolean => /^b?f/.test(type);
const wide = (t: Operand): Tensor => Nx.asType(t, "f64");

/** How many elements are reduced to one, a scalar where none is left out. */
function countsOf(block: Tensor, axes: readonly number[], missing: Tensor | null): Tensor {
  if (missing !== null) return Nx.sum(wide(Nx.logicalNot(missing)), { axes, keepAxes: true });
  return Nx.tensor(
    axes.reduce((count, axis) => count * block.shape[axis]!, 1),
    { type: "f64" },
  );
}

const without = (t: Tensor, missing: Tensor | null): Tensor => (missing === null ? t : Nx.where(missing, 0, t));

function sumParts({ axes, skip }: { axes: readonly number[]; skip: boolean }): Parts {
  return {
    each(block) {
      const missing = skip && isFloat(block.type) ? Nx.isNan(block) : null;
      const terms = isFloat(block.type) ? without(wide(block), missing) : block;
      return { sum: Nx.sum(terms, { axes, keepAxes: true }) };
    },
    join: (left, right) => ({ sum: Nx.add(left["sum"]!, right["sum"]!) }),
  };
}

/** Integers of 64 bits are summed in double precision, since their sums may not fit; others exactly. */
function meanParts({ axes, skip }: { axes: readonly number[]; skip: boolean }): Parts {
  return {
    each(block) {
      const missing = skip && isFloat(block.type) ? Nx.isNan(block) : null;
      const terms = isFloat(block.type) || /64$/.test(block.type) ? without(wide(block), missing) : block;
      return { sum: Nx.sum(terms, { axes, keepAxes: true }), count: countsOf(block, axes, missing) };
    },
    join: (left, right) => ({
      sum: Nx.add(left["sum"]!, right["sum"]!),
      count: Nx.add(left["count"]!, right["count"]!),
    }),
  };
}

/**
 * Count, mean and sum of squared distances from the mean. Two of them are joined by the formula of Chan, Golub and LeVeque, "Updating
 * formulae and a pairwise algorithm for computing sample variances" (1979). Of elements in double precision the mean is kept with
 * what rounding left over (`rest`): means of large numbers that differ little would differ by their roundings.
 */
function momentParts({ axes, skip }: { axes: readonly number[]; skip: boolean }): Parts {
  const sum = (t: Tensor): Tensor => Nx.sum(t, { axes, keepAxes: true });
  return {
    each(block) {
      const missing = skip && isFloat(block.type) ? Nx.isNan(block) : null;
      const x = without(wide(block), missing);
      const count = countsOf(block, axes, missing);
      const divisor = Nx.max(count, 1);
      const mean = Nx.divide(sum(x), divisor);
      const distances = without(Nx.subtract(x, mean), missing);
      const squares = sum(Nx.multiply(distances, distances));
      if (block.type !== "f64") return { count, mean, squares };
      const left = sum(distances);
      const rest = Nx.divide(left, divisor);
      return { count, mean, rest, squares: Nx.subtract(squares, Nx.multiply(left, rest)) };
    },
    join(left, right) {
      const count = Nx.add(left["count"]!, right["count"]!);
      const share = Nx.divide(right["count"]!, Nx.max(count, 1));
      const means = Nx.subtract(right["mean"]!, left["mean"]!);
      const between = left["rest"] ? Nx.add(means, Nx.subtract(right["rest"]!, left["rest"])) : means;
      const weight = Nx.multiply(left["count"]!, share);
      const squared = Nx.multiply(between, between); // it may overflow where one side has no elements
      const crossed = Nx.where(Nx.equal(weight, 0), 0, Nx.multiply(squared, weight));
      const step = Nx.multiply(between, share);
      const mean = Nx.add(left["mean"]!, step);
      const squares = Nx.add(Nx.add(left["squares"]!, right["squares"]!), crossed);
      if (!left["rest"]) return { count, mean, squares };
      return { count, mean, squares, rest: Nx.add(left["rest"], Nx.subtract(step, Nx.subtract(mean, left["mean"]!))) };
    },
  };
}

function extremeParts(
  op: "reduceMax" | "reduceMin",
  { axes, skip }: { axes: readonly number[]; skip: boolean },
): Parts {
  const [reduce, either] = op === "reduceMax" ? [Nx.reduceMax, Nx.max] : [Nx.reduceMin, Nx.min];
  return {
    each: (block) => ({ value: reduce(block, { axes, keepAxes: true, nan: skip ? "skip" : "propagate" }) }),
    join({ value: left }, { value: right }) {
      const value = either(left!, right!);
      if (!skip || !isFloat(value.type)) return { value };
      return { value: Nx.where(Nx.isNan(left!), right!, Nx.where(Nx.isNan(right!), left!, value)) };
    },
  };
}

/** The least and the largest finite element, in double precision. */
const BOUNDS: Parts = {
  each(block) {
    const x = wide(block);
    const known = Nx.isFinite(x);
    const [low, high] = [Nx.where(known, x, Infinity), Nx.where(known, x, -Infinity)];
    return { low: Nx.reduceMin(low), high: Nx.reduceMax(high) };
  },
  join: (left, right) => ({ low: Nx.min(left["low"]!, right["low"]!), high: Nx.max(left["high"]!, right["high"]!) }),
};

function histogramParts(options: Nx.HistogramOptions): Parts {
  return {
    each: (block) => ({ counts: Nx.histogram(block, options)[0] }),
    join: (left, right) => ({ counts: Nx.add(left["counts"]!, right["counts"]!) }),
  };
}

function partsOf(reduction: Reduction): Parts {
  switch (reduction.op) {
    case "sum":
      return sumParts(reduction);
    case "mean":
      return meanParts(reduction);
    case "moments":
      return momentParts(reduction);
    case "reduceMax":
    case "reduceMin":
      return extremeParts(reduction.op, reduction);
    case "bounds":
      return BOUNDS;
    case "histogram":
      return histogramParts(
        "edges" in reduction
          ? { bins: Nx.tensor([...reduction.edges], { type: "f64" }) }
          : { bins: reduction.bins, range: reduction.range },
      );
    default:
      return reduction satisfies never;
  }
}

/** The parts of a reduction, compiled. */
export function compiledParts(reduction: Reduction): Parts {
  const { each, join } = partsOf(reduction);
  return { each: Nx.defn(each), join: Nx.defn(join) };
}
