/**
 * Containers as JSON, with their tensors in a list beside it: an array stays an array, texts, booleans and null stand for
 * themselves, everything else is an object with one key that says what it is.
 */
import type { List, Map as ImmutableMap } from "immutable";
import { containerKind, entriesOf, formatPath } from "../container";
import { ArgumentError, show } from "../core/errors";
import { isOrderedMap } from "../core/immutable";
import { isPlainObject } from "../core/options";
import { asTensor, isScalar } from "../nx/dispatch";
import { Tensor } from "../tensor";
import { checkRank } from "./bytes";
import { collections } from "./dependencies";

/** What a container is in a file. */
export type Node =
  | string
  | boolean
  | null
  | readonly Node[]
  | { readonly tensor: number }
  | { readonly object: Readonly<Record<string, Node>> }
  | { readonly list: readonly Node[] }
  | { readonly map: readonly (readonly [Key, Node])[] }
  | { readonly orderedMap: readonly (readonly [Key, Node])[] }
  | { readonly record: { readonly name: string | null; readonly fields: Readonly<Record<string, Node>> } };

type Key = string | number | boolean | null;
type Path = readonly (string | number)[];

/** Makes a record of the values of its fields; the classes that Immutable's `Record` gives are such functions. */
export type RecordFactory = (values: Record<string, unknown>) => unknown;

/** The greatest depth of containers; not every reader takes deeper ones. */
const MAX_DEPTH = 128;

/** A container and the tensors in it; the same tensor is taken once. */
export function describe(value: unknown, fn: string): { node: Node; tensors: readonly Tensor[] } {
  const indices = new Map<Tensor, number>();
  const write = (child: unknown, path: Path): Node => {
    if (path.length > MAX_DEPTH) {
      throw new ArgumentError(`${fn} takes containers up to ${MAX_DEPTH} deep; does one of them contain itself?`);
    }
    return containerKind(child) === null ? leaf(child, path) : container(child, path, write, fn);
  };
  const leaf = (child: unknown, path: Path): Node => {
    if (typeof child === "string" || typeof child === "boolean" || child === null) return child;
    if (!(child instanceof Tensor) && !isScalar(child)) throw unknownLeaf(child, path, fn);
    const tensor = checkRank(asTensor(child, fn), fn);
    const index = indices.get(tensor) ?? indices.size;
    indices.set(tensor, index);
    return { tensor: index };
  };
  return { node: write(value, []), tensors: [...indices.keys()] };
}

function unknownLeaf(value: unknown, path: Path, fn: string): ArgumentError {
  const hint = ArrayBuffer.isView(value)
    ? "; make a tensor of it with Nx.tensor(...) first"
    : containerKind(value) === "custom"
      ? "; give its parts in a plain object, and make the class again of what is read"
      : "";
  const place = path.length === 0 ? "" : ` at ${formatPath(path)}`;
  return new ArgumentError(
    `${fn} takes tensors, numbers, strings, booleans and null in arrays, plain objects and Immutable List, Map, OrderedMap ` +
      `and Record, got: ${show(value)}${place}${hint}`,
  );
}

type Write = (child: unknown, path: Path) => Node;

function container(value: unknown, path: Path, write: Write, fn: string): Node {
  const kind = containerKind(value)!;
  const items = (list: Iterable<unknown>): Node[] => Array.from(list, (child, i) => write(child, [...path, i]));
  const fields = (entries: Iterable<readonly [string | number, unknown]>): Record<string, Node> =>
    Object.fromEntries(Array.from(entries, ([key, child]) => [key, write(child, [...path, key])]));
  switch (kind) {
    case "array":
      return denseItems(value as readonly unknown[], path, write);
    case "object":
      return { object: fields(Object.entries(value as object)) };
    case "list":
      return { list: items(value as List<unknown>) };
    case "map": {
      const entries = Array.from(value as ImmutableMap<unknown, unknown>, ([key, child]) => {
        return [checkKey(key, path, fn), write(child, [...path, String(key)])] as const;
      });
      return isOrderedMap(value) ? { orderedMap: entries } : { map: entries };
    }
    case "record": {
      const name = recordName(value);
      const entries = entriesOf(value);
      if (name === null)
        checkFields(
          Array.from(entries, ([key]) => String(key)),
          fn,
          "a record without a name",
          null,
        );
      return { record: { name, fields: fields(entries) } };
    }
    case "custom":
      throw unknownLeaf(value, path, fn); // a file cannot say what class to make
    default:
      return kind satisfies never;
  }
}

/** The name given to Immutable's `Record`, if any; names of functions change when code is minified. */
function recordName(record: unknown): string | null {
  const { constructor } = Object.getPrototypeOf(record) as { constructor?: { displayName?: unknown } };
  return typeof constructor?.displayName === "string" ? constructor.displayName : null;
}

/** Index by index, so that the first hole of an array ends it. */
function denseItems(array: readonly unknown[], path: Path, write: Write): Node[] {
  const nodes: Node[] = [];
  for (let i = 0; i < array.length; i++) nodes.push(write(array[i], [...path, i]));
  return nodes;
}

function checkKey(key: unknown, path: Path, fn: string): Key {
  if (typeof key === "string" || typeof key === "boolean" || key === null || Number.isFinite(key)) return key as Key;
  throw new ArgumentError(
    `${fn} takes maps whose keys are strings, finite numbers, booleans or null, got: ${show(key)}${path.length === 0 ? "" : ` at ${formatPath(path)}`}`,
  );
}

/** The option `records` of a reader. */
export function checkRecords(records: unknown, fn: string): Readonly<Record<string, RecordFactory>> {
  if (records === undefined) return {};
  if (isPlainObject(records) && Object.values(records).every((factory) => typeof factory === "function")) {
    return records as Record<string, RecordFactory>;
  }
  throw new ArgumentError(
    `option records of ${fn} must be an object of record classes by name such as { Point }, got: ${show(records)}`,
  );
}

/** What the reader of a structure knows. */
interface Building {
  readonly fn: string;
  readonly tensors: readonly Tensor[];
  readonly records: Readonly<Record<string, RecordFactory>>;
}

/** The container that a structure describes. */
export function build(node: unknown, building: Building, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw damaged(building, `containers more than ${MAX_DEPTH} deep`);
  if (typeof node === "string" || typeof node === "boolean" || node === null) return node;
  const child = (inner: unknown): unknown => build(inner, building, depth + 1);
  if (Array.isArray(node)) return node.map(child);
  const [kind, content] = isPlainObject(node) && Object.keys(node).length === 1 ? Object.entries(node)[0]! : ["", null];
  switch (kind) {
    case "tensor":
      return tensorAt(content, building);
    case "object":
      return fieldsOf(content, child, building);
    case "list":
      return collections().List(listOf(content, building).map(child));
    case "map":
      return collections().Map(pairsOf(content, child, building));
    case "orderedMap":
      return collections().OrderedMap(pairsOf(content, child, building));
    case "record":
      return recordOf(content, child, building);
    default:
      throw damaged(building, show(node));
  }
}

function damaged({ fn }: Building, got: string): ArgumentError {
  return new ArgumentError(`${fn}: the structure in the file's header is damaged, got: ${got}`);
}

function tensorAt(index: unknown, building: Building): Tensor {
  const tensor = typeof index === "number" ? building.tensors[index] : undefined;
  if (tensor) return tensor;
  throw damaged(building, `tensor ${show(index)} where there are ${building.tensors.length}`);
}

function listOf(content: unknown, building: Building): unknown[] {
  if (Array.isArray(content)) return content as unknown[];
  throw damaged(building, `${show(content)} instead of a list`);
}

function fieldsOf(content: unknown, child: (inner: unknown) => unknown, building: Building): Record<string, unknown> {
  if (!isPlainObject(content)) throw damaged(building, `${show(content)} instead of fields`);
  return Object.fromEntries(Object.entries(content).map(([key, inner]) => [key, child(inner)]));
}

function pairsOf(content: unknown, child: (inner: unknown) => unknown, building: Building): [unknown, unknown][] {
  return listOf(content, building).map((pair) => {
    if (!Array.isArray(pair) || pair.length !== 2 || (typeof pair[0] === "object") !== (pair[0] === null)) {
      throw damaged(building, `${show(pair)} instead of a key and a value`);
    }
    return [pair[0], child(pair[1])];
  });
}

/** A record of the class given for its name, or of one made up that has the same name and fields. */
function recordOf(content: unknown, child: (inner: unknown) => unknown, building: Building): unknown {
  const { name, fields } = isPlainObject(content) ? content : ({} as Record<string, unknown>);
  const values = fieldsOf(fields, child, building);
  if (name !== null && typeof name !== "string") throw damaged(building, `a record named ${show(name)}`);
  if (name !== null && Object.hasOwn(building.records, name)) return building.records[name]!(values);
  const keys = Object.keys(values);
  checkFields(keys, building.fn, "a record in the file", name);
  const empty = Object.fromEntries(keys.map((key) => [key, undefined]));
  const { Record: createRecord, OrderedMap } = collections();
  return createRecord(empty, name ?? undefined)(OrderedMap(Object.entries(values)));
}

/** Refuses fields that a record made of them would not have. */
function checkFields(fields: readonly string[], fn: string, what: string, name: string | null): void {
  const reserved = fields.find(isReserved);
  if (reserved === undefined) return;
  const remedy =
    name === null
      ? "use a Map, or a record with a name, for which Nx.deserialize can be given what makes it"
      : `give what makes such records, as the option records: { ${name}: (values) => ... }`;
  throw new ArgumentError(
    `${fn}: ${what} has the field ${show(reserved)}, a name that Immutable keeps for itself; ${remedy}`,
  );
}

/** Whether Immutable cannot have a field of this name: what a record has already, and the marks of its collections. */
const isReserved = (field: string): boolean =>
  field in collections().Record({})() || field.startsWith("@@__IMMUTABLE_");
