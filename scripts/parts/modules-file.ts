/** Writes the file of modules that `lib/node/modules.ts` reads. */
import { hashesOf, type Texts } from "../../lib/node/first-modules";
import { hashOf, inWords, roundUp, ROW, WORD } from "../../lib/node/modules";

/** The bytes of the file. */
export function modulesFile(modules: ReadonlyMap<string, Uint8Array>): Uint8Array {
  if (modules.size === 0) throw new Error("no program asked for a module: `assembled` is not the one of Node");
  const first = WORD * (1 + ROW * modules.size);
  const lengths = [...modules.values()].map(({ length }) => roundUp(length));
  const file = Buffer.alloc(lengths.reduce((sum, length) => sum + length, first));
  const rows = new Set<string>();
  let [row, at] = [file.writeInt32LE(modules.size), 0];
  for (const [key, bytes] of modules) {
    const hashes = hashesOf(key);
    if (rows.has(hashes.join())) throw new Error(`another key has the hashes of ${key}`);
    rows.add(hashes.join());
    const hash = hashOf(new Int32Array(inWords(bytes).buffer), hashes[1]);
    for (const number of [...hashes, at, bytes.length, hash]) row = file.writeInt32LE(number, row);
    file.set(bytes, first + at);
    at += roundUp(bytes.length);
  }
  return file;
}

/** Bytes of the modules that code has in itself. */
const FIRST_BYTES = 4096;

/** The modules of the most frequent calls, as `lib/node/first-modules.ts` finds them. */
export function firstTexts(modules: ReadonlyMap<string, Uint8Array>): Texts {
  let left = FIRST_BYTES;
  const isFirst = ([, { length }]: readonly [string, Uint8Array]): boolean => (left -= length) >= 0;
  const end = [...modules].findIndex((one) => !isFirst(one));
  const first = [...modules].slice(0, end < 0 ? modules.size : end);
  return Object.fromEntries(first.map(([key, bytes]) => [hashesOf(key).join(), Buffer.from(bytes).toString("base64")]));
}
