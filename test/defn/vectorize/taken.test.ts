/** Branches and turns that entries do not take: what would be refused there is no error, and what an entry takes is refused as ever. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

type Tensor = Nx.Tensor;
const { cond, map, vmap, whileLoop } = Nx.Defn;

const divisor = (a: Tensor, b: Tensor): Tensor =>
  whileLoop(
    { a, b },
    ({ b }) => b.notEqual(0),
    ({ a, b }) => ({ a: b, b: Nx.remainder(a, b) }),
  ).a;

/** The element of a path `next` at which it ends: an index that is its own successor's end. */
const walk = (next: Tensor, start: Tensor): Tensor =>
  whileLoop(start, (at) => at.less(4), (at) => Nx.take(next, at)); // prettier-ignore

const shifted = (x: Tensor, by: Tensor): Tensor =>
  cond([[by.less(0), () => Nx.rightShift(x, by.negate())]], () => Nx.leftShift(x, by));

const share = (a: Tensor, b: Tensor): Tensor =>
  cond([
    [b.equal(0), () => a],
    [a.less(0), () => Nx.quotient(a, b)],
  ], () => cond([[b.greater(0), () => Nx.quotient(Nx.remainder(a, b), b)]], () => Nx.quotient(a, b.add(1)).add(b))); // prettier-ignore

/** A function of each entry, one after the other. */
const eachOf = (fn: (...args: Tensor[]) => Tensor, args: readonly Tensor[]): unknown =>
  Nx.stack(Array.from({ length: args[0]!.shape[0]! }, (_, i) => fn(...args.map((t) => t.at(i))))).toList();

const CASES: readonly [string, (...args: Tensor[]) => Tensor, readonly Tensor[]][] = [
  ["divisors of a loop", divisor, [Nx.s32([12, 100, 7, 0, 5]), Nx.s32([18, 75, 13, 4, 0])]],
  ["divisors of 64 bits", divisor, [Nx.tensor([12, 100, 7]), Nx.tensor([18, 75, 0])]],
  ["indices of a loop", (at) => walk(Nx.s32([2, 5, 3, 9]), at), [Nx.s32([0, 1, 7, -1 + 4, 2])]],
  ["counts of shifts in branches", shifted, [Nx.s32([5, 40, -9]), Nx.s32([2, -3, 0])]],
  ["divisors in branches in branches", share, [Nx.s32([5, -8, 9, 7, 3]), Nx.s32([0, 3, -2, 2, -5])]],
];

describe("entries that do not take a branch or a turn", () => {
  it.each(CASES)("are not refused: %s", (_, fn, args) => {
    const expected = eachOf(fn, args);
    expect(vmap(fn)(...args).toList()).toEqual(expected);
    expect(Nx.defn(vmap(fn))(...args).toList()).toEqual(expected);
    const vectors = args.map((t) => Nx.vectorize(t, "entry"));
    expect(Nx.devectorize(fn(...vectors)).toList()).toEqual(expected);
  });

  it("are not refused in loops in loops, nor in branches of loops", () => {
    const sum = (n: Tensor): Tensor =>
      whileLoop(
        { n, total: Nx.s32(0) },
        ({ n }) => n.greater(0),
        ({ n, total }) => ({
          n: n.subtract(1),
          total: total.add(cond([[Nx.remainder(12, n).equal(0), () => divisor(Nx.s32(18), n)]], () => Nx.quotient(60, n))),
        }),
      ).total; // prettier-ignore
    const numbers = Nx.s32([1, 5, 0, 3]);
    expect(vmap(sum)(numbers).toList()).toEqual(eachOf(sum, [numbers]));
    expect(map((n: Tensor) => sum(n), numbers).toList()).toEqual(eachOf(sum, [numbers]));
  });

  it("leave gradients of formulas what they are", () => {
    const fn = (x: Tensor): Tensor => cond([[x.greater(1), () => Nx.lbeta(x, x)]], () => x);
    const slope = Nx.grad((x: Tensor) => fn(x).sum());
    const x = Nx.f64([2, 3, 0.5]);
    expect(vmap(slope)(x).toList()).toEqual(eachOf(slope, [x]));
  });

  it("leave errors of those that take it", () => {
    const halved = (a: Tensor, b: Tensor): Tensor =>
      whileLoop({ a, b }, ({ a }) => a.greater(2), ({ a, b }) => ({ a: Nx.quotient(a, b), b: b.subtract(1) })).a; // prettier-ignore
    expect(() => vmap(halved)(Nx.s32([100, 1]), Nx.s32([1, 0]))).toThrow(/quotient of integers by zero/);
    const chosen = (a: Tensor, b: Tensor): Tensor => cond([[a.greater(0), () => Nx.remainder(a, b)]], () => a);
    expect(() => vmap(chosen)(Nx.s32([-1, 4]), Nx.s32([0, 0]))).toThrow(/remainder of integers by zero/);
    expect(vmap(chosen)(Nx.s32([-1, -4]), Nx.s32([0, 0])).toList()).toEqual([-1, -4]);
    expect(() => vmap((at: Tensor) => walk(Nx.s32([2, 0, -7, 9]), at))(Nx.s32([0, 5]))).toThrow(/index/);
  });
});
