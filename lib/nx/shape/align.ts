/**
 * Axes in an order given by names, so that tensors line up by name before they meet by position.
 */
import { ArgumentError, show } from "../../core/errors";
import { checkNames } from "../../core/names";
import { formatShape, type Names } from "../../core/shape";
import type { WithAxes } from "../../methods";
import type { Operand, Tensor } from "../../tensor";
import { asTensor } from "../dispatch";
import { transpose } from "./layout";
import { reshaped } from "./move";

/**
 * Brings the axes into an order given by names: a transpose, with axes of size 1 for names the tensor does not have. So
 * two tensors line up by name before an operation that lines up by position.
 *
 * @param tensor - a tensor all of whose axes are named
 * @param order - the names of the result's axes
 * @throws ArgumentError when an axis of the tensor is unnamed or missing from the order, or a name repeats
 * @example
 * ```ts
 * Nx.align(Nx.iota([2, 3], { names: ["x", "y"] }), "y", "batch", "x");
 * // => #Nx.Tensor<
 * //   s64[y: 3][batch: 1][x: 2]
 * //   [
 * //     [
 * //       [0, 3]
 * //     ],
 * //     [
 * //       [1, 4]
 * //     ],
 * //     [
 * //       [2, 5]
 * //     ]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.align(Nx.iota([2, 3], { names: ["x", "y"] }), "y");
 * // throws ArgumentError: Nx.align to ["y"] needs every axis of [x: 2][y: 3] named and given once; axis 0 is
 * ```
 */
export function align<const M extends readonly string[]>(tensor: Operand, ...order: M): Tensor<readonly [...M]> {
  const t = asTensor(tensor, "Nx.align");
  const missing = t.names.findIndex((name) => name === null || !order.includes(name));
  if (missing >= 0 || new Set(order).size !== order.length) {
    throw new ArgumentError(
      `align to ${show(order)} needs every axis of ${formatShape(t.shape, t.names)} named and given once; ` +
        `${missing >= 0 ? `axis ${missing} is not` : "a name repeats"}`,
    );
  }
  const present = order.filter((name) => t.names.includes(name));
  const moved = transpose(t as Tensor, { axes: present });
  const shape = order.map((name) => (present.includes(name) ? t.shape[t.names.indexOf(name)]! : 1));
  return reshaped(moved, shape, checkNames(order, shape)) as Tensor as Tensor<readonly [...M]>;
}

/**
 * Brings the axes into the order that they have in another tensor, by name: a transpose, with axes of size 1 for those that the
 * tensor does not have. So it meets the other by position as `Nx.byName` would have them meet.
 *
 * @param tensor - a tensor all of whose axes are named, and are axes of `like`; or a plain number
 * @param like - a tensor all of whose axes are named; its sizes do not matter
 * @returns a tensor with the names of `like`
 * @throws ArgumentError when an axis of either tensor is unnamed, or `like` lacks an axis of the tensor
 * @example
 * ```ts
 * const x = Nx.iota([2, 3], { names: ["day", "hour"] });
 * Nx.alignAs(Nx.tensor([10, 20], { names: ["day"] }), x);
 * // => #Nx.Tensor<
 * //   s64[day: 2][hour: 1]
 * //   [
 * //     [10],
 * //     [20]
 * //   ]
 * // >
 * x.subtract(x.mean("hour").alignAs(x)).names;
 * // => [ "day", "hour" ]
 * ```
 * @example
 * ```ts
 * // @ts-expect-error there is no axis "month"
 * Nx.alignAs(Nx.tensor([1, 2], { names: ["month"] }), Nx.iota([2, 3], { names: ["day", "hour"] }));
 * // throws ArgumentError: Nx.alignAs: [day: 2][hour: 3] has no axis "month" of [month: 2]; reduce that axis, or put the operands
 * ```
 */
export function alignAs<N extends Names = readonly [], const M extends Names = Names>(
  tensor: Operand<N>,
  like: WithAxes<N, M>,
): Tensor<M>;
export function alignAs(tensor: Operand, like: Operand): Tensor {
  const t = allNamed("Nx.alignAs", asTensor(tensor, "Nx.alignAs"));
  const order = allNamed("Nx.alignAs", asTensor(like, "Nx.alignAs"));
  const lost = t.names.find((name) => !order.names.includes(name));
  if (lost === undefined) return align(t, ...(order.names as readonly string[]));
  throw new ArgumentError(
    `Nx.alignAs: ${formatShape(order.shape, order.names)} has no axis ${show(lost)} of ${formatShape(t.shape, t.names)}; ` +
      `reduce that axis, or put the operands the other way round`,
  );
}

/** The tensor, where all its axes have names; a tensor without axes is one. */
export function allNamed(fn: string, t: Tensor): Tensor {
  const axis = t.names.indexOf(null);
  if (axis < 0) return t;
  throw new ArgumentError(
    `${fn} goes by names, but axis ${axis} of ${formatShape(t.shape, t.names)} has none; name it with Nx.rename`,
  );
}
