import fc from "fast-check";
import { List, Map as ImmutableMap } from "immutable";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";

const { Batch } = Nx;
const rows = (batch: Nx.Batch.Batch<Nx.Tensor>): unknown => Nx.toList(Batch.materialize(batch));
const sizes = (batch: Nx.Batch.Batch): number[] => [batch.size, batch.padding];

describe("stack", () => {
  it("adds an axis in front", () => {
    const batch = Batch.stack([Nx.tensor([1, 2]), Nx.tensor([3, 4])]);
    expect(sizes(batch)).toEqual([2, 0]);
    expect(rows(batch)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(Nx.isCompatible(batch.template, Nx.template([2], "s64"))).toBe(true);
  });

  it("takes numbers", () => {
    expect(Batch.materialize(Batch.stack([1, 2, 3])).type).toBe("s64");
    expect(Nx.toList(Batch.materialize(Batch.stack([0.5, 1.5])))).toEqual([0.5, 1.5]);
  });

  it("adds to a batch and leaves it as it was", () => {
    const first = Batch.stack([Nx.tensor(1)]);
    const second = Batch.stack(first, [Nx.tensor(2), Nx.tensor(3)]);
    expect([sizes(first), sizes(second)]).toEqual([
      [1, 0],
      [3, 0],
    ]);
    expect(rows(second)).toEqual([1, 2, 3]);
    expect(Batch.stack(first, []).size).toBe(1);
  });
});

describe("concatenate", () => {
  it("counts every entry of the first axis", () => {
    const batch = Batch.concatenate([Nx.tensor([1, 2]), Nx.tensor([3, 4, 5])]);
    expect(sizes(batch)).toEqual([5, 0]);
    expect(rows(batch)).toEqual([1, 2, 3, 4, 5]);
    expect(Nx.isCompatible(batch.template, Nx.template([], "s64"))).toBe(true);
  });

  it("joins what was stacked", () => {
    const batch = Batch.concatenate(Batch.stack([Nx.tensor([1, 2])]), [Nx.iota([2, 2])]);
    expect(rows(batch)).toEqual([
      [1, 2],
      [0, 1],
      [2, 3],
    ]);
  });

  it("gives the elements of a single tensor", () => {
    const t = Nx.iota([3]);
    expect(Batch.materialize(Batch.concatenate([t])).equals(t)).toBe(true);
  });
});

describe("containers", () => {
  it("are batched leaf by leaf and keep their kind", () => {
    const entry = (i: number) => ({ a: Nx.tensor(i), b: [Nx.f32([i, i])] as const });
    const batch = Batch.materialize(Batch.stack([entry(1), entry(2)]));
    expect(Nx.toList(batch.a)).toEqual([1, 2]);
    expect(Nx.toList(batch.b[0])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const immutable = Batch.stack([
      ImmutableMap({ x: List([Nx.tensor(1)]) }),
      ImmutableMap({ x: List([Nx.tensor(2)]) }),
    ]);
    const made = Batch.materialize(immutable) as unknown as ImmutableMap<string, List<Nx.Tensor>>;
    expect(Nx.toList(made.get("x")!.get(0)!)).toEqual([1, 2]);
  });

  it("may list their keys in any order", () => {
    const batch = Batch.stack<{ a: Nx.Tensor; b: Nx.Tensor }>([
      { a: Nx.tensor(1), b: Nx.tensor(10) },
      { b: Nx.tensor(20), a: Nx.tensor(2) },
    ]);
    expect(Nx.toList(Batch.materialize(batch).b)).toEqual([10, 20]);
  });

  it("of concatenate must agree in size", () => {
    expect(() => Batch.concatenate([{ a: Nx.iota([2]), b: Nx.iota([3]) }])).toThrow(
      /entry 0: its tensors must have one size of the first axis, got 2 and 3/,
    );
    const batch = Batch.concatenate([[Nx.iota([2]), Nx.iota([2, 2])]]);
    expect(Batch.split(batch, 1).map((part) => part.size)).toEqual([1, 1]);
  });
});

describe("names", () => {
  it("merge over entries", () => {
    const named = Nx.iota([2, 3], { names: ["batch", null] });
    const other = Nx.iota([1, 3], { names: [null, "x"] });
    expect(Batch.materialize(Batch.concatenate([named, other])).names).toEqual(["batch", "x"]);
    expect(Batch.materialize(Batch.stack([named, named])).names).toEqual([null, "batch", null]);
  });

  it("must not clash", () => {
    const [x, y] = [Nx.iota([2], { names: ["x"] }), Nx.iota([2], { names: ["y"] })];
    expect(() => Batch.stack([x, y])).toThrow(/expected s64\[x: 2\], got s64\[y: 2\]/);
    expect(() => Batch.stack([Nx.iota([2]), x, y])).toThrow(/entry 2/);
    expect(() => Batch.merge(Batch.stack([x]), Batch.stack([y]))).toThrow(/batch 1/);
    const twice = [Nx.iota([1, 2], { names: ["x", null] }), Nx.iota([1, 2], { names: [null, "x"] })];
    expect(() => Batch.materialize(Batch.concatenate(twice))).toThrow(/duplicate names/);
  });
});

describe("merge", () => {
  it("joins entries and adds up padding", () => {
    const left = Batch.pad(Batch.stack([Nx.tensor(1)]), 1);
    const right = Batch.pad(Batch.concatenate([Nx.tensor([2, 3])]), 2);
    const both = Batch.merge(left, right);
    expect(sizes(both)).toEqual([3, 3]);
    expect(rows(both)).toEqual([1, 2, 3, 0, 0, 0]);
    expect(sizes(Batch.merge([left, right, left]))).toEqual([4, 4]);
  });

  it("takes batches without entries", () => {
    const one = Batch.stack([Nx.tensor(1)]);
    expect(rows(Batch.merge(Batch.new(), one))).toEqual([1]);
    expect(rows(Batch.merge(one, Batch.new()))).toEqual([1]);
    expect(sizes(Batch.merge([]))).toEqual([0, 0]);
  });
});

describe("split", () => {
  it("cuts in the middle of what was concatenated", () => {
    const batch = Batch.concatenate([Nx.iota([3, 1]), Nx.iota([4, 1])]);
    const [left, right] = Batch.split(batch, 4);
    expect(rows(left)).toEqual([[0], [1], [2], [0]]);
    expect(rows(right)).toEqual([[1], [2], [3]]);
    const [a, b] = Batch.split(right, 1);
    expect([rows(a), rows(b)]).toEqual([[[1]], [[2], [3]]]);
  });

  it("puts padding where entries are missing", () => {
    const batch = Batch.pad(Batch.stack([1, 2, 3]), 3);
    const cut = (n: number) => Batch.split(batch, n).map(sizes);
    expect(cut(2)).toEqual([
      [2, 0],
      [1, 3],
    ]);
    expect(cut(3)).toEqual([
      [3, 0],
      [0, 3],
    ]);
    expect(cut(5)).toEqual([
      [3, 2],
      [0, 1],
    ]);
    expect(cut(9)).toEqual([
      [3, 3],
      [0, 0],
    ]);
  });

  it("is undone by merge", () => {
    const groups = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(groups, fc.nat(3), fc.integer({ min: 1, max: 25 }), (lengths, padding, n) => {
        const tensors = lengths.map((length, i) => Nx.add(Nx.iota([length]), 10 * i + 1));
        const batch = Batch.pad(Batch.concatenate(tensors), padding);
        const [left, right] = Batch.split(batch, n);
        expect(left.size + left.padding).toBe(Math.min(n, Math.max(batch.size, Math.min(n, batch.size + padding))));
        expect(rows(Batch.merge(left, right))).toEqual(rows(batch));
      }),
    );
  });
});

describe("padding", () => {
  it("is zeros of the type, behind all entries", () => {
    const t = Nx.tensor([[1.5], [2.5]], { names: ["batch", "x"], type: "bf16" });
    const padded = Batch.materialize(Batch.pad(Batch.concatenate([t]), 2));
    expect([padded.type, padded.names]).toEqual(["bf16", ["batch", "x"]]);
    expect(Nx.toList(padded)).toEqual([[1.5], [2.5], [0], [0]]);
  });

  it("stays when entries are added, and is replaced by pad", () => {
    const padded = Batch.pad(Batch.stack([Nx.tensor(1)]), 2);
    expect(rows(Batch.stack(padded, [Nx.tensor(2)]))).toEqual([1, 2, 0, 0]);
    expect(sizes(Batch.pad(padded, 0))).toEqual([1, 0]);
  });
});

describe("a batch", () => {
  it("is frozen and shows its size", () => {
    const batch = Batch.pad(Batch.stack([1]), 2);
    expect(Object.isFrozen(batch)).toBe(true);
    expect(String(batch)).toBe("#Nx.Batch<size: 1, padding: 2>");
  });

  it("goes into defn when it is joined", () => {
    const batch = Batch.pad(Batch.stack([{ x: Nx.f32([1, 2]) }]), 1);
    const total = Nx.defn((entry: { readonly x: Nx.Tensor }) => Nx.sum(entry.x, { axes: [0] }));
    expect(Nx.toList(total(Batch.materialize(batch)))).toEqual([1, 2]);
  });

  it("may be joined inside defn", () => {
    const joined = Nx.defn((a: Nx.Tensor, b: Nx.Tensor) => Batch.materialize(Batch.pad(Batch.stack([a, b]), 1)));
    expect(Nx.toList(joined(Nx.tensor([1]), Nx.tensor([2])))).toEqual([[1], [2], [0]]);
  });
});

describe("wrong arguments", () => {
  it.each([
    [() => Batch.stack(Nx.tensor([1, 2]) as never), /expects its entries as an array/],
    [() => Batch.stack("x" as never), /expects its entries as an array/],
    [() => Batch.stack(["x"] as never), /Nx.Batch.stack expects a tensor or a number/],
    [() => Batch.stack([{ a: null }] as never), /expects a tensor or a number/],
    [() => Batch.stack([{}]), /entry 0: \{\} holds no tensors/],
    [() => Batch.concatenate([Nx.tensor(1)]), /a scalar has no axis to take entries from/],
    [() => Batch.concatenate([[]]), /holds no tensors/],
    [() => Batch.stack([Nx.tensor(1), Nx.f32(1)]), /entry 1 to the batch: expected s64\[\], got f32\[\]/],
    [() => Batch.stack([Nx.tensor([1]), [Nx.tensor([1])]] as never), /got \{ 0: s64\[1\] \}/],
    [() => Batch.stack(Batch.stack([1]), [Nx.tensor([1])] as never), /entry 0/],
    [() => Batch.stack([1] as never, [2] as never), /expects a batch/],
    [() => Batch.merge(Batch.new(), null as never), /Nx.Batch.merge expects a batch, got: null/],
    [() => Batch.merge(Batch.new(), undefined as never), /expects a batch, got: undefined/],
    [() => Batch.split(Batch.new(), 0), /integer of at least 1/],
    [() => Batch.split(Batch.new(), 1.5), /integer of at least 1/],
    [() => Batch.split([1] as never, 1), /expects a batch/],
    [() => Batch.pad(Batch.new(), -1), /integer of at least 0/],
    [() => Batch.materialize(Batch.new()), /expects a batch with entries/],
    [() => Batch.materialize(Batch.split(Batch.stack([1]), 1)[1]), /expects a batch with entries/],
    [() => Batch.materialize(7 as never), /expects a batch/],
  ])("%#", (call, message) => {
    expect(call).toThrow(Nx.ArgumentError);
    expect(call).toThrow(message);
  });
});
