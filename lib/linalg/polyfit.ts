/**
 * The polynomial nearest to points: polyfit.
 */
import type { Entry, Known } from "../core/axis-types";
import { ArgumentError, show } from "../core/errors";
import { checkName, uniqueNames } from "../core/names";
import { checkOptions } from "../core/options";
import { commonType } from "../core/promotion";
import { unchecked } from "../core/promotion-scope";
import { formatShape, type Name, type Names } from "../core/shape";
import { toFloating } from "../core/types";
import { sum } from "../nx/aggregates";
import { reshapeTo } from "../nx/aggregates/core";
import { compositeOfOftenCalled } from "../nx/composite";
import { renamed } from "../nx/creation/tensor";
import { asTensor, cast, constant, pair } from "../nx/dispatch";
import { divide, multiply, sqrt } from "../nx/elementwise";
import { concatenate } from "../nx/ndim";
import { refuseComplex } from "../ops";
import type { Operand, Tensor } from "../tensor";
import { leastSquares } from "./least-squares";

/** Options of `Nx.polyfit`. */
export interface PolyfitOptions<M extends Name = Name> {
  /** What the distance of each point is multiplied by before it is squared; 1 when left out. */
  readonly weights?: Operand;
  /** Name of the axis of the coefficients. */
  readonly name?: M;
}

/** Names of coefficients: that of their axis, and of values that are a matrix that of the columns. */
export type CoefficientNames<N extends Names, M extends Name> =
  Known<N> extends false ? Names : readonly [M, ...Entry<N>];

/**
 * The polynomial of a degree that comes nearest to points, by the sum of the squares of their distances, as NumPy's `polyfit`. Powers are
 * scaled to one size before they are solved for.
 *
 * @param x - places, a vector
 * @param y - values at the places: a vector, or a matrix with a column for each of several polynomials
 * @param degree - the highest power, at least 0 and less than the number of points
 * @param options - `weights`: what the distance of each point is multiplied by, 1 over its standard deviation;
 *   `name` of the axis of the coefficients
 * @returns coefficients, that of the highest power first, as `Nx.polyval` takes them: a float vector, or a matrix with a column for each,
 *   whose axis keeps its name
 * @throws ArgumentError for places that are no vector, values of another number, a degree that is too high, and complex numbers
 * @example
 * ```ts
 * const x = Nx.f64([0, 1, 2, 3], { names: ["x"] });
 * Nx.round(Nx.polyfit(x, Nx.f64([1, 3, 5, 7]), 1, { name: "power" }).multiply(1e6)).divide(1e6);
 * // => #Nx.Tensor<
 * //   f64[power: 2]
 * //   [2.0, 1.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.polyfit(Nx.tensor([0, 1]), Nx.tensor([1, 3]), 2);
 * // throws ArgumentError: Nx.polyfit expects a degree from 0 to 1, one less than the number of points, got: 2
 * ```
 */
export function polyfit<N extends Names, const M extends Name = null>(
  x: Operand,
  y: Operand<N>,
  degree: number,
  options?: PolyfitOptions<M>,
): Tensor<CoefficientNames<N, M>>;
export function polyfit(x: Operand, y: Operand, degree: number, options?: PolyfitOptions): Tensor {
  const fn = "Nx.polyfit";
  options = checkOptions(fn, options, ["weights", "name"]);
  const name = checkName(options?.name ?? null);
  const [at, values] = pair(x, y, fn);
  const weights = options?.weights === undefined ? null : asTensor(options.weights, fn);
  const type = toFloating(refuseComplex("polyfit", commonType(fn, at, values)));
  const n = at.shape[0] ?? 0;
  if (at.shape.length !== 1 || values.shape[0] !== n || values.shape.length > 2 || !fits(weights, n)) {
    const shapes = [at, values, ...(weights ? [weights] : [])].map(({ shape, names }) => formatShape(shape, names));
    throw new ArgumentError(
      `${fn} expects places as a vector and as many values (and weights), got shapes ${shapes.join(", ")}`,
    );
  }
  if (!Number.isInteger(degree) || degree < 0 || degree >= n) {
    throw new ArgumentError(
      `${fn} expects a degree from 0 to ${n - 1}, one less than the number of points, got: ${show(degree)}`,
    );
  }
  const shape = [degree + 1, ...values.shape.slice(1)];
  const names = uniqueNames(Object.freeze([name, ...values.names.slice(1)]), shape);
  const found = unchecked(() => fitted(at, values, weights, { degree }));
  return cast(renamed(found, names), type);
}

/** Coefficients of `f64`, without names. */
const fitted = compositeOfOftenCalled(function fitted(
  at: Tensor,
  values: Tensor,
  weights: Tensor | null,
  { degree }: { degree: number },
): Tensor {
  const n = at.shape[0]!;
  const column = (t: Tensor): Tensor => reshapeTo(cast(t, "f64"), [n, 1]);
  const places = column(at);
  const powers: Tensor[] = [constant(1, "f64", [n, 1])];
  for (let i = 0; i < degree; i++) powers.unshift(multiply(powers[0]!, places));
  const weighted = (t: Tensor): Tensor => (weights === null ? t : multiply(t, column(weights)));
  const matrix = weighted(powers.length === 1 ? powers[0]! : (concatenate(powers, { axis: 1 }) as Tensor));
  const scale = sqrt(sum(multiply(matrix, matrix), { axes: [0] }) as Tensor);
  const wanted = values.shape.length === 1 ? column(values) : reshapeTo(cast(values, "f64"), values.shape);
  const solved = leastSquares(divide(matrix, scale), weighted(wanted)) as Tensor;
  const coefficients = divide(solved, reshapeTo(scale, [degree + 1, 1]));
  return reshapeTo(coefficients, [degree + 1, ...values.shape.slice(1)]);
});

const fits = (weights: Tensor | null, n: number): boolean =>
  weights === null || (weights.shape.length === 1 && weights.shape[0] === n);
