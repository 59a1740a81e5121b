/**
 * Arrays in stores: opening, creating, and answering for the blocks of an array on another thread.
 */
import { ArgumentError, type DType, type Names, type Tensor } from "nx-numerics";
import { ZarrArray } from "./array";
import { arrayText, axisIn, checkOptions, flag, oneOf, shown } from "./checks";
import { codecsOf, documentsOf, tryCodecs, type ZarrCodecs } from "./create";
import { Folder, folderAt, isPlace, type FolderPlace } from "./folder";
import { checkNames, encodeJson, findMetadata, keyOf, readMetadata, type Metadata } from "./metadata";
import { unfinishedIn } from "./runs";
import { openSource, sourceBehind, writable } from "./source";
import { isZarrType, ELEMENT_TYPES, zarrita, type WritableZarrStore, type ZarrStore } from "./types";
import { answerBlocks } from "./workers";

/** Options of {@link openZarr}. */
export interface OpenZarrOptions<N extends Names = Names> {
  /** Where in the store the array is; the root when left out. */
  readonly path?: string;
  /** Names of the axes, for an array that has none, and for types. Those that the array has must be the same. */
  readonly names?: N;
  /** Whether an array that a run has not finished may be opened; it is refused when left out. */
  readonly unfinished?: boolean;
}

/** Options of {@link createZarr}. */
export interface CreateZarrOptions {
  /** Sizes of the chunks, one for each axis, or by axis name: axes that are left out are whole. */
  readonly chunks: readonly number[] | Readonly<Record<string, number>>;
  /** How chunks are compressed: a name, or codecs as the metadata have them; `"zstd"` when left out. */
  readonly codecs?: ZarrCodecs;
  /** Where in the store the array is; the root when left out. */
  readonly path?: string;
  /** Version of Zarr: 3 when left out, or 2. */
  readonly format?: 2 | 3;
  /** What elements are that nobody has written: NaN for floats and 0 for integers when left out. */
  readonly fillValue?: number;
  /** What else the array says about itself, such as units. */
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** What is done about an array that is there: an error, or it is opened if it is the same but for its elements. */
  readonly exists?: "error" | "open";
}

/** What an array is to be like: a template, a tensor, another array, or their type, shape and names alone. */
export interface ZarrLike<N extends Names = Names> {
  readonly type: DType;
  readonly shape: readonly number[];
  readonly names: N;
}

/** A store of a user, or the folder that a path means. */
function storeOf(fn: string, store: unknown): ZarrStore {
  if (isPlace(store)) return folderAt(fn, store);
  if (typeof (store as Partial<ZarrStore> | null)?.get === "function") return store as ZarrStore;
  throw new ArgumentError(
    `${fn} expects the path of a folder, or a store with a method get: a Map, or one of zarrita such as new FetchStore(url), ` +
      `got: ${shown(store)}`,
  );
}

function checkPath(fn: string, path: unknown): string {
  if (path === undefined) return "";
  if (typeof path === "string")
    return path
      .split("/")
      .filter((part) => part !== "")
      .join("/");
  throw new ArgumentError(`option path of ${fn} must be a text such as "air/temperature", got: ${shown(path)}`);
}

/**
 * Opens an array of Zarr, of version 2 or 3, without reading its elements. Its dimension names are axis names: those of version 3, and
 * those of xarray in version 2. Needs the package `zarrita`.
 *
 * @param store - the path of a folder or its `file:` URL, where the host has Node's file system; a `Map`; or a store of zarrita: HTTP, zip.
 *   From folders, chunks that are not compressed are read straight into the memory of tensors
 * @param options - `path` of the array, which may stand in place of the options; `names` of the axes; `unfinished`: whether an array whose
 *   chunks are not all there may be opened
 * @returns the array, to be read part by part
 * @throws ArgumentError where there is no array, for a type that tensors do not have, names that are not those of the array, and an array
 *   that a run of `map` has not finished
 * @example
 * ```ts
 * import { createZarr, openZarr } from "nx-numerics/zarr";
 * const store = new Map<string, Uint8Array>();
 * const like = Nx.template([365, 180], "f32", { names: ["time", "lat"] });
 * await createZarr(store, like, { path: "air", chunks: { time: 30 } });
 * const air = await openZarr(store, { path: "air", names: ["time", "lat"] });
 * air;
 * // => #Nx.ZarrArray<f32[time: 365 by 30][lat: 180]>
 * await openZarr(store, "iar");
 * // throws ArgumentError: openZarr: the store has no Zarr array at "iar"
 * ```
 */
export async function openZarr<const N extends Names = Names>(
  store: FolderPlace | ZarrStore | ReadonlyMap<string, Uint8Array>,
  options?: string | OpenZarrOptions<N>,
): Promise<ZarrArray<N>> {
  const fn = "openZarr";
  const checked = storeOf(fn, store);
  const given = typeof options === "string" ? { path: options } : options;
  const { path: at, names, unfinished } = checkOptions<OpenZarrOptions<N>>(fn, given, ["path", "names", "unfinished"]);
  const path = checkPath(fn, at);
  if (checked instanceof Folder) await checked.expect(fn);
  const metadata = await readMetadata(fn, checked, path);
  const run = unfinishedIn(metadata.attributes);
  if (run !== null && !flag(fn, "unfinished", unfinished)) {
    const whose = run.id === null ? "" : ` ${shown(run.id)}`;
    throw new ArgumentError(
      `${fn}: chunks of the array at ${shown(path || "/")} are missing, since a run${whose} has not finished; finish it by ` +
        `map, or read what is there with { unfinished: true }`,
    );
  }
  return new ZarrArray<N>(await openSource(fn, checked, path, metadata, namesOf(fn, metadata, names)));
}

function namesOf(fn: string, { names, shape }: Metadata, given: Names | undefined): Names {
  const known = names.every((name, axis) => name === null || names.indexOf(name) === axis);
  if (given === undefined) {
    if (known) return checkNames(fn, shape.length, names);
    throw new ArgumentError(
      `${fn}: the array names two axes alike, ${shown([...names])}; give it others by the option names`,
    );
  }
  const checked = checkNames(fn, shape.length, given);
  const other = known ? names.findIndex((name, axis) => name !== null && name !== checked[axis]) : -1;
  if (other < 0) return checked;
  throw new ArgumentError(`${fn}: the axes of the array are named ${shown([...names])}, not ${shown([...checked])}`);
}

/**
 * Creates an array of Zarr, whose chunks are to be written by `write` or `map`. Needs the package `zarrita`.
 *
 * @param store - the path of a folder or its `file:` URL, which is made where it is missing; a `Map`; or a store of zarrita that can be
 *   written to
 * @param like - type, shape and names: a template (`Nx.template`), a tensor or another array
 * @param options - `chunks`; `codecs`: `"zstd"` (when left out), `"blosc"`, `"none"` or a list; `path`; `format`: 3 or 2; `fillValue`;
 *   `attributes`; `exists`: `"open"` opens an array that is there, if type, shape, names and chunks are the same, also one that a run has
 *   not finished, so that it can be taken up
 * @returns the array
 * @throws ArgumentError for a type that Zarr does not have, chunks that do not fit, codecs that cannot be written, and an array that is
 *   there
 * @example
 * ```ts
 * import { createZarr } from "nx-numerics/zarr";
 * const store = new Map<string, Uint8Array>();
 * const like = Nx.template([365, 180], "f32", { names: ["time", "lat"] });
 * await createZarr(store, like, { chunks: { time: 30 }, attributes: { units: "K" } });
 * // => #Nx.ZarrArray<f32[time: 365 by 30][lat: 180]>
 * await createZarr(store, like, { chunks: { tmie: 30 } });
 * // throws ArgumentError: createZarr: no axis "tmie" in f32[time: 365][lat: 180]: the axes are "time", "lat"; did you mean "time"?
 * ```
 */
export async function createZarr<const N extends Names>(
  store: FolderPlace | WritableZarrStore | Map<string, Uint8Array>,
  like: ZarrLike<N> | Tensor<N>,
  options: CreateZarrOptions,
): Promise<ZarrArray<N>> {
  const fn = "createZarr";
  const target = writable(fn, storeOf(fn, store));
  const given = checkOptions(fn, options ?? {}, CREATE_OPTIONS);
  const exists = oneOf(fn, "exists", given.exists, ["error", "open"]);
  const { type, shape } = checkLike(fn, like);
  const names = checkNames(fn, shape.length, (like as ZarrLike).names ?? shape.map(() => null));
  const chunks = chunksOf(fn, { type, shape, names }, given.chunks);
  const format = formatOf(fn, given.format);
  const path = checkPath(fn, given.path);
  const { registry } = await zarrita(fn);
  const codecs = codecsOf(fn, format, given.codecs, registry);
  const wanted = { ...given, type, shape, names, chunks, format, codecs };
  await tryCodecs(fn, registry, wanted);
  const documents = documentsOf(fn, wanted);
  const there = await findMetadata(fn, target, path);
  if (there !== undefined) {
    const source = await openSource(fn, target, path, there, names);
    const [old, wanted] = [arrayText({ ...source, names: there.names }), arrayText({ type, shape, names, chunks })];
    if (exists === "open" && old === wanted) return new ZarrArray<N>(source);
    const hint =
      old === wanted ? `; open it with { exists: "open" }, or give another path` : `, not ${wanted}; give another path`;
    throw new ArgumentError(`${fn}: the store has an array ${old} at ${shown(path || "/")}${hint}`);
  }
  for (const [name, document] of documents) await target.set(keyOf(path, name), encodeJson(document));
  return new ZarrArray<N>(await openSource(fn, target, path, await readMetadata(fn, target, path), names));
}

const CREATE_OPTIONS = ["chunks", "codecs", "path", "format", "fillValue", "attributes", "exists"];

function checkLike(fn: string, like: unknown): { type: keyof typeof ELEMENT_TYPES; shape: readonly number[] } {
  const { type, shape } = (like ?? {}) as Partial<ZarrLike>;
  const isShape = Array.isArray(shape) && shape.every((size) => Number.isSafeInteger(size) && (size as number) > 0);
  if (typeof type !== "string" || !isShape) {
    throw new ArgumentError(
      `${fn} expects a template, such as Nx.template([365, 180], "f32", { names: ["time", "lat"] }), got: ${shown(like)}`,
    );
  }
  if (isZarrType(type)) return { type, shape };
  const list = Object.keys(ELEMENT_TYPES).join(", ");
  throw new ArgumentError(`${fn} cannot keep elements of type ${shown(type)}; it can keep ${list}`);
}

function formatOf(fn: string, format: unknown): 2 | 3 {
  if (format === undefined || format === 2 || format === 3) return format ?? 3;
  throw new ArgumentError(`option format of ${fn} must be 2 or 3, got: ${shown(format)}`);
}

function chunksOf(
  fn: string,
  like: { type: string; shape: readonly number[]; names: Names },
  given: unknown,
): number[] {
  const { shape, names } = like;
  if (typeof given !== "object" || given === null) {
    throw new ArgumentError(
      `option chunks of ${fn} must be sizes, such as { ${names[0] ?? "x"}: 10 } or a list, got: ${shown(given)}`,
    );
  }
  const isList = Array.isArray(given);
  const sizes: unknown[] = isList ? [...(given as unknown[])] : [...shape];
  if (!isList) {
    for (const [axis, size] of Object.entries(given)) sizes[axisIn(fn, { ...like, chunks: shape }, axis)] = size;
  }
  if (sizes.length === shape.length && sizes.every((size) => Number.isSafeInteger(size) && (size as number) >= 1)) {
    return sizes.map((size, axis) => Math.min(size as number, shape[axis]!));
  }
  throw new ArgumentError(
    `option chunks of ${fn} must have a size of at least 1 for each of the ${shape.length} axes, got: ${shown(sizes)}`,
  );
}

/**
 * Answers for the blocks of an array in the module of a worker, so that runs with the option `workers` read, decompress and compute there.
 *
 * @param open - opens the array; called when the first block is asked for
 * @param functions - what `map` and `reduce` name; the reductions of the library need none
 * @throws ArgumentError on the main thread
 * @example
 * ```ts
 * // doctest: skip because it is the module of a worker, blocks.js: see docs/larger-than-memory.md
 * import { FetchStore } from "zarrita";
 * import { openZarr, serveBlocks } from "nx-numerics/zarr";
 * const squares = Nx.defn((block: Nx.Tensor) => Nx.sum(Nx.multiply(block, block)));
 * serveBlocks(() => openZarr(new FetchStore("https://example.com/air.zarr"), "air"), { squares });
 * ```
 * @example
 * ```ts
 * import { serveBlocks } from "nx-numerics/zarr";
 * // @ts-expect-error the array is missing
 * serveBlocks({ squares: Nx.sum });
 * // throws ArgumentError: serveBlocks expects a function that opens the array, got: an object
 * ```
 */
export function serveBlocks(
  open: () => Promise<ZarrArray> | ZarrArray,
  functions: Readonly<Record<string, (block: Tensor) => unknown>> = {},
): void {
  if (typeof open !== "function") {
    throw new ArgumentError(`serveBlocks expects a function that opens the array, got: ${shown(open)}`);
  }
  answerBlocks(async () => {
    const array: unknown = await open();
    const source = sourceBehind(array);
    if (source !== undefined) return source;
    throw new ArgumentError(`the function given to serveBlocks must give what openZarr does, got: ${shown(array)}`);
  }, functions);
}
