/** Routines that move elements about, and those that make some: bit for bit the primitives of the reference, NaN payloads too. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { routineOf } from "../../../../lib/backends/wasm/routines";
import { DTYPES, type DType } from "../../../../lib/core/types";
import { Complex } from "../../../../lib/core/complex";
import { tries } from "../../../effort";
import * as s from "../../binary/support";
import { expectRoutine, template } from "./support";

const exact = { exact: true } as const;

/** Shapes with axes around the widths of vectors and of what is unrolled. */
const shapes = fc
  .array(fc.constantFrom(1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33), { minLength: 0, maxLength: 4 })
  .filter((shape) => s.sizeOf(shape) <= 2500);
const tensors = (of = shapes) => of.chain((shape) => s.randomBits(shape));
const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void, times = 400): void =>
  fc.assert(fc.property(arbitrary, property), { numRuns: tries(times) });

const permutation = (rank: number) =>
  fc.shuffledSubarray(
    Array.from({ length: rank }, (_, i) => i),
    { minLength: rank, maxLength: rank },
  );

describe("axes", () => {
  it("in another order", () => {
    const cases = tensors().chain((x) => permutation(x.shape.length).map((axes) => ({ x, axes })));
    check(cases, ({ x, axes }) => {
      const out = template(
        x.type,
        axes.map((axis) => x.shape[axis]!),
      );
      expectRoutine("transpose", [out], [x], { axes }, exact);
    });
  });

  it("reversed", () => {
    const cases = tensors().chain((x) => fc.subarray(x.shape.map((_, i) => i)).map((axes) => ({ x, axes })));
    check(cases, ({ x, axes }) => expectRoutine("reverse", [template(x.type, x.shape)], [x], { axes }, exact));
  });

  it("repeated", () => {
    const cases = fc.tuple(tensors(), fc.infiniteStream(fc.boolean()), shapes).map(([x, bits, more]) => {
      const isFixed = x.shape.map(() => bits.next().value as boolean);
      const shape = x.shape.map((size, i) => (isFixed[i] ? size : 1));
      const extra = more.slice(0, 1);
      return { type: x.type, shape, out: [...extra, ...x.shape], axes: x.shape.map((_, i) => i + extra.length) };
    });
    const filled = cases.chain((each) => s.randomBits(each.shape, each.type).map((x) => ({ ...each, x })));
    check(filled, ({ x, out, axes }) => expectRoutine("broadcast", [template(x.type, out)], [x], { axes }, exact));
  });

  it("of the whole as they are", () => {
    check(tensors(), (x) => {
      expectRoutine("reshape", [template(x.type, [s.sizeOf(x.shape)])], [x], {}, exact);
      expectRoutine("bitcast", [template(x.type, x.shape)], [x], {}, exact);
    });
  });
});

describe("parts", () => {
  const types: readonly DType[] = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];
  const extremes: { readonly [T in DType]?: readonly bigint[] } = {
    u8: [255n],
    s8: [-128n, 127n],
    u16: [65535n],
    s16: [-32768n],
    u32: [2n ** 32n - 1n, 2n ** 31n],
    s32: [-(2n ** 31n), 2n ** 31n - 1n],
    u64: [2n ** 63n, 2n ** 64n - 1n, 2n ** 32n],
    s64: [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 32n, -1n],
  };
  const start = fc
    .constantFrom(...types)
    .chain((type) => fc.oneof(fc.bigInt(0n, 9n), fc.constantFrom(...extremes[type]!)).map((value) => ({ type, value })))
    .map(({ type, value }) => s.fromNumbers(type, [], [type === "s64" || type === "u64" ? value : Number(value)]));

  /** A start for each axis, some of them dynamic. */
  const starts = (shape: readonly number[], lengths: readonly number[]) =>
    fc
      .tuple(...shape.map((size, i) => fc.option(fc.nat(size - lengths[i]!), { nil: null })))
      .chain((fixed) =>
        fc.tuple(...fixed.filter((each) => each === null).map(() => start)).map((dynamic) => ({ fixed, dynamic })),
      );

  it("from static and dynamic places", () => {
    const cases = tensors().chain((x) =>
      fc
        .tuple(...x.shape.map((size) => fc.integer({ min: 1, max: size })))
        .chain((lengths) =>
          fc
            .tuple(starts(x.shape, lengths), fc.tuple(...x.shape.map(() => fc.constantFrom(1, 1, 1, 2, 3))))
            .map(([{ fixed, dynamic }, strides]) => ({ x, lengths, fixed, dynamic, strides })),
        ),
    );
    check(cases, ({ x, lengths, fixed, dynamic, strides }) => {
      const out = template(
        x.type,
        lengths.map((length, i) => Math.ceil(length / strides[i]!)),
      );
      expectRoutine("slice", [out], [x, ...dynamic], { starts: fixed, lengths, strides }, exact);
    });
  });

  it("put at static and dynamic places, of other types too", () => {
    const cases = tensors().chain((x) =>
      fc.tuple(...x.shape.map((size) => fc.integer({ min: 1, max: size }))).chain((lengths) =>
        fc.tuple(starts(x.shape, lengths), s.randomBits(lengths, x.type), fc.boolean()).map(([at, piece, isOther]) => ({
          x,
          piece: isOther ? s.fromNumbers("s16", lengths, new Array<number>(s.sizeOf(lengths)).fill(-3)) : piece,
          ...at,
        })),
      ),
    );
    check(cases, ({ x, piece, fixed, dynamic }) => {
      expectRoutine("putSlice", [template(x.type, x.shape)], [x, piece, ...dynamic], { starts: fixed }, exact);
    });
  });

  it("joined, of several types", () => {
    const cases = tensors(shapes.filter((shape) => shape.length > 0)).chain((x) =>
      fc
        .tuple(fc.nat(x.shape.length - 1), fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }))
        .chain(([axis, sizes]) => {
          const pieces = sizes.map((size) =>
            s.randomBits(
              x.shape.map((n, i) => (i === axis ? size : n)),
              x.type,
            ),
          );
          return fc.tuple(...pieces).map((more) => ({ inputs: [x, ...more], axis }));
        }),
    );
    check(cases, ({ inputs, axis }) => {
      const [{ type, shape }] = inputs as [(typeof inputs)[0]];
      const size = inputs.reduce((sum, input) => sum + input.shape[axis]!, 0);
      const out = shape.map((n, i) => (i === axis ? size : n));
      expectRoutine("concatenate", [template(type, out)], inputs, { axis }, exact);
      const narrow = s.fromNumbers("u8", shape, new Array<number>(s.sizeOf(shape)).fill(200));
      expectRoutine(
        "concatenate",
        [
          template(
            "f32",
            shape.map((n, i) => (i === axis ? 2 * n : n)),
          ),
        ],
        [narrow, narrow],
        { axis },
        exact,
      );
    });
  });

  it("padded, cropped and spread", () => {
    const along = fc.tuple(fc.integer({ min: -3, max: 5 }), fc.integer({ min: -3, max: 5 }), fc.nat(2));
    const cases = tensors()
      .chain((x) =>
        fc
          .tuple(s.randomBits([], x.type), ...x.shape.map(() => along))
          .map(([value, ...config]) => ({ x, value, config })),
      )
      .map(({ x, value, config }) => ({
        ...{ x, value, config },
        out: x.shape.map((size, i) => size + (size - 1) * config[i]![2] + config[i]![0] + config[i]![1]),
      }))
      .filter(({ out }) => out.every((size) => size > 0));
    check(cases, ({ x, value, config, out }) => {
      expectRoutine("pad", [template(x.type, out)], [x, value], { config }, exact);
      const other = s.fromNumbers("s8", [], [-3]);
      expectRoutine("pad", [template(x.type, out)], [x, other], { config }, exact);
    });
  });

  it("no slice from places that are no integers", () => {
    const x = template("f32", [4]);
    const attrs = { starts: [null], lengths: [2], strides: [1] };
    expect(routineOf("slice", [template("f32", [2])], [x, template("f32", [])], attrs)).toBeNull();
    expect(routineOf("putSlice", [x], [x, template("f32", [2]), template("f32", [])], attrs)).toBeNull();
  });
});

describe.each(DTYPES)("of %s", (type) => {
  it("other types", () => {
    for (const to of DTYPES) {
      for (const overflow of ["saturate", "wrap"] as const) {
        const numbers = [0, 1, 127, 3, 200, 255, 77];
        const shape = [numbers.length];
        const x = type === "c64" || type === "c128" ? complex(type, numbers) : s.fromNumbers(type, shape, numbers);
        expectRoutine("asType", [template(to, shape)], [x], { overflow });
      }
    }
  });

  it("constants, counts and diagonals", () => {
    for (const shape of [[], [1], [3], [5, 7], [2, 3, 4], [40, 33]]) {
      const out = template(type, shape);
      expectRoutine("constant", [out], [], { value: 3 }, exact);
      if (type.startsWith("c")) expectRoutine("constant", [out], [], { value: new Complex(-0, NaN) });
      for (const axis of [null, ...shape.map((_, i) => i)]) expectRoutine("iota", [out], [], { axis }, exact);
      if (shape.length >= 2) expectRoutine("eye", [out], [], {}, exact);
    }
    for (const value of [-1, 300, 2 ** 40, -(2 ** 33)]) expectRoutine("constant", [template(type, [5])], [], { value });
  });
});

function complex(type: "c64" | "c128", numbers: readonly number[]) {
  const parts = s.fromNumbers(
    type === "c64" ? "f32" : "f64",
    [numbers.length, 2],
    numbers.flatMap((x) => [x, -x]),
  );
  return s.fromBytes(type, [numbers.length], parts.backend.download!(parts));
}
