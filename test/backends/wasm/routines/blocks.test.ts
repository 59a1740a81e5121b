/** Routines of native composites: bit for bit those of the reference. */
import { describe, expect, it } from "vitest";
import { routineOf } from "../../../../lib/backends/wasm/routines";
import type { DType } from "../../../../lib/core/types";
import * as s from "../../binary/support";
import { expectRoutine, template } from "./support";

const never = (): never => {
  throw new Error("the composite runs");
};
const attrs = (name: string, options = {}) => ({ name, options, fn: never });
const keys = [
  [0, 0],
  [1, 2],
  [0xffffffff, 0x80000001],
].map((words) => s.fromNumbers("u32", [2], words));

describe.each([1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 1001])("%d of them", (n) => {
  it("words", () => {
    for (const key of keys) expectRoutine("block", [template("u32", [n])], [key], attrs("threefry2x32"));
  });

  it.each(["f32", "f64", "f16", "bf16"] as const)("floats of %s", (type: DType) => {
    for (const key of keys) expectRoutine("block", [template(type, [n])], [key], attrs("threefryFloats"));
  });
});

it("integers and other composites have no routine", () => {
  const key = template("u32", [2]);
  expect(routineOf("block", [template("s64", [4])], [key], attrs("threefryIntegers", { size: 6n }))).toBeNull();
  expect(routineOf("block", [template("f32", [4])], [key], attrs("mode"))).toBeNull();
  expect(routineOf("block", [template("c64", [4])], [key], attrs("threefryFloats"))).toBeNull();
  expect(routineOf("block", [template("u32", [4])], [template("s32", [2])], attrs("threefry2x32"))).toBeNull();
});
