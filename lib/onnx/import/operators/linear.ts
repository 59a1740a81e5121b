/**
 * Products of matrices, convolutions, and their quantized forms.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  bounded,
  broadcastShape,
  filled,
  operator,
  overChannels,
  product as sizeOf,
  reshape,
  transpose,
  type Call,
  type Operators,
} from "../operator";
import { geometryOf, windowCounts, type Geometry } from "./geometry";

/** The product of matrices, whose size is bounded. */
export function matmul(call: Call, left: Tensor, right: Tensor): Tensor {
  const lead = broadcastShape(left.shape.slice(0, -2), right.shape.slice(0, -2));
  bounded(call, [...lead, left.shape.at(-2) ?? 1, right.shape.length < 2 ? 1 : right.shape.at(-1)!]);
  return Nx.matmul(left, right) as Tensor;
}

function gemm(call: Call, a: Tensor, b: Tensor, c?: Tensor): Tensor {
  const { attributes } = call;
  const [fromLeft, fromRight] = [attributes.flag("transA") ? 0 : 1, attributes.flag("transB") ? 1 : 0];
  bounded(call, [a.shape[1 - fromLeft] ?? 1, b.shape[1 - fromRight] ?? 1]);
  const ab = scaled(Nx.dot(a, [fromLeft], b, [fromRight]) as Tensor, attributes.float("alpha", 1));
  if (c === undefined) return ab;
  const shape = broadcastShape(ab.shape, c.shape);
  if (shape.length !== ab.shape.length || shape.some((size, i) => size !== ab.shape[i]))
    throw new ArgumentError(`input 2 of shape [${c.shape.join(", ")}] does not broadcast to [${ab.shape.join(", ")}]`);
  return Nx.add(ab, scaled(c, attributes.float("beta", 1))) as Tensor;
}

const scaled = (t: Tensor, by: number): Tensor => (by === 1 ? t : (Nx.asType(Nx.multiply(t, by), t.type) as Tensor));

/** A pattern of `einsum` with its result, which ONNX allows to be left out: letters that stand once, in alphabetical order. */
function einsum(call: Call, ...inputs: Tensor[]): Tensor {
  const equation = call.attributes.string("equation", "").replaceAll(" ", "");
  const terms = equation.split("->")[0]!;
  const letters = [...terms.replaceAll(/[^a-zA-Z]/g, "")];
  const single = letters.filter((letter) => letters.indexOf(letter) === letters.lastIndexOf(letter)).sort();
  const pattern = equation.includes("->")
    ? equation
    : `${terms}->${terms.includes("...") ? "..." : ""}${single.join("")}`;
  boundedEinsum(call, pattern, inputs);
  const product = Nx.einsum as (pattern: string, ...operands: Tensor[]) => Tensor;
  return product(pattern, ...inputs);
}

/** Refuses products, and products of the first of several operands, that are larger than the limit. */
function boundedEinsum(call: Call, pattern: string, inputs: readonly Tensor[]): void {
  const [left, result] = pattern.split("->") as [string, string];
  const terms = left.split(",");
  const sizes = new Map<string, number>();
  terms.forEach((term, i) => {
    const letters = [...term.replace("...", ".")];
    const shape = inputs[i]?.shape ?? [];
    const at = letters.indexOf(".");
    letters.forEach((letter, j) => {
      const behind = letters.length - j;
      const size = letter === "." ? sizeOf(shape.slice(j, shape.length - behind + 1)) : shape[at < 0 || j < at ? j : shape.length - behind]; // prettier-ignore
      sizes.set(letter, Math.max(size ?? 1, sizes.get(letter) ?? 1));
    });
  });
  terms.forEach((_, i) => {
    const [seen, later] = [terms.slice(0, i + 1).join(""), terms.slice(i + 1).join("") + result];
    const kept = new Set([...seen].filter((letter) => later.includes(letter)));
    bounded(call, [...kept].map((letter) => sizes.get(letter) ?? 1)); // prettier-ignore
  });
}

export function convolved(call: Call, x: Tensor, w: Tensor, geometry: Geometry, groups: number): Tensor {
  const { strides, padding, dilations } = geometry;
  bounded(call, [x.shape[0]!, w.shape[0]!, ...windowCounts(x.shape.slice(2), w.shape.slice(2), geometry)]);
  return Nx.conv(x, w, { strides, padding, kernelDilation: dilations, featureGroupSize: groups }) as Tensor;
}

const biased = (t: Tensor, bias: Tensor | undefined): Tensor =>
  bias === undefined ? t : (Nx.add(t, overChannels(bias, t.shape.length)) as Tensor);

function conv(call: Call, x: Tensor, w: Tensor, bias?: Tensor): Tensor {
  const geometry = geometryOf(call, x, w.shape.slice(2));
  return biased(convolved(call, x, w, geometry, call.attributes.int("group", 1)), bias);
}

/** The transpose of a convolution: one of the input with zeros between its elements and of the reversed kernel. */
function convTranspose(call: Call, x: Tensor, w: Tensor, bias?: Tensor): Tensor {
  const groups = call.attributes.int("group", 1);
  const [inputs, outputs, ...kernel] = w.shape as readonly [number, number, ...number[]];
  const spatial = kernel.map((_, i) => i + 2);
  if (inputs % groups !== 0) throw new ArgumentError(`${inputs} channels cannot be parted in ${groups} groups`);
  const parted = reshape(w, [groups, inputs / groups, outputs, ...kernel]);
  const swapped = transpose(parted, [0, 2, 1, ...spatial.map((axis) => axis + 1)]);
  const turned = reshape(swapped, [groups * outputs, inputs / groups, ...kernel]);
  const filters = spatial.length === 0 ? turned : (Nx.reverse(turned, { axes: spatial }) as Tensor);
  const geometry = transposedGeometry(call, x.shape.slice(2), kernel);
  const { strides, dilations, padding } = geometry;
  bounded(
    call,
    [
      x.shape[0]!,
      groups * outputs,
      ...x.shape.slice(2).map((size, i) => size * strides[i]! + padding[i]![0] + padding[i]![1] + 1),
    ].map((size) => Math.max(1, size)),
  );
  const y = Nx.conv(x, filters, {
    inputDilation: strides,
    kernelDilation: dilations,
    padding,
    featureGroupSize: groups,
  });
  return biased(y as Tensor, bias);
}

function transposedGeometry(call: Call, sizes: readonly number[], kernel: readonly number[]): Geometry {
  const { attributes } = call;
  const n = kernel.length;
  const strides = attributes.ints("strides") ?? filled(n, 1);
  const dilations = attributes.ints("dilations") ?? filled(n, 1);
  const extra = attributes.ints("output_padding") ?? filled(n, 0);
  const auto = attributes.string("auto_pad", "NOTSET");
  const asked = attributes.ints("output_shape")?.slice(-n);
  const pads = attributes.ints("pads") ?? filled(2 * n, 0);
  const padding = kernel.map((size, i): [number, number] => {
    const reach = (size - 1) * dilations[i]!;
    const isSame = auto === "SAME_UPPER" || auto === "SAME_LOWER";
    const output = asked?.[i] ?? (isSame ? sizes[i]! * strides[i]! : undefined);
    if (output === undefined) return [reach - pads[i]!, reach - pads[i + n]! + extra[i]!];
    const total = strides[i]! * (sizes[i]! - 1) + extra[i]! + reach + 1 - output;
    const small = Math.floor(total / 2);
    const [low, high] = auto === "SAME_UPPER" ? [small, total - small] : [total - small, small];
    return [reach - low, reach - high + extra[i]!];
  });
  return { strides, dilations, padding };
}

export const LINEAR: Operators = {
  Conv: operator([2, 3], conv),
  ConvTranspose: operator([2, 3], convTranspose),
  Det: operator(1, (_: Call, x: Tensor) => Nx.LinAlg.determinant(x) as Tensor),
  Einsum: operator([1, Infinity], einsum),
  Gemm: operator([2, 3], gemm),
  MatMul: operator(2, (call: Call, a: Tensor, b: Tensor) => matmul(call, a, b)),
};
