/**
 * Tensors as values: equality and hashes, in the sense of Immutable.js (NaN is itself, 0 and -0 are the same).
 */
import { getOrMake } from "../core/get-or-make";
import { readNow } from "../backends/reading";
import { rawArray } from "../core/bytes";
import { refuseOtherCopy } from "../core/errors";
import { bf16ToNumber, f16ToNumber } from "../core/half";
import { sameShape } from "../core/shape";
import { isFloat, isComplex, type DType } from "../core/types";
import { Tensor } from "../tensor";

type NumberArray = ReturnType<typeof rawArray>;

/**
 * Whether two tensors have the same type, shape, names and elements; NaN equals NaN, and 0 equals -0. Immutable's collections compare
 * tensors by it. Traced tensors are only the same as themselves.
 *
 * @param left - any tensor
 * @param right - any value; what is no tensor equals none
 * @returns a boolean, not a tensor: `Nx.equal` compares element by element
 * @throws ArgumentError for a tensor of another copy of the library
 * @example
 * ```ts
 * Nx.tensor([1, NaN]).equals(Nx.tensor([1, NaN]));
 * // => true
 * Nx.tensor([1, 2], { names: ["x"] }).equals(Nx.tensor([1, 2]));
 * // => false
 * ```
 */
export function equalsTensor(left: Tensor, right: unknown): boolean {
  if (left === right) return true;
  if (!(right instanceof Tensor)) refuseOtherCopy("t.equals", right, "a tensor");
  if (!(right instanceof Tensor) || !sameMeta(left, right)) return false;
  if (left.backend.absorbs || right.backend.absorbs) return false;
  if (left.data === right.data && left.backend === right.backend) return true;
  if (left.backend.describe || right.backend.describe) return left.backend === right.backend && !hasData(left);
  return sameElements(left.type, rawOf(left), rawOf(right));
}

function sameMeta(left: Tensor, right: Tensor): boolean {
  if (left.type !== right.type || !sameShape(left.shape, right.shape)) return false;
  return left.names.every((name, i) => name === right.names[i]);
}

/** Whether a tensor has elements: backends that describe their tensors hold none. */
const hasData = (t: Tensor): boolean => !t.backend.describe;
const rawOf = (t: Tensor): NumberArray => rawArray(t.type, readNow(t));

function sameElements(type: DType, left: NumberArray, right: NumberArray): boolean {
  const value = floatReader(type);
  for (let i = 0; i < left.length; i++) {
    if (left[i] === right[i]) continue;
    if (value === null) return false;
    const [x, y] = [value(left[i]!), value(right[i]!)];
    if (x !== y && (x === x || y === y)) return false;
  }
  return true;
}

/** How an entry of an array of floats is read, or null for integers. */
function floatReader(type: DType): ((entry: number) => number) | null {
  if (type === "f16") return f16ToNumber;
  if (type === "bf16") return bf16ToNumber;
  return isFloat(type) || isComplex(type) ? (entry) => entry : null;
}

const scratch = new Float64Array(1);
const scratchWords = new Int32Array(scratch.buffer);
const identities = new WeakMap<object, number>();
let nextIdentity = 1;

/**
 * A hash that is equal for equal tensors, as Immutable's collections ask for.
 *
 * @param tensor - any tensor
 * @returns an integer below 2^30
 * @example
 * ```ts
 * Nx.tensor([1, 2]).hashCode() === Nx.tensor([1, 2]).hashCode();
 * // => true
 * Nx.tensor([1, 2]).hashCode() === Nx.tensor([1, 3]).hashCode();
 * // => false
 * ```
 */
export function hashTensor(tensor: Tensor): number {
  if (tensor.backend.absorbs) return identityOf(tensor);
  let hash = hashText(`${tensor.type} ${tensor.shape.join(" ")} ${JSON.stringify(tensor.names)}`);
  if (hasData(tensor)) hash = hashElements(hash, tensor.type, rawOf(tensor));
  return hash & 0x3fffffff;
}

const identityOf = (tensor: Tensor): number => getOrMake(identities, tensor, () => nextIdentity++ & 0x3fffffff);

const mix = (hash: number, word: number): number => Math.imul(hash ^ word, 0x01000193) ^ (hash >>> 15);

function hashText(text: string): number {
  let hash = 17;
  for (let i = 0; i < text.length; i++) hash = mix(hash, text.charCodeAt(i));
  return hash;
}

function hashElements(start: number, type: DType, entries: NumberArray): number {
  const value = floatReader(type);
  let hash = start;
  for (let i = 0; i < entries.length; i++) {
    if (value === null) {
      hash = mix(hash, entries[i]!);
      continue;
    }
    const x = value(entries[i]!);
    scratch[0] = x === 0 ? 0 : x !== x ? NaN : x;
    hash = mix(mix(hash, scratchWords[0]!), scratchWords[1]!);
  }
  return hash;
}
