/** Composites: what their errors are called. Division in its kinds: types that meet. */

import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { functionOf } from "./compare";

const integers = Nx.s32([7, -7]);

describe("errors name the function that was called", () => {
  it("of idiv, not quotient", () => {
    expect(() => Nx.idiv(integers, 0)).toThrow(/^Nx\.idiv: Nx\.quotient of integers by zero/);
    expect(() => integers.idiv(Nx.s32([1, 0]))).toThrow(/^Nx\.idiv: Nx\.quotient of integers by zero/);
    expect(() => Nx.idiv(Nx.f32([1]), 2)).toThrow(/^Nx\.idiv expects integer tensors/);
    expect(() => Nx.idiv(integers, Nx.s32([1, 2, 3]))).toThrow(/^Nx\.idiv cannot broadcast/);
    expect(() => Nx.idiv("1" as never, 1)).toThrow(/^Nx\.idiv expects a tensor or a number/);
    expect(() => functionOf("idiv")(integers, 2, { by: 2 } as never)).toThrow('unknown option "by" for Nx.idiv');
    expect(() => Nx.withPromotion("strict", () => Nx.idiv(integers, Nx.u32([1, 2])))).toThrow(/^Nx\.idiv cannot merge/);
    expect(Nx.idiv.name).toBe("idiv");
  });

  it("of swish, not silu", () => {
    expect(() => Nx.swish(Nx.c64([new Nx.Complex(1, 1)]))).toThrow(/^Nx\.swish is not defined for complex tensors/);
    expect(() => Nx.swish("1" as never)).toThrow(/^Nx\.swish expects a tensor or a number/);
    expect(() => functionOf("swish")(1, { beta: 2 } as never)).toThrow('unknown option "beta" for Nx.swish');
    expect(Nx.swish.name).toBe("swish");
  });

  it("of mod and divide, not remainder", () => {
    expect(() => Nx.mod(integers, 0)).toThrow(/^Nx\.mod: Nx\.remainder of integers by zero/);
    for (const roundingMode of ["trunc", "floor"] as const) {
      expect(() => Nx.divide(integers, 0, { roundingMode })).toThrow(
        /^Nx\.divide: Nx\.(quotient|remainder) of integers by zero/,
      );
    }
  });

  it("of lerp, for its weight too", () => {
    expect(() => Nx.lerp(Nx.f32([1, 2]), 3, Nx.f32([1, 2, 3]))).toThrow(/^Nx\.lerp cannot broadcast/);
  });

  it("of clamp, for its bounds too", () => {
    const x = Nx.f32([1, 2]);
    for (const side of ["min", "max"] as const) {
      expect(() => Nx.clamp(x, { [side]: Nx.f32([1, 2, 3]) })).toThrow(/^Nx\.clamp cannot broadcast/);
      expect(() => Nx.clamp(x, { [side]: "0" as never })).toThrow(/^Nx\.clamp expects a tensor or a number/);
      expect(() => Nx.clamp(x, { [side]: null as never })).toThrow(/^Nx\.clamp expects a tensor or a number/);
      expect(() => Nx.clamp(x, { [side]: new Nx.Complex(1, 2) })).toThrow(/^Nx\.clamp is not defined for complex/);
    }
    expect(() => Nx.clamp(x, { min: Nx.f32([[1], [2]]), max: Nx.f32([[1], [2], [3]]) })).toThrow(
      /^Nx\.clamp cannot broadcast tensors of shapes \[2\]\[2\] and \[3\]\[1\]/,
    );
  });

  it("and clashing names in the order of the operands", () => {
    const [a, b] = [Nx.s32([1], { names: ["a"] }) as Nx.Tensor, Nx.s32([1], { names: ["b"] }) as Nx.Tensor];
    for (const name of ["mod", "idiv", "copysign", "logAddExp", "remainder"]) {
      expect(() => functionOf(name)(a, b)).toThrow('cannot merge axis name "a" (axis 0 of [a: 1]) with "b"');
    }
  });
});

describe("mod of integers beside floats", () => {
  it("is that of the numbers, for integers that have no negatives", () => {
    for (const type of ["u8", "u16", "u32", "u64", "s8", "s64"] as const) {
      const x = Nx.tensor([7, 0, 100], { type });
      expect([type, ...(Nx.mod(x, Nx.f32([-3.5, -2, -7])).toList() as number[])]).toEqual([type, -0, -0, -5]);
      expect([type, ...(Nx.mod(Nx.f64([-7.5, 7.5, -0.5]), x).toList() as number[])]).toEqual([type, 6.5, NaN, 99.5]);
    }
  });

  it("is computed before it is rounded to half floats", () => {
    const [y, type] = [Nx.mod(Nx.s64([70001, -70001]), Nx.f16([3, -Infinity])), "f16"];
    expect([y.type, y.toList()]).toEqual([type, [2, -Infinity]]);
    expect(Nx.mod(Nx.s64([70001]), Nx.f16([Infinity])).toList()).toEqual([Infinity]);
  });
});

describe("hardTanh", () => {
  it("is right for unsigned numbers that no signed type holds", () => {
    const y = Nx.hardTanh(Nx.u64([0, 2n ** 64n - 1n, 2n ** 63n, 1]));
    expect([y.type, y.toList()]).toEqual(["s64", [0, 1, 1, 1]]);
  });

  it("gives the upper end where that is below the lower one", () => {
    expect(Nx.hardTanh(Nx.f32([-9, 0, 9]), { minVal: 2, maxVal: -1 }).toList()).toEqual([-1, -1, -1]);
  });
});
