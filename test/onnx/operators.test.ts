/**
 * Operators that ONNX's own tests of 2022 lack, versions whose form differs, and control flow that depends on data.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "../../lib/index";
import type { Tensor } from "../../lib/index";
import { fromOnnx } from "../../lib/onnx";
import { OPERATORS } from "../../lib/onnx/import/operators/table";
import { graph, model, node, value, type AttributeValue, type GraphInit } from "./build";

type Attributes = Readonly<Record<string, AttributeValue>>;
interface Options {
  readonly opset?: number;
  readonly constants?: Readonly<Record<string, Tensor>>;
  readonly outputs?: number;
}

/** One node on inputs: in a plain call, which `defn` has to repeat bit for bit where every shape is known. */
function run(
  op: string,
  inputs: readonly Tensor[],
  attributes: Attributes = {},
  { opset = 22, constants = {}, outputs = 1 }: Options = {},
): Tensor[] {
  const names = inputs.map((_, i) => `x${i}`);
  const results = Array.from({ length: outputs }, (_, i) => `y${i}`);
  const all = [...names, ...Object.keys(constants)].join(" ");
  const fn = fromOnnx(
    model(graph(names.join(", "), results.join(", "), [node(op, all, results.join(" "), attributes)], constants), {
      opset,
    }),
  );
  const plain = fn(inputs);
  const compiled = Nx.defn((...list: Tensor[]) => fn(list))(...inputs);
  for (const name of results)
    expect(Nx.toBinary(compiled[name]!), `${op} through defn`).toEqual(Nx.toBinary(plain[name]!));
  return results.map((name) => plain[name]!);
}

const one = (...args: Parameters<typeof run>): Tensor => run(...args)[0]!;

const random = (seed: number, shape: number[]): Tensor =>
  Nx.Random.normalSplit(Nx.Random.key(seed), { shape }) as Tensor;

function near(a: Tensor, b: Tensor, bound = 1e-5): void {
  expect(a.shape).toEqual(b.shape);
  expect(Number(Nx.toNumber(Nx.reduceMax(Nx.abs(Nx.subtract(a, b)))))).toBeLessThan(bound);
}

const s64 = (list: number[]): Tensor => Nx.tensor(list, { type: "s64" });
const same = (a: Tensor, b: Tensor): void =>
  expect([a.type, a.shape, Nx.toFlatList(a)]).toEqual([b.type, b.shape, Nx.toFlatList(b)]);

/** Mean 0 and variance 1 over axes. */
function standard(x: Tensor, axes: number[], epsilon: number): Tensor {
  const centred = x.subtract(Nx.mean(x, { axes, keepAxes: true }));
  return Nx.divide(centred, Nx.sqrt(Nx.add(Nx.variance(x, { axes, keepAxes: true }), epsilon))) as Tensor;
}

describe("normalization", () => {
  const x = random(1, [2, 4, 3, 3]);
  const parted = standard(x.reshape([2, 2, 18]), [2], 1e-5).reshape([2, 4, 3, 3]);

  it("GroupNormalization scales groups before version 21, channels from it on", () => {
    const [two, four] = [Nx.f32([2, 3]), Nx.f32([1, 2, 3, 4])];
    const groups = Nx.f32([2, 2, 3, 3]).reshape([1, 4, 1, 1]);
    near(
      one("GroupNormalization", [x, two, two], { num_groups: 2 }, { opset: 18 }),
      parted.multiply(groups).add(groups) as Tensor,
    );
    const wide = four.reshape([1, 4, 1, 1]);
    near(one("GroupNormalization", [x, four, four], { num_groups: 2 }), parted.multiply(wide).add(wide) as Tensor);
  });

  it("RMSNormalization, LpNormalization and LpPool", () => {
    const scale = Nx.f32([1, 2, 3]);
    const root = Nx.sqrt(Nx.mean(x.multiply(x), { axes: [3], keepAxes: true }).add(1e-5));
    near(one("RMSNormalization", [x, scale], {}, { opset: 23 }), x.divide(root).multiply(scale) as Tensor);
    near(
      one("LpNormalization", [x], { axis: 1, p: 1 }),
      x.divide(Nx.sum(Nx.abs(x), { axes: [1], keepAxes: true })) as Tensor,
    );
    same(one("LpNormalization", [Nx.f32([0, 0])], { axis: 0 }), Nx.f32([0, 0]));
    const squares = Nx.windowSum(x.multiply(x), [1, 1, 2, 2]);
    near(one("LpPool", [x], { kernel_shape: [2, 2] }), Nx.sqrt(squares) as Tensor);
    near(one("GlobalLpPool", [x], { p: 1 }), Nx.sum(Nx.abs(x), { axes: [2, 3], keepAxes: true }) as Tensor, 1e-4);
  });
});

describe("convolutions", () => {
  it.each([
    [{ strides: [2, 2], pads: [1, 0, 1, 1], group: 2 }, [2, 4, 7, 6]],
    [{ dilations: [2, 1], group: 1 }, [1, 4, 6, 5]],
    [{ strides: [1, 2], auto_pad: "SAME_UPPER" }, [1, 4, 5, 6]],
  ])("ConvTranspose is the adjoint of Conv: %o", (attributes: Attributes, shape) => {
    const group = (attributes["group"] as number | undefined) ?? 1;
    const [x, w] = [random(2, shape), random(3, [6, 4 / group, 3, 2])];
    const y = one("Conv", [x, w], attributes);
    const z = random(4, [...y.shape]);
    const given = attributes["auto_pad"] === undefined ? attributes : { ...attributes, output_shape: shape.slice(2) };
    // sizes that strides do not reach are named
    const back = one("ConvTranspose", [z, w], { ...given, ...reach(attributes, shape, y.shape) });
    const [left, right] = [Nx.sum(y.multiply(z)), Nx.sum(x.multiply(back))].map((t) => Number(Nx.toNumber(t))) as [
      number,
      number,
    ];
    expect(Math.abs(left - right)).toBeLessThan(1e-3 * Math.max(1, Math.abs(left)));
  });

  /** `output_padding` that brings the transpose back to the shape. */
  function reach(attributes: Attributes, shape: readonly number[], out: readonly number[]): Attributes {
    if (attributes["auto_pad"] !== undefined) return {};
    const [strides, pads, dilations] = [
      attributes["strides"] ?? [1, 1],
      attributes["pads"] ?? [0, 0, 0, 0],
      attributes["dilations"] ?? [1, 1],
    ] as number[][];
    const kernel = [3, 2];
    const output_padding = kernel.map(
      (k, i) =>
        shape[i + 2]! - ((out[i + 2]! - 1) * strides![i]! + (k - 1) * dilations![i]! + 1 - pads![i]! - pads![i + 2]!),
    );
    return { output_padding };
  }

  it("integers are exact beyond what f32 holds", () => {
    const x = Nx.full([1, 600, 1], 255, { type: "u8" }) as Tensor;
    const sums = one("ConvInteger", [x, x], {});
    same(sums, Nx.tensor([[[600 * 255 * 255]]], { type: "s32" }));
  });
});

describe("attention", () => {
  const [q, k, v] = [random(5, [1, 4, 3, 8]), random(6, [1, 2, 5, 8]), random(7, [1, 2, 5, 6])];
  const wide = (t: Tensor): Tensor => Nx.repeat(t, 2, { axis: 1 }) as Tensor;
  const shares = (mask: Tensor): Tensor => {
    const scores = Nx.einsum("bhqd,bhkd->bhqk", q, wide(k)) as Tensor;
    return Nx.softmax(scores.divide(Math.sqrt(8)).add(mask), { axis: 3 }) as Tensor;
  };
  const attend = (mask: Tensor): Tensor => Nx.einsum("bhqk,bhkd->bhqd", shares(mask), wide(v)) as Tensor;

  /** The first query sees the first key, and so many more. */
  const causal = (past: number): Tensor =>
    Nx.where(Nx.tril(Nx.ones([3, 5], { type: "u8" }), { k: past }), 0, Nx.f32(-Infinity)) as Tensor;

  it("is shared among heads, masked, causal", () => {
    const none = Nx.zeros([3, 5], { type: "f32" }) as Tensor;
    near(one("Attention", [q, k, v], {}, { opset: 23 }), attend(none));
    const truth = Nx.tensor([[1, 0, 1, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 1, 1]], { type: "u8" }); // prettier-ignore
    near(
      one("Attention", [q, k, v, truth], {}, { opset: 23 }),
      attend(Nx.where(truth, 0, Nx.f32(-Infinity)) as Tensor),
    );
    near(one("Attention", [q, k, v], { is_causal: 1 }, { opset: 23 }), attend(causal(0)));
  });

  it("takes heads side by side, and keys of before", () => {
    const flat = (t: Tensor): Tensor =>
      Nx.transpose(t, { axes: [0, 2, 1, 3] }).reshape([1, t.shape[2]!, t.shape[1]! * t.shape[3]!]) as Tensor;
    const heads = { q_num_heads: 4, kv_num_heads: 2 };
    const expected = attend(Nx.zeros([3, 5], { type: "f32" }) as Tensor);
    near(one("Attention", [flat(q), flat(k), flat(v)], heads, { opset: 23 }), flat(expected));
    const [before, after] = [(t: Tensor) => Nx.slice(t, [0, 0, 0, 0], [1, 2, 2, t.shape[3]!]), (t: Tensor) => Nx.slice(t, [0, 0, 2, 0], [1, 2, 3, t.shape[3]!])]; // prettier-ignore
    const mask = Nx.zeros([3, 5], { type: "f32" }) as Tensor;
    const inputs = [q, after(k), after(v), mask, before(k), before(v)] as Tensor[];
    const [y, key] = run("Attention", inputs, {}, { opset: 23, outputs: 3 });
    near(y!, expected);
    near(key!, k);
    const [seen] = run("Attention", inputs, { is_causal: 1 }, { opset: 23, outputs: 3 });
    near(seen!, attend(causal(2)));
  });

  it("RotaryEmbedding turns pairs, in halves or side by side", () => {
    const x = random(8, [1, 2, 3, 4]);
    const angle = random(9, [3, 2]);
    const [c, s] = [Nx.cos(angle).reshape([1, 1, 3, 2]), Nx.sin(angle).reshape([1, 1, 3, 2])];
    const rotated = (a: Tensor, b: Tensor): [Tensor, Tensor] => [c.multiply(a).subtract(s.multiply(b)), s.multiply(a).add(c.multiply(b))] as [Tensor, Tensor]; // prettier-ignore
    const part = (t: Tensor, i: number): Tensor => Nx.sliceAlongAxis(t, i * 2, 2, { axis: 3 }) as Tensor;
    const caches = [Nx.cos(angle).reshape([1, 3, 2]), Nx.sin(angle).reshape([1, 3, 2])] as Tensor[];
    near(
      one("RotaryEmbedding", [x, ...caches], {}, { opset: 23 }),
      Nx.concatenate(rotated(part(x, 0), part(x, 1)), { axis: 3 }) as Tensor,
    );
    const paired = x.reshape([1, 2, 3, 2, 2]);
    const side = (i: number): Tensor =>
      Nx.squeeze(Nx.sliceAlongAxis(paired, i, 1, { axis: 4 }), { axes: [4] }) as Tensor;
    const expected = Nx.stack(rotated(side(0), side(1)), { axis: 4 }).reshape([1, 2, 3, 4]) as Tensor;
    near(one("RotaryEmbedding", [x, ...caches], { interleaved: 1 }, { opset: 23 }), expected);
  });
});

describe("sampling", () => {
  it("the grid of the identity gives the picture back", () => {
    const x = random(10, [2, 3, 4, 5]);
    const identity = Nx.tensor([[[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 1, 0]]], { type: "f32" }); // prettier-ignore
    for (const align_corners of [0, 1]) {
      const grid = one("AffineGrid", [identity], { align_corners }, { constants: { size: s64([2, 3, 4, 5]) } });
      for (const mode of ["linear", "cubic", "nearest"]) near(one("GridSample", [x, grid], { mode, align_corners }), x);
    }
  });

  it("Resize keeps what is constant, with antialiasing too, and resizes the axes that are named", () => {
    const x = Nx.full([1, 1, 9, 7], 2.5, { type: "f32" }) as Tensor;
    for (const mode of ["nearest", "linear", "cubic"]) {
      for (const antialias of mode === "nearest" ? [0] : [0, 1]) {
        const y = fromOnnx(
          model(
            graph("x", "y", [node("Resize", "x _ _ sizes", "y", { mode, antialias, axes: [2, 3] })], {
              sizes: s64([4, 10]),
            }),
          ),
        )(x);
        near(y["y"]!, Nx.full([1, 1, 4, 10], 2.5, { type: "f32" }) as Tensor);
      }
    }
    const line = Nx.f32([0, 1, 2, 3, 4, 5, 6, 7]).reshape([1, 1, 1, 8]);
    const half = fromOnnx(
      model(
        graph("x", "y", [node("Resize", "x _ scales", "y", { mode: "linear", antialias: 1 })], {
          scales: Nx.f32([1, 1, 1, 0.5]),
        }),
      ),
    );
    // triangles over four entries: weights 1, 3, 3, 1, where entries beyond the ends are those of the ends
    near(half(line)["y"]!, Nx.f32([5 / 8, 2.5, 4.5, 51 / 8]).reshape([1, 1, 1, 4]) as Tensor);
  });
});

describe("small operators", () => {
  const x = Nx.f32([[1, 2, 3], [4, 5, 6]]); // prettier-ignore
  it.each<[string, readonly Tensor[], Attributes, Options, Tensor]>([
    ["CumProd", [x], {}, { opset: 26, constants: { axis: s64([1]) } }, Nx.f32([[1, 2, 6], [4, 20, 120]])], // prettier-ignore
    ["CumProd", [x], { exclusive: 1, reverse: 1 }, { opset: 26, constants: { axis: s64([1]) } }, Nx.f32([[6, 3, 1], [30, 6, 1]])], // prettier-ignore
    ["BitCast", [Nx.f32([1, -2])], { to: 12 }, { opset: 26 }, Nx.tensor([0x3f800000, 0xc0000000], { type: "u32" })],
    ["CenterCropPad", [x], {}, { constants: { shape: s64([4, 1]) } }, Nx.f32([[0], [2], [5], [0]])],
    ["Trilu", [x], { upper: 0 }, { constants: { k: s64([1]) } }, Nx.f32([[1, 2, 0], [4, 5, 6]])], // prettier-ignore
    ["Swish", [Nx.f32([0, 1])], { alpha: { float: 2 } }, { opset: 24 }, Nx.f32([0, 1 / (1 + Math.exp(-2))])],
    ["Mish", [Nx.f32([0, 1])], {}, {}, Nx.f32([0, Math.tanh(Math.log(1 + Math.E))])],
    [
      "ScatterElements",
      [Nx.f32([1, 2, 3]), s64([0, 0, -1]), Nx.f32([5, 7, 2])],
      { reduction: "max" },
      {},
      Nx.f32([7, 2, 3]),
    ],
    [
      "ScatterElements",
      [Nx.f32([1, 2, 3]), s64([0, 0, -1]), Nx.f32([5, 7, 2])],
      { reduction: "mul" },
      {},
      Nx.f32([35, 2, 6]),
    ],
    ["ScatterND", [x, Nx.tensor([[1], [1]]), x], { reduction: "min" }, {}, Nx.f32([[1, 2, 3], [1, 2, 3]]) as Tensor], // prettier-ignore
    ["Pad", [x], { mode: "wrap" }, { constants: { pads: s64([0, 1, 0, 2]) } }, Nx.f32([[3, 1, 2, 3, 1, 2], [6, 4, 5, 6, 4, 5]])], // prettier-ignore
    ["Compress", [x], { axis: 1 }, { constants: { condition: Nx.u8([0, 1, 1]) } }, Nx.f32([[2, 3], [5, 6]])], // prettier-ignore
    ["ReduceMax", [Nx.u8([0, 1, 0])], { keepdims: 0 }, {}, Nx.u8(1)],
    ["ReduceSum", [Nx.tensor([100, 100], { type: "s8" })], { keepdims: 0 }, {}, Nx.tensor(-56, { type: "s8" })],
    ["Gather", [x, s64([-1, 0])], { axis: 1 }, {}, Nx.f32([[3, 1], [6, 4]])], // prettier-ignore
    ["Cast", [Nx.f32([0, 0.5, -3])], { to: 9 }, {}, Nx.u8([0, 1, 1])],
    ["Cast", [Nx.tensor([300, -1])], { to: 2 }, {}, Nx.u8([44, 255])],
  ])("%s", (op, inputs, attributes, options, expected) => {
    near(one(op, inputs, attributes, options), expected, 1e-6);
    expect(one(op, inputs, attributes, options).type).toBe(expected.type);
  });

  it("random operators draw the same for the same seed, within their bounds", () => {
    const draw = (seed: number): Tensor =>
      one("RandomUniform", [], { shape: [1000], seed: { float: seed }, low: { float: 2 }, high: { float: 3 } });
    same(draw(1), draw(1));
    expect(Nx.toFlatList(draw(1))).not.toEqual(Nx.toFlatList(draw(2)));
    const numbers = Nx.toFlatList(draw(3)) as number[];
    expect(numbers.every((each) => each >= 2 && each < 3)).toBe(true);
    const normal = one("RandomNormalLike", [Nx.zeros([10_000], { type: "f64" }) as Tensor], {
      mean: { float: 5 },
      scale: { float: 2 },
    });
    expect([normal.type, Math.abs(Number(Nx.toNumber(Nx.mean(normal))) - 5) < 0.1, Math.abs(Number(Nx.toNumber(Nx.standardDeviation(normal))) - 2) < 0.1]).toEqual(["f64", true, true]); // prettier-ignore
    const chosen = one("Multinomial", [Nx.f32([[-100, 0, -100]])], { sample_size: 20 });
    same(chosen, Nx.full([1, 20], 1, { type: "s32" }) as Tensor);
    expect(Nx.toNumber(Nx.mean(one("Bernoulli", [Nx.full([10_000], 0.25, { type: "f32" }) as Tensor])))).toBeCloseTo(
      0.25,
      1,
    );
  });
});

describe("versions", () => {
  const x = random(11, [2, 3, 4]);

  it("axes are attributes first, then inputs", () => {
    const sum = Nx.sum(x, { axes: [1], keepAxes: true }) as Tensor;
    near(one("ReduceSum", [x], { axes: [1] }, { opset: 12 }), sum);
    near(one("ReduceSum", [x], {}, { constants: { axes: s64([-2]) } }), sum);
    const wide = x.reshape([2, 1, 3, 4]);
    same(one("Unsqueeze", [x], { axes: [1] }, { opset: 11 }), wide as Tensor);
    same(one("Unsqueeze", [x], {}, { constants: { axes: s64([-3]) } }), wide as Tensor);
    same(one("Squeeze", [wide as Tensor], { axes: [1] }, { opset: 11 }), x);
    const part = Nx.slice(x, [0, 1, 0], [2, 2, 4]) as Tensor;
    same(one("Slice", [x], { axes: [1], starts: [1], ends: [9] }, { opset: 9 }), part);
    same(one("Slice", [x], {}, { constants: { starts: s64([1]), ends: s64([9]), axes: s64([1]) } }), part);
    same(
      run("Split", [x], { axis: 2, split: [1, 3] }, { opset: 11, outputs: 2 })[1]!,
      Nx.slice(x, [0, 0, 1], [2, 3, 3]) as Tensor,
    );
    same(
      run("Split", [x], { axis: 2, num_outputs: 3 }, { opset: 18, outputs: 2 })[1]!,
      Nx.slice(x, [0, 0, 2], [2, 3, 2]) as Tensor,
    );
    same(one("TopK", [x], { k: 1, axis: 2 }, { opset: 9 }), Nx.reduceMax(x, { axes: [2], keepAxes: true }) as Tensor);
    same(
      one("Clip", [x], { min: { float: -0.5 }, max: { float: 0.5 } }, { opset: 6 }),
      Nx.clip(x, -0.5, 0.5) as Tensor,
    );
    near(one("Pad", [x], { pads: [0, 0, 1, 0, 0, -1], value: { float: 7 } }, { opset: 10 }), Nx.pad(x, 7, [[0, 0], [0, 0], [1, -1]]) as Tensor); // prettier-ignore
  });

  it("Softmax is over all axes from one on before version 13", () => {
    const whole = Nx.softmax(x.reshape([2, 12]), { axis: 1 }).reshape([2, 3, 4]) as Tensor;
    near(one("Softmax", [x], {}, { opset: 11 }), whole);
    near(one("Softmax", [x], {}, { opset: 13 }), Nx.softmax(x, { axis: 2 }) as Tensor);
  });

  it("operands before version 7 are aligned at an axis", () => {
    const bias = Nx.f32([1, 2, 3]);
    same(one("Add", [x, bias], { axis: 1, broadcast: 1 }, { opset: 6 }), x.add(bias.reshape([3, 1])) as Tensor);
    same(
      one("PRelu", [x, bias], {}, { opset: 6 }),
      Nx.where(Nx.less(x, 0), x.multiply(bias.reshape([1, 3, 1])), x) as Tensor,
    );
  });

  it("DFT takes its axis as an input from version 20 on", () => {
    const pairs = random(12, [2, 5, 3, 2]);
    const old = one("DFT", [pairs], { axis: 1 }, { opset: 17 });
    const made = fromOnnx(
      model(graph("x", "y", [node("DFT", "x _ axis", "y")], { axis: Nx.tensor(1, { type: "s64" }) }), { opset: 20 }),
    );
    same(made(pairs)["y"]!, old);
  });
});

describe("control flow", () => {
  const less: GraphInit = graph("", "r", [node("Neg", "x", "r")]);
  const more: GraphInit = graph("", "r", [node("Add", "x x", "r")]);
  const branches = model(
    graph("c, x", "y", [node("If", "c", "y", { then_branch: { graph: less }, else_branch: { graph: more } })]),
  );

  it("If takes a branch, known or not, and has a gradient", () => {
    const fn = fromOnnx(branches);
    const x = Nx.f32([1, 2]);
    for (const [c, expected] of [
      [1, [-1, -2]],
      [0, [2, 4]],
    ] as const) {
      // prettier-ignore
      const given = { c: Nx.u8(c), x };
      expect(fn(given)["y"]!.toList()).toEqual(expected);
      expect(Nx.defn(fn)(given)["y"]!.toList()).toEqual(expected);
      expect(Nx.grad((t: Tensor) => Nx.sum(fn({ c: Nx.u8(c), x: t })["y"]!))(x).toList()).toEqual(
        c ? [-1, -1] : [2, 2],
      );
    }
  });

  /** Doubles until the limit is reached: the condition depends on data. */
  const doubling = model(
    graph("x", "y, steps", [
      node("Less", "x limit", "on"),
      node("Loop", "_ on x zero", "y steps", {
        body: {
          graph: graph("i, on_in, v, n", "on_out, w, m", [
            node("Add", "v v", "w"),
            node("Add", "n one", "m"),
            node("Less", "w limit", "on_out"),
          ]),
        },
      }),
    ], { limit: Nx.f32(100), zero: Nx.tensor(0), one: Nx.tensor(1) }), // prettier-ignore
  );

  it("Loop goes on as data says", () => {
    const fn = fromOnnx(doubling);
    for (const [x, y, steps] of [
      [3, 192 / 1.5, 0],
      [200, 200, 0],
    ] as const) {
      // prettier-ignore
      const expected = x === 3 ? [192, 6] : [y, steps];
      expect(Object.values(fn(Nx.f32(x))).map((t) => t.toNumber())).toEqual(expected);
      expect(Object.values(Nx.defn((t: Tensor) => fn(t))(Nx.f32(x))).map((t) => t.toNumber())).toEqual(expected);
    }
    expect(Nx.grad((t: Tensor) => fn(t)["y"]!)(Nx.f32(3)).toNumber()).toBe(64);
  });

  it("Loop ends after so many steps or when data says so, whichever is first", () => {
    const body = graph("i, on_in, v", "on_out, w", [node("Add", "v v", "w"), node("Less", "w limit", "on_out")]);
    const fn = fromOnnx(
      model(graph("x, n", "y", [node("Less", "x limit", "on"), node("Loop", "n on x", "y", { body: { graph: body } })], { limit: Nx.f32(100) })), // prettier-ignore
    );
    const compiled = Nx.defn((x: Tensor, n: Tensor) => fn([x, n]));
    for (const [n, expected] of [
      [0, 3],
      [2, 12],
      [100, 192],
    ] as const) {
      // prettier-ignore
      expect(fn([Nx.f32(3), Nx.tensor(n)])["y"]!.toNumber()).toBe(expected);
      expect(compiled(Nx.f32(3), Nx.tensor(n))["y"]!.toNumber()).toBe(expected);
    }
  });

  /** Running products: a known number of steps, with what they stack. */
  const counted = (steps: number): Uint8Array =>
    model(
      graph("x", "y, all", [
        node("Loop", "steps _ one", "y all", {
          body: { graph: graph("i, on_in, v", "on_out, w, w2", [node("Mul", "v x", "w"), node("Identity", "on_in", "on_out"), node("Identity", "w", "w2")]) },
        }),
      ], { steps: Nx.tensor(steps), one: Nx.f32(1) }), // prettier-ignore
    );

  it.each([5, 40])("Loop of %d steps stacks what each gives, written out or as a scan", (steps) => {
    const fn = fromOnnx(counted(steps));
    const powers = Array.from({ length: steps }, (_, i) => 0.5 ** (i + 1));
    for (const call of [fn, Nx.defn((t: Tensor) => fn(t))]) {
      const { y, all } = call(Nx.f32(0.5)) as { y: Tensor; all: Tensor };
      expect([y.toNumber(), all.toList()]).toEqual([powers.at(-1), powers]);
    }
    const derivative = Nx.grad((t: Tensor) => fn(t)["y"]!)(Nx.f32(0.5)).toNumber() as number;
    expect(derivative / (steps * 0.5 ** (steps - 1))).toBeCloseTo(1, 5);
  });

  it("Scan goes along other axes, and from the end", () => {
    const body = graph("s, e", "t, o", [node("Add", "s e", "t"), node("Identity", "t", "o")]);
    const attributes = {
      body: { graph: body },
      num_scan_inputs: 1,
      scan_input_axes: [1],
      scan_input_directions: [1],
      scan_output_axes: [-1],
      scan_output_directions: [1],
    };
    const x = Nx.f32([[1, 2, 3], [4, 5, 6]]); // prettier-ignore
    const [last, all] = run("Scan", [Nx.f32([0, 0]), x], attributes, { outputs: 2 });
    same(last!, Nx.f32([6, 15]));
    same(all!, Nx.f32([[6, 5, 3], [15, 11, 6]])); // prettier-ignore
  });

  it("functions of the model run with the attributes of the call", () => {
    const scaled = {
      name: "Scaled",
      domain: "mine",
      input: ["a"],
      output: ["b"],
      attribute: ["factor"],
      opsetImport: [{ domain: "", version: 22n }],
      node: [
        { ...node("Constant", "", "f"), attribute: [{ name: "value_float", refAttrName: "factor", type: 1 }] },
        node("Mul", "a f", "b"),
      ],
    };
    const calls = [
      node("Scaled", "x", "h", { factor: { float: 3 } }, "mine"),
      node("Scaled", "h", "y", { factor: { float: 0.5 } }, "mine"),
    ];
    const fn = fromOnnx(model(graph("x", "y", calls), { functions: [scaled], domains: ["mine"] }));
    expect(fn(Nx.f32([2]))["y"]!.toList()).toEqual([3]);
  });

  it("sequences hold tensors that are traced", () => {
    const nodes = [
      node("SplitToSequence", "x", "parts", { axis: 0, keepdims: 0 }),
      node("SequenceAt", "parts last", "end"),
      node("SequenceInsert", "parts end zero", "longer"),
      node("SequenceErase", "longer one", "shorter"),
      node("SequenceLength", "shorter", "n"),
      node("ConcatFromSequence", "shorter", "y", { axis: 0, new_axis: 1 }),
    ];
    const fn = fromOnnx(
      model(graph("x", "y, n", nodes, { last: Nx.tensor(-1), zero: Nx.tensor(0), one: Nx.tensor(1) })),
    );
    const { y, n } = Nx.defn((t: Tensor) => fn(t))(Nx.f32([[1, 2], [3, 4], [5, 6]])) as { y: Tensor; n: Tensor }; // prettier-ignore
    expect([y.toList(), n.toNumber()]).toEqual([[[5, 6], [3, 4], [5, 6]], 3]); // prettier-ignore
  });
});

describe("the table of operators", () => {
  it("has as many as it says", () => {
    expect(Object.keys(OPERATORS[""]!).length).toBeGreaterThanOrEqual(150);
    expect(value("x f32 3").name).toBe("x");
  });
});
