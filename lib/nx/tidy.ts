/**
 * Releasing what a function makes and does not return: for speed alone, since nothing has to be released.
 */
import { tracingBackend } from "../backends/registry";
import { containerKind, heldTensors, mapContainer, type TensorHolder } from "../container";
import { ofProgram } from "../core/entry";
import { ArgumentError, show } from "../core/errors";
import { noteNewTensors, Tensor } from "../tensor";

/**
 * Calls a function and releases every tensor that was made meanwhile and is not part of what it returns, also when it throws.
 * Nothing ever has to be released; in loops over large tensors it is faster, since their memory is used again at once.
 *
 * Tensors made outside are left alone, whatever the function does with them. Where calls are nested, what the inner one returns
 * belongs to the outer one. Inside a traced function it only calls the function: compiled functions look after their memory.
 *
 * @param fn - called without arguments; it must not be async, nor a generator
 * @returns what `fn` returns: a tensor, any container of tensors and other values, or anything else
 * @throws ArgumentError for an async function; BackendError later, where a tensor is used that was made inside and not returned
 * @example
 * ```ts
 * let state = Nx.f32([1, 2], { names: ["x"] });
 * for (let i = 0; i < 3; i++) state = Nx.tidy(() => state.multiply(state).add(1).sqrt());
 * state;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [2.0, 2.6457515]
 * // >
 * ```
 * @example
 * ```ts
 * const kept: Nx.Tensor[] = [];
 * Nx.tidy(() => {
 *   const doubled = Nx.f32([1, 2], { names: ["x"] }).multiply(2);
 *   kept.push(doubled);
 *   return { total: doubled.sum(), label: "twice" };
 * }).total;
 * // => #Nx.Tensor<
 * //   f32
 * //   6.0
 * // >
 * kept[0]!.add(1);
 * // throws BackendError: Nx.add: the tensor f32[x: 2] was made inside Nx.tidy and released when it ended; return it
 * ```
 */
export function tidy<R>(fn: () => R): R {
  if (typeof fn !== "function") throw new ArgumentError(`Nx.tidy expects a function, got: ${show(fn)}`);
  if (!/^\[object Function\]$/.test(Object.prototype.toString.call(fn))) throw notSynchronous();
  return keepingResult(() => synchronous(ofProgram(fn)));
}

/** Elements from which on fresh memory for what is made on the way takes longer than giving it back (`linspace` of 100: 14 us and 20). */
const GIVEN_BACK_FROM = 2048;

/** Calls a function of the library, and gives back what it makes on the way where these are tensors of many elements. */
export const givingBack = <R>(elements: number, fn: () => R): R =>
  elements < GIVEN_BACK_FROM ? fn() : keepingResult(fn);

/** Calls a function and releases every tensor that was made meanwhile and is not part of what it returns; a trace releases nothing. */
export function keepingResult<R>(fn: () => R): R {
  if (tracingBackend() !== null) return fn();
  const made: Tensor[] = [];
  const outer = noteNewTensors(made);
  let kept: ReadonlySet<unknown> = new Set();
  try {
    const result = fn();
    kept = dataOf(result);
    return result;
  } finally {
    noteNewTensors(outer);
    for (const tensor of made) {
      if (kept.has(tensor.data)) outer?.push(tensor);
      else release(tensor);
    }
  }
}

/** Releases a tensor. Traced tensors hold no data; a wrapping tensor goes with its inner tensor. */
function release(tensor: Tensor): void {
  if (!tensor.backend.absorbs) tensor.backend.deallocate(tensor, "tidy");
}

function synchronous<R>(result: R): R {
  const { then } = (typeof result === "object" && result !== null ? result : {}) as { then?: unknown };
  if (typeof then !== "function" || result instanceof Tensor) return result;
  // the promise is going to fail at the first released tensor
  void Promise.resolve(result).catch(() => undefined);
  throw notSynchronous();
}

const notSynchronous = (): ArgumentError =>
  new ArgumentError(
    `Nx.tidy expects a function that is neither async nor a generator, since it releases tensors as soon as the function has ` +
      `returned; put Nx.tidy around the parts between one await and the next`,
  );

/** The data of all tensors in a value: those of containers, of Map and Set, and of objects that say what they hold. */
function dataOf(value: unknown, found: Set<unknown> = new Set()): ReadonlySet<unknown> {
  mapContainer(value, (leaf) => {
    if (leaf instanceof Tensor) keep(leaf, found);
    else if (leaf instanceof Map || leaf instanceof Set) dataOf([...leaf.values()], found);
    else if (containerKind(leaf) === null)
      (leaf as Partial<TensorHolder> | null)?.[heldTensors]?.().forEach((t) => keep(t, found));
    return leaf;
  });
  return found;
}

/** The data of backends may be made of tensors of others, as that of vectorized tensors is. */
function keep({ data }: Tensor, found: Set<unknown>): void {
  if (found.has(data)) return;
  found.add(data);
  if (containerKind(data) !== null) dataOf(data, found);
}
