/**
 * The functions of `nx-numerics/onnx`, `/onnxruntime` and `/triton` with wrong arguments: what they refuse is an error of the library, wherever
 * in the arguments the wrong value stands.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { fromOnnx, toOnnx } from "nx-numerics/onnx";
import { onnxruntime } from "nx-numerics/onnxruntime";
import { decodeRequest, encodeResponse, triton, tritonModel, type FetchLike } from "nx-numerics/triton";

/** Values that are wrong nearly everywhere. */
const HOSTILE: readonly unknown[] = [
  null,
  undefined,
  NaN,
  -1,
  1.5,
  2 ** 53,
  1n,
  true,
  "",
  "x",
  "__proto__",
  Symbol("s"),
  [],
  [null],
  [[]],
  {},
  { x: null },
  Object.create(null),
  new Date(0),
  new Map(),
  new Uint8Array(3),
  () => null,
  Nx.f32([1, 2]),
  Nx.template(["n"], "f32"),
];

type Path = readonly (string | number)[];

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype);

/** Every place within a value. */
const placesIn = (value: unknown, path: Path = []): Path[] => [
  path,
  ...(isPlain(value) ? Object.entries(value).flatMap(([key, part]) => placesIn(part, [...path, key])) : []),
];

/** The value with another one at a place. */
function replaced(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, other);
  return copy;
}

const double = (t: Nx.Tensor): Nx.Tensor => Nx.add(t, t);
const file = toOnnx((x: Nx.Tensor, w: Nx.Tensor) => x.dot(w), [Nx.template(["n", 2], "f32"), Nx.f32([[1], [2]])], { inputNames: ["x", "w"] }); // prettier-ignore
const closed = toOnnx((x: Nx.Tensor) => x.multiply(Nx.f32([3, 4])), [Nx.template(["n", 2], "f32")]);
const scaled = fromOnnx(closed.bytes);
const [weight] = Object.keys(scaled.parameters);

class Echo {
  constructor(
    readonly type: string,
    readonly data: unknown,
    readonly dims: readonly number[],
  ) {}
  readonly getData = async () => this.data;
  readonly dispose = () => undefined;
}
const engine = {
  InferenceSession: {
    create: async () => ({
      run: async (feeds: Record<string, Echo>) => ({ output0: feeds["input0"] }),
      release: async () => undefined,
    }),
  },
  Tensor: Echo,
};
const running = onnxruntime(double, [Nx.template(["n"], "f32")], { engine: engine as never });

const answered: FetchLike = async (_, { body }) => {
  const value = { name: "x", datatype: "FP32", shape: [-1] };
  if (!body) return Response.json({ versions: ["1"], inputs: [value], outputs: [value] });
  return Response.json({ outputs: [{ ...value, shape: [1], data: [1] }] });
};
const options = {
  url: "http://localhost",
  version: 1,
  names: { x: ["a"] },
  retries: 0,
  timeout: 50,
  maxBytes: 1000,
  headers: { a: "b" },
  fetch: answered,
};
const asked = triton("m", options);

type Fn = (...args: never[]) => unknown;

/** Functions with arguments that they take. */
const CALLS: Readonly<Record<string, readonly [fn: Fn, args: readonly unknown[]]>> = {
  toOnnx: [
    toOnnx,
    [
      double,
      [Nx.template(["n"], "f32", { names: ["a"] })],
      { opset: 20, inputNames: ["x"], outputNames: ["y"], strict: true, boundary: { bf16: "f32" } },
    ],
  ],
  fromOnnx: [fromOnnx, [file.bytes, { names: { x: ["a", null] }, limits: { bytes: 1e6, elements: 100 } }]],
  "a model by fromOnnx": [fromOnnx(file.bytes), [{ x: Nx.f32([[1, 2]]), w: Nx.f32([[1], [2]]) }]], // prettier-ignore
  "a model by fromOnnx, with weights": [scaled, [[Nx.f32([[1, 2]])], { [weight!]: Nx.f32([5, 6]) }]], // prettier-ignore
  onnxruntime: [
    onnxruntime,
    [
      double,
      [Nx.template(["n"], "f32")],
      { engine, providers: ["cpu"], threads: 1, strict: true, opset: 22, session: { a: 1 } },
    ],
  ],
  "a function by onnxruntime": [async (...args: never[]) => ((await running) as Fn)(...args), [Nx.f32([1, 2])]],
  triton: [triton, ["m", options]],
  "a model by triton": [
    async (...args: never[]) => ((await asked) as Fn)(...args),
    [{ x: Nx.f32([1]) }, { outputs: ["x"] }],
  ],
  "the health of a model": [async (...args: never[]) => ((await asked).health as Fn)(...args), [{}]],
  decodeRequest: [decodeRequest, [new TextEncoder().encode('{"inputs":[]}'), "13"]],
  encodeResponse: [
    encodeResponse,
    [{ y: Nx.u8([0, 1]) }, { binary: true, datatypes: { y: "BOOL" }, fields: { model_name: "m" } }],
  ],
  tritonModel: [
    tritonModel,
    [
      { bytes: file.bytes, inputs: file.inputs, outputs: file.outputs },
      { name: "m", maxBatchSize: 0, version: 2 },
    ],
  ],
};

const again = async (fn: Fn, args: readonly unknown[]): Promise<unknown> => {
  try {
    return await fn(...(args as never[]));
  } catch (error) {
    return error;
  }
};

describe("wrong arguments", () => {
  it.each(Object.entries(CALLS))("%s", { timeout: 60_000 }, async (_, [fn, args]) => {
    expect(await again(fn, args)).not.toBeInstanceOf(Error);
    const wrong: string[] = [];
    for (const path of placesIn(args).filter(({ length }) => length > 0)) {
      for (const [i, other] of HOSTILE.entries()) {
        const outcome = await again(fn, replaced(args, path, other) as readonly unknown[]);
        const isOurs = !(outcome instanceof Error) || outcome instanceof Nx.NxError;
        if (!isOurs) wrong.push(`${path.join(".")}, value ${i}: ${String(outcome)}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
