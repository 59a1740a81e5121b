/**
 * Control flow that depends on values: `cond`, `whileLoop`, `scan` and `map`, for use inside traced functions.
 */
import { tracingBackend } from "../../backends/registry";
import { containerKind, entriesOf, formatPath, mapContainer } from "../../container";
import { ArgumentError, DefnError, show } from "../../core/errors";
import { mergeNames } from "../../core/names";
import { booleanOption, checkOptions } from "../../core/options";
import { allAxes, broadcastShapes, formatShape, resolveAxis, sameShape, type Axis } from "../../core/shape";
import { mergeTypes } from "../../core/types";
import type { Template } from "../../backend";
import { asTensor, run, template } from "../../nx/dispatch";
import { transpose } from "../../nx/shape";
import { asType } from "../../nx/type";
import { Tensor, type Operand } from "../../tensor";
import { jit } from "../defn";
import { exprBackend } from "../expr";
import { isParameter } from "../signature";
import { unwrapped, type Tensors } from "../trace";
import { buildCond, buildScan, buildWhile, followedBy, own } from "./build";

/** Flat tensors of a container, and how to put others in their place. */
interface Flat {
  readonly tensors: readonly Tensor[];
  readonly paths: readonly string[];
  /** Kinds and keys of the container, for comparing two. */
  readonly structure: string;
  readonly fill: (tensors: readonly Tensor[]) => unknown;
}

/** Takes a container of tensors and numbers apart; anything else in it is an error that says what `what` is. */
function flatten(value: unknown, what: string): Flat {
  const tensors: Tensor[] = [];
  const wraps: ((inner: Tensor) => Tensor)[] = [];
  const paths: string[] = [];
  mapContainer(value, (leaf, path) => {
    if (!isParameter(leaf) && typeof leaf !== "boolean") throw notATensor(leaf, `${what}${formatPath(path)}`);
    const { inner, wrap } = unwrapped(asTensor(leaf, what));
    tensors.push(inner);
    wraps.push(wrap);
    paths.push(formatPath(path));
  });
  const fill = (replacements: readonly Tensor[]) => {
    let next = 0;
    return mapContainer(value, () => wraps[next]!(replacements[next++]!));
  };
  return { tensors, paths, structure: structureOf(value), fill };
}

function notATensor(leaf: unknown, where: string): DefnError {
  const hint = leaf === undefined ? "; is a return missing?" : "";
  return new DefnError(`${where} must be a tensor, a number or a container of them, got: ${show(leaf)}${hint}`);
}

function structureOf(value: unknown): string {
  const kind = containerKind(value);
  if (kind === null) return "tensor";
  const children = entriesOf(value).map(([key, child]) => `${JSON.stringify(key)}: ${structureOf(child)}`);
  return `${kind} { ${children.join(", ")} }`;
}

const text = ({ type, shape, names }: Template): string => `${type}${formatShape(shape, names)}`;

/** Runs `fn` in a trace: the one that is running, else one of its own. */
function traced<R>(fn: () => R): R {
  return tracingBackend() === exprBackend ? fn() : jit(fn)();
}

function checkFunction(fn: unknown, what: string): void {
  if (typeof fn !== "function") throw new ArgumentError(`${what} must be a function, got: ${show(fn)}`);
}

/** A scalar that decides; true and false and plain numbers are known already. */
function predicate(value: unknown, what: string): Tensor | boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value !== 0;
  if (typeof value === "bigint") return value !== 0n;
  if (value instanceof Tensor && value.shape.length === 0) return value;
  const got = value instanceof Tensor ? text(value) : show(value);
  throw new DefnError(`${what} must be a scalar tensor, true or false, got: ${got}; reduce it with Nx.all or Nx.any`);
}

/** What a traced condition gives. */
export type Predicate = Operand;

/** One branch of {@link cond}: a predicate and what to compute where it holds. */
export type Clause<R> = readonly [predicate: Predicate, branch: () => R];

/**
 * The result of the first branch whose predicate holds, else of the last function. Only that branch is computed.
 *
 * A predicate is a scalar that is not 0 (NaN counts as true); `true` and `false` choose while tracing. All branches must
 * return containers of the same structure; every tensor of the result has the merged type of its counterparts, the shape
 * they broadcast to and their merged names.
 *
 * @param clauses - pairs of a predicate and a function without parameters
 * @param otherwise - computes the result where no predicate holds
 * @returns the result of one of the functions
 * @throws DefnError where a predicate is no scalar or the branches return different structures
 * @throws ArgumentError where shapes do not broadcast or names clash
 * @example
 * ```ts
 * const absolute = Nx.defn((x: Nx.Tensor) => Nx.Defn.cond([[x.less(0), () => x.negate()]], () => x));
 * absolute(Nx.tensor(-3));
 * // => #Nx.Tensor<
 * //   s64
 * //   3
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.f32([1, 2], { names: ["x"] });
 * Nx.Defn.cond([[t.sum().greater(10), () => t], [t.sum().greater(2), () => t.multiply(10)]], () => Nx.tensor(0));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [10.0, 20.0]
 * // >
 * Nx.Defn.cond([[t, () => t]], () => t);
 * // throws DefnError: a predicate of Nx.Defn.cond must be a scalar tensor, true or false, got: f32[x: 2]
 * ```
 */
export function cond<R>(clauses: readonly Clause<R>[], otherwise: () => R): R {
  const wrong = !Array.isArray(clauses) || clauses.some((clause) => !Array.isArray(clause) || clause.length !== 2);
  if (wrong) {
    throw new ArgumentError(`Nx.Defn.cond expects pairs [[predicate, () => result], ...], got: ${show(clauses)}`);
  }
  for (const [, branch] of clauses) checkFunction(branch, "a branch of Nx.Defn.cond");
  checkFunction(otherwise, "the last branch of Nx.Defn.cond");
  return traced(() => {
    const open: [Tensor, () => R][] = [];
    for (const [value, branch] of clauses) {
      const decided = predicate(value, "a predicate of Nx.Defn.cond");
      if (decided === true) return choose(open, branch);
      if (decided !== false) open.push([decided, branch]);
    }
    return choose(open, otherwise);
  });
}

function choose<R>(clauses: readonly [Tensor, () => R][], otherwise: () => R): R {
  if (clauses.length === 0) {
    const only = flatten(otherwise(), RESULT);
    return only.fill(only.tensors) as R;
  }
  const flats: Flat[] = [];
  const traces = [...clauses.map(([, branch]) => branch), otherwise].map((branch) =>
    own([], () => {
      const flat = flatten(branch(), RESULT);
      flats.push(flat);
      return flat.tensors;
    }),
  );
  const [first, ...others] = flats as [Flat, ...Flat[]];
  for (const other of others) sameStructure(first, other);
  const outs = first.tensors.map((_, i) =>
    flats.map(({ tensors }) => tensors[i]!).reduce<Template>(merged, first.tensors[i]!),
  );
  const fitted = traces.map((branch) => followedBy(branch, (...tensors) => tensors.map((t, i) => fit(t, outs[i]!))));
  const predicates = clauses.map(([value]) => value);
  return first.fill(buildCond(outs, predicates, fitted)) as R;
}

const RESULT = "the result of a branch of Nx.Defn.cond";

function sameStructure(a: Flat, b: Flat): void {
  if (a.structure === b.structure) return;
  throw new DefnError(
    `all branches of Nx.Defn.cond must return the same structure, got: ${a.structure} and ${b.structure}`,
  );
}

/** The template that two branches have in common. */
function merged(a: Template, b: Template): Template {
  const shape = broadcastShapes(a.shape, b.shape);
  if (shape === null) {
    throw new ArgumentError(
      `the branches of Nx.Defn.cond must return shapes that broadcast, got ${text(a)} and ${text(b)}`,
    );
  }
  return template(mergeTypes(a.type, b.type), shape, mergeNames(a.names, a.shape, b.names, b.shape));
}

/** The tensor as the template says: cast, broadcast and named. */
function fit(t: Tensor, out: Template): Tensor {
  const cast = asType(t, out.type);
  const isSame = sameShape(cast.shape, out.shape) && cast.names.every((name, i) => name === out.names[i]);
  if (isSame) return cast;
  const lead = out.shape.length - cast.shape.length;
  return run("broadcast", out, [cast], { axes: cast.shape.map((_, i) => i + lead) });
}

/**
 * Repeats `body` on a state as long as `condition` holds.
 *
 * @param initial - the state to begin with: a tensor, a number or a container of them
 * @param condition - given the state, says whether to go on: a scalar tensor
 * @param body - given the state, returns the next one: the same structure, and for each tensor the same type, shape and names
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
export function whileLoop<S>(
  initial: S,
  condition: (state: Tensors<S>) => Predicate,
  body: (state: Tensors<S>) => unknown,
): Tensors<S> {
  checkFunction(condition, "the condition of Nx.Defn.whileLoop");
  checkFunction(body, "the body of Nx.Defn.whileLoop");
  return traced(() => {
    const start = flatten(initial, "the state of Nx.Defn.whileLoop");
    if (start.tensors.length === 0) throw noState("Nx.Defn.whileLoop", initial);
    const last = buildWhile(
      start.tensors,
      (...state) => asCondition(condition(start.fill(state) as Tensors<S>)),
      (...state) => nextState(start, body(start.fill(state) as Tensors<S>), "Nx.Defn.whileLoop"),
    );
    return start.fill(last) as Tensors<S>;
  });
}

function noState(fn: string, value: unknown): ArgumentError {
  return new ArgumentError(`${fn} expects a state of at least one tensor or number, got: ${show(value)}`);
}

function asCondition(value: unknown): Tensor {
  const decided = predicate(value, "the condition of Nx.Defn.whileLoop");
  return typeof decided === "boolean" ? asTensor(decided, "Nx.Defn.whileLoop") : decided;
}

/** The tensors of what a body returned; each must be as it was. */
function nextState(before: Flat, returned: unknown, fn: string): readonly Tensor[] {
  const after = flatten(returned, `what the body of ${fn} returned`);
  const differs = (what: string) =>
    new DefnError(
      `the body of ${fn} must return what it is given, but ${what}; convert with Nx.asType, Nx.reshape or Nx.rename, ` +
        `or begin with a state of that kind`,
    );
  if (after.structure !== before.structure) {
    throw differs(`the state is ${before.structure} and it returned ${after.structure}`);
  }
  const wrong = before.tensors.flatMap((state, i) => {
    const next = after.tensors[i]!;
    const where = before.paths[i] === "" ? "" : ` at ${before.paths[i]}`;
    return text(state) === text(next) ? [] : [`the state${where} is ${text(state)} and it returned ${text(next)}`];
  });
  if (wrong.length > 0) throw differs(wrong.join(", "));
  return after.tensors;
}

/** Options of {@link scan} and {@link map}. */
export interface ScanOptions {
  /** Axis of the sequences to go along, by position or name; the first by default. Results are stacked along it too. */
  readonly axis?: Axis;
  /** From the last entry to the first; results stay where their entries are. */
  readonly reverse?: boolean;
}

/**
 * Goes along an axis of one or more sequences with a state that is passed on, and stacks what each step gives.
 *
 * The number of steps is the size of the axis, so memory and time of the result and of its gradient are linear in it.
 *
 * @param fn - given the state and one entry of each sequence (a container like `sequences`, without the axis), returns
 *   `[next state, result]`; the state keeps its structure, types, shapes and names
 * @param initial - the state to begin with
 * @param sequences - a tensor or a container of tensors that agree in the size of the axis
 * @param options - `axis` to go along (the first by default), `reverse` to begin at the end
 * @returns `[last state, results]`, the latter with the axis and its name again
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
export function scan<S, X, Y>(
  fn: (state: Tensors<S>, entry: Tensors<X, false>) => readonly [next: unknown, result: Y],
  initial: S,
  sequences: X,
  options?: ScanOptions,
): [Tensors<S>, Tensors<Y, false>] {
  checkFunction(fn, "the first argument of Nx.Defn.scan");
  return traced(() => {
    const start = flatten(initial, "the state of Nx.Defn.scan");
    if (start.tensors.length === 0) throw noState("Nx.Defn.scan", initial);
    return scanOver("Nx.Defn.scan", start, sequences, options, (state, entry) => {
      const returned = fn(state as Tensors<S>, entry as Tensors<X, false>) as unknown;
      if (Array.isArray(returned) && returned.length === 2) return returned as [unknown, Y];
      throw new DefnError(`the function of Nx.Defn.scan must return [next state, result], got: ${show(returned)}`);
    }) as [Tensors<S>, Tensors<Y, false>];
  });
}

function scanOver(
  name: string,
  start: Flat,
  sequences: unknown,
  options: ScanOptions | undefined,
  step: (state: unknown, entry: unknown) => readonly [unknown, unknown],
): [unknown, unknown] {
  checkOptions(name, options, ["axis", "reverse"]);
  const reverse = booleanOption(name, "reverse", options?.reverse, false);
  const along = flatten(sequences, `the sequences of ${name}`);
  const { fronts, length, axis, axisName } = readSequences(name, along, options?.axis ?? 0);
  let results: Flat | undefined;
  const all = buildScan(
    start.tensors,
    fronts,
    (carried, entries) => {
      const [next, result] = step(start.fill(carried), along.fill(entries));
      results = flatten(result, `the result of a step of ${name}`);
      return { carried: nextState(start, next, name), results: results.tensors };
    },
    { length, reverse, name: axisName },
  );
  return [start.fill(all.carried), results!.fill(all.results.map((t) => toAxis(t, axis)))];
}

/** The sequences with the axis to go along in front. */
function readSequences(name: string, { tensors }: Flat, axis: Axis) {
  const [first] = tensors;
  if (!first) throw new ArgumentError(`${name} expects at least one tensor to go along`);
  const axes = tensors.map(({ shape, names }) => resolveAxis(axis, shape, names));
  const length = first.shape[axes[0]!]!;
  const other = tensors.find((t, i) => t.shape[axes[i]!] !== length);
  if (other) {
    throw new ArgumentError(
      `the sequences of ${name} must agree in the size of the axis, got ${text(first)} and ${text(other)}`,
    );
  }
  const fronts = tensors.map((t, i) => moveAxis(t, axes[i]!, 0));
  return { fronts, length, axis: axes[0]!, axisName: first.names[axes[0]!]! };
}

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
 * @returns the results, with the axis and its name again
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
 * // throws ArgumentError: given axis (0) invalid for shape [] with rank 0; a scalar has no axes
 * ```
 */
export function map<X, Y>(fn: (entry: Tensors<X, false>) => Y, sequences: X, options?: ScanOptions): Tensors<Y, false> {
  checkFunction(fn, "the first argument of Nx.Defn.map");
  const nothing = flatten([], "the state");
  return traced(() => {
    const step = (_: unknown, entry: unknown) => [[], fn(entry as Tensors<X, false>)] as const;
    return scanOver("Nx.Defn.map", nothing, sequences, options, step)[1] as Tensors<Y, false>;
  });
}
