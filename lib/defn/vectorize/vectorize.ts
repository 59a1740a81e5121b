/**
 * Vectorizing: functions written for one entry are applied to all entries of an axis at once.
 */
import { mapContainer, type Collection, type CustomContainer, type Recollected } from "../../container";
import type { After, Entry, OneName, WithEntries } from "../../core/axis-types";
import { ArgumentError, DefnError, show } from "../../core/errors";
import { checkName, withInFront } from "../../core/names";
import { formatShape, resolveAxis, type Axis, type Name, type Names } from "../../core/shape";
import { booleanOption, checkOptions, isPlainObject } from "../../core/options";
import { alias, apart, asTensor } from "../../nx/dispatch";
import { rename } from "../../nx/shape";
import type { Tensor, Operand } from "../../tensor";
import type { Scalar } from "../../core/types";
import { LazyTensor, mapArgument, materialised } from "../lazy";
import { isParameter, tensorOfLeaf } from "../signature";
import type { AxisNames, Stacked } from "../trace";
import {
  isOfEntries,
  sizesOf,
  spreadTo,
  transposed,
  type EntryCall,
  type VectorizedAxes,
  type VectorizedAxis,
} from "./axes";
import { vectorized, vectorizedOf } from "./backend";

/**
 * Turns the leading axes of a tensor into vectorized ones: functions then see one entry and apply to all of them.
 *
 * Vectorized axes have names only. Operands with the same vectorized axis go together entry by entry; one that lacks it
 * is used for every entry. The axes come back with {@link devectorize}.
 *
 * @param tensor - a tensor of at least as many axes as names are given
 * @param names - the name of one vectorized axis, or of several; where the axis has a name already it must be that one
 * @returns the tensor without these axes, vectorized over them
 * @throws ArgumentError where there are too few axes, or the tensor is vectorized over an axis of that name already
 * @example
 * ```ts
 * const rows = Nx.vectorize(Nx.tensor([[1, 2], [3, 4]]), "row");
 * rows;
 * // => #Nx.Tensor<
 * //   s64[2]
 * //   vectorized[row: 2]
 * //   [
 * //     [1, 2],
 * //     [3, 4]
 * //   ]
 * // >
 * Nx.devectorize(Nx.subtract(rows, Nx.sum(rows)));
 * // => #Nx.Tensor<
 * //   s64[row: 2][2]
 * //   [
 * //     [-2, -1],
 * //     [-4, -3]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * const x = Nx.vectorize(Nx.tensor([1, 2]), "x");
 * const y = Nx.vectorize(Nx.tensor([10, 20, 30]), "y");
 * Nx.devectorize(Nx.add(x, y));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [11, 21, 31],
 * //     [12, 22, 32]
 * //   ]
 * // >
 * Nx.vectorize(Nx.tensor(1), "x");
 * // throws ArgumentError: Nx.vectorize expects a tensor of at least 1 axis, got shape []
 * ```
 */
export function vectorize<N extends Names, const M extends string | readonly string[]>(
  tensor: Operand<N>,
  names: M,
): Tensor<M extends readonly unknown[] ? After<N, M["length"]> : Entry<N>>;
export function vectorize(tensor: Operand, names: string | readonly string[]): Tensor {
  const t = asTensor(tensor, "Nx.vectorize");
  const list = namesOf(names);
  if (list.length > t.shape.length) {
    throw new ArgumentError(
      `Nx.vectorize expects a tensor of at least ${list.length} ${list.length === 1 ? "axis" : "axes"}, got shape ` +
        formatShape(t.shape, t.names),
    );
  }
  const { inner, axes } = vectorizedOf(t);
  const added = list.map((name, i): VectorizedAxis => ({ name: newName(name, i, t), size: t.shape[i]! }));
  const rest = { type: t.type, shape: Object.freeze(t.shape.slice(list.length)), names: t.names.slice(list.length) };
  return vectorized(alias(inner), [...axes, ...added], rest);
}

function namesOf(names: unknown): readonly string[] {
  const list = typeof names === "string" ? [names] : names;
  if (Array.isArray(list) && list.length > 0) {
    const checked = list.map(checkName);
    const isUnique = new Set(checked).size === checked.length;
    if (isUnique && checked.every((name) => name !== null)) return checked;
  }
  throw new ArgumentError(
    `Nx.vectorize expects a name or an array of different names such as "batch", got: ${show(names)}`,
  );
}

function newName(name: string, axis: number, t: Tensor): string {
  const own = t.names[axis];
  const clashes = own !== null && own !== name;
  const known = vectorizedOf(t).axes.some((other) => other.name === name) || t.names.slice(axis + 1).includes(name);
  if (!clashes && !known) return name;
  const why = clashes
    ? `that axis has the name ${show(own)}; rename it first`
    : "there is an axis of that name already";
  throw new ArgumentError(
    `cannot vectorize axis ${axis} of ${formatShape(t.shape, t.names)} under the name ${show(name)}: ${why}`,
  );
}

/**
 * Gives vectorized axes back: they become the leading axes of the tensor, in the order in which they were vectorized.
 *
 * @param tensor - a tensor, vectorized or not
 * @param options - `keepNames: false` leaves the axes without names
 * @returns a tensor without vectorized axes
 * @throws ArgumentError where the name of a vectorized axis is that of another axis
 * @example
 * ```ts
 * const t = Nx.vectorize(Nx.iota([2, 3], { names: ["batch", "x"] }), "batch");
 * Nx.devectorize(Nx.reduceMax(t));
 * // => #Nx.Tensor<
 * //   s64[batch: 2]
 * //   [2, 5]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.devectorize(Nx.vectorize(Nx.tensor([1, 2]), "x"), { keepNames: false });
 * // => #Nx.Tensor<
 * //   s64[2]
 * //   [1, 2]
 * // >
 * Nx.devectorize(Nx.vectorize(Nx.tensor([1, 2]), "x"), { names: false } as never);
 * // throws ArgumentError: unknown option "names" for Nx.devectorize
 * ```
 */
export function devectorize(tensor: Operand, options?: { readonly keepNames?: boolean }): Tensor {
  checkOptions("Nx.devectorize", options, ["keepNames"]);
  const keepNames = booleanOption("Nx.devectorize", "keepNames", options?.keepNames, true);
  const t = asTensor(tensor, "Nx.devectorize");
  const { entries, own } = apartByKind(t);
  if (own.length === 0) return alias(t);
  const value = vectorizedOf(t);
  const names = Object.freeze([...own.map(({ name }): Name => (keepNames ? name : null)), ...t.names]);
  if (entries.length === 0) return rename(value.inner, names);
  const inner = apart(spreadTo([...entries, ...own], value), value.inner);
  const shape = Object.freeze([...sizesOf(own), ...t.shape]);
  return vectorized(inner, entries, { type: t.type, shape, names });
}

/** The vectorized axes of a tensor: the axes of `vmap`, which stay, and all other axes. */
function apartByKind(t: Tensor): { readonly entries: VectorizedAxes; readonly own: VectorizedAxes } {
  const { axes } = vectorizedOf(t);
  return { entries: axes.filter(isOfEntries), own: axes.filter((axis) => !isOfEntries(axis)) };
}

/**
 * Gives a tensor exactly the vectorized axes named, in that order.
 *
 * Axes it lacks are added by repeating it; axes it has and that are not named become ordinary leading ones.
 *
 * @param tensor - a tensor, vectorized or not
 * @param axes - names and sizes of the vectorized axes wanted; `"auto"` is the size the tensor has under that name
 * @returns the tensor vectorized over these axes
 * @throws ArgumentError where a size differs from the one the tensor has, or is unknown
 * @example
 * ```ts
 * const t = Nx.vectorize(Nx.tensor([1, 2]), "x");
 * Nx.devectorize(Nx.revectorize(t, { y: 3, x: "auto" }));
 * // => #Nx.Tensor<
 * //   s64[y: 3][x: 2]
 * //   [
 * //     [1, 2],
 * //     [1, 2],
 * //     [1, 2]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.revectorize(Nx.vectorize(Nx.tensor([1, 2]), "x"), { x: 3 });
 * // throws ArgumentError: Nx.revectorize was given size 3 for the axis "x", which has size 2
 * ```
 */
export function revectorize(tensor: Operand, axes: { readonly [name: string]: number | "auto" }): Tensor {
  const t = asTensor(tensor, "Nx.revectorize");
  const value = vectorizedOf(t);
  const { entries, own } = apartByKind(t);
  const wanted = [...entries, ...wantedAxes(axes, own)];
  const rest = own.filter(({ name }) => !wanted.some((axis) => axis.name === name));
  const inner = apart(spreadTo([...wanted, ...rest], value), value.inner);
  const shape = Object.freeze([...sizesOf(rest), ...t.shape]);
  const names = Object.freeze([...rest.map(({ name }): Name => name), ...t.names]);
  if (wanted.length > 0) return vectorized(inner, wanted, { type: t.type, shape, names });
  return names.every((name) => name === null) ? inner : rename(inner, names);
}

function wantedAxes(axes: unknown, have: readonly VectorizedAxis[]): VectorizedAxis[] {
  if (!isPlainObject(axes)) {
    throw new ArgumentError(`Nx.revectorize expects names with sizes such as { batch: 2 }, got: ${show(axes)}`);
  }
  return Object.entries(axes).map(([name, size]: [string, unknown]) => {
    const own = have.find((axis) => axis.name === name);
    if (own && (size === "auto" || size === own.size)) return own;
    if (own) {
      throw new ArgumentError(
        `Nx.revectorize was given size ${show(size)} for the axis ${show(name)}, which has size ${own.size}`,
      );
    }
    if (typeof size === "number" && Number.isInteger(size) && size > 0) return { name, size };
    throw new ArgumentError(
      `Nx.revectorize expects a positive size for the axis ${show(name)}, which the tensor does not have, got: ${show(size)}`,
    );
  });
}

/** Axes of the arguments of a function given to {@link vmap}: null for an argument that is the same for every entry. */
export type VmapAxes = Axis | null | readonly (Axis | null)[] | VmapOver;

/** An axis to go over, by name. */
export interface VmapOver {
  /** Tensors with an axis of that name are gone over along it; all others are the same for every entry. */
  readonly over: string;
}

/** The axis of the argument at `I`. */
export type AxisAt<X, I> = X extends readonly unknown[]
  ? I extends keyof X
    ? X[I]
    : null
  : X extends VmapOver
    ? X["over"]
    : X;

/** Arguments of a function of entries with tensors of many entries in place of them. */
export type EntriesIn<A extends readonly unknown[], X> = { [I in keyof A]: ManyEntries<A[I], AxisAt<X, I>> };

/** A container of tensors that have an axis of entries more. */
export type ManyEntries<T, A> = [A] extends [null]
  ? T
  : T extends Tensor<infer N>
    ? Tensor<WithEntries<N, A>>
    : T extends Scalar
      ? T
      : T extends Collection<infer V>
        ? Recollected<T, V, ManyEntries<V, A>>
        : T extends CustomContainer
          ? T
          : { [K in keyof T]: ManyEntries<T[K], A> };

/** Names of the axes that are gone over. */
export type NamesGoneOver<B extends readonly unknown[], X> = X extends VmapOver
  ? X["over"]
  : { [I in keyof B]: AxisAt<X, I> extends null ? never : AxisNames<B[I], AxisAt<X, I>> }[number];

let nextName = 0;

/**
 * A function that applies `fn` to all entries of an axis at once.
 *
 * @param fn - a function of tensors, or of containers of them, written for one entry
 * @param axes - the axis of the arguments to go over, by position or name: one for all arguments (0 by default), or an
 *   array with one for each argument, `null` for those that are the same for every entry; or `{ over: "batch" }`, by name: every tensor in
 *   the arguments that has that axis is gone over, and all others are the same for every entry
 * @returns a function with the same parameters; its results have the axis in front, with the name that it has in the arguments
 *   unless they name it differently or a result has an axis of that name already
 * @throws ArgumentError where sizes differ, or no argument has an axis to go over
 * @example
 * ```ts
 * const normalise = (v: Nx.Tensor) => v.divide(v.sum());
 * Nx.Defn.vmap(normalise)(Nx.f32([[1, 3], [2, 2]]));
 * // => #Nx.Tensor<
 * //   f32[2][2]
 * //   [
 * //     [0.25, 0.75],
 * //     [0.5, 0.5]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * const slope = Nx.Defn.grad((x: Nx.Tensor, a: Nx.Tensor) => x.multiply(x).multiply(a));
 * Nx.Defn.vmap(slope, ["x", null])(Nx.f32([1, 2], { names: ["x"] }), Nx.f32(10));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [20.0, 40.0]
 * // >
 * const scores = (x: Nx.Tensor, weights: Nx.Tensor) => x.dot(weights);
 * const batch = Nx.iota([2, 3], { names: ["feature", "batch"] });
 * Nx.Defn.vmap(scores, { over: "batch" })(batch, Nx.tensor([1, 10], { names: ["feature"] }));
 * // => #Nx.Tensor<
 * //   s64[batch: 3]
 * //   [30, 41, 52]
 * // >
 * Nx.Defn.vmap((x: Nx.Tensor) => x, [null])(Nx.f32(1));
 * // throws ArgumentError: Nx.Defn.vmap needs at least one argument with an axis to go over
 * ```
 */
export function vmap<A extends readonly unknown[], R, const X extends VmapAxes = 0>(
  fn: (...args: A) => R,
  axes?: X,
): <B extends EntriesIn<A, X>>(...args: B) => Stacked<R, OneName<NamesGoneOver<B, X>>>;
export function vmap(
  fn: (...args: readonly unknown[]) => unknown,
  axes: VmapAxes = 0,
): (...args: readonly unknown[]) => unknown {
  if (typeof fn !== "function") throw new ArgumentError(`Nx.Defn.vmap expects a function of tensors, got: ${show(fn)}`);
  const over = overOf(axes);
  return (...args: readonly unknown[]) => {
    const name = `vmap ${nextName++}`;
    const call: EntryCall = { isRunning: true };
    const found: EntryAxis[] = [];
    const given: Tensor[] = [];
    const lifted = args.map((arg, i) => {
      const axis = over ?? (Array.isArray(axes) ? ((axes as (Axis | null)[])[i] ?? null) : (axes as Axis | null));
      if (axis !== null && typeof axis === "object") {
        throw new ArgumentError(
          `Nx.Defn.vmap expects one axis or null for argument ${i}, for all its tensors, got: ${show(axis)}; ` +
            `give parts that are the same for every entry as an argument of their own, or say the axis by name, { over: "batch" }`,
        );
      }
      if (axis === null) return mapArgument(arg, "Nx.Defn.vmap", made);
      return mapArgument(arg, "Nx.Defn.vmap", (leaf) => {
        if (!isParameter(leaf)) return leaf;
        const t = tensorOfLeaf(leaf, "Nx.Defn.vmap");
        if (over !== null && !t.names.includes(over)) return made(leaf);
        given.push(vectorizedOf(t).inner);
        const at = axisOf(t, axis, i);
        found.push({ argument: i, size: t.shape[at]!, name: t.names[at]! });
        return alongAxis(t, axis, { name, size: t.shape[at]!, entries: call });
      });
    });
    const entries = entriesOf(found, over);
    const result = running(call, () => fn(...lifted));
    if (result instanceof Promise) {
      throw new DefnError(`the function given to Nx.Defn.vmap returned ${show(result)}; it cannot be async`);
    }
    return mapContainer(result, (leaf) => (isParameter(leaf) ? inFront(leaf, name, entries, given) : leaf));
  };
}

/** The name of the axis to go over, where it is given as an option. */
function overOf(axes: VmapAxes): string | null {
  if (typeof axes !== "object" || axes === null || Array.isArray(axes)) return null;
  const { over } = checkOptions("Nx.Defn.vmap", axes as VmapOver, ["over"]);
  if (typeof over === "string" && over !== "") return over;
  throw new ArgumentError(`option over of Nx.Defn.vmap must be the name of an axis, got: ${show(over)}`);
}

function running<R>(call: EntryCall, fn: () => R): R {
  try {
    return fn();
  } finally {
    call.isRunning = false;
  }
}

/** Lazy entries are made; all else that is the same for every entry stays as it is. */
const made = (leaf: unknown): unknown => (leaf instanceof LazyTensor ? materialised(leaf) : leaf);

/** The axis of an argument that vmap goes over. */
interface EntryAxis {
  readonly argument: number;
  readonly size: number;
  readonly name: Name;
}

function axisOf({ shape, names }: Tensor, axis: Axis, argument: number): number {
  if (shape.length > 0) return resolveAxis(axis, shape, names);
  throw new ArgumentError(
    `Nx.Defn.vmap goes over an axis of each argument, but argument ${argument} is a scalar; give it the axis null`,
  );
}

/** What the axis in front of the results is: the names of the axes that were gone over merge, but do not have to agree. */
function entriesOf([first, ...others]: readonly EntryAxis[], over: string | null): EntryAxis {
  if (!first) {
    const what = over === null ? "an axis to go over" : `an axis named ${show(over)} to go over`;
    throw new ArgumentError(`Nx.Defn.vmap needs at least one argument with ${what}`);
  }
  const other = others.find(({ size }) => size !== first.size);
  if (!other) {
    const names = new Set([first, ...others].flatMap(({ name }) => name ?? []));
    return { ...first, name: names.size === 1 ? [...names][0]! : null };
  }
  throw new ArgumentError(
    `Nx.Defn.vmap goes over axes of one size, but argument ${first.argument} has ${first.size} entries and argument ` +
      `${other.argument} has ${other.size}; ` +
      (over === null
        ? "give the axis null to an argument that is the same for every entry"
        : "rename the axis of an argument that is the same for every entry"),
  );
}

/** The tensor vectorized over one of its axes. */
function alongAxis(t: Tensor, axis: Axis, entry: VectorizedAxis): Tensor {
  const at = resolveAxis(axis, t.shape, t.names);
  const { inner, axes } = vectorizedOf(t);
  const own = axes.length;
  const rest = t.shape.flatMap((_, i) => (i === at ? [] : [own + i]));
  const moved = transposed(inner, [...axes.keys(), own + at, ...rest]);
  const shape = Object.freeze(t.shape.filter((_, i) => i !== at));
  const names = Object.freeze(t.names.filter((_, i) => i !== at));
  return vectorized(moved, [...axes, entry], { type: t.type, shape, names });
}

/** The axis of that name as an ordinary one in front; other vectorized axes stay. */
function inFront(leaf: Operand, name: string, { size, name: front }: EntryAxis, given: readonly Tensor[]): Tensor {
  const t = asTensor(leaf, "Nx.Defn.vmap");
  const value = vectorizedOf(t);
  const rest = value.axes.filter((axis) => axis.name !== name);
  const inner = apart(spreadTo([...rest, { name, size }], value), ...given);
  const shape = Object.freeze([size, ...t.shape]);
  const names = withInFront(front, t.names);
  if (rest.length > 0) return vectorized(inner, rest, { type: t.type, shape, names });
  return names.every((axis) => axis === null) ? inner : rename(inner, names);
}
