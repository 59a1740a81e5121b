import { describe, expect, it } from "vitest";
import { binaryBackend, type Backend } from "nx-numerics";
import { MULTI_RESULT_PRIMITIVES, PRIMITIVES } from "nx-numerics/backend";
import { conformance, ConformanceError, summary } from "nx-numerics/testing";
import { foreignBackend } from "./foreign-backend";
import { EXHAUSTIVE, sampled } from "../effort";
import { failuresOf, register } from "./register";

describe("binary backend", () => {
  register(sampled(conformance(binaryBackend), 800, "binary"));
});

const named = (backend: Backend, name: string, options = {}) => conformance(backend, { ...options, only: [name] });

describe("a third party's backend", () => {
  it("is asked for every primitive, and passes", async () => {
    const backend = foreignBackend();
    const some = conformance(backend).filter(
      ({ name }, i) => /^(known|members):/.test(name) || i % (EXHAUSTIVE ? 9 : 41) === 0,
    );
    expect(await failuresOf(some)).toEqual([]);
    const asked = new Set(backend.calls);
    expect([...PRIMITIVES, ...MULTI_RESULT_PRIMITIVES].filter((name) => !asked.has(name))).toEqual([]);
  });

  it("is told the first element that differs, both values and their distance", async () => {
    const wrong = foreignBackend("wrong", {
      unary(out, inputs, attrs) {
        const held = binaryBackend.unary(out, inputs, attrs) as { elements: Float32Array };
        if (attrs.op === "negate" && out.type === "f32" && held.elements.length === 1031)
          held.elements[17] = held.elements[17]! * (1 + 2 ** -22);
        return held;
      },
    });
    const [failed] = await failuresOf(named(wrong, "as binary: negate f32[1031]"));
    expect(failed).toMatch(
      /as binary: negate f32\[1031\] \(wrong\): the result: element \[17\] is .*, expected .* \(\d+ ulp apart\); 1 of 1031 elements differ/,
    );
  });
});

describe("a backend that is read asynchronously", () => {
  const { download: _download, ...rest } = binaryBackend;
  const late = (bytes: (given: Uint8Array) => Uint8Array): Backend => ({
    ...rest,
    name: "late",
    portable: false,
    read: (tensor, limit) => Promise.resolve(bytes(binaryBackend.download(tensor, limit))),
  });

  it("is judged once its elements are there", async () => {
    const some = (backend: Backend) => conformance(backend).filter((_, i) => i % 97 === 0);
    expect(await failuresOf(some(late((bytes) => bytes)))).toEqual([]);
    const [failed] = await failuresOf(
      named(
        late((bytes) => bytes.fill(1)),
        "known: sin",
      ),
    );
    expect(failed).toContain("known: sin (late): the result: element [0]");
  });
});

describe("cases that are left out", () => {
  it("are those that are excluded, with their reasons", () => {
    const exclude = { "known: sin": "sines come from a table", "sizes: sqrt f64 *": "square roots are estimates" };
    const cases = conformance(binaryBackend, { exclude });
    const skipped = cases.filter(
      ({ skip }) => skip !== undefined && skip in Object.fromEntries(Object.values(exclude).map((why) => [why, 1])),
    );
    expect(skipped[0]).toMatchObject({ name: "known: sin", skip: "sines come from a table" });
    expect(skipped.length).toBeGreaterThan(20);
    expect(summary(cases)).toContain(`${skipped.length - 1} because square roots are estimates`);
  });

  it("need a reason, and have to exist", () => {
    expect(() => conformance(binaryBackend, { exclude: { "known: sin": " " } })).toThrow("needs its reason in words");
    expect(() => conformance(binaryBackend, { exclude: { "known: sinus": "no such case" } })).toThrow(
      "is the name of no case",
    );
  });

  it("are those of members that the backend has not", () => {
    const { fused: _fused, ...without } = binaryBackend;
    const cases = conformance({ ...without, name: "bare" });
    const skips = new Set(cases.map(({ skip }) => skip));
    expect(skips).toContain("the backend has no fused");
  });
});

/** A backend that computes f32 within some units in the last place, has no f64 and takes subnormal numbers for zeros. */
function coarse(ulp: number): Backend {
  const backend: Backend = {
    ...binaryBackend,
    name: "coarse",
    portable: false,
    capabilities: {
      types: { f32: "bounded", f64: "none", c128: "none" },
      bounds: { exp: { f32: 2 }, default: 0 },
      largestTensor: 100_000,
      mostOperands: 8,
    },
    unary(out, inputs, attrs) {
      const held = binaryBackend.unary(out, inputs, attrs) as { elements: Float32Array };
      if (attrs.op === "exp" && out.type === "f32") {
        const bits = new Int32Array(held.elements.buffer, held.elements.byteOffset, held.elements.length);
        held.elements.forEach((value, i) => value > 0 && value < 1e30 && (bits[i]! += ulp));
      }
      return held;
    },
  };
  return backend;
}

describe("a backend that says what it cannot do", () => {
  it("is not asked for it, and told so", () => {
    // A case of each group and some of programs; what all are about takes seconds to find.
    const names = conformance(coarse(1), { capabilities: {} }).map(({ name }) => name);
    const some = names.filter((name, i) => /^programs:.*(operands|inputs|many)/.test(name) || i % 41 === 0);
    const text = summary(conformance(coarse(1), EXHAUSTIVE ? {} : { only: some }));
    expect(text).toContain("because f64 is not supported");
    expect(text).toContain("because tensors have at most 100000 bytes");
    expect(text).toContain("because nests have at most 8 operands and results");
  }, 60_000);

  it("is compared within its bounds", async () => {
    const name = "as binary: exp f32[1031]";
    expect(await failuresOf(named(coarse(2), name))).toEqual([]);
    expect((await failuresOf(named(coarse(3), name)))[0]).toContain("(3 ulp apart)");
    const exact = named(coarse(1), name, { capabilities: {} });
    expect(() => exact[0]!.run()).toThrow(ConformanceError);
  });

  it("may flush subnormal numbers", async () => {
    const flushing: Backend = { ...coarse(0), capabilities: { subnormals: "flushed" } };
    const flush = (list: Float32Array) =>
      list.forEach((value, i) => Math.abs(value) < 2 ** -126 && (list[i] = value * 0));
    const cases = named(
      {
        ...flushing,
        binary(out, inputs, attrs) {
          const held = binaryBackend.binary(out, inputs, attrs) as { elements: Float32Array };
          if (out.type === "f32") flush(held.elements);
          return held;
        },
      },
      "as binary: multiply f32[1031] f32[1031]",
    );
    expect(await failuresOf(cases)).toEqual([]);
  });
});
