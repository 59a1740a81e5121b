/**
 * What backends of arrays have in common: data of arrays, and every primitive as loops in TypeScript. With a plain memory that is
 * the reference backend; another one, with memory of its own, does in another way what it is better at.
 */
import type { DataMembers, Primitive, ReadableBackend } from "../../backend";
import { sizeOf } from "../../core/shape";
import type { ArrayMemory } from "../arrays/memory";
import { onDemandIn, type OnDemand } from "../arrays/on-demand";
import { primitivesIn, type ArrayPrimitives } from "../arrays/primitives";
import { elementsOf, toBytes, type ArrayData } from "../arrays/storage";
import { creation } from "./creation";
import { elementwise } from "./elementwise";
import { functions } from "./functions";
import { slicing } from "./indexing";
import { movement } from "./movement";
import { nativeBlock } from "./native";
import { reductions } from "./reductions";

const primitives: { readonly [P in Exclude<Primitive, OnDemand>]: ArrayPrimitives[P] } = {
  ...creation,
  ...elementwise,
  ...functions,
  ...movement,
  ...reductions,
  ...slicing,
};

const dataMembersIn = (
  memory: ArrayMemory,
): Omit<DataMembers, "name" | "download"> & Pick<ReadableBackend, "download"> => ({
  options: Object.freeze({}),
  portable: true,
  upload: (out, bytes) => memory.upload(out.type, bytes),
  reserve: (out) => memory.reserve(out.type, out.shape),
  adopt: (out, bytes) => memory.adopt(out.type, bytes),
  download: (tensor, limit = Infinity) =>
    toBytes(elementsOf(tensor), tensor.type, Math.min(limit, sizeOf(tensor.shape))),
  alias: (tensor) => memory.hold(elementsOf(tensor)),
  settle: (tensor) => void elementsOf(tensor),
  deallocate: (tensor, by) => memory.release(tensor.data as ArrayData, by),
  recycle: (tensor) => void memory.release(tensor.data as ArrayData),
  isNative: (block) => nativeBlock(block) !== undefined,
});

/** All of a backend but its name, and kernels: what it makes lies in the memory given. */
export const membersIn = (memory: ArrayMemory): Omit<ReadableBackend, "name"> => ({
  ...dataMembersIn(memory),
  ...primitivesIn(memory, primitives),
  ...onDemandIn(memory),
});
