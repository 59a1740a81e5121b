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
