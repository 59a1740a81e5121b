/**
 * Networks that PyTorch exported (`test/oracles/make_onnx.py`): values, gradients against autograd, transforms.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as Nx from "../../lib/index";
import type { Tensor } from "../../lib/index";
import { fromOnnx, type OnnxFunction } from "../../lib/onnx";

interface Packed {
  readonly shape: readonly number[];
  readonly type: string;
  readonly data: string;
}

interface Case {
  readonly input: Packed;
  readonly output: Packed;
  readonly loss: number;
  readonly gradients: Readonly<Record<string, Packed>>;
  readonly inputGradient?: Packed;
}

interface Network {
  readonly model: OnnxFunction;
  readonly input: string;
  readonly output: string;
  readonly cases: readonly Case[];
}

const TYPES = { float32: "f32", int64: "s64" } as const;

const unpack = ({ shape, type, data }: Packed): Tensor =>
  Nx.fromBinary(new Uint8Array(Buffer.from(data, "base64")), TYPES[type as keyof typeof TYPES]).reshape(shape);

const file = (name: string): Buffer => readFileSync(new URL(`torch/${name}`, import.meta.url));

function read(name: string): Network {
  const written = JSON.parse(file(`${name}.json`).toString()) as Omit<Network, "model">;
  return { ...written, model: fromOnnx(file(`${name}.onnx`)) };
}

const number = (t: Tensor): number => Number(Nx.toNumber(t));

/** The largest difference by the largest element. */
function distance(a: Tensor, b: Tensor): number {
  expect(a.shape).toEqual(b.shape);
  const wide = (t: Tensor): Tensor => t.asType("f64").rename(t.shape.map(() => null)) as Tensor;
  const most = number(Nx.reduceMax(Nx.abs(wide(b))));
  return number(Nx.reduceMax(Nx.abs(wide(a).subtract(wide(b))))) / Math.max(most, 1e-30);
}

const NETWORKS = { cnn: read("cnn"), transformer: read("transformer") };

const BOUND = 2e-6; // sums of a few hundred products of f32, in another order

describe.each(Object.entries(NETWORKS))("the %s", { timeout: 120_000 }, (name, { model, input, output, cases }) => {
  const call = (x: Tensor): Tensor => model({ [input]: x })[output]!;

  it("says what it takes and gives", () => {
    const dims = name === "cnn" ? ["batch", 3, 12, 12] : ["batch", "time"];
    const names = dims.map((dim) => (typeof dim === "string" ? dim : null));
    expect(model.inputs).toEqual([{ name: input, type: name === "cnn" ? "f32" : "s64", dims, names }]);
    expect(model.outputs[0]!.names.slice(0, -1)).toEqual(name === "cnn" ? ["batch"] : ["batch", "time"]);
  });

  it.each(cases.map((each, i) => [i, each] as const))(
    "gives what PyTorch gives, case %d",
    (_, { input: x, output: y }) => {
      expect(distance(call(unpack(x)), unpack(y))).toBeLessThan(BOUND);
    },
  );

  it("gives the same bits in every way to run it", () => {
    for (const { input: x } of cases) {
      const plain = Nx.toBinary(call(unpack(x)));
      expect(Nx.toBinary(Nx.defn(call)(unpack(x)))).toEqual(plain);
      expect(Nx.toBinary(Nx.defn(call, { compiler: "evaluator" })(unpack(x)))).toEqual(plain);
      expect(Nx.toBinary(model(unpack(x))[output]!)).toEqual(plain);
      expect(Nx.toBinary(model([unpack(x)])[output]!)).toEqual(plain);
    }
  });

  it("is near what the binary backend gives, whose products add in another order", () => {
    const { input: x } = cases[0]!;
    const binary = Nx.withDefaultBackend("binary", () => read(name).model(unpack(x))[output]!);
    expect(distance(call(unpack(x)), Nx.backendCopy(binary, Nx.defaultBackend()))).toBeLessThan(BOUND);
  });

  it("has the gradients of autograd", () => {
    const loss = (parameters: Record<string, Tensor>, x: Tensor): Tensor => {
      const y = model({ [input]: x }, parameters)[output]!;
      return Nx.mean(y.multiply(y)) as Tensor;
    };
    for (const { input: packed, gradients, inputGradient, loss: expected } of cases) {
      const x = unpack(packed);
      const [value, found] = Nx.valueAndGrad((p: Record<string, Tensor>) => loss(p, x))({ ...model.parameters });
      expect(Math.abs(number(value as Tensor) / expected - 1)).toBeLessThan(BOUND);
      const weights = Object.entries(gradients).filter(([key]) => Object.hasOwn(model.parameters, key));
      expect(weights.length).toBeGreaterThan(2);
      for (const [key, gradient] of weights) expect(distance(found[key]!, unpack(gradient)), key).toBeLessThan(1e-5);
      if (inputGradient) {
        const own = Nx.defn(Nx.grad((t: Tensor) => loss({}, t)))(x);
        expect(distance(own, unpack(inputGradient))).toBeLessThan(1e-5);
      }
    }
  });

  it("is vectorized over further axes", () => {
    const x = unpack(cases[0]!.input);
    const stacked = Nx.stack([x, Nx.reverse(x, { axes: [0] })], { axis: 0 });
    const all = Nx.Defn.vmap(call)(stacked) as Tensor;
    expect(distance(all.at(0) as Tensor, call(x))).toBeLessThan(BOUND);
    expect(distance(all.at(1) as Tensor, Nx.reverse(call(x) as Tensor, { axes: [0] }))).toBeLessThan(BOUND);
  });
});

describe("weights", () => {
  it("can be replaced one by one", () => {
    const { model, input, output, cases } = NETWORKS.cnn;
    const x = unpack(cases[0]!.input);
    const bias = Nx.f32([1, 2, 3, 4, 5]);
    const moved = model({ [input]: x }, { "head.bias": bias })[output]!;
    const expected = model({ [input]: x }, { "head.bias": Nx.f32([0, 0, 0, 0, 0]) })[output]!.add(bias);
    expect(distance(moved, expected as Tensor)).toBeLessThan(1e-6);
    expect(() => model({ [input]: x }, { bias })).toThrow(/no parameter "bias", only "features.4.weight"/);
    expect(() => model({ [input]: x }, { "head.bias": Nx.f32([1]) })).toThrow(
      /"head.bias" has the shape \[5\], got \[1\]/,
    );
  });
});
