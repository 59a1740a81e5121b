/** Computes a special function of f64 kernels over arrays, by the TypeScript executor or as WebAssembly. */
import { runKernel } from "../../lib/backends/wasm/elements/run";
import { BLOCK, tapeOf } from "../../lib/kernel/interpret/tape";
import { Builder } from "../../lib/kernel/builder";
import { binaryPrograms, unaryPrograms } from "../../lib/kernel/special/brought";
import { SPECIAL_OF_TWO } from "../../lib/kernel/special/names";
import type { SpecialBinary, SpecialUnary } from "../../lib/ops";
import type { Kernel, Value } from "../../lib/kernel/value";

export type Name = SpecialUnary | SpecialBinary;

export const isBinary = (name: Name): name is SpecialBinary => name in SPECIAL_OF_TWO;

export function kernelOf(name: Name): Kernel {
  const k = new Builder();
  const load = (): Value<"f64"> => k.load(k.input("f64")) as Value<"f64">;
  const value = isBinary(name) ? binaryPrograms(name).f64(k, load(), load()) : unaryPrograms(name).f64(k, load());
  return k.kernel([{ type: "f64", values: [value] }]);
}

export function evaluateF64(name: Name, columns: readonly Float64Array[], wasm = false): Float64Array {
  const kernel = kernelOf(name);
  const size = columns[0]!.length;
  const out = new Float64Array(size);
  if (wasm) {
    const readers = columns.map((column) => ({
      read: (to: Float64Array, at: number, from: number, n: number) => to.set(column.subarray(from, from + n), at),
    }));
    runKernel(kernel, readers as never, [out], size);
    return out;
  }
  const tape = tapeOf(kernel);
  for (let start = 0; start < size; start += BLOCK) {
    const n = Math.min(BLOCK, size - start);
    for (const { input, register } of tape.loads) register.f64.set(columns[input]!.subarray(start, start + n));
    tape.run(n);
    out.set(tape.outputs[0]![0]!.f64.subarray(0, n), start);
  }
  return out;
}
