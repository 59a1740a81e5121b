/** Models whose `bf16` crosses the boundary as `f32`: within, everything is as it was. */
import { expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { fromOnnx, toOnnx } from "nx-numerics/onnx";

const third = (t: Nx.Tensor, by: Nx.Operand) => ({ same: t, third: t.divide(by).add(t), type: t.asType("f32") });

it("bf16 crosses as f32 and is computed as bf16", () => {
  const t = Nx.tensor([1, 2, 100, -7], { type: "bf16", names: ["x"] });
  const model = toOnnx(third, [t, 3], { boundary: { bf16: "f32" } });
  expect(model.inputs.map(({ type }) => type)).toEqual(["f32", "f32"]);
  expect(model.outputs.map(({ type }) => type)).toEqual(["f32", "f32", "f32"]);
  const inputs = Object.fromEntries(model.inputs.map(({ name }, i) => [name, [t.asType("f32"), Nx.f32(3)][i]!]));
  const results = fromOnnx(model.bytes)(inputs) as Record<string, Nx.Tensor>;
  const expected = third(t, 3);
  const wanted = [expected.same, expected.third, expected.type].map((one) => one.asType("f32"));
  expect(model.outputs.every(({ name }, i) => results[name]!.equals(wanted[i]!))).toBe(true);
});

it("without the option types are those of the function, and other options are refused", () => {
  const t = Nx.tensor([1], { type: "bf16" });
  expect(toOnnx(third, [t, 3]).inputs.map(({ type }) => type)).toEqual(["bf16", "bf16"]);
  expect(() => toOnnx(third, [t, 3], { boundary: { bf16: "f16" as never } })).toThrow(
    'option boundary of toOnnx must be { bf16: "f32" }, got: {"bf16":"f16"}',
  );
});
