/** Comparing a result with the expected result, and saying where the two differ. */
import type { Capabilities, DType, Tensor } from "nx-numerics";
import { bytesOf, decode, distance, isSame, isSubnormal, shown, sizeOf, type Value } from "./values";

/** A backend gave another result than the suite expects. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
}

/** What a tensor must be. */
export interface Expected {
  readonly type: DType;
  readonly shape: readonly number[];
  /** Row-major little-endian bytes. */
  readonly bytes: Uint8Array;
  /** Units in the last place by which elements may be off; none where left out. */
  readonly bound?: number;
  /** How far each element may be off, for sums whose order is free. */
  readonly within?: readonly number[];
  /** Whether 0 and -0 are alike, where their sign is not part of what is expected. */
  readonly anyZero?: boolean;
}

/** A tensor and its expected value; `what` names the tensor in messages. */
export interface Claim {
  readonly what: string;
  readonly tensor: Tensor;
  readonly expected: Expected;
}

/** A position as its indices along the axes, with names where the axes have some. */
export function place(index: number, shape: readonly number[], names: readonly (string | null)[]): string {
  const parts: string[] = [];
  for (let axis = shape.length - 1, rest = index; axis >= 0; axis--) {
    const at = rest % shape[axis]!;
    rest = (rest - at) / shape[axis]!;
    parts.unshift(names[axis] ? `${names[axis]}: ${at}` : String(at));
  }
  return parts.length === 0 ? "the scalar" : `element [${parts.join(", ")}]`;
}

/** The same bytes in words, as far as there are whole ones. */
const wordsOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Int32Array | null =>
  byteOffset % 4 === 0 ? new Int32Array(buffer, byteOffset, byteLength >> 2) : null;

/** Whether two runs of bytes are the same. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  const [x, y] = [wordsOf(a), wordsOf(b)];
  const whole = x && y ? x.length : 0;
  for (let i = 0; i < whole; i++) if (x![i] !== y![i]) return false;
  for (let i = 4 * whole; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** How far two elements lie apart, as numbers; of complex ones, the parts that are farther. */
function gap(a: Value, b: Value): number {
  if (typeof a === "object" && typeof b === "object") return Math.max(gap(a[0], b[0]), gap(a[1], b[1]));
  return Math.abs(Number(a) - Number(b));
}

/** Whether an element is as good as the expected one. */
function isGood(expected: Expected, i: number, actual: Value, wanted: Value, flushed: boolean): boolean {
  const { type, bound = 0, within, anyZero } = expected;
  if (isSame(actual, wanted)) return true;
  if (flushed && isSubnormal(type, wanted) && (typeof actual === "object" || Number(actual) === 0)) return true;
  const apart = distance(type, actual, wanted);
  if (within) return gap(actual, wanted) <= within[i]!;
  return bound > 0 || anyZero ? apart <= bound : false;
}

/** What is wrong with the bytes of a tensor; null where nothing is. */
export function difference(
  { what, tensor, expected }: Claim,
  bytes: Uint8Array,
  { subnormals }: Capabilities = {},
): string | null {
  const { type, shape } = expected;
  if (tensor.type !== type || String(tensor.shape) !== String(shape)) {
    return `${what} is ${tensor.type}[${tensor.shape.join(", ")}], expected ${type}[${shape.join(", ")}]`;
  }
  if (bytes.byteLength !== sizeOf(shape) * bytesOf(type)) {
    return `${what} has ${bytes.byteLength} bytes, expected ${sizeOf(shape) * bytesOf(type)}`;
  }
  if (sameBytes(bytes, expected.bytes)) return null;
  const [actual, wanted] = [decode(type, bytes), decode(type, expected.bytes)];
  const wrong = wanted.flatMap((value, i) =>
    isGood(expected, i, actual[i]!, value, subnormals === "flushed") ? [] : [i],
  );
  const first = wrong[0];
  if (first === undefined) return null;
  const apart = distance(type, actual[first]!, wanted[first]!);
  const unit = type.startsWith("u") || type.startsWith("s") ? "apart" : "ulp apart";
  return (
    `${what}: ${place(first, shape, tensor.names)} is ${shown(actual[first]!)}, expected ${shown(wanted[first]!)} ` +
    `(${apart} ${unit}); ${wrong.length} of ${wanted.length} elements differ`
  );
}
