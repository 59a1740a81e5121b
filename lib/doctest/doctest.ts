/** Registering examples as vitest tests. The only part that knows vitest. */

import { resolve } from "node:path";
import type * as vitest from "vitest";
import { checkTypes } from "./check";
import type { DoctestError } from "./failure";
import { loadVitest } from "./peers";
import { findFiles } from "./files";
import { plan, type Plan, type PlannedBlock } from "./plan";
import { readSkip } from "./expectations";
import { runBlock } from "./run";
import type { Block, DoctestOptions } from "./types";
import { watchFiles } from "./watch";

/** Type-checking every example of a large project at once may take a while. */
const CHECK_TIMEOUT = 300_000;

/**
 * Registers every example of the files that match as a test. To be awaited in a vitest file:
 *
 * ```ts
 * // doctest: skip because it is a vitest file of its own
 * import { doctest } from "nx-numerics/doctest";
 *
 * await doctest(["src/**\/*.ts", "README.md"]);
 * ```
 *
 * Where vitest's functions are global (its option `globals`), it need not be awaited, so that a CommonJS file can call it.
 *
 * @param patterns - one or several file patterns, counted from `options.root`
 * @param options - names and modules that examples may use, exclusions, and so on; see {@link DoctestOptions}
 * @throws Error where `vitest` or `typescript` is not installed
 */
export async function doctest(patterns: string | readonly string[], options: DoctestOptions = {}): Promise<void> {
  const title = options.label === undefined ? "doctest" : `doctest (${options.label})`;
  const globals = globalVitest();
  if (globals) {
    globals.describe(title, async () => register(globals, await prepare(patterns, options), options));
    return;
  }
  const vitest = await loadVitest();
  const prepared = await prepare(patterns, options);
  vitest.describe(title, () => register(vitest, prepared, options));
}

type Registering = Pick<typeof vitest, "afterAll" | "beforeAll" | "describe" | "it">;

/** Vitest's functions where they are global: only then tests can be registered before anything is awaited. */
function globalVitest(): Registering | null {
  const { afterAll, beforeAll, describe, it } = globalThis as Partial<Registering>;
  const isVitest = "__vitest_worker__" in globalThis;
  return isVitest && afterAll && beforeAll && describe && it ? { afterAll, beforeAll, describe, it } : null;
}

async function prepare(patterns: string | readonly string[], options: DoctestOptions): Promise<Plan> {
  const root = resolve(options.root ?? ".");
  const { files } = findFiles(typeof patterns === "string" ? [patterns] : patterns, root);
  await watchFiles(files.map((file) => resolve(root, file)));
  return plan(patterns, options);
}

function register({ afterAll, beforeAll, it }: Registering, { blocks, problems }: Plan, options: DoctestOptions): void {
  const checked: { failures: ReadonlyMap<Block, DoctestError> } = { failures: new Map() };
  beforeAll(async () => {
    if (options.typeCheck ?? true) checked.failures = await checkTypes(toCheck(blocks), options);
  }, CHECK_TIMEOUT);
  afterAll(() => console.log(summary(blocks, options.label)));
  for (const problem of problems) {
    it(problem, () => {
      throw new Error(`doctest: ${problem}`);
    });
  }
  for (const planned of blocks) {
    const { block } = planned;
    const reason = skipReason(planned);
    if (reason !== null) it.skip(`${planned.name} (skipped because ${reason})`, () => undefined);
    else it(planned.name, () => test(block, checked.failures, options), options.timeout);
  }
}

/** `doctest (label): 12 examples, 1 skipped (it waits for a server)`. */
function summary(blocks: readonly PlannedBlock[], label: string | undefined): string {
  const reasons = blocks.map(skipReason).filter((reason) => reason !== null);
  const told = [...new Set(reasons)].map((reason) => {
    const count = reasons.filter((other) => other === reason).length;
    return count === 1 ? reason : `${count} because ${reason}`;
  });
  const skipped = reasons.length === 0 ? "none skipped" : `${reasons.length} skipped (${told.join("; ")})`;
  return `doctest${label === undefined ? "" : ` (${label})`}: ${blocks.length} examples, ${skipped}`;
}

const toCheck = (blocks: readonly PlannedBlock[]): Block[] =>
  blocks.filter(({ excluded }) => excluded === null).map(({ block }) => block);

function skipReason({ block, excluded }: PlannedBlock): string | null {
  if (excluded !== null) return excluded;
  const skip = readSkip(block.code);
  return skip !== null && "reason" in skip ? skip.reason : null;
}

async function test(block: Block, failures: ReadonlyMap<Block, DoctestError>, options: DoctestOptions): Promise<void> {
  const failure = failures.get(block);
  if (failure !== undefined) throw failure;
  const result = await runBlock(block, options);
  if (result.status === "failed") throw result.error;
}
