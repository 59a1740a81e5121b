/**
 * Going along an axis step by step: `scan` and `map`.
 */
import type { Given } from "../../core/axis-types";
import { ArgumentError, DefnError, show } from "../../core/errors";
import { withInFront } from "../../core/names";
import { booleanOption, checkOptions, type AlsoAxes, type More } from "../../core/options";
import { allAxes, resolveAxis, type Axis, type Name, type Names } from "../../core/shape";
import { rename, transpose } from "../../nx/shape";
import type { Tensor } from "../../tensor";
import { ownerOf, type Owner } from "../scope";
import type { AxisNames, Entries, Stacked, Tensors } from "../trace";
import { alike, axesInFront, inOneOrder, innerOf, unwrapped } from "../wrapping";
import { buildScan } from "./build";
import { checkFunction, checkWrapping, flatten, inTrace, nextState, noState, text, widening, type Flat } from "./flat";

/** Options of {@link scan} and {@link map}. */
export interface ScanOptions<A = Axis | undefined> extends AlsoAxes<A> {
  /** Axis of the sequences to go along, by position or name; the first by default. Results are stacked along it too. */
  readonly axis?: A;
  /** From the last entry to the first; results stay where their entries are. */
  readonly reverse?: boolean;
}

/** Results of the steps, stacked along the axis that was gone along: types follow its name where it is the first, by position or by name. */
export type Results<Y, X, A> = Stacked<
  Y,
  [A] extends [0] ? AxisNames<X, A> : [AxisNames<X, 0>] extends [A] ? AxisNames<X, 0> : string
>;

/**
 * Goes along an axis of one or more sequences with a state that is passed on, and stacks what each step gives.
 *
 * The number of steps is the size of the axis, so memory and time of the result and of its gradient are linear in it.
 *
 * @param fn - given the state and one entry of each sequence (a container like `sequences`, without the axis), returns
 *   `[next state, result]`, or `[next state, null]` to keep nothing; the state keeps its structure, types, shapes and names, and numbers
 *   in it take these types where they fit
 * @param initial - the state to begin with; a number is a tensor of the type it has alone
 * @param sequences - a tensor or a container of tensors that agree in the size of the axis
 * @param options - `axis` to go along (the first by default), `reverse` to begin at the end
 * @returns `[last state, results]`, the latter with the axis again, and with its name unless what a step gives has an axis of that
 *   name; `null` where steps give that
 * @throws DefnError where `fn` returns something else
 * @throws ArgumentError where the sizes of the axis differ
 * @example
 * ```ts
 * const running = Nx.Defn.scan((sum, x) => [sum.add(x), sum], Nx.tensor(0), Nx.tensor([1, 2, 3], { names: ["t"] }));
 * running[0];
 * // => #Nx.Tensor<
 * //   s64
 * //   6
 * // >
 * running[1];
 * // => #Nx.Tensor<
 * //   s64[t: 3]
 * //   [0, 1, 3]
 * // >
 * Nx.Defn.scan((best, x) => [Nx.max(best, x), null], Nx.f32(0), Nx.f32([3, 5, 4]))[0].item();
 * // => 5
 * ```
 * @example
 * ```ts
 * const decay = (level: Nx.Tensor, { gain, loss }: { gain: Nx.Tensor; loss: Nx.Tensor }) => {
 *   const next = level.multiply(loss).add(gain);
 *   return [next, next] as const;
 * };
 * Nx.Defn.scan(decay, Nx.f32(0), { gain: Nx.f32([1, 1]), loss: Nx.f32([0.5, 0.5]) })[1];
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [1.0, 1.5]
 * // >
 * Nx.Defn.scan(decay, Nx.f32(0), { gain: Nx.f32([1, 1]), loss: Nx.f32([0.5]) });
 * // throws ArgumentError: the sequences of Nx.Defn.scan must agree in the size of the axis, got f32[2] and f32[1]
 * ```
 */
export function scan<const S, const X, Y, const A extends Axis | undefined = undefined>(
  fn: (state: Tensors<S>, entry: Entries<X, Given<A, 0>>) => readonly [next: unknown, result: Y],
  initial: S,
  sequences: X,
  options?: A | ScanOptions<A>,
  ..._more: More<ScanOptions<undefined>>
): [Tensors<S>, Results<Y, X, Given<A, 0>>];
export function scan(
  fn: (state: unknown, entry: unknown) => readonly [next: unknown, result: unknown],
  initial: unknown,
  sequences: unknown,
  options?: Axis | ScanOptions,
): [unknown, unknown] {
  checkFunction(fn, "the first argument of Nx.Defn.scan");
  const owner = ownerOf(
    "Nx.Defn.scan",
    "the body of Nx.Defn.scan",
    fn,
    "return it as the result in [next state, result]",
  );
  return inTrace(owner.api, () => {
    const start = flatten(initial, "the state of Nx.Defn.scan");
    if (start.leaves.length === 0) throw noState("Nx.Defn.scan", initial);
    return scanOver(owner, start, sequences, options, (state, entry) => {
      const returned = fn(state, entry) as unknown;
      if (Array.isArray(returned) && returned.length === 2) return returned as [unknown, unknown];
      throw new DefnError(`the function of Nx.Defn.scan must return [next state, result], got: ${show(returned)}`);
    });
  });
}

/** What steps give that keep nothing. */
const NOTHING: Flat = { leaves: [], paths: [], structure: "nothing", fill: () => null };

type Step = (state: unknown, entry: unknown) => readonly [unknown, unknown];

function scanOver(
  owner: Owner,
  start: Flat,
  sequences: unknown,
  options: Axis | ScanOptions | undefined,
  step: Step,
): [unknown, unknown] {
  const name = owner.api;
  const choice = checkOptions<ScanOptions>(name, options, ["axis", "reverse"]);
  const reverse = booleanOption(name, "reverse", choice?.reverse, false);
  const along = flatten(sequences, `the sequences of ${name}`);
  const read = readSequences(name, along, choice?.axis === undefined ? 0 : choice.axis);
  return widening(start, (from) => scanFrom(from, along, { ...read, reverse, owner }, step));
}

interface Along {
  readonly axes: readonly number[];
  readonly length: number;
  readonly name: Name;
  readonly reverse: boolean;
  readonly owner: Owner;
}

/** The scan from a state that is wrapped far enough, or an error that says how far it has to be. */
function scanFrom(start: Flat, along: Flat, { axes, ...options }: Along, step: Step): [unknown, unknown] {
  const name = options.owner.api;
  const ordered = inOneOrder(start.leaves);
  const wraps = ordered.map((leaf) => unwrapped(leaf).wrap);
  const wrapped = (inner: readonly Tensor[]) => inner.map((t, i) => wraps[i]!(t));
  let results: Flat | undefined;
  const all = buildScan(
    ordered.map(innerOf),
    along.leaves.map((leaf, i) => axisInFront(leaf, axes[i]!)),
    (carried, entries) => {
      const state = wrapped(carried);
      const entry = along.fill(entries.map((t, i) => entryOf(along.leaves[i]!, axes[i]!, t)));
      const [returned, result] = step(start.fill(state), entry);
      const next = nextState({ ...start, leaves: state }, returned, name);
      checkWrapping(start.leaves, (i) => [next[i]!]);
      results = result === null ? NOTHING : flatten(result, `the result of a step of ${name}`);
      const same = next.map((leaf, i) => alike(leaf, [state[i]!, leaf]));
      return { carried: same.map(innerOf), results: results.leaves.map(innerOf) };
    },
    options,
  );
  const stacked = all.results.map((t, i) => toAxis(stackedOf(results!.leaves[i]!, options.name, t), axes[0]!));
  const carried = wrapped(all.carried).map((t, i) => alike(t, [start.leaves[i]!, t]));
  return [start.fill(carried), results!.fill(stacked)];
}

/** The scanned axis of each sequence, with its size and its name. */
function readSequences(name: string, { leaves }: Flat, axis: Axis): Omit<Along, "reverse" | "owner"> {
  const [first] = leaves;
  if (!first) throw new ArgumentError(`${name} expects at least one tensor to go along`);
  const axes = leaves.map(({ shape, names }) => resolveAxis(axis, shape, names));
  const length = first.shape[axes[0]!]!;
  const other = leaves.find((t, i) => t.shape[axes[i]!] !== length);
  if (other) {
    throw new ArgumentError(
      `the sequences of ${name} must agree in the size of the axis, got ${text(first)} and ${text(other)}`,
    );
  }
  return { axes, length, name: first.names[axes[0]!]! };
}

/** What a sequence wraps, or itself, with the axis to go along as the first of all. */
const axisInFront = (t: Tensor, axis: number): Tensor => moveAxis(innerOf(t), axesInFront(t) + axis, 0);

/** One entry of a sequence, wrapped as the sequence is. */
function entryOf(sequence: Tensor, axis: number, entry: Tensor): Tensor {
  const names = sequence.names.filter((_, i) => i !== axis);
  return named(unwrapped(sequence).wrap(entry), names);
}

/** All results of the steps, of which `result` is one, wrapped as that is. */
export function stackedOf(result: Tensor, name: Name, stacked: Tensor): Tensor {
  return named(unwrapped(result).wrap(moveAxis(stacked, 0, axesInFront(result))), withInFront(name, result.names));
}

const named = (t: Tensor, names: Names): Tensor =>
  names.every((name, i) => name === t.names[i]) ? t : rename(t, names);

function moveAxis(t: Tensor, from: number, to: number): Tensor {
  if (from === to) return t;
  const rest = allAxes(t.shape.length).filter((axis) => axis !== from);
  return transpose(t, { axes: [...rest.slice(0, to), from, ...rest.slice(to)] });
}

/** Results of fewer axes than the sequences have theirs stacked along the last. */
const toAxis = (t: Tensor, axis: number): Tensor => moveAxis(t, 0, Math.min(axis, t.shape.length - 1));

/**
 * Applies a function of tensors to each entry of an axis, one after the other, and stacks the results.
 *
 * @param fn - given one entry of each sequence (a container like `sequences`, without the axis), returns tensors
 * @param sequences - a tensor or a container of tensors that agree in the size of the axis
 * @param options - `axis` to go along; the first by default
 * @returns the results, with the axis again, and with its name unless what `fn` gives has an axis of that name
 * @throws ArgumentError where the sizes of the axis differ
 * @example
 * ```ts
 * Nx.Defn.map((row) => row.divide(row.sum()), Nx.f32([[1, 3], [2, 2]], { names: ["row", "x"] }));
 * // => #Nx.Tensor<
 * //   f32[row: 2][x: 2]
 * //   [
 * //     [0.25, 0.75],
 * //     [0.5, 0.5]
 * //   ]
 * // >
 * Nx.Defn.map((column) => column.sum(), Nx.tensor([[1, 3], [2, 2]], { names: ["row", "x"] }), { axis: "x" });
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [3, 5]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Defn.map((x) => x, Nx.tensor(1));
 * // throws ArgumentError: Nx.Defn.map: given axis (0) invalid for shape [] with rank 0; a scalar has no axes
 * ```
 */
export function map<const X, Y, const A extends Axis | undefined = undefined>(
  fn: (entry: Entries<X, Given<A, 0>>) => Y,
  sequences: X,
  options?: A | ScanOptions<A>,
  ..._more: More<ScanOptions<undefined>>
): Results<Y, X, Given<A, 0>>;
export function map(fn: (entry: unknown) => unknown, sequences: unknown, options?: Axis | ScanOptions): unknown {
  checkFunction(fn, "the first argument of Nx.Defn.map");
  const nothing = flatten([], "the state");
  const owner = ownerOf("Nx.Defn.map", "the body of Nx.Defn.map", fn);
  return inTrace(owner.api, () => {
    const step = (_: unknown, entry: unknown) => [[], fn(entry)] as const;
    return scanOver(owner, nothing, sequences, options, step)[1];
  });
}
