import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { errorOf, view } from "./view";

const rows = () =>
  Nx.tensor([
    [1, 2, 2, 3, 5],
    [1, 1, 76, 8, 1],
  ]);
const named = () =>
  Nx.tensor(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    { names: ["x", "y"] },
  );
const cube = () =>
  Nx.tensor([
    [
      [1, 2, 2],
      [3, 4, 2],
    ],
    [
      [4, 5, 2],
      [7, 9, 2],
    ],
  ]);

describe("median", () => {
  it("is the middle element or the mean of the two", () => {
    expect(view(Nx.median(42))).toBe("s64 42");
    expect(view(Nx.median(Nx.tensor([1, 2, 3])))).toBe("s64 2");
    expect(view(Nx.median(Nx.tensor([1, 2])))).toBe("f32 1.5");
    expect(
      view(
        Nx.median(
          Nx.tensor([
            [9, 1],
            [5, 3],
          ]),
        ),
      ),
    ).toBe("f32 4");
    expect(view(Nx.median(Nx.u8([200, 250, 100])))).toBe("u8 200");
  });

  it("goes along an axis", () => {
    expect(view(Nx.median(named(), { axis: 0 }))).toBe("f32[y: 3] [2.5,3.5,4.5]");
    expect(view(Nx.median(named(), { axis: "y" }))).toBe("s64[x: 2] [2,5]");
    const t = Nx.iota([2, 2, 3], { names: ["x", "y", "z"] });
    expect(view(Nx.median(t, { axis: "x" }))).toBe("f32[y: 2][z: 3] [[3,4,5],[6,7,8]]");
    expect(view(Nx.median(cube(), { axis: -1 }))).toBe("s64[2][2] [[2,3],[4,7]]");
  });

  it("keeps the axis on demand", () => {
    expect(view(Nx.median(cube(), { axis: -1, keepAxis: true }))).toBe("s64[2][2][1] [[[2],[3]],[[4],[7]]]");
    expect(view(Nx.median(named(), { keepAxis: true }))).toBe("f32[x: 1][y: 1] [[3.5]]");
  });

  it("does not overflow where it averages", () => {
    expect(view(Nx.median(Nx.u8([255, 255])))).toBe("f32 255");
    expect(view(Nx.median(Nx.s64([2n ** 62n, 2n ** 62n])))).toBe(`f32 ${2 ** 62}`);
    expect(view(Nx.median(Nx.f16([60000, 60000])))).toBe("f16 60000");
    expect(view(Nx.median(Nx.f32([3e38, 3e38])))).toBe(`f32 ${Math.fround(3e38)}`);
  });

  it("knows infinities and passes NaN on, in its line only", () => {
    expect(view(Nx.median(Nx.f32([Infinity, -Infinity, 1])))).toBe("f32 1");
    expect(view(Nx.median(Nx.f32([1, NaN, 2])))).toBe("f32 NaN");
    expect(
      view(
        Nx.median(
          Nx.f64([
            [1, NaN],
            [2, 3],
          ]),
          { axis: 1 },
        ),
      ),
    ).toBe("f64[2] [NaN,2.5]");
  });

  it("refuses complex numbers", () => {
    expect(errorOf(() => Nx.median(Nx.c64([1])))).toContain("median is not defined for complex tensors");
  });
});

describe("mode", () => {
  it("is the most frequent element, the smallest on ties", () => {
    expect(view(Nx.mode(42))).toBe("s64 42");
    expect(view(Nx.mode(Nx.tensor([[1]])))).toBe("s64 1");
    expect(view(Nx.mode(Nx.tensor([1, 2, 2, 3, 5])))).toBe("s64 2");
    expect(view(Nx.mode(rows()))).toBe("s64 1");
    expect(view(Nx.mode(Nx.tensor([5, 3, 5, 3, 1])))).toBe("s64 3");
    expect(view(Nx.mode(Nx.u64([2n ** 64n - 1n, 2n ** 64n - 1n, 1n])))).toBe(`u64 ${2n ** 64n - 1n}`);
  });

  it("goes along an axis", () => {
    expect(view(Nx.mode(rows(), { axis: 0 }))).toBe("s64[5] [1,1,2,3,1]");
    expect(view(Nx.mode(rows(), { axis: 1 }))).toBe("s64[2] [2,1]");
    expect(view(Nx.mode(Nx.tensor([[[1]]]), { axis: 1 }))).toBe("s64[1][1] [[1]]");
  });

  it("keeps the axis on demand", () => {
    expect(view(Nx.mode(rows(), { axis: 1, keepAxis: true }))).toBe("s64[2][1] [[2],[1]]");
    expect(view(Nx.mode(1, { keepAxis: true }))).toBe("s64[1] [1]");
    expect(view(Nx.mode(Nx.tensor([[[1]]]), { keepAxis: true }))).toBe("s64[1][1][1] [[[1]]]");
  });

  it("counts NaNs as one value, the largest", () => {
    expect(view(Nx.mode(Nx.f32([NaN, 1, NaN, 2])))).toBe("f32 NaN");
    expect(view(Nx.mode(Nx.f32([NaN, 1, NaN, 1])))).toBe("f32 1");
    expect(view(Nx.mode(Nx.f32([Infinity, -Infinity, -Infinity, NaN])))).toBe("f32 -Infinity");
  });

  it("finds long runs among many elements", () => {
    const t = Nx.remainder(Nx.iota([5, 1001]), Nx.tensor([[7], [2], [3], [5], [1001]]));
    expect(view(Nx.mode(t, { axis: 1 }))).toBe("s64[5] [0,1,1,3,0]");
  });
});

it("shares in a tensor are refused with what to write", () => {
  for (const fn of [Nx.quantile, Nx.percentile]) {
    expect(() => fn(Nx.f32([1, 2]), Nx.f32([0.5]) as never)).toThrow("write a number or a list of numbers");
  }
});
