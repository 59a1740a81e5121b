/** As resident.test.ts, in a file of its own so that both run at the same time: reductions and fused kernels. */
import { describe, expect, it } from "vitest";
import { setLargeFrom } from "../../../lib/backends/arrays/memory";
import { wasmBackend } from "../../../lib/backends/wasm";
import { run, textOf } from "../../fuzz/runner";
import { makeOn } from "../binary/support";

setLargeFrom(1);
makeOn(wasmBackend);

await import("./reduce.test");

describe("random programs whose tensors are all resident", () => {
  it("give the bits of the reference", { timeout: 60_000 }, () => {
    const [part] = run({ seed: 1, only: ["programs"], count: 20, milliseconds: Infinity, report: () => undefined });
    expect(part!.findings.map(textOf)).toEqual([]);
  });
});
