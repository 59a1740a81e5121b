/**
 * Tensors of the library as tensors of onnxruntime, and back. Elements are copied both ways: onnxruntime takes no shared memory, and
 * may use what it gives again.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type DType, type Names, type Tensor } from "nx-numerics";
import type { Engine, EngineData, EngineTensor } from "./engine";

/** How elements of a type travel. */
interface Form {
  readonly type: string;
  readonly array: new (buffer: ArrayBuffer) => EngineData;
}

/** Types that can stand at the boundary; half floats are bits. */
const FORMS: { readonly [T in DType]: Form | null } = {
  u8: { type: "uint8", array: Uint8Array },
  u16: { type: "uint16", array: Uint16Array },
  u32: { type: "uint32", array: Uint32Array },
  u64: { type: "uint64", array: BigUint64Array },
  s8: { type: "int8", array: Int8Array },
  s16: { type: "int16", array: Int16Array },
  s32: { type: "int32", array: Int32Array },
  s64: { type: "int64", array: BigInt64Array },
  f16: { type: "float16", array: Uint16Array },
  f32: { type: "float32", array: Float32Array },
  f64: { type: "float64", array: Float64Array },
  bf16: null,
  c64: null,
  c128: null,
};

/** A tensor for the engine, of a type that can cross the boundary. */
export function toEngine(engine: Engine, tensor: Tensor): EngineTensor {
  const { type, array } = formOf(tensor.type);
  const bytes = Uint8Array.from(Nx.toBinary(tensor)); // of ordinary memory, from its start on
  const data = new array(bytes.buffer);
  return new engine.Tensor(type as never, data as never, tensor.shape) as EngineTensor;
}

function formOf(type: DType): Form {
  const form = FORMS[type];
  if (form !== null) return form;
  throw new ArgumentError(`onnxruntime has no tensors of type ${type}`);
}

/** What the engine gave in the type `outer`, as a tensor of a type; the engine's memory is free after that. */
export async function fromEngine(result: EngineTensor, outer: DType, type: DType, names: Names): Promise<Tensor> {
  const data = (await result.getData()) as EngineData;
  const bytes = Uint8Array.from(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  const { dims } = result;
  result.dispose();
  if (dims.includes(0))
    throw new ArgumentError(`onnxruntime gave a tensor of shape [${dims.join(", ")}], and empty tensors do not exist`);
  return Nx.reshape(Nx.fromBinary(bytes, outer), dims, { names }).asType(type);
}
