/** Going over a tensor along its first axis, and what iteration leaves as it is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { List, Map as ImmutableMap } from "immutable";
import * as Nx from "nx-numerics";
import { DTYPES, isComplex } from "../../lib/core/types";
import { errorOf } from "./aggregates/view";

const t = Nx.f32([[1, 2], [3, 4], [5, 6]], { names: ["row", "column"] }); // prettier-ignore
const shapes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 });

/** Tensors of any type and shape, with some of what JSON has no number for. */
const tensors = fc
  .tuple(fc.constantFrom(...DTYPES), fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }), fc.boolean())
  .chain(([type, shape, isNamed]) => {
    const size = shape.reduce((a, b) => a * b, 1);
    const float = fc.oneof(fc.double(), fc.constantFrom(NaN, -0, Infinity, -Infinity));
    const element = isComplex(type)
      ? fc.tuple(float, float).map(([re, im]) => new Nx.Complex(re, im))
      : type.includes("f")
        ? float
        : fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    return fc.array<unknown>(element, { minLength: size, maxLength: size }).map((list) =>
      Nx.tensor(list as number[], { type }).reshape(shape, {
        names: shape.map((_, i) => (isNamed ? `axis${i}` : null)),
      }),
    );
  });

describe("iteration", () => {
  it("gives the entries of the first axis, without it", () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const u = Nx.iota(shape, { names: shape.map((_, i) => `axis${i}`) });
        const entries = Nx.unstack(u);
        const spread = [...u];
        expect(spread.length).toBe(entries.length);
        spread.forEach((row, i) => expect(row.equals(entries[i])).toBe(true));
        Array.from(u).forEach((row, i) => expect(row.equals(u.at(i))).toBe(true));
      }),
    );
  });

  it("takes tensors apart in patterns, and vectors into arguments", () => {
    const [first, , third] = t;
    expect(first!.equals(Nx.f32([1, 2], { names: ["column"] }))).toBe(true);
    expect(third!.at(1).item()).toBe(6);
    expect(Math.max(...(Nx.f32([1, 5, 2]) as Iterable<never>))).toBe(5);
    expect(errorOf(() => Math.max(...(t as Iterable<never>)))).toContain(
      "a tensor of shape [column: 2] cannot be an operand",
    );
  });

  it("makes one entry at a time", () => {
    const iterator = t[Symbol.iterator]();
    expect(iterator.next().value!.toNumbers()).toEqual([1, 2]);
    const released = Nx.f32([1, 2]);
    const rest = released[Symbol.iterator]();
    rest.next();
    Nx.backendDeallocate(released);
    expect(errorOf(() => rest.next())).toContain("the iteration over a tensor: the tensor f32[2] was deallocated");
  });

  it("goes by the known size while tracing, in vmap and in gradients", () => {
    const total = (u: Nx.Tensor): Nx.Tensor => [...u].reduce((sum, row, i) => sum.add(row.multiply(i + 1)), Nx.f32(0));
    expect(Nx.defn(total)(t).equals(total(t))).toBe(true);
    expect(Nx.grad((u: Nx.Tensor) => total(u).sum())(t).toNumbers({ rank: 2 })).toEqual([[1, 1], [2, 2], [3, 3]]); // prettier-ignore
    const each = Nx.stack([...t].map(total));
    expect(Nx.Defn.vmap(total)(t).toNumbers()).toEqual(each.toNumbers());
  });

  it("is refused by scalars and templates", () => {
    for (const none of [Nx.f32(1), Nx.template([2], "f32")]) {
      expect(errorOf(() => [...none])).toContain("TypeError");
      expect(none[Symbol.iterator]).toBeUndefined();
    }
    expect(errorOf(() => Array.from(Nx.f32(1)))).toContain("a scalar has no entries, t.item() reads it");
    expect(errorOf(() => Nx.defn((x: Nx.Tensor) => [...x])(Nx.f32(1)))).toContain("TypeError");
  });
});

describe("what iteration leaves as it is", () => {
  it("is the equality of test runners", () => {
    fc.assert(
      fc.property(tensors, fc.nat(), (u, seed) => {
        const same = Nx.tensor(u, { names: u.names });
        expect(same).toEqual(u);
        expect({ nested: [same] }).toStrictEqual({ nested: [u] });
        if (!u.names.includes(null) && u.rank > 0) expect(u.rename(u.names.map(() => null))).not.toEqual(u);
        const list = u.toFlatList();
        const i = seed % list.length;
        list[i] = u.type.startsWith("c") ? new Nx.Complex(3, 4) : 3;
        const other = Nx.tensor(list as number[], { type: u.type }).reshape(u.shape, { names: u.names });
        if (!other.equals(u)) expect(other).not.toEqual(u);
      }),
    );
    expect(Nx.template([2], "f32")).toEqual(Nx.template([2], "f32"));
    expect(Nx.f32(1)).not.toEqual(Nx.f32(2));
    expect(Nx.f32([1])).not.toEqual(Nx.f64([1]));
  });

  it("is that tensors are leaves of containers", () => {
    const double = Nx.defn((c: { a: Nx.Tensor[]; b: List<Nx.Tensor> }) => ({ a: c.a, b: c.b }));
    const out = double({ a: [t], b: List([t]) });
    expect(out.a[0]!.equals(t)).toBe(true);
    expect(out.b.get(0)!.equals(t)).toBe(true);
    expect(ImmutableMap({ w: t }).toJS()).toEqual({ w: t });
    expect(ImmutableMap({ w: t }).equals(ImmutableMap({ w: Nx.f32(t) }))).toBe(false);
    expect(ImmutableMap({ w: t }).equals(ImmutableMap({ w: Nx.tensor(t, { names: t.names }) }))).toBe(true);
  });

  it("is what is refused of tensors in place of lists", () => {
    expect(Nx.stack(t as never).shape).toEqual([1, 3, 2]); // a container of one tensor, not its rows
    expect(errorOf(() => Nx.tensor([t] as never))).toContain("inside a list at [0]; join tensors with Nx.stack");
    expect(errorOf(() => Nx.sum(t, { axes: t as never }))).toContain("ArgumentError");
  });
});

describe("JSON", () => {
  it("comes back as the same tensor: type, shape, names and every element", () => {
    fc.assert(
      fc.property(tensors, (u) => {
        const back = Nx.tensor(JSON.parse(JSON.stringify(u)) as Nx.JsonTensor);
        expect(back.equals(u)).toBe(true);
        expect([back.type, back.names]).toEqual([u.type, u.names]);
        expect(back.toBinary()).toEqual(Nx.tensor(u.toFlatList() as number[], { type: u.type }).toBinary()); // -0, too
      }),
    );
  });

  it("takes options as a tensor does", () => {
    const json = JSON.parse(JSON.stringify(Nx.f32([1, 2]))) as Nx.JsonTensor;
    expect(Nx.tensor(json, { names: ["x"] }).names).toEqual(["x"]);
    expect(Nx.f32(json as never).type).toBe("f32");
    expect(errorOf(() => Nx.tensor(json, { type: "f64" }))).toContain(
      "expects a tensor with type f64 but it was given a tensor of type f32",
    );
  });

  it.each([
    [{ elements: undefined }, "has no elements"],
    [{ elements: [1] }, "expects 2 elements for the shape [x: 2], got: 1"],
    [{ elements: [1, "1"] }, 'expects elements of the type f32 as JSON.stringify writes them, got: "1" at 1'],
    [{ elements: [1, null] }, "got: null at 1"],
    [{ type: "s32", elements: [1, 1.5] }, "got: 1.5 at 1"],
    [{ type: "s32", elements: [1, "0x1"] }, 'got: "0x1" at 1'],
    [{ type: "c64", elements: [1, [1, 2]] }, "got: 1 at 0"],
    [{ shape: [2, 0] }, "expects a shape of positive integers in JSON"],
    [{ shape: "2" }, "expects a shape of positive integers in JSON"],
    [{ type: "f31" }, "f31"],
    [{ names: ["x", "y"] }, "invalid names"],
  ])("refuses what is damaged: %j", (damage, message) => {
    const json = { type: "f32", shape: [2], names: ["x"], elements: [1, 2], ...damage };
    expect(errorOf(() => Nx.tensor(json as never))).toMatch(/^ArgumentError: /);
    expect(errorOf(() => Nx.tensor(json as never))).toContain(message);
  });
});
