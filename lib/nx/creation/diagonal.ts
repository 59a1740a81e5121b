/**
 * Diagonals of matrices: made, put and taken. A diagonal is every (columns + 1)-th element of the flattened matrix.
 */
import { ADD } from "../../backends/ops";
import type { Batch, Plain } from "../../core/axis-types";
import { ArgumentError } from "../../core/errors";
import { INDEXED, PAD } from "../../backends/primitives";
import { unnamed } from "../../core/names";
import { checkOptions, integerOption } from "../../core/options";
import { checkSize, formatShape, type Names, type Shape } from "../../core/shape";
import { commonType } from "../../core/promotion";
import type { DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { asTensor, constant, run, template } from "../dispatch";
import { iota } from "./generators";
import { s64 } from "./typed";

/** Options of the functions on diagonals. */
export interface DiagonalOptions {
  /** Which diagonal: above the main one if positive, below it if negative; 0 when left out. */
  readonly offset?: number;
}

function offsetOf(fn: string, options: DiagonalOptions | undefined): number {
  options = checkOptions(fn, options, ["offset"]);
  return integerOption(fn, "offset", options?.offset, 0);
}

/**
 * A square matrix with a vector on its diagonal and zeros elsewhere; the converse of {@link takeDiagonal}.
 *
 * @param tensor - the vector, of shape `[n]` and any type
 * @param options - `offset` of the diagonal (0)
 * @returns a matrix of size `n + |offset|`, of the type of the vector, without names
 * @throws ArgumentError if the tensor is no vector
 * @example
 * ```ts
 * Nx.makeDiagonal(Nx.tensor([1, 2, 3]));
 * // => #Nx.Tensor<
 * //   s64[3][3]
 * //   [
 * //     [1, 0, 0],
 * //     [0, 2, 0],
 * //     [0, 0, 3]
 * //   ]
 * // >
 * Nx.makeDiagonal(Nx.tensor([1, 2], { names: ["x"] }), { offset: -1 });
 * // => #Nx.Tensor<
 * //   s64[3][3]
 * //   [
 * //     [0, 0, 0],
 * //     [1, 0, 0],
 * //     [0, 2, 0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.makeDiagonal(Nx.tensor([[0, 0], [0, 1]]));
 * // throws ArgumentError: Nx.makeDiagonal expects tensor of rank 1, got tensor of rank: 2
 * ```
 */
export function makeDiagonal(tensor: Tensor, options?: DiagonalOptions): Tensor<readonly [null, null]>;
export function makeDiagonal(tensor: Tensor, options?: DiagonalOptions): Tensor {
  const offset = offsetOf("Nx.makeDiagonal", options);
  const t = asTensor(tensor, "Nx.makeDiagonal");
  expectRank("Nx.makeDiagonal expects tensor of rank 1", t, 1);
  const length = t.shape[0]!;
  const n = length + Math.abs(offset);
  const shape = Object.freeze([n, n]);
  checkSize(shape, "a matrix of shape");
  const low = offset < 0 ? -offset * n : offset;
  const high = n * n - low - ((length - 1) * (n + 1) + 1);
  const flat = template(t.type, Object.freeze([n * n]), unnamed(1));
  const spread = run(PAD, flat, [t, constant(0, t.type)], { config: [[low, high, n]] });
  return run("reshape", template(t.type, shape, unnamed(2)), [spread], {});
}

/**
 * The matrix with its diagonal replaced by a vector.
 *
 * @param tensor - the matrix, of shape `[m, n]`
 * @param diagonal - the vector, as long as the diagonal
 * @param options - `offset` of the diagonal (0)
 * @returns a matrix of the merged type, with the names of the matrix
 * @throws ArgumentError if the ranks are not 2 and 1, the offset lies outside the matrix, or the length is another
 * @example
 * ```ts
 * Nx.putDiagonal(Nx.fill([3, 4], 0, { names: ["x", "y"] }), Nx.tensor([1, 2, 3]));
 * // => #Nx.Tensor<
 * //   s64[x: 3][y: 4]
 * //   [
 * //     [1, 0, 0, 0],
 * //     [0, 2, 0, 0],
 * //     [0, 0, 3, 0]
 * //   ]
 * // >
 * Nx.putDiagonal(Nx.fill([3, 3], 0), Nx.tensor([1, 2]), { offset: 1 });
 * // => #Nx.Tensor<
 * //   s64[3][3]
 * //   [
 * //     [0, 1, 0],
 * //     [0, 0, 2],
 * //     [0, 0, 0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.putDiagonal(Nx.iota([3, 3]), Nx.iota([2]));
 * // throws ArgumentError: Nx.putDiagonal: expected diagonal tensor of length: 3, got diagonal tensor of length: 2
 * Nx.putDiagonal(Nx.iota([3, 3]), Nx.iota([3]), { offset: -3 });
 * // throws ArgumentError: Nx.putDiagonal: absolute value of offset must be less than length of axis 0 when negative, got: -3
 * ```
 */
export function putDiagonal<N extends Names>(
  tensor: Tensor<N>,
  diagonal: Tensor,
  options?: DiagonalOptions,
): Tensor<N> {
  const offset = offsetOf("Nx.putDiagonal", options);
  const t = asTensor(tensor, "Nx.putDiagonal");
  const values = asTensor(diagonal, "Nx.putDiagonal");
  expectRank("Nx.putDiagonal expects tensor of rank 2", t, 2);
  expectRank("Nx.putDiagonal expects diagonal of rank 1", values, 1);
  const length = diagonalLength(t, offset);
  if (values.shape[0] !== length) {
    throw new ArgumentError(
      `expected diagonal tensor of length: ${length}, got diagonal tensor of length: ${values.shape[0]!} ` +
        `for shape ${formatShape(t.shape, t.names)} and offset ${offset}`,
    );
  }
  const type = commonType("Nx.putDiagonal", t, values);
  const inputs = [cast(t, type), diagonalIndices(length, offset), cast(values, type)];
  return run(INDEXED, template(type, t.shape, t.names), inputs, { op: "put", axes: [0, 1] }) as Tensor<N>;
}

/** Row and column of each element, of shape [length, 2]. */
function diagonalIndices(length: number, offset: number): Tensor {
  const counted = iota([length, 2], { axis: 0, type: "s64" });
  if (offset === 0) return counted;
  const start = s64([[Math.max(-offset, 0), Math.max(offset, 0)]]);
  return run("binary", template("s64", counted.shape, counted.names), [counted, start], {
    op: ADD,
    type: "s64",
  });
}

function cast(t: Tensor, type: DType): Tensor {
  return t.type === type ? t : run("asType", template(type, t.shape, t.names), [t], { overflow: "saturate" });
}

/**
 * The diagonal of a matrix, or of each matrix of a batch; the converse of {@link makeDiagonal}.
 *
 * @param tensor - of shape `[..., m, n]` and any type
 * @param options - `offset` of the diagonal (0)
 * @returns a tensor of shape `[..., length]`; batch axes keep their names, the new axis has none
 * @throws ArgumentError if the rank is below 2 or the offset lies outside the matrix
 * @example
 * ```ts
 * Nx.takeDiagonal(Nx.iota([3, 3]));
 * // => #Nx.Tensor<
 * //   s64[3]
 * //   [0, 4, 8]
 * // >
 * Nx.takeDiagonal(Nx.iota([3, 2, 2], { names: ["batch", "x", "y"] }), { offset: -1 });
 * // => #Nx.Tensor<
 * //   s64[batch: 3][1]
 * //   [
 * //     [2],
 * //     [6],
 * //     [10]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.takeDiagonal(Nx.tensor([0, 1, 2]));
 * // throws ArgumentError: Nx.takeDiagonal expects tensor of rank 2 or higher, got tensor of rank: 1
 * Nx.takeDiagonal(Nx.iota([3, 3]), { offset: 3 });
 * // throws ArgumentError: Nx.takeDiagonal: offset must be less than length of axis 1 when positive, got: 3
 * ```
 */
export function takeDiagonal<N extends Names>(
  tensor: Tensor<N>,
  options?: DiagonalOptions,
): Tensor<Plain<readonly [...Batch<N>, null]>>;
export function takeDiagonal(tensor: Tensor, options?: DiagonalOptions): Tensor {
  const offset = offsetOf("Nx.takeDiagonal", options);
  const t = asTensor(tensor, "Nx.takeDiagonal");
  if (t.shape.length < 2) throw wrongRank("Nx.takeDiagonal expects tensor of rank 2 or higher", t);
  const length = diagonalLength(t, offset);
  const [rows, columns] = t.shape.slice(-2) as [number, number];
  const batch = t.shape.slice(0, -2);
  const zeros = batch.map(() => 0);
  const flat = withLast(t.type, batch, rows * columns, unnamed(batch.length));
  const out = withLast(t.type, batch, length, t.names.slice(0, -2));
  return run("slice", out, [run("reshape", flat, [t], {})], {
    starts: [...zeros, offset < 0 ? -offset * columns : offset],
    lengths: [...batch, (length - 1) * (columns + 1) + 1],
    strides: [...batch.map(() => 1), columns + 1],
  });
}

function withLast(type: DType, batch: Shape, size: number, names: Names): ReturnType<typeof template> {
  return template(type, Object.freeze([...batch, size]), Object.freeze([...names, null]));
}

/** Length of a diagonal of the last two axes, at least 1. */
function diagonalLength(t: Tensor, offset: number): number {
  const rank = t.shape.length;
  const [rows, columns] = t.shape.slice(-2) as [number, number];
  const where = `, in shape ${formatShape(t.shape, t.names)}`;
  if (offset >= columns) {
    throw new ArgumentError(
      `offset must be less than length of axis ${rank - 1} when positive, got: ${offset}${where}`,
    );
  }
  if (-offset >= rows) {
    throw new ArgumentError(
      `absolute value of offset must be less than length of axis ${rank - 2} when negative, got: ${offset}${where}`,
    );
  }
  return offset < 0 ? Math.min(rows + offset, columns) : Math.min(rows, columns - offset);
}

function expectRank(what: string, t: Tensor, rank: number): void {
  if (t.shape.length !== rank) throw wrongRank(what, t);
}

function wrongRank(what: string, t: Tensor): ArgumentError {
  return new ArgumentError(`${what}, got tensor of rank: ${t.shape.length} and shape ${formatShape(t.shape, t.names)}`);
}
