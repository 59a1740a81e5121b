/** The files of a program of the playground: in memory, and gone when it ends. As much of `node:fs/promises` as reads and writes whole files. */

const files = new Map<string, Uint8Array<ArrayBuffer>>();

/** An error as Node's file system gives it. */
function failure(code: string, what: string, call: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${what}, ${call} '${path}'`), { code, path, syscall: call });
}

function found(call: string, path: string): Uint8Array<ArrayBuffer> {
  const bytes = files.get(path);
  if (bytes) return bytes;
  throw failure("ENOENT", "no such file or directory", call, path);
}

type Encoding = "utf8" | "utf-8" | { readonly encoding?: string | null } | null;

export async function readFile(path: string, encoding: Encoding = null): Promise<Uint8Array | string> {
  const bytes = found("open", path);
  const isText = typeof encoding === "string" || typeof encoding?.encoding === "string";
  return isText ? new TextDecoder().decode(bytes) : bytes.slice();
}

export async function writeFile(path: string, data: string | Uint8Array): Promise<void> {
  files.set(path, typeof data === "string" ? new TextEncoder().encode(data) : Uint8Array.from(data));
}

export async function stat(path: string): Promise<{ readonly size: number; isFile(): boolean }> {
  const { length } = found("stat", path);
  return { size: length, isFile: () => true };
}

export async function unlink(path: string): Promise<void> {
  found("unlink", path);
  files.delete(path);
}

export async function rm(path: string, { force = false }: { readonly force?: boolean } = {}): Promise<void> {
  if (!force) found("rm", path);
  files.delete(path);
}

/** Folders are there as soon as a file lies in them. */
export async function mkdir(_path: string): Promise<void> {}

export async function readdir(path: string): Promise<string[]> {
  const folder = path.endsWith("/") ? path : `${path}/`;
  const within = [...files.keys()].filter((name) => name.startsWith(folder));
  return [...new Set(within.map((name) => name.slice(folder.length).split("/")[0]!))];
}
