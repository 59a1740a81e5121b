/** The served model answers each request with what belongs to it, by a server as short as the guide says. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { askAll } from "../../examples/served";

it("penguins asked for one by one share requests, and 97 of 100 species are told right", async () => {
  const { right, asked, batches } = await askAll();
  expect(asked).toBe(342);
  expect(batches).toEqual([64, 64, 64, 64, 64, 22]);
  expect(right / asked).toBeGreaterThan(0.96); // the nearest mean tells 97 % right, by NumPy
});

it("the server is as short as the guide says", () => {
  const [guide, server] = ["docs/serving.md", "examples/kserve.ts"].map((file) => readFileSync(file, "utf8"));
  const [, said] = /`examples\/kserve\.ts` is such a server in (\d+) lines/.exec(guide!)!;
  expect(server!.trimEnd().split("\n")).toHaveLength(Number(said));
  expect(Number(said)).toBeLessThanOrEqual(60);
});
