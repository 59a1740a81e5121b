/** Copies from and to arrays outside of the memory of kernels: the bytes that a loop over items copies, and no others. */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { elementsOf } from "../../../lib/backends/arrays/storage";
import { tune } from "../../../lib/backends/tuning";
import { copyBox } from "../../../lib/backends/wasm/copy";
import type { Box } from "../../../lib/backends/wasm/copy/boxes";
import { copyStaged } from "../../../lib/backends/wasm/copy/staged";
import { addressOf, arena } from "../../../lib/backends/wasm/memory/arena";
import { inScratch } from "../../../lib/backends/wasm/memory/linear";
import { STAGED_BYTES, STAGED_WHOLE } from "../../../lib/backends/wasm/schedule/copies";
import { tries } from "../../effort";

afterEach(() => tune({ arenaBytes: null }));

const numbered = (array: Uint8Array, seed: number): Uint8Array => array.map((_, i) => (i * 2654435761 + seed) >>> 11);

/** The same box, item by item. */
function reference(source: Uint8Array, target: Uint8Array, { from, to, bytes, axes }: Box, axis = 0): void {
  if (axis === axes.length) return target.set(source.subarray(from, from + bytes), to);
  const { size, from: step, to: toStep } = axes[axis]!;
  for (let i = 0; i < size; i++) {
    reference(source, target, { from: from + i * step, to: to + i * toStep, bytes, axes }, axis + 1);
  }
}

/** Copies between arrays of so many bytes, and compares all bytes of the target with those that the reference makes. */
function compare(box: Box, source: Uint8Array, target: Uint8Array): boolean {
  const expected = Uint8Array.from(target);
  const isCopied = inScratch(() => copyStaged(source, target, box, copyBox));
  if (isCopied) reference(source, expected, box);
  expect(Buffer.compare(target, expected)).toBe(0);
  return isCopied;
}

describe("a box between arrays of which one lies outside", () => {
  const plan = fc.record({
    bytes: fc.constantFrom(1, 2, 4, 8, 16, 12),
    sizes: fc.array(fc.constantFrom(1, 2, 3, 7, 40, 131, 500), { minLength: 1, maxLength: 4 }),
    order: fc.array(fc.nat(100), { minLength: 4, maxLength: 4 }),
    times: fc.array(fc.constantFrom(1, 1, -1, 2, 0), { minLength: 4, maxLength: 4 }),
    place: fc.constantFrom("source", "target", "both"),
    gap: fc.constantFrom(0, 0, 0, 1),
  });
  const MOST = 5 * STAGED_BYTES;

  it("is copied whatever its order and steps", () => {
    tune({ arenaBytes: 2 ** 30 }); // whatever other tests keep there
    let copied = 0;
    fc.assert(
      fc.property(plan, ({ bytes, sizes, order, times, place, gap }) => {
        const byOrder = sizes.map((_, i) => i).sort((a, b) => order[a]! - order[b]! || a - b);
        const [from, to]: [number[], number[]] = [[], []];
        let length: number = bytes;
        for (const axis of byOrder)
          [from[axis], length] = [length * times[axis]!, length * sizes[axis]! * Math.max(1, Math.abs(times[axis]!))];
        let written = bytes + gap;
        for (const axis of sizes.keys()) [to[axis], written] = [written, written * sizes[axis]!];
        fc.pre(length < MOST && written < MOST);
        const begin = sizes.reduce((sum, size, i) => sum + (times[i]! < 0 ? (size - 1) * -from[i]! : 0), 8);
        const box = {
          from: begin,
          to: 24,
          bytes,
          axes: sizes.map((size, i) => ({ size, from: from[i]!, to: to[i]! })),
        };
        const make = (isOutside: boolean, count: number): Uint8Array =>
          isOutside ? new Uint8Array(count) : arena.create(Uint8Array, count)!;
        const source = make(place !== "target", length + 40);
        const target = make(place !== "source", written + 40);
        source.set(numbered(source, 1));
        target.set(numbered(target, 2));
        copied += Number(compare(box, source, target));
        for (const array of [source, target]) if (addressOf(array) !== null) arena.giveBack(array);
      }),
      { numRuns: tries(300) },
    );
    expect(copied).toBeGreaterThan(0);
  });

  const plane = (rows: number, columns: number, bytes: number, pitch = columns): Box => ({
    from: 0,
    to: 0,
    bytes,
    axes: [
      { size: columns, from: bytes, to: bytes * rows },
      { size: rows, from: bytes * pitch, to: bytes },
    ],
  });

  it.each([1, 2, 4, 8, 16])("is turned in several pieces: items of %s bytes", (bytes) => {
    const [rows, columns] = [611, 1203];
    const source = numbered(new Uint8Array(rows * columns * bytes), 3);
    expect(compare(plane(rows, columns, bytes), source, new Uint8Array(source.length))).toBe(true);
  });

  it("is left to loops where it has gaps in a target outside, or reads little of a source", () => {
    const source = numbered(new Uint8Array(4_000_000), 4);
    const gaps: Box = { from: 0, to: 0, bytes: 4, axes: [{ size: 1000, from: 4, to: 8 }] };
    expect(compare(gaps, source, new Uint8Array(8000))).toBe(false);
    const few: Box = { from: 0, to: 0, bytes: 4, axes: [{ size: 100_000, from: 40, to: 4 }] };
    expect(compare(few, source, new Uint8Array(400_000))).toBe(false);
  });

  it("is left to loops where a source that is to be put into scratch memory whole is larger than may be", () => {
    const [rows, columns] = [2 ** 12, STAGED_WHOLE / 2 ** 12 + 64];
    const source = new Uint8Array(rows * columns);
    const target = new Uint8Array(rows * columns);
    expect(inScratch(() => copyStaged(source, target, plane(rows, columns, 1), copyBox))).toBe(false);
  });
});

describe("where the arena has no room", () => {
  const moves: Record<string, (x: Tensor, y: Tensor) => Tensor> = {
    "a transpose": (x) => Nx.transpose(x),
    "rows turned round": (x) => Nx.reverse(x, { axes: [1] }),
    "all turned round": (x) => Nx.reverse(x),
    "every second column": (x) => x.slice([0, 1], [300, 150], { strides: [1, 2] }),
    "two stacked along a last axis": (x, y) => Nx.stack([x, y], { axis: 2 }),
    "two side by side": (x, y) => Nx.concatenate([x, y], { axis: 1 }),
    "each element twice": (x) => Nx.repeat(x, 2, { axis: 1 }),
    "a transpose of a slice": (x) => Nx.transpose(x.slice([3, 5], [290, 280])),
    "differences along rows": (x) => Nx.diff(x, { axis: 1 }),
    "a sum with its transpose": (x, y) =>
      Nx.add(x.slice([5, 0], [310, 310]), Nx.transpose(y.slice([5, 0], [310, 310]))),
    "a joined pair, and more": (x, y) => Nx.multiply(Nx.concatenate([x, y], { axis: 1 }), 3),
  };
  const types = ["u8", "bf16", "f32", "s64", "c128"] as const;

  const bytesOf = (t: Tensor): Buffer => Buffer.from(Nx.toBinary(t));
  const operands = (type: (typeof types)[number], backend: "wasm" | "binary"): [Tensor, Tensor] =>
    [1, 7].map((factor) => {
      const numbers = Nx.iota([320, 310]).multiply(factor).remainder(251).asType(type);
      return Nx.backendCopy(numbers, backend);
    }) as [Tensor, Tensor];

  it.each(Object.keys(moves).flatMap((name) => types.map((type) => [name, type] as const)))(
    "%s is made (%s)",
    (name, type) => {
      const work = moves[name]!;
      const expected = Nx.withDefaultBackend("binary", () => bytesOf(work(...operands(type, "binary"))));
      tune({ arenaBytes: 2 ** 30 }); // whatever other tests keep there
      const inMemory = operands(type, "wasm");
      expect(addressOf(elementsOf(inMemory[0]))).not.toBeNull();
      tune({ arenaBytes: 0 });
      const outside = operands(type, "wasm");
      expect(addressOf(elementsOf(outside[0]))).toBeNull();
      for (const given of [inMemory, outside, [inMemory[0], outside[1]] as const]) {
        const made = Nx.evaluate(work(...given));
        expect(addressOf(elementsOf(made))).toBeNull();
        expect(bytesOf(made).equals(expected)).toBe(true);
      }
    },
  );
});
