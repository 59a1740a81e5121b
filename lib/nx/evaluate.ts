/**
 * Work that waits: doing it now, and showing it.
 */
import { mapContainer } from "../container";
import { formatShape } from "../core/shape";
import { Tensor, type Operand } from "../tensor";
import { asTensor } from "./dispatch";

/**
 * Computes what waits, and gives back what it was given.
 *
 * On the backend `"wasm"` element-wise functions of large tensors, and moves of their results (transposes, slices, reshapes), are
 * not computed when they are called but when something reads the result: then all that leads to it is one kernel, which goes over
 * memory once. Nothing but time shows it, so no program needs this function. It is of use where time is measured, and where work
 * is to be done at a certain point. Whatever still waits when the task of the program ends is computed then.
 *
 * @param value - a tensor, or any nesting of arrays, objects and Immutable collections that hold tensors; other values stay
 * @returns the same value
 * @throws BackendError for deallocated tensors, and where there is no memory for a result
 * @example
 * ```ts
 * const x = Nx.iota([200000], { type: "f32", names: ["x"] });
 * const y = x.multiply(2).add(1);
 * Nx.explain(Nx.evaluate(y));
 * // => 'nothing waits: f32[x: 200000]'
 * const { loss } = Nx.evaluate({ loss: y.sum(), step: 3 });
 * loss;
 * // => #Nx.Tensor<
 * //   f32
 * //   40000000000.0
 * // >
 * ```
 * @example
 * ```ts
 * const x = Nx.tensor([1, 2]);
 * Nx.backendDeallocate(x);
 * Nx.evaluate(x);
 * // throws BackendError: Nx.evaluate: the tensor s64[2] was deallocated and can no longer be used
 * ```
 */
export function evaluate<C>(value: C): C {
  if (value instanceof Tensor) settled(value);
  else mapContainer(value, settled);
  return value;
}

function settled(leaf: unknown): unknown {
  if (!(leaf instanceof Tensor)) return leaf;
  const { backend } = leaf;
  backend.checkUse?.(leaf, "Nx.evaluate");
  const wrapped = backend.unwrap?.(leaf);
  if (wrapped) settled(wrapped.inner);
  else backend.settle?.(leaf);
  return leaf;
}

/**
 * What waits for a tensor, as text: the kernels that will compute it when it is read, and the bytes that they move.
 *
 * @param t - a tensor
 * @returns some lines of text; they are for reading, and may be others in other versions
 * @example
 * ```ts
 * const x = Nx.iota([400, 400], { type: "f32", names: ["x", "y"] });
 * Nx.explain(x);
 * // => 'nothing waits: f32[x: 400][y: 400]'
 * Nx.withDefaultBackend(["wasm", { deferred: false }], () => Nx.explain(x.add(1).sqrt()));
 * // => 'nothing waits: f32[x: 400][y: 400]'
 * ```
 */
export function explain(t: Operand): string {
  const tensor = asTensor(t, "Nx.explain");
  const { backend, type, shape, names } = tensor;
  const wrapped = backend.unwrap?.(tensor);
  if (wrapped) return explain(wrapped.inner);
  return backend.waiting?.(tensor) ?? `nothing waits: ${type}${formatShape(shape, names)}`;
}
