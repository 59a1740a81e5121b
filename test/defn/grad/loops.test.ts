/**
 * Gradients of while loops that keep each state, or checkpoints, on either side of the number of steps at which they change over: bit
 * for bit what a scan of so many steps gives, whose states are all kept.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { withPrograms } from "../programs/support";

const { grad, scan, whileLoop } = Nx.Defn;

const step = (x: Nx.Tensor, w: Nx.Tensor): Nx.Tensor => x.multiply(w).add(x.sin().multiply(0.125)).tanh();

/** Gradients of the state and of what the body reads. */
const byWhile = (steps: number) =>
  grad(({ x, w }: { x: Nx.Tensor; w: Nx.Tensor }) =>
    whileLoop(
      { i: Nx.tensor(0) as Nx.Tensor, state: x },
      ({ i }) => i.less(steps),
      ({ i, state }) => ({ i: i.add(1), state: step(state, w) }),
    ).state.sum(),
  );

const byScan = (steps: number) =>
  grad(({ x, w }: { x: Nx.Tensor; w: Nx.Tensor }) =>
    scan((state: Nx.Tensor, entry: Nx.Tensor) => [step(state, w), entry], x, Nx.iota([steps]))[0].sum(),
  );

/** Elements of the state, and the number of steps from which on checkpoints are kept: the states are a megabyte together by then. */
const CASES = [
  { size: 4, kept: 4096 },
  { size: 5000, kept: 52 },
  { size: 20_000, kept: 0 },
];

const ways = ["in programs", "step by step", "on binary"] as const;

function along<T>(way: (typeof ways)[number], fn: () => T): T {
  if (way === "on binary") return Nx.withDefaultBackend("binary", fn);
  return withPrograms(way === "in programs", fn);
}

describe.each(ways)("%s", (way) => {
  it.each(
    CASES.flatMap(({ size, kept }) =>
      [1, 2, 33, 70, kept - 1, kept, kept + 1]
        .filter((steps, i, all) => steps > 0 && all.indexOf(steps) === i)
        .filter((steps) => steps * size < 600_000 && (way === "in programs" || steps < 1000))
        .map((steps) => ({ size, steps })),
    ),
  )("a loop of $steps steps over $size elements", ({ size, steps }) => {
    along(way, () => {
      const inputs = { x: Nx.iota([size], { type: "f32" }).divide(size), w: Nx.f32(0.875) };
      const [found, expected] = [byWhile(steps)(inputs), byScan(steps)(inputs)];
      expect(found.x.toBinary()).toEqual(expected.x.toBinary());
      expect(found.w.toBinary()).toEqual(expected.w.toBinary());
    });
  });

  it("a loop that never runs hands the cotangent on", () => {
    along(way, () => {
      const found = byWhile(0)({ x: Nx.f32([1, 2]), w: Nx.f32(2) });
      expect(found.x.toList()).toEqual([1, 1]);
      expect(found.w.toNumber()).toBe(0);
    });
  });
});
