import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { errorOf, view } from "./view";

const data = [
  [
    [4, 2, 3],
    [1, -5, 3],
  ],
  [
    [6, 2, 3],
    [4, 8, 3],
  ],
];
const unnamed = () => Nx.tensor(data);
const named = () => Nx.tensor(data, { names: ["x", "y", "z"] });

describe("argmax", () => {
  it("finds positions in the whole tensor and along an axis", () => {
    expect(view(Nx.argmax(4))).toBe("s64 0");
    expect(view(Nx.argmax(unnamed()))).toBe("s64 10");
    expect(view(Nx.argmax(Nx.tensor([2.5, 4.5])))).toBe("s64 1");
    expect(view(Nx.argmax(unnamed(), { axis: 0 }))).toBe("s64[2][3] [[1,0,0],[1,1,0]]");
    expect(view(Nx.argmax(named(), { axis: "y" }))).toBe("s64[x: 2][z: 3] [[0,0,0],[0,1,0]]");
    expect(view(Nx.argmax(named(), { axis: "z" }))).toBe("s64[x: 2][y: 2] [[0,2],[0,1]]");
  });

  it("breaks ties low or high", () => {
    expect(view(Nx.argmax(named(), { axis: "y", tieBreak: "low" }))).toBe("s64[x: 2][z: 3] [[0,0,0],[0,1,0]]");
    expect(view(Nx.argmax(named(), { axis: "y", tieBreak: "high" }))).toBe("s64[x: 2][z: 3] [[0,0,1],[0,1,1]]");
    expect(view(Nx.argmax(Nx.u8([7, 7]), { tieBreak: "high" }))).toBe("s64 1");
  });

  it("keeps the axis on demand", () => {
    expect(view(Nx.argmax(named(), { axis: "y", keepAxis: true }))).toBe("s64[x: 2][y: 1][z: 3] [[[0,0,0]],[[0,1,0]]]");
    expect(view(Nx.argmax(named(), { keepAxis: true }))).toBe("s64[x: 1][y: 1][z: 1] [[[10]]]");
  });

  it("gives the first NaN", () => {
    expect(view(Nx.argmax(Nx.f32([1, Infinity, NaN, NaN, -Infinity])))).toBe("s64 2");
    expect(view(Nx.argmin(Nx.f32([1, Infinity, NaN, NaN, -Infinity])))).toBe("s64 2");
  });

  it("refuses complex numbers, unknown axes and options", () => {
    expect(errorOf(() => Nx.argmax(Nx.c64([1])))).toContain(
      "ArgumentError: Nx.argmax is not defined for complex tensors",
    );
    expect(errorOf(() => Nx.argmax(named(), { axis: 3 }))).toContain(
      "given axis (3) invalid for shape [x: 2][y: 2][z: 3]",
    );
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.argmax(named(), { axis: "w" }))).toContain('no axis named "w"');
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.argmax(1, { tieBreak: "hihg" }))).toContain('must be one of "low", "high"');
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.argmax(1, { keepdims: true }))).toContain('unknown option "keepdims"');
  });
});

describe("argmin", () => {
  it("finds positions in the whole tensor and along an axis", () => {
    expect(view(Nx.argmin(4))).toBe("s64 0");
    expect(view(Nx.argmin(unnamed()))).toBe("s64 4");
    expect(view(Nx.argmin(Nx.tensor([2.5, 4.5])))).toBe("s64 0");
    expect(view(Nx.argmin(unnamed(), { axis: 0 }))).toBe("s64[2][3] [[0,0,0],[0,0,0]]");
    expect(view(Nx.argmin(named(), { axis: 1 }))).toBe("s64[x: 2][z: 3] [[1,1,0],[1,0,0]]");
    expect(view(Nx.argmin(named(), { axis: "z" }))).toBe("s64[x: 2][y: 2] [[1,1],[1,2]]");
  });

  it("breaks ties low or high", () => {
    expect(view(Nx.argmin(named(), { axis: "y", tieBreak: "low" }))).toBe("s64[x: 2][z: 3] [[1,1,0],[1,0,0]]");
    expect(view(Nx.argmin(named(), { axis: "y", tieBreak: "high" }))).toBe("s64[x: 2][z: 3] [[1,1,1],[1,0,1]]");
  });

  it("keeps the axis on demand", () => {
    expect(view(Nx.argmin(named(), { axis: "y", keepAxis: true }))).toBe("s64[x: 2][y: 1][z: 3] [[[1,1,0]],[[1,0,0]]]");
  });
});
