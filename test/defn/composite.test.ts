import { List, Map } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const { count, leaves, map, reduce } = Nx.Defn.Composite;

describe("Composite", () => {
  it("maps containers of every kind, keeping what is no tensor", () => {
    const container = { a: List([Nx.tensor(1)]), b: [2, "text"], c: Map<string, Nx.Tensor>([["d", Nx.tensor(3)]]) };
    const doubled = map((t) => t.multiply(2), container);
    expect(doubled.a).toBeInstanceOf(List);
    expect(doubled.a.get(0)!.toNumber()).toBe(2);
    expect(doubled.b[1]).toBe("text");
    expect(doubled.c.get("d")!.toNumber()).toBe(6);
  });

  it("pairs containers of one structure by place, whatever the order of their keys", () => {
    const sum = map((x, y, z) => x.add(y).add(z), { a: 1, b: 10 }, { b: 20, a: 2 }, { a: 3, b: 30 });
    expect([sum.a.toNumber(), sum.b.toNumber()]).toEqual([6, 60]);
  });

  it("traces, and its gradients are containers", () => {
    const step = Nx.defn((p: { w: Nx.Tensor }, g: { w: Nx.Tensor }) => map((x, y) => x.subtract(y), p, g));
    expect(step({ w: Nx.f32([3, 4]) }, { w: Nx.f32([1, 1]) }).w.toList()).toEqual([2, 3]);
    const norm = (p: unknown) => reduce(p, Nx.f32(0), (total, t) => total.add(t.multiply(t).sum()));
    expect(Nx.grad(norm)([Nx.f32([1, 2]), Nx.f32(3)])).toEqual([Nx.f32([2, 4]), Nx.f32(6)]);
  });

  it("counts and lists", () => {
    expect(count([1, { a: Nx.tensor([1, 2]) }, null])).toBe(2);
    expect(leaves({ b: 2, a: 1 }).map((t) => t.toNumber())).toEqual([1, 2]);
  });

  it("refuses other structures and what is no function", () => {
    expect(() => map((x) => x, [1], [1, 2])).toThrow("array { 0: tensor } and array { 0: tensor, 1: tensor }");
    expect(() => map("x" as never, [1])).toThrow(Nx.ArgumentError);
    expect(() => map([1] as never, ((x: Nx.Tensor) => x) as never)).toThrow("got: [1]; the function comes first");
    expect(() => map(() => "x" as never, [1])).toThrow(Nx.ArgumentError);
  });
});
