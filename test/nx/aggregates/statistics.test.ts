import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { errorOf, view } from "./view";

const f = Math.fround;
const iota = () => Nx.iota([2, 2, 3], { names: ["x", "y", "z"] });
const square = () =>
  Nx.tensor([
    [1, 2],
    [3, 4],
  ]);
const steep = () =>
  Nx.tensor([
    [1, 2],
    [10, 20],
  ]);

describe("mean", () => {
  it("is floating", () => {
    expect(view(Nx.mean(42))).toBe("f32 42");
    expect(view(Nx.mean(Nx.tensor([1, 2, 3])))).toBe("f32 2");
    expect(view(Nx.mean(Nx.tensor([1, 2, 3]), { axes: [0] }))).toBe("f32 2");
    expect(view(Nx.mean(Nx.tensor([1, 2, 3], { type: "u8", names: ["x"] }), { axes: ["x"] }))).toBe("f32 2");
    expect(view(Nx.mean(Nx.f64([1, 2])))).toBe("f64 1.5");
    expect(view(Nx.mean(Nx.c64([new Nx.Complex(1, 2), new Nx.Complex(2, 4)])))).toBe("c64 1.5:3");
  });

  it("goes over any axes", () => {
    expect(view(Nx.mean(iota(), { axes: ["x"] }))).toBe("f32[y: 2][z: 3] [[3,4,5],[6,7,8]]");
    expect(view(Nx.mean(iota(), { axes: ["x", "z"] }))).toBe("f32[y: 2] [4,7]");
    expect(view(Nx.mean(iota(), { axes: [-1] }))).toBe("f32[x: 2][y: 2] [[1,4],[7,10]]");
    expect(view(Nx.mean(iota(), { axes: [-1], keepAxes: true }))).toBe("f32[x: 2][y: 2][z: 1] [[[1],[4]],[[7],[10]]]");
  });

  it("sums integers in a type that holds the sum, and half floats in f32", () => {
    expect(view(Nx.mean(Nx.s32([2147483647, 2147483647, -2147483648])))).toBe(`f32 ${f(2147483646 / 3)}`);
    expect(view(Nx.mean(Nx.s64([2n ** 62n, 2n ** 62n, 2n ** 62n])))).toBe(`f32 ${2 ** 62}`);
    expect(view(Nx.mean(Nx.s64([-(2n ** 63n), -(2n ** 63n)])))).toBe(`f32 ${-(2 ** 63)}`);
    expect(view(Nx.mean(Nx.broadcast(Nx.u64(2n ** 64n - 1n), [3, 2]), { axes: [1] }))).toBe(
      `f32[3] [${[2 ** 64, 2 ** 64, 2 ** 64].join(",")}]`,
    );
    expect(Nx.grad((t: Nx.Tensor) => Nx.mean(t))(Nx.tensor([1, 2, 3, 4])).toList()).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(view(Nx.mean(Nx.broadcast(Nx.f16(60000), [100])))).toBe("f16 60000");
    expect(view(Nx.mean(Nx.broadcast(Nx.bf16(3), [257])))).toBe("bf16 3");
  });

  it("is IEEE at the edges", () => {
    expect(view(Nx.mean(Nx.f32([Infinity, 1])))).toBe("f32 Infinity");
    expect(view(Nx.mean(Nx.f32([Infinity, -Infinity])))).toBe("f32 NaN");
  });
});

describe("variance", () => {
  it("divides by n - ddof", () => {
    expect(view(Nx.variance(square()))).toBe("f32 1.25");
    expect(view(Nx.variance(square(), { ddof: 1 }))).toBe(`f32 ${f(1.6666666269302368)}`);
    expect(view(Nx.variance(square(), { axes: [0] }))).toBe("f32[2] [1,1]");
    expect(view(Nx.variance(square(), { axes: [1] }))).toBe("f32[2] [0.25,0.25]");
    expect(view(Nx.variance(square(), { axes: [0], ddof: 1 }))).toBe("f32[2] [2,2]");
    expect(view(Nx.variance(square(), { axes: [1], ddof: 1 }))).toBe("f32[2] [0.5,0.5]");
    expect(view(Nx.variance(square(), { axes: [1], keepAxes: true }))).toBe("f32[2][1] [[0.25],[0.25]]");
  });

  it("does not cancel", () => {
    const alternating = (low: number, type: Nx.DType) =>
      Nx.add(Nx.tensor(low, { type }), Nx.remainder(Nx.iota([1_000_000], { type }), Nx.tensor(2, { type })));
    expect(view(Nx.variance(alternating(10000, "f32")))).toBe("f32 0.25");
    expect(view(Nx.variance(alternating(10000, "s64")))).toBe("f32 0.25");
    expect(view(Nx.variance(alternating(1e9, "s64")))).toBe("f32 0.25");
    expect(view(Nx.variance(alternating(1e15, "f64")))).toBe("f64 0.25");
    expect(view(Nx.variance(alternating(1e7, "f32")))).toBe("f32 0.25"); // the mean is no f32
  });

  it("is never negative", () => {
    expect(view(Nx.variance(Nx.broadcast(0.1, [3])))).toBe("f32 0");
    expect(view(Nx.variance(7))).toBe("f32 0");
  });

  it("of complex numbers is real", () => {
    const t = Nx.c64([new Nx.Complex(1, 2), new Nx.Complex(3, -2)]);
    expect(view(Nx.variance(t))).toBe("f32 5");
    expect(view(Nx.variance(Nx.asType(t, "c128"), { ddof: 1 }))).toBe("f64 10");
    expect(view(Nx.standardDeviation(t))).toBe(`f32 ${f(Math.sqrt(5))}`);
  });

  it("of half floats is computed in f32", () => {
    expect(view(Nx.variance(Nx.f16([-200, 400])))).toBe("f16 Infinity");
    expect(view(Nx.standardDeviation(Nx.f16([-200, 400])))).toBe("f16 300");
    expect(view(Nx.variance(Nx.bf16([1, 2])))).toBe("bf16 0.25");
  });

  it("needs more elements than ddof", () => {
    const t = Nx.tensor(
      [
        [1, 2],
        [3, 4],
      ],
      { names: ["x", "y"] },
    );
    const message = "option ddof of Nx.variance must be less than the number of elements reduced (2), got: 2";
    expect(errorOf(() => Nx.variance(t, { axes: ["x"], ddof: 2 }))).toContain(`${message} for shape [x: 2][y: 2]`);
    expect(errorOf(() => Nx.variance(3, { ddof: 1 }))).toContain("elements reduced (1)");
    expect(errorOf(() => Nx.variance(t, { ddof: -1 }))).toContain("must be an integer of at least 0, got: -1");
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.variance(t, { dof: 1 }))).toContain(
      'unknown option "dof" for Nx.variance; did you mean "ddof"?',
    );
  });
});

describe("standardDeviation", () => {
  it("is the square root of the variance", () => {
    expect(view(Nx.standardDeviation(square()))).toBe(`f32 ${f(1.1180340051651)}`);
    expect(view(Nx.standardDeviation(square(), { ddof: 1 }))).toBe(`f32 ${f(1.29099440574646)}`);
    expect(view(Nx.standardDeviation(steep(), { axes: [0] }))).toBe("f32[2] [4.5,9]");
    expect(view(Nx.standardDeviation(steep(), { axes: [1] }))).toBe("f32[2] [0.5,5]");
    const [low, high] = [f(6.363961219787598), f(12.727922439575195)];
    expect(view(Nx.standardDeviation(steep(), { axes: [0], ddof: 1 }))).toBe(`f32[2] [${low},${high}]`);
    const sample = [f(0.7071067690849304), f(7.071067810058594)];
    expect(view(Nx.standardDeviation(steep(), { axes: [1], ddof: 1 }))).toBe(`f32[2] [${sample}]`);
    expect(view(Nx.standardDeviation(steep(), { keepAxes: true }))).toBe(`f32[1][1] [[${f(7.628073215484619)}]]`);
  });
});

describe("weightedMean", () => {
  it("weights all elements", () => {
    expect(view(Nx.weightedMean(42, 2))).toBe("f32 42");
    expect(view(Nx.weightedMean(Nx.tensor([1, 2, 3]), Nx.tensor([3, 2, 1])))).toBe(`f32 ${f(1.6666666269302368)}`);
    expect(view(Nx.weightedMean(Nx.u8([200, 100]), Nx.u8([2, 2])))).toBe("f32 150");
  });

  it("weights along axes", () => {
    const t = Nx.tensor([1, 2, 3], { names: ["x"] });
    expect(view(Nx.weightedMean(t, Nx.tensor([4, 5, 6]), { axes: [0] }))).toBe(`f32 ${f(2.133333444595337)}`);
    const u8 = Nx.tensor([1, 2, 3], { type: "u8", names: ["x"] });
    expect(view(Nx.weightedMean(u8, Nx.tensor([1, 3, 5]), { axes: ["x"] }))).toBe(`f32 ${f(2.444444417953491)}`);
    expect(view(Nx.weightedMean(Nx.iota([3, 4]), Nx.tensor([1, 2, 3, 4]), { axes: [1] }))).toBe("f32[3] [2,6,10]");
    const images = Nx.iota([2, 4, 4, 1]);
    expect(view(Nx.weightedMean(images, Nx.broadcast(2, [4, 4]), { axes: [1, 2] }))).toBe("f32[2][1] [[7.5],[23.5]]");
  });

  it("keeps axes on demand", () => {
    const weights = Nx.tensor([
      [
        [0, 1, 2],
        [1, 1, 0],
      ],
      [
        [-1, 1, -1],
        [1, 1, -1],
      ],
    ]);
    expect(view(Nx.weightedMean(iota(), weights, { axes: [-1], keepAxes: true }))).toBe(
      `f32[x: 2][y: 2][z: 1] [[[${f(1.6666666269302368)}],[3.5]],[[7],[8]]]`,
    );
    const rows = Nx.tensor([1, 3]);
    expect(
      view(
        Nx.weightedMean(
          Nx.f64([
            [1, 2],
            [3, 4],
          ]),
          rows,
          { axes: [0], keepAxes: true },
        ),
      ),
    ).toBe("f64[1][2] [[2.5,3.5]]");
  });

  it("takes the axes of the weights in the order listed", () => {
    const t = Nx.iota([2, 3], { type: "f32" });
    const weights = Nx.f32([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    const expected = view(Nx.weightedMean(t, Nx.transpose(weights)));
    expect(view(Nx.weightedMean(t, weights, { axes: [1, 0] }))).toBe(expected);
  });

  it("gives NaN or infinities where weights cancel", () => {
    expect(view(Nx.weightedMean(Nx.tensor([1, 2]), Nx.tensor([1, -1])))).toBe("f32 -Infinity");
    expect(view(Nx.weightedMean(Nx.tensor([1, 2]), Nx.tensor([0, 0])))).toBe("f32 NaN");
  });

  it("checks the shape and names of the weights", () => {
    const t = Nx.iota([2, 3], { names: ["x", "y"] });
    expect(errorOf(() => Nx.weightedMean(t, Nx.tensor([1, 2])))).toContain(
      "weights of shape [2] do not fit shape [x: 2][y: 3]: expected the same shape; to weight some axes only",
    );
    expect(errorOf(() => Nx.weightedMean(t, Nx.tensor([1, 2]), { axes: ["y"] }))).toContain(
      'weights of shape [2] do not fit shape [x: 2][y: 3] reduced over ["y"]: expected shape [3] or [2][3]',
    );
    const named = Nx.tensor([1, 2], { names: ["z"] });
    expect(errorOf(() => Nx.weightedMean(t, named, { axes: ["x"] }))).toContain('cannot merge axis name "x"');
    expect(view(Nx.weightedMean(t, Nx.tensor([1, 1], { names: ["x"] }), { axes: ["x"] }))).toBe(
      "f32[y: 3] [1.5,2.5,3.5]",
    );
  });
});
