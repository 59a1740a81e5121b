import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { INSTALLED, outcomeOf, readTest, testsIn, type SuiteTest } from "./suite";

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

interface Listed {
  /** Tests that pass in a plain call and through `defn`. */
  readonly defn: readonly string[];
  /** Tests that pass in a plain call; a shape depends on data that is given. */
  readonly plain: readonly string[];
  /** Tests that do not pass, by the reason. */
  readonly fails: Readonly<Record<string, readonly string[]>>;
}

const LISTED = read("passes.json") as Readonly<Record<string, Listed>>;

describe("ONNX's own tests", () => {
  it.each(Object.entries(LISTED))(
    "%s: those listed pass, and no others",
    { timeout: 300_000 },
    (folder, { defn, plain, fails }) => {
      const names = testsIn(`${INSTALLED}/${folder}`);
      if (names.length === 0) {
        console.warn(`skipped: ${INSTALLED}/${folder} is not installed (Debian's libonnx-testdata)`);
        return;
      }
      const unlisted = Object.values(fails).flat();
      const outcomes = names.map((name) => [name, outcomeOf(readTest(`${INSTALLED}/${folder}/${name}`))] as const);
      const wrong = outcomes.filter(([name, outcome]) => {
        const expected = defn.includes(name) ? "defn" : plain.includes(name) ? "plain" : "fails";
        return (typeof outcome === "string" ? outcome : "fails") !== expected;
      });
      expect(wrong).toEqual([]);
      expect([...defn, ...plain, ...unlisted].sort()).toEqual(names);
    },
  );

  it("passes as many as it should", () => {
    const { node } = LISTED;
    expect(node!.defn.length + node!.plain.length).toBeGreaterThanOrEqual(750);
  });
});

describe("a sample of ONNX's own tests", () => {
  const sample = read("sample.json") as Readonly<
    Record<string, { model: string; sets: { inputs: Packed; outputs: Packed }[] }>
  >;
  type Packed = Readonly<Record<string, string>>;
  const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "base64"));
  const unpacked = (packed: Packed) => Object.fromEntries(Object.entries(packed).map(([i, text]) => [i, bytes(text)]));

  it.each(Object.entries(sample))("%s", (name, { model, sets }) => {
    const test: SuiteTest = {
      model: bytes(model),
      sets: sets.map(({ inputs, outputs }) => ({ inputs: unpacked(inputs), outputs: unpacked(outputs) })),
    };
    expect(outcomeOf(test)).toBe(LISTED["node"]!.defn.includes(name) ? "defn" : "plain");
  });
});
