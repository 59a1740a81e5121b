import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const list = (t: Nx.Tensor) => Nx.toList(t);

describe("makeDiagonal", () => {
  it.each([
    [
      0,
      [
        [1, 0, 0],
        [0, 2, 0],
        [0, 0, 3],
      ],
    ],
    [
      1,
      [
        [0, 1, 0, 0],
        [0, 0, 2, 0],
        [0, 0, 0, 3],
        [0, 0, 0, 0],
      ],
    ],
    [
      -1,
      [
        [0, 0, 0, 0],
        [1, 0, 0, 0],
        [0, 2, 0, 0],
        [0, 0, 3, 0],
      ],
    ],
  ])("with offset %d", (offset, expected) => {
    expect(list(Nx.makeDiagonal(Nx.tensor([1, 2, 3]), { offset }))).toEqual(expected);
  });

  it.each([-4, 4])("with offset %d, longer than the vector", (offset) => {
    const rows = Nx.toList(Nx.makeDiagonal(Nx.tensor([1, 2, 3]), { offset })) as number[][];
    expect(rows.length).toBe(7);
    rows.forEach((row, i) => row.forEach((x, j) => expect(x).toBe(j - i === offset ? Math.min(i, j) + 1 : 0)));
  });

  it("keeps the type", () => {
    expect(Nx.makeDiagonal(Nx.f64([0.1])).type).toBe("f64");
    expect(list(Nx.makeDiagonal(Nx.c64([1, 2])))).toEqual([
      [new Nx.Complex(1), new Nx.Complex(0)],
      [new Nx.Complex(0), new Nx.Complex(2)],
    ]);
  });

  it("refuses other ranks and offsets", () => {
    expect(() =>
      Nx.makeDiagonal(
        Nx.tensor([
          [0, 0],
          [0, 1],
        ]),
      ),
    ).toThrow("expects tensor of rank 1, got tensor of rank: 2");
    expect(() => Nx.makeDiagonal(Nx.tensor(1))).toThrow("got tensor of rank: 0");
    expect(() => Nx.makeDiagonal(Nx.tensor([1]), { offset: 0.5 })).toThrow("option offset of Nx.makeDiagonal");
    expect(() => Nx.makeDiagonal(Nx.tensor([1]), { ofset: 1 } as never)).toThrow('did you mean "offset"?');
  });
});

describe("putDiagonal", () => {
  const zeros = (...shape: number[]) => Nx.fill(shape, 0);

  it.each([
    [
      [4, 4],
      [1, 2, 3, 4],
      0,
      [
        [1, 0, 0, 0],
        [0, 2, 0, 0],
        [0, 0, 3, 0],
        [0, 0, 0, 4],
      ],
    ],
    [
      [4, 3],
      [1, 2, 3],
      0,
      [
        [1, 0, 0],
        [0, 2, 0],
        [0, 0, 3],
        [0, 0, 0],
      ],
    ],
    [
      [4, 4],
      [1, 2, 3],
      1,
      [
        [0, 1, 0, 0],
        [0, 0, 2, 0],
        [0, 0, 0, 3],
        [0, 0, 0, 0],
      ],
    ],
    [
      [4, 3],
      [1, 2],
      1,
      [
        [0, 1, 0],
        [0, 0, 2],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
    [
      [4, 4],
      [1, 2, 3],
      -1,
      [
        [0, 0, 0, 0],
        [1, 0, 0, 0],
        [0, 2, 0, 0],
        [0, 0, 3, 0],
      ],
    ],
    [
      [4, 3],
      [1, 2, 3],
      -1,
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 2, 0],
        [0, 0, 3],
      ],
    ],
  ])("in shape %j, %j with offset %d", (shape, diagonal, offset, expected) => {
    expect(list(Nx.putDiagonal(zeros(...shape), Nx.tensor(diagonal), { offset }))).toEqual(expected);
  });

  it("merges types and keeps names", () => {
    const t = Nx.u8(
      [
        [1, 2],
        [3, 4],
      ],
      { names: ["x", "y"] },
    );
    const put = Nx.putDiagonal(t, Nx.tensor([0.5, 0.25]));
    expect([put.type, put.names, list(put)]).toEqual([
      "f32",
      ["x", "y"],
      [
        [0.5, 2],
        [3, 0.25],
      ],
    ]);
    expect(Nx.putDiagonal(t, Nx.tensor([7, 8])).type).toBe("s64");
  });

  it.each([
    [[3, 3, 3], [3], 0, "expects tensor of rank 2, got tensor of rank: 3"],
    [[3, 3], [3, 3], 0, "expects diagonal of rank 1, got tensor of rank: 2"],
    [[3, 3], [2], 0, "expected diagonal tensor of length: 3, got diagonal tensor of length: 2"],
    [[3, 3], [3], 1, "expected diagonal tensor of length: 2, got diagonal tensor of length: 3"],
    [[3, 3], [3], 4, "offset must be less than length of axis 1 when positive, got: 4"],
    [[3, 3], [3], -3, "absolute value of offset must be less than length of axis 0 when negative, got: -3"],
  ])("refuses %j and %j with offset %d", (shape, diagonal, offset, message) => {
    expect(() => Nx.putDiagonal(Nx.iota(shape), Nx.iota(diagonal), { offset })).toThrow(message);
  });
});

describe("takeDiagonal", () => {
  it("reads matrices and batches of them", () => {
    expect(list(Nx.takeDiagonal(Nx.iota([3, 3])))).toEqual([0, 4, 8]);
    expect(list(Nx.takeDiagonal(Nx.iota([3, 3]), { offset: 1 }))).toEqual([1, 5]);
    expect(list(Nx.takeDiagonal(Nx.iota([3, 3]), { offset: -1 }))).toEqual([3, 7]);
    expect(list(Nx.takeDiagonal(Nx.iota([3, 2, 2])))).toEqual([
      [0, 3],
      [4, 7],
      [8, 11],
    ]);
    expect(list(Nx.takeDiagonal(Nx.iota([3, 2, 2]), { offset: -1 }))).toEqual([[2], [6], [10]]);
    expect(Nx.takeDiagonal(Nx.iota([3, 2, 2], { names: ["b", "x", "y"] })).names).toEqual(["b", null]);
  });

  it("refuses other ranks and offsets outside", () => {
    expect(() => Nx.takeDiagonal(Nx.tensor([0, 1, 2]))).toThrow(
      "expects tensor of rank 2 or higher, got tensor of rank: 1",
    );
    expect(() => Nx.takeDiagonal(Nx.iota([3, 3]), { offset: 3 })).toThrow(
      "offset must be less than length of axis 1 when positive, got: 3",
    );
    expect(() => Nx.takeDiagonal(Nx.iota([3, 3]), { offset: -4 })).toThrow(
      "absolute value of offset must be less than length of axis 0 when negative, got: -4",
    );
  });

  it("is the converse of makeDiagonal and of putDiagonal", () => {
    const size = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(size, fc.integer({ min: -4, max: 4 }), (length, offset) => {
        const t = Nx.iota([length], { type: "f32" });
        expect(Nx.takeDiagonal(Nx.makeDiagonal(t, { offset }), { offset }).equals(t)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(size, size, fc.integer({ min: -4, max: 4 }), (rows, columns, offset) => {
        fc.pre(offset < columns && -offset < rows);
        const t = Nx.iota([rows, columns]);
        expect(Nx.putDiagonal(t, Nx.takeDiagonal(t, { offset }), { offset }).equals(t)).toBe(true);
      }),
    );
  });
});
