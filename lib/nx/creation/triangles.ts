/**
 * Triangles of matrices: tri, tril, triu. Comparisons of row and column numbers, and selections by them.
 */
import { IOTA } from "../../backends/primitives";
import { ADD, GREATER_EQUAL } from "../../backends/ops";
import { creationBackend, runWithBackend } from "../../backends/registry";
import { ArgumentError } from "../../core/errors";
import { checkNames, unnamed } from "../../core/names";
import { checkOptions, integerOption } from "../../core/options";
import { checkShape, formatShape, type Names, type Shape } from "../../core/shape";
import { normalizeType } from "../../core/types";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, cast, constant, run, template } from "../dispatch";
import type { TensorOptions } from "./tensor";

/** Options of `Nx.tril` and `Nx.triu`. */
export interface TriangleOptions {
  /** The diagonal that bounds the triangle: above the main one if positive, below it if negative; 0 when left out. */
  readonly k?: number;
}

/** Options of `Nx.tri`. */
export interface TriOptions<N extends Names = Names> extends TensorOptions<N>, TriangleOptions {}

/**
 * A matrix with ones at and below a diagonal, and zeros above it.
 *
 * @param rows - number of rows
 * @param columns - number of columns; as many as rows when left out
 * @param options - `k`, the diagonal (0); `type` (`u8`), `names`, `backend`
 * @returns a matrix of shape `[rows, columns]`
 * @throws ArgumentError for sizes that are no positive integers
 * @example
 * ```ts
 * Nx.tri(2, 3, { k: 1, names: ["row", "column"] });
 * // => #Nx.Tensor<
 * //   u8[row: 2][column: 3]
 * //   [
 * //     [1, 1, 0],
 * //     [1, 1, 1]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.tri(3);
 * // => #Nx.Tensor<
 * //   u8[3][3]
 * //   [
 * //     [1, 0, 0],
 * //     [1, 1, 0],
 * //     [1, 1, 1]
 * //   ]
 * // >
 * Nx.tri(0);
 * // throws ArgumentError: shape of Nx.tri must hold positive integers only, got 0 in [0, 0]; empty tensors do not exist
 * ```
 */
export function tri<const N extends Names = Names>(rows: number, columns?: number, options?: TriOptions<N>): Tensor<N> {
  const fn = "Nx.tri";
  options = checkOptions(fn, options, ["k", "type", "names", "backend"]);
  const k = integerOption(fn, "k", options?.k, 0);
  const shape = checkShape([rows, columns ?? rows], `shape of ${fn}`);
  const names = checkNames(options?.names, shape);
  const type = normalizeType(options?.type ?? "u8");
  const make = (): Tensor => cast(below(shape, k, names), type);
  const made = options?.backend === undefined ? make() : runWithBackend(creationBackend(options.backend), make);
  return made as Tensor<N>;
}

/** Where the elements of matrices lie at or below the diagonal `k`. */
function below(shape: Shape, k: number, names: Names): Tensor {
  const rank = shape.length;
  const counted = (axis: number): Tensor => {
    const out = template("s64", Object.freeze(shape.map((size, i) => (i === axis ? size : 1))), unnamed(rank));
    return run(IOTA, out, [], { axis });
  };
  const [row, column] = [counted(rank - 2), counted(rank - 1)];
  const bound = run("binary", template("s64", row.shape, row.names), [row, constant(k, "s64")], {
    op: ADD,
    type: "s64",
  });
  return run("binary", template("u8", shape, names), [bound, column], { op: GREATER_EQUAL, type: "s64" });
}

/**
 * The lower triangle of a matrix, or of each matrix of a batch: the elements at and below a diagonal, zeros above it.
 *
 * @param tensor - of shape `[..., rows, columns]` and any type
 * @param options - `k`, the diagonal (0)
 * @returns a tensor of the same type, shape and names
 * @throws ArgumentError for less than two axes
 * @example
 * ```ts
 * Nx.tril(Nx.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]], { names: ["x", "y"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 3][y: 3]
 * //   [
 * //     [1, 0, 0],
 * //     [4, 5, 0],
 * //     [7, 8, 9]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.tril(Nx.f32([[NaN, Infinity], [1, 2]]), { k: -1 });
 * // => #Nx.Tensor<
 * //   f32[2][2]
 * //   [
 * //     [0.0, 0.0],
 * //     [1.0, 0.0]
 * //   ]
 * // >
 * Nx.tril(Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.tril expects a tensor of at least 2 axes, got shape [2]
 * ```
 */
export function tril<N extends Names>(tensor: Operand<N>, options?: TriangleOptions): Tensor<N> {
  return triangle("Nx.tril", tensor, options, (t, zero, k) => [below(t.shape, k, t.names), t, zero]);
}

/**
 * The upper triangle of a matrix, or of each matrix of a batch: the elements at and above a diagonal, zeros below it.
 *
 * @param tensor - of shape `[..., rows, columns]` and any type
 * @param options - `k`, the diagonal (0)
 * @returns a tensor of the same type, shape and names
 * @throws ArgumentError for less than two axes
 * @example
 * ```ts
 * Nx.triu(Nx.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]], { names: ["x", "y"] }), { k: 1 });
 * // => #Nx.Tensor<
 * //   s64[x: 3][y: 3]
 * //   [
 * //     [0, 2, 3],
 * //     [0, 0, 6],
 * //     [0, 0, 0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.triu(Nx.tensor(5));
 * // throws ArgumentError: Nx.triu expects a tensor of at least 2 axes, got shape []
 * ```
 */
export function triu<N extends Names>(tensor: Operand<N>, options?: TriangleOptions): Tensor<N> {
  return triangle("Nx.triu", tensor, options, (t, zero, k) => [below(t.shape, k - 1, t.names), zero, t]);
}

function triangle<N extends Names>(
  fn: string,
  tensor: Operand<N>,
  options: TriangleOptions | undefined,
  choose: (t: Tensor, zero: Tensor, k: number) => [mask: Tensor, onTrue: Tensor, onFalse: Tensor],
): Tensor<N> {
  options = checkOptions(fn, options, ["k"]);
  const k = integerOption(fn, "k", options?.k, 0);
  const t: Tensor = asTensor(tensor, fn);
  if (t.shape.length < 2) {
    throw new ArgumentError(`${fn} expects a tensor of at least 2 axes, got shape ${formatShape(t.shape, t.names)}`);
  }
  const operands = choose(t, constant(0, t.type), k);
  return run("select", template(t.type, t.shape, t.names), operands, {}) as Tensor<N>;
}
