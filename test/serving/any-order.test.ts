/**
 * However requests come, wait, share batches, fail and are aborted: each gets what the function gives for it alone.
 */
import fc from "fast-check";
import * as Nx from "nx-numerics";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { quiet, settle, valuesOf } from "./work";
import { tries } from "../effort";

const KEYS = ["sum", "ends"] as const;
const NAMES = [null, "x", "y"] as const;
const CULPRIT = 7;

interface Case {
  readonly key: (typeof KEYS)[number];
  readonly name: (typeof NAMES)[number];
  /** One entry, or a batch of several. */
  readonly rows: readonly (readonly number[])[];
  readonly asBatch: boolean;
  /** When it comes, how long it is prepared, when it is aborted after it came. */
  readonly at: number;
  readonly preparation: number;
  readonly abort: number | null;
}

const rowsOf = (width: number): fc.Arbitrary<number[][]> =>
  fc.array(fc.array(fc.nat(9), { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 });

const cases: fc.Arbitrary<Case> = fc.record({
  key: fc.constantFrom(...KEYS),
  name: fc.constantFrom(...NAMES),
  rows: fc.integer({ min: 1, max: 2 }).chain(rowsOf),
  asBatch: fc.boolean(),
  at: fc.nat(30),
  preparation: fc.nat(8),
  abort: fc.option(fc.nat(20), { freq: 5 }),
});

const settings = fc.record({
  batchSize: fc.integer({ min: 1, max: 6 }),
  batchTimeout: fc.nat(10),
  pad: fc.boolean(),
  overflow: fc.constant("wait" as const),
  maxQueue: fc.constantFrom(2, 5, Infinity),
});

/** Each row on its own; a row that begins with the culprit fails, so that whole batches do. */
function compute(
  rows: Nx.Tensor,
  key: Case["key"],
): { readonly value: Nx.Tensor; readonly rows: readonly [Nx.Tensor] } {
  const first = Nx.toFlatList(rows.at(Nx.range(), 0)) as number[];
  if (first.includes(CULPRIT)) throw new Error("culprit");
  const last = rows.at(Nx.range(), -1);
  const value = key === "sum" ? rows.sum({ axes: [1] }) : rows.at(Nx.range(), 0).multiply(100).add(last);
  return { value, rows: [rows.add(1)] };
}

const entryOf = ({ rows, name, asBatch }: Case): Nx.Tensor =>
  asBatch ? Nx.tensor(rows, { names: [null, name] }) : Nx.tensor(rows[0]!, { names: [name] });

/** What the function alone gives for a request, as text. */
function alone(request: Case): string {
  const entry = entryOf(request);
  try {
    const { value, rows } = compute(request.asBatch ? entry : entry.newAxis(0), request.key);
    const part = (t: Nx.Tensor): Nx.Tensor => (request.asBatch ? t : (t.at(0) as Nx.Tensor));
    return textOf({ value: part(value), rows: [part(rows[0])] });
  } catch (error) {
    return (error as Error).message;
  }
}

const textOf = ({ value, rows: [row] }: { readonly value: Nx.Tensor; readonly rows: readonly [Nx.Tensor] }): string =>
  JSON.stringify([valuesOf(value), value.names, valuesOf(row), row.names]);

const pause = (ms: number): Promise<void> => new Promise<void>((resolve) => setTimeout(resolve, ms));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("gives each request what the function alone gives", { timeout: 60_000 }, async () => {
  const requests = fc.array(cases, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(requests, settings, fc.option(fc.nat(6)), async (all, options, duration) => {
      const sizes: number[] = [];
      let running = 0;
      const serving = Nx.Serving.create(
        async (rows: Nx.Tensor, key: Case["key"]) => {
          expect(++running).toBe(1);
          sizes.push(rows.shape[0]!);
          if (duration !== null) await pause(duration);
          running--;
          return compute(rows, key);
        },
        {
          ...options,
          jit: false,
          batchKeys: KEYS,
          preprocess: async (request: Case) => {
            if (request.preparation > 0) await pause(request.preparation);
            return request.asBatch ? Nx.Batch.concatenate([entryOf(request)]) : entryOf(request);
          },
          postprocess: (result) => textOf(result),
        },
      );
      const ask = async (request: Case): Promise<string> => {
        await pause(request.at);
        const controller = new AbortController();
        if (request.abort !== null) setTimeout(() => controller.abort(new Error("aborted")), request.abort);
        return serving.run(request, { key: request.key, signal: controller.signal });
      };
      const answers = all.map((request) => quiet(ask(request).catch((error: unknown) => (error as Error).message)));
      await vi.runAllTimersAsync();
      await settle();
      const found = await Promise.all(answers);
      found.forEach((answer, i) => {
        const expected = alone(all[i]!);
        if (answer === "aborted") expect(all[i]!.abort).not.toBe(null);
        else expect(answer).toBe(expected);
      });
      const { waiting, running: open, completed, failed, aborted, batches } = serving.stats();
      expect([waiting, open, completed + failed + aborted]).toEqual([0, 0, all.length]);
      expect(batches).toBe(sizes.length);
      expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(options.batchSize);
      if (options.pad) expect(sizes.every((size) => size === options.batchSize)).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    }),
    { numRuns: tries(150) },
  );
});

it("lets no request wait longer than the timeout while the function is free", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(40), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 8 }),
      fc.nat(15),
      async (times, batchSize, batchTimeout) => {
        const serving = Nx.Serving.create((rows: Nx.Tensor) => rows, { batchSize, batchTimeout });
        const waits = times.map(async (at) => {
          await pause(at);
          const start = Date.now();
          await serving.run(at);
          return Date.now() - start;
        });
        await vi.runAllTimersAsync();
        const longest = Math.max(...(await Promise.all(waits)));
        expect(longest).toBeLessThanOrEqual(batchTimeout);
        const { sizes } = serving.stats();
        const entries = Object.entries(sizes).reduce((sum, [size, count]) => sum + Number(size) * count, 0);
        expect(entries).toBe(times.length);
      },
    ),
    { numRuns: tries(60) },
  );
});
