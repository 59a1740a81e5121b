/**
 * Tensors by name, as the writers of archives take them.
 */
import type { Map as ImmutableMap } from "immutable";
import { containerKind, type Collection } from "../container";
import { ArgumentError, show } from "../core/errors";
import { isPlainObject } from "../core/options";
import { asTensor } from "../nx/dispatch";
import type { Operand, Tensor } from "../tensor";
import { checkRank } from "./bytes";

/** Tensors by name: an object, an Immutable Map, or pairs of a name and a tensor. */
export type NamedTensors =
  | Readonly<Record<string, Operand>>
  | Collection<Operand>
  | readonly (readonly [name: string, tensor: Operand])[];

/** The pairs, checked: names are strings that are not empty and do not repeat. */
export function namedTensors(value: unknown, fn: string): [name: string, tensor: Tensor][] {
  const seen = new Set<string>();
  return pairsOf(value, fn).map(([name, tensor]) => {
    if (typeof name !== "string" || name === "") {
      throw new ArgumentError(`${fn} expects names that are non-empty strings, got: ${show(name)}`);
    }
    if (seen.has(name)) throw new ArgumentError(`${fn} got the name ${show(name)} twice`);
    seen.add(name);
    if (isPlainObject(tensor)) throw nested(fn, name, tensor);
    return [name, checkRank(asTensor(tensor, fn), fn)];
  });
}

function nested(fn: string, name: string, value: Readonly<Record<string, unknown>>): ArgumentError {
  const [first = "w"] = Object.keys(value);
  return new ArgumentError(
    `${fn} takes one tensor for each name, and ${show(name)} is ${show(value)}; give its tensors names of their own, such as ` +
      `${show(`${name}.${first}`)}, or keep the whole with Nx.serialize`,
  );
}

function pairsOf(value: unknown, fn: string): (readonly [unknown, unknown])[] {
  const kind = containerKind(value);
  if (kind === "map") return [...(value as ImmutableMap<unknown, unknown>).entries()];
  if (kind === "object") return Object.entries(value as object);
  if (Array.isArray(value)) return Array.from(value, (pair: unknown) => checkPair(pair, fn));
  throw new ArgumentError(
    `${fn} expects tensors by name, such as { weights: tensor } or [["weights", tensor]], got: ${show(value)}`,
  );
}

function checkPair(pair: unknown, fn: string): readonly [unknown, unknown] {
  if (Array.isArray(pair) && pair.length === 2) return pair as [unknown, unknown];
  throw new ArgumentError(`${fn} expects pairs of a name and a tensor, got: ${show(pair)}`);
}

/** The entries of a file that a reader is asked for by the option `keys`, in its order; all, where that is left out. */
export function chosen<E extends { readonly name: string }>(
  entries: readonly E[],
  keys: unknown,
  fn: string,
): readonly E[] {
  if (keys === undefined) return entries;
  if (!Array.isArray(keys))
    throw new ArgumentError(`option keys of ${fn} must be an array of names, got: ${show(keys)}`);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return keys.map((key: unknown) => {
    const entry = byName.get(key as string);
    if (entry) return entry;
    const names = [...byName.keys()].slice(0, 8).map(show).join(", ");
    throw new ArgumentError(`${fn}: the file has no tensor named ${show(key)}, it has ${byName.size}: ${names}`);
  });
}
