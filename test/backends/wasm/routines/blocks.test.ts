/** Routines of native composites: bit for bit those of the reference. */
import { describe, expect, it } from "vitest";
import { routineOf } from "../../../../lib/backends/wasm/routines";
import { withDefaultBackend, type DType, type Tensor } from "nx-numerics";
import { bitsOf } from "../../../../lib/core/types";
import { offsetsOf } from "../../../../lib/random/integers";
import * as s from "../../binary/support";
import { expectRoutine, template } from "./support";

const never = (): never => {
  throw new Error("the composite runs");
};
const attrs = (name: string, options = {}, fn: (...inputs: Tensor[]) => Tensor = never) => ({ name, options, fn });
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

  it.each(["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] as const)("integers of %s", (type: DType) => {
    const sizes = [1n, 6n, 100n, 1000n, 2n ** 21n + 1n, 10n ** 9n, 2n ** 31n + 1n, 2n ** 62n - 1n, 2n ** 64n - 1n];
    for (const size of sizes.filter((each) => each < 2n ** BigInt(bitsOf(type)))) {
      const composite = (k: Tensor) => withDefaultBackend("binary", () => offsetsOf(k, size, type, [n]));
      for (const key of keys) {
        expectRoutine("block", [template(type, [n])], [key], attrs("threefryIntegers", { size }, composite));
      }
    }
  });
});

it("all integers of a type and other composites have no routine", () => {
  const key = template("u32", [2]);
  expect(routineOf("block", [template("s64", [4])], [key], attrs("threefryIntegers", { size: 2n ** 64n }))).toBeNull();
  expect(routineOf("block", [template("f32", [4])], [key], attrs("mode"))).toBeNull();
  expect(routineOf("block", [template("c64", [4])], [key], attrs("threefryFloats"))).toBeNull();
  expect(routineOf("block", [template("u32", [4])], [template("s32", [2])], attrs("threefry2x32"))).toBeNull();
});
