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

type Packed = Readonly<Record<string, string>>;
type Sample = Readonly<Record<string, { model: string; sets: { inputs: Packed; outputs: Packed }[] }>>;

/** The tests of a file, by name. */
function sampled(file: string): [name: string, test: SuiteTest][] {
  const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "base64"));
  const unpacked = (packed: Packed) => Object.fromEntries(Object.entries(packed).map(([i, text]) => [i, bytes(text)]));
  return Object.entries(read(file) as Sample).map(([name, { model, sets }]) => [
    name,
    {
      model: bytes(model),
      sets: sets.map(({ inputs, outputs }) => ({ inputs: unpacked(inputs), outputs: unpacked(outputs) })),
    },
  ]);
}

describe("a sample of ONNX's own tests", () => {
  it.each(sampled("sample.json"))("%s", (name, test) => {
    expect(outcomeOf(test)).toBe(LISTED["node"]!.defn.includes(name) ? "defn" : "plain");
  });

  it.each(sampled("newer.json"))("%s, of a later version", (_, test) => {
    expect(["defn", "plain"]).toContain(outcomeOf(test));
  });
});
