import { describe, expect, it } from "vitest";
import { binaryBackend } from "../../lib/backends/binary";
import { ArrayData } from "../../lib/backends/arrays/storage";
import { DTYPES, isInteger, is64Bit, mergeTypes } from "../../lib/core/types";
import { isAccepted, isAcceptedNumber } from "../../lib/kernel/lower/refused";
import { binaryKernel, type Source } from "../../lib/kernel/lower/single";
import type { Elements } from "../../lib/kernel/operand";
import { binaryType } from "../../lib/ops";
import { Tensor } from "../../lib/tensor";
import { emptyOf, widthOf } from "./executors-support";

const INTEGERS = DTYPES.filter(isInteger);
const OPS = ["quotient", "remainder", "leftShift", "rightShift"] as const;
const SIZE = 5;

describe("second operands that are accepted", () => {
  /** All fives, one of them replaced. */
  function elementsWith(type: (typeof INTEGERS)[number], value: number): Elements {
    const elements = emptyOf(type, SIZE);
    for (let i = 0; i < elements.length; i += widthOf(type)) elements[i] = 5;
    elements[3 * widthOf(type)] = value;
    if (is64Bit(type)) elements[7] = value < 0 ? -1 : 0;
    return elements;
  }

  it.each(OPS)("are those %s of the binary backend does not refuse", (op) => {
    const outcomes = new Set<boolean>();
    for (const left of INTEGERS) {
      for (const right of INTEGERS) {
        for (const value of [5, 0, 1, -1, -100]) {
          const out = binaryType(op, mergeTypes(left, right));
          const elements = elementsWith(right, value);
          const y = new Tensor(binaryBackend, new ArrayData(elements as Uint8Array), right, [SIZE], [null]);
          const ones = new ArrayData(elementsWith(left, 1) as Uint8Array);
          const x = new Tensor(binaryBackend, ones, left, [SIZE], [null]);
          const run = (): unknown =>
            binaryBackend.binary({ type: out, shape: [SIZE], names: [null] }, [x, y], { op, type: out });
          const accepted = isAccepted(op, out, right, elements, SIZE);
          const [source, other] = [left, right].map((type) => ({ type, uniform: false })) as [Source, Source];
          // Without a kernel the backend runs the op, and says what it refuses.
          const hasKernel = binaryKernel(op, source, other, out, accepted) !== null;
          outcomes.add(hasKernel);
          if (hasKernel) expect(run).not.toThrow();
          else expect(run, `${op} ${left} ${right} ${value}`).toThrow();
        }
      }
    }
    expect(outcomes.size).toBe(2);
  });

  it("are looked at only as far as they belong to the tensor", () => {
    expect(isAccepted("quotient", "s32", "s32", Int32Array.of(1, 2, 0), 2)).toBe(true);
    expect(isAccepted("quotient", "s32", "s32", Int32Array.of(1, 2, 0), 3)).toBe(false);
    expect(isAccepted("quotient", "s64", "s64", Int32Array.of(0, 1, 0, 0), 1)).toBe(true);
    expect(isAccepted("leftShift", "s8", "s8", Int8Array.of(1, -1), 1)).toBe(true);
  });

  it("are not asked for by ops that refuse nothing", () => {
    expect(isAccepted("add", "s32", "s32", Int32Array.of(1), 1)).toBe(false);
    expect(isAccepted("remainder", "f32", "f32", Float32Array.of(1), 1)).toBe(false);
  });

  it("may be numbers", () => {
    const of = (op: (typeof OPS)[number], value: number): boolean => isAcceptedNumber(op, "s32", value);
    expect([of("quotient", 3), of("remainder", -3), of("leftShift", 0)]).toEqual([true, true, true]);
    expect([of("quotient", 0), of("remainder", -0), of("leftShift", -1)]).toEqual([false, false, false]);
    expect([of("quotient", 2 ** 60), of("remainder", 0.5), of("rightShift", NaN)]).toEqual([false, false, false]);
    expect(isAcceptedNumber("remainder", "f32", 3)).toBe(false);
  });
});
