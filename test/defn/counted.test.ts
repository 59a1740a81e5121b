/** Control flow by integers: what foriLoop and switch have in common with loops and choices written out. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const { foriLoop, grad, jvp, vmap } = Nx.Defn;
const numbers = (t: Nx.Tensor): unknown[] => t.toFlatList();

describe("foriLoop", () => {
  const sums = (lower: Nx.Operand, upper: Nx.Operand) =>
    foriLoop(lower, upper, (i, s) => s.multiply(3).add(i), Nx.s64(1));

  it("is a for loop, for bounds in any order, eagerly and in defn", () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 9 }), (lower, upper) => {
        let expected = 1;
        for (let i = lower; i < upper; i++) expected = expected * 3 + i;
        expect(sums(lower, upper).toNumber()).toBe(expected);
        expect(sums(Nx.s32(lower), upper).toNumber()).toBe(expected);
        expect(Nx.defn(sums)(Nx.s64(lower), Nx.s64(upper)).toNumber()).toBe(expected);
        expect(Nx.defn(sums)(lower, upper).toNumber()).toBe(expected);
      }),
      { numRuns: 40 },
    );
  });

  it("the index has the merged type of the bounds", () => {
    const type = (lower: Nx.Operand, upper: Nx.Operand): string => {
      let seen = "";
      foriLoop(lower, upper, (i, s) => ((seen = i.type), s), Nx.f32(0));
      return seen;
    };
    expect([type(0, 3), type(Nx.u8(0), 3), type(0, Nx.s32(3)), type(Nx.u8(0), Nx.s32(3))]).toEqual(["s64", "u8", "s32", "s32"]); // prettier-ignore
  });

  it("has gradients forward and backward, of bounds that are tensors too", () => {
    const power = (n: Nx.Operand) => (x: Nx.Tensor) => foriLoop(0, n, (i, y) => y.multiply(x).add(i), Nx.f64(1));
    const written = (x: Nx.Tensor) =>
      x.multiply(x).multiply(x).multiply(x).add(x.multiply(x)).add(x.multiply(2)).add(3);
    const x = Nx.f64(1.3);
    const value = (t: Nx.Tensor): number => Number(t.toNumber());
    for (const n of [4, Nx.s64(4)]) {
      expect(value(power(n)(x))).toBeCloseTo(value(written(x)), 12);
      expect(value(grad(power(n))(x))).toBeCloseTo(value(grad(written)(x)), 12);
      expect(value(jvp(power(n), [x], [Nx.f64(2)])[1])).toBeCloseTo(2 * value(grad(written)(x)), 12);
      expect(value(grad(grad(power(n)))(x))).toBeCloseTo(value(grad(grad(written))(x)), 11);
    }
  });

  it("vectorized bounds and states go on for each entry", () => {
    const ends = Nx.s64([0, 3, 5]);
    expect(numbers(vmap((n: Nx.Tensor) => sums(1, n))(ends))).toEqual([0, 3, 5].map((n) => sums(1, n).toNumber()));
    const rows = Nx.f32([[1, 2], [3, 4]]); // prettier-ignore
    const doubled = vmap((row: Nx.Tensor) => foriLoop(0, 3, (_i, r) => r.multiply(2), row))(rows);
    expect(doubled.toList()).toEqual([[8, 16], [24, 32]]); // prettier-ignore
  });

  it("keeps containers, takes numbers as state, and says what is wrong", () => {
    const last = foriLoop(0, 3, (i, { a, b }) => ({ a: a.add(i), b: [b[0].multiply(2)] as const }), { a: 1, b: [Nx.f32([1], { names: ["x"] })] as const }); // prettier-ignore
    expect([last.a.toNumber(), last.b[0].names, last.b[0].toList()]).toEqual([4, ["x"], [8]]);
    expect(() => foriLoop(Nx.f32(0), 2, (_i, s) => s, Nx.f32(0))).toThrow("Nx.Defn.foriLoop expects an integer as lower, a number or a scalar tensor, got: f32[]"); // prettier-ignore
    expect(() => foriLoop(0, Nx.s64([2]), (_i, s) => s, Nx.f32(0))).toThrow("as upper, a number or a scalar tensor, got: s64[1]"); // prettier-ignore
    expect(() => foriLoop(0, 2, (_i, s) => Nx.reshape(s, [1]), Nx.f32(0))).toThrow("the body of Nx.Defn.foriLoop must return what it is given, but the state at .state is f32[] and it returned f32[1]"); // prettier-ignore
    expect(() => foriLoop(0, 2, () => undefined, Nx.f32(0))).toThrow("what the body of Nx.Defn.foriLoop returned.state must be a tensor"); // prettier-ignore
    expect(() => foriLoop(0, 2, 3 as never, Nx.f32(0))).toThrow("the body of Nx.Defn.foriLoop must be a function");
    expect(() => foriLoop(0, 2, (_i, s) => s, [])).toThrow("Nx.Defn.foriLoop expects a state of at least one tensor");
  });
});

describe("switch", () => {
  const branches = [
    (x: Nx.Tensor, y: Nx.Tensor) => x.add(y),
    (x: Nx.Tensor, y: Nx.Tensor) => x.multiply(y),
    (x: Nx.Tensor, y: Nx.Tensor) => x.subtract(y),
  ];
  const chosen = (i: number) => branches[Math.max(0, Math.min(2, i))]!;
  const [x, y] = [Nx.f64([1, 2], { names: ["x"] }), Nx.f64([3, 5])];

  it.each([-9, -1, 0, 1, 2, 3, 99])("index %i is that of the function it is nearest to", (i) => {
    const expected = chosen(i)(x, y);
    for (const index of [i, BigInt(i), Nx.s64(i)]) {
      expect(Nx.Defn.switch(index, branches, x, y).equals(expected)).toBe(true);
    }
    const traced = Nx.defn((index: Nx.Operand) => Nx.Defn.switch(index, branches, x, y));
    expect(traced(Nx.s32(i)).equals(expected)).toBe(true);
    expect(traced(i).equals(expected)).toBe(true);
  });

  it("runs one function, differentiates that, and chooses for each entry of a vectorized index", () => {
    let runs = 0;
    const counting = [0, 1, 2].map((k) => (t: Nx.Tensor) => Nx.Defn.hook(t.multiply(k), () => runs++));
    Nx.Defn.switch(Nx.s64(2), counting, Nx.f32(3));
    expect(runs).toBe(1);
    const slope = grad((t: Nx.Tensor, i: Nx.Tensor) => Nx.Defn.switch(i, [() => t.sin(), () => t.multiply(t)]));
    expect(slope(Nx.f64(3), Nx.s64(1)).toNumber()).toBe(6);
    const each = vmap((i: Nx.Tensor, t: Nx.Tensor) => Nx.Defn.switch(i, branches, t, Nx.f64(10)));
    expect(numbers(each(Nx.s64([-1, 0, 1, 2, 7]), Nx.f64([1, 2, 3, 4, 5])))).toEqual([11, 12, 30, -6, -5]);
  });

  it("one function needs no choice; structures must agree", () => {
    expect(Nx.Defn.switch(5, [() => [Nx.f32(1)]])[0]!.toNumber()).toBe(1);
    expect(() => Nx.Defn.switch(Nx.s64(0), [() => [x], () => ({ x })] as never)).toThrow(
      "must return the same structure",
    );
    expect(() => Nx.Defn.switch(true as never, branches, x, y)).toThrow("expects an integer as index, a number or a scalar tensor, got: true"); // prettier-ignore
    expect(() => Nx.Defn.switch(0, [3 as never])).toThrow("branch 0 of Nx.Defn.switch must be a function");
  });
});
