import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const BIG = 2n ** 53n;

describe("toNumber", () => {
  it.each([
    [1, 1],
    [true, 1],
    [-Infinity, -Infinity],
    [NaN, NaN],
    [BIG - 1n, 2 ** 53 - 1],
    [BIG, BIG],
    [-BIG, -BIG],
    [new Nx.Complex(1, -2), new Nx.Complex(1, -2)],
  ])("reads %s as %s", (value, expected) => {
    expect(Nx.toNumber(value)).toEqual(expected);
    expect(Nx.toNumber(Nx.tensor(value))).toEqual(expected);
  });

  it("reads unsigned 64-bit integers as unsigned, and -0 as -0", () => {
    expect(Nx.toNumber(Nx.u64(-1))).toBe(2n ** 64n - 1n);
    expect(Nx.toNumber(Nx.f32(-0))).toBe(-0);
  });

  it("refuses tensors with axes and what is no tensor", () => {
    expect(() => Nx.toNumber(Nx.tensor([1.5, 2, 3]))).toThrow("cannot convert tensor of shape [3] to number");
    expect(() => Nx.toNumber(Nx.iota([2, 2], { names: ["x", "y"] }))).toThrow(
      "of shape [x: 2][y: 2] to number; use Nx.toList",
    );
    expect(() => Nx.toNumber("1" as never)).toThrow('Nx.toNumber expects a tensor or a number, got: "1"');
  });
});

describe("toFlatList and toList", () => {
  it("read in row-major order", () => {
    expect(Nx.toFlatList(1)).toEqual([1]);
    expect(Nx.toFlatList(Nx.f32([1, 2, 3]))).toEqual([1, 2, 3]);
    expect(Nx.toFlatList(Nx.f32([1, 2, 3]), { limit: 2 })).toEqual([1, 2]);
    expect(Nx.toFlatList(Nx.f32([1, 2, 3]), { limit: 7 })).toEqual([1, 2, 3]);
    expect(Nx.toFlatList(Nx.f32([1, 2, 3]), { limit: Infinity })).toEqual([1, 2, 3]);
    expect(Nx.toFlatList(Nx.tensor([-Infinity, NaN, Infinity]))).toEqual([-Infinity, NaN, Infinity]);
    expect(Nx.toList(Nx.iota([2, 3]))).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(Nx.toList(Nx.iota([1, 1, 2]))).toEqual([[[0, 1]]]);
    expect(Nx.toList(Nx.tensor([BIG, 1n]))).toEqual([BIG, 1]);
  });

  it("refuse scalars and limits that are none", () => {
    expect(() => Nx.toList(Nx.tensor(123))).toThrow(
      "cannot convert a scalar tensor to a list, got: #Nx.Tensor<\n  s64\n  123\n>; use Nx.toNumber",
    );
    expect(() => Nx.toFlatList(1, { limit: 0 })).toThrow(
      "option limit of Nx.toFlatList must be an integer of at least 1",
    );
    expect(() => Nx.toFlatList(1, { limt: 1 } as never)).toThrow('did you mean "limit"?');
    expect(() => Nx.toFlatList([1] as never)).toThrow("make a tensor of it with Nx.tensor(...) first");
  });

  it("undo tensor", () => {
    const data = fc.array(fc.array(fc.integer(), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(fc.property(data, (rows) => void expect(Nx.toList(Nx.tensor(rows))).toEqual(rows)));
    const doubles = fc.array(fc.double(), { minLength: 1, maxLength: 8 });
    fc.assert(fc.property(doubles, (row) => void expect(Nx.toList(Nx.f64(row))).toEqual(row)));
    const bigs = fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { minLength: 1 });
    fc.assert(fc.property(bigs, (row) => void expect(Nx.toFlatList(Nx.tensor(row)).map(BigInt as never)).toEqual(row)));
  });
});

describe("toBinary", () => {
  it("gives little-endian bytes", () => {
    expect(Nx.toBinary(1)).toEqual(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0));
    const floats = Float32Array.of(1, 2, 3);
    expect(Nx.toBinary(Nx.tensor(floats))).toEqual(new Uint8Array(floats.buffer));
    expect(Nx.toBinary(Nx.tensor(floats), { limit: 2 })).toEqual(new Uint8Array(floats.buffer, 0, 8));
    expect(Nx.toBinary(Nx.tensor(new Nx.Complex(1, 2)))).toEqual(new Uint8Array(Float32Array.of(1, 2).buffer));
    expect(Nx.toBinary(Nx.f16(1))).toEqual(Uint8Array.of(0, 0x3c));
  });

  it("gives a copy", () => {
    const t = Nx.u8([1, 2]);
    Nx.toBinary(t)[0] = 9;
    expect(Nx.toFlatList(t)).toEqual([1, 2]);
  });
});

describe("toTypedArray", () => {
  it.each([
    ["u8", Uint8Array.of(1, 2)],
    ["u16", Uint16Array.of(1, 2)],
    ["u32", Uint32Array.of(1, 2)],
    ["u64", BigUint64Array.of(1n, 2n)],
    ["s8", Int8Array.of(1, 2)],
    ["s16", Int16Array.of(1, 2)],
    ["s32", Int32Array.of(1, 2)],
    ["s64", BigInt64Array.of(1n, 2n)],
    ["f16", Float32Array.of(1, 2)],
    ["bf16", Float32Array.of(1, 2)],
    ["f32", Float32Array.of(1, 2)],
    ["f64", Float64Array.of(1, 2)],
    ["c64", Float32Array.of(1, 0, 2, 0)],
    ["c128", Float64Array.of(1, 0, 2, 0)],
  ] as [Nx.DType, Nx.TypedArray][])("of %s", (type, expected) => {
    const t = Nx.tensor([[1, 2]], { type });
    const array = Nx.toTypedArray(t);
    expect(array).toEqual(expected);
    expect(array.constructor).toBe(expected.constructor);
    array[0] = typeof array[0] === "bigint" ? 9n : (9 as never);
    expect(Nx.toTypedArray(t)).toEqual(expected);
  });
});

describe("toTensor", () => {
  it("converts plain values, and tensors to their like", () => {
    const t = Nx.iota([2]);
    expect(Nx.toTensor(t).equals(t)).toBe(true);
    expect([Nx.toTensor(1).type, Nx.toTensor(0.5).type, Nx.toTensor(true).type, Nx.toTensor(1n).type]).toEqual([
      "s64",
      "f32",
      "u8",
      "s64",
    ]);
    expect(() => Nx.toTensor([1] as never)).toThrow("Nx.toTensor expects a tensor or a number, got: [1]");
    expect(() => Nx.toTensor(undefined as never)).toThrow("got: undefined");
  });
});

describe("toBatched", () => {
  const lists = (t: Nx.Tensor, size: number, options?: Nx.BatchedOptions) =>
    Array.from(Nx.toBatched(t, size, options), (batch) => Nx.toList(batch));

  it("cuts along axis 0", () => {
    expect(lists(Nx.iota([2, 2, 2]), 1)).toEqual([
      [
        [
          [0, 1],
          [2, 3],
        ],
      ],
      [
        [
          [4, 5],
          [6, 7],
        ],
      ],
    ]);
    expect(lists(Nx.iota([4]), 4)).toEqual([[0, 1, 2, 3]]);
    expect(lists(Nx.iota([5]), 1, { leftover: "discard" }).length).toBe(5);
  });

  it("fills a short last batch from the beginning, or leaves it out", () => {
    const t = Nx.iota([5, 2], { names: ["x", "y"] });
    const whole = [
      [
        [0, 1],
        [2, 3],
      ],
      [
        [4, 5],
        [6, 7],
      ],
    ];
    expect(lists(t, 2)).toEqual([
      ...whole,
      [
        [8, 9],
        [0, 1],
      ],
    ]);
    expect(lists(t, 2, { leftover: "discard" })).toEqual(whole);
    for (const batch of Nx.toBatched(t, 2))
      expect([batch.names, batch.shape]).toEqual([
        ["x", "y"],
        [2, 2],
      ]);
  });

  it("keeps a short last batch as it is", () => {
    const t = Nx.iota([5, 2], { names: ["x", "y"] });
    const kept = [...Nx.toBatched(t, 2, { leftover: "keep" })];
    expect(kept.map((batch) => batch.shape)).toEqual([[2, 2], [2, 2], [1, 2]]); // prettier-ignore
    expect(kept.at(-1)!.names).toEqual(["x", "y"]);
    expect(Nx.concatenate(kept).equals(t)).toBe(true);
    expect(lists(Nx.iota([4]), 2, { leftover: "keep" })).toEqual(lists(Nx.iota([4]), 2));
    expect(lists(Nx.iota([3]), 3, { leftover: "keep" })).toEqual([[0, 1, 2]]);
  });

  it("is lazy, but checks its arguments at once", () => {
    const batches = Nx.toBatched(Nx.iota([4]), 2);
    expect(Nx.toList(batches.next().value as Nx.Tensor)).toEqual([0, 1]);
    expect(() => Nx.toBatched(Nx.iota([3]), 4)).toThrow("batch size must be an integer from 1 to 3");
    expect(() => Nx.toBatched(Nx.iota([3]), 0)).toThrow("got: 0");
    expect(() => Nx.toBatched(Nx.iota([3]), 1.5)).toThrow("got: 1.5");
    expect(() => Nx.toBatched(Nx.tensor(1), 1)).toThrow("cannot batch a scalar tensor");
    expect(() => Nx.toBatched(Nx.iota([3]), 2, { leftover: "drop" } as never)).toThrow(
      'option leftover of Nx.toBatched must be one of "repeat", "discard", "keep", got: "drop"',
    );
  });

  it("has every element once, in order, where the size divides", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }), (size, count) => {
        const t = Nx.iota([size * count, 2]);
        const elements = Array.from(Nx.toBatched(t, size), (batch) => Nx.toFlatList(batch)).flat();
        expect(elements).toEqual(Nx.toFlatList(t));
      }),
    );
  });
});

describe("isTensor", () => {
  it.each([Nx.iota([2]), Nx.tensor(1.5), Nx.template([2], "f32"), Nx.vectorize(Nx.iota([2]), "x")])(
    "is true of %s",
    (value) => expect(Nx.isTensor(value)).toBe(true),
  );
  it("is true of what is being traced", () => {
    const seen: boolean[] = [];
    Nx.defn((x: Nx.Tensor, n: number) => (seen.push(Nx.isTensor(x.add(n))), x))(Nx.f32(1), 2);
    expect(seen).toEqual([true]);
  });
  it.each([1, 1n, true, new Nx.Complex(1), NaN])("is false of %s, which stands for one", (value) => {
    expect(Nx.isTensor(value)).toBe(false);
  });
  it.each([[[1]], ["1"], [null], [undefined], [{}], [Float32Array.of(1)]])("is false of %j", (value) => {
    expect(Nx.isTensor(value)).toBe(false);
  });
});
