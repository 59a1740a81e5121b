/** What the compiler knows of quantized tensors. */

import * as Nx from "nx-numerics";
import { describe, expectTypeOf, it } from "vitest";

const { Quantized: Q } = Nx;
type Held<N extends Nx.Names> = Nx.Quantized.Quantized<N>;

declare const xy: Held<readonly ["x", "y"]>;
declare const anyThenY: Held<readonly [null, "y"]>;
declare const scalar: Held<readonly []>;
declare const yx: Held<readonly ["y", "x"]>;
declare const untracked: Nx.Quantized.Quantized;
const out = { type: "fx16", fracBits: 8 } as const;

describe("quantized tensors", () => {
  it("keep and merge names", () => {
    expectTypeOf(Q.quantize(Nx.tensor([1], { names: ["x"] }), out)).toEqualTypeOf<Held<readonly ["x"]>>();
    expectTypeOf(Q.quantize(1, out)).toEqualTypeOf<Held<readonly []>>();
    expectTypeOf(Q.dequantize(xy)).toEqualTypeOf<Nx.Tensor<readonly ["x", "y"]>>();
    expectTypeOf(Q.add(xy, anyThenY, { out })).toEqualTypeOf<Held<readonly ["x", "y"]>>();
    expectTypeOf(Q.max(scalar, xy)).toEqualTypeOf<Held<readonly ["x", "y"]>>();
    expectTypeOf(Q.mul(xy, untracked, { out })).toEqualTypeOf<Nx.Quantized.Quantized>();
    expectTypeOf(Q.fakeQuantize(Nx.f32([1], { names: ["x"] }), out)).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
  });

  it("refuse names that clash, and sums without a format", () => {
    // @ts-expect-error axis names differ
    Q.add(xy, yx, { out });
    // @ts-expect-error the output's format is missing
    Q.add(xy, xy);
    // @ts-expect-error no format has this name
    Q.add(xy, xy, { out: { type: "fx32", fracBits: 8 } });
    // @ts-expect-error a tensor is not quantized
    Q.max(xy, Nx.s8([1]));
  });

  it("formats are of the kind that was asked for", () => {
    expectTypeOf(Q.calibrate(1)).toEqualTypeOf<Nx.Quantized.Sa8Format>();
    expectTypeOf(Q.calibrate(1, { symmetric: true })).toEqualTypeOf<Nx.Quantized.Sa8Format>();
    expectTypeOf(Q.calibrate(1, { type: "fx16" })).toEqualTypeOf<Nx.Quantized.FxFormat>();
    expectTypeOf(Q.formatForRange(0, 1, {} as Nx.Quantized.RangeOptions)).toEqualTypeOf<Nx.Quantized.Format>();
  });
});
