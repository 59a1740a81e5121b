import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import * as s from "../../backends/binary/support";
import { expectGradients, randoms } from "../../defn/grad/check";
import { errorOf, view } from "../aggregates/view";
import {
  elements,
  indexTensors,
  indices,
  integerElement,
  isComplex,
  isInteger,
  namedTensors,
  rounded,
  someAxes,
  type Element,
} from "./naive";
import { tries } from "../../effort";

const grid = () => Nx.iota([2, 3], { names: ["x", "y"] });

const leads = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 2 });

interface Case {
  readonly t: Nx.Tensor;
  readonly axes: readonly number[];
  readonly option: Nx.CoordinateOptions | undefined;
  readonly places: Nx.Tensor;
  readonly updates: Nx.Tensor;
}

/** Tensors, coordinates of some of their axes in any order and as many updates, of any types. */
const cases: fc.Arbitrary<Case> = namedTensors().chain((t) =>
  fc.tuple(leads, someAxes(t), fc.boolean(), fc.option(s.types)).chain(([lead, some, given, type]) => {
    const axes = given ? some.map(({ axis }) => axis) : some.map((_, i) => i);
    const left = t.shape.filter((_, axis) => !axes.includes(axis));
    return fc.record({
      t: fc.constant(t),
      axes: fc.constant(axes),
      option: fc.constant(given ? { axes: some.map(({ form }) => form) } : undefined),
      places: indexTensors([...lead, axes.length], (i) => t.shape[axes[i % axes.length]!]!),
      updates: s.randomBits([...lead, ...left], type ?? t.type),
    });
  }),
);

/** For every element of the updates, in order, the position in the tensor that it goes to. */
function targets({ t, axes, places, updates }: Case): number[] {
  const left = t.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const lead = places.shape.length - 1;
  const at = indices(places);
  return s.positions(updates.shape).map((p) => {
    const place = t.shape.map((_, axis) => p[lead + left.indexOf(axis)]!);
    axes.forEach((axis, k) => {
      place[axis] = at[s.flatten(places.shape, [...p.slice(0, lead), k])]!;
    });
    return s.flatten(t.shape, place);
  });
}

/** The elements of a list added up: exactly modulo the width, or in f64 with one rounding. */
function total(type: Nx.DType, list: readonly Element[]): Element {
  if (isInteger(type)) {
    return integerElement(
      type,
      list.reduce<bigint>((sum, x) => sum + BigInt(x as bigint), 0n),
    );
  }
  if (!isComplex(type))
    return rounded(
      type,
      (list as number[]).reduce((a, b) => a + b),
    );
  const parts = list as [number, number][];
  const [re, im] = parts.reduce(([a, b], [c, d]) => [a + c, b + d]);
  return [rounded(type, re), rounded(type, im)];
}

const FUNCTIONS = { indexedAdd: Nx.indexedAdd, indexedPut: Nx.indexedPut };
const names = Object.keys(FUNCTIONS) as (keyof typeof FUNCTIONS)[];

describe("indexedAdd", () => {
  it("adds all updates of a place, for every type and axes in any order", () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { t, option, places, updates } = given;
        const result = Nx.indexedAdd(t, places, updates, option);
        const type = Nx.Type.merge(t.type, updates.type);
        const base = elements(Nx.asType(t, type));
        const values = elements(Nx.asType(updates, type));
        const terms = base.map((x) => [x]);
        targets(given).forEach((target, i) => terms[target]!.push(values[i]!));
        expect([result.type, result.shape, result.names]).toEqual([type, t.shape, t.names]);
        expect(elements(result)).toEqual(terms.map((list, i) => (list.length > 1 ? total(type, list) : base[i]!)));
      }),
      { numRuns: tries(300) },
    );
  });

  it("leaves the bits of all other elements", () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { t, option, places, updates } = given;
        const result = Nx.indexedAdd(t, places, updates, option);
        const touched = new Set(targets(given));
        const rest = (list: string[]) => list.filter((_, i) => !touched.has(i));
        expect(rest(s.computedBitsOf(result))).toEqual(rest(s.computedBitsOf(Nx.asType(t, result.type))));
      }),
    );
  });

  it("adds duplicates up, as numpy.add.at", () => {
    const places = Nx.tensor([
      [0, 1],
      [2, 3],
      [0, 1],
    ]);
    const sums = Nx.indexedAdd(Nx.broadcast(0, [3, 4]), places, Nx.tensor([5, 6, 7]));
    expect(view(sums)).toBe("s64[3][4] [[0,12,0,0],[0,0,0,0],[0,0,0,6]]");
  });

  it("wraps integers and rounds sums of floats once", () => {
    const many = Nx.tensor([[0], [0], [0]]);
    expect(view(Nx.indexedAdd(Nx.u8([200]), many, Nx.u8([50, 5, 2])))).toBe("u8[1] [1]");
    expect(view(Nx.indexedAdd(Nx.s64([2n ** 63n - 1n]), many, Nx.s64([1, 2, 3])))).toBe(
      `s64[1] [${-(2n ** 63n) + 5n}]`,
    );
    expect(view(Nx.indexedAdd(Nx.u64([2n ** 64n - 1n]), many, Nx.u64([0, 0, 2])))).toBe("u64[1] [1]");
    expect(view(Nx.indexedAdd(Nx.f32([2 ** 24]), many, Nx.f32([1, 1, 1])))).toBe(`f32[1] [${2 ** 24 + 4}]`);
    expect(view(Nx.indexedAdd(Nx.f16([60000]), many, Nx.f16([60000, 1, -60000])))).toBe("f16[1] [60000]");
    expect(view(Nx.indexedAdd(Nx.c64([1]), many, Nx.c64([new Nx.Complex(0, 2), 3, 4])))).toBe("c64[1] [8:2]");
  });
});

describe("indexedPut", () => {
  it("keeps the last update of a place, for every type and axes in any order", () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { t, option, places, updates } = given;
        const result = Nx.indexedPut(t, places, updates, option);
        const type = Nx.Type.merge(t.type, updates.type);
        const expected = s.computedBitsOf(Nx.asType(t, type));
        const values = s.computedBitsOf(Nx.asType(updates, type));
        targets(given).forEach((target, i) => (expected[target] = values[i]!));
        expect([result.type, result.shape, result.names]).toEqual([type, t.shape, t.names]);
        expect(s.computedBitsOf(result)).toEqual(expected);
      }),
      { numRuns: tries(300) },
    );
  });

  it("puts back what gather reads", () => {
    fc.assert(
      fc.property(cases, ({ t, option, places }) => {
        const same = Nx.indexedPut(t, places, Nx.gather(t, places, option), option);
        expect(s.bitsOf(same)).toEqual(s.bitsOf(t));
      }),
    );
  });

  it("puts NaN, infinities and -0 as they are", () => {
    const t = Nx.indexedPut(Nx.f32([1, 2, 3]), Nx.tensor([[0], [1], [2]]), Nx.f32([NaN, -Infinity, -0]));
    expect(view(t)).toBe("f32[3] [NaN,-Infinity,-0]");
  });
});

describe.each(names)("%s", (name) => {
  const fn = FUNCTIONS[name];

  it("takes one coordinate, a list or a grid of them", () => {
    const put = name === "indexedPut";
    expect(view(fn(grid(), Nx.tensor([1, 2]), 10))).toBe(`s64[x: 2][y: 3] [[0,1,2],[3,4,${put ? 10 : 15}]]`);
    expect(view(fn(grid(), Nx.tensor([1]), Nx.tensor([10, 20, 30])))).toBe(
      `s64[x: 2][y: 3] [[0,1,2],[${put ? "10,20,30" : "13,24,35"}]]`,
    );
    expect(view(fn(grid(), Nx.tensor([[[0, 2]], [[1, 0]]]), Nx.tensor([[10], [20]])))).toBe(
      `s64[x: 2][y: 3] [[0,1,${put ? 10 : 12}],[${put ? 20 : 23},4,5]]`,
    );
  });

  it("has the merged type and the names of the tensor, whatever indices and updates are called", () => {
    const places = Nx.tensor([[0]], { names: ["p", "q"] });
    const put = (t: Nx.Tensor, value: Nx.Tensor) =>
      Nx.asType(fn(t, places, value), "c128")
        .at(0)
        .toNumber();
    expect(fn(Nx.u8([0]), places, Nx.tensor([7])).type).toBe("s64");
    expect(fn(Nx.u8([0]), places, Nx.s8([-1])).type).toBe("s16");
    expect(fn(Nx.tensor([0]), places, Nx.f16([7])).type).toBe("f16");
    expect(fn(Nx.bf16([0]), places, Nx.f64([7])).type).toBe("f64");
    expect(fn(Nx.f64([0]), places, Nx.c64([7])).type).toBe("c128");
    expect(put(Nx.f64([0]), Nx.c64([new Nx.Complex(1, 2)]))).toEqual(new Nx.Complex(1, 2));
    const named = fn(Nx.tensor([0, 0], { names: ["n"] }), places, Nx.tensor([1], { names: ["other"] }));
    expect(view(named)).toBe("s64[n: 2] [1,0]");
  });

  it("leaves the tensor as it was", () => {
    const t = grid();
    fn(t, Nx.tensor([[0, 0]]), Nx.tensor([9]));
    expect(t.equals(grid())).toBe(true);
  });

  it("refuses coordinates out of bounds", () => {
    expect(errorOf(() => fn(grid(), Nx.tensor([[0, 3]]), Nx.tensor([1])))).toBe(
      `ArgumentError: Nx.${fn.name}: index 3 is out of bounds for axis 1 ("y") of size 3 in shape [x: 2][y: 3]; ` +
        "indices must lie between 0 and 2, negative ones do not count from the end here",
    );
    expect(errorOf(() => fn(grid(), Nx.tensor([[-1]]), Nx.tensor([[1, 1]]), { axes: ["y"] }))).toContain(
      'index -1 is out of bounds for axis 1 ("y")',
    );
    expect(errorOf(() => fn(grid(), Nx.tensor([[2, 0]]), Nx.tensor([1])))).toContain(
      'index 2 is out of bounds for axis 0 ("x") of size 2',
    );
  });

  it("refuses updates of another shape", () => {
    const call = (updates: Nx.Operand, axes?: ("x" | "y")[]) =>
      errorOf(() => fn(grid(), Nx.tensor([[0], [1]]), updates, axes === undefined ? undefined : { axes }));
    const text = (wanted: string) =>
      `ArgumentError: Nx.${name} expects updates of shape ${wanted} for indices of shape [2][1] and a tensor of shape ` +
      "[x: 2][y: 3], got ";
    expect(call(Nx.tensor([1, 2]))).toBe(`${text("[2][3]")}[2]`);
    expect(call(7)).toBe(`${text("[2][3]")}[]`);
    expect(call(Nx.tensor([[1], [2]]))).toBe(`${text("[2][3]")}[2][1]`);
    expect(call(Nx.iota([2, 3], { names: ["n", "y"] }), ["y"])).toBe(`${text("[2][2]")}[n: 2][y: 3]`);
  });

  it("refuses coordinates that do not fit the tensor or the axes, and what is no index", () => {
    const call = (places: Nx.Operand, options?: unknown) =>
      errorOf(() => fn(grid(), places, Nx.tensor([1]), options as Nx.CoordinateOptions<"y">));
    expect(call(Nx.tensor([[0, 0, 0]]))).toBe(
      `ArgumentError: Nx.${name} expects coordinates of at most 2 entries in the last axis of the indices, ` +
        "got indices of shape [1][3] for shape [x: 2][y: 3]",
    );
    expect(call(Nx.tensor([[0]]), { axes: [0, 1] })).toContain(
      "for each of the axes [0, 1], got indices of shape [1][1]",
    );
    expect(call(Nx.tensor([[0]]), { axes: [] })).toContain("for each of the axes []");
    expect(call(Nx.tensor([[0, 0]]), { axes: [1, -1] })).toContain("axes must not repeat, got [1, -1]");
    expect(call(Nx.tensor([[0]]), { axes: [2] })).toContain("given axis (2) invalid for shape [x: 2][y: 3]");
    expect(call(Nx.tensor([[0]]), { axes: ["z"] })).toContain('no axis named "z"');
    expect(call(0)).toContain(`Nx.${name} expects a tensor with axes and coordinates in the last axis of the indices`);
    expect(errorOf(() => fn(5, Nx.tensor([0]), 1))).toContain("got indices of shape [1] for shape []");
    expect(call(Nx.tensor([[0.5]]))).toBe(
      `ArgumentError: Nx.${name} expects indices of an integer type, got f32; convert them with Nx.asType`,
    );
    expect(call(Nx.tensor([[0]]), { axs: 0 })).toBe(
      `ArgumentError: unknown option "axs" for Nx.${name}; did you mean "axes"? Expected one of: axes`,
    );
    expect(errorOf(() => fn(grid(), Nx.tensor([[0]]), [1] as never))).toContain(
      `Nx.${name} expects a tensor or a number, got: [1]`,
    );
  });

  it("is the same traced, and over vectorized axes", () => {
    const t = Nx.f64([
      [1.5, -2, 3],
      [4, 8, -0.5],
    ]);
    const places = Nx.tensor([
      [[0], [2], [0]],
      [[1], [1], [1]],
    ]);
    const updates = Nx.f64([
      [10, 20, 30],
      [40, 50, 60],
    ]);
    const call = (x: Nx.Tensor, at: Nx.Tensor, u: Nx.Tensor) => fn(x, at, u);
    const rows = [0, 1].map((i) => call(t.at(i), places.at(i), updates.at(i)).toList());
    expect([0, 1].map((i) => Nx.defn(call)(t.at(i), places.at(i), updates.at(i)).toList())).toEqual(rows);
    expect((Nx.Defn.vmap(call)(t, places, updates) as Nx.Tensor).toList()).toEqual(rows);
  });

  it("has gradients, duplicates included", () => {
    const places = Nx.tensor([
      [1, 0],
      [3, 1],
      [1, 0],
    ]);
    expectGradients((t, updates) => fn(t!, places, updates!, { axes: [2, 0] }), randoms([2, 3, 4]), randoms([3, 3]));
    expectGradients((t, updates) => fn(t!, places, updates!), randoms([4, 2, 2]), randoms([3, 2]));
  });
});
