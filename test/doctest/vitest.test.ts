/** The whole of it, in a vitest run of its own. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "./blocks";

interface Assertion {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

let results: ReadonlyMap<string, Assertion>;
let output: string;

const vitest = (...args: string[]): Promise<string> =>
  new Promise((done) => {
    const cli = join(process.cwd(), "node_modules/vitest/vitest.mjs");
    const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" };
    execFile(
      process.execPath,
      [cli, "run", "--root", root, "--config", "vitest.fixture.ts", ...args],
      { env },
      (_, stdout, stderr) => done(stdout + stderr),
    );
  });

beforeAll(async () => {
  output = await vitest("--reporter=json", "--reporter=default");
  const json = /^\{.*"testResults".*$/m.exec(output)![0];
  const { testResults } = JSON.parse(json) as { testResults: { assertionResults: Assertion[] }[] };
  results = new Map(testResults.flatMap((file) => file.assertionResults).map((a) => [a.title, a]));
}, 60_000);

describe("doctest in vitest", () => {
  it("registers each example, and fails just the bad ones", () => {
    expect([...results.values()].map(({ title, status }) => `${status}: ${title}`)).toEqual([
      'failed: the pattern "nowhere/*.md" matches no file',
      'failed: the exclusion "documented.ts:gone" matches no example',
      "passed: docs/guide.md:5 Good (here)",
      "skipped: docs/guide.md:12 Skipped (here) (skipped because it takes a day)",
      "failed: docs/guide.md:19 Skipped silently (here)",
      "failed: docs/guide.md:26 Bad error (here)",
      "passed: documented.ts:6 double (here)",
      "failed: documented.ts:11 double (here)",
      "failed: documented.ts:22 untyped (here)",
      "skipped: documented.ts:32 excluded (here) (skipped because there is nothing there)",
    ]);
  });

  it("says how many examples there were, and what was skipped why", () => {
    expect(output).toContain("doctest (here): 8 examples, 2 skipped (it takes a day; there is nothing there)");
  });

  it("points at file and line of the example", () => {
    expect(results.get("documented.ts:11 double (here)")!.failureMessages[0]).toContain("documented.ts:13:4 the value");
    expect(output).toContain("❯ double documented.ts:13:4");
    expect(output).toContain("❯ Bad error docs/guide.md:27:1");
  });

  it("fails a type error with the compiler's words", () => {
    expect(results.get("documented.ts:22 untyped (here)")!.failureMessages[0]).toContain(
      "documented.ts:23:13 error TS2345",
    );
  });
});
