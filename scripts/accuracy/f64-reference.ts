/** Exact values from mpmath (f64-reference.py), and the distance to them. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Name } from "./f64-evaluate";

const reference = fileURLToPath(new URL("f64-reference.py", import.meta.url));

/** The nearest doubles of the exact values at [0], [2], ..., what is left in units in the last place at [1], [3], ... */
export function exactValues(name: Name, points: readonly Float64Array[]): Float64Array {
  const size = points[0]!.length;
  const flat = new Float64Array(size * points.length);
  points.forEach((column, j) => column.forEach((x, i) => (flat[i * points.length + j] = x)));
  const input = Buffer.concat([Buffer.from(`${name}\n`), Buffer.from(flat.buffer)]);
  const { stdout, status, stderr } = spawnSync("python3", [reference], { input, maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(stderr.toString());
  return new Float64Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
}

const scratch = new Float64Array(1);
const bits = new BigInt64Array(scratch.buffer);

/** Position of a double on the line of all doubles. */
function place(x: number): bigint {
  scratch[0] = x;
  return bits[0]! < 0n ? -(bits[0]! & 0x7fffffffffffffffn) : bits[0]!;
}

/** Units in the last place between a result and an exact value; near enough where they cross a power of two. */
export function errorOf(actual: number, nearest: number, rest: number): number {
  if (Number.isNaN(actual)) return Infinity;
  return Math.abs(Number(place(actual) - place(nearest)) - rest);
}
