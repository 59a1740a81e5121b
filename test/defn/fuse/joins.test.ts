/**
 * Concatenations that one kernel alone reads: compiled functions read their parts where they lie, with the bits of work done at once.
 */
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { arrays } from "../../../lib/backends/wasm/arrays";
import { tune } from "../../../lib/backends/tuning";
import { tries } from "../../effort";

const SHAPE = [40, 50, 70] as const; // beyond the size from which on kernels read joins
const SIZE = 40 * 50 * 70;

const source = (type: Nx.DType = "f32", shape: readonly number[] = SHAPE): Tensor =>
  Nx.iota(shape, { type: "f32" }).multiply(0.37).sin().multiply(3).asType(type);
const bytes = (t: Tensor): Buffer => Buffer.from(Nx.toBinary(t));

type Work = (...args: Tensor[]) => Tensor;

const plain = <T>(fn: () => T): T => Nx.withDefaultBackend(["wasm", { deferred: false }], fn);

/** Compiled on wasm with any number of threads, in memory of kernels or not, and on binary. */
function check(work: Work, ...args: Tensor[]): void {
  const expected = bytes(plain(() => work(...args)));
  const compiled = Nx.defn(work);
  const same = (...operands: Tensor[]): void => expect(bytes(compiled(...operands)).equals(expected)).toBe(true);
  for (const threads of [1, 3]) {
    tune({ threads });
    same(...args);
  }
  tune({ threads: null, arenaBytes: 0 });
  same(...args.map((t) => Nx.backendCopy(t, "binary")).map((t) => Nx.backendCopy(t, "wasm")));
  tune({ arenaBytes: null });
  Nx.withDefaultBackend("binary", () => same(...args.map((t) => Nx.backendCopy(t, "binary"))));
}

/** How many kernels read joins, and how many large arrays a call makes. */
function madeBy(work: Work, ...args: Tensor[]): { readonly fired: number; readonly large: number } {
  const { passes } = Nx.Defn.explain(work)(...args);
  const compiled = Nx.defn(work);
  const expected = bytes(compiled(...args));
  const unset = vi.spyOn(arrays, "unset");
  expect(bytes(compiled(...args)).equals(expected)).toBe(true);
  const large = unset.mock.calls.filter(([, shape]) => shape.reduce((x, y) => x * y, 1) > SIZE / 2).length;
  unset.mockRestore();
  return { fired: passes.find(({ name }) => name === "joins")!.fired, large };
}

afterEach(() => tune({ threads: null, arenaBytes: null, joinedFrom: null, compiledFrom: null }));

const rolled = (t: Tensor, by: number, axis: number): Tensor => Nx.roll(t, by, { axis });

describe("bits of compiled functions", () => {
  it.each(["f32", "f64", "s16", "u8", "f16", "c64", "s64"] as const)(
    "of %s are those of plain calls, whatever is joined along any axis",
    { timeout: 60_000 },
    (type) => {
      const [t, u] = [source(type), Nx.evaluate(source(type).negate())];
      for (const axis of [0, 1, 2]) {
        check(
          (a, b) =>
            rolled(a, 3, axis)
              .add(rolled(b, -7, axis))
              .multiply(a),
          t,
          u,
        );
        check((a, b) => Nx.concatenate([a, b, rolled(a, 1, 0)], { axis }).multiply(2), t, u);
        check((a) => Nx.concatenate([a.transpose(), a.transpose()], { axis }).add(1), t);
        check((a, b) => Nx.concatenate([Nx.reverse(a, { axes: [axis] }), b], { axis }).subtract(3), t, u);
        check((a, b) => Nx.concatenate([a.slice([1, 2, 3], [30, 40, 60]), b.slice([9, 2, 3], [30, 40, 60])], { axis }).add(1), t, u); // prettier-ignore
      }
      check(
        (a) =>
          Nx.roll(a, 5)
            .reshape([70, 2000])
            .add(a.reshape([2000, 70]).transpose()),
        t,
      );
      check((a, b) => Nx.stack([a, b], { axis: 1 }).add(b.newAxis(1)), t, u);
    },
  );

  it("are those of plain calls where results are written over operands, in loops and with several results", () => {
    const [t, u] = [source(), source().negate()];
    const step: Work = (a, b) =>
      rolled(a, 1, 1)
        .add(rolled(a, -1, 2))
        .multiply(0.25)
        .add(b);
    const given = Nx.defn(step, { donate: true });
    const expected = bytes(plain(() => step(t, u)));
    expect(bytes(given(Nx.add(t, 0), Nx.add(u, 0))).equals(expected)).toBe(true);
    const loop = (a: Tensor): Tensor =>
      Nx.Defn.whileLoop(
        { i: Nx.s32(0), a },
        ({ i }) => i.less(3),
        ({ i, a: x }) => ({ i: i.add(1), a: step(x, x) }),
      ).a;
    expect(bytes(Nx.defn(loop)(t)).equals(bytes(plain(() => [1, 2, 3].reduce((x) => step(x, x), t))))).toBe(true);
    const both = (a: Tensor): Tensor[] => [rolled(a, 1, 0).add(a), rolled(a, 1, 0).multiply(a)];
    const results = plain(() => both(t)).map(bytes);
    Nx.defn(both)(t).forEach((one, i) => expect(bytes(one).equals(results[i]!)).toBe(true));
    const gradient = Nx.grad((a: Tensor) => step(a, a).square().sum());
    expect(bytes(Nx.defn(gradient)(t)).equals(bytes(plain(() => gradient(t))))).toBe(true);
  });
});

/** One more tensor of [6, 8], of those made before. */
type Step = readonly [kind: number, left: number, right: number, axis: number, by: number];

function stepsOf(steps: readonly Step[]): Work {
  return (x, y) => {
    const made = [x!, y!];
    const at = (i: number): Tensor => made[i % made.length]!;
    for (const [kind, left, right, axis, by] of steps) {
      const [a, b] = [at(left), at(right)];
      if (kind === 0) made.push(Nx.roll(a, by, { axis }));
      else if (kind === 1) made.push(a.multiply(0.5).add(b));
      else if (kind === 2)
        made.push(Nx.concatenate([a, b], { axis }).slice([axis === 0 ? by : 0, axis === 1 ? by : 0], [6, 8]));
      else if (kind === 3) made.push(Nx.reverse(Nx.roll(a, by, { axis }), { axes: [1 - axis] }).subtract(b));
      else if (kind === 4)
        made.push(Nx.concatenate([a.slice([0, 0], [6, 3]), b.slice([0, 1], [6, 5])], { axis: 1 }).max(b));
      else made.push(a.subtract(Nx.roll(b, by, { axis }).sum({ axes: [1], keepAxes: true })));
    }
    return made.at(-1)!;
  };
}

describe("random functions of joins of small tensors", () => {
  it("have the bits of plain calls", () => {
    const [x, y] = [source("f32", [6, 8]), Nx.evaluate(source("f32", [6, 8]).negate())];
    const step = fc.tuple(fc.nat(5), fc.nat(20), fc.nat(20), fc.nat(1), fc.integer({ min: 1, max: 5 }));
    tune({ joinedFrom: 0, compiledFrom: 0 });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => {
        const work = stepsOf(steps);
        const expected = bytes(plain(() => work(x, y)));
        for (const backend of ["wasm", "binary"] as const) {
          const given = [x, y].map((t) => Nx.backendCopy(t, backend));
          expect(bytes(Nx.withDefaultBackend(backend, () => Nx.defn(work)(...given))).equals(expected)).toBe(true);
        }
      }),
      { numRuns: tries(60) },
    );
  });
});

describe("memory", () => {
  it("is taken for no concatenation that one kernel alone reads, and for no part of it", () => {
    const t = source();
    const around: Work = (a) =>
      [0, 1, 2].reduce((sum, axis) => sum.add(rolled(a, 1, axis)).add(rolled(a, -1, axis)), a.multiply(-6));
    expect(madeBy(around, t)).toEqual({ fired: 1, large: 1 });
    expect(madeBy((a) => rolled(a, 1, 2).add(1), t)).toEqual({ fired: 1, large: 1 });
    const [first] = Nx.Defn.explain(around)(t).kernels;
    expect(Nx.Defn.explain(around)(t).kernels).toHaveLength(1);
    expect(first).toMatchObject({ reads: ["a"], bytesRead: 4 * SIZE, bytesWritten: 4 * SIZE });
  });

  it("is taken where others read it, where it is a result, where it is small, and where it is joined of many", () => {
    const [t, small] = [source(), source("f32", [40, 50])];
    const joins = (work: Work, x = t): number => madeBy(work, x).fired;
    expect(joins((a) => rolled(a, 1, 0).add(1).sum({ axes: [2] }).add(rolled(a, 1, 0).sum()))).toBe(0); // prettier-ignore
    const sorted = (t: Tensor): Tensor => Nx.sort(t, { axis: 2 }).add(t);
    expect(joins((a) => sorted(rolled(a, 1, 0)))).toBe(0);
    expect(joins((a) => rolled(a, 1, 0))).toBe(0);
    expect(joins((a) => rolled(a, 1, 0).transpose().add(1))).toBe(0);
    expect(joins((a) => rolled(a, 1, 1).add(1), small)).toBe(0);
    expect(joins((a) => Nx.concatenate([a, a, a, a, a]).add(1))).toBe(0);
  });
});
