/** The versions of TypeScript that a project may have. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Block, checkTypes, type DoctestError, extractFrom } from "../../lib/doctest";
import { sampled } from "../effort";
import { root as fixtures } from "./blocks";

const VERSIONS = { "5.4": "typescript-5.4", "5.9": "typescript", "6": "typescript-6", "7": "typescript-7" };

const CONFIGS = {
  bundler: { strict: true, module: "esnext", moduleResolution: "bundler", target: "es2022" },
  nodenext: { strict: true, module: "nodenext", target: "es2022", noUncheckedIndexedAccess: true },
};

const PAGE = [
  ...["```ts", "const n: number = Fake.add(1, 2);", "await Fake.later(n);", "```"],
  ...["```ts", 'Fake.add(1, "2");', "```"],
  ...["```ts", "const b = ;", "```"],
  ...["```ts", 'import { add } from "./fake.js";', "const s: string = add(1, 2);", "```"],
  ...["```js", "const unchecked = 1 + {};", "```"],
].join("\n");

describe.each(sampled(Object.entries(VERSIONS), 1))("TypeScript %s", (_, name) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "nx-numerics-doctest-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(resolve("node_modules", name), join(folder, "node_modules/typescript"), "junction");
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    cpSync(join(fixtures, "fake.ts"), join(folder, "fake.ts"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Object.entries(CONFIGS))(
    "checks examples of a project with module resolution %s",
    async (__, compilerOptions) => {
      const config = { compilerOptions: { ...compilerOptions, types: [], skipLibCheck: true }, files: ["fake.ts"] };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
      const blocks = await extractFrom(PAGE, "page.md", { root: folder });
      const globals = { Fake: { module: "./fake.js", value: null } };
      const errors = await checkTypes(blocks, { root: folder, globals });
      const at = (error: DoctestError | undefined) => error && /^\S+ \S+ \S+/.exec(error.message)?.[0];
      expect(blocks.map((block: Block) => at(errors.get(block)))).toEqual([
        undefined,
        "page.md:6:13 error TS2345:",
        "page.md:9:11 SyntaxError: Unexpected",
        "page.md:13:7 error TS2322:",
        undefined,
      ]);
    },
    60_000,
  );
});
