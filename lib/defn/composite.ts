/**
 * Working on all tensors of containers at once: the namespace `Nx.Defn.Composite`.
 */
import { mapContainer } from "../container";
import { ArgumentError, show } from "../core/errors";
import { asTensor, apart } from "../nx/dispatch";
import type { Operand, Tensor } from "../tensor";
import { structureOf } from "./control/flat";
import { isParameter } from "./signature";
import type { Tensors } from "./trace";

/**
 * The tensors and numbers of a container, in the order they are always visited: keys of plain objects sorted.
 *
 * @param container - a tensor, a number or any nesting of containers of them; other leaves are passed over
 * @returns an array of tensors
 * @throws nothing; a container without tensors gives an empty array
 * @example
 * ```ts
 * const { leaves } = Nx.Defn.Composite;
 * leaves({ b: Nx.u8(2), a: [Nx.u8(1), "text"] }).map((t) => t.toNumber());
 * // => [1, 2]
 * leaves(Nx.f32([1, 2], { names: ["x"] }))[0];
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 2.0]
 * // >
 * ```
 */
export function leaves(container: unknown): Tensor[] {
  const found: Tensor[] = [];
  mapContainer(container, (leaf) => {
    if (isParameter(leaf)) found.push(asTensor(leaf, "Nx.Defn.Composite.leaves"));
  });
  return found;
}

/**
 * A container like the first one, with what a function makes of each of its tensors, and of those at the same places of the
 * others: one step of an optimizer, for example.
 *
 * @param fn - given a tensor of each container, returns a tensor or number
 * @param first - a tensor, a number or any container of them; leaves that are neither stay
 * @param others - containers of the same structure
 * @returns a container of the kind and keys of the first
 * @throws ArgumentError where the structures differ, and for anything but a function
 * @example
 * ```ts
 * const parameters = { w: Nx.f32([1, 2], { names: ["x"] }), b: Nx.f32(0.5) };
 * const gradients = { w: Nx.f32([10, 10], { names: ["x"] }), b: Nx.f32(1) };
 * const next = Nx.Defn.Composite.map((p, g) => p.subtract(g.multiply(0.1)), parameters, gradients);
 * next.w;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [0.0, 1.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Defn.Composite.map((a, b) => a.add(b), { x: Nx.f32(1) }, [Nx.f32(1)]);
 * // throws ArgumentError: Nx.Defn.Composite.map expects containers of the same structure, got: object { "x": tensor } and array { 0: tensor }
 * ```
 */
export function map<C>(fn: (...tensors: Tensor[]) => Operand, first: C, ...others: readonly unknown[]): Tensors<C> {
  const name = "Nx.Defn.Composite.map";
  if (typeof fn !== "function")
    throw new ArgumentError(
      `${name} expects a function of tensors, got: ${show(fn)}${typeof first === "function" ? "; the function comes first" : ""}`,
    );
  const structure = structureOf(first);
  for (const other of others) {
    if (structureOf(other) === structure) continue;
    throw new ArgumentError(
      `${name} expects containers of the same structure, got: ${structure} and ${structureOf(other)}`,
    );
  }
  const besides = others.map(partsOf);
  let next = 0;
  return mapContainer(first as unknown, (leaf) => {
    const at = next++;
    if (!isParameter(leaf)) return leaf;
    const tensors = [leaf, ...besides.map((parts) => parts[at])].map((part) => asTensor(part, name));
    return apart(asTensor(fn(...tensors), name), ...tensors);
  }) as Tensors<C>;
}

/** All leaves of a container, tensors or not. */
function partsOf(container: unknown): unknown[] {
  const parts: unknown[] = [];
  mapContainer(container, (leaf) => parts.push(leaf));
  return parts;
}

/**
 * Puts the tensors of a container into an accumulator, one after the other.
 *
 * @param container - a tensor, a number or any container of them; other leaves are passed over
 * @param initial - what to begin with
 * @param fn - given the accumulator and a tensor, returns the next accumulator
 * @returns the last accumulator
 * @throws ArgumentError for anything but a function
 * @example
 * ```ts
 * const squares = (sum: Nx.Tensor, t: Nx.Tensor) => sum.add(t.multiply(t).sum());
 * Nx.Defn.Composite.reduce({ w: Nx.f32([1, 2], { names: ["x"] }), b: 3 }, Nx.f32(0), squares);
 * // => #Nx.Tensor<
 * //   f32
 * //   14.0
 * // >
 * Nx.Defn.Composite.reduce([1, 2], 0, "sum" as never);
 * // throws ArgumentError: Nx.Defn.Composite.reduce expects a function of the accumulator and a tensor, got: "sum"
 * ```
 */
export function reduce<R>(container: unknown, initial: R, fn: (accumulator: R, tensor: Tensor) => R): R {
  if (typeof fn !== "function") {
    throw new ArgumentError(
      `Nx.Defn.Composite.reduce expects a function of the accumulator and a tensor, got: ${show(fn)}`,
    );
  }
  return leaves(container).reduce<R>((held, tensor) => fn(held, tensor), initial);
}

/**
 * How many tensors and numbers a container holds.
 *
 * @param container - a tensor, a number or any container of them
 * @returns a plain number
 * @throws nothing; a container without tensors gives 0
 * @example
 * ```ts
 * Nx.Defn.Composite.count({ w: Nx.f32([1, 2], { names: ["x"] }), b: [1, 2] });
 * // => 3
 * Nx.Defn.Composite.count("text");
 * // => 0
 * ```
 */
export function count(container: unknown): number {
  return leaves(container).length;
}
