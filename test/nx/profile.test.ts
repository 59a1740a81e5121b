/** Where the time of a function goes: what rows say, eagerly, of work that waits, and in compiled functions. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { profiling } from "../../lib/core/profiling";

const now = <T>(fn: () => T): T => Nx.withDefaultBackend(["wasm", { deferred: false }], fn);
const source = (shape: readonly number[]): Nx.Tensor => now(() => Nx.iota(shape, { type: "f32" }).sin());

/** The numbers of the lines of this file in a row. */
const linesOf = ({ line }: Nx.ProfileRow): number[] =>
  /profile\.test\.ts:([\d, ]+)$/.exec(line)![1]!.split(", ").map(Number);
const here = (offset: number): number => {
  const frame = new Error("here")
    .stack!.split("\n")
    .find((text) => /profile\.test\.ts:\d+:\d+/.test(text) && !text.includes("here "))!;
  return Number(/profile\.test\.ts:(\d+):/.exec(frame)![1]) + offset;
};

const rowOf = ({ rows }: Nx.Profile, operation: string): Nx.ProfileRow =>
  rows.find((row) => row.operation === operation)!;

beforeEach(() => void Nx.globalDefaultBackend("wasm"));
afterEach(() => void Nx.globalDefaultBackend("auto"));

describe("a profile of plain calls", () => {
  it("has a row for each operation of each line, small calls included, with their bytes", () => {
    const [x, y] = [Nx.f32([1, 2, 3]), Nx.f64([1, 2])];
    const line = here(2);
    const profile = Nx.profile(() => {
      for (let i = 0; i < 4; i++) x.add(x);
      x.add(x);
      return [y.exp(), Nx.dot(x, x), x.reshape([3, 1])];
    });
    const found = profile.rows.map((row) => [row.operation, linesOf(row), row.calls, row.kernels, row.bytes]);
    expect(found.sort((a, b) => `${a.join()}`.localeCompare(`${b.join()}`))).toEqual([
      ["add", [line], 4, 4, 4 * 36],
      ["add", [line + 1], 1, 1, 36],
      ["dot", [line + 2], 1, 1, 28],
      ["exp", [line + 2], 1, 1, 32],
      ["reshape", [line + 2], 1, 0, 0],
    ]);
    expect(profile).toMatchObject({ calls: 8, kernels: 7, bytes: 5 * 36 + 60 });
    expect(profile.rows.every(({ milliseconds }) => milliseconds >= 0)).toBe(true);
    expect(profile.result[0]!.toNumbers()).toEqual(y.exp().toNumbers());
  });

  it("sorts rows by their time, which is not that of work inside of them", () => {
    const [small, large] = [Nx.f32([1]), source([400, 400])];
    const profile = now(() =>
      Nx.profile(() => [small.add(1), Nx.dot(large, large), Nx.LinAlg.svd(large.slice([0, 0], [60, 60]))]),
    );
    const times = profile.rows.map(({ milliseconds }) => milliseconds);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(times[0]).toBeGreaterThan(rowOf(profile, "add").milliseconds);
    expect(profile.milliseconds).toBeCloseTo(times.reduce((a, b) => a + b, 0));
  });

  it("is a table as text", () => {
    const lines = String(Nx.profile(() => Nx.f32([1]).add(1))).split("\n");
    expect(lines[0]!.split(/ +/)).toEqual(["operation", "line", "calls", "kernels", "bytes", "ms"]);
    expect(lines[1]).toMatch(/^add +\S*profile\.test\.ts:\d+ +1 +1 +12 B +\d+\.\d{3}$/);
    expect(lines[2]).toMatch(/^total +1 +1 +12 B +\d+\.\d{3}$/);
    expect(lines).toHaveLength(3);
  });

  it("ends with the function, and where the function fails", async () => {
    expect(() => Nx.profile(() => Nx.f32([1, 2]).add(Nx.f32([1, 2, 3])))).toThrow(Nx.ArgumentError);
    expect(profiling.probe).toBe(null);
    await expect(Nx.profile(() => Promise.reject(new Error("mine")))).rejects.toThrow("mine");
    expect(profiling.probe).toBe(null);
    expect(() => Nx.profile(3 as never)).toThrow("Nx.profile expects a function, got: 3");
    const inner = Nx.profile(() => [Nx.f32([1]).add(1), Nx.profile(() => Nx.f32([1]).exp()).calls]);
    expect(inner).toMatchObject({ calls: 1, result: [{}, 1] });
  });

  it("waits for asynchronous functions", async () => {
    const profile = await Nx.profile(async () => {
      const x = Nx.f32([1, 2]).add(1);
      await new Promise((done) => setTimeout(done, 1));
      return x.exp();
    });
    expect(profile.rows.map(({ operation }) => operation).sort()).toEqual(["add", "exp"]);
    expect(profile.result.shape).toEqual([2]);
  });

  it("counts the operations of a vectorized function once", () => {
    const x = Nx.vectorize(
      Nx.f32([
        [1, 2],
        [3, 4],
      ]),
      "batch",
    );
    expect(Nx.profile(() => x.exp())).toMatchObject({ calls: 1, kernels: 1, bytes: 32 });
  });
});

describe("a profile of work that waits", () => {
  const softmax = (t: Nx.Tensor): Nx.Tensor => {
    const most = t.reduceMax({ axes: [1], keepAxes: true });
    const e = t.subtract(most).exp();
    return e.divide(e.sum({ axes: [1], keepAxes: true }));
  };
  const first = here(-4);

  it("has a row for its kernel, with the operations and all lines that called them; those have no kernel", () => {
    const x = source([500, 400]);
    Nx.evaluate(softmax(x));
    const profile = Nx.profile(() => softmax(x));
    expect(profile).toMatchObject({ calls: 5, kernels: 1 });
    const kernel = rowOf(profile, "reduceMax, subtract, exp, sum, divide");
    expect(kernel).toMatchObject({ calls: 0, kernels: 1, bytes: 2 * 800_000 + 2 * 2_000 });
    expect(linesOf(kernel)).toEqual([first, first + 1, first + 2]);
    expect(rowOf(profile, "exp")).toMatchObject({ calls: 1, kernels: 0, bytes: 0 });
    expect(linesOf(rowOf(profile, "sum"))).toEqual([first + 2]);
  });

  it("charges what a reading computes to the lines of the operations, wherever the reading is", () => {
    const x = source([200_000]);
    Nx.evaluate(x.multiply(2).add(1));
    const y = x.multiply(2).add(1);
    const profile = Nx.profile(() => y.toTypedArray());
    expect(profile.rows.map(({ operation, kernels }) => [operation, kernels])).toEqual([["multiply, add", 1]]);
  });

  it("has a single kernel for a search in what waits", () => {
    const x = source([500, 400]);
    const work = (): Nx.Tensor => Nx.argmax(x.multiply(2).add(1), { axis: 0 });
    for (let i = 0; i < 3; i++) work();
    const profile = Nx.profile(work);
    expect(profile).toMatchObject({ calls: 3, kernels: 1 });
    expect(rowOf(profile, "multiply, add, argmax").kernels).toBe(1);
  });
});

describe("a profile of compiled functions", () => {
  it("has rows for kernels, with the lines inside of the function", () => {
    const line = here(2);
    const norm = Nx.defn((t: Nx.Tensor) => {
      const twice = t.multiply(2).add(1);
      return twice.exp().sum({ axes: [0] });
    });
    const x = source([300, 300]);
    const expected = norm(x).toNumbers();
    const profile = Nx.profile(() => norm(x));
    expect(profile.result.toNumbers()).toEqual(expected);
    const lines = new Set(profile.rows.flatMap(linesOf));
    expect([...lines].sort()).toEqual([line, line + 1]);
    expect(profile.rows.map(({ operation }) => operation).join(", ")).toMatch(/^(?=.*multiply, add, exp)(?=.*sum)/);
    expect(profile.kernels).toBeLessThanOrEqual(2);
  });

  it("shows tracing, programs and loops", () => {
    const grow = Nx.defn((t: Nx.Tensor) => t.multiply(2).add(t.sum()));
    const rows = Nx.profile(() => grow(Nx.f32([1, 2]))).rows.map(({ operation }) => operation);
    expect(rows).toContain("trace and compile");
    const again = Nx.profile(() => {
      for (let i = 0; i < 2000; i++) grow(Nx.f32([1, 2]));
    });
    expect(
      again.rows.some(({ operation, kernels }) => operation.includes("sum") && operation.includes(",") && kernels > 0),
    ).toBe(true);
    expect(again.rows.map(({ operation }) => operation)).not.toContain("trace and compile");
  });

  it("charges composites of the library to the line that called them", () => {
    const x = source([300, 300]);
    for (let i = 0; i < 3; i++) now(() => Nx.softmax(x));
    const line = here(1);
    const profile = now(() => Nx.profile(() => Nx.softmax(x)));
    expect(new Set(profile.rows.flatMap(linesOf))).toEqual(new Set([line]));
  });
});
