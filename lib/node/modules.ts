/**
 * Modules that were assembled when the package was built, in a file of it that `scripts/parts` writes: how many they are, an index, then the
 * modules one after the other, each from a word of four bytes on, those of the most frequent calls first. The index has a row of numbers for
 * each module. Keys are as long as the modules, so that hashes stand for them.
 */
import { hashesOf } from "./first-modules";

/** What the package's file is read by: loading a file of JavaScript takes thirty times as long. */
interface Disk {
  readFileSync(file: URL | string): Uint8Array;
  openSync(file: URL | string): number;
  readSync(descriptor: number, bytes: Uint8Array): number;
  closeSync(descriptor: number): void;
}

/** The process of Node, of releases that give their modules away; others have none. */
interface NodeProcess {
  getBuiltinModule?(name: string): unknown;
}

/** Bytes that are read first: the index and the modules of the most frequent calls. The whole file takes four times as long. */
export const HEAD = 65_536;

export const WORD = 4;
export const roundUp = (bytes: number): number => Math.ceil(bytes / WORD) * WORD;

/** Numbers of a module in the index: two hashes of its key, where it begins, its length, and a hash of its bytes. */
export const ROW = 5;

/** A hash of words, by which a damaged file is told, and of a hash of their key: FNV-1a, a word at a time. */
export function hashOf(words: Int32Array, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 0x01000193);
  return hash | 0;
}

/** Bytes followed by zeros up to whole words. */
export function inWords(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const words = new Uint8Array(roundUp(bytes.length));
  words.set(bytes);
  return words;
}

/** The bytes of the module of a key, undefined where the file does not have it; the hashes of the key, where they are known. */
type Find = (key: string, hashes?: readonly [number, number]) => Uint8Array | undefined;

/**
 * What finds modules in the bytes of a file.
 *
 * @param bytes - the file, or what it begins with
 * @param name - what errors call the file
 * @param whole - gives the whole file, where the bytes are what it begins with
 * @throws {Error} where the file ends within its index; what finds them does, where the bytes of a module are not those that were written
 */
export function finder(bytes: Uint8Array, name: string, whole?: () => Uint8Array): Find {
  const wordsAt = (at: number, length: number): Int32Array =>
    new Int32Array(inWords(bytes.subarray(at, at + length)).buffer);
  const first = bytes.length < WORD ? Infinity : WORD * (1 + ROW * wordsAt(0, WORD)[0]!);
  if (first > bytes.length) {
    if (whole) return finder(whole(), name);
    throw new Error(`${name} is damaged: install the package again`);
  }
  const index = wordsAt(WORD, first - WORD);
  let inWhole: Find | undefined;
  return (key, hashes = hashesOf(key)) => {
    let i = 0;
    while (i < index.length && (index[i] !== hashes[0] || index[i + 1] !== hashes[1])) i += ROW;
    if (i === index.length) return undefined;
    const length = index[i + 3]!;
    const at = first + index[i + 2]!;
    if (whole && at + length > bytes.length) return (inWhole ??= finder(whole(), name))(key, hashes);
    const words = wordsAt(at, length);
    if (hashOf(words, hashes[1]) === index[i + 4]) return new Uint8Array(words.buffer, 0, length);
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
  if (!disk || file === undefined) return () => undefined;
  const head = readable(() => headOf(disk, file));
  if (!head) return () => undefined;
  const whole = (): Uint8Array => readable(() => disk.readFileSync(file)) ?? NO_MODULES;
  return finder(head, String(file), head.length < HEAD ? undefined : whole);
}

/** A file without modules. */
const NO_MODULES = new Uint8Array(WORD);

function headOf(disk: Disk, file: URL | string): Uint8Array {
  const descriptor = disk.openSync(file);
  try {
    const bytes = new Uint8Array(HEAD);
    return bytes.subarray(0, disk.readSync(descriptor, bytes));
  } finally {
    disk.closeSync(descriptor);
  }
}

/** What is read, undefined where the host does not let it be. */
function readable(read: () => Uint8Array): Uint8Array | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
