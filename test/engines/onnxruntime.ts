/**
 * Functions of tensors on onnxruntime: what `toOnnx` makes of them, run on the CPU.
 */
import * as Nx from "nx-numerics";
import { toOnnx, type OnnxModel, type ToOnnxOptions } from "nx-numerics/onnx";

/** What is used of onnxruntime-node and onnxruntime-web. */
export interface Engine {
  readonly env: { logLevel?: string };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => EngineTensor;
  readonly InferenceSession: {
    create(bytes: Uint8Array, options?: object): Promise<Session>;
  };
}

interface EngineTensor {
  readonly type: string;
  readonly data: ArrayBufferView;
  readonly dims: readonly number[];
}

export interface Session {
  run(feeds: Readonly<Record<string, EngineTensor>>): Promise<Readonly<Record<string, EngineTensor>>>;
  release(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  u8: "uint8",
  u16: "uint16",
  u32: "uint32",
  u64: "uint64",
  s8: "int8",
  s16: "int16",
  s32: "int32",
  s64: "int64",
  f16: "float16",
  f32: "float32",
  f64: "float64",
};

const BACK: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TYPES).map(([own, its]) => [its, own]),
);

const ARRAYS: Readonly<Record<string, new (buffer: ArrayBuffer) => ArrayBufferView>> = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: BigUint64Array,
  s8: Int8Array,
  s16: Int16Array,
  s32: Int32Array,
  s64: BigInt64Array,
  f16: Uint16Array,
  f32: Float32Array,
  f64: Float64Array,
};

const given = (engine: Engine, tensor: Nx.Tensor): EngineTensor => {
  const bytes = Nx.toBinary(tensor);
  const Elements = ARRAYS[tensor.type];
  if (!Elements) throw new Error(`onnxruntime-node has no tensors of ${tensor.type}`);
  return new engine.Tensor(TYPES[tensor.type]!, new Elements(Uint8Array.from(bytes).buffer), [...tensor.shape]);
};

const taken = ({ type, data, dims }: EngineTensor): Nx.Tensor => {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return Nx.reshape(Nx.fromBinary(Uint8Array.from(bytes), BACK[type] as Nx.DType, { backend: "binary" }), [...dims]);
};

/** A model that is loaded. */
export class Loaded {
  constructor(
    private readonly engine: Engine,
    private readonly session: Session,
    readonly model: Pick<OnnxModel, "inputs" | "outputs">,
  ) {}

  /** The results, in order. */
  async run(...tensors: readonly Nx.Tensor[]): Promise<Nx.Tensor[]> {
    const feeds = Object.fromEntries(this.model.inputs.map(({ name }, i) => [name, given(this.engine, tensors[i]!)]));
    const results = await this.session.run(feeds);
    return this.model.outputs.map(({ name }) => taken(results[name]!));
  }

  release(): Promise<void> {
    return this.session.release();
  }
}

export async function load(engine: Engine, model: OnnxModel): Promise<Loaded> {
  const session = await engine.InferenceSession.create(model.bytes, { logSeverityLevel: 4, intraOpNumThreads: 1 });
  return new Loaded(engine, session, model);
}

/** The results of a function for tensors, computed by onnxruntime. */
export async function runOn(
  engine: Engine,
  fn: (...args: never[]) => unknown,
  tensors: readonly Nx.Tensor[],
  options?: ToOnnxOptions,
): Promise<Nx.Tensor[]> {
  const loaded = await load(engine, toOnnx(fn as never, tensors as never, options));
  try {
    return await loaded.run(...tensors);
  } finally {
    await loaded.release();
  }
}
