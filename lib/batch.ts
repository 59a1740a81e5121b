/**
 * The namespace `Batch`: entries of one shape gathered one after the other, and joined into one tensor, or into a container of
 * tensors, when they are needed. Values are not looked at.
 */
import type { Template } from "./backend";
import { templateTensor } from "./backends/template";
import { heldTensors, mapContainer } from "./container";
import type { Complex } from "./core/complex";
import { brandOf } from "./core/copies";
import { ArgumentError, show } from "./core/errors";
import { mergeNames } from "./core/names";
import { checkSize, formatShape } from "./core/shape";
import { LazyTensor, standsFor } from "./defn/lazy";
import { isWrapped } from "./defn/wrapping";
import { sliceAlong } from "./nx/aggregates/core";
import { asTensor, apart, run, template } from "./nx/dispatch";
import { isCompatible, newAxis, pad as padTensor } from "./nx/shape";
import { Tensor } from "./tensor";

/** What entries of a kind become in a batch: a tensor for each of their tensors and numbers, with an axis for the entries. */
export type Batched<C> = C extends Tensor | number | bigint | boolean | Complex
  ? Tensor
  : C extends readonly unknown[] | Readonly<Record<string, unknown>>
    ? { readonly [K in keyof C]: Batched<C[K]> }
    : C;

/** Entries that came in together: a tensor for each leaf of the template, of which `count` entries from `start` on belong here. */
interface Rows {
  readonly leaves: readonly Tensor[];
  /** Whether the tensors are one entry each, without an axis for entries. */
  readonly single: boolean;
  readonly start: number;
  readonly count: number;
}

const brand = brandOf("a batch");

/**
 * A batch: immutable, made by the functions of the namespace. As an argument of a traced function it stands for the container that
 * {@link materialize} makes of it, of which only what the function needs is made, at each call.
 */
export class Batch<C = unknown> {
  /** Number of entries, padding not counted. */
  readonly size: number;
  /** Number of entries of zeros that will follow the last one. */
  readonly padding: number;
  /** A container like each entry, of tensors without data; null as long as there are no entries. */
  readonly template: Batched<C> | null;
  /** @internal */
  readonly rows: readonly Rows[];

  /** @internal */
  constructor(template: Batched<C> | null, rows: readonly Rows[], padding: number) {
    this.template = template;
    this.rows = rows;
    this.padding = padding;
    this.size = rows.reduce((size, { count }) => size + count, 0);
    Object.freeze(this);
  }

  get [Symbol.for("nx-numerics")](): unknown {
    return brand;
  }

  /** Size and padding as text. */
  toString(): string {
    return `#Nx.Batch<size: ${this.size}, padding: ${this.padding}>`;
  }

  /**
   * The batch itself, with the type of the container that a traced function sees in its place: an argument of what `defn`, `jit`,
   * `compile`, `grad` and the other transforms give. A function that is not traced must be given {@link materialize}d entries.
   *
   * @returns this batch
   * @example
   * ```ts
   * const batch = Nx.Batch.pad(Nx.Batch.stack([{ x: 1, unused: 2 }, { x: 3, unused: 4 }]), 1);
   * const double = Nx.defn((rows: { x: Nx.Tensor; unused: Nx.Tensor }) => rows.x.multiply(2));
   * double(batch.asArgument());
   * // => #Nx.Tensor<
   * //   s64[3]
   * //   [2, 6, 0]
   * // >
   * Nx.defn((rows: Nx.Tensor) => rows)(Nx.Batch.new<Nx.Tensor>().asArgument());
   * // throws ArgumentError: Nx.defn expects a batch with entries, got: #Nx.Batch<size: 0, padding: 0>
   * ```
   */
  asArgument(): Batched<C> {
    return this as unknown as Batched<C>;
  }

  /** @internal */
  [standsFor](api: string): Batched<C> {
    return leafByLeaf(this, api, (leaf) => {
      const wrapped = this.rows.some(({ leaves }) => isWrapped(leaves[leaf]!));
      let made: Tensor | undefined;
      return new LazyTensor(wholeTemplate(this, leaf), () => (made ??= wholeLeaf(this, leaf)), wrapped);
    });
  }

  /** @internal */
  [heldTensors](): readonly Tensor[] {
    return this.rows.flatMap(({ leaves }) => leaves);
  }

  /** @internal */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

/**
 * A batch without entries, to add to.
 *
 * @returns an empty batch
 * @example
 * ```ts
 * Nx.Batch.new();
 * // => #Nx.Batch<size: 0, padding: 0>
 * Nx.Batch.materialize(Nx.Batch.new());
 * // throws ArgumentError: Nx.Batch.materialize expects a batch with entries, got: #Nx.Batch<size: 0, padding: 0>
 * ```
 */
function create<C = unknown>(): Batch<C> {
  return new Batch<C>(null, [], 0);
}
export { create as new };

/**
 * Adds entries, each of which is one entry of the batch.
 *
 * @param batch - the batch to add to; an empty one when left out
 * @param entries - tensors, numbers or containers of them, all of one structure, type and shape
 * @returns a batch of all entries
 * @throws ArgumentError for entries that are not alike, or hold anything but tensors and numbers
 * @example
 * ```ts
 * const batch = Nx.Batch.stack([Nx.tensor([1, 2]), Nx.tensor([3, 4])]);
 * batch;
 * // => #Nx.Batch<size: 2, padding: 0>
 * Nx.Batch.materialize(Nx.Batch.stack(batch, [Nx.tensor([5, 6], { names: ["x"] })]));
 * // => #Nx.Tensor<
 * //   s64[3][x: 2]
 * //   [
 * //     [1, 2],
 * //     [3, 4],
 * //     [5, 6]
 * //   ]
 * // >
 * ```
 * @example
 * Containers are batched leaf by leaf:
 * ```ts
 * const batch = Nx.Batch.stack([{ a: 1, b: 0.5 }, { a: 2, b: 1.5 }]);
 * Nx.Batch.materialize(batch).b;
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [0.5, 1.5]
 * // >
 * Nx.Batch.stack([Nx.tensor(1), Nx.tensor([1, 2])]);
 * // throws ArgumentError: Nx.Batch.stack cannot add entry 1 to the batch: expected s64[], got s64[2]; all entries must have the same structure, types and shapes
 * ```
 */
export function stack<C>(entries: readonly C[]): Batch<C>;
export function stack<C>(batch: Batch<C>, entries: readonly NoInfer<C>[]): Batch<C>;
export function stack(...args: readonly unknown[]): Batch {
  return addEntries("Nx.Batch.stack", args, true);
}

/**
 * Adds the entries that tensors hold along their first axis.
 *
 * @param batch - the batch to add to; an empty one when left out
 * @param entries - tensors of at least one axis, or containers of them with one size of the first axis; beyond that axis all of
 *   one structure, type and shape
 * @returns a batch of all entries
 * @throws ArgumentError for scalars, for entries that are not alike, or hold anything but tensors
 * @example
 * ```ts
 * const batch = Nx.Batch.concatenate([Nx.tensor([1, 2]), Nx.tensor([3, 4, 5])]);
 * batch.size;
 * // => 5
 * Nx.Batch.materialize(batch);
 * // => #Nx.Tensor<
 * //   s64[5]
 * //   [1, 2, 3, 4, 5]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.iota([2, 3], { names: ["batch", "x"] });
 * Nx.Batch.materialize(Nx.Batch.concatenate([t, t]));
 * // => #Nx.Tensor<
 * //   s64[batch: 4][x: 3]
 * //   [
 * //     [0, 1, 2],
 * //     [3, 4, 5],
 * //     [0, 1, 2],
 * //     [3, 4, 5]
 * //   ]
 * // >
 * Nx.Batch.concatenate([Nx.tensor(1)]);
 * // throws ArgumentError: Nx.Batch.concatenate cannot take entry 0: a scalar has no axis to take entries from; use Nx.Batch.stack
 * ```
 */
export function concatenate<C>(entries: readonly C[]): Batch<C>;
export function concatenate<C>(batch: Batch<C>, entries: readonly NoInfer<C>[]): Batch<C>;
export function concatenate(...args: readonly unknown[]): Batch {
  return addEntries("Nx.Batch.concatenate", args, false);
}

function addEntries(fn: string, args: readonly unknown[], single: boolean): Batch {
  const batch = args.length > 1 || args[0] instanceof Batch ? checkBatch(fn, args[0]) : create();
  const entries = args.length > 1 || args[0] instanceof Batch ? args[1] : args[0];
  if (!Array.isArray(entries)) {
    throw new ArgumentError(`${fn} expects its entries as an array of tensors or containers, got: ${show(entries)}`);
  }
  const rows = [...batch.rows];
  let like = batch.template;
  Array.from<unknown>(entries).forEach((entry, i) => {
    const added = readEntry(fn, entry, single, i);
    like = like === null ? added.template : mergeTemplates(fn, like, added.template, `entry ${i}`);
    rows.push(added.rows);
  });
  return new Batch(like, rows, batch.padding);
}

function checkBatch(fn: string, value: unknown): Batch {
  if (value instanceof Batch) return value;
  throw new ArgumentError(`${fn} expects a batch, got: ${show(value)}; make one with Nx.Batch.stack([...])`);
}

/** Takes an entry apart into its tensors and what an entry of the batch looks like. */
function readEntry(fn: string, entry: unknown, single: boolean, index: number): { template: unknown; rows: Rows } {
  const leaves: Tensor[] = [];
  const like = mapContainer(entry, (leaf) => {
    const t = asTensor(leaf, fn);
    leaves.push(t);
    return single ? templateTensor(t.type, t.shape, t.names) : withoutFirst(t, fn, index);
  });
  if (leaves.length === 0) {
    throw new ArgumentError(`${fn} cannot take entry ${index}: ${show(entry)} holds no tensors`);
  }
  const count = single ? 1 : commonSize(leaves, fn, index);
  return { template: like, rows: { leaves, single, start: 0, count } };
}

function withoutFirst({ type, shape, names }: Tensor, fn: string, index: number): Tensor {
  if (shape.length > 0) return templateTensor(type, Object.freeze(shape.slice(1)), Object.freeze(names.slice(1)));
  throw new ArgumentError(
    `${fn} cannot take entry ${index}: a scalar has no axis to take entries from; use Nx.Batch.stack`,
  );
}

function commonSize(leaves: readonly Tensor[], fn: string, index: number): number {
  const size = leaves[0]!.shape[0]!;
  const other = leaves.find(({ shape }) => shape[0] !== size);
  if (!other) return size;
  throw new ArgumentError(
    `${fn} cannot take entry ${index}: its tensors must have one size of the first axis, got ${size} and ${other.shape[0]}`,
  );
}

/** The template with the names of both; an error where templates differ. */
function mergeTemplates(fn: string, left: unknown, right: unknown, what: string): unknown {
  if (!isCompatible(left, right)) {
    throw new ArgumentError(
      `${fn} cannot add ${what} to the batch: expected ${describe(left)}, got ${describe(right)}; ` +
        `all entries must have the same structure, types and shapes`,
    );
  }
  const others: Tensor[] = [];
  mapContainer(right, (leaf) => others.push(leaf as Tensor));
  let next = 0;
  return mapContainer(left, (leaf) => {
    const [a, b] = [leaf as Tensor, others[next++]!];
    const names = mergeNames(a.names, a.shape, b.names, b.shape);
    return names === a.names ? a : templateTensor(a.type, a.shape, names);
  });
}

/** Types and shapes of a template in the form of the container. */
function describe(like: unknown): string {
  if (like instanceof Tensor) return `${like.type}${formatShape(like.shape, like.names)}`;
  const leaves: string[] = [];
  mapContainer(like, (leaf, path) => {
    leaves.push(`${path.join(".")}: ${describe(leaf)}`);
  });
  return `{ ${leaves.join(", ")} }`;
}

/**
 * Joins batches: the entries of the first, then those of the next. Sizes and paddings add up, and padding comes last.
 *
 * @param left - a batch, or an array of batches
 * @param right - another batch, of entries of the same structure, types and shapes
 * @returns a batch of all entries
 * @throws ArgumentError for entries that are not alike
 * @example
 * ```ts
 * const stacked = Nx.Batch.stack([Nx.tensor(1), Nx.tensor(2)]);
 * const batch = Nx.Batch.merge(stacked, Nx.Batch.concatenate([Nx.tensor([3, 4])]));
 * Nx.Batch.materialize(batch);
 * // => #Nx.Tensor<
 * //   s64[4]
 * //   [1, 2, 3, 4]
 * // >
 * ```
 * @example
 * ```ts
 * const named = Nx.Batch.stack([Nx.iota([2], { names: ["x"] })]);
 * Nx.Batch.merge([named, Nx.Batch.new(), Nx.Batch.stack([Nx.iota([2])])]);
 * // => #Nx.Batch<size: 2, padding: 0>
 * Nx.Batch.merge(named, Nx.Batch.stack([Nx.iota([2], { names: ["y"] })]));
 * // throws ArgumentError: Nx.Batch.merge cannot add batch 1 to the batch: expected s64[x: 2], got s64[y: 2]
 * ```
 */
export function merge<C>(left: Batch<C>, right: Batch<C>): Batch<C>;
export function merge<C>(batches: readonly Batch<C>[]): Batch<C>;
export function merge(...args: readonly unknown[]): Batch {
  const fn = "Nx.Batch.merge";
  const given = args.length === 1 && Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const batches = Array.from(given, (value) => checkBatch(fn, value));
  let like: unknown = null;
  batches.forEach(({ template: other }, i) => {
    like = like === null || other === null ? (like ?? other) : mergeTemplates(fn, like, other, `batch ${i}`);
  });
  const padding = batches.reduce((sum, batch) => sum + batch.padding, 0);
  return new Batch(
    like,
    batches.flatMap((batch) => batch.rows),
    padding,
  );
}

/**
 * Cuts a batch in two, the first of which has at most `count` entries. Padding counts as entries that come last: what is missing
 * in the first is padded from it, the rest stays with the second.
 *
 * @param batch - a batch
 * @param count - how many entries the first part gets, at least 1
 * @returns the two parts; the second has no entries where all fit into the first
 * @throws ArgumentError for anything but a batch, and for a count below 1
 * @example
 * ```ts
 * const batch = Nx.Batch.concatenate([Nx.tensor([1, 2]), Nx.tensor([3, 4, 5])]);
 * const [left, right] = Nx.Batch.split(batch, 3);
 * Nx.Batch.materialize(left);
 * // => #Nx.Tensor<
 * //   s64[3]
 * //   [1, 2, 3]
 * // >
 * Nx.Batch.materialize(right);
 * // => #Nx.Tensor<
 * //   s64[2]
 * //   [4, 5]
 * // >
 * ```
 * @example
 * ```ts
 * const padded = Nx.Batch.pad(Nx.Batch.stack([1, 2]), 3);
 * Nx.Batch.split(padded, 4);
 * // => [#Nx.Batch<size: 2, padding: 2>, #Nx.Batch<size: 0, padding: 1>]
 * Nx.Batch.split(padded, 0);
 * // throws ArgumentError: Nx.Batch.split expects the number of entries as an integer of at least 1, got: 0
 * ```
 */
export function split<C>(batch: Batch<C>, count: number): [left: Batch<C>, right: Batch<C>] {
  const given = checkBatch("Nx.Batch.split", batch) as Batch<C>;
  const wanted = checkCount("Nx.Batch.split", count, 1);
  const { template: like, rows, size, padding } = given;
  const [left, right] = cut(rows, wanted);
  const leftPadding = Math.min(padding, Math.max(0, wanted - size));
  return [new Batch(like, left, leftPadding), new Batch(like, right, padding - leftPadding)];
}

function checkCount(fn: string, value: unknown, least: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least) return value;
  throw new ArgumentError(
    `${fn} expects the number of entries as an integer of at least ${least}, got: ${show(value)}`,
  );
}

/** The first `count` entries, and all others. */
function cut(rows: readonly Rows[], count: number): [Rows[], Rows[]] {
  const [left, right]: [Rows[], Rows[]] = [[], []];
  let missing = count;
  for (const part of rows) {
    const taken = Math.min(missing, part.count);
    missing -= taken;
    if (taken > 0) left.push({ ...part, count: taken });
    if (taken < part.count) right.push({ ...part, start: part.start + taken, count: part.count - taken });
  }
  return [left, right];
}

/**
 * The batch with a number of entries of zeros at its end, in place of any it had.
 *
 * @param batch - a batch
 * @param count - how many, 0 for none
 * @returns a batch of the same entries
 * @throws ArgumentError for anything but a batch, and for a negative count
 * @example
 * ```ts
 * const batch = Nx.Batch.stack([Nx.tensor(1), Nx.tensor(2)]);
 * Nx.Batch.materialize(Nx.Batch.pad(batch, 2));
 * // => #Nx.Tensor<
 * //   s64[4]
 * //   [1, 2, 0, 0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Batch.pad(Nx.Batch.new(), -1);
 * // throws ArgumentError: Nx.Batch.pad expects the number of entries as an integer of at least 0, got: -1
 * ```
 */
export function pad<C>(batch: Batch<C>, count: number): Batch<C> {
  const given = checkBatch("Nx.Batch.pad", batch) as Batch<C>;
  return new Batch(given.template, given.rows, checkCount("Nx.Batch.pad", count, 0));
}

/**
 * Joins the entries: what a batch stands for where it is an argument of a function of `defn`, `jit` and the like.
 *
 * @param batch - a batch with entries
 * @returns a container like each entry, of tensors with the entries along their first axis, the padding as zeros last
 * @throws ArgumentError for a batch without entries
 * @example
 * ```ts
 * const batch = Nx.Batch.stack([Nx.f32([1, 2]), Nx.f32([3, 4])]);
 * const mean = Nx.defn((rows: Nx.Tensor) => Nx.mean(rows, { axes: [0] }));
 * mean(Nx.Batch.materialize(batch));
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [2.0, 3.0]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.iota([2, 2], { names: ["batch", "x"] });
 * Nx.Batch.materialize(Nx.Batch.pad(Nx.Batch.concatenate([t]), 1));
 * // => #Nx.Tensor<
 * //   s64[batch: 3][x: 2]
 * //   [
 * //     [0, 1],
 * //     [2, 3],
 * //     [0, 0]
 * //   ]
 * // >
 * Nx.Batch.materialize(Nx.Batch.new());
 * // throws ArgumentError: Nx.Batch.materialize expects a batch with entries
 * ```
 */
export function materialize<C>(batch: Batch<C>): Batched<C> {
  const name = "Nx.Batch.materialize";
  const given = checkBatch(name, batch) as Batch<C>;
  return leafByLeaf(given, name, (leaf) => wholeLeaf(given, leaf));
}

/** A container like each entry, with what is made of each leaf by its number. */
function leafByLeaf<C>(batch: Batch<C>, fn: string, leafOf: (leaf: number) => unknown): Batched<C> {
  const { template: like, rows } = batch;
  if (like === null || rows.length === 0) {
    throw new ArgumentError(
      `${fn} expects a batch with entries, got: ${batch.toString()}; add some with Nx.Batch.stack`,
    );
  }
  let next = 0;
  return mapContainer(like, () => leafOf(next++));
}

/** The entries of a leaf, joined and padded. */
function wholeLeaf({ rows, padding }: Batch, leaf: number): Tensor {
  const parts = rows.map((part) => entriesOf(part, leaf));
  return apart(padded(joined(parts), padding), ...rows.map(({ leaves }) => leaves[leaf]));
}

/** Type, shape and names of the entries of a leaf, joined and padded. */
function wholeTemplate({ rows, padding }: Batch, leaf: number): Template {
  const parts = rows.map(({ leaves, single, count }) => {
    const { type, shape, names } = leaves[leaf]!;
    return single
      ? { type, shape: [1, ...shape], names: [null, ...names] }
      : { type, shape: [count, ...shape.slice(1)], names };
  });
  const { type, shape, names } = joinedTemplate(parts);
  const whole = Object.freeze([shape[0]! + padding, ...shape.slice(1)]);
  checkSize(whole, "batch of shape");
  return template(type, whole, Object.freeze([...names]));
}

/** A part of a leaf with an axis for its entries. */
function entriesOf({ leaves, single, start, count }: Rows, leaf: number): Tensor {
  const t = leaves[leaf]!;
  if (single) return newAxis(t, 0);
  return count === t.shape[0] ? t : sliceAlong(t, 0, start, count);
}

/** Parts along the first axis; types and shapes agree already. */
function joined(parts: readonly Tensor[]): Tensor {
  return parts.length === 1 ? parts[0]! : run("concatenate", joinedTemplate(parts), parts, { axis: 0 });
}

function joinedTemplate(parts: readonly Template[]): Template {
  const [first, ...rest] = parts as [Template, ...Template[]];
  if (rest.length === 0) return first;
  const shape = Object.freeze([parts.reduce((sum, part) => sum + part.shape[0]!, 0), ...first.shape.slice(1)]);
  checkSize(shape, "batch of shape");
  const names = rest.reduce((merged, part) => mergeNames(merged, shape, part.names, part.shape), first.names);
  return template(first.type, shape, names);
}

function padded(t: Tensor, count: number): Tensor {
  if (count === 0) return t;
  return padTensor(
    t,
    0,
    t.shape.map((_, axis) => [0, axis === 0 ? count : 0] as const),
  );
}
