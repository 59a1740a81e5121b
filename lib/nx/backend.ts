/**
 * Functions about backends: the default one, and moving tensors between them.
 */
import type { Backend, BackendSpec, OpenBackend } from "../backend";
import {
  currentDefault,
  moveTo,
  replaceDefault,
  replaceProgramDefault,
  resolveBackend,
  resolveDefault,
} from "../backends/registry";
import { runWithDefault, type Default } from "../backends/default";
import { register } from "../backends/names";
import { readNow } from "../backends/reading";
import { mapContainer } from "../container";
import { ofProgram } from "../core/entry";
import { ArgumentError, show } from "../core/errors";
import { Tensor } from "../tensor";

/** A backend as `[name, options]`. */
export type BackendName = readonly [name: string, options: Readonly<Record<string, unknown>>];

const nameOf = ({ backend, threads, deferred, spec }: Default): BackendName => {
  if (spec !== null) return spec;
  const { name, options = {} } = backend;
  if (name !== "wasm") return [name, options];
  return [name, { ...options, ...(threads !== undefined && { threads }), ...(deferred !== undefined && { deferred }) }];
};

/**
 * Gives a backend a name, which then is known wherever backends are named: in the `backend` option, {@link withDefaultBackend},
 * {@link globalDefaultBackend}, {@link backendTransfer}, `Nx.configure`, the environment variable `NX_BACKEND` and
 * configuration files. What these two say may be read before the name is registered: it is looked up when the first tensor is made.
 *
 * How a backend is written is told by `docs/writing-a-backend.md`; types and tools for that are in `nx-numerics/backend`.
 *
 * @param name - letters, digits, `_`, `-` and `.`, the first a letter; not the name of another backend
 * @param open - called when the backend is first needed with some options, and gets them: `{}` for the bare name, `{ device: 1 }`
 *   for `["name", { device: 1 }]`; gives the backend. It must not be asynchronous: wait for a device before registering
 * @returns a function that takes the name back; tensors of the backend stay
 * @throws ArgumentError for a name with other characters, and where `open` is no function
 * @throws BackendError for a name that is taken. Where the backend is opened: an `open` that throws, or gives no backend
 * @example
 * ```ts
 * const forget = Nx.registerBackend("mine", () => ({ ...Nx.binaryBackend, name: "mine", portable: false }));
 * const t = Nx.tensor([1, 2], { backend: "mine", names: ["x"] });
 * t.add(1).backend.name;
 * // => 'mine'
 * Nx.withDefaultBackend(["mine", {}], () => Nx.defaultBackend());
 * // => [ 'mine', {} ]
 * forget();
 * ```
 * @example
 * ```ts
 * Nx.registerBackend("wasm", () => Nx.binaryBackend);
 * // throws BackendError: Nx.registerBackend: the name "wasm" is that of a backend of the library; take another one
 * Nx.tensor([1], { backend: "mine" });
 * // throws BackendError: Nx.tensor: unknown backend "mine"
 * ```
 */
export function registerBackend(name: string, open: OpenBackend): () => void {
  return register(name, open);
}

/**
 * Gets, or with an argument sets, the backend of new tensors.
 *
 * Set inside {@link withDefaultBackend} it holds until that call ends, elsewhere for the program.
 *
 * @param backend - a backend name, `[name, options]` or a Backend object
 * @returns `[name, options]` of the default in force before the call
 * @throws BackendError for an unknown backend
 * @example
 * ```ts
 * Nx.withDefaultBackend("binary", () => Nx.defaultBackend());
 * // => [ 'binary', {} ]
 * ```
 * @example
 * ```ts
 * Nx.defaultBackend("binry");
 * // throws BackendError: Nx.defaultBackend: unknown backend "binry"; did you mean "binary"? expected one of: "auto", "binary", "wasm", [name, options] or a Backend object
 * ```
 */
export function defaultBackend(backend?: BackendSpec): BackendName {
  return nameOf(backend === undefined ? currentDefault() : replaceDefault(resolveDefault(backend)));
}

/**
 * Sets the backend of new tensors for the whole program. It wins over the environment variable `NX_BACKEND` and
 * configuration files; {@link withDefaultBackend} and a function's own `backend` option win over it.
 *
 * @param backend - a backend name, `[name, options]` or a Backend object
 * @returns `[name, options]` of the global default before the call
 * @throws BackendError for an unknown backend
 * @example
 * ```ts
 * const before = Nx.globalDefaultBackend("binary");
 * Nx.globalDefaultBackend(before);
 * // => [ 'binary', {} ]
 * ```
 * @example
 * ```ts
 * Nx.globalDefaultBackend(["binary", { threads: 4 }]);
 * // throws BackendError: Nx.globalDefaultBackend: unknown option "threads" for the binary backend, it takes none
 * ```
 */
export function globalDefaultBackend(backend: BackendSpec): BackendName {
  return nameOf(replaceProgramDefault(resolveDefault(backend)));
}

/**
 * Calls a function with another default backend. Where the host has AsyncLocalStorage (Node, Deno, Bun) the default also
 * holds across every `await` of an async function and nowhere else; in browsers it holds until `fn` returns. The same is true
 * of the options of `["wasm", { threads: 2, deferred: false }]`: the number of threads, and whether element-wise work waits
 * until it is read (see {@link evaluate}).
 *
 * @param backend - a backend name, `[name, options]` or a Backend object
 * @param fn - called without arguments
 * @returns what `fn` returns
 * @throws BackendError for an unknown backend
 * @example
 * ```ts
 * Nx.withDefaultBackend("binary", () => Nx.iota([2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [0, 1]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.withDefaultBackend("gpu", () => 1);
 * // throws BackendError: Nx.withDefaultBackend: unknown backend "gpu"
 * Nx.tensor([1], { backend: ["wasm", { threads: 3 }] });
 * // throws BackendError: Nx.tensor: a tensor has no threads of its own, got: threads 3; set them for a scope
 * ```
 */
export function withDefaultBackend<T>(backend: BackendSpec, fn: () => T): T {
  const resolved = resolveDefault(backend);
  if (typeof fn !== "function") throw new ArgumentError(`withDefaultBackend expects a function, got: ${show(fn)}`);
  return runWithDefault(resolved, () => ofProgram(fn));
}

/**
 * Copies every tensor of a container to a backend; the originals stay usable.
 *
 * @param value - a tensor or any nesting of arrays, objects and Immutable collections that hold tensors; other values stay
 * @param backend - where to; `"binary"` by default
 * @returns the same container with the copies
 * @throws BackendError for an unknown backend, or when a tensor has no data (templates, deallocated tensors)
 * @example
 * ```ts
 * Nx.backendCopy({ a: Nx.tensor([1, 2], { names: ["x"] }) }).a;
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [1, 2]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.backendCopy(Nx.template([2], "f32"));
 * // throws BackendError: Nx.backendCopy: cannot perform operations on a Nx.TemplateBackend tensor
 * ```
 */
export function backendCopy<C>(value: C, backend: BackendSpec = "binary"): C {
  const target = resolveBackend(backend);
  return mapContainer(value, (leaf) => (leaf instanceof Tensor ? copyTo(leaf, target) : leaf));
}

function copyTo(tensor: Tensor, target: Backend): Tensor {
  const data = target.upload(tensor, readNow(tensor));
  return new Tensor(target, data, tensor.type, tensor.shape, tensor.names);
}

/**
 * Moves every tensor of a container to a backend: a copy, after which the original is deallocated. Tensors that are on
 * the backend already are returned as they are.
 *
 * @param value - a tensor or a container of tensors; other values stay
 * @param backend - where to; `"binary"` by default
 * @returns the same container with the moved tensors
 * @throws BackendError for an unknown backend, or when a tensor has no data (templates, deallocated tensors)
 * @example
 * ```ts
 * Nx.backendTransfer([Nx.tensor(1), "label"], "binary")[1];
 * // => 'label'
 * ```
 * @example
 * ```ts
 * Nx.backendTransfer(Nx.tensor([1.5], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 1]
 * //   [1.5]
 * // >
 * ```
 */
export function backendTransfer<C>(value: C, backend: BackendSpec = "binary"): C {
  const target = resolveBackend(backend);
  return mapContainer(value, (leaf) => (leaf instanceof Tensor ? transferTo(leaf, target) : leaf));
}

function transferTo(tensor: Tensor, target: Backend): Tensor {
  const moved = moveTo(tensor, target);
  if (moved !== tensor) tensor.backend.deallocate(tensor);
  return moved;
}

/**
 * Releases the data of every tensor of a container at once instead of waiting for the garbage collector. Never needed
 * for correctness; a tensor released is an error when used again. Tensors that share its elements stay usable.
 *
 * @param value - a tensor or a container of tensors
 * @returns `"ok"` when any data was released, `"already_deallocated"` when there was none left
 * @example
 * ```ts
 * const t = Nx.tensor([1, 2], { names: ["x"] });
 * Nx.backendDeallocate(t);
 * // => 'ok'
 * Nx.backendDeallocate(t);
 * // => 'already_deallocated'
 * t.add(1);
 * // throws BackendError: Nx.add: the tensor s64[x: 2] was deallocated and can no longer be used
 * ```
 */
export function backendDeallocate(value: unknown): "ok" | "already_deallocated" {
  let released = false;
  mapContainer(value, (leaf) => {
    if (leaf instanceof Tensor) released = leaf.backend.deallocate(leaf) || released;
    return leaf;
  });
  return released ? "ok" : "already_deallocated";
}
