/** Work holds no room in the memory of kernels once its results are released: what it makes along the way is given back. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { tune } from "../../../lib/backends/tuning";
import { arena } from "../../../lib/backends/wasm/memory/arena";
import { arrays } from "../../../lib/backends/wasm/arrays";
import { dotFrom } from "../../../lib/backends/wasm/contractions/dot";
import { plain } from "../../../lib/backends/wasm/plain";
import { watched } from "../../fuzz/watched";
import { bytesOf, inputs, WORK, type Inputs, type Work } from "./refused-work";

const listed = (results: ReturnType<Work>): readonly Tensor[] =>
  Array.isArray(results) ? (results as readonly Tensor[]) : [results as Tensor];

/** How many arrays are taken by work, and not given back when its results are. */
function heldBy(work: () => ReturnType<Work>): number {
  const made = new Set<ArrayBufferView>();
  const create = arena.create.bind(arena);
  const spy = vi.spyOn(arena, "create").mockImplementation((type, entries) => {
    const array = create(type, entries);
    if (array !== null) made.add(array);
    return array;
  });
  try {
    const results = Nx.tidy(() => listed(work()).map((t) => Nx.evaluate(t)));
    for (const t of results) Nx.backendDeallocate(t);
    return [...made].filter((array) => arena.owns(array)).length;
  } finally {
    spy.mockRestore();
  }
}

/** Work in several passes over memory, on views that are read where they lie, and with copies on the way. */
const FURTHER: Readonly<Record<string, Work>> = {
  "windows axis by axis": ({ x }) => [
    Nx.windowMax(Nx.tile(x, [2, 2]), [3, 3]),
    Nx.windowMax(Nx.tile(x, [2, 2]), [3, 3], { padding: "same" }),
    Nx.windowMin(Nx.tile(x, [2, 2]), [9, 9], { strides: [3, 3] }),
  ],
  "windows of integers": ({ n }) => Nx.windowSum(n.reshape([50, 100]), [9, 9]),
  "reductions of a row again and again": ({ x }) => {
    const row = x.at(0);
    const rows = () => row.broadcast([1000, 90]);
    return [rows().sum({ axes: [0] }), rows().reduceMax({ axes: [1] }), rows().sum(), rows().argmax({ axis: 0 })];
  },
  "reductions of other views": ({ x }) => [
    x.transpose().sum({ axes: [0] }),
    x.reverse().argmax({ axis: 1 }),
    x.slice([1, 1], [118, 88]).reduceMin({ axes: [0] }),
    x.reshape([10, 12, 90]).sum({ axes: [0, 2] }),
    x.transpose().cumulativeSum({ axis: 1 }),
    x.add(1).transpose().argmax({ axis: 1 }),
  ],
  "kernels of values that wait": ({ x }) => [
    x
      .multiply(2)
      .add(x)
      .tanh()
      .sum({ axes: [0] }),
    x.exp().argmax({ axis: 1 }),
  ],
  "joined edges": ({ x }) => Nx.roll(x, [1, -2], { axis: [0, 1] }).add(x),
  "linear algebra": ({ x }) => {
    const square = Nx.dot(x, x.transpose()).add(Nx.eye(120).multiply(9));
    return [Nx.LinAlg.cholesky(square), Nx.LinAlg.solve(square, x), Nx.LinAlg.determinant(square)];
  },
  "transforms along several axes": ({ x }) => [Nx.fft2(x), Nx.rfft(x)],
  "operands of other types": ({ x, n, d }) => [
    Nx.concatenate([x.asType("f64"), x], { axis: 0 }),
    Nx.pad(x.asType("s32"), Nx.tensor(0.5), [
      [1, 2, 0],
      [0, 3, 1],
    ]),
    Nx.putSlice(x.asType("f64"), [0, 0], x),
    Nx.putSlice(x.asType("s32"), [0, 0], x),
    Nx.indexedPut(x.asType("f64"), Nx.iota([120, 1]), x),
    Nx.take(x.asType("s16"), n.at(Nx.range(0, 500)).remainder(90), { axis: 1 }),
    Nx.cumulativeSum(x.asType("s16"), { axis: 0 }),
    Nx.windowSum(x.asType("u8"), [3, 3]),
    Nx.sum(x.asType("s16"), { axes: [0] }),
    Nx.sum(x.asType("s8"), { axes: [] }),
    ...(["f32", "s64"] as const).map((type) => {
      const source = Nx.windowSum(x.asType("s16"), [1, 2], { strides: [1, 2] }).asType("s32");
      return Nx.windowScatterMax(x.asType(type), source, Nx.tensor(0, { type }), [1, 2], { strides: [1, 2] });
    }),
    Nx.dot(x.asType("s16"), x.transpose()),
    Nx.dot(x.asType("c64"), x.transpose()),
    Nx.dot(x, x.transpose().asType("f64")),
    Nx.dot(d.asType("c128"), d.transpose()),
    Nx.dot(x.asType("s64"), x.transpose().asType("s32")),
    Nx.dot(x.asType("s64"), x.transpose()),
    Nx.dot(x.asType("bf16"), x.transpose().asType("s64")),
    Nx.logAddExp(x.asType("s64"), x),
    Nx.atan2(x.asType("u8"), x),
    Nx.select(x.greater(0), x.asType("s64"), x),
    Nx.fft(x.asType("s32")),
    Nx.remainder(x, x.add(3).asType("f64")),
  ],
  statistics: ({ x }) => [Nx.median(x, { axis: 0 }), Nx.quantile(x, 0.3), Nx.covariance(x), x.variance({ axes: [0] })],
};

const WAYS = {
  "plain calls": (work: Work) => work,
  "calls done at once": (work: Work) => (all: Inputs) =>
    Nx.withDefaultBackend(["wasm", { deferred: false }], () => work(all)),
  "compiled functions": (work: Work) => Nx.defn(work as never) as unknown as Work,
} as const;

/** Functions that are compiled anew for each call, or make large constants, which their graphs keep. */
const APART = /^(iota|reduce|windowReduce|map|constant|eye|written over operands)$/;

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])("%s give back", (way) => {
  let all: Inputs;
  beforeAll(() => {
    Nx.globalDefaultBackend("wasm");
    const given = Object.entries(inputs()).map(([name, t]) => [name, Nx.backendCopy(t as Tensor, "wasm")] as const);
    all = Object.fromEntries(given) as unknown as Inputs;
  });
  afterEach(() => tune({ compiledFrom: null }));
  afterAll(() => Nx.globalDefaultBackend("auto"));

  const rows = [...WORK, ...Object.entries(FURTHER)].filter(
    ([name]) => way !== "compiled functions" || !APART.test(name),
  );
  it.each(rows)("all that %s takes on the way", (_name, work) => {
    const run = WAYS[way](work);
    for (const compiledFrom of [null, 0]) {
      tune({ compiledFrom });
      // what is compiled at the second call, or keeps constants, has done so then
      const held = [1, 2, 3].map(() => heldBy(() => run(all)));
      expect(held.at(-1), `compiled from ${String(compiledFrom)}`).toBe(0);
      // nor does it read what it has given back
      const bytes = () => Nx.tidy(() => bytesOf(run(all)));
      expect(watched("all", bytes)).toBe(bytes());
    }
  });
});

describe("turns of loops that are no programs", () => {
  const { hook, scan, whileLoop } = Nx.Defn;
  const TURNS = 30;
  const bound = Nx.backendCopy(Nx.iota([120, 90], { type: "f32" }), "wasm");
  const wild = (t: Tensor) => t.multiply(1.25).subtract(3);
  let x: Tensor;
  beforeAll(() => {
    Nx.globalDefaultBackend("wasm");
    tune({ programs: false });
    x = Nx.backendCopy(inputs().x, "wasm");
  });
  afterAll(() => {
    Nx.globalDefaultBackend("auto");
    tune({ programs: null });
  });

  const counting = (body: (state: { a: Tensor; b: Tensor }) => { a: Tensor; b: Tensor }) => (t: Tensor) =>
    whileLoop(
      { i: Nx.s32(0), a: t, b: t },
      ({ i }) => i.less(TURNS),
      ({ i, a, b }) => ({ i: i.add(1), ...body({ a, b }) }),
    );

  const LOOPS: Readonly<Record<string, (t: Tensor) => { readonly [name: string]: Tensor | readonly Tensor[] }>> = {
    "make both states": counting(({ a, b }) => ({ a: wild(b), b: a.add(b) })),
    "exchange states": counting(({ a, b }) => ({ a: wild(b), b: a })),
    "leave a state as it is": counting(({ a, b }) => ({ a: wild(a), b })),
    "give what the loop began with": (t) => counting(({ b }) => ({ a: b, b: t }))(t),
    "give what is bound": counting(({ a }) => ({ a: wild(a), b: bound as Tensor })),
    "give a state twice": counting(({ a }) => {
      const next = wild(a);
      return { a: next, b: next };
    }),
    "have loops inside": counting(({ a, b }) => {
      const inner = whileLoop({ j: Nx.s32(0), c: a }, ({ j }) => j.less(3), ({ j, c }) => ({ j: j.add(1), c: wild(c) })); // prettier-ignore
      return { a: inner.c, b: a.add(b) };
    }),
    "scan, and keep what they carry": (t) => {
      const [a, all] = scan((c: Tensor, step: Tensor) => [wild(c).add(step), c] as const, t, Nx.iota([TURNS]));
      return { a, last: all.at(-1), first: all.at(0) };
    },
  };

  it.each(Object.entries(LOOPS))("%s: hold few arrays, read none that was given back", (name, loop) => {
    const run = Nx.defn(loop);
    const made = new Set<ArrayBufferView>();
    let most = 0;
    const create = arena.create.bind(arena);
    const spy = vi.spyOn(arena, "create").mockImplementation((type, entries) => {
      const array = create(type, entries);
      if (array !== null) made.add(array);
      most = Math.max(most, [...made].filter((each) => arena.owns(each)).length);
      return array;
    });
    const results = watched("all", () => Object.values(run(x)).flat() as Tensor[]);
    spy.mockRestore();
    if (!name.startsWith("scan")) expect(most).toBeLessThan(12);
    const plain = Nx.withDefaultBackend("binary", () => Object.values(loop(Nx.backendCopy(x, "binary"))).flat());
    results.forEach((t, i) => expect(t.toFlatList()).toEqual((plain[i] as Tensor).toFlatList()));
    expect(x.toFlatList()).toEqual(inputs().x.toFlatList());
    expect(bound.at(119).at(89).toNumber()).toBe(120 * 90 - 1);
  });

  it("keep what a function of the program was given", () => {
    const seen: Tensor[] = [];
    const run = Nx.defn(counting(({ a, b }) => ({ a: wild(hook(a, (t) => void seen.push(t))), b })));
    run(x);
    let expected = x;
    for (const t of seen) {
      expect(t.toFlatList()).toEqual(expected.toFlatList());
      expected = wild(expected);
    }
    expect(seen.length).toBe(TURNS);
  });
});

it.each([
  ["bf16", "f64", "f64"],
  ["f32", "bf16", "f32"],
  ["f16", "f16", "f16"],
  ["s32", "s16", "s32"],
  ["u32", "u16", "u32"],
  ["s16", "u8", "s16"],
] as const)("products of %s and %s in halves give back what they began with", (...row) => {
  const [left, right, type] = row;
  const turned = { contract: [[0], [1]], batch: [[], []] } as const;
  const small = (shape: number[], of: Nx.DType) => Nx.iota(shape, { type: "s32" }).remainder(5).asType(of);
  Nx.withDefaultBackend(["wasm", { deferred: false }], () => {
    const [x, y] = [small([240, 180], left), small([160, 240], right)];
    const [rows, columns] = [x, y].map((t) => Nx.backendCopy(t, "binary").transpose()) as [Tensor, Tensor];
    const expected = Buffer.from(Nx.dot(rows, columns).toBinary());
    // room for the right matrix and some rows of the left one, or not even for that
    for (const most of [26 * 240 * 160, 500]) {
      const out = { type, shape: [180, 160], names: [null, null] };
      const product = () => [new Nx.Tensor(x.backend, dotFrom(0, most)(out, [x, y], turned), type, out.shape, [null, null])]; // prettier-ignore
      const byLoops = vi.spyOn(plain, "dot");
      expect(heldBy(product)).toBe(0);
      expect(expected.equals(watched("all", product)[0]!.toBinary())).toBe(true);
      expect(byLoops).toHaveBeenCalledTimes(most === 500 ? 2 : 0);
      byLoops.mockRestore();
    }
  });
});

it("a small array that is read where it lies is copied for as long as that takes, also where the work fails", () => {
  const row = Nx.withDefaultBackend("wasm", () => Nx.iota([90], { type: "f32" }));
  const fails = vi.spyOn(arrays, "unset").mockImplementation(() => {
    throw new RangeError("no more arrays");
  });
  const work = (): readonly Tensor[] => {
    expect(() => Nx.sum(row.broadcast([1000, 90]), { axes: [0] })).toThrow("no more arrays");
    return [];
  };
  try {
    expect(heldBy(work)).toBe(0);
  } finally {
    fails.mockRestore();
  }
});
