/** Reading numbers alone: what they are, and what is refused because no number holds it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { DTYPES, isComplex, type DType } from "../../lib/core/types";

const REAL = DTYPES.filter((type) => !isComplex(type));
const COMPLEX = DTYPES.filter(isComplex);

/** Tensors of small integers, which every type holds. */
const small = (type: DType): fc.Arbitrary<Nx.Tensor> =>
  fc
    .array(fc.nat({ max: 3 }), { minLength: 0, maxLength: 3 })
    .map((sizes) => Nx.iota(sizes.map((size) => size + 1), { type }).remainder(Nx.tensor(7, { type }))); // prettier-ignore

const READERS: readonly (readonly [name: string, read: (t: Nx.Tensor) => unknown])[] = [
  ["Nx.item", (t) => t.item()],
  ["Nx.toNumbers", (t) => t.toNumbers()],
  ["Nx.toFloat64Array", (t) => t.toFloat64Array()],
];

describe("numbers of every real type", () => {
  it.each(REAL)("%s: are the elements of toFlatList, flat, nested and typed", (type) => {
    fc.assert(
      fc.property(small(type), (t) => {
        const flat = t.toFlatList();
        expect(t.toNumbers()).toEqual(flat);
        expect(t.toFloat64Array()).toEqual(Float64Array.from(flat as number[]));
        if (t.rank > 0) expect(t.toNumbers({ rank: t.rank })).toEqual(t.toList());
        if (t.size === 1) expect(t.item()).toBe(flat[0]);
        else expect(() => t.item()).toThrow("Nx.item expects a tensor of one element, got shape [");
      }),
    );
  });

  it("hold what the type holds", () => {
    for (const type of ["f16", "bf16", "f32", "f64"] as const) {
      expect(Nx.tensor([NaN, -0, -Infinity], { type }).toNumbers()).toEqual([NaN, -0, -Infinity]);
      expect(Nx.tensor([NaN, -0, -Infinity], { type }).toFloat64Array()).toEqual(Float64Array.of(NaN, -0, -Infinity));
    }
    expect(Nx.f64([2 ** 60]).item()).toBe(2 ** 60);
    for (const safe of [2n ** 53n - 1n, 1n - 2n ** 53n]) expect(Nx.s64([safe]).item()).toBe(Number(safe));
  });

  it("are copies", () => {
    const t = Nx.f64([1, 2]);
    t.toFloat64Array()[0] = 7;
    expect(t.toNumbers()).toEqual([1, 2]);
  });
});

describe("what no number holds", () => {
  it.each(READERS)("%s refuses complex numbers, whatever their value", (name, read) => {
    for (const type of COMPLEX) {
      expect(() => read(Nx.tensor([1], { type }))).toThrow(
        `${name} expects real elements, got the type ${type}; take Nx.real(t)`,
      );
    }
  });

  it.each(READERS)("%s refuses integers beyond 2^53 - 1", (name, read) => {
    for (const [t, text] of [
      [Nx.s64([2n ** 53n]), "9007199254740992n"],
      [Nx.s64([-(2n ** 53n)]), "-9007199254740992n"],
      [Nx.u64([2n ** 64n - 1n]), "18446744073709551615n"],
    ] as const) {
      expect(() => read(t)).toThrow(`${name}: the element ${text} is an integer that no number holds`);
    }
  });

  it("are other ranks than asked for", () => {
    const t = Nx.iota([2, 2], { names: ["x", "y"] });
    expect(() => t.toNumbers({ rank: 3 })).toThrow(
      "expects a tensor of rank 3, as the option says, got shape [x: 2][y: 2]",
    );
    expect(() => t.toNumbers({ rank: 0 })).toThrow(
      "option rank of Nx.toNumbers must be an integer of at least 1, got: 0",
    );
    expect(() => t.toNumbers({ rnk: 2 } as never)).toThrow('did you mean "rank"?');
  });

  it("are values of traces", () => {
    for (const [name, read] of READERS) {
      expect(() => Nx.defn((t: Nx.Tensor) => (read(t), t))(Nx.f32([1])), name).toThrow(Nx.DefnError);
    }
  });
});
