/**
 * Files by their path, for hosts with Node's file system: Node, Deno, Bun.
 */
import { ArgumentError, type Tensor } from "nx-numerics";
import { encode, formatOf, shown, checkFormat, type EncodeOptions, type FileFormat } from "./formats";
import { checkReadOptions, decodeAs, type ReadOptions } from "./streams";

/** Options of {@link readFile}. */
export type ReadFileOptions<F extends FileFormat = FileFormat> = ReadOptions<F>;

/** Options of {@link writeFile}. */
export interface WriteFileOptions<F extends FileFormat = FileFormat> {
  /** The format; else it is told by the ending of the path. */
  readonly format?: F;
  /** Options of the writer of the format. */
  readonly options?: EncodeOptions[F];
}

type FileSystem = typeof import("node:fs/promises");

/** In a variable, so that bundlers for browsers do not look for it. */
const FILE_SYSTEM = "node:fs/promises";

interface Host {
  readonly process?: { getBuiltinModule?(id: string): unknown };
}

/** Asked for without an import where that can be, since test runners with CommonJS modules (jest) have no dynamic import. */
const builtin = (): FileSystem | undefined =>
  (globalThis as Host).process?.getBuiltinModule?.(FILE_SYSTEM) as FileSystem | undefined;

async function fileSystem(fn: string): Promise<FileSystem> {
  try {
    const found = builtin();
    if (found) return found;
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ FILE_SYSTEM)) as FileSystem;
  } catch (cause) {
    throw new ArgumentError(`${fn} needs Node's file system, which this host has not; use fromBlob and toBlob`, {
      cause,
    });
  }
}

/**
 * Reads a file of tensors; its ending says the format.
 *
 * @param path - a path ending in `.npy`, `.npz`, `.safetensors` or `.nx`, or any path with `format`
 * @param options - `format`; `maxBytes`; `options` of the format's own reader
 * @returns what the reader of the format gives: a tensor (`npy`), pairs (`npz`), an object (`safetensors`), a container (`nx`)
 * @throws ArgumentError if there is no such file, it is too large or it is malformed
 * @example
 * ```ts
 * import { tmpdir } from "node:os";
 * import { readFile, writeFile } from "nx-numerics/files";
 * const path = `${tmpdir()}/nx-numerics-example.safetensors` as const;
 * await writeFile(path, { w: Nx.f32([1, 2], { names: ["x"] }) });
 * (await readFile(path))["w"];
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 2.0]
 * // >
 * await readFile("/no/such/file.npy");
 * // throws ArgumentError: readFile cannot read "/no/such/file.npy": ENOENT
 * ```
 */
export async function readFile(path: `${string}.npy`, options?: ReadFileOptions<"npy">): Promise<Tensor>;
export async function readFile(
  path: `${string}.npz`,
  options?: ReadFileOptions<"npz">,
): Promise<(readonly [name: string, tensor: Tensor])[]>;
export async function readFile(
  path: `${string}.safetensors`,
  options?: ReadFileOptions<"safetensors">,
): Promise<Record<string, Tensor>>;
export async function readFile(path: string, options?: ReadFileOptions): Promise<unknown>;
export async function readFile(path: string, options?: ReadFileOptions): Promise<unknown> {
  const checked = checkReadOptions("readFile", options);
  checkPath("readFile", path);
  const fs = await fileSystem("readFile");
  const bytes = await attempt("readFile", "read", path, async () => {
    const { size } = await fs.stat(path);
    const maxBytes = checked.maxBytes ?? Infinity;
    if (size <= maxBytes) return fs.readFile(path);
    throw new Error(`it has ${size} bytes, more than the ${maxBytes} of maxBytes`);
  });
  return decodeAs("readFile", bytes, path, checked);
}

/**
 * Writes tensors to a file, over any that is there; its ending says the format.
 *
 * @param path - a path ending in `.npy`, `.npz`, `.safetensors` or `.nx`, or any path with `format`
 * @param value - for `.nx` any container, for `.npy` a tensor, for `.npz` and `.safetensors` tensors by name
 * @param options - `format`; `options` of the format's own writer
 * @throws ArgumentError for a value that the format cannot keep, and if the file cannot be written
 * @example
 * ```ts
 * import { tmpdir } from "node:os";
 * import { readFile, writeFile } from "nx-numerics/files";
 * const path = `${tmpdir()}/nx-numerics-example-2.nx`;
 * await writeFile(path, [Nx.tensor([1, 2], { names: ["x"] }), "done"], { options: { compression: "deflate" } });
 * await readFile(path);
 * // => [
 * //   #Nx.Tensor<
 * //     s64[x: 2]
 * //     [1, 2]
 * //   >,
 * //   'done'
 * // ]
 * await writeFile("table.csv", Nx.tensor(1));
 * // throws ArgumentError: writeFile cannot tell the format of "table.csv"; give it by { format: "npy" }
 * ```
 */
export async function writeFile(path: string, value: unknown, options?: WriteFileOptions): Promise<void> {
  checkPath("writeFile", path);
  const format = formatToWrite(path, options);
  const bytes = encode(value, format, options?.options);
  const fs = await fileSystem("writeFile");
  await attempt("writeFile", "write", path, () => fs.writeFile(path, bytes));
}

function formatToWrite(path: string, options: unknown): FileFormat {
  const { format, ...rest } = Object(options ?? {}) as WriteFileOptions;
  const unknown = Object.keys(rest).find((key) => key !== "options");
  if (unknown !== undefined) throw new ArgumentError(`writeFile takes the options format, options, got: ${unknown}`);
  if (format !== undefined) return checkFormat("writeFile", format);
  const told = formatOf(path);
  if (told !== null) return told;
  throw new ArgumentError(`writeFile cannot tell the format of ${shown(path)}; give it by { format: "npy" }`);
}

function checkPath(fn: string, path: unknown): void {
  if (typeof path === "string" && path !== "") return;
  throw new ArgumentError(`${fn} expects a path, got: ${shown(path)}`);
}

async function attempt<T>(fn: string, verb: string, path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw new ArgumentError(`${fn} cannot ${verb} ${shown(path)}: ${(cause as Error).message}`, { cause });
  }
}
