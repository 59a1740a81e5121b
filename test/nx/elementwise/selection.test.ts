import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";

const list = (t: Nx.Tensor): unknown => Nx.toFlatList(t);

describe("clip", () => {
  it("puts elements on the nearer bound", () => {
    const t = Nx.tensor(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { names: ["x", "y"] },
    );
    expect(list(Nx.clip(t, 2, 4))).toEqual([2, 2, 3, 4, 4, 4]);
    expect(Nx.clip(t, 2, 4).names).toEqual(["x", "y"]);
    expect(list(Nx.clip(t, Nx.f32(2), 3))).toEqual([2, 2, 3, 3, 3, 3]);
    expect(list(Nx.clip(Nx.asType(t, "f32"), 2, 6.5))).toEqual([2, 2, 3, 4, 5, 6]);
    expect(list(Nx.clip(5, 0, 2))).toEqual([2]);
  });

  it("merges types without weak numbers", () => {
    const type = (t: Nx.Tensor, min: Nx.Operand, max: Nx.Operand): Nx.DType => Nx.clip(t, min, max).type;
    expect(type(Nx.u8([1]), 2, 6)).toBe("s64");
    expect(type(Nx.u8([1]), Nx.u8(2), Nx.u8(6))).toBe("u8");
    expect(type(Nx.bf16([1]), 2, 4)).toBe("bf16");
    expect(type(Nx.f16([1]), 0.5, 1.5)).toBe("f32");
    expect(type(Nx.tensor([1]), Nx.f32(2), 3)).toBe("f32");
    expect(type(Nx.f64([1]), 0.5, 1)).toBe("f64");
  });

  it("propagates NaN, knows infinities, and lets max win", () => {
    expect(list(Nx.clip(Nx.tensor([NaN, Infinity, -Infinity]), 0, 2))).toEqual([NaN, 2, 0]);
    expect(list(Nx.clip(Nx.tensor([1.5]), NaN, 2))).toEqual([NaN]);
    expect(list(Nx.clip(Nx.tensor([0]), 2, 1))).toEqual([1]);
  });

  it("keeps 64-bit integers exact", () => {
    const t = Nx.s64([2n ** 62n + 1n, -1n]);
    expect(list(Nx.clip(t, 0, 2n ** 62n + 3n))).toEqual([2n ** 62n + 1n, 0]);
  });

  it("rounds plain bounds once, to the type of the result", () => {
    expect(list(Nx.clip(Nx.f64([0]), 0.1, 1))).toEqual([0.1]);
    expect(list(Nx.select(Nx.tensor([1, 0]), 0.1, Nx.f64([2])))).toEqual([0.1, 2]);
  });

  it("refuses complex tensors and bounds with axes", () => {
    expect(() => Nx.clip(Nx.tensor([new Nx.Complex(1, 2)]), 0, 1)).toThrow("clip is not defined for complex tensors");
    expect(() => Nx.clip(Nx.tensor([1]), Nx.tensor([0], { names: ["b"] }), 1)).toThrow(
      "Nx.clip expects min to be a number or a scalar tensor, got shape [b: 1] for a tensor of shape [1]",
    );
    expect(() => Nx.clip(Nx.tensor([1]), 0, Nx.tensor([1]))).toThrow("Nx.clip expects max to be");
  });
});

describe("where", () => {
  const INTEGERS = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"] as const;
  const OTHERS = ["bf16", "f16", "f32", "f64", "c64", "c128"] as const;
  type Call = (condition: Nx.Tensor, x: Nx.Tensor) => Nx.Tensor;
  const calls: readonly (readonly [string, Call])[] = [
    ["a function", (c, x) => Nx.where(c, x, -1)],
    ["a method", (c, x) => c.where(x, -1)],
    ["a traced function", Nx.defn((c: Nx.Tensor, x: Nx.Tensor) => Nx.where(c, x, -1))],
    ["a traced method", Nx.defn((c: Nx.Tensor, x: Nx.Tensor) => c.where(x, -1))],
    ["a function of entries", (c, x) => Nx.Defn.vmap((d: Nx.Tensor, y: Nx.Tensor) => Nx.where(d, y, -1))(c, x)],
  ];

  describe.each(calls)("as %s", (what, call) => {
    const x = Nx.f64([1.5, 2.5, 3.5]);

    it.each([...INTEGERS, ...OTHERS])("chooses by %s", (type) => {
      expect(list(call(Nx.tensor([1, 0, 2], { type }), x))).toEqual([1.5, -1, 3.5]);
    });

    it.each(OTHERS)("refuses a mask that %s chooses, and says what to write", (type) => {
      const shape = what === "a function of entries" ? "[]" : "[3]";
      expect(() => call(Nx.tensor([1, 0, 2], { type }), x.greater(2))).toThrow(
        `Nx.where expects the condition first, got ${type}${shape} before u8${shape}; ` +
          "where t is to be chosen from, write Nx.where(mask, t, 0), and Nx.notEqual(t, 0) for a condition made of it",
      );
    });
  });

  it("takes all but zero for true: fractions, NaN, parts of complex numbers", () => {
    expect([true, 1, 2n, -3, 0.5, NaN, Infinity].map((c) => Nx.where(c, 5, 6).toNumber())).toEqual(Array(7).fill(5));
    expect([false, 0, 0n, -0].map((c) => Nx.where(c, 5, 6).toNumber())).toEqual([6, 6, 6, 6]);
    expect(list(Nx.where(Nx.f32([0.25, -0, NaN, 1e-45]), 5, 6))).toEqual([5, 6, 5, 5]);
    const parts = Nx.complex(Nx.f64([0, 0, 2]), Nx.f64([0, 1, 0]));
    expect(list(Nx.where(parts, Nx.f32([1, 2, 3]), Nx.f32([4, 5, 6])))).toEqual([4, 2, 3]);
    expect(list(Nx.where(Nx.tril(Nx.ones([2, 2])), 7, Nx.f32([[1, 2], [3, 4]])))).toEqual([7, 2, 7, 7]); // prettier-ignore
  });

  it("takes numbers beside a condition of floats, whatever the other is of", () => {
    expect(list(Nx.where(Nx.f32([1, 0]), 5, Nx.u8([1, 2])))).toEqual([5, 2]);
    expect(list(Nx.defn((c: Nx.Tensor, n: number) => Nx.where(c, n, Nx.u8([1, 2])))(Nx.f32([1, 0]), 5))).toEqual([
      5, 2,
    ]);
  });

  it("leaves select its rule", () => {
    for (const type of [...INTEGERS, ...OTHERS]) {
      expect(list(Nx.select(Nx.tensor([1, 0, 2], { type }), Nx.f64([1.5, 2.5, 3.5]), -1))).toEqual([1.5, -1, 3.5]);
    }
    expect(Nx.select(NaN, 1, 2).toNumber()).toBe(1);
  });
});

describe("select", () => {
  const x = Nx.tensor(
    [
      [1, 0],
      [0, 2],
    ],
    { names: ["x", "y"] },
  );

  it("takes the shape of the predicate", () => {
    expect(list(Nx.select(x, Nx.tensor([10, 20]), Nx.tensor([[30], [40]])))).toEqual([10, 30, 40, 20]);
    expect(Nx.select(x, 1, 0).shape).toEqual([2, 2]);
    expect(list(Nx.select(Nx.tensor([1, 0]), 1, 0))).toEqual([1, 0]);
  });

  it("broadcasts both branches where the predicate is a scalar", () => {
    expect(list(Nx.select(true, Nx.tensor([1, 2]), Nx.tensor([[3], [4]])))).toEqual([1, 2, 1, 2]);
    expect(list(Nx.select(Nx.tensor(0), Nx.tensor([1, 2]), Nx.tensor([[3], [4]])))).toEqual([3, 3, 4, 4]);
    expect(list(Nx.select(1, 2, 3))).toEqual([2]);
  });

  it("counts what is not zero as true", () => {
    const pred = Nx.tensor([NaN, -0, 0.5, Infinity]);
    expect(list(Nx.select(pred, 1, 0))).toEqual([1, 0, 1, 1]);
    expect(list(Nx.select(Nx.tensor([new Nx.Complex(0, 1), new Nx.Complex(0, 0)]), 1, 0))).toEqual([1, 0]);
    expect(list(Nx.select(Nx.s64([2n ** 32n, 0n]), 1, 0))).toEqual([1, 0]);
  });

  it("merges the types of the branches without weak numbers", () => {
    expect(Nx.select(1, Nx.u8([1]), 2).type).toBe("s64");
    expect(Nx.select(1, Nx.u8([1]), Nx.s8([2])).type).toBe("s16");
    expect(list(Nx.select(Nx.tensor([1, 0]), Nx.tensor([1, 2]), 0.5))).toEqual([1, 0.5]);
    const z = Nx.select(Nx.tensor([1, 0]), new Nx.Complex(1, 2), 3);
    expect(z.type).toBe("c64");
    expect(list(Nx.imag(z))).toEqual([2, 0]);
  });

  it("merges the names of all three", () => {
    const row: Nx.Tensor = Nx.tensor([1, 2], { names: ["y"] });
    expect(Nx.select(x, row, 0).names).toEqual(["x", "y"]);
    expect(Nx.select(Nx.tensor([[1, 0]]), row, Nx.tensor([[1, 2]], { names: ["x", null] })).names).toEqual(["x", "y"]);
    expect(Nx.select(true, row, Nx.tensor([[1], [2]], { names: ["x", null] })).names).toEqual(["x", "y"]);
    const clash: Nx.Tensor = Nx.tensor([1, 2], { names: ["x"] });
    expect(() => Nx.select(x, clash, 0)).toThrow('cannot merge axis name "y"');
    expect(() => Nx.select(true, row, clash)).toThrow('cannot merge axis name "y"');
    expect(() => Nx.select(Nx.tensor([[1, 0]], { names: ["x", null] }), 1, clash)).toThrow("duplicate names");
  });

  it("refuses branches that would need more room than the predicate has", () => {
    expect(() => Nx.select(Nx.tensor([1, 0]), Nx.iota([2, 2]), 0)).toThrow(
      "Nx.select cannot broadcast onTrue of shape [2][2] to the shape [2] of pred",
    );
    expect(() => Nx.select(Nx.tensor([1]), 0, Nx.iota([2]))).toThrow("cannot broadcast onFalse of shape [2]");
    expect(() => Nx.select(1, Nx.iota([2]), Nx.iota([3]))).toThrow(
      "Nx.select cannot broadcast tensors of shapes [2] and [3]",
    );
  });
});

describe("map", () => {
  const t = Nx.tensor(
    [
      [1, 2],
      [3, 4],
    ],
    { names: ["x", "y"] },
  );

  it("applies a function to scalars", () => {
    const seen: number[][] = [];
    const result = Nx.map(t, (element) => {
      seen.push([...element.shape]);
      return Nx.multiply(element, 10);
    });
    expect(list(result)).toEqual([10, 20, 30, 40]);
    expect(result.names).toEqual(["x", "y"]);
    expect(seen.every((shape) => shape.length === 0)).toBe(true);
  });

  it("gives the type of the tensor or the one asked for", () => {
    expect(Nx.map(t, (element) => Nx.divide(element, 2)).type).toBe("s64");
    expect(list(Nx.map(t, (element) => Nx.divide(element, 2)))).toEqual([0, 1, 1, 2]);
    expect(list(Nx.map(t, (element) => Nx.divide(element, 2), { type: "f32" }))).toEqual([0.5, 1, 1.5, 2]);
    expect(list(Nx.map(t, () => 7))).toEqual([7, 7, 7, 7]);
  });

  it("takes other names", () => {
    expect(Nx.map(t, (element) => element, { names: [null, "z"] }).names).toEqual([null, "z"]);
  });

  it("refuses what it cannot use", () => {
    expect(() => Nx.map(t, () => Nx.tensor([1]))).toThrow("give a scalar, got a tensor of shape [1]");
    expect(() => Nx.map(t, () => "1" as unknown as number)).toThrow("Nx.map expects a tensor or a number");
    expect(() => Nx.map(t, 1 as never)).toThrow("Nx.map expects a function of one element, got: 1");
    expect(() => Nx.map(t, () => 1, { typ: "f32" } as never)).toThrow(
      'unknown option "typ" for Nx.map; did you mean "type"',
    );
    expect(() => Nx.map(t, () => 1, { names: ["a"] as never })).toThrow("invalid names");
  });
});
