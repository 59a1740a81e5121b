/**
 * Determinants and powers of square matrices.
 */
import { LINALG } from "../backends/decompositions";
import type { Batch } from "../core/axis-types";
import type { Names, Shape } from "../core/shape";
import { ArgumentError, show } from "../core/errors";
import { unnamed } from "../core/names";
import { isComplex, isInteger, toFloating, toReal, type DType } from "../core/types";
import { product, reduceMax, sum } from "../nx/aggregates";
import { eye } from "../nx/creation";
import { asTensor, cast, run, runMultiResult, template } from "../nx/dispatch";
import {
  abs,
  add,
  clip,
  complex,
  divide,
  equal,
  exp2,
  isFinite,
  less,
  log,
  log2,
  logicalAnd,
  multiply,
  negate,
  phase,
  round,
  select,
  sign,
  subtract,
} from "../nx/elementwise";
import { sliceAlongAxis } from "../nx/indexed";
import { luOf, matmul, swapped } from "../nx/ndim/matrices";
import { newAxis, squeeze } from "../nx/shape";
import type { Operand, Tensor } from "../tensor";
import type { Power } from "./names";
import { finish, readSquare, repeated, resultOf, widely, type Matrices } from "./core";
import { inverseWide } from "./solve";

/**
 * The determinants of square matrices: written out up to 3x3, by LU decomposition beyond, in double precision.
 *
 * @param tensor - matrices, shape `[...batch][n][n]`; of integers the result is `f32`
 * @returns the same floating type; the shape and names of the batch
 * @throws ArgumentError for matrices that are not square
 * @example
 * ```ts
 * Nx.LinAlg.determinant(Nx.tensor([[1, 2], [3, 4]]));
 * // => #Nx.Tensor<
 * //   f32
 * //   -2.0
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[[1, 2], [3, 4]], [[2, 0], [0, 3]]], { names: ["case", "x", "y"] });
 * Nx.LinAlg.determinant(t);
 * // => #Nx.Tensor<
 * //   f32[case: 2]
 * //   [-2.0, 6.0]
 * // >
 * Nx.LinAlg.determinant(Nx.iota([2, 3]));
 * // throws ArgumentError: Nx.LinAlg.determinant expects square matrices, got a tensor of shape [2][3]
 * ```
 */
export function determinant<N extends Names>(tensor: Operand<N>): Tensor<Batch<N>>;
export function determinant(tensor: Operand): Tensor {
  const a = readSquare("Nx.LinAlg.determinant", tensor);
  const t = widely(a.tensor);
  const isWritten = a.rows <= 3;
  // products of numbers of the narrower types stay within the range of f64
  const value =
    a.type !== t.type ? (isWritten ? leibniz(t) : eliminated(t, false)) : isWritten ? balanced(t) : eliminated(t, true);
  return finish(value, resultOf(a.type, a, []));
}

/** Powers of two next to the sizes of numbers, as exponents; those of zeros are -Infinity. They count as constants. */
function exponentsOf(t: Tensor): Tensor {
  const sizes = run("block", template(toReal(t.type), t.shape, t.names), [t], {
    name: "stopGrad",
    options: {},
    fn: (x) => abs(x!),
  });
  return round(log2(sizes));
}

/** Exponents of scales, 0 where there is nothing to scale: of zeros alone, and beside infinities and NaN. */
const fit = (exponents: Tensor): Tensor => select(isFinite(exponents), exponents, 0);

/** Times a power of two, in as many steps as keep each factor and what is in between within the range where the result is. */
function scaled(t: Tensor, exponents: Tensor, steps: number): Tensor {
  const limit = 1000 * steps;
  const power = clip(exponents, -limit, limit);
  const most = round(divide(power, steps));
  const last = subtract(power, multiply(most, steps - 1));
  let result = multiply(t, exp2(last));
  for (let i = 1; i < steps; i++) result = multiply(result, exp2(most));
  return result;
}

/** Written out with rows and columns scaled to one size by powers of two, which change no digit. */
function balanced(t: Tensor): Tensor {
  const exponents = exponentsOf(t);
  const rows = fit(reduceMax(exponents, { axes: [-1], keepAxes: true }));
  const columns = fit(reduceMax(subtract(exponents, rows), { axes: [-2], keepAxes: true }));
  const value = leibniz(scaled(t, negate(add(rows, columns)), 2));
  return scaled(value, add(sum(rows, { axes: [-2, -1] }), sum(columns, { axes: [-2, -1] })), 6);
}

const element = (t: Tensor, row: number, column: number): Tensor => {
  const axis = t.shape.length - 2;
  const line = sliceAlongAxis(t, row, 1, { axis });
  return squeeze(sliceAlongAxis(line, column, 1, { axis: axis + 1 }), { axes: [axis, axis + 1] });
};

/** The sum over all permutations of up to three columns. */
function leibniz(t: Tensor): Tensor {
  const at = (row: number, column: number) => element(t, row, column);
  const size = t.shape[t.shape.length - 1]!;
  const minor = (row: number, i: number, j: number) =>
    subtract(multiply(at(row, i), at(row + 1, j)), multiply(at(row, j), at(row + 1, i)));
  if (size === 1) return at(0, 0);
  if (size === 2) return minor(0, 0, 1);
  const [first, second, third] = [
    multiply(at(0, 0), minor(1, 1, 2)),
    multiply(at(0, 1), minor(1, 0, 2)),
    multiply(at(0, 2), minor(1, 0, 1)),
  ];
  return add(subtract(first, second), third);
}

/** The gradient are the cofactors, which exist where the inverse does not. */
function eliminated(t: Tensor, isWide: boolean): Tensor {
  const shape = Object.freeze(t.shape.slice(0, -2));
  return run("block", template(t.type, shape, unnamed(shape.length)), [t], {
    name: "determinant",
    options: { cofactors },
    fn: (x) => byElimination(x!, isWide),
  });
}

/** Pivots that are 0 are taken as this part of the largest: a matrix nearby, whose cofactors are as near. */
const NUDGE = 2 ** -36;

/** The determinant times the transposed inverse. */
function cofactors(t: Tensor): Tensor {
  const regular = add(t, nudge(t));
  const inverse = inverseWide(regular, { batch: t.shape.slice(0, -2), rows: t.shape[t.shape.length - 1]! });
  return multiply(newAxis(newAxis(eliminated(regular, true), -1), -1), swapped(inverse));
}

/** What makes a singular matrix regular; it counts as constant. */
function nudge(t: Tensor): Tensor {
  const [p, l, u] = luOf(t);
  const most = reduceMax(abs(u), { axes: [-2, -1], keepAxes: true });
  const pivot = multiply(select(equal(most, 0), 1, most), NUDGE);
  const isZeroPivot = logicalAnd(equal(u, 0), eye(u.shape.slice(-2)));
  const added = cast(multiply(isZeroPivot, pivot), t.type);
  return run("block", template(t.type, t.shape, t.names), [product3(p, l, added)], {
    name: "stopGrad",
    options: {},
    fn: (x) => x!,
  });
}

const product3 = (a: Tensor, b: Tensor, c: Tensor): Tensor => matmul(a, matmul(b, c));

/** The product of the pivots, with the sign of the permutation; `isWide` where it may leave the range on the way. */
function byElimination(t: Tensor, isWide: boolean): Tensor {
  const [order, pivots] = pivotsOf(t);
  if (!isWide) return multiply(product(pivots, { axes: [-1] }), order);
  const exponents = fit(exponentsOf(pivots));
  const value = product(scaled(pivots, negate(exponents), 2), { axes: [-1] });
  return scaled(multiply(value, order), sum(exponents, { axes: [-1] }), 6);
}

/** The sign of the order that elimination brings the rows of matrices without names into, and the pivots. */
function pivotsOf(t: Tensor): readonly [sign: Tensor, pivots: Tensor] {
  const of = (type: DType, shape: Shape) => template(type, Object.freeze(shape), unnamed(shape.length));
  const outs = [of("f64", t.shape.slice(0, -2)), of(t.type, t.shape.slice(0, -1))];
  return runMultiResult(LINALG, outs, [t], { op: "pivots" }) as [Tensor, Tensor];
}

/**
 * The determinants of square matrices as signs and logarithms: `sign * exp(logAbs)`, where the determinant itself would overflow or
 * become 0. Found by LU decomposition, in double precision.
 *
 * @param tensor - matrices, shape `[...batch][n][n]`; of integers the results are `f32`
 * @returns the sign, 1, -1 or 0 for a singular matrix, of a complex one a number of modulus 1 or 0, in the floating type; and the
 *   logarithm of the modulus, real, `-Infinity` for a singular matrix; the shape and names of the batch
 * @throws ArgumentError for matrices that are not square
 * @example
 * ```ts
 * const [sign, logAbs] = Nx.LinAlg.slogdet(Nx.tensor([[[0, 1], [1, 0]], [[1, 2], [2, 4]]], { names: ["case", "x", "y"] }));
 * sign;
 * // => #Nx.Tensor<
 * //   f32[case: 2]
 * //   [-1.0, 0.0]
 * // >
 * logAbs;
 * // => #Nx.Tensor<
 * //   f32[case: 2]
 * //   [0.0, -Inf]
 * // >
 * ```
 * @example
 * The determinant of this matrix, 10^-400, is 0 in any type:
 * ```ts
 * Nx.LinAlg.slogdet(Nx.multiply(Nx.eye(400, { type: "f64" }), 0.1))[1];
 * // => #Nx.Tensor<
 * //   f64
 * //   -921.0340371976182
 * // >
 * Nx.LinAlg.slogdet(Nx.iota([2, 3]));
 * // throws ArgumentError: Nx.LinAlg.slogdet expects square matrices, got a tensor of shape [2][3]
 * ```
 */
export function slogdet<N extends Names>(
  tensor: Operand<N>,
): readonly [sign: Tensor<Batch<N>>, logAbs: Tensor<Batch<N>>];
export function slogdet(tensor: Operand): readonly [sign: Tensor, logAbs: Tensor] {
  const a = readSquare("Nx.LinAlg.slogdet", tensor);
  const { sign: unit, logAbs } = signAndLog(widely(a.tensor));
  return [finish(unit, resultOf(a.type, a, [])), finish(logAbs, resultOf(toReal(a.type), a, []))];
}

/** Of matrices without names in the type of several steps. */
function signAndLog(t: Tensor): { readonly sign: Tensor; readonly logAbs: Tensor } {
  const [order, pivots] = pivotsOf(t);
  const sizes = abs(pivots);
  const units = isComplex(t.type) ? divide(pivots, select(equal(sizes, 0), 1, sizes)) : sign(pivots);
  const logAbs = sum(log(sizes), { axes: [-1] });
  return { sign: add(multiply(product(units, { axes: [-1] }), order), 0), logAbs }; // 0 rather than -0
}

/**
 * The logarithms of the determinants of square matrices, by LU decomposition in double precision: `log(determinant(a))` without
 * overflow on the way.
 *
 * @param tensor - matrices, shape `[...batch][n][n]`; of integers the result is `f32`
 * @returns the same floating type; the shape and names of the batch. `-Infinity` for singular matrices; NaN where the determinant of a
 *   real matrix is negative, of which {@link slogdet} tells sign and size; of complex ones the principal logarithm
 * @throws ArgumentError for matrices that are not square
 * @example
 * ```ts
 * Nx.LinAlg.logdet(Nx.tensor([[[2, 0], [0, 0.5]], [[0, 1], [1, 0]]], { names: ["case", "x", "y"] }));
 * // => #Nx.Tensor<
 * //   f32[case: 2]
 * //   [0.0, NaN]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.logdet(Nx.c64([[0, 1], [1, 0]]));
 * // => #Nx.Tensor<
 * //   c64
 * //   0.0+3.1415927i
 * // >
 * Nx.LinAlg.logdet(Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.LinAlg.logdet expects a matrix, or a batch of them, got a tensor of shape [2]
 * ```
 */
export function logdet<N extends Names>(tensor: Operand<N>): Tensor<Batch<N>>;
export function logdet(tensor: Operand): Tensor {
  const a = readSquare("Nx.LinAlg.logdet", tensor);
  const { sign: unit, logAbs } = signAndLog(widely(a.tensor));
  const value = isComplex(unit.type) ? complex(logAbs, phase(unit)) : select(less(unit, 0), NaN, logAbs);
  return finish(value, resultOf(a.type, a, []));
}

/**
 * Powers of square matrices, by repeated squaring.
 *
 * @param tensor - matrices, shape `[...batch][n][n]`
 * @param power - an integer; 0 gives the identity, negative powers invert
 * @returns the tensor's type and names; for negative powers the floating type, and rows and columns change names. Integers
 *   wrap around; floats are multiplied in double precision and rounded once
 * @throws ArgumentError for matrices that are not square, powers that are no integers, and negative powers of singular matrices
 * @example
 * ```ts
 * Nx.LinAlg.matrixPower(Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] }), 3);
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [37, 54],
 * //     [81, 118]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.matrixPower(Nx.tensor([[2, 0], [0, 4]]), -2);
 * // => #Nx.Tensor<
 * //   f32[2][2]
 * //   [
 * //     [0.25, 0.0],
 * //     [0.0, 0.0625]
 * //   ]
 * // >
 * Nx.LinAlg.matrixPower(Nx.eye(2), 0.5);
 * // throws ArgumentError: Nx.LinAlg.matrixPower expects an integer as power, got: 0.5
 * ```
 */
export function matrixPower<N extends Names, const P extends number>(tensor: Operand<N>, power: P): Tensor<Power<N, P>>;
export function matrixPower(tensor: Operand, power: number): Tensor {
  const fn = "Nx.LinAlg.matrixPower";
  if (!Number.isSafeInteger(power)) throw new ArgumentError(`${fn} expects an integer as power, got: ${show(power)}`);
  const given = asTensor(tensor, fn);
  const a = readSquare(fn, given);
  const names = power < 0 ? [a.columnName, a.rowName] : [a.rowName, a.columnName];
  const exact = isInteger(given.type) && power >= 0;
  const type = power < 0 ? toFloating(given.type) : given.type;
  const out = resultOf(type, a, [a.rows, a.rows], names);
  const base = exact ? finish(given, resultOf(given.type, unnamedBatch(a), [a.rows, a.rows])) : widely(a.tensor);
  return finish(raised(power < 0 ? inverseWide(base, a) : base, Math.abs(power), a), out);
}

const unnamedBatch = ({ batch }: Matrices) => ({ batch, batchNames: batch.map(() => null) });

function raised(base: Tensor, power: number, { batch, rows }: Matrices): Tensor {
  let result: Tensor | null = null;
  let square = base;
  for (let rest = power; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result === null ? square : matmul(result, square);
    if (rest > 1) square = matmul(square, square);
  }
  return result ?? repeated(eye(rows, { type: base.type }), batch);
}
