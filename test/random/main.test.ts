import * as Nx from "nx-numerics";
import { afterEach, describe, expect, it, vi } from "vitest";
import { numbersOf } from "./oracle";

afterEach(() => {
  vi.unstubAllGlobals();
});

const like = Nx.iota([2, 3], { names: ["x", "y"] });

describe("randomUniform", () => {
  it("draws floats between the bounds", () => {
    const t = Nx.randomUniform([1000]);
    expect([t.type, t.shape]).toEqual(["f32", [1000]]);
    const values = numbersOf(t);
    expect(values.every((x) => x >= 0 && x < 1)).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(900);
    expect(numbersOf(Nx.randomUniform([100], 5, 10)).every((x) => x >= 5 && x <= 10)).toBe(true);
  });

  it("draws integers where the type is one of integers", () => {
    const t = Nx.randomUniform([100], 5, 10, { type: "u8" });
    expect(t.type).toBe("u8");
    expect(new Set(numbersOf(t))).toEqual(new Set([5, 6, 7, 8, 9]));
  });

  it("takes shape and names of a tensor, and options", () => {
    expect(Nx.randomUniform(like).names).toEqual(["x", "y"]);
    expect(Nx.randomUniform(like, 0, 1, { names: ["a", "b"] }).names).toEqual(["a", "b"]);
    expect(Nx.randomUniform([2], 0, 1, { type: "c128", backend: "binary" }).type).toBe("c128");
    expect(Nx.randomUniform(Nx.f32(3)).shape).toEqual([]);
    expect(Nx.randomUniform([3], Nx.f32(2), Nx.f32(3)).shape).toEqual([3]);
  });
});

describe("randomNormal", () => {
  it("draws around the mean", () => {
    const t = Nx.randomNormal([2000], 100, 0.5, { names: ["x"], type: "f64" });
    expect([t.type, t.shape, t.names]).toEqual(["f64", [2000], ["x"]]);
    expect(Nx.toNumber(Nx.mean(t))).toBeCloseTo(100, 0);
    expect(Math.abs(Number(Nx.toNumber(Nx.standardDeviation(t))) - 0.5)).toBeLessThan(0.1);
    expect(Nx.randomNormal(like).names).toEqual(["x", "y"]);
  });
});

describe("shuffle", () => {
  it("moves all elements, or the entries of an axis", () => {
    const t = Nx.iota([20, 5], { names: ["x", "y"] });
    const all = Nx.shuffle(t);
    expect([all.shape, all.names]).toEqual([t.shape, t.names]);
    expect(numbersOf(all)).not.toEqual(numbersOf(t));
    expect(numbersOf(all).sort((a, b) => a - b)).toEqual(numbersOf(t));
    const rows = Nx.toList(Nx.shuffle(t, { axis: "x" })) as number[][];
    expect(rows.every((row) => row.every((x, i) => x === row[0]! + i))).toBe(true);
    expect(rows.map((row) => row[0]! / 5).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(Nx.toNumber(Nx.shuffle(7))).toBe(7);
  });
});

describe("the key of each call", () => {
  const draw = () => Nx.randomUniform([4], 0, 1, { type: "f64" });

  it("is another one", () => {
    expect(draw().equals(draw())).toBe(false);
  });

  it("comes from the host's random source", () => {
    vi.stubGlobal("crypto", { getRandomValues: (words: Uint32Array) => words.fill(7) });
    expect(draw().equals(draw())).toBe(true);
    const key = Nx.u32([7, 7]);
    expect(draw().equals(Nx.Random.uniformSplit(key, { shape: [4], type: "f64" }))).toBe(true);
  });

  it("is made without one, too", () => {
    vi.stubGlobal("crypto", undefined);
    expect(draw().equals(draw())).toBe(false);
  });

  it("is drawn when a function is traced", () => {
    const noisy = Nx.defn((t: Nx.Tensor) => Nx.add(t, Nx.randomUniform([3])));
    expect(noisy(Nx.f32(1)).equals(noisy(Nx.f32(1)))).toBe(true);
  });
});

describe("wrong arguments", () => {
  it.each([
    [() => Nx.randomUniform([0]), /shape of Nx.randomUniform must hold positive integers/],
    [() => Nx.randomUniform([2], 1, 0), /min of Nx.randomUniform must not be above max/],
    [() => Nx.randomUniform([2], 0, 0.5, { type: "s8" }), /Nx.randomUniform draws integers/],
    [() => Nx.randomUniform([2], 0, 1, { names: ["x", "y"] }), /invalid names/],
    [() => Nx.randomUniform([2], 0, 1, { shape: [3] } as never), /unknown option "shape" for Nx.randomUniform/],
    [() => Nx.randomUniform([2], { type: "f32" } as never), /expects a tensor or a number/],
    [() => Nx.randomUniform([2], Nx.f32([1, 2, 3]), 9), /does not broadcast to the shape \[2\]/],
    [() => Nx.randomNormal([2], 0, 1, { type: "s8" }), /Nx.randomNormal cannot draw samples of type s8/],
    [() => Nx.randomNormal([2], new Nx.Complex(0, 1)), /mean of Nx.randomNormal must be real/],
    [() => Nx.shuffle(like as Nx.Tensor, "z"), /no axis named "z"/],
    [() => Nx.shuffle("x" as never), /Nx.shuffle expects a tensor/],
  ])("%#", (call, message) => {
    expect(call).toThrow(Nx.ArgumentError);
    expect(call).toThrow(message);
  });
});
