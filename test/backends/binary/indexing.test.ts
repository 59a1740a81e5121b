/** Indexing primitives against references that look up one element at a time. Reads compare bits, sums compare values. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArgumentError } from "../../../lib/core/errors";
import { allAxes } from "../../../lib/core/shape";
import { DTYPES, type DType } from "../../../lib/core/types";
import { Tensor } from "../../../lib/tensor";
import * as s from "./support";

const indexTypes = fc.constantFrom<DType>("u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64");

const clamp = (start: number, most: number) => Math.max(0, Math.min(start, most));

/** A start beyond the ends now and then, given as a number or as a tensor. */
const start = fc.record({ at: fc.integer({ min: -3, max: 9 }), dynamic: fc.boolean(), type: indexTypes });

/** Starts as attributes and inputs; unsigned tensors cannot hold negative ones. */
function startsOf(starts: { at: number; dynamic: boolean; type: DType }[]) {
  const used = starts.map(({ at, dynamic, type }) => ({ at: type.startsWith("u") ? Math.abs(at) : at, dynamic, type }));
  return {
    numbers: used.map(({ at }) => at),
    attrs: used.map(({ at, dynamic }) => (dynamic ? null : at)),
    inputs: used.filter(({ dynamic }) => dynamic).map(({ at, type }) => s.fromNumbers(type, [], [at])),
  };
}

describe("slice", () => {
  const cases = s
    .tensors()
    .chain((x) =>
      fc.tuple(
        fc.constant(x),
        fc.tuple(...x.shape.map(() => start)),
        fc.tuple(...x.shape.map((dim) => fc.integer({ min: 1, max: dim }))),
        fc.tuple(...x.shape.map(() => fc.integer({ min: 1, max: 3 }))),
      ),
    );

  it("reads from clamped starts in strides", () => {
    fc.assert(
      fc.property(cases, ([x, given, lengths, strides]) => {
        const { numbers, attrs, inputs } = startsOf(given);
        const shape = lengths.map((length, axis) => Math.ceil(length / strides[axis]!));
        const result = s.run("slice", x.type, shape, [x, ...inputs], { starts: attrs, lengths, strides });
        const first = numbers.map((at, axis) => clamp(at, x.shape[axis]! - lengths[axis]!));
        const from = s.bitsOf(x);
        const expected = s.positions(shape).map(
          (p) =>
            from[
              s.flatten(
                x.shape,
                p.map((at, axis) => first[axis]! + at * strides[axis]!),
              )
            ],
        );
        expect(s.bitsOf(result)).toEqual(expected);
      }),
    );
  });

  it("clamps starts far outside", () => {
    const x = s.fromNumbers("s32", [4], [1, 2, 3, 4]);
    const at = (value: bigint, type: DType) =>
      s.valuesOf(
        s.run("slice", "s32", [2], [x, s.fromNumbers(type, [], [value])], {
          starts: [null],
          lengths: [2],
          strides: [1],
        }),
      );
    expect(at(2n ** 63n, "u64")).toEqual([3, 4]);
    expect(at(-(2n ** 63n), "s64")).toEqual([1, 2]);
  });
});

describe("putSlice", () => {
  const cases = s
    .tensors()
    .chain((x) => fc.tuple(fc.constant(x), fc.tuple(...x.shape.map((dim) => fc.integer({ min: 1, max: dim })))))
    .chain(([x, shape]) =>
      fc.tuple(fc.constant(x), s.randomBits(shape, x.type), fc.tuple(...x.shape.map(() => start))),
    );

  it("writes at clamped starts and leaves its operand alone", () => {
    fc.assert(
      fc.property(cases, ([x, piece, given]) => {
        const { numbers, attrs, inputs } = startsOf(given);
        const before = s.bitsOf(x);
        const result = s.run("putSlice", x.type, x.shape, [x, piece, ...inputs], { starts: attrs });
        const expected = before.slice();
        const first = numbers.map((at, axis) => clamp(at, x.shape[axis]! - piece.shape[axis]!));
        s.bitsOf(piece).forEach((bits, i) => {
          const position = s.coordinates(piece.shape, i).map((at, axis) => first[axis]! + at);
          expected[s.flatten(x.shape, position)] = bits;
        });
        expect(s.bitsOf(result)).toEqual(expected);
        expect(s.bitsOf(x)).toEqual(before);
      }),
    );
  });

  it("converts both operands", () => {
    const inputs = [s.fromNumbers("u8", [3], [1, 2, 3]), s.fromNumbers("s64", [1], [-300n])];
    expect(s.valuesOf(s.run("putSlice", "s64", [3], inputs, { starts: [1] }))).toEqual([1n, -300n, 3n]);
  });
});

describe("take", () => {
  const cases = s
    .tensors(1)
    .chain((x) =>
      fc
        .nat(x.shape.length - 1)
        .chain((axis) =>
          fc.tuple(
            fc.constant(x),
            fc.constant(axis),
            indexTypes,
            fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
            fc.array(fc.nat(Math.min(127, x.shape[axis]! - 1)), { minLength: 9, maxLength: 9 }),
          ),
        ),
    );

  it("looks up along an axis", () => {
    fc.assert(
      fc.property(cases, ([x, axis, type, indexShape, values]) => {
        const picks = values.slice(0, s.sizeOf(indexShape));
        const shape = [...x.shape.slice(0, axis), ...indexShape, ...x.shape.slice(axis + 1)];
        const result = s.run("take", x.type, shape, [x, s.fromNumbers(type, indexShape, picks)], { axis });
        const from = s.bitsOf(x);
        const rank = indexShape.length;
        const expected = s.positions(shape).map((p) => {
          const pick = picks[s.flatten(indexShape, p.slice(axis, axis + rank))]!;
          return from[s.flatten(x.shape, [...p.slice(0, axis), pick, ...p.slice(axis + rank)])];
        });
        expect(s.bitsOf(result)).toEqual(expected);
      }),
    );
  });
});

/** Coordinates for a tensor, and as many elements of its type. */
const scattered = (x: Tensor) =>
  fc
    .array(fc.tuple(...x.shape.map((dim) => fc.nat(Math.min(127, dim - 1)))), { minLength: 1, maxLength: 60 })
    .chain((at) => fc.tuple(fc.constant(x), fc.constant(at), indexTypes, s.randomBits([at.length], x.type)));

describe("gather", () => {
  it("reads one element per coordinate", () => {
    fc.assert(
      fc.property(s.tensors(1).chain(scattered), ([x, at, type]) => {
        const indices = s.fromNumbers(type, [at.length, x.shape.length], at.flat());
        const from = s.bitsOf(x);
        const result = s.run("gather", x.type, [at.length], [x, indices], { axes: allAxes(x.shape.length) });
        expect(s.bitsOf(result)).toEqual(at.map((position) => from[s.flatten(x.shape, position)]));
      }),
    );
  });
});

describe("indexed", () => {
  it("put keeps the last of several", () => {
    fc.assert(
      fc.property(s.tensors(1).chain(scattered), ([x, at, type, updates]) => {
        const indices = s.fromNumbers(type, [at.length, x.shape.length], at.flat());
        const expected = s.bitsOf(x);
        s.bitsOf(updates).forEach((bits, i) => (expected[s.flatten(x.shape, at[i]!)] = bits));
        const result = s.run("indexed", x.type, x.shape, [x, indices, updates], {
          op: "put",
          axes: allAxes(x.shape.length),
        });
        expect(s.bitsOf(result)).toEqual(expected);
      }),
    );
  });

  it.each(DTYPES)("add sums what meets (%s)", (type) => {
    const cases = s
      .shapes(1)
      .chain((shape) => s.randomBits(shape, type))
      .chain(scattered);
    fc.assert(
      fc.property(cases, ([x, at, indexType, updates]) => {
        const indices = s.fromNumbers(indexType, [at.length, x.shape.length], at.flat());
        const places = at.map((position) => s.flatten(x.shape, position));
        const result = s.run("indexed", type, x.shape, [x, indices, updates], {
          op: "add",
          axes: allAxes(x.shape.length),
        });
        const [before, after] = [s.bitsOf(x), s.bitsOf(result)];
        before.forEach((bits, i) => places.includes(i) || expect(after[i]).toBe(bits));
        expect(s.valuesOf(result)).toEqual(s.valuesOf(addAll(x, places, updates)));
      }),
      { numRuns: 30 },
    );
  });

  /** Sums in bigints or in doubles, stored by conversion. */
  function addAll(x: Tensor, places: number[], updates: Tensor): Tensor {
    const { type, shape } = x;
    const [values, terms] = [s.valuesOf(x), s.valuesOf(updates)];
    if (type === "c64" || type === "c128") {
      const parts = values as number[][];
      places.forEach((at, i) => (parts[at] = parts[at]!.map((part, k) => part + (terms as number[][])[i]![k]!)));
      const real = s.fromNumbers(type === "c64" ? "f32" : "f64", [2 * parts.length], parts.flat());
      return s.fromBytes(type, shape, real.backend.download!(real));
    }
    const sums = values as number[];
    places.forEach((at, i) => (sums[at]! += (terms as number[])[i]!));
    return s.fromNumbers(type, shape, sums);
  }

  it("rounds a sum once", () => {
    const x = s.fromNumbers("f32", [1], [2 ** 24]);
    const indices = s.fromNumbers("s64", [2, 1], [0n, 0n]);
    const updates = s.fromNumbers("f32", [2], [1, 1]);
    expect(
      s.valuesOf(s.run("indexed", "f32", [1], [x, indices, updates], { op: "add", axes: allAxes(x.shape.length) })),
    ).toEqual([2 ** 24 + 2]);
  });

  it("keeps the bits of what nothing is added to, with more updates than elements and with fewer", () => {
    const bits = [0x7fa12345, 0x80000000, 0x00000001, 0x3f800000, 0x7fc54321];
    const x = s.fromBytes("f32", [5], new Uint8Array(Uint32Array.from(bits).buffer));
    for (const places of [[3], [3, 3, 3, 3, 3, 3], [3, 4, 3, 3, 3, 3, 3]]) {
      const indices = s.fromNumbers("s32", [places.length, 1], places);
      const updates = s.fromNumbers("f32", [places.length], places.map(() => 0.25)); // prettier-ignore
      const result = s.run("indexed", "f32", [5], [x, indices, updates], { op: "add", axes: [0] });
      const words = new Uint32Array(Uint8Array.from(result.backend.download!(result)).buffer);
      expect([...words.slice(0, 3)]).toEqual(bits.slice(0, 3));
      if (!places.includes(4)) expect(words[4]).toBe(bits[4]);
      expect(s.valuesOf(result)[3]).toBe(1 + 0.25 * places.filter((place) => place === 3).length);
      expect(s.valuesOf(indices)).toEqual(places);
    }
  });

  it("converts operands of other types", () => {
    const x = s.fromNumbers("u8", [2], [250, 1]);
    const updates = s.fromNumbers("s64", [2], [10n, -2n]);
    const inputs = [x, s.fromNumbers("u8", [2, 1], [0, 1]), updates];
    expect(s.valuesOf(s.run("indexed", "s64", [2], inputs, { op: "add", axes: allAxes(x.shape.length) }))).toEqual([
      260n,
      -1n,
    ]);
  });
});

describe("indices out of bounds", () => {
  const named = (x: Tensor, names: (string | null)[]) => new Tensor(x.backend, x.data, x.type, x.shape, names);
  const x = named(s.fromNumbers("f32", [2, 3], [1, 2, 3, 4, 5, 6]), [null, "y"]);

  it.each([
    ["take", () => s.run("take", "f32", [2, 1], [x, s.fromNumbers("u8", [1], [3])], { axis: 1 }), 3],
    ["gather", () => s.run("gather", "f32", [1], [x, s.fromNumbers("s64", [1, 2], [0n, -1n])], { axes: [0, 1] }), -1],
    [
      "indexed",
      () => {
        const inputs = [x, s.fromNumbers("u32", [1, 2], [1, 2 ** 32 - 1]), s.fromNumbers("f32", [1], [1])];
        return s.run("indexed", "f32", [2, 3], inputs, { op: "put", axes: [0, 1] });
      },
      2 ** 32 - 1,
    ],
  ])("%s", (_name, run, index) => {
    expect(run).toThrow(ArgumentError);
    expect(run).toThrow(`index ${index} is out of bounds for axis 1 ("y") of size 3`);
  });
});

describe("rows of the other axes", () => {
  it("gather and indexed go through any axes", () => {
    const cases = s
      .shapes(3)
      .chain((shape) =>
        fc.tuple(s.randomBits(shape, "s64"), fc.shuffledSubarray(allAxes(shape.length), { minLength: 1 })),
      );
    fc.assert(
      fc.property(cases, fc.nat(), ([x, axes], seed) => {
        const rest = allAxes(x.shape.length).filter((axis) => !axes.includes(axis));
        const at = [0, 1, 2].map((i) => axes.map((axis, k) => (seed + i * 7 + k * 3) % x.shape[axis]!));
        const indices = s.fromNumbers("s64", [at.length, axes.length], at.flat().map(BigInt));
        const sizes = rest.map((axis) => x.shape[axis]!);
        const all = at.flatMap((place, i) => everyIndex(sizes).map((inner) => ({ i, place, inner })));
        const flat = ({ place, inner }: { place: number[]; inner: number[] }) => {
          const index = new Array<number>(x.shape.length);
          axes.forEach((axis, k) => (index[axis] = place[k]!));
          rest.forEach((axis, k) => (index[axis] = inner[k]!));
          return s.flatten(x.shape, index);
        };
        const from = s.bitsOf(x);
        const taken = s.run("gather", "s64", [at.length, ...sizes], [x, indices], { axes });
        expect(s.bitsOf(taken)).toEqual(all.map((entry) => from[flat(entry)]));
        const put = s.run("indexed", "s64", x.shape, [x, indices, taken], { op: "put", axes });
        expect(s.bitsOf(put)).toEqual(from);
      }),
    );
  });

  it("takeAlong reads along one axis", () => {
    const cases = s
      .shapes(3)
      .chain((shape) => fc.tuple(s.randomBits(shape, "c64"), fc.nat(shape.length - 1), fc.integer({ min: 1, max: 4 })));
    fc.assert(
      fc.property(cases, fc.nat(), ([x, axis, length], seed) => {
        const shape = x.shape.map((dim, i) => (i === axis ? length : dim));
        const positions = everyIndex(shape);
        const picks = positions.map((_, i) => (seed + i * 5) % x.shape[axis]!);
        const indices = s.fromNumbers(
          "u8",
          shape,
          picks.map((pick) => pick % 256),
        );
        const from = s.bitsOf(x);
        const expected = positions.map(
          (index, i) =>
            from[
              s.flatten(
                x.shape,
                index.map((at, k) => (k === axis ? picks[i]! : at)),
              )
            ],
        );
        expect(s.bitsOf(s.run("takeAlong", "c64", shape, [x, indices], { axis }))).toEqual(expected);
      }),
    );
  });
});

function everyIndex(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (rest, size) => rest.flatMap((index) => allAxes(size).map((i) => [...index, i])),
    [[]],
  );
}
