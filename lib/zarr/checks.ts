/**
 * What is checked alike in all of `nx-numerics/zarr`: options, axes, and which part of an array is meant. Knows names and sizes only.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Names } from "nx-numerics";
import type { Box } from "./boxes";

/** Part of an axis: a position, which drops the axis, or a half-open range of positions; both from the back when negative. */
export type ZarrIndex = number | readonly [start: number, end: number] | Nx.IndexRange;

/** An array as messages and selections know it. */
export interface Described {
  readonly type: string;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly names: Names;
}

/** A value in a message. */
export function shown(value: unknown): string {
  if (value instanceof Nx.Tensor) return `a tensor ${value.type}${sizesText(value.shape, value.names)}`;
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  if (typeof value === "function") return `function ${value.name || "(anonymous)"}`;
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? `${value}n` : String(value);
  const kind = (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor?.name;
  return kind === undefined || kind === "Object" ? "an object" : `an instance of ${kind}`;
}

export function sizesText(shape: readonly number[], names: Names): string {
  return shape.map((size, axis) => `[${names[axis] ? `${names[axis]}: ` : ""}${size}]`).join("");
}

/** `f32[time: 8760 by 24][lat: 721]`: an axis that is cut says how. */
export function arrayText({ type, shape, chunks, names }: Described): string {
  const axes = shape.map((size, axis) => {
    const cut = chunks[axis]! < size ? ` by ${chunks[axis]}` : "";
    return `[${names[axis] ? `${names[axis]}: ` : ""}${size}${cut}]`;
  });
  return `${type}${axes.join("")}`;
}

/** The options, checked: an object with known keys only. */
export function checkOptions<O extends object>(fn: string, given: O | undefined, allowed: readonly string[]): O {
  if (given === undefined) return {} as O;
  const proto =
    typeof given === "object" && given !== null ? (Object.getPrototypeOf(given) as object | null) : undefined;
  if (proto !== null && proto !== Object.prototype) {
    throw new ArgumentError(
      `${fn} expects its options as an object such as { ${allowed[0]}: ... }, got: ${shown(given)}`,
    );
  }
  for (const key of Object.keys(given)) {
    if (allowed.includes(key)) continue;
    throw new ArgumentError(
      `unknown option ${shown(key)} for ${fn}${didYouMean(key, allowed)} Expected one of: ${allowed.join(", ")}`,
    );
  }
  return given;
}

export function wholeNumber(fn: string, key: string, value: unknown, fallback: number, least: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && Number.isInteger(value) && value >= least) return value;
  throw new ArgumentError(`option ${key} of ${fn} must be an integer of at least ${least}, got: ${shown(value)}`);
}

export function flag(fn: string, key: string, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw new ArgumentError(`option ${key} of ${fn} must be true or false, got: ${shown(value)}`);
}

export function oneOf<W extends string>(fn: string, key: string, value: unknown, words: readonly [W, ...W[]]): W {
  if (value === undefined) return words[0];
  if (words.includes(value as W)) return value as W;
  const list = words.map(shown).join(", ");
  throw new ArgumentError(`option ${key} of ${fn} must be one of ${list}, got: ${shown(value)}`);
}

export function signalOption(fn: string, value: unknown): AbortSignal | undefined {
  if (value === undefined) return undefined;
  if (typeof (value as AbortSignal | null)?.addEventListener === "function") return value as AbortSignal;
  throw new ArgumentError(`option signal of ${fn} must be an AbortSignal, got: ${shown(value)}`);
}

/** "; did you mean x?" or ".": the one candidate that differs by two letters at most, or by a third of them. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = (candidate: string): number => distance(word.toLowerCase(), candidate.toLowerCase());
  const limit = Math.min(word.length - 1, Math.max(2, Math.floor(word.length / 3)));
  const best = candidates.reduce<string | null>((a, b) => (a === null || near(b) < near(a) ? b : a), null);
  return best !== null && near(best) <= limit ? `; did you mean ${shown(best)}?` : ".";
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}

/** What axes are called in selections: their names, and the positions of those that have none. */
export const keysOf = (names: Names): string[] => names.map((name, axis) => name ?? String(axis));

/** The position of an axis that is said by name or position. */
export function axisIn(fn: string, array: Described, axis: unknown): number {
  const rank = array.shape.length;
  if (typeof axis === "number" && Number.isInteger(axis) && axis >= -rank && axis < rank) {
    return axis < 0 ? axis + rank : axis;
  }
  const found = typeof axis === "string" ? array.names.indexOf(axis) : -1;
  if (found >= 0) return found;
  throw noAxis(fn, array, axis);
}

function noAxis(fn: string, array: Described, axis: unknown): ArgumentError {
  const known = array.names.filter((name) => name !== null);
  const axes =
    known.length === 0
      ? 'the array has no named axes; name them by openZarr(store, { names: ["x", ...] })'
      : `the axes are ${known.map(shown).join(", ")}`;
  const hint = typeof axis === "string" && known.length > 0 ? didYouMean(axis, known) : ".";
  return new ArgumentError(`${fn}: no axis ${shown(axis)} in ${arrayText(array)}: ${axes}${hint}`);
}

/** The positions of the axes to reduce, all where none are given. */
export function axesIn(fn: string, array: Described, axes: unknown): number[] {
  if (axes === undefined) return array.shape.map((_, axis) => axis);
  const found = (Array.isArray(axes) ? (axes as unknown[]) : [axes]).map((axis) => axisIn(fn, array, axis));
  const twice = found.find((axis, i) => found.indexOf(axis) !== i);
  if (twice === undefined) return found;
  throw new ArgumentError(`${fn}: axis ${shown(array.names[twice] ?? twice)} is given more than once`);
}

/** Part of an array: the box to read, the steps along its axes, and the axes that are dropped. */
export interface Selected {
  readonly box: Box;
  readonly steps: readonly number[];
  readonly drops: readonly boolean[];
}

/** Reads a selection by axis names; axes that it does not say are whole. */
export function selectionIn(fn: string, array: Described, where: unknown): Selected {
  const keys = keysOf(array.names);
  if (where !== undefined && (typeof where !== "object" || where === null || Array.isArray(where))) {
    throw new ArgumentError(
      `${fn} expects a part by axis names, such as { ${keys[0] ?? "x"}: [0, 10] }, got: ${shown(where)}`,
    );
  }
  const given = (where ?? {}) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw noAxis(fn, array, unknown);
  const parts = keys.map((key, axis) => partOf(fn, array, axis, Object.hasOwn(given, key) ? given[key] : undefined));
  return {
    box: { starts: parts.map(({ start }) => start), lengths: parts.map(({ length }) => length) },
    steps: parts.map(({ step }) => step),
    drops: parts.map(({ drops }) => drops),
  };
}

interface Part {
  readonly start: number;
  readonly length: number;
  readonly step: number;
  readonly drops: boolean;
}

function partOf(fn: string, array: Described, axis: number, index: unknown): Part {
  const size = array.shape[axis]!;
  const name = shown(array.names[axis] ?? axis);
  if (index === undefined) return { start: 0, length: size, step: 1, drops: false };
  if (typeof index === "number" && Number.isInteger(index)) {
    if (index >= -size && index < size)
      return { start: index < 0 ? index + size : index, length: 1, step: 1, drops: true };
    throw new ArgumentError(
      `${fn}: index ${index} is out of bounds for axis ${name} of size ${size} in ${arrayText(array)}`,
    );
  }
  const { start, end, step } = boundsOf(fn, name, index);
  const [from, to] = [start ?? 0, end ?? size].map((bound) => (bound < 0 ? bound + size : bound)) as [number, number];
  const text = `${fn}: the range ${start ?? "start"} to ${end ?? "end"}`;
  if (from < 0 || to < 0 || from > size || to > size) {
    throw new ArgumentError(`${text} is out of bounds for axis ${name} of size ${size} in ${arrayText(array)}`);
  }
  if (to <= from)
    throw new ArgumentError(`${text} of axis ${name} is empty; empty tensors do not exist (the end is excluded)`);
  return { start: from, length: to - from, step, drops: false };
}

function boundsOf(fn: string, name: string, index: unknown): { start?: number; end?: number; step: number } {
  if (Array.isArray(index) && index.length === 2 && index.every(Number.isInteger)) {
    const [start, end] = index as [number, number];
    return { start, end, step: 1 };
  }
  const range = index as Partial<Nx.IndexRange> | null;
  if (range?.kind === "range") {
    const { start, end, step = 1 } = range;
    return { ...(start !== undefined && { start }), ...(end !== undefined && { end }), step };
  }
  throw new ArgumentError(
    `${fn}: axis ${name} expects a position, [start, end] with the end excluded, or Nx.range(start, end, step), got: ${shown(index)}`,
  );
}
