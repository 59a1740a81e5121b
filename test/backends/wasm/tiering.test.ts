import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { wasmBackend } from "../../../lib/backends/wasm";
import { isLoaded } from "../../../lib/backends/wasm/modules/cache";
import { runWarm } from "../../../lib/backends/wasm/elements/run";
import { isWarm } from "../../../lib/backends/wasm/modules/tiering";
import { Builder } from "../../../lib/kernel/builder";
import { keyOf } from "../../../lib/kernel/key";
import { load, store } from "../../../lib/kernel/lower/typed";
import { readerOf } from "../../../lib/kernel/operand";
import type { Value } from "../../../lib/kernel/value";
import { tune } from "../../../lib/backends/tuning";

beforeEach(() => tune({ compiledFrom: null }));
afterEach(() => tune({ compiledFrom: 0 }));

/** `x + number`, a kernel of its own for each number. */
function adding(number: number) {
  const k = new Builder();
  const { parts } = load(k, k.input("f32", false), "f32");
  return k.kernel([store(k, { type: "f32", parts: [k.add(parts[0] as Value<"f32">, number)] })]);
}

describe("a kernel", () => {
  it("is compiled once it has computed as many elements as compiling it costs", () => {
    const kernel = adding(0.625);
    const key = keyOf(kernel);
    const x = Float32Array.from({ length: 1000 }, (_, i) => i);
    const run = (): Float32Array => {
      const out = new Float32Array(1000);
      const reader = readerOf({ elements: x, width: 1, offset: 0, strides: [1] }, [1000]);
      runWarm(kernel, [reader], [out], 1000, key);
      return out;
    };
    const results = Array.from({ length: 18 }, () => [run(), isLoaded(key)] as const);
    expect(results.map(([, compiled]) => compiled)).toEqual(results.map((_, i) => 1000 * (i + 1) >= 16_384));
    for (const [out] of results) expect(out).toEqual(x.map((value) => value + 0.625));
  });

  it("of a large tensor is compiled at once", () => {
    expect(isWarm("a", 1e6)).toBe(true);
    expect(isWarm("b", 10)).toBe(false);
    tune({ compiledFrom: 0 });
    expect(isWarm("b", 1)).toBe(true);
  });
});

describe("compiled functions of small tensors", () => {
  it("give the same bits before and after", () => {
    const softmax = Nx.defn((x: Nx.Tensor) => Nx.softmax(x.multiply(1.375).tanh(), { axis: -1 }));
    const x = Nx.backendCopy(Nx.sin(Nx.iota([20, 30], { type: "f32" })), wasmBackend);
    const all = Array.from({ length: 40 }, () => Nx.toBinary(softmax(x)));
    for (const bytes of all) expect(bytes).toEqual(all[0]);
    const reference = Nx.toBinary(softmax(Nx.backendCopy(x, "binary")));
    expect(all[0]).toEqual(reference);
  });
});
