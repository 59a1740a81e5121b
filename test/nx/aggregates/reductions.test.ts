import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { errorOf, view } from "./view";

const names: ["x", "y", "z"] = ["x", "y", "z"];
const iota = () => Nx.iota([2, 2, 3], { names: ["x", "y", "z"] });
const matrix = () =>
  Nx.tensor(
    [
      [-1, 0, 1],
      [2, 3, 4],
    ],
    { names: ["x", "y"] },
  );
const sparse = () =>
  Nx.tensor(
    [
      [0, 1, 0],
      [0, 1, 2],
    ],
    { names: ["x", "y"] },
  );
const cube = () =>
  Nx.tensor(
    [
      [
        [1, 2],
        [4, 5],
      ],
      [
        [2, 4],
        [3, 8],
      ],
    ],
    { names },
  );

describe("sum", () => {
  it("is in 64 bits for integers and in the type else", () => {
    expect(view(Nx.sum(42))).toBe("s64 42");
    expect(view(Nx.sum(Nx.tensor([1, 2, 3])))).toBe("s64 6");
    expect(
      view(
        Nx.sum(
          Nx.tensor([
            [1.0, 2.5],
            [3.0, 3.5],
          ]),
        ),
      ),
    ).toBe("f32 10");
    expect(
      view(
        Nx.sum(
          Nx.tensor(
            [
              [101, 102],
              [103, 104],
            ],
            { type: "s8" },
          ),
        ),
      ),
    ).toBe("s64 410");
    expect(
      view(
        Nx.sum(
          Nx.tensor(
            [
              [101, 102],
              [103, 104],
            ],
            { type: "s16" },
          ),
        ),
      ),
    ).toBe("s64 410");
    expect(view(Nx.sum(Nx.u8([200, 100])))).toBe("u64 300");
    expect(view(Nx.sum(Nx.bf16([1, 2])))).toBe("bf16 3");
    expect(view(Nx.sum(Nx.tensor([new Nx.Complex(1, 2), 3])))).toBe("c64 4:2");
  });

  it("goes over any axes and drops their names", () => {
    expect(view(Nx.sum(Nx.tensor([1, 2, 3]), { axes: [0] }))).toBe("s64 6");
    expect(view(Nx.sum(iota(), { axes: ["x"] }))).toBe("s64[y: 2][z: 3] [[6,8,10],[12,14,16]]");
    expect(view(Nx.sum(iota(), { axes: ["y"] }))).toBe("s64[x: 2][z: 3] [[3,5,7],[15,17,19]]");
    expect(view(Nx.sum(iota(), { axes: ["z"] }))).toBe("s64[x: 2][y: 2] [[3,12],[21,30]]");
    expect(view(Nx.sum(iota(), { axes: ["x", "z"] }))).toBe("s64[y: 2] [24,42]");
    expect(view(Nx.sum(iota(), { axes: ["z", 0] }))).toBe("s64[y: 2] [24,42]");
    expect(view(Nx.sum(iota(), { axes: [-3] }))).toBe("s64[y: 2][z: 3] [[6,8,10],[12,14,16]]");
  });

  it("keeps axes on demand", () => {
    const t = Nx.tensor(
      [
        [1, 2],
        [3, 4],
      ],
      { names: ["x", "y"] },
    );
    expect(view(Nx.sum(t, { axes: ["x"], keepAxes: true }))).toBe("s64[x: 1][y: 2] [[4,6]]");
    expect(view(Nx.sum(t, { keepAxes: true }))).toBe("s64[x: 1][y: 1] [[10]]");
    expect(view(t.sum({ axes: ["y"] }))).toBe("s64[x: 2] [3,7]");
  });

  it("reduces nothing over no axes, but still widens", () => {
    expect(view(Nx.sum(Nx.u8([1, 2]), { axes: [] }))).toBe("u64[2] [1,2]");
    expect(view(Nx.all(Nx.tensor([0, 2.5]), { axes: [] }))).toBe("u8[2] [0,1]");
    expect(view(Nx.mean(Nx.u8([1, 2]), { axes: [] }))).toBe("f32[2] [1,2]");
  });

  it("accumulates floats in double precision and wraps integers", () => {
    expect(view(Nx.sum(Nx.f32([2 ** 24, 1, 1])))).toBe("f32 16777218");
    expect(view(Nx.sum(Nx.broadcast(0.1, [1_000_000])))).toBe("f32 100000");
    expect(view(Nx.sum(Nx.s64([2n ** 63n - 1n, 1n])))).toBe(`s64 ${-(2n ** 63n)}`);
  });

  it("refuses what it does not know", () => {
    const given = "given axis (2) invalid for shape [1][2] with rank 2";
    expect(errorOf(() => Nx.sum(Nx.tensor([[1, 2]]), { axes: [2] }))).toContain(`ArgumentError: Nx.sum: ${given}`);
    expect(errorOf(() => Nx.product(Nx.tensor([[1, 2]]), { axes: [2] }))).toContain(
      `ArgumentError: Nx.product: ${given}`,
    );
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.sum(matrix(), { axes: ["X"] }))).toMatch(/no axis named "X".*"x", "y"; did you mean "x"\?/);
    expect(errorOf(() => Nx.sum(matrix(), { axes: ["x", 0] }))).toContain("axes must not repeat");
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.sum(1, { axs: [0] }))).toContain('unknown option "axs" for Nx.sum; did you mean "axes"?');
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.sum(1, { keepAxes: 1 }))).toContain(
      "option keepAxes of Nx.sum must be true or false, got: 1",
    );
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.sum(matrix(), { axes: { x: true } }))).toContain("axes must be an array");
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.sum([1, 2]))).toContain("Nx.sum expects a tensor or a number, got: [1, 2]");
    expect(errorOf(() => Nx.sum(1, { axes: [0] }))).toContain("a scalar has no axes");
  });
});

describe("product", () => {
  it("is in 64 bits for integers", () => {
    expect(view(Nx.product(Nx.tensor(42)))).toBe("s64 42");
    expect(view(Nx.product(Nx.tensor([1, 2, 3])))).toBe("s64 6");
    expect(
      view(
        Nx.product(
          Nx.f32([
            [1.0, 2.0],
            [3.0, 4.0],
          ]),
        ),
      ),
    ).toBe("f32 24");
    expect(
      view(
        Nx.product(
          Nx.tensor(
            [
              [10, 20],
              [30, 40],
            ],
            { type: "u8", names: ["x", "y"] },
          ),
        ),
      ),
    ).toBe("u64 240000");
    expect(
      view(
        Nx.product(
          Nx.tensor(
            [
              [10, 20],
              [30, 40],
            ],
            { type: "s8", names: ["x", "y"] },
          ),
        ),
      ),
    ).toBe("s64 240000");
  });

  it("goes over any axes", () => {
    expect(view(Nx.product(Nx.tensor([1, 2, 3]), { axes: [0] }))).toBe("s64 6");
    expect(view(Nx.product(iota(), { axes: ["x"] }))).toBe("s64[y: 2][z: 3] [[0,7,16],[27,40,55]]");
    expect(view(Nx.product(iota(), { axes: ["y"] }))).toBe("s64[x: 2][z: 3] [[0,4,10],[54,70,88]]");
    expect(view(Nx.product(iota(), { axes: ["x", "z"] }))).toBe("s64[y: 2] [0,59400]");
    expect(view(Nx.product(iota(), { axes: ["z"] }))).toBe("s64[x: 2][y: 2] [[0,60],[336,990]]");
    expect(view(Nx.product(iota(), { axes: [-3] }))).toBe("s64[y: 2][z: 3] [[0,7,16],[27,40,55]]");
    expect(view(Nx.product(iota(), { axes: ["z"], keepAxes: true }))).toBe(
      "s64[x: 2][y: 2][z: 1] [[[0],[60]],[[336],[990]]]",
    );
  });
});

describe("all and any", () => {
  it("all", () => {
    expect(view(Nx.all(Nx.tensor([0, 1, 2])))).toBe("u8 0");
    expect(view(Nx.all(matrix(), { axes: ["x"] }))).toBe("u8[y: 3] [1,0,1]");
    expect(view(Nx.all(matrix(), { axes: ["y"] }))).toBe("u8[x: 2] [0,1]");
    expect(view(Nx.all(matrix(), { axes: ["y"], keepAxes: true }))).toBe("u8[x: 2][y: 1] [[0],[1]]");
  });

  it("any", () => {
    expect(view(Nx.any(Nx.tensor([0, 1, 2])))).toBe("u8 1");
    expect(view(Nx.any(sparse(), { axes: ["x"] }))).toBe("u8[y: 3] [0,1,1]");
    expect(view(Nx.any(sparse(), { axes: ["y"] }))).toBe("u8[x: 2] [1,1]");
    expect(view(Nx.any(sparse(), { axes: ["y"], keepAxes: true }))).toBe("u8[x: 2][y: 1] [[1],[1]]");
  });

  it("NaN is true, zeros of either sign are false", () => {
    expect(view(Nx.all(NaN))).toBe("u8 1");
    expect(view(Nx.any(Nx.f32([0, -0])))).toBe("u8 0");
    expect(view(Nx.any(Nx.c64([new Nx.Complex(0, 0), new Nx.Complex(0, 1)])))).toBe("u8 1");
  });
});

describe("reduceMax and reduceMin", () => {
  const t = () =>
    Nx.tensor(
      [
        [3, 1, 4],
        [2, 1, 1],
      ],
      { names: ["x", "y"] },
    );

  it("reduceMax", () => {
    expect(view(Nx.reduceMax(Nx.tensor(42)))).toBe("s64 42");
    expect(view(Nx.reduceMax(Nx.f32(42)))).toBe("f32 42");
    expect(view(Nx.reduceMax(Nx.tensor([1, 2, 3])))).toBe("s64 3");
    expect(view(Nx.reduceMax(t(), { axes: ["x"] }))).toBe("s64[y: 3] [3,1,4]");
    expect(view(Nx.reduceMax(t(), { axes: ["y"] }))).toBe("s64[x: 2] [4,2]");
    expect(view(Nx.reduceMax(cube(), { axes: ["x", "z"] }))).toBe("s64[y: 2] [4,8]");
    expect(view(Nx.reduceMax(cube(), { axes: ["x", "z"], keepAxes: true }))).toBe("s64[x: 1][y: 2][z: 1] [[[4],[8]]]");
  });

  it("reduceMin", () => {
    expect(view(Nx.reduceMin(Nx.tensor(42)))).toBe("s64 42");
    expect(view(Nx.reduceMin(Nx.f32(42)))).toBe("f32 42");
    expect(view(Nx.reduceMin(Nx.tensor([1, 2, 3])))).toBe("s64 1");
    expect(view(Nx.reduceMin(t(), { axes: ["x"] }))).toBe("s64[y: 3] [2,1,1]");
    expect(view(Nx.reduceMin(t(), { axes: ["y"] }))).toBe("s64[x: 2] [1,1]");
    expect(view(Nx.reduceMin(cube(), { axes: ["x", "z"] }))).toBe("s64[y: 2] [1,3]");
    expect(view(Nx.reduceMin(cube(), { axes: ["x", "z"], keepAxes: true }))).toBe("s64[x: 1][y: 2][z: 1] [[[1],[3]]]");
  });

  it("keep the type, know infinities and pass NaN on", () => {
    expect(view(Nx.reduceMax(Nx.u8([3, 200])))).toBe("u8 200");
    expect(view(Nx.reduceMax(Nx.f32([-Infinity, -3])))).toBe("f32 -3");
    expect(view(Nx.reduceMin(Nx.f32([-Infinity, -3])))).toBe("f32 -Infinity");
    expect(view(Nx.reduceMin(Nx.f32([NaN, -Infinity])))).toBe("f32 NaN");
    expect(errorOf(() => Nx.reduceMin(Nx.c64([1, 2])))).toContain("reduceMin is not defined for complex tensors");
  });
});
