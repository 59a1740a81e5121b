import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const { range } = Nx;
const t = Nx.tensor([
  [1, 2],
  [3, 4],
  [5, 6],
  [7, 8],
]);
const wide = Nx.tensor(
  [
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
    [10, 11, 12],
  ],
  { names: ["x", "y"] },
);

describe("at", () => {
  it("takes positions from both ends and drops the axis", () => {
    expect(t.at(0).toList()).toEqual([1, 2]);
    expect(t.at(1).at(1).toNumber()).toBe(4);
    expect(t.at(-1, -1).toNumber()).toBe(8);
    expect(() => Nx.tensor([1, 2]).at(2)).toThrow("index 2 is out of bounds for axis 0 of size 2 in shape [2]");
    expect(() => Nx.tensor([1, 2]).at(-3)).toThrow("index -3 is out of bounds for axis 0");
    expect(() => Nx.tensor(1).at(0)).toThrow(/a scalar cannot be indexed/);
    expect(() => t.at(0.5)).toThrow(/must be an integer/);
  });

  it("clamps scalar tensors", () => {
    for (const [index, row] of [
      [2, 2],
      [9, 3],
      [-1, 0],
    ] as const) {
      expect(t.at(Nx.tensor(index)).toList()).toEqual(t.at(row).toList());
    }
    expect(t.at(Nx.u8(1), Nx.s64(1)).toNumber()).toBe(4);
    expect(() => t.at(Nx.tensor([1]))).toThrow(/integer scalar/);
    expect(() => t.at(Nx.tensor(1.5))).toThrow(/integer scalar/);
  });

  it("keeps the axis of a range, whose end is left out", () => {
    expect(t.at(range(0, 2)).toList()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(t.at(range(1, -1)).toList()).toEqual([
      [3, 4],
      [5, 6],
    ]);
    expect(t.at(range(1)).at(range(1)).toList()).toEqual([
      [5, 6],
      [7, 8],
    ]);
    expect(t.at(range(1), range(1)).toList()).toEqual([[4], [6], [8]]);
    expect(t.at(range(), range(1)).toList()).toEqual([[2], [4], [6], [8]]);
    expect(wide.at(range(1, 3), 2).toList()).toEqual([6, 9]);
    expect(() => t.at(range(3, 1))).toThrow(/is empty/);
    expect(() => t.at(range(0, 5))).toThrow(/out of bounds for axis 0 of size 4/);
    expect(() => range(0.5)).toThrow(/expects integers/);
  });

  it("selects by name and leaves the other axes", () => {
    expect(wide.at({ x: range(1, 3) }).toList()).toEqual([
      [4, 5, 6],
      [7, 8, 9],
    ]);
    expect(wide.at({ x: range(1, 3), y: range(0, 2) }).toList()).toEqual([
      [4, 5],
      [7, 8],
    ]);
    const row = wide.at({ x: 1, y: range(0, 2) });
    expect([row.toList(), row.names]).toEqual([[4, 5], ["y"]]);
    expect(wide.at({ y: -1 }).names).toEqual(["x"]);
    expect(() => wide.at({ z: 0 } as never)).toThrow(/no axis named "z".*"x", "y"/);
    expect(() => t.at({ x: 0 } as never)).toThrow(/no named axes/);
  });

  it("without indices is all of the tensor", () => {
    expect(t.at().equals(t)).toBe(true);
    expect(t.at(range(), range(0, 2)).equals(t)).toBe(true);
  });

  it("agrees with slices of nested lists", () => {
    const bounds = fc.tuple(fc.nat(3), fc.nat(3)).filter(([a, b]) => a < b);
    fc.assert(
      fc.property(bounds, bounds, fc.integer({ min: -3, max: 2 }), (rows, columns, position) => {
        const cube = Nx.iota([3, 3, 3]);
        const list = cube.toList() as number[][][];
        expect(cube.at(range(...rows), position, range(...columns)).toList()).toEqual(
          list.slice(...rows).map((plane) => plane.at(position)!.slice(...columns)),
        );
      }),
    );
  });

  it("takes every so many entries of a range, as JavaScript's slice and filter do, on every backend and in traces", () => {
    const bound = fc.option(fc.integer({ min: -9, max: 9 }), { nil: undefined });
    const line = Nx.iota([9]);
    const list = line.toNumbers();
    const some = fc.tuple(bound, bound, fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(
        some.filter(([start, end]) => list.slice(start, end).length > 0),
        ([start, end, step]) => {
          const expected = list.slice(start, end).filter((_, i) => i % step === 0);
          const pick = (t: Nx.Tensor) => t.at(range(start, end, step));
          expect(pick(line).toNumbers()).toEqual(expected);
          expect(pick(Nx.backendCopy(line, "binary")).toNumbers()).toEqual(expected);
          expect(Nx.defn(pick)(line).toNumbers()).toEqual(expected);
        },
      ),
    );
    expect(wide.at({ x: range(0, 4, 3), y: 1 }).equals(wide.at({ y: 1 }).take(Nx.tensor([0, 3])))).toBe(true);
    expect(() => range(0, 4, 0)).toThrow(/positive integer as step, got: 0; Nx.reverse/);
    expect(() => range(0, 4, 1.5)).toThrow(/positive integer as step, got: 1.5/);
  });

  it("traces, with dynamic positions as parameters", () => {
    const pick = Nx.defn((x: Nx.Tensor, i: Nx.Operand) => x.at(i as Nx.Tensor, range(1)));
    expect(pick(t, 2).toList()).toEqual([6]);
    expect(pick(t, 99).toList()).toEqual([8]);
  });
});

describe("suggestions", () => {
  it("are not made for a single letter that is another one", () => {
    const t: Nx.Tensor = Nx.iota([2, 3], { names: ["x", "y"] });
    expect(() => t.at({ w: 1 })).toThrow(/the axes are "x", "y"$/);
    expect(() => t.at({ Y: 1 })).toThrow(/did you mean "y"\?$/);
  });
});
