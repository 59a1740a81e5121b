/**
 * `tritonModel`: the configuration is text of protocol buffers that says what the model takes and gives.
 */
import { describe, expect, it } from "vitest";
import { tritonModel, type ModelValue } from "nx-numerics/triton";

const value = (name: string, dims: ModelValue["dims"], fields: Partial<ModelValue> = {}): ModelValue => ({
  name,
  type: "f32",
  dims,
  names: dims.map(() => null),
  ...fields,
});

const config = (inputs: ModelValue[], outputs: ModelValue[], maxBatchSize?: number): string => {
  const files = tritonModel(
    { bytes: new Uint8Array([1, 2]), inputs, outputs },
    { name: "m", ...(maxBatchSize === undefined ? {} : { maxBatchSize }) },
  );
  expect(files["m/1/model.onnx"]).toEqual(new Uint8Array([1, 2]));
  return new TextDecoder().decode(files["m/config.pbtxt"]);
};

describe("tritonModel", () => {
  it("writes shapes as they are without batches", () => {
    expect(
      config([value("x", ["n", 3]), value("k", [], { type: "s64" })], [value("y", [null], { type: "bf16" })]),
    ).toBe(
      `name: "m"
backend: "onnxruntime"
max_batch_size: 0
input [
  { name: "x" data_type: TYPE_FP32 dims: [ -1, 3 ] },
  { name: "k" data_type: TYPE_INT64 dims: [ 1 ] reshape: { shape: [ ] } }
]
output [
  { name: "y" data_type: TYPE_BF16 dims: [ -1 ] }
]
`,
    );
  });

  it("leaves the axis of the entries out with batches, and keeps names", () => {
    const names = ["batch", 'a"b\\\n\u00e9'];
    expect(config([value("x", ["batch", 3], { names })], [value("y", ["batch"])], 8)).toBe(
      `name: "m"
backend: "onnxruntime"
max_batch_size: 8
input [
  { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }
]
output [
  { name: "y" data_type: TYPE_FP32 dims: [ 1 ] reshape: { shape: [ ] } }
]
dynamic_batching { }
parameters { key: "nx.names.x" value: { string_value: "[\\"batch\\",\\"a\\\\\\"b\\\\\\\\\\\\n\\303\\251\\"]" } }
`,
    );
  });

  it("refuses what no server could serve", () => {
    const model = { bytes: new Uint8Array(1), inputs: [value("x", [2])], outputs: [] };
    const failing = (options: object, of: object = model): string => {
      try {
        tritonModel(of as never, options as never);
      } catch (error) {
        return String(error);
      }
      return "";
    };
    expect(failing({ name: "../m" })).toMatch(/^ArgumentError: option name of tritonModel must be a name of letters/);
    expect(failing({ name: "m", maxBatchSize: -1 })).toMatch(
      /maxBatchSize of tritonModel must be an integer of at least 0, got: -1/,
    );
    expect(failing({ name: "m", maxBatchSize: 2 })).toMatch(
      /needs a first axis whose size each request decides, got x: f32\[2\]/,
    );
    expect(failing({ name: "m", version: 0 })).toMatch(
      /option version of tritonModel must be an integer of at least 1/,
    );
    expect(failing({ name: "m", maxBatch: 2 })).toBe(
      "ArgumentError: tritonModel takes the options name, maxBatchSize, version, got: maxBatch",
    );
    expect(failing({ name: "m" }, { inputs: [] })).toMatch(/expects what toOnnx of nx-numerics\/onnx gives/);
    const complex = { ...model, inputs: [value("z", [2], { type: "c64" })] };
    expect(failing({ name: "m" }, complex)).toBe(
      "ArgumentError: tritonModel cannot serve z: c64[2]: no server has complex numbers",
    );
  });
});
