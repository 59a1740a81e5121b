/**
 * Hooks: functions of the program that see values while a graph runs. They are effects of the graph and stand beside the
 * data, so that gradients, vectorization and passes need not know of them.
 */
import { tracingBackend } from "../../backends/registry";
import { mapContainer } from "../../container";
import { ArgumentError, show } from "../../core/errors";
import { Tensor } from "../../tensor";
import { exprBackend, nodeOf, noteEffect } from "../expr";
import { hookNode } from "../graph";
import { isParameter, tensorOfLeaf } from "../signature";
import type { Tensors } from "../trace";
import { unwrapped } from "../wrapping";
import { hookByName, type HookCallback } from "./scope";
import { alias } from "../../nx/dispatch";
import { watching } from "../vectorize/axes";

/** A container's tensors without what wraps them, and the container with numbers as tensors. */
interface Observed {
  readonly value: unknown;
  readonly inner: readonly Tensor[];
  /** The container with values in place of its tensors. */
  readonly filled: (values: readonly Tensor[]) => unknown;
}

function observed(value: unknown, name: string): Observed {
  const inner: Tensor[] = [];
  const wraps: ((inner: Tensor) => Tensor)[] = [];
  const tensors = mapContainer(value, (leaf) => {
    if (!isParameter(leaf)) return leaf;
    const tensor = tensorOfLeaf(leaf, name);
    const wrapped = unwrapped(tensor);
    inner.push(wrapped.inner);
    wraps.push(wrapped.wrap);
    return tensor;
  });
  if (inner.length === 0) {
    throw new ArgumentError(`${name} expects a tensor, a number or a container of them, got: ${show(value)}`);
  }
  const filled = (values: readonly Tensor[]) => {
    let next = 0;
    return mapContainer(value, (leaf) => (isParameter(leaf) ? wraps[next]!(values[next++]!) : leaf));
  };
  return { value: tensors, inner, filled };
}

/** Calls `call` with the value: when the graph runs in which it is being traced, at once outside of a trace. */
export function observe(
  fn: string,
  value: unknown,
  name: string | null,
  call: ((value: unknown) => void) | undefined,
): unknown {
  const { value: tensors, inner, filled } = observed(value, fn);
  if (call === undefined) return aliases(tensors);
  if (tracingBackend() === exprBackend) {
    noteEffect(hookNode(inner.map(nodeOf), name, (values) => watching(() => call(filled(values)))));
  } else {
    watching(() => call(tensors));
  }
  return aliases(tensors);
}

/** The container with tensors of its own in place of those it was given. */
export const aliases = <C>(value: C): C => mapContainer(value, (leaf) => (leaf instanceof Tensor ? alias(leaf) : leaf));

/**
 * The same value, which a function of the program gets to see when it has been computed.
 *
 * Within a traced function the hook is called each time the graph runs, in the order of the program: in the branch of a
 * `cond` that is taken, in each step of a loop, whether or not anything reads the value. It may keep the value, print it or
 * compute with it; what it returns is ignored. Gradients do not see it: it is called once, with the value. Under `vmap` it is
 * given the vectorized value. Outside of a trace it is called at once.
 *
 * A hook with a name is called only where there is a function for it: its own, or that of the same name in option `hooks` of
 * the traced function, which comes before its own. Where traced functions are nested, the outermost decides.
 *
 * @param value - a tensor, a number or a container of them
 * @param name - a name, for option `hooks` of {@link defn}
 * @param fn - called with the computed value; it may be left out where the hook has a name
 * @returns the value, numbers as tensors
 * @throws ArgumentError where there is no tensor in the value, or neither a name nor a function
 * @throws DefnError where the trace of the tensor has ended
 * @example
 * ```ts
 * const losses: unknown[] = [];
 * const step = Nx.defn((w: Nx.Tensor) => {
 *   Nx.Defn.hook(w.multiply(w).sum(), (loss) => losses.push(loss.toNumber()));
 *   return w.multiply(0.5);
 * });
 * step(step(Nx.f32([2, 4], { names: ["w"] })));
 * // => #Nx.Tensor<
 * //   f32[w: 2]
 * //   [0.5, 1.0]
 * // >
 * losses;
 * // => [ 20, 5 ]
 * ```
 * @example
 * ```ts
 * const scale = (t: Nx.Tensor) => t.divide(Nx.Defn.hook(t.sum(), "total"));
 * const seen: string[] = [];
 * Nx.Defn.jit(scale)(Nx.f32([1, 3])).toList();
 * // => [ 0.25, 0.75 ]
 * Nx.Defn.jit(scale, { hooks: { total: (t: Nx.Tensor) => seen.push(`total ${t.toNumber()}`) } })(Nx.f32([1, 3])).toList();
 * // => [ 0.25, 0.75 ]
 * seen;
 * // => [ 'total 4' ]
 * Nx.Defn.hook(Nx.tensor(1), 2 as never);
 * // throws ArgumentError: Nx.Defn.hook expects a function to call with the value, a name or both, got: 2
 * ```
 */
export function hook<T>(value: T, fn: (value: Tensors<T>) => void): Tensors<T>;
export function hook<T>(value: T, name: string, fn?: (value: Tensors<T>) => void): Tensors<T>;
export function hook(value: unknown, nameOrFn: unknown, fn?: unknown): unknown {
  const name = typeof nameOrFn === "string" ? nameOrFn : null;
  const own = name === null ? nameOrFn : fn;
  const isFunction = typeof own === "function";
  if (!isFunction && (name === null || own !== undefined)) {
    throw new ArgumentError(
      `Nx.Defn.hook expects a function to call with the value, a name or both, got: ${show(own)}; as in ` +
        `Nx.Defn.hook(tensor, "loss", (loss) => { ... })`,
    );
  }
  const given = (name === null ? undefined : hookByName(name)) ?? (isFunction ? (own as HookCallback) : undefined);
  return observe("Nx.Defn.hook", value, name, given as ((value: unknown) => void) | undefined);
}
