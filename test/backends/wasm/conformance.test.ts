import { describe, expect, it } from "vitest";
import { wasmBackend } from "../../../lib/backends/wasm";
import { conformance } from "nx-numerics/testing";
import { sampled } from "../../effort";
import { register } from "../../testing/register";
import { orResident } from "./residency";

describe("wasm backend", () => {
  const cases = conformance(wasmBackend);

  it("is asked everything", () => {
    expect(cases.length).toBeGreaterThan(9000);
    const skipped = cases.filter(({ skip }) => skip !== undefined).map(({ name }) => name);
    expect(skipped.filter((name) => !/^members: (adopt|read),/.test(name))).toEqual([]);
  });

  register(sampled(orResident(cases, 150), 1100, "wasm"));
});
