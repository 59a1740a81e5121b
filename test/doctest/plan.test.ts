import { describe, expect, it } from "vitest";
import { plan } from "../../lib/doctest/plan";
import { root } from "./blocks";

describe("plan", () => {
  it("names tests by file, line and symbol", async () => {
    const { blocks, problems } = await plan("documented.ts", { root, label: "defn" });
    expect(blocks.map(({ name }) => name)).toEqual([
      "documented.ts:6 double (defn)",
      "documented.ts:11 double (defn)",
      "documented.ts:22 untyped (defn)",
      "documented.ts:32 excluded (defn)",
    ]);
    expect(problems).toEqual([]);
  });

  it("excludes by file, pattern, symbol and heading", async () => {
    const excluded = async (key: string) =>
      (await plan(["documented.ts", "docs/*.md"], { root, exclude: { [key]: "why" } })).blocks
        .filter((b) => b.excluded === "why")
        .map(({ block }) => `${block.file}:${block.line}`);
    expect(await excluded("documented.ts:double")).toEqual(["documented.ts:6", "documented.ts:11"]);
    expect(await excluded("**/*.ts:untyped")).toEqual(["documented.ts:22"]);
    expect(await excluded("docs/guide.md:Bad error")).toEqual(["docs/guide.md:26"]);
    expect((await excluded("docs/**")).length).toBe(4);
  });

  it("reports what matches nothing or gives no reason", async () => {
    const exclude = { "documented.ts:gone": "why", "nowhere/**": "why", "documented.ts:double": " " };
    expect((await plan(["documented.ts", "*.txt"], { root, exclude })).problems).toEqual([
      'the pattern "*.txt" matches no file',
      'the exclusion "documented.ts:gone" matches no example',
      'the exclusion "nowhere/**" matches no example',
      'the exclusion "documented.ts:double" has no reason',
    ]);
    expect((await plan("fake.ts", { root })).problems).toEqual(["the files that match have no examples"]);
  });
});
