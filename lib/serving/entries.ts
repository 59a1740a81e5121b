/**
 * From what a request brings to entries of a batch, and from the result of a batch to what belongs to each request.
 */
import { templateBackend } from "../backends/template";
import { Batch, concatenate, materialize, merge, pad, split, stack } from "../batch";
import { containerKind, entriesOf, formatPath, mapContainer } from "../container";
import { ArgumentError, show } from "../core/errors";
import { formatShape } from "../core/shape";
import { asTensor } from "../nx/dispatch";
import { isCompatible, squeeze } from "../nx/shape";
import { Tensor } from "../tensor";
import { CREATE, RUN } from "./settings";

/** The entries of one request. */
interface Entries {
  readonly batch: Batch;
  /** Whether the request is a single entry, whose result has no axis of entries. */
  readonly single: boolean;
}

/** The entries of what `preprocess` gave, checked. */
export function readEntries(prepared: unknown, template: unknown): Entries {
  const single = !(prepared instanceof Batch);
  const batch = single ? stack([mapContainer(prepared, tensorOf)]) : prepared;
  if (batch.size === 0) {
    throw new ArgumentError(
      `${RUN} expects a batch with entries, got: ${batch.toString()}; add some with Nx.Batch.stack`,
    );
  }
  for (const { leaves } of batch.rows) leaves.forEach(checkData);
  if (template !== undefined && !isCompatible(template, batch.template)) {
    throw new ArgumentError(
      `${RUN} expects entries like the template of the serving, ${describe(template)}, got ${describe(batch.template)}; ` +
        `bring them into that form in preprocess`,
    );
  }
  return { batch, single };
}

function tensorOf(leaf: unknown): Tensor {
  return asTensor(leaf, RUN);
}

/** Tensors of a trace and vectorized ones would make all others of the batch like themselves. */
function checkData({ backend, type, shape, names }: Tensor): void {
  if (backend !== templateBackend && !backend.absorbs) return;
  throw new ArgumentError(
    `${RUN} expects tensors with data, got ${type}${formatShape(shape, names)} of the ${backend.name} backend; ` +
      `templates have none, traced and vectorized tensors cannot be in a batch with others`,
  );
}

/** Types, shapes and names of a container of tensors, for messages. */
function describe(like: unknown): string {
  const leaves: string[] = [];
  mapContainer(like, (leaf, path) => {
    const { type, shape, names } = leaf as Tensor;
    const text = `${type}${formatShape(shape, names)}`;
    leaves.push(path.length === 0 ? text : `${formatPath(path)}: ${text}`);
  });
  return leaves.join(", ");
}

const prototypes = new WeakMap<object, number>();
let met = 0;

/** The same text for entries that may be in one batch without any of them seeing the others: alike in names, too. */
export function signatureOf(like: unknown): string {
  if (like instanceof Tensor) return `${like.type}${JSON.stringify([like.shape, like.names])}`;
  const kind = containerKind(like);
  const isOfClass = kind === "custom" || kind === "record";
  const parts = entriesOf(like).map(([key, child]) => `${JSON.stringify(key)}:${signatureOf(child)}`);
  return `${kind}${isOfClass ? numberOf(Object.getPrototypeOf(like) as object) : ""}(${parts.join()})`;
}

/** Prototypes are told apart by the order in which they were met. */
function numberOf(prototype: object): number {
  const known = prototypes.get(prototype) ?? met++;
  prototypes.set(prototype, known);
  return known;
}

/** What the function is given: the entries of all batches, and as many of zeros as are missing to `size`. */
export function joinEntries(batches: readonly Batch[], size: number): unknown {
  const all = merge(batches);
  return materialize(pad(all, Math.max(0, size - all.size)));
}

/** Cuts the result of a batch into parts of so many entries, padding left over. */
export function cutResult(result: unknown, size: number, counts: readonly number[]): unknown[] {
  checkResult(result, size);
  let rest = concatenate([result]);
  return counts.map((count) => {
    const [part, others] = split(rest, count);
    rest = others;
    return materialize(part);
  });
}

function checkResult(result: unknown, size: number): void {
  let count = 0;
  mapContainer(result, (leaf, path) => {
    count++;
    if (leaf instanceof Tensor && leaf.shape[0] === size) return;
    const got = leaf instanceof Tensor ? `${leaf.type}${formatShape(leaf.shape, leaf.names)}` : show(leaf);
    const where = path.length === 0 ? "" : ` at ${formatPath(path)}`;
    throw new ArgumentError(
      `the function of ${CREATE} must return tensors whose first axis has the size of the batch, ${size}, got ${got}${where}`,
    );
  });
  if (count > 0) return;
  throw new ArgumentError(`the function of ${CREATE} must return tensors, got: ${show(result)}`);
}

/** Puts the parts of a request's result together. */
export function joinResult(parts: readonly unknown[], single: boolean): unknown {
  const whole = parts.length === 1 ? parts[0] : materialize(concatenate(parts));
  return single ? mapContainer(whole, (leaf) => squeeze(leaf as Tensor, { axes: [0] })) : whole;
}
