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

/** A hash of a key and words, by which a damaged file is told: FNV-1a, a character and a word at a time. */
export function hashOf(words: Int32Array, key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
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
 * @throws {Error} where the file ends within its index; what finds them does, where the bytes of a module are not those that were written
 */
export function finder(bytes: Uint8Array, name: string): Find {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length < WORD ? Infinity : WORD + file.readUInt32LE();
  if (end > bytes.length) throw new Error(`${name} is damaged: install the package again`);
  const index = file.toString("latin1", WORD, end);
  const first = roundUp(end);
  return (key) => {
    const place = index.indexOf(`\0${key}\0`);
    if (place < 0) return undefined;
    const from = place + key.length + 2;
    const [at, length, hash] = index.slice(from, index.indexOf("\0", from)).split(",").map(Number);
    const words = inWords(file.subarray(first + at!, first + at! + length!));
    if (hashOf(new Int32Array(words.buffer), key) === hash) return words.subarray(0, length);
    throw new Error(`${name} is damaged, at the module ${key}: install the package again`);
  };
}

/** The file of a name beside a file, which is given by its URL or its path; undefined beside code that is in no file. */
function beside(here: string | undefined, name: string): URL | string | undefined {
  if (here?.startsWith("file:")) return new URL(name, here);
  // of schemes, drives of Windows alone have one letter
  return here === undefined || /^\w{2,}:/.test(here) ? undefined : here.replace(/[^\\/]*$/, name);
}

/**
 * What finds modules in a file; nothing where tools have left the file out or the host does not let it be read, and where Deno would ask the user.
 *
 * @param here - the URL of the file that this code is in, or its path in CommonJS; undefined where a bundler has left none
 * @param name - where the file of modules is, seen from there
 */
export function finderIn(here: string | undefined, name: string): Find {
  const { process, Deno } = globalThis as { readonly process?: NodeProcess; readonly Deno?: object };
  const disk = Deno === undefined ? (process?.getBuiltinModule?.("node:fs") as Disk | undefined) : undefined;
  const file = beside(here, name);
  let bytes: Uint8Array;
  try {
    if (!disk || file === undefined) return () => undefined;
    bytes = disk.readFileSync(file);
  } catch {
    return () => undefined;
  }
  return finder(bytes, String(file));
}
