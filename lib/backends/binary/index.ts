/**
 * The binary backend: pure TypeScript, complete, the reference all others are compared with.
 */
import type { Backend, DataMembers } from "../../backend";
import { sizeOf } from "../../core/shape";
import type { Tensor } from "../../tensor";
import { convolutions } from "./conv";
import { creation } from "./creation";
import { decompositions } from "./linalg";
import { interpret } from "../../kernel/interpret/run";
import { fusedBy } from "./kernels";
import { foreign, giveBack } from "./pool";
import { products } from "./dot";
import { elementwise } from "./elementwise";
import { transforms } from "./fft";
import { functions } from "./functions";
import { indexing } from "./indexing";
import { movement } from "./movement";
import { NATIVE } from "./native";
import { reductions } from "./reductions";
import { scans } from "./scan";
import { sorting } from "./sorting";
import { BinaryData, elementsOf, fromBytes, overBytes, toBytes } from "./storage";
import { windows } from "./windows";

/** Lets go of a tensor's elements; false when that was done before. */
function letGo(tensor: Tensor, by?: "tidy"): boolean {
  const data = tensor.data as BinaryData;
  const { elements } = data;
  if (elements === null) return false;
  if (by !== undefined) data.endedBy = by;
  giveBack(elements);
  data.elements = null;
  return true;
}

const dataMembers: DataMembers = {
  name: "binary",
  options: Object.freeze({}),
  portable: true,
  upload: (out, bytes) => new BinaryData(fromBytes(out.type, bytes)),
  adopt: (out, bytes) => new BinaryData(foreign(overBytes(out.type, bytes))),
  download: (tensor, limit = Infinity) =>
    toBytes(elementsOf(tensor), tensor.type, Math.min(limit, sizeOf(tensor.shape))),
  alias: (tensor) => new BinaryData(elementsOf(tensor)),
  deallocate: letGo,
  recycle: (tensor) => void letGo(tensor),
  fused: fusedBy(interpret),
  isNative: (block) => NATIVE.has(block),
};

/** The pure TypeScript backend. */
export const binaryBackend: Backend = {
  ...dataMembers,
  ...convolutions,
  ...creation,
  ...decompositions,
  ...elementwise,
  ...functions,
  ...indexing,
  ...movement,
  ...products,
  ...reductions,
  ...scans,
  ...sorting,
  ...transforms,
  ...windows,
};
