/**
 * A backend whose tensors can be read asynchronously only, as those of a device: it computes as the binary one does.
 */
import type { Backend } from "nx-numerics";
import { foreignBackend } from "../testing/foreign-backend";

/** The backend; `beforeRead` is waited for before a read is answered. */
export function laterBackend(name = "later", beforeRead: () => Promise<void> = () => Promise.resolve()): Backend {
  const backend = foreignBackend(name);
  const { download } = backend;
  const read: Backend["read"] = async (tensor, limit) => {
    const bytes = download!(tensor, limit);
    await beforeRead();
    return bytes;
  };
  delete backend.download;
  return Object.assign(backend, { read });
}
