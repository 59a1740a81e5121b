/**
 * The networks as ONNX models, with all operands but x as weights of the model, as a trained network has them.
 */
import { EPSILON, HEADS, type Inputs, type Plain } from "../program";
import type { Model, Node } from "./encode";

const node = (op: string, inputs: string, output: string, attributes: Node["attributes"] = {}): Node => ({
  op,
  inputs: inputs.split(" "),
  output,
  attributes,
});

function model({ x, ...weights }: Inputs<Plain>, nodes: readonly Node[], constants: Model["weights"] = {}): Model {
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  const kept = Object.entries({ ...weights, ...constants }).filter(([name]) => used.has(name));
  return {
    nodes,
    weights: Object.fromEntries(kept),
    input: { name: "x", shape: x!.shape },
    output: nodes.at(-1)!.output,
  };
}

const mlp = (inputs: Inputs<Plain>): Model =>
  model(inputs, [
    node("Gemm", "x w1 b1", "inner"),
    node("Relu", "inner", "hidden"),
    node("Gemm", "hidden w2 b2", "scores"),
  ]);

const layer = (x: string, filters: string, bias: string, out: string): Node[] => [
  node("Conv", `${x} ${filters} ${bias}`, `${out}Conv`, { kernel_shape: [3, 3], pads: [1, 1, 1, 1] }),
  node("Relu", `${out}Conv`, `${out}Relu`),
  node("MaxPool", `${out}Relu`, out, { kernel_shape: [2, 2], strides: [2, 2] }),
];

const cnn = (inputs: Inputs<Plain>): Model =>
  model(inputs, [
    ...layer("x", "k1", "c1", "first"),
    ...layer("first", "k2", "c2", "second"),
    node("Flatten", "second", "flat"),
    node("Gemm", "flat w b", "scores"),
  ]);

function transformer(inputs: Inputs<Plain>): Model {
  const [rows, size] = inputs.x!.shape as readonly [number, number];
  const wide = size / HEADS;
  /** Rows of x times weights, as heads of rows. */
  const split = (weights: string, out: string, perm: readonly number[]): Node[] => [
    node("MatMul", `normal ${weights}`, `${out}Flat`),
    node("Reshape", `${out}Flat heads`, `${out}Heads`),
    node("Transpose", `${out}Heads`, out, { perm }),
  ];
  const nodes = [
    node("LayerNormalization", "x g1 s1", "normal", { epsilon: EPSILON }),
    ...split("wq", "query", [1, 0, 2]),
    ...split("wk", "key", [1, 2, 0]),
    ...split("wv", "value", [1, 0, 2]),
    node("MatMul", "query key", "alike"),
    node("Mul", "alike scale", "scaled"),
    node("Softmax", "scaled", "shares"),
    node("MatMul", "shares value", "mixed"),
    node("Transpose", "mixed", "turned", { perm: [1, 0, 2] }),
    node("Reshape", "turned flat", "joined"),
    node("MatMul", "joined wo", "attention"),
    node("Add", "x attention", "attended"),
    node("LayerNormalization", "attended g2 s2", "second", { epsilon: EPSILON }),
    node("MatMul", "second w1", "innerFlat"),
    node("Add", "innerFlat b1", "inner"),
    node("Gelu", "inner", "hidden"),
    node("MatMul", "hidden w2", "outFlat"),
    node("Add", "outFlat b2", "change"),
    node("Add", "attended change", "out"),
  ];
  const scale: Plain = { data: Float32Array.of(1 / Math.sqrt(wide)), shape: [1] };
  return model(inputs, nodes, { heads: [rows, HEADS, wide], flat: [rows, size], scale });
}

export const models: Readonly<Record<string, (inputs: Inputs<Plain>) => Model>> = { mlp, cnn, transformer };
