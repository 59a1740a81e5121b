/** From array to array: what is written, what a failure leaves behind, and how a run is taken up. */
import * as Nx from "nx-numerics";
import { createZarr, openZarr, type CreateZarrOptions, type ZarrArray } from "nx-numerics/zarr";
import { describe, expect, it } from "vitest";
import { watched, type Behaviour, type Entries, type Watched } from "./stores";

const MARK = "nx_numerics_unfinished";
const double = (block: Nx.Tensor): Nx.Tensor => Nx.multiply(block, 2);

const t = Nx.iota([5, 4], { type: "f32", names: ["time", "x"] });

async function source(): Promise<ZarrArray> {
  const array = await createZarr(watched(), t, { chunks: [2, 4] });
  await array.write(t);
  return array;
}

const target = (store: Watched, options: Partial<CreateZarrOptions> = {}): Promise<ZarrArray> =>
  createZarr(store, t, { chunks: [1, 2], exists: "open", ...options });

/** A store over what another one left behind. */
const after = ({ entries }: Watched, behaviour?: Behaviour): Watched => watched(entries, behaviour);

const chunkWrites = ({ writes }: Watched): number => writes.filter((key) => /\/c\/|\/\d/.test(key)).length;

describe("map", () => {
  it.each([2, 3] as const)("writes every chunk, and leaves nothing else behind (version %i)", async (format) => {
    const store = watched();
    const into = await target(store, { format });
    const metadata = [...store.entries.keys()].sort();
    await (await source()).map(double, into, { id: "double" });
    const again = await openZarr(after(store));
    expect((await again.read()).equals(Nx.multiply(t, 2))).toBe(true);
    expect(again.unfinished).toBeNull();
    expect([...store.entries.keys()].filter((key) => !/\d$/.test(key) || /zarr/.test(key)).sort()).toEqual(metadata);
    expect(JSON.stringify(again.attributes)).not.toContain("nx_numerics");
  });

  it("takes whole axes where the result does not have them, and gives others", async () => {
    const into = await createZarr(watched(), Nx.template([2, 4], "f32", { names: ["what", "x"] }), { chunks: [2, 3] });
    const extremes = (block: Nx.Tensor): Nx.Tensor =>
      Nx.stack([block.reduceMin({ axes: ["time"] }), block.reduceMax({ axes: ["time"] })], { name: "what" });
    await (await source()).map(extremes, into);
    expect(
      (await into.read()).equals(
        Nx.stack([t.reduceMin({ axes: ["time"] }), t.reduceMax({ axes: ["time"] })], { name: "what" }),
      ),
    ).toBe(true);
  });

  it("finds axes by name, whatever their order", async () => {
    const into = await createZarr(watched(), Nx.template([4, 5], "f32", { names: ["x", "time"] }), { chunks: [3, 2] });
    await (await source()).map((block) => Nx.transpose(block), into);
    expect((await into.read()).equals(Nx.transpose(t))).toBe(true);
  });

  it("keeps a bounded number of blocks in memory", async () => {
    const store = watched();
    const from = await createZarr(store, t, { chunks: [1, 1] });
    await from.write(t);
    for (const ahead of [1, 3]) {
      let [now, most] = [0, 0];
      const enter = () => void (most = Math.max(most, ++now));
      const sink = watched(new Map(), { onSet: () => new Promise((resolve) => setTimeout(resolve, 1)) });
      const set = sink.set.bind(sink);
      sink.set = async (key, value) => {
        await set(key, value);
        if (/\/c\//.test(key)) now--;
      };
      await from.map((block) => (enter(), double(block)), await createZarr(sink, t, { chunks: [1, 1] }), { ahead });
      expect(most).toBeLessThanOrEqual(ahead + 1);
      expect(most).toBeGreaterThan(1);
    }
  });

  it("leaves a mark when the function fails, which openZarr refuses", async () => {
    const store = watched();
    let calls = 0;
    const failing = (block: Nx.Tensor): Nx.Tensor => {
      if (++calls === 4) throw new Error("on the fourth");
      return double(block);
    };
    const into = await target(store);
    await expect((await source()).map(failing, into, { id: "double" })).rejects.toThrow("on the fourth");
    expect(into.unfinished).toMatchObject({ id: "double" });
    await expect(openZarr(after(store))).rejects.toThrow(
      'chunks of the array at "/" are missing, since a run "double" has not finished',
    );
    const open = await openZarr(after(store), { unfinished: true });
    expect(open.attributes[MARK]).toBeDefined();
    await expect((await source()).map(double, open, { id: "treble" })).rejects.toThrow(
      'the array has an unfinished run "double"; take it up with { id: "double" }, or begin anew with { restart: true }',
    );
  });

  it("is taken up after a failure at every write: chunks that are done are skipped", async () => {
    const from = await source();
    const whole = watched();
    await from.map(double, await target(whole), { id: "double" });
    const total = chunkWrites(whole);
    for (let k = 3; k <= total + 1; k++) {
      const broken = watched(new Map(), { onSet: (_, write) => { if (write === k) throw new Error("disk full"); } }); // prettier-ignore
      await expect(from.map(double, await target(broken), { id: "double", ahead: 1 })).rejects.toThrow("disk full");
      const done = [...broken.entries.keys()].filter((key) => key.startsWith("/c/")).length;
      const store = after(broken);
      const into = await target(store);
      await from.map(double, into, { id: "double" });
      expect(chunkWrites(store)).toBe(total - done);
      expect((await (await openZarr(after(store))).read()).equals(Nx.multiply(t, 2))).toBe(true);
    }
  });

  it("is taken up where a program ended at any write, whatever that left of it", async () => {
    const from = await source();
    const [mark, last] = [2, 13]; // the writes that mark the array and take the mark away; the chunks are between
    for (let k = mark; k <= last; k++) {
      const entries: Entries = new Map();
      const dying = watched(entries);
      let writes = 0;
      // of the k-th write the half arrives, and of those after it nothing
      dying.set = (key, value) => {
        if (++writes === k) entries.set(key, value.slice(0, value.length / 2));
        if (writes >= k) throw new Error("the end");
        entries.set(key, value);
      };
      const into = await target(dying);
      await expect(from.map(double, into, { id: "double" })).rejects.toThrow("the end");
      if (k === mark || k === last) {
        await expect(openZarr(watched(entries))).rejects.toThrow("/zarr.json of the store is no JSON");
        continue;
      }
      await expect(openZarr(watched(entries))).rejects.toThrow('a run "double" has not finished');
      await from.map(double, await target(watched(entries)), { id: "double" });
      expect((await (await openZarr(watched(entries))).read()).equals(Nx.multiply(t, 2))).toBe(true);
    }
  });

  it("notes what is done while it goes on", async () => {
    const from = await source();
    const store = watched();
    const now = Date.now;
    let clock = 0;
    Date.now = () => (clock += 2000);
    try {
      await from.map(double, await target(store), { id: "double", ahead: 1 });
    } finally {
      Date.now = now;
    }
    const notes = store.writes.filter((key) => key.includes("progress"));
    expect(notes.length).toBeGreaterThanOrEqual(5);
    expect(new Set(notes.slice(0, 4))).toEqual(new Set(["/nx_numerics_progress_0", "/nx_numerics_progress_1"]));
  });

  it("begins anew without an id, and where it is told to", async () => {
    const from = await source();
    for (const [first, second] of [
      [{}, {}],
      [{ id: "a" }, { id: "b", restart: true }],
      [{ id: "a" }, { restart: true }],
    ]) {
      const broken = watched(new Map(), { onSet: (_, write) => { if (write === 8) throw new Error("disk full"); } }); // prettier-ignore
      await expect(from.map(() => Nx.f32([[0, 0]]), await target(broken), first)).rejects.toThrow("disk full");
      const store = after(broken);
      await from.map(double, await target(store), second);
      expect((await (await openZarr(after(store))).read()).equals(Nx.multiply(t, 2))).toBe(true);
    }
  });

  it("does not take what another run has noted for its own", async () => {
    const store = watched();
    const from = await source();
    const into = await target(store);
    const failAfter = (count: number, value: Nx.Operand) => (block: Nx.Tensor) => {
      if (count-- === 0) throw new Error("stop");
      return Nx.multiply(block, value);
    };
    await expect(from.map(failAfter(4, 0), into, { id: "a", ahead: 1 })).rejects.toThrow("stop");
    const [[, note]] = [...store.entries].filter(([key]) => key.includes("progress")) as [[string, Uint8Array]];
    await expect(from.map(failAfter(0, 0), into, { id: "a", restart: true, ahead: 1 })).rejects.toThrow("stop");
    const later = { ...(JSON.parse(new TextDecoder().decode(note)) as object), at: 100 };
    store.entries.set("/nx_numerics_progress_0", new TextEncoder().encode(JSON.stringify(later)));
    await from.map(double, into, { id: "a" });
    expect((await into.read()).equals(Nx.multiply(t, 2))).toBe(true);
  });

  it("ends when it is aborted, with no write under way, and is taken up", async () => {
    const stop = new AbortController();
    let under = 0;
    const store = watched(new Map(), {
      onSet: async (_, write) => {
        under++;
        if (write === 5) stop.abort(new Error("enough"));
        await new Promise((resolve) => setTimeout(resolve, 2));
        under--;
      },
    });
    const into = await target(store);
    const from = await source();
    await expect(from.map(double, into, { id: "double", signal: stop.signal })).rejects.toThrow("enough");
    expect(under).toBe(0);
    const before = chunkWrites(store);
    await from.map(double, into, { id: "double" });
    expect(chunkWrites(store)).toBe(10);
    expect(before).toBeLessThan(10);
    await expect(from.map(double, into, { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
    expect(into.unfinished).toBeNull();
  });

  it("says what does not fit", async () => {
    const from = await source();
    const into = await target(watched());
    const to = async (like: Nx.Tensor | object, chunks: readonly number[]) =>
      createZarr(watched(), like as Nx.Tensor, { chunks });
    await expect(from.map(() => Nx.f64([[1, 2]]), into)).rejects.toThrow(
      'must give f32[time: 1][x: 2] for this block, got: a tensor f64[1][2]; convert it with Nx.asType(result, "f32")',
    );
    await expect(from.map((block) => Nx.transpose(block), into)).rejects.toThrow("got: a tensor f32[x: 2][time: 1]");
    await expect(from.map(() => 1 as never, into)).rejects.toThrow(
      "must give a tensor f32[time: 1][x: 2] for this block, got: 1",
    );
    await expect(from.map("double", into)).rejects.toThrow('expects a function of a block, got: "double"');
    await expect(from.map(double, t as never)).rejects.toThrow("expects what to write as a ZarrArray");
    await expect(from.map(double, from)).rejects.toThrow("cannot write over the array that it reads");
    await expect(
      from.map(double, await to(Nx.template([6, 4], "f32", { names: ["time", "x"] }), [1, 1])),
    ).rejects.toThrow('axis "time" has size 5');
    await expect(from.map(double, await to(Nx.template([2, 4], "f32", { names: ["w", "x"] }), [1, 4]))).rejects.toThrow(
      'axis "w" of f32[w: 2 by 1][x: 4] is not in',
    );
    await expect(from.map(double, into, { id: 3 } as never)).rejects.toThrow(
      "option id of ZarrArray.map must be a text",
    );
    const plain = await createZarr(watched(), Nx.template([3], "f32"), { chunks: [1] });
    await expect(plain.map(double, await to(Nx.template([3, 1], "f32"), [1, 1]))).rejects.toThrow(
      "cannot be told apart without names",
    );
  });
});
