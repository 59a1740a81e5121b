/**
 * Reductions as methods of an array: their types and what they mean. How they are computed stands in `reductions`.
 */
import { sqrt, type AxisTypes, type Names, type Tensor } from "nx-numerics";
import {
  extremeOver,
  histogramOf,
  meanOver,
  sumOver,
  varianceOver,
  type ZarrDdofOptions,
  type ZarrHistogramOptions,
  type ZarrReductionOptions,
} from "./reductions";
import { sourceOf } from "./source";

/** Axes to reduce of an array with axis names `N`, all of them when undefined. */
export type ZarrAxes<N extends Names> = AxisTypes.AxesOf<N> | undefined;

/** What is left of an array with axis names `N` when the axes `A` are reduced, and kept with size 1 where `K` is true. */
export type ZarrReduced<N extends Names, A, K extends boolean> = Tensor<AxisTypes.Reduced<N, A, K>>;

/** What an array is reduced by, block after block: the methods of {@link ZarrArray} that are named as functions of `Nx`. */
export abstract class ZarrReductions<N extends Names = Names> {
  abstract get names(): N;

  /**
   * The sum over axes. Floats are added in double precision: each block by itself as `Nx.sum` does, then the sums of the blocks one after
   * the other in row-major order of the blocks, and rounded once. Integers wrap around in 64 bits.
   *
   * @param options - `axes` to reduce, all when left out; `keepAxes`; `nan`: `"skip"` leaves NaN out; `ahead`, `signal`, `workers`
   * @returns the type and names of `Nx.sum`
   * @throws ArgumentError for an axis that the array does not have; the reason of the signal when it is aborted
   * @example
   * ```ts
   * import { createZarr, type ZarrArray } from "nx-numerics/zarr";
   * const like = Nx.template([3, 2], "u8", { names: ["time", "x"] });
   * const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks: { time: 2 } });
   * await array.write(Nx.u8([[1, 2], [3, 4], [250, 251]]));
   * await array.sum({ axes: ["time"] });
   * // => #Nx.Tensor<
   * //   u64[x: 2]
   * //   [254, 257]
   * // >
   * await (array as ZarrArray).sum({ axes: ["tmie"] });
   * // throws ArgumentError: ZarrArray.sum: no axis "tmie" in u8[time: 3 by 2][x: 2]: the axes are "time", "x"; did you mean "time"?
   * ```
   */
  async sum<N extends Names, const A extends ZarrAxes<N> = undefined, K extends boolean = false>(
    this: ZarrReductions<N>,
    options?: A | ZarrReductionOptions<A, K>,
  ): Promise<ZarrReduced<N, A, K>> {
    return (await sumOver(sourceOf(this), options)) as ZarrReduced<N, A, K>;
  }

  /**
   * The mean over axes: the sum, as in {@link sum}, over the number of elements.
   *
   * @param options - as for {@link sum}
   * @returns the type and names of `Nx.mean`
   * @throws ArgumentError for an axis that the array does not have; the reason of the signal when it is aborted
   * @example
   * ```ts
   * import { createZarr } from "nx-numerics/zarr";
   * const like = Nx.template([3, 2], "f32", { names: ["time", "x"] });
   * const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks: { time: 2 } });
   * await array.write(Nx.f32([[1, 2], [3, 4], [5, NaN]]));
   * await array.mean({ axes: ["time"] });
   * // => #Nx.Tensor<
   * //   f32[x: 2]
   * //   [3.0, NaN]
   * // >
   * await array.mean({ axes: ["time"], nan: "skip", keepAxes: true });
   * // => #Nx.Tensor<
   * //   f32[time: 1][x: 2]
   * //   [
   * //     [3.0, 3.0]
   * //   ]
   * // >
   * ```
   */
  async mean<N extends Names, const A extends ZarrAxes<N> = undefined, K extends boolean = false>(
    this: ZarrReductions<N>,
    options?: A | ZarrReductionOptions<A, K>,
  ): Promise<ZarrReduced<N, A, K>> {
    return (await meanOver(sourceOf(this), options)) as ZarrReduced<N, A, K>;
  }

  /**
   * The variance over axes. That of each block is found in double precision, of sums of squares where enough digits are left of them, else
   * from the block's own mean; two of them are joined by the formula of Chan, Golub and LeVeque, so that large values that differ little
   * lose nothing.
   *
   * @param options - as for {@link sum}; `ddof`: what is taken off the number of elements in the divisor, 0 when left out
   * @returns the type and names of `Nx.variance`
   * @throws ArgumentError for an axis that the array does not have, and where `ddof` leaves nothing to divide by; the reason of the signal
   *   when it is aborted
   * @example
   * ```ts
   * import { createZarr } from "nx-numerics/zarr";
   * const like = Nx.template([4], "f64", { names: ["x"] });
   * const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks: [2] });
   * await array.write(Nx.f64([1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3]));
   * await array.variance();
   * // => #Nx.Tensor<
   * //   f64
   * //   1.25
   * // >
   * await array.variance({ ddof: 4 });
   * // throws ArgumentError: option ddof of ZarrArray.variance must be less than the number of elements reduced (4), got: 4
   * ```
   */
  async variance<N extends Names, const A extends ZarrAxes<N> = undefined, K extends boolean = false>(
    this: ZarrReductions<N>,
    options?: A | ZarrDdofOptions<A, K>,
  ): Promise<ZarrReduced<N, A, K>> {
    return (await varianceOver("ZarrArray.variance", sourceOf(this), options)) as ZarrReduced<N, A, K>;
  }

  /**
   * The standard deviation over axes: the square root of {@link variance}.
   *
   * @param options - as for {@link variance}
   * @returns the type and names of `Nx.standardDeviation`
   * @throws ArgumentError as {@link variance}
   * @example
   * ```ts
   * import { createZarr } from "nx-numerics/zarr";
   * const like = Nx.template([2, 2], "f32", { names: ["time", "x"] });
   * const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks: [1, 2] });
   * await array.write(Nx.f32([[1, 10], [3, 20]]));
   * await array.standardDeviation({ axes: ["time"] });
   * // => #Nx.Tensor<
   * //   f32[x: 2]
   * //   [1.0, 5.0]
   * // >
   * ```
   */
  async standardDeviation<N extends Names, const A extends ZarrAxes<N> = undefined, K extends boolean = false>(
    this: ZarrReductions<N>,
    options?: A | ZarrDdofOptions<A, K>,
  ): Promise<ZarrReduced<N, A, K>> {
    return (await varianceOver("ZarrArray.standardDeviation", sourceOf(this), options, sqrt)) as ZarrReduced<N, A, K>;
  }

  /**
   * The largest element over axes.
   *
   * @param options - as for {@link sum}
   * @returns the type of the array and the names of `Nx.reduceMax`
   * @throws ArgumentError as {@link sum}
   * @example
   * ```ts
   * import { createZarr } from "nx-numerics/zarr";
   * const like = Nx.template([3, 2], "f32", { names: ["time", "x"] });
   * const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks: [1, 2] });
   * await array.write(Nx.f32([[1, NaN], [3, 20], [2, 10]]));
   * await array.reduceMax({ axes: ["time"], nan: "skip" });
   * // => #Nx.Tensor<
   * //   f32[x: 2]
   * //   [3.0, 20.0]
   * // >
   * ```
   */
  async reduceMax<N extends Names, const A extends ZarrAxes<N> = undefined, K extends boolean = false>(
    this: ZarrReductions<N>,
    options?: A | ZarrReductionOptions<A, K>,
  ): Promise<ZarrReduced<N, A, K>> {
    return (await extremeOver("reduceMax", sourceOf(this), options)) as ZarrReduced<N, A, K>;
  }

  /**
   * The least element over axes.
   *
   * @param options - as for {@link sum}
   * @returns the type of the array and the names of `Nx.reduceMin`
   * @throws ArgumentError as {@link sum}
   * @example
   * ```ts
   * import { createZarr } from "nx-numerics/zarr";
   * const like = Nx.template([3], "s16", { names: ["x"] });
   * const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks: [2] });
   * await array.write(Nx.s16([3, 1, 2]));
   * await array.reduceMin();
   * // => #Nx.Tensor<
   * //   s16
   * //   1
   * // >
   * ```
   */
  async reduceMin<N extends Names, const A extends ZarrAxes<N> = undefined, K extends boolean = false>(
    this: ZarrReductions<N>,
    options?: A | ZarrReductionOptions<A, K>,
  ): Promise<ZarrReduced<N, A, K>> {
    return (await extremeOver("reduceMin", sourceOf(this), options)) as ZarrReduced<N, A, K>;
  }

  /**
   * How many elements fall into each of several bins, as `Nx.histogram`: of all elements, or over axes.
   *
   * @param options - `axes` to count over, all when left out; `bins`: their number (10) or their edges; `range` of bins of one width: without
   *   it the array is read twice; `density`; `name` of the axis of bins; `ahead`, `signal`, `workers`
   * @returns the counts (`s64`, or `f64` as densities), with the axes that are left and one of bins behind them, and the edges, one more
   * @throws ArgumentError for bins and ranges that `Nx.histogram` does not take, an axis that the array does not have, and a name that it has;
   *   the reason of the signal when it is aborted
   * @example
   * ```ts
   * import { createZarr } from "nx-numerics/zarr";
   * const like = Nx.template([3, 2], "f32", { names: ["time", "x"] });
   * const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks: [2, 1] });
   * await array.write(Nx.f32([[1, 2], [1.5, 4], [3.9, 4]]));
   * (await array.histogram({ bins: 3 }))[0];
   * // => #Nx.Tensor<
   * //   s64[3]
   * //   [2, 1, 3]
   * // >
   * (await array.histogram({ axes: ["time"], bins: 2, range: [1, 4], name: "bin" }))[0];
   * // => #Nx.Tensor<
   * //   s64[x: 2][bin: 2]
   * //   [
   * //     [2, 1],
   * //     [1, 2]
   * //   ]
   * // >
   * ```
   */
  async histogram<N extends Names, const A extends ZarrAxes<N> = undefined, const M extends Names[number] = null>(
    this: ZarrReductions<N>,
    options?: ZarrHistogramOptions<A, M>,
  ): Promise<[counts: Tensor<AxisTypes.Binned<N, A, M>>, edges: Tensor<readonly [null]>]> {
    return (await histogramOf(sourceOf(this), options)) as never;
  }
}
