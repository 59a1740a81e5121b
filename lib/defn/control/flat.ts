/**
 * The common ground of control flow: flattened containers, states that must keep their structure, vectorized tensors brought to
 * the same axes.
 */
import type { Template } from "../../backend";
import { tracingBackend } from "../../backends/registry";
import { containerKind, entriesOf, formatPath, mapContainer } from "../../container";
import { ArgumentError, DefnError, show } from "../../core/errors";
import { formatShape } from "../../core/shape";
import { asMaybeWeak, asTensor, asTensorLike } from "../../nx/dispatch";
import { Tensor } from "../../tensor";
import { jitFor } from "../defn";
import { exprBackend } from "../expr";
import { isPlainNumber } from "../numbers";
import { givenTo } from "../scope";
import { isParameter } from "../signature";
import { widened } from "../wrapping";

/** The tensors of a container in order, and a function that puts other tensors in their places. */
export interface Flat {
  readonly leaves: readonly Tensor[];
  readonly paths: readonly string[];
  /** Kinds and keys of the container, for comparing two. */
  readonly structure: string;
  readonly fill: (leaves: readonly Tensor[]) => unknown;
}

/**
 * Flattens a container of tensors and numbers; any other leaf is an error that names `what`. Numbers become tensors of their
 * inferred type; `tensorOf` may keep them weak.
 */
export function flatten(value: unknown, what: string, tensorOf = asTensor): Flat {
  const leaves: Tensor[] = [];
  const paths: string[] = [];
  mapContainer(value, (leaf, path) => {
    if (!isParameter(leaf) && typeof leaf !== "boolean") throw notATensor(leaf, `${what}${formatPath(path)}`);
    leaves.push(tensorOf(leaf, what));
    paths.push(formatPath(path));
  });
  const fill = (replacements: readonly Tensor[]) => {
    let next = 0;
    return mapContainer(value, () => replacements[next++]!);
  };
  return { leaves, paths, structure: structureOf(value), fill };
}

function notATensor(leaf: unknown, where: string): DefnError {
  const hint = leaf === undefined ? "; is a return missing?" : "";
  return new DefnError(`${where} must be a tensor, a number or a container of them, got: ${show(leaf)}${hint}`);
}

export function structureOf(value: unknown): string {
  const kind = containerKind(value);
  if (kind === null) return "tensor";
  const children = entriesOf(value).map(([key, child]) => `${JSON.stringify(key)}: ${structureOf(child)}`);
  return `${kind} { ${children.join(", ")} }`;
}

export const text = ({ type, shape, names }: Template): string => `${type}${formatShape(shape, names)}`;

/** Runs `fn` in a trace: the one that is running, else one of its own for the function `api`. */
export function inTrace<R>(api: string, fn: () => R): R {
  return tracingBackend() === exprBackend ? fn() : jitFor(givenTo(api, null), fn)();
}

export function checkFunction(fn: unknown, what: string): void {
  if (typeof fn !== "function") throw new ArgumentError(`${what} must be a function, got: ${show(fn)}`);
}

/** A scalar that decides; true and false are known already. A plain number decides when the graph runs, as an argument does. */
export function predicate(value: unknown, what: string): Tensor | boolean {
  if (typeof value === "boolean") return value;
  if (isPlainNumber(value)) return asTensor(value, what);
  if (value instanceof Tensor && value.shape.length === 0) return value;
  const got = value instanceof Tensor ? text(value) : show(value);
  throw new DefnError(`${what} must be a scalar tensor, true or false, got: ${got}; reduce it with Nx.all or Nx.any`);
}

export function noState(fn: string, value: unknown): ArgumentError {
  return new ArgumentError(`${fn} expects a state of at least one tensor or number, got: ${show(value)}`);
}

/** The tensors of what a body returned; numbers take the type of the state. But for what wraps it each must be as it was. */
export function nextState(before: Flat, returned: unknown, fn: string): readonly Tensor[] {
  const after = flatten(returned, `what the body of ${fn} returned`, asMaybeWeak);
  const differs = (what: string) =>
    new DefnError(
      `the body of ${fn} must return what it is given, but ${what}; convert with Nx.asType, Nx.reshape or Nx.rename, ` +
        `or begin with a state of that kind`,
    );
  if (after.structure !== before.structure) {
    throw differs(`the state is ${before.structure} and it returned ${after.structure}`);
  }
  const leaves = after.leaves.map((leaf, i) => asTensorLike(leaf, before.leaves[i]!, fn));
  const wrong = before.leaves.flatMap((state, i) => {
    const next = leaves[i]!;
    const where = before.paths[i] === "" ? "" : ` at ${before.paths[i]}`;
    return text(state) === text(next) ? [] : [`the state${where} is ${text(state)} and it returned ${text(next)}`];
  });
  if (wrong.length > 0) throw differs(wrong.join(", "));
  return leaves;
}

// ---------------------------------------------------------------------------------------------- tensors that wrap others

/** Raised inside a trace: the state has to be wrapped as these tensors are, and all be traced again. */
class Widened extends Error {
  constructor(readonly leaves: readonly Tensor[]) {
    super("the state has to be traced with further axes");
  }
}

/** Checks that a state has the vectorized axes of all tensors computed from it; `start` is its first value. */
export function checkWrapping(start: readonly Tensor[], related: (index: number) => readonly Tensor[]): void {
  const wide = widened(start, related);
  if (wide) throw new Widened(wide);
}

/** Runs `attempt` on a state, again with the state widened as long as it asks for that. */
export function widening<R>(start: Flat, attempt: (start: Flat) => R): R {
  let leaves = start.leaves;
  for (;;) {
    try {
      return attempt({ ...start, leaves });
    } catch (error) {
      if (!(error instanceof Widened)) throw error;
      leaves = error.leaves;
    }
  }
}
