import { is, Map as ImmutableMap, Set as ImmutableSet } from "immutable";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const TYPES = ["u8", "s64", "f16", "bf16", "f32", "f64", "c64", "c128"] as const;

describe("equality of tensors", () => {
  it("holds for the same type, shape, names and elements", () => {
    const make = () => Nx.tensor([[1, 2]], { names: ["x", "y"] });
    expect(is(make(), make())).toBe(true);
    expect(make().hashCode()).toBe(make().hashCode());
    const others = [
      Nx.tensor([[1, 2]]),
      Nx.tensor([[1, 3]], { names: ["x", "y"] }),
      Nx.tensor([[1], [2]], { names: ["x", "y"] }),
      Nx.s32([[1, 2]], { names: ["x", "y"] }),
      Nx.template([1, 2], "s64", { names: ["x", "y"] }),
    ];
    for (const other of others) expect(is(make(), other)).toBe(false);
    for (const other of [1, null, "x", [[1, 2]]]) expect(make().equals(other)).toBe(false);
  });

  it.each(["f16", "bf16", "f32", "f64"] as const)("takes NaN for itself and 0 for -0, in %s", (type) => {
    const [a, b] = [Nx.tensor([0, NaN], { type }), Nx.tensor([-0, NaN], { type })];
    expect(a.equals(b)).toBe(true);
    expect(a.hashCode()).toBe(b.hashCode());
    expect(Nx.tensor([NaN, 0], { type }).equals(a)).toBe(false);
  });

  it("takes NaNs of any payload for one, and complex parts likewise", () => {
    const payload = (bits: number) => Nx.bitcast(Nx.u32([bits]), "f32");
    expect(payload(0x7fc00001).equals(payload(0xffc00002))).toBe(true);
    expect(payload(0x7fc00001).hashCode()).toBe(payload(0xffc00002).hashCode());
    expect(Nx.tensor(new Nx.Complex(0, NaN)).equals(Nx.tensor(new Nx.Complex(-0, NaN)))).toBe(true);
  });

  it("goes with the hash, for every type", () => {
    const data = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(data, data, fc.constantFrom(...TYPES), (left, right, type) => {
        const [a, b] = [Nx.tensor(left, { type }), Nx.tensor(right, { type })];
        expect(a.equals(b)).toBe(left.join() === right.join());
        if (a.equals(b)) expect(a.hashCode()).toBe(b.hashCode());
      }),
    );
  });

  it("makes tensors keys of Immutable collections", () => {
    const map = ImmutableMap<unknown, string>([[Nx.tensor([1, 2]), "a"]]);
    expect(map.get(Nx.tensor([1, 2]))).toBe("a");
    expect(ImmutableSet([Nx.tensor(1), Nx.tensor(1), Nx.tensor(2)]).size).toBe(2);
  });

  it("compares templates by what they say", () => {
    expect(is(Nx.template([2], "f32"), Nx.template([2], "f32"))).toBe(true);
    expect(is(Nx.template([2], "f32"), Nx.template([3], "f32"))).toBe(false);
  });

  it("compares traced tensors by identity", () => {
    const same: boolean[] = [];
    Nx.defn((x: Nx.Tensor) => {
      const [a, b] = [Nx.negate(x), Nx.negate(x)];
      same.push(a.equals(a), a.equals(b), a.hashCode() === a.hashCode());
      return a;
    })(Nx.tensor([1]));
    expect(same.slice(0, 3)).toEqual([true, false, true]);
  });

  it("has hashes that spread", () => {
    const hashes = new Set(Array.from({ length: 1000 }, (_, i) => Nx.tensor([i, 2 * i]).hashCode()));
    expect(hashes.size).toBeGreaterThan(990);
  });
});

describe("JSON", () => {
  it("has type, shape, names and elements", () => {
    expect(JSON.parse(JSON.stringify({ t: Nx.tensor([[1, 2]], { names: ["x", null] }) }))).toEqual({
      t: { type: "s64", shape: [1, 2], names: ["x", null], elements: [1, 2] },
    });
  });

  it("writes what JSON has no number for as text, complex numbers as pairs", () => {
    expect(Nx.tensor([NaN, -Infinity, 0.5]).toJSON().elements).toEqual(["NaN", "-Infinity", 0.5]);
    expect(Nx.u64([2n ** 64n - 1n]).toJSON().elements).toEqual(["18446744073709551615"]);
    expect(Nx.tensor([new Nx.Complex(1, Infinity)]).toJSON().elements).toEqual([[1, "Infinity"]]);
  });

  it("has no elements where there are none", () => {
    expect(Nx.template([2], "f32").toJSON()).toEqual({ type: "f32", shape: [2], names: [null] });
    let traced: unknown;
    Nx.defn((t: Nx.Tensor) => {
      traced = t.toJSON();
      return t;
    })(Nx.tensor([1]));
    expect(traced).toEqual({ type: "s64", shape: [1], names: [null] });
  });
});

describe("a clone that jest prints", () => {
  it("has every field of the tensor, and asks for no property that raises an error", () => {
    const t = Nx.f32([1, 2], { names: ["x"] });
    const listed = (t as unknown as Record<symbol, string[]>)[Symbol.for("@jest/serializableProperties")]!;
    expect(listed).toEqual(Object.getOwnPropertyNames(t));
    const fields = listed.map((key) => [key, (t as unknown as Record<string, unknown>)[key]] as const);
    const clone = Object.assign(Object.create(Nx.Tensor.prototype) as Nx.Tensor, Object.fromEntries(fields));
    expect(clone.toJSON()).toEqual(t.toJSON());
  });
});

describe("rank and size", () => {
  it("are properties of every tensor, and of no JSON", () => {
    const t = Nx.iota([2, 3]);
    expect([t.rank, t.size, Nx.tensor(1).rank, Nx.tensor(1).size]).toEqual([2, 6, 0, 1]);
    expect(Nx.Defn.jitApply((x: Nx.Tensor) => x.multiply(x.size), [t]).toFlatList()).toEqual([0, 6, 12, 18, 24, 30]);
    expect(Object.keys(t)).toEqual(["_clone", "_type", "_shape", "_names", "_backend", "_data"]);
  });
});
