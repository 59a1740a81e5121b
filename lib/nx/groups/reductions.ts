/**
 * What groups, windows and blocks of entries have in common: their reductions, as methods.
 */
import { calledBy } from "../../core/entry";
import { ArgumentError, show } from "../../core/errors";
import { booleanOption, checkOptions, integerOption, skipsNan, wordOption, type NanPolicy } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import { formatShape, sameShape, type Names } from "../../core/shape";
import { mergeTypes, toFloating } from "../../core/types";
import type { Operand, Tensor } from "../../tensor";
import { reshapeTo, workingType } from "../aggregates/core";
import { filled, missingIn } from "../aggregates/missing";
import { asTensor, cast, constant } from "../dispatch";
import { add, divide, multiply } from "../elementwise";

/** Options of the reductions of groups and blocks. */
export interface GroupOptions {
  /** `"skip"` leaves NaN out, as missing values; `"propagate"`, when left out: the result is NaN where one is. */
  readonly nan?: NanPolicy;
}

/** Options of the variances of groups, windows and blocks. */
export interface GroupDdofOptions extends GroupOptions {
  /** What is taken off the number of elements in the divisor ("delta degrees of freedom"); 0 when left out. */
  readonly ddof?: number;
}

/** Options of the places of extremes of groups, windows and blocks. */
export interface GroupArgOptions extends GroupOptions {
  /** Which of several equal extremes: the first (`"low"`, when left out) or the last (`"high"`). */
  readonly tieBreak?: "low" | "high";
}

/** Options of the skewness of groups, windows and blocks. */
export interface GroupMomentOptions extends GroupOptions {
  /** Whether moments are those of the elements (true, when left out), or estimates from a sample, corrected for bias. */
  readonly bias?: boolean;
}

/** Options of the kurtosis of groups, windows and blocks. */
export interface GroupKurtosisOptions extends GroupMomentOptions {
  /** Whether 3 is taken off, so that a normal distribution has 0 (true, when left out). */
  readonly fisher?: boolean;
}

/** A reduction of several entries to one. */
export type GroupOp =
  | "all"
  | "any"
  | "argmax"
  | "argmin"
  | "count"
  | "first"
  | "kurtosis"
  | "last"
  | "logSumExp"
  | "max"
  | "mean"
  | "median"
  | "min"
  | "mode"
  | "product"
  | "quantile"
  | "skewness"
  | "standardDeviation"
  | "sum"
  | "variance";

/** What the options of a reduction say. */
export interface GroupSettings {
  readonly skips: boolean;
  readonly ddof: number;
  /** The share of a quantile, of `whole`. */
  readonly share: number;
  readonly whole: number;
  readonly tieBreak: "low" | "high";
  readonly bias: boolean;
  readonly fisher: boolean;
}

type AnyOptions = GroupArgOptions & GroupDdofOptions & GroupKurtosisOptions;

/**
 * Entries of an axis that belong together: what `Nx.groupBy`, `Nx.rolling` and `Nx.resample` give. Each method reduces what belongs
 * together to one entry; the other axes stay. Results have the types that functions of the same name give.
 */
export abstract class EntryGroups<N extends Names = Names> {
  /** @internal Whether the option `nan` has a meaning. */
  protected abstract readonly knowsNan: boolean;
  /** @internal What messages call it. */
  protected abstract readonly maker: string;
  /** @internal The tensor whose entries belong together, and the axis of the entries. */
  protected abstract readonly source: { readonly t: Tensor; readonly axis: number };
  /** @internal */
  protected abstract reduce(op: GroupOp, settings: GroupSettings): Tensor;
  /** @internal The same groups of another tensor. */
  protected abstract of(t: Tensor): EntryGroups;

  /** How many elements there are; with `nan: "skip"`, and in windows, how many are not NaN. */
  count(options?: GroupOptions): Tensor<N> {
    return this.#reduced("count", options);
  }

  /** Sums. */
  sum(options?: GroupOptions): Tensor<N> {
    return this.#reduced("sum", options);
  }

  /** Products. */
  product(options?: GroupOptions): Tensor<N> {
    return this.#reduced("product", options);
  }

  /** Arithmetic means. */
  mean(options?: GroupOptions): Tensor<N> {
    return this.#reduced("mean", options);
  }

  /**
   * Means with weights: sums of entries times weights over sums of the weights.
   *
   * @param weights - as many as the tensor has elements, in its shape, or one for each entry of the axis
   * @param options - `nan`: `"skip"` leaves out NaN and their weights
   */
  weightedMean(weights: Operand, options?: GroupOptions): Tensor<N> {
    return calledBy(this.weightedMean, () => this.#weightedMean(weights, options));
  }

  #weightedMean(weights: Operand, options?: GroupOptions): Tensor<N> {
    const fn = `weightedMean of ${this.maker}`;
    options = checkOptions(fn, options, this.knowsNan ? ["nan"] : []);
    const { t } = this.source;
    const w = this.#weights(fn, asTensor(weights, fn));
    return unchecked(() => {
      const type = workingType(mergeTypes(t.type, w.type));
      const missing = missingIn(t, !this.knowsNan || skipsNan(fn, options));
      const factors = filled(add(cast(w, type), constant(0, type, t.shape)), missing, this.knowsNan ? 0 : NaN);
      const weighted = multiply(filled(cast(t, type), missing, this.knowsNan ? 0 : NaN), factors);
      return cast(divide(this.of(weighted).sum(), this.of(factors).sum()), toFloating(mergeTypes(t.type, w.type)));
    }) as Tensor as Tensor<N>;
  }

  /** The largest elements. */
  max(options?: GroupOptions): Tensor<N> {
    return this.#reduced("max", options);
  }

  /** The smallest elements. */
  min(options?: GroupOptions): Tensor<N> {
    return this.#reduced("min", options);
  }

  /** Positions of the largest elements along the axis of the entries, `s64`; -1 where there are no elements. */
  argmax(options?: GroupArgOptions): Tensor<N> {
    return this.#reduced("argmax", options, ["tieBreak"]);
  }

  /** Positions of the smallest elements along the axis of the entries, `s64`; -1 where there are no elements. */
  argmin(options?: GroupArgOptions): Tensor<N> {
    return this.#reduced("argmin", options, ["tieBreak"]);
  }

  /** The first elements, in the order of the entries. */
  first(options?: GroupOptions): Tensor<N> {
    return this.#reduced("first", options);
  }

  /** The last elements, in the order of the entries. */
  last(options?: GroupOptions): Tensor<N> {
    return this.#reduced("last", options);
  }

  /** Whether all elements are true, that is not zero. */
  all(options?: GroupOptions): Tensor<N> {
    return this.#reduced("all", options);
  }

  /** Whether any element is true, that is not zero. */
  any(options?: GroupOptions): Tensor<N> {
    return this.#reduced("any", options);
  }

  /** Means of squared distances from the mean; `ddof` is taken off their number in the divisor (0). */
  variance(options?: GroupDdofOptions): Tensor<N> {
    return this.#reduced("variance", options, ["ddof"]);
  }

  /** Square roots of variances; `ddof` is taken off the number of elements in the divisor (0). */
  standardDeviation(options?: GroupDdofOptions): Tensor<N> {
    return this.#reduced("standardDeviation", options, ["ddof"]);
  }

  /** How far elements lie to one side of their mean, as by `Nx.skewness`; `bias`: `false` corrects for the bias of samples. */
  skewness(options?: GroupMomentOptions): Tensor<N> {
    return this.#reduced("skewness", options, ["bias"]);
  }

  /** How heavy the tails of elements are, as by `Nx.kurtosis`, with its options `bias` and `fisher`. */
  kurtosis(options?: GroupKurtosisOptions): Tensor<N> {
    return this.#reduced("kurtosis", options, ["bias", "fisher"]);
  }

  /** Logarithms of the sums of powers of e. */
  logSumExp(options?: GroupOptions): Tensor<N> {
    return this.#reduced("logSumExp", options);
  }

  /** The elements in the middle of the sorted ones. */
  median(options?: GroupOptions): Tensor<N> {
    return this.#reduced("median", options);
  }

  /** The elements that occur most often; of several that are equally frequent the smallest. */
  mode(options?: GroupOptions): Tensor<N> {
    return this.#reduced("mode", options);
  }

  /** The values below which a share of the elements lies, from 0 to 1, as those of `Nx.quantile`. */
  quantile(share: number, options?: GroupOptions): Tensor<N> {
    return this.#reduced("quantile", options, [], { share, whole: 1 });
  }

  /** The values below which a share of the elements lies, in percent, as those of `Nx.percentile`. */
  percentile(percent: number, options?: GroupOptions): Tensor<N> {
    return this.#reduced("quantile", options, [], { share: percent, whole: 100 });
  }

  /** Weights in the rank of the entries. */
  #weights(fn: string, w: Tensor): Tensor {
    const { t, axis } = this.source;
    const isNamed = (names: Names): boolean =>
      w.names.every((name, i) => name === null || names[i] === null || name === names[i]);
    if (sameShape(w.shape, t.shape) && isNamed(t.names)) return reshapeTo(w, w.shape);
    const size = t.shape[axis]!;
    if (w.shape.length === 1 && w.shape[0] === size && isNamed([t.names[axis]!])) {
      return reshapeTo(
        w,
        t.shape.map((_, i) => (i === axis ? size : 1)),
      );
    }
    throw new ArgumentError(
      `${fn} expects weights of the shape ${formatShape(t.shape, t.names)} of the tensor, or one for each of ${size} entries along ` +
        `axis ${axis}, got shape ${formatShape(w.shape, w.names)}`,
    );
  }

  #reduced(
    op: GroupOp,
    given: GroupOptions | undefined,
    extra: readonly string[] = [],
    { share, whole } = { share: 0.5, whole: 1 },
  ): Tensor<N> {
    const name = op === "quantile" && whole === 100 ? "percentile" : op;
    return calledBy(this[name], () => {
      const fn = `${name} of ${this.maker}`;
      if (!(typeof share === "number" && share >= 0 && share <= whole)) {
        throw new ArgumentError(`${fn} expects a share from 0 to ${whole}, got: ${show(share)}`);
      }
      if (!this.knowsNan && (given as unknown as { readonly nan?: unknown } | null | undefined)?.nan !== undefined) {
        throw new ArgumentError(
          `${fn} takes no option nan: a window with NaN is NaN where fewer elements are left than the option minPeriods of ` +
            `${this.maker} says, { minPeriods: 1 } leaves NaN out`,
        );
      }
      const options: AnyOptions | undefined = checkOptions(fn, given, this.knowsNan ? ["nan", ...extra] : extra);
      return this.reduce(op, {
        skips: skipsNan(fn, options),
        ddof: integerOption(fn, "ddof", options?.ddof, 0, 0),
        share,
        whole,
        tieBreak: wordOption(fn, "tieBreak", options?.tieBreak, ["low", "high"], "low"),
        bias: booleanOption(fn, "bias", options?.bias, true),
        fisher: booleanOption(fn, "fisher", options?.fisher, true),
      }) as Tensor<N>;
    });
  }
}
