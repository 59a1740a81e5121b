/**
 * What `fromOnnx` takes and refuses: inputs, names, options, limits, damaged files.
 */
import { readFileSync } from "node:fs";
import { fromBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "../../lib/index";
import type { Tensor } from "../../lib/index";
import { fromOnnx, type OnnxFunction } from "../../lib/onnx";
import { ModelProtoSchema } from "../../lib/onnx/schema/onnx_pb";
import { elementType, tensorProto, tensorType } from "../../lib/onnx/types";
import { NAMES_KEY } from "../../lib/onnx/value";
import { graph, model, node, value } from "./build";

const sum = graph("a f32 batch 2, b f32 batch 2", "y f32 batch 2", [node("Add", "a b", "c"), node("Mul", "c w", "y")], {
  w: Nx.f32([1, 10]),
});
const [a, b] = [Nx.f32([[1, 2]]), Nx.f32([[3, 4]])]; // prettier-ignore

describe("inputs", () => {
  const fn = fromOnnx(model(sum));

  it("are given by name, in order, or alone", () => {
    const expected = [[4, 60]];
    expect(fn({ b, a })["y"]!.toList()).toEqual(expected);
    expect(fn([a, b])["y"]!.toList()).toEqual(expected);
    expect(Nx.defn((x: Tensor, y: Tensor) => fn([x, y]))(a, b)["y"]!.toList()).toEqual(expected);
    const single = fromOnnx(model(graph("x f32", "y f32", [node("Neg", "x", "y")])));
    expect(single(Nx.f32(2))["y"]!.toNumber()).toBe(-2);
    expect(single(2)["y"]!.type).toBe("f32");
    expect(single({ x: 2 })["y"]!.toNumber()).toBe(-2);
  });

  it("are checked", () => {
    expect(() => fn({ a })).toThrow('fromOnnx: the model needs the input "b", got "a"');
    expect(() => fn([a])).toThrow('the model takes the inputs "a", "b", got 1 in a list');
    expect(() => fn({ a, b, c: a })).toThrow('the model has no input "c", it takes "a", "b"');
    expect(() => fn({ a, b: Nx.f32([1, 2]) })).toThrow('the input "b" takes f32[batch][2], got f32[2]');
    expect(() => fn({ a, b: Nx.f32([[1, 2, 3]]) })).toThrow('the input "b" takes f32[batch][2], got f32[1][3]'); // prettier-ignore
    expect(() => fn({ a, b: Nx.tensor([[1, 2]]) })).toThrow('got s64[1][2]; convert it by Nx.asType(t, "f32")'); // prettier-ignore
    const named = Nx.rename(a, ["row", null]);
    expect(() => fn({ a: named, b })).toThrow('axis 0 of the input "a" is "batch", got f32[row: 1][2]');
    // floats of another width compute in that width
    expect(fn({ a: a.asType("f64"), b: b.asType("f64") })["y"]!.type).toBe("f64");
  });

  it("have names by the file's dimensions, its metadata, or the option", () => {
    expect(fn.inputs[0]).toEqual({ name: "a", type: "f32", dims: ["batch", 2], names: ["batch", null] });
    expect(fn([a, b])["y"]!.names).toEqual(["batch", null]);
    const other = fromOnnx(model(sum), { names: { a: ["row", "column"], y: [null, "column"] } });
    expect(other.inputs.map(({ names }) => names)).toEqual([
      ["row", "column"],
      ["batch", null],
    ]);
    expect(other([Nx.rename(a, ["row", "column"]), b])["y"]!.names).toEqual([null, "column"]);
    const written = { ...value("x f32 n n"), metadataProps: [{ key: NAMES_KEY, value: '["time","space"]' }] };
    const kept = fromOnnx(model({ ...graph("", "y", [node("Neg", "x", "y")]), input: [written] }));
    expect(kept.inputs[0]!.names).toEqual(["time", "space"]);
    const twice = fromOnnx(model(graph("x f32 n n", "y", [node("Neg", "x", "y")])));
    expect(twice.inputs[0]!.names).toEqual([null, null]);
    for (const bad of ["no json", '["x"]', '["x","x"]', "[1,2]"]) {
      const input = [{ ...written, metadataProps: [{ key: NAMES_KEY, value: bad }] }];
      expect(fromOnnx(model({ ...graph("", "y", [node("Neg", "x", "y")]), input })).inputs[0]!.names).toEqual([
        null,
        null,
      ]);
    }
  });

  it("that the file has itself need not be given", () => {
    const fixed = fromOnnx(model(graph("x f32 2, w f32 2", "y", [node("Add", "x w", "y")], { w: Nx.f32([1, 1]) })));
    expect(fixed.inputs.map(({ name }) => name)).toEqual(["x"]);
    expect(fixed(Nx.f32([1, 2]))["y"]!.toList()).toEqual([2, 3]);
    expect(fixed({ x: Nx.f32([1, 2]), w: Nx.f32([5, 5]) })["y"]!.toList()).toEqual([6, 7]);
  });

  it("parameters are floats that say nothing of shapes", () => {
    const resized = graph("x f32 1 1 2", "y", [node("Mul", "x w", "h"), node("Resize", "h _ scales", "y")], {
      w: Nx.f32([1, 2]),
      scales: Nx.f32([1, 1, 2]),
      n: Nx.tensor([1]),
    });
    const laid = graph("x f32 2", "y", [node("Reshape", "v s", "h"), node("Mul", "x h", "y")], {
      v: Nx.f32([[1, 2]]), // prettier-ignore
      s: Nx.tensor([2]),
    });
    expect(Object.keys(fromOnnx(model(laid)).parameters)).toEqual(["v"]);
    const fn2 = fromOnnx(model(resized));
    expect(Object.keys(fn2.parameters)).toEqual(["w"]);
    expect(Nx.grad((p: Record<string, Tensor>) => Nx.sum(fn2(Nx.f32([[[3, 4]]]), p)["y"]!))(fn2.parameters)["w"]!.toList()).toEqual([6, 8]); // prettier-ignore
  });
});

describe("options", () => {
  it.each<[unknown, RegExp]>([
    [{ name: {} }, /fromOnnx has no option name, only names and limits/],
    [1, /fromOnnx expects an object of options, got: 1/],
    [{ names: { z: ["x"] } }, /the model has no input or output "z", only "a", "b", "y"/],
    [{ names: { a: ["x"] } }, /a has 2 axes, got 1 names/],
    [{ names: { a: "xy" } }, /a must be a list of names and null/],
    [{ names: [] }, /must be an object of lists of names/],
    [{ limits: { size: 1 } }, /limits of fromOnnx has no size, only bytes, nodes/],
    [{ limits: { bytes: 0 } }, /limits.bytes of fromOnnx must be a positive integer, got: 0/],
    [{ limits: 3 }, /limits of fromOnnx must be an object/],
  ])("%j is refused", (options, message) => {
    expect(() => fromOnnx(model(sum), options as never)).toThrow(message);
  });
});

describe("files", () => {
  it("that are none are refused", () => {
    expect(() => fromOnnx("x" as never)).toThrow(/expects the bytes of an ONNX file as a Uint8Array/);
    expect(() => fromOnnx(new Uint8Array())).toThrow(/holds no graph/);
    expect(() => fromOnnx(new Uint8Array([255, 255, 255]))).toThrow(/the bytes are no ONNX model/);
    expect(() => fromOnnx(model(sum, { opset: 27 }))).toThrow(/versions 1 to 26, the model has opset 27/);
  });

  it("with operators that are not known name all of them", () => {
    const nodes = [
      node("Foo", "x", "h"),
      node("Foo", "h", "i"),
      { ...node("Bar", "i", "y", {}, "com.example"), name: "last" },
    ];
    const bytes = model(graph("x", "y", nodes), { domains: ["com.example"] });
    expect(() => fromOnnx(bytes)).toThrow(
      /Foo \(opset 22, 2 times\), Bar \(com.example 1, node "last"\); it has \d+ of ONNX's own/,
    );
    for (const op of ["constructor", "__proto__", "toString"]) {
      expect(() => fromOnnx(model(graph("x", "y", [node(op, "x", "y")])))).toThrow(Nx.NxError);
      expect(() => fromOnnx(model(graph("x", "y", [node("Add", "x", "y", {}, op)])))).toThrow(Nx.NxError);
    }
  });

  it("errors name the node, its operator and version", () => {
    const bytes = model(graph("x f32 2, z f32 3", "y", [{ ...node("Add", "x z", "y"), name: "join" }]));
    expect(() => fromOnnx(bytes)([Nx.f32([1, 2]), Nx.f32([1, 2, 3])])).toThrow(
      /^fromOnnx: Add "join" \(opset 22\): the shapes \[2\] and \[3\]/,
    );
    const late = fromOnnx(model(graph("x f32 2", "y", [node("Add", "x later", "y"), node("Neg", "x", "later")])));
    expect(() => late(Nx.f32([1, 2]))).toThrow(/Add needs the value "later", which nothing before it gives/);
    const few = fromOnnx(model(graph("x f32 2", "y", [node("Add", "x", "y")])));
    expect(() => few(Nx.f32([1, 2]))).toThrow(/Add \(opset 22\): it takes 2 inputs, got 1/);
    // what the language itself refuses is an error of the library, too
    const wrong = fromOnnx(
      model(graph("x f32 2", "y", [node("SequenceEmpty", "", "s"), node("Concat", "s", "y", { axis: 0 })])),
    );
    expect(() => wrong(Nx.f32([1, 2]))).toThrow(Nx.NxError);
    expect(() => wrong(Nx.f32([1, 2]))).toThrow(/^fromOnnx: Concat \(opset 22\)/);
    const data = fromOnnx(model(graph("x f32 2, s s64 1", "y", [node("Reshape", "x s", "y")])));
    expect(data([Nx.f32([1, 2]), Nx.tensor([2])])["y"]!.shape).toEqual([2]);
    expect(() => Nx.defn((s: Tensor) => data([Nx.f32([1, 2]), s]))(Nx.tensor([2]))).toThrow(
      /Reshape.*shape depends on data/,
    );
  });

  it("with data in other files are refused", () => {
    const proto = { ...tensorProto("w", "f32", [2], new Uint8Array(0)), dataLocation: 1 };
    expect(() => fromOnnx(model(graph("x", "y", [node("Add", "x w", "y")], { w: proto })))).toThrow(
      /lies in another file/,
    );
  });
});

describe("limits", () => {
  const x = Nx.f32([1, 2]);
  const calling =
    (bytes: Uint8Array, limits?: object): (() => unknown) =>
    () =>
      fromOnnx(bytes, { limits: limits ?? {} })(x);

  it("hold for the file", () => {
    const bytes = model(
      graph("x f32 2", "y", [node("Neg", "x", "h"), node("Neg", "h", "y")], { w: Nx.zeros([100]) as Tensor }),
    );
    expect(calling(bytes)).not.toThrow();
    expect(calling(bytes, { bytes: 50 })).toThrow(/more than the limit of 50/);
    expect(calling(bytes, { nodes: 1 })).toThrow(/more than 1 nodes, the limit/);
    expect(calling(bytes, { elements: 99 })).toThrow(/"w" has 100 elements, more than the limit of 99/);
    let inner = graph("", "r", [node("Neg", "x", "r")]);
    for (let i = 0; i < 20; i++) inner = graph("", "r", [node("If", "c", "r", { then_branch: { graph: inner }, else_branch: { graph: graph("", "x", []) } })]); // prettier-ignore
    const nested = model(graph("x f32 2", "r", inner.node as never[], { c: Nx.u8(1) }));
    expect(calling(nested)).not.toThrow();
    expect(calling(nested, { depth: 10 })).toThrow(/nested more than 10 deep/);
  });

  it("hold for what small files ask for", () => {
    const huge = Nx.tensor([2 ** 20, 2 ** 20]);
    for (const [op, inputs] of [
      ["ConstantOfShape", "s"],
      ["Expand", "x1 s"],
      ["Tile", "x2 s"],
    ] as const) {
      // prettier-ignore
      const shaped = graph("x f32 2", "y", [node(op, inputs, "y")], { s: huge, x1: Nx.f32([[1]]), x2: Nx.f32([[1]]) }); // prettier-ignore
      expect(calling(model(shaped)), op).toThrow(/more than 268435456 elements, the limit of fromOnnx/);
    }
    const far = graph("x f32 2", "y", [node("Range", "a b c", "y")], {
      a: Nx.tensor(0),
      b: Nx.tensor(2 ** 50),
      c: Nx.tensor(1),
    });
    expect(calling(model(far))).toThrow(/the limit of fromOnnx/);
    const doubled = Array.from({ length: 60 }, (_, i) => node("Concat", `h${i} h${i}`, `h${i + 1}`, { axis: 0 }));
    const growing = graph("x f32 2", "h60", [node("Identity", "x", "h0"), ...doubled]);
    expect(calling(model(growing), { elements: 1e6 })).toThrow(/more than 1000000 elements/);
    const wide = graph("x f32 2", "y", [node("Unsqueeze", "w zero", "a"), node("Mul", "a v", "y")], {
      w: Nx.zeros([1000], { type: "f32" }) as Tensor,
      v: Nx.zeros([1000, 1], { type: "f32" }) as Tensor,
      zero: Nx.tensor([0]),
    });
    expect(calling(model(wide), { elements: 10_000 })).toThrow(/more than 10000 elements/);
  });

  it("hold for loops and functions that call themselves", () => {
    const body = graph("i, on, v", "on2, w", [node("Identity", "on", "on2"), node("Neg", "v", "w")]);
    const endless = graph("x f32 2", "y", [node("Loop", "_ on x", "y", { body: { graph: body } })], { on: Nx.u8(1) });
    expect(calling(model(endless))).toThrow(/the loop takes more than 10000 steps, the limit/);
    expect(calling(model(endless), { runs: 500 })).toThrow(/the call runs more than 500 nodes, the limit/);
    const again = {
      name: "F",
      domain: "mine",
      input: ["a"],
      output: ["b"],
      opsetImport: [],
      node: [node("F", "a", "b", {}, "mine")],
    };
    const recursive = model(graph("x f32 2", "y", [node("F", "x", "y", {}, "mine")]), {
      functions: [again],
      domains: ["mine"],
    });
    expect(calling(recursive)).toThrow(/nested more than 32 deep/);
  });
});

describe("damaged files", { timeout: 300_000 }, () => {
  interface Sample {
    readonly model: string;
  }
  const sample = JSON.parse(readFileSync(new URL("sample.json", import.meta.url), "utf8")) as Record<string, Sample>;
  const files = Object.entries(sample).map(
    ([name, each]) => [name, new Uint8Array(Buffer.from(each.model, "base64"))] as const,
  );
  const LIMITS = { elements: 20_000, steps: 20, nodes: 500, runs: 500, depth: 8 };

  /** Inputs of the sizes that a model declares, as far as these are small. */
  function inputsOf(bytes: Uint8Array): Record<string, Tensor> | null {
    const { graph: own } = fromBinary(ModelProtoSchema, bytes);
    const entries = own!.input.map(({ name, type }): [string, Tensor] | null => {
      if (type?.value.case !== "tensorType") return null;
      const dims =
        type.value.value.shape?.dim.map(({ value: dim }) => (dim.case === "dimValue" ? Number(dim.value) : 2)) ?? [];
      if (dims.some((dim) => dim < 1 || dim > 16) || dims.reduce((p, dim) => p * dim, 1) > 4096) return null;
      return [name, Nx.zeros(dims, { type: tensorType(elementType(type.value.value.elemType, name)) }) as Tensor];
    });
    return entries.some((entry) => entry === null) ? null : Object.fromEntries(entries as [string, Tensor][]);
  }

  /** Only errors of the library come out. */
  function check(bytes: Uint8Array): void {
    try {
      const fn: OnnxFunction = fromOnnx(bytes, { limits: LIMITS });
      const inputs = inputsOf(bytes);
      if (inputs) fn(inputs);
    } catch (error) {
      if (!(error instanceof Nx.NxError)) throw error;
    }
  }

  // loops may go on as long as their data says, and no limit holds for that
  const bounded = files.filter(([name]) => !/loop|scan|sequence_map|rnn|gru|lstm/.test(name));

  it("that end early", () => {
    fc.assert(
      fc.property(fc.constantFrom(...bounded), fc.double({ min: 0, max: 1, noNaN: true }), ([, bytes], part) => {
        check(bytes.slice(0, Math.floor(bytes.length * part)));
      }),
      { numRuns: 500 },
    );
  });

  it("with bytes that are others", () => {
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(
        fc.constantFrom(...bounded),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        ([, bytes], changes) => {
          const copy = bytes.slice();
          for (const [at, byte] of changes) copy[Math.min(copy.length - 1, Math.floor(at * copy.length))] = byte;
          check(copy);
        },
      ),
      { numRuns: 1500 },
    );
  });
});
