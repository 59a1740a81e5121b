/** The runner in projects of users: in watch mode, and from CommonJS. */

import { execFile, spawn } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProject, installBuilt, type Project } from "../hosts/project";

const page = (sum: number): string => ["# Sums", "", "```js", "1 + 1;", `// => ${sum}`, "```", ""].join("\n");
const source = (sum: number): string => `/**\n * ~~~js\n * 2 + 2; // => ${sum}\n * ~~~\n */\nexport const four = 4;\n`;

const FILE = `import { doctest } from "nx-numerics/doctest";
await doctest(["docs/*.md", "src/*.js"], { typeCheck: false });
`;
const COMMONJS = `const { doctest } = require("nx-numerics/doctest");
doctest("docs/*.md", { typeCheck: false });
`;

/** Watches, and says in one line what came of each run; edits are told by lines of the input. */
const WATCH = `
import { writeFileSync } from "node:fs";
import { startVitest } from "vitest/node";
const reporter = {
  onTestRunEnd(modules) {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.name + " " + test.result().state));
    process.stdout.write("run: " + JSON.stringify(states) + "\\n");
  },
};
const vitest = await startVitest("test", ["modules"], { watch: true, reporters: [reporter], root: process.cwd() });
process.stdin.on("data", (text) => {
  const [path, content] = JSON.parse(String(text));
  writeFileSync(path, content);
});
process.stdin.on("end", () => vitest.close().then(() => process.exit()));
`;

let project: Project;

beforeAll(async () => {
  project = createProject();
  await installBuilt(project);
  for (const name of ["vite", "vitest"]) {
    symlinkSync(resolve("node_modules", name), join(project.folder, "node_modules", name), "junction");
  }
  project.write("docs/sums.md", page(2));
  project.write("src/four.js", source(4));
  project.write("test/modules.test.mjs", FILE);
  project.write("test/commonjs.test.cjs", COMMONJS);
  project.write("test/plain.test.js", COMMONJS);
  project.write("watch.mjs", WATCH);
}, 60_000);
afterAll(() => project.remove());

const vitest = (...args: string[]): Promise<string> =>
  new Promise((done) => {
    const cli = resolve("node_modules/vitest/vitest.mjs");
    const options = { cwd: project.folder, env: { ...process.env, NO_COLOR: "1" } };
    execFile(process.execPath, [cli, "run", "--reporter=verbose", ...args], options, (_, stdout, stderr) =>
      done(stdout + stderr),
    );
  });

describe("doctest in a project", () => {
  it.each(["commonjs.test.cjs", "plain.test.js"])(
    "registers the examples that %s asks for by require",
    async (file) => {
      const output = await vitest("--globals", file);
      expect(output).toContain(`✓ test/${file} > doctest > docs/sums.md:3 Sums`);
      expect(output).toContain("doctest: 1 examples, none skipped");
    },
    60_000,
  );

  it("runs again when a file with examples is edited, whether the test file imports it or not", async () => {
    const child = spawn(process.execPath, ["watch.mjs"], { cwd: project.folder, env: { ...process.env, CI: "" } });
    let output = "";
    child.stdout.on("data", (text: Buffer) => (output += text.toString()));
    child.stderr.on("data", (text: Buffer) => (output += text.toString()));
    const runs = (): string[][] =>
      [...output.matchAll(/^run: (.*)$/gm)].map(([, text]) => JSON.parse(text!) as string[]);
    const edit = (path: string, text: string): void => void child.stdin.write(JSON.stringify([path, text]));
    const expectRun = (i: number, ...states: string[]): Promise<unknown> =>
      expect.poll(() => runs()[i] ?? output, { timeout: 20_000, interval: 100 }).toEqual(states);
    try {
      await expectRun(0, "docs/sums.md:3 Sums passed", "src/four.js:2 four passed");
      edit("docs/sums.md", page(3));
      await expectRun(1, "docs/sums.md:3 Sums failed", "src/four.js:2 four passed");
      edit("src/four.js", source(5));
      await expectRun(2, "docs/sums.md:3 Sums failed", "src/four.js:2 four failed");
      edit("docs/sums.md", page(2));
      await expectRun(3, "docs/sums.md:3 Sums passed", "src/four.js:2 four failed");
    } finally {
      child.stdin.end();
      child.kill();
    }
  }, 90_000);
});
