import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { errorOf } from "./view";

const close = (...args: Parameters<typeof Nx.allClose>) => Nx.allClose(...args).toNumber();

describe("allClose", () => {
  it("compares up to a tolerance", () => {
    expect(close(Nx.tensor([1.0e10, 1.0e-7]), Nx.tensor([1.00001e10, 1.0e-8]))).toBe(0);
    expect(close(Nx.tensor([1.0e-8, 1.0e-8]), Nx.tensor([1.0e-8, 1.0e-9]))).toBe(1);
    expect(close(1, 1.1, { rtol: 0.1 })).toBe(1);
    expect(close(1, 1.1, { atol: 0.05 })).toBe(0);
    expect(Nx.allClose(1, 1).type).toBe("u8");
  });

  it("NaN is close to NaN on demand only", () => {
    const t = Nx.tensor([NaN, 1]);
    expect(close(NaN, NaN)).toBe(0);
    expect(close(NaN, 0)).toBe(0);
    expect(close(t, t, { equalNan: true })).toBe(1);
    expect(close(t, t, { equalNan: false })).toBe(0);
    expect(close(t, 1, { equalNan: true })).toBe(0);
  });

  it("infinities are close to themselves only", () => {
    expect(close(Infinity, Infinity)).toBe(1);
    expect(close(Infinity, -Infinity)).toBe(0);
    expect(close(1e30, Infinity)).toBe(0);
    expect(close(Infinity, 1e30)).toBe(0);
  });

  it("neither wraps integers nor loses half floats", () => {
    expect(close(Nx.u8([1]), Nx.u8([2]))).toBe(0);
    expect(close(Nx.u8([1]), Nx.u8([2]), { atol: 1 })).toBe(1);
    expect(close(Nx.s8([-128]), Nx.s8([127]), { atol: 254 })).toBe(0);
    expect(close(Nx.f16([1]), Nx.f16([1.001]))).toBe(0);
    expect(close(Nx.f16([0]), Nx.f16([6e-8]))).toBe(0);
  });

  it("compares complex numbers by the size of the difference", () => {
    expect(close(new Nx.Complex(1, 1), new Nx.Complex(1, 1.1))).toBe(0);
    expect(close(new Nx.Complex(1, 1), new Nx.Complex(1, 1.1), { atol: 0.2 })).toBe(1);
  });

  it("broadcasts, merges names and checks its options", () => {
    const t = Nx.tensor(
      [
        [1, 1],
        [1, 1],
      ],
      { names: ["x", "y"] },
    );
    expect(close(t, 1)).toBe(1);
    expect(errorOf(() => Nx.allClose(t, Nx.tensor([1, 1], { names: ["x"] })))).toContain('cannot merge axis name "y"');
    expect(errorOf(() => Nx.allClose(t, 1, { atol: NaN }))).toContain(
      "option atol of Nx.allClose must be a number of at least 0, got: NaN",
    );
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.allClose(t, 1, { equalNaN: true }))).toContain('did you mean "equalNan"?');
  });
});
