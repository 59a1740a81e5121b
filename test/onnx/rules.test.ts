/**
 * Rules of operators that onnxruntime and the text of the operators share, and that ONNX's own tests of 2022 do not reach; nodes that are
 * badly formed.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "../../lib/index";
import type { Tensor } from "../../lib/index";
import { fromOnnx } from "../../lib/onnx";
import { graph, model, node, type AttributeValue } from "./build";

type Attributes = Readonly<Record<string, AttributeValue>>;

/** One node on inputs, given as `x0 bool 2` and a tensor; it gives as many outputs as are named. */
function run(
  op: string,
  inputs: readonly (readonly [string, Tensor])[],
  attributes: Attributes = {},
  {
    opset = 22,
    constants = {},
    outputs = "y",
  }: { opset?: number; constants?: Record<string, Tensor>; outputs?: string } = {},
): Record<string, Tensor> {
  const names = [...inputs.map(([text]) => text.split(" ")[0]!), ...Object.keys(constants)].join(" ");
  const nodes = [node(op, names, outputs, attributes)];
  const declared = inputs.map(([text]) => text).join(", ");
  const fn = fromOnnx(model(graph(declared, outputs.split(" ").join(", "), nodes, constants), { opset }));
  return fn(inputs.map(([, tensor]) => tensor));
}

const list = (t: Tensor | undefined): unknown => Nx.toList(t!);
const s64 = (numbers: number[]): Tensor => Nx.tensor(numbers, { type: "s64" });
const truths = (rows: number[][]): Tensor => Nx.tensor(rows, { type: "u8" }) as Tensor;

describe("reductions", () => {
  const x = Nx.f32([-2, 3]);

  it("without axes, where that means none, compute on each element", () => {
    const noop = { noop_with_empty_axes: 1 };
    const each = (op: string): unknown => list(run(op, [["x f32 2", x]], noop).y);
    expect(each("ReduceSumSquare")).toEqual([4, 9]);
    expect(each("ReduceL1")).toEqual([2, 3]);
    expect(each("ReduceL2")).toEqual([2, 3]);
    expect(each("ReduceLogSumExp")).toEqual([-2, 3]);
    expect(each("ReduceSum")).toEqual([-2, 3]);
    expect(list(run("ReduceLogSum", [["x f32 2", Nx.f32([1, 1])]], noop).y)).toEqual([0, 0]);
  });

  it("of a scalar keep its type", () => {
    for (const op of ["ReduceSum", "ReduceProd", "ReduceMean", "ReduceSumSquare", "ReduceL1"]) {
      const { y } = run(op, [["x s32", Nx.tensor(1, { type: "s32" })]]);
      expect([op, y!.type, y!.shape, Nx.toNumber(y!)]).toEqual([op, "s32", [], 1]);
    }
  });
});

describe("Slice", () => {
  it("backwards begins at the first entry where it would begin before it", () => {
    const constants = { s: s64([-9]), e: s64([-(2 ** 31)]), a: s64([0]), k: s64([-2]) };
    expect(list(run("Slice", [["x f32 3", Nx.f32([5, 6, 7])]], {}, { constants }).y)).toEqual([5]);
  });
});

describe("Attention", () => {
  // scores are 0, so that the values that are seen are averaged
  const zeros = (steps: number): Tensor => Nx.broadcast(Nx.f32(0), [1, 1, steps, 1]) as Tensor;
  const values = (numbers: number[]): Tensor => Nx.f32(numbers).reshape([1, 1, numbers.length, 1]) as Tensor;
  const attention = (mask: Tensor | null, attributes: Attributes, steps: number, seen: number[]): unknown =>
    Nx.toFlatList(
      run(
        "Attention",
        [
          [`q f32 1 1 ${steps} 1`, zeros(steps)],
          [`k f32 1 1 ${seen.length} 1`, zeros(seen.length)],
          [`v f32 1 1 ${seen.length} 1`, values(seen)],
          ...(mask ? [[`m bool ${mask.shape.join(" ")}`, mask] as const] : []),
        ],
        attributes,
        { opset: 23 },
      ).y!,
    );

  it("is causal from the first key on where nothing is past", () => {
    expect(attention(null, { is_causal: 1 }, 2, [1, 3, 8])).toEqual([1, 2]);
    expect(attention(null, { is_causal: 1 }, 3, [1, 3])).toEqual([1, 2, 2]);
  });

  it("caps scores before it masks them, so that nothing is seen through a mask", () => {
    expect(attention(truths([[1, 0]]), { softcap: { float: 1 } }, 1, [1, 8])).toEqual([1]);
  });

  it("takes nothing where a mask leaves nothing", () => {
    expect(attention(truths([[0, 0], [1, 1]]), {}, 2, [1, 3])).toEqual([0, 2]); // prettier-ignore
  });
});

describe("CastLike", () => {
  const x = Nx.f32([0, 0.5, -3]);

  it("gives truth values where the other value has them, bytes where it has bytes", () => {
    const other = Nx.tensor([1], { type: "u8" });
    const whole = Nx.f32([0, 1, 3]);
    expect(list(run("CastLike", [["x f32 3", x], ["l bool 1", other]]).y)).toEqual([0, 1, 1]); // prettier-ignore
    expect(list(run("CastLike", [["x f32 3", whole], ["l u8 1", other]]).y)).toEqual([0, 1, 3]); // prettier-ignore
  });

  it("knows truth values that nodes give, also outside of its graph", () => {
    const branch = graph("", "z", [node("CastLike", "x truth", "z")]);
    const nodes = [
      node("Less", "x x", "first"),
      node("Identity", "first", "truth"),
      node("If", "c", "y", { then_branch: { graph: branch }, else_branch: { graph: branch } }),
    ];
    const fn = fromOnnx(model(graph("x f32 3, c bool", "y", nodes)));
    expect(list(fn({ x, c: Nx.tensor(1, { type: "u8" }) }).y)).toEqual([0, 1, 1]);
  });
});

describe("nodes that are badly formed are errors that name them", () => {
  const x = Nx.f32([[1, 2], [3, 4]]); // prettier-ignore
  const wide = (...shape: number[]): Tensor => Nx.broadcast(Nx.f32(1), shape) as Tensor;
  const input = (name: string, t: Tensor): readonly [string, Tensor] => [`${name} ${t.type} ${t.shape.join(" ")}`, t];
  const inputs = (...tensors: Tensor[]) => tensors.map((t, i) => input(`x${i}`, t));

  it.each<[string, readonly (readonly [string, Tensor])[], Attributes, string]>([
    ["Gemm", inputs(x, x, wide(3, 1, 2)), {}, "input 2 of shape [3, 1, 2] does not broadcast to [2, 2]"],
    ["EyeLike", inputs(wide(2, 2, 2)), {}, "input 0 must have the shape [_, _], got [2, 2, 2]"],
    ["GridSample", inputs(wide(1, 1, 2, 2), wide(1, 2, 2, 3)), {}, "must have 4 axes, the last of size 2"],
    [
      "LSTM",
      inputs(wide(2, 1, 2), wide(1, 8, 2), wide(1, 8, 2)),
      { activations: ["Sigmoid"] },
      "the attribute activations must have 3 names, got: [Sigmoid]",
    ],
    [
      "RNN",
      inputs(wide(2, 1, 2), wide(1, 2, 2), wide(1, 2, 2)),
      { direction: "bidirectional" },
      "weights must be [2, gates, width] for the direction bidirectional, got shapes [1, 2, 2] and [1, 2, 2]",
    ],
  ])("%s", (op, given, attributes, message) => {
    expect(() => run(op, given, attributes)).toThrow(Nx.ArgumentError);
    expect(() => run(op, given, attributes)).toThrow(message);
  });

  it("Unsqueeze with an axis twice", () => {
    expect(() => run("Unsqueeze", inputs(x), {}, { constants: { a: s64([0, -4]) } })).toThrow(
      "axes must not repeat, got [0, -4]",
    );
  });

  it("MaxPool asked for positions in a huge window", () => {
    const pool = { kernel_shape: [10000, 10000], pads: [5000, 5000, 5000, 5000] };
    expect(() => run("MaxPool", inputs(wide(1, 1, 2, 2)), pool, { outputs: "y at" })).toThrow(
      "a window of 100000000 elements has more than 10000, the limit of fromOnnx for positions",
    );
  });
});
