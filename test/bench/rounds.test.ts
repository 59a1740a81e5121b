/**
 * How turns are taken and timed: who comes when, how often a work is called, which times count. No time is measured.
 */
import { describe, expect, it } from "vitest";
import { answering } from "../../bench/peers/answers";
import { timeInTurns, type Pace } from "../../bench/peers/rounds";
import type { Timed } from "../../bench/peers/protocol";

const PACE: Pace = { rounds: 4, roundMs: 1, warmMs: 1, budgetMs: 1000, fewest: 1 };

/** A runner that says when it is called, and takes the times that it is told. */
const runner = (name: string, turns: string[], times: readonly Timed[]) => {
  let next = 0;
  return {
    warm: () => Promise.resolve(500),
    time: (repeats: number) => {
      turns.push(`${name}${repeats}`);
      return Promise.resolve(times[next++]!);
    },
  };
};

describe("rounds", () => {
  it("go through the candidates there and back again", async () => {
    const turns: string[] = [];
    const times = Array<Timed>(4).fill({ microseconds: 1, least: 1 });
    await timeInTurns([runner("a", turns, times), runner("b", turns, times), runner("c", turns, times)], PACE);
    expect(turns.join(" ")).toBe("a2 b2 c2 c2 b2 a2 a2 b2 c2 c2 b2 a2");
  });

  it("give the median of turns and the least of their parts", async () => {
    const times = [9, 7, 8, 7].map((microseconds, i) => ({ microseconds, least: 3 + i }));
    const [found] = await timeInTurns([runner("a", [], times)], PACE);
    expect(found).toEqual({ least: 3, low: 7, median: 8, high: 8, rounds: 4 });
  });
});

describe("a turn", () => {
  it.each([
    { way: "at once", awaits: false, turns: false, each: 1 },
    { way: "awaited", awaits: true, turns: false, each: 1 },
    { way: "with turns of the event loop, after as many that are not measured", awaits: false, turns: true, each: 2 },
  ])("calls as often as it is told, whole parts or not: $way", async ({ awaits, turns, each }) => {
    let calls = 0;
    const prepared = { call: () => calls++, finish: (result: number) => result, awaits, turns, read: () => [] };
    const peer = { name: "p", version: "1", threads: "1", tensor: () => 0, runs: { count: () => prepared } };
    const host = { runtime: "none", memory: () => ({ resident: 0, peak: 0 }) };
    const { answer } = answering<number, number>(peer, host);
    await answer({ do: "prepare", run: "count", inputs: {} });
    for (const repeats of [1, 49, 50, 51, 120]) {
      calls = 0;
      const { microseconds, least } = (await answer({ do: "time", repeats })) as Timed;
      expect(calls).toBe(each * repeats);
      expect(least).toBeLessThanOrEqual(microseconds + 1e-9);
      expect(Number.isFinite(least)).toBe(true);
    }
  });
});
