/**
 * Modules that were assembled when the package was built, in a file of it that `scripts/parts` writes: the bytes of an index, the index,
 * then the modules one after the other, each from a word of four bytes on. The index has a key between zeros and three numbers for each
 * module: where it begins, its length, and a hash.
 */

/** What the package's file is read by: loading a file of JavaScript takes thirty times as long. */
interface Disk {
  readFileSync(file: URL | string): Uint8Array;
}

/** The process of Node, of releases that give their modules away; others have none. */
interface NodeProcess {
  getBuiltinModule?(name: string): unknown;
}

export const WORD = 4;
export const roundUp = (bytes: number): number => Math.ceil(bytes / WORD) * WORD;

/** A hash of words, by which a damaged file is told: FNV-1a, a word at a time. */
export function hashOf(words: Int32Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 0x01000193);
  return hash >>> 0;
}

/** Bytes followed by zeros up to whole words. */
export function inWords(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const words = new Uint8Array(roundUp(bytes.length));
  words.set(bytes);
  return words;
}

/** The bytes of the module of a key, undefined where the file does not have it. */
type Find = (key: string) => Uint8Array | undefined;

/**
 * What finds modules in the bytes of a file.
 *
 * @throws {Error} what finds them does, where the bytes of a module are not those that were written
 */
export function finder(bytes: Uint8Array, name: string): Find {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = WORD + file.readUInt32LE();
  const index = file.toString("latin1", WORD, end);
  const first = roundUp(end);
  return (key) => {
    const place = index.indexOf(`\0${key}\0`);
    if (place < 0) return undefined;
    const from = place + key.length + 2;
    const [at, length, hash] = index.slice(from, index.indexOf("\0", from)).split(",").map(Number);
    const words = inWords(file.subarray(first + at!, first + at! + length!));
    if (hashOf(new Int32Array(words.buffer)) === hash) return words.subarray(0, length);
    throw new Error(`${name} is damaged, at the module ${key}: install the package again`);
  };
}

/**
 * What finds modules in a file; nothing where tools have left the file out, and where Deno would ask the user whether it may be read.
 *
 * @param here - the URL of the file that this code is in, or its path in CommonJS
 * @param name - where the file of modules is, seen from there
 */
export function finderIn(here: string, name: string): Find {
  const { process, Deno } = globalThis as { readonly process?: NodeProcess; readonly Deno?: object };
  const disk = Deno === undefined ? (process?.getBuiltinModule?.("node:fs") as Disk | undefined) : undefined;
  if (!disk) return () => undefined;
  try {
    const file = here.startsWith("file:") ? new URL(name, here) : here.replace(/[^\\/]*$/, name);
    return finder(disk.readFileSync(file), String(file));
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ENOENT") return () => undefined;
    throw error;
  }
}
