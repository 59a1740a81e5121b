import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import * as s from "../../backends/binary/support";
import { expectGradients, randoms } from "../../defn/grad/check";
import { errorOf, view } from "../aggregates/view";
import { axisOf, indexTensors, indices, namedTensors, someAxes } from "./naive";

const grid = () => Nx.iota([2, 3], { names: ["x", "y"] });
const cube = () => Nx.iota([2, 3, 4]);

/** Bits of the elements of `t` at positions made from the positions of a result. */
function picked(t: Nx.Tensor, shape: readonly number[], place: (position: number[]) => number[]): string[] {
  const from = s.bitsOf(t);
  return s.positions(shape).map((position) => from[s.flatten(t.shape, place(position))]!);
}

const leads = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 });

describe("take", () => {
  const cases = fc.tuple(namedTensors(), fc.nat(3), fc.nat(2), leads).chain(([t, seed, kind, lead]) => {
    const along = axisOf(t, seed, kind);
    return fc.tuple(
      fc.constant(t),
      fc.constant(along),
      indexTensors(lead, () => t.shape[along.axis]!),
    );
  });

  it("puts the slices that the indices name in place of the axis, for every type", () => {
    fc.assert(
      fc.property(cases, ([t, { axis, form }, places]) => {
        const result = Nx.take(t, places, { axis: form });
        const shape = t.shape.toSpliced(axis, 1, ...places.shape);
        const at = indices(places);
        const rank = places.shape.length;
        const expected = picked(t, shape, (p) =>
          p.toSpliced(axis, rank, at[s.flatten(places.shape, p.slice(axis, axis + rank))]!),
        );
        expect([result.type, result.shape]).toEqual([t.type, shape]);
        const names = rank === 1 ? [t.names[axis]!] : places.names;
        expect(result.names).toEqual(t.names.toSpliced(axis, 1, ...names));
        expect(s.bitsOf(result)).toEqual(expected);
      }),
    );
  });

  it("gives the axis the names of the indices; a vector without one leaves it its own", () => {
    const indexNames = fc.constantFrom([], [null], ["i"], [null, null], ["i", null], [null, "j"], ["i", "j"]);
    fc.assert(
      fc.property(namedTensors(), indexNames, fc.nat(3), fc.nat(2), (t, names, seed, kind) => {
        const { axis, form } = axisOf(t, seed, kind);
        const places = Nx.broadcast(0, names.map(() => 2), { names }); // prettier-ignore
        const inherits = names.length === 1 && names[0] === null;
        const expected = t.names.toSpliced(axis, 1, ...(inherits ? [t.names[axis]!] : names));
        const taken = (x: Nx.Tensor, i: Nx.Tensor): Nx.Tensor => Nx.take(x, i, { axis: form });
        expect(taken(t, places).names).toEqual(expected);
        expect(Nx.defn(taken)(t, places).names).toEqual(expected);
        const several = Nx.Defn.vmap(taken, [null, 0])(t, Nx.stack([places, places]));
        expect(several.names).toEqual([null, ...expected]);
      }),
    );
  });

  it("agrees with numpy.take", () => {
    const places = Nx.tensor([
      [3, 0],
      [1, 1],
    ]);
    expect(view(Nx.take(cube(), places, { axis: 2 }))).toBe(
      "s64[2][3][2][2] [[[[3,0],[1,1]],[[7,4],[5,5]],[[11,8],[9,9]]],[[[15,12],[13,13]],[[19,16],[17,17]],[[23,20],[21,21]]]]",
    );
  });

  it("takes from the first axis by default, plain numbers included", () => {
    expect(view(Nx.take(grid(), Nx.tensor([1, 0, 1])))).toBe("s64[x: 3][y: 3] [[3,4,5],[0,1,2],[3,4,5]]");
    expect(view(Nx.take(grid(), 1))).toBe("s64[y: 3] [3,4,5]");
    expect(view(Nx.take(Nx.tensor([5, 6]), Nx.u8(1)))).toBe("s64 6");
  });

  it("puts the names of the indices where the axis was", () => {
    const places = Nx.tensor([[0, 2]], { names: ["n", null] });
    expect(view(Nx.take(grid(), places, { axis: "y" }))).toBe("s64[x: 2][n: 1][2] [[[0,2]],[[3,5]]]");
    expect(view(Nx.take(grid(), Nx.tensor([2], { names: ["y"] }), { axis: "y" }))).toBe("s64[x: 2][y: 1] [[2],[5]]");
    const clash = errorOf(() => Nx.take(grid(), Nx.tensor([2], { names: ["x"] }), { axis: "y" }));
    expect(clash).toContain('operation would result in duplicate names ["x", "x"]');
    expect(clash).toContain('rename an axis of an operand with Nx.rename to avoid the duplicate "x"');
  });

  it("refuses positions out of bounds", () => {
    const bounds = "indices must lie between 0 and 2, negative ones do not count from the end here";
    expect(errorOf(() => Nx.take(grid(), Nx.tensor([0, 3]), { axis: "y" }))).toBe(
      `ArgumentError: Nx.take: index 3 is out of bounds for axis 1 ("y") of size 3 in shape [x: 2][y: 3]; ${bounds}`,
    );
    expect(errorOf(() => Nx.take(cube(), -1, { axis: 1 }))).toBe(
      `ArgumentError: Nx.take: index -1 is out of bounds for axis 1 of size 3 in shape [2][3][4]; ${bounds}`,
    );
    expect(errorOf(() => Nx.take(grid(), Nx.u64([2n ** 63n])))).toContain("is out of bounds for axis 0");
    expect(errorOf(() => Nx.defn((t: Nx.Tensor) => Nx.take(t, 9))(grid()))).toContain("index 9 is out of bounds");
  });

  it("refuses what is no index, no tensor, no axis and no option", () => {
    expect(errorOf(() => Nx.take(grid(), Nx.tensor([0.5])))).toBe(
      "ArgumentError: Nx.take expects indices of an integer type, got f32; convert them with Nx.asType",
    );
    expect(errorOf(() => Nx.take(grid(), Nx.c64([1])))).toContain("got c64");
    expect(errorOf(() => Nx.take(grid(), [1] as never))).toContain("Nx.take expects a tensor or a number, got: [1]");
    expect(errorOf(() => Nx.take("t" as never, 1))).toContain('Nx.take expects a tensor or a number, got: "t"');
    expect(errorOf(() => Nx.take(5, 0))).toContain("given axis (0) invalid for shape [] with rank 0");
    expect(errorOf(() => Nx.take(grid(), 0, { axis: 2 }))).toContain("given axis (2) invalid for shape [x: 2][y: 3]");
    expect(errorOf(() => Nx.take(grid(), 0, { axis: "z" } as never))).toContain('no axis named "z"');
    expect(errorOf(() => Nx.take(grid(), 0, { axs: [0] } as never))).toBe(
      'ArgumentError: unknown option "axs" for Nx.take; did you mean "axis"? Expected one of: axis',
    );
  });

  it("refuses results that no array can hold, before they are made", () => {
    const many = Nx.broadcast(Nx.u8(0), [70_000]);
    const wide = Nx.broadcast(Nx.u8(0), [1, 70_000]);
    expect(errorOf(() => Nx.take(wide, many))).toContain("the result of Nx.take, shape [70000][70000] has 4900000000");
  });
});

describe("takeAlongAxis", () => {
  const cases = fc
    .tuple(namedTensors(), fc.nat(3), fc.nat(2), fc.integer({ min: 1, max: 4 }))
    .chain(([t, seed, kind, length]) => {
      const along = axisOf(t, seed, kind);
      const shape = t.shape.with(along.axis, length);
      return fc.tuple(
        fc.constant(t),
        fc.constant(along),
        indexTensors(shape, () => t.shape[along.axis]!),
      );
    });

  it("looks every place up by itself, for every type", () => {
    fc.assert(
      fc.property(cases, ([t, { axis, form }, places]) => {
        const result = Nx.takeAlongAxis(t, places, { axis: form });
        const at = indices(places);
        const expected = picked(t, places.shape, (p) => p.with(axis, at[s.flatten(places.shape, p)]!));
        expect([result.type, result.shape, result.names]).toEqual([t.type, places.shape, t.names]);
        expect(s.bitsOf(result)).toEqual(expected);
      }),
    );
  });

  it("agrees with numpy.take_along_axis", () => {
    const last = Nx.tensor([
      [[2], [0], [3]],
      [[1], [1], [0]],
    ]);
    expect(view(Nx.takeAlongAxis(cube(), last, { axis: 2 }))).toBe("s64[2][3][1] [[[2],[4],[11]],[[13],[17],[20]]]");
    const first = Nx.tensor([
      [
        [1, 0, 1, 0],
        [0, 0, 0, 0],
        [1, 1, 1, 1],
      ],
    ]);
    expect(view(Nx.takeAlongAxis(cube(), first))).toBe("s64[1][3][4] [[[12,1,14,3],[4,5,6,7],[20,21,22,23]]]");
  });

  it("keeps the names of the tensor, whatever the indices are called", () => {
    const places = Nx.tensor([[2], [0]], { names: ["p", "q"] });
    expect(view(Nx.takeAlongAxis(grid(), places, { axis: "y" }))).toBe("s64[x: 2][y: 1] [[2],[3]]");
  });

  it("refuses indices of another shape", () => {
    const wrong = (places: Nx.Operand, axis: "x" | "y") => errorOf(() => Nx.takeAlongAxis(grid(), places, { axis }));
    expect(wrong(Nx.tensor([[0, 0, 0]], { names: ["n", null] }), "y")).toBe(
      "ArgumentError: Nx.takeAlongAxis expects indices of the tensor's shape but for axis 1, " +
        "got indices of shape [n: 1][3] for shape [x: 2][y: 3]",
    );
    expect(wrong(Nx.tensor([0, 1]), "y")).toContain("got indices of shape [2] for shape [x: 2][y: 3]");
    expect(wrong(0, "x")).toContain("got indices of shape [] for shape [x: 2][y: 3]");
    expect(wrong(Nx.tensor([[0, 1]]), "x")).toContain("but for axis 0, got indices of shape [1][2]");
  });

  it("refuses positions out of bounds and what is no index or option", () => {
    expect(errorOf(() => Nx.takeAlongAxis(grid(), Nx.tensor([[0], [3]]), { axis: "y" }))).toBe(
      'ArgumentError: Nx.takeAlongAxis: index 3 is out of bounds for axis 1 ("y") of size 3 in shape [x: 2][y: 3]; ' +
        "indices must lie between 0 and 2, negative ones do not count from the end here",
    );
    expect(errorOf(() => Nx.takeAlongAxis(grid(), Nx.tensor([[0, -1, 0]])))).toContain("index -1 is out of bounds");
    expect(errorOf(() => Nx.takeAlongAxis(grid(), Nx.f32([[0, 0, 0]])))).toBe(
      "ArgumentError: Nx.takeAlongAxis expects indices of an integer type, got f32; convert them with Nx.asType",
    );
    expect(errorOf(() => Nx.takeAlongAxis(7, 0))).toContain("given axis (0) invalid for shape [] with rank 0");
    expect(errorOf(() => Nx.takeAlongAxis(grid(), 0, { axs: 1 } as never))).toContain(
      'unknown option "axs" for Nx.takeAlongAxis; did you mean "axis"?',
    );
  });
});

describe("gather", () => {
  const cases = namedTensors().chain((t) =>
    fc.tuple(leads, someAxes(t), fc.boolean()).chain(([lead, some, given]) => {
      const axes = given ? some.map(({ axis }) => axis) : some.map((_, i) => i);
      const places = indexTensors([...lead, axes.length], (i) => t.shape[axes[i % axes.length]!]!);
      const option = given ? { axes: some.map(({ form }) => form) } : undefined;
      return fc.tuple(fc.constant(t), fc.constant({ axes, option }), places);
    }),
  );

  it("gives the slices at coordinates of any axes, for every type", () => {
    fc.assert(
      fc.property(cases, ([t, { axes, option }, places]) => {
        const result = Nx.gather(t, places, option);
        const left = t.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
        const lead = places.shape.slice(0, -1);
        const shape = [...lead, ...left.map((axis) => t.shape[axis]!)];
        const at = indices(places);
        const expected = picked(t, shape, (p) => {
          const place = t.shape.map((_, axis) => p[lead.length + left.indexOf(axis)]!);
          axes.forEach((axis, k) => {
            place[axis] = at[s.flatten(places.shape, [...p.slice(0, lead.length), k])]!;
          });
          return place;
        });
        expect([result.type, result.shape]).toEqual([t.type, shape]);
        expect(result.names).toEqual([...lead.map(() => null), ...left.map((axis) => t.names[axis]!)]);
        expect(s.bitsOf(result)).toEqual(expected);
      }),
    );
  });

  it("agrees with indexing by arrays in NumPy", () => {
    const places = Nx.tensor([
      [1, 2],
      [0, 0],
      [1, 0],
    ]);
    expect(view(Nx.gather(cube(), places))).toBe("s64[3][4] [[20,21,22,23],[0,1,2,3],[12,13,14,15]]");
    // Places of the last axis first: NumPy's a[:, i1, i0], whose axis of places comes last.
    expect(view(Nx.transpose(Nx.gather(cube(), places, { axes: [2, 1] })))).toBe("s64[2][3] [[9,0,1],[21,12,13]]");
  });

  it("takes one coordinate, or a grid of them", () => {
    expect(view(Nx.gather(grid(), Nx.tensor([1, 2])))).toBe("s64 5");
    expect(view(Nx.gather(grid(), Nx.tensor([1])))).toBe("s64[y: 3] [3,4,5]");
    expect(view(Nx.gather(grid(), Nx.tensor([[[1, 2]], [[0, 1]]])))).toBe("s64[2][1] [[5],[1]]");
  });

  it("names the result after the indices and the axes that are left", () => {
    const places = Nx.tensor([[1], [0]], { names: ["n", "entry"] });
    expect(view(Nx.gather(grid(), places, { axes: ["y"] }))).toBe("s64[n: 2][x: 2] [[1,4],[0,3]]");
    expect(view(Nx.gather(grid(), places, { axes: [-1] }))).toBe("s64[n: 2][x: 2] [[1,4],[0,3]]");
    expect(errorOf(() => Nx.gather(grid(), places.rename(["y", null])))).toContain(
      'operation would result in duplicate names ["y", "y"] for shape [y: 2][y: 3]',
    );
  });

  it("refuses coordinates out of bounds, naming the axis they are of", () => {
    expect(errorOf(() => Nx.gather(grid(), Nx.tensor([[1, 3]])))).toBe(
      'ArgumentError: Nx.gather: index 3 is out of bounds for axis 1 ("y") of size 3 in shape [x: 2][y: 3]; ' +
        "indices must lie between 0 and 2, negative ones do not count from the end here",
    );
    expect(errorOf(() => Nx.gather(grid(), Nx.tensor([[2, 1]]), { axes: [1, 0] }))).toBe("no error");
    expect(errorOf(() => Nx.gather(grid(), Nx.tensor([[2, 2]]), { axes: [1, 0] }))).toContain(
      'index 2 is out of bounds for axis 0 ("x") of size 2',
    );
    expect(errorOf(() => Nx.gather(grid(), Nx.tensor([[-1, 0]])))).toContain("index -1 is out of bounds for axis 0");
  });

  it("refuses coordinates that do not fit the tensor or the axes", () => {
    const call = (places: Nx.Operand, axes?: unknown) =>
      errorOf(() =>
        Nx.gather(grid(), places, axes === undefined ? undefined : ({ axes } as Nx.CoordinateOptions<"y">)),
      );
    expect(call(Nx.tensor([[0, 0, 0]]))).toBe(
      "ArgumentError: Nx.gather expects coordinates of at most 2 entries in the last axis of the indices, " +
        "got indices of shape [1][3] for shape [x: 2][y: 3]",
    );
    expect(call(Nx.tensor([[0, 0]]), ["y"])).toBe(
      'ArgumentError: Nx.gather expects one entry in the last axis of the indices for each of the axes ["y"], ' +
        "got indices of shape [1][2] for shape [x: 2][y: 3]",
    );
    expect(call(0)).toBe(
      "ArgumentError: Nx.gather expects a tensor with axes and coordinates in the last axis of the indices, " +
        "got indices of shape [] for shape [x: 2][y: 3]",
    );
    expect(errorOf(() => Nx.gather(5, Nx.tensor([0])))).toContain("got indices of shape [1] for shape []");
    expect(call(Nx.tensor([[0]]), [])).toContain("for each of the axes []");
    expect(call(Nx.tensor([[0, 0]]), [0, "x"])).toContain('axes must not repeat, got [0, "x"]');
    expect(call(Nx.tensor([[0]]), ["z"])).toContain('no axis named "z"');
    expect(call(Nx.tensor([[0]]), null)).toContain("axes must be an array of axis indices or names");
    expect(call(Nx.tensor([[0]]), new Array(2))).toContain("ArgumentError");
    expect(call(Nx.f64([[0]]))).toContain("Nx.gather expects indices of an integer type, got f64");
    expect(errorOf(() => Nx.gather(grid(), Nx.tensor([0]), { axs: 0 } as never))).toBe(
      'ArgumentError: unknown option "axs" for Nx.gather; did you mean "axes"? Expected one of: axes',
    );
  });

  it("refuses results that no array can hold, before they are made", () => {
    const many = Nx.broadcast(Nx.u8(0), [70_000, 1]);
    const wide = Nx.broadcast(Nx.u8(0), [1, 70_000]);
    expect(errorOf(() => Nx.gather(wide, many))).toContain("the result of Nx.gather, shape [70000][70000] has");
  });
});

describe("lookups", () => {
  const t = Nx.f64([
    [1.5, -2, 3],
    [4, 8, -0.5],
  ]);
  const places = Nx.tensor([
    [2, 0],
    [1, 1],
  ]);
  const functions: Record<string, (t: Nx.Tensor, places: Nx.Tensor) => Nx.Tensor> = {
    take: (x, at) => Nx.take(x, at, { axis: -1 }),
    takeAlongAxis: (x, at) => Nx.takeAlongAxis(x, at, { axis: -1 }),
    gather: (x, at) => Nx.gather(x, Nx.newAxis(at, -1), { axes: [-1] }),
  };

  it.each(Object.entries(functions))("%s is the same traced, and over vectorized axes", (_name, fn) => {
    expect(view(Nx.defn(fn)(t, places))).toBe(view(fn(t, places)));
    const rows = [0, 1].map((i) => fn(t.at(i), places.at(i)).toList());
    const mapped = Nx.Defn.vmap(fn)(t, places) as Nx.Tensor;
    expect(mapped.toList()).toEqual(rows);
  });

  it.each(Object.entries(functions))("%s has gradients", (_name, fn) => {
    expectGradients((x) => fn(x!, places), randoms([2, 3]));
  });

  it("of several axes have gradients", () => {
    expectGradients(
      (x) =>
        Nx.gather(
          x!,
          Nx.tensor([
            [3, 0],
            [3, 0],
            [1, 1],
          ]),
          { axes: [2, 0] },
        ),
      randoms([2, 3, 4]),
    );
  });
});
