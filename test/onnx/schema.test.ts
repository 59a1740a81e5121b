/**
 * What ONNX prescribes of nodes: the table is total, has the attributes that ONNX has, and what does not fit it is refused.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "../../lib/index";
import type { Tensor } from "../../lib/index";
import { fromOnnx } from "../../lib/onnx";
import { NO_ATTRIBUTES } from "../../lib/onnx/import/attributes";
import { OPERATORS } from "../../lib/onnx/import/operators/table";
import { checkShapes, SCHEMA } from "../../lib/onnx/import/schema";
import { graph, model, node, type AttributeValue } from "./build";

const ALL = Object.assign({}, ...Object.values(OPERATORS)) as (typeof OPERATORS)[string];

/** Attributes that ONNX has and that are not read, with the reasons. */
const UNREAD: Readonly<Record<string, string>> = {
  consumed_inputs: "says where version 1 may write results, and nothing of what they are",
  sparse_value: "sparse tensors are not read",
  value_string: "strings are not read",
  value_strings: "strings are not read",
};

describe("the table", () => {
  it("has a row for each operator, and no others", () => {
    expect(Object.keys(SCHEMA).sort()).toEqual(Object.keys(ALL).sort());
  });

  it("has the attributes of ONNX", () => {
    const text = readFileSync(new URL("schema.json", import.meta.url), "utf8");
    const known = JSON.parse(text) as Readonly<Record<string, string>>;
    for (const op of Object.keys(OPERATORS[""]!)) {
      const own = known[op]!.split(" ").filter((name) => name !== "" && !(name in UNREAD));
      expect([op, SCHEMA[op]![1].split(" ").filter(Boolean).sort()]).toEqual([op, own.sort()]);
    }
  });

  const call = { opset: 22, attributes: NO_ATTRIBUTES };
  /** Rows of letters alone, for which shapes can be made. */
  const plain = Object.entries(SCHEMA).flatMap(([op, [inputs]]) =>
    typeof inputs === "string" && /^[A-Z_]/.test(inputs) && !/ or |to|as|rank|\+/.test(inputs)
      ? [[op, inputs] as const]
      : [],
  );

  it("takes shapes that fit it, and none with another size or an axis less", () => {
    expect(plain.length).toBeGreaterThan(15);
    const sizes = fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...plain), sizes, fc.nat(), ([op, inputs], drawn, at) => {
        const letters = [...new Set(inputs.match(/[A-Z]/g))];
        const texts = inputs.split(" | ").map((text) => text.split(" "));
        const shapes = texts.map((text) =>
          text.flatMap((size, i) =>
            size === "..." ? [] : size === "scalar" ? [1] : /\d/.test(size) ? [Number(size)] : size === "_" ? [drawn[i]!] : [drawn[letters.indexOf(size)]!],
          ),
        ); // prettier-ignore
        checkShapes(op, call, shapes);
        const places = texts.flatMap((text, input) =>
          text.flatMap((size, axis) => {
            const isBound = /^\d/.test(size) || texts.slice(0, input).some((before) => before.includes(size));
            return isBound && /^[A-Z\d]/.test(size) ? [[input, axis] as const] : [];
          }),
        );
        if (places.length === 0) return;
        const [input, axis] = places[at % places.length]!;
        const changed = (by: (shape: number[]) => number[]) =>
          shapes.map((shape, i) => (i === input ? by(shape) : shape));
        const refused = (others: number[][]): void => {
          expect(() => checkShapes(op, call, others)).toThrow(Nx.ArgumentError);
          expect(() => checkShapes(op, call, others)).toThrow(`input ${input} must have the shape [`);
        };
        refused(changed((shape) => shape.map((size, i) => (i === axis ? size + 1 : size))));
        refused(changed((shape) => shape.map((size, i) => (i === axis ? 1 : size))));
        if (shapes[input]!.length === 1) refused(changed((shape) => [1, ...shape]));
      }),
      { numRuns: 500 },
    );
  });
});

type Attributes = Readonly<Record<string, AttributeValue>>;

describe("inputs that would broadcast in silence are refused", () => {
  const ones = (...shape: number[]): Tensor => Nx.broadcast(Nx.f32(1), shape) as Tensor;
  const bytes = (...shape: number[]): Tensor => Nx.asType(ones(...shape), "u8") as Tensor;
  const s64 = (...numbers: number[]): Tensor => Nx.tensor(numbers, { type: "s64" });
  const image = ones(2, 3, 4, 4);

  const run = (op: string, inputs: readonly Tensor[], attributes: Attributes, opset: number): unknown => {
    const names = inputs.map((_, i) => `x${i}`);
    const declared = inputs.map((t, i) => `${names[i]} ${t.type} ${t.shape.join(" ")}`.trim()).join(", ");
    return fromOnnx(model(graph(declared, "y", [node(op, names.join(" "), "y", attributes)]), { opset }))(inputs);
  };

  it.each<[string, readonly Tensor[], Attributes, string, number?]>([
    ["Conv", [image, ones(5, 3, 1, 1), ones(1)], {}, "input 2 must have the shape [M = 5], got [1]"],
    ["Conv", [image, ones(5, 3, 1, 1), ones(5, 1)], {}, "input 2 must have the shape [M = 5], got [5, 1]"],
    ["ConvTranspose", [image, ones(3, 2, 1, 1), ones(1)], {}, "input 2 must have the shape [2], got [1]"],
    ["BatchNormalization", [image, ones(1), ones(3), ones(3), ones(3)], {}, "input 1 must have the shape [C = 3], got [1]"],
    ["BatchNormalization", [image, ones(3), ones(3), ones(3), ones(1)], {}, "input 4 must have the shape [C = 3], got [1]"],
    ["InstanceNormalization", [image, ones(3), ones(1)], {}, "input 2 must have the shape [C = 3], got [1]"],
    ["GroupNormalization", [image, ones(1), ones(3)], { num_groups: 3 }, "input 1 must have the shape [C = 3], got [1]"],
    ["GroupNormalization", [image, ones(1), ones(3)], { num_groups: 3 }, "input 1 must have the shape [3], got [1]", 18],
    ["LayerNormalization", [ones(2, 3), ones(2, 1, 3)], {}, "input 1 must have what broadcasts to the shape [2, 3] of input 0, got [2, 1, 3]"],
    ["RMSNormalization", [ones(1, 3), ones(2, 3)], {}, "input 1 must have what broadcasts to the shape [1, 3] of input 0, got [2, 3]", 23],
    ["PRelu", [ones(1, 3), ones(2, 3)], {}, "input 1 must have what broadcasts to"],
    ["PRelu", [ones(4, 1), ones(4)], {}, "input 1 must have one element, or the shape [1], got [4]", 6],
    ["QuantizeLinear", [ones(2, 3), ones(2), bytes(2)], { axis: 1 }, "input 1 must have one element, or the shape [3], got [2]"],
    ["DequantizeLinear", [bytes(2, 3), ones(3), bytes(1)], {}, "input 2 must have the shape [3] of input 1, got [1]"],
    ["QuantizeLinear", [ones(3, 4), ones(1, 2), bytes(1, 2)], { axis: 1, block_size: 2 }, "input 1 must have the shape [3, 2], got [1, 2]"],
    ["DequantizeLinear", [bytes(3, 4), ones(3, 2), bytes(3, 1)], { axis: -1, block_size: 2 }, "input 2 must have the shape [3, 2] of input 1, got [3, 1]"],
    ["BatchNormalization", [ones(3), ones(3), ones(3), ones(3), ones(3)], {}, "input 1 must have the shape [1], got [3]"],
    ["GRU", [ones(2, 1, 2), ones(1, 6, 2), ones(1, 6, 2)], { hidden_size: 5 }, "input 1 must have the shape [D = 1, 15, I = 2], got [1, 6, 2]"],
    ["LSTM", [ones(2, 1, 2), ones(1, 8, 2), ones(1, 8, 2), ones(1, 1)], {}, "input 3 must have the shape [D = 1, 16], got [1, 1]"],
    ["GRU", [ones(2, 1, 2), ones(1, 5, 2), ones(1, 6, 2)], {}, "input 1 must have the shape [D = 1, 6, I = 2], got [1, 5, 2]"],
    ["ScatterElements", [ones(4, 4), s64(0, 1).reshape([1, 2]) as Tensor, ones(2, 1)], {}, "input 2 must have the shape [1, 2] of input 1, got [2, 1]"],
    ["ScatterND", [ones(4, 2), s64(0, 1).reshape([2, 1]) as Tensor, ones(4)], {}, "input 2 must have the shape [2, 2], got [4]"],
    ["OneHot", [s64(0, 1), s64(3), ones(3)], {}, "input 2 must have the shape [2], got [3]"],
    ["Tile", [ones(2, 2), s64(2)], {}, "input 1 must have the shape [2], got [1]"],
    ["Clip", [ones(2), ones(2)], {}, "input 1 must have one element, got [2]"],
    ["NegativeLogLikelihoodLoss", [ones(2, 3), s64(0, 1), ones(1)], {}, "input 2 must have the shape [C = 3], got [1]"],
    ["RoiAlign", [image, ones(1, 4), s64(0, 0)], { sampling_ratio: 1 }, "input 2 must have the shape [R = 1], got [2]"],
  ])("%s %#", (op, inputs, attributes, message, opset = 22) => {
    expect(() => run(op, inputs, attributes, opset)).toThrow(Nx.ArgumentError);
    expect(() => run(op, inputs, attributes, opset)).toThrow(message);
  }); // prettier-ignore

  it.each<[string, readonly Tensor[], readonly number[]]>([
    ["BatchNormalization", [Nx.f32([3, 5]), Nx.f32([4]), Nx.f32([1]), Nx.f32([3]), Nx.f32([1 - 1e-5])], [1, 9]],
    ["DequantizeLinear", [Nx.u8([5, 7]), Nx.f32(2), Nx.u8([3])], [4, 8]],
    ["DequantizeLinear", [Nx.u8([5, 7]), Nx.f32([2]), Nx.u8(3)], [4, 8]],
  ])("but one channel may have no axis, and one scale another than its zero point: %s %#", (op, inputs, expected) => {
    const { y } = run(op, inputs, {}, 22) as { readonly y: Tensor };
    Nx.toFlatList(y).forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 5));
    expect(y.shape).toEqual([2]);
  });

  it.each([
    ["Adagrad", [[3], [3], [1]]],
    ["Momentum", [[3, 1], [3], [3, 1]]],
    ["Adam", [[3], [3], [3], [1, 3]]],
  ])("gradients and states of %s", (op, shapes) => {
    const domain = "ai.onnx.preview.training";
    const inputs = [Nx.f32(0.1), s64(1).reshape([]) as Tensor, ...shapes.map((shape) => ones(...shape))];
    const declared = inputs.map((t, i) => `x${i} ${t.type} ${t.shape.join(" ")}`.trim()).join(", ");
    const outputs = shapes.slice(1).map((_, i) => `y${i}`);
    const names = inputs.map((_, i) => `x${i}`).join(" ");
    const bytesOf = (optimizer: ReturnType<typeof node>) =>
      model(graph(declared, outputs.join(", "), [optimizer]), { domains: [domain] });
    const settings = op === "Momentum" ? { mode: "standard" } : {};
    const step = fromOnnx(bytesOf(node(op, names, outputs.join(" "), settings, domain)));
    const other = shapes.find((shape) => String(shape) !== String(shapes[0]))!;
    expect(() => step(inputs)).toThrow(
      `a parameter of shape [${shapes[0]!.join(", ")}] has a gradient or state of shape [${other.join(", ")}]`,
    );
  });

  it("attributes that are not known, too, before anything runs", () => {
    const bytesOf = model(
      graph("x f32 2", "y", [{ ...node("Relu", "x", "y", { negative_slope: { float: 0.1 } }), name: "act" }]),
    );
    expect(() => fromOnnx(bytesOf)).toThrow(
      'fromOnnx: Relu (opset 22, node "act") has the attribute negative_slope, which is not supported',
    );
  });
});
