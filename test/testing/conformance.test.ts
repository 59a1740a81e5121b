import { describe, expect, it } from "vitest";
import { binaryBackend, MANY_PRIMITIVES, PRIMITIVES, type PrimitiveFunction } from "nx-numerics";
import { conformance } from "nx-numerics/testing";
import { foreignBackend } from "./foreign-backend";

describe("binary backend", () => {
  it.each(conformance(binaryBackend))("$name", ({ run }) => run());
});

describe("a third party's backend", () => {
  it("passes as a whole and is asked for every primitive", () => {
    const backend = foreignBackend();
    for (const { run } of conformance(backend)) run();
    const asked = new Set(backend.calls);
    expect([...PRIMITIVES, ...MANY_PRIMITIVES].filter((name) => !asked.has(name))).toEqual([]);
  });

  it("fails where one op is wrong", () => {
    const wrong: PrimitiveFunction<"unary"> = (out, inputs, attrs) =>
      binaryBackend.unary(out, inputs, attrs.op === "sin" ? { op: "cos" } : attrs);
    const failed = failures(foreignBackend("wrong", { unary: wrong }));
    expect(failed.every((name) => /\bsin\b/.test(name))).toBe(true);
    expect(failed.length).toBeGreaterThan(5);
  });

  it("fails where an error is missing", () => {
    const lenient: PrimitiveFunction<"binary"> = (out, inputs, attrs) => {
      try {
        return binaryBackend.binary(out, inputs, attrs);
      } catch {
        return binaryBackend.constant(out, [], { value: 0 });
      }
    };
    expect(failures(foreignBackend("lenient", { binary: lenient })).some((name) => name.includes("quotient"))).toBe(
      true,
    );
  });
});

function failures(backend: ReturnType<typeof foreignBackend>): string[] {
  return conformance(backend).flatMap(({ name, run }) => {
    try {
      run();
      return [];
    } catch {
      return [name];
    }
  });
}
