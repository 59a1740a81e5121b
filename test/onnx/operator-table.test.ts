import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PAGE, withTable } from "./operator-table";

it("docs/onnx.md has the operators that there are (npm run onnx-operators)", async () => {
  const page = readFileSync(PAGE, "utf8");
  expect(page === (await withTable(page))).toBe(true);
});
