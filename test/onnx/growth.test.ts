/**
 * What a file asks for is refused before it is made: a backend that notes the sizes of everything that it computes never sees more than the
 * limit, or than what was given.
 */
import { readFileSync } from "node:fs";
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import * as Nx from "../../lib/index";
import type { Tensor } from "../../lib/index";
import { binaryBackend } from "../../lib/backends/binary";
import { fromOnnx } from "../../lib/onnx";
import { ModelProtoSchema, TensorProtoSchema } from "../../lib/onnx/schema/onnx_pb";
import { tensorOf } from "../../lib/onnx/types";
import { graph, model, node, type AttributeValue } from "./build";

const sizeOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** The reference backend, which notes the largest result. */
function noting(): { readonly backend: Nx.Backend; readonly seen: { largest: number } } {
  const seen = { largest: 0 };
  const { fused: _fused, ...members } = binaryBackend;
  const noted = Object.fromEntries(
    Object.entries(members).map(([key, member]) => {
      if (typeof member !== "function") return [key, member];
      const call = (...args: unknown[]): unknown => {
        for (const arg of args) {
          const { shape, type } = (arg ?? {}) as { readonly shape?: unknown; readonly type?: unknown };
          if (Array.isArray(shape) && typeof type === "string")
            seen.largest = Math.max(seen.largest, sizeOf(shape as number[]));
        }
        return (member as (...given: unknown[]) => unknown).apply(binaryBackend, args);
      };
      return [key, call];
    }),
  );
  return { backend: { ...noted, name: "noting", portable: false } as unknown as Nx.Backend, seen };
}

type Attributes = Readonly<Record<string, AttributeValue>>;

const LIMIT = 1000;

const ones = (...shape: number[]): Tensor => Nx.broadcast(Nx.f32(1), shape) as Tensor;
const whole = (...shape: number[]): Tensor => Nx.asType(ones(...shape), "s32") as Tensor;
const s64 = (...numbers: number[]): Tensor => Nx.tensor(numbers, { type: "s64" });
const zeros = (...shape: number[]): Tensor => Nx.broadcast(Nx.tensor(0, { type: "s64" }), shape) as Tensor;
const float = (value: number): AttributeValue => ({ float: value });

type Growing = readonly [op: string, inputs: readonly Tensor[], attributes?: Attributes, outputs?: string];

/** Nodes that ask for more than the limit, of inputs that are smaller: inputs, attributes, how often they do, results. */
const GROWING: readonly Growing[] = [
  ...["Add", "Mul", "Less", "Pow", "Max", "Sum", "Mean"].map((op): Growing => [op, [ones(60, 1), ones(60)]]),
  ["Mod", [whole(60, 1), whole(60)]],
  ["BitwiseAnd", [whole(60, 1), whole(60)]],
  ["BitShift", [Nx.asType(whole(60, 1), "u8") as Tensor, Nx.asType(whole(60), "u8") as Tensor], { direction: "LEFT" }],
  ["Where", [Nx.asType(ones(60, 1), "u8") as Tensor, ones(60), ones(1)]],
  ["Concat", [ones(900), ones(900)], { axis: 0 }],
  ["Expand", [ones(1), s64(40, 40)]],
  ["Tile", [ones(40), s64(40)]],
  ["Pad", [ones(2, 2), s64(30, 0, 30, 20)]],
  ["Pad", [ones(2, 2), s64(30, 0, 30, 20)], { mode: "edge" }],
  ["CenterCropPad", [ones(2, 2), s64(50, 50)]],
  ["ConstantOfShape", [s64(50, 50)]],
  ["ConstantOfShape", [s64(2 ** 40, 2 ** 40)]],
  ["Range", [s64(0).reshape([]) as Tensor, s64(2000).reshape([]) as Tensor, s64(1).reshape([]) as Tensor]],
  ["OneHot", [zeros(30), s64(50), ones(2)]],
  ["Gather", [ones(30, 30), zeros(50)]],
  ["GatherND", [ones(2, 400), zeros(10, 1)]],
  ["Col2Im", [ones(1, 4, 4), s64(100, 100), s64(2, 2)], { strides: [98, 98] }],
  ["Einsum", [ones(60), ones(60)], { equation: "i,j->ij" }],
  ["Einsum", [ones(60), ones(60), ones(60)], { equation: "i,j,k->jik" }],
  ["MatMul", [ones(60, 1), ones(1, 60)]],
  ["Gemm", [ones(60, 1), ones(1, 60)]],
  ["Conv", [ones(1, 1, 10, 10), ones(100, 1, 1, 1)]],
  ["Conv", [ones(1, 1, 2, 2), ones(1, 1, 1, 1)], { pads: [30, 30, 30, 30] }],
  ["ConvTranspose", [ones(1, 1, 10, 10), ones(1, 1, 2, 2)], { strides: [20, 20] }],
  ["MaxPool", [ones(1, 1, 20, 20)], { kernel_shape: [5, 5] }, "y at"],
  ["AveragePool", [ones(1, 1, 2, 2)], { kernel_shape: [2, 2], pads: [30, 30, 30, 30] }],
  ["MaxUnpool", [ones(1, 1, 1, 1), zeros(1, 1, 1, 1), s64(1, 1, 50, 50)], { kernel_shape: [1, 1] }],
  ["Resize", [ones(1, 2), Nx.f32([1]), Nx.f32([50, 50])]],
  ["GridSample", [ones(1, 30, 2, 2), ones(1, 10, 10, 2)]],
  ["AffineGrid", [ones(1, 2, 3), s64(1, 1, 50, 50)]],
  ["RoiAlign", [ones(1, 2, 20, 20), ones(30, 4), zeros(30)], { sampling_ratio: 1 }],
  ["RNN", [ones(30, 1, 2), ones(1, 40, 2), ones(1, 40, 40).slice([0, 0, 0], [1, 40, 40]) as Tensor]],
  ["Attention", [ones(1, 1, 60, 1), ones(1, 1, 60, 1), ones(1, 1, 60, 1)]],
  ["HannWindow", [s64(2000)]],
  ["DFT", [ones(1, 10, 1), s64(2000)], { axis: 1 }],
  ["STFT", [ones(1, 200), s64(1), ones(20)]],
  ["MelWeightMatrix", [s64(50), s64(200), s64(8000), Nx.f32([0]), Nx.f32([4000])]],
  ["RandomNormal", [], { shape: [50, 50] }],
  ["RandomUniform", [], { shape: [50, 50] }],
  ["Multinomial", [ones(2, 20)], { sample_size: 100, seed: float(1) }],
];

/** The bytes of a model of one node. */
function modelOf(op: string, inputs: readonly Tensor[], attributes: Attributes = {}, outputs = "y"): Uint8Array {
  const declared = inputs.map((t, i) => `x${i} ${t.type} ${t.shape.join(" ")}`.trim()).join(", ");
  const nodes = [node(op, inputs.map((_, i) => `x${i}`).join(" "), outputs, attributes)];
  return model(graph(declared, outputs.split(" ").join(", "), nodes), {
    opset: op === "DFT" ? 17 : op === "Attention" ? 23 : 22,
  });
}

/** The largest array that a call computes, and the error of the library, if there is one. */
function largestOf(call: () => unknown): readonly [largest: number, message: string] {
  const { backend, seen } = noting();
  return Nx.withDefaultBackend(backend, () => {
    try {
      call();
    } catch (error) {
      if (!(error instanceof Nx.NxError)) throw error;
      return [seen.largest, error.message];
    }
    return [seen.largest, ""];
  });
}

/** Tensors on the backend that notes. */
const moved = (inputs: readonly Tensor[]): Tensor[] =>
  inputs.map((t) => Nx.reshape(Nx.fromBinary(Nx.toBinary(t), t.type), [...t.shape]) as Tensor);

describe("nodes that ask for more than the limit", () => {
  it.each(GROWING.map((one) => [one[0], one] as const))("%s %#", (_, [op, inputs, attributes, outputs]) => {
    const bytes = modelOf(op, inputs, attributes, outputs);
    const given = Math.max(...inputs.map(({ size }) => size), 0);
    const [largest, message] = largestOf(() => fromOnnx(bytes, { limits: { elements: LIMIT } })(moved(inputs)));
    expect(message).toMatch(/elements, the limit of fromOnnx/);
    expect(largest).toBeLessThanOrEqual(Math.max(LIMIT, given));
    if (op === "ConstantOfShape") return;
    expect(largestOf(() => fromOnnx(bytes, { limits: { elements: 1e6 } })(moved(inputs)))).toEqual([
      expect.any(Number),
      "",
    ]);
  });

  it("of loops and sequences are refused as well", () => {
    const stepped = graph("i, on, v", "on2, v2, out", [
      node("Identity", "on", "on2"),
      node("Identity", "v", "v2"),
      node("Neg", "v", "out"),
    ]);
    const loop = (steps: number) =>
      model(
        graph("x f32 50", "last, y", [node("Loop", "n _ x", "last y", { body: { graph: stepped } })], {
          n: s64(steps).reshape([]) as Tensor,
        }),
      );
    const scan = model(
      graph("x f32 50, z f32 40", "last, y", [
        node("Scan", "x z", "last y", {
          num_scan_inputs: 1,
          body: { graph: graph("v, e", "v2, out", [node("Identity", "v", "v2"), node("Add", "v e", "out")]) },
        }),
      ]),
    );
    const joined = model(
      graph("x f32 300", "y", [
        node("SequenceConstruct", "x x x x x", "s"),
        node("ConcatFromSequence", "s", "y", { axis: 0 }),
      ]),
    );
    for (const [bytes, inputs] of [
      [loop(30), [ones(50)]],
      [loop(40), [ones(50)]],
      [scan, [ones(50), ones(40)]],
      [joined, [ones(300)]],
    ] as const) {
      const [largest, message] = largestOf(() => fromOnnx(bytes, { limits: { elements: LIMIT } })(moved(inputs)));
      expect(message).toMatch(/elements, the limit of fromOnnx/);
      expect(largest).toBeLessThanOrEqual(LIMIT);
    }
  });
});

/** What tests of ONNX compute beside their inputs: places, and masks of several axes. */
const MOST = 3;

describe("ONNX's own tests", () => {
  const files = ["sample.json", "newer.json"].flatMap((file) => {
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    return Object.entries(
      JSON.parse(text) as Record<string, { model: string; sets: { inputs: Record<string, string> }[] }>,
    );
  });
  const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "base64"));

  it("compute nothing that is larger than what is given and the limit", { timeout: 120_000 }, () => {
    const wrong = files.flatMap(([name, { model: text, sets }]) =>
      [1, 40].flatMap((elements) => {
        const bytes = bytesOf(text);
        const { input, initializer } = fromBinary(ModelProtoSchema, bytes).graph!;
        let given = Math.max(...initializer.map(({ dims }) => sizeOf(dims.map(Number))), 0);
        const [largest] = largestOf(() => {
          const inputs = input.flatMap(({ name: own }, i): [string, Tensor][] => {
            const message = sets[0]!.inputs[String(i)];
            const proto = message === undefined ? null : fromBinary(TensorProtoSchema, bytesOf(message));
            return proto === null || proto.dims.includes(0n) ? [] : [[own, tensorOf(proto)]];
          });
          given = Math.max(given, ...inputs.map(([, { size }]) => size));
          fromOnnx(bytes, { limits: { elements } })(Object.fromEntries(inputs));
        });
        return largest > MOST * Math.max(elements, given) ? [[name, elements, given, largest]] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
