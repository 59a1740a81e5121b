/**
 * What `toOnnx` writes, with no engine: which operators, which names and sizes, what is refused, and which notes are taken.
 */
import { fromBinary } from "@bufbuild/protobuf";
import * as Nx from "nx-numerics";
import { toOnnx, type OnnxModel, type ToOnnxOptions } from "nx-numerics/onnx";
import { describe, expect, it } from "vitest";
import { ModelProtoSchema, type GraphProto, type ModelProto } from "../../lib/onnx/schema/onnx_pb";
import { tensorOf } from "../../lib/onnx/types";

type T = Nx.Tensor;

const read = ({ bytes }: OnnxModel): ModelProto => fromBinary(ModelProtoSchema, bytes);

const bodiesOf = (graph: GraphProto): GraphProto[] =>
  graph.node.flatMap(({ attribute }) => attribute.flatMap(({ g }) => (g ? [g, ...bodiesOf(g)] : [])));

/** The operators of a graph, those of graphs within nodes in parentheses. */
const operators = ({ node }: GraphProto): string =>
  node
    .map(({ opType, attribute }) => {
      const inner = attribute.flatMap(({ g }) => (g ? [operators(g)] : []));
      return inner.length === 0 ? opType : `${opType}(${inner.join(" | ")})`;
    })
    .join(" ");

const written = (fn: (...args: never[]) => unknown, templates: unknown[], options?: ToOnnxOptions): string =>
  operators(read(toOnnx(fn as never, templates as never, options)).graph!);

const f32 = (...shape: (number | string)[]): T => Nx.template(shape as number[], "f32");

describe("operators", () => {
  it.each<[string, (...args: T[]) => unknown, T[], ToOnnxOptions | undefined, string]>([
    ["one operator each", (x, y) => x.add(y).exp().negate(), [f32(3), f32(3)], undefined, "Add Exp Neg"],
    ["broadcasting is left to operators", (x, y) => x.add(y), [f32(2, 3), f32(3)], undefined, "Add"],
    ["constants are initializers", (x) => x.multiply(2), [f32(3)], undefined, "Mul"],
    ["a dense layer", (x, w) => x.dot(w).tanh(), [f32(4, 3), f32(3, 2)], undefined, "MatMul Tanh"],
    ["truth values stay so", (x) => Nx.select(x.greater(0), x, 1), [f32(3)], undefined, "Greater Where"],
    ["half floats are computed in f32", (x) => x.add(x), [Nx.template([3], "f16")], undefined, "Cast Add Cast"],
    [
      "a branch",
      (x) => Nx.Defn.cond([[x.sum().greater(0), () => x.exp()]], () => x),
      [f32(3)],
      undefined,
      "ReduceSum Greater If(Exp | Identity)",
    ],
    [
      "a scan",
      (x) => Nx.Defn.scan((s: T, v: T) => [s.add(v), s] as [T, T], Nx.f32(0), x),
      [f32(3)],
      undefined,
      "Scan(Add Identity)",
    ],
    [
      "composites are inlined, equal parts are one",
      (x) => Nx.softmax(x, { axes: [0] }),
      [f32(3)],
      { strict: false },
      "ReduceMax Sub Exp ReduceSum Div",
    ],
    ["images are pooled", (x) => Nx.windowMax(x, [1, 1, 2, 2]), [f32(1, 1, 4, 4)], undefined, "MaxPool"],
    ["images are convolved", (x, k) => Nx.conv(x, k), [f32(1, 1, 4, 4), f32(1, 1, 2, 2)], undefined, "Conv"],
    ["what is constant is computed", (x) => x.add(Nx.iota([3]).asType("f32").multiply(2)), [f32(3)], undefined, "Add"],
    ["an operator of newer versions", (x) => Nx.gelu(x), [f32(3)], { opset: 22, strict: false }, "Gelu"],
    [
      "what it stands for in older ones",
      (x) => Nx.gelu(x),
      [f32(3)],
      { opset: 18, strict: false },
      "Mul Erf Add Mul Mul",
    ],
  ])("%s", (_, fn, templates, options, expected) => {
    expect(written(fn as never, templates, options)).toBe(expected);
  });

  it("a loop has its condition before it and at its end", () => {
    const fn = (x: T) => Nx.Defn.whileLoop(x, (s: T) => s.sum().less(9), (s: T) => s.multiply(2)); // prettier-ignore
    expect(written(fn as never, [f32(2)])).toBe("ReduceSum Less Loop(Mul ReduceSum Less)");
  });

  it("whatever reads a node finds it: every input is an input, an initializer or an output before it", () => {
    const fn = (x: T) => [
      Nx.sort(x, { axis: 1 }),
      Nx.cumulativeMax(x, { axis: 0 }),
      Nx.Defn.cond([[x.sum().greater(0), () => x.add(1)]], () =>
        Nx.Defn.foriLoop(0, 3, (_: T, s: T) => s.multiply(x), x),
      ),
    ];
    const { graph } = read(toOnnx(fn as never, [f32(2, 3)] as never));
    const check = (body: GraphProto, around: ReadonlySet<string>): void => {
      const known = new Set([
        ...around,
        ...body.input.map(({ name }) => name),
        ...body.initializer.map(({ name }) => name),
      ]);
      for (const node of body.node) {
        for (const name of node.input) expect(name === "" || known.has(name)).toBe(true);
        for (const { g } of node.attribute) if (g) check(g, known);
        for (const name of node.output) expect(known.has(name)).toBe(false);
        node.output.forEach((name) => known.add(name));
      }
      for (const { name } of body.output) expect(known.has(name)).toBe(true);
    };
    check(graph!, new Set());
    expect(bodiesOf(graph!).length).toBeGreaterThan(2);
  });
});

describe("inputs and outputs", () => {
  const named = Nx.template([2, 3], "f32", { names: ["batch", "x"] });

  it("are named by their places, with names of axes in the file", () => {
    const model = toOnnx((p: { w: T; b: T[] }, x: T) => ({ y: x.dot(p.w), all: [p.b[0]!, x.sum()] }), [
      { w: f32(3, 4), b: [Nx.template([], "s64")] },
      named,
    ] as never);
    expect(model.inputs.map(({ name }) => name)).toEqual(["input0_b_0", "input0_w", "input1"].sort());
    expect(model.outputs.map(({ name }) => name).sort()).toEqual(["output_all_0", "output_all_1", "output_y"]);
    const { graph, irVersion, opsetImport } = read(model);
    expect([irVersion, opsetImport[0]!.version]).toEqual([10n, 22n]);
    expect(graph!.input.map(({ name }) => name)).toEqual(model.inputs.map(({ name }) => name));
    const x = graph!.input.find(({ name }) => name === "input1")!;
    expect(x.metadataProps.map(({ key, value }) => [key, value])).toEqual([["nx.names", '["batch","x"]']]);
  });

  it("have names that are given, and numbers the types that they are used in", () => {
    const model = toOnnx((x: T, n: number | T) => x.multiply(n), [named, 0.5], {
      inputNames: ["x", "factor"],
      outputNames: ["y"],
    });
    expect(model.inputs).toEqual([
      { name: "x", type: "f32", dims: [2, 3], names: ["batch", "x"] },
      { name: "factor", type: "f32", dims: [], names: [] },
    ]);
    expect(model.outputs).toEqual([{ name: "y", type: "f32", dims: [2, 3], names: ["batch", "x"] }]);
  });

  it("constants of the function are initializers, bit for bit", () => {
    const weights = Nx.f32(Array.from({ length: 300 }, (_, i) => i / 7));
    const { graph } = read(toOnnx((x: T) => x.multiply(weights), [f32(300)] as never));
    expect(graph!.initializer).toHaveLength(1);
    expect(Nx.toBinary(tensorOf(graph!.initializer[0]!))).toEqual(Nx.toBinary(weights));
  });

  it("the same function gives the same bytes", () => {
    const make = () =>
      toOnnx((x: T) => [Nx.softmax(x, { axes: ["x"] }), x.variance({ axes: ["batch"] })], [named]).bytes;
    expect(make()).toEqual(make());
  });
});

describe("names of sizes", () => {
  const sizesOf = (fn: (...args: T[]) => unknown, ...templates: T[]) =>
    toOnnx(fn as never, templates as never).outputs.map(({ dims }) => dims);

  it("are dimensions of inputs and outputs", () => {
    const model = toOnnx((x: T) => x.exp(), [f32("batch", 3)] as never);
    expect(model.inputs[0]!.dims).toEqual(["batch", 3]);
    expect(model.outputs[0]!.dims).toEqual(["batch", 3]);
    const dims = read(model).graph!.input[0]!.type!.value.value as { shape: { dim: { value: object }[] } };
    expect(dims.shape.dim.map(({ value }) => value)).toMatchObject([
      { case: "dimParam", value: "batch" },
      { case: "dimValue", value: 3n },
    ]);
  });

  it("shapes are computed of them, products, quotients and sums", () => {
    expect(sizesOf((x) => x.reshape(["auto"]), f32("n", "m"))).toEqual([[null]]);
    expect(sizesOf((x) => Nx.windowSum(x, [3], { strides: [2] }), f32("n"))).toEqual([[null]]);
    expect(sizesOf((x) => x.mean(), f32("n", "m"))).toEqual([[]]);
    expect(sizesOf((x, y) => Nx.outer(x, y), f32("n"), f32("m"))).toEqual([["n", "m"]]);
  });

  it("functions that take sizes up to a limit are traced below it", () => {
    const table = Nx.iota([100, 3], { type: "f32" });
    const fn = (x: T) => x.add(Nx.slice(table, [0, 0], [x.shape[0]!, 3]));
    expect(sizesOf(fn, f32("n", 3))).toEqual([["n", 3]]);
  });

  it.each<[string, (x: T) => unknown, RegExp]>([
    [
      "loops over a size in TypeScript",
      (x) => Array.from({ length: x.shape[0]! }, (_, i) => x.at(i)).reduce((a, b) => a.add(b)),
      /toOnnx: the operations .*depend on "n".*Nx\.Defn\.scan/s,
    ],
    [
      "tensors of numbers that are made of a size",
      (x) => x.add(Nx.f32(Array.from({ length: x.shape[0]! }, (_, i) => i))),
      /toOnnx: a constant \(Add.*depend on "n"/s,
    ],
    [
      "windows as large as a size",
      (x) => Nx.windowMax(Nx.reshape(x, [1, 1, "auto"]), [1, 1, x.shape[0]!]),
      /toOnnx: kernel_shape \(MaxPool.*depend on "n"/s,
    ],
  ])("refuses %s", (_, fn, message) => {
    expect(() => toOnnx(fn as never, [f32("n")] as never)).toThrow(message);
    expect(() => toOnnx(fn as never, [f32("n")] as never)).toThrow(Nx.ArgumentError);
  });
});

describe("what has no equivalent is an error that names it and the line", () => {
  it.each<[string, (x: T) => unknown, RegExp]>([
    ["Fourier transforms", (x) => Nx.fft(x), /Fourier transforms have no equivalent.*export\.test\.ts/s],
    ["complex numbers", (x) => Nx.complex(x, x).abs(), /complex of c64 has no equivalent.*export\.test\.ts/s],
    [
      "decompositions",
      (x) => Nx.LinAlg.svd(Nx.reshape(x, [2, 2]))[1],
      /matrix decompositions have no equivalent \(svd\).*export\.test\.ts/s,
    ],
    [
      "functions of the program",
      (x) => Nx.runtimeCall(Nx.template([4], "f32"), x, (y: T) => y),
      /Nx\.runtimeCall.*has no equivalent/s,
    ],
  ])("%s", (_, fn, message) => {
    expect(() => toOnnx(fn as never, [f32(4)] as never)).toThrow(message);
    expect(() => toOnnx(fn as never, [f32(4)] as never)).toThrow(Nx.ArgumentError);
  });

  it("complex inputs and outputs, even if nothing is computed of them", () => {
    expect(() => toOnnx((x: T) => x, [Nx.template([2], "c64")])).toThrow(
      "toOnnx: complex numbers (c64) have no equivalent",
    );
  });

  it("hooks are left out, and noted", () => {
    const model = toOnnx((x: T) => Nx.Defn.hook(x.exp(), () => undefined), [f32(2)] as never);
    expect(model.notes).toEqual(["hooks are not called"]);
    expect(operators(read(model).graph!)).toBe("Exp");
  });
});

describe("options", () => {
  const fn = (x: T) => x;
  it.each<[unknown, RegExp]>([
    [{ opset: 17 }, /option opset of toOnnx must be an integer from 18 to 26, got: 17/],
    [{ opset: "22" }, /option opset .* got: "22"/],
    [{ strict: 1 }, /option strict of toOnnx must be true or false, got: 1/],
    [{ inputNames: ["a", "b"] }, /option inputNames of toOnnx expects 1 names, for input0; got: \["a","b"\]/],
    [{ outputNames: [""] }, /option outputNames of toOnnx expects 1 names/],
    [{ inputNames: ["a"], outputNames: ["a"] }, /the name "a" twice/],
    [{ opest: 3 }, /toOnnx has no option opest; it has opset, inputNames, outputNames, strict/],
  ])("refuses %j", (options, message) => {
    expect(() => toOnnx(fn, [f32(2)] as never, options as ToOnnxOptions)).toThrow(message);
  });

  it("refuses what is no function and what is no list", () => {
    expect(() => toOnnx(3 as never, [])).toThrow("expects a function of tensors, got: 3");
    expect(() => toOnnx(fn as never, f32(2) as never)).toThrow("expects a list of arguments");
  });
});
