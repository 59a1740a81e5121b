/**
 * Tensors as bytes of files: the library's own format, NumPy's and safetensors.
 */
export type { LoadOptions } from "./bytes";
export type { CompressionOptions } from "./deflate";
export type { NamedTensors } from "./named";
export {
  loadNumpy,
  loadNumpyArchive,
  toNumpy,
  toNumpyArchive,
  type LoadArchiveOptions,
  type NumpyOptions,
} from "./numpy";
export {
  loadSafetensors,
  safetensorsInfo,
  toSafetensors,
  type LoadSafetensorsOptions,
  type SafetensorsEntry,
  type SafetensorsInfo,
  type SafetensorsOptions,
} from "./safetensors";
export {
  fromMessage,
  toMessage,
  type FromMessageOptions,
  type Message,
  type MessageOptions,
  type MessageTensor,
} from "./message";
export { deserialize, serialize, type DeserializeOptions } from "./serialize";
export type { RecordFactory } from "./structure";
