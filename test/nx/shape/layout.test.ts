import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const shape = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
const flat = (t: Nx.Tensor) => t.toFlatList();
const sizeOf = (dims: readonly number[]) => dims.reduce((a, b) => a * b, 1);

/** Index of a flat position in a shape. */
function indexOf(position: number, dims: readonly number[]): number[] {
  const index: number[] = [];
  for (let i = dims.length - 1, rest = position; i >= 0; i--, rest = Math.floor(rest / dims[i + 1]!)) {
    index[i] = rest % dims[i]!;
  }
  return index;
}

const positionOf = (index: readonly number[], dims: readonly number[]) =>
  index.reduce((position, at, i) => position * dims[i]! + at, 0);

describe("reshape", () => {
  it("keeps the elements in row-major order", () => {
    fc.assert(
      fc.property(shape, (dims) => {
        const t = Nx.iota([sizeOf(dims)]).reshape(dims);
        expect(t.shape).toEqual(dims);
        expect(flat(t)).toEqual(Array.from({ length: sizeOf(dims) }, (_, i) => i));
      }),
    );
  });

  it("drops names unless they are given, also when the shape stays", () => {
    const t = Nx.iota([2, 3], { names: ["x", "y"] });
    expect(t.reshape([2, 3]).names).toEqual([null, null]);
    expect(t.reshape([3, 2], { names: ["a", null] }).names).toEqual(["a", null]);
  });

  it("takes shape and names of a tensor", () => {
    const like = Nx.iota([3, 2], { names: ["a", "b"] });
    const t = Nx.reshape(Nx.iota([6]), like);
    expect([t.shape, t.names]).toEqual([
      [3, 2],
      ["a", "b"],
    ]);
  });

  it("finds the size that is auto", () => {
    expect(Nx.reshape(Nx.iota([2, 6]), ["auto", 3]).shape).toEqual([4, 3]);
    expect(() => Nx.reshape(Nx.iota([4]), ["auto", "auto"])).toThrow(/only one size/);
    expect(() => Nx.reshape(Nx.iota([4]), ["auto", 3])).toThrow(/would not be whole/);
    expect(() => Nx.reshape(Nx.iota([4]), [-1, "auto"])).toThrow(/only one size of a shape can be "auto" or -1/);
    expect(() => Nx.reshape(Nx.iota([4]), [-2, 2])).toThrow(/must hold positive integers only, got -2/);
    for (const open of [[-1, 2], [2, -1], [-1], [4, -1]]) {
      // prettier-ignore
      const auto = open.map((size) => (size === -1 ? "auto" : size));
      expect(Nx.reshape(Nx.iota([2, 2]), open).shape).toEqual(Nx.reshape(Nx.iota([2, 2]), auto as number[]).shape);
    }
    expect(() => Nx.reshape(Nx.iota([4]), [5])).toThrow(/4 elements to \[5\] of 5/);
    expect(() => Nx.reshape(Nx.iota([4]), [2, 2], { nams: ["x"] } as never)).toThrow(/did you mean "names"/);
  });

  it("makes a scalar of one element and back", () => {
    expect(Nx.reshape(Nx.tensor([[7]]), []).toNumber()).toBe(7);
    expect(Nx.reshape(7, [1, 1]).toList()).toEqual([[7]]);
  });
});

describe("flatten, squeeze, newAxis, rename", () => {
  const t = Nx.iota([2, 1, 3], { names: ["a", "b", "c"] });

  it("flatten merges neighbouring axes", () => {
    expect([t.flatten().shape, t.flatten().names]).toEqual([[6], [null]]);
    expect(t.flatten({ axes: ["b", "c"], name: "bc" }).names).toEqual(["a", "bc"]);
    expect(t.flatten({ axes: [-2, -1] }).shape).toEqual([2, 3]);
    expect(() => t.flatten({ axes: ["a", "c"] })).toThrow(/neighbouring/);
    expect(() => t.flatten({ axes: ["b", "c"], name: "a" })).toThrow(/duplicate/);
    expect(Nx.flatten(5).toList()).toEqual([5]);
    expect(() => t.flatten({ axes: [] })).toThrow(Nx.ArgumentError);
  });

  it("squeeze removes axes of size 1 and their names", () => {
    expect([t.squeeze().shape, t.squeeze().names]).toEqual([
      [2, 3],
      ["a", "c"],
    ]);
    expect(t.squeeze({ axes: ["b"] }).shape).toEqual([2, 3]);
    expect(() => t.squeeze({ axes: ["a"] })).toThrow(/its size is 2/);
    expect(Nx.squeeze(Nx.iota([2])).shape).toEqual([2]);
  });

  it("newAxis takes positions from both ends", () => {
    expect(t.newAxis(0, "n").names).toEqual(["n", "a", "b", "c"]);
    expect(t.newAxis(-1).shape).toEqual([2, 1, 3, 1]);
    expect(t.newAxis(-2, "n").names).toEqual(["a", "b", "n", "c"]);
    expect(Nx.newAxis(1, 0).shape).toEqual([1]);
    expect(t.newAxis(3, "n").names).toEqual(["a", "b", "c", "n"]);
    expect(() => t.newAxis(4)).toThrow(/from -4 to 3/);
    expect(() => t.newAxis(0, "a")).toThrow(/duplicate/);
  });

  it("rename by old names sets those alone", () => {
    const named = Nx.iota([2, 3], { names: ["x", "y"] });
    expect(named.rename({ y: "x", x: "y" }).names).toEqual(["y", "x"]);
    expect(named.rename({ x: null }).names).toEqual([null, "y"]);
    expect(() => named.rename({ w: "z" } as never)).toThrow('Nx.rename: no axis named "w" in shape [x: 2][y: 3]');
    expect(() => named.rename({ x: "y" })).toThrow("duplicate");
  });

  it("rename sets every name and shares the elements", () => {
    expect(t.rename(["x", null, "z"]).names).toEqual(["x", null, "z"]);
    expect(t.rename(["a", "b", "c"]).equals(t)).toBe(true);
    expect(() => t.rename(["x"])).toThrow(/every dimension/);
  });
});

describe("transpose", () => {
  it("moves elements, sizes and names with their axes, for every type", () => {
    const types = ["u8", "s16", "f16", "f32", "f64", "s64", "c64", "c128"] as const;
    const axesOf = shape.chain((dims) =>
      fc.tuple(
        fc.constant(dims),
        fc.shuffledSubarray(
          dims.map((_, i) => i),
          { minLength: dims.length },
        ),
      ),
    );
    fc.assert(
      fc.property(axesOf, fc.constantFrom(...types), ([dims, axes], type) => {
        const names = dims.map((_, i) => `n${i}`);
        const t = Nx.iota(dims, { type, names });
        const moved = t.transpose({ axes });
        expect(moved.shape).toEqual(axes.map((axis) => dims[axis]));
        expect(moved.names).toEqual(axes.map((axis) => names[axis]));
        const expected = Array.from({ length: sizeOf(dims) }, (_, p) => {
          const index = indexOf(p, moved.shape);
          const source = new Array<number>(dims.length);
          axes.forEach((axis, i) => (source[axis] = index[i]!));
          return positionOf(source, dims);
        });
        expect(flat(moved.asType("s64"))).toEqual(expected);
        expect(moved.transpose({ axes: names }).equals(t)).toBe(true);
      }),
    );
  });

  it("reverses the axes by default and handles more than one tile", () => {
    const t = Nx.iota([70, 90]);
    expect(t.transpose().at(89, 69).toNumber()).toBe(6299);
    expect(t.transpose().transpose().equals(t)).toBe(true);
    expect(Nx.transpose(1).toNumber()).toBe(1);
    expect(() => t.transpose({ axes: [0] })).toThrow(/every axis/);
    expect(() => t.transpose({ axes: [0, 0] })).toThrow(/must not repeat/);
  });
});

describe("align", () => {
  it("orders axes by name and inserts missing ones", () => {
    const t = Nx.iota([2, 3], { names: ["x", "y"] });
    const aligned = t.align("y", "n", "x");
    expect([aligned.shape, aligned.names]).toEqual([
      [3, 1, 2],
      ["y", "n", "x"],
    ]);
    expect(aligned.at({ y: 2, x: 1 }).toFlatList()).toEqual([5]);
    expect(t.align("x", "y").equals(t)).toBe(true);
    expect(() => t.align("x")).toThrow(/axis 1 is not/);
    expect(() => t.align("x", "y", "x")).toThrow(/a name repeats/);
    expect(() => Nx.iota([2]).align("x")).toThrow(/axis 0 is not/);
  });
});

describe("broadcast and tile", () => {
  it("repeats along missing and unit axes", () => {
    fc.assert(
      fc.property(shape, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), fc.nat(3), (dims, unit, cut) => {
        const small = dims.map((dim, i) => (unit[i] ? 1 : dim)).slice(Math.min(cut, dims.length - 1));
        const t = Nx.iota(small);
        const offset = dims.length - small.length;
        const expected = Array.from({ length: sizeOf(dims) }, (_, p) => {
          const index = indexOf(p, dims).slice(offset);
          return positionOf(
            index.map((at, i) => (small[i] === 1 ? 0 : at)),
            small,
          );
        });
        expect(flat(t.broadcast(dims))).toEqual(expected);
      }),
    );
  });

  it("places axes explicitly, takes a tensor's shape and names", () => {
    expect(Nx.broadcast(Nx.tensor([1, 2]), [2, 2], { axes: [0] }).toList()).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const like = Nx.iota([2, 2], { names: ["x", "y"] });
    expect(Nx.broadcast(0, like).names).toEqual(["x", "y"]);
    expect(Nx.broadcast(Nx.iota([2], { names: ["x"] }), [2, 2]).names).toEqual([null, null]);
    expect(() => Nx.broadcast(Nx.iota([2, 3]), [3])).toThrow(/cannot broadcast/);
    expect(() => Nx.broadcast(Nx.iota([2, 3]), [3, 2], { axes: [1, 0] })).toThrow(/ascending/);
  });

  it("tile repeats whole tensors", () => {
    expect(Nx.tile(Nx.tensor([1, 2]), [2, 2]).toList()).toEqual([
      [1, 2, 1, 2],
      [1, 2, 1, 2],
    ]);
    expect(
      Nx.tile(
        Nx.tensor([
          [1, 2],
          [3, 4],
        ]),
        [2],
      ).toList(),
    ).toEqual([
      [1, 2, 1, 2],
      [3, 4, 3, 4],
    ]);
    expect(Nx.tile(Nx.iota([2, 2]), [2, 1, 2]).shape).toEqual([2, 2, 4]);
    expect(Nx.tile(3, [2]).toList()).toEqual([3, 3]);
    const same = Nx.iota([2, 2]);
    expect(Nx.tile(same, [1, 1]).equals(same)).toBe(true);
    expect(() => Nx.tile(Nx.iota([2]), [-1])).toThrow(/repetitions must hold positive integers/);
  });
});
