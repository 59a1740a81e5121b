import fc from "fast-check";
import { expect } from "vitest";
import * as Nx from "../lib/index";
import { tune } from "../lib/backends/tuning";
/**
 * Before each file of tests: the whole library is there, whatever part a test imports, with the backend that it chooses by itself, and
 * kernels are compiled at once, so that small tensors test them, too. Faults of programs are raised. The seed that the closing
 * lines name decides about random cases, too, so that a run can be had again.
 */

Nx.globalDefaultBackend("auto");
tune({ compiledFrom: 0, faults: true });
fc.configureGlobal({ seed: Number(process.env.NX_TEST_SEED) });

/**
 * Arrays of one type with the same bytes are equal at once: vitest compares them as objects, key by key, which took longer than computing
 * what is in them. All others it compares itself.
 */
function haveSameBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined;
  return Buffer.compare(bytesOf(a), bytesOf(b)) === 0 ? true : undefined;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

// Files that share a process share what `expect` was told, so that it is told once.
const told: { [mark: symbol]: boolean } = globalThis as never;
const mark = Symbol.for("nx-numerics: arrays are compared by their bytes");
if (!told[mark]) expect.addEqualityTesters([haveSameBytes]);
told[mark] = true;

/**
 * Stacks with the places in the sources, as vite makes them, each frame once a file: errors of the library read their stacks, and of
 * thousands of errors, each raised on purpose, nearly all frames are the same. The name of a function depends on the place that called.
 */
function rememberFrames(): Map<string, string> {
  const texts = new Map<string, string>();
  const prepare = Error.prepareStackTrace;
  if (prepare === undefined) return texts;
  const nobody = new Error("of nobody");
  const placeOf = (frame: NodeJS.CallSite): string =>
    `${frame.getFileName() ?? frame.getScriptNameOrSourceURL()}:${frame.getLineNumber()}:${frame.getColumnNumber()}`;
  Error.prepareStackTrace = (error: Error, frames: NodeJS.CallSite[]): string => {
    const places = frames.map(placeOf);
    const lines = frames.map((frame, i) => {
      const key = `${frame.getFunctionName()} ${places[i]} ${places[i + 1]}`;
      const known = texts.get(key);
      if (known !== undefined) return known;
      const line = String(prepare(nobody, frames.slice(i, i + 2))).split("\n    at ")[1];
      texts.set(key, `\n    at ${line}`);
      return `\n    at ${line}`;
    });
    return `${error.name || "Error"}: ${error.message || ""}${lines.join("")}`;
  };
  return texts;
}

const remembered: { [frames: symbol]: Map<string, string> } = globalThis as never;
const frames = Symbol.for("nx-numerics: frames of stacks");
(remembered[frames] ??= rememberFrames()).clear(); // a file may have been edited since
