/**
 * Containers: any nesting of arrays, plain objects, Immutable collections and objects of classes that say how, whose leaves
 * are tensors or other values. What a leaf means is the caller's business; the kind of every container is kept.
 */
import type { List, Map as ImmutableMap, Record as ImmutableRecord } from "immutable";
import { ArgumentError, refuseOtherCopy } from "./core/errors";
import { isList, isMap, isRecord } from "./core/immutable";
import { isPlainObject } from "./core/options";
import { Tensor } from "./tensor";

/** Any nesting of arrays, plain objects, Immutable List/Map/OrderedMap/Record and leaves. */
export type Container<L = Tensor> =
  | L
  | readonly Container<L>[]
  | { readonly [key: string]: Container<L> }
  | Collection<Container<L>>
  | CustomContainer;

/**
 * What the types of this library know of an Immutable List, Map or OrderedMap with values of type `V`. Immutable's own
 * declarations take tsc longer than all others here, so no public type mentions them.
 */
export interface Collection<V> {
  readonly size: number;
  get(key: unknown): V | undefined;
  toSeq(): unknown;
  hashCode(): number;
}

/** A collection whose values have become others: of numbers, say, tensors. */
export interface Collected<V> extends Collection<V> {
  map<W>(change: (value: V) => W): Collected<W>;
}

/** A collection of type `T` with values `W` in place of `V`: of the same type where these are. */
export type Recollected<T, V, W> = [V, W] extends [W, V] ? T : Collected<W>;

/**
 * The key of the method by which objects of a class are containers: it calls `visit` for each part with its key, always in the
 * same order, and gives an object of the class with what `visit` returned in place of the parts.
 *
 * @example
 * ```ts
 * class Line {
 *   constructor(
 *     readonly slope: Nx.Tensor,
 *     readonly start: Nx.Tensor,
 *   ) {}
 *   [Nx.container](visit: Nx.Visit): Line {
 *     return new Line(visit(this.slope, "slope"), visit(this.start, "start"));
 *   }
 * }
 * const double = Nx.defn((line: Line) => new Line(line.slope.multiply(2), line.start));
 * double(new Line(Nx.f32(3), Nx.f32(1))).slope;
 * // => #Nx.Tensor<
 * //   f32
 * //   6.0
 * // >
 * ```
 */
export const container: unique symbol = Symbol.for("nx.container") as never;

/** A function that is called for each part of a container and returns the part's replacement. */
export type Visit = <T>(part: T, key: string | number) => T;

/** An object of a class that is a container. */
export interface CustomContainer {
  [container](visit: Visit): unknown;
}

/** The key of a method that lists the tensors of an object that is no container. */
export const heldTensors: unique symbol = Symbol.for("nx.heldTensors") as never;

/** An object that holds tensors, which stay as long as it is in use. */
export interface TensorHolder {
  [heldTensors](): readonly Tensor[];
}

export type Path = readonly (string | number)[];
type LeafFunction = (leaf: unknown, path: Path) => unknown;

type ContainerKind = "array" | "object" | "list" | "map" | "record" | "custom";

/** Kind of a container as text, or null for a leaf; kinds and keys together are a container's structure. */
export function containerKind(value: unknown): ContainerKind | null {
  if (typeof value !== "object" || value === null || value instanceof Tensor) return null;
  if (Array.isArray(value)) return "array";
  if (typeof (value as Partial<CustomContainer>)[container] === "function") return "custom";
  // The collections of Immutable are told by keys of theirs, which an object with keys from outside may have as well.
  if (isPlainObject(value)) return "object";
  if (isRecord(value)) return "record";
  if (isMap(value)) return "map";
  if (isList(value)) return "list";
  refuseOtherCopy("a container", value);
  return null;
}

/** Keys and children of a container in the order they are always visited: objects by sorted keys. */
export function entriesOf(value: unknown): readonly (readonly [key: string | number, child: unknown])[] {
  const kind = containerKind(value);
  switch (kind) {
    case null:
      return [];
    case "array":
      return Array.from(value as unknown[], (child, i) => [i, child] as const); // holes are leaves that no function takes
    case "object":
      return sortedKeys(value as object).map((key) => [key, (value as Record<string, unknown>)[key]] as const);
    case "list":
      return (value as List<unknown>).toArray().map((child, i) => [i, child] as const);
    case "map":
      return [...(value as ImmutableMap<unknown, unknown>)].map(([key, child]) => [String(key), child] as const);
    case "record":
      return [...(value as ImmutableRecord<Record<string, unknown>>).toSeq().entries()];
    case "custom":
      return partsOf(value as CustomContainer);
    default:
      return kind satisfies never;
  }
}

/** Keys up to which inserting one after the other is quicker than the engine's sort: arguments of compiled functions have few. */
const FEW_KEYS = 16;

/** The keys of an object in the order in which its children are visited. */
export const sortedKeys = (value: object): string[] => sorted(Object.keys(value));

/** Sorts a list of keys. */
function sorted(keys: string[]): string[] {
  if (keys.length > FEW_KEYS) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]!;
    let at = i;
    for (; at > 0 && keys[at - 1]! > key; at--) keys[at] = keys[at - 1]!;
    keys[at] = key;
  }
  return keys;
}

function isAscending(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return false;
  return true;
}

function partsOf(value: CustomContainer): [key: string | number, part: unknown][] {
  const parts: [string | number, unknown][] = [];
  value[container]((part, key) => {
    parts.push([key, part]);
    return part;
  });
  return parts;
}

/** Containers in one another: more than any model has, less than the stack holds. */
const MAX_DEPTH = 1000;

/** Refuses a container that is nested too deeply, such as a container of itself. */
export function checkDepth(depth: number): void {
  if (depth <= MAX_DEPTH) return;
  throw new ArgumentError(`containers may be nested ${MAX_DEPTH} deep, got a deeper one; does it contain itself?`);
}

/** The container with every leaf replaced; kinds and keys stay. Leaves are visited in the order of `entriesOf`. */
export function mapContainer<C>(value: C, fn: LeafFunction, path: Path = []): C {
  const kind = containerKind(value);
  if (kind === null) return fn(value, path) as C;
  checkDepth(path.length + 1);
  if (kind === "array") return mapArray(value as unknown as unknown[], fn, path) as C;
  if (kind === "object") return mapObject(value as Record<string, unknown>, fn, path) as C;
  const children = entriesOf(value).map(([key, child]) => mapContainer(child, fn, [...path, key]));
  return replaceChildren(value, kind, children) as C;
}

/** An array with other leaves, a hole being one that no function takes. Every call of a compiled function may come here. */
function mapArray(value: readonly unknown[], fn: LeafFunction, path: Path): unknown[] {
  const mapped = new Array<unknown>(value.length);
  for (let i = 0; i < value.length; i++) mapped[i] = mapContainer(value[i], fn, [...path, i]);
  return mapped;
}

/** The object keeps the order its own keys stand in. */
function mapObject(value: Readonly<Record<string, unknown>>, fn: LeafFunction, path: Path): Record<string, unknown> {
  const keys = Object.keys(value);
  const mapped: Record<string, unknown> = {};
  if (!isAscending(keys)) {
    for (const key of keys) setOwn(mapped, key, undefined);
    sorted(keys);
  }
  for (const key of keys) setOwn(mapped, key, mapContainer(value[key], fn, [...path, key]));
  return mapped;
}

/** Sets a property of an object's own, whatever it is called. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A container of a class with other children, given in the order of `entriesOf`. */
function replaceChildren(
  value: unknown,
  kind: "list" | "map" | "record" | "custom",
  children: readonly unknown[],
): unknown {
  let next = 0;
  switch (kind) {
    case "list":
      return (value as List<unknown>).map(() => children[next++]);
    case "map":
      return (value as ImmutableMap<unknown, unknown>).map(() => children[next++]);
    case "record":
      return entriesOf(value).reduce(
        (record: ImmutableRecord<Record<string, unknown>>, [key], i) => record.set(String(key), children[i]),
        value as ImmutableRecord<Record<string, unknown>>,
      );
    case "custom":
      return (value as CustomContainer)[container](<T>() => children[next++] as T);
    default:
      return kind satisfies never;
  }
}

/** Where a leaf stands, as text for messages: `.weights[0]`; empty for the value itself. */
export function formatPath(path: Path): string {
  return path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
}
