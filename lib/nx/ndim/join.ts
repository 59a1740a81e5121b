/**
 * Several tensors as one: concatenate, stack.
 */
import type { AxisOf, Given, Insert, Joined, Unguessed } from "../../core/axis-types";
import { mapContainer, type Container } from "../../container";
import { ArgumentError, show } from "../../core/errors";
import { checkName, mergeNames, uniqueNames } from "../../core/names";
import { checkOptions, type AlsoAxes, type More } from "../../core/options";
import {
  checkSize,
  formatShape,
  resolveAxis,
  sameShape,
  type Axis,
  type Name,
  type Names,
  type Shape,
} from "../../core/shape";
import { commonTypeOf } from "../../core/promotion";
import { Tensor, type Operand } from "../../tensor";
import { alias, asTensors, run, template } from "../dispatch";

/** Options of `Nx.concatenate`. */
export interface ConcatenateOptions<A = Axis> extends AlsoAxes<A> {
  /** The axis along which the tensors are joined, by position or name; the first when left out. */
  readonly axis?: A;
}

/** Options of `Nx.stack`. */
export interface StackOptions<A = number | undefined, M = Name> extends AlsoAxes<A> {
  /** The position of the new axis, negative from the end; the first when left out. */
  readonly axis?: A;
  /** The name of the new axis, or null, which it is when left out. */
  readonly name?: M;
}

/**
 * Tensors one after the other along an axis they have. All other sizes must be equal.
 *
 * @param tensors - a list, or any container, of tensors of one rank, at least 1
 * @param options - `axis` to join along, the first when left out
 * @returns the merged type; the shape with the sizes along the axis added up; the merged names. One tensor comes back as it is
 * @throws ArgumentError for shapes that differ elsewhere, for scalars, for names that do not merge and for no tensors
 * @example
 * ```ts
 * Nx.concatenate([Nx.tensor([1, 2, 3]), Nx.tensor([4.5])]);
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [1.0, 2.0, 3.0, 4.5]
 * // >
 * ```
 * @example
 * ```ts
 * const left = Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] });
 * const right = Nx.tensor([[5], [6]], { names: [null, "y"] });
 * Nx.concatenate([left, right], { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [1, 2, 5],
 * //     [3, 4, 6]
 * //   ]
 * // >
 * Nx.concatenate([left, right]);
 * // throws ArgumentError: Nx.concatenate along axis 0 expects tensors of one shape but for that axis, got [x: 2][y: 2] and [2][y: 1]
 * ```
 */
export function concatenate<const T extends Container<Operand>>(
  tensors: T,
  options?: AxisOf<Joined<T>> | ConcatenateOptions<AxisOf<Joined<T>>>,
): Tensor<Joined<T>>;
export function concatenate(tensors: Container<Operand>, options?: Axis | ConcatenateOptions): Tensor {
  const fn = "Nx.concatenate";
  checkListed(fn, options);
  const choice = checkOptions<ConcatenateOptions>(fn, options, ["axis"]);
  const [first, ...others] = readTensors(fn, tensors);
  if (first.shape.length === 0)
    throw new ArgumentError(`${fn} joins along an axis, which scalars do not have; use Nx.stack`);
  const axis = resolveAxis(choice?.axis === undefined ? 0 : choice.axis, first.shape, first.names);
  if (others.length === 0) return alias(first);
  const shape = first.shape.slice();
  for (const t of others) {
    if (!fitsAlong(first.shape, t.shape, axis)) {
      throw new ArgumentError(
        `${fn} along axis ${axis} expects tensors of one shape but for that axis, got ${describe(first)} and ${describe(t)}`,
      );
    }
    shape[axis]! += t.shape[axis]!;
  }
  checkSize(shape, `the result of ${fn}, shape`);
  const out = template(commonTypeOf(fn, [first, ...others]), Object.freeze(shape), namesOf(first, others));
  return run("concatenate", out, [first, ...others], { axis });
}

/**
 * Tensors of one shape as one with a further axis, along which they lie.
 *
 * @param tensors - a list, or any container, of tensors of one shape
 * @param options - `axis`: where the new axis goes, in front when left out, negative from the end; `name` of the new axis
 * @returns the merged type; the shape with the number of tensors at `axis`; the merged names and the new one
 * @throws ArgumentError for shapes that differ, for names that do not merge or occur twice, and for no tensors
 * @example
 * ```ts
 * const rows = [Nx.tensor([1, 2], { names: ["x"] }), Nx.tensor([3, 4], { names: ["x"] })];
 * Nx.stack(rows, { name: "row" });
 * // => #Nx.Tensor<
 * //   s64[row: 2][x: 2]
 * //   [
 * //     [1, 2],
 * //     [3, 4]
 * //   ]
 * // >
 * Nx.stack(rows, { axis: -1 });
 * // => #Nx.Tensor<
 * //   s64[x: 2][2]
 * //   [
 * //     [1, 3],
 * //     [2, 4]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.stack([1, 2.5]);
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [1.0, 2.5]
 * // >
 * Nx.stack([Nx.tensor([1]), Nx.tensor([1, 2])]);
 * // throws ArgumentError: Nx.stack expects tensors of one shape, got [1] and [2]
 * ```
 */
export function stack<
  const T extends Container<Operand>,
  const A extends number | undefined = undefined,
  const M extends Name = null,
>(
  tensors: T,
  options?: A | StackOptions<A, M>,
  ..._more: More<StackOptions<undefined, M>>
): Tensor<Insert<Joined<T>, Given<A, 0>, Unguessed<M>>>;
export function stack(tensors: Container<Operand>, given?: number | StackOptions): Tensor {
  const fn = "Nx.stack";
  checkListed(fn, given);
  const options = checkOptions<StackOptions>(fn, given, ["axis", "name"]);
  const [first, ...others] = readTensors(fn, tensors);
  const name = checkName(options?.name ?? null);
  for (const t of others) {
    if (!sameShape(first.shape, t.shape)) {
      throw new ArgumentError(`${fn} expects tensors of one shape, got ${describe(first)} and ${describe(t)}`);
    }
  }
  const names = namesOf(first, others);
  const axis = newPosition(fn, options?.axis === undefined ? 0 : options.axis, first);
  const widened = Object.freeze([...first.shape.slice(0, axis), 1, ...first.shape.slice(axis)]);
  const shape = Object.freeze(widened.map((size, i) => (i === axis ? others.length + 1 : size)));
  checkSize(shape, `the result of ${fn}, shape`);
  const widenedNames = uniqueNames(Object.freeze([...names.slice(0, axis), name, ...names.slice(axis)]), shape);
  const pieces = [first, ...others].map((t) => run("reshape", template(t.type, widened, widenedNames), [t], {}));
  return run("concatenate", template(commonTypeOf(fn, [first, ...others]), shape, widenedNames), pieces, { axis });
}

/** Where a new axis goes; negative from the end, -1 being after the last. */
function newPosition(fn: string, axis: unknown, { shape, names }: Tensor): number {
  const rank = shape.length;
  const position = typeof axis === "number" && axis < 0 ? axis + rank + 1 : axis;
  if (typeof position === "number" && Number.isInteger(position) && position >= 0 && position <= rank) return position;
  throw new ArgumentError(
    `option axis of ${fn} must be an integer from ${-rank - 1} to ${rank}, as a new axis of shape ` +
      `${formatShape(shape, names)}, got: ${show(axis)}`,
  );
}

/** Refuses a second tensor where the options stand. */
function checkListed(fn: string, options: unknown): void {
  if (options instanceof Tensor) throw new ArgumentError(`${fn} takes tensors in a list: ${fn}([a, b])`);
}

function readTensors(fn: string, tensors: unknown): [Tensor, ...Tensor[]] {
  const leaves: unknown[] = [];
  mapContainer(tensors, (leaf) => leaves.push(leaf));
  const [first, ...others] = asTensors(leaves, fn);
  if (first === undefined) throw new ArgumentError(`${fn} expects a list of at least one tensor, got none`);
  return [first, ...others];
}

const describe = ({ shape, names }: Tensor): string => formatShape(shape, names);

const fitsAlong = (a: Shape, b: Shape, axis: number): boolean =>
  a.length === b.length && a.every((size, i) => i === axis || size === b[i]);

const namesOf = (first: Tensor, others: readonly Tensor[]): Names =>
  others.reduce((names, t) => mergeNames(names, first.shape, t.names, t.shape), first.names);
