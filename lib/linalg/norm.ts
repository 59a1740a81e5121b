/**
 * Norms of vectors and matrices.
 */
import type { AxesOf, Reduced } from "../core/axis-types";
import { ArgumentError, show } from "../core/errors";
import { booleanOption, checkOptions, checkPlace, type AlsoAxis, type More } from "../core/options";
import { allAxes, formatShape, reducedShape, resolveAxes, type Axis, type AxisList, type Names } from "../core/shape";
import { isComplex, toFloating, toReal } from "../core/types";
import { reduceMax, reduceMin, sum } from "../nx/aggregates";
import { asTensor, template } from "../nx/dispatch";
import { abs, add, equal, imag, multiply, notEqual, pow, real, select, sqrt } from "../nx/elementwise";
import { conj } from "../nx/ndim/matrices";
import { transpose } from "../nx/shape";
import type { Operand, Tensor } from "../tensor";
import { finish, readMatrices, widely } from "./core";
import { singularValues } from "./singular";

/** Which norm: a number, `Infinity` and `-Infinity` among them, or the name of a norm of matrices. */
export type NormOrder = number | "frobenius" | "nuclear";

/** Options of `Nx.LinAlg.norm`. */
export interface NormOptions<A = Axis | AxisList | undefined, K = boolean> extends AlsoAxis<A> {
  /** Which norm; the 2-norm of vectors, the Frobenius norm of matrices, when left out. */
  readonly ord?: NormOrder;
  /** One axis for norms of vectors, two for norms of matrices (rows, columns); by position or name. */
  readonly axes?: A;
  /** Keep the reduced axes, with size 1. */
  readonly keepAxes?: K;
  /** The same as `keepAxes`. */
  readonly keepAxis?: K;
}

const FN = "Nx.LinAlg.norm";

/**
 * Norms of vectors, along one axis, or of matrices, along two.
 *
 * | `ord` | of vectors | of matrices |
 * | --- | --- | --- |
 * | left out | `sqrt(sum(abs(x)^2))` | the same over both axes (Frobenius) |
 * | `"frobenius"` | | `sqrt(sum(abs(x)^2))` |
 * | `"nuclear"` | | sum of the singular values |
 * | `Infinity` | `max(abs(x))` | largest sum of absolute values of a row |
 * | `-Infinity` | `min(abs(x))` | smallest sum of absolute values of a row |
 * | `0` | number of elements that are not 0 | |
 * | `1` | `sum(abs(x))` | largest sum of absolute values of a column |
 * | `-1` | as any other | smallest sum of absolute values of a column |
 * | `2` | `sqrt(sum(abs(x)^2))` | largest singular value |
 * | `-2` | as any other | smallest singular value |
 * | any other | `sum(abs(x)^ord)^(1/ord)` | |
 *
 * @param tensor - numbers of any type; without `axes` a vector or a matrix, or any shape for the norm of all elements
 * @param options - see {@link NormOptions}
 * @returns a real floating type, `f32` for integers, computed in double precision; the shape and names without the axes
 * @throws ArgumentError for orders that vectors or matrices do not have, and axes the tensor does not have
 * @example
 * ```ts
 * Nx.LinAlg.norm(Nx.tensor([3, 4]));
 * // => #Nx.Tensor<
 * //   f32
 * //   5.0
 * // >
 * Nx.LinAlg.norm(Nx.tensor([[3, -1], [2, -4]]), { ord: 1 });
 * // => #Nx.Tensor<
 * //   f32
 * //   5.0
 * // >
 * Nx.LinAlg.norm(Nx.tensor([[3, 0], [0, -4]]), { ord: 2 });
 * // => #Nx.Tensor<
 * //   f32
 * //   4.0
 * // >
 * ```
 * @example
 * ```ts
 * const points = Nx.tensor([[3, 4], [5, 12]], { names: ["point", "x"] });
 * Nx.LinAlg.norm(points, { axes: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[point: 2]
 * //   [5.0, 13.0]
 * // >
 * Nx.LinAlg.norm(points, { axes: ["x"], ord: "nuclear" });
 * // throws ArgumentError: option ord of Nx.LinAlg.norm must be a number for vectors, got: "nuclear"
 * ```
 */
export function norm<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | NormOptions<A, K>,
  ..._more: More<NormOptions<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  const choice = checkOptions<NormOptions>(FN, options as Axis | AxisList | NormOptions | undefined, [
    "ord",
    "axes",
    "keepAxes",
  ]);
  const t: Tensor = asTensor(tensor, FN);
  checkPlace(FN, options, t, "ord");
  const axes = readAxes(t, choice);
  const keepAxes = booleanOption(FN, "keepAxes", choice?.keepAxes, false);
  const { shape, names } = reducedShape(
    t.shape,
    t.names,
    [...axes].sort((a, b) => a - b),
    keepAxes,
  );
  const ord: unknown = choice?.ord;
  const value =
    ord === undefined || axes.length > 2
      ? euclidean(widely(t), axes)
      : axes.length === 1
        ? ofVectors(widely(t), axes, ord)
        : ofMatrices(t, axes as [number, number], ord);
  return finish(value, template(toReal(toFloating(t.type)), shape, names)) as Tensor<Reduced<N, A, K>>;
}

function readAxes(t: Tensor, options: NormOptions | undefined): number[] {
  const rank = t.shape.length;
  if (options?.axes !== undefined) {
    const axes = resolveAxes(options.axes, t.shape, t.names);
    if (axes.length === 1 || axes.length === 2) return axes;
    throw new ArgumentError(`option axes of ${FN} must list one axis or two, got: ${show(options.axes)}`);
  }
  if (rank === 1 || rank === 2 || options?.ord === undefined) return allAxes(rank);
  throw new ArgumentError(
    `${FN} with ord ${show(options.ord)} expects a vector or a matrix, got shape ${formatShape(t.shape, t.names)}; ` +
      `say with option axes which axes are meant`,
  );
}

/** The root of the sum of squares, whose gradient at 0 is 0. */
function euclidean(t: Tensor, axes: readonly number[]): Tensor {
  const squares = isComplex(t.type)
    ? add(multiply(real(t), real(t)), multiply(imag(t), imag(t)))
    : multiply(t, conj(t));
  const total = sum(squares, { axes: [...axes] });
  const isZero = equal(total, 0);
  return select(isZero, 0, sqrt(select(isZero, 1, total)));
}

function ofVectors(t: Tensor, axes: number[], ord: unknown): Tensor {
  if (typeof ord !== "number" || Number.isNaN(ord)) {
    throw new ArgumentError(`option ord of ${FN} must be a number for vectors, got: ${show(ord)}`);
  }
  switch (ord) {
    case 0:
      return sum(notEqual(t, 0), { axes });
    case 1:
      return sum(abs(t), { axes });
    case 2:
      return euclidean(t, axes);
    case Infinity:
      return reduceMax(abs(t), { axes });
    case -Infinity:
      return reduceMin(abs(t), { axes });
    default:
      return pow(sum(pow(abs(t), ord), { axes }), 1 / ord);
  }
}

function ofMatrices(t: Tensor, axes: readonly [rows: number, columns: number], ord: unknown): Tensor {
  const [rows, columns] = axes;
  const sums = (axis: number) => sum(abs(widely(t)), { axes: [axis], keepAxes: true });
  switch (ord) {
    case "frobenius":
      return euclidean(widely(t), axes);
    case "nuclear":
      return sum(singularValuesOf(t, axes), { axes: [-1] });
    case 1:
      return reduceMax(sums(rows), { axes: [rows, columns] });
    case -1:
      return reduceMin(sums(rows), { axes: [rows, columns] });
    case 2:
      return reduceMax(singularValuesOf(t, axes), { axes: [-1] });
    case -2:
      return reduceMin(singularValuesOf(t, axes), { axes: [-1] });
    case Infinity:
      return reduceMax(sums(columns), { axes: [rows, columns] });
    case -Infinity:
      return reduceMin(sums(columns), { axes: [rows, columns] });
    default:
      throw new ArgumentError(
        `option ord of ${FN} must be 1, -1, 2, -2, Infinity, -Infinity, "frobenius" or "nuclear" for matrices, got: ${show(ord)}`,
      );
  }
}

function singularValuesOf(t: Tensor, axes: readonly number[]): Tensor {
  const order = [...allAxes(t.shape.length).filter((axis) => !axes.includes(axis)), ...axes];
  return singularValues(readMatrices(FN, transpose(t, { axes: order })));
}
