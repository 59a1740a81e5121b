/**
 * Reordering, joining and cutting axes by a pattern.
 */
import type { LaidOut, LayoutPattern, PatternSizes } from "../../core/pattern-types";
import type { Names } from "../../core/shape";
import type { Operand, Tensor } from "../../tensor";
import { laidOut } from "../patterns/layout";

/**
 * Reorders, joins and cuts axes as a pattern says, in which words stand for axes: those of the tensor in front of `->`, those of the
 * result behind it. It is `rearrange` of einops; {@link reduce} and {@link repeat} take patterns, too.
 *
 * Axes in parentheses are one axis, of which the last word goes fastest. Where it is cut, all of its words but one need a size. `1` is
 * an axis of size 1 that comes or goes, `...` stands for any number of axes, which keep their order and names. A word in front of `->`
 * must be the name of its axis, where that has one; in the result axes are named by the words, joined ones have no name.
 *
 * @param tensor - a tensor or a plain number
 * @param pattern - such as `"batch (height width) -> batch height width"`
 * @param sizes - sizes of words, by the words
 * @returns the same elements, of the same type
 * @throws ArgumentError, which points into the pattern, for words that are not those of the axes, that stand on one side only or twice, for
 *   sizes that do not fit, and for parentheses that do not close
 * @example
 * ```ts
 * const images = Nx.iota([2, 6], { names: ["batch", "pixel"] });
 * Nx.rearrange(images, "batch (height width) -> height (batch width)", { height: 2 });
 * // => #Nx.Tensor<
 * //   s64[height: 2][6]
 * //   [
 * //     [0, 1, 2, 6, 7, 8],
 * //     [3, 4, 5, 9, 10, 11]
 * //   ]
 * // >
 * images.rearrange("... pixel -> pixel 1 ...").names;
 * // => [ "pixel", null, "batch" ]
 * ```
 * @example
 * ```ts
 * const t = Nx.iota([2, 3], { names: ["row", "column"] });
 * Nx.rearrange(t as Nx.Tensor, "row col -> col row");
 * // throws ArgumentError: Nx.rearrange: axis 1 of [row: 2][column: 3] is "column", where the pattern says "col"
 * ```
 */
export function rearrange<N extends Names, const P extends string>(
  tensor: Operand<N>,
  pattern: LayoutPattern<P, N>,
  sizes?: PatternSizes<P>,
): Tensor<LaidOut<P, N>>;
export function rearrange(tensor: Operand, pattern: string, sizes?: object): Tensor {
  return laidOut("Nx.rearrange", "rearrange", tensor, pattern, sizes);
}
