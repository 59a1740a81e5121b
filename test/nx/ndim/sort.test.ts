import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import * as s from "../../backends/binary/support";
import { errorOf, view } from "../aggregates/view";
import { axisOf, isComplex, namedTensors, someAxes } from "../indexed/naive";
import { tries } from "../../effort";

type Value = number | bigint;
const DIRECTIONS = ["asc", "desc"] as const;
type Direction = (typeof DIRECTIONS)[number];

/** NaN above everything, -0 equal to 0. */
function compare(a: Value, b: Value): number {
  if (a !== a || b !== b) return Number(a !== a) - Number(b !== b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** For each position the index along the axis that the element there comes from. */
function order(t: Nx.Tensor, axis: number, direction: Direction): number[] {
  const values = s.valuesOf(t) as Value[];
  const sign = direction === "asc" ? 1 : -1;
  const result = new Array<number>(values.length);
  for (const head of s.positions(t.shape.with(axis, 1))) {
    const at = (i: number) => s.flatten(t.shape, head.with(axis, i));
    Array.from({ length: t.shape[axis]! }, (_, i) => i)
      .sort((i, j) => sign * compare(values[at(i)]!, values[at(j)]!))
      .forEach((from, to) => (result[at(to)] = from));
  }
  return result;
}

/** Bits of the elements that an order along an axis gives. */
function ordered(t: Nx.Tensor, axis: number, indices: readonly number[]): string[] {
  const bits = s.bitsOf(t);
  return s.positions(t.shape).map((at, i) => bits[s.flatten(t.shape, at.with(axis, indices[i]!))]!);
}

/** Few different numbers, the special ones among them. */
const CROWDED = [0, -0, 1, 1, 2, NaN, Infinity, -Infinity, -3];

const crowded = fc.tuple(namedTensors(), fc.nat(1000)).map(([t, seed]) => {
  const picked = Array.from({ length: s.sizeOf(t.shape) }, (_, i) => CROWDED[(i * 7 + seed * i * i + seed) % 9]!);
  return Nx.asType(Nx.f64(picked).reshape([...t.shape]), t.type, { overflow: "wrap" }).rename(t.names);
});

const tensors = fc.oneof(namedTensors(), crowded).filter(({ type }) => !isComplex(type));
const cases = fc.tuple(tensors, fc.nat(3), fc.nat(2), fc.constantFrom(...DIRECTIONS));

describe("sort and argsort", () => {
  it("are what a stable sort of each line gives, for every type, along any axis, either way", () => {
    fc.assert(
      fc.property(cases, ([t, seed, kind, direction]) => {
        const { axis, form } = axisOf(t, seed, kind);
        const indices = order(t, axis, direction);
        const sorted = Nx.sort(t, { axis: form, direction });
        expect([sorted.type, sorted.shape, sorted.names]).toEqual([t.type, t.shape, t.names]);
        expect(s.bitsOf(sorted)).toEqual(ordered(t, axis, indices));
        const positions = Nx.argsort(t, { axis: form, direction });
        expect([positions.type, positions.shape, positions.names]).toEqual(["s64", t.shape, t.names]);
        expect(s.valuesOf(positions)).toEqual(indices.map(BigInt));
      }),
      { numRuns: tries(300) },
    );
  });

  it("go along the first axis upwards, unless told otherwise", () => {
    const t = Nx.tensor([[3, 1, 7], [2, 5, 4]], { names: ["x", "y"] }); // prettier-ignore
    expect(view(Nx.sort(t))).toBe("s64[x: 2][y: 3] [[2,1,4],[3,5,7]]");
    expect(view(Nx.sort(t, { axis: "y" }))).toBe("s64[x: 2][y: 3] [[1,3,7],[2,4,5]]");
    expect(view(Nx.sort(t, { axis: -1, direction: "desc" }))).toBe("s64[x: 2][y: 3] [[7,3,1],[5,4,2]]");
    expect(view(Nx.argsort(t))).toBe("s64[x: 2][y: 3] [[1,0,1],[0,1,0]]");
    expect(view(Nx.argsort(t, { axis: "y" }))).toBe("s64[x: 2][y: 3] [[1,0,2],[0,2,1]]");
  });

  it("put NaN last upwards and first downwards, infinities at the ends of the numbers", () => {
    const t = Nx.f32([3, NaN, Infinity, -Infinity, 1]);
    expect(view(Nx.sort(t))).toBe("f32[5] [-Infinity,1,3,Infinity,NaN]");
    expect(view(Nx.sort(t, { direction: "desc" }))).toBe("f32[5] [NaN,Infinity,3,1,-Infinity]");
    expect(view(Nx.argsort(t))).toBe("s64[5] [3,4,0,2,1]");
    expect(view(Nx.argsort(t, { direction: "desc" }))).toBe("s64[5] [1,2,0,4,3]");
  });

  it("keep the order of equals either way, to which -0 and 0 belong", () => {
    for (const stable of [true, false]) {
      expect(view(Nx.argsort(Nx.tensor([3, 1, 3, 1]), { stable }))).toBe("s64[4] [1,3,0,2]");
      expect(view(Nx.argsort(Nx.tensor([3, 1, 3, 1]), { direction: "desc", stable }))).toBe("s64[4] [0,2,1,3]");
      expect(view(Nx.sort(Nx.f16([0, -0, 1, 0, -0]), { stable }))).toBe("f16[5] [0,-0,0,-0,1]");
      expect(view(Nx.sort(Nx.f64([-0, 0, -1]), { direction: "desc", stable }))).toBe("f64[3] [-0,0,-1]");
    }
  });

  it("tell 64-bit integers apart that are one double", () => {
    const [a, b] = [2n ** 63n, 2n ** 63n + 1n];
    expect(view(Nx.sort(Nx.u64([b, a, 1n])))).toBe(`u64[3] [1,${a},${b}]`);
    expect(view(Nx.argsort(Nx.s64([-a + 1n, -a, a - 1n, a - 2n])))).toBe("s64[4] [1,0,3,2]");
  });

  it("agree through takeAlongAxis", () => {
    const t = Nx.f32([[5, NaN, 2], [-1, 5, 5]]); // prettier-ignore
    for (const axis of [0, 1]) {
      for (const direction of DIRECTIONS) {
        const positions = Nx.argsort(t, { axis, direction });
        expect(view(Nx.takeAlongAxis(t, positions, { axis }))).toBe(view(Nx.sort(t, { axis, direction })));
      }
    }
  });

  it("give positions in the type asked for, which must hold them all", () => {
    const t = Nx.tensor([3, 1, 2]);
    for (const type of ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"] as const) {
      expect(view(Nx.argsort(t, { type }))).toBe(`${type}[3] [1,2,0]`);
    }
    expect(
      Nx.argsort(Nx.iota([256]), { type: "u8", direction: "desc" })
        .at(0)
        .toNumber(),
    ).toBe(255);
    expect(errorOf(() => Nx.argsort(Nx.iota([2, 257], { names: ["x", "y"] }), { type: "u8", axis: "y" }))).toBe(
      "ArgumentError: option type of Nx.argsort must be able to hold 256, the last position of axis 1 of shape " +
        '[x: 2][y: 257], got: "u8"',
    );
  });

  it("take long lines", () => {
    const n = 200_000;
    const t = Nx.remainder(Nx.multiply(Nx.iota([n]), 7919), n);
    expect(Nx.sort(t).equals(Nx.iota([n]))).toBe(true);
    expect(Nx.sort(t.asType("f32"), { direction: "desc" }).at(0).toNumber()).toBe(n - 1);
    expect(Nx.takeAlongAxis(t, Nx.argsort(t)).equals(Nx.iota([n]))).toBe(true);
  });

  it("are the same traced, and for every element of a vectorized axis", () => {
    const t = Nx.f32([[5, 1, 2], [-1, 5, 5]]); // prettier-ignore
    for (const fn of [Nx.sort, Nx.argsort] as ((t: Nx.Tensor, options?: Nx.SortOptions) => Nx.Tensor)[]) {
      const call = (x: Nx.Tensor) => fn(x, { axis: -1, direction: "desc" });
      expect(view(Nx.defn(call)(t))).toBe(view(call(t)));
      expect(view(Nx.Defn.vmap((row: Nx.Tensor) => fn(row))(t) as Nx.Tensor)).toBe(view(fn(t, { axis: 1 })));
    }
  });

  it("say what is wrong", () => {
    const t = Nx.tensor([[1, 2]], { names: ["x", "y"] });
    for (const [name, fn] of [
      ["sort", Nx.sort],
      ["argsort", Nx.argsort],
    ] as const) {
      // prettier-ignore
      const call = (operand: unknown, options?: unknown) => errorOf(() => fn(operand as Nx.Tensor, options as object));
      expect(call(t, { axis: "z" })).toMatch(`ArgumentError: Nx.${name}: no axis named "z" in shape [x: 1][y: 2]`);
      expect(call(t, { axis: 2 })).toMatch(`ArgumentError: Nx.${name}: given axis (2) invalid for shape [x: 1][y: 2]`);
      expect(call(t, { axis: 0.5 })).toMatch(/^ArgumentError: /);
      expect(call(3)).toBe(
        `ArgumentError: Nx.${name}: given axis (0) invalid for shape [] with rank 0; a scalar has no axes`,
      );
      expect(call(Nx.c64([1]))).toMatch(`ArgumentError: Nx.${name} is not defined for complex tensors, got type c64`);
      expect(call(t, { direction: "down" })).toMatch(`ArgumentError: option direction of Nx.${name} must be`);
      expect(call(t, { stable: 1 })).toMatch(`ArgumentError: option stable of Nx.${name} must be`);
      expect(call(t, { descending: true })).toMatch(/^ArgumentError: .*descending/);
      expect(call("abc")).toMatch(`ArgumentError: Nx.${name} expects`);
    }
    for (const type of ["f32", "c64"]) {
      expect(errorOf(() => Nx.argsort(t, { type: type as "u8" }))).toBe(
        `ArgumentError: option type of Nx.argsort must be an integer type, got: "${type}"`,
      );
    }
    expect(errorOf(() => Nx.argsort(t, { type: "integer" as "u8" }))).toMatch(/^ArgumentError: /);
    expect(errorOf(() => Nx.sort(t, { type: "u8" } as object))).toMatch(/^ArgumentError: .*type/);
  });
});

describe("topK", () => {
  it("gives the first of the last axis in descending order, and where they were", () => {
    fc.assert(
      fc.property(tensors, fc.nat(50), (t, seed) => {
        const axis = t.shape.length - 1;
        const k = 1 + (seed % t.shape[axis]!);
        const [values, indices] = Nx.topK(t, { k });
        const shape = t.shape.with(axis, k);
        expect([values.type, values.shape, values.names]).toEqual([t.type, shape, t.names]);
        expect([indices.type, indices.shape, indices.names]).toEqual(["s64", shape, t.names]);
        const all = order(t, axis, "desc");
        const sorted = ordered(t, axis, all);
        const first = s.positions(t.shape).flatMap((at, i) => (at[axis]! < k ? [i] : []));
        expect(s.bitsOf(values)).toEqual(first.map((i) => sorted[i]));
        expect(s.valuesOf(indices)).toEqual(first.map((i) => BigInt(all[i]!)));
      }),
      { numRuns: tries(200) },
    );
  });

  it("gives one unless told otherwise, lower positions first among equals, NaN before all", () => {
    const [values, indices] = Nx.topK(Nx.f32([2, 7, NaN, 7, Infinity]), { k: 4 });
    expect(view(values)).toBe("f32[4] [NaN,Infinity,7,7]");
    expect(view(indices)).toBe("s64[4] [2,4,1,3]");
    expect(Nx.topK(Nx.tensor([[1, 5], [9, 9]], { names: ["x", "y"] })).map(view)).toEqual(["s64[x: 2][y: 1] [[5],[9]]", "s64[x: 2][y: 1] [[1],[0]]"]); // prettier-ignore
  });

  it("is the same traced", () => {
    const t = Nx.f32([[2, 7, 3], [9, 8, 9]]); // prettier-ignore
    const traced = Nx.defn((x: Nx.Tensor) => [...Nx.topK(x, { k: 2 })])(t) as Nx.Tensor[];
    expect(traced.map(view)).toEqual(Nx.topK(t, { k: 2 }).map(view));
  });

  it("says what is wrong", () => {
    const t = Nx.tensor([[1, 2]], { names: ["x", "y"] });
    expect(errorOf(() => Nx.topK(t, { k: 3 }))).toBe(
      "ArgumentError: Nx.topK expects at least k = 3 elements in the last axis, got shape [x: 1][y: 2]",
    );
    expect(errorOf(() => Nx.topK(5))).toBe(
      "ArgumentError: Nx.topK expects at least k = 1 elements in the last axis, got shape []",
    );
    for (const k of [0, -1, 1.5, NaN, "2", null]) {
      expect(errorOf(() => Nx.topK(t, { k: k as number }))).toMatch("ArgumentError: option k of Nx.topK must be");
    }
    expect(errorOf(() => Nx.topK(Nx.c128([1])))).toMatch("ArgumentError: Nx.topK is not defined for complex tensors");
    expect(errorOf(() => Nx.topK(t, { axis: 0 } as object))).toMatch(/^ArgumentError: .*axis/);
    expect(errorOf(() => Nx.topK([1, 2] as never))).toMatch("ArgumentError: Nx.topK expects");
  });
});

describe("reverse", () => {
  const withAxes = namedTensors().chain((t) => someAxes(t).map((axes) => [t, axes] as const));

  it("turns any axes of any type around, bit by bit", () => {
    fc.assert(
      fc.property(withAxes, ([t, axes]) => {
        const result = Nx.reverse(t, { axes: axes.map(({ form }) => form) });
        expect([result.type, result.shape, result.names]).toEqual([t.type, t.shape, t.names]);
        const turned = new Set(axes.map(({ axis }) => axis));
        const bits = s.bitsOf(t);
        const from = (at: number[]) => at.map((i, axis) => (turned.has(axis) ? t.shape[axis]! - 1 - i : i));
        expect(s.bitsOf(result)).toEqual(s.positions(t.shape).map((at) => bits[s.flatten(t.shape, from(at))]));
      }),
    );
  });

  it("turns all axes around unless told otherwise, and none for an empty list", () => {
    const t = Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] }); // prettier-ignore
    expect(view(Nx.reverse(t))).toBe("s64[x: 2][y: 3] [[6,5,4],[3,2,1]]");
    expect(view(Nx.reverse(t, { axes: [] }))).toBe(view(t));
    expect(view(Nx.reverse(7))).toBe("s64 7");
  });

  it("says what is wrong", () => {
    const t = Nx.tensor([[1, 2]], { names: ["x", "y"] });
    expect(errorOf(() => Nx.reverse(t, { axes: [0, "x"] }))).toMatch("ArgumentError: Nx.reverse: axes must not repeat");
    expect(errorOf(() => Nx.reverse(t, { axes: ["z" as "x"] }))).toMatch(
      'ArgumentError: Nx.reverse: no axis named "z"',
    );
    expect(errorOf(() => Nx.reverse(t, { axes: [2] }))).toMatch("ArgumentError: Nx.reverse: given axis (2) invalid");
    expect(errorOf(() => Nx.reverse(t, { axes: 0.5 as never }))).toMatch(/^ArgumentError: /);
    expect(errorOf(() => Nx.reverse(t, { axs: 0 } as object))).toMatch(/^ArgumentError: .*axes/);
    expect(errorOf(() => Nx.reverse(3, { axes: [0 as never] }))).toMatch(/^ArgumentError: /);
    expect(errorOf(() => Nx.reverse({} as never))).toMatch("ArgumentError: Nx.reverse expects");
  });
});
