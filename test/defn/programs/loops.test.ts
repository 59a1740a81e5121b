import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { DTYPES } from "../../../lib/core/types";
import { MAX_WEIGHT } from "../../../lib/defn/programs/lower";
import { tune } from "../../../lib/backends/tuning";
import { expectSame, programsOf, programsRunBy, withPrograms, type Fn } from "./support";

const { whileLoop, scan, cond } = Nx.Defn;

/** Elements that wrap around, round and overflow soon. */
const elements = (type: DType, shape: readonly number[]): Tensor =>
  Nx.asType(Nx.iota(shape, { type: "s64" }).multiply(37).add(3), type);

const times = (n: number, state: readonly Tensor[], body: (...state: Tensor[]) => readonly Tensor[]): Tensor[] =>
  whileLoop(
    { i: Nx.tensor(0), state: [...state] },
    ({ i }) => i.less(n),
    ({ i, state: now }) => ({ i: i.add(1), state: [...body(...(now as Tensor[]))] }),
  ).state as Tensor[];

describe("a loop", () => {
  for (const type of DTYPES) {
    it(`over ${type} rounds and wraps around after every step, in vectors and in memory`, () => {
      for (const shape of [[], [1, 1], [3], [5], [37], [4, 9]]) {
        const step: Fn = (x) => times(9, [x, x.add(1)], (a, b) => [a.multiply(b).add(a), b.subtract(a)]);
        expectSame(step, [elements(type, shape)]);
      }
    });
  }

  it("changes places of its states, keeps some, and may end before it begins", () => {
    for (const shape of [[], [6]]) {
      const [a, b, c] = [1, 2, 3].map((n) => Nx.iota(shape, { type: "f32" }).add(n)) as [Tensor, Tensor, Tensor];
      for (const n of [0, 1, 2, 5]) {
        expectSame((x, y) => times(n, [x, y], (p, q) => [q, p]), [a, b]);
        expectSame((x, y, z) => times(n, [x, y, z], (p, q, r) => [q, r, p]), [a, b, c]);
        expectSame((x, y) => times(n, [x, y], (p, q) => [p, p.add(q)]), [a, b]);
        expectSame((x, y) => times(n, [x, y], (p) => [p.add(1), p]), [a, b]);
        expectSame((x, y) => [...times(n, [x, x, y], (p, q, r) => [q.add(r), p, r]), x], [a, b]);
      }
    }
  });

  it("may end with what it began with, which then is read later", () => {
    const fn: Fn = (x) => {
      const [state] = times(0, [x.add(1)], (s) => [s.multiply(2)]) as [Tensor];
      return [Nx.cumulativeSum(x.multiply(state.sum())).subtract(state)];
    };
    expectSame(fn, [Nx.iota([40], { type: "f32" })]);
    expectSame(fn, [Nx.iota([40], { type: "s64" })]);
  });

  it("goes on as long as the condition is anything but 0", () => {
    const until = (x: Tensor): Tensor =>
      whileLoop(
        x,
        (s) => s,
        (s) => Nx.max(s.subtract(1), 0),
      );
    for (const type of ["u8", "s16", "u32", "s64", "f16", "bf16", "f32", "f64"] as const) {
      expectSame((x) => [until(x)], [Nx.tensor(5, { type })]);
    }
    const notANumber: Fn = (x) => [
      whileLoop(
        { x, n: Nx.tensor(0) },
        (s) => s.x,
        ({ x: s, n }) => ({ x: Nx.select(n.less(3), s, 0), n: n.add(1) }),
      ).n,
    ];
    for (const type of ["f16", "bf16", "f32", "f64"] as const) expectSame(notANumber, [Nx.tensor(NaN, { type })]);
    expectSame(notANumber, [Nx.tensor(-0, { type: "f16" })]);
    expectSame(notANumber, [Nx.tensor(new Nx.Complex(0, 1))]);
  });

  it("is nested, and reads what is around it", () => {
    const fn: Fn = (x, k) =>
      times(4, [x], (s) => times(3, [s.multiply(k)], (t) => [t.add(s), ...[]].map((u) => u.subtract(k))));
    for (const shape of [[], [5], [3, 4]]) expectSame(fn, [Nx.iota(shape, { type: "f32" }), Nx.f32(0.75)]);
    expectSame(fn, [Nx.f32([1, 2, 3]), Nx.f32([[1], [0.5]]).at(1)]);
  });

  it("reads elements and pieces through views", () => {
    const fn: Fn = (x) =>
      times(3, [x], (s) => [
        s
          .add(s.at(1).at(2))
          .subtract(Nx.transpose(s).reshape([4, 6]))
          .multiply(s.at(Nx.range(0, 1)))
          .add(Nx.reverse(s, { axes: [1] })),
      ]);
    expectSame(fn, [Nx.iota([4, 6], { type: "f64" }).multiply(0.01)]);
    expectSame(fn, [Nx.iota([4, 6], { type: "c64" }).multiply(0.01)]);
    expectSame(fn, [Nx.iota([4, 6], { type: "s8" })]);
    const wide: Fn = (x) =>
      times(3, [x], (s) => [
        s
          .multiply(0.5)
          .add(s.at(Nx.range(), Nx.range(0, 1)))
          .add(s.at(0)),
      ]);
    expectSame(wide, [Nx.iota([6, 40], { type: "f32" })]);
  });

  it("takes numbers of its surroundings and special functions of them", () => {
    const fn: Fn = (x) =>
      times(5, [x], (s) => [
        Nx.sin(s)
          .add(Nx.exp(s.multiply(-0.25)))
          .multiply(Nx.log(s.abs().add(1))),
      ]);
    for (const type of ["f16", "bf16", "f32", "f64"] as const) {
      for (const shape of [[], [7]]) expectSame(fn, [Nx.asType(Nx.iota(shape).add(1), type)]);
    }
  });
});

describe("integers that ops refuse", () => {
  const halving: Fn = (x, y) => times(4, [x, y], (a, b) => [a.quotient(b).add(a.remainder(b)), b.subtract(1)]);
  const shifting: Fn = (x, y) => times(4, [x, y], (a, b) => [a.leftShift(b).rightShift(b).add(1), b.subtract(1)]);

  it("are looked at in every turn", () => {
    for (const type of ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] as const) {
      for (const shape of [[], [5], [2, 9]]) {
        const [x, y] = [Nx.asType(Nx.iota(shape).add(100), type), Nx.asType(Nx.iota(shape).add(5), type)];
        expectSame(halving, [x, y]);
        expectSame(shifting, [x, Nx.asType(Nx.iota(shape).remainder(3).add(4), type)]);
      }
    }
  });

  it("are the errors of the steps themselves", () => {
    const messageOf = (on: boolean, fn: Fn, args: readonly Tensor[]): string => {
      try {
        withPrograms(on, () => Nx.withDefaultBackend("wasm", () => Nx.defn(fn)(...args)));
      } catch (error) {
        return String(error);
      }
      return "none";
    };
    for (const shape of [[], [4]]) {
      const [x, y] = [Nx.iota(shape, { type: "s32" }), Nx.s32(3).broadcast(shape)];
      for (const fn of [halving, shifting]) {
        const args = fn === halving ? [x, y] : [x, y.subtract(1)];
        expect(messageOf(true, fn, args)).toMatch(/programs\/loops.test.ts|zero|negative/);
        expect(messageOf(true, fn, args)).toBe(messageOf(false, fn, args));
      }
    }
  });
});

describe("a choice", () => {
  const fn: Fn = (x) =>
    times(6, [x, x], (a, b) => {
      const first = a.flatten().at(0);
      const [c, d] = cond(
        [
          [first.greater(6), () => [a.subtract(5), a] as [Tensor, Tensor]],
          [first.less(2), () => [b.add(1), a.multiply(2)] as [Tensor, Tensor]],
        ],
        () => [b, a] as [Tensor, Tensor],
      );
      return [c, d];
    });

  it("is made anew in every turn", () => {
    for (const type of DTYPES.filter((name) => !name.startsWith("c"))) {
      for (const shape of [[], [4]]) expectSame(fn, [Nx.asType(Nx.iota(shape).add(5), type)]);
    }
  });
});

describe("a scan", () => {
  const running: Fn = (xs, s) =>
    scan((sum: Tensor, x: Tensor) => [sum.add(x), sum.multiply(x)] as [Tensor, Tensor], s!, xs!);

  it("reads entries and writes results one after the other, in both directions", () => {
    for (const type of DTYPES) {
      for (const entry of [[], [1], [18]]) {
        for (const n of [1, 5]) {
          const xs = elements(type, [n, ...entry]);
          expectSame(running, [xs, elements(type, entry)]);
          const back: Fn = (all, s) =>
            scan((sum: Tensor, x: Tensor) => [x.subtract(sum), sum] as [Tensor, Tensor], s!, all!, { reverse: true });
          expectSame(back, [xs, elements(type, entry)]);
        }
      }
    }
  });

  it("gives back entries as they are, and states that stay", () => {
    const fn: Fn = (xs, s) => {
      const [state, [a, b]] = scan((c: Tensor, x: Tensor) => [c, [x, c]] as [Tensor, [Tensor, Tensor]], s!, xs!);
      return [state, a, b];
    };
    for (const entry of [[], [5]]) expectSame(fn, [Nx.iota([4, ...entry]), Nx.iota(entry)]);
  });

  it("is differentiated as a program", () => {
    const loss = (xs: Tensor, s: Tensor): Tensor =>
      scan((c: Tensor, x: Tensor) => [Nx.sin(c.multiply(x)), c] as [Tensor, Tensor], s, xs)[0];
    const fn: Fn = (xs, s) => Nx.grad((x: Tensor, y: Tensor) => loss(x, y).sum())(xs!, s!) as unknown as Tensor[];
    expectSame(
      (xs, s) => [fn(xs!, s!)].flat() as Tensor[],
      [Nx.iota([5, 3], { type: "f64" }).multiply(0.3), Nx.f64([1, 2, 3])],
    );
  });
});

describe("programs", () => {
  it("have loops in them, and what is around these", () => {
    const fn: Fn = (x) => times(3, [x.add(1)], (s) => [s.multiply(2)]).map((y) => y.subtract(1));
    expect(programsOf(fn, Nx.f32([1, 2]))).toEqual([["map", "while", "map"]]);
  });

  it("are split by what a program cannot do", () => {
    const seen: unknown[] = [];
    const note = Nx.Defn.hook as unknown as (t: Tensor, fn: (t: Tensor) => void) => Tensor;
    const fn: Fn = (x) => {
      const y = x.add(1).sum();
      note(y, (t) => seen.push(t.toNumber()));
      return times(3, [y], (s) => [s.multiply(2)]);
    };
    const count = programsRunBy(() => Nx.withDefaultBackend("wasm", () => Nx.defn(fn)(Nx.f32([1, 2]))));
    expect(count).toBe(2);
    expect(seen).toEqual([5]);
  });

  it("have folds of lines and kernels around them in them", () => {
    const fn: Fn = (x) => [
      x
        .subtract(Nx.reduceMax(x, { axes: [1], keepAxes: true }))
        .exp()
        .multiply(x.at(1))
        .sum({ axes: [1] }),
      Nx.argmax(x.multiply(x), { axis: 0 }),
      x.multiply(2).cumulativeSum({ axis: 1 }),
    ];
    for (const type of ["f16", "f32", "f64", "s16"] as const) {
      for (const shape of [
        [2, 3],
        [3, 17],
        [5, 40],
      ])
        expectSame(fn, [Nx.asType(Nx.iota(shape).remainder(7), type)]);
    }
  });

  it("have composites in them that the backend runs by their name", () => {
    const fn: Fn = (x) => {
      const [drawn, key] = Nx.Random.uniform(Nx.Random.key(3), 0, 1, { shape: [5] });
      return [x.add(drawn), Nx.Random.randint(key, 0, 100, { shape: [3] })[0]];
    };
    expectSame(fn, [Nx.iota([5], { type: "f32" })], null);
    expect(programsOf(fn, Nx.iota([5], { type: "f32" })).flat()).toContain("block");
  });

  it("tell views and sizes apart", () => {
    const at =
      (i: number): Fn =>
      (x) =>
        times(2, [x], (s) => [s.add(x.at(i))]);
    for (const i of [0, 1, 2]) expectSame(at(i), [Nx.iota([3, 3], { type: "f32" })]);
  });

  it("have a bound on their code", () => {
    const body = (x: Tensor): Tensor =>
      Array.from({ length: 150 }, (_, i) => i).reduce((y, i) => Nx.exp(y.sum().multiply(-i)).add(y), x);
    const straight = programsOf((x) => [body(x)], Nx.f64([1, 2]));
    expect(straight.length).toBeGreaterThan(1);
    expect(Math.max(...straight.map(({ length }) => length))).toBeLessThan(MAX_WEIGHT / 20);
    expectSame((x) => [body(x)], [Nx.f64([1, 2])], null);
    expect(programsOf((x) => times(2, [x], (y) => [body(y)]), Nx.f64([1, 2])).flat()).not.toContain("while");
  });

  it("end before a loop that they have no room for, which begins another", () => {
    const steps = (count: number, x: Tensor): Tensor =>
      Array.from({ length: count }, (_, i) => i).reduce((y, i) => Nx.exp(y.sum().multiply(-i)).add(y), x);
    const counts = [5, 60, 90, 100, 110, 120, 130, 150];
    const fn =
      (count: number): Fn =>
      (x) =>
        times(2, [steps(count, x!)], (y) => [steps(30, y)]);
    const [x] = [Nx.f64([1, 2])];
    const loops = counts.map((count) => programsOf(fn(count), x).map((kinds) => kinds.includes("while")));
    expect(loops.map((each) => each.filter(Boolean).length)).toEqual(counts.map(() => 1));
    expectSame(fn(110), [x], null);
  });

  it("leave large results and products to all threads", () => {
    const product: Fn = (x) => [Nx.dot(x, x).add(1).sum()];
    expect(programsOf(product, Nx.iota([16, 16], { type: "f32" }))[0]).toContain("dot");
    expect(programsOf(product, Nx.iota([200, 200], { type: "f32" })).flat()).not.toContain("dot");
    const large: Fn = (x) => [x.reverse().multiply(2).sum(), x.add(1)];
    expect(programsOf(large, Nx.iota([100_000], { type: "f32" }))).toEqual([]);
  });

  it("have larger results in loops, of little work", () => {
    const size = 200_000;
    const light: Fn = (x) => times(3, [x!], (a) => [a.add(Nx.roll(a, 1)).multiply(0.5)]);
    const heavy: Fn = (x) => times(3, [x!], (a) => [a.add(Nx.roll(a, 1)).exp().sin().tanh().multiply(0.5)]);
    const folded: Fn = (x) => times(3, [x!], (a) => [a.add(Nx.roll(a, 1)).divide(a.abs().sum())]);
    const x = Nx.iota([size], { type: "f32" }).divide(size);
    const areLoops = [1, 2].map((threads) => {
      tune({ threads });
      return [light, heavy, folded].map((fn) => programsOf(fn, x).flat().includes("while"));
    });
    tune({ threads: null });
    expect(areLoops).toEqual([
      [true, true, true],
      [true, false, true],
    ]);
    for (const fn of [light, heavy, folded]) expectSame(fn, [x], null);
  });

  it("leave large tensors that loops and choices only pass on where they are", () => {
    const swapped: Fn = (x, y) => times(3, [x!, y!], (a, b) => [b, a]);
    const chosen: Fn = (x, y) => [cond([[x!.sum(), () => x!]], () => y!)];
    for (const [size, count] of [
      [1000, 1],
      [100_000, 0],
    ] as const) {
      const args = [1, 2].map((n) => Nx.iota([size], { type: "u8" }).add(n));
      expect(
        programsOf(swapped, ...args)
          .flat()
          .filter((step) => step === "while"),
      ).toHaveLength(count);
      expect(
        programsOf(chosen, ...args)
          .flat()
          .filter((step) => step === "cond"),
      ).toHaveLength(count);
      expectSame(swapped, args, null);
      expectSame(chosen, args, null);
    }
    const kept: Fn = (x, y) => times(3, [x!, y!], (a, b) => [a, b.add(a.slice([7], [1]))]);
    expect(programsOf(kept, Nx.iota([100_000]), Nx.iota([3]))).toEqual([["while"]]);
  });

  it("agree with the reference on random bodies", () => {
    const ops = ["add", "subtract", "multiply", "max", "min"] as const;
    const step = fc.tuple(fc.constantFrom(...ops), fc.nat(2), fc.nat(2));
    const types = fc.constantFrom<DType>("u8", "s16", "s64", "f16", "f32", "f64");
    const shapes = fc.constantFrom([], [1], [4], [3, 5], [2, 16]);
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), types, shapes, fc.nat(5), (steps, type, shape, n) => {
        const body = (...state: Tensor[]): Tensor[] => {
          const values = [...state];
          for (const [op, a, b] of steps)
            values.push(Nx[op](values.at(-1 - a) ?? values[0]!, values.at(-1 - b) ?? values[0]!));
          return values.slice(-state.length);
        };
        expectSame((x, y) => times(n, [x!, y!], body), [elements(type, shape), elements(type, shape).add(1)]);
      }),
      { numRuns: 40 },
    );
  });
});
