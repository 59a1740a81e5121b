/**
 * What Immutable's values are told by, without Immutable: the marks that its collections and records carry in every release and
 * every copy of it. A program that has none of them does not load the library; what makes them stands in `io/dependencies`.
 */
import type { Collection, List, Map, Record, ValueObject } from "immutable";

const marked = (value: unknown, mark: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  Boolean((value as { [mark: string]: unknown })[`@@__IMMUTABLE_${mark}__@@`]);

export const isCollection = (value: unknown): value is Collection<unknown, unknown> => marked(value, "ITERABLE");

/** Whether keys of a collection say more than that it has its values: of all but sets. */
export const isAssociative = (value: unknown): boolean => marked(value, "KEYED") || marked(value, "INDEXED");

export const isList = (value: unknown): value is List<unknown> => marked(value, "LIST");

export const isMap = (value: unknown): value is Map<unknown, unknown> => marked(value, "MAP");

export const isOrderedMap = (value: unknown): boolean => isMap(value) && marked(value, "ORDERED");

export const isRecord = (value: unknown): value is Record<{ [field: string]: unknown }> => marked(value, "RECORD");

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  (typeof value === "object" && value !== null) || typeof value === "function";

export const isValueObject = (value: unknown): value is ValueObject =>
  isObject(value) && typeof value["equals"] === "function" && typeof value["hashCode"] === "function";

/** Immutable's equality of values: 0 is -0, NaN is NaN, objects that stand for a value are that, and value objects say themselves. */
export function is(a: unknown, b: unknown): boolean {
  if (same(a, b)) return true;
  if (!a || !b) return false;
  const [left, right] = hasValue(a) && hasValue(b) ? [a.valueOf(), b.valueOf()] : [a, b];
  return same(left, right) || (isValueObject(left) && isValueObject(right) && left.equals(right));
}

const same = (a: unknown, b: unknown): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

interface Valued {
  valueOf(): unknown;
}

const hasValue = (value: unknown): value is Valued => typeof (value as Partial<Valued>).valueOf === "function";
