import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { broadcastReader } from "../../../lib/backends/arrays/kernels";
import { allocate, widthOf, type Elements } from "../../../lib/backends/arrays/storage";
import { addressOf, arena } from "../../../lib/backends/wasm/memory/arena";
import { inScratch, views } from "../../../lib/backends/wasm/memory/linear";
import {
  bring,
  bringCalls,
  Layout,
  NOWHERE,
  roomFor,
  Stored,
  type Operand,
} from "../../../lib/backends/wasm/placement";
import { Plans } from "../../../lib/backends/wasm/placement/plans";
import { runSteps } from "../../../lib/backends/wasm/threads";
import { bytesOfView } from "../../../lib/core/bytes";
import { bytesOf, type DType } from "../../../lib/core/types";
import { accessOf, Reader } from "../../../lib/kernel/operand";
import * as Nx from "../../../lib/index";
import { tries } from "../../effort";

const TYPES: readonly DType[] = ["u8", "f16", "f32", "f64", "c64", "c128"];

const operand: fc.Arbitrary<Operand> = fc.record({
  type: fc.constantFrom(...TYPES),
  kind: fc.constantFrom("given" as const, "uniform" as const, "staged" as const),
  each: fc.integer({ min: 1, max: 9 }),
  spare: fc.integer({ min: 0, max: 3 }),
});

describe("layouts", () => {
  it("give each chunk that is under way rooms of its own, and what is resident where it is", () => {
    const cases = fc.array(fc.tuple(operand, fc.boolean()), { minLength: 1, maxLength: 6 });
    const upTo = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max });
    fc.assert(
      fc.property(cases, upTo(70), upTo(5), (given, span, slots) => {
        const operands = given.map(([one]) => one);
        const bases = given.map(([, isResident], i) => (isResident ? 1_000_000 * (i + 1) : NOWHERE));
        inScratch(() => {
          const layout = new Layout(operands, bases, span, slots);
          const origins = layout.origins(bases);
          const taken: (readonly [from: number, to: number])[] = [];
          for (let slot = 0; slot < slots; slot++) {
            const start = slot * span;
            const addresses = layout.addresses(origins, slot, start);
            operands.forEach(({ type, kind, each, spare }, i) => {
              const at = addresses[i]!;
              if (bases[i] !== NOWHERE) expect(at).toBe(bases[i]! + start * each * bytesOf(type));
              else if (kind === "staged") taken.push([at, at + (span * each + spare) * bytesOf(type)]);
              else if (kind === "uniform" && slot === 0) taken.push([at, at + each * bytesOf(type)]);
              else if (kind === "uniform") expect(at).toBe(origins[i]);
            });
          }
          taken.sort(([a], [b]) => a - b);
          taken.slice(1).forEach(([from], i) => expect(from).toBeGreaterThanOrEqual(taken[i]![1]));
        });
      }),
    );
  });
});

describe("operands that are copied", () => {
  const view = fc.record({
    shape: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 2, maxLength: 4 }),
    flips: fc.array(fc.constantFrom(-1, 1, 1, 2, 0), { minLength: 4, maxLength: 4 }),
  });
  const piece = fc.record({
    type: fc.constantFrom(...TYPES),
    first: fc.nat(1000),
    last: fc.nat(1000),
    again: fc.nat(2),
  });

  it("are found where the array of each lies, whatever was copied of others that are walked alike", () => {
    const room = arena.create(Uint8Array, 2 ** 18)!;
    const to = addressOf(room)!;
    fc.assert(
      fc.property(view, fc.array(piece, { minLength: 1, maxLength: 100 }), ({ shape, flips }, pieces) => {
        let [step, offset] = [1, 0];
        const strides = shape.map((dim, axis) => {
          const stride = step * flips[axis]!;
          if (stride < 0) offset += (1 - dim) * stride;
          step *= dim * Math.max(1, Math.abs(flips[axis]!));
          return stride;
        });
        const size = shape.reduce((product, dim) => product * dim, 1);
        const access = accessOf(shape, strides, offset);
        const arrays = TYPES.flatMap((type) => [1, 2].map((seed) => arrayOf(type, step, seed)));
        for (const { type, first, last, again } of pieces) {
          const start = Math.floor((first / 1001) * size);
          const n = 1 + Math.floor((last / 1001) * (size - start));
          for (const array of arrays.slice(2 * TYPES.indexOf(type)).slice(0, again)) {
            const reader = new Reader(array, widthOf(type), access);
            const expected = allocate(type, n);
            reader.read(expected, 0, start, n);
            bring(type, reader, start, n, to);
            expect(Buffer.from(room.slice(0, expected.byteLength)).equals(bytesOfView(expected))).toBe(true);
            if (access.kind === "uniform") continue;
            room.fill(0);
            runSteps(bringCalls(reader, start, n, to)!);
            expect(Buffer.from(room.slice(0, expected.byteLength)).equals(bytesOfView(expected))).toBe(true);
          }
        }
        for (const array of arrays) arena.giveBack(array);
      }),
      { numRuns: tries(100) },
    );
    arena.giveBack(room);
  });

  function arrayOf(type: DType, count: number, seed: number): Elements {
    const like = allocate(type, count);
    const array = arena.create(like.constructor as Uint8ArrayConstructor, like.length)!;
    array.forEach((_, i) => (array[i] = (i * 7 + seed) % 251));
    return array;
  }
});

describe("arrays", () => {
  const numbers = Float32Array.from({ length: 60 }, (_, i) => i);
  const resident = arena.create(Float32Array, 60)!;
  resident.set(numbers);

  it.each([
    ["resident", resident],
    ["ordinary", numbers],
  ])("that are %s come in by rows and go out by rows", (_, array) => {
    inScratch(() => {
      const [source, target] = [new Stored("f32", array), new Float32Array(60).fill(-1)];
      const room = roomFor("f32", 60);
      for (const [rows, columns, pitch, from] of [
        [5, 10, 12, 0],
        [3, 1, 12, 7],
        [5, 12, 12, 0],
        [1, 4, 4, 3],
      ] as const) {
        const at = source.bringRows(rows, columns, pitch, from, room);
        const brought = [...views().f32.subarray(at / 4, at / 4 + rows * columns)];
        const expected = Array.from(
          { length: rows * columns },
          (_, i) => from + Math.floor(i / columns) * pitch + (i % columns),
        );
        expect(brought).toEqual(expected);
        target.fill(-1);
        new Stored("f32", target).putRows(rows, columns, pitch, from, at);
        expect([...target].filter((x) => x >= 0)).toEqual(expected);
        for (const i of expected) expect(target[i]).toBe(i);
      }
    });
  });
});

describe("plans", () => {
  const elements = new Float32Array(12);
  const walks = [accessOf([12], [1], 0), accessOf([3, 4], [1, 3], 0)];
  const reader = (walk: number): Reader => new Reader(elements, 1, walks[walk]!);

  it("are found for operands that are walked and lie alike, and for no others", () => {
    const asked = fc.tuple(
      fc.tuple(fc.nat(1), fc.nat(1)),
      fc.tuple(fc.constantFrom(NOWHERE, 64, 128), fc.constantFrom(NOWHERE, 64, 128)),
      fc.tuple(fc.nat(1), fc.nat(1)),
    );
    fc.assert(
      fc.property(asked, asked, ([readers, bases, figures], [others, otherBases, otherFigures]) => {
        const plans = new Plans<string>();
        const kernel = {};
        const plan = (
          of: object,
          name: string,
          [ways, at, sizes]: typeof asked extends fc.Arbitrary<infer A> ? A : never,
        ) => plans.get(of, ways.map(reader), at, sizes, () => name);
        expect(plan(kernel, "first", [readers, bases, figures])).toBe("first");
        const isAlike =
          readers.every((walk, i) => walk === others[i]) &&
          bases.every((base, i) => base >= 0 === otherBases[i]! >= 0) &&
          figures.every((figure, i) => figure === otherFigures[i]);
        expect(plan(kernel, "second", [others, otherBases, otherFigures])).toBe(isAlike ? "first" : "second");
        expect(plan({}, "third", [readers, bases, figures])).toBe("third");
      }),
    );
  });

  it("are made for ways of walking that a repeated call finds again", () => {
    const [matrix, row] = [Nx.iota([3, 4]), Nx.iota([4])];
    const accessTo = (tensor: Nx.Tensor): unknown => broadcastReader(tensor, [3, 4]).access;
    expect(accessTo(row)).toBe(accessTo(Nx.iota([4])));
    expect(accessTo(matrix)).toBe(accessTo(Nx.iota([3, 4])));
    expect(accessTo(row)).not.toBe(accessTo(matrix));
  });
});
