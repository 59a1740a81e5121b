// Vitest reporter: prints the counts of a run as its very last line, alone, in one fixed form that other programs can
// read: `N passed, N failed, N skipped`. The line above names the seed of the sample of cases that was taken.
import type { Reporter, SerializedError, TestModule, Vitest } from "vitest/node";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

function countModule(module: TestModule, counts: Counts): void {
  const failedBefore = counts.failed;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === "passed" || state === "failed") counts[state]++;
    else counts.skipped++;
  }
  // A file that cannot be loaded, or whose hooks fail, has no failed test of its own; it must still show.
  if (module.state() === "failed" && counts.failed === failedBefore) counts.failed++;
}

export default class ClosingLinesReporter implements Reporter {
  private env: Partial<Record<string, string>> = {};

  onInit(vitest: Vitest): void {
    this.env = vitest.config.env as Partial<Record<string, string>>;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const counts: Counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) countModule(module, counts);
    const { NX_TEST_ALL: all, NX_TEST_SEED: seed } = this.env;
    if (all !== "1") process.stdout.write(`A sample by NX_TEST_SEED=${seed}; npm run test:all takes every case.\n`);
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  }
}
