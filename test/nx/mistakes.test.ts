/** What is written by people who come from other libraries, or forget something: errors say what to write. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { errorOf } from "./aggregates/view";

// Calls that tsc refuses.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- so that they compile
const Any = Nx as any;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- so that they compile
const t = Nx.f32([[1, 2], [3, 4]], { names: ["row", "column"] }) as any; // prettier-ignore

describe("mistakes", () => {
  it.each([
    [() => Any.zeros(3), "shape of Nx.zeros must be an array of positive integers such as [2, 3], got: 3; write [3]"],
    [
      (): unknown => Any.ones(2, 3),
      "shape of Nx.ones must be an array of positive integers such as [2, 3], got: 2; write [2, 3]",
    ],
    [
      () => Any.iota(4, 1),
      "shape of Nx.iota must be an array of positive integers such as [2, 3], got: 4; write [4, 1]",
    ],
    [() => Any.full(3, 7), "shape of Nx.full must be an array of positive integers such as [2, 3], got: 3; write [3]"],
    [() => t.reshape(4, 1), "the new shape must be an array of positive integers such as [2, 3], got: 4; write [4, 1]"],
    [() => Nx.sum(t, { keepdims: true } as never), 'unknown option "keepdims" for Nx.sum; did you mean "keepAxes"?'],
    [() => Nx.sum(t, { dim: 0 } as never), 'unknown option "dim" for Nx.sum; did you mean "axes"?'],
    [() => t.argmax({ dim: 0 }), 'unknown option "dim" for Nx.argmax; did you mean "axis"?'],
    [
      () => Any.Random.uniform(Nx.Random.key(1), { size: [2] }),
      'unknown option "size" for Nx.Random.uniform; did you mean "shape"?',
    ],
    [
      () => Nx.f32(new Float32Array(6), { shape: [2, 3] } as never),
      'unknown option "shape" for Nx.f32, expected one of: names, backend; give the result its shape by .reshape([...])',
    ],
    [() => t.reshape(2, 2, 1), "several values are one list, [2, 1], or options"],
    [() => t.rename("a", "b"), 'got 2, "b" after the last; several values are one list, ["a", "b"], or options'],
    [() => t.clamp(0, 1), "several values are one list, [0, 1], or options"],
    [() => Any.sum(t, "row", "column"), 'several values are one list, ["row", "column"], or options'],
    [() => t.asType("float64"), 'invalid type "float64"; did you mean "f64"?'],
    [() => t.asType("int32"), 'invalid type "int32"; did you mean "s32"?'],
    [() => t.asType("i64"), 'invalid type "i64"; did you mean "s64"?'],
    [() => t.asType("uint8"), 'invalid type "uint8"; did you mean "u8"?'],
    [() => t.asType("bfloat16"), 'invalid type "bfloat16"; did you mean "bf16"?'],
    [() => t.asType("bool"), 'invalid type "bool"; did you mean "u8"?'],
    [() => t.asType("complex256"), 'invalid type "complex256", expected one of: u8'],
    [
      () => t.sum("col"),
      'no axis named "col" in shape [row: 2][column: 2]: the axes are "row", "column"; did you mean "column"?',
    ],
    [() => Any.tensor([1, null]), "got: null at [1]; a missing value is NaN"],
    [() => Any.tensor([1, undefined]), "got: undefined at [1]; a missing value is NaN"],
    [() => Any.tensor(["1"]), 'got: "1" at [0]'],
    [() => t.at([0, 1]), "got: [0, 1]; Nx.take(t, Nx.tensor([0, 1]), { axis }) picks several"],
    [() => Any.concatenate(t, t), "Nx.concatenate takes tensors in a list: Nx.concatenate([a, b])"],
    [() => Any.stack(t, t), "Nx.stack takes tensors in a list: Nx.stack([a, b])"],
    [() => t.dot(Nx.f32([1, 2, 3])), "transpose one, or say the axes: { contract: [[...], [...]] }"],
    [() => t[0], "nx-numerics has no property 0 of tensors; write t.at(0)"],
    [(): unknown => (t[1] = 2), "a tensor never changes, so its entries cannot be assigned"],
    [
      () => Any.configure({ defaultBakend: "wasm" }),
      'key "defaultBakend" in Nx.configure; did you mean "defaultBackend"? expected one of:',
    ],
    [() => Any.configure({ color: "red" }), 'key "color" in Nx.configure; expected one of: defaultBackend'],
  ] as const)("%s", (call, message) => {
    expect(errorOf(call)).toContain(message);
  });

  it("do not suggest what only begins alike", () => {
    const both = Nx.ones([1, 1], { names: ["column_a", "column_b"] }) as Nx.Tensor;
    expect(errorOf(() => both.sum("col"))).not.toContain("did you mean");
    expect(errorOf(() => (t as Nx.Tensor).sum("ro"))).toContain('did you mean "row"?'); // one letter missing
    expect(errorOf(() => (t as Nx.Tensor).sum("co"))).not.toContain("did you mean");
  });
});
