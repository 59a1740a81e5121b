import { afterEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { elementsOf } from "../../../lib/backends/arrays/storage";
import { wasmBackend as wasm } from "../../../lib/backends/wasm";
import { addressOf, arena } from "../../../lib/backends/wasm/memory/arena";
import { arrays } from "../../../lib/backends/wasm/arrays";
import { inScratch, kernelMemory, scratch } from "../../../lib/backends/wasm/memory/linear";
import { FREED_BYTES, MEDIUM_ROOMS, WEIGHT_BYTES } from "../../../lib/backends/wasm/schedule/memory";
import { tune, tuning } from "../../../lib/backends/tuning";

const BUDGET = tuning.arenaBytes;

const floats = (entries: number): Float32Array => arena.create(Float32Array, entries)!;
const isWithin = (array: ArrayBufferView): boolean => arena.covers(array);

/** A large tensor of the backend that counts up. */
const counting = (size: number): Nx.Tensor => Nx.backendCopy(Nx.iota([size], { type: "f32" }), wasm);

/** Compares bytes as a whole, which is much faster than one by one. */
const expectSame = (found: Nx.Tensor, expected: Nx.Tensor): void =>
  expect(Buffer.from(Nx.toBinary(found)).equals(Nx.toBinary(expected))).toBe(true);

describe("the arena", () => {
  // The first test: the others leave some rooms in use.
  it("has the engine collect before it is full, once for each part of it that was taken since", () => {
    const taken = vi.spyOn(Buffer, "allocUnsafeSlow");
    const urged = (): number => taken.mock.calls.filter(([bytes]) => bytes === WEIGHT_BYTES).length;
    try {
      tune({ arenaBytes: 64 * 2 ** 20 });
      const [eighth, made] = [2 ** 20 * 2 - 8192, [] as Float32Array[]]; // entries that fill an eighth, with what lies behind
      const take = (): void => void made.push(floats(eighth));
      for (let i = 0; i < 5; i++) take();
      expect(urged()).toBe(0);
      // What is given back counts no longer, however often.
      const takeAndGiveBack = (): void => {
        for (let i = 0; i < 20; i++) {
          take();
          arena.giveBack(made.pop()!);
        }
      };
      takeAndGiveBack();
      expect(urged()).toBe(0);
      for (let i = 0; i < 2; i++) take();
      expect(urged()).toBe(1);
      takeAndGiveBack();
      expect(urged()).toBe(1);
      for (const array of made) arena.giveBack(array);
    } finally {
      tune({ arenaBytes: null });
      taken.mockRestore();
    }
  });

  it("makes arrays that do not overlap, with room behind them", () => {
    const made = [floats(1), floats(1000), arena.create(Uint8Array, 5000)!, arena.create(Float64Array, 3)!];
    const places = made
      .map((array) => [array.byteOffset, array.byteOffset + array.byteLength])
      .sort((a, b) => a[0]! - b[0]!);
    places.forEach(([from], i) => {
      expect(from! % 64).toBe(0);
      if (i > 0) expect(from).toBeGreaterThanOrEqual(places[i - 1]![1]! + 256);
    });
    made.forEach((array) => arena.giveBack(array));
  });

  it("uses what was given back again, the smallest room that is large enough, and joins neighbours", () => {
    // Rooms larger than any hole that is there already, so that they lie side by side at the end.
    const size = 2 ** 21;
    const [a, b, c, wall] = [floats(size), floats(size), floats(3 * size), floats(size)];
    const [at, last] = [a!.byteOffset, c!.byteOffset];
    arena.giveBack(a!);
    arena.giveBack(c!);
    const small = floats(size);
    expect(small.byteOffset).toBeLessThanOrEqual(at);
    arena.giveBack(small);
    arena.giveBack(b!);
    // All three are one room now, which holds what none of them could.
    const large = floats(5 * size);
    expect(large.byteOffset).toBeLessThanOrEqual(at);
    expect(large.byteOffset + large.byteLength).toBeGreaterThan(last);
    expect(arena.owns(a!)).toBe(false);
    expect(arena.owns(large)).toBe(true);
    arena.giveBack(large);
    arena.giveBack(wall!);
  });

  it("makes few rooms for arrays that are not large", () => {
    const made: Float32Array[] = [];
    for (let array = arena.create(Float32Array, 2000); array; array = arena.create(Float32Array, 2000))
      made.push(array);
    expect(made.length).toBe(MEDIUM_ROOMS);
    expect([floats(3500), floats(4500)]).not.toContain(null);
    for (const array of made) arena.giveBack(array);
    expect(floats(2000)).toBe(made.at(-1));
  });

  it("keeps small rooms by their size, and gives them a part of the budget only", () => {
    const [a, b] = [floats(5000), floats(5000)];
    const at = a.byteOffset;
    arena.giveBack(a);
    const other = floats(9000);
    expect(other.byteOffset).not.toBe(at);
    expect(floats(5000).byteOffset).toBe(at);
    arena.giveBack(b);
    const many: Float32Array[] = [];
    for (let array = arena.create(Float32Array, 15_000); array; array = arena.create(Float32Array, 15_000))
      many.push(array);
    expect(many.length * 60_000).toBeGreaterThan(BUDGET / 5);
    expect(many.length * 60_000).toBeLessThan(BUDGET / 4);
    expect(floats(50_000)).not.toBeNull();
    for (const array of [...many, other]) arena.giveBack(array);
    expect(floats(15_000).byteOffset).toBe(many.at(-1)!.byteOffset);
  });

  it.each([5000, 50_000])("gives an array of %d elements that came back to the next like it", (size) => {
    const array = floats(size);
    const at = array.byteOffset;
    arena.giveBack(array);
    expect([arena.owns(array), addressOf(array)]).toEqual([false, null]);
    expect(floats(size)).toBe(array);
    expect([arena.owns(array), addressOf(array)]).toEqual([true, at]);
    arena.giveBack(array);
    // of another kind, or a little shorter, in the same room: nobody has the first array any more
    const integers = arena.create(Int32Array, size)!;
    expect([integers.byteOffset, arena.owns(array), addressOf(array)]).toEqual([at, false, null]);
    arena.giveBack(integers);
    const shorter = arena.create(Int32Array, size - 1)!;
    expect([shorter.byteOffset, shorter.length, arena.owns(integers)]).toEqual([at, size - 1, false]);
    arena.giveBack(shorter);
  });

  it("takes the large room that came back last", () => {
    const made = Array.from({ length: 4 }, () => floats(2 ** 19));
    for (const array of made) arena.giveBack(array);
    expect(floats(2 ** 19)).toBe(made[3]);
    arena.giveBack(made[3]!);
  });

  it("keeps arrays valid while memory grows", () => {
    const array = floats(20_000).fill(1.5);
    const before = kernelMemory().buffer.byteLength;
    inScratch(() => scratch(before));
    expect(kernelMemory().buffer.byteLength).toBeGreaterThan(before);
    const later = floats(20_000).fill(2.5);
    expect(array.every((x) => x === 1.5) && later.every((x) => x === 2.5)).toBe(true);
    expect(isWithin(array) && isWithin(later)).toBe(true);
    arena.giveBack(array);
    arena.giveBack(later);
  });

  it("has a budget, and takes no more memory while scratch space is in use", () => {
    const isFull = (size: number): boolean => {
      const array = arena.create(Uint8Array, size);
      if (array) arena.giveBack(array);
      return array === null;
    };
    expect(isFull(BUDGET)).toBe(true);
    // More than all rooms of the tests above.
    const large = BUDGET - 2 ** 22;
    inScratch(() => {
      scratch(64);
      expect(isFull(large)).toBe(true);
    });
    const half = arena.create(Uint8Array, BUDGET / 2)!;
    expect(isFull(BUDGET / 2)).toBe(true);
    arena.giveBack(half);
  });
});

describe("tensors in the arena", () => {
  it("are the large ones", () => {
    expect(addressOf(elementsOf(counting(20_000)))).toBeGreaterThan(0);
    expect(addressOf(elementsOf(counting(1000)))).toBeNull();
  });

  it("share an array with their reshapes, and give it back with the last one", () => {
    const t = counting(20_000);
    const reshaped = Nx.reshape(t, [200, 100]);
    const elements = elementsOf(t);
    expect(elementsOf(reshaped)).toBe(elements);
    Nx.backendDeallocate(t);
    expect(arena.owns(elements)).toBe(true);
    expect(() => Nx.add(t, 1)).toThrow(Nx.BackendError);
    expect(Nx.toNumber(Nx.sum(reshaped))).toBe((20_000 * 19_999) / 2);
  });

  it("are released at once where only one tensor holds them", () => {
    const t = counting(20_000);
    const elements = elementsOf(t);
    Nx.backendDeallocate(t);
    expect(arena.owns(elements)).toBe(false);
    const next = floats(20_000);
    expect(next.byteOffset).toBeLessThanOrEqual(elements.byteOffset);
    arena.giveBack(next);
  });

  it("copy a part of another array, which would not live as long", () => {
    const array = floats(40_000).fill(3);
    const part = array.subarray(0, 20_000);
    const held = arrays.holding(part);
    expect(held).not.toBe(part);
    expect(isWithin(held)).toBe(false);
    expect(arrays.hold(array).elements).toBe(array);
    arena.giveBack(array);
  });

  it("give ordinary memory to whoever reads them", () => {
    const t = counting(20_000);
    for (const seen of [Nx.toBinary(t), Nx.toTypedArray(t)]) {
      expect(seen.buffer).toBeInstanceOf(ArrayBuffer);
    }
    expect(structuredClone(Nx.toTypedArray(t))[19_999]).toBe(19_999);
  });

  it("are ordinary arrays when the arena is full, and give the same results", () => {
    const fillers: Uint8Array[] = [];
    for (let size = BUDGET; size > 2 ** 12; size /= 2) {
      for (let filler = arena.create(Uint8Array, size); filler; filler = arena.create(Uint8Array, size))
        fillers.push(filler);
    }
    const tensors = Array.from({ length: 40 }, () => counting(20_000));
    const places = tensors.map((t) => addressOf(elementsOf(t)));
    expect(places.every((at) => at === null)).toBe(true);
    const total = tensors.reduce((sum, t) => Nx.add(sum, t));
    expect(Nx.toNumber(Nx.reduceMax(Nx.abs(Nx.subtract(total, Nx.multiply(tensors[0]!, 40)))))).toBe(0);
    fillers.forEach((filler) => arena.giveBack(filler));
  });
});

/** Runs `fn` while the arena has no room. */
function whileFull<R>(fn: () => R): R {
  const fillers: Uint8Array[] = [];
  for (let size = BUDGET; size > 2 ** 12; size /= 2) {
    for (let filler = arena.create(Uint8Array, size); filler; filler = arena.create(Uint8Array, size))
      fillers.push(filler);
  }
  try {
    return fn();
  } finally {
    fillers.forEach((filler) => arena.giveBack(filler));
  }
}

describe("tensors made while the arena was full", () => {
  const isResident = (t: Nx.Tensor): boolean => addressOf(elementsOf(t)) !== null;
  const uses: readonly (readonly [name: string, use: (t: Nx.Tensor) => Nx.Tensor])[] = [
    ["element-wise", (t) => t.add(1)],
    ["reduction", (t) => t.sum()],
    ["arg-reduction", (t) => t.argmax()],
    ["compiled", Nx.defn((t: Nx.Tensor) => t.multiply(t).add(1))],
    ["rows", Nx.defn((t: Nx.Tensor) => Nx.softmax(t.reshape([200, 100])))],
    ["product", (t) => t.reshape([200, 100]).dot(Nx.iota([100, 3], { type: "f32" }))],
  ];

  it.each(uses)("are taken in when they are read again and there is room (%s)", (name, use) => {
    const t = whileFull(() => counting(20_000));
    const copy = t.toTypedArray();
    const [ordinary, elements] = [t.flatten(), elementsOf(t)];
    const expected = whileFull(() => use(t));
    expect(isResident(t)).toBe(false);
    for (let i = 0; i < 3; i++) expectSame(use(t), expected);
    // a product reads a reshape of its own each time
    if (name !== "product") expect(isResident(t)).toBe(true);
    expect(elementsOf(ordinary)).toBe(elements);
    expectSame(ordinary, t);
    expect(t.toTypedArray()).toEqual(copy);
  });

  it("give their room back, and leave those that share the old array alone", () => {
    const t = whileFull(() => counting(20_000));
    const [other, expected] = [t.flatten(), Nx.toBinary(t)];
    for (let i = 0; i < 2; i++) Nx.evaluate(t.add(1));
    const taken = elementsOf(t);
    expect(arena.owns(taken)).toBe(true);
    Nx.backendDeallocate(t);
    expect(arena.owns(taken)).toBe(false);
    counting(20_000).add(5);
    expect(Buffer.from(Nx.toBinary(other)).equals(expected)).toBe(true);
  });

  it("stay where they are as long as there is none, or nobody reads them twice", () => {
    const t = whileFull(() => counting(20_000));
    whileFull(() => [0, 1, 2].map(() => t.sum()));
    expect(isResident(t)).toBe(false);
    const once = whileFull(() => counting(20_000));
    once.sum();
    expect(isResident(once)).toBe(false);
  });

  it("can be donated", () => {
    const add = Nx.defn((t: Nx.Tensor) => t.add(1).multiply(2), { donate: true });
    const t = whileFull(() => counting(20_000));
    for (let i = 0; i < 2; i++) t.sum();
    const taken = elementsOf(t);
    const result = add(t);
    expect(elementsOf(result)).toBe(taken);
    expect(result.at(19_999).toNumber()).toBe(40_000);
  });
});

describe("transposes in the memory of kernels", () => {
  const types = ["u8", "bf16", "s32", "f32", "s64", "f64", "c64", "c128"] as const;
  it.each(types)("are those of ordinary arrays (%s)", (type) => {
    for (const [rows, columns] of [
      [301, 257],
      [4, 20_000],
      [20_000, 3],
      [256, 256],
    ] as const) {
      const t = Nx.asType(Nx.iota([rows, columns], { backend: "binary" }), type);
      const own = Nx.backendCopy(t, wasm);
      expectSame(Nx.transpose(own), Nx.transpose(t));
      const last = Nx.transpose(Nx.reshape(own, [1, rows, columns]), { axes: [2, 0, 1] });
      expectSame(last, Nx.transpose(t));
    }
  });

  it.each(types)("are read by kernels (%s)", (type) => {
    const fn = Nx.defn((x: Nx.Tensor, y: Nx.Tensor) => Nx.add(Nx.transpose(x, { axes: [0, 2, 1] }), y));
    for (const [depth, rows, columns] of [
      [3, 130, 61],
      [1, 300, 200],
      [20, 33, 64],
    ] as const) {
      const x = Nx.asType(Nx.iota([depth, rows, columns], { backend: "binary" }), type);
      const y = Nx.asType(Nx.iota([depth, columns, rows], { backend: "binary" }), type);
      const expected = Nx.add(Nx.transpose(x, { axes: [0, 2, 1] }), y);
      const found = fn(Nx.backendCopy(x, wasm), Nx.backendCopy(y, wasm));
      expectSame(found, expected);
    }
  });
});

describe("operands that repeat themselves", () => {
  it.each([16, 100, 1000, 1001, 8192, 9001])("are read alike in every block (%i)", (period) => {
    const rows = Math.ceil(100_000 / period) + 3;
    const x = Nx.iota([rows, period], { type: "f32", backend: "binary" });
    const row = Nx.sin(Nx.iota([1, period], { type: "f32", backend: "binary" }));
    const column = Nx.cos(Nx.iota([rows, 1], { type: "f32", backend: "binary" }));
    const own = [x, row, column].map((t) => Nx.backendCopy(t, wasm)) as [Nx.Tensor, Nx.Tensor, Nx.Tensor];
    expectSame(Nx.add(own[0], own[1]), Nx.add(x, row));
    expectSame(Nx.multiply(own[1], own[2]), Nx.multiply(row, column));
    const fn = Nx.defn((a: Nx.Tensor, b: Nx.Tensor, c: Nx.Tensor) => a.multiply(b).add(c).tanh().subtract(b));
    expectSame(fn(...own), fn(x, row, column));
  });
});

describe("the budget of the arena", () => {
  /** An arena of its own, whose engine collects when it is told to, on a host with so much memory to spare. */
  async function arenaOf(spare: number | null) {
    const held: { readonly array: ArrayBufferView; readonly collect: () => void }[] = [];
    vi.stubGlobal(
      "FinalizationRegistry",
      class {
        constructor(private readonly collected: (room: unknown) => void) {}
        register(array: ArrayBufferView, room: unknown): void {
          held.push({ array, collect: () => this.collected(room) });
        }
        unregister(): void {}
      },
    );
    const availableMemory = (): number => {
      if (spare === null) throw new Error("the host does not say");
      return spare;
    };
    vi.stubGlobal("process", { ...process, availableMemory });
    vi.resetModules();
    const own = await import("../../../lib/backends/wasm/memory/arena");
    const { tune: tuneOwn } = await import("../../../lib/backends/tuning");
    tuneOwn({ arenaBytes: 16 * MEGABYTE });
    const take = (): boolean => {
      const before = held.length;
      return own.arena.create(Uint8Array, MEGABYTE - 8192) !== null && held.length > before;
    };
    /** How many arrays there is room for; all of them are collected then. */
    const fill = (): number => {
      let count = 0;
      while (take()) count++;
      for (const { collect } of held.splice(0)) collect();
      return count;
    };
    /** A collection that finds no array that nobody holds. */
    const collectNone = (): void => {
      for (const { array, collect } of [...held]) if (!ArrayBuffer.isView(array)) collect();
    };
    return { fill, take, collectNone };
  }
  const MEGABYTE = 2 ** 20;

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    vi.resetModules();
  });

  it("doubles where the engine collects again at once and the host has memory to spare", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { fill } = await arenaOf(500 * MEGABYTE);
    expect(fill()).toBe(16);
    vi.advanceTimersByTime(5000);
    // long after the one before
    expect(fill()).toBe(16);
    vi.advanceTimersByTime(50);
    expect(fill()).toBe(16);
    vi.advanceTimersByTime(50);
    expect(fill()).toBe(32);
    // 64 MB are more than an eighth of what there is to spare, so that is all
    vi.advanceTimersByTime(50);
    expect(fill()).toBe(32);
  });

  it("has a buffer freed that shows the allocator how much to keep, the first time alone that the engine is urged", async () => {
    const taken = vi.spyOn(Buffer, "allocUnsafeSlow");
    const count = (bytes: number): number => taken.mock.calls.filter(([size]) => size === bytes).length;
    try {
      const { fill } = await arenaOf(0);
      expect(count(FREED_BYTES)).toBe(0);
      fill();
      expect(count(FREED_BYTES)).toBe(1);
      fill();
      expect(count(FREED_BYTES)).toBe(1);
      expect(count(WEIGHT_BYTES)).toBeGreaterThan(1);
    } finally {
      taken.mockRestore();
    }
  });

  it("stays as it is where the host has little memory, or does not say how much", async () => {
    for (const spare of [100 * MEGABYTE, 0, null]) {
      const { fill } = await arenaOf(spare);
      for (let i = 0; i < 4; i++) expect(fill()).toBe(16);
    }
  });

  it("doubles where most of it is in use after a collection, as far as the host has memory to spare", async () => {
    for (const [spare, most] of [
      [100, 32],
      [63, 16],
    ] as const) {
      const { take, collectNone } = await arenaOf(spare * MEGABYTE);
      let count = 0;
      while (count < 14 && take()) count++;
      collectNone();
      while (take()) count++;
      expect(count).toBe(most);
    }
    // nothing is known of what is in use before the engine has collected
    const { take } = await arenaOf(500 * MEGABYTE);
    for (let count = 0; count < 16; count++) expect(take()).toBe(true);
    expect(take()).toBe(false);
  });
});
