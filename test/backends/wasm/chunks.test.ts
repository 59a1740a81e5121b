/** Work that is cut into chunks: a kernel that copies elements, run by the driver, copies all of them, wherever they lie. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BackendError } from "../../../lib/core/errors";
import { tune } from "../../../lib/backends/tuning";
import { arena } from "../../../lib/backends/wasm/memory/arena";
import { define, i32, local } from "../../../lib/backends/wasm/asm";
import { runChunks, type Chunk } from "../../../lib/backends/wasm/placement/chunks";
import { inScratch, views } from "../../../lib/backends/wasm/memory/linear";
import type { KernelModule } from "../../../lib/backends/wasm/modules/module";
import { exportsOf } from "../../../lib/backends/wasm/modules/cache";
import { baseOf, baseOfArray, Layout, NOWHERE, type Operand } from "../../../lib/backends/wasm/placement";
import { orElse, primitiveOrElse } from "../../../lib/backends/wasm/memory/refusal";
import { accessOf, Reader } from "../../../lib/kernel/operand";

/** `(n, from, to)`, as the functions of kernels take them. */
const copying = {
  exports: {
    run(n: number, from: number, to: number): void {
      views().f32.copyWithin(to / 4, from / 4, from / 4 + n);
    },
  },
} as unknown as KernelModule;

const upTo = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max });

const cases = fc.record({
  lines: upTo(4),
  length: fc.integer({ min: 2, max: 40 }),
  span: upTo(17),
  fewer: fc.nat(16),
  each: upTo(3),
  isRead: fc.boolean(),
  isWritten: fc.boolean(),
  isAtOnce: fc.boolean(),
});

// The kernel is none that other threads could run.
beforeAll(() => tune({ threads: 1 }));
afterAll(() => tune({ threads: null }));

describe("chunks", () => {
  it("are all of the units, each within a line, and have at least as many as there must be", () => {
    fc.assert(
      fc.property(cases, ({ lines, length, span, fewer, each, isRead, isWritten, isAtOnce }) => {
        const least = Math.max(1, span - fewer);
        const size = lines * length * each;
        const made = (isResident: boolean) => (isResident ? arena.create(Float32Array, size)! : new Float32Array(size));
        const [source, target] = [made(isRead), made(isWritten)];
        source.set(Array.from({ length: size }, (_, i) => i + 1));
        target.fill(0);
        const chunks = lines * Math.ceil(length / span);
        const seen: Chunk[] = [];
        inScratch(() => {
          const reader = new Reader(source, 1, accessOf([size], [1], 0));
          const bases = [baseOf(reader), baseOfArray(target)];
          const operand: Operand = { type: "f32", kind: "staged", each, spare: 0 };
          const layout = new Layout([operand, operand], bases, span, isAtOnce ? chunks : 1);
          runChunks({
            ...{ module: copying, name: "run", length, least, layout, origins: layout.origins(bases) },
            cut: { span, chunks, slots: isAtOnce ? chunks : 1, isAtOnce },
            readers: [reader],
            results: [[1, target]],
            callsOf: ({ n, addresses }) => [[n * each, ...addresses]],
            collect: (chunk) => seen.push(chunk),
          });
          expect(bases.map((base) => base === NOWHERE)).toEqual([!isRead, !isWritten]);
        });
        expect([...target]).toEqual([...source]);
        expect(seen.map(({ number }) => number)).toEqual(Array.from({ length: chunks }, (_, i) => i));
        for (const { line, start, n } of seen) {
          expect(n).toBeGreaterThanOrEqual(Math.min(least, length));
          expect(start).toBeGreaterThanOrEqual(line * length);
          expect(start + n).toBeLessThanOrEqual((line + 1) * length);
        }
      }),
    );
  });

  it("read an operand that repeats itself once for each room", () => {
    const source = Float32Array.from({ length: 8 }, (_, i) => i);
    const target = new Float32Array(40);
    const reads: number[] = [];
    class Counting extends Reader {
      override read(...args: Parameters<Reader["read"]>): void {
        reads.push(args[2]);
        super.read(...args);
      }
    }
    inScratch(() => {
      const reader = new Counting(source, 1, accessOf([5, 8], [0, 1], 0));
      const operand = { type: "f32", kind: "staged", each: 1, spare: 0 } as const;
      const bases = [NOWHERE, NOWHERE];
      const layout = new Layout([{ ...operand, repeats: true }, operand], bases, 16, 1);
      runChunks({
        ...{ module: copying, name: "run", length: 40, least: 1, layout, origins: layout.origins(bases) },
        cut: { span: 16, chunks: 3, slots: 1, isAtOnce: false },
        readers: [reader],
        results: [[1, target]],
        callsOf: ({ n, addresses }) => [[n, ...addresses]],
        collect: null,
      });
    });
    expect(reads).toEqual([0]);
    expect([...target]).toEqual(Array.from({ length: 40 }, (_, i) => i % 8));
  });
});

describe("chunks in turn", () => {
  it("are copied right before the work on them, to the room of their slot", () => {
    const [source, target] = [arena.create(Float32Array, 4096)!, arena.create(Float32Array, 4096)!];
    source.set(Array.from({ length: 4096 }, (_, i) => i));
    const rooms: number[] = [];
    const noting = {
      exports: {
        run(n: number, from: number, to: number): void {
          rooms.push(from);
          copying.exports.run!(n, from, to);
        },
      },
    } as unknown as KernelModule;
    inScratch(() => {
      const reader = new Reader(source, 1, accessOf([64, 64], [1, 64], 0));
      const operand = { type: "f32", kind: "staged", each: 1, spare: 0 } as const;
      const bases = [baseOf(reader), baseOfArray(target)];
      const layout = new Layout([operand, operand], bases, 1024, 3);
      runChunks({
        ...{ module: noting, name: "run", length: 4096, layout, origins: layout.origins(bases), readers: [reader] },
        cut: { span: 1024, chunks: 4, slots: 3, isAtOnce: false, isInTurn: true },
      });
    });
    expect([...target]).toEqual(Array.from({ length: 4096 }, (_, i) => (i % 64) * 64 + Math.floor(i / 64)));
    // chunks of a slot follow each other
    expect(rooms[0]).toBe(rooms[1]);
    expect(rooms[2]).toBe(rooms[3]);
    expect(Math.abs(rooms[2]! - rooms[0]!)).toBeGreaterThanOrEqual(4096);
    for (const array of [source, target]) arena.giveBack(array);
  });
});

describe("a call that traps", () => {
  const trapping = {
    exports: {
      run(): never {
        throw new WebAssembly.RuntimeError("unreachable");
      },
    },
  } as unknown as KernelModule;

  it.each([1, 2])("is the error of the library where there are %i", (chunks) => {
    const layout = new Layout([], [], 1, chunks);
    const work = { module: trapping, name: "run", length: chunks, layout, origins: [], callsOf: () => [[]] };
    for (const isAtOnce of [true, false]) {
      const run = (): void => runChunks({ ...work, cut: { span: 1, chunks, slots: 1, isAtOnce } } as never);
      expect(orElse(run, () => {})).toThrow(BackendError);
      expect(orElse(run, () => {})).toThrow(/kernel (run )?failed: unreachable$/);
    }
  });

  it("is the error of the library where functions of a module at hand are called, and in primitives", () => {
    const load = define(["at"], ["x"], 0, ({ at, x }) => local.set(x, i32.load({}, at)));
    const run = (): number => exportsOf("a load", () => ({ load })).load!(-16);
    expect(run).toThrow(WebAssembly.RuntimeError);
    expect(orElse(run, () => 0)).toThrow(new BackendError("a kernel failed: memory access out of bounds"));
    expect(primitiveOrElse(run, () => 0)).toThrow(new BackendError("a kernel failed: memory access out of bounds"));
  });
});
