/** Routines that read and write at indices: bit for bit the primitives of the reference, and failures where these raise. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnyPrimitive, AttrsOf } from "../../../../lib/backends/wasm/routines/routine";
import { binaryBackend } from "../../../../lib/backends/binary";
import type { Template } from "../../../../lib/backend";
import { DTYPES, type DType } from "../../../../lib/core/types";
import type { Tensor } from "../../../../lib/tensor";
import { tries } from "../../../effort";
import * as s from "../../binary/support";
import { expectFailure, expectRoutine, filled, MOODS, resultsOf, template } from "./support";

const exact = { exact: true } as const;
const INDEX_TYPES: readonly DType[] = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];
const indexType = fc.constantFrom(...INDEX_TYPES);
const shapes = fc
  .array(fc.constantFrom(1, 2, 3, 4, 5, 9, 17, 33), { minLength: 1, maxLength: 4 })
  .filter((shape) => s.sizeOf(shape) <= 1500);
const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void, times = 300): void =>
  fc.assert(fc.property(arbitrary, property), { numRuns: tries(times) });

/** Indices below `size`, and with a bad one somewhere. */
function indices(
  type: DType,
  shape: readonly number[],
  sizes: readonly number[],
  seed: number,
  bad: number | null,
): Tensor {
  const n = s.sizeOf(shape);
  const values = Array.from({ length: n }, (_, i) => ((seed + i * 7919) >>> 3) % sizes[i % sizes.length]!);
  if (bad !== null) values[seed % n] = bad === -1 ? -1 : sizes[(seed % n) % sizes.length]! + bad;
  return s.fromNumbers(type, shape, type.endsWith("64") ? values.map(BigInt) : values);
}

/** A bad index, of those that a type has: the size of the axis, beyond it by what 32 bits do not show, or below 0. */
const bad = fc.option(fc.constantFrom(0, 1, -1, 2 ** 32), { nil: null, freq: 4 });
const isBad = (type: DType, value: number | null): value is number =>
  value !== null && (value !== -1 || !type.startsWith("u")) && (value < 2 ** 32 || type.endsWith("64"));

function expectAsPrimitive<P extends AnyPrimitive>(
  primitive: P,
  out: Template,
  inputs: readonly Tensor[],
  attrs: AttrsOf<P>,
  fails: boolean,
  options: { readonly exact?: boolean } = exact,
): void {
  if (!fails) return expectRoutine(primitive, [out], inputs, attrs, options);
  expect(() => resultsOf(binaryBackend, primitive, [out], inputs, attrs)).toThrow("out of bounds");
  expectFailure(primitive, [out], inputs, attrs);
}

const operands = shapes.chain((shape) =>
  fc.record({
    x: s.randomBits(shape),
    at: fc.nat(shape.length - 1),
    type: indexType,
    seed: fc.nat(2 ** 20),
    wrong: bad,
  }),
);

it("elements at places along an axis", () => {
  const cases = fc.tuple(operands, fc.array(fc.constantFrom(1, 2, 3, 8), { maxLength: 2 }));
  check(cases, ([{ x, at, type, seed, wrong }, shape]) => {
    const fails = isBad(type, wrong);
    const places = indices(type, shape, [x.shape[at]!], seed, fails ? wrong : null);
    const out = template(x.type, [...x.shape.slice(0, at), ...shape, ...x.shape.slice(at + 1)]);
    expectAsPrimitive("take", out, [x, places], { axis: at }, fails);
  });
});

it("elements of each line at places of its own", () => {
  const cases = fc.tuple(operands, fc.integer({ min: 1, max: 6 }));
  check(cases, ([{ x, at, type, seed, wrong }, n]) => {
    const fails = isBad(type, wrong);
    const shape = x.shape.map((size, i) => (i === at ? n : size));
    const places = indices(type, shape, [x.shape[at]!], seed, fails ? wrong : null);
    expectAsPrimitive("takeAlong", template(x.type, shape), [x, places], { axis: at }, fails);
  });
});

/** A tensor, some of its axes in any order, and coordinates along them. */
const rows = operands.chain(({ x, type, seed, wrong }) =>
  fc
    .tuple(
      fc.shuffledSubarray(
        x.shape.map((_, i) => i),
        { minLength: 1 },
      ),
      fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 2 }),
    )
    .map(([axes, leading]) => {
      const fails = isBad(type, wrong);
      const sizes = axes.map((axis) => x.shape[axis]!);
      const places = indices(type, [...leading, axes.length], sizes, seed, fails ? wrong : null);
      const rest = x.shape.filter((_, i) => !axes.includes(i));
      return { x, axes, places, fails, shape: [...leading, ...rest], seed };
    }),
);

it("rows at coordinates", () => {
  check(rows, ({ x, axes, places, fails, shape }) =>
    expectAsPrimitive("gather", template(x.type, shape), [x, places], { axes }, fails),
  );
});

describe("writes at coordinates", () => {
  it("of which the last one stays", () => {
    check(rows, ({ x, axes, places, fails, shape, seed }) => {
      const updates = filled(x.type, shape, seed, "special");
      expectAsPrimitive("indexed", template(x.type, x.shape), [x, places, updates], { op: "put", axes }, fails);
    });
  });

  it.each(DTYPES)("that add up, of %s", (type) => {
    const cases = fc.tuple(rows, fc.constantFrom(...MOODS));
    check(
      cases,
      ([
        {
          x: { shape: size },
          axes,
          places,
          fails,
          shape,
          seed,
        },
        mood,
      ]) => {
        const [x, updates] = [filled(type, size, seed, mood), filled(type, shape, seed + 1, mood)];
        expectAsPrimitive("indexed", template(type, size), [x, places, updates], { op: "add", axes }, fails, {});
      },
      60,
    );
  });

  it("leave the bits of all other elements", () => {
    const x = s.fromBytes("f32", [3], Uint8Array.of(1, 2, 0xa0, 0x7f, 0, 0, 0, 0x80, 0, 0, 0, 0));
    const places = s.fromNumbers("s64", [1, 1], [2n]);
    const updates = s.fromNumbers("f32", [1], [1]);
    expectRoutine("indexed", [x], [x, places, updates], { op: "add", axes: [0] }, exact);
  });

  it("of other types are converted", () => {
    const places = s.fromNumbers("s64", [2, 1], [2n, 2n]);
    const [x, updates] = [s.fromNumbers("s32", [3], [1, 2, 3]), s.fromNumbers("u8", [2], [7, 8])];
    for (const op of ["add", "put"] as const) {
      expectRoutine("indexed", [template("f32", [3])], [x, places, updates], { op, axes: [0] });
    }
  });
});
