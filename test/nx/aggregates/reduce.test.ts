import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { errorOf, view } from "./view";

const add = (x: Nx.Tensor, acc: Nx.Tensor) => Nx.add(x, acc);
const cube = () =>
  Nx.tensor(
    [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      [
        [7, 8, 9],
        [10, 11, 12],
      ],
    ],
    { names: ["x", "y", "z"] },
  );

describe("reduce", () => {
  it("reduces everything", () => {
    expect(view(Nx.reduce(42, 0, add))).toBe("s64 42");
    expect(view(Nx.reduce(Nx.tensor([1, 2, 3]), 0, add))).toBe("s64 6");
    expect(
      view(
        Nx.reduce(
          Nx.f32([
            [1.0, 2.0],
            [3.0, 4.0],
          ]),
          0,
          add,
        ),
      ),
    ).toBe("f32 10");
  });

  it("reduces over axes", () => {
    expect(view(Nx.reduce(Nx.tensor([1, 2, 3], { names: ["x"] }), 0, add, { axes: ["x"] }))).toBe("s64 6");
    expect(view(Nx.reduce(cube(), 0, add, { axes: ["x"] }))).toBe("s64[y: 2][z: 3] [[8,10,12],[14,16,18]]");
    expect(view(Nx.reduce(cube(), 0, add, { axes: ["y"] }))).toBe("s64[x: 2][z: 3] [[5,7,9],[17,19,21]]");
    expect(view(Nx.reduce(cube(), 0, add, { axes: ["x", 2] }))).toBe("s64[y: 2] [30,48]");
    expect(view(Nx.reduce(cube(), 0, add, { axes: [-1] }))).toBe("s64[x: 2][y: 2] [[6,15],[24,33]]");
    const kept = Nx.reduce(cube(), 0, add, { axes: ["x"], keepAxes: true });
    expect(view(kept)).toBe("s64[x: 1][y: 2][z: 3] [[[8,10,12],[14,16,18]]]");
  });

  it("has the merged type of tensor and accumulator, or the one asked for", () => {
    expect(view(Nx.reduce(Nx.u8([200, 100]), 0, add))).toBe("u8 44");
    expect(view(Nx.reduce(Nx.u8([200, 100]), 0, add, { type: "u16" }))).toBe("u16 300");
    expect(view(Nx.reduce(Nx.u8([1, 2]), 0.5, add))).toBe("f32 3.5");
    expect(view(Nx.reduce(Nx.u8([1, 2]), Nx.s64(1), add))).toBe("s64 4");
    expect(view(Nx.reduce(Nx.f32([1.5, 2.5]), 0, (x, acc) => Nx.greater(x, acc)))).toBe("f32 1");
  });

  it("may return plain numbers and use other tensors", () => {
    const two = Nx.tensor(2);
    expect(view(Nx.reduce(Nx.tensor([1, 2, 3]), 0, (x, acc) => acc.add(x.multiply(two))))).toBe("s64 12");
    expect(view(Nx.reduce(Nx.tensor([1, 2, 3]), 0, () => 7))).toBe("s64 7");
  });

  it("refuses accumulators and results that are no scalars", () => {
    const t = Nx.tensor([1, 2]);
    expect(errorOf(() => Nx.reduce(t, t, add))).toContain("Nx.reduce expects a scalar as accumulator, got: s64[2]");
    expect(errorOf(() => Nx.reduce(t, 0, () => t))).toContain("given to Nx.reduce must return a scalar, got: s64[2]");
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.reduce(t, 0, () => undefined))).toContain("must return a scalar, got: undefined");
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.reduce(t, 0))).toContain(
      "expects a function of an element and the accumulator, got: undefined",
    );
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.reduce(t, 0, add, { type: "f31" }))).toContain('invalid type "f31"');
  });
});
