import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { broadcastReader } from "../../../lib/backends/arrays/kernels";
import { arena } from "../../../lib/backends/wasm/arena";
import { inScratch, views } from "../../../lib/backends/wasm/memory";
import { Layout, NOWHERE, roomFor, Stored, type Operand } from "../../../lib/backends/wasm/placement";
import { Plans } from "../../../lib/backends/wasm/plans";
import { bytesOf, type DType } from "../../../lib/core/types";
import { accessOf, Reader } from "../../../lib/kernel/operand";
import * as Nx from "../../../lib/index";

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
