/**
 * Eager work that waits: the bits, the errors and the memory are those of work that is done at once. All here is large enough to wait,
 * or tuned to be.
 */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import type { ArrayData } from "../../../lib/backends/arrays/storage";
import { Waiting } from "../../../lib/backends/arrays/storage";
import { tune, tuning } from "../../../lib/backends/tuning";
import { arena } from "../../../lib/backends/wasm/memory/arena";
import { arrays } from "../../../lib/backends/wasm/arrays";
import { Draft } from "../../../lib/backends/wasm/deferred/draft";
import { Pending } from "../../../lib/backends/wasm/deferred/node";
import { Met, recipeFor, type Work } from "../../../lib/backends/wasm/deferred/recipes";
import { allWaiting } from "../../../lib/backends/wasm/deferred/waiting";
import { DEFERRED_MOST, DEFERRED_OPS } from "../../../lib/backends/wasm/schedule/deferred";
import { tries } from "../../effort";

const N = 140_000; // beyond the size from which on work waits
const SHAPE = [500, 280] as const;

const bytes = (t: Nx.Tensor): Buffer => Buffer.from(Nx.toBinary(t));
const waits = (t: Nx.Tensor): boolean => (t.data as ArrayData).elements instanceof Waiting;
const now = <T>(fn: () => T): T => Nx.withDefaultBackend(["wasm", { deferred: false }], fn);
const source = (shape: readonly number[] = [N], type: Nx.DType = "f32"): Nx.Tensor =>
  now(() => Nx.iota(shape, { type: "f32" }).multiply(0.37).sin().multiply(3).asType(type));

/** A tensor too small to wait. */
const row = (length: number): Nx.Tensor => Nx.tensor(Float32Array.from({ length }, (_, i) => i / 7));

/** The same work waiting and at once. */
function check(work: (...args: Nx.Tensor[]) => Nx.Tensor, ...args: Nx.Tensor[]): void {
  const expected = bytes(now(() => work(...args)));
  for (let i = 0; i < 3; i++) expect(bytes(work(...args)).equals(expected)).toBe(true);
}

beforeEach(() => {
  // whatever waits from before would be counted
  Nx.globalDefaultBackend("wasm");
});

afterEach(async () => {
  tune({ deferredFrom: null, largeFrom: null, arenaBytes: null });
  await Promise.resolve();
  Nx.globalDefaultBackend("auto");
});

describe("what waits", () => {
  const x = source();

  it("is element-wise work on large tensors, and the moves of its results", () => {
    const y = x.multiply(2).add(1);
    const all = [y, y.reshape([7, N / 7]), y.reshape([7, N / 7]).transpose(), y.slice([1], [N - 1]), Nx.reverse(x)];
    all.push(x.asType("f64"), Nx.select(x.greater(0), x, y), Nx.atan2(x, y));
    expect(all.map(waits)).toEqual(all.map(() => true));
  });

  it("is neither small, nor a reshape of an array, nor what looks at elements, nor part of something much larger", () => {
    const ints = source([N], "s32").add(7);
    const all = [Nx.f32([1, 2]).add(1), x.reshape([7, N / 7]), Nx.quotient(ints, 3), x.sort(), x.sum(), Nx.dot(x, x)];
    const large = source([4 * N]);
    all.push(large.slice([0], [N]));
    expect(all.map(waits)).toEqual(all.map(() => false));
  });

  it("is a reduction of lines, of an array from five times as many elements on as of what waits", () => {
    const sum = (t: Nx.Tensor): boolean => waits(t.sum({ axes: [1] }));
    const [few, many] = [source([400, 64]), source([1000, 64])];
    expect([sum(few), sum(few.add(1)), sum(many), sum(many.add(1))]).toEqual([false, true, true, true]);
    expect([sum(source([150, 64])), sum(source([150, 64]).add(1))]).toEqual([false, false]);
  });

  it("is a small slice where it is an edge of an array, which is computed before", () => {
    const m = source(SHAPE);
    const [rows, columns] = SHAPE;
    const edge = (t: Nx.Tensor): Nx.Tensor => t.slice([rows - 2, 0], [2, columns]);
    expect([edge(m), m.slice([0, 0], [rows, 1]), m.slice([0, columns - 3], [rows, 3])].map(waits)).toEqual([
      true,
      true,
      true,
    ]);
    const others = [
      m.slice([1, 0], [1, columns]),
      m.slice([0, 0], [1, 7]),
      m.slice([0, 0], [5, columns], { strides: [4, 1] }),
    ];
    expect([...others, source([80, 80]).slice([0, 0], [1, 80])].map(waits)).toEqual([false, false, false, false]);
    const y = m.add(1);
    expect([waits(edge(y)), waits(y)]).toEqual([true, false]);
  });

  it("is nothing where a program or a scope says so", () => {
    expect(now(() => waits(x.add(1)))).toBe(false);
    const before = Nx.configure({ deferred: false });
    expect(waits(x.add(1))).toBe(false);
    expect(Nx.withDefaultBackend(["wasm", { deferred: true }], () => waits(x.add(1)))).toBe(true);
    Nx.configure({ deferred: before.deferred });
    expect(waits(x.add(1))).toBe(true);
    const said = Nx.globalDefaultBackend(["wasm", { deferred: false }]);
    expect(waits(x.add(1))).toBe(false);
    Nx.globalDefaultBackend(said);
  });

  it("is computed by reading, by Nx.evaluate, and when the task ends", async () => {
    const [a, b, c] = [x.add(1), x.add(2), x.add(3)];
    a.toTypedArray();
    const evaluated = Nx.evaluate({ b, other: 1 });
    expect([evaluated.b === b, evaluated.other]).toEqual([true, 1]);
    expect([a, b, c].map(waits)).toEqual([false, false, true]);
    await Promise.resolve();
    expect(waits(c)).toBe(false);
  });

  it("is shown by Nx.explain with its kernels", () => {
    const y = x.multiply(0.5).multiply(x.add(1).tanh());
    expect(Nx.explain(y)).toBe(
      `f32[${N}] waits: 4 operations in 1 kernel\n` +
        `  kernel 1 -> f32[${N}]: multiply, add, tanh, multiply; reads 1 array and 2 numbers, ${4 * N} bytes; writes ${4 * N} bytes`,
    );
    Nx.evaluate(y);
    expect(Nx.explain(y)).toBe(`nothing waits: f32[${N}]`);
  });
});

describe("bits", () => {
  const x = source();
  const m = source(SHAPE);

  it("are those of work done at once, for chains, choices, conversions and half floats", () => {
    check((t) => t.multiply(t).multiply(t).multiply(0.044715).add(t).multiply(0.79788456).tanh().add(1).multiply(t), x);
    check((t) => Nx.select(t.greater(0), t.log(), t.multiply(-2)).asType("bf16").multiply(3).asType("f16").exp(), x);
    check((t) => t.asType("s16").multiply(977).add(5).asType("u8").leftShift(Nx.u8(1)), x);
    check((t) => t.asType("f64").sin().add(1e-9).asType("f32"), x);
    check((t) => Nx.asType(t, "c64").multiply(new Nx.Complex(1, 2)).add(t), x);
  });

  it("are those of work done at once through moves and broadcasts", () => {
    const row = source([SHAPE[1]]);
    const column = source([SHAPE[0], 1]);
    check((t, r, c) => t.subtract(c).multiply(r).add(2), m, row, column);
    check((t, r) => t.add(r).transpose().multiply(2).reshape([N]).add(1), m, row);
    check(
      (t) =>
        t
          .exp()
          .slice([1, 1], [498, 278])
          .add(t.slice([0, 0], [498, 278]))
          .multiply(0.25),
      m,
    );
    check((t, c) => Nx.reverse(t.add(c).multiply(t), { axes: [1] }).sqrt(), m, column);
    check((t) => t.add(1).reshape([1, 500, 280]).multiply(t).reshape([280, 500]).transpose().add(t), m);
    check((t) => t.add(1).transpose().reshape([N]).add(x), m);
    check(
      (t) =>
        t
          .add(1)
          .multiply(t.reshape([1, 500, 280]))
          .transpose()
          .add(2),
      m,
    );
    check((t) => Nx.broadcast(t.slice([0, 0], [1, 280]), SHAPE).add(t.transpose().transpose()), m);
  });

  it.each(["sum", "product", "reduceMax", "reduceMin", "all", "any"] as const)(
    "of %s of what waits are the same",
    (op) => {
      const column = source([SHAPE[0], 1]);
      for (const type of ["f32", "f64", "f16", "s32", "u8"] as const) {
        const t = source(SHAPE, type);
        for (const axes of [[0], [1], [0, 1]]) {
          check((a, c) => Nx[op](a.multiply(2).add(c.asType(type)), { axes }), t, column);
          check((a) => Nx[op](a.add(a).reshape([100, 5, 280]), { axes: axes.map((axis) => axis + 1) }), t);
          check((a) => Nx[op](a.multiply(a).transpose(), { axes }), t);
        }
      }
    },
  );

  it("of searches, running reductions and reductions along any axis are the same", () => {
    for (const type of ["f32", "f64", "f16", "s32", "u8"] as const) {
      const t = source(SHAPE, type);
      for (const axis of [0, 1]) {
        check((a) => Nx.argmax(a.multiply(2).add(1), { axis }), t);
        check((a) => Nx.argmin(a.multiply(3), { axis, tieBreak: "high" }), t);
        check((a) => Nx.cumulativeSum(a.multiply(2).add(1), { axis }), t);
        check((a) => Nx.cumulativeMax(a.negate().add(1), { axis, reverse: true }), t);
        check(
          (a) =>
            a
              .multiply(a)
              .add(2)
              .sum({ axes: [axis] }),
          t,
        );
      }
      check((a) => Nx.argmax(a.multiply(2).add(1)), t);
      check((a) => Nx.argmax(a.multiply(NaN).add(1)), t);
    }
    check((a) => Nx.cumulativeSum(a.transpose().multiply(2)), m);
    check((a, b) => Nx.cumulativeSum(a.multiply(b)), m, source([SHAPE[1]]));
    check((a) => {
      const b = a.multiply(2);
      return Nx.cumulativeSum(b).add(b);
    }, m);
  });

  it("are the same where what is reduced is needed besides", () => {
    check((t) => {
      const e = t.subtract(t.reduceMax({ axes: [1], keepAxes: true })).exp();
      const later = e.add(1);
      return e.divide(e.sum({ axes: [1], keepAxes: true })).add(later);
    }, m);
  });

  it("are the same for softmax, standardised rows and normalised layers, of any type and on lines of any length", () => {
    const softmax = (t: Nx.Tensor): Nx.Tensor => {
      const e = t.subtract(t.reduceMax({ axes: [1], keepAxes: true })).exp();
      return e.divide(e.sum({ axes: [1], keepAxes: true }));
    };
    const standard = (t: Nx.Tensor): Nx.Tensor => {
      const centered = t.subtract(t.mean({ axes: [1], keepAxes: true }));
      return centered.divide(
        centered
          .multiply(centered)
          .mean({ axes: [1], keepAxes: true })
          .add(1e-5)
          .sqrt(),
      );
    };
    const squeezed = (t: Nx.Tensor): Nx.Tensor =>
      t.divide(
        t
          .abs()
          .sum({ axes: [1] })
          .add(1)
          .newAxis(1),
      );
    const logSum = (t: Nx.Tensor): Nx.Tensor => {
      const most = t.reduceMax({ axes: [1], keepAxes: true });
      return t
        .subtract(most)
        .exp()
        .sum({ axes: [1], keepAxes: true })
        .log()
        .add(most);
    };
    for (const shape of [SHAPE, [70_000, 2], [20_000, 7], [7, 20_000], [2, 70_000]] as const) {
      for (const type of ["f32", "f64", "bf16"] as const) {
        const t = source(shape, type);
        for (const work of [softmax, standard, squeezed, logSum]) check(work, t);
        check(
          (a, scale) => standard(a.multiply(2)).multiply(scale).add(scale).transpose(),
          t,
          source([shape[1]], type),
        );
        check((a) => softmax(a).multiply(softmax(a.transpose().reshape(shape))), t);
      }
    }
    check((t) => {
      // what follows a sum that is there already waits by itself
      const sums = t.multiply(2).sum({ axes: [1], keepAxes: true });
      const [scaled, shifted] = [sums.multiply(0.5), t.newAxis(0)];
      Nx.evaluate(sums);
      return t.add(scaled.abs()).multiply(shifted.squeeze());
    }, m);
    check((t) => softmax(t.multiply(3).reshape([100, 5, 280]).reshape(SHAPE)), m);
    check((t) => Nx.concatenate([softmax(t), t.mean({ axes: [1], keepAxes: true })], { axis: 1 }), m);
  });

  it(
    "are those of work done at once where arrays are read one after the other, whatever their parts and types",
    { timeout: 60_000 },
    () => {
      for (const type of ["f32", "f64", "s16", "u8", "f16", "c64"] as const) {
        const [t, u] = [source([40, 50, 70], type), source([40, 50, 70], type).negate()];
        Nx.evaluate(u);
        for (const axis of [0, 1, 2]) {
          check(
            (a, b) =>
              Nx.roll(a, 3, { axis })
                .add(Nx.roll(b, -7, { axis }))
                .multiply(a),
            t,
            u,
          );
          check((a, b) => Nx.concatenate([a, b.add(a), Nx.roll(a, 1)], { axis }).multiply(2), t, u);
          check((a) => Nx.concatenate([a.transpose(), a.negate().transpose()], { axis }).add(1), t);
          check((a, b) => Nx.roll(a, 3, { axis }).subtract(Nx.roll(b, 3, { axis }).multiply(2)), t, u);
          check((a, b) => Nx.concatenate([Nx.reverse(a, { axes: [axis] }), b], { axis }).subtract(3), t, u);
          check(
            (a, b) =>
              Nx.concatenate([a.slice([1, 2, 3], [30, 40, 60]), b.slice([9, 2, 3], [30, 40, 60])], { axis }).add(1),
            t,
            u,
          );
        }
        check(
          (a) =>
            Nx.roll(a, 5)
              .reshape([70, 2000])
              .add(a.reshape([2000, 70]).transpose()),
          t,
        );
        check(
          (a) =>
            Nx.stack([a, a.add(1)])
              .transpose()
              .multiply(a.transpose().newAxis(3)),
          t,
        );
        check((a) => Nx.roll(a, 1, { axis: 2 }).add(a.sum({ axes: [2], keepAxes: true })), t);
        check((a) => Nx.concatenate([a, a, a, a, a, a]).add(1), t);
      }
    },
  );

  it("are those of work done at once where one part of what is joined is computed of another, whose array nobody else needs", () => {
    const x = source();
    const work = (given: Nx.Tensor, release: (t: Nx.Tensor) => unknown): Buffer => {
      const p = given.add(1);
      const [part, other] = [p.slice([N / 4], [N / 2]).reverse(), p.multiply(2)];
      release(p);
      bytes(other);
      return bytes(Nx.concatenate([part, part.tanh()]));
    };
    expect(work(x, (p) => Nx.backendDeallocate(p)).equals(now(() => work(x, () => null)))).toBe(true);
  });

  it("are those of work done at once where edges are read, joined to what is left, or outlive their array", () => {
    for (const type of ["f32", "u8", "c64"] as const) {
      const t = source([60, 50, 70], type);
      for (const axis of [0, 1, 2]) {
        const size = t.shape[axis]!;
        const part = (start: number, length: number) => (u: Nx.Tensor) => Nx.sliceAlongAxis(u, start, length, { axis });
        const [first, last] = [part(0, 1), part(size - 2, 2)];
        check(first, t);
        check((u) => last(u.add(1)), t);
        check((u) => Nx.reverse(last(u), { axes: [axis] }).multiply(3), t);
        check((u) => Nx.concatenate([first(u), part(0, size - 1)(u)], { axis }).subtract(u), t);
        check((u) => Nx.concatenate([first(u), u, last(u)], { axis }).multiply(2), t);
        check((u) => first(u).add(u), t);
        check((u) => Nx.concatenate([first(u).transpose(), last(u).add(1).transpose()], { axis: 2 - axis }), t);
      }
      const [rows, given] = [now(() => t.slice([0, 0, 0], [1, 50, 70])), now(() => t.add(0))];
      const [edge, around] = [given.slice([0, 0, 0], [1, 50, 70]), Nx.roll(given, 1, { axis: 0 })];
      Nx.backendDeallocate(given);
      now(() => [1, 2, 3].map((i) => t.add(i))); // would take the memory of what was released
      expect(bytes(edge).equals(bytes(rows))).toBe(true);
      expect(bytes(around).equals(bytes(now(() => Nx.roll(t, 1, { axis: 0 }))))).toBe(true);
    }
  });

  it("are those of work done at once where views, ops and joined arrays are joined and read as another shape", () => {
    for (const type of ["f32", "s8", "c128"] as const) {
      const t = source([60, 50, 70], type);
      const flat = (u: Nx.Tensor): Nx.Tensor => u.reshape([60 * 50 * 70]);
      check((u) => flat(Nx.roll(u, 7, { axis: 1 })), t);
      check((u) => Nx.roll(u, 11), t);
      check((u) => Nx.roll(u, [1, -2, 3], { axis: [0, 1, 2] }), t);
      check((u) => Nx.concatenate([u.transpose(), Nx.reverse(u.transpose().add(1))], { axis: 1 }), t);
      check((u) => Nx.concatenate([u.transpose().reshape([60, 50, 70]), u], { axis: 2 }).reshape([2, 60 * 50 * 70]), t);
      const joined = Nx.roll(t, 1, { axis: 2 });
      const [read, shaped, twice] = [joined.add(1), flat(joined), Nx.concatenate([joined, joined])];
      const expected = [read, shaped, twice].map((_, i) =>
        bytes(
          now(() => {
            const rolled = Nx.roll(t, 1, { axis: 2 });
            return [rolled.add(1), flat(rolled), Nx.concatenate([rolled, rolled])][i]!;
          }),
        ),
      );
      const all = [shaped, twice, read].map(bytes);
      Nx.backendDeallocate(joined);
      expect(all.map((each, i) => each.equals(expected[[1, 2, 0][i]!]!))).toEqual([true, true, true]);
      now(() => [1, 2, 3].map((i) => t.add(i))); // would take the memory of what was released
      expect(bytes(shaped).equals(expected[1]!)).toBe(true);
    }
  });

  it(
    "of products of what was moved are the same, whatever is contracted in whatever order",
    { timeout: 60_000 },
    () => {
      for (const type of ["f32", "f64", "s32", "bf16", "c64"] as const) {
        const [t, u] = [source([30, 40, 60], type), source([60, 40, 17], type)];
        for (const axes of [
          [2, 0, 1],
          [1, 2, 0],
          [2, 1, 0],
          [0, 2, 1],
        ]) {
          const [along, across] = [axes.indexOf(2), axes.indexOf(1)];
          check((a, b) => Nx.dot(a.transpose({ axes }), b, { contract: [[along], [0]] }), t, u);
          check(
            (a, b) =>
              Nx.dot(b, a.transpose({ axes }), {
                contract: [
                  [0, 1],
                  [along, across],
                ],
              }),
            t,
            u,
          );
          check(
            (a, b) =>
              Nx.dot(a.transpose({ axes }), b.transpose(), {
                contract: [
                  [across, along],
                  [1, 2],
                ],
              }),
            t,
            u,
          );
          const batch = [[0], [0]] as const;
          if (axes[0] === 0) check((a) => Nx.dot(a.transpose({ axes }), a, { contract: [[along], [2]], batch }), t);
          check((a) => Nx.dot(a.transpose({ axes }), source([30], type), { contract: [[axes.indexOf(0)], [0]] }), t);
        }
      }
    },
  );

  it("are those of work done at once where one operand of a product is computed of the transpose that the other one is", () => {
    const giveBack = arena.giveBack.bind(arena);
    const spy = vi.spyOn(arena, "giveBack").mockImplementation((array) => {
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(255); // as whoever takes the room next would
      giveBack(array);
    });
    const x = source([200, 200]);
    const ways: ((t: Nx.Tensor) => [Nx.Tensor, Nx.Tensor])[] = [
      (t) => [t, t.multiply(2)],
      (t) => [t.exp(), t],
      (t) => [t.tanh().transpose(), t],
      (t) => [t, t.sin().transpose()],
    ];
    const work = (of: (typeof ways)[number], release: (t: Nx.Tensor) => unknown): Buffer => {
      const p = x.add(1);
      const [left, right] = of(p.transpose());
      release(p);
      return bytes(Nx.dot(left, right));
    };
    const { compiledFrom } = tuning;
    tune({ compiledFrom: null }); // steps are done one by one first, each with an array
    try {
      for (const of of ways) {
        const expected = now(() => work(of, () => null));
        for (let i = 0; i < 2; i++) expect(work(of, Nx.backendDeallocate).equals(expected)).toBe(true);
      }
    } finally {
      tune({ compiledFrom });
      spy.mockRestore();
    }
  });

  it.each(["f32", "f16", "s32", "u8"] as const)("are those of lines of one number again and again, of %s", (type) => {
    const number = now(() => Nx.tensor(3, { type }));
    for (const [groups, rows] of [
      [3, 20_001],
      [1000, 100],
      [20_000, 5],
    ] as const) {
      // prettier-ignore
      const lines = (): Nx.Tensor => number.broadcast([groups, rows]);
      for (const op of ["sum", "reduceMax", "any"] as const) {
        check(() => lines()[op]({ axes: [1] }));
        check(() => ((t) => t.add(t[op]({ axes: [1], keepAxes: true })))(lines()));
      }
    }
  });

  it("are the same for random chains of small tensors that share values", () => {
    tune({ deferredFrom: 1, largeFrom: 1 });
    const step = fc.record({ kind: fc.nat(16), left: fc.nat(30), right: fc.nat(30) });
    const run = (steps: readonly { kind: number; left: number; right: number }[]): Buffer[] => {
      const made: Nx.Tensor[] = [source([4, 4]), source([4, 4]).add(0.5)];
      const read: Buffer[] = [];
      const lines: Nx.Tensor[] = [source([4, 1])];
      for (const { kind, left, right } of steps) {
        const [a, b] = [made[left % made.length]!, made[right % made.length]!];
        if (kind === 0) made.push(a.add(b));
        if (kind === 1) made.push(a.multiply(b));
        if (kind === 2) made.push(a.transpose());
        if (kind === 3) made.push(Nx.reverse(a, { axes: [right % 2] }));
        if (kind === 4) made.push(a.reshape([2, 8]).transpose().reshape([4, 4]));
        if (kind === 5) made.push(a.subtract(b.sum({ axes: [right % 2], keepAxes: true })));
        if (kind === 6) made.push(Nx.select(a.less(b), a, b.negate()));
        if (kind === 7) read.push(bytes(a));
        if (kind === 8 && made.length > 2) Nx.backendDeallocate(made.splice(left % made.length, 1)[0]!);
        const line = lines[right % lines.length]!;
        if (kind === 10) lines.push(a.reduceMax({ axes: [1], keepAxes: true }).add(line));
        if (kind === 11) lines.push(Nx.reshape(a.sum({ axes: [1] }).multiply(0.25), [4, 1]));
        if (kind === 12) made.push(a.subtract(line).multiply(line));
        if (kind === 13)
          made.push(
            a
              .transpose()
              .subtract(Nx.reshape(line, [1, 4]))
              .add(line),
          );
        if (kind === 14)
          made.push(
            Nx.broadcast(line, [4, 4]).add(
              a
                .reshape([2, 8])
                .sum({ axes: [1] })
                .sum(),
            ),
          );
        if (kind === 9) made.push(Nx.tidy(() => a.add(1).multiply(b.sin())));
        if (kind === 15) made.push(Nx.roll(a, 1 + (right % 3), { axis: left % 2 }));
        if (kind === 16) {
          const axis = left % 2;
          made.push(Nx.concatenate([a, b.reshape([4, 4]), a.add(1)], { axis }).slice([0, 0], [4, 4]));
        }
      }
      return [...read, ...made.map(bytes), ...lines.map(bytes)];
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, isCompiled) => {
        tune({ compiledFrom: isCompiled ? 0 : null });
        const expected = now(() => run(steps));
        expect(run(steps)).toEqual(expected);
      }),
      { numRuns: tries(800) },
    );
    tune({ compiledFrom: 0 });
  });
});

describe("memory", () => {
  /** How many arrays work takes. */
  function arraysFor(work: () => void): number {
    const unset = vi.spyOn(arrays, "unset");
    try {
      work();
      return unset.mock.calls.filter(([, shape]) => shape.reduce((a, b) => a * b, 1) > 1).length;
    } finally {
      unset.mockRestore();
    }
  }

  const x = source();
  const chain = (t: Nx.Tensor): Nx.Tensor => t.multiply(0.1).add(0.2).multiply(t).add(0.3).multiply(t).add(0.4);

  it("is taken for the end of a chain alone", () => {
    Nx.evaluate(chain(x));
    expect(arraysFor(() => Nx.evaluate(chain(x)))).toBe(1);
    expect(arraysFor(() => now(() => chain(x)))).toBe(6);
    expect(arraysFor(() => chain(x).sum().toNumber())).toBe(0);
  });

  it("is taken for no parts that are read one after the other", () => {
    const m = source(SHAPE);
    const around = (t: Nx.Tensor): Nx.Tensor =>
      Nx.roll(t, 1, { axis: 0 })
        .add(Nx.roll(t, -1, { axis: 0 }))
        .add(Nx.roll(t, 1, { axis: 1 }))
        .subtract(Nx.roll(t, -1, { axis: 1 }));
    Nx.evaluate(around(m));
    const large = (work: () => void): number => {
      const unset = vi.spyOn(arrays, "unset");
      work();
      const { calls } = unset.mock;
      unset.mockRestore();
      return calls.filter(([, shape]) => shape.reduce((a, b) => a * b, 1) > N / 2).length;
    };
    expect(Nx.explain(around(m))).toContain("waits: 7 operations in 1 kernel");
    expect(arraysFor(() => Nx.evaluate(around(m)))).toBe(1);
    expect(large(() => Nx.evaluate(around(m)))).toBe(1);
    expect(large(() => Nx.evaluate(Nx.roll(m, 1, { axis: 1 })))).toBe(1); // nothing is computed of it: copied in one go
    const before = allWaiting().length;
    Nx.evaluate(Nx.roll(m, 2, { axis: 0 }));
    expect(allWaiting().length).toBe(before);
    expect(large(() => now(() => around(m)))).toBe(7);
    for (const size of [255, 256, 128]) {
      const field = source([size, size]);
      Nx.evaluate(around(field));
      expect(arraysFor(() => Nx.evaluate(around(field)))).toBe(1);
    }
    expect(arraysFor(() => Nx.evaluate(Nx.roll(m, [1, -2], { axis: [0, 1] }).reshape([N])))).toBe(2);
    // a part that has to be computed is, once
    expect(large(() => Nx.evaluate(around(m.add(1).sin())))).toBe(2);
  });

  it("is given back as soon as it was read where work goes step by step, moved elements included", () => {
    const { compiledFrom } = tuning;
    tune({ compiledFrom: null });
    try {
      const m = source([300, 400]);
      const work = (): Nx.Tensor => m.add(1.625).transpose().multiply(2).reverse().subtract(3);
      const unset = vi.spyOn(arrays, "unset");
      const y = Nx.evaluate(work());
      const made = unset.mock.results.map(({ value }) => value as Float32Array).filter(({ length }) => length > 1);
      unset.mockRestore();
      expect([made.length, made.filter((array) => arrays.handOver(array)).length]).toEqual([5, 1]);
      expect(bytes(y).equals(bytes(now(work)))).toBe(true);
    } finally {
      tune({ compiledFrom });
    }
  }); // prettier-ignore

  it("is left alone by a scope in which a product reads it through a transpose", () => {
    const b = source([300, 400]);
    const a = Nx.evaluate(b.add(1));
    const before = Buffer.from(bytes(a));
    Nx.tidy(() => Nx.dot(a.transpose(), b));
    const others = [2, 3, 4].map((i) => Nx.evaluate(b.add(i))); // would take the memory of what was released
    expect(others.map((other) => bytes(other).equals(before))).toEqual([false, false, false]);
    expect(bytes(a).equals(before)).toBe(true);
  });

  it("is taken for no transposes of operands of products of matrices, nor of doubles with a vector", () => {
    const [a, b] = [source([300, 400]), source([300, 260])];
    const large = (work: () => unknown): number => {
      const unset = vi.spyOn(arrays, "unset");
      work();
      const { calls } = unset.mock;
      unset.mockRestore();
      return calls.filter(([, shape]) => shape.reduce((x, y) => x * y, 1) > 70_000).length;
    };
    const products: ((x: Nx.Tensor, y: Nx.Tensor) => Nx.Tensor)[] = [
      (x, y) => x.transpose().dot(y),
      (x, y) => y.transpose().dot(x.transpose().transpose()),
      (x, y) => x.add(1).transpose().dot(y.sin()),
    ];
    const counts = products.map((work) => {
      check(work, a, b);
      return [work, (x: Nx.Tensor, y: Nx.Tensor) => now(() => work(x, y))].map((each) => large(() => each(a, b)));
    });
    expect(counts).toEqual([
      [1, 2],
      [2, 4],
      [3, 4],
    ]);
    const [doubles, vector] = [source([300, 400], "f64"), source([300], "f64")];
    check((x, y) => x.transpose().dot(y), doubles, vector);
    expect(large(() => doubles.transpose().dot(vector))).toBe(0);
    const waiting = a.transpose();
    waiting.dot(b);
    expect(waits(waiting)).toBe(true);
    expect(bytes(waiting).equals(bytes(now(() => a.transpose())))).toBe(true);
  });

  it("is taken for the end of what goes over lines several times, and for what there is one of for each line", () => {
    const m = source(SHAPE);
    const softmax = (): Nx.Tensor => {
      const e = m.subtract(m.reduceMax({ axes: [1], keepAxes: true })).exp();
      return e.divide(e.sum({ axes: [1], keepAxes: true }));
    };
    expect(Nx.explain(softmax()).split("\n")[0]).toBe("f32[500][280] waits: 5 operations in 1 kernel");
    Nx.evaluate(softmax());
    const [large, small] = [N, SHAPE[0]];
    const sizes: number[] = [];
    const unset = vi.spyOn(arrays, "unset");
    Nx.evaluate(softmax());
    for (const [, shape] of unset.mock.calls) sizes.push(shape.reduce((a, b) => a * b, 1));
    unset.mockRestore();
    expect(sizes).toEqual([small, small, large]);
  });

  it("is taken for results alone where what waits is reduced along other axes, searched or added up on the way", () => {
    const m = source(SHAPE);
    const chain = (): Nx.Tensor => m.multiply(2).add(1);
    const works = [
      () => chain().sum({ axes: [0] }),
      () => Nx.argmax(chain(), { axis: 0 }),
      () => Nx.argmin(chain(), { axis: 1 }),
      () => Nx.cumulativeSum(chain(), { axis: 0 }),
      () => Nx.cumulativeMax(chain(), { axis: 1 }),
    ];
    for (const work of works) {
      for (let i = 0; i < 3; i++) work();
      expect(arraysFor(work)).toBe(1);
      const of = m.multiply(2);
      work();
      expect(waits(of)).toBe(true);
    }
  });

  it("of what was reduced is not needed twice: its readers find the result", () => {
    const m = source(SHAPE);
    const work = (): void => {
      const mean = m.multiply(2).mean({ axes: [1], keepAxes: true });
      Nx.evaluate(m.subtract(mean));
      // the sums are there, and nothing else of the matrix is kept for the means
      const [rows, bytesOfSums] = [SHAPE[0], 4 * SHAPE[0]];
      expect(Nx.explain(mean).split("\n").slice(1)).toEqual([
        `  kernel 1 -> f32[${rows}][1]: divide; reads 1 array and 1 number, ${bytesOfSums} bytes; writes ${bytesOfSums} bytes`,
      ]);
    };
    work();
    expect(arraysFor(work)).toBe(2); // the sums and the differences
  });

  it("is not taken for what a few operations make again once lines were reduced", () => {
    const m = source(SHAPE);
    const standardised = (t: Nx.Tensor): Nx.Tensor => {
      const centred = t.subtract(t.mean({ axes: [1], keepAxes: true }));
      const variance = centred.multiply(centred).mean({ axes: [1], keepAxes: true });
      return centred.divide(variance.add(1e-5).sqrt());
    };
    const ofMany = (t: Nx.Tensor): Nx.Tensor => {
      const powers = t.subtract(t.reduceMax({ axes: [1], keepAxes: true })).exp();
      return powers.divide(powers.sum({ axes: [1], keepAxes: true }));
    };
    for (const [work, kept] of [
      [standardised, 1], // the squares, which are added up; the differences are made again
      [ofMany, 1], // the powers, which are added up and take long
    ] as const) {
      check(work, m);
      const { runs } = recipeFor(new Met((work(m).data as ArrayData).elements as Pending))!.work!;
      const { values, outputs, stages } = (runs as Extract<Work["runs"], { kind: "lines" }>).program;
      const made = stages.flatMap((stage) => (stage.kind === "map" ? stage.outputs : [stage.output]));
      expect(made.filter((i) => values[i]!.space === "full" && !outputs.includes(i))).toHaveLength(kept);
    }
  });

  it("of other structures is another one: operands of other shapes, and values that others need", () => {
    const m = source(SHAPE);
    const others = [[...SHAPE], [SHAPE[1]], [SHAPE[0], 1], [1, SHAPE[1]]].map((shape) => source(shape));
    const work = (t: Nx.Tensor, u: Nx.Tensor): Nx.Tensor => t.multiply(2).add(u).sin();
    for (let i = 0; i < 3; i++) for (const other of others) check(work, m, other);
    const alone = (): unknown => Nx.evaluate(m.add(others[0]!).multiply(2).exp());
    const shared = (): unknown => {
      const sum = m.add(others[0]!);
      const other = sum.subtract(1);
      return [Nx.evaluate(sum.multiply(2).exp()), other];
    };
    for (let i = 0; i < 3; i++) {
      alone();
      shared();
    }
    expect([alone, shared, alone, shared].map(arraysFor)).toEqual([1, 2, 1, 2]);
  });

  it("of other structures is another one: moves of one kind that go elsewhere, and shapes that nothing else tells", () => {
    const cube = source([60, 60, 60]);
    const works: ((t: Nx.Tensor) => Nx.Tensor)[] = [
      ...[0, 1, 2].map((axis) => (t: Nx.Tensor) => t.reverse({ axes: [axis] })),
      ...[
        [0, 2, 1],
        [2, 1, 0],
        [1, 2, 0],
      ].map((axes) => (t: Nx.Tensor) => t.transpose({ axes })),
      ...[0, 1].map(
        (axis) => (t: Nx.Tensor) =>
          t.reshape([3, 3, 24_000]).broadcast([3, 3, 3, 24_000], { axes: [axis, axis + 1, 3] }),
      ),
      ...[0, 1].map((start) => (t: Nx.Tensor) => t.slice([0, start, 0], [60, 59, 60])),
      ...[1, 2].map(
        (stride) => (t: Nx.Tensor) => t.slice([0, 0, 0], [60, 60, 30 * stride], { strides: [1, 1, stride] }),
      ),
      ...[40, 90].map(
        (rows) => (t: Nx.Tensor) =>
          t
            .reshape([rows, 3600 / rows, 60])
            .transpose({ axes: [1, 0, 2] })
            .flatten(),
      ),
    ];
    for (let i = 0; i < 3; i++) for (const work of works) check((t) => work(t.multiply(2).add(1)).exp(), cube);
  });

  it("of a structure that was computed before is done again without a draft, whatever its numbers and arrays", () => {
    const draft = vi.spyOn(Draft, "of");
    const [a, b] = [source(SHAPE), source(SHAPE)];
    const works: ((x: Nx.Tensor, y: Nx.Tensor, k: number) => Nx.Tensor)[] = [
      (x, y, k) => x.multiply(k).add(y).transpose().exp(),
      (x, y, k) =>
        x
          .subtract(y.mean({ axes: [1], keepAxes: true }))
          .multiply(k)
          .add(x.sum({ axes: [1], keepAxes: true })),
      (x, y, k) =>
        Nx.roll(x, 1, { axis: 1 })
          .add(Nx.roll(y, -1, { axis: 0 }))
          .multiply(k),
      (x, y, k) => {
        const shared = x.add(y);
        const other = shared.multiply(k);
        return Nx.evaluate([shared.subtract(k), other])[1]!;
      },
    ];
    for (const work of works) {
      const calls = [
        [a, b, 0.5],
        [b, a, 3],
        [a, a, 3],
        [a.negate(), b, 7],
      ] as const;
      const expected = calls.map(([x, y, k]) => bytes(now(() => work(x, y, k))));
      for (let i = 0; i < 2; i++)
        calls.forEach(([x, y, k], c) => expect(bytes(work(x, y, k)).equals(expected[c]!)).toBe(true));
      draft.mockClear();
      calls.slice(0, 3).forEach(([x, y, k], c) => expect(bytes(work(x, y, k)).equals(expected[c]!)).toBe(true));
      expect(draft).not.toHaveBeenCalled();
    }
    draft.mockRestore();
  });

  it("is taken once for a value with several readers, which none of them computes again", () => {
    const work = (): void => {
      const shared = x.exp();
      const [a, b] = [shared.add(1), Nx.reverse(shared.add(2))];
      Nx.evaluate(a);
      expect(waits(shared)).toBe(false);
      Nx.evaluate(b);
    };
    work();
    expect(arraysFor(work)).toBe(3);
  });

  it("is not taken for a value whose readers can be computed together, though only one of them is asked for", () => {
    const readers = [1, 2, 3, 4].map((n) => (t: Nx.Tensor) => t.add(n).sin());
    const work = (): Nx.Tensor[] => {
      const shared = x.exp();
      const all = readers.map((reader) => reader(shared));
      Nx.evaluate(all[2]!);
      return [shared, ...all];
    };
    work();
    expect(Nx.explain(work()[1]!)).toBe(`nothing waits: f32[${N}]`);
    expect(arraysFor(work)).toBe(4);
    const [shared, ...all] = work() as [Nx.Tensor, ...Nx.Tensor[]];
    expect([shared, ...all].map(waits)).toEqual([true, false, false, false, false]);
    const expected = now(() => [x.exp(), ...readers.map((reader) => reader(x.exp()))].map(bytes));
    expect([shared, ...all].map((t, i) => bytes(t).equals(expected[i]!))).toEqual(expected.map(() => true));
  });

  it("is taken for a value that more readers need than a kernel gives, or that are of another size", () => {
    const work = (count: number, end: (t: Nx.Tensor) => Nx.Tensor) => (): void => {
      const shared = x.exp();
      const all = Array.from({ length: count }, (_, n) => end(shared.add(n)));
      Nx.evaluate(all[0]!);
      expect(waits(shared)).toBe(false);
      for (const each of all) Nx.evaluate(each);
    };
    work(6, Nx.sin)();
    expect(arraysFor(work(6, Nx.sin))).toBe(7);
    work(2, (t) => t.slice([1], [N - 2]).add(1))();
    // what has to be stored all the same is no reason to compute the others
    const shared = x.exp();
    const [first, second, moved] = [shared.add(1), shared.add(2), Nx.reverse(shared)];
    Nx.evaluate(first);
    expect([shared, second, moved].map(waits)).toEqual([false, true, true]);
  });

  it("does not hold a value that is computed again and again", () => {
    const values = [x.add(1)];
    for (let i = 0; i < 20; i++) values.push(values.at(-1)!.multiply(1.01).add(1));
    Nx.evaluate(values.at(-1)!);
    // read from the last to the first: each is computed for itself, and at most twice more for others
    for (const value of values.reverse()) Nx.evaluate(value);
    expect(values.map(waits)).toEqual(values.map(() => false));
  });

  it("is never more than that of work done at once, and of a chain that of two arrays, also before its kernel is compiled", () => {
    /** The most bytes that are held at a time, of arrays that work takes and gives back. */
    function peak(work: () => unknown): number {
      let [held, most] = [0, 0];
      const own = { unset: arrays.unset.bind(arrays), drop: arrays.drop.bind(arrays) };
      const unset = vi.spyOn(arrays, "unset").mockImplementation((type, shape) => {
        const array = own.unset(type, shape);
        most = Math.max(most, (held += array.byteLength));
        return array;
      });
      const drop = vi.spyOn(arrays, "drop").mockImplementation((array) => {
        held -= array.byteLength;
        own.drop(array);
      });
      try {
        Nx.evaluate(work());
        return most;
      } finally {
        unset.mockRestore();
        drop.mockRestore();
      }
    }
    const m = source(SHAPE);
    const rows = (t: Nx.Tensor): Nx.Tensor => {
      const e = t.subtract(t.reduceMax({ axes: [1], keepAxes: true })).tanh();
      return e.divide(
        e
          .multiply(e)
          .sum({ axes: [1], keepAxes: true })
          .add(1),
      );
    };
    const two = (t: Nx.Tensor): Nx.Tensor => t.add(2).log().multiply(t.multiply(3).add(t.sin())).subtract(t);
    const before = tuning.compiledFrom;
    tune({ compiledFrom: null });
    const works: [(t: Nx.Tensor) => Nx.Tensor, number][] = [
      [(t) => t.multiply(1.7).atan().add(0.3).multiply(t).cosh().add(0.4).multiply(t), 2.1],
      [rows, 3.1],
      [two, 4.1],
    ];
    for (const [work, most] of works) {
      const immediately = peak(() => now(() => work(m)));
      const first = peak(() => work(m));
      expect(first).toBeLessThanOrEqual(immediately);
      expect(first / (4 * N)).toBeLessThanOrEqual(most);
      check(work, m);
    }
    tune({ compiledFrom: before });
  });

  it("of arrays is kept for no chain that takes less than its values would", () => {
    const other = now(() => x.add(1));
    const chains = [chain(x), chain(x).multiply(other), x.add(1).sum({ axes: [0] })];
    for (const t of chains) {
      const value = (t.data as ArrayData).elements;
      if (value instanceof Pending) expect(value.excess).toBeLessThanOrEqual(0);
    }
    // what reads two arrays and gives one holds them as long as it waits, within a bound for all
    expect(((x.add(other).data as ArrayData).elements as Pending).excess).toBe(4 * N);
  });

  it("of many arrays is not kept for a value that could take their place", () => {
    const others = [1, 2, 3, 4, 5].map((i) => now(() => x.add(i)));
    const few = others.slice(0, 4).reduce((a, b) => a.multiply(b));
    const many = others.reduce((a, b) => a.multiply(b));
    Nx.evaluate(few.add(1));
    Nx.evaluate(many.add(1));
    expect([few, many].map(waits)).toEqual([true, false]);
  });

  it("is taken for the first value of many arrays, not for each that is computed of it", () => {
    const others = [1, 2, 3, 4, 5].map((i) => now(() => x.add(i)));
    const work = (): Nx.Tensor[] => {
      const many = others.reduce((a, b) => a.multiply(b));
      const scaled = many.multiply(0.5);
      const shifted = scaled.add(others[0]!);
      return [many, scaled, shifted, shifted.abs()];
    };
    Nx.evaluate(work().at(-1)!);
    expect(arraysFor(() => Nx.evaluate(work().at(-1)!))).toBe(2);
    const values = work();
    Nx.evaluate(values.at(-1)!);
    expect(values.map(waits)).toEqual([false, true, true, false]);
    check(() => work().at(-1)!);
    check(() => work()[2]!);
  });

  it("is given back when nothing needs it, whatever waited", () => {
    const room = (t: Nx.Tensor) => (t.data as ArrayData).elements as Float32Array;
    const given = now(() => x.add(0));
    const array = room(given);
    const y = given.multiply(2);
    Nx.backendDeallocate(given); // y is computed first
    expect(arena.owns(array)).toBe(false);
    expect(waits(y)).toBe(false);
    expect(bytes(y).equals(bytes(now(() => x.multiply(2))))).toBe(true);

    const other = now(() => x.add(0));
    const last = room(other);
    const dropped = other.multiply(2).add(1);
    Nx.backendDeallocate(dropped);
    expect(() => dropped.add(1)).toThrow(/deallocated/);
    Nx.backendDeallocate(other);
    expect(arena.owns(last)).toBe(false);
  });

  it("of what a kernel computed without storing it stays, also where its operand is released", () => {
    const given = now(() => x.add(0));
    const inner = given.multiply(2);
    Nx.evaluate(inner.add(1));
    expect(waits(inner)).toBe(true);
    Nx.backendDeallocate(given);
    now(() => [1, 2, 3].map((i) => x.add(i))); // would take the memory of what was released
    expect(bytes(inner).equals(bytes(now(() => x.multiply(2))))).toBe(true);
  });

  it("of a tiny operand stays as long as a move of it waits, that was done step by step for another value", () => {
    const { compiledFrom } = tuning;
    tune({ deferredFrom: 1, largeFrom: 1, compiledFrom: null });
    try {
      const tiny = source([16, 1]);
      const expected = bytes(now(() => tiny.reshape([1, 16]).subtract(3)));
      const moved = tiny.transpose(); // has its elements in the same order
      Nx.evaluate(moved.add(1).multiply(2));
      expect(waits(moved)).toBe(true);
      const others = now(() => [1, 2, 3].map((i) => tiny.add(i))); // would take the memory of what was given back
      expect(bytes(moved.subtract(3)).equals(expected)).toBe(true);
      expect(others.map((t) => t.size)).toEqual([16, 16, 16]);
    } finally {
      tune({ compiledFrom });
    }
  });

  it("outside of the memory of kernels stays where it is as long as something waits for it", () => {
    tune({ arenaBytes: 0 });
    const outside = now(() => x.add(1));
    const sameElements = outside.reshape([1, N]);
    tune({ arenaBytes: null });
    const [y, z] = [outside.multiply(3), outside.multiply(4)];
    const before = tuning.compiledFrom;
    tune({ compiledFrom: 0 });
    Nx.evaluate(Nx.Defn.jit((t: Nx.Tensor) => t.sin().add(2), { donate: true })(sameElements));
    tune({ compiledFrom: before });
    expect(bytes(y).equals(bytes(now(() => x.add(1).multiply(3))))).toBe(true);
    expect(bytes(z).equals(bytes(now(() => x.add(1).multiply(4))))).toBe(true);
  });

  it("is let go of at once where an op has no kernel that could wait", () => {
    const pins = (t: Nx.Tensor): number => (t.data as ArrayData).pins;
    const z = now(() => Nx.complex(x.slice([0], [40_000]), 1));
    tune({ deferredFrom: 1024 });
    expect(waits(Nx.sign(z))).toBe(false);
    expect(pins(z)).toBe(0);
    expect(waits(Nx.pow(z, z))).toBe(false);
    expect(pins(z)).toBe(0);
  });

  it("goes on waiting where small tensors are released that it is computed of, whose memory is not used again", () => {
    const x = source(SHAPE);
    const expected = bytes(now(() => x.add(row(280)).multiply(0.1)));
    for (const length of [280, 1]) {
      const made = Nx.tidy(() => x.add(row(length)).multiply(0.1));
      expect(waits(made)).toBe(true);
      const others = [1, 2, 3].map((i) => now(() => row(length).subtract(i)));
      if (length === 280) expect(bytes(made).equals(expected)).toBe(true);
      expect(others.map(({ size }) => size)).toEqual([length, length, length]);
    }
  });

  it("of tensors that are donated, or released by Nx.tidy, stays as long as something waits for it", () => {
    const expected = bytes(now(() => x.add(1).multiply(3)));
    const donated = now(() => x.add(1));
    const y = donated.multiply(3);
    Nx.Defn.jit((t: Nx.Tensor) => t.multiply(0), { donate: true })(donated);
    expect(bytes(y).equals(expected)).toBe(true);
    const tidied = Nx.tidy(() => x.add(1).multiply(3));
    expect(waits(tidied)).toBe(true);
    expect(bytes(tidied).equals(expected)).toBe(true);
  });

  it("of the program's own bytes is not waited for", () => {
    const own = Nx.toSafetensors({ t: Nx.broadcast(Nx.f32(1), [N]), s: Nx.broadcast(Nx.f32(2), [100]) });
    const { t, s } = Nx.loadSafetensors(own, { copy: false }) as { t: Nx.Tensor; s: Nx.Tensor };
    const all = [t!.add(1), t!.add(x), x.multiply(2).add(t!), Nx.reshape(x, [1400, 100]).add(s!)];
    expect(all.map(waits)).toEqual([false, false, false, false]);
    structuredClone(own.buffer, { transfer: [own.buffer] });
    expect(all[0]!.at(5).toNumber()).toBe(2);
  });

  it("is bounded: chains end, and what waits longest is computed", () => {
    let y = x;
    for (let i = 0; i < 3 * DEFERRED_OPS; i++) y = y.multiply(0.99).add(0.01);
    expect(
      Nx.explain(y)
        .match(/(\d+) operations/)!
        .slice(1)
        .map(Number)[0],
    ).toBeLessThanOrEqual(DEFERRED_OPS);
    const all = Array.from({ length: DEFERRED_MOST + 10 }, (_, i) => x.add(i));
    expect(all.filter(waits).length).toBeLessThanOrEqual(DEFERRED_MOST);
    expect(waits(all.at(-1)!)).toBe(true);
    check((t) => {
      let square = t.multiply(0.4);
      for (let i = 0; i < 40; i++) square = square.multiply(square);
      return square;
    }, x);
  });
});

describe("errors", () => {
  const x = source();

  it("come at the call that is wrong", () => {
    const y = x.add(1);
    expect(() => y.add(source([3]))).toThrow(Nx.ArgumentError);
    expect(() => y.reshape([3])).toThrow(Nx.ArgumentError);
    const ints = source([N], "s32");
    expect(() => Nx.quotient(ints.add(1), ints.multiply(0))).toThrow(/zero/);
    const gone = x.add(1);
    Nx.backendDeallocate(gone);
    expect(() => gone.multiply(2)).toThrow(/Nx.multiply: the tensor f32\[140000\] was deallocated/);
    expect(() => Nx.evaluate(gone)).toThrow(/Nx.evaluate: .* was deallocated/);
  });

  it("of settings say what is expected", () => {
    expect(() => Nx.configure({ deferred: 1 as never })).toThrow(
      /invalid value 1 for deferred in Nx.configure, expected true or false/,
    );
    expect(() => Nx.withDefaultBackend(["wasm", { deferred: "no" }], () => 1)).toThrow(/expected true or false/);
    expect(() => Nx.tensor([1], { backend: ["wasm", { deferred: false }] })).toThrow(/is said for a scope/);
  });
});
