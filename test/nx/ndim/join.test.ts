import fc from "fast-check";
import { List, Map, OrderedMap } from "immutable";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import * as s from "../../backends/binary/support";
import { errorOf, view } from "../aggregates/view";
import { TYPES, elements, tensorOf } from "./numbers";
import { tries } from "../../effort";

const NAMES = ["a", "b", "c", "d"];

/** Shapes of one rank that differ along one axis only. */
const joined = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }).chain((shape) =>
  fc.record({
    shape: fc.constant(shape),
    axis: fc.nat(shape.length - 1),
    sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
    kind: fc.nat(2),
  }),
);

const drawTypes = fc.array(fc.constantFrom(...TYPES), { minLength: 4, maxLength: 4 });
const drawNames = fc.array(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), { minLength: 4, maxLength: 4 });

interface Pieces {
  readonly pieces: readonly Nx.Tensor[];
  readonly type: Nx.DType;
  readonly names: readonly (string | null)[];
}

/** Tensors of random elements, some of their axes named, with the type and the names that they merge to. */
function piecesOf(shapes: readonly number[][], types: readonly Nx.DType[], named: readonly boolean[][]): Pieces {
  const rank = shapes[0]!.length;
  const namesOf = (i: number) => NAMES.slice(0, rank).map((name, axis) => (named[i]![axis] ? name : null));
  const pieces = shapes.map((shape, i) => tensorOf(elements(types[i]!, s.sizeOf(shape), i + 1), types[i]!, shape, namesOf(i))); // prettier-ignore
  return {
    pieces,
    type: types.slice(0, shapes.length).reduce((a, b) => Nx.Type.merge(a, b)),
    names: NAMES.slice(0, rank).map((name, axis) => (shapes.some((_, i) => named[i]![axis]) ? name : null)),
  };
}

/** An axis in one of its forms. */
const axisForm = (axis: number, rank: number, name: string | null | undefined, kind: number) =>
  kind === 0 ? axis : kind === 1 ? axis - rank : (name ?? axis);

describe("concatenate", () => {
  it("puts one element after the other along any axis, in the merged type and with the merged names", () => {
    fc.assert(
      fc.property(joined, drawTypes, drawNames, ({ shape, axis, sizes, kind }, types, named) => {
        const { pieces, type, names } = piecesOf(sizes.map((size) => shape.with(axis, size)), types, named); // prettier-ignore
        const form = axisForm(axis, shape.length, pieces[0]!.names[axis], kind);
        const result = Nx.concatenate(pieces, { axis: form });
        const length = sizes.reduce((a, b) => a + b);
        expect([result.type, result.shape, result.names]).toEqual([type, shape.with(axis, length), names]);
        const values = pieces.map((t) => s.valuesOf(Nx.asType(t, type)));
        const expected = s.positions(result.shape).map((at) => {
          let [piece, index] = [0, at[axis]!];
          while (index >= sizes[piece]!) index -= sizes[piece++]!;
          return values[piece]![s.flatten(pieces[piece]!.shape, at.with(axis, index))];
        });
        expect(s.valuesOf(result)).toEqual(expected);
      }),
      { numRuns: tries(300) },
    );
  });

  it("keeps every bit of tensors of one type", () => {
    const some = fc
      .tuple(fc.integer({ min: 1, max: 4 }), s.types)
      .chain(([rows, type]) => fc.tuple(s.randomBits([rows, 3], type), s.randomBits([2, 3], type)));
    fc.assert(
      fc.property(some, ([a, b]) => {
        expect(s.bitsOf(Nx.concatenate([a, b]))).toEqual([...s.bitsOf(a), ...s.bitsOf(b)]);
      }),
    );
  });

  it("gives the elements of one tensor", () => {
    const t = Nx.tensor([[1, 2]], { names: ["x", "y"] });
    expect(Nx.concatenate([t]).equals(t)).toBe(true);
    expect(Nx.concatenate(t).equals(t)).toBe(true);
    expect(Nx.concatenate({ only: [t] }, { axis: "y" }).equals(t)).toBe(true);
  });

  it("takes the tensors of any container: objects by their sorted keys", () => {
    const [one, two, three] = [Nx.tensor([1]), Nx.tensor([2, 2]), Nx.tensor([3])];
    const expected = "s64[4] [1,2,2,3]";
    expect(view(Nx.concatenate([one, [two, [three]]]))).toBe(expected);
    expect(view(Nx.concatenate({ b: two, a: one, c: { z: three } }))).toBe(expected);
    expect(view(Nx.concatenate(List([one, two, three])))).toBe(expected);
    expect(view(Nx.concatenate(OrderedMap({ z: one, b: two, a: three })))).toBe(expected);
    expect(view(Nx.concatenate([Map({ k: one }), two, three]))).toBe(expected);
  });

  it("merges types as operations do", () => {
    const typeOf = (...types: Nx.DType[]) => Nx.concatenate(types.map((type) => Nx.tensor([1], { type }))).type;
    expect(typeOf("u8", "s64")).toBe("s64");
    expect(typeOf("u8", "s8")).toBe("s16");
    expect(typeOf("s64", "f16")).toBe("f16");
    expect(typeOf("f16", "bf16", "f32")).toBe("f32");
    expect(typeOf("f64", "u8", "c64")).toBe("c128");
    expect(view(Nx.concatenate([Nx.u8([255]), Nx.s8([-1])]))).toBe("s16[2] [255,-1]");
    expect(view(Nx.concatenate([Nx.s64([2n ** 53n + 1n]), Nx.u8([1])]))).toBe("s64[2] [9007199254740993,1]");
    expect(view(Nx.concatenate([Nx.f32([0.1]), Nx.f16([2])]))).toBe("f32[2] [0.10000000149011612,2]");
  });

  it("merges names, of which the axis may be any tensor's", () => {
    const [a, b] = [Nx.tensor([[1]], { names: ["x", null] }), Nx.tensor([[2]], { names: [null, "y"] })];
    expect(view(Nx.concatenate([a, b]))).toBe("s64[x: 2][y: 1] [[1],[2]]");
    expect(view(Nx.concatenate([a, b], { axis: 1 }))).toBe("s64[x: 1][y: 2] [[1,2]]");
  });

  it("says what is wrong", () => {
    const t = Nx.tensor([[1, 2]], { names: ["x", "y"] });
    const call = (tensors: unknown, options?: unknown) =>
      errorOf(() => Nx.concatenate(tensors as Nx.Tensor[], options as object));
    expect(call([t, Nx.tensor([[1, 2, 3]])])).toBe(
      "ArgumentError: Nx.concatenate along axis 0 expects tensors of one shape but for that axis, got [x: 1][y: 2] and [1][3]",
    );
    expect(call([t, Nx.tensor([1, 2])], { axis: 1 })).toMatch(
      "along axis 1 expects tensors of one shape but for that axis",
    );
    expect(call([1, 2])).toBe(
      "ArgumentError: Nx.concatenate joins along an axis, which scalars do not have; use Nx.stack",
    );
    expect(call([t, 1])).toMatch("got [x: 1][y: 2] and []");
    expect(call([t, Nx.tensor([[1, 2]], { names: ["z", "y"] })])).toMatch(
      'ArgumentError: Nx.concatenate: cannot merge axis name "x"',
    );
    expect(call([t, t], { axis: 2 })).toMatch(
      "ArgumentError: Nx.concatenate: given axis (2) invalid for shape [x: 1][y: 2]",
    );
    expect(call([t, t], { axis: "z" })).toMatch('ArgumentError: Nx.concatenate: no axis named "z"');
    expect(call([t, t], { axs: 0 })).toMatch(/^ArgumentError: .*axs/);
    for (const none of [[], {}, [[], {}], List()]) {
      expect(call(none)).toBe("ArgumentError: Nx.concatenate expects a list of at least one tensor, got none");
    }
    for (const wrong of [null, undefined, "ab", [t, "ab"], { a: t, b: null }, () => t]) {
      expect(call(wrong)).toMatch("ArgumentError: Nx.concatenate expects");
    }
    const long = Nx.broadcast(Nx.u8(0), [2 ** 20]);
    const same = new Array<Nx.Tensor>(4096).fill(long);
    expect(call(same)).toMatch(
      "ArgumentError: the result of Nx.concatenate, shape [4294967296] has 4294967296 elements",
    );
  });

  it("is the same traced, and has gradients that go back to each", () => {
    const [a, b] = [Nx.f32([[1, 2]]), Nx.f32([[3, 4], [5, 6]])]; // prettier-ignore
    const call = (x: Nx.Tensor, y: Nx.Tensor) => Nx.concatenate([y, x, y]);
    expect(view(Nx.defn(call)(a, b))).toBe(view(call(a, b)));
    const weights = Nx.iota([5, 2]);
    const gradients = Nx.Defn.grad(([x, y]: Nx.Tensor[]) => Nx.sum(Nx.multiply(call(x!, y!), weights)))([a, b]);
    expect(gradients.map(view)).toEqual(["f32[1][2] [[4,5]]", "f32[2][2] [[6,8],[10,12]]"]);
  });
});

describe("stack", () => {
  const stacked = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }).chain((shape) =>
    fc.record({
      shape: fc.constant(shape),
      axis: fc.integer({ min: -shape.length - 1, max: shape.length }),
      count: fc.integer({ min: 1, max: 4 }),
      name: fc.constantFrom("new", null, undefined),
    }),
  );

  it("puts tensors along a new axis anywhere, in the merged type and with the merged names", () => {
    fc.assert(
      fc.property(stacked, drawTypes, drawNames, ({ shape, axis, count, name }, types, named) => {
        const { pieces, type, names } = piecesOf(new Array<number[]>(count).fill(shape), types, named);
        const at = axis < 0 ? axis + shape.length + 1 : axis;
        const result = Nx.stack(pieces, name === undefined ? { axis } : { axis, name });
        expect(result.type).toBe(type);
        expect(result.shape).toEqual(shape.toSpliced(at, 0, count));
        expect(result.names).toEqual(names.toSpliced(at, 0, name ?? null));
        const values = pieces.map((t) => s.valuesOf(Nx.asType(t, type)));
        const expected = s.positions(result.shape).map((position) => {
          return values[position[at]!]![s.flatten(shape, position.toSpliced(at, 1))];
        });
        expect(s.valuesOf(result)).toEqual(expected);
      }),
      { numRuns: tries(300) },
    );
  });

  it("puts the axis in front and leaves it unnamed unless told otherwise", () => {
    const rows = [Nx.tensor([1, 2], { names: ["x"] }), Nx.tensor([3, 4])];
    expect(view(Nx.stack(rows))).toBe("s64[2][x: 2] [[1,2],[3,4]]");
    expect(view(Nx.stack(rows, { axis: 1, name: "y" }))).toBe("s64[x: 2][y: 2] [[1,3],[2,4]]");
    expect(view(Nx.stack(rows, { axis: -1, name: null }))).toBe("s64[x: 2][2] [[1,3],[2,4]]");
    expect(view(Nx.stack(rows, { axis: -2 }))).toBe(view(Nx.stack(rows)));
  });

  it("takes one tensor, plain numbers, and any container", () => {
    expect(view(Nx.stack([Nx.tensor([1, 2])]))).toBe("s64[1][2] [[1,2]]");
    expect(view(Nx.stack(5))).toBe("s64[1] [5]");
    expect(view(Nx.stack([1, 2.5, 3n]))).toBe("f32[3] [1,2.5,3]");
    expect(view(Nx.stack([1, new Nx.Complex(0, 1)]))).toBe("c64[2] [1:0,0:1]");
    expect(view(Nx.stack({ b: 1, a: [2, { c: 3 }] }))).toBe("s64[3] [2,3,1]");
    expect(view(Nx.stack(List([1, Map({ a: 2 })])))).toBe("s64[2] [1,2]");
  });

  it("does not take plain numbers for weak: they have the type they have alone", () => {
    expect(Nx.stack([Nx.u8(1), 2]).type).toBe("s64");
    expect(Nx.stack([Nx.f64(1), 2.5]).type).toBe("f64");
    expect(Nx.stack([Nx.bf16(1), 2.5]).type).toBe("f32");
  });

  it("says what is wrong", () => {
    const t = Nx.tensor([1, 2], { names: ["x"] });
    const call = (tensors: unknown, options?: unknown) =>
      errorOf(() => Nx.stack(tensors as Nx.Tensor[], options as object));
    expect(call([t, Nx.tensor([1])])).toBe("ArgumentError: Nx.stack expects tensors of one shape, got [x: 2] and [1]");
    expect(call([1, Nx.tensor([1])])).toBe("ArgumentError: Nx.stack expects tensors of one shape, got [] and [1]");
    expect(call([t, t], { name: "x" })).toMatch("ArgumentError: Nx.stack: operation would result in duplicate names");
    expect(call([t, t.rename(["y"])])).toMatch('ArgumentError: Nx.stack: cannot merge axis name "x"');
    for (const [axis, shown] of [
      [2, "2"],
      [-3, "-3"],
      [0.5, "0.5"],
      [NaN, "NaN"],
      ["x", '"x"'],
      [[0, 1], "[0, 1]"],
    ] as const) {
      expect(call([t, t], { axis })).toBe(
        `ArgumentError: option axis of Nx.stack must be an integer from -2 to 1, as a new axis of shape [x: 2], got: ${shown}`,
      );
    }
    for (const name of ["", 3, []]) {
      expect(call([t, t], { name })).toMatch(
        "ArgumentError: Nx.stack: an axis name must be a non-empty string or null, got: ",
      );
    }
    expect(call([t, t], { names: ["a", "b"] })).toMatch(/^ArgumentError: .*an axis name must be/);
    expect(call([])).toBe("ArgumentError: Nx.stack expects a list of at least one tensor, got none");
    for (const wrong of [null, undefined, "ab", [t, "ab"], [undefined]]) {
      expect(call(wrong)).toMatch("ArgumentError: Nx.stack expects");
    }
    const long = Nx.broadcast(Nx.u8(0), [2 ** 20]);
    expect(call(new Array<Nx.Tensor>(4096).fill(long))).toMatch(
      "ArgumentError: the result of Nx.stack, shape [4096][1048576]",
    );
  });

  it("is the same traced, and for every element of a vectorized axis", () => {
    const [a, b] = [Nx.f32([[1, 2], [3, 4]]), Nx.s64([[5, 6], [7, 8]])]; // prettier-ignore
    const call = (x: Nx.Tensor, y: Nx.Tensor) => Nx.stack([x, y, 0.5].map((t) => Nx.add(t, Nx.multiply(x, 0))), { axis: -1 }); // prettier-ignore
    expect(view(Nx.defn(call)(a, b))).toBe(view(call(a, b)));
    const rows = (x: Nx.Tensor) => Nx.stack([x, Nx.negate(x)], { axis: 1 });
    expect(view(Nx.Defn.vmap(rows)(a) as Nx.Tensor)).toBe(view(Nx.stack([a, Nx.negate(a)], { axis: 2 })));
  });
});
