/**
 * Axis names at run time: checking what users give, merging the names of operands. Names align from the right;
 * `null` is a wildcard. Compile-time counterparts live in `axis-types.ts`.
 */
import { ArgumentError, show } from "./errors";
import { formatShape, type Name, type Names, type Shape } from "./shape";

const UNNAMED: Names[] = [];

/** Frozen array of `rank` nulls, shared. */
export function unnamed(rank: number): Names {
  return (UNNAMED[rank] ??= Object.freeze(new Array<Name>(rank).fill(null)));
}

/** Names given by a user for a shape: one string or null per axis, no duplicates. */
export function checkNames(value: unknown, shape: readonly (number | string)[]): Names {
  if (value === undefined || value === null) return unnamed(shape.length);
  if (!Array.isArray(value)) {
    throw new ArgumentError(`names must be an array with a string or null per axis, got: ${show(value)}`);
  }
  if (value.length !== shape.length) {
    throw new ArgumentError(
      `invalid names ${show(value)} for tensor of rank ${shape.length} and shape ${formatShape(shape)}: ` +
        `when specifying names every dimension must have a name or be null`,
    );
  }
  for (const name of value as unknown[]) checkName(name);
  return uniqueNames(Object.freeze((value as Name[]).slice()), shape);
}

/** A single axis name or null. */
export function checkName(name: unknown): Name {
  if (name === null || (typeof name === "string" && name !== "")) return name;
  throw new ArgumentError(`an axis name must be a non-empty string or null, got: ${show(name)}`);
}

/** Refuses two axes of the same name. */
export function uniqueNames(names: Names, shape: readonly (number | string)[]): Names {
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    if (name !== null && names.indexOf(name) < i) {
      throw new ArgumentError(
        `operation would result in duplicate names ${show(names)} for shape ${formatShape(shape, names)}; ` +
          `rename an axis of an operand with Nx.rename to avoid the duplicate ${JSON.stringify(name)}`,
      );
    }
  }
  return names;
}

/** Names of a result that has an axis in front of what a function gave: without its name where the rest has one of that name. */
export const withInFront = (name: Name, names: Names): Names =>
  Object.freeze([names.includes(name) ? null : name, ...names]);

/** Names of an element-wise result: aligned from the right, null yields; different names, and one name at two axes, are errors. */
export function mergeNames(aNames: Names, aShape: Shape, bNames: Names, bShape: Shape): Names {
  if (aNames === bNames || bNames.length === 0) return aNames;
  if (aNames.length === 0) return bNames;
  const rank = Math.max(aNames.length, bNames.length);
  const out = new Array<Name>(rank);
  let same = rank === aNames.length;
  for (let i = 1; i <= rank; i++) {
    const left = aNames[aNames.length - i] ?? null;
    const right = bNames[bNames.length - i] ?? null;
    if (left !== null && right !== null && left !== right) throw nameClash(left, right, aNames, aShape, bNames, bShape);
    out[rank - i] = left ?? right;
    same &&= out[rank - i] === left;
  }
  if (same) return aNames;
  const shape = out.map((_, i) => Math.max(aShape.at(i - rank) ?? 1, bShape.at(i - rank) ?? 1));
  return uniqueNames(Object.freeze(out), shape);
}

function nameClash(
  left: string,
  right: string,
  aNames: Names,
  aShape: Shape,
  bNames: Names,
  bShape: Shape,
): ArgumentError {
  return new ArgumentError(
    `cannot merge axis name ${JSON.stringify(left)} (axis ${aNames.indexOf(left)} of ${formatShape(aShape, aNames)}) with ` +
      `${JSON.stringify(right)} (axis ${bNames.indexOf(right)} of ${formatShape(bShape, bNames)}): ` +
      `axes align from the right; transpose, rename or newAxis one operand so that the names line up`,
  );
}
