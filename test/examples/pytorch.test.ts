import { expect, it } from "vitest";
import { fromOnnx } from "../../lib/onnx";
import { run } from "../../examples/pytorch";

it("trains a network of PyTorch on, and writes it", { timeout: 120_000 }, () => {
  const { before, after, file, losses } = run();
  expect(before).toBeLessThan(90);
  expect(after).toBeGreaterThan(96);
  expect(losses.at(-1)!).toBeLessThan(losses[0]! / 3);
  expect(fromOnnx(file).inputs[0]).toMatchObject({ name: "image", dims: ["picture", 1, 8, 8] });
});
