/**
 * Where tensors stand in the arguments of a function and in what it returns: in the order in which containers are visited, whatever
 * kind they are.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, Tensor, type DType, type Templates } from "nx-numerics";

const { leaves, map } = Nx.Defn.Composite;

/** The position of an argument, and keys within it. */
export type Path = readonly (string | number)[];

/** An argument, or a part of one, that is a tensor or a number. */
export interface Place {
  readonly path: Path;
  readonly type: DType;
  /** Sizes, or names of sizes. */
  readonly shape: readonly (string | number)[];
  readonly names: Nx.Names;
  /** The number that was given; null where a tensor is. */
  readonly number: Nx.Operand | null;
}

type AnyFunction = (...args: readonly unknown[]) => unknown;

/** The places of tensors and numbers in templates. */
export function placesOf(templates: readonly unknown[]): readonly Place[] {
  const all: AnyFunction = (...args) => [...leaves(args), Nx.tensor(0)]; // functions return something, with no arguments, too
  const { inputs } = Nx.Defn.toGraph(all as (...args: unknown[]) => unknown, templates as Templates<unknown[]>);
  return inputs.map((input) => ({ ...input, number: plain(valueAt(templates, input.path)) }));
}

export const keyOf = (path: Path): string => JSON.stringify(path);

/** A value that is a plain number or stands for a number; null for all others. */
const plain = (value: unknown): Nx.Operand | null =>
  value === undefined || value instanceof Tensor || value instanceof Nx.SymbolicTemplate ? null : (value as Nx.Operand);

/** A container with templates for its tensors: what is traced does not outlive its trace. */
export const withoutData = (container: unknown): unknown =>
  map(({ shape, type, names }) => Nx.template(shape, type, { names }), container);

/** A container with other tensors, in the order of its own. */
export function replaced(container: unknown, tensors: readonly Tensor[]): unknown {
  let next = 0;
  return map(() => tensors[next++]!, container);
}

/** What stands at a place: of arrays, objects and collections of Immutable; undefined in others. */
function valueAt(container: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null || value instanceof Tensor) return undefined;
    const { get } = value as { readonly get?: unknown };
    const isCollection = !Array.isArray(value) && typeof get === "function" && "toSeq" in value;
    return isCollection ? (value as Nx.Collection<unknown>).get(key) : (value as Record<string | number, unknown>)[key];
  }, container);
}

/** The tensors and numbers of arguments, checked against those that the function was compiled for. */
export function operandsOf(args: readonly unknown[], places: readonly Place[]): Nx.Operand[] {
  const found = leaves(args);
  if (found.length !== places.length) {
    throw new ArgumentError(
      `a function of onnxruntime was compiled for ${places.length} tensors and numbers in its arguments, got ${found.length}`,
    );
  }
  const sizes = new Map<string, number>();
  return found.map((tensor, i) => fitting(tensor, valueAt(args, places[i]!.path), places[i]!, sizes));
}

/** A tensor as it was told of; where a number was, a number stays one, as each use of it has its type. */
function fitting(tensor: Tensor, given: unknown, place: Place, sizes: Map<string, number>): Nx.Operand {
  const number = plain(given);
  if (number !== null) checkNumber(number, place);
  if (number !== null && place.number !== null) return number;
  const t = number === null ? tensor : Nx.tensor(number as number, { type: place.type });
  const isSize = (dim: string | number, axis: number): boolean => {
    const size = t.shape[axis]!;
    if (typeof dim === "number") return dim === size;
    if (!sizes.has(dim)) sizes.set(dim, size);
    return sizes.get(dim) === size;
  };
  const isNamed = t.names.every(
    (name, axis) => name === null || place.names[axis] === null || name === place.names[axis],
  );
  if (t.type === place.type && t.rank === place.shape.length && place.shape.every(isSize) && isNamed) return t;
  const known = [...sizes].map(([name, size]) => `${name} = ${size}`).join(", ");
  throw new ArgumentError(
    `a function of onnxruntime was called with ${textOf(t)} at ${placeText(place)}, but it was compiled for ${textOf(place)}` +
      (known === "" || t.type !== place.type ? "" : ` (${known})`),
  );
}

function checkNumber(given: Nx.Operand, place: Place): void {
  const isInteger = !/^b?[fc]/.test(place.type);
  if (!isInteger || typeof given !== "number" || Number.isInteger(given)) return;
  throw new ArgumentError(
    `a function of onnxruntime was called with ${given} at ${placeText(place)}, but it was compiled for integers there: ` +
      `give a number such as 0.5 among the templates`,
  );
}

const textOf = ({ type, shape, names }: Omit<Place, "path" | "number">): string =>
  type + shape.map((size, axis) => (names[axis] == null ? `[${size}]` : `[${names[axis]}: ${size}]`)).join("");

const placeText = ({ path: [argument, ...keys] }: Place): string =>
  `argument ${argument}${keys.length === 0 ? "" : ` (${keys.join(".")})`}`;
