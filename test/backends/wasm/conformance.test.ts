import { describe, expect, it } from "vitest";
import { wasmBackend } from "../../../lib/backends/wasm";
import { conformance } from "nx-numerics/testing";
import { orResident } from "./residency";

describe("wasm backend", () => {
  const cases = conformance(wasmBackend);

  it("is asked for more than known results", () => {
    expect(cases.filter(({ name }) => name.startsWith("as binary")).length).toBeGreaterThan(500);
  });

  it.each(orResident(cases, 400))("$name", ({ run }) => run());
});
