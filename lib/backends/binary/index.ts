/**
 * The binary backend: pure TypeScript, complete, the reference all others are compared with.
 */
import type { Backend, DataMembers } from "../../backend";
import { sizeOf } from "../../core/shape";
import { creation } from "./creation";
import { elementwise } from "./elementwise";
import { functions } from "./functions";
import { indexing } from "./indexing";
import { movement } from "./movement";
import { reductions } from "./reductions";
import { sorting } from "./sorting";
import { BinaryData, elementsOf, fromBytes, toBytes } from "./storage";

const dataMembers: DataMembers = {
  name: "binary",
  options: Object.freeze({}),
  portable: true,
  upload: (out, bytes) => new BinaryData(fromBytes(out.type, bytes)),
  download: (tensor, limit = Infinity) =>
    toBytes(elementsOf(tensor), tensor.type, Math.min(limit, sizeOf(tensor.shape))),
  deallocate(tensor) {
    const data = tensor.data as BinaryData;
    const held = data.elements !== null;
    data.elements = null;
    return held;
  },
};

/** The pure TypeScript backend. */
export const binaryBackend: Backend = {
  ...dataMembers,
  ...creation,
  ...elementwise,
  ...functions,
  ...indexing,
  ...movement,
  ...reductions,
  ...sorting,
};
