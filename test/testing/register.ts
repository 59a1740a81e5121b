/** The cases of the suite as tests: many to a test, since registering thousands takes as long as running them. */
import { it } from "vitest";
import { summary, type ConformanceCase } from "nx-numerics/testing";

const TOGETHER = 200;

/** What failed of some cases, in lines. */
export async function failuresOf(cases: readonly ConformanceCase[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) {
    try {
      await run();
    } catch (error) {
      failed.push(`${name}: ${(error as Error).message}`);
    }
  }
  return failed;
}

/** Registers tests for all cases, group by group. */
export function register(cases: readonly ConformanceCase[]): void {
  const groups = new Map<string, ConformanceCase[]>();
  for (const one of cases) {
    const group = one.name.slice(0, one.name.indexOf(":"));
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  for (const [group, list] of groups) {
    for (let from = 0; from < list.length; from += TOGETHER) {
      const some = list.slice(from, from + TOGETHER);
      it(`${group}, from ${from} on: ${summary(some)}`, async () => {
        const failed = await failuresOf(some);
        if (failed.length > 0)
          throw new Error(`${failed.length} of ${some.length} failed:\n${failed.slice(0, 20).join("\n")}`);
      });
    }
  }
}
