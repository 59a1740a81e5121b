/**
 * Repeating as long as values say so: `whileLoop`.
 */
import { ArgumentError } from "../../core/errors";
import { any } from "../../nx/aggregates";
import { asTensor } from "../../nx/dispatch";
import { select } from "../../nx/elementwise";
import type { Tensor } from "../../tensor";
import type { Tensors } from "../trace";
import { alike, inOneOrder, innerOf, isWrapped, unwrapped } from "../wrapping";
import { buildWhile } from "./build";
import { takenWhere } from "./taken";
import { muted } from "../expr";
import { ownerOf, type Owner } from "../scope";
import type { Predicate } from "./cond";
import {
  checkFunction,
  checkWrapping,
  flatten,
  inTrace,
  nextState,
  noState,
  predicate,
  widening,
  type Flat,
} from "./flat";

const FN = "Nx.Defn.whileLoop";

/**
 * Repeats `body` on a state as long as `condition` holds.
 *
 * Where the condition is vectorized, the loop goes on as long as it holds for any entry; the state of the others stays.
 *
 * @param initial - the state to begin with: a tensor, a number or a container of them; a number is a tensor of the type it has
 *   alone, so say `Nx.f64(0)` for a state of f64
 * @param condition - given the state, says whether to go on: a scalar tensor
 * @param body - given the state, returns the next one: the same structure, and for each tensor the same type, shape and names;
 *   a number takes the type of the state where it fits
 * @returns the first state for which the condition does not hold
 * @throws DefnError where the condition is no scalar, or where the body returns something that differs from the state
 * @example
 * ```ts
 * const collatz = Nx.defn((start: Nx.Tensor) =>
 *   Nx.Defn.whileLoop(
 *     { n: start, steps: Nx.tensor(0) },
 *     ({ n }) => Nx.greater(n, 1),
 *     ({ n, steps }) => ({
 *       n: Nx.select(Nx.remainder(n, 2), Nx.multiply(n, 3).add(1), Nx.quotient(n, 2)),
 *       steps: Nx.add(steps, 1),
 *     }),
 *   ),
 * );
 * collatz(Nx.tensor(6)).steps;
 * // => #Nx.Tensor<
 * //   s64
 * //   8
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Defn.whileLoop(Nx.f32([1, 2], { names: ["x"] }), (x) => x.sum().less(100), (x) => x.multiply(2));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [64.0, 128.0]
 * // >
 * Nx.Defn.whileLoop(Nx.tensor(1), (x) => x.less(9), (x) => x.multiply(1.5));
 * // throws DefnError: the body of Nx.Defn.whileLoop must return what it is given, but the state is s64[] and it returned f32[]
 * ```
 */
export function whileLoop<const S>(
  initial: S,
  condition: (state: Tensors<S>) => Predicate,
  body: (state: Tensors<S>) => unknown,
): Tensors<S> {
  if (typeof initial === "function") {
    throw new ArgumentError(`${FN} takes the state in front of the functions: ${FN}(state, condition, body)`);
  }
  checkFunction(condition, `the condition of ${FN}`);
  checkFunction(body, `the body of ${FN}`);
  return repeatedly(FN, initial, { condition, body });
}

/** The functions of a loop, and the one whose name messages have for the body where that is another one. */
interface Turns<S> {
  readonly condition: (state: Tensors<S>) => Predicate;
  readonly body: (state: Tensors<S>) => unknown;
  readonly given?: unknown;
}

/** Repeats a body for the function `fn` of the API. */
export function repeatedly<S>(fn: string, initial: S, { condition, body, given = body }: Turns<S>): Tensors<S> {
  return inTrace(fn, () => {
    const start = flatten(initial, `the state of ${fn}`);
    if (start.leaves.length === 0) throw noState(fn, initial);
    const owners = {
      condition: ownerOf(fn, `the condition of ${fn}`, condition, "make it a part of the state"),
      body: ownerOf(fn, `the body of ${fn}`, given, "make it a part of the state"),
    };
    return widening(start, (from) =>
      loop(
        fn,
        from,
        (state) => asCondition(fn, condition(state as Tensors<S>)),
        (state) => body(state as Tensors<S>),
        owners,
      ),
    ) as Tensors<S>;
  });
}

function asCondition(fn: string, value: unknown): Tensor {
  const decided = predicate(value, `the condition of ${fn}`);
  return typeof decided === "boolean" ? asTensor(decided, fn) : decided;
}

/** The loop on a state that is wrapped far enough, or an error that says how far it has to be. */
function loop(
  fn: string,
  start: Flat,
  condition: (state: unknown) => Tensor,
  body: (state: unknown) => unknown,
  owners: { readonly condition: Owner; readonly body: Owner },
): unknown {
  const ordered = inOneOrder(start.leaves);
  const wraps = ordered.map((leaf) => unwrapped(leaf).wrap);
  const wrapped = (inner: readonly Tensor[]) => inner.map((t, i) => wraps[i]!(t));
  const holds = (inner: readonly Tensor[]): Tensor => {
    const value = condition(start.fill(wrapped(inner)));
    checkWrapping(start.leaves, () => [value]);
    return value;
  };
  let isForEach = false;
  const last = buildWhile(
    ordered.map(innerOf),
    (...inner) => {
      const value = holds(inner);
      isForEach = isWrapped(value);
      return isForEach ? any(innerOf(value)) : value;
    },
    (...inner) => {
      const state = wrapped(inner);
      const active = isForEach ? muted(() => holds(inner)) : null;
      const turn = (): unknown => body(start.fill(state));
      const returned = active === null ? turn() : takenWhere(active, turn);
      const next = nextState({ ...start, leaves: state }, returned, fn);
      checkWrapping(start.leaves, (i) => [next[i]!]);
      const same = next.map((leaf, i) => alike(leaf, [state[i]!, leaf]));
      return (active === null ? same : stopped(active, same, state)).map(innerOf);
    },
    owners,
  );
  return start.fill(wrapped(last).map((t, i) => alike(t, [start.leaves[i]!, t])));
}

/** Entries for which the condition does not hold any more stay as they were. */
function stopped(value: Tensor, next: readonly Tensor[], state: readonly Tensor[]): readonly Tensor[] {
  return next.map((leaf, i) => alike(select(value, leaf, state[i]!), [state[i]!]));
}
