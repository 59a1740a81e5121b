/**
 * Reading the bytes of tensors, at once or later, as their backends can.
 */
import { BackendError, causeText, NxError, show } from "../core/errors";
import { formatShape, sizeOf } from "../core/shape";
import { bytesOf } from "../core/types";
import type { Tensor } from "../tensor";

/** Whether the elements of a tensor can be read without waiting. */
export const isReadable = (tensor: Tensor): boolean => tensor.backend.download !== undefined;

/** Whether the elements can be read now, and are no others in each entry of something around, or of a later call. */
export const isKnown = (tensor: Tensor): boolean => isReadable(tensor) && tensor.backend.absorbs === undefined;

/** The bytes of the first elements, or of all. */
export function readNow(tensor: Tensor, limit?: number): Uint8Array {
  const { backend } = tensor;
  if (backend.download !== undefined) return backend.download(tensor, limit);
  throw new BackendError(
    `the backend ${show(backend.name)} reads asynchronously only; write await Nx.read(t), which gives the same tensor on ` +
      `"binary", and go on with that`,
  );
}

/** The bytes of all elements, once they are there, of a backend that reads so. */
export async function readLater(tensor: Tensor): Promise<Uint8Array> {
  const { backend, type, shape, names } = tensor;
  const what = `${type}${formatShape(shape, names)}`;
  let bytes: unknown;
  try {
    bytes = await backend.read!(tensor);
  } catch (error) {
    if (error instanceof NxError) throw error;
    throw new BackendError(`the backend ${show(backend.name)} could not read ${what}: ${causeText(error)}`, {
      cause: error,
    });
  }
  const expected = sizeOf(shape) * bytesOf(type);
  if (bytes instanceof Uint8Array && bytes.length === expected) return bytes;
  const got = bytes instanceof Uint8Array ? `${bytes.length} bytes` : show(bytes);
  throw new BackendError(`the backend ${show(backend.name)} gave ${got} for ${what}, which has ${expected} bytes`);
}
