/** Conversions between stored elements and lanes: blocks of any length are what single elements are. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  loadC128,
  loadF64,
  loadI32,
  loadI64,
  storeC128,
  storeF64,
  storeI32,
  storeI64,
} from "../../../lib/backends/arrays/convert";
import { DTYPES, isComplex, isInteger, is64Bit, type DType } from "../../../lib/core/types";
import { dataOf, emptyOf } from "../../kernel/executors-support";

type LaneArray = Float64Array | Int32Array;
type Load = (type: DType, src: never, at: number, dst: never, n: number) => void;

interface Lane {
  readonly name: string;
  readonly takes: (type: DType) => boolean;
  readonly width: 1 | 2;
  readonly create: (entries: number) => LaneArray;
  readonly load: Load;
  readonly store: Load;
}

const doubles = (n: number): LaneArray => new Float64Array(n);
const words = (n: number): LaneArray => new Int32Array(n);
const isShort = (type: DType): boolean => isInteger(type) && !is64Bit(type);

const LANES: readonly Lane[] = [
  { name: "f64", takes: () => true, width: 1, create: doubles, load: loadF64, store: storeF64 },
  { name: "i32", takes: isShort, width: 1, create: words, load: loadI32, store: storeI32 },
  { name: "i64", takes: isInteger, width: 2, create: words, load: loadI64, store: storeI64 },
  { name: "complex", takes: () => true, width: 2, create: doubles, load: loadC128, store: storeC128 },
];

/** Lengths on both sides of where the ways of copying change. */
const lengths = fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constantFrom(1023, 1024, 1025, 2500));

describe.each(LANES)("the lane $name", ({ name, takes, width, create, load, store }) => {
  const types = DTYPES.filter(takes);

  it("has blocks of the bits that single elements have", () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), lengths, fc.nat(7), fc.nat(1e6), (type, n, at, seed) => {
        const stored = dataOf(type, n + at, seed);
        const [block, singles] = [create(n * width), create(n * width)];
        load(type, stored as never, at, block as never, n);
        for (let i = 0; i < n; i++)
          load(type, stored as never, at + i, singles.subarray(i * width, (i + 1) * width) as never, 1);
        expect(block).toEqual(singles);
        const [whole, parts] = [emptyOf(type, n + at), emptyOf(type, n + at)];
        store(type, whole as never, at, block as never, n);
        for (let i = 0; i < n; i++)
          store(type, parts as never, at + i, singles.subarray(i * width, (i + 1) * width) as never, 1);
        expect(whole).toEqual(parts);
      }),
    );
  });

  /** Half floats lose the payload of NaN, and doubles low digits of 64-bit integers. */
  const isHeld = (type: DType): boolean =>
    type !== "f16" && type !== "bf16" && isComplex(type) === (name === "complex") && (name !== "f64" || !is64Bit(type));

  it("brings back what it read", () => {
    for (const type of types.filter(isHeld)) {
      const stored = dataOf(type, 300, 5);
      const [block, back] = [create(300 * width), emptyOf(type, 300)];
      load(type, stored as never, 0, block as never, 300);
      store(type, back as never, 0, block as never, 300);
      expect([type, back]).toEqual([type, stored]);
    }
  });
});
