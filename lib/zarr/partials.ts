/**
 * Reductions in parts: what is computed of a block (`each`), how two of those become one (`join`), and what it comes to (`finish`).
 * A part is a plain object of tensors whose reduced axes have size 1. Floats are summed in double precision and rounded once, at the end.
 */
import * as Nx from "nx-numerics";
import type { DType, Operand, Tensor } from "nx-numerics";
import { product } from "./boxes";

type Part = Readonly<Record<string, Tensor>>;

/** Which reduction, as plain data that goes to other threads. */
export type Reduction =
  | {
      readonly op: "sum" | "mean" | "moments" | "reduceMax" | "reduceMin";
      readonly axes: readonly number[];
      readonly skip: boolean;
    }
  | { readonly op: "bounds" }
  | { readonly op: "histogram"; readonly axes: readonly number[]; readonly edges: readonly number[] }
  /** Without a range all finite elements are equal, so that each block has the bins of all. */
  | {
      readonly op: "histogram";
      readonly axes: readonly number[];
      readonly bins: number;
      readonly range?: readonly [number, number];
    };

/** A reduction in parts. */
export interface Parts {
  each(block: Tensor): Part;
  join(left: Part, right: Part): Part;
}

const isFloat = (type: DType): boolean => /^b?f/.test(type);
const is64Bits = (type: DType): boolean => /64$/.test(type);
const wide = (t: Operand): Tensor => Nx.asType(t, "f64");

/**
 * Parts of which each tensor has a compiled function of its own: a reduction computes its operand on the way where nothing else reads it,
 * so that going over a block twice is less work than keeping what two reductions share.
 */
function apart<K extends string>(functions: Readonly<Record<K, (block: Tensor) => Tensor>>) {
  const compiled = Object.entries<(block: Tensor) => Tensor>(functions).map(([key, fn]) => [key, Nx.defn(fn)] as const);
  return (block: Tensor): Readonly<Record<K, Tensor>> =>
    Object.fromEntries(compiled.map(([key, fn]) => [key, fn(block)])) as Record<K, Tensor>;
}

interface Over {
  readonly axes: readonly number[];
  readonly skip: boolean;
}

const countOf = (block: Tensor, axes: readonly number[]): number => product(axes.map((axis) => block.shape[axis]!));

/** How many elements are reduced to one, a scalar where none is left out. */
const countOver =
  ({ axes, skip }: Over) =>
  (block: Tensor): Tensor => {
    if (skip && isFloat(block.type)) return Nx.sum(wide(Nx.logicalNot(Nx.isNan(block))), { axes, keepAxes: true });
    return Nx.tensor(countOf(block, axes), { type: "f64" });
  };

/** The elements in double precision, 0 in place of those that are left out. */
function termsOf(block: Tensor, skip: boolean): Tensor {
  const terms = wide(block);
  return skip && isFloat(block.type) ? Nx.where(Nx.isNan(block), 0, terms) : terms;
}

function sumParts({ axes, skip }: Over): Parts {
  return {
    each: apart({
      sum: (block) => Nx.sum(isFloat(block.type) ? termsOf(block, skip) : block, { axes, keepAxes: true }),
    }),
    join: Nx.defn((left: Part, right: Part) => ({ sum: Nx.add(left["sum"]!, right["sum"]!) })),
  };
}

/** Integers of 64 bits are summed in double precision, since their sums may not fit; others exactly. */
function meanParts(over: Over): Parts {
  const { axes, skip } = over;
  return {
    each: apart({
      sum: (block) =>
        Nx.sum(isFloat(block.type) || is64Bits(block.type) ? termsOf(block, skip) : block, { axes, keepAxes: true }),
      count: countOver(over),
    }),
    join: Nx.defn((left: Part, right: Part) => ({
      sum: Nx.add(left["sum"]!, right["sum"]!),
      count: Nx.add(left["count"]!, right["count"]!),
    })),
  };
}

/**
 * How much larger sums of so many squares may be than those of distances from the mean, for the second to be found of the first: with 53
 * bits, of which a sum loses about one for each fourfold of its terms, at least 29 are left, and results of 32 bits have 24.
 */
const cancelsUpTo = (count: number): number => 2 ** 24 / Math.sqrt(count);

/**
 * Count, mean and sum of squared distances from the mean. Two of them are joined by the formula of Chan, Golub and LeVeque, "Updating
 * formulae and a pairwise algorithm for computing sample variances" (1979).
 */
function momentParts(over: Over): Parts {
  const exact = Nx.defn(momentsOf(over));
  const sums = apart({
    count: countOver(over),
    sum: (block) => Nx.sum(termsOf(block, over.skip), { axes: over.axes, keepAxes: true }),
    squares: (block) => Nx.sum(Nx.square(termsOf(block, over.skip)), { axes: over.axes, keepAxes: true }),
  });
  const ofSums = Nx.defn(({ count, sum, squares }: Record<"count" | "sum" | "squares", Tensor>, limit: Operand) => {
    const mean = Nx.divide(sum, Nx.max(count, 1));
    const left = Nx.subtract(squares, Nx.multiply(sum, mean));
    const isKnown = Nx.logicalOr(Nx.lessEqual(squares, Nx.multiply(left, limit)), Nx.logicalNot(Nx.isFinite(squares)));
    return { part: { count, mean, squares: left }, isExact: Nx.all(isKnown) };
  });
  return {
    each(block) {
      if (is64Bits(block.type)) return exact(block);
      const { part, isExact } = ofSums(sums(block), cancelsUpTo(countOf(block, over.axes)));
      return Nx.toNumber(isExact) === 1 ? part : exact(block);
    },
    join: Nx.defn(joinMoments),
  };
}

/**
 * The moments of a block from its own mean. Of elements in double precision the mean is kept with what rounding left over (`rest`): means of
 * large numbers that differ little would differ by their roundings.
 */
const momentsOf =
  (over: Over) =>
  (block: Tensor): Part => {
    const { axes, skip } = over;
    const sum = (t: Tensor): Tensor => Nx.sum(t, { axes, keepAxes: true });
    const count = countOver(over)(block);
    const divisor = Nx.max(count, 1);
    const x = termsOf(block, skip);
    const mean = Nx.divide(sum(x), divisor);
    const all = Nx.subtract(x, mean);
    const distances = skip && isFloat(block.type) ? Nx.where(Nx.isNan(block), 0, all) : all;
    const squares = sum(Nx.square(distances));
    if (block.type !== "f64") return { count, mean, squares };
    const left = sum(distances);
    const rest = Nx.divide(left, divisor);
    return { count, mean, rest, squares: Nx.subtract(squares, Nx.multiply(left, rest)) };
  };

function joinMoments(left: Part, right: Part): Part {
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
}

function extremeParts(op: "reduceMax" | "reduceMin", { axes, skip }: Over): Parts {
  const [reduce, either] = op === "reduceMax" ? [Nx.reduceMax, Nx.max] : [Nx.reduceMin, Nx.min];
  return {
    each: apart({ value: (block) => reduce(block, { axes, keepAxes: true, nan: skip ? "skip" : "propagate" }) }),
    join: Nx.defn(({ value: left }: Part, { value: right }: Part) => {
      const value = either(left!, right!);
      if (!skip || !isFloat(value.type)) return { value };
      return { value: Nx.where(Nx.isNan(left!), right!, Nx.where(Nx.isNan(right!), left!, value)) };
    }),
  };
}

/** The least and the largest finite element, in double precision. */
function boundParts(): Parts {
  const bound = (reduce: typeof Nx.reduceMin, none: number) => (block: Tensor) =>
    wide(reduce(isFloat(block.type) ? Nx.where(Nx.isFinite(block), block, none) : block));
  return {
    each: apart({ low: bound(Nx.reduceMin, Infinity), high: bound(Nx.reduceMax, -Infinity) }),
    join: Nx.defn((left: Part, right: Part) => ({
      low: Nx.min(left["low"]!, right["low"]!),
      high: Nx.max(left["high"]!, right["high"]!),
    })),
  };
}

/** Counts, whose last axis is that of the bins. */
function histogramParts(axes: readonly number[], options: Nx.HistogramOptions<readonly number[]>): Parts {
  const counts = (block: Tensor): Tensor => {
    const found = Nx.histogram(block, { ...options, axes })[0] as Tensor;
    const kept = block.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
    return Nx.reshape(found, [...kept, found.shape.at(-1)!]) as Tensor;
  };
  return {
    each: apart({ counts }),
    join: Nx.defn((left: Part, right: Part) => ({ counts: Nx.add(left["counts"]!, right["counts"]!) })),
  };
}

/** The parts of a reduction, compiled. */
export function partsOf(reduction: Reduction): Parts {
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
      return boundParts();
    case "histogram":
      return histogramParts(
        reduction.axes,
        "edges" in reduction
          ? { bins: Nx.tensor([...reduction.edges], { type: "f64" }) }
          : { bins: reduction.bins, ...(reduction.range && { range: reduction.range }) },
      );
    default:
      return reduction satisfies never;
  }
}
