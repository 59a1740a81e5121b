/**
 * What groups, windows and blocks of entries have in common: their reductions, as methods.
 */
import { ArgumentError, show } from "../../core/errors";
import { checkOptions, integerOption, skipsNan, type NanPolicy } from "../../core/options";
import type { Names } from "../../core/shape";
import type { Tensor } from "../../tensor";

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

/** A reduction of several entries to one. */
export type GroupOp =
  | "all"
  | "any"
  | "count"
  | "max"
  | "mean"
  | "median"
  | "min"
  | "product"
  | "quantile"
  | "standardDeviation"
  | "sum"
  | "variance";

/** What the options of a reduction say. */
export interface GroupSettings {
  readonly skips: boolean;
  readonly ddof: number;
  readonly share: number;
}

/**
 * Entries of an axis that belong together: what `Nx.groupBy`, `Nx.rolling` and `Nx.resample` give. Each method reduces what belongs
 * together to one entry; the other axes stay. Results have the types that functions of the same name give.
 */
export abstract class EntryGroups<N extends Names = Names> {
  /** @internal Whether the option `nan` has a meaning. */
  protected abstract readonly knowsNan: boolean;
  /** @internal What messages call it. */
  protected abstract readonly maker: string;
  /** @internal */
  protected abstract reduce(op: GroupOp, settings: GroupSettings): Tensor;

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

  /** The largest elements. */
  max(options?: GroupOptions): Tensor<N> {
    return this.#reduced("max", options);
  }

  /** The smallest elements. */
  min(options?: GroupOptions): Tensor<N> {
    return this.#reduced("min", options);
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

  /** The elements in the middle of the sorted ones. */
  median(options?: GroupOptions): Tensor<N> {
    return this.#reduced("median", options);
  }

  /** The values below which a share of the elements lies, from 0 to 1, as those of `Nx.quantile`. */
  quantile(share: number, options?: GroupOptions): Tensor<N> {
    if (!(typeof share === "number" && share >= 0 && share <= 1)) {
      throw new ArgumentError(`quantile of ${this.maker} expects a share from 0 to 1, got: ${show(share)}`);
    }
    return this.#reduced("quantile", options, [], share);
  }

  #reduced(op: GroupOp, options: GroupDdofOptions | undefined, extra: readonly string[] = [], share = 0.5): Tensor<N> {
    const fn = `${op} of ${this.maker}`;
    options = checkOptions(fn, options, this.knowsNan ? ["nan", ...extra] : extra);
    const settings = { skips: skipsNan(fn, options), ddof: integerOption(fn, "ddof", options?.ddof, 0, 0), share };
    return this.reduce(op, settings) as Tensor<N>;
  }
}
