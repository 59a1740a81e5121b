/** Modules of which code has the bytes in itself, as text: those of the calls that programs make first. */

/** Modules as text of base 64, by the hashes of their keys. */
export type Texts = Readonly<Record<string, string>>;

/** The bytes of the module of a key with such hashes, undefined where there is none. */
type FindByHashes = (key: string, hashes: readonly [number, number]) => Uint8Array | undefined;

/** What Node makes bytes of text with. */
interface Buffers {
  readonly Buffer?: { from(text: string, encoding: "base64"): Uint8Array };
}

/** Two hashes of a key: that two keys of programs have the same, of 64 bits in all, does not happen. */
export function hashesOf(key: string): readonly [number, number] {
  let [first, second] = [0x811c9dc5, 0x41c6ce57];
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    first = Math.imul(first ^ code, 0x9e3779b1);
    second = Math.imul(second ^ code, 0x5f356495);
  }
  first = Math.imul(first ^ (first >>> 16), 0x85ebca6b) ^ Math.imul(second ^ (second >>> 13), 0xc2b2ae35);
  second = Math.imul(second ^ (second >>> 16), 0x85ebca6b) ^ Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return [first, second];
}

/**
 * What finds modules of which code has the first in itself: opening and reading a file takes a fifth of the first call of a process.
 *
 * @param texts - the modules that the code has
 * @param inFile - gives what finds the others
 */
export function finderWith(texts: Texts, inFile: () => FindByHashes): (key: string) => Uint8Array | undefined {
  const { Buffer } = globalThis as Buffers;
  let later: FindByHashes | undefined;
  return (key) => {
    const hashes = hashesOf(key);
    const text = Buffer && texts[`${hashes[0]},${hashes[1]}`];
    return text === undefined ? (later ??= inFile())(key, hashes) : new Uint8Array(Buffer!.from(text, "base64"));
  };
}
