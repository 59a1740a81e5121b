/**
 * Assertions on shapes, checked while a function is traced.
 */
import { ArgumentError, show } from "../../core/errors";
import { formatShape, type Names } from "../../core/shape";
import { alias, asTensor } from "../../nx/dispatch";
import type { Operand, Tensor } from "../../tensor";

/** The size of an axis: a number, any (`null` or `"auto"`), or a letter that stands for the same size everywhere. */
export type SizePattern = number | string | null;

/** Sizes of all axes, sizes of all axes with their names in order, or any shape at all. */
export type ShapePattern = "auto" | readonly SizePattern[] | { readonly [name: string]: SizePattern };

const EXPECTED =
  `Nx.Defn.assertShape expects a pattern of a size for each axis, such as [null, 3], ["n", "n"] or { batch: null, x: 3 }, ` +
  `or "auto" for any shape`;

/** Names, where the pattern has them, and sizes. */
function readPattern(pattern: unknown): { names: readonly string[] | null; sizes: readonly SizePattern[] } {
  const isArray = Array.isArray(pattern);
  if (
    !isArray &&
    (typeof pattern !== "object" || pattern === null || Object.getPrototypeOf(pattern) !== Object.prototype)
  ) {
    throw new ArgumentError(`${EXPECTED}, got: ${show(pattern)}`);
  }
  const sizes = isArray ? (pattern as unknown[]) : Object.values(pattern as object);
  const wrong = sizes.find((size) => !isSize(size));
  if (sizes.some((size) => !isSize(size)))
    throw new ArgumentError(`${EXPECTED}, got ${show(wrong)} in ${show(pattern)}`);
  return { names: isArray ? null : Object.keys(pattern as object), sizes: sizes as SizePattern[] };
}

const isSize = (size: unknown): boolean =>
  size === null || typeof size === "string" || (typeof size === "number" && Number.isInteger(size) && size > 0);

/** Whether sizes fit a pattern; equal letters stand for equal sizes. */
function fits(shape: readonly number[], sizes: readonly SizePattern[]): boolean {
  if (shape.length !== sizes.length) return false;
  const letters = new Map<string, number>();
  return sizes.every((size, axis) => {
    const actual = shape[axis]!;
    if (size === null || size === "auto") return true;
    if (typeof size === "number") return size === actual;
    const known = letters.get(size) ?? actual;
    letters.set(size, known);
    return known === actual;
  });
}

function patternText(names: readonly string[] | null, sizes: readonly SizePattern[]): string {
  if (sizes.length === 0) return "[]";
  return sizes
    .map((size, i) => {
      const text = size === null || size === "auto" ? "any" : String(size);
      return names === null ? `[${text}]` : `[${names[i]}: ${text}]`;
    })
    .join("");
}

/**
 * Checks the shape of a tensor, within a traced function while it is traced: it costs nothing when the graph runs.
 *
 * @param tensor - a tensor; a plain number is taken as a scalar tensor
 * @param pattern - sizes of all axes as an array, or as an object of names and sizes in order. A size is a number, `null` or
 *   `"auto"` for any, or another string that stands for the same size wherever it occurs. `"auto"` alone is any shape.
 * @returns the tensor
 * @throws ArgumentError where rank, sizes or names differ, with the pattern and the shape
 * @example
 * ```ts
 * const gram = Nx.defn((rows: Nx.Tensor) => {
 *   Nx.Defn.assertShape(rows, { row: null, x: 2 });
 *   return Nx.Defn.assertShape(Nx.dot(rows.transpose(), rows.rename([null, null])), ["n", "n"]);
 * });
 * gram(Nx.tensor([[1, 2], [3, 4], [5, 6]], { names: ["row", "x"] })).shape;
 * // => [ 2, 2 ]
 * ```
 * @example
 * ```ts
 * Nx.Defn.assertShape(Nx.iota([2, 3]), [null, 4]);
 * // throws ArgumentError: Nx.Defn.assertShape expected a tensor of shape [any][4], got: s64[2][3]
 * Nx.Defn.assertShape(Nx.iota([2, 3], { names: ["row", "y"] }), { row: "auto", x: 3 });
 * // throws ArgumentError: Nx.Defn.assertShape expected a tensor of shape [row: any][x: 3], got: s64[row: 2][y: 3]
 * ```
 */
export function assertShape<N extends Names = readonly []>(tensor: Operand<N>, pattern: ShapePattern): Tensor<N> {
  const t = asTensor(tensor, "Nx.Defn.assertShape") as Tensor<N>;
  if (pattern === "auto") return alias(t) as Tensor<N>;
  const { names, sizes } = readPattern(pattern);
  const isNamed = names === null || names.every((name, axis) => name === t.names[axis]);
  if (isNamed && fits(t.shape, sizes)) return alias(t) as Tensor<N>;
  const wanted = patternText(names, sizes);
  throw new ArgumentError(
    `Nx.Defn.assertShape expected a tensor of shape ${wanted}, got: ${t.type}${formatShape(t.shape, t.names)}`,
  );
}
