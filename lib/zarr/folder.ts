/**
 * A folder as a store, on hosts with Node's file system (Node, Deno, Bun). A value is read into memory that is given by one request, which
 * threads of the host do while this one computes; what is written takes the place of what was there once it is whole.
 */
import { ArgumentError } from "nx-numerics";
import { shown } from "./checks";
import type { ByteRange, WritableZarrStore } from "./types";

type FileSystem = typeof import("node:fs");
type Done<T> = (error: Error | null, value: T) => void;

interface Host {
  readonly process?: { getBuiltinModule?(id: string): unknown };
}

/** The most bytes of one request; hosts take 2 GiB less one. */
const MOST_AT_ONCE = 2 ** 30;

/** A module of the host, asked for without an import, so that bundlers for browsers do not look for it. */
function builtin<T>(fn: string, id: string): T {
  const found = (globalThis as Host).process?.getBuiltinModule?.(id);
  if (found !== undefined) return found as T;
  throw new ArgumentError(
    `${fn} opens folders where there is Node's file system (Node, Deno, Bun), which this host has not; give a store such as a Map, or ` +
      `new FetchStore(url) of zarrita`,
  );
}

/** The result of a function of Node that calls back. */
const called = <T>(start: (done: Done<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))));

/** What rejects because there is no such file becomes undefined. */
async function orNothing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as { code?: string }).code!)) return undefined;
    throw error;
  }
}

/** What means a folder: a path, or a `URL`. */
export type FolderPlace = string | { readonly href: string };

/** Whether somebody means a folder. */
export const isPlace = (store: unknown): store is FolderPlace =>
  typeof store === "string" || typeof (store as { href?: unknown } | null)?.href === "string";

/** The folder at a path, or at a `file:` address. */
export function folderAt(fn: string, given: FolderPlace): Folder {
  const text = typeof given === "string" ? given : given.href;
  const scheme = /^([a-z][a-z\d+.-]+):\//i.exec(text)?.[1]!.toLowerCase();
  if (text === "" || text.includes("\0") || (scheme !== undefined && scheme !== "file")) {
    const hint = scheme?.startsWith("http") ? `; for an address give new FetchStore(${shown(text)}) of zarrita` : "";
    throw new ArgumentError(`${fn} expects the path of a folder, a file: URL or a store, got: ${shown(text)}${hint}`);
  }
  const fs = builtin<FileSystem>(fn, "node:fs");
  const path = builtin<typeof import("node:path")>(fn, "node:path");
  return new Folder({ fs, path }, path.resolve(scheme === undefined ? text : pathOf(fn, text)));
}

/** The path that a `file:` address means. */
function pathOf(fn: string, address: string): string {
  const { fileURLToPath } = builtin<typeof import("node:url")>(fn, "node:url");
  try {
    return fileURLToPath(address);
  } catch (cause) {
    const what = `a file: URL of this machine, such as "file:///data/air.zarr", got: ${shown(address)}`;
    throw new ArgumentError(`${fn} expects ${what}: ${(cause as Error).message}`, { cause });
  }
}

let lastPartial = 0;

/** A folder, whose files are the values: their keys are their paths in it. */
export class Folder implements WritableZarrStore {
  readonly #fs: FileSystem;
  readonly #path: typeof import("node:path");

  constructor(
    modules: object,
    /** The absolute path of the folder. */
    readonly root: string,
  ) {
    ({ fs: this.#fs, path: this.#path } = modules as { fs: FileSystem; path: typeof import("node:path") });
  }

  toString(): string {
    return `the folder ${shown(this.root)}`;
  }

  /** The path of a file. */
  file(key: string): string {
    return this.#path.join(this.root, ...key.split("/"));
  }

  /** Refuses a folder that is not there. */
  async expect(fn: string): Promise<void> {
    const found = await orNothing(called<import("node:fs").Stats>((done) => this.#fs.stat(this.root, done)));
    if (found?.isDirectory()) return;
    throw new ArgumentError(
      `${fn}: ${found ? `${shown(this.root)} is no folder` : `there is no folder ${shown(this.root)}`}`,
    );
  }

  async get(key: string, options?: { signal?: AbortSignal }): Promise<Uint8Array | undefined> {
    return this.#opened(key, options?.signal, async (file) => {
      const { size } = await this.#stat(file);
      const bytes = new Uint8Array(size);
      return bytes.subarray(0, await this.#read(file, bytes, 0));
    });
  }

  async getRange(key: string, range: ByteRange, options?: { signal?: AbortSignal }): Promise<Uint8Array | undefined> {
    return this.#opened(key, options?.signal, async (file) => {
      const { size } = await this.#stat(file);
      const start = "offset" in range ? range.offset : Math.max(0, size - range.suffixLength);
      const end = "offset" in range ? Math.min(size, start + range.length) : size;
      const bytes = new Uint8Array(Math.max(0, end - start));
      return bytes.subarray(0, await this.#read(file, bytes, start));
    });
  }

  /** Reads a value into memory; false where there is no value, or one of another length. */
  async readInto(key: string, into: Uint8Array, signal?: AbortSignal): Promise<boolean> {
    const isRead = await this.#opened(key, signal, async (file) => {
      const [count, { size }] = await Promise.all([this.#read(file, into, 0), this.#stat(file)]);
      return count === into.length && size === count;
    });
    return isRead ?? false;
  }

  /** Writes a file beside the one that is there, and then in its place, so that nobody ever sees a part of it. */
  async set(key: string, value: Uint8Array): Promise<void> {
    const file = this.file(key);
    const partial = `${file}.${Date.now().toString(36)}-${++lastPartial}.partial`;
    const write = (): Promise<void> => called<void>((done) => this.#fs.writeFile(partial, value, done as Done<void>));
    try {
      await write().catch(async (error: unknown) => {
        if ((error as { code?: string }).code !== "ENOENT") throw error;
        await called((done) => this.#fs.mkdir(this.#path.dirname(file), { recursive: true }, done));
        await write();
      });
      await called<void>((done) => this.#fs.rename(partial, file, done as Done<void>));
    } catch (error) {
      this.#fs.unlink(partial, () => undefined);
      throw error;
    }
  }

  async delete(key: string): Promise<boolean> {
    await orNothing(called<void>((done) => this.#fs.unlink(this.file(key), done as Done<void>)));
    return true;
  }

  /** What becomes of an open file; undefined where there is none. */
  async #opened<T>(
    key: string,
    signal: AbortSignal | undefined,
    work: (file: number) => Promise<T>,
  ): Promise<T | undefined> {
    signal?.throwIfAborted();
    const file = await orNothing(called<number>((done) => this.#fs.open(this.file(key), "r", done)));
    if (file === undefined) return undefined;
    try {
      signal?.throwIfAborted();
      return await work(file);
    } finally {
      this.#fs.close(file, () => undefined);
    }
  }

  #stat(file: number): Promise<{ readonly size: number }> {
    return called((done) => this.#fs.fstat(file, done));
  }

  /** Reads from a place on for as long as there is memory; how many bytes there were. */
  async #read(file: number, into: Uint8Array, from: number): Promise<number> {
    let at = 0;
    while (at < into.length) {
      const length = Math.min(into.length - at, MOST_AT_ONCE);
      const offset = at;
      const count = await called<number>((done) => this.#fs.read(file, into, offset, length, from + offset, done));
      if (count === 0) break;
      at += count;
    }
    return at;
  }
}
