/**
 * Reading tensors of any backend, whether their elements are there already or come later.
 */
import { binaryBackend } from "../backends/binary";
import { readLater, readNow } from "../backends/reading";
import { mapContainer } from "../container";
import { promisedBy } from "../core/entry";
import { Tensor, unnoted } from "../tensor";
import { alias, usable } from "./dispatch";

/**
 * Reads every tensor of a container, and waits for what a backend gives later. The tensors that it gives have the same elements
 * and can be read at once, by `toNumber`, `toList`, `toTypedArray`, by printing them and by files.
 *
 * It works on every backend, so programs that use it need not know where their tensors lie. Backends of devices may have no other
 * way of reading. The tensors given stay usable, and may be released as soon as `read` has returned.
 *
 * @param value - a tensor or any nesting of arrays, objects and Immutable collections that hold tensors; other values stay
 * @returns a promise of the same container, its tensors on `"binary"`; those of `"wasm"`, which can be read at once, stay there
 * @throws BackendError at once for templates and deallocated tensors, later where the backend fails to read
 * @throws DefnError inside {@link defn}, where values are not known yet
 * @example
 * ```ts
 * const loss = Nx.tensor(0.5);
 * (await Nx.read(loss)).toNumber();
 * // => 0.5
 * const { weights } = await Nx.read({ weights: Nx.f32([1, 2], { names: ["x"] }), step: 3 });
 * weights;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 2.0]
 * // >
 * ```
 * @example
 * ```ts
 * await Nx.read(Nx.template([2], "f32"));
 * // throws BackendError: Nx.read: cannot perform operations on a Nx.TemplateBackend tensor
 * ```
 */
export function read<C>(value: C): Promise<C> {
  const waiting = new Map<unknown, Promise<Tensor>>();
  const copy = mapContainer(value, (leaf) => {
    if (leaf instanceof Tensor && !waiting.has(leaf)) waiting.set(leaf, begun(leaf));
    return leaf;
  });
  return promisedBy("Nx.read", replaced(copy, waiting));
}

/** Begins to read a tensor; one that has no elements, or none any more, raises at once. */
function begun(t: Tensor): Promise<Tensor> {
  const promise = onHost(usable(t, "Nx.read"));
  promise.catch(() => undefined); // where several fail, or another one raises at once, nobody else takes the error
  return promise;
}

/** The elements of a tensor where they can be read at once. */
function onHost(t: Tensor): Promise<Tensor> {
  const { backend } = t;
  const wrapped = backend.unwrap?.(t);
  if (wrapped) return onHost(wrapped.inner).then((inner) => unnoted(() => wrapped.wrap(inner)));
  if (backend.portable && backend.download) return Promise.resolve(unnoted(() => alias(t)));
  const made = (bytes: Uint8Array): Tensor =>
    unnoted(() => new Tensor(binaryBackend, binaryBackend.upload(t, bytes), t.type, t.shape, t.names));
  return backend.read ? readLater(t).then(made) : Promise.resolve(made(readNow(t)));
}

async function replaced<C>(copy: C, waiting: ReadonlyMap<unknown, Promise<Tensor>>): Promise<C> {
  const read = new Map<unknown, Tensor>();
  await Promise.all([...waiting].map(async ([t, later]) => void read.set(t, await later)));
  return mapContainer(copy, (leaf) => read.get(leaf) ?? leaf);
}
