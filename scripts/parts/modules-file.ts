/** Writes the file of modules that `lib/node/modules.ts` reads. */
import { hashOf, inWords, roundUp, WORD } from "../../lib/node/modules";

/** The bytes of the file. */
export function modulesFile(modules: ReadonlyMap<string, Uint8Array>): Uint8Array {
  let at = 0;
  const entries = [...modules].map(([key, bytes]) => {
    const entry = [at, bytes.length, hashOf(new Int32Array(inWords(bytes).buffer), key)].join();
    at += roundUp(bytes.length);
    return `\0${key}\0${entry}`;
  });
  const index = Buffer.from(`${entries.join("")}\0`, "latin1");
  const file = Buffer.alloc(WORD + roundUp(index.length) + at);
  file.writeUInt32LE(index.length);
  file.set(index, WORD);
  let to = WORD + roundUp(index.length);
  for (const bytes of modules.values()) {
    file.set(bytes, to);
    to += roundUp(bytes.length);
  }
  return file;
}
