/** The memory of backends of arrays: nothing that somebody holds is ever handed out again, and what nobody holds is. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repeatFirst } from "../../../lib/backends/arrays/fill";
import { ArrayMemory, type Arena } from "../../../lib/backends/arrays/memory";
import { elementsIn, type ArrayData, type ArrayType, type Elements } from "../../../lib/backends/arrays/storage";
import { tune } from "../../../lib/backends/tuning";

/** An arena over one buffer of some rooms, as the memory of kernels is. */
function arenaOf(rooms: number, bytes: number): Arena {
  const buffer = new SharedArrayBuffer(rooms * bytes);
  const free = Array.from({ length: rooms }, (_, i) => i * bytes);
  const taken = new Set<ArrayBufferView>();
  return {
    create<T extends Elements>(type: ArrayType<T>, entries: number): T | null {
      if (entries * type.BYTES_PER_ELEMENT > bytes) return null;
      const at = free.pop();
      if (at === undefined) return null;
      const array = new type(buffer, at, entries);
      taken.add(array);
      return array;
    },
    owns: (array) => taken.has(array),
    covers: (array) => array.buffer === buffer,
    giveBack(array) {
      expect(taken.delete(array)).toBe(true);
      free.push(array.byteOffset);
    },
  };
}

beforeAll(() => tune({ largeFrom: 16 }));
afterAll(() => tune({ largeFrom: null }));

const SIZES = [1, 8, 8, 4, 40];

interface Held {
  readonly data: ArrayData;
  readonly memory: ArrayMemory;
  /** What its elements are. */
  readonly stamp: number;
}

/** Programs over a plain memory and one with an arena: each step with some numbers to choose by. */
const programs = fc.array(
  fc.tuple(
    fc.constantFrom("make", "make", "share", "release", "release", "take over", "adopt", "part", "hand over", "let go"),
    fc.nat(1000),
    fc.nat(1),
  ),
  { minLength: 5, maxLength: 60, size: "max" },
);
type Step = (typeof programs extends fc.Arbitrary<infer P> ? P : never)[number];

/** Tensors that hold arrays of two memories, and what they ought to read. */
class World {
  readonly memories = [new ArrayMemory(), new ArrayMemory(arenaOf(3, 128))] as const;
  held: Held[] = [];
  private stamps = 0;

  /** Holds an array, all of whose elements are a number that no other array has. */
  private hold(memory: ArrayMemory, array: Elements): void {
    array.fill(++this.stamps);
    this.held.push({ memory, data: memory.hold(array), stamp: this.stamps });
  }

  step([kind, pick, which]: Step): void {
    const memory = this.memories[which]!;
    const one = this.held[pick % Math.max(1, this.held.length)];
    const size = SIZES[pick % SIZES.length]!;
    if (kind === "make") {
      const made = memory.unset("f64", [size]);
      expect(made.length).toBe(size);
      return this.hold(memory, made);
    }
    if (kind === "adopt") return this.adopt(memory, size);
    if (!one) return;
    const elements = elementsIn(one.data);
    switch (kind) {
      case "share":
        return void this.held.push({ ...one, data: one.memory.hold(elements) });
      case "take over": // only arrays of the plain memory go over to the other one
        if (one.memory === this.memories[0]) this.held.push({ ...one, memory, data: memory.hold(elements) });
        return;
      case "release":
        expect(one.memory.release(one.data)).toBe(true);
        expect(one.memory.release(one.data)).toBe(false);
        return this.drop(one);
      case "part": // large ones: those of small arrays are not counted, and nothing holds a small part of a large array
        if (elements.length < 4) return;
        return void this.held.push({ ...one, data: one.memory.hold(elements.subarray(0, elements.length >> 1)) });
      case "hand over":
        if (!one.memory.handOver(elements)) return;
        this.drop(one);
        return this.hold(one.memory, elements);
      case "let go": // of an array that work under way may still read
        one.memory.letGoOf(elements);
        one.data.elements = one.memory.holding(elements.slice());
        return;
    }
  }

  /** Bytes of somebody else, which nobody ever writes to: they stay as they are, whatever becomes of the tensor. */
  private adopt(memory: ArrayMemory, size: number): void {
    const bytes = new Float64Array(size).fill(++this.stamps);
    const data = memory.adopt("f64", new Uint8Array(bytes.buffer));
    const owner = { elements: bytes } as unknown as ArrayData;
    this.foreign.push({ memory, data: owner, stamp: this.stamps });
    this.held.push({ memory, data, stamp: this.stamps });
  }

  private readonly foreign: Held[] = [];

  private drop(one: Held): void {
    this.held = this.held.filter((other) => other !== one);
  }

  check(): void {
    for (const { data, stamp } of [...this.held, ...this.foreign]) {
      if (!elementsIn(data).every((x) => x === stamp))
        expect.fail(`an array of ${stamp} holds ${elementsIn(data).join()}`);
    }
  }
}

describe("memory that somebody holds", () => {
  it("is not handed out again, whoever shares it, takes it over or lets go of it", () => {
    fc.assert(
      fc.property(programs, (steps) => {
        const world = new World();
        for (const step of steps) {
          world.step(step);
          world.check();
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("is not kept by a memory for others", () => {
    const [plain, other] = [new ArrayMemory(), new ArrayMemory()];
    const data = plain.hold(plain.unset("f32", [50]));
    const { buffer } = elementsIn(data);
    plain.release(data);
    expect(plain.keptBytes).toBe(200);
    expect(other.unset("f32", [50]).buffer).not.toBe(buffer);
    expect(plain.unset("s32", [50]).buffer).toBe(buffer);
    expect(plain.keptBytes).toBe(0);
  });
});

describe("memory that nobody holds", () => {
  it("is used again, zeroed where zeros are asked for", () => {
    for (const memory of [new ArrayMemory(), new ArrayMemory(arenaOf(1, 256))]) {
      const data = memory.hold(memory.unset("f32", [50]).fill(7));
      const shared = memory.hold(elementsIn(data));
      const { buffer, byteOffset } = elementsIn(data);
      memory.release(data);
      memory.release(shared);
      const again = memory.zeroed("f32", [50]);
      expect([again.buffer, again.byteOffset]).toEqual([buffer, byteOffset]);
      expect(again.every((x) => x === 0)).toBe(true);
    }
  });

  it("is a room of an arena for medium arrays, one for each that was given back", () => {
    const arena = arenaOf(3, 128);
    const memory = new ArrayMemory(arena);
    const take = (): Float64Array => memory.unset("f64", [1]);
    const first = take();
    expect(arena.covers(first)).toBe(false);
    memory.release(memory.hold(first));
    const second = take();
    expect([second, take()].map(arena.covers)).toEqual([true, false]);
    const [one, other] = [memory.hold(second), memory.hold(second)];
    memory.release(one);
    expect(arena.owns(second)).toBe(true);
    memory.release(other);
    expect(arena.owns(second)).toBe(false);
    expect(take().byteOffset).toBe(second.byteOffset);
    expect(arena.covers(take())).toBe(false);
  });

  it("is left to the garbage collector beyond 128 MB, and where arrays are small", () => {
    const memory = new ArrayMemory();
    const many = Array.from({ length: 5 }, () => memory.hold(memory.unset("u8", [2 ** 25])));
    many.forEach((data) => memory.release(data));
    expect(memory.keptBytes).toBe(2 ** 27);
    memory.release(memory.hold(memory.unset("u8", [15])));
    expect(memory.keptBytes).toBe(2 ** 27);
  });
});

it("copies parts of arrays of an arena, and hands over whole arrays only", () => {
  const memory = new ArrayMemory(arenaOf(2, 256));
  const array = memory.unset("f32", [50]).fill(3);
  const part = array.subarray(0, 20);
  expect(memory.hold(part).elements).not.toBe(part);
  expect(memory.hold(array).elements).toBe(array);
  expect(memory.handOver(array)).toBe(true);
  expect(memory.handOver(array)).toBe(false);
  const plain = new ArrayMemory();
  const whole = new Float32Array(50);
  plain.hold(whole.subarray(0, 20));
  expect(plain.handOver(whole.subarray(0, 20))).toBe(false);
});

describe("repeatFirst", () => {
  it.each([
    [1, 3],
    [1, 5000],
    [3, 7],
    [2, 50_000],
    [700, 50_000],
    [20_000, 50_000],
  ])("repeats the first %i entries up to %i", (length, size) => {
    for (const create of [Uint8Array, Uint16Array, Int32Array, Float64Array]) {
      const entries = new create(size).map((_, i) => (i < length ? (i % 250) + 1 : 0));
      repeatFirst(entries, length);
      expect(entries).toEqual(new create(size).map((_, i) => ((i % length) % 250) + 1));
    }
  });
});

it("zeroed arrays are zeros, also where the memory held something before", () => {
  const memory = new ArrayMemory();
  const first = memory.unset("f32", [5000]);
  first.fill(7);
  memory.release(memory.hold(first));
  expect(memory.zeroed("f32", [5000])).toEqual(new Float32Array(5000));
  expect(memory.keptBytes).toBe(0);
});
