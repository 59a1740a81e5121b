import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import * as s from "../../backends/binary/support";
import { expectGradients, randoms } from "../../defn/grad/check";
import { errorOf, view } from "../aggregates/view";
import { axisForm, namedTensors } from "./naive";

const grid = () => Nx.iota([3, 4], { names: ["x", "y"] });

const clamp = (start: number, most: number) => Math.max(0, Math.min(start, most));

/** A start within the axis or beyond its ends, as a number, a bigint or a scalar tensor of any integer type. */
const starts = fc
  .tuple(fc.integer({ min: -4, max: 12 }), fc.constantFrom("number", "bigint", "s8", "s32", "s64", "u8", "u64"))
  .map(([value, kind]): { at: number; given: Nx.Start } => {
    const at = kind.startsWith("u") ? Math.abs(value) : value;
    if (kind === "number") return { at, given: at };
    return { at, given: kind === "bigint" ? BigInt(at) : s.fromNumbers(kind as Nx.DType, [], [at]) };
  });

const perAxis = <T>(t: Nx.Tensor, make: (dim: number) => fc.Arbitrary<T>) => fc.tuple(...t.shape.map(make));
const lengthOf = (dim: number) => fc.integer({ min: 1, max: dim });

describe("slice", () => {
  const cases = namedTensors().chain((t) =>
    fc.tuple(
      fc.constant(t),
      perAxis(t, () => starts),
      perAxis(t, lengthOf),
      fc.oneof(
        perAxis(t, () => fc.integer({ min: 1, max: 4 })),
        fc.integer({ min: 1, max: 3 }),
        fc.constant(undefined),
      ),
    ),
  );

  it("reads from starts that are moved to fit, in strides, for every type", () => {
    fc.assert(
      fc.property(cases, ([t, from, lengths, strides]) => {
        const given = from.map((start) => start.given);
        const result = Nx.slice(t, given, lengths, strides === undefined ? undefined : { strides });
        const step = t.shape.map((_, i) => (typeof strides === "object" ? strides[i]! : (strides ?? 1)));
        const first = from.map(({ at }, i) => clamp(at, t.shape[i]! - lengths[i]!));
        const shape = lengths.map((length, i) => Math.ceil(length / step[i]!));
        const bits = s.bitsOf(t);
        const expected = s.positions(shape).map(
          (p) =>
            bits[
              s.flatten(
                t.shape,
                p.map((at, i) => first[i]! + at * step[i]!),
              )
            ],
        );
        expect([result.type, result.shape, result.names]).toEqual([t.type, shape, t.names]);
        expect(s.bitsOf(result)).toEqual(expected);
      }),
    );
  });

  it("agrees with NumPy where the part lies within the tensor", () => {
    const part = Nx.slice(Nx.iota([2, 3, 4]), [0, 0, 1], [2, 3, 3], { strides: [1, 2, 2] });
    expect(view(part)).toBe("s64[2][2][2] [[[1,3],[9,11]],[[13,15],[21,23]]]");
  });

  it("moves starts of any size so that the part fits", () => {
    expect(view(Nx.slice(grid(), [9, -9], [2, 3]))).toBe("s64[x: 2][y: 3] [[4,5,6],[8,9,10]]");
    expect(view(Nx.slice(grid(), [2n ** 70n, -(2n ** 70n)], [1, 1]))).toBe("s64[x: 1][y: 1] [[8]]");
    const [most, least] = [Nx.u64(2n ** 64n - 1n), Nx.s64(-(2n ** 63n))];
    expect(view(Nx.slice(grid(), [most, least], [1, 1]))).toBe("s64[x: 1][y: 1] [[8]]");
    expect(view(Nx.slice(grid(), [Nx.s8(-1), Nx.u8(255)], [1, 1]))).toBe("s64[x: 1][y: 1] [[3]]");
  });

  it("takes a stride beyond the length, and scalars", () => {
    expect(view(Nx.slice(grid(), [1, 1], [2, 3], { strides: 9 }))).toBe("s64[x: 1][y: 1] [[5]]");
    expect(view(Nx.slice(grid(), [0, 0], [3, 4], { strides: Number.MAX_SAFE_INTEGER }))).toBe("s64[x: 1][y: 1] [[0]]");
    expect(view(Nx.slice(5, [], []))).toBe("s64 5");
  });

  it("keeps what it was given when the lists change later", () => {
    const [first, lengths, strides] = [
      [0, 1],
      [2, 2],
      [1, 1],
    ];
    const expression = Nx.defn((t: Nx.Tensor) => Nx.slice(t, first, lengths, { strides }));
    const before = view(expression(grid()));
    for (const list of [first, lengths, strides]) list.fill(3);
    expect(view(expression(grid()))).toBe(before);
  });

  it("refuses other starts", () => {
    const call = (given: unknown) => errorOf(() => Nx.slice(grid(), given as Nx.Start[], [1, 1]));
    const list = "Nx.slice expects a list of 2 starts, one for each axis of [x: 3][y: 4], got: ";
    expect(call([0])).toBe(`ArgumentError: ${list}[0]`);
    expect(call([0, 0, 0])).toBe(`ArgumentError: ${list}[0, 0, 0]`);
    expect(call(0)).toBe(`ArgumentError: ${list}0`);
    expect(call(Nx.tensor([0, 0]))).toContain(list);
    const entry = "Nx.slice expects a start to be an integer or a scalar integer tensor, got";
    expect(call([0.5, 0])).toBe(`ArgumentError: ${entry}: 0.5`);
    expect(call([0, Infinity])).toBe(`ArgumentError: ${entry}: Infinity`);
    expect(call([NaN, 0])).toBe(`ArgumentError: ${entry}: NaN`);
    expect(call([0, "1"])).toBe(`ArgumentError: ${entry}: "1"`);
    expect(call([0, null])).toBe(`ArgumentError: ${entry}: null`);
    expect(call(new Array(2))).toBe(`ArgumentError: ${entry}: undefined`);
    expect(call([Nx.tensor(1.5), 0])).toBe(`ArgumentError: ${entry} f32[]`);
    expect(call([Nx.tensor([1], { names: ["n"] }), 0])).toBe(`ArgumentError: ${entry} s64[n: 1]`);
  });

  it("refuses other lengths", () => {
    const call = (lengths: unknown) => errorOf(() => Nx.slice(grid(), [0, 0], lengths as number[]));
    const text =
      "ArgumentError: Nx.slice expects a length from 1 to the size of the axis for each axis of [x: 3][y: 4], got: ";
    expect(call([0, 1])).toBe(`${text}[0, 1]`);
    expect(call([1, 5])).toBe(`${text}[1, 5]`);
    expect(call([-1, 1])).toBe(`${text}[-1, 1]`);
    expect(call([1.5, 1])).toBe(`${text}[1.5, 1]`);
    expect(call([1])).toBe(`${text}[1]`);
    expect(call([1n, 1])).toContain(text);
    expect(call(2)).toBe(`${text}2`);
    expect(call(undefined)).toBe(`${text}undefined`);
    expect(call(new Array(2))).toContain(text);
    expect(call(new Array(2 ** 31))).toContain(text);
  });

  it("refuses other strides and options", () => {
    const call = (options: unknown) => errorOf(() => Nx.slice(grid(), [0, 0], [1, 1], options as { strides: number }));
    const text =
      "ArgumentError: option strides of Nx.slice must be a positive integer or a list of 2, one for each axis, got: ";
    for (const strides of [0, -1, 1.5, NaN, "2", null]) expect(call({ strides })).toContain(text);
    expect(call({ strides: [1] })).toBe(`${text}[1]`);
    expect(call({ strides: [1, 0] })).toBe(`${text}[1, 0]`);
    expect(call({ strides: new Array(2) })).toContain(text);
    expect(call({ stride: 2 })).toBe(
      'ArgumentError: unknown option "stride" for Nx.slice; did you mean "strides"? Expected one of: strides',
    );
    expect(errorOf(() => Nx.slice("t" as never, [], []))).toContain("Nx.slice expects a tensor or a number");
  });
});

describe("sliceAlongAxis", () => {
  const cases = namedTensors().chain((t) =>
    fc.tuple(fc.constant(t), fc.nat(t.shape.length - 1), fc.nat(2)).chain(([, axis, kind]) =>
      fc.record({
        t: fc.constant(t),
        axis: fc.constant(axis),
        form: fc.constant(axisForm(t, axis, kind)),
        start: starts,
        length: lengthOf(t.shape[axis]!),
        strides: fc.integer({ min: 1, max: 4 }),
      }),
    ),
  );

  it("is a slice that keeps the other axes whole", () => {
    fc.assert(
      fc.property(cases, ({ t, axis, form, start, length, strides }) => {
        const along = <T>(own: T, others: T[]) => others.with(axis, own);
        const zeros = t.shape.map(() => 0);
        const ones = t.shape.map(() => 1);
        const expected = Nx.slice(t, along<Nx.Start>(start.given, zeros), along(length, [...t.shape]), {
          strides: along(strides, ones),
        });
        const result = Nx.sliceAlongAxis(t, start.given, length, { axis: form, strides });
        expect([result.shape, result.names]).toEqual([expected.shape, expected.names]);
        expect(s.bitsOf(result)).toEqual(s.bitsOf(expected));
      }),
    );
  });

  it("goes along the first axis by default, every element", () => {
    expect(view(Nx.sliceAlongAxis(grid(), 1, 2))).toBe("s64[x: 2][y: 4] [[4,5,6,7],[8,9,10,11]]");
    expect(view(Nx.sliceAlongAxis(grid(), 2, 2, { axis: "y" }))).toBe("s64[x: 3][y: 2] [[2,3],[6,7],[10,11]]");
    expect(view(Nx.sliceAlongAxis(grid(), Nx.tensor(9), 2, { axis: -1 }))).toBe(
      "s64[x: 3][y: 2] [[2,3],[6,7],[10,11]]",
    );
    expect(view(Nx.sliceAlongAxis(grid(), 0, 4, { axis: 1, strides: 3 }))).toBe("s64[x: 3][y: 2] [[0,3],[4,7],[8,11]]");
  });

  it("refuses what is no start, length, stride, axis or option", () => {
    const call = (start: unknown, length: unknown, options?: unknown) =>
      errorOf(() => Nx.sliceAlongAxis(grid(), start as number, length as number, options as object));
    const fn = "ArgumentError: Nx.sliceAlongAxis expects a";
    expect(call(0.5, 1)).toBe(`${fn} start to be an integer or a scalar integer tensor, got: 0.5`);
    expect(call([0], 1)).toBe(`${fn} start to be an integer or a scalar integer tensor, got: [0]`);
    expect(call(Nx.tensor([1]), 1)).toBe(`${fn} start to be an integer or a scalar integer tensor, got s64[1]`);
    expect(call(0, 0)).toBe(`${fn} length from 1 to the size of the axis for each axis of [x: 3][y: 4], got: [0, 4]`);
    expect(call(0, 5, { axis: "y" })).toContain(`for each axis of [x: 3][y: 4], got: [3, 5]`);
    expect(call(0, undefined)).toContain(`${fn} length`);
    expect(call(0, 1, { strides: 0 })).toContain("option strides of Nx.sliceAlongAxis must be a positive integer");
    expect(call(0, 1, { strides: null })).toContain("option strides of Nx.sliceAlongAxis must be a positive integer");
    expect(call(0, 1, { axis: "z" })).toContain('no axis named "z" in shape [x: 3][y: 4]');
    expect(call(0, 1, { axis: 2 })).toContain("given axis (2) invalid for shape [x: 3][y: 4] with rank 2");
    expect(call(0, 1, { axs: 0 })).toContain('unknown option "axs" for Nx.sliceAlongAxis; did you mean "axis"?');
    expect(errorOf(() => Nx.sliceAlongAxis(5, 0, 1))).toContain("a scalar has no axes");
  });
});

describe("putSlice", () => {
  const cases = namedTensors().chain((t) =>
    perAxis(t, lengthOf).chain((shape) =>
      fc.tuple(
        fc.constant(t),
        perAxis(t, () => starts),
        s.randomBits(shape),
        perAxis(t, () => fc.boolean()),
      ),
    ),
  );

  it("replaces the part in a copy of the merged type and names", () => {
    fc.assert(
      fc.property(cases, ([t, from, bits, named]) => {
        const piece = Nx.rename(
          bits,
          named.map((own, i) => (own ? (t.names[i] ?? "abcd"[i]!) : null)),
        );
        const result = Nx.putSlice(
          t,
          from.map(({ given }) => given),
          piece,
        );
        const type = Nx.Type.merge(t.type, piece.type);
        const expected = s.computedBitsOf(Nx.asType(t, type));
        const values = s.computedBitsOf(Nx.asType(piece, type));
        const first = from.map(({ at }, i) => clamp(at, t.shape[i]! - piece.shape[i]!));
        s.positions(piece.shape).forEach((p, i) => {
          expected[
            s.flatten(
              t.shape,
              p.map((at, axis) => first[axis]! + at),
            )
          ] = values[i]!;
        });
        expect([result.type, result.shape]).toEqual([type, t.shape]);
        expect(result.names).toEqual(t.names.map((name, i) => name ?? piece.names[i]));
        expect(s.computedBitsOf(result)).toEqual(expected);
      }),
    );
  });

  it("leaves the tensor as it was", () => {
    const t = grid();
    expect(view(Nx.putSlice(t, [2, 2], Nx.tensor([[-1, -2]])))).toBe(
      "s64[x: 3][y: 4] [[0,1,2,3],[4,5,6,7],[8,9,-1,-2]]",
    );
    expect(t.equals(grid())).toBe(true);
  });

  it("moves starts so that the piece fits, and takes a piece as large as the tensor", () => {
    const piece = Nx.tensor([[70], [80]]);
    const expected = "s64[x: 3][y: 4] [[0,1,2,3],[70,5,6,7],[80,9,10,11]]";
    expect(view(Nx.putSlice(grid(), [9, -9], piece))).toBe(expected);
    expect(view(Nx.putSlice(grid(), [Nx.u8(9), Nx.s64(-9)], piece))).toBe(expected);
    expect(view(Nx.putSlice(Nx.tensor([1, 2]), [1], Nx.u8([8, 9])))).toBe("s64[2] [8,9]");
    expect(view(Nx.putSlice(5, [], 6.5))).toBe("f32 6.5");
  });

  it("has the merged type: that of tensors, plain numbers included", () => {
    expect(view(Nx.putSlice(Nx.u8([1, 2]), [0], Nx.tensor([300])))).toBe("s64[2] [300,2]");
    expect(view(Nx.putSlice(Nx.u8([1, 2]), [0], Nx.s8([-3])))).toBe("s16[2] [-3,2]");
    expect(view(Nx.putSlice(Nx.u8(1), [], 2))).toBe("s64 2");
    expect(view(Nx.putSlice(Nx.tensor([1, 2]), [1], Nx.bf16([0.5])))).toBe("bf16[2] [1,0.5]");
    expect(view(Nx.putSlice(Nx.f32([1, 2]), [1], Nx.c64([new Nx.Complex(3, 4)])))).toBe("c64[2] [1:0,3:4]");
  });

  it("merges names", () => {
    const bare = Nx.iota([2, 2]);
    expect(Nx.putSlice(bare, [0, 0], Nx.tensor([[1]], { names: ["a", null] })).names).toEqual(["a", null]);
    expect(errorOf(() => Nx.putSlice(grid(), [0, 0], Nx.tensor([[1]], { names: ["x", "z"] }) as Nx.Tensor))).toContain(
      'cannot merge axis name "y" (axis 1 of [x: 3][y: 4]) with "z" (axis 1 of [x: 1][z: 1])',
    );
  });

  it("refuses pieces that do not fit and starts that are none", () => {
    const fits = "ArgumentError: Nx.putSlice expects a piece of rank 2 that fits into [x: 3][y: 4], got shape ";
    expect(errorOf(() => Nx.putSlice(grid(), [0, 0], Nx.iota([1, 5])))).toBe(`${fits}[1][5]`);
    expect(errorOf(() => Nx.putSlice(grid(), [0, 0], Nx.iota([2])))).toBe(`${fits}[2]`);
    expect(errorOf(() => Nx.putSlice(grid(), [0, 0], 1))).toBe(`${fits}[]`);
    expect(errorOf(() => Nx.putSlice(grid(), [0], Nx.iota([1, 1])))).toBe(
      "ArgumentError: Nx.putSlice expects a list of 2 starts, one for each axis of [x: 3][y: 4], got: [0]",
    );
    expect(errorOf(() => Nx.putSlice(grid(), [0, 0.5], Nx.iota([1, 1])))).toBe(
      "ArgumentError: Nx.putSlice expects a start to be an integer or a scalar integer tensor, got: 0.5",
    );
    expect(errorOf(() => Nx.putSlice(grid(), [0, 0], [[1]] as never))).toContain(
      "Nx.putSlice expects a tensor or a number, got: [[1]]",
    );
  });
});

describe("slices at computed places", () => {
  const t = Nx.f64([
    [1.5, -2, 3],
    [4, 8, -0.5],
  ]);
  const functions: Record<string, (t: Nx.Tensor, at: Nx.Tensor) => Nx.Tensor> = {
    slice: (x, at) => Nx.slice(x, [at], [2]),
    sliceAlongAxis: (x, at) => Nx.sliceAlongAxis(x, Nx.multiply(at, 5), 2),
    putSlice: (x, at) => Nx.putSlice(x, [at], Nx.f64([70, 80])),
  };

  it.each(Object.entries(functions))("%s is the same traced, and over vectorized axes", (_name, fn) => {
    const at = Nx.tensor([0, 1]);
    const rows = [0, 1].map((i) => fn(t.at(i), at.at(i)).toList());
    expect([0, 1].map((i) => Nx.defn(fn)(t.at(i), at.at(i)).toList())).toEqual(rows);
    expect((Nx.Defn.vmap(fn)(t, at) as Nx.Tensor).toList()).toEqual(rows);
  });

  it("have gradients", () => {
    const at = Nx.tensor(9);
    expectGradients((x) => Nx.slice(x!, [at, 1], [2, 3], { strides: [1, 2] }), randoms([3, 4]));
    expectGradients((x) => Nx.sliceAlongAxis(x!, 1, 3, { axis: 1, strides: 2 }), randoms([3, 4]));
    expectGradients((x, piece) => Nx.putSlice(x!, [at, -1], piece!), randoms([3, 4]), randoms([2, 2]));
  });
});
