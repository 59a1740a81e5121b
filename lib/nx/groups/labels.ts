/**
 * Labels of entries as numbers of groups: which groups there are, and which each entry belongs to.
 */
import { tracingBackend } from "../../backends/registry";
import { ArgumentError, show } from "../../core/errors";
import { formatShape } from "../../core/shape";
import { isInteger } from "../../core/types";
import type { Operand, Tensor } from "../../tensor";
import { reshapeTo } from "../aggregates/core";
import { toFlatList } from "../conversion";
import { tensor } from "../creation";
import { asTensor, cast } from "../dispatch";
import { unique } from "./unique";

/** The label of a group. */
export type GroupKey = string | number | bigint | boolean;

/** A label for each entry: a list, or a vector of integers. */
export type GroupLabels = Operand | readonly GroupKey[];

/** The group of each entry, a vector of numbers from 0 on, and the label of each group. */
export interface Numbered {
  readonly numbers: Tensor;
  readonly keys: readonly GroupKey[];
}

/** Reads labels of so many entries along an axis, and the groups that there are (all that occur, where that is left out). */
export function readLabels(fn: string, t: Tensor, axis: number, labels: GroupLabels, groups: unknown): Numbered {
  if (!Array.isArray(labels)) {
    const given = asTensor(labels as Operand, fn);
    checkLabels(fn, t, axis, given);
    return ofTensor(fn, given, groups);
  }
  const list = labels as readonly GroupKey[];
  if (list.length === t.shape[axis]) return ofList(fn, list, groups);
  throw wrongLabels(fn, t, axis, `${list.length} labels`);
}

/** Checks that a vector has a label for each entry along an axis, and that both call their axis the same where both have a name. */
export function checkLabels(fn: string, t: Tensor, axis: number, labels: Tensor): void {
  const got = `labels ${labels.type}${formatShape(labels.shape, labels.names)}`;
  if (labels.shape.length !== 1 || labels.shape[0] !== t.shape[axis]) throw wrongLabels(fn, t, axis, got);
  const [own, name] = [t.names[axis]!, labels.names[0]!];
  if (own === null || name === null || own === name) return;
  throw new ArgumentError(
    `${fn} expects labels of the entries along axis ${show(own)} of ${formatShape(t.shape, t.names)}, got ${got}, whose axis ` +
      `is ${show(name)}; rename it with Nx.rename if it is the same one`,
  );
}

const wrongLabels = (fn: string, t: Tensor, axis: number, got: string): ArgumentError =>
  new ArgumentError(
    `${fn} expects a label for each of ${t.shape[axis]} entries along axis ${axis} of shape ${formatShape(t.shape, t.names)}, got ${got}`,
  );

/** The groups of a list of labels. */
function ofList(fn: string, labels: readonly GroupKey[], groups: unknown): Numbered {
  const found = new Map<GroupKey, number>(); // labels by their first occurrence
  const places = new Int32Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    let place = found.get(label);
    if (place === undefined) found.set(checkKey(fn, label), (place = found.size));
    places[i] = place;
  }
  const keys = groups === undefined ? [...found.keys()].sort(ascending) : readKeys(fn, groups);
  const numbers = new Map(keys.map((key, i) => [key, i]));
  const final = Int32Array.from(found.keys(), (label) => {
    const number = numbers.get(label);
    if (number !== undefined) return number;
    throw new ArgumentError(`${fn}: the label ${show(label)} is not among the groups ${show(keys)}`);
  });
  for (let i = 0; i < places.length; i++) places[i] = final[places[i]!]!;
  return { numbers: cast(tensor(places), "s64"), keys };
}

/** The groups of a vector of integers. */
function ofTensor(fn: string, labels: Tensor, groups: unknown): Numbered {
  if (!isInteger(labels.type)) {
    throw new ArgumentError(
      `${fn} expects labels of an integer type, got ${labels.type}${formatShape(labels.shape, labels.names)}; ` +
        `Nx.digitize makes numbers of bins of real numbers`,
    );
  }
  const line = reshapeTo(labels, labels.shape);
  if (Array.isArray(groups)) return ofList(fn, toFlatList(line) as GroupKey[], groups);
  if (groups !== undefined) return { numbers: line, keys: readKeys(fn, groups) };
  if (tracingBackend() !== null) {
    throw new ArgumentError(
      `${fn} in a compiled function needs the option groups, the number of groups, since labels are not known there`,
    );
  }
  const { values, inverse } = unique(line);
  return { numbers: inverse as Tensor, keys: toFlatList(values) as GroupKey[] };
}

/** The labels of the groups that an option says there are. */
function readKeys(fn: string, groups: unknown): readonly GroupKey[] {
  if (typeof groups === "number" && Number.isInteger(groups) && groups >= 1)
    return Array.from({ length: groups }, (_, i) => i);
  if (Array.isArray(groups) && groups.length > 0 && new Set(groups).size === groups.length) {
    return (groups as unknown[]).map((key) => checkKey(fn, key));
  }
  throw new ArgumentError(
    `option groups of ${fn} expects the number of groups or a list of different labels, got: ${show(groups)}`,
  );
}

function checkKey(fn: string, key: unknown): GroupKey {
  if (["string", "bigint", "boolean"].includes(typeof key) || (typeof key === "number" && !Number.isNaN(key))) {
    return key as GroupKey;
  }
  throw new ArgumentError(`${fn} expects labels that are strings or numbers, got: ${show(key)}`);
}

/** Numbers by size, strings by code units; of both numbers come first. */
function ascending(a: GroupKey, b: GroupKey): number {
  const [isTextA, isTextB] = [typeof a === "string", typeof b === "string"];
  if (isTextA !== isTextB) return isTextA ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}
