/**
 * The suites of the backend once more with every tensor, however small, in the memory of kernels, so that kernels read and
 * write them there.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { elementsOf } from "../../../lib/backends/arrays/storage";
import { wasmBackend as wasm } from "../../../lib/backends/wasm";
import { addressOf } from "../../../lib/backends/wasm/memory/arena";
import { tune } from "../../../lib/backends/tuning";

tune({ largeFrom: 1 });

describe("tensors in the memory of kernels", () => {
  it("are where kernels find them", () => {
    const t = Nx.backendCopy(Nx.tensor([1, 2, 3], { type: "f32" }), wasm);
    expect(addressOf(elementsOf(t))).toBeGreaterThan(0);
    expect(addressOf(elementsOf(Nx.add(t, 1)))).toBeGreaterThan(0);
  });
});

// The first one expects that no threads have started yet.
await import("./lines.test");
await import("./lines-element-wise.test");
await import("./conformance.test");
await import("./elementwise.test");
await import("../../defn/fuse/rows-random.test");
