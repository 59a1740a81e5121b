import { describe, expect, it } from "vitest";
import { isComplex, DTYPES, type DType } from "../../lib/core/types";
import { Builder } from "../../lib/kernel/builder";
import { interpret } from "../../lib/kernel/interpret/run";
import { keyOf } from "../../lib/kernel/key";
import { castKernel, unaryKernel } from "../../lib/kernel/lower/single";
import { fromStored, load, store } from "../../lib/kernel/lower/typed";
import { readerOf } from "../../lib/kernel/operand";
import type { Kernel } from "../../lib/kernel/value";
import { UNARY, unaryType, type UnaryOp } from "../../lib/ops";

/** Kernels of one operand: every unary op of every type that has one, and conversions. */
const KERNELS: readonly (readonly [name: string, kernel: Kernel])[] = DTYPES.flatMap((type: DType) => [
  ...(Object.keys(UNARY) as UnaryOp[]).flatMap((op) => {
    try {
      const keyed = unaryKernel(op, { type, uniform: false }, unaryType(op, type));
      return keyed ? [[`${op} ${type}`, keyed.kernel] as const] : [];
    } catch {
      return []; // the op does not exist for the type
    }
  }),
  ...DTYPES.flatMap((to) => {
    const keyed = castKernel({ type, uniform: false }, to, "saturate");
    return keyed ? [[`${type} to ${to}`, keyed.kernel] as const] : [];
  }),
]);

/** The kernel written again, over its input loaded in another builder. */
function again(kernel: Kernel): Kernel {
  const { inputs: [input], outputs } = kernel; // prettier-ignore
  const k = new Builder();
  const at = k.input(input!.type);
  const stored = isComplex(input!.type) ? [k.load(at, 0), k.load(at, 1)] : [k.load(at)];
  const values = k.inlined(kernel, [stored]);
  return k.kernel(outputs.map(({ type }, i) => ({ type, values: values[i]! })));
}

describe("a kernel inside of another one", () => {
  it("is written for hundreds of ops", () => expect(KERNELS.length).toBeGreaterThan(300));

  it.each(KERNELS)("computes the same: %s", (_name, kernel) => {
    expect(keyOf(again(kernel))).toBe(keyOf(kernel));
  });

  it("goes on with what it gives, in every type as if that had been stored and loaded", () => {
    const halved = (type: DType): Kernel => {
      const k = new Builder();
      const x = load(k, k.input(type), type);
      const { kernel } = unaryKernel("sqrt", { type, uniform: false }, type)!;
      const [once] = k.inlined(kernel, [x.bits ? [x.bits] : x.parts]);
      const [twice] = k.inlined(kernel, [once!]);
      return k.kernel([store(k, fromStored(k, type, twice!))]);
    };
    const numbers = { f32: [3, 0.1, -0, 1e30], f64: [3, 0.1, -0, 1e300] } as const;
    for (const type of ["f32", "f64"] as const) {
      const make = type === "f32" ? Float32Array : Float64Array;
      const x = make.from(numbers[type]);
      const out = new make(4);
      interpret(halved(type), [readerOf({ elements: x, width: 1, offset: 0, strides: [1] }, [4])], [out], 4);
      const round = type === "f32" ? Math.fround : Number;
      expect([...out]).toEqual([...x].map((value) => round(Math.sqrt(round(Math.sqrt(value))))));
    }
  });
});
