/**
 * `nx-numerics/files`: tensors in files, blobs, responses and streams, by the formats of the library. Loads wherever
 * JavaScript runs; what needs Node's file system asks for it when it is called.
 */
export {
  decode,
  encode,
  formatOf,
  type Decoded,
  type EncodeOptions,
  type FileFormat,
  type FileOptions,
} from "./formats";
export { readFile, writeFile, type ReadFileOptions, type WriteFileOptions } from "./disk";
export {
  fromBlob,
  readStream,
  toBlob,
  type ByteStream,
  type ReadOptions,
  type WebStream,
  type WithBytes,
} from "./streams";
