/** The namespace `Batch` as users call it. */
import { entry } from "../core/entry";
import * as batch from "../batch";

export type * from "../batch";
export { Batch } from "../batch";

export const concatenate = entry("Nx.Batch.concatenate", batch.concatenate, 2);
export const materialize = entry("Nx.Batch.materialize", batch.materialize);
export const merge = entry("Nx.Batch.merge", batch.merge, 2);
const create = entry("Nx.Batch.new", batch.new);
export { create as new };
export const pad = entry("Nx.Batch.pad", batch.pad);
export const split = entry("Nx.Batch.split", batch.split);
export const stack = entry("Nx.Batch.stack", batch.stack, 2);
