import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const AXES = ["a", "b", "c"] as const;
const SIZES = { a: 2, b: 3, c: 4 } as const;

/** A tensor vectorized over some of the axes, in any order, each of its size or of size 1. */
const operand = fc
  .record({ axes: fc.shuffledSubarray([...AXES]), ones: fc.subarray([...AXES]), rank: fc.nat(2) })
  .map(({ axes, ones, rank }) => {
    const sizes = axes.map((axis) => (ones.includes(axis) ? 1 : SIZES[axis]));
    const inner = [2, 3].slice(2 - rank);
    const t = Nx.iota([...sizes, ...inner]).add(1);
    return axes.length === 0 ? t : Nx.vectorize(t, axes);
  });

/** Axes by name with the elements in a fixed order of axes, so that tensors of other orders can be compared. */
const canonical = (t: Nx.Tensor): { readonly shape: readonly number[]; readonly list: unknown } => {
  const whole = Nx.devectorize(t);
  const order = [...AXES].filter((axis) => whole.names.includes(axis));
  const rest = whole.names.flatMap((name, i) => (name === null ? [i] : []));
  const sorted = whole.transpose({ axes: [...order, ...rest] });
  return { shape: sorted.shape, list: sorted.toNumbers() };
};

describe("broadcastVectors and reshapeVectors", () => {
  it("give tensors that go together as the operands themselves do", () => {
    fc.assert(
      fc.property(operand, operand, fc.boolean(), (x, y, alignRanks) => {
        const wanted = canonical(x.multiply(100).add(alignRanks ? y : Nx.sum(y)));
        for (const bring of [Nx.broadcastVectors, Nx.reshapeVectors]) {
          const [a, b] = bring([x, y], { alignRanks }) as [Nx.Tensor, Nx.Tensor];
          const sum = a.multiply(100).add(alignRanks ? b : Nx.sum(b));
          const found = canonical(sum);
          expect(found.list).toEqual(wanted.list);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("keep what functions see, and make the vectorized axes those of all", () => {
    const axesOf = (t: Nx.Tensor): string => /vectorized(\S*)/.exec(String(t))?.[1] ?? "";
    fc.assert(
      fc.property(operand, operand, (x, y) => {
        const wide = Nx.broadcastVectors([x, y]);
        const narrow = Nx.reshapeVectors([x, y]);
        const same = (t: Nx.Tensor): unknown => [t.shape, t.type, t.names];
        expect(wide.map(same)).toEqual([x, y].map(same));
        expect(narrow.map(same)).toEqual([x, y].map(same));
        expect(axesOf(wide[0])).toBe(axesOf(wide[1]));
        const names = (t: Nx.Tensor): string => axesOf(t).replace(/\d+/g, "n");
        expect(narrow.map(names)).toEqual(wide.map(names));
        expect(Nx.devectorize(narrow[0]).size).toBe(Nx.devectorize(x).size);
      }),
      { numRuns: 60 },
    );
  });

  it("align ranks with unnamed axes of size 1 in front", () => {
    const [x, y] = [Nx.tensor([[1, 2]], { names: ["p", "q"] }), Nx.vectorize(Nx.tensor([3, 4]), "v")];
    const found = Nx.reshapeVectors([x, y, 5], { alignRanks: true });
    expect(found.map(({ shape }) => shape)).toEqual([[1, 2], [1, 1], [1, 1]]); // prettier-ignore
    expect(found[0].names).toEqual(["p", "q"]);
    expect(Nx.devectorize(found[2]).shape).toEqual([1, 1, 1]);
  });

  it("are traced, and differentiated through", () => {
    const loss = (x: Nx.Tensor, y: Nx.Tensor): Nx.Tensor => {
      const [a, b] = Nx.broadcastVectors([Nx.vectorize(x, "a"), Nx.vectorize(y, "b")]);
      return Nx.devectorize(a.multiply(b), { keepNames: false }).sum();
    };
    const [x, y] = [Nx.f32([1, 2]), Nx.f32([3, 4, 5])];
    expect(Nx.defn(loss)(x, y).item()).toBe(36);
    expect(Nx.grad((p: Nx.Tensor) => loss(p, y))(x).toNumbers()).toEqual([12, 12]);
    expect(Nx.Defn.vmap(loss)(Nx.stack([x, x]), Nx.stack([y, y])).toNumbers()).toEqual([36, 36]);
  });

  it("refuse what cannot go together", () => {
    const wrong = [Nx.vectorize(Nx.iota([2]), "x"), Nx.vectorize(Nx.iota([3]), "x")] as const;
    expect(() => Nx.broadcastVectors(wrong)).toThrow(/axis "x" has size 2 in one operand and 3 in another/);
    expect(() => Nx.reshapeVectors(wrong)).toThrow(/axis "x" has size 2 in one operand and 3 in another/);
    expect(() => Nx.broadcastVectors("x" as never)).toThrow(
      'Nx.broadcastVectors expects an array of tensors, got: "x"',
    );
    expect(() => Nx.reshapeVectors([1], { alignRank: true } as never)).toThrow(/unknown option "alignRank"/);
  });
});
