/** Reads the oracle files next to this one and measures distances in units in the last place. */

import { readFileSync } from "node:fs";

/** A number as the files keep it: the ones JSON cannot hold are strings. */
export type Coded = number | "NaN" | "Infinity" | "-Infinity" | "-0";

export function decode(value: Coded): number {
  return Number(value);
}

export function readOracle<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")) as T;
}

const scratch = new Float64Array(1);
const bits = new BigInt64Array(scratch.buffer);

/** The distance from |x| to the next larger f64. */
export function ulp(x: number): number {
  scratch[0] = Math.abs(x);
  bits[0] = (bits[0] as bigint) + 1n;
  return (scratch[0] as number) - Math.abs(x);
}

/** How many ulp of `expected` lie between the two; 0 for the same special value, Infinity for a different one. */
export function ulpsApart(actual: number, expected: number): number {
  if (Object.is(actual, expected)) return 0;
  if (!Number.isFinite(expected) || !Number.isFinite(actual) || expected === 0) return Infinity;
  return Math.abs(actual - expected) / ulp(expected);
}
