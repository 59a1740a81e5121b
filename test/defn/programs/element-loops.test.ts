/** Loops that compute each element by itself, which programs take through all turns block by block. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { tune } from "../../../lib/backends/tuning";
import { isByBlocks } from "../../../lib/backends/wasm/program/by-blocks";
import type { ProgramStep } from "../../../lib/program";
import { expectSame, programsRunBy, stepsOf, type Fn } from "./support";

const { whileLoop, foriLoop, scan, cond } = Nx.Defn;

type Turn = (i: Tensor, ...state: Tensor[]) => readonly Tensor[];

/** So many turns of a body that is given its number and the state. */
const times = (n: number | Tensor, state: readonly Tensor[], body: Turn): readonly Tensor[] =>
  foriLoop(0, n, (i, now) => [...body(i, ...(now as unknown as Tensor[]))] as never, [...state] as never) as never;

const inside = (step: ProgramStep): readonly ProgramStep[] => {
  if (step.kind === "while") return [step, ...step.body.steps.flatMap(inside)];
  if (step.kind === "scan") return step.body.steps.flatMap(inside);
  return step.kind === "cond" ? step.branches.flatMap(({ steps }) => steps.flatMap(inside)) : [];
};

/** Whether each loop of a function is done block by block. */
const blockwise = (fn: Fn, ...args: Tensor[]): readonly boolean[] =>
  stepsOf(fn, ...args)
    .flatMap(inside)
    .flatMap((step) => (step.kind === "while" ? [isByBlocks(step)] : []));

const TYPES: readonly DType[] = ["u8", "s8", "u16", "s32", "u64", "s64", "f16", "bf16", "f32", "f64", "c64", "c128"];
const elements = (type: DType, shape: readonly number[], from: number): Tensor =>
  Nx.asType(Nx.iota(shape, { type: "s64" }).multiply(37).add(from).remainder(101).subtract(40), type);

describe("a loop that computes each element by itself", () => {
  it("gives the bits of single steps, for random bodies, sizes, types and tensors that stay", () => {
    const kinds = ["state", "other", "row", "column", "number", "turned", "turn", "made", "square", "flipped"] as const;
    const ops = ["add", "subtract", "multiply", "max", "min"] as const;
    const step = fc.tuple(fc.constantFrom(...ops), fc.constantFrom(...kinds), fc.constantFrom(...kinds));
    const shapes = fc.constantFrom([2], [5], [16], [33], [64], [3, 11], [16, 4], [9, 8], [2, 3, 17]);
    let done = 0;
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...TYPES),
        fc.constantFrom(...TYPES),
        shapes,
        fc.nat(20),
        (steps, one, two, shape, n) => {
          const order = shape.map((_, axis) => axis).reverse();
          const args = [
            elements(one, shape, 1),
            elements(two, shape, 2),
            elements(one, shape.slice(-1), 3),
            elements(one, [...shape.slice(0, -1), 1], 4),
            elements(one, [], 5),
            elements(one, [...shape].reverse(), 6),
          ] as const;
          const fn: Fn = (x, y, row, column, number, turned) => {
            const body: Turn = (i, a, b) => {
              const values = [a!];
              const parts = {
                state: a!,
                row: row!,
                column: column!,
                number: number!,
                turned: turned!.transpose({ axes: order }),
              };
              // what no turn changes
              const stays = { square: row!.multiply(row!), flipped: row!.reverse() };
              const known = { ...stays, ...parts, other: b!.asType(one), turn: i.asType(one), made: number!.add(1) };
              const valueOf = (kind: (typeof kinds)[number]): Tensor =>
                kind === "made" ? values.at(-1)! : known[kind];
              const apply = (op: "add", x: Tensor, y: Tensor): Tensor => Nx[op](x, y).asType(one);
              for (const [op, x, y] of steps) {
                const usable = one.startsWith("c") ? "subtract" : op;
                values.push(
                  apply(usable as "add", valueOf(x), values.at(-1)!),
                  apply("add", valueOf(y), values.at(-1)!),
                );
              }
              return [values.at(-1)!, Nx.add(b!, a!.asType(two)).asType(two)];
            };
            return times(n, [x!, y!], body);
          };
          done += blockwise(fn, ...args).filter(Boolean).length;
          expectSame(fn, args);
        },
      ),
      { numRuns: 60 },
    );
    expect(done).toBeGreaterThan(50);
  });

  it("takes turns as often as one by one, also where a block changes no more", () => {
    const shape = [16, 16];
    const numbers = Nx.f32([0, -0, 1, -1, 0.5, 2, NaN, Infinity, -Infinity, 1e30, 1e-30, 3, 4, 5, 6, 7]);
    // a block of each of them, since a block goes on as long as one of its elements does
    const args = [numbers.newAxis(1).broadcast(shape), Nx.iota(shape, { type: "f32" }).multiply(0.05)];
    const bodies: readonly Turn[] = [
      // 0 and -0 in turns: equal as numbers, and yet not the same
      (_i, x, y) => [x!.negate(), y!.add(Nx.divide(1, x!).less(0))],
      (_i, x) => [x!.multiply(x!)],
      (_i, x) => [x!.subtract(x!.multiply(0.5))],
      (_i, x, y) => [y!, x!.add(0.5)],
      (_i, x, y) => [x!.multiply(0.5).add(y!), x!],
      (_i, x, y) => [x!.multiply(x!).add(y!), y!],
      (_i, x, y) => [Nx.select(x!.abs().less(2), x!.multiply(x!).add(y!), x!), y!.add(x!.abs().less(2))],
      (_i, x, y) => [Nx.min(x!.add(1), 9), Nx.max(y!.subtract(1), Nx.min(x!, 3))],
    ];
    for (const body of bodies) {
      for (const n of [0, 1, 3, 4, 5, 7, 8, 11, 12, 13, 16, 29, 64, 200]) {
        const fn: Fn = (x, y) => times(n, body(x!, x!, y!).length === 1 ? [x!] : [x!, y!], body);
        expect(blockwise(fn, ...args)).toEqual([true]);
        expectSame(fn, args);
      }
    }
  });

  it("reads what is different in every turn", () => {
    const fn: Fn = (x, t) => {
      const end = whileLoop(
        { i: 0, t, x },
        ({ i }) => i.less(40),
        (s) => ({ i: s.i.add(1), t: s.t.add(0.5), x: s.x.multiply(0.5).add(s.t).add(s.i.equal(37)) }),
      );
      return [end.x, end.t, end.i];
    };
    const args = [Nx.zeros([19], { type: "f64" }), Nx.f64(0.25)];
    expect(blockwise(fn, ...args)).toEqual([true]);
    expectSame(fn, args);
    // for many turns nothing changes, and then something does
    const late: Fn = (x) => times(40, [x!], (i, a) => [a!.add(i.equal(37))]);
    expect(blockwise(late, args[0]!)).toEqual([true]);
    expectSame(late, [args[0]!]);
  });

  it("does what is the same in all turns before them, unless it may fail", () => {
    const x = Nx.iota([6, 8], { type: "f32" }).multiply(0.1);
    const fn: Fn = (s, row) =>
      times(5, [s!], (i, a) => [a!.multiply(row!.cumulativeSum()).add(row!.sum()).subtract(i)]);
    expect(blockwise(fn, x, x.at(1))).toEqual([true]);
    expectSame(fn, [x, x.at(1)]);
    const never: Fn = (s, at) => times(0, [s!], (_i, a) => [a!.add(s!.take(at!, { axis: 0 }).at(0))]);
    expectSame(never, [x, Nx.tensor([17])], null);
    const divided: Fn = (s, by) => times(0, [s!], (_i, a) => [a!.add(by!.quotient(by!))]);
    expectSame(divided, [Nx.tensor([1, 2]), Nx.tensor(0)], null);
  });

  it("asks elements how often, where each is kept from then on", () => {
    const collatz = (n: Tensor): Tensor =>
      whileLoop(
        { n, steps: Nx.s64(0) },
        (state) => state.n.greater(1),
        ({ n: m, steps }) => ({
          n: Nx.select(m.remainder(2), m.multiply(3).add(1), m.rightShift(1)),
          steps: steps.add(1),
        }),
      ).steps;
    const escape = (a: Tensor, b: Tensor): Tensor =>
      whileLoop(
        { x: Nx.f64(0), y: Nx.f64(0), n: Nx.s32(0) },
        ({ x, y, n }) => x.multiply(x).add(y.multiply(y)).lessEqual(4).logicalAnd(n.less(70)),
        ({ x, y, n }) => ({
          x: x.multiply(x).subtract(y.multiply(y)).add(a),
          y: x.multiply(y).multiply(2).add(b),
          n: n.add(1),
        }),
      ).n;
    const root: Fn = (a) => [
      Nx.Defn.vmap((t: Tensor) =>
        whileLoop(
          t,
          (x) => x.multiply(x).subtract(t).abs().greater(t.multiply(1e-6)),
          (x) => x.add(t.divide(x)).multiply(0.5),
        ),
      )(a!),
    ];
    const counted: Fn = (n) => [Nx.Defn.vmap(collatz)(n!)];
    const drawn: Fn = (re, im) => [Nx.Defn.vmap((b: Tensor) => Nx.Defn.vmap((a: Tensor) => escape(a, b))(re!))(im!)];
    for (const size of [4, 8, 12, 64, 68, 3, 7, 30]) {
      const x = Nx.iota([size], { type: "f64" });
      expectSame(root, [x.add(0.5)], null);
      expectSame(counted, [Nx.iota([size]).add(1)], null);
      expectSame(drawn, [x.multiply(3 / size).subtract(2), Nx.f64([-1, -0.3, 0, 0.2, 1.1])], null);
    }
    expect(blockwise(root, Nx.f64([1, 2, 3, 4]))).toEqual([true]);
    expect(blockwise(drawn, Nx.f64([1, 2, 3, 4]), Nx.f64([1, 2, 3, 4]))).toEqual([true]);
    expect(programsRunBy(() => Nx.withDefaultBackend("wasm", () => Nx.defn(root)(Nx.f64([1, 2, 3, 4]))))).toBe(1);
  });

  it("goes turn by turn where an element that wants no more turns is changed by others' turns", () => {
    const fn = (keeps: (x: Tensor) => Tensor): Fn => {
      return (s) => [
        whileLoop(
          s!,
          (x) => x.less(20).any(),
          (x) => Nx.select(keeps(x), x.add(1), x),
        ),
      ];
    };
    const x = Nx.iota([64], { type: "f32" });
    const [stays, goesOn, changes] = [fn((y) => y.less(20)), fn((y) => y.less(25)), fn((y) => y.greater(-1))];
    for (const each of [stays, goesOn, changes]) {
      expect(blockwise(each, x)).toEqual([true]);
      expectSame(each, [x], null);
    }
    const all: Fn = (s) => [
      whileLoop(
        s!,
        (y) => y.less(20).any(),
        (y) => y.add(1),
      ),
    ];
    expect(blockwise(all, x)).toEqual([false]);
    expectSame(all, [x]);
  });

  it("is done at once where it is large, unless threads have much to compute", () => {
    const light: Fn = (x, row) => times(9, [x!], (_i, a) => [a!.multiply(0.5).add(row!)]);
    const heavy: Fn = (x, row) => times(9, [x!], (_i, a) => [a!.sin().add(row!.exp()).log().multiply(a!)]);
    const args = [Nx.iota([300, 250], { type: "f32" }).multiply(0.001), Nx.iota([250], { type: "f32" })];
    try {
      for (const [threads, fn, loops] of [
        [1, light, 1],
        [2, light, 1],
        [1, heavy, 1],
        [2, heavy, 0],
      ] as const) {
        tune({ threads });
        expect([threads, fn === light, blockwise(fn, ...args).length]).toEqual([threads, fn === light, loops]);
        expectSame(fn, args, null);
      }
    } finally {
      tune({ threads: null });
    }
  });

  it("is inside of other loops, choices and scans, whose state and entries it reads", () => {
    const x = Nx.iota([5, 16], { type: "f32" }).multiply(0.1);
    const nested: Fn = (s) => times(4, [s!], (i, a) => times(i, [a!], (j, b) => [b!.multiply(0.5).add(j).add(i)]));
    const chosen: Fn = (s) => [
      cond([[s!.sum().greater(1), () => times(9, [s!], (_i, a) => [a!.multiply(1.5)])[0]!]], () => s!),
    ];
    const along: Fn = (s) =>
      scan(
        (held: Tensor, entry: Tensor) => {
          const next = times(entry.sum().asType("s64").remainder(5), [held], (i, a) => [a!.add(entry).multiply(i)])[0]!;
          return [next, next.multiply(2)] as [Tensor, Tensor];
        },
        s!.at(0),
        s!,
      );
    for (const fn of [nested, chosen, along]) {
      expect(blockwise(fn, x)).toContain(true);
      expectSame(fn, [x]);
    }
  });

  it("goes turn by turn where an element reads others, where elements decide, and where ops refuse elements", () => {
    const x = Nx.iota([4, 8]).add(1);
    const fns: readonly Fn[] = [
      (s) => times(3, [s!], (_i, a) => [a!.add(a!.sum())]),
      (s) => times(3, [s!], (_i, a) => [a!.add(a!.reverse())]),
      (s) => times(3, [s!], (_i, a) => [a!.add(a!.at(0))]),
      (s) => times(3, [s!], (_i, a) => [a!.add(a!.at(1).at(2))]),
      (s) => times(3, [s!], (_i, a) => [a!.quotient(a!.add(1))]),
      (s) => [
        whileLoop(
          s!,
          (a) => a.reduceMax().less(50),
          (a) => a.multiply(2),
        ),
      ],
      (s) => times(3, [s!, s!.at(0)], (_i, a, b) => [a!.add(b!), b!.add(1)]),
    ];
    for (const fn of fns) {
      expect(blockwise(fn, x)).not.toContain(true);
      expectSame(fn, [x], null);
    }
  });
});
