/**
 * From the blocks of one array to the chunks of another.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import { cellAt, gridOf, product, type Box } from "./boxes";
import { arrayText, checkOptions, flag, shown, sizesText } from "./checks";
import { Folder } from "./folder";
import { readRunOptions, RUN_OPTIONS, type RunOptions } from "./options";
import { Run } from "./runs";
import { chunkBox, writable, writeBox, type Source } from "./source";
import { eachOf } from "./stream";
import { workOver } from "./work";

/** Options of `map`. */
export interface ZarrMapOptions extends RunOptions {
  /** What the function is called, with its version: a run that failed is taken up by one with the same id. */
  readonly id?: string;
  /** Begins anew where an unfinished run is found, whatever its id. */
  readonly restart?: boolean;
}

const FN = "ZarrArray.map";

/** Where each axis of the result stands in the array that is read; null for axes that only the result has. */
function placesOf(from: Source, into: Source): (number | null)[] {
  const isNamed = [from, into].some(({ names }) => names.some((name) => name !== null));
  if (!isNamed && from.shape.length !== into.shape.length) {
    throw new ArgumentError(
      `${FN}: axes of ${arrayText(from)} and ${arrayText(into)} cannot be told apart without names; ` +
        `name them by openZarr(store, { names: ["x", ...] })`,
    );
  }
  return into.names.map((name, axis) => {
    const at = isNamed ? (name === null ? -1 : from.names.indexOf(name)) : axis;
    if (at >= 0) {
      if (from.shape[at] === into.shape[axis]) return at;
      throw new ArgumentError(
        `${FN}: axis ${shown(name ?? axis)} has size ${from.shape[at]} in ${arrayText(from)} and ${into.shape[axis]} in ${arrayText(into)}`,
      );
    }
    if (into.chunks[axis]! >= into.shape[axis]!) return null;
    throw new ArgumentError(
      `${FN}: axis ${shown(name ?? axis)} of ${arrayText(into)} is not in ${arrayText(from)}, so it has to be in one chunk`,
    );
  });
}

/** What has to be read for a box of the result: the same places, and all of other axes. */
function boxBehind(from: Source, places: readonly (number | null)[], box: Box): Box {
  const starts = from.shape.map(() => 0);
  const lengths = [...from.shape];
  places.forEach((at, axis) => {
    if (at === null) return;
    starts[at] = box.starts[axis]!;
    lengths[at] = box.lengths[axis]!;
  });
  return { starts, lengths };
}

function checkResult(result: unknown, into: Source, { lengths }: Box): Tensor {
  const expected = `${into.type}${sizesText(lengths, into.names)}`;
  if (!(result instanceof Nx.Tensor)) {
    throw new ArgumentError(`${FN}: the function must give a tensor ${expected} for this block, got: ${shown(result)}`);
  }
  const isFitting =
    result.type === into.type &&
    result.rank === lengths.length &&
    result.shape.every((size, axis) => size === lengths[axis]) &&
    (result.names as Nx.Names).every(
      (name, axis) => name === null || into.names[axis] === null || name === into.names[axis],
    );
  if (isFitting) return result;
  const hint = result.type === into.type ? "" : `; convert it with Nx.asType(result, ${shown(into.type)})`;
  throw new ArgumentError(`${FN}: the function must give ${expected} for this block, got: ${shown(result)}${hint}`);
}

/** Whether two arrays are one: in one place of one store. */
function isSame(a: Source, b: Source): boolean {
  if (a.store instanceof Folder && b.store instanceof Folder) return a.store.file(a.path) === b.store.file(b.path);
  return a.store === b.store && a.path === b.path;
}

/** Writes every chunk of `into` that is not done. */
export async function mapInto(
  from: Source,
  each: unknown,
  into: Source,
  given: ZarrMapOptions | undefined,
): Promise<void> {
  const options = checkOptions(FN, given, ["id", "restart", ...RUN_OPTIONS]);
  const run = readRunOptions(FN, options);
  const restart = flag(FN, "restart", options.restart);
  const { id = null } = options;
  if (id !== null && (typeof id !== "string" || id === "")) {
    throw new ArgumentError(`option id of ${FN} must be a text that says which function this is, got: ${shown(id)}`);
  }
  const job = jobOf(FN, each, run);
  writable(FN, into.store);
  if (isSame(from, into)) {
    throw new ArgumentError(`${FN} cannot write over the array that it reads; create another with createZarr`);
  }
  run.signal?.throwIfAborted();
  const places = placesOf(from, into);
  const counts = gridOf(into.shape, into.chunks);
  const ledger = await Run.begin(FN, into, { chunks: product(counts), id, restart });
  const missing = Array.from({ length: product(counts) }, (_, chunk) => chunk).filter((chunk) => !ledger.isDone(chunk));
  const work = workOver<Uint8Array>(FN, from, job, run);
  try {
    await eachOf(missing.length, work.ahead + 1, run.signal, async (i, stop) => {
      const chunk = missing[i]!;
      const box = chunkBox(into, cellAt(counts, chunk));
      const toBytes = (result: unknown): Uint8Array => Nx.toBinary(checkResult(result, into, box));
      await writeBox(into, box, await work.on(boxBehind(from, places, box), stop, toBytes));
      await ledger.did(chunk);
    });
  } catch (error) {
    await ledger.fail();
    throw error;
  } finally {
    work.end();
  }
  await ledger.finish();
}

/** A function, or with workers its name in their module. */
export function jobOf(
  fn: string,
  each: unknown,
  { workers }: RunOptions,
): { each?: (block: Tensor) => unknown; name?: string } {
  if (workers === undefined) {
    if (typeof each === "function") return { each: each as (block: Tensor) => unknown };
    const hint = typeof each === "string" ? "; a name says a function of workers: give the option workers" : "";
    throw new ArgumentError(`${fn} expects a function of a block, got: ${shown(each)}${hint}`);
  }
  if (typeof each === "string") return { name: each };
  throw new ArgumentError(
    `${fn} with workers expects the name of a function that their module hands to serveBlocks, got: ${shown(each)}`,
  );
}
