/** The served model answers each request with what belongs to it. */
import { expect, it } from "vitest";
import { askAll } from "../../examples/served";

it("penguins asked for one by one share requests, and 97 of 100 species are told right", async () => {
  const { right, asked, batches } = await askAll();
  expect(asked).toBe(342);
  expect(batches).toEqual([64, 64, 64, 64, 64, 22]);
  expect(right / asked).toBeGreaterThan(0.96); // the nearest mean tells 97 % right, by NumPy
});
